//! In steady state a tick allocates nothing, with any planner.
//!
//! Agents go to and fro between the same places. What they learn is forgotten whenever they turn round, so
//! that after a few laps the tables have the size they need.

mod counting;

use counting::allocations;
use jostle::instance::Kind;
use jostle::planners::{Registry, planner};
use jostle::simulate::tick;
use jostle::{AgentId, Cell, Crowd, Instance, Level, Moves};

const LAPS: usize = 4;
const TICKS: u64 = 400;

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

/// The first lap has to allocate, and the last one must not.
fn assert_steady(name: &str, laps: &[u64]) {
    assert!(laps[0] > 0, "{name}, allocations lap by lap: {laps:?}");
    assert_eq!(laps.last(), Some(&0), "{name}, allocations lap by lap: {laps:?}");
}

#[test]
fn a_steady_tick_of_every_planner_allocates_nothing() {
    for entry in Registry::builtin().entries() {
        let (spec, instance) = steady(entry.name());
        let (mut planner, mut moves) = (planner(spec).unwrap(), Moves::default());
        let laps = [(); LAPS].map(|()| {
            let mut world = instance.world();
            let ids: Vec<AgentId> = world.ours().map(|agent| agent.id).collect();
            world.advance(&Moves::waiting(&world)).unwrap();
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
