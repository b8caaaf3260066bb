use std::cmp::Ordering;

use rand::SeedableRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::grid::Grid;
use crate::grid::{Neighbours, Rules};
use crate::instance::{Instance, Reach};
use crate::planners::jostle::{Jostle, JostlePlanner};
use crate::planners::testing;
use crate::simulate::tick;
use crate::solvers::Objective;
use crate::solvers::push_rotate;
use crate::solvers::testing::{joint_optimum, small, tiny};
use crate::world::Moves;

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
    run_all(2000, tiny);
}

#[test]
fn everybody_arrives_in_every_small_instance_that_can_be_solved() {
    run_all(500, small);
}

/// A maze of corridors one cell wide without loops, of this many cells by as many, or a tree of rooms of this size.
fn tree(side: usize, room: usize, dice: &mut ChaCha8Rng) -> Grid {
    let pitch = room + 1;
    let mut rows = vec![vec![b'#'; side * pitch + 1]; side * pitch + 1];
    let mut is_seen = vec![false; side * side];
    let mut stack = vec![(0, 0)];
    is_seen[0] = true;
    while let Some(&(x, y)) = stack.last() {
        for row in &mut rows[y * pitch + 1..][..room] {
            row[x * pitch + 1..][..room].fill(b'.');
        }
        let near = [(x + 1, y), (x, y + 1), (x.wrapping_sub(1), y), (x, y.wrapping_sub(1))];
        let mut open: Vec<_> = near.into_iter().filter(|&(x, y)| x < side && y < side).collect();
        open.retain(|&(x, y)| !is_seen[y * side + x]);
        let Some(&(to_x, to_y)) = open.choose(dice) else {
            stack.pop();
            continue;
        };
        let middle = |at: usize, to: usize| match at.cmp(&to) {
            Ordering::Equal => at * pitch + 1 + room / 2,
            _ => at.max(to) * pitch,
        };
        rows[middle(y, to_y)][middle(x, to_x)] = b'.';
        is_seen[to_y * side + to_x] = true;
        stack.push((to_x, to_y));
    }
    let rows: Vec<String> = rows.into_iter().map(|row| String::from_utf8(row).unwrap()).collect();
    Grid::from_ascii(&rows.join("\n")).unwrap()
}

/// Runs agents on random cells of a floor, of which they take a share, and checks that everybody arrives if there is a plan.
fn run_crowd(grid: &Grid, percent: usize, dice: &mut ChaCha8Rng, most: u64) {
    let mut cells: Vec<Cell> = grid.floor_cells().collect();
    let count = cells.len() * percent / 100;
    cells.shuffle(dice);
    let starts = cells.clone();
    cells.shuffle(dice);
    let tasks = starts.into_iter().zip(cells).take(count).collect();
    let instance = Instance::new(grid.clone(), tasks, Reach::Required).unwrap();
    let is_solvable = push_rotate::is_solvable(&instance).unwrap();
    let limit = if is_solvable { most } else { 500 };
    let outcome = ticks(&mut instance.world(), limit);
    assert_eq!(outcome.is_some(), is_solvable, "{percent}% of\n{}", grid.to_ascii());
}

#[test]
fn everybody_arrives_in_mazes_combs_and_rooms_that_form_a_tree() {
    let mut dice = ChaCha8Rng::seed_from_u64(1);
    for percent in [5, 20, 40] {
        run_crowd(&tree(8, 1, &mut dice), percent, &mut dice, 5000);
        run_crowd(&tree(12, 1, &mut dice), percent, &mut dice, 20_000);
    }
    for percent in [30, 50, 70] {
        run_crowd(&tree(3, 4, &mut dice), percent, &mut dice, 2000);
        let teeth = [".".repeat(20)].into_iter().chain((0..4).map(|_| ".#".repeat(10)));
        let comb = Grid::from_ascii(&teeth.collect::<Vec<_>>().join("\n")).unwrap();
        run_crowd(&comb, percent, &mut dice, 5000);
    }
}

#[test]
fn in_a_crowd_that_is_too_large_for_one_plan_a_region_is_planned() {
    // Two agents in a corridor have to go back to the room, far behind them, to change their order. In the room stand 600 others.
    let grid = Grid::new(180, 40, Rules::default(), |x, y| x < 40 || y == 20).unwrap();
    let mut dice = ChaCha8Rng::seed_from_u64(1);
    let mut room: Vec<Cell> =
        grid.floor_cells().filter(|&cell| grid.position(cell).0 < 39).collect();
    room.shuffle(&mut dice);
    let at = |x| grid.at(x, 20).unwrap();
    let mut arrived = Vec::new();
    for knots in [true, false] {
        let mut world = World::new(grid.clone());
        for (start, goal) in [(150, 178), (149, 179)] {
            world.add(at(start), at(goal)).unwrap();
        }
        for &cell in &room[..600] {
            world.add(cell, cell).unwrap();
        }
        let mut planner = JostlePlanner::new(Jostle { knots, ..Jostle::default() });
        let outcome = testing::run(&mut world, &mut planner, 1500);
        arrived.push(outcome.metrics.completion_rate() > 0.9999);
    }
    assert_eq!(arrived, [true, false]);
}

#[test]
fn a_knot_that_the_game_interferes_with_is_given_up_and_tried_again() {
    let mut dice = ChaCha8Rng::seed_from_u64(2);
    let grid = tree(8, 1, &mut dice);
    let cells: Vec<Cell> = grid.floor_cells().collect();
    let mut world = World::new(grid);
    for (&start, &goal) in cells.iter().step_by(6).zip(cells.iter().rev().step_by(6)) {
        world.add(start, goal).unwrap();
    }
    let foreign = cells.iter().copied().find(|&cell| !world.is_occupied(cell)).unwrap();
    let foreign = world.add_foreign(foreign).unwrap();
    let mut planner = JostlePlanner::new(Jostle::default());
    let mut moves = Moves::default();
    for tick in 0..1500_usize {
        let cell = cells[tick * 7 % cells.len()];
        match tick % 100 {
            40 => drop(world.place(foreign, cell)),
            60 => world.set_floor(cell, !world.grid().is_floor(cell)).unwrap(),
            80 => world.send(world.in_slot(tick % 10).unwrap().id, cell).unwrap(),
            _ => {}
        }
        crate::simulate::tick(&mut world, &mut planner, &mut moves).unwrap();
    }
    world.remove(foreign).unwrap();
    for &cell in &cells {
        world.set_floor(cell, true).unwrap();
    }
    for (slot, &goal) in cells.iter().rev().step_by(6).enumerate() {
        let agent = world.in_slot(slot).unwrap().id;
        world.send(agent, goal).unwrap();
    }
    let outcome = testing::run(&mut world, &mut planner, 20_000);
    assert!(outcome.metrics.completion_rate() > 0.999);
}

/// Before regions were closed, agents that walked into them stood in the way of nearly all plans in dense crowds.
#[test]
fn nobody_walks_into_a_region_where_a_plan_needs_the_cell() {
    let grid = Grid::new(49, 24, Rules::default(), |x, y| x != 24 || y == 12).unwrap();
    let mut dice = ChaCha8Rng::seed_from_u64(4);
    let mut cells: Vec<Cell> = grid.floor_cells().collect();
    cells.shuffle(&mut dice);
    let mut world = World::new(grid);
    for pair in cells[..1000].chunks_exact(2) {
        world.add(pair[0], pair[1]).unwrap();
    }
    let (mut planner, mut moves) = (JostlePlanner::new(Jostle::default()), Moves::default());
    let (mut regions, mut followed) = (0, 0);
    for _ in 0..2000 {
        // Two that have arrived exchange their goals.
        let home: Vec<Agent> = world.ours().filter(Agent::has_arrived).collect();
        if let [one, .., other] = home[..] {
            world.send(one.id, other.goal).unwrap();
            world.send(other.id, one.goal).unwrap();
        }
        tick(&mut world, &mut planner, &mut moves).unwrap();
        for knot in planner.knots.all.iter().filter(|knot| !knot.party.is_whole) {
            regions += 1;
            if knot.is_followed() {
                followed += 1;
                assert!(knot.can_move(&world), "tick {}", world.tick());
            }
        }
    }
    assert!(regions > 100 && followed > 10, "{regions} and {followed}");
}
