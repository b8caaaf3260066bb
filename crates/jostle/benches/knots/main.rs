//! How push and rotate and the default planner cope with floors on which agents can hardly pass each other.
//!
//! `JOSTLE_MAPS=... cargo bench -p jostle --bench knots [-- SIDE] [PERCENT] [SPEC]`: mazes with corridors one cell wide, combs and rooms in a
//! square of SIDE cells (default: 32), with starts and goals on random cells, and small game maps, with goals that are packed around one cell. PERCENT
//! of the cells are taken (default: 5, 20, 30, 50 and 70, and 50 on game maps). Prints, for push and rotate, the seconds until it is
//! known that there is a plan and until there is one, the moves before and after needless ones were left out, and the ticks of
//! the plan. For the default planner, or the one that SPEC describes (as `jostle:rehearse=0`), it prints how many agents arrive within four times as many ticks and 1,000 more, in which tick the last one does, and
//! the mean and the slowest tick, in time of the processor; and in which tick all have arrived, or how many have in 4,096 ticks, if it does not look for
//! knots, and with PIBT.

#[path = "../common/mod.rs"]
mod common;
mod floors;

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use common::{home, mapf_map};
use cpu_time::ProcessTime;
use jostle::instance::Reach;
use jostle::metrics::Metrics;
use jostle::planners::planner;
use jostle::simulate::tick;
use jostle::solvers::push_rotate::is_solvable;
use jostle::solvers::{Attempt, PushAndRotate};
use jostle::{
    Agent, Budget, Cell, Grid, Instance, Limits, Moves, Neighbours, Rules, Simulation, World,
};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use floors::Floor;

const GAME_MAPS: [&str; 4] = ["den312d", "lak303d", "room-32-32-4", "random-32-32-20"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let numbers: Vec<usize> = std::env::args().filter_map(|word| word.parse().ok()).collect();
    let side = numbers.first().map_or(32, |&side| side as u32);
    let spec = std::env::args().find(|word| word.starts_with("jostle:"));
    let spec = spec.as_deref().unwrap_or("jostle");
    let percents = numbers.get(1).map_or(vec![5, 20, 30, 50, 70], |&percent| vec![percent]);
    println!(
        "{:18} {:>6} {:>6} | {:>7} {:>7} {:>9} {:>9} {:>7} {:>6} | {:>6} {:>7} {:>7} {:>8} | {:>9} {:>6}",
        "",
        "",
        "",
        "decided",
        "seconds",
        "raw moves",
        "moves",
        "ticks",
        "MB",
        "jostle",
        "ticks",
        "mean us",
        "max ms",
        "knots=off",
        "pibt"
    );
    for floor in Floor::ALL {
        for &percent in &percents {
            let mut dice = ChaCha8Rng::seed_from_u64(1);
            let grid = floor.draw(side, &mut dice)?;
            let goals = shuffled(&grid, &mut dice);
            row(floor.name(), &crowded(grid, goals, percent, &mut dice)?, percent, spec)?;
        }
    }
    for map in GAME_MAPS {
        let Some(grid) = mapf_map(map) else {
            println!("{map}: map missing (JOSTLE_MAPS names a folder with mapf/{map}.map)");
            continue;
        };
        let rules = Rules { neighbours: Neighbours::Four, ..Rules::default() };
        let grid = grid.with_rules(rules);
        let mut dice = ChaCha8Rng::seed_from_u64(1);
        let goals = packed(&grid, &mut dice);
        row(map, &crowded(grid, goals, 50, &mut dice)?, 50, spec)?;
    }
    Ok(())
}

fn row(
    name: &str,
    instance: &Instance,
    percent: usize,
    spec: &str,
) -> Result<(), Box<dyn std::error::Error>> {
    let begin = Instant::now();
    let answer = is_solvable(instance);
    let decided = begin.elapsed();
    let begin = Instant::now();
    let mut search = PushAndRotate.search(instance);
    let best = search.go_on(&mut Budget::unlimited(), &mut |_| ()).best;
    let seconds = begin.elapsed().as_secs_f64();
    assert_eq!(answer, Some(best.is_some()), "both say whether there is a plan");
    print!("{name:18} {:6} {percent:5}% | {:7.4} ", instance.tasks().len(), decided.as_secs_f64());
    let Some(best) = best else {
        println!("there is no plan");
        return Ok(());
    };
    let ticks = best.plan.makespan();
    print!(
        "{seconds:7.2} {:9} {:9} {ticks:7} {:6.1} | ",
        search.recorded_moves(),
        search.moves(),
        search.memory() as f64 / 1e6,
    );
    drop((search, best));
    let (arrived, last, mean, max) = timed(instance, spec, 4 * ticks + 1000)?;
    let share = 100.0 * arrived as f64 / instance.tasks().len() as f64;
    print!("{share:5.1}% {last:7} {mean:7.1} {:8.2} | ", max.as_secs_f64() * 1e3);
    let without = run("jostle:knots=off", instance)?;
    let pibt = run("pibt", instance)?;
    println!("{:>9} {:>6}", home(&without), home(&pibt));
    Ok(())
}

/// Lets a planner move everybody: how many have arrived, in which tick that is over, and how many microseconds a tick takes in the mean and
/// how long at most.
fn timed(
    instance: &Instance,
    spec: &str,
    most: u64,
) -> Result<(usize, u64, f64, Duration), Box<dyn std::error::Error>> {
    let mut planner = planner(spec)?;
    let mut world = instance.world();
    let mut moves = Moves::default();
    let (begin, mut slowest) = (ProcessTime::now(), Duration::ZERO);
    let arrived = |world: &World| world.ours().filter(Agent::has_arrived).count();
    while world.tick() < most && arrived(&world) < instance.tasks().len() {
        let begin = ProcessTime::now();
        tick(&mut world, planner.as_mut(), &mut moves)?;
        slowest = slowest.max(begin.elapsed());
    }
    let mean = begin.elapsed().as_secs_f64() * 1e6 / world.tick().max(1) as f64;
    Ok((arrived(&world), world.tick(), mean, slowest))
}

/// Lets a planner move everybody until all have arrived, for at most 4,096 ticks.
fn run(spec: &str, instance: &Instance) -> Result<Metrics, Box<dyn std::error::Error>> {
    let mut planner = planner(spec)?;
    let mut world = instance.world();
    let limits = Limits::ticks(4096);
    Ok(Simulation::new(&mut world, planner.as_mut()).limits(limits).run()?.metrics)
}

/// An instance with so many percent of the floor taken.
fn crowded(
    grid: Grid,
    goals: Vec<Cell>,
    percent: usize,
    dice: &mut ChaCha8Rng,
) -> Result<Instance, jostle::instance::InstanceError> {
    let mut starts = goals.clone();
    starts.shuffle(dice);
    let agents = starts.len() * percent / 100;
    let mut goals = goals;
    goals.truncate(agents);
    goals.shuffle(dice);
    Instance::new(grid, starts.into_iter().zip(goals).collect(), Reach::Required)
}

fn shuffled(grid: &Grid, dice: &mut ChaCha8Rng) -> Vec<Cell> {
    let mut cells: Vec<Cell> = grid.floor_cells().collect();
    cells.shuffle(dice);
    cells
}

/// The cells of the largest connected part, the nearest to one of them first.
fn packed(grid: &Grid, dice: &mut ChaCha8Rng) -> Vec<Cell> {
    let around = |from: Cell| {
        let mut is_seen = vec![false; grid.cells().len()];
        is_seen[from.index()] = true;
        let (mut cells, mut queue) = (Vec::new(), VecDeque::from([from]));
        while let Some(cell) = queue.pop_front() {
            cells.push(cell);
            for near in grid.neighbours(cell) {
                if !std::mem::replace(&mut is_seen[near.index()], true) {
                    queue.push_back(near);
                }
            }
        }
        cells
    };
    let parts = shuffled(grid, dice).into_iter().take(20).map(around);
    parts.max_by_key(Vec::len).unwrap_or_default()
}
