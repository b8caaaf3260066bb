//! Pairs of agents that meet: cooperative multi-agent pathfinding (Co-MAPF).
//!
//! A [task](MeetingTask) belongs to two agents. The initiator visits the task's start, for example to pick something up.
//! Then it meets the executor: both are on one cell at one tick, which is the only time when two agents may share a cell.
//! Then the executor goes to the task's goal. Where and when they meet is not given: a
//! [solver](crate::solvers) chooses it.
//!
//! Agents of a [`MeetingPlan`] are numbered in pairs: the initiator of task `i` is agent `2i`, its executor agent
//! `2i + 1`. The cost of a task is the tick of its meeting plus the tick at which the executor is on the goal for good:
//! each of the two counts its steps and waits until its part is done.

mod draw;
mod instance;
mod plan;
mod task;

pub use instance::{MeetingInstance, MeetingInstanceError};
pub use plan::{Meeting, MeetingPlan};
pub use task::{AtTarget, MeetingTask, Stage};

#[cfg(test)]
#[path = "meetings_test.rs"]
mod tests;
