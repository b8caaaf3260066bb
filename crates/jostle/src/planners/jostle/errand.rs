//! How long an agent of the default planner has been on its way, and whether it is stuck.

use crate::Cost;
use crate::grid::Cell;
use crate::world::World;

/// For how many ticks an agent has to be on its goal until it counts as another way if it is pushed off.
const LONG_AT_HOME: u64 = 8;

/// What is left of a way: exits ahead, and the distance to the first or to the goal in a straight line.
pub(super) type Left = (u32, Cost);

/// An agent's way to a goal. That it arrives and is pushed off again soon does not end it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Errand {
    /// Since which tick it is on its way.
    since: u64,
    /// Where it was then.
    from: Cell,
    /// The tick at which it arrived; none if it has not.
    arrived: Option<u64>,
    /// The least that was left since it is late, and since when.
    least: (Left, u64),
    /// How often it was stuck.
    tries: u32,
}

impl Default for Errand {
    fn default() -> Self {
        Self { since: 0, from: Cell::NOWHERE, arrived: None, least: (FAR, 0), tries: 0 }
    }
}

const FAR: Left = (u32::MAX, Cost::INFINITY);

impl Errand {
    /// The agent sets out from a cell.
    pub fn begin(&mut self, from: Cell, tick: u64) {
        if self.arrived.is_none_or(|arrived| tick >= arrived + LONG_AT_HOME) {
            *self = Self { since: tick, from, tries: self.tries, ..Self::default() };
        }
    }

    /// Whether it has been on its way since before a tick.
    pub const fn began_before(&self, tick: u64) -> bool {
        self.since < tick
    }

    /// The agent has arrived.
    pub fn end(&mut self, tick: u64) {
        if self.arrived.replace(tick).is_none() {
            self.least = ((0, Cost::ZERO), tick);
        }
    }

    /// How often something was done about it that the agent was stuck, since it got its goal.
    pub const fn tries(&self) -> u32 {
        self.tries
    }

    /// Something is done about it that the agent is stuck.
    pub const fn try_again(&mut self) {
        self.tries = self.tries.saturating_add(1);
    }

    /// Whether the agent takes longer than twice its way, whose length is known if it has a route, and so many ticks more.
    pub fn is_late(&self, goal: Cell, route: Cost, world: &World, grace: u64) -> bool {
        let ticks = world.tick().saturating_sub(self.since);
        if ticks <= grace || !world.grid().contains(self.from) {
            return false;
        }
        let way = world.grid().distance(self.from, goal).max(route);
        ticks > 2 * (way.units() / Cost::CARDINAL.units()) as u64 + grace
    }

    /// Whether a late agent has come no closer for so many ticks.
    pub fn is_stuck(&mut self, left: Left, tick: u64, patience: u64) -> bool {
        let (least, since) = self.least;
        if left < least {
            self.least = (left, tick);
        }
        left >= least && tick >= since + patience
    }
}
