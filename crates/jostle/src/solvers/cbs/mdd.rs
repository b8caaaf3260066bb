//! All shortest paths of an agent at once: a multi-value decision diagram.

use super::constraint::Constraints;
use super::route::Task;
use crate::grid::{Cell, Direction, Exits, Grid};
use crate::solvers::Distances;

/// At which ticks all shortest paths of an agent go through one cell.
///
/// For each tick there is a layer of the cells on which an agent can be if it makes no detour. Where a layer has one
/// cell, a conflict there costs the agent something in any case.
#[derive(Clone, Debug, Default)]
pub struct Mdd {
    layers: Vec<Vec<Cell>>,
    /// For each cell, the stamp of the layer that it was last seen in.
    seen: Vec<u64>,
    stamp: u64,
}

impl Mdd {
    /// For each tick of the shortest paths, of which `length` is the length, whether there is only one cell.
    pub fn singles(
        &mut self,
        grid: &Grid,
        task: Task,
        length: u32,
        distances: &Distances,
        constraints: &Constraints,
    ) -> Box<[bool]> {
        self.seen.resize(grid.cells().len(), 0);
        let length = length as usize;
        if self.layers.len() <= length {
            self.layers.resize_with(length + 1, Vec::new);
        }
        self.layers[0].clear();
        self.layers[0].push(task.start);
        for tick in 1..=length {
            let (before, now) = self.layers.split_at_mut(tick);
            let (before, now) = (&before[tick - 1], &mut now[0]);
            now.clear();
            self.stamp += 1;
            for &from in before {
                for (direction, to) in moves(grid, from) {
                    let is_in_time = distances
                        .get(task.agent, to)
                        .is_some_and(|steps| steps as usize + tick <= length);
                    if is_in_time
                        && self.seen[to.index()] != self.stamp
                        && constraints.allow(from, direction, to, tick as u32)
                    {
                        self.seen[to.index()] = self.stamp;
                        now.push(to);
                    }
                }
            }
        }
        self.layers[length].retain(|&cell| cell == task.goal);
        // Cells from which the goal is not reached in time, because of constraints, are on no shortest path.
        for tick in (1..=length).rev() {
            let (before, now) = self.layers.split_at_mut(tick);
            let (before, now) = (&mut before[tick - 1], &now[0]);
            self.stamp += 1;
            for &cell in now {
                self.seen[cell.index()] = self.stamp;
            }
            let (seen, stamp) = (&self.seen, self.stamp);
            before.retain(|&from| {
                moves(grid, from).any(|(direction, to)| {
                    seen[to.index()] == stamp && constraints.allow(from, direction, to, tick as u32)
                })
            });
        }
        self.layers[..=length].iter().map(|layer| layer.len() == 1).collect()
    }
}

/// All steps from a cell, and the wait.
fn moves(grid: &Grid, from: Cell) -> impl Iterator<Item = (Option<Direction>, Cell)> {
    let steps = grid.exits(from).into_iter().map(move |step| (Some(step), grid.beside(from, step)));
    steps.chain([(None, from)])
}
