//! In steady state a tick allocates nothing.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell as Counter;

use jostle::instance::Kind;
use jostle::planners::bmaa::BmaaPlanner;
use jostle::planners::{Bmaa, Planner};
use jostle::simulate::tick;
use jostle::{AgentId, Cell, Crowd, Instance, Level, Moves};

/// Counts the allocations of its own thread, so that the test harness does not disturb the count.
struct Counting;

thread_local! {
    static ALLOCATIONS: Counter<u64> = const { Counter::new(0) };
}

// SAFETY: every call goes to the system allocator unchanged.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Agents go to and fro between the same places. What they learn is forgotten at every turn, so that
/// after a lap the tables have the size they need, and later laps need no more.
#[test]
fn a_steady_tick_allocates_nothing() {
    for (push, flow) in [(false, false), (true, true)] {
        let grid = Level::Rooms.generate(64, 64, 1).unwrap();
        let instance = Instance::draw(grid, Kind::Random, 120, 1).unwrap();
        let mut planner = BmaaPlanner::new(Bmaa { push, flow, ..Bmaa::default() });
        let mut laps = Vec::new();
        let mut moves = Moves::default();
        for _ in 0..3 {
            let mut world = instance.world();
            let ids: Vec<_> = world.ours().map(|agent| agent.id).collect();
            let ends: Vec<(Cell, Cell)> = instance.tasks().to_vec();
            world.advance(&Moves::waiting(&world)).unwrap();
            let before = ALLOCATIONS.with(Counter::get);
            for turn in 0..400 {
                if turn == 200 {
                    for (id, (start, _)) in ids.iter().zip(&ends) {
                        world.send(*id, *start).unwrap();
                    }
                }
                tick(&mut world, &mut planner, &mut moves).unwrap();
            }
            laps.push(ALLOCATIONS.with(Counter::get) - before);
        }
        assert!(laps[0] > 0, "the first lap has to make room: {laps:?}");
        assert_eq!(laps[2], 0, "{laps:?}");
        assert!(planner.memory() > 0);
    }
}

/// The same behind the front door, which also takes note of who gets on and who is stuck.
#[test]
fn a_steady_tick_of_a_crowd_allocates_nothing() {
    let grid = Level::Rooms.generate(64, 64, 1).unwrap();
    let instance = Instance::draw(grid, Kind::Random, 120, 1).unwrap();
    let at = |cell: Cell| instance.grid().position(cell);
    let planner = BmaaPlanner::new(Bmaa::default());
    let mut crowd = Crowd::with_planner(instance.grid().clone(), Box::new(planner));
    let mut laps = Vec::new();
    for _ in 0..3 {
        let begin = instance.tasks().iter().map(|&(start, _)| crowd.add(at(start)).unwrap());
        let ids: Vec<AgentId> = begin.collect();
        for (&id, &(_, goal)) in ids.iter().zip(instance.tasks()) {
            crowd.send(id, at(goal)).unwrap();
        }
        let before = ALLOCATIONS.with(Counter::get);
        for turn in 0..400 {
            if turn == 200 {
                for (&id, &(start, _)) in ids.iter().zip(instance.tasks()) {
                    crowd.send(id, at(start)).unwrap();
                }
            }
            crowd.tick().unwrap();
        }
        laps.push(ALLOCATIONS.with(Counter::get) - before);
        assert!(crowd.stuck(0).count() > 0, "somebody is still away");
        // The last to leave is the first whose slot is given away again.
        for &id in ids.iter().rev() {
            crowd.remove(id).unwrap();
        }
    }
    assert!(laps[0] > 0, "the first lap has to make room: {laps:?}");
    assert_eq!(laps[2], 0, "{laps:?}");
}
