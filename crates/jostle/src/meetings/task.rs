//! A task for two agents, and its stages.

use crate::grid::Cell;

/// A task for two agents that meet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MeetingTask {
    /// Where the initiator begins.
    pub initiator: Cell,
    /// The start of the task, which the initiator visits before the meeting.
    pub start: Cell,
    /// Where the executor begins.
    pub executor: Cell,
    /// The goal of the task, to which the executor goes after the meeting.
    pub goal: Cell,
}

/// What the two agents of a task have to do next. The stages follow each other in this order.
///
/// A task is done when all of them were gone through, not when an agent stands on some cell: an executor on the task's
/// goal has done nothing as long as it has not met the initiator.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Stage {
    /// The initiator has to visit the start of the task.
    #[default]
    Visit,
    /// The two have to be on one cell.
    Meet,
    /// The executor has to go to the goal of the task.
    Deliver,
    /// Nothing is left to do.
    Done,
}

/// What an agent does when its part is done: the initiator after the meeting, the executor on the goal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum AtTarget {
    /// It disappears: it is there at the tick at which its part is done, and gone at the next one.
    #[default]
    Leave,
    /// It stays where it is for good. So the initiator stays on the cell of the meeting, the executor steps off that cell with
    /// the next tick and never comes back, and no meeting takes place on the goal of its own task.
    Stay,
}

impl MeetingTask {
    /// The stage after a tick, from the stage before it and the cells on which the two agents are now; `None` stands for an
    /// agent that is not there. Several stages can end at one tick.
    #[must_use]
    pub fn stage_after(
        &self,
        before: Stage,
        initiator: Option<Cell>,
        executor: Option<Cell>,
    ) -> Stage {
        let mut stage = before;
        if stage == Stage::Visit && initiator == Some(self.start) {
            stage = Stage::Meet;
        }
        if stage == Stage::Meet && initiator.is_some() && initiator == executor {
            stage = Stage::Deliver;
        }
        if stage == Stage::Deliver && executor == Some(self.goal) {
            stage = Stage::Done;
        }
        stage
    }

    /// Its four cells, with what they are called in messages.
    pub(super) fn cells(&self) -> [(&'static str, Cell); 4] {
        [
            ("the initiator", self.initiator),
            ("the start", self.start),
            ("the executor", self.executor),
            ("the goal", self.goal),
        ]
    }
}
