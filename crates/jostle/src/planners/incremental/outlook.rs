//! The changes of the floor that were announced: which cells will close and open, and when.

use std::sync::Arc;

use crate::grid::{Cell, CornerRule, Direction, Grid};
use crate::script::Script;
use crate::world::Change;

/// A change of the floor: its tick, the place, and whether it can be walked from then on.
type Edit = (u64, (u32, u32), bool);

/// A cell whose changes are announced.
#[derive(Clone, Debug)]
struct Announced {
    cell: Cell,
    /// Whether it can be walked at present.
    is_floor: bool,
    /// What it will be, and from which tick on.
    later: Vec<(u64, bool)>,
}

/// When which cells can be walked, as far as it was announced. All others stay as they are.
#[derive(Clone, Debug, Default)]
pub struct Outlook {
    script: Arc<[Edit]>,
    /// In the order of cells; those without changes to come are left out.
    cells: Vec<Announced>,
    has_begun: bool,
}

impl Outlook {
    /// The cells that a script closes and opens. Its other changes come as a surprise.
    pub fn of(script: &Script) -> Self {
        let edits = script.entries().iter().filter_map(|entry| match entry.change {
            Change::SetFloor { cell, is_floor } => Some((entry.tick, cell, is_floor)),
            _ => None,
        });
        Self { script: edits.collect(), ..Self::default() }
    }

    /// What was announced at first, for a world that is begun anew.
    pub fn announced(&self) -> Self {
        Self { script: Arc::clone(&self.script), ..Self::default() }
    }

    /// Whether nothing is to come.
    pub const fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The cells of which changes are to come.
    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        self.cells.iter().map(|known| known.cell)
    }

    /// Time has passed: takes over what the floor is at a tick. Whether anything has changed that was to come.
    pub fn pass(&mut self, floor: &Grid, tick: u64) -> bool {
        if !std::mem::replace(&mut self.has_begun, true) {
            for &(when, (x, y), is_floor) in &*self.script {
                let Some(cell) = floor.at(x, y) else { continue };
                let at = self.cells.partition_point(|known| known.cell < cell);
                if self.cells.get(at).is_none_or(|known| known.cell != cell) {
                    self.cells.insert(at, Announced { cell, is_floor: true, later: Vec::new() });
                }
                self.cells[at].later.push((when, is_floor));
            }
        }
        let mut has_passed = false;
        for known in &mut self.cells {
            let before = known.later.len();
            known.later.retain(|&(when, _)| when > tick);
            has_passed |= known.later.len() < before;
            known.is_floor = floor.is_floor(known.cell);
        }
        self.cells.retain(|known| !known.later.is_empty());
        has_passed
    }

    /// The floor with all cells that can be walked now or later.
    pub fn ever(&self, floor: &Arc<Grid>) -> Arc<Grid> {
        let mut ever = Arc::clone(floor);
        for known in &self.cells {
            if !known.is_floor && known.later.iter().any(|&(_, is_floor)| is_floor) {
                Arc::make_mut(&mut ever).set_floor(known.cell, true);
            }
        }
        ever
    }

    /// Whether a cell that can be walked at some time can be walked at a tick.
    fn is_open(&self, cell: Cell, tick: u64) -> bool {
        let Ok(at) = self.cells.binary_search_by_key(&cell, |known| known.cell) else {
            return true;
        };
        let known = &self.cells[at];
        let last = known.later.iter().rev().find(|(when, _)| *when <= tick);
        last.map_or(known.is_floor, |&(_, is_floor)| is_floor)
    }

    /// Whether a step or a wait on this floor that ends at a tick is possible at that time. A step is made under the floor of the tick
    /// before. An agent keeps off cells that close, unless it is on its way out (`here`) or at its goal.
    pub fn allows(
        &self,
        floor: &Grid,
        (from, direction, to): (Cell, Option<Direction>, Cell),
        tick: u64,
        [here, goal]: [Cell; 2],
    ) -> bool {
        if self.is_empty() {
            return true;
        }
        let is_open = |cell: Cell| self.is_open(cell, tick.saturating_sub(1));
        let may_stay = self.is_open(to, tick) || to == goal;
        let Some(direction) = direction else { return may_stay || to == here };
        let has_room = || {
            let (a, b) = direction.parts();
            let corners = [a, b].map(|side| is_open(floor.beside(from, side)));
            match floor.rules().corners {
                CornerRule::BothFree => corners[0] && corners[1],
                // Which of the corners is floor at some time was checked already, but not whether it is now.
                CornerRule::OneFree => [a, b]
                    .into_iter()
                    .zip(corners)
                    .any(|(side, is_open)| is_open && floor.is_floor(floor.beside(from, side))),
                CornerRule::Ignored => true,
            }
        };
        is_open(to) && may_stay && (!direction.is_diagonal() || has_room())
    }
}
