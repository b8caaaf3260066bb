//! Whether an agent of the default planner gets on.

/// After how many ticks without progress, at least, an agent lets others choose before it.
const JAM_TICKS: u64 = 64;
/// How often the progress of an agent is looked at, in ticks. For so long it does.
const LOOK_EVERY: u64 = 32;

/// The progress of an agent on its way to a goal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    /// The least that was left of its way so far: exits ahead, and the length of the path to the first.
    least: (u32, u32),
    /// The tick in which that was found.
    since: u64,
}

/// What was found when the progress of an agent was looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pace {
    /// It has come closer to its goal.
    pub gets_on: bool,
    /// It has not for so long that it should let others choose before it, until this is looked at again.
    pub is_jammed: bool,
    /// It has not for twice as long as when it last looked for another route, and should do so again.
    pub looks_around: bool,
}

impl Default for Progress {
    fn default() -> Self {
        Self { least: (u32::MAX, u32::MAX), since: u64::MAX }
    }
}

impl Progress {
    /// Whether it is time to look at the progress of the agent in a slot.
    pub const fn is_due(tick: u64, slot: u32) -> bool {
        (tick + slot as u64).is_multiple_of(LOOK_EVERY)
    }

    /// Looks at the progress of the agent in a slot, given the exits ahead and the length of the path to the first.
    ///
    /// In a dead end, agents that want in can block agents that want out, for ever if they
    /// always choose first. So one that has made no progress for long lets others choose before it. The number of ticks
    /// differs from agent to agent, so that not all of them do so at once.
    pub fn look(&mut self, left: (u32, u32), slot: u32, tick: u64) -> Pace {
        if left < self.least || self.since == u64::MAX {
            (self.least, self.since) = (left, tick);
            return Pace { gets_on: true, is_jammed: false, looks_around: false };
        }
        let (ticks, patience) = (tick - self.since, JAM_TICKS + u64::from(slot) % JAM_TICKS);
        Pace {
            gets_on: false,
            is_jammed: ticks >= patience && ticks % patience < LOOK_EVERY,
            looks_around: (ticks / LOOK_EVERY).is_power_of_two(),
        }
    }
}
