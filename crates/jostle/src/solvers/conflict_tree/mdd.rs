//! All paths of one length of an agent at once: a multi-value decision diagram.

use super::{Constraints, Itinerary};
use crate::grid::{Cell, Direction, Exits, Grid};

/// For each tick a layer of the cells, each with a stage, on which an agent can be if its path has a given length.
///
/// Where a layer has one cell, a conflict there costs the agent something in any case.
#[derive(Clone, Debug, Default)]
pub struct Mdd {
    layers: Vec<Vec<(Cell, u32)>>,
    length: usize,
    /// For each cell and stage, the stamp of the layer that it was last seen in.
    seen: Vec<u64>,
    stamp: u64,
}

impl Mdd {
    /// Nominal bytes: eight for each cell and stage of the map, and for each of a layer.
    pub fn held(&self) -> usize {
        8 * (self.seen.len() + self.layers.iter().map(Vec::len).sum::<usize>())
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let layers = self.layers.iter().map(Vec::capacity).sum::<usize>();
        self.seen.capacity() * size_of::<u64>()
            + self.layers.capacity() * size_of::<Vec<(Cell, u32)>>()
            + layers * size_of::<(Cell, u32)>()
    }

    /// Builds the diagram of the paths of an agent that end at a tick.
    pub fn build(
        &mut self,
        grid: &Grid,
        itinerary: &Itinerary,
        length: u32,
        constraints: &Constraints,
    ) {
        let (cells, stages) = (grid.cells().len(), itinerary.stops.len() as u32);
        let index = |cell: Cell, stage: u32| stage as usize * cells + cell.index();
        let all = cells * (stages as usize + 1);
        if self.seen.len() < all {
            self.seen.resize(all, 0);
        }
        self.length = length as usize;
        if self.layers.len() <= self.length {
            self.layers.resize_with(self.length + 1, Vec::new);
        }
        // An agent may pass over its goal before the end.
        let stays_from = constraints.stays_from.max(length);
        let stage_at = |cell: Cell, tick: u32, stage: u32| {
            itinerary.stage_at(cell, tick, stage as usize, stays_from) as u32
        };
        self.layers[0].clear();
        self.layers[0].push((itinerary.start, stage_at(itinerary.start, 0, 0)));
        for tick in 1..=length {
            let (before, now) = self.layers.split_at_mut(tick as usize);
            let (before, now) = (&before[tick as usize - 1], &mut now[0]);
            now.clear();
            self.stamp += 1;
            for &(from, stage) in before.iter().filter(|&&(_, stage)| stage < stages) {
                for (direction, to) in moves(grid, from) {
                    let stage = stage_at(to, tick, stage);
                    let is_in_time = itinerary.earliest_end(to, tick, stage as usize) <= length;
                    let seen = &mut self.seen[index(to, stage)];
                    if is_in_time
                        && *seen != self.stamp
                        && constraints.allow(from, direction, to, tick)
                    {
                        *seen = self.stamp;
                        now.push((to, stage));
                    }
                }
            }
        }
        self.layers[self.length].retain(|&(_, stage)| stage == stages);
        // Cells from which the end is not reached in time, because of constraints, are on no such path.
        for tick in (1..=length).rev() {
            let (before, now) = self.layers.split_at_mut(tick as usize);
            let (before, now) = (&mut before[tick as usize - 1], &now[0]);
            self.stamp += 1;
            for &(cell, stage) in now {
                self.seen[index(cell, stage)] = self.stamp;
            }
            let (seen, stamp) = (&self.seen, self.stamp);
            before.retain(|&(from, stage)| {
                stage < stages
                    && moves(grid, from).any(|(direction, to)| {
                        seen[index(to, stage_at(to, tick, stage))] == stamp
                            && constraints.allow(from, direction, to, tick)
                    })
            });
        }
    }

    /// The cells, with their stages, on which the agent can be at a tick.
    pub fn layer(&self, tick: usize) -> &[(Cell, u32)] {
        if tick <= self.length { &self.layers[tick] } else { &[] }
    }

    /// For each tick, whether there is only one cell.
    pub fn singles(&self) -> Box<[bool]> {
        let is_single = |layer: &Vec<(Cell, u32)>| {
            layer.first().is_some_and(|first| layer.iter().all(|other| other.0 == first.0))
        };
        self.layers[..=self.length].iter().map(is_single).collect()
    }
}

/// All steps from a cell, and the wait.
pub fn moves(grid: &Grid, from: Cell) -> impl Iterator<Item = (Option<Direction>, Cell)> {
    let steps = grid.exits(from).into_iter().map(move |step| (Some(step), grid.beside(from, step)));
    steps.chain([(None, from)])
}
