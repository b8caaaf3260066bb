//! How fast solvers prove their plans to be the best, on the benchmark's first random scenarios.
//!
//! `JOSTLE_MAPS=... cargo bench -p jostle --bench solvers [-- SECONDS]`: at most so many seconds for each instance.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use jostle::formats::{read_map, read_scenario};
use jostle::instance::Reach;
use jostle::solvers::{Cbs, Solver};
use jostle::{Budget, Instance, Neighbours, Rules};

/// Maps, each with the numbers of agents to try.
const INSTANCES: [(&str, &[usize]); 4] = [
    ("empty-8-8", &[10, 20]),
    ("random-32-32-20", &[10, 20, 30, 40]),
    ("room-32-32-4", &[10, 15]),
    ("den520d", &[20, 50, 100]),
];

/// The instance of a scenario, with four neighbours as in the benchmark.
fn instance(map: &str, agents: usize) -> Option<Instance> {
    let folder = PathBuf::from(std::env::var_os("JOSTLE_MAPS")?).join("mapf");
    let rules = Rules { neighbours: Neighbours::Four, ..Rules::default() };
    let grid = read_map(&folder.join(map).with_extension("map")).ok()?.with_rules(rules);
    let scenario = read_scenario(&folder.join(format!("scen/{map}-random-1.scen"))).ok()?;
    Instance::from_scenario(&grid, &scenario, agents, Reach::Required).ok()
}

fn main() {
    let only = std::env::args().skip(1).find(|word| INSTANCES.iter().any(|(map, _)| map == word));
    let seconds = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(10.0);
    let solvers = [("default", Cbs::default())];
    println!(
        "{:16} {:>6} {:8} {:>10} {:>8} {:>9} {:>9} {:>11}",
        "map", "agents", "cbs", "cost", "nodes", "seconds", "searches", "expansions"
    );
    for (map, counts) in INSTANCES {
        if only.as_ref().is_some_and(|only| only != map) {
            continue;
        }
        for &agents in counts {
            let Some(instance) = instance(map, agents) else {
                println!(
                    "{map}: this needs JOSTLE_MAPS, a folder with mapf/{map}.map and its scenario"
                );
                break;
            };
            for (name, cbs) in solvers {
                let begin = Instant::now();
                let is_late = || begin.elapsed() > Duration::from_secs_f64(seconds);
                let mut budget = Budget::unlimited().with_deadline(&is_late);
                let answer = cbs.solve(&instance, &mut budget, &mut |_| ());
                let cost = match &answer.best {
                    Some(_) => format!("{}", answer.bound),
                    None => format!("> {}", answer.bound),
                };
                let took = begin.elapsed().as_secs_f64();
                let nodes = answer.nodes;
                let work = budget.work();
                let (searches, expansions) = (work.searches, work.expansions);
                println!(
                    "{map:16} {agents:6} {name:8} {cost:>10} {nodes:8} {took:9.3} {searches:9} {expansions:11}"
                );
            }
        }
    }
}
