use super::*;
use crate::grid::Picture;
use crate::planners::testing;
use crate::simulate::{Outcome, tick};
use crate::{Instance, Level, instance::Kind};

fn run(world: &mut World, options: Lra, ticks: u64) -> Outcome {
    testing::run(world, &mut LraPlanner::new(options), ticks)
}

/// An agent from `A` to `a`, and others at their goals on `x`.
fn draw(drawing: &str) -> World {
    let picture = Picture::parse(drawing).unwrap();
    let mut world = World::new(picture.grid.clone());
    world.add(picture.find('A').unwrap(), picture.find('a').unwrap()).unwrap();
    for letter in 'B'..='Z' {
        if let Some(cell) = picture.find(letter) {
            world.add(cell, cell).unwrap();
        }
    }
    world
}

#[test]
fn a_blocked_agent_finds_another_route() {
    let mut world = draw("......\nA.B..a\n......");
    let outcome = run(&mut world, Lra::default(), 30);
    assert!(world.have_all_arrived());
    assert_eq!(outcome.metrics.work.searches, 2, "one at first, one when it meets B");
    assert_eq!(outcome.metrics.ticks, 5);
}

#[test]
fn agitation_grows_with_every_reroute_and_ends_at_the_goal() {
    // There is no path around B.
    let mut world = draw("#######\n#A.B.a#\n#######");
    let (mut planner, mut moves) = (LraPlanner::new(Lra::default()), Moves::default());
    for _ in 0..10 {
        tick(&mut world, &mut planner, &mut moves).unwrap();
    }
    let agitation = planner.states[0].agitation;
    assert!(agitation >= 8, "{agitation}");
    let blocker = world.in_slot(1).unwrap().id;
    world.remove(blocker).unwrap();
    for _ in 0..5 {
        tick(&mut world, &mut planner, &mut moves).unwrap();
    }
    assert!(world.have_all_arrived());
    assert_eq!(planner.states[0].agitation, 0);
}

#[test]
fn moves_reduce_agitation_if_calm_is_set() {
    for calm in [false, true] {
        let mut world = draw("##########\n#A.B....a#\n##########");
        let mut planner = LraPlanner::new(Lra { calm, ..Lra::default() });
        let mut moves = Moves::default();
        for _ in 0..6 {
            tick(&mut world, &mut planner, &mut moves).unwrap();
        }
        let before = planner.states[0].agitation;
        let blocker = world.in_slot(1).unwrap().id;
        world.remove(blocker).unwrap();
        for _ in 0..3 {
            tick(&mut world, &mut planner, &mut moves).unwrap();
        }
        let after = planner.states[0].agitation;
        assert_eq!(after, if calm { before.saturating_sub(3) } else { before });
    }
}

#[test]
fn an_agent_beside_its_taken_goal_waits_without_searching() {
    let mut world = draw("...\nAa.\n...");
    let goal = world.in_slot(0).unwrap().goal;
    let player = world.add_foreign(goal).unwrap();
    let (mut planner, mut moves) = (LraPlanner::new(Lra::default()), Moves::default());
    for _ in 0..5 {
        let work = tick(&mut world, &mut planner, &mut moves).unwrap();
        assert_eq!(work, Work::default());
    }
    world.remove(player).unwrap();
    tick(&mut world, &mut planner, &mut moves).unwrap();
    assert!(world.have_all_arrived());
}

#[test]
fn noise_is_spread_evenly_and_every_search_has_its_own() {
    let mean = |key| {
        let fractions = (0..4000).map(|index| fraction(key, Cell::from_index(index)));
        assert!(fractions.clone().all(|fraction| (0.0..1.0).contains(&fraction)));
        fractions.sum::<f64>() / 4000.0
    };
    let keys = [key(0, 0, 1), key(1, 0, 1), key(0, 1, 1), key(0, 0, 2)];
    for (number, &one) in keys.iter().enumerate() {
        assert!((mean(one) - 0.5).abs() < 0.02);
        assert!(keys[..number].iter().all(|&other| other != one));
    }
}

#[test]
fn the_seed_decides_which_routes_agitated_agents_try() {
    let grid = Level::Rooms.generate(40, 40, 1).unwrap();
    let instance = Instance::draw(grid, Kind::Random, 100, 1).unwrap();
    let trace = |seed| {
        let outcome = run(&mut instance.world(), Lra { seed, ..Lra::default() }, 150);
        outcome.trace.unwrap().fingerprint()
    };
    assert_eq!(trace(1), trace(1));
    assert_ne!(trace(1), trace(2));
}

#[test]
fn a_budget_spreads_the_searches_over_ticks() {
    let grid = Level::Cave.generate(48, 48, 1).unwrap();
    let instance = Instance::draw(grid, Kind::Random, 40, 1).unwrap();
    let (mut world, mut moves) = (instance.world(), Moves::default());
    let mut planner = LraPlanner::new(Lra { budget: Some(300), ..Lra::default() });
    for _ in 0..1000 {
        let work = tick(&mut world, &mut planner, &mut moves).unwrap();
        assert!(work.expansions <= 300);
    }
    let arrived = world.ours().filter(Agent::has_arrived).count();
    assert!(arrived >= 38, "{arrived} of 40");
}
