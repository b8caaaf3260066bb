use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::grid::Neighbours;
use crate::instance::Instance;
use crate::planners::jostle::{Jostle, JostlePlanner};
use crate::planners::testing;
use crate::solvers::Objective;
use crate::solvers::testing::{joint_optimum, small, tiny};

/// In how many ticks everybody arrives.
fn ticks(world: &mut World, most: u64) -> Option<u64> {
    let outcome = testing::run(world, &mut JostlePlanner::new(Jostle::default()), most);
    (outcome.metrics.completion_rate() > 0.999).then_some(outcome.metrics.ticks)
}

#[test]
fn an_agent_goes_round_a_ring_instead_of_pushing_another_off_its_goal() {
    for neighbours in [Neighbours::Four, Neighbours::Eight] {
        let mut world = testing::drawn("#####\n#...#\n#a#.#\n#BA.#\n#####", "A", neighbours);
        let guard = world.grid().at(1, 3).unwrap();
        world.add(guard, guard).unwrap();
        let ticks = ticks(&mut world, 200);
        assert!(ticks.is_some_and(|ticks| ticks <= 60), "{neighbours:?}: {ticks:?}");
    }
}

#[test]
fn an_agent_lets_another_one_pass_at_a_lay_by_far_behind_it() {
    for columns in [34, 38, 60, 120] {
        let mut rows = vec!["#".repeat(columns); 4];
        rows[1].replace_range(2..3, ".");
        rows[2].replace_range(1..columns - 1, &".".repeat(columns - 2));
        let grid = Grid::from_ascii(&rows.join("\n")).unwrap();
        let mut world = World::new(grid);
        let last = columns as u32 - 2;
        for (start, goal) in [(4, last - 1), (3, last)] {
            let at = |x| world.grid().at(x, 2).unwrap();
            let (start, goal) = (at(start), at(goal));
            world.add(start, goal).unwrap();
        }
        let ticks = ticks(&mut world, 4096);
        let most = 4 * columns as u64 + 20;
        assert!(ticks.is_some_and(|ticks| ticks <= most), "{columns} columns: {ticks:?}");
    }
}

/// Runs random instances. Where there is a plan, everybody must arrive within four times the best makespan and 20 ticks.
fn run_all(count: usize, draw: fn(&mut ChaCha8Rng) -> Option<Instance>) {
    let mut dice = ChaCha8Rng::seed_from_u64(1);
    let mut solvable = 0;
    for number in 0..count {
        let Some(instance) = draw(&mut dice) else { continue };
        let best = joint_optimum(&instance, Objective::Makespan);
        let most = best.map_or(200, |best| 4 * best + 20);
        let ticks = ticks(&mut instance.world(), most);
        assert_eq!(ticks.is_some(), best.is_some(), "number {number}, best {best:?}: {instance:?}");
        solvable += usize::from(best.is_some());
    }
    assert!(solvable > count / 4, "{solvable} of {count} can be solved");
}

#[test]
fn everybody_arrives_in_every_tiny_instance_that_can_be_solved() {
    run_all(10000, tiny);
}

#[test]
fn everybody_arrives_in_every_small_instance_that_can_be_solved() {
    run_all(2000, small);
}
