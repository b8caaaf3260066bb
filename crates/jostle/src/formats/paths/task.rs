//! The tasks of agents that meet, in a path file.

use std::fmt::Write;

use super::{PathsError, Position};
use crate::formats::quote::quoted;
use crate::formats::script::position;

/// A task of two agents that meet, and their meeting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PathsTask {
    /// The number of the initiator.
    pub initiator: u32,
    /// The number of the executor.
    pub executor: u32,
    /// The start of the task, which the initiator visits.
    pub start: (u32, u32),
    /// Where they meet.
    pub meeting: (u32, u32),
    /// The tick at which they meet.
    pub tick: u64,
    /// The goal of the task, to which the executor goes.
    pub goal: (u32, u32),
}

impl PathsTask {
    /// Reads what follows `task=` on a line.
    pub(super) fn parse(text: &str, line: usize) -> Result<Self, PathsError> {
        let parse = || {
            let (agents, rest) = text.split_once("via")?;
            let (start, rest) = rest.split_once("meet")?;
            let (meeting, rest) = rest.split_once("at")?;
            let (tick, goal) = rest.split_once("to")?;
            let (initiator, executor) = agents.trim().split_once(char::is_whitespace)?;
            Some(Self {
                initiator: initiator.parse().ok()?,
                executor: executor.trim().parse().ok()?,
                start: position(start)?,
                meeting: position(meeting)?,
                tick: tick.trim().parse().ok()?,
                goal: position(goal)?,
            })
        };
        parse().ok_or_else(|| PathsError::Task { line, found: quoted(text.trim()) })
    }

    /// Writes the task on a line of its own.
    pub(super) fn write(&self, text: &mut String) {
        let [start, meeting, goal] =
            [self.start, self.meeting, self.goal].map(|(x, y)| format!("({x},{y})"));
        let Self { initiator, executor, tick, .. } = self;
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "task={initiator} {executor} via {start} meet {meeting} at {tick} to {goal}"
        );
    }

    /// Makes sure that the agents of these tasks are there at the beginning, and that each has one task.
    pub(super) fn check_all(
        tasks: &[(usize, Self)],
        starts: &[Position],
    ) -> Result<(), PathsError> {
        let mut has_task = vec![false; starts.len()];
        for &(line, task) in tasks {
            for agent in [task.initiator, task.executor] {
                let wrong = |reason| PathsError::TaskAgent { line, agent, reason };
                if starts.get(agent as usize).copied().flatten().is_none() {
                    return Err(wrong("has a task, and no start"));
                }
                if std::mem::replace(&mut has_task[agent as usize], true) {
                    return Err(wrong("has a task already"));
                }
            }
        }
        Ok(())
    }
}
