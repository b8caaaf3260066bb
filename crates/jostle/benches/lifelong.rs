//! Throughput: goals reached in a tick by crowds whose agents get a new goal whenever they arrive.
//!
//! ```text
//! JOSTLE_MAPS=... cargo bench -p jostle --bench lifelong [-- [--ticks N] [--seeds N] [--planners A,B] [--only TEXT] [--neighbours 4|8]]
//! ```
//!
//! The k-th goal of an agent is drawn from a generator of its own, so that all planners have the same goals. A goal that another
//! agent has is drawn again. Goals are counted after the first tenth of the ticks, when the crowd is no longer fresh. The last column
//! is the throughput as a share of that of the first planner, which is PIBT with exact distances unless another one is named.

mod common;

use std::time::Duration;

use common::Processor;
use jostle::formats::read_map;
use jostle::grid::Components;
use jostle::instance::Kind;
use jostle::planners::planner;
use jostle::simulate::{Clock, tick};
use jostle::{Agent, Cell, Grid, Instance, Level, Moves, Neighbours, Rules};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

struct Options {
    ticks: u32,
    seeds: u64,
    planners: Vec<String>,
    only: String,
    neighbours: Vec<Neighbours>,
}

fn options() -> Options {
    let mut options = Options {
        ticks: 1000,
        seeds: 1,
        planners: vec!["pibt".to_owned(), "jostle".to_owned()],
        only: String::new(),
        neighbours: vec![Neighbours::Four, Neighbours::Eight],
    };
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    while let Some(word) = words.next() {
        let value = words.next().unwrap_or_else(|| panic!("{word} needs a value"));
        match word.as_str() {
            "--ticks" => options.ticks = value.parse().expect("a number of ticks"),
            "--seeds" => options.seeds = value.parse().expect("a number of seeds"),
            "--planners" => options.planners = value.split(',').map(str::to_owned).collect(),
            "--only" => options.only = value,
            "--neighbours" if value == "4" => options.neighbours = vec![Neighbours::Four],
            "--neighbours" => options.neighbours = vec![Neighbours::Eight],
            _ => panic!("'{word}' is not an option"),
        }
    }
    options
}

fn main() {
    let options = options();
    println!(
        "| map | agents | neighbours | planner | goals a tick | ms a tick | slowest ms | ratio |"
    );
    println!("|---|--:|--:|---|--:|--:|--:|--:|");
    for (name, grid, agents) in scenes() {
        if !name.contains(&options.only) {
            continue;
        }
        for &neighbours in &options.neighbours {
            let grid = grid.clone().with_rules(Rules { neighbours, ..Rules::default() });
            let count = if neighbours == Neighbours::Four { 4 } else { 8 };
            let mut first = None;
            for planner in &options.planners {
                let mut sum = Figures::default();
                for seed in 1..=options.seeds {
                    sum.add(&measure(&grid, agents, planner, seed, options.ticks));
                }
                let rate = sum.goals as f64 / f64::from(sum.ticks);
                let ratio = rate / *first.get_or_insert(rate);
                println!(
                    "| {name} | {agents} | {count} | {planner} | {rate:.3} | {:.2} | {:.2} | {ratio:.3} |",
                    sum.time.as_secs_f64() * 1e3 / f64::from(sum.ticks),
                    sum.slowest.as_secs_f64() * 1e3,
                );
            }
        }
    }
}

/// The maps, with the number of agents on each.
fn scenes() -> Vec<(String, Grid, usize)> {
    let mut scenes = vec![("one-cell aisles".to_owned(), aisles(), 1000)];
    let maps = std::env::var_os("JOSTLE_MAPS").map(std::path::PathBuf::from);
    for (map, agents) in [
        ("warehouse-10-20-10-2-1", 1000),
        ("warehouse-20-40-10-2-2", 1000),
        ("random-32-32-20", 200),
        ("den520d", 1000),
    ] {
        let file = maps.as_ref().map(|maps| maps.join("mapf").join(map).with_extension("map"));
        match file.map(|file| read_map(&file)) {
            Some(Ok(grid)) => scenes.push((map.to_owned(), grid, agents)),
            _ => eprintln!("skipped {map}: JOSTLE_MAPS has to name the folder of maps"),
        }
    }
    let cave = Level::Cave.generate(128, 128, 1).expect("a level");
    scenes.push(("cave:128x128".to_owned(), cave, 500));
    scenes
}

/// Racks of 10x2 cells with aisles one cell wide between them, and two cells of open floor around them.
fn aisles() -> Grid {
    let (width, height) = (135, 91);
    Grid::new(width, height, Rules::default(), |x, y| {
        let is_margin = x < 2 || y < 2 || x >= width - 2 || y >= height - 2;
        is_margin || (x - 2) % 11 == 10 || (y - 2) % 3 == 2
    })
    .expect("a map of moderate size")
}

#[derive(Default)]
struct Figures {
    goals: u64,
    ticks: u32,
    time: Duration,
    slowest: Duration,
}

impl Figures {
    fn add(&mut self, other: &Self) {
        self.goals += other.goals;
        self.ticks += other.ticks;
        self.time += other.time;
        self.slowest = self.slowest.max(other.slowest);
    }
}

fn measure(grid: &Grid, agents: usize, name: &str, seed: u64, ticks: u32) -> Figures {
    let instance = Instance::draw(grid.clone(), Kind::Random, agents, seed).expect("room for all");
    let mut stream = Stream::new(&instance, seed);
    let mut world = instance.world();
    let mut planner = planner(name).unwrap_or_else(|why| panic!("{name}: {why}"));
    let (mut moves, mut figures) = (Moves::default(), Figures::default());
    let warm_up = ticks / 10;
    for number in 0..ticks {
        let arrived: Vec<Agent> = world.ours().filter(Agent::has_arrived).collect();
        for agent in &arrived {
            let goal = stream.next(agent);
            world.send(agent.id, goal).expect("an agent of ours");
        }
        let begin = Processor.now();
        tick(&mut world, planner.as_mut(), &mut moves).expect("legal moves");
        let took = Processor.now().saturating_sub(begin);
        if number >= warm_up {
            figures.goals += world.ours().filter(Agent::has_arrived).count() as u64;
            figures.ticks += 1;
            figures.time += took;
            figures.slowest = figures.slowest.max(took);
        }
    }
    figures
}

/// New goals, from a generator for each agent.
struct Stream {
    generators: Vec<ChaCha8Rng>,
    /// The floor, connected pieces apart.
    pieces: Vec<Vec<Cell>>,
    components: Components,
    /// Whether a cell is an agent's goal.
    is_taken: Vec<bool>,
}

impl Stream {
    fn new(instance: &Instance, seed: u64) -> Self {
        let grid = instance.grid();
        let components = Components::of(grid);
        let mut pieces = vec![Vec::new(); components.count()];
        for cell in grid.floor_cells() {
            if let Some(label) = components.label(cell) {
                pieces[label].push(cell);
            }
        }
        let mut is_taken = vec![false; grid.cells().len()];
        instance.tasks().iter().for_each(|&(_, goal)| is_taken[goal.index()] = true);
        let generator = |agent: usize| {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            rng.set_stream(agent as u64 + 1);
            rng
        };
        let generators = (0..instance.tasks().len()).map(generator).collect();
        Self { generators, pieces, components, is_taken }
    }

    /// The next goal of an agent that stands on its goal.
    fn next(&mut self, agent: &Agent) -> Cell {
        let label = self.components.label(agent.cell).expect("agents stand on floor");
        let cells = &self.pieces[label];
        let rng = &mut self.generators[agent.id.slot()];
        let goal = loop {
            let goal = cells[rng.random_range(0..cells.len() as u32) as usize];
            if !self.is_taken[goal.index()] {
                break goal;
            }
        };
        self.is_taken[agent.cell.index()] = false;
        self.is_taken[goal.index()] = true;
        goal
    }
}
