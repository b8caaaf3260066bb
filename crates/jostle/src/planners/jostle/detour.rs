//! A way around agents that are not ours and stand in an agent's way.

use super::walkers::Walker;
use crate::grid::{Cell, Place};
use crate::search::{Avoiding, Budget, Heading, Search, Sectors, StraightLine, Verdict};
use crate::world::World;

/// The most nodes to expand for a way around.
pub(super) const PRICE: u64 = 512;
/// How far ahead an agent looks for the end of what is in its way, in cells.
const AHEAD: usize = 16;

/// A short path that leads an agent around foreign agents, back to where it wants to go.
#[derive(Clone, Debug, Default)]
pub(super) struct Detour {
    /// The cells of the path from its end; the last one is where the agent was found last.
    cells: Vec<Cell>,
}

impl Detour {
    /// Whether a foreign agent stands where a walker wants to go.
    pub fn is_wanted(walker: &Walker, world: &World, cell: Cell) -> bool {
        let next = walker.heading.best().map(|best| world.grid().beside(cell, best));
        next.is_some_and(|next| world.is_foreign(next))
    }

    /// Looks for a way around what is ahead of a walker. It stays without one if there is none nearby.
    pub fn find(
        &mut self,
        walker: &Walker,
        (world, sectors): (&World, &Sectors),
        search: &mut Search,
        (cell, budget): (Cell, &mut Budget<'_>),
    ) {
        self.cells.clear();
        let grid = world.grid();
        let mut ahead = walker.course.path(sectors, grid, cell).take(AHEAD);
        let Some(target) = ahead.find(|&cell| !world.is_foreign(cell)) else { return };
        let is_obstacle = |place: Place| world.is_foreign(place.cell);
        let problem = Avoiding { problem: StraightLine::to(target, grid), is_obstacle };
        let mut slice = Budget::expansions(PRICE.min(budget.remaining()));
        if search.run(&problem, cell, &mut slice) == Verdict::Found(()) {
            search.path(&mut self.cells);
            self.cells.reverse();
        }
        budget.spend(slice.work().expansions);
    }

    /// Where the way around leads from a cell; none at its end and off it.
    pub fn heading(&mut self, world: &World, cell: Cell) -> Option<Heading> {
        while self.cells.last().is_some_and(|&last| last != cell) {
            self.cells.pop();
        }
        let next = self.cells.iter().nth_back(1)?;
        let step = world.grid().step_between(cell, *next)?;
        (!world.is_foreign(*next)).then(|| Heading::only(step))
    }

    /// Bytes held on the heap.
    pub fn memory(&self) -> usize {
        self.cells.capacity() * size_of::<Cell>()
    }
}
