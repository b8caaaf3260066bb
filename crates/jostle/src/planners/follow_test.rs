use proptest::prelude::*;

use super::*;
use crate::check::check_trace;
use crate::grid::{Crossing, Grid, Neighbours, Rules};
use crate::instance::{Instance, Kind};
use crate::levels::Level;
use crate::planners::{planner, testing};
use crate::simulate::{Limits, Simulation, tick};

/// A world, and the plan by which another planner brought every agent to its goal.
fn solved(level: Level, rules: Rules, agents: usize, seed: u64) -> Option<(World, Plan)> {
    let grid = level.generate(16, 14, seed).unwrap().with_rules(rules);
    let agents = agents.min(Kind::Random.room(&grid) / 2);
    let world = Instance::draw(grid, Kind::Random, agents, seed).ok()?.world();
    let mut played = world.clone();
    let outcome = Simulation::new(&mut played, planner("pibt").unwrap().as_mut())
        .limits(Limits::ticks(300))
        .traced()
        .run()
        .unwrap();
    played.have_all_arrived().then(|| (world, Plan::of_trace(&outcome.trace.unwrap())))
}

fn levels() -> impl Strategy<Value = Level> {
    prop::sample::select(vec![Level::Cave, Level::Scatter, Level::Rooms, Level::Arena])
}

fn rules() -> impl Strategy<Value = Rules> {
    let crossing = prop::sample::select(vec![Crossing::Allowed, Crossing::Forbidden]);
    let neighbours = prop::sample::select(vec![Neighbours::Four, Neighbours::Eight]);
    (crossing, neighbours).prop_map(|(crossing, neighbours)| Rules {
        neighbours,
        crossing,
        ..Rules::default()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_plan_is_executed_tick_by_tick(
        level in levels(), rules in rules(), agents in 2usize..30, seed in 0u64..1000,
    ) {
        if let Some((mut world, plan)) = solved(level, rules, agents, seed) {
            let mut follow = Follow::new(plan.clone()).unwrap();
            let mut moves = Moves::default();
            for now in 1..=plan.makespan() {
                tick(&mut world, &mut follow, &mut moves).unwrap();
                for (agent, path) in world.ours().zip(plan.paths()) {
                    prop_assert_eq!(Some(agent.cell), path.at(now));
                }
                prop_assert_eq!(follow.state(), Following::OnTime);
            }
        }
    }

    /// A foreign agent stands on free cells for a while. All agents still arrive, only later.
    #[test]
    fn an_agent_that_is_late_is_waited_for(
        level in levels(), rules in rules(), agents in 2usize..30, seed in 0u64..1000,
        visits in prop::collection::vec((0usize..224, 1u64..6), 1..8),
    ) {
        if let Some((mut world, plan)) = solved(level, rules, agents, seed) {
            let makespan = plan.makespan();
            let mut follow = Follow::new(plan).unwrap();
            let mut visits = visits.into_iter();
            let mut visitor = None;
            let outcome = Simulation::new(&mut world, &mut follow)
                .limits(Limits::ticks(makespan + 60))
                .traced()
                .between(|world| {
                    match visitor {
                        Some((agent, until)) if world.tick() >= until => {
                            world.remove(agent).unwrap();
                            visitor = None;
                        }
                        None => if let Some((cell, ticks)) = visits.next() {
                            let added = world.add_foreign(Cell::from_index(cell));
                            visitor = added.ok().map(|agent| (agent, world.tick() + ticks));
                        },
                        Some(_) => {}
                    }
                    std::ops::ControlFlow::Continue(())
                })
                .run()
                .unwrap();
            check_trace(outcome.trace.as_ref().unwrap()).unwrap();
            prop_assert!(!matches!(follow.state(), Following::Broken(_)), "{:?}", follow.state());
            prop_assert!(world.have_all_arrived());
        }
    }
}

/// Two agents in a corridor with a bay: the first passes while the second waits in the bay.
fn passing() -> (World, Plan) {
    let world = testing::drawn("A...B\n##.##", "AB", Neighbours::Four);
    let grid = world.grid().clone();
    let at = |x, y| grid.at(x, y).unwrap();
    let first = TimedPath::of((0..5).map(|x| at(x, 0)).collect());
    let second = TimedPath::of(
        [(4, 0), (3, 0), (2, 0), (2, 1), (2, 1), (2, 0), (1, 0), (0, 0)]
            .map(|(x, y)| at(x, y))
            .into(),
    );
    (world, Plan::new(grid.clone(), vec![first, second]))
}

/// The same, with goals that the plan leads to, and a plan without conflicts.
fn world_and_plan() -> (World, Plan) {
    let (mut world, plan) = passing();
    let ids: Vec<_> = world.ours().map(|agent| agent.id).collect();
    for (id, path) in ids.into_iter().zip(plan.paths()) {
        world.send(id, *path.cells.last().unwrap()).unwrap();
    }
    let (mut paths, grid) = (plan.paths().to_vec(), plan.shared_grid().clone());
    // The first waits for two ticks, until the second is in the bay.
    let start = paths[0].cells[0];
    paths[0].cells.splice(0..0, [start, start]);
    (world, Plan::new(grid, paths))
}

#[test]
fn a_plan_with_a_conflict_is_refused() {
    let (_, plan) = passing();
    let error = Follow::new(plan).unwrap_err().to_string();
    assert_eq!(error, "the plan has a conflict: agents 0 and 1 are both on (2, 0) at tick 2");
}

#[test]
fn the_order_of_the_plan_is_kept_when_the_first_is_late() {
    let (mut world, plan) = world_and_plan();
    let mut follow = Follow::new(plan).unwrap();
    let mut moves = Moves::default();
    // A foreign agent stands in the way of the first for some ticks; the second stays in its bay meanwhile.
    let west = world.grid().at(1, 0).unwrap();
    let visitor = world.add_foreign(west).unwrap();
    for _ in 0..9 {
        tick(&mut world, &mut follow, &mut moves).unwrap();
    }
    let bay = world.grid().at(2, 1).unwrap();
    assert_eq!(world.in_slot(1).unwrap().cell, bay);
    assert_eq!(follow.state(), Following::Late { ticks: 6 });
    world.remove(visitor).unwrap();
    for _ in 0..9 {
        tick(&mut world, &mut follow, &mut moves).unwrap();
    }
    assert!(world.have_all_arrived());
    assert_eq!(follow.state(), Following::OnTime, "all agents are where the plan ends");
}

#[test]
fn what_breaks_a_plan_is_named() {
    type Disturb = fn(&mut World, AgentId);
    let cases: [(Disturb, &str); 5] = [
        (|world, agent| world.remove(agent).unwrap(), "agent 0 has left"),
        (
            |world, agent| {
                let bay = world.grid().at(2, 1).unwrap();
                world.send(agent, bay).unwrap();
            },
            "agent 0 was sent to another goal",
        ),
        (
            |world, agent| {
                let bay = world.grid().at(2, 1).unwrap();
                world.place(agent, bay).unwrap();
            },
            "agent 0 was put off its path",
        ),
        (
            |world, _| {
                let cell = world.grid().at(3, 0).unwrap();
                world.set_floor(cell, false).unwrap();
            },
            "a wall cuts the path of agent 0",
        ),
        (
            |world, _| {
                let bay = world.grid().at(2, 1).unwrap();
                world.add(bay, bay).unwrap();
            },
            "the agents of the world are not those of the plan",
        ),
    ];
    for (disturb, expected) in cases {
        let (mut world, plan) = world_and_plan();
        let mut follow = Follow::new(plan).unwrap();
        let mut moves = Moves::default();
        let first = world.ours().next().unwrap().id;
        tick(&mut world, &mut follow, &mut moves).unwrap();
        disturb(&mut world, first);
        for _ in 0..20 {
            tick(&mut world, &mut follow, &mut moves).unwrap();
        }
        let Following::Broken(breach) = follow.state() else { panic!("{expected}") };
        assert_eq!(breach.to_string(), expected);
    }
}

#[test]
fn a_ring_rotates_as_planned() {
    let grid = Grid::open(2, 2).unwrap();
    let ring = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(x, y)| grid.at(x, y).unwrap());
    let mut world = World::new(grid.clone());
    let paths = (0..4).map(|at| TimedPath::of(vec![ring[at], ring[(at + 1) % 4]])).collect();
    for at in 0..4 {
        world.add(ring[at], ring[(at + 1) % 4]).unwrap();
    }
    let mut follow = Follow::new(Plan::new(grid, paths)).unwrap();
    tick(&mut world, &mut follow, &mut Moves::default()).unwrap();
    assert!(world.have_all_arrived());
}

/// Agents of which the first may cross the last one's step only after it: the second follows the last, and the first
/// the second.
#[test]
fn crossing_steps_are_taken_in_the_order_of_the_plan() {
    let rules = Rules { crossing: Crossing::Forbidden, ..Rules::default() };
    let grid = Grid::open(3, 3).unwrap().with_rules(rules);
    let at = |x, y| grid.at(x, y).unwrap();
    // In the plan the third steps from (1, 0) to (0, 1) first; the second follows to (1, 0), and the first crosses
    // to (1, 1), where the second was.
    let paths = vec![
        TimedPath::of(vec![at(0, 0), at(0, 0), at(0, 0), at(1, 1)]),
        TimedPath::of(vec![at(1, 1), at(1, 1), at(1, 0)]),
        TimedPath::of(vec![at(1, 0), at(0, 1)]),
    ];
    let mut world = World::new(grid.clone());
    for path in &paths {
        world.add(path.cells[0], *path.cells.last().unwrap()).unwrap();
    }
    let visitor = world.add_foreign(at(0, 1)).unwrap();
    let mut follow = Follow::new(Plan::new(grid.clone(), paths)).unwrap();
    let mut moves = Moves::default();
    for _ in 0..5 {
        tick(&mut world, &mut follow, &mut moves).unwrap();
    }
    world.remove(visitor).unwrap();
    for _ in 0..4 {
        tick(&mut world, &mut follow, &mut moves).unwrap();
    }
    assert!(world.have_all_arrived(), "{:?}", follow.state());
}
