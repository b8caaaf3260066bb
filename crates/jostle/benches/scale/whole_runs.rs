//! Runs until all agents have arrived: how many do, in how many ticks, and how far they walk.

use std::time::Duration;

use jostle::instance::Kind;
use jostle::planners::planner;
use jostle::search::shortest_path;
use jostle::{Instance, Level, Limits, Simulation};

use crate::common::{PAPER_MAPS, crowd, paper_map};
use crate::lifelong::{clock, draw, grouped, megabytes, shown};
use crate::options::Options;
use crate::side_for;

const MOST_TICKS: u64 = 8_192;
/// Crowds that run to completion in minutes.
const SIZES: [usize; 3] = [1_000, 10_000, 100_000];
/// Without completing, BMAA\* takes all ticks: larger crowds of it would take an hour.
const LARGEST_OF_BMAA: usize = 10_000;
/// The shortest paths of more agents take longer than the run.
const LARGEST_COMPARED: usize = 400;

/// Crowds on 7% of the floor.
pub fn completion(options: &Options) {
    println!("\nWhole runs on 7% of the floor, {MOST_TICKS} ticks at most\n");
    print_heading();
    for &level in &options.levels {
        for agents in options.sizes(&SIZES) {
            let side = side_for(level, agents);
            let instance = draw(level, side, agents, 1);
            for name in options.planners_for(agents) {
                if agents <= LARGEST_OF_BMAA || !name.starts_with("bmaa") {
                    print(&format!("{level} {side}x{side}"), &instance, name, options);
                }
            }
        }
    }
}

/// The maps of the BMAA\* paper.
pub fn paper(options: &Options) {
    if paper_map(PAPER_MAPS[0]).is_none() {
        println!("skipped: set JOSTLE_MAPS to a folder with the paper's maps");
        return;
    }
    println!("\nWhole runs on the maps of the paper\n");
    print_heading();
    for map in PAPER_MAPS {
        for agents in options.sizes(&[400, 2_000]) {
            let instance = crowd(map, agents);
            for name in options.planners_for(agents) {
                print(map, &instance, name, options);
            }
        }
    }
}

/// Every kind of level, small and crowded.
pub fn levels(options: &Options) {
    println!("\nWhole runs on every kind of level\n");
    print_heading();
    for level in Level::ALL {
        for (side, agents) in [(64, 200), (128, 1_000), (256, 2_000)] {
            let grid = level.generate(side, side, 1).expect("a level");
            let Ok(instance) = Instance::draw(grid, Kind::Random, agents, 1) else { continue };
            for name in options.planners_for(agents) {
                print(&format!("{level} {side}x{side}"), &instance, name, options);
            }
        }
    }
}

fn print_heading() {
    println!(
        "| map | agents | planner | arrived | ticks | ns an agent-tick | first tick ms | slowest later | planner MB | distance over the shortest |"
    );
    println!("|---|--:|---|--:|--:|--:|--:|--:|--:|--:|");
}

fn print(map: &str, instance: &Instance, name: &str, options: &Options) {
    let mut planner = planner(name).unwrap_or_else(|why| panic!("{name}: {why}"));
    let (mut world, clock) = (instance.world(), clock(options));
    let outcome = Simulation::new(&mut world, planner.as_mut())
        .limits(Limits::ticks(MOST_TICKS))
        .clock(clock.as_ref())
        .run()
        .expect("planners propose legal moves");
    let metrics = outcome.metrics;
    let (agents, times) = (instance.tasks().len(), metrics.tick_times.listed());
    let agent_ticks = (times.len() * agents).max(1) as f64;
    let nanoseconds = times.iter().sum::<Duration>().as_secs_f64() * 1e9 / agent_ticks;
    let over_shortest = (agents <= LARGEST_COMPARED).then(|| {
        let walked: f64 = metrics.journeys.iter().map(|journey| journey.distance.length()).sum();
        walked / shortest(instance)
    });
    println!(
        "| {map} | {} | {name} | {:.2}% | {} | {nanoseconds:.0} | {} | {} | {} | {} |",
        grouped(agents),
        metrics.completion_rate() * 100.0,
        grouped(metrics.ticks as usize),
        shown(times.first().copied()),
        shown(Some(metrics.tick_times.slowest_after(1))),
        megabytes(planner.memory()),
        over_shortest.map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.4}")),
    );
}

/// The length of the shortest paths of all agents.
fn shortest(instance: &Instance) -> f64 {
    let paths = instance.tasks().iter();
    let paths = paths.filter_map(|&(start, goal)| shortest_path(instance.grid(), start, goal));
    paths.map(|(cost, _)| cost.as_f64()).sum()
}
