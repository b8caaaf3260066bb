//! Whether an agent of the default planner gets on.

/// After how many ticks without progress, at least, an agent lets others choose before it.
const JAM_TICKS: u64 = 64;
/// For how many ticks it does.
const DEFER_TICKS: u64 = 32;
/// How often the progress of an agent is looked at, in ticks.
const LOOK_EVERY: u64 = 32;

/// The progress of an agent on its way to a goal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    /// The least that was left of its way so far: exits ahead, and the length of the path to the first.
    least: (u32, u32),
    /// The tick in which that was found.
    since: u64,
    /// Until which tick it lets others choose before it.
    defers_until: u64,
}

impl Default for Progress {
    fn default() -> Self {
        Self { least: (u32::MAX, u32::MAX), since: u64::MAX, defers_until: 0 }
    }
}

impl Progress {
    /// Whether it is time to look at the progress of the agent in a slot.
    pub const fn is_due(tick: u64, slot: u32) -> bool {
        (tick + slot as u64).is_multiple_of(LOOK_EVERY)
    }

    /// Looks at the progress of the agent in a slot, given the exits ahead and the length of the path to the first. Returns
    /// whether there was any since the last time.
    ///
    /// In a dead end, agents that want in can block agents that want out, for ever if they
    /// always choose first. So one that has made no progress for long lets others choose before it. The number of ticks
    /// differs from agent to agent, so that not all of them do so at once.
    pub fn look(&mut self, left: (u32, u32), slot: u32, tick: u64) -> bool {
        if left < self.least || self.since == u64::MAX {
            (self.least, self.since) = (left, tick);
            return true;
        }
        let (ticks, patience) = (tick - self.since, JAM_TICKS + u64::from(slot) % JAM_TICKS);
        if ticks >= patience && ticks % patience < LOOK_EVERY {
            self.defers_until = tick + DEFER_TICKS;
        }
        false
    }

    /// Whether the agent lets others choose before it.
    pub const fn defers(&self, tick: u64) -> bool {
        tick < self.defers_until
    }
}
