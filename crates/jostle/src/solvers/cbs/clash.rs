//! Conflicts between two paths, as the conflict tree splits them.

use super::constraint::Constraint;
use crate::grid::{Cell, Grid};

/// Where an agent is at a tick: it stays on the last cell of its path.
pub fn at(path: &[Cell], tick: usize) -> Cell {
    path[tick.min(path.len() - 1)]
}

/// A conflict between two agents, as what each of them could be forbidden.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clash {
    pub tick: u32,
    pub agents: [u32; 2],
    pub constraints: [Constraint; 2],
}

impl Clash {
    /// Whether it concerns this agent.
    pub fn concerns(&self, agent: u32) -> bool {
        self.agents.contains(&agent)
    }
}

/// Adds all conflicts between the paths of two agents.
pub fn find(grid: &Grid, agents: [u32; 2], paths: [&[Cell]; 2], found: &mut Vec<Clash>) {
    for tick in 0..paths[0].len().max(paths[1].len()) {
        let now = paths.map(|path| at(path, tick));
        let clash = |constraints| Clash { tick: tick as u32, agents, constraints };
        if now[0] == now[1] {
            let constraint = Constraint::At { cell: now[0], tick: tick as u32 };
            found.push(clash([constraint; 2]));
            continue;
        }
        let Some(before) = tick.checked_sub(1).map(|before| paths.map(|path| at(path, before)))
        else {
            continue;
        };
        let steps = [0, 1].map(|one| grid.step_between(before[one], now[one]));
        let [Some(first), Some(second)] = steps else { continue };
        let is_swap = now[0] == before[1] && now[1] == before[0];
        let crosses = || {
            let crossed = grid.crossed_steps(before[0], first).into_iter().flatten();
            crossed.into_iter().any(|crossed| crossed == (before[1], now[1]))
        };
        if is_swap || crosses() {
            let step = |from, direction| Constraint::Step { from, direction, tick: tick as u32 };
            found.push(clash([step(before[0], first), step(before[1], second)]));
        }
    }
}
