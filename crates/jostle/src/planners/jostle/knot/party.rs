//! Who takes part in a knot, and where.

use crate::grid::{Cell, Grid};
use crate::instance::{Instance, Reach};
use crate::planners::solved::Problem;
use crate::search::Budget;
use crate::tally::{self, Kind};
use crate::world::{Agent, AgentId, World};

/// The most floor cells of a part in which a knot is undone.
pub(super) const MOST_CELLS: usize = 1 << 16;
/// A region is at most so many times as large as wanted in order that half of it is free.
const MOST_FOR_ROOM: usize = 2;
/// The most cells of the rectangle around it.
const LARGEST_RECTANGLE: usize = 1 << 18;

/// What it takes to look at a cell, and how many cells of a rectangle are copied in the time of an expansion.
const CELL_PRICE: u64 = 2;
const CELLS_FOR_ONE: u64 = 2;

/// The agents of a knot, and the part of the floor where they are.
#[derive(Clone, Debug)]
pub(super) struct Party {
    ids: Vec<AgentId>,
    /// Their slots, in order.
    pub slots: Vec<u32>,
    /// What they ask for, on a floor that holds nothing but that part.
    problem: Problem,
    /// Column and row on the map of that floor's first cell.
    corner: (u32, u32),
    /// By cell of that floor, the cell of the map.
    map: Vec<Cell>,
    /// Whether that is all of the floor that can be reached.
    pub is_whole: bool,
    /// Whether an agent that is not ours stands at its border. What is impossible now is possible when it has moved.
    pub meets_foreign: bool,
}

impl Party {
    /// All of our agents on a part of the floor. Each aims for its goal, or if that is elsewhere, for the cell that `aim` names. `None` if the part is too
    /// large, or somebody stands on a wall.
    pub fn on(
        part: &Part,
        world: &World,
        aim: impl Fn(&Agent) -> Cell,
        budget: &mut Budget<'_>,
    ) -> Option<Self> {
        let grid = world.grid();
        let places = || part.cells.iter().map(|&cell| grid.position(cell));
        let (columns, rows) = (|| places().map(|(x, _)| x), || places().map(|(_, y)| y));
        let (west, north) = (columns().min()?, rows().min()?);
        let (width, height) = (columns().max()? - west + 1, rows().max()? - north + 1);
        if width as usize * height as usize > LARGEST_RECTANGLE {
            return None;
        }
        budget.charge(u64::from(width) * u64::from(height) / CELLS_FOR_ONE);
        let on_map = |x, y| grid.at(west + x, north + y);
        let is_part = |x, y| on_map(x, y).is_some_and(|cell: Cell| part.has(cell));
        let floor = Grid::new(width, height, grid.rules(), is_part).ok()?;
        let on_floor = |cell: Cell| {
            let (x, y) = part.has(cell).then(|| grid.position(cell))?;
            floor.at(x - west, y - north)
        };
        let members: Vec<Agent> = world
            .ours()
            .filter_map(|agent| {
                let cell = on_floor(agent.cell)?;
                let goal = on_floor(agent.goal).or_else(|| on_floor(aim(&agent)));
                Some(Agent { cell, goal: goal.unwrap_or(Cell::NOWHERE), ..agent })
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
            corner: (west, north),
            problem: Problem::among(floor.into(), &members)?,
            is_whole: part.is_whole,
            meets_foreign: part.meets_foreign,
        })
    }

    /// How many they are.
    pub const fn len(&self) -> usize {
        self.slots.len()
    }

    /// What they ask for.
    pub const fn instance(&self) -> &Instance {
        &self.problem.instance
    }

    /// How many cells the floor of the instance has, walls included.
    pub const fn cells(&self) -> usize {
        self.map.len()
    }

    /// The cells of this part of the floor, on the map.
    pub fn floor(&self) -> impl Iterator<Item = Cell> {
        self.instance().grid().floor_cells().map(|cell| self.on_map(cell))
    }

    /// Whether a cell of the map belongs to this part of the floor.
    pub fn covers(&self, grid: &Grid, cell: Cell) -> bool {
        let (x, y) = grid.position(cell);
        let floor = self.instance().grid();
        let place = x.checked_sub(self.corner.0).zip(y.checked_sub(self.corner.1));
        place.and_then(|(x, y)| floor.at(x, y)).is_some_and(|cell| floor.is_floor(cell))
    }

    /// They aim for these cells instead. Returns whether they can.
    pub fn settle_for(&mut self, aims: &[Cell]) -> bool {
        let instance = &self.problem.instance;
        let tasks = self.starts().zip(aims.iter().copied()).collect();
        let settled = Instance::new(instance.shared_grid().clone(), tasks, Reach::Required);
        settled.map(|instance| self.problem.instance = instance).is_ok()
    }

    /// The slots of those that aim for another cell than their goal.
    pub fn denied(&self) -> impl Iterator<Item = u32> {
        let aims = self.problem.aims().zip(&self.problem.goals);
        let denied = self.slots.iter().zip(aims).filter(|(_, (aim, goal))| aim != *goal);
        denied.map(|(&slot, _)| slot)
    }

    /// The number of the agent in a slot, if it is one of them.
    pub fn number(&self, slot: usize) -> Option<usize> {
        tally::note(Kind::Agent, 1);
        self.slots.binary_search(&(slot as u32)).ok()
    }

    /// Where agents stand when the plan begins.
    pub fn starts(&self) -> impl Iterator<Item = Cell> {
        self.instance().tasks().iter().map(|&(start, _)| start)
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

/// Cells that can be reached from a cell past foreign agents and other knots, the nearest first.
pub(super) struct Part {
    cells: Vec<Cell>,
    /// By cell of the map. Memory is touched only where the part is.
    has: Vec<bool>,
    /// How many of them are taken.
    pub taken: usize,
    /// Whether these are all.
    is_whole: bool,
    meets_foreign: bool,
}

impl Part {
    /// So many cells around a cell, or as many as it takes until a goal is among them too, or all if there are not so many. `None` if these are more
    /// than `most`, or if cells that are not open stand in the way. What it costs to find them is taken from a budget in any case.
    pub fn around(
        world: &World,
        ends: (Cell, Option<Cell>),
        sizes: (usize, usize),
        is_open: impl Fn(Cell) -> bool,
        budget: &mut Budget<'_>,
    ) -> Option<Self> {
        let (part, looked_at) = Self::spread(world, ends, sizes, is_open);
        budget.charge(CELL_PRICE * looked_at as u64);
        part
    }

    /// See [`around`](Self::around); and how many cells were looked at.
    fn spread(
        world: &World,
        (cell, goal): (Cell, Option<Cell>),
        (wanted, most): (usize, usize),
        is_open: impl Fn(Cell) -> bool,
    ) -> (Option<Self>, usize) {
        let grid = world.grid();
        let has = vec![false; grid.cells().len()];
        let mut part =
            Self { cells: vec![cell], has, taken: 0, is_whole: false, meets_foreign: false };
        part.has[cell.index()] = true;
        let mut at = 0;
        let mut is_cut_off = false;
        while let Some(&from) = part.cells.get(at) {
            let has_room = at >= wanted && (2 * part.taken <= at || at >= MOST_FOR_ROOM * wanted);
            if has_room && goal.is_none_or(|goal| part.has(goal)) {
                return (Some(part), at);
            }
            at += 1;
            part.taken += usize::from(world.is_occupied(from));
            for near in grid.neighbours(from) {
                if world.is_foreign(near) {
                    part.meets_foreign = true;
                } else if !is_open(near) {
                    is_cut_off = true;
                } else if !std::mem::replace(&mut part.has[near.index()], true) {
                    part.cells.push(near);
                }
            }
            if part.cells.len() > most {
                return (None, at);
            }
        }
        part.is_whole = true;
        ((!is_cut_off).then_some(part), at)
    }

    /// Whether a cell of the map is one of them.
    pub fn has(&self, cell: Cell) -> bool {
        self.has.get(cell.index()).is_some_and(|&has| has)
    }
}
