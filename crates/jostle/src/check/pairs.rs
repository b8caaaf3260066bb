//! Pairs of agents that meet: the one time when two agents may share a cell, and whether their tasks are done.

use super::{Point, Violation, point};
use crate::formats::PathsTask;

/// The tasks of a path file, and how far they have come.
#[derive(Default)]
pub(super) struct Pairs {
    pairs: Vec<Pair>,
    /// The pair of each agent that has a task.
    of_agent: Vec<Option<usize>>,
}

struct Pair {
    initiator: usize,
    executor: usize,
    start: Point,
    meeting: Point,
    tick: usize,
    goal: Point,
    has_visited_start: bool,
    have_met: bool,
    /// Where the executor was when it was last seen.
    executor_at: Option<Point>,
}

impl Pairs {
    pub fn new(tasks: &[PathsTask]) -> Self {
        let mut of_agent = Vec::new();
        let mut pairs = Vec::new();
        for task in tasks {
            let (initiator, executor) = (task.initiator as usize, task.executor as usize);
            let agents = of_agent.len().max(initiator.max(executor) + 1);
            of_agent.resize(agents, None);
            of_agent[initiator] = Some(pairs.len());
            of_agent[executor] = Some(pairs.len());
            pairs.push(Pair {
                initiator,
                executor,
                start: point(task.start),
                meeting: point(task.meeting),
                // No run has so many ticks: such a meeting is missed.
                tick: usize::try_from(task.tick).unwrap_or(usize::MAX),
                goal: point(task.goal),
                has_visited_start: false,
                have_met: false,
                executor_at: None,
            });
        }
        Self { pairs, of_agent }
    }

    /// How many tasks there are.
    pub fn count(&self) -> usize {
        self.pairs.len()
    }

    /// Whether two agents meet at a tick on a place.
    pub fn meet(&self, tick: usize, agent: usize, other: usize, at: Point) -> bool {
        let pair_of = |agent: usize| self.of_agent.get(agent).copied().flatten();
        let pair = pair_of(agent).filter(|_| pair_of(agent) == pair_of(other));
        pair.is_some_and(|pair| {
            let pair = &self.pairs[pair];
            agent != other && (pair.tick, pair.meeting) == (tick, at)
        })
    }

    /// Looks at where agents are at a tick.
    pub fn look(&mut self, tick: usize, agents: &[Option<Point>]) -> Result<(), Violation> {
        for pair in &mut self.pairs {
            let at = |agent: usize| agents.get(agent).copied().flatten();
            let (initiator, executor) = (at(pair.initiator), at(pair.executor));
            pair.executor_at = executor.or(pair.executor_at);
            pair.has_visited_start |= initiator == Some(pair.start);
            if pair.have_met && initiator.is_some_and(|at| at != pair.meeting) {
                return Err(Violation::GoesOn { tick, agent: pair.initiator });
            }
            if tick != pair.tick {
                continue;
            }
            if !pair.has_visited_start {
                let (agent, start) = (pair.initiator, pair.start);
                return Err(Violation::StartNotVisited { tick, agent, start });
            }
            if [initiator, executor] != [Some(pair.meeting); 2] {
                return Err(pair.missed());
            }
            pair.have_met = true;
        }
        Ok(())
    }

    /// Whether all tasks are done at the end of the run.
    pub fn finish(&self) -> Result<(), Violation> {
        for pair in &self.pairs {
            if !pair.have_met {
                return Err(pair.missed());
            }
            if pair.executor_at != Some(pair.goal) {
                return Err(Violation::GoalNotReached { agent: pair.executor, goal: pair.goal });
            }
        }
        Ok(())
    }
}

impl Pair {
    fn missed(&self) -> Violation {
        let (agent, other) = (self.initiator, self.executor);
        Violation::MeetingMissed { tick: self.tick, agent, other, at: self.meeting }
    }
}
