//! The independent checker: is this run legal?
//!
//! It shares no code with the planners or the world. From a [`Grid`] it takes only which cells are floor
//! and which rules hold, and works out for itself, in coordinates, what a legal step is. So it finds a
//! mistake in the engine's own definition of a step.

use std::collections::HashMap;
use std::convert::Infallible;

use crate::formats::{Paths, Position};
use crate::grid::{Cell, CornerRule, Crossing, Grid, Neighbours};
use crate::trace::Trace;
use crate::world::{Agent, Change};

type Point = (i64, i64);

/// Why a run is illegal. Agents are counted from 0, ticks too: tick 0 is the beginning.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Violation {
    /// An agent is on a wall or outside the map.
    #[error("tick {tick}: agent {agent} is on ({x}, {y}), which is not floor", x = at.0, y = at.1)]
    NotFloor {
        /// The tick after which the violation was found; 0 is the beginning.
        tick: usize,
        /// The number of the agent.
        agent: usize,
        /// Column and row.
        at: Point,
    },
    /// Two agents are on one cell.
    #[error("tick {tick}: agents {agent} and {other} are both on ({x}, {y})", x = at.0, y = at.1)]
    Collision {
        /// The tick after which the violation was found; 0 is the beginning.
        tick: usize,
        /// The number of the agent.
        agent: usize,
        /// The number of the other agent.
        other: usize,
        /// Column and row.
        at: Point,
    },
    /// Two agents exchanged cells.
    #[error("tick {tick}: agents {agent} and {other} swapped cells")]
    Swap {
        /// The tick after which the violation was found; 0 is the beginning.
        tick: usize,
        /// The number of the agent.
        agent: usize,
        /// The number of the other agent.
        other: usize,
    },
    /// Two diagonal steps crossed, and that is forbidden.
    #[error("tick {tick}: the diagonals of agents {agent} and {other} crossed")]
    Crossing {
        /// The tick after which the violation was found; 0 is the beginning.
        tick: usize,
        /// The number of the agent.
        agent: usize,
        /// The number of the other agent.
        other: usize,
    },
    /// An agent moved to a cell to which no legal step leads.
    #[error(
        "tick {tick}: agent {agent} went from ({}, {}) to ({}, {}), which is not a legal step",
        from.0, from.1, to.0, to.1
    )]
    NoSuchStep {
        /// The tick after which the violation was found; 0 is the beginning.
        tick: usize,
        /// The number of the agent.
        agent: usize,
        /// Column and row before the step.
        from: Point,
        /// Column and row after it.
        to: Point,
    },
    /// An agent that is not ours moved without a change by the game.
    #[error("tick {tick}: agent {agent} is not ours, and was moved")]
    ForeignMoved {
        /// The tick after which the violation was found; 0 is the beginning.
        tick: usize,
        /// The number of the agent.
        agent: usize,
    },
    /// An agent joined or left without a change by the game.
    #[error("tick {tick}: there are {found} agents where {expected} are expected")]
    Headcount {
        /// The tick after which the violation was found; 0 is the beginning.
        tick: usize,
        /// Agents found.
        found: usize,
        /// Agents expected.
        expected: usize,
    },
    /// A change in a path file is not possible: for example, it names a place outside the map, or an agent that
    /// is not present.
    #[error("line {line}: this change is impossible after {tick} ticks")]
    ImpossibleChange {
        /// How many ticks had passed.
        tick: usize,
        /// The line of the file.
        line: usize,
    },
    /// The first positions of a path file are not its starts.
    #[error("tick 0: agent {agent} does not stand on its start")]
    NotAtStart {
        /// The number of the agent.
        agent: usize,
    },
}

/// The size and the result of a legal run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Legal {
    /// How many agents of ours are present at the end.
    pub agents: usize,
    /// How many ticks passed.
    pub ticks: usize,
    /// How many of those agents stand on their goals at the end.
    pub arrived: usize,
}

/// Checks a whole run, including the changes that the game made.
///
/// # Errors
/// The first violation.
pub fn check_trace(trace: &Trace) -> Result<Legal, Violation> {
    let mut checker = Checker::begin(trace.grid(), trace.opening().iter().copied())?;
    for frame in trace.frames() {
        checker.tick(frame.changes(), frame.cells())?;
    }
    Ok(checker.finish())
}

/// Checks a run tick by tick, while it is going on.
pub struct Checker {
    board: Board,
    next: Vec<Option<Point>>,
}

impl Checker {
    /// Begins with these agents on their cells.
    ///
    /// # Errors
    /// When an agent is not on floor, or two are on one cell.
    pub fn begin(grid: &Grid, agents: impl Iterator<Item = Agent>) -> Result<Self, Violation> {
        let mut board = Board::new(grid);
        for Agent { id, cell, goal, ours } in agents {
            board.join(id.slot(), board.point(cell), board.point(goal), ours);
        }
        board.check_standing()?;
        Ok(Self { board, next: Vec::new() })
    }

    /// Checks one tick: the game has made these changes, and after the tick the agents stand on these cells,
    /// by slot.
    ///
    /// # Errors
    /// The first violation in this tick.
    pub fn tick(
        &mut self,
        changes: &[Change],
        cells: impl Iterator<Item = Option<Cell>>,
    ) -> Result<(), Violation> {
        let Self { board, next } = self;
        for change in changes {
            let change: Result<_, Infallible> =
                change.try_map(|agent| Ok(agent.slot()), |cell| Ok(board.point(cell)));
            let Ok(change) = change;
            board.change(&change);
        }
        if !changes.is_empty() {
            board.check_apart()?;
        }
        next.clear();
        next.extend(cells.map(|cell| cell.map(|cell| board.point(cell))));
        board.step(next)
    }

    /// The summary of the run so far.
    pub fn finish(&self) -> Legal {
        self.board.finish()
    }
}

impl std::fmt::Debug for Checker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Checker").field("tick", &self.board.tick).finish_non_exhaustive()
    }
}

/// Checks a path file against its map, including the changes by the game that it lists.
///
/// # Errors
/// The first violation.
pub fn check_paths(grid: &Grid, paths: &Paths) -> Result<Legal, Violation> {
    let mut board = Board::new(grid);
    let point = |(x, y): (u32, u32)| (i64::from(x), i64::from(y));
    let count = |positions: &[Position]| positions.iter().flatten().count();
    for (agent, start) in paths.starts.iter().enumerate() {
        if let Some(start) = *start {
            let goal = paths.goals.get(agent).copied().flatten().unwrap_or(start);
            let ours = !paths.foreign.contains(&(agent as u32));
            board.join(agent, point(start), point(goal), ours);
        }
    }
    board.make_room(paths.starts.len());
    board.check_standing()?;
    let Some((first, later)) = paths.steps.split_first() else {
        let expected = count(&paths.starts);
        return Err(Violation::Headcount { tick: 0, found: 0, expected });
    };
    if first.len() != paths.starts.len() {
        let (found, expected) = (count(first), count(&paths.starts));
        return Err(Violation::Headcount { tick: 0, found, expected });
    }
    if let Some(agent) = (0..first.len()).find(|&agent| first[agent] != paths.starts[agent]) {
        return Err(Violation::NotAtStart { agent });
    }
    let mut entries = paths.script.entries().iter().peekable();
    for (step, tick) in later.iter().zip(0..) {
        let mut has_changed = false;
        while let Some(entry) = entries.next_if(|entry| entry.tick <= tick) {
            let change: Result<_, Infallible> =
                entry.change.try_map(|agent| Ok(agent as usize), |position| Ok(point(position)));
            let Ok(change) = change;
            if !board.can_change(&change) {
                return Err(Violation::ImpossibleChange { tick: tick as usize, line: entry.line });
            }
            board.change(&change);
            has_changed = true;
        }
        if has_changed {
            board.check_apart()?;
        }
        board.step(&mut step.iter().map(|at| at.map(point)).collect())?;
    }
    Ok(board.finish())
}

/// The floor and where every agent stands, in coordinates.
struct Board {
    width: i64,
    floor: Vec<bool>,
    has_diagonals: bool,
    corners: CornerRule,
    forbids_crossing: bool,
    agents: Vec<Option<Point>>,
    goals: Vec<Option<Point>>,
    ours: Vec<bool>,
    /// Which agent stands on which cell, as of the last call of `check_apart`.
    standing: Standing,
    tick: usize,
}

impl Board {
    fn new(grid: &Grid) -> Self {
        Self {
            width: i64::from(grid.width()),
            floor: grid.cells().map(|cell| grid.is_floor(cell)).collect(),
            has_diagonals: grid.rules().neighbours == Neighbours::Eight,
            corners: grid.rules().corners,
            forbids_crossing: grid.rules().crossing == Crossing::Forbidden,
            agents: Vec::new(),
            goals: Vec::new(),
            ours: Vec::new(),
            standing: Standing::on(grid.cells().len()),
            tick: 0,
        }
    }

    fn point(&self, cell: Cell) -> Point {
        let (index, width) = (cell.index() as u32, self.width as u32);
        (i64::from(index % width), i64::from(index / width))
    }

    fn index(&self, (x, y): Point) -> usize {
        (y * self.width + x) as usize
    }

    fn is_floor(&self, (x, y): Point) -> bool {
        (0..self.width).contains(&x)
            && y >= 0
            && self.floor.get(self.index((x, y))).copied().unwrap_or(false)
    }

    /// Whether a change names places on the map, and an agent that is present, or absent for a join.
    fn can_change(&self, change: &Change<usize, Point>) -> bool {
        let is_there = |agent: usize| self.agents.get(agent).is_some_and(Option::is_some);
        let height = self.floor.len() as i64 / self.width;
        change.places().all(|(x, y)| x < self.width && y < height)
            && match *change {
                Change::Join { agent, cell, .. } => {
                    !is_there(agent) && agent < self.agents.len() && self.is_floor(cell)
                }
                Change::Place { agent, cell } => is_there(agent) && self.is_floor(cell),
                _ => change.agent().is_none_or(is_there),
            }
    }

    fn change(&mut self, change: &Change<usize, Point>) {
        match *change {
            Change::Join { agent, cell, goal, ours } => self.join(agent, cell, goal, ours),
            Change::Leave { agent } => {
                self.agents[agent] = None;
                self.ours[agent] = false;
            }
            Change::Send { agent, goal } => self.goals[agent] = Some(goal),
            Change::Place { agent, cell } => self.agents[agent] = Some(cell),
            Change::SetFloor { cell, is_floor } => {
                let index = self.index(cell);
                self.floor[index] = is_floor;
            }
        }
    }

    fn join(&mut self, agent: usize, at: Point, goal: Point, ours: bool) {
        self.make_room(agent + 1);
        self.agents[agent] = Some(at);
        self.goals[agent] = Some(goal);
        self.ours[agent] = ours;
    }

    /// Makes room for at least this many agents.
    fn make_room(&mut self, agents: usize) {
        let agents = self.agents.len().max(agents);
        self.agents.resize(agents, None);
        self.goals.resize(agents, None);
        self.ours.resize(agents, false);
    }

    fn finish(&self) -> Legal {
        let ours = || {
            let agents = self.agents.iter().zip(&self.goals).zip(&self.ours);
            agents.filter(|((at, _), ours)| **ours && at.is_some())
        };
        Legal {
            agents: ours().count(),
            ticks: self.tick,
            arrived: ours().filter(|((at, goal), _)| at == goal).count(),
        }
    }

    /// Checks that every agent is on floor, and that no two share a cell.
    fn check_standing(&mut self) -> Result<(), Violation> {
        for (agent, at) in self.agents.iter().enumerate() {
            if let Some(at) = *at
                && !self.is_floor(at)
            {
                return Err(Violation::NotFloor { tick: self.tick, agent, at });
            }
        }
        self.check_apart()
    }

    fn check_apart(&mut self) -> Result<(), Violation> {
        self.standing.clear();
        for (agent, at) in self.agents.iter().enumerate() {
            if let Some(at) = *at
                && let Some(other) = self.standing.put(self.index(at), agent)
            {
                return Err(Violation::Collision { tick: self.tick, agent, other, at });
            }
        }
        Ok(())
    }

    /// Moves all agents to `next`. Afterwards `next` holds their earlier positions.
    fn step(&mut self, next: &mut Vec<Option<Point>>) -> Result<(), Violation> {
        self.tick += 1;
        let tick = self.tick;
        let present = |agents: &[Option<Point>]| agents.iter().flatten().count();
        let same_slots = next.len() == self.agents.len()
            && next.iter().zip(&self.agents).all(|(next, at)| next.is_some() == at.is_some());
        if !same_slots {
            let (found, expected) = (present(next), present(&self.agents));
            return Err(Violation::Headcount { tick, found, expected });
        }
        let mut diagonals = HashMap::new();
        for (agent, (from, to)) in self.agents.iter().zip(&*next).enumerate() {
            let (Some(from), Some(to)) = (*from, *to) else {
                continue;
            };
            if from == to {
                continue;
            }
            if !self.ours[agent] {
                return Err(Violation::ForeignMoved { tick, agent });
            }
            if !self.is_legal_step(from, to) {
                return Err(Violation::NoSuchStep { tick, agent, from, to });
            }
            // A swap is reported once: at the second agent.
            if let Some(other) = self.standing.at(self.index(to))
                && other < agent
                && next[other] == Some(from)
            {
                return Err(Violation::Swap { tick, agent, other });
            }
            let (dx, dy) = (to.0 - from.0, to.1 - from.1);
            if self.forbids_crossing && dx != 0 && dy != 0 {
                let (a, b) = ((from.0 + dx, from.1), (from.0, from.1 + dy));
                if let Some(&other) = diagonals.get(&(a, b)).or_else(|| diagonals.get(&(b, a))) {
                    return Err(Violation::Crossing { tick, agent, other });
                }
                diagonals.insert((from, to), agent);
            }
        }
        std::mem::swap(&mut self.agents, next);
        self.check_apart()
    }

    fn is_legal_step(&self, from: Point, to: Point) -> bool {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        if dx.abs() > 1 || dy.abs() > 1 || !self.is_floor(to) {
            return false;
        }
        if dx == 0 || dy == 0 {
            return true;
        }
        let beside = [(from.0 + dx, from.1), (from.0, from.1 + dy)].map(|at| self.is_floor(at));
        self.has_diagonals
            && match self.corners {
                CornerRule::BothFree => beside == [true, true],
                CornerRule::OneFree => beside != [false, false],
                CornerRule::Ignored => true,
            }
    }
}

/// Which agent stands on which cell. Clearing it takes no time, because it is cleared at every tick of a run.
struct Standing {
    /// For each cell, the round in which an agent was last put there, and that agent.
    put: Vec<(u32, u32)>,
    round: u32,
}

impl Standing {
    fn on(cells: usize) -> Self {
        Self { put: vec![(0, 0); cells], round: 0 }
    }

    fn clear(&mut self) {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.put.fill((0, 0));
            self.round = 1;
        }
    }

    fn at(&self, cell: usize) -> Option<usize> {
        let &(round, agent) = self.put.get(cell)?;
        (round == self.round).then_some(agent as usize)
    }

    /// Puts an agent on a cell, and returns the one that stood there already.
    fn put(&mut self, cell: usize, agent: usize) -> Option<usize> {
        let other = self.at(cell);
        if let Some(place) = self.put.get_mut(cell) {
            *place = (self.round, agent as u32);
        }
        other
    }
}

#[cfg(test)]
#[path = "check_test.rs"]
mod tests;
