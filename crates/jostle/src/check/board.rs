//! The floor and its agents, in coordinates: the checker's own idea of a legal step.

use std::collections::HashMap;

use super::{Legal, Pairs, Point, Violation};
use crate::grid::{Cell, CornerRule, Crossing, Grid, Neighbours};
use crate::world::Change;

/// The floor and where every agent stands, in coordinates.
pub(super) struct Board {
    width: i64,
    floor: Vec<bool>,
    has_diagonals: bool,
    corners: CornerRule,
    forbids_crossing: bool,
    agents: Vec<Option<Point>>,
    goals: Vec<Option<Point>>,
    ours: Vec<bool>,
    /// Whether an agent has not reached its goal yet.
    is_under_way: Vec<bool>,
    reached: usize,
    sent: usize,
    /// Which agent stands on which cell, as of the last call of `check_apart`.
    standing: Standing,
    /// The agents that meet.
    pairs: Pairs,
    tick: usize,
}

impl Board {
    pub fn new(grid: &Grid) -> Self {
        Self {
            width: i64::from(grid.width()),
            floor: grid.cells().map(|cell| grid.is_floor(cell)).collect(),
            has_diagonals: grid.rules().neighbours == Neighbours::Eight,
            corners: grid.rules().corners,
            forbids_crossing: grid.rules().crossing == Crossing::Forbidden,
            agents: Vec::new(),
            goals: Vec::new(),
            ours: Vec::new(),
            is_under_way: Vec::new(),
            reached: 0,
            sent: 0,
            standing: Standing::on(grid.cells().len()),
            pairs: Pairs::default(),
            tick: 0,
        }
    }

    /// How many ticks have passed.
    pub const fn tick(&self) -> usize {
        self.tick
    }

    pub fn point(&self, cell: Cell) -> Point {
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
    pub fn can_change(&self, change: &Change<usize, Point>) -> bool {
        let is_there = |agent: usize| self.agents.get(agent).is_some_and(Option::is_some);
        let height = self.floor.len() as i64 / self.width;
        change.places().all(|(x, y)| x < self.width && y < height)
            && match *change {
                Change::Join { agent, cell, .. } => {
                    !is_there(agent) && agent <= self.agents.len() && self.is_floor(cell)
                }
                Change::Place { agent, cell } => is_there(agent) && self.is_floor(cell),
                _ => change.agent().is_none_or(is_there),
            }
    }

    pub fn change(&mut self, change: &Change<usize, Point>) {
        match *change {
            Change::Join { agent, cell, goal, ours } => self.join(agent, cell, goal, ours),
            Change::Leave { agent } => {
                self.agents[agent] = None;
                self.ours[agent] = false;
            }
            Change::Send { agent, goal } => {
                self.goals[agent] = Some(goal);
                self.is_under_way[agent] = true;
                self.sent += 1;
            }
            Change::Place { agent, cell } => self.agents[agent] = Some(cell),
            Change::SetFloor { cell, is_floor } => {
                let index = self.index(cell);
                self.floor[index] = is_floor;
            }
        }
    }

    pub fn join(&mut self, agent: usize, at: Point, goal: Point, ours: bool) {
        self.make_room(agent + 1);
        self.agents[agent] = Some(at);
        self.goals[agent] = Some(goal);
        self.ours[agent] = ours;
        self.is_under_way[agent] = at != goal;
    }

    /// Makes room for at least this many agents.
    pub fn make_room(&mut self, agents: usize) {
        let agents = self.agents.len().max(agents);
        self.agents.resize(agents, None);
        self.goals.resize(agents, None);
        self.ours.resize(agents, false);
        self.is_under_way.resize(agents, false);
    }

    /// From now on these agents meet.
    pub fn expect_meetings(&mut self, pairs: Pairs) {
        self.pairs = pairs;
    }

    /// Checks that the tasks of agents that meet are done.
    pub fn check_tasks(&self) -> Result<(), Violation> {
        self.pairs.finish()
    }

    pub fn finish(&self) -> Legal {
        let ours = || {
            let agents = self.agents.iter().zip(&self.goals).zip(&self.ours);
            agents.filter(|((at, _), ours)| **ours && at.is_some())
        };
        Legal {
            agents: ours().count(),
            ticks: self.tick,
            arrived: ours().filter(|((at, goal), _)| at == goal).count(),
            tasks: self.pairs.count(),
            reached: self.reached,
            sent: self.sent,
        }
    }

    /// Checks that every agent is on floor, and that no two share a cell.
    pub fn check_standing(&mut self) -> Result<(), Violation> {
        for (agent, at) in self.agents.iter().enumerate() {
            if let Some(at) = *at
                && !self.is_floor(at)
            {
                return Err(Violation::NotFloor { tick: self.tick, agent, at });
            }
        }
        self.check_apart()?;
        self.pairs.look(self.tick, &self.agents)
    }

    pub fn check_apart(&mut self) -> Result<(), Violation> {
        self.standing.clear();
        for (agent, at) in self.agents.iter().enumerate() {
            if let Some(at) = *at
                && let Some(other) = self.standing.put(self.index(at), agent)
                && !self.pairs.meet(self.tick, agent, other, at)
            {
                return Err(Violation::Collision { tick: self.tick, agent, other, at });
            }
        }
        Ok(())
    }

    /// Moves all agents to `next`. Afterwards `next` holds their earlier positions.
    pub fn step(&mut self, next: &mut Vec<Option<Point>>) -> Result<(), Violation> {
        self.tick += 1;
        let tick = self.tick;
        // Vacant slots at the end may be listed or not.
        self.make_room(next.len());
        next.resize(self.agents.len(), None);
        let present = |agents: &[Option<Point>]| agents.iter().flatten().count();
        let same_slots =
            next.iter().zip(&self.agents).all(|(next, at)| next.is_some() == at.is_some());
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
        self.count_arrivals();
        self.check_apart()?;
        self.pairs.look(tick, &self.agents)
    }

    /// Counts the goals on which agents stand for the first time.
    fn count_arrivals(&mut self) {
        let agents =
            self.agents.iter().zip(&self.goals).zip(&self.ours).zip(&mut self.is_under_way);
        for (((at, goal), &ours), is_under_way) in agents {
            if *is_under_way && ours && at.is_some() && at == goal {
                *is_under_way = false;
                self.reached += 1;
            }
        }
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
