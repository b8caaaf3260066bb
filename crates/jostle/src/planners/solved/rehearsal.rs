//! Where everybody will be in some ticks.

use crate::planners::jostle::JostlePlanner;
use crate::planners::{Planner, Work};
use crate::world::{Moves, World};

/// Copies of a world and of the planner that moves it, which run ahead of them. Since the same planner moves the same agents
/// in the same way, the world will be as rehearsed if the game changes nothing and foreign agents stand still.
#[derive(Debug)]
pub struct Rehearsal {
    world: World,
    walker: JostlePlanner,
    moves: Moves,
}

impl Rehearsal {
    /// Begins at the present tick, before the planner has planned it.
    pub fn begin(world: &World, walker: &JostlePlanner) -> Self {
        Self { world: world.clone(), walker: walker.clone(), moves: Moves::default() }
    }

    /// Goes on to a tick, by at most this many ticks.
    pub fn go_on_to(&mut self, tick: u64, most: u64) -> Work {
        let mut work = Work::default();
        for _ in self.world.tick()..tick.min(self.world.tick() + most) {
            work += self.go_on();
        }
        work
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
