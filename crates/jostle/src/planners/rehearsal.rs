//! Where everybody will be in some ticks.

use crate::planners::jostle::JostlePlanner;
use crate::planners::{Planner, Work};
use crate::world::{Moves, World};

/// Copies of a world and of the planner that moves it, which run ahead of them. Since the same planner moves the same agents
/// in the same way, the world will be as rehearsed if the game changes nothing and foreign agents stand still.
#[derive(Clone, Debug)]
pub struct Rehearsal {
    world: World,
    walker: JostlePlanner,
    moves: Moves,
}

impl Rehearsal {
    /// Begins at the present tick, with a copy of the planner that has not planned it.
    pub fn begin(world: &World, walker: JostlePlanner) -> Self {
        Self { world: world.clone(), walker, moves: Moves::default() }
    }

    /// Goes on to a tick, by at most this many ticks.
    pub fn go_on_to(&mut self, tick: u64, most: u64) -> Work {
        let mut work = Work::default();
        for _ in self.world.tick()..tick.min(self.world.tick() + most) {
            work += self.go_on();
        }
        work
    }

    /// Goes on by a tick, in which the planner may use so large a pool.
    pub fn go_on_within(&mut self, pool: u64) -> Work {
        self.walker.set_pool(pool);
        self.go_on()
    }

    fn go_on(&mut self) -> Work {
        self.moves.reset(&self.world);
        let work = self.walker.plan(&self.world, &mut self.moves);
        let moved = self.world.advance(&self.moves);
        debug_assert!(moved.is_ok(), "{moved:?}");
        work
    }

    /// The world as far as it has been rehearsed.
    pub const fn world(&self) -> &World {
        &self.world
    }

    /// Bytes this holds, itself included.
    pub fn memory(&self) -> usize {
        size_of::<Self>() - size_of::<JostlePlanner>() + self.world.memory() + self.walker.memory()
    }
}
