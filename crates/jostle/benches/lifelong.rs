//! Throughput: goals reached in a tick by crowds whose agents get a new goal whenever they arrive.
//!
//! ```text
//! JOSTLE_MAPS=... cargo bench -p jostle --bench lifelong [-- OPTION...]
//! ```
//!
//! | option | meaning | default |
//! |---|---|---|
//! | `--planners NAMES` | planners with their parameters, with commas | pibt,jostle |
//! | `--ticks NUMBER` | ticks of a run. The first tenth is not measured, because the crowd is still fresh | 1000 |
//! | `--seeds NUMBER` | how many crowds are drawn for each row, whose figures are taken together | 1 |
//! | `--only TEXT` | only maps with this text in their names | all |
//! | `--agents NUMBER` | this number of agents on every map | that of the map |
//! | `--neighbours 4`, `8` | only with so many neighbours | both |
//!
//! Goals are those of `jostle::lifelong`: all planners have the same goals. The last column is the throughput as a share of that of the first
//! planner, which is PIBT with exact distances unless others are named. Ticks are measured in processor time.

mod common;

use std::path::PathBuf;
use std::time::Duration;

use common::Processor;
use jostle::formats::read_map;
use jostle::instance::Kind;
use jostle::lifelong::{DrawnGoals, Lifelong};
use jostle::planners::planner;
use jostle::simulate::{Clock, tick};
use jostle::{Grid, Instance, Level, Moves, Neighbours, Rules};

struct Options {
    planners: Vec<String>,
    ticks: u32,
    seeds: u64,
    only: String,
    agents: Option<usize>,
    neighbours: Vec<Neighbours>,
}

impl Options {
    fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            planners: vec!["pibt".to_owned(), "jostle".to_owned()],
            ticks: 1000,
            seeds: 1,
            only: String::new(),
            agents: None,
            neighbours: vec![Neighbours::Four, Neighbours::Eight],
        };
        while let Some(word) = words.next() {
            let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
            let wrong = |_| format!("{word}: '{value}' is not a number");
            match (word.as_str(), value.as_str()) {
                ("--planners", names) => {
                    options.planners = names.split(',').map(str::to_owned).collect();
                }
                ("--ticks", number) => options.ticks = number.parse().map_err(wrong)?,
                ("--seeds", number) => options.seeds = number.parse().map_err(wrong)?,
                ("--only", text) => text.clone_into(&mut options.only),
                ("--agents", number) => options.agents = Some(number.parse().map_err(wrong)?),
                ("--neighbours", "4") => options.neighbours = vec![Neighbours::Four],
                ("--neighbours", "8") => options.neighbours = vec![Neighbours::Eight],
                _ => return Err(format!("'{word} {value}' is not an option")),
            }
        }
        Ok(options)
    }
}

fn main() {
    let words = std::env::args().skip(1).filter(|word| word != "--bench");
    let options = Options::parse(words).unwrap_or_else(|wrong| {
        eprintln!("{wrong}");
        std::process::exit(2);
    });
    println!(
        "| map | agents | neighbours | planner | goals a tick | service, mean | 95 of 100 | ms a tick | slowest | ratio |"
    );
    println!("|---|--:|--:|---|--:|--:|--:|--:|--:|--:|");
    for scene in scenes().into_iter().filter(|scene| scene.name.contains(&options.only)) {
        for &neighbours in &options.neighbours {
            show(&scene, neighbours, &options);
        }
    }
}

/// A map with a crowd on it.
struct Scene {
    name: String,
    grid: Grid,
    agents: usize,
    /// The level, if goals are at its shelves and stations in turn.
    warehouse: Option<Level>,
}

fn scenes() -> Vec<Scene> {
    let aisles = Level::Aisles.generate(136, 92, 1).expect("a level");
    let scene =
        |name: &str, grid, agents| Scene { name: name.to_owned(), grid, agents, warehouse: None };
    let mut scenes = vec![scene("aisles:136x92", aisles.clone(), 1000)];
    scenes.push(Scene {
        warehouse: Some(Level::Aisles),
        ..scene("aisles:136x92, stations", aisles, 400)
    });
    let maps = std::env::var_os("JOSTLE_MAPS").map(PathBuf::from);
    for (map, agents) in [
        ("warehouse-10-20-10-2-1", 1000),
        ("warehouse-20-40-10-2-2", 1000),
        ("random-32-32-20", 200),
        ("den520d", 1000),
    ] {
        let file = maps.as_ref().map(|maps| maps.join("mapf").join(map).with_extension("map"));
        match file.map(|file| read_map(&file)) {
            Some(Ok(grid)) => scenes.push(scene(map, grid, agents)),
            _ => eprintln!("skipped {map}: JOSTLE_MAPS has to name the folder of maps"),
        }
    }
    let cave = Level::Cave.generate(128, 128, 1).expect("a level");
    scenes.push(scene("cave:128x128", cave, 500));
    scenes
}

/// A row for each planner.
fn show(scene: &Scene, neighbours: Neighbours, options: &Options) {
    let grid = scene.grid.clone().with_rules(Rules { neighbours, ..Rules::default() });
    let count = if neighbours == Neighbours::Four { 4 } else { 8 };
    let agents = options.agents.unwrap_or(scene.agents);
    let mut first = None;
    for planner in &options.planners {
        let mut sum = Figures::default();
        for seed in 1..=options.seeds {
            sum.measure(scene, &grid, agents, planner, seed, options.ticks);
        }
        let rate = sum.goals as f64 / f64::from(sum.ticks);
        let ratio = rate / *first.get_or_insert(rate);
        let [mean, most] = sum.service.map(|sum| sum as f64 / options.seeds as f64);
        println!(
            "| {} | {agents} | {count} | {planner} | {rate:.3} | {mean:.0} | {most:.0} | {:.2} | {:.2} | {ratio:.3} |",
            scene.name,
            sum.time.as_secs_f64() * 1e3 / f64::from(sum.ticks),
            sum.slowest.as_secs_f64() * 1e3,
        );
    }
}

/// What the crowds of a row have done.
#[derive(Default)]
struct Figures {
    goals: u64,
    ticks: u32,
    time: Duration,
    slowest: Duration,
    /// The sums over crowds of the mean service time and of the one that 95 of 100 goals did not exceed, of whole runs, in ticks.
    service: [u64; 2],
}

impl Figures {
    fn measure(
        &mut self,
        scene: &Scene,
        grid: &Grid,
        agents: usize,
        name: &str,
        seed: u64,
        ticks: u32,
    ) {
        let instance =
            Instance::draw(grid.clone(), Kind::Random, agents, seed).expect("room for all");
        let sites = scene.warehouse.and_then(|level| level.sites(grid));
        let mut lifelong = Lifelong::new(match sites {
            Some(sites) => DrawnGoals::in_warehouse(grid, &sites, seed),
            None => DrawnGoals::anywhere(grid, seed),
        });
        let mut world = instance.world();
        let mut planner = planner(name).unwrap_or_else(|why| panic!("{name}: {why}"));
        let (mut moves, mut goals_before) = (Moves::default(), 0);
        for number in 0..ticks {
            lifelong.send(&mut world);
            if number == ticks / 10 {
                goals_before = lifelong.service().goals();
            }
            let begin = Processor.now();
            tick(&mut world, planner.as_mut(), &mut moves).expect("legal moves");
            if number >= ticks / 10 {
                let took = Processor.now().saturating_sub(begin);
                self.ticks += 1;
                self.time += took;
                self.slowest = self.slowest.max(took);
            }
        }
        lifelong.count(&world);
        let service = lifelong.service();
        self.goals += service.goals() - goals_before;
        self.service[0] += service.mean().unwrap_or_default().round() as u64;
        self.service[1] += service.percentile(95).unwrap_or_default();
    }
}
