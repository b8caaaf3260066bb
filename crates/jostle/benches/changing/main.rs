//! What a floor that changes costs planners that keep a joint plan: the review's figures 7 to 10.
//!
//! `JOSTLE_MAPS=... cargo bench -p jostle --bench changing [-- SECONDS INSTANCES SHARE PLOT]`: at most so many seconds of planning for a
//! run (review: 300), so many instances for each number of changes, which share of closures is ahead of an agent on its first
//! path, and a file, ending in `.svg`, into which times over changes are drawn.
//!
//! Ten agents of the benchmark's random scenarios, 4 neighbours. Changes are spread over the makespan of the optimal plan. A run
//! goes on until the script is over and all agents have arrived. Planning is all that planners do, from the first plan on, on
//! one thread. Runs are repeated, and of each tick the least time counts: all repetitions do the same work.

#[path = "../common/plot.rs"]
mod plot;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jostle::formats::{read_map, read_scenario};
use jostle::instance::{Closures, Reach};
use jostle::planners::{CbsDstarLite, CbsReplan, DiCbs, Planner, Recipe, Repairs};
use jostle::script::ScriptPlayer;
use jostle::solvers::{Cbs, Solver};
use jostle::{Budget, Grid, Instance, Moves, Neighbours, Plan, Rules};
use plot::{Line, Panel, Picture, draw};

const MAPS: [&str; 2] = ["den520d", "brc202d"];
const AGENTS: usize = 10;
const CHANGES: [usize; 6] = [4, 8, 12, 16, 20, 24];
const PLANNERS: usize = 5;
/// How often each run is made.
const REPEATS: usize = 7;
/// A run of more ticks has failed.
const MOST_TICKS: u64 = 4096;

fn folder() -> Option<PathBuf> {
    Some(PathBuf::from(std::env::var_os("JOSTLE_MAPS")?).join("mapf"))
}

fn grid(map: &str) -> Option<Grid> {
    let rules = Rules { neighbours: Neighbours::Four, ..Rules::default() };
    Some(read_map(&folder()?.join(map).with_extension("map")).ok()?.with_rules(rules))
}

/// The n-th group of ten agents of the benchmark's first random scenario, with their optimal plan.
fn instance(map: &str, grid: &Grid, number: usize) -> Option<(Instance, Plan)> {
    let mut scenario = read_scenario(&folder()?.join(format!("scen/{map}-random-1.scen"))).ok()?;
    scenario.rows.drain(..number * AGENTS);
    let instance = Instance::from_scenario(grid, &scenario, AGENTS, Reach::Required).ok()?;
    let mut budget = Budget::expansions(20_000_000);
    let answer = Cbs::default().solve(&instance, &mut budget, &mut |_| ());
    Some((instance, answer.best?.plan))
}

fn planners() -> [(&'static str, Box<dyn Recipe>); PLANNERS] {
    // As much work as is allowed.
    let limit = 1_000_000;
    let repairs = Repairs { limit, ..Repairs::default() };
    let di = DiCbs { repairs, ..DiCbs::default() };
    [
        ("cbs-replan", Box::new(CbsReplan { limit, ..CbsReplan::default() })),
        ("cbs-dstar-lite", Box::new(CbsDstarLite { repairs })),
        ("di-cbs:reason=off", Box::new(DiCbs { reason: false, ..di })),
        ("di-cbs:slpa=off", Box::new(DiCbs { slpa: false, ..di })),
        ("di-cbs", Box::new(di)),
    ]
}

#[derive(Clone, Default)]
struct Run {
    /// The time of planning, by tick. In the first one all planners make the same plan.
    ticks: Vec<Duration>,
    expansions: u64,
    cost: u64,
    has_arrived: bool,
}

impl Run {
    fn planning(&self) -> f64 {
        self.ticks.iter().sum::<Duration>().as_secs_f64() * 1e3
    }

    fn repairs(&self) -> f64 {
        self.ticks.iter().skip(1).sum::<Duration>().as_secs_f64() * 1e3
    }
}

fn run(instance: &Instance, planner: &mut dyn Planner, most: Duration) -> Run {
    let mut world = instance.world();
    let mut player = ScriptPlayer::begin(instance.script(), &world);
    let mut moves = Moves::default();
    let mut arrivals = vec![0; instance.tasks().len()];
    let (mut run, mut spent) = (Run::default(), Duration::ZERO);
    loop {
        player.play(&mut world);
        run.has_arrived = world.have_all_arrived();
        if (run.has_arrived && player.is_over()) || world.tick() > MOST_TICKS {
            break;
        }
        moves.reset(&world);
        let begin = Instant::now();
        let work = planner.plan(&world, &mut moves);
        let took = begin.elapsed();
        run.ticks.push(took);
        spent += took;
        run.expansions += work.expansions;
        if spent > most {
            run.has_arrived = false;
            break;
        }
        world.advance(&moves).expect("planners propose legal moves");
        for (agent, arrival) in world.ours().zip(&mut arrivals) {
            if !agent.has_arrived() {
                *arrival = world.tick() + 1;
            }
        }
    }
    run.cost = arrivals.into_iter().sum();
    run
}

/// A run of each planner, with the least time of several repetitions for each tick. Planners take turns, so that whatever else the
/// machine does concerns all of them.
fn timed(instance: &Instance, most: Duration) -> [Run; PLANNERS] {
    let round = || planners().map(|(_, recipe)| run(instance, recipe.build().as_mut(), most));
    let mut best = round();
    for _ in 1..REPEATS {
        for (best, again) in best.iter_mut().zip(round()) {
            for (least, took) in best.ticks.iter_mut().zip(again.ticks) {
                *least = took.min(*least);
            }
        }
    }
    best
}

fn main() {
    let is_picture = |word: &String| Path::new(word).extension().is_some_and(|it| it == "svg");
    let file = std::env::args().find(is_picture);
    let mut rows = ["whole run", "after the first plan"].map(|what| (what, Vec::new()));
    let numbers: Vec<f64> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let number = |at: usize, default: f64| numbers.get(at).copied().unwrap_or(default);
    let most = Duration::from_secs_f64(number(0, 300.0));
    let (instances, on_paths) = (number(1, 10.0) as usize, number(2, 0.5));
    println!(
        "{AGENTS} agents, {instances} instances, {on_paths} of the closures ahead of an agent; means of runs that all planners completed"
    );
    println!(
        "{:8} {:>7} {:18} {:>6} {:>11} {:>11} {:>12} {:>8} {:>10} {:>11}",
        "map",
        "changes",
        "planner",
        "done",
        "planning ms",
        "repairs ms",
        "expansions",
        "cost",
        "x replan",
        "x, repairs"
    );
    for map in MAPS {
        let Some(grid) = grid(map) else {
            println!(
                "{map}: this needs JOSTLE_MAPS, a folder with mapf/{map}.map and its scenario"
            );
            continue;
        };
        for (what, panels) in &mut rows {
            let lines = planners().map(|(planner, _)| Line::of(planner)).into();
            panels.push(Panel { title: format!("{map}: {what}"), lines });
        }
        let crowds: Vec<_> =
            (0..).map_while(|at| instance(map, &grid, at)).take(instances).collect();
        for changes in CHANGES {
            let closures = Closures { changes, on_paths, ..Closures::default() };
            let mut runs: Vec<[Run; PLANNERS]> = Vec::new();
            for (seed, (instance, plan)) in crowds.iter().enumerate() {
                let script = closures.draw_for(plan, seed as u64).expect("cells can be closed");
                let instance = instance.clone().with_script(script).expect("it fits its own map");
                runs.push(timed(&instance, most));
            }
            let times = report(map, changes, &runs);
            let [whole, later] = &mut rows;
            for ((_, panels), time) in [(whole, 0), (later, 1)] {
                let lines = panels.last_mut().map_or(&mut [][..], |panel| &mut panel.lines);
                for (line, times) in lines.iter_mut().zip(&times) {
                    line.points.push((changes as f64, times[time]));
                }
            }
        }
    }
    let rows: Vec<Vec<Panel>> = rows.into_iter().map(|(_, panels)| panels).collect();
    if let Some(file) = file.filter(|_| !rows[0].is_empty()) {
        let title = "Planning time over changes of the floor";
        let picture = Picture { title, across: ("changes", false), up: "planning (ms)", rows };
        let picture = draw(&picture).expect("text can be written into a string");
        std::fs::write(&file, picture).unwrap_or_else(|why| panic!("{file}: {why}"));
    }
}

/// Prints a row for each planner. Returns its planning time, in all and after the first plan.
fn report(map: &str, changes: usize, runs: &[[Run; PLANNERS]]) -> Vec<[f64; 2]> {
    let mut times = Vec::new();
    let whole: Vec<&[Run; PLANNERS]> =
        runs.iter().filter(|runs| runs.iter().all(|run| run.has_arrived)).collect();
    let mean = |of: &dyn Fn(&[Run; PLANNERS]) -> f64| {
        whole.iter().map(|runs| of(runs)).sum::<f64>() / whole.len().max(1) as f64
    };
    for (at, (name, _)) in planners().iter().enumerate() {
        let done = runs.iter().filter(|runs| runs[at].has_arrived).count();
        let (all, later) = (mean(&|runs| runs[at].planning()), mean(&|runs| runs[at].repairs()));
        let expansions = mean(&|runs| runs[at].expansions as f64);
        let cost = mean(&|runs| runs[at].cost as f64);
        let ratio = mean(&|runs| runs[0].planning()) / all;
        let later_ratio = mean(&|runs| runs[0].repairs()) / later;
        println!(
            "{map:8} {changes:7} {name:18} {done:>3}/{:<2} {all:11.2} {later:11.2} {expansions:12.0} {cost:8.1} {ratio:10.1} {later_ratio:11.1}",
            runs.len()
        );
        times.push([all, later]);
    }
    times
}
