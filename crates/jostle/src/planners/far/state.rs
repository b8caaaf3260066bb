//! One agent of FAR: its route, whom it waits for, and whom it has made way for.

use crate::grid::Cell;
use crate::world::AgentId;

/// What one agent keeps from tick to tick.
#[derive(Clone, Debug, Default)]
pub(super) struct Walker {
    /// Who this is.
    pub id: Option<AgentId>,
    /// From somewhere to the goal, or to a place aside.
    route: Vec<Cell>,
    /// How far on its route the agent has come, what is reserved included.
    at: usize,
    /// Counts the routes, so that others notice when it takes another one.
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

impl Walker {
    /// Starts anew, for another agent or another goal.
    pub fn begin_anew(&mut self, id: Option<AgentId>) {
        let route = std::mem::take(&mut self.route);
        *self = Self { id, route, version: self.version, ..Self::default() };
        self.drop_route();
    }

    /// Forgets its route.
    pub fn drop_route(&mut self) {
        self.route.clear();
        self.at = 0;
        self.aside = None;
        self.version = self.version.wrapping_add(1);
    }

    /// Takes on the route that `write` writes.
    pub fn take_route(&mut self, write: impl FnOnce(&mut Vec<Cell>)) {
        self.drop_route();
        write(&mut self.route);
    }

    /// The way ahead, from the cell up to which it has reserved.
    pub fn ahead(&self) -> &[Cell] {
        self.route.get(self.at..).unwrap_or_default()
    }

    /// Whether there is any way ahead.
    pub fn has_way(&self) -> bool {
        self.at + 1 < self.route.len()
    }

    /// How far on its route it has come.
    pub const fn at(&self) -> usize {
        self.at
    }

    /// Goes on, or reserves to go on, by some cells.
    pub fn advance(&mut self, cells: usize) {
        self.at += cells;
        (self.waited, self.waits_for) = (0, None);
    }

    /// Comes to terms with standing on a cell, which may be one before that up to which it had reserved.
    pub fn stand(&mut self, cell: Cell) {
        if self.ahead().first() != Some(&cell) {
            let reserved = self.route.get(..self.at).unwrap_or_default();
            match reserved.iter().rposition(|&before| before == cell) {
                Some(before) => self.at = before,
                None => self.drop_route(),
            }
        }
    }

    /// Whether all steps ahead are legal, by what `is_way` says of each.
    pub fn is_legal(&self, is_way: impl Fn(Cell, Cell) -> bool) -> bool {
        self.ahead().windows(2).all(|step| is_way(step[0], step[1]))
    }

    /// Bytes this walker holds beside itself.
    pub fn memory(&self) -> usize {
        self.route.capacity() * size_of::<Cell>()
    }
}
