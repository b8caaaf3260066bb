//! How many tasks Co-CBS can plan: the review's figures 3 and 4.
//!
//! `JOSTLE_MAPS=... cargo bench -p jostle --bench meetings [-- SECONDS [INSTANCES [TASKS,TASKS,... [MAP,MAP,...]]]]`: at
//! most so many seconds for each of so many instances, on these maps with these numbers of tasks. On Linux these are seconds of the
//! processor, so that it does not matter what else the machine does.

use std::path::PathBuf;
use std::time::Instant;

use jostle::formats::read_map;
use jostle::meetings::MeetingInstance;
use jostle::solvers::{CoCbs, Proof};
use jostle::{Budget, Grid, Neighbours, Rules};

/// A dense game map, a random map, and two warehouses.
const MAPS: &str = "den312d,random-32-32-10,warehouse-10-20-10-2-1,warehouse-20-40-10-2-2";

/// The review has 6 to 22 tasks.
const TASKS: &str = "6,10,14,18,22";

/// The most bytes of one search.
const MEMORY: usize = 2 << 30;

fn map(name: &str) -> Option<Grid> {
    let folder = PathBuf::from(std::env::var_os("JOSTLE_MAPS")?).join("mapf");
    let rules = Rules { neighbours: Neighbours::Four, ..Rules::default() };
    Some(read_map(&folder.join(name).with_extension("map")).ok()?.with_rules(rules))
}

/// The seconds that this program has used the processor for, or since it began where that is not known.
fn seconds_used(since: Instant) -> f64 {
    let used = std::fs::read_to_string("/proc/self/schedstat").ok();
    let nanoseconds = used.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| since.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// What one setting has achieved on all instances of one size.
#[derive(Default)]
struct Score {
    solved: u32,
    with_first: u32,
    nodes: u64,
    sets: u64,
    planned: u64,
    seconds: f64,
}

fn run(solver: CoCbs, instance: &MeetingInstance, seconds: f64, score: &mut Score) {
    let (clock, begin) = (Instant::now(), seconds_used(Instant::now()));
    let used = || seconds_used(clock) - begin;
    let is_late = || used() > seconds;
    let mut budget = Budget::unlimited().with_deadline(&is_late).with_memory(MEMORY);
    let mut attempt = solver.begin(instance);
    let answer = attempt.go_on(&mut budget, &mut |_| ());
    let counts = attempt.counts();
    score.solved += u32::from(answer.proof == Proof::Optimal);
    score.with_first += u32::from(counts.is_first);
    score.nodes += answer.nodes;
    score.sets += counts.generated;
    score.planned += counts.planned;
    score.seconds += used().min(seconds);
}

fn main() {
    let mut words = std::env::args().skip(1).filter(|word| !word.starts_with("--"));
    let seconds = words.next().and_then(|word| word.parse().ok()).unwrap_or(5.0);
    let instances: u32 = words.next().and_then(|word| word.parse().ok()).unwrap_or(10);
    let tasks = words.next().unwrap_or_else(|| TASKS.to_owned());
    let maps = words.next().unwrap_or_else(|| MAPS.to_owned());
    let plain = CoCbs::PLAIN;
    let solvers = [
        ("plain", plain),
        ("PC", CoCbs { prioritise: true, ..plain }),
        ("PC+LE", CoCbs { prioritise: true, lazy: true, ..plain }),
        ("default", CoCbs::default()),
    ];
    println!(
        "{instances} instances each, at most {seconds} s for one; means over all instances (first set: of those solved)"
    );
    println!(
        "{:23} {:>5} {:8} {:>7} {:>10} {:>8} {:>8} {:>8} {:>8}",
        "map", "tasks", "co-cbs", "solved", "first set", "nodes", "sets", "planned", "seconds"
    );
    for name in maps.split(',') {
        let Some(grid) = map(name) else {
            println!("{name}: this needs JOSTLE_MAPS, a folder with mapf/{name}.map");
            continue;
        };
        for tasks in tasks.split(',').filter_map(|word| word.parse().ok()) {
            for (setting, solver) in solvers {
                let mut score = Score::default();
                for seed in 1..=instances {
                    match MeetingInstance::draw(grid.clone(), tasks, u64::from(seed)) {
                        Ok(instance) => run(solver, &instance, seconds, &mut score),
                        Err(error) => println!("{name}: {error}"),
                    }
                }
                let Score { solved, with_first, nodes, sets, planned, seconds } = score;
                let mean = |sum: u64| sum / u64::from(instances);
                let share = |count: u32, of: u32| match of {
                    0 => "-".to_owned(),
                    of => format!("{:.0} %", 100.0 * f64::from(count) / f64::from(of)),
                };
                println!(
                    "{name:23} {tasks:5} {setting:8} {:>7} {:>10} {:8} {:8} {:8} {:8.3}",
                    share(solved, instances),
                    share(with_first, solved),
                    mean(nodes),
                    mean(sets),
                    mean(planned),
                    seconds / f64::from(instances),
                );
            }
        }
    }
}
