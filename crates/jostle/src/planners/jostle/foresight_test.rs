use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::grid::{Grid, Neighbours, Rules};
use crate::instance::{Instance, Kind};
use crate::planners::{Jostle, testing};
use crate::simulate::tick;
use crate::world::{Agent, Moves};

/// A floor of 20x20 with some walls, half of whose cells are taken.
fn dense(neighbours: Neighbours, seed: u64) -> Instance {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let rules = Rules { neighbours, ..Rules::default() };
    let grid = Grid::new(20, 20, rules, |_, _| dice.random_ratio(9, 10)).unwrap();
    Instance::draw(grid, Kind::Random, 150, seed).unwrap()
}

#[test]
fn a_dense_crowd_that_looks_ahead_arrives_sooner() {
    for (neighbours, seed) in [(Neighbours::Four, 1), (Neighbours::Eight, 2)] {
        let run = |rehearse| {
            let mut planner = JostlePlanner::new(Jostle { rehearse, ..Jostle::default() });
            let mut world = dense(neighbours, seed).world();
            let metrics = testing::run(&mut world, &mut planner, 1000).metrics;
            assert!(metrics.completion_rate() > 0.999);
            metrics.sum_of_costs()
        };
        let (ahead, by_rules) = (run(6), run(0));
        assert!(10 * ahead < 9 * by_rules, "{neighbours:?}: {ahead} and {by_rules}");
    }
}

/// The first tick from which on there is a plan, and a planner and a world in that tick.
fn with_a_plan(instance: &Instance) -> (JostlePlanner, World) {
    let mut planner = JostlePlanner::new(Jostle::default());
    let (mut world, mut moves) = (instance.world(), Moves::default());
    while planner.foresight.outlook.as_ref().is_none_or(|outlook| outlook.rehearsal.is_some()) {
        tick(&mut world, &mut planner, &mut moves).unwrap();
        assert!(world.tick() < 100, "no plan");
    }
    (planner, world)
}

#[test]
fn no_tick_takes_more_than_its_budget() {
    let mut planner = JostlePlanner::new(Jostle::default());
    let (mut world, mut moves) = (dense(Neighbours::Four, 3).world(), Moves::default());
    while !world.have_all_arrived() {
        let work = tick(&mut world, &mut planner, &mut moves).unwrap();
        assert!(work.expansions <= planner.most_expansions(150), "{work:?}");
    }
}

#[test]
fn a_plan_ends_when_the_game_changes_something() {
    let instance = dense(Neighbours::Four, 4);
    let first = |world: &World| world.ours().next().unwrap();
    let free =
        |world: &World| world.grid().floor_cells().find(|&cell| !world.is_occupied(cell)).unwrap();
    let changes: [&dyn Fn(&mut World); 4] = [
        &|world| world.send(first(world).id, first(world).cell).unwrap(),
        &|world| world.set_floor(free(world), false).unwrap(),
        &|world| world.place(first(world).id, free(world)).unwrap(),
        &|world| {
            world.add_foreign(free(world)).unwrap();
        },
    ];
    for change in changes {
        let (mut planner, mut world) = with_a_plan(&instance);
        change(&mut world);
        tick(&mut world, &mut planner, &mut Moves::default()).unwrap();
        assert!(planner.foresight.outlook.is_none());
    }
}

#[test]
fn crowds_that_cannot_all_be_home_are_not_rehearsed() {
    let world = dense(Neighbours::Four, 5).world();
    assert!(is_dense(&world, 6));
    let others = |world: &World| world.ours().map(|agent| (agent.id, agent.goal)).nth(1).unwrap();
    let mut shared = world.clone();
    let goal = others(&world).1;
    shared.send(world.ours().next().unwrap().id, goal).unwrap();
    assert!(!is_dense(&shared, 6), "two agents share a goal");
    let mut foreign = world.clone();
    foreign.remove(others(&world).0).unwrap();
    assert!(is_dense(&foreign, 6));
    let free = foreign.grid().floor_cells().find(|&cell| !foreign.is_occupied(cell)).unwrap();
    foreign.add_foreign(free).unwrap();
    assert!(!is_dense(&foreign, 6), "a foreign agent may move");
    assert!(!is_dense(&world, 1), "there is room");
}

/// The world refuses illegal moves, so that a tick would fail.
#[test]
fn a_game_that_changes_things_now_and_then_sees_legal_moves_and_everybody_home() {
    let mut plans = 0;
    for seed in 0..8 {
        let neighbours = if seed % 2 == 0 { Neighbours::Four } else { Neighbours::Eight };
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        let mut world = dense(neighbours, seed).world();
        let mut planner = JostlePlanner::new(Jostle::default());
        let mut moves = Moves::default();
        for _ in 0..600 {
            if world.tick() < 300 && dice.random_ratio(1, 40) {
                // Two agents exchange their goals: everybody can still be home.
                let agents: Vec<Agent> = world.ours().collect();
                let pair: Vec<&Agent> = agents.sample(&mut dice, 2).collect();
                world.send(pair[0].id, pair[1].goal).unwrap();
                world.send(pair[1].id, pair[0].goal).unwrap();
            }
            let had_plan = planner.foresight.outlook.is_some();
            tick(&mut world, &mut planner, &mut moves).unwrap();
            plans += u32::from(!had_plan && planner.foresight.outlook.is_some());
        }
        assert!(world.have_all_arrived(), "seed {seed}");
    }
    assert!(plans > 8, "{plans} plans");
}
