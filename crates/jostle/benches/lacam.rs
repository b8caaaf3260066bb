//! How fast LaCAM finds a first plan for a crowd, and how good LaCAM\*'s plan is after a while: on the benchmark's first random
//! scenarios with four neighbours.
//!
//! `JOSTLE_MAPS=... cargo bench -p jostle --bench lacam [-- SECONDS] [MAP] [OPTIONS]`: so many seconds for each instance (default: 10);
//! only one map; options of `lacam-star`, as in `:generators=4`. Times are those of the processor, which a single thread
//! uses, and include the tables of distances. "public" is the best public C++
//! solver on a similar machine, as far as it is known: seconds until its first plan, that plan's cost over the bound, and the cost
//! over the bound after 10 s on two cores.

mod common;

use std::time::Duration;

use common::mapf_instance;
use cpu_time::ProcessTime;
use jostle::check::check_trace;
use jostle::solvers::{Progress, Registry};
use jostle::{Budget, Instance};

/// A map, a number of agents, and what the public solver does.
type Row = (&'static str, usize, [&'static str; 3]);

const ROWS: [Row; 10] = [
    ("random-32-32-20", 100, ["0.012", "1.44", "1.12"]),
    ("random-32-32-20", 200, ["0.026", "1.90", "1.30"]),
    ("random-32-32-20", 400, ["0.054", "3.18", "2.36"]),
    ("den520d", 100, ["0.08", "1.02", "-"]),
    ("den520d", 500, ["0.39", "1.22", "1.008"]),
    ("den520d", 1000, ["0.79", "1.36", "1.047"]),
    ("ost003d", 1000, ["0.69", "1.78", "1.36"]),
    ("brc202d", 1000, ["2.5", "1.33", "none"]),
    ("warehouse-10-20-10-2-1", 1000, ["0.38", "3.06", "-"]),
    ("warehouse-20-40-10-2-2", 1000, ["0.85", "1.38", "-"]),
];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let seconds = words.iter().find_map(|word| word.parse().ok()).unwrap_or(10.0);
    let only = words.iter().find(|word| ROWS.iter().any(|(map, ..)| map == word));
    let options = words.iter().find(|word| word.starts_with(':')).map_or("", String::as_str);
    println!(
        "{:22} {:>6} {:>8} {:>7} {:>7} {:>7} {:>8} {:>9} {:>7}   public: seconds, first, after 10 s",
        "map", "agents", "bound", "seconds", "first", "last", "nodes", "expansions", "MB"
    );
    for (map, agents, public) in ROWS {
        if only.is_some_and(|only| only != map) {
            continue;
        }
        match mapf_instance(map, agents) {
            Some(instance) => row(options, (map, &instance), public, seconds),
            None => println!("{map}: map missing (JOSTLE_MAPS names a folder with mapf/{map}.map)"),
        }
    }
}

fn row(options: &str, (map, instance): (&str, &Instance), public: [&str; 3], seconds: f64) {
    let solver = Registry::builtin().parse(&format!("lacam-star{options}"));
    let solver = solver.expect("options of lacam-star").build();
    let begin = ProcessTime::now();
    let is_late = || begin.elapsed() > Duration::from_secs_f64(seconds);
    let mut budget = Budget::unlimited().with_deadline(&is_late);
    let mut first = None;
    let mut attempt = solver.begin(instance);
    let answer = attempt.go_on(&mut budget, &mut |progress: Progress<'_>| {
        if let (None, Some(best)) = (first, progress.best) {
            first = Some((begin.elapsed().as_secs_f64(), best.cost));
        }
    });
    let over = |cost: u64| format!("{:.3}", cost as f64 / answer.bound.max(1) as f64);
    let (took, first) = first.map_or(("-".to_owned(), "-".to_owned()), |(took, cost)| {
        (format!("{took:.3}"), over(cost))
    });
    let last = answer.best.as_ref().map_or("-".to_owned(), |best| over(best.cost));
    if let Some(best) = &answer.best {
        check_trace(&best.plan.to_trace().expect("a legal run")).expect("a legal plan");
    }
    println!(
        "{map:22} {:6} {:8} {took:>7} {first:>7} {last:>7} {:8} {:9.1e} {:7.0}   {:>6} {:>6} {:>6}",
        instance.tasks().len(),
        answer.bound,
        answer.nodes,
        budget.work().expansions as f64,
        attempt.memory() as f64 / 1e6,
        public[0],
        public[1],
        public[2],
    );
}
