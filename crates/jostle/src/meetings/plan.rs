//! A plan for pairs of agents that meet.

use std::sync::Arc;

use super::{AtTarget, MeetingInstance, MeetingTask, Stage};
use crate::formats::{Paths, PathsTask};
use crate::grid::{Cell, Grid};
use crate::plan::{Conflict, Plan, TimedPath};
use crate::world::Change;

/// Where and when the two agents of a task meet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Meeting {
    /// The cell on which both are.
    pub cell: Cell,
    /// The tick at which both are there.
    pub tick: u64,
}

/// The timed paths of all pairs, and their meetings.
///
/// A path ends when the part of its agent is done: that of an initiator (agent `2i` for task `i`) with the meeting, that of an
/// executor (agent `2i + 1`) on the goal of the task. [`TimedPath::stays`] says whether the agent then stays or leaves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MeetingPlan {
    tasks: Arc<[MeetingTask]>,
    plan: Plan,
    meetings: Vec<Meeting>,
}

impl MeetingPlan {
    /// The plan with these paths, two for each task of the instance, and these meetings, one for each.
    pub fn new(instance: &MeetingInstance, paths: Vec<TimedPath>, meetings: Vec<Meeting>) -> Self {
        debug_assert_eq!(
            (paths.len(), meetings.len()),
            (2 * instance.tasks().len(), instance.tasks().len())
        );
        let plan = Plan::new(Arc::clone(instance.shared_grid()), paths);
        Self { tasks: Arc::clone(instance.shared_tasks()), plan, meetings }
    }

    /// The floor.
    pub fn grid(&self) -> &Grid {
        self.plan.grid()
    }

    /// The tasks.
    pub fn tasks(&self) -> &[MeetingTask] {
        &self.tasks
    }

    /// The paths, two for each task: that of the initiator, then that of the executor.
    pub fn paths(&self) -> &[TimedPath] {
        self.plan.paths()
    }

    /// The meetings, one for each task.
    pub fn meetings(&self) -> &[Meeting] {
        &self.meetings
    }

    /// What agents do when their part is done.
    pub fn at_target(&self) -> AtTarget {
        let stays = self.paths().iter().any(|path| path.stays);
        if stays { AtTarget::Stay } else { AtTarget::Leave }
    }

    /// The sum over tasks of the tick of the meeting and the tick at which the executor is on the goal for good. Agents that
    /// wait on the last cells of their paths pay for that, because they are not done.
    pub fn cost(&self) -> u64 {
        self.paths().iter().filter_map(TimedPath::ends).sum()
    }

    /// The tick at which the last task is done.
    pub fn makespan(&self) -> u64 {
        self.paths().iter().filter_map(TimedPath::ends).max().unwrap_or(0)
    }

    /// The earliest conflict. A meeting is none.
    pub fn first_conflict(&self) -> Option<Conflict> {
        self.plan.conflicts().find(|conflict| !self.is_meeting(conflict))
    }

    fn is_meeting(&self, conflict: &Conflict) -> bool {
        let Conflict::Vertex { tick, agents: (first, second), cell, .. } = *conflict else {
            return false;
        };
        let is_pair = first.is_multiple_of(2) && second == first + 1;
        is_pair && self.meetings.get(first / 2) == Some(&Meeting { cell, tick })
    }

    /// The stage of each task at every tick up to the [last](MeetingPlan::makespan), tick by tick.
    pub fn stages(&self) -> impl Iterator<Item = Vec<Stage>> {
        let mut stages = vec![Stage::default(); self.tasks.len()];
        (0..=self.makespan()).map(move |tick| {
            let pairs = self.paths().chunks_exact(2);
            for ((stage, task), pair) in stages.iter_mut().zip(&*self.tasks).zip(pairs) {
                *stage = task.stage_after(*stage, pair[0].at(tick), pair[1].at(tick));
            }
            stages.clone()
        })
    }

    /// The plan as a path file, which lists the tasks and their meetings.
    pub fn to_paths(&self) -> Paths {
        let mut paths = Paths::of_plan(&self.plan);
        let at = |cell| self.grid().position(cell);
        let tasks = (0..).zip(self.tasks.iter().zip(&self.meetings));
        paths.opening.tasks = tasks
            .map(|(number, (task, meeting))| PathsTask {
                initiator: 2 * number,
                executor: 2 * number + 1,
                start: at(task.start),
                meeting: at(meeting.cell),
                tick: meeting.tick,
                goal: at(task.goal),
            })
            .collect();
        for (agent, path) in (0..).zip(self.paths()) {
            if let Some(ends) = path.ends().filter(|&ends| !path.stays && ends < self.makespan()) {
                paths.script.add(ends, Change::Leave { agent });
            }
        }
        paths
    }
}
