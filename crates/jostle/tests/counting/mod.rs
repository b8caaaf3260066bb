//! An allocator that counts, so that tests need not trust what a planner reports about its memory.
//!
//! It counts for each thread by itself, so that tests that run at the same time do not disturb each other.

// Each test uses only some of this.
#![allow(dead_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell as Counter;

use jostle::planners::{Planner, Work};
use jostle::world::Agent;
use jostle::{Cell, Moves, World};

struct Counting;

thread_local! {
    static ALLOCATIONS: Counter<u64> = const { Counter::new(0) };
    static LIVE_BYTES: Counter<i64> = const { Counter::new(0) };
    static FRESH_BYTES: Counter<u64> = const { Counter::new(0) };
    static ZEROED_BYTES: Counter<u64> = const { Counter::new(0) };
}

fn count(allocations: u64, bytes: i64) {
    ALLOCATIONS.with(|count| count.set(count.get() + allocations));
    LIVE_BYTES.with(|live| live.set(live.get() + bytes));
}

fn add(bytes: &'static std::thread::LocalKey<Counter<u64>>, more: usize) {
    bytes.with(|bytes| bytes.set(bytes.get() + more as u64));
}

// SAFETY: every call goes to the system allocator unchanged.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(1, layout.size() as i64);
        add(&FRESH_BYTES, layout.size());
        unsafe { System.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(1, layout.size() as i64);
        add(&ZEROED_BYTES, layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(0, -(layout.size() as i64));
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(1, size as i64 - layout.size() as i64);
        add(&FRESH_BYTES, size);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How many allocations this thread has made so far.
pub fn allocations() -> u64 {
    ALLOCATIONS.with(Counter::get)
}

/// How many bytes this thread has allocated and not freed.
pub fn live_bytes() -> i64 {
    LIVE_BYTES.with(Counter::get)
}

/// How many bytes this thread has asked for so far, to be written: what was there before, if a list
/// has grown, among them. And how many that are zeros.
pub fn fresh_bytes() -> (u64, u64) {
    (FRESH_BYTES.with(Counter::get), ZEROED_BYTES.with(Counter::get))
}

/// A planner, and the bytes that it has allocated and not freed.
pub struct Measured {
    planner: Box<dyn Planner>,
    pub live: i64,
}

impl Measured {
    pub fn new(build: impl FnOnce() -> Box<dyn Planner>) -> Self {
        let before = live_bytes();
        let planner = build();
        Self { planner, live: live_bytes() - before }
    }
}

impl Planner for Measured {
    fn plan(&mut self, world: &World, moves: &mut Moves) -> Work {
        let before = live_bytes();
        let work = self.planner.plan(world, moves);
        self.live += live_bytes() - before;
        work
    }

    fn wish(&self, agent: &Agent) -> Option<Cell> {
        self.planner.wish(agent)
    }

    fn memory(&self) -> usize {
        self.planner.memory()
    }
}
