//! BMAA\* on the ten maps of the paper: how much faster it is than two versions in the test tree, one with flat arrays
//! and a binary heap and one that transcribes the paper line by line with hash maps; how long ticks take at most, how
//! much memory an agent needs, and how many instructions a tick costs.
//!
//! `JOSTLE_MAPS=... cargo bench -p jostle --bench paper_maps`
//!
//! Times are minima over rounds in which the versions take turns. Instructions are counted by
//! callgrind, if valgrind is installed: they do not depend on what else the machine is doing.

mod common;
#[path = "../tests/plain/mod.rs"]
mod plain;

use std::time::{Duration, Instant};

use common::{PAPER_MAPS, crowd, paper_map, variants};
use jostle::planners::bmaa::BmaaPlanner;
use jostle::planners::{Bmaa, Planner};
use jostle::simulate::tick;
use jostle::{Instance, Moves};
use plain::PlainBmaa;
use plain::flat::FlatBmaa;

/// Ticks of a timed run: long enough for agents to learn, short enough for the plain version.
const TICKS: u32 = 512;

fn main() {
    let words: Vec<String> = std::env::args().collect();
    if let Some(at) = words.iter().position(|word| word == "--count") {
        let agents = words[at + 2].parse().expect("a number of agents");
        return run_once(&words[at + 1], agents, words.get(at + 3).map_or("bmaa", String::as_str));
    }
    if paper_map(PAPER_MAPS[0]).is_none() {
        println!("skipped: set JOSTLE_MAPS to a folder with the paper's maps");
        return;
    }
    compare_with_flat();
    compare_with_transcription();
    show_bounds();
    show_memory();
    count_instructions();
}

/// The time of each tick.
#[inline(never)]
fn timed_ticks(instance: &Instance, planner: &mut dyn Planner, ticks: u32) -> Vec<Duration> {
    let mut world = instance.world();
    let mut moves = Moves::default();
    let one_tick = |_| {
        let begin = Instant::now();
        tick(&mut world, planner, &mut moves).expect("a planner proposes legal moves");
        begin.elapsed()
    };
    (0..ticks).map(one_tick).collect()
}

fn microseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// The least time of a run of each planner, over two rounds in which they take turns, as a mean tick in microseconds.
fn mean_ticks<const N: usize>(
    instance: &Instance,
    build: impl Fn() -> [Box<dyn Planner>; N],
) -> [f64; N] {
    let mut best = [Duration::MAX; N];
    for _ in 0..2 {
        for (best, planner) in best.iter_mut().zip(&mut build()) {
            let ticks = timed_ticks(instance, planner.as_mut(), TICKS);
            *best = ticks.iter().sum::<Duration>().min(*best);
        }
    }
    best.map(|time| microseconds(time) / f64::from(TICKS))
}

fn compare_with_flat() {
    println!(
        "\nMean tick over {TICKS} ticks, against the version with flat arrays and a binary heap"
    );
    println!("{:18} {:>6} {:>11} {:>11} {:>13}", "map", "agents", "bmaa", "flat", "times faster");
    for name in PAPER_MAPS {
        for agents in [400, 2000] {
            let [ours, flat] = mean_ticks(&crowd(name, agents), || {
                [Box::new(BmaaPlanner::new(Bmaa::default())), Box::new(FlatBmaa::new(false))]
            });
            println!("{name:18} {agents:6} {ours:8.1} µs {flat:8.1} µs {:13.1}", flat / ours);
        }
    }
}

fn compare_with_transcription() {
    println!("\nMean tick over {TICKS} ticks, against the transcription with hash maps");
    let names = variants().map(|(name, _)| format!("{name:>9}")).join(" ");
    println!("{:18} {:>6} {:>11} {:>11}   times faster: {names}", "map", "agents", "bmaa", "plain");
    let mut least = f64::MAX;
    for name in PAPER_MAPS {
        for agents in [400, 2000] {
            let instance = crowd(name, agents);
            let times = variants().map(|(_, options)| {
                mean_ticks(&instance, || {
                    [Box::new(BmaaPlanner::new(options)), Box::new(PlainBmaa::new(options))]
                })
            });
            let ratios = times.map(|[ours, plain]| plain / ours);
            least = ratios.into_iter().fold(least, f64::min);
            let [ours, plain] = times[0];
            let ratios = ratios.map(|ratio| format!("{ratio:9.1}")).join(" ");
            println!("{name:18} {agents:6} {ours:8.1} µs {plain:8.1} µs                 {ratios}");
        }
    }
    println!("The least is {least:.1} times.");
}

fn show_bounds() {
    println!("\nA tick is bounded by agents and expansions, not by the map (bmaa, {TICKS} ticks)");
    println!("{:18} {:>9} {:>6} {:>11} {:>11}", "map", "size", "agents", "p99", "worst");
    for name in ["lak307d", "lgt300d"] {
        for agents in [400, 2000] {
            let instance = crowd(name, agents);
            let mut ticks = timed_ticks(&instance, &mut BmaaPlanner::new(Bmaa::default()), TICKS);
            ticks.sort_unstable();
            let p99 = microseconds(ticks[ticks.len() * 99 / 100]);
            let worst = microseconds(ticks[ticks.len() - 1]);
            let size = format!("{}x{}", instance.grid().width(), instance.grid().height());
            println!("{name:18} {size:>9} {agents:6} {p99:8.1} µs {worst:8.1} µs");
        }
    }
}

fn show_memory() {
    println!("\nMemory of bmaa after 4096 ticks with 2000 agents");
    println!(
        "{:18} {:>14} {:>17} {:>15} {:>11}",
        "map", "learned cells", "bytes for a cell", "bytes an agent", "all"
    );
    for name in PAPER_MAPS {
        let mut planner = BmaaPlanner::new(Bmaa::default());
        timed_ticks(&crowd(name, 2000), &mut planner, 4096);
        let (cells, bytes) = planner.learned();
        let per_cell = bytes as f64 / cells as f64;
        let (per_agent, all) = (planner.memory() / 2000, planner.memory() as f64 / 1e6);
        println!(
            "{name:18} {:14} {per_cell:17.1} {per_agent:15} {all:8.1} MB",
            format!("{} each", cells / 2000)
        );
    }
}

fn count_instructions() {
    println!("\nInstructions for an agent and tick under callgrind, {TICKS} ticks, 2000 agents");
    println!("{:18} {:>7} {:>7} {:>12}", "map", "bmaa", "flat", "times fewer");
    for name in PAPER_MAPS {
        let count = |planner| common::instructions(&["--count", name, "2000", planner]);
        let (Some(ours), Some(flat)) = (count("bmaa"), count("flat")) else {
            return println!("skipped: valgrind is not installed");
        };
        let each = |count: u64| count / (u64::from(TICKS) * 2000);
        let ratio = flat as f64 / ours as f64;
        println!("{name:18} {:7} {:7} {ratio:12.2}", each(ours), each(flat));
    }
}

fn run_once(map: &str, agents: usize, planner: &str) {
    let mut planner: Box<dyn Planner> = match planner {
        "flat" => Box::new(FlatBmaa::new(false)),
        spec => jostle::planners::planner(spec).expect("a planner"),
    };
    timed_ticks(&crowd(map, agents), planner.as_mut(), TICKS);
}
