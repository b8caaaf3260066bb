//! Conflicts between two paths, as the conflict tree splits them.

use std::sync::Arc;

use super::constraint::Constraint;
use super::itinerary::Itinerary;
use super::timetable::Timetable;
use crate::grid::{Cell, Grid};

/// Where an agent is at a tick: it stays on the last cell of its path.
pub fn at(path: &[Cell], tick: usize) -> Cell {
    path[tick.min(path.len() - 1)]
}

/// A conflict between two agents: they are on one cell at a tick, or their steps that end at it swap or cross.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clash {
    pub tick: u32,
    pub agents: [u32; 2],
}

impl Clash {
    /// Whether it concerns this agent.
    pub fn concerns(&self, agent: u32) -> bool {
        self.agents.contains(&agent)
    }

    /// The cell, if both are on one.
    pub fn cell(&self, paths: &[Arc<[Cell]>]) -> Option<Cell> {
        let [first, second] =
            self.agents.map(|agent| at(&paths[agent as usize], self.tick as usize));
        (first == second).then_some(first)
    }

    /// What each of the two could be forbidden.
    pub fn constraints(&self, grid: &Grid, paths: &[Arc<[Cell]>]) -> [Constraint; 2] {
        let tick = self.tick;
        self.agents.map(|agent| {
            let path = &paths[agent as usize];
            let cell = at(path, tick as usize);
            if self.cell(paths).is_some() {
                return Constraint::At { cell, tick };
            }
            // Two agents that are not on one cell are in conflict by their steps, so there is one.
            let from = at(path, tick as usize - 1);
            match grid.step_between(from, cell) {
                Some(direction) => Constraint::Step { from, direction, tick },
                None => Constraint::At { cell, tick },
            }
        })
    }
}

/// Adds all conflicts between the path of an agent and those of others, which are in the timetable. `longest` is the length
/// of the longest path.
pub fn find(
    grid: &Grid,
    (agent, itinerary, path): (usize, &Itinerary, &[Cell]),
    timetable: &Timetable,
    paths: &[Arc<[Cell]>],
    longest: usize,
    found: &mut Vec<Clash>,
) {
    let mut add = |other: u32, tick: u32| {
        if other != agent as u32 && itinerary.meeting != Some((other, tick)) {
            let clash = Clash { tick, agents: [agent as u32, other] };
            // Agents that swap by diagonal steps also cross: that is one conflict.
            if found.last() != Some(&clash) {
                found.push(clash);
            }
        }
    };
    timetable.each_at(paths, path[0], 0, |other| add(other, 0));
    for (tick, step) in (1..).zip(path.windows(2)) {
        let direction = grid.step_between(step[0], step[1]);
        let step = (step[0], direction, step[1]);
        timetable.each_in_the_way(grid, paths, step, tick, |other| add(other, tick));
    }
    if itinerary.stays() {
        for tick in path.len() as u32..longest as u32 {
            timetable.each_at(paths, at(path, tick as usize), tick, |other| add(other, tick));
        }
    }
}
