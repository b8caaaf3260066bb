//! What a crowd pays until everybody is home: ticks and sums of costs of the default planner, beside PIBT and LaCAM\*.
//!
//! `JOSTLE_MAPS=... cargo bench -p jostle --bench costs [-- scenarios|marches] [SECONDS]`
//!
//! - `scenarios`: the first random scenarios of the MAPF benchmark with four neighbours. The costs of both planners are also given as a multiple
//!   of those of `lacam-star` after so many seconds of the processor (default: 10).
//! - `marches`: crowds that go from one dense spot to another, and two crowds that change sides, with 8 and 4 neighbours, seed 1. The default
//!   planner also without traffic (`traffic=off`), as a multiple of PIBT's.

mod common;

use std::time::Duration;

use common::{home, mapf_instance, mapf_map, paper_map};
use cpu_time::ProcessTime;
use jostle::instance::Kind;
use jostle::metrics::Metrics;
use jostle::planners::planner;
use jostle::solvers::{LacamStar, Solver};
use jostle::{Budget, Instance, Limits, Neighbours, Rules, Simulation};

const SCENARIOS: [(&str, usize); 10] = [
    ("random-32-32-20", 100),
    ("random-32-32-20", 200),
    ("random-32-32-20", 400),
    ("den520d", 100),
    ("den520d", 500),
    ("den520d", 1000),
    ("ost003d", 1000),
    ("brc202d", 1000),
    ("warehouse-10-20-10-2-1", 1000),
    ("warehouse-20-40-10-2-2", 1000),
];

const MARCHES: [(&str, Kind, usize); 11] = [
    ("Boston_0_256", Kind::TightToTight, 400),
    ("Paris_1_256", Kind::TightToTight, 400),
    ("den520d", Kind::TightToTight, 400),
    ("ost003d", Kind::TightToTight, 400),
    ("warehouse-20-40-10-2-2", Kind::TightToTight, 400),
    ("lak304d", Kind::TightToTight, 400),
    ("duskwood", Kind::TightToTight, 400),
    ("AR0504SR-512", Kind::TightToTight, 1000),
    ("lak304d", Kind::SwapSides, 600),
    ("den520d", Kind::SwapSides, 600),
    ("Boston_0_256", Kind::SwapSides, 600),
];

const TICKS: u64 = 4096;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let seconds = words.iter().find_map(|word| word.parse().ok()).unwrap_or(10.0);
    let wants = |table: &str| {
        let tables = ["scenarios", "marches"];
        words.iter().all(|word| !tables.contains(&word.as_str()) || word == table)
    };
    if wants("scenarios") {
        scenarios(seconds);
    }
    if wants("marches") {
        marches();
    }
}

/// Lets a planner bring everybody home.
fn run(spec: &str, instance: &Instance) -> Metrics {
    let mut planner = planner(spec).expect("a planner");
    let mut world = instance.world();
    let simulation = Simulation::new(&mut world, planner.as_mut()).limits(Limits::ticks(TICKS));
    simulation.run().expect("legal moves").metrics
}

/// The cost of LaCAM\*'s plan after so many seconds.
fn planned(instance: &Instance, seconds: f64) -> Option<u64> {
    let begin = ProcessTime::now();
    let is_late = || begin.elapsed() > Duration::from_secs_f64(seconds);
    let mut budget = Budget::unlimited().with_deadline(&is_late);
    let answer = LacamStar::default().solve(instance, &mut budget, &mut |_| ());
    answer.best.map(|best| best.cost)
}

fn scenarios(seconds: f64) {
    println!("{:28} {:>8} | jostle:                           | pibt:", "", "");
    println!(
        "{:22} {:>5} {:>8} | {:>6} {:>9} {:>7} {:>8} | {:>6} {:>9} {:>7} {:>8}",
        "map", "", "plan", "home", "cost", "x plan", "us/tick", "home", "cost", "x plan", "us/tick"
    );
    for (map, agents) in SCENARIOS {
        let Some(instance) = mapf_instance(map, agents) else {
            println!("{map}: map missing (JOSTLE_MAPS names a folder with mapf/{map}.map)");
            continue;
        };
        let plan = planned(&instance, seconds).unwrap_or(0);
        print!("{map:22} {agents:5} {plan:8}");
        for spec in ["jostle", "pibt"] {
            let begin = ProcessTime::now();
            let metrics = run(spec, &instance);
            let mean = begin.elapsed().as_secs_f64() * 1e6 / metrics.ticks.max(1) as f64;
            let cost = metrics.sum_of_costs();
            let ratio = cost as f64 / plan.max(1) as f64;
            print!(" | {:>6} {cost:9} {ratio:7.2} {mean:8.1}", home(&metrics));
        }
        println!();
    }
}

fn marches() {
    println!("\n{:46} | jostle:         | traffic=off:    | pibt:", "");
    println!(
        "{:22} {:14} {:>4} {:>3}  | {:>6} {:>4} {:>4} | {:>6} {:>4} {:>4} | {:>6}",
        "map", "kind", "", "nb", "home", "x", "cost", "home", "x", "cost", "home"
    );
    for neighbours in [Neighbours::Eight, Neighbours::Four] {
        for (map, kind, agents) in MARCHES {
            let Some(grid) = mapf_map(map).or_else(|| paper_map(map)) else {
                println!("{map}: map missing");
                continue;
            };
            let grid = grid.with_rules(Rules { neighbours, ..Rules::default() });
            let instance = Instance::draw(grid, kind, agents, 1).expect("there is room");
            let count = if neighbours == Neighbours::Eight { 8 } else { 4 };
            print!("{map:22} {:14} {agents:4} {count:3} ", kind.to_string());
            let pibt = run("pibt", &instance);
            for spec in ["jostle", "jostle:traffic=off"] {
                let metrics = run(spec, &instance);
                let ticks = metrics.ticks as f64 / pibt.ticks as f64;
                let cost = metrics.sum_of_costs() as f64 / pibt.sum_of_costs() as f64;
                print!(" | {:>6} {ticks:4.2} {cost:4.2}", home(&metrics));
            }
            println!(" | {:>6}", home(&pibt));
        }
    }
}
