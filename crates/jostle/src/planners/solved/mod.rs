//! A solver's plan as a planner: everybody follows the best joint plan that can be found in time.
//!
//! In the first tick, the solver looks for a plan from where the agents stand, within the `budget` of the tick. If it finds
//! one, everybody [follows](super::Follow) it from that tick on. If not, [Jostle](super::jostle) moves everybody while the
//! solver goes on. A plan that begins where agents stood some ticks ago is of no use. So a copy of the world is played ahead, by a copy of
//! Jostle, and the solver looks for a plan that begins there. It has until the world arrives at that tick: 4 ticks, then
//! 8, and so on up to 64 if that was not enough. Its search goes on in slices of one budget a tick. With `patience`, agents
//! then wait for it for some ticks before they walk on.
//!
//! A plan is broken when an agent of ours joins, leaves, is placed elsewhere or gets another goal, when a wall cuts a path, or
//! when foreign agents have made somebody late. Then all of this begins again: often a new plan is found in the same tick.
//! When the game changes something during a search, the search is dropped, and the next one begins after a pause, which
//! becomes longer each time, so that a game that always changes something has Jostle and little more.
//!
//! It promises legal moves. While nothing is changed, and if a plan is found in the first tick or within `patience`, it is executed
//! exactly. Without a plan, it promises what Jostle promises. Foreign agents are obstacles where they stand when a search
//! begins. An agent that cannot reach its goal stays where it is, and makes room. Of agents that share a goal, one has it and the others come
//! close to it. Where a wall is removed, a plan that leads to all goals stays, even if there are better ones now.
//!
//! Parameters: those of the solver, and
//! - `budget`: the most nodes that the solver may expand in a tick;
//! - `patience`: for how many ticks agents wait for a plan that is not found in time.
//!
//! Cost per tick: while it follows a plan, a few look-ups for each agent. While it looks for one, the budget and at most
//! three ticks of Jostle, one for the moves and two for the copy. When a search begins, solvers compute distances from all cells to
//! all goals, which no budget limits. With more than 2^25 pairs of a cell and a goal there is no search, only Jostle.
//! A search that holds 64 MiB does not go on.

mod course;
mod problem;
mod thinking;

use std::sync::Arc;

use super::jostle::JostlePlanner;
use super::news::{Followed, MapNews};
use super::rehearsal::Rehearsal;
use super::{Entry, Field, Jostle, Planner, Recipe, Value, Work};
use crate::grid::Cell;
use crate::solvers::{self, Solver};
use crate::world::{Agent, Moves, World};
use course::Course;
pub(super) use problem::{Problem, aims};
use thinking::Thinking;

/// How many ticks ahead of the world a plan begins at first, and at most.
const LEADS: (u64, u64) = (4, 64);

/// How many ticks are rehearsed in a tick. The world catches up by one of them.
const REHEARSED_A_TICK: u64 = 2;

/// The parameters of a planner that follows the plans of a solver: those of the solver, and how long it may take.
///
/// ```
/// use jostle::planners::{Planner, Recipe, Solved};
/// use jostle::solvers::Cbs;
/// use jostle::{Grid, Simulation, World};
///
/// // Two agents change places in a corridor with a bay.
/// let mut world = World::new(Grid::from_ascii(".....\n##.##")?);
/// let [west, east] = [0, 4].map(|x| world.grid().at(x, 0).unwrap());
/// world.add(west, east)?;
/// world.add(east, west)?;
/// let mut planner = Solved::by(Cbs::default()).build();
/// let outcome = Simulation::new(&mut world, planner.as_mut()).run()?;
/// assert_eq!(outcome.metrics.ticks, 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solved {
    /// The solver.
    pub solver: Box<dyn Recipe<dyn Solver>>,
    /// How long it may take.
    pub pace: Pace,
}

/// How long a solver may take while agents move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pace {
    /// The most nodes that the solver may expand in a tick. Default: `20000`, our choice.
    pub budget: u32,
    /// For how many ticks agents wait for a plan that is not found in time, before they go on without one. Default: `0`, our choice.
    pub patience: u32,
}

impl Default for Pace {
    fn default() -> Self {
        Self { budget: 20_000, patience: 0 }
    }
}

impl Pace {
    fn fields(&mut self) -> [Field<'_>; 2] {
        let count = |value, range| Value::Count { value, range };
        [
            Field {
                name: "budget",
                about: "the most nodes the solver may expand in a tick",
                value: count(&mut self.budget, 1..=200_000),
            },
            Field {
                name: "patience",
                about: "ticks that agents wait for a plan before they go on without one",
                value: count(&mut self.patience, 0..=100_000),
            },
        ]
    }

    fn within_ranges(mut self) -> Self {
        self.fields().iter_mut().for_each(|field| field.value.clamp());
        self
    }
}

impl Solved {
    /// A planner that follows the plans of a solver with these parameters.
    pub fn by(solver: impl Recipe<dyn Solver> + 'static) -> Self {
        Self { solver: Box::new(solver), pace: Pace::default() }
    }

    /// The entry among the planners for an entry among the solvers, with the same name.
    pub fn entry(solver: &solvers::Entry) -> Entry {
        let (name, about) = (solver.name().to_owned(), format!("{}, followed", solver.about()));
        let solver = solver.clone();
        Entry::new(name, about, move || Self { solver: solver.recipe(), pace: Pace::default() })
    }
}

impl Recipe for Solved {
    fn fields(&mut self) -> Vec<Field<'_>> {
        let mut fields = self.solver.fields();
        fields.extend(self.pace.fields());
        fields
    }

    fn build(&self) -> Box<dyn Planner> {
        Box::new(SolvedPlanner::new(self.solver.build().into(), self.pace))
    }
}

/// A planner that follows the plans of a solver.
pub struct SolvedPlanner {
    solver: Arc<dyn Solver>,
    pace: Pace,
    followed: Followed,
    /// Moves everybody while there is no plan.
    walker: JostlePlanner,
    stage: Stage,
    /// How many searches in a row were in vain.
    failures: u32,
}

/// How far the way to a plan has come.
enum Stage {
    /// No search begins before this tick.
    Resting { until: u64 },
    /// Finding out where everybody will be at a tick.
    Rehearsing { rehearsal: Box<Rehearsal>, until: u64 },
    /// Looking for a plan.
    Thinking(Box<Thinking>),
    /// Following one.
    Following(Box<Course>),
}

impl Default for Stage {
    fn default() -> Self {
        Self::Resting { until: 0 }
    }
}

/// What our agents do in a tick.
enum Deed {
    Walk,
    Wait,
    Follow,
}

impl SolvedPlanner {
    /// A planner that has not seen a world yet. A number that is out of its range is taken as the nearest one that is
    /// allowed.
    pub fn new(solver: Arc<dyn Solver>, pace: Pace) -> Self {
        Self {
            solver,
            pace: pace.within_ranges(),
            followed: Followed::default(),
            walker: JostlePlanner::new(Jostle { rehearse: 0, ..Jostle::default() }),
            stage: Stage::default(),
            failures: 0,
        }
    }

    /// Whether the game has changed the floor, or which agents are there with which goals, since the last tick.
    fn notice(&mut self, world: &World) -> bool {
        if self.followed.is_another(world) {
            *self = Self::new(Arc::clone(&self.solver), self.pace);
        }
        let mut is_news = self.followed.map(world) != MapNews::Same;
        self.followed.agents(world, |_, _| is_news = true);
        is_news
    }

    /// How many ticks ahead of the world the next plan begins, and how long to rest when the game interferes.
    fn lead(&self) -> u64 {
        let (first, most) = LEADS;
        most.min(first << self.failures.saturating_sub(1).min(u64::BITS / 2))
    }

    /// Ends a search that the game has made useless. After a pause, another one begins.
    fn rest(&mut self, world: &World) {
        self.failures += 1;
        self.stage = Stage::Resting { until: world.tick() + self.lead() };
    }

    /// Begins a search for a plan from where the agents stand in this world, which may be a rehearsal.
    fn think(&mut self, present: u64, world: &World) {
        self.stage = match Thinking::begin(self.solver.as_ref(), world) {
            Some(thinking) => Stage::Thinking(Box::new(thinking)),
            None => Stage::Resting { until: present + 1 },
        };
    }

    /// Gets closer to a plan. If there is one, it is followed from this tick on.
    fn search(&mut self, world: &World, moves: &mut Moves, work: &mut Work) -> Deed {
        let now = world.tick();
        match std::mem::take(&mut self.stage) {
            Stage::Resting { until } if until <= now => self.think(now, world),
            Stage::Rehearsing { mut rehearsal, until } => {
                *work += rehearsal.go_on_to(until, REHEARSED_A_TICK);
                if rehearsal.world().tick() < until {
                    self.stage = Stage::Rehearsing { rehearsal, until };
                } else {
                    self.think(now, rehearsal.world());
                }
            }
            stage => self.stage = stage,
        }
        match std::mem::take(&mut self.stage) {
            Stage::Thinking(mut thinking) => {
                *work += thinking.go_on(self.pace.budget);
                self.judge(thinking, world, moves)
            }
            stage => {
                self.stage = stage;
                Deed::Walk
            }
        }
    }

    /// Decides how to go on with a search that has done its work for this tick.
    fn judge(&mut self, mut thinking: Box<Thinking>, world: &World, moves: &mut Moves) -> Deed {
        let is_due = thinking.due <= world.tick();
        let is_in_vain = thinking.has_ended && thinking.plan.is_none();
        if is_due && !thinking.problem.begins_in(world) {
            // An agent was placed elsewhere, or a foreign one has moved.
            self.rest(world);
            Deed::Walk
        } else if !is_due && !is_in_vain {
            self.stage = Stage::Thinking(thinking);
            Deed::Walk
        } else if !thinking.has_ended && thinking.waited < self.pace.patience {
            thinking.waited += 1;
            self.stage = Stage::Thinking(thinking);
            Deed::Wait
        } else if let Some(mut course) = thinking.into_course()
            && course.go_on(world, moves, false)
        {
            self.failures = 0;
            self.stage = Stage::Following(course);
            Deed::Follow
        } else {
            moves.reset(world);
            self.failures += 1;
            let until = world.tick() + 2 * self.lead();
            let rehearsal = Box::new(Rehearsal::begin(world, self.walker.clone()));
            self.stage = Stage::Rehearsing { rehearsal, until };
            Deed::Walk
        }
    }
}

impl Planner for SolvedPlanner {
    fn plan(&mut self, world: &World, moves: &mut Moves) -> Work {
        let is_news = self.notice(world);
        let mut work = Work::default();
        match std::mem::take(&mut self.stage) {
            Stage::Following(mut course) => {
                if course.go_on(world, moves, is_news) {
                    self.stage = Stage::Following(course);
                    return work;
                }
                moves.reset(world);
            }
            Stage::Resting { until } => self.stage = Stage::Resting { until },
            _ if is_news => self.rest(world),
            stage => self.stage = stage,
        }
        match self.search(world, moves, &mut work) {
            Deed::Walk => work += self.walker.plan(world, moves),
            Deed::Wait | Deed::Follow => {}
        }
        work
    }

    fn wish(&self, agent: &Agent) -> Option<Cell> {
        match &self.stage {
            Stage::Following(course) => course.wish(agent),
            Stage::Thinking(thinking) if thinking.waited > 0 => None,
            _ => self.walker.wish(agent),
        }
    }

    fn memory(&self) -> usize {
        let stage = match &self.stage {
            Stage::Resting { .. } => 0,
            Stage::Rehearsing { rehearsal, .. } => rehearsal.memory(),
            Stage::Thinking(thinking) => thinking.memory(),
            Stage::Following(course) => course.memory(),
        };
        size_of::<Self>() - size_of::<JostlePlanner>()
            + self.walker.memory()
            + self.followed.memory()
            + stage
    }
}

#[cfg(test)]
#[path = "solved_test.rs"]
mod tests;
