//! How fast LaCAM finds a first plan for a crowd, and how good LaCAM\*'s plan is after a while: on the benchmark's first random
//! scenarios with four neighbours.
//!
//! `JOSTLE_MAPS=... cargo bench -p jostle --bench lacam -- [SECONDS] [MAP] [OPTIONS] [WORDS]`: so many seconds for each instance (default: 10);
//! only one map; options of `lacam-star`, as in `:generators=4`. The words:
//!
//! | word | |
//! | --- | --- |
//! | `expansions=N` | so many expansions instead of seconds: the plan is always the same, only the time differs |
//! | `wall` | measure the time that passes, not that of the processor: for `:batch=4:threads=2`, with the feature `threads` |
//! | `first` | only first plans: means over the seeds 0 to 9 |
//!
//! Times include the tables of distances. "public" is the best public C++ solver on a similar machine, as far as it is known: seconds
//! until its first plan, that plan's cost over the bound, and the cost over the bound after 10 s on two cores.

mod common;

use common::{Processor, mapf_instance};
use jostle::check::check_trace;
use jostle::simulate::{Clock, WallClock};
use jostle::solvers::{Answer, Progress, Registry};
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

/// What is asked for.
struct Request {
    seconds: f64,
    expansions: Option<u64>,
    is_wall: bool,
    /// Options of `lacam-star`.
    options: String,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let has = |word: &str| words.iter().any(|given| given == word);
    let only = words.iter().find(|word| ROWS.iter().any(|(map, ..)| map == word));
    let expansions = words.iter().find_map(|word| word.strip_prefix("expansions=")?.parse().ok());
    let request = Request {
        seconds: words.iter().find_map(|word| word.parse().ok()).unwrap_or(10.0),
        expansions: expansions.map(|expansions: f64| expansions as u64),
        is_wall: has("wall"),
        options: words.iter().find(|word| word.starts_with(':')).cloned().unwrap_or_default(),
    };
    print!("{:22} {:>6} {:>8} {:>7} {:>7} ", "map", "agents", "bound", "seconds", "first");
    if !has("first") {
        print!("{:>7} {:>7} {:>8} {:>9} {:>7}", "last", "end", "nodes", "expansions", "MB");
    }
    println!("   public: seconds, first, after 10 s");
    for (map, agents, public) in ROWS {
        if only.is_some_and(|only| only != map) {
            continue;
        }
        match mapf_instance(map, agents) {
            Some(instance) if has("first") => first_plans((map, &instance), public, &request),
            Some(instance) => row((map, &instance), public, &request),
            None => println!("{map}: map missing (JOSTLE_MAPS names a folder with mapf/{map}.map)"),
        }
    }
}

/// Seconds, and what a plan costs; none if there is no plan.
type Found = Option<(f64, u64)>;

/// What a run has come to.
struct Run {
    answer: Answer,
    /// The first plan, and when it was found.
    first: Found,
    seconds: f64,
    expansions: u64,
    memory: usize,
}

fn run(solver: &str, instance: &Instance, request: &Request) -> Run {
    let solver = Registry::builtin().parse(solver).expect("options of the solver").build();
    let wall = WallClock::start();
    let clock: &(dyn Clock + Sync) = if request.is_wall { &wall } else { &Processor };
    let begin = clock.now().as_secs_f64();
    let elapsed = || clock.now().as_secs_f64() - begin;
    let is_late = || elapsed() > request.seconds;
    let mut budget = match request.expansions {
        Some(expansions) => Budget::expansions(expansions),
        None => Budget::unlimited().with_deadline(&is_late),
    };
    let mut first = None;
    let mut attempt = solver.begin(instance);
    let answer = attempt.go_on(&mut budget, &mut |progress: Progress<'_>| {
        if let (None, Some(best)) = (first, progress.best) {
            first = Some((elapsed(), best.cost));
        }
    });
    let (seconds, memory) = (elapsed(), attempt.memory());
    if let Some(best) = &answer.best {
        check_trace(&best.plan.to_trace().expect("a legal run")).expect("a legal plan");
    }
    Run { answer, first, seconds, expansions: budget.work().expansions, memory }
}

fn row((map, instance): (&str, &Instance), public: [&str; 3], request: &Request) {
    let Run { answer, first, seconds, expansions, memory } =
        run(&format!("lacam-star{}", request.options), instance, request);
    let last = answer.best.as_ref().map(|best| (seconds, best.cost));
    println!(
        "{}{} {:8} {:9.1e} {:7.0}{}",
        begin_row((map, instance), answer.bound, first),
        columns(last, answer.bound, true),
        answer.nodes,
        expansions as f64,
        memory as f64 / 1e6,
        end_row(public),
    );
}

/// The mean of first plans with several seeds.
fn first_plans((map, instance): (&str, &Instance), public: [&str; 3], request: &Request) {
    const SEEDS: u32 = 10;
    let mut sum = Some((0.0, 0));
    let mut bound = 0;
    for seed in 0..SEEDS {
        let run = run(&format!("lacam:seed={seed}{}", request.options), instance, request);
        bound = run.answer.bound;
        sum = sum.zip(run.first).map(|(sum, first)| (sum.0 + first.0, sum.1 + first.1));
    }
    let mean = sum.map(|(seconds, cost)| (seconds / f64::from(SEEDS), cost / u64::from(SEEDS)));
    println!("{}{}", begin_row((map, instance), bound, mean), end_row(public));
}

fn begin_row((map, instance): (&str, &Instance), bound: u64, first: Found) -> String {
    format!("{map:22} {:6} {bound:8}{}", instance.tasks().len(), columns(first, bound, false))
}

/// The cost of a plan over the bound and the seconds that it took, in this order or the other way round.
fn columns(found: Found, bound: u64, is_cost_first: bool) -> String {
    let Some((seconds, cost)) = found else { return format!(" {:>7} {:>7}", "-", "-") };
    let over = cost as f64 / bound.max(1) as f64;
    let [a, b] = if is_cost_first { [over, seconds] } else { [seconds, over] };
    format!(" {a:7.3} {b:7.3}")
}

fn end_row([seconds, first, last]: [&str; 3]) -> String {
    format!("   {seconds:>6} {first:>6} {last:>6}")
}
