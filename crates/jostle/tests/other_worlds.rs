//! Any planner follows any world that it is given: one that went back in time, one that went on without it, or a
//! different one.

mod common;

use common::{GameChange, all_rules, apply, cluttered_under, game_changes};
use jostle::planners::{Entry, Follow, Following, Planner, Registry, planner};
use jostle::simulate::tick;
use jostle::{AgentId, Crossing, Grid, Moves, Neighbours, Plan, Rules, Trace, World};
use proptest::prelude::*;

fn entries() -> impl Strategy<Value = &'static Entry> {
    prop::sample::select(Registry::builtin().entries().iter().collect::<Vec<_>>())
}

fn new_planner(entry: &Entry) -> Box<dyn Planner> {
    planner(entry.name()).unwrap()
}

/// Runs some ticks, all of which must be legal, and asks for the wish of every agent after each.
fn go_on(world: &mut World, planner: &mut dyn Planner, ticks: u64) {
    let mut moves = Moves::default();
    for _ in 0..ticks {
        tick(world, planner, &mut moves).expect("a planner proposes legal moves");
        for agent in world.agents() {
            let _ = planner.wish(&agent);
        }
    }
}

/// A crowd that goes from one side of an open floor to the other.
fn easy(width: u32, height: u32, agents: u32) -> World {
    let mut world = World::new(Grid::open(width, height).unwrap());
    for number in 0..agents {
        add(&mut world, (1, number % height), (width - 2, (number + 2) % height));
    }
    world
}

fn add(world: &mut World, start: (u32, u32), goal: (u32, u32)) -> AgentId {
    let grid = world.shared_grid().clone();
    world.add(grid.locate(start).unwrap(), grid.locate(goal).unwrap()).unwrap()
}

fn under(rules: Rules, world: &World) -> World {
    let mut other = World::new(world.grid().clone().with_rules(rules));
    for agent in world.agents() {
        other.add(agent.cell, agent.goal).unwrap();
    }
    other
}

fn advanced(world: &World, ticks: u64) -> World {
    let mut world = world.clone();
    for _ in 0..ticks {
        world.advance(&Moves::waiting(&world)).unwrap();
    }
    world
}

/// Worlds that a planner may be given one after the other. All agents can arrive in all of them.
fn worlds() -> Vec<(&'static str, World)> {
    let base = easy(14, 9, 7);
    let mut walked = base.clone();
    go_on(&mut walked, planner("pibt").unwrap().as_mut(), 6);
    let mut sent = walked.clone();
    let ids: Vec<AgentId> = sent.ours().map(|agent| agent.id).collect();
    for (number, &id) in ids.iter().enumerate() {
        sent.send(id, sent.grid().at(number as u32 + 2, 8).unwrap()).unwrap();
    }
    // The same number of changes as in the world before, but others.
    let mut edited = walked.clone();
    for x in 0..ids.len() as u32 {
        edited.set_floor(edited.grid().at(x + 3, 4).unwrap(), false).unwrap();
    }
    let mut left = walked.clone();
    for &id in &ids[3..] {
        left.remove(id).unwrap();
    }
    let mut replaced = left.clone();
    for y in 0..4 {
        add(&mut replaced, (0, y), (11, y));
    }
    let mut joined = walked.clone();
    for y in 0..6 {
        add(&mut joined, (0, y), (5, y + 3));
    }
    let narrow = Rules { neighbours: Neighbours::Four, ..Rules::default() };
    let strict = Rules { crossing: Crossing::Forbidden, ..Rules::default() };
    let mut with_gaps = World::new(
        Grid::new(14, 9, Rules::default(), |x, y| x % 4 != 3 || y.abs_diff(x % 9) < 2).unwrap(),
    );
    add(&mut with_gaps, (1, 1), (12, 7));
    add(&mut with_gaps, (1, 5), (13, 1));
    vec![
        ("the beginning", base.clone()),
        ("some ticks later", walked.clone()),
        ("many ticks later", advanced(&walked, 5_000)),
        ("other goals", sent),
        ("a wall", edited),
        ("agents that left", left),
        ("other agents in their slots", replaced),
        ("more agents", joined),
        ("fewer slots", easy(14, 9, 2)),
        ("fewer slots, much later", advanced(&easy(14, 9, 2), 9_000)),
        ("four neighbours", under(narrow, &base)),
        ("four neighbours, later", advanced(&under(narrow, &base), 50)),
        ("no crossing", under(strict, &walked)),
        ("other walls", with_gaps.clone()),
        ("other walls, later", advanced(&with_gaps, 70)),
        ("a smaller map", easy(7, 6, 5)),
        ("a smaller map, later", advanced(&easy(7, 6, 6), 80)),
        ("a larger map", easy(30, 11, 9)),
        ("a larger map, later", advanced(&easy(30, 11, 9), 90)),
        ("the same number of cells", easy(9, 14, 7)),
        ("a corridor", advanced(&easy(14, 1, 1), 10)),
        ("nobody", World::new(Grid::open(14, 9).unwrap())),
        ("nobody, later", advanced(&World::new(Grid::open(14, 9).unwrap()), 10_000)),
    ]
}

fn all_arrive(world: &World, planner: &mut dyn Planner) -> bool {
    let mut world = world.clone();
    go_on(&mut world, planner, 120);
    world.have_all_arrived()
}

#[test]
fn agents_arrive_whatever_world_the_planner_has_followed_before() {
    let worlds = worlds();
    for entry in Registry::builtin().entries() {
        // On one-way streets, BMAA* does not bring all agents to their goals in all of these worlds.
        let is_solved = |(_, world): &&_| all_arrive(world, new_planner(entry).as_mut());
        let solved: Vec<&(&str, World)> = worlds.iter().filter(is_solved).collect();
        assert!(solved.len() > worlds.len() / 3, "{} solves {}", entry.name(), solved.len());
        for (before, first) in &worlds {
            for (after, second) in &solved {
                let mut planner = new_planner(entry);
                go_on(&mut first.clone(), planner.as_mut(), 9);
                let name = entry.name();
                assert!(all_arrive(second, planner.as_mut()), "{name}: {before}, and then {after}");
            }
        }
    }
}

#[test]
fn reservations_of_agents_that_are_gone_do_not_stand_in_the_way() {
    // Seven agents have reserved paths through a gap when the world of one agent is restored.
    let grid = Grid::from_ascii(".......\n.......\n###.###\n.......\n.......").unwrap();
    let mut world = World::new(grid);
    add(&mut world, (3, 0), (3, 4));
    let alone = world.clone();
    for x in [0, 1, 2, 4, 5, 6] {
        add(&mut world, (x, 1), (x, 3));
    }
    for entry in Registry::builtin().entries() {
        let mut planner = new_planner(entry);
        go_on(&mut world.clone(), planner.as_mut(), 2);
        let mut alone = alone.clone();
        go_on(&mut alone, planner.as_mut(), 4);
        assert!(alone.have_all_arrived(), "{} does not go straight ahead", entry.name());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Worlds of two games are swapped at random under one planner, for clones of any time.
    #[test]
    fn every_move_is_legal_whatever_world_a_planner_is_given(
        worlds in prop::collection::vec(cluttered_under(all_rules()), 1..4),
        entry in entries(),
        game_changes in game_changes(),
        swaps in prop::collection::vec((1u64..8, any::<prop::sample::Index>()), 1..16),
    ) {
        let mut planner = new_planner(entry);
        let (mut saved, mut world) = (worlds.clone(), worlds[0].clone());
        let mut changes = game_changes.iter().map(|(_, change)| change).cycle();
        for (ticks, clone) in swaps {
            for _ in 0..ticks {
                changes.by_ref().take(2).for_each(|change: &GameChange| apply(&mut world, change));
                go_on(&mut world, planner.as_mut(), 1);
            }
            saved.push(world);
            world = clone.get(&saved).clone();
        }
    }

    #[test]
    fn in_a_world_that_went_back_in_time_a_planner_behaves_like_a_new_one(
        world in cluttered_under(all_rules()),
        entry in entries(),
        game_changes in game_changes(),
        before in 1u64..20,
        more in 1u64..30,
    ) {
        let mut planner = new_planner(entry);
        let play = |world: &mut World, planner: &mut dyn Planner, ticks: u64| {
            let mut trace = Trace::begin(world);
            for _ in 0..ticks {
                let now = world.tick();
                let due = game_changes.iter().filter(|(at, _)| *at == now);
                due.for_each(|(_, change)| apply(world, change));
                go_on(world, planner, 1);
                trace.record(world);
            }
            trace.fingerprint()
        };
        let mut world = world;
        play(&mut world, planner.as_mut(), before);
        let saved = world.clone();
        play(&mut world, planner.as_mut(), more + 1);
        let restored = play(&mut saved.clone(), planner.as_mut(), 40);
        prop_assert_eq!(restored, play(&mut saved.clone(), new_planner(entry).as_mut(), 40));
    }
}

#[test]
fn a_plan_is_taken_up_where_the_agents_stand_when_the_world_goes_back() {
    let start = easy(14, 9, 7);
    let mut walked = start.clone();
    let mut pibt = planner("pibt").unwrap();
    let mut trace = Trace::begin(&walked);
    while !walked.have_all_arrived() {
        go_on(&mut walked, pibt.as_mut(), 1);
        trace.record(&walked);
    }
    let mut follow = Follow::new(Plan::of_trace(&trace)).unwrap();
    let (mut world, mut clones) = (start, Vec::new());
    while !world.have_all_arrived() {
        clones.push(world.clone());
        go_on(&mut world, &mut follow, 1);
    }
    for mut world in clones.into_iter().rev() {
        let ticks = walked.tick() - world.tick();
        go_on(&mut world, &mut follow, ticks);
        assert!(world.have_all_arrived());
        assert_eq!(follow.state(), Following::OnTime);
    }
}

#[test]
fn a_plan_that_does_not_fit_the_world_it_is_given_is_broken_and_legal() {
    let start = easy(14, 9, 7);
    let mut walked = start.clone();
    let mut trace = Trace::begin(&walked);
    let mut pibt = planner("pibt").unwrap();
    for _ in 0..30 {
        go_on(&mut walked, pibt.as_mut(), 1);
        trace.record(&walked);
    }
    for (name, mut world) in worlds() {
        let mut follow = Follow::new(Plan::of_trace(&trace)).unwrap();
        go_on(&mut start.clone(), &mut follow, 4);
        go_on(&mut world, &mut follow, 40);
        let is_broken = matches!(follow.state(), Following::Broken(_));
        assert!(is_broken || world.have_all_arrived(), "{name}");
    }
}
