//! Who is where at which tick.

use std::sync::Arc;

use super::clash::at;
use crate::grid::{Cell, Direction, Grid};
use crate::search::Keyed;

/// Stands for no entry.
const NONE: u32 = u32::MAX;

/// One agent of those on a cell at a tick, and the next one.
#[derive(Clone, Copy, Debug)]
struct Link {
    agent: u32,
    next: u32,
}

/// Who is where at which tick. Agents may be in conflict, so a cell may have several.
#[derive(Clone, Debug, Default)]
pub struct Timetable {
    /// The first link by cell and tick; with the tick `PARKED`, of the agents that stay on a cell for good.
    heads: Keyed<u32>,
    links: Vec<Link>,
    /// The first link that is not in use.
    free: Option<u32>,
    /// For each cell, how many agents stay there for good in the end.
    parked: Vec<u32>,
}

/// Stands for all ticks after the arrival of an agent.
const PARKED: u32 = u32::MAX;

impl Timetable {
    /// No agents, on a grid.
    pub fn on(grid: &Grid) -> Self {
        Self { parked: vec![0; grid.cells().len()], ..Self::default() }
    }

    /// Makes an empty table fit for a grid.
    pub fn fit(&mut self, grid: &Grid) {
        self.parked.resize(grid.cells().len(), 0);
    }

    /// Adds the path of an agent, which stays on its last cell or leaves.
    pub fn add(&mut self, agent: usize, path: &[Cell], stays: bool) {
        for (tick, &cell) in (0..).zip(path) {
            self.link(key(cell, tick), agent as u32);
        }
        if let (Some(&last), true) = (path.last(), stays) {
            self.link(key(last, PARKED), agent as u32);
            self.parked[last.index()] += 1;
        }
    }

    /// Removes the path of an agent, as it was added.
    pub fn remove(&mut self, agent: usize, path: &[Cell], stays: bool) {
        for (tick, &cell) in (0..).zip(path) {
            self.unlink(key(cell, tick), agent as u32);
        }
        if let (Some(&last), true) = (path.last(), stays) {
            self.unlink(key(last, PARKED), agent as u32);
            self.parked[last.index()] -= 1;
        }
    }

    fn link(&mut self, key: u64, agent: u32) {
        let link = Link { agent, next: self.heads.get(key).unwrap_or(NONE) };
        let number = if let Some(free) = self.free {
            let next = std::mem::replace(&mut self.links[free as usize], link).next;
            self.free = (next != NONE).then_some(next);
            free
        } else {
            self.links.push(link);
            self.links.len() as u32 - 1
        };
        self.heads.insert(key, number);
    }

    fn unlink(&mut self, key: u64, agent: u32) {
        let (mut before, mut number) = (NONE, self.heads.get(key).unwrap_or(NONE));
        while number != NONE && self.links[number as usize].agent != agent {
            before = number;
            number = self.links[number as usize].next;
        }
        if number == NONE {
            return;
        }
        let next = self.links[number as usize].next;
        match (before, next) {
            (NONE, NONE) => self.heads.remove(key),
            (NONE, next) => self.heads.insert(key, next),
            (before, next) => self.links[before as usize].next = next,
        }
        self.links[number as usize].next = self.free.unwrap_or(NONE);
        self.free = Some(number);
    }

    fn each_linked(&self, key: u64, mut visit: impl FnMut(u32)) {
        let mut number = self.heads.get(key).unwrap_or(NONE);
        while let Some(link) = self.links.get(number as usize) {
            visit(link.agent);
            number = link.next;
        }
    }

    /// Visits the agents on a cell at a tick. `paths` are those of all agents.
    pub fn each_at(
        &self,
        paths: &[Arc<[Cell]>],
        cell: Cell,
        tick: u32,
        mut visit: impl FnMut(u32),
    ) {
        self.each_linked(key(cell, tick), &mut visit);
        if self.parked[cell.index()] > 0 {
            self.each_linked(key(cell, PARKED), |agent| {
                if paths[agent as usize].len() <= tick as usize {
                    visit(agent);
                }
            });
        }
    }

    /// Visits the agents that a step or a wait that ends on `to` at a tick would be in conflict with.
    pub fn each_in_the_way(
        &self,
        grid: &Grid,
        paths: &[Arc<[Cell]>],
        (from, direction, to): (Cell, Option<Direction>, Cell),
        tick: u32,
        mut visit: impl FnMut(u32),
    ) {
        self.each_at(paths, to, tick, &mut visit);
        let Some(direction) = direction else { return };
        let mut each_making = |here: Cell, there: Cell| {
            self.each_linked(key(here, tick.wrapping_sub(1)), |agent| {
                if at(&paths[agent as usize], tick as usize) == there {
                    visit(agent);
                }
            });
        };
        each_making(to, from);
        for (here, there) in grid.crossed_steps(from, direction).into_iter().flatten() {
            each_making(here, there);
        }
    }

    /// Nominal bytes: 32 for each cell and tick with an agent, and four for each cell of the map.
    pub fn held(&self) -> usize {
        24 * self.heads.len() + 8 * self.links.len() + 4 * self.parked.len()
    }

    /// Bytes this table holds.
    pub fn memory(&self) -> usize {
        self.heads.memory()
            + self.links.capacity() * size_of::<Link>()
            + self.parked.capacity() * size_of::<u32>()
    }
}

fn key(cell: Cell, tick: u32) -> u64 {
    u64::from(tick) << 32 | cell.index() as u64
}
