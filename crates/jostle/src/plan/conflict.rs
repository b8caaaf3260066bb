//! Conflicts between the paths of a plan.

use std::collections::VecDeque;
use std::fmt;

use super::{Plan, TimedPath};
use crate::grid::Cell;
use crate::world::NOBODY;

/// A conflict between the paths of two agents. The first has the smaller number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Conflict {
    /// Both are on one cell.
    Vertex {
        /// The tick at which they are both there.
        tick: u64,
        /// The two agents.
        agents: (usize, usize),
        /// The cell.
        cell: Cell,
        /// Column and row of the cell.
        at: (u32, u32),
    },
    /// They exchange cells.
    Swap {
        /// The tick at which their steps end.
        tick: u64,
        /// The two agents.
        agents: (usize, usize),
        /// The cells between which the first agent steps: from, to.
        step: (Cell, Cell),
    },
    /// Their diagonal steps cross, and the rules forbid that.
    Crossing {
        /// The tick at which their steps end.
        tick: u64,
        /// The two agents.
        agents: (usize, usize),
        /// The cells between which the first agent steps: from, to.
        step: (Cell, Cell),
    },
}

impl Conflict {
    /// The tick at which it happens; for steps, the tick at which they end.
    pub const fn tick(&self) -> u64 {
        match *self {
            Self::Vertex { tick, .. } | Self::Swap { tick, .. } | Self::Crossing { tick, .. } => {
                tick
            }
        }
    }

    /// The two agents, the smaller number first.
    pub const fn agents(&self) -> (usize, usize) {
        match *self {
            Self::Vertex { agents, .. }
            | Self::Swap { agents, .. }
            | Self::Crossing { agents, .. } => agents,
        }
    }
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ((first, second), tick) = (self.agents(), self.tick());
        match self {
            Self::Vertex { at: (x, y), .. } => {
                write!(f, "agents {first} and {second} are both on ({x}, {y}) at tick {tick}")
            }
            Self::Swap { .. } => write!(f, "agents {first} and {second} swap cells at tick {tick}"),
            Self::Crossing { .. } => {
                write!(f, "the diagonals of agents {first} and {second} cross at tick {tick}")
            }
        }
    }
}

/// The conflicts of a plan, tick by tick.
///
/// Cost: a few look-ups for each agent and tick, up to the last tick of the longest path; after that no agent moves.
#[derive(Clone, Debug)]
pub struct Conflicts<'a> {
    plan: &'a Plan,
    /// The tick to examine next.
    tick: u64,
    /// The first tick that is not examined.
    end: u64,
    /// The agents on each cell one tick before the tick that is being examined.
    before: Occupancy,
    /// The agents on each cell at the tick that is being examined.
    now: Occupancy,
    found: VecDeque<Conflict>,
}

impl<'a> Conflicts<'a> {
    pub(super) fn of(plan: &'a Plan) -> Self {
        let cells = plan.grid().cells().len();
        let end = plan.paths().iter().filter_map(TimedPath::ends).max().map_or(0, |last| last + 1);
        Self {
            plan,
            tick: 0,
            end,
            before: Occupancy::on(cells, plan.paths().len()),
            now: Occupancy::on(cells, plan.paths().len()),
            found: VecDeque::new(),
        }
    }

    /// Finds the conflicts of one tick.
    fn look(&mut self) {
        std::mem::swap(&mut self.before, &mut self.now);
        self.now.clear();
        let (tick, grid) = (self.tick, self.plan.grid());
        let mut found = Vec::new();
        for (agent, path) in self.plan.paths().iter().enumerate() {
            let Some(cell) = path.at(tick) else { continue };
            for other in self.now.on_cell(cell) {
                let at = grid.position(cell);
                found.push(Conflict::Vertex { tick, agents: (other, agent), cell, at });
            }
            self.now.put(agent, cell);
        }
        for (agent, path) in self.plan.paths().iter().enumerate() {
            let from = tick.checked_sub(1).and_then(|before| path.at(before));
            let (Some(from), Some(to)) = (from, path.at(tick)) else { continue };
            if from == to {
                continue;
            }
            // Each conflict is found once: at the agent with the larger number.
            let passing = |here: Cell, there: Cell| {
                let now = &self.now;
                let passes = move |&other: &usize| other < agent && now.cell(other) == Some(there);
                self.before.on_cell(here).filter(passes)
            };
            found.extend(passing(to, from).map(|other| Conflict::Swap {
                tick,
                agents: (other, agent),
                step: (to, from),
            }));
            let crossed =
                grid.step_between(from, to).and_then(|step| grid.crossed_steps(from, step));
            for (here, there) in crossed.into_iter().flatten() {
                found.extend(passing(here, there).map(|other| Conflict::Crossing {
                    tick,
                    agents: (other, agent),
                    step: (here, there),
                }));
            }
        }
        found.sort_unstable_by_key(|conflict| (conflict.agents(), *conflict));
        self.found.extend(found);
        self.tick += 1;
    }
}

impl Iterator for Conflicts<'_> {
    type Item = Conflict;

    fn next(&mut self) -> Option<Conflict> {
        while self.found.is_empty() && self.tick < self.end {
            self.look();
        }
        self.found.pop_front()
    }
}

/// Which agents stand on which cell. There may be several on one: these are chained.
#[derive(Clone, Debug)]
struct Occupancy {
    /// The last agent put on each cell.
    last: Vec<u32>,
    /// The agent put on the same cell before each agent.
    earlier: Vec<u32>,
    /// The cell on which each agent was put.
    cells: Vec<Option<Cell>>,
}

impl Occupancy {
    fn on(cells: usize, agents: usize) -> Self {
        Self { last: vec![NOBODY; cells], earlier: vec![NOBODY; agents], cells: vec![None; agents] }
    }

    fn clear(&mut self) {
        for cell in self.cells.iter_mut().filter_map(Option::take) {
            self.last[cell.index()] = NOBODY;
        }
    }

    /// Puts an agent on a cell. One that is not on the grid is nowhere: its path is not walkable in any case.
    fn put(&mut self, agent: usize, cell: Cell) {
        if let Some(last) = self.last.get_mut(cell.index()) {
            self.earlier[agent] = std::mem::replace(last, agent as u32);
            self.cells[agent] = Some(cell);
        }
    }

    fn cell(&self, agent: usize) -> Option<Cell> {
        self.cells[agent]
    }

    fn on_cell(&self, cell: Cell) -> impl Iterator<Item = usize> {
        let known = |agent: u32| (agent != NOBODY).then_some(agent as usize);
        let first = self.last.get(cell.index()).copied().and_then(known);
        std::iter::successors(first, move |&agent| known(self.earlier[agent]))
    }
}
