//! One agent of FAR: its route, what it waits for, and which agent it has made way for.

use crate::grid::{Cell, Grid};
use crate::planners::cursor::PathCursor;
use crate::world::AgentId;

/// What FAR keeps for one agent from tick to tick.
#[derive(Clone, Debug, Default)]
pub(super) struct FarState {
    /// The agent in this slot, if it is ours.
    pub id: Option<AgentId>,
    /// A path to the goal, or to a place aside. The cursor is where the agent's reservations end.
    path: PathCursor,
    /// Counts the paths, so that other agents notice when it takes another one.
    pub version: u32,
    /// Which agent it has made way for, while it goes aside or stays there.
    pub aside: Option<Aside>,
    /// For how many ticks it has waited, and for what.
    pub waited: u32,
    pub waits_for: Option<Blocker>,
    /// Whether the next route goes around foreign agents.
    pub goes_around: bool,
    /// The first tick at which to look for a route again, if the last search found none.
    pub looks_at: u64,
    /// The first tick at which to look for a place aside again, if the last search found none.
    pub evades_at: u64,
    /// How often it has made way since it got this goal.
    pub made_way: u32,
    /// How often it has made way while it stood on its goal.
    pub chased: u32,
    /// The cell from which it last made way, and the tick until which it does not use that cell to make way
    /// again.
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

/// For which agent another one is aside, and until when.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aside {
    /// The slot of the agent that is to pass, and which of its routes counts.
    pub passer: usize,
    pub version: u32,
    /// It has passed when it has made or reserved more steps of that route than this.
    pub past: usize,
    /// The tick at which to stop waiting for it.
    pub until: u64,
}

impl FarState {
    /// Starts from nothing, for another agent or another goal.
    pub fn restart(&mut self, id: Option<AgentId>) {
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

    /// Replaces its path.
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

    /// Moves the end of its reservations forward by some cells, which ends its waiting.
    pub fn advance(&mut self, cells: usize) {
        self.path.skip(cells);
        (self.waited, self.waits_for) = (0, None);
    }

    /// Goes back to the cell on which it stands, which may be before the end of its reservations. Off its
    /// path, it drops the path.
    pub fn stand(&mut self, cell: Cell) {
        if !self.path.return_to(cell) {
            self.drop_path();
        }
    }

    /// Whether the grid no longer allows its path.
    pub fn is_cut(&self, grid: &Grid) -> bool {
        self.path.is_cut(grid)
    }

    /// Bytes held on the heap.
    pub fn memory(&self) -> usize {
        self.path.memory()
    }
}
