//! All planners side by side: the cost of the first tick, the cost of an agent in later ticks as the crowd
//! grows, its memory, and the speed of A\*.
//!
//! `JOSTLE_MAPS=... cargo bench -p jostle --bench planners`

mod common;

use std::time::{Duration, Instant};

use common::{crowd, paper_map};
use jostle::instance::Kind;
use jostle::planners::{Entry, Planner, Registry, planner};
use jostle::search::{ReverseSearch, Search, StraightLine};
use jostle::simulate::tick;
use jostle::{Budget, Instance, Level, Moves, Neighbours, Rules, solvers};

const MAP: &str = "AR0504SR-512";
const TICKS: u32 = 200;

fn main() {
    let words: Vec<String> = std::env::args().collect();
    if let Some(at) = words.iter().position(|word| word == "--count") {
        return run_counted(&words[at + 1]);
    }
    count_instructions();
    show_silver();
    show_whole_routes_in_a_full_maze();
    if paper_map(MAP).is_none() {
        println!("\nskipped: set JOSTLE_MAPS to a folder with the paper's maps");
        return;
    }
    show_astar();
    show_scaling();
    show_reverse_memory();
}

fn microseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// The time of each tick.
#[inline(never)]
fn timed_ticks(instance: &Instance, planner: &mut dyn Planner, ticks: u32) -> Vec<Duration> {
    let (mut world, mut moves) = (instance.world(), Moves::default());
    let one_tick = |_| {
        let begin = Instant::now();
        tick(&mut world, planner, &mut moves).expect("a planner proposes legal moves");
        begin.elapsed()
    };
    (0..ticks).map(one_tick).collect()
}

/// The instance on which a planner's instructions are counted: small, so that every planner can take part.
fn counted_instance(name: &str) -> (Instance, u32) {
    if matches!(name, "ca" | "hca") {
        return (silver_instance(1), 100);
    }
    let grid = Level::Cave.generate(96, 96, 1).expect("a level");
    (Instance::draw(grid, Kind::Random, 400, 1).expect("room for 400"), 150)
}

fn count_instructions() {
    println!(
        "\nInstructions under callgrind, for an agent and tick: 400 agents on cave:96x96, 150 ticks"
    );
    println!("(ca and hca: 100 agents in Silver's setting, 100 ticks)");
    for entry in Registry::builtin().entries().iter().filter(|entry| !is_solver(entry.name())) {
        let (instance, ticks) = counted_instance(entry.name());
        match common::instructions(&["--count", entry.name()]) {
            Some(count) => {
                let each = count / (u64::from(ticks) * instance.tasks().len() as u64);
                println!("{:16} {:10.1} million {each:8} each", entry.name(), count as f64 / 1e6);
            }
            None => return println!("skipped: valgrind is not installed"),
        }
    }
}

fn run_counted(name: &str) {
    let (instance, ticks) = counted_instance(name);
    timed_ticks(&instance, planner(name).expect("a planner").as_mut(), ticks);
}

/// A map of Silver's experiment with 100 agents.
fn silver_instance(seed: u64) -> Instance {
    let rules = Rules { neighbours: Neighbours::Four, ..Rules::default() };
    let grid = Level::Scatter.generate(32, 32, seed).expect("a level").with_rules(rules);
    Instance::draw(grid, Kind::Random, 100, 1).expect("room for 100")
}

fn show_silver() {
    println!(
        "\nSilver's setting: ten maps of 32x32, 4 neighbours, 100 agents, 100 ticks; the worst of ten"
    );
    println!("{:16} {:>11} {:>14}", "planner", "first tick", "slowest later");
    for name in ["lra", "ca", "hca", "whca:window=8", "whca:window=16", "whca:window=32"] {
        let (mut first, mut later) = (Duration::ZERO, Duration::ZERO);
        for seed in 1..=10 {
            let mut planner = planner(name).expect("a planner");
            let ticks = timed_ticks(&silver_instance(seed), planner.as_mut(), 100);
            first = first.max(ticks[0]);
            later = ticks[1..].iter().copied().fold(later, Duration::max);
        }
        let (first, later) = (microseconds(first) / 1e3, microseconds(later) / 1e3);
        println!("{name:16} {first:8.2} ms {later:11.2} ms");
    }
}

/// Most agents find no route here: CA\* and HCA\* spend their time on searches that fail.
fn show_whole_routes_in_a_full_maze() {
    println!("\n600 agents on maze:40x39: the slowest of ten ticks");
    let grid = Level::Maze.generate(40, 39, 1).expect("a level");
    let instance = Instance::draw(grid, Kind::Random, 600, 1).expect("room for 600");
    for name in ["ca", "hca"] {
        let ticks = timed_ticks(&instance, planner(name).expect("a planner").as_mut(), 10);
        let slowest = ticks.into_iter().max().map_or(0.0, microseconds) / 1e3;
        println!("{name:16} {slowest:8.2} ms");
    }
}

fn show_astar() {
    let instance = crowd(MAP, 2000);
    let grid = instance.grid();
    let mut search = Search::default();
    let (begin, mut budget) = (Instant::now(), Budget::unlimited());
    for &(start, goal) in &instance.tasks()[..500] {
        let verdict = search.run(&StraightLine::to(goal, grid), start, &mut budget);
        assert!(verdict.is_found(), "goals are drawn within reach");
    }
    let rate = budget.work().expansions as f64 / begin.elapsed().as_secs_f64() / 1e6;
    println!("\nA* on {MAP}: {rate:.1} million expansions a second, 500 searches");
}

/// Whether a planner follows the plans of a solver. In crowds of hundreds there are none in time, and Jostle moves
/// everybody.
fn is_solver(name: &str) -> bool {
    solvers::Registry::builtin().find(name).is_ok()
}

/// All planners but the solvers, and CA\* and HCA\*, which plan the whole paths of all agents in the first tick: that takes
/// minutes for these crowds.
fn scaling_planners() -> impl Iterator<Item = &'static str> {
    let names = Registry::builtin().entries().iter().map(Entry::name);
    let names = names.filter(|name| !matches!(*name, "ca" | "hca") && !is_solver(name));
    names.map(|name| if name == "whca" { "whca:window=8" } else { name })
}

fn show_scaling() {
    println!(
        "\nOn {MAP}, {TICKS} ticks: the first tick, then microseconds for an agent and tick, and memory"
    );
    for name in scaling_planners() {
        println!("{name}");
        for agents in [250, 500, 1000, 2000, 4000] {
            let instance = crowd(MAP, agents);
            let mut planner = planner(name).expect("a planner");
            let ticks = timed_ticks(&instance, planner.as_mut(), TICKS);
            let first = microseconds(ticks[0]) / 1e3;
            let later: Duration = ticks[1..].iter().sum();
            let each = microseconds(later) / f64::from(TICKS - 1) / agents as f64;
            let bytes = planner.memory() / agents;
            println!("  {agents:5} agents {first:9.1} ms {each:8.3} µs {bytes:10} bytes an agent");
        }
    }
}

fn show_reverse_memory() {
    println!("\nA reverse search that has reached everything it can");
    for name in common::PAPER_MAPS {
        let instance = crowd(name, 1);
        let (grid, (start, goal)) = (instance.grid(), instance.tasks()[0]);
        let mut search = ReverseSearch::default();
        search.begin(grid, start, goal);
        search.exhaust(grid);
        let cells = search.expansions();
        let bytes = search.memory() as f64 / cells as f64;
        println!("{name:18} {cells:7} cells {bytes:5.2} bytes for each");
    }
}
