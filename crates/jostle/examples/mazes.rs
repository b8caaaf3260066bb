//! How push and rotate and the default planner cope with mazes whose corridors are one cell wide.
//!
//! `cargo run --release -p jostle --example mazes [SIDE]`: mazes that are trees and mazes with some loops, with 5, 20 and 50% of
//! the cells taken. Prints, for push and rotate, the seconds until it is known that there is a plan and until there is one, the moves
//! before and after needless ones were left out, and the ticks of the plan. For the default planner it prints how many agents arrive
//! within four times as many ticks and 1,000 more, and in which tick the last one does; and how many arrive in 4,096 ticks if it does not look
//! for knots.

use std::time::Instant;

use jostle::instance::Reach;
use jostle::metrics::Metrics;
use jostle::planners::planner;
use jostle::solvers::push_rotate::is_solvable;
use jostle::solvers::{Attempt, PushAndRotate};
use jostle::{Budget, Cell, Grid, Instance, Limits, Neighbours, Rules, Simulation};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let side = std::env::args().nth(1).map_or(Ok(64), |side| side.parse())?;
    println!(
        "{:>6} {:>7} {:>6} {:>8} {:>8} {:>10} {:>9} {:>9} {:>7} {:>8} {:>7} {:>10}",
        "loops",
        "agents",
        "taken",
        "decided",
        "seconds",
        "raw moves",
        "moves",
        "ticks",
        "MB",
        "jostle",
        "ticks",
        "knots=off"
    );
    for loops in [0, side / 2] {
        for percent in [5, 20, 50] {
            let mut dice = ChaCha8Rng::seed_from_u64(1);
            let instance = crowded(maze(side, loops, &mut dice)?, percent, &mut dice)?;
            let begin = Instant::now();
            let answer = is_solvable(&instance);
            let decided = begin.elapsed();
            let begin = Instant::now();
            let mut search = PushAndRotate.search(&instance);
            let best = search.go_on(&mut Budget::unlimited(), &mut |_| ()).best;
            let seconds = begin.elapsed().as_secs_f64();
            assert_eq!(answer, Some(best.is_some()), "both say whether there is a plan");
            let ticks = best.map_or(0, |best| best.plan.makespan());
            let home = run("jostle", &instance, 4 * ticks + 1000)?;
            let without = run("jostle:knots=off", &instance, 4096)?;
            println!(
                "{loops:>6} {:>7} {percent:>5}% {:>8.4} {seconds:>8.2} {:>10} {:>9} {ticks:>9} {:>7.1} {:>7.1}% {:>7} {:>9.1}%",
                instance.tasks().len(),
                decided.as_secs_f64(),
                search.recorded_moves(),
                search.moves(),
                search.memory() as f64 / 1e6,
                100.0 * home.completion_rate(),
                home.ticks,
                100.0 * without.completion_rate(),
            );
        }
    }
    Ok(())
}

/// Lets a planner move everybody until all have arrived, for at most so many ticks.
fn run(spec: &str, instance: &Instance, ticks: u64) -> Result<Metrics, Box<dyn std::error::Error>> {
    let mut planner = planner(spec)?;
    let mut world = instance.world();
    let limits = Limits::ticks(ticks);
    Ok(Simulation::new(&mut world, planner.as_mut()).limits(limits).run()?.metrics)
}

/// A maze with corridors one cell wide that is a tree, and some walls opened after that.
fn maze(side: u32, loops: u32, dice: &mut ChaCha8Rng) -> Result<Grid, jostle::grid::SizeError> {
    let index = |x: u32, y: u32| (y * side + x) as usize;
    let mut is_floor = vec![false; (side * side) as usize];
    is_floor[0] = true;
    let mut ends = vec![(0_u32, 0_u32)];
    while let Some(&(x, y)) = ends.last() {
        let mut nexts = vec![(x + 2, y), (x, y + 2)];
        nexts.extend(x.checked_sub(2).map(|x| (x, y)));
        nexts.extend(y.checked_sub(2).map(|y| (x, y)));
        nexts.retain(|&(x, y)| x < side && y < side && !is_floor[index(x, y)]);
        nexts.shuffle(dice);
        let Some(&next) = nexts.first() else {
            ends.pop();
            continue;
        };
        is_floor[index(next.0, next.1)] = true;
        is_floor[index(u32::midpoint(x, next.0), u32::midpoint(y, next.1))] = true;
        // Now and then it goes on from an older end, so that corridors do not become too long.
        let at =
            if dice.random_ratio(4, 5) { ends.len() } else { dice.random_range(0..ends.len()) };
        ends.insert(at, next);
    }
    for _ in 0..loops {
        let (x, y) = (dice.random_range(0..side - 1), dice.random_range(0..side - 1));
        // Between two cells of the maze that are opposite each other.
        if (x + y) % 2 == 1 {
            is_floor[index(x, y)] = true;
        }
    }
    let rules = Rules { neighbours: Neighbours::Four, ..Rules::default() };
    Grid::new(side, side, rules, |x, y| is_floor[index(x, y)])
}

/// An instance with so many percent of the floor taken.
fn crowded(
    grid: Grid,
    percent: usize,
    dice: &mut ChaCha8Rng,
) -> Result<Instance, jostle::instance::InstanceError> {
    let mut starts: Vec<Cell> = grid.floor_cells().collect();
    let mut goals = starts.clone();
    starts.shuffle(dice);
    goals.shuffle(dice);
    let agents = starts.len() * percent / 100;
    Instance::new(grid, starts.into_iter().zip(goals).take(agents).collect(), Reach::Required)
}
