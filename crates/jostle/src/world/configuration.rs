//! Where every agent stands at one moment, as a value.

use std::hash::{Hash, Hasher};

use crate::grid::{Cell, Grid};
use crate::tally::{self, Kind};

/// Stands for no agent in flat arrays.
pub(crate) const NOBODY: u32 = u32::MAX;

/// Where every agent stands at one moment: the cell of every agent and the agent on every cell, in flat arrays.
///
/// Agents are numbered from 0; a number may be vacant. No two agents share a cell. Two configurations are equal,
/// and have equal hashes, if the same agents stand on the same cells.
///
/// ```
/// use jostle::{Configuration, Grid};
///
/// let grid = Grid::open(3, 1)?;
/// let [west, middle, east] = [0, 1, 2].map(|x| grid.at(x, 0).unwrap());
/// let mut now = Configuration::of(&grid, [west, east]).unwrap();
/// assert_eq!(now.occupant(east), Some(1));
///
/// let before = now.clone();
/// assert!(now.place(0, middle));
/// assert!(!now.place(0, east), "the cell is occupied");
/// assert_ne!(now, before);
/// # Ok::<(), jostle::grid::SizeError>(())
/// ```
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "ConfigurationForm", try_from = "ConfigurationForm"))]
pub struct Configuration {
    /// The cell of each agent; `NOWHERE` if the number is vacant.
    cells: Vec<Cell>,
    /// The agent on each cell, or `NOBODY`.
    occupants: Vec<u32>,
}

impl Configuration {
    /// A grid without agents.
    pub fn empty(grid: &Grid) -> Self {
        Self { cells: Vec::new(), occupants: vec![NOBODY; grid.cells().len()] }
    }

    /// Agents on these cells, numbered in order; `None` if two share a cell or one is not on the grid.
    pub fn of(grid: &Grid, cells: impl IntoIterator<Item = Cell>) -> Option<Self> {
        let mut configuration = Self::empty(grid);
        let mut agents = cells.into_iter().enumerate();
        agents.all(|(agent, cell)| configuration.place(agent, cell)).then_some(configuration)
    }

    /// One more than the largest number that an agent has or had.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether no number was ever given to an agent.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The cell of the agent with this number, if there is one.
    pub fn cell(&self, agent: usize) -> Option<Cell> {
        tally::note(Kind::Agent, 1);
        self.cells.get(agent).and_then(|cell| cell.known())
    }

    /// The cells of all agents, by number; `None` for a vacant number.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = Option<Cell>> + Clone {
        self.cells.iter().map(|cell| cell.known())
    }

    /// The number of the agent on a cell.
    pub fn occupant(&self, cell: Cell) -> Option<usize> {
        tally::note(Kind::Occupant, 1);
        match self.occupants.get(cell.index()) {
            Some(&agent) if agent != NOBODY => Some(agent as usize),
            _ => None,
        }
    }

    /// Whether an agent stands on a cell.
    pub fn is_occupied(&self, cell: Cell) -> bool {
        tally::note(Kind::Occupant, 1);
        self.occupants.get(cell.index()).is_some_and(|&agent| agent != NOBODY)
    }

    /// Puts an agent on a cell, wherever it stood before. Returns whether that was possible: the
    /// cell must be on the grid, no other agent may stand there, and the agent's number must be
    /// less than the number of cells or at most [`len`](Self::len), so that no number takes much
    /// memory.
    pub fn place(&mut self, agent: usize, cell: Cell) -> bool {
        if agent >= self.occupants.len() && agent > self.cells.len() {
            return false;
        }
        match self.occupants.get(cell.index()) {
            Some(&NOBODY) => {}
            Some(&occupant) => return occupant == agent as u32,
            None => return false,
        }
        if agent >= self.cells.len() {
            self.cells.resize(agent + 1, Cell::NOWHERE);
        }
        self.remove(agent);
        self.cells[agent] = cell;
        self.occupants[cell.index()] = agent as u32;
        true
    }

    /// Removes an agent. Its number becomes vacant.
    pub fn remove(&mut self, agent: usize) {
        if let Some(cell) = self.cells.get_mut(agent)
            && let Some(from) = std::mem::replace(cell, Cell::NOWHERE).known()
        {
            self.occupants[from.index()] = NOBODY;
        }
    }

    /// Becomes equal to another configuration by writing only what differs: usually one step of some agents.
    pub fn follow(&mut self, other: &Self) {
        if self.occupants.len() != other.occupants.len() || self.cells.len() > other.cells.len() {
            self.clone_from(other);
            return;
        }
        self.follow_cells(&other.cells);
    }

    /// The same, for agents that stand on these cells of this grid, all different. No agents have left since.
    pub(crate) fn follow_cells(&mut self, cells: &[Cell]) {
        tally::note(Kind::Agent, cells.len());
        self.cells.resize(cells.len().max(self.cells.len()), Cell::NOWHERE);
        for (known, cell) in self.cells.iter().zip(cells) {
            if known != cell && *known != Cell::NOWHERE {
                self.occupants[known.index()] = NOBODY;
            }
        }
        for (agent, (known, cell)) in self.cells.iter_mut().zip(cells).enumerate() {
            if known != cell {
                *known = *cell;
                if *cell != Cell::NOWHERE {
                    self.occupants[cell.index()] = agent as u32;
                }
            }
        }
    }

    /// Bytes this holds.
    pub fn memory(&self) -> usize {
        self.cells.capacity() * size_of::<Cell>() + self.occupants.capacity() * size_of::<u32>()
    }

    /// The cells of all agents, by number; `NOWHERE` for a vacant one.
    pub(crate) fn raw_cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Writes the agents whose cell in `next` differs into `moving`, in order.
    pub(super) fn differing(&self, next: &[Cell], moving: &mut Vec<u32>) {
        tally::note(Kind::Agent, next.len() / 8);
        moving.clear();
        moving.reserve(self.cells.len());
        let mut first = 0;
        // Most agents of a large crowd stand still: eight of them are compared at once.
        let (eights, rest) = self.cells.as_chunks::<8>();
        let (next_eights, next_rest) = next.as_chunks::<8>();
        for (now, next) in eights.iter().zip(next_eights) {
            let bit = |at: usize| u32::from(now[at] != next[at]) << at;
            let mut differ = (0..8).fold(0, |bits, at| bits | bit(at));
            while differ != 0 {
                moving.push(first + differ.trailing_zeros());
                differ &= differ - 1;
            }
            first += 8;
        }
        for (agent, (now, next)) in (first..).zip(rest.iter().zip(next_rest)) {
            if now != next {
                moving.push(agent);
            }
        }
    }

    /// Lets an agent enter a cell beside its own, as a part of the joint move to `next`, which has to be
    /// [settled](Self::settle) or [taken back](Self::take_back) when all have entered.
    pub(super) fn enter(&mut self, agent: usize, to: Cell, next: &[Cell]) -> Result<(), Clash> {
        tally::note(Kind::Occupant, 1);
        let from = self.cells[agent];
        let there = std::mem::replace(&mut self.occupants[to.index()], agent as u32);
        if there != NOBODY {
            // It stays there, has just entered it, or has not left yet.
            let (other, goes_to) = (there as usize, next[there as usize]);
            if goes_to == to || goes_to == from {
                self.occupants[to.index()] = there;
                return Err(if goes_to == to {
                    Clash::Collision(other)
                } else {
                    Clash::Swap(other)
                });
            }
        }
        // Another agent may have entered its cell already.
        let behind = &mut self.occupants[from.index()];
        if *behind == agent as u32 {
            *behind = NOBODY;
        }
        Ok(())
    }

    /// Ends a joint move of these agents, all of which have [entered](Self::enter) their cells in `next`.
    pub(super) fn settle(&mut self, moving: &[u32], next: &[Cell]) {
        for &agent in moving {
            self.cells[agent as usize] = next[agent as usize];
        }
    }

    /// Takes back a joint move of agents of which only some have [entered](Self::enter) their cells in `next`.
    pub(super) fn take_back(&mut self, moving: &[u32], entered: &[u32], next: &[Cell]) {
        for &agent in entered {
            self.occupants[next[agent as usize].index()] = NOBODY;
        }
        for &agent in moving {
            self.occupants[self.cells[agent as usize].index()] = agent;
        }
    }
}

/// Why an agent cannot enter a cell, and the other agent.
pub(super) enum Clash {
    /// The other one will stand there too.
    Collision(usize),
    /// They would swap cells.
    Swap(usize),
}

/// How a configuration is serialised: how many cells the floor has, and the cell of each agent.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct ConfigurationForm {
    floor: usize,
    cells: Vec<Option<Cell>>,
}

#[cfg(feature = "serde")]
impl From<Configuration> for ConfigurationForm {
    fn from(configuration: Configuration) -> Self {
        Self { floor: configuration.occupants.len(), cells: configuration.cells().collect() }
    }
}

#[cfg(feature = "serde")]
impl TryFrom<ConfigurationForm> for Configuration {
    type Error = &'static str;

    fn try_from(form: ConfigurationForm) -> Result<Self, Self::Error> {
        let most = Grid::MAX_SIDE as usize * Grid::MAX_SIDE as usize;
        if form.floor > most {
            return Err("a floor cannot have so many cells");
        }
        let mut occupants = Vec::new();
        occupants
            .try_reserve_exact(form.floor)
            .map_err(|_| "there is not enough memory for the floor")?;
        occupants.resize(form.floor, NOBODY);
        let mut configuration = Self { cells: vec![Cell::NOWHERE; form.cells.len()], occupants };
        for (agent, cell) in form.cells.into_iter().enumerate() {
            if cell.is_some_and(|cell| !configuration.place(agent, cell)) {
                return Err("two agents on one cell, or one outside of the floor");
            }
        }
        Ok(configuration)
    }
}

impl PartialEq for Configuration {
    fn eq(&self, other: &Self) -> bool {
        self.cells == other.cells
    }
}

impl Eq for Configuration {}

impl Hash for Configuration {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.cells.hash(state);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn two_agents_on_one_cell_are_refused() {
        let grid = Grid::open(2, 1).unwrap();
        let [west, east] = [0, 1].map(|x| grid.at(x, 0).unwrap());
        assert!(Configuration::of(&grid, [west, west]).is_none());
        assert!(Configuration::of(&grid, [Cell::from_index(2)]).is_none());
        assert_eq!(Configuration::of(&grid, [east, west]).unwrap().cell(0), Some(east));
    }

    #[test]
    fn numbers_can_exceed_the_cells_one_by_one() {
        let grid = Grid::open(2, 1).unwrap();
        let west = grid.at(0, 0).unwrap();
        let mut now = Configuration::empty(&grid);
        for agent in 0..5 {
            assert!(!now.place(5, west), "a number that is far ahead would take memory");
            assert!(now.place(agent, west));
            assert_eq!((now.len(), now.occupant(west)), (agent + 1, Some(agent)));
            now.remove(agent);
        }
    }

    proptest! {
        /// After any sequence of operations, cells and occupants agree, and a follower is equal.
        #[test]
        fn cells_and_occupants_always_agree(
            operations in prop::collection::vec((0usize..6, 0usize..14, any::<bool>()), 1..40),
        ) {
            let grid = Grid::open(4, 3).unwrap();
            let mut now = Configuration::empty(&grid);
            let mut follower = Configuration::default();
            for (agent, cell, leaves) in operations {
                if leaves {
                    now.remove(agent);
                } else {
                    let is_free = cell < 12 && now.occupant(Cell::from_index(cell)).is_none_or(|by| by == agent);
                    prop_assert_eq!(now.place(agent, Cell::from_index(cell)), is_free);
                }
                follower.follow(&now);
                prop_assert_eq!(&follower, &now);
                prop_assert_eq!(&follower.occupants, &now.occupants);
                for cell in grid.cells() {
                    let by = now.cells().position(|at| at == Some(cell));
                    prop_assert_eq!(now.occupant(cell), by);
                }
            }
        }
    }
}
