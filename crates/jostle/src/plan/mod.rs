//! The paths of all agents through time, as a value.

mod conflict;
mod path;

pub use conflict::{Conflict, Conflicts};
pub use path::TimedPath;

use std::sync::Arc;

use crate::grid::{Cell, Grid};
use crate::metrics::Distance;
use crate::search::Reservations;
use crate::trace::Trace;
use crate::world::{Change, ChangeError, IllegalMove, Moves, World};

/// The timed paths of all agents: where each is to be at every tick.
///
/// Agents are numbered from 0. A plan may have conflicts; [`Plan::first_conflict`] and [`Plan::conflicts`] find them.
///
/// ```
/// use std::sync::Arc;
///
/// use jostle::plan::{Plan, TimedPath};
/// use jostle::Grid;
///
/// let grid = Arc::new(Grid::open(3, 1)?);
/// let [west, middle, east] = [0, 1, 2].map(|x| grid.at(x, 0).unwrap());
/// let first = TimedPath::of(vec![west, middle, east]);
/// let second = TimedPath::of(vec![east, middle]);
/// let plan = Plan::new(grid, vec![first, second]);
/// assert_eq!((plan.sum_of_costs(), plan.makespan()), (3, 2));
///
/// let conflict = plan.first_conflict().unwrap();
/// assert_eq!(conflict.to_string(), "agents 0 and 1 are both on (1, 0) at tick 1");
/// # Ok::<(), jostle::grid::SizeError>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "PlanForm", try_from = "PlanForm"))]
pub struct Plan {
    grid: Arc<Grid>,
    paths: Vec<TimedPath>,
}

/// Equal plans have equal paths on floors of the same size.
impl PartialEq for Plan {
    fn eq(&self, other: &Self) -> bool {
        let size = |plan: &Self| (plan.grid.width(), plan.grid.height());
        size(self) == size(other) && self.paths == other.paths
    }
}

impl Eq for Plan {}

impl Plan {
    /// A plan of these paths on a floor, one for each agent.
    pub fn new(grid: impl Into<Arc<Grid>>, paths: Vec<TimedPath>) -> Self {
        Self { grid: grid.into(), paths }
    }

    /// The paths of the agents that were present from the beginning to the end of a run, in the order of their
    /// slots.
    pub fn of_trace(trace: &Trace) -> Self {
        let mut agents: Vec<(usize, Vec<Cell>)> =
            trace.opening().iter().map(|agent| (agent.slot(), vec![agent.cell])).collect();
        let mut frames = trace.frames();
        while let Some(frame) = frames.next_frame() {
            // An agent that joins may take the slot of one that has left.
            for change in frame.changes() {
                if let Change::Leave { agent } = change {
                    agents.retain(|(slot, _)| *slot != agent.slot());
                }
            }
            for (slot, cells) in &mut agents {
                cells.extend(frame.cell(*slot));
            }
        }
        let paths = agents.into_iter().map(|(_, cells)| TimedPath::of(cells)).collect();
        Self { grid: Arc::clone(trace.shared_grid()), paths }
    }

    /// The floor.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The floor, to be shared.
    pub const fn shared_grid(&self) -> &Arc<Grid> {
        &self.grid
    }

    /// The paths, by agent.
    pub fn paths(&self) -> &[TimedPath] {
        &self.paths
    }

    /// The path of an agent, to be changed.
    pub fn path_mut(&mut self, agent: usize) -> Option<&mut TimedPath> {
        self.paths.get_mut(agent)
    }

    /// The sum over agents of the ticks at which they are on their last cells for good.
    pub fn sum_of_costs(&self) -> u64 {
        self.paths.iter().map(TimedPath::cost).sum()
    }

    /// The tick at which the last agent is on its last cell for good.
    pub fn makespan(&self) -> u64 {
        self.paths.iter().map(TimedPath::cost).max().unwrap_or(0)
    }

    /// The sum of the distances that agents walk.
    pub fn distance(&self) -> Distance {
        self.paths.iter().map(|path| path.distance(&self.grid)).sum()
    }

    /// Whether every path consists of waits and steps that the floor allows. This says nothing about conflicts.
    pub fn is_walkable(&self) -> bool {
        let is_step = |from, to| self.grid.step_between(from, to).is_some();
        self.paths.iter().all(|path| path.is_legal(is_step))
    }

    /// The earliest conflict; of those at one tick, the one whose agents have the smallest numbers.
    pub fn first_conflict(&self) -> Option<Conflict> {
        Conflicts::of(self).next()
    }

    /// All conflicts, in the order of their ticks.
    pub fn conflicts(&self) -> Conflicts<'_> {
        Conflicts::of(self)
    }

    /// The run in which every agent follows its path, from tick 0 to the end of the longest. The goal of an agent is the
    /// last cell of its path.
    ///
    /// # Errors
    /// When the world refuses the plan: two agents begin on one cell or on a wall, a step is illegal, or two paths are
    /// in conflict. Also when a path is empty, begins after tick 0, or does not end where its agent stays.
    pub fn to_trace(&self) -> Result<Trace, NotARun> {
        let mut world = World::new(Arc::clone(&self.grid));
        let mut agents = Vec::new();
        for (number, path) in self.paths.iter().enumerate() {
            let (Some(start), Some(&goal)) = (path.at(0), path.cells.last()) else {
                return Err(NotARun::Incomplete(number));
            };
            agents.push(world.add(start, goal)?);
        }
        let mut trace = Trace::begin(&world);
        let mut moves = Moves::default();
        let end = self.paths.iter().filter_map(TimedPath::ends).max().unwrap_or(0);
        for tick in 1..=end {
            moves.reset(&world);
            for (number, (path, &agent)) in self.paths.iter().zip(&agents).enumerate() {
                moves.set(agent, path.at(tick).ok_or(NotARun::Incomplete(number))?);
            }
            world.advance(&moves)?;
            trace.record(&world);
        }
        Ok(trace)
    }

    /// Reserves every path.
    pub fn reserve(&self, table: &mut Reservations) {
        for (agent, path) in self.paths.iter().enumerate() {
            path.reserve(agent, table);
        }
    }
}

/// Why a plan is not a run that a world allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotARun {
    /// An agent cannot begin where its path does.
    #[error(transparent)]
    Start(#[from] ChangeError),
    /// Agents cannot move like this.
    #[error(transparent)]
    Move(#[from] IllegalMove),
    /// A path does not name a cell for every tick of the plan.
    #[error("the path of agent {0} does not begin at tick 0 and end where the agent stays")]
    Incomplete(usize),
}

/// The serialised form of a plan.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct PlanForm {
    grid: Grid,
    paths: Vec<TimedPath>,
}

#[cfg(feature = "serde")]
impl From<Plan> for PlanForm {
    fn from(plan: Plan) -> Self {
        Self { grid: Arc::unwrap_or_clone(plan.grid), paths: plan.paths }
    }
}

#[cfg(feature = "serde")]
impl TryFrom<PlanForm> for Plan {
    type Error = &'static str;

    fn try_from(form: PlanForm) -> Result<Self, Self::Error> {
        let mut cells = form.paths.iter().flat_map(|path| &path.cells);
        if cells.all(|&cell| form.grid.contains(cell)) {
            Ok(Self::new(form.grid, form.paths))
        } else {
            Err("a path leaves the map")
        }
    }
}

#[cfg(test)]
#[path = "plan_test.rs"]
mod tests;
