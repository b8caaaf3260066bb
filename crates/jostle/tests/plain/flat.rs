//! BMAA\* and BMAA\*-c as a programmer would write them down for speed from the paper, with flat arrays and a binary
//! heap, but nothing clever: what the engine's version is measured against.
//!
//! Everything that a search marks is an array over the map with the number of the search in which it was marked. Only
//! what agents have learned is not: an array over the map for each of 2,000 agents would take gigabytes, so each has a
//! small table of its own.
//!
//! It knows the default parameters and `push`, and crowds that stay the same and keep their goals.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use jostle::planners::{Bmaa, Planner, Work};
use jostle::{Agent, Cell, Cost, Grid, Moves, Neighbours, World};

pub struct FlatBmaa {
    push: bool,
    agents: Vec<FlatAgent>,
    search: FlatSearch,
    /// One more than the slot of the agent on each cell while agents move; 0 for none.
    standing: Vec<u32>,
    /// Where agents stood at the end of the last tick.
    stood: Vec<Cell>,
    has_moved: Vec<bool>,
}

#[derive(Default)]
struct FlatAgent {
    /// From the cell where it searched.
    path: Vec<Cell>,
    /// The index of its cell on the path.
    at: usize,
    limit: u64,
    h: Table,
}

/// Learned values by cell: open addressing with linear probing, at most half full.
#[derive(Default)]
struct Table {
    entries: Vec<(u32, i64)>,
    len: usize,
}

const FREE: u32 = u32::MAX;

impl Table {
    fn find(&self, cell: u32) -> usize {
        let mask = self.entries.len() - 1;
        let mut at = cell.wrapping_mul(0x9e37_79b9) as usize >> 7 & mask;
        while self.entries[at].0 != cell && self.entries[at].0 != FREE {
            at = (at + 1) & mask;
        }
        at
    }

    fn get(&self, cell: u32) -> Option<i64> {
        if self.entries.is_empty() {
            return None;
        }
        let (found, value) = self.entries[self.find(cell)];
        (found == cell).then_some(value)
    }

    fn set(&mut self, cell: u32, value: i64) {
        if 2 * (self.len + 1) > self.entries.len() {
            let size = (2 * self.entries.len()).max(64);
            let old = std::mem::replace(&mut self.entries, vec![(FREE, 0); size]);
            for entry in old.into_iter().filter(|entry| entry.0 != FREE) {
                let at = self.find(entry.0);
                self.entries[at] = entry;
            }
        }
        let at = self.find(cell);
        self.len += usize::from(self.entries[at].0 == FREE);
        self.entries[at] = (cell, value);
    }
}

/// `f`, `g`, and when the cell entered: the smallest `f` first, then the largest `g`, then the first to enter.
type Key = (i64, Reverse<i64>, u32, Cell);

/// The state of one search; entries over the map are valid where `seen` is the number of the search.
#[derive(Default)]
struct FlatSearch {
    number: u32,
    seen: Vec<u32>,
    is_closed: Vec<bool>,
    g: Vec<i64>,
    h: Vec<i64>,
    parent: Vec<Cell>,
    /// The order in which cells entered open, which breaks ties.
    entered: Vec<u32>,
    open: BinaryHeap<Reverse<Key>>,
    closed: Vec<Cell>,
}

impl FlatSearch {
    /// Algorithm 5, then Algorithm 4. Returns the number of expansions.
    fn run(&mut self, world: &World, agent: &Agent, state: &mut FlatAgent, options: &Bmaa) -> u64 {
        let grid = world.grid();
        let (goal, (start_x, start_y)) = (agent.goal, grid.position(agent.cell));
        self.seen.resize(grid.cells().len(), 0);
        self.is_closed.resize(grid.cells().len(), false);
        self.g.resize(grid.cells().len(), 0);
        self.h.resize(grid.cells().len(), 0);
        self.parent.resize(grid.cells().len(), agent.cell);
        self.entered.resize(grid.cells().len(), 0);
        self.number += 1;
        self.open.clear();
        self.closed.clear();
        let mut count = 0;
        self.reach(grid, agent.cell, agent.cell, goal, 0, &state.h, &mut count);
        let mut expansions = 0;
        state.path.clear();
        state.at = 0;
        while let Some(Reverse((f, Reverse(g), _, n))) = self.open.peek().copied() {
            if self.is_closed[n.index()] || self.g[n.index()] != g {
                self.open.pop();
                continue;
            }
            if n == goal || expansions >= u64::from(options.expansions) {
                let mut at = n;
                while at != agent.cell {
                    state.path.push(at);
                    at = self.parent[at.index()];
                }
                state.path.push(at);
                state.path.reverse();
                for c in &self.closed {
                    state.h.set(c.index() as u32, f - self.g[c.index()]);
                }
                break;
            }
            self.open.pop();
            self.is_closed[n.index()] = true;
            self.closed.push(n);
            for next in grid.neighbours(n) {
                let is_seen = self.seen[next.index()] == self.number;
                if is_seen && self.is_closed[next.index()] {
                    continue;
                }
                let (x, y) = grid.position(next);
                let (dx, dy) = (x.abs_diff(start_x), y.abs_diff(start_y));
                if dx * dx + dy * dy <= 2 && next != goal && world.is_occupied(next) {
                    continue;
                }
                let apart = next.index().abs_diff(n.index());
                let is_cardinal = apart == 1 || apart == grid.width() as usize;
                let step = if is_cardinal { Cost::CARDINAL } else { Cost::DIAGONAL };
                let through = g + step.units();
                if !is_seen || through < self.g[next.index()] {
                    self.reach(grid, next, n, goal, through, &state.h, &mut count);
                }
            }
            expansions += 1;
        }
        expansions
    }

    #[allow(clippy::too_many_arguments)]
    fn reach(
        &mut self,
        grid: &Grid,
        cell: Cell,
        parent: Cell,
        goal: Cell,
        g: i64,
        learned: &Table,
        count: &mut u32,
    ) {
        let at = cell.index();
        if self.seen[at] != self.number {
            self.seen[at] = self.number;
            self.is_closed[at] = false;
            self.h[at] =
                learned.get(at as u32).unwrap_or_else(|| grid.distance(cell, goal).units());
            self.entered[at] = *count;
            *count += 1;
        }
        self.g[at] = g;
        self.parent[at] = parent;
        self.open.push(Reverse((g + self.h[at], Reverse(g), self.entered[at], cell)));
    }
}

impl FlatBmaa {
    /// The paper's parameters, with or without pushing.
    pub fn new(push: bool) -> Self {
        Self {
            push,
            agents: Vec::new(),
            search: FlatSearch::default(),
            standing: Vec::new(),
            stood: Vec::new(),
            has_moved: Vec::new(),
        }
    }

    /// The next cell on an agent's path.
    fn next(state: &mut FlatAgent, cell: Cell) -> Option<Cell> {
        if state.path.get(state.at) != Some(&cell) {
            state.at = state.path.iter().position(|&on| on == cell)?;
        }
        state.path.get(state.at + 1).copied()
    }

    fn step(&mut self, moves: &mut Moves, agent: &Agent, to: Cell) {
        self.standing[agent.cell.index()] = 0;
        self.standing[to.index()] = agent.slot() as u32 + 1;
        self.stood[agent.slot()] = to;
        self.has_moved[agent.slot()] = true;
        moves.set(agent.id, to);
    }
}

impl Planner for FlatBmaa {
    /// Algorithm 2.
    fn plan(&mut self, world: &World, moves: &mut Moves) -> Work {
        let options = Bmaa::default();
        assert_eq!(world.grid().rules().neighbours, Neighbours::Eight);
        self.agents.resize_with(world.slots(), FlatAgent::default);
        let mut work = Work::default();
        for agent in world.ours() {
            let state = &mut self.agents[agent.slot()];
            if agent.has_arrived() {
                state.path.clear();
                continue;
            }
            if Self::next(state, agent.cell).is_some() && world.tick() < state.limit {
                continue;
            }
            work.searches += 1;
            work.expansions += self.search.run(world, &agent, state, &options);
            if !state.path.is_empty() {
                state.limit = world.tick() + u64::from(options.moves);
            }
        }
        self.standing.resize(world.grid().cells().len(), 0);
        for cell in self.stood.drain(..) {
            self.standing[cell.index()] = 0;
        }
        for agent in world.agents() {
            self.standing[agent.cell.index()] = agent.slot() as u32 + 1;
            self.stood.push(agent.cell);
        }
        self.has_moved.clear();
        self.has_moved.resize(world.slots(), false);
        for agent in world.ours() {
            if self.has_moved[agent.slot()] {
                continue;
            }
            let Some(n) = Self::next(&mut self.agents[agent.slot()], agent.cell) else { continue };
            if self.push
                && let Some(other) = self.standing[n.index()].checked_sub(1)
                && let Some(other) = world.in_slot(other as usize)
                && !self.has_moved[other.slot()]
                && other.has_arrived()
            {
                let is_free = |near: &Cell| self.standing[near.index()] == 0;
                if let Some(to) = world.grid().neighbours(n).find(is_free) {
                    self.step(moves, &other, to);
                }
            }
            if self.standing[n.index()] == 0 {
                self.step(moves, &agent, n);
            }
        }
        work
    }

    fn wish(&self, _agent: &Agent) -> Option<Cell> {
        None
    }

    fn memory(&self) -> usize {
        0
    }
}
