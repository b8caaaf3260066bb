//! The independent checker: is this run legal?
//!
//! It shares no code with the planners or the world. Of a [`Grid`] it takes only which cells are floor
//! and which rules hold, and works out by itself, in coordinates, what a legal step is. A mistake in the
//! engine's own idea of a step cannot hide here.

use std::collections::HashMap;

use crate::formats::Paths;
use crate::grid::{Cell, CornerRule, Grid, Neighbours};
use crate::trace::Trace;
use crate::world::{Agent, Change};

type Point = (i64, i64);

/// Why a run is illegal. Agents are counted from 0, ticks too: tick 0 is the beginning.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Violation {
    /// An agent is off the floor.
    #[error("tick {tick}: agent {agent} is on ({x}, {y}), which is not floor", x = at.0, y = at.1)]
    NotFloor {
        /// When.
        tick: usize,
        /// Who.
        agent: usize,
        /// Where.
        at: Point,
    },
    /// Two agents are on one cell.
    #[error("tick {tick}: agents {agent} and {other} are both on ({x}, {y})", x = at.0, y = at.1)]
    Collision {
        /// When.
        tick: usize,
        /// One.
        agent: usize,
        /// The other.
        other: usize,
        /// Where.
        at: Point,
    },
    /// Two agents exchanged cells.
    #[error("tick {tick}: agents {agent} and {other} swapped cells")]
    Swap {
        /// When.
        tick: usize,
        /// One.
        agent: usize,
        /// The other.
        other: usize,
    },
    /// Two diagonal steps crossed, and that is forbidden.
    #[error("tick {tick}: the diagonals of agents {agent} and {other} crossed")]
    Crossing {
        /// When.
        tick: usize,
        /// One.
        agent: usize,
        /// The other.
        other: usize,
    },
    /// No legal step leads there.
    #[error(
        "tick {tick}: agent {agent} went from ({}, {}) to ({}, {}), which is no legal step",
        from.0, from.1, to.0, to.1
    )]
    NoSuchStep {
        /// When.
        tick: usize,
        /// Who.
        agent: usize,
        /// From where.
        from: Point,
        /// To where.
        to: Point,
    },
    /// A planner moved an agent that is not ours.
    #[error("tick {tick}: agent {agent} is not ours, and was moved")]
    ForeignMoved {
        /// When.
        tick: usize,
        /// Who.
        agent: usize,
    },
    /// An agent appeared or vanished without the game having said so.
    #[error("tick {tick}: there are {found} agents where {expected} are expected")]
    Headcount {
        /// When.
        tick: usize,
        /// Agents found.
        found: usize,
        /// Agents expected.
        expected: usize,
    },
    /// The first positions of a path file are not its starts.
    #[error("tick 0: agent {agent} does not stand on its start")]
    NotAtStart {
        /// Who.
        agent: usize,
    },
}

/// What a legal run was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Legal {
    /// How many agents.
    pub agents: usize,
    /// How many ticks.
    pub ticks: usize,
    /// How many agents stand on their goals at the end.
    pub home: usize,
}

/// Checks a whole run, with everything that the game changed on the way.
///
/// # Errors
/// The first violation.
pub fn check_trace(trace: &Trace) -> Result<Legal, Violation> {
    let mut checker = Checker::begin(trace.grid(), trace.opening(), trace.forbids_crossing())?;
    for frame in trace.frames() {
        checker.tick(&frame.changes, frame.cells.iter().copied())?;
    }
    Ok(checker.finish())
}

/// Checks a run tick by tick, while it goes on.
pub struct Checker {
    board: Board,
    goals: Vec<Option<Point>>,
    next: Vec<Option<Point>>,
}

impl Checker {
    /// Begins with these agents, by slot, on their cells.
    ///
    /// # Errors
    /// When they already stand where they may not.
    pub fn begin(grid: &Grid, agents: &[Agent], forbids_crossing: bool) -> Result<Self, Violation> {
        let mut board = Board::new(grid, forbids_crossing);
        board.agents = agents.iter().map(|agent| board.point(agent.cell)).collect();
        board.ours = agents.iter().map(|agent| agent.ours).collect();
        let goals = agents.iter().map(|agent| board.point(agent.goal)).collect();
        board.check_standing()?;
        Ok(Self { board, goals, next: Vec::new() })
    }

    /// The game has made these changes, and then a tick has passed after which agents stand on these
    /// cells, by slot.
    ///
    /// # Errors
    /// The first violation in it.
    pub fn tick(
        &mut self,
        changes: &[Change],
        cells: impl Iterator<Item = Cell>,
    ) -> Result<(), Violation> {
        for change in changes {
            self.board.change(change, &mut self.goals);
        }
        if !changes.is_empty() {
            self.board.check_apart()?;
        }
        self.next.clear();
        self.next.extend(cells.map(|cell| self.board.point(cell)));
        self.board.step(&mut self.next)
    }

    /// What the run was.
    pub fn finish(&self) -> Legal {
        let board = &self.board;
        let ours = || {
            board.ours.iter().zip(board.agents.iter().zip(&self.goals)).filter(|(ours, _)| **ours)
        };
        Legal {
            agents: ours().filter(|(_, (at, _))| at.is_some()).count(),
            ticks: board.tick,
            home: ours().filter(|(_, (at, goal))| at.is_some() && at == goal).count(),
        }
    }
}

impl std::fmt::Debug for Checker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Checker").field("tick", &self.board.tick).finish_non_exhaustive()
    }
}

/// Checks a path file against the map it is said to be for.
///
/// # Errors
/// The first violation.
pub fn check_paths(grid: &Grid, forbids_crossing: bool, paths: &Paths) -> Result<Legal, Violation> {
    let mut board = Board::new(grid, forbids_crossing);
    let points = |positions: &[(u32, u32)]| -> Vec<Option<Point>> {
        positions.iter().map(|&(x, y)| Some((i64::from(x), i64::from(y)))).collect()
    };
    board.agents = points(&paths.starts);
    board.ours = vec![true; paths.starts.len()];
    board.check_standing()?;
    let Some((first, later)) = paths.steps.split_first() else {
        return Err(Violation::Headcount { tick: 0, found: 0, expected: paths.starts.len() });
    };
    if first.len() != paths.starts.len() {
        let (found, expected) = (first.len(), paths.starts.len());
        return Err(Violation::Headcount { tick: 0, found, expected });
    }
    if let Some(agent) = (0..first.len()).find(|&agent| first[agent] != paths.starts[agent]) {
        return Err(Violation::NotAtStart { agent });
    }
    for step in later {
        board.step(&mut points(step))?;
    }
    let home = board.agents.iter().zip(points(&paths.goals)).filter(|(at, goal)| **at == *goal);
    Ok(Legal { agents: board.agents.len(), ticks: board.tick, home: home.count() })
}

/// Where everybody stands, in coordinates.
struct Board {
    width: i64,
    floor: Vec<bool>,
    has_diagonals: bool,
    corners: CornerRule,
    forbids_crossing: bool,
    agents: Vec<Option<Point>>,
    ours: Vec<bool>,
    /// Who stands where, as of the last time that everybody was found apart.
    standing: Standing,
    tick: usize,
}

impl Board {
    fn new(grid: &Grid, forbids_crossing: bool) -> Self {
        Self {
            width: i64::from(grid.width()),
            floor: grid.cells().map(|cell| grid.is_floor(cell)).collect(),
            has_diagonals: grid.rules().neighbours == Neighbours::Eight,
            corners: grid.rules().corners,
            forbids_crossing,
            agents: Vec::new(),
            ours: Vec::new(),
            standing: Standing::on(grid.cells().len()),
            tick: 0,
        }
    }

    fn point(&self, cell: Cell) -> Option<Point> {
        let (index, width) = (cell.index() as u32, self.width as u32);
        (cell != Cell::NOWHERE).then(|| (i64::from(index % width), i64::from(index / width)))
    }

    fn index(&self, (x, y): Point) -> usize {
        (y * self.width + x) as usize
    }

    fn is_floor(&self, (x, y): Point) -> bool {
        (0..self.width).contains(&x)
            && y >= 0
            && self.floor.get(self.index((x, y))).copied().unwrap_or(false)
    }

    fn change(&mut self, change: &Change, goals: &mut Vec<Option<Point>>) {
        match *change {
            Change::Arrived { agent, cell, goal, ours } => {
                let slot = agent.slot();
                let slots = self.agents.len().max(slot + 1);
                self.agents.resize(slots, None);
                self.ours.resize(slots, false);
                goals.resize(slots, None);
                self.agents[slot] = self.point(cell);
                self.ours[slot] = ours;
                goals[slot] = self.point(goal);
            }
            Change::Left { agent } => {
                self.agents[agent.slot()] = None;
                self.ours[agent.slot()] = false;
            }
            Change::Sent { agent, goal } => goals[agent.slot()] = self.point(goal),
            Change::Placed { agent, cell } => self.agents[agent.slot()] = self.point(cell),
            Change::Edited { cell, is_floor } => self.floor[cell.index()] = is_floor,
        }
    }

    /// Everybody on floor, nobody on one cell with another.
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

    /// Everybody goes to `next`, which holds where they were afterwards.
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
            // Of two that swap, the second one tells.
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

/// Who stands on which cell. Clearing it costs nothing, because long runs are checked at every tick.
struct Standing {
    /// For each cell, the round in which somebody was last put there, and who it was.
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

    /// Puts an agent on a cell, and gives the one that stands there already.
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
