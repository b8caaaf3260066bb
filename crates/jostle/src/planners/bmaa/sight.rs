//! What an agent of BMAA\* sees when it searches: Algorithm 5, lines 14 to 20.

use crate::Cost;
use crate::grid::{Cell, Directions, Exits, Grid};
use crate::search::{Block, Place, Problem, StraightLine};
use crate::world::{Agent, World};

/// How far agents see each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vision {
    /// The largest whole number that the square of a distance within sight can be.
    square: u32,
    /// Nobody in sight is more columns or rows away than this.
    cells: u32,
}

impl Vision {
    /// A distance in cells. A thousandth of a cell more or less does not matter, so that 1.414 means the diagonal
    /// neighbours too.
    pub fn of(cells: f64) -> Self {
        let most = cells + 0.0005;
        Self { square: (most * most) as u32, cells: most as u32 }
    }
}

/// The way to the goal, on which the agents within sight are walls.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight<'a, W> {
    line: StraightLine<'a, W>,
    world: &'a World,
    here: Place,
    goal: Cell,
    vision: Vision,
}

impl<'a, W: Exits> Sight<'a, W> {
    pub fn of(agent: &Agent, vision: Vision, world: &'a World, exits: &'a W) -> Self {
        let (grid, goal) = (world.grid(), agent.goal);
        let line = StraightLine::along(exits, goal, grid);
        Self { line, world, here: Place::of(grid, agent.cell), goal, vision }
    }
}

impl<W: Exits> Problem for Sight<'_, W> {
    fn grid(&self) -> &Grid {
        self.line.grid()
    }

    fn is_goal(&self, place: Place) -> bool {
        self.line.is_goal(place)
    }

    fn exits(&self, cell: Cell) -> Directions {
        self.line.exits(cell)
    }

    fn h(&self, place: Place) -> Cost {
        self.line.h(place)
    }

    fn is_blocked(&self, place: Place) -> bool {
        let (dx, dy) = (place.x - self.here.x, place.y - self.here.y);
        self.world.is_occupied(place.cell)
            && (dx * dx + dy * dy) as u32 <= self.vision.square
            && place.cell != self.goal
    }

    fn estimates(&self, block: Block) -> [i32; Block::CELLS] {
        self.line.estimates(block)
    }

    #[inline]
    fn blocked(&self, block: Block) -> u16 {
        let reach = self.vision.cells as i32;
        let is_near = |here: i32, corner: i32| {
            ((here - corner + reach) as u32) < (Block::SIDE as i32 + 2 * reach) as u32
        };
        let is_in_sight =
            is_near(self.here.x, block.corner.x) && is_near(self.here.y, block.corner.y);
        if is_in_sight { self.occupied(block) } else { 0 }
    }
}

impl<W: Exits> Sight<'_, W> {
    /// Which cells of a block are walls because agents stand there, one bit for each.
    #[inline(never)]
    fn occupied(&self, block: Block) -> u16 {
        let (side, reach) = (Block::SIDE as i32, self.vision.cells as i32);
        let in_sight = |here: i32, corner: i32| {
            (here - corner - reach).max(0)..(here - corner + reach + 1).min(side)
        };
        let mut occupied = 0;
        for dy in in_sight(self.here.y, block.corner.y) {
            for dx in in_sight(self.here.x, block.corner.x) {
                if self.is_blocked(block.place(self.grid(), dx, dy)) {
                    occupied |= 1 << (dy * side + dx);
                }
            }
        }
        occupied
    }
}
