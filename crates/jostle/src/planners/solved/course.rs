//! A solver's plan that is being followed, and when to give it up.

use super::problem::Problem;
use crate::grid::Cell;
use crate::plan::Plan;
use crate::planners::{Follow, Following, Planner};
use crate::world::{Agent, Moves, World};

/// How late agents may be before a new plan is made, in ticks.
const MOST_LATE: u64 = 4;

/// How often it is checked whether agents can now reach goals that they could not have before, in ticks.
const REVIEW_EVERY: u64 = 16;

/// A plan, and the problem that it solves.
pub struct Course {
    follow: Follow,
    problem: Problem,
    has_substitutes: bool,
}

impl Course {
    /// Follows a plan for a problem. `None` if the plan is not legal, or does not solve the problem.
    pub fn begin(plan: Plan, problem: Problem) -> Option<Self> {
        let ends = plan.paths().iter().filter_map(|path| path.cells.last().copied());
        if !ends.eq(problem.aims()) {
            return None;
        }
        let follow = Follow::with_goals(plan, problem.goals.clone()).ok()?;
        Some(Self { follow, has_substitutes: problem.has_substitutes(), problem })
    }

    /// Moves everybody by a tick. Returns false if another plan is needed; the moves are of no use then. `is_news` says
    /// that the game has changed the floor, agents or goals.
    pub fn go_on(&mut self, world: &World, moves: &mut Moves, is_news: bool) -> bool {
        if self.has_substitutes && (is_news || self.is_outdated(world)) {
            return false;
        }
        Planner::plan(&mut self.follow, world, moves);
        match self.follow.state() {
            Following::OnTime => true,
            Following::Late { ticks } => ticks < MOST_LATE,
            Following::Broken(_) => false,
        }
    }

    /// Whether the plan is over, and agents that were not sent to their goals can now do better: foreign agents that
    /// stood on goals or in front of them may have gone.
    fn is_outdated(&self, world: &World) -> bool {
        world.tick().is_multiple_of(REVIEW_EVERY)
            && self.problem.is_solved_in(world)
            && Problem::of(world).is_none_or(|now| !now.aims().eq(self.problem.aims()))
    }

    /// The next cell on the path of an agent.
    pub fn wish(&self, agent: &Agent) -> Option<Cell> {
        self.follow.wish(agent)
    }

    /// Bytes this holds, itself included.
    pub fn memory(&self) -> usize {
        size_of::<Self>() - size_of::<Follow>() + self.follow.memory() + self.problem.memory()
    }
}
