//! Who takes part in a knot, and where.

use crate::grid::{Cell, Grid};
use crate::planners::solved::Problem;
use crate::world::{Agent, AgentId, World};

/// The most floor cells of a part in which a knot is undone.
pub(super) const MOST_CELLS: usize = 16_384;
/// The most cells of the rectangle around it.
const LARGEST_RECTANGLE: usize = 1 << 16;
/// The most agents in it.
const MOST_MEMBERS: usize = 512;
/// How many cells the region around an agent has at first.
pub(super) const SMALL_REGION: usize = 256;

/// The agents of a knot, and the part of the floor where they are.
#[derive(Clone, Debug)]
pub(super) struct Party {
    ids: Vec<AgentId>,
    /// Their slots, in order.
    pub slots: Vec<u32>,
    /// What they ask for, on a floor that holds nothing but that part.
    pub problem: Problem,
    /// By cell of that floor, the cell of the map.
    pub map: Vec<Cell>,
    /// Whether that is all of the floor that can be reached.
    pub is_whole: bool,
}

impl Party {
    /// All of our agents in the part of the floor that can be reached from a cell. If it is too large, or not `all` are wanted, those in a
    /// region of so many cells around the cell, or of as many as it takes until the goal is among them. `None` if that is too large, or
    /// somebody stands on a wall.
    pub fn around(world: &World, ends: (Cell, Cell), (region, all): (usize, bool)) -> Option<Self> {
        let grid = world.grid();
        let whole = all.then(|| Part::around(world, ends, usize::MAX)).flatten();
        let part = whole.or_else(|| Part::around(world, ends, region))?;
        let places = || part.cells.iter().map(|&cell| grid.position(cell));
        let (columns, rows) = (|| places().map(|(x, _)| x), || places().map(|(_, y)| y));
        let (west, north) = (columns().min()?, rows().min()?);
        let (width, height) = (columns().max()? - west + 1, rows().max()? - north + 1);
        if width as usize * height as usize > LARGEST_RECTANGLE {
            return None;
        }
        let on_map = |x, y| grid.at(west + x, north + y);
        let is_part = |x, y| on_map(x, y).is_some_and(|cell: Cell| part.has[cell.index()]);
        let floor = Grid::new(width, height, grid.rules(), is_part).ok()?;
        let on_floor = |cell: Cell| {
            part.has.get(cell.index()).filter(|&&has| has)?;
            let (x, y) = grid.position(cell);
            floor.at(x - west, y - north)
        };
        let members: Vec<Agent> = world
            .ours()
            .filter_map(|agent| {
                let goal = on_floor(agent.goal).unwrap_or(Cell::NOWHERE);
                Some(Agent { cell: on_floor(agent.cell)?, goal, ..agent })
            })
            .collect();
        let map = floor.cells().map(|cell| {
            let (x, y) = floor.position(cell);
            on_map(x, y).unwrap_or(Cell::NOWHERE)
        });
        Some(Self {
            ids: members.iter().map(|agent| agent.id).collect(),
            slots: members.iter().map(|agent| agent.slot() as u32).collect(),
            map: map.collect(),
            problem: Problem::among(floor.into(), &members)?,
            is_whole: part.is_whole,
        })
    }

    /// The number of the agent in a slot, if it is one of them.
    pub fn number(&self, slot: usize) -> Option<usize> {
        self.slots.binary_search(&(slot as u32)).ok()
    }

    /// Where an agent stands when the plan begins.
    pub fn start(&self, agent: usize) -> Cell {
        self.problem.instance.tasks()[agent].0
    }

    /// The cell of the map for a cell of the problem's floor.
    pub fn on_map(&self, cell: Cell) -> Cell {
        self.map.get(cell.index()).copied().unwrap_or(Cell::NOWHERE)
    }

    /// Whether all of them are there, and stand on these cells of the problem's floor.
    pub fn stands_on(&self, world: &World, cell: impl Fn(usize) -> Cell) -> bool {
        let place = |id| world.agent(id).map(|agent| agent.cell);
        let mut numbered = self.ids.iter().enumerate();
        numbered.all(|(agent, &id)| place(id) == Some(self.on_map(cell(agent))))
    }

    pub fn memory(&self) -> usize {
        self.ids.capacity() * size_of::<AgentId>()
            + self.slots.capacity() * size_of::<u32>()
            + self.map.capacity() * size_of::<Cell>()
            + self.problem.memory()
    }
}

/// Cells that can be reached from a cell past foreign agents, the nearest first.
struct Part {
    cells: Vec<Cell>,
    /// By cell of the map. Memory is touched only where the part is.
    has: Vec<bool>,
    /// Whether these are all.
    is_whole: bool,
}

impl Part {
    /// So many cells around a cell, or as many as it takes until the goal is among them, or all if there are not so many. `None` if that is too large.
    fn around(world: &World, (cell, goal): (Cell, Cell), wanted: usize) -> Option<Self> {
        let grid = world.grid();
        let (mut cells, mut has) = (vec![cell], vec![false; grid.cells().len()]);
        has[cell.index()] = true;
        let mut members = 0;
        let mut at = 0;
        while let Some(&from) = cells.get(at) {
            if at >= wanted && has.get(goal.index()).is_none_or(|&has| has) {
                return Some(Self { cells, has, is_whole: false });
            }
            at += 1;
            members += usize::from(world.is_occupied(from));
            let open = grid.neighbours(from).filter(|&near| !world.is_foreign(near));
            cells.extend(open.filter(|near| !std::mem::replace(&mut has[near.index()], true)));
            if cells.len() > MOST_CELLS || members > MOST_MEMBERS {
                return None;
            }
        }
        Some(Self { cells, has, is_whole: true })
    }
}
