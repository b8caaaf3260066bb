//! How fast solvers find plans, on the benchmark's first random scenarios with four neighbours.
//!
//! `JOSTLE_MAPS=... cargo bench -p jostle --bench solvers [-- SECONDS] [MAP] [SOLVER...]`: at most so many seconds for each
//! instance; only one map; other solvers than the default ones, as in `cbs:heuristic=none`.

mod common;

use std::time::{Duration, Instant};

use common::mapf_instance;
use jostle::solvers::{Proof, Registry, Solver};
use jostle::{Budget, Instance};

/// A solver, a map, and the numbers of agents to try, each with the seconds that the strongest public solver of its kind takes on a
/// similar machine (CBSH2-RTC, EECBS), where known.
type Row = (&'static str, &'static str, &'static [(usize, &'static str)]);

const ROWS: [Row; 8] = [
    ("cbs", "empty-8-8", &[(10, ""), (20, "")]),
    ("cbs", "random-32-32-20", &[(20, ""), (30, "0.01"), (40, ""), (50, "> 10")]),
    ("cbs", "room-32-32-4", &[(15, ""), (20, "")]),
    ("cbs", "den520d", &[(50, ""), (100, "8.5")]),
    ("cbs", "warehouse-10-20-10-2-1", &[(50, "")]),
    ("eecbs:w=1.2", "random-32-32-20", &[(50, ""), (100, "0.17"), (150, "")]),
    ("eecbs:w=1.2", "den520d", &[(100, ""), (200, ""), (500, "12.3")]),
    ("eecbs:w=1.2", "warehouse-10-20-10-2-1", &[(100, ""), (200, "")]),
];

/// The most memory that a search may hold.
const MEMORY: usize = 2 << 30;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let seconds = words.iter().find_map(|word| word.parse().ok()).unwrap_or(10.0);
    let only = words.iter().find(|word| ROWS.iter().any(|(_, map, _)| map == word));
    let named: Vec<&str> = words
        .iter()
        .filter(|word| word.parse::<f64>().is_err() && Some(*word) != only)
        .map(String::as_str)
        .collect();
    println!(
        "{:14} {:22} {:>6} {:>8} {:>8} {:>7} {:>9} {:>7} {:>8} {:>11} {:>7}",
        "solver",
        "map",
        "agents",
        "cost",
        "bound",
        "nodes",
        "seconds",
        "peer",
        "searches",
        "expansions",
        "MB"
    );
    for (solver, map, counts) in ROWS {
        if only.is_some_and(|only| only != map) {
            continue;
        }
        let solvers = if named.is_empty() { vec![solver] } else { named.clone() };
        for name in solvers {
            let solver = Registry::builtin().parse(name).expect("a solver").build();
            for &(agents, peer) in counts {
                let Some(instance) = mapf_instance(map, agents) else {
                    println!(
                        "{map}: this needs JOSTLE_MAPS, a folder with mapf/{map}.map and its scenario"
                    );
                    break;
                };
                row(name, &*solver, (map, &instance), peer, seconds);
            }
        }
    }
}

fn row(
    name: &str,
    solver: &dyn Solver,
    (map, instance): (&str, &Instance),
    peer: &str,
    seconds: f64,
) {
    let begin = Instant::now();
    let is_late = || begin.elapsed() > Duration::from_secs_f64(seconds);
    let mut budget = Budget::unlimited().with_deadline(&is_late).with_memory(MEMORY);
    let mut attempt = solver.begin(instance);
    let answer = attempt.go_on(&mut budget, &mut |_| ());
    let took = begin.elapsed().as_secs_f64();
    let cost = answer.best.as_ref().map_or("-".to_owned(), |best| best.cost.to_string());
    let took = if answer.proof == Proof::OutOfBudget {
        format!("> {took:.0}")
    } else {
        format!("{took:.3}")
    };
    let (work, agents) = (budget.work(), instance.tasks().len());
    println!(
        "{name:14} {map:22} {agents:6} {cost:>8} {:8} {:7} {took:>9} {peer:>7} {:8} {:11} {:7.1}",
        answer.bound,
        answer.nodes,
        work.searches,
        work.expansions,
        attempt.memory() as f64 / 1e6
    );
}
