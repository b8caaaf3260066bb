//! One agent of FAR: its route, whom it waits for, and whom it has made way for.

use crate::grid::{Cell, Grid};
use crate::planners::cursor::PathCursor;
use crate::world::AgentId;

/// What FAR keeps for one agent from tick to tick.
#[derive(Clone, Debug, Default)]
pub(super) struct FarState {
    /// Who this is.
    pub id: Option<AgentId>,
    /// From somewhere to the goal, or to a place aside. The agent counts as being where its reservations end.
    path: PathCursor,
    /// Counts the paths, so that others notice when it takes another one.
    pub version: u32,
    /// Whom it has made way for, as long as it is on the way aside, or rests there.
    pub aside: Option<Aside>,
    /// For how many ticks it has waited, and for whom.
    pub waited: u32,
    pub waits_for: Option<Blocker>,
    /// Whether the next route goes around foreign agents.
    pub goes_around: bool,
    /// When to look for a route, if the last search found none.
    pub looks_at: u64,
    /// When to look for a place aside, if the last search found none.
    pub evades_at: u64,
    /// How often it has made way on the way to this goal.
    pub made_way: u32,
    /// How often it has made way when it was at its goal.
    pub chased: u32,
    /// The cell it last made way on, to which it does not make way again at once.
    pub left: Option<(Cell, u64)>,
}

/// What stands in the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Blocker {
    /// An agent of ours, by its slot.
    Ours(usize),
    /// An agent that only the game moves.
    Foreign,
}

/// Why an agent is aside, and until when.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aside {
    /// For whom, by slot, and on which of its routes.
    pub whom: usize,
    pub version: u32,
    /// How far that one has to come on its route to be past.
    pub past: usize,
    /// When to give up.
    pub until: u64,
}

impl FarState {
    /// Starts anew, for another agent or another goal.
    pub fn begin_anew(&mut self, id: Option<AgentId>) {
        let path = std::mem::take(&mut self.path);
        *self = Self { id, path, version: self.version, ..Self::default() };
        self.drop_path();
    }

    /// Forgets its path.
    pub fn drop_path(&mut self) {
        self.path.clear();
        self.aside = None;
        self.version = self.version.wrapping_add(1);
    }

    /// Takes on a path.
    pub fn take_path(&mut self, path: &[Cell]) {
        self.drop_path();
        self.path.replace(path);
    }

    /// The path ahead, from the cell up to which it has reserved.
    pub fn ahead(&self) -> &[Cell] {
        self.path.ahead()
    }

    /// Whether its path goes on from there.
    pub fn goes_on(&self) -> bool {
        self.path.next().is_some()
    }

    /// How many steps of its path it has made or reserved.
    pub const fn steps(&self) -> usize {
        self.path.position()
    }

    /// Reserves to go on by some cells.
    pub fn advance(&mut self, cells: usize) {
        self.path.skip(cells);
        (self.waited, self.waits_for) = (0, None);
    }

    /// Comes to terms with standing on a cell, which may be one before that up to which it had reserved.
    pub fn stand(&mut self, cell: Cell) {
        if !self.path.return_to(cell) {
            self.drop_path();
        }
    }

    /// Whether the floor does not allow its path any more.
    pub fn is_cut(&self, grid: &Grid) -> bool {
        self.path.is_cut(grid)
    }

    /// Bytes this holds beside itself.
    pub fn memory(&self) -> usize {
        self.path.memory()
    }
}
