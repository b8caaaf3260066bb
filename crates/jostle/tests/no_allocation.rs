//! In steady state a tick allocates nothing, with any planner. The plans of solvers are steady while they are followed.
//!
//! Agents go to and fro between the same places. What they learn is forgotten whenever they turn round, so
//! that after a few laps the tables have the size they need.

mod counting;

use counting::allocations;
use jostle::instance::Kind;
use jostle::planners::{Entry, Registry, planner};
use jostle::simulate::tick;
use jostle::{AgentId, Cell, Crowd, Instance, Level, Moves, World, solvers};

const LAPS: usize = 4;
/// The ticks of a lap, after one in which agents are put on their starts. After 480 ticks, all turns of 60 agents of
/// WHCA* come again in the same order.
const TICKS: u64 = 479;

/// A planner by name, with parameters that make its ticks steady, and an instance that it can solve in time.
fn steady(name: &'static str) -> (&'static str, Instance) {
    let (side, agents) = match name {
        // They plan whole paths through space and time, which takes long if paths are long.
        "ca" | "hca" => (24, 20),
        _ => (48, 60),
    };
    let grid = Level::Rooms.generate(side, side, 1).unwrap();
    let instance = Instance::draw(grid, Kind::Random, agents, 1).unwrap();
    // Noise makes every path of LRA* different, and now and then one is longer than all before.
    (if name == "lra" { "lra:noise=0" } else { name }, instance)
}

/// The planners whose ticks are steady. Those that solve whole problems allocate whenever they look for a plan: their ticks are
/// steady while one is followed.
fn steady_planners() -> impl Iterator<Item = &'static Entry> {
    let solves = |name: &str| {
        solvers::Registry::builtin().find(name).is_ok()
            || name.starts_with("cbs-")
            || name == "di-cbs"
            // Its tree of configurations grows while agents walk.
            || name == "lacam-rt"
    };
    Registry::builtin().entries().iter().filter(move |entry| !solves(entry.name()))
}

/// The first lap has to allocate, and the last one must not.
fn assert_steady(name: &str, laps: &[u64]) {
    assert!(laps[0] > 0, "{name}, allocations lap by lap: {laps:?}");
    assert_eq!(laps.last(), Some(&0), "{name}, allocations lap by lap: {laps:?}");
}

/// Puts the agents of an instance on their starts again. The slot of the agent that leaves last is used again first.
fn start_again(world: &mut World, instance: &Instance) -> Vec<AgentId> {
    let before: Vec<AgentId> = world.ours().map(|agent| agent.id).collect();
    for &id in before.iter().rev() {
        world.remove(id).unwrap();
    }
    let ids = instance.tasks().iter().map(|&(start, goal)| world.add(start, goal).unwrap());
    let ids = ids.collect();
    world.advance(&Moves::waiting(world)).unwrap();
    ids
}

#[test]
fn a_steady_tick_of_every_planner_allocates_nothing() {
    for entry in steady_planners() {
        let (spec, instance) = steady(entry.name());
        let (mut planner, mut moves) = (planner(spec).unwrap(), Moves::default());
        let mut world = instance.world();
        let laps = [(); LAPS].map(|()| {
            let ids = start_again(&mut world, &instance);
            let before = allocations();
            for turn in 0..TICKS {
                if turn == TICKS / 2 {
                    for (&id, &(start, _)) in ids.iter().zip(instance.tasks()) {
                        world.send(id, start).unwrap();
                    }
                }
                tick(&mut world, planner.as_mut(), &mut moves).unwrap();
            }
            allocations() - before
        });
        assert_steady(spec, &laps);
    }
}

/// Agents go to and fro between their two places, each sent back as soon as it arrives. No two laps are the same
/// then. Only now and then does an agent need more than ever before: a longer path, or a cell that was never
/// reserved. That is all that may allocate.
#[test]
fn re_tasking_does_not_allocate_for_ever() {
    for entry in steady_planners() {
        let (name, (_, instance)) = (entry.name(), steady(entry.name()));
        let (mut planner, mut moves) = (planner(name).unwrap(), Moves::default());
        let mut world = instance.world();
        let laps = [(); 6].map(|()| {
            let (before, mut sent) = (allocations(), 0);
            for _ in 0..TICKS {
                for (slot, &(start, goal)) in instance.tasks().iter().enumerate() {
                    let agent = world.in_slot(slot).unwrap();
                    if agent.has_arrived() {
                        let back = if agent.goal == goal { start } else { goal };
                        world.send(agent.id, back).unwrap();
                        sent += 1;
                    }
                }
                tick(&mut world, planner.as_mut(), &mut moves).unwrap();
            }
            (allocations() - before, sent)
        });
        let (allocated, sent) = laps[laps.len() - 1];
        assert!(sent > 20, "{name}: {laps:?}");
        let most = if name == "jostle" { 3 } else { sent / 5 };
        assert!(allocated <= most, "{name}, allocations and goals lap by lap: {laps:?}");
    }
}

#[test]
fn following_the_plan_of_a_solver_allocates_nothing() {
    let grid = Level::Cave.generate(24, 24, 1).unwrap();
    let instance = Instance::draw(grid, Kind::Random, 8, 1).unwrap();
    for solver in solvers::Registry::builtin().entries() {
        let (mut planner, mut moves) = (planner(solver.name()).unwrap(), Moves::default());
        let mut world = instance.world();
        let first = tick(&mut world, planner.as_mut(), &mut moves).unwrap();
        assert!(first.expansions > 0);
        let before = allocations();
        for _ in 0..100 {
            let work = tick(&mut world, planner.as_mut(), &mut moves).unwrap();
            assert_eq!(work.expansions, 0, "{} found a plan in the first tick", solver.name());
        }
        assert_eq!(allocations(), before, "{}", solver.name());
        assert!(world.have_all_arrived());
    }
}

/// The same for a crowd with the default planner, which also records which agents are stuck.
#[test]
fn a_steady_tick_of_a_crowd_allocates_nothing() {
    let grid = Level::Rooms.generate(64, 64, 1).unwrap();
    let instance = Instance::draw(grid, Kind::Random, 120, 1).unwrap();
    let at = |cell: Cell| instance.grid().position(cell);
    let mut crowd = Crowd::new(instance.grid().clone());
    let laps = [(); LAPS].map(|()| {
        let begin = instance.tasks().iter().map(|&(start, _)| crowd.add(at(start)).unwrap());
        let ids: Vec<AgentId> = begin.collect();
        let send_all = |crowd: &mut Crowd, to: fn(&(Cell, Cell)) -> Cell| {
            for (&id, task) in ids.iter().zip(instance.tasks()) {
                crowd.send(id, at(to(task))).unwrap();
            }
        };
        send_all(&mut crowd, |&(_, goal)| goal);
        let before = allocations();
        let mut most_stuck = 0;
        for turn in 0..TICKS {
            if turn == TICKS / 2 {
                send_all(&mut crowd, |&(start, _)| start);
            }
            crowd.tick().unwrap();
            most_stuck = most_stuck.max(crowd.stuck(0).count());
        }
        let allocated = allocations() - before;
        assert!(most_stuck > 0, "at least one agent was walking");
        // The slot of the agent that leaves last is used again first.
        for &id in ids.iter().rev() {
            crowd.remove(id).unwrap();
        }
        allocated
    });
    assert_steady("a crowd", &laps);
}

/// A plan that is followed, and that no change of the floor cuts, costs nothing.
#[test]
fn a_joint_plan_is_followed_without_allocations() {
    let grid = Level::Rooms.generate(24, 24, 1).unwrap();
    let instance = Instance::draw(grid, Kind::Random, 5, 1).unwrap();
    for name in ["cbs-replan", "cbs-dstar-lite", "di-cbs"] {
        let (mut planner, mut moves) = (planner(name).unwrap(), Moves::default());
        let mut world = instance.world();
        tick(&mut world, planner.as_mut(), &mut moves).unwrap();
        let before = allocations();
        let mut ticks = 0;
        while !world.have_all_arrived() && ticks < 100 {
            tick(&mut world, planner.as_mut(), &mut moves).unwrap();
            ticks += 1;
        }
        assert!(world.have_all_arrived() && ticks > 10, "{name} arrives after {ticks} ticks");
        assert_eq!(allocations() - before, 0, "{name}");
    }
}
