//! Cells that became floor: agents whose ways might be shorter over them look for another route.
//!
//! A building that goes opens ten thousand cells at once, so what has opened is put together sector
//! by sector, and agents are asked in turns, as far as the budget lasts. What opens meanwhile is for
//! the next round. Nobody has to be asked soon: a route is as good as before until then.

use super::queue::Queue;
use super::walkers::Walkers;
use crate::Cost;
use crate::grid::{Cell, Grid, Neighbours};
use crate::search::{Budget, Sectors};
use crate::tally::{self, Kind};
use crate::world::World;

/// So many parts of the floor are compared with a way in the time of an expansion.
const PATCHES_FOR_ONE: u64 = 6;
/// So many agents that have no way are passed in that time.
const AGENTS_FOR_ONE: u64 = 16;
/// Rounds take one part of so many of a budget, at most.
const SHARE: u64 = 4;

/// What has opened, and which agents have been asked.
#[derive(Clone, Debug, Default)]
pub(super) struct Openings {
    /// What this round is about.
    patches: Vec<Patch>,
    /// The next slot.
    next: usize,
    /// What has opened since the round began.
    later: Vec<Patch>,
    /// By sector, which of those it is, counted from 1.
    numbers: Vec<u32>,
}

/// The smallest rectangle around what has opened in a sector.
#[derive(Clone, Copy, Debug)]
struct Patch {
    sector: u32,
    first: (u32, u32),
    last: (u32, u32),
}

impl Patch {
    /// How far a cell is from there at least, in a straight line.
    pub fn distance(&self, (x, y): (u32, u32), neighbours: Neighbours) -> Cost {
        tally::note(Kind::Cell, 1);
        let dx = self.first.0.saturating_sub(x).max(x.saturating_sub(self.last.0));
        let dy = self.first.1.saturating_sub(y).max(y.saturating_sub(self.last.1));
        match neighbours {
            Neighbours::Four => Cost::manhattan(dx, dy),
            Neighbours::Eight => Cost::octile(dx, dy),
        }
    }
}

impl Openings {
    /// Cells were edited. Those that are floor now have opened.
    pub fn note(&mut self, grid: &Grid, edited: &[Cell]) {
        let columns = grid.width().div_ceil(Sectors::SIDE);
        let sectors = columns * grid.height().div_ceil(Sectors::SIDE);
        self.numbers.resize(sectors as usize, 0);
        for &cell in edited.iter().filter(|&&cell| grid.is_floor(cell)) {
            let (x, y) = grid.position(cell);
            let sector = y / Sectors::SIDE * columns + x / Sectors::SIDE;
            let number = &mut self.numbers[sector as usize];
            if *number == 0 {
                self.later.push(Patch { sector, first: (x, y), last: (x, y) });
                *number = self.later.len() as u32;
            }
            let Patch { first, last, .. } = &mut self.later[*number as usize - 1];
            (first.0, first.1) = (first.0.min(x), first.1.min(y));
            (last.0, last.1) = (last.0.max(x), last.1.max(y));
        }
    }

    /// Asks agents, as far as a share of the budget lasts.
    pub fn go_on(
        &mut self,
        world: &World,
        walkers: &mut Walkers,
        queue: &mut Queue,
        budget: &mut Budget<'_>,
    ) {
        if self.patches.is_empty() {
            if self.later.is_empty() {
                return;
            }
            std::mem::swap(&mut self.patches, &mut self.later);
            self.patches.iter().for_each(|patch| self.numbers[patch.sector as usize] = 0);
            self.next = 0;
        }
        let grid = world.grid();
        let neighbours = grid.rules().neighbours;
        let cells = world.configuration().raw_cells();
        let mut share = budget.part(budget.remaining() / SHARE);
        let (mut passed, mut compared) = (0, 0);
        while !share.is_spent() && self.next < cells.len() {
            let slot = self.next;
            self.next += 1;
            passed += 1;
            if let Some((walker, luggage)) = walkers.get_mut(slot)
                && let Some(gain) = walker.course.gain(&luggage.route, grid, cells[slot])
            {
                let [here, goal] = [cells[slot], walker.course.goal()].map(|c| grid.position(c));
                let mut patches = self.patches.iter();
                let may_gain = patches.any(|patch| {
                    compared += 1;
                    patch.distance(here, neighbours) + patch.distance(goal, neighbours) < gain
                });
                if may_gain {
                    luggage.is_outdated = true;
                    queue.join(walker);
                }
            }
            let price = passed / AGENTS_FOR_ONE + compared / PATCHES_FOR_ONE;
            if price > 0 {
                share.charge(price);
                (passed, compared) = (passed % AGENTS_FOR_ONE, compared % PATCHES_FOR_ONE);
            }
        }
        budget.take(&share);
        if self.next == cells.len() {
            self.patches.clear();
        }
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        (self.patches.capacity() + self.later.capacity()) * size_of::<Patch>()
            + self.numbers.capacity() * size_of::<u32>()
    }
}
