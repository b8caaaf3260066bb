//! How far it is to goals, found only as far as it is asked for.
//!
//! Each goal has a search of its own, which goes on from the goal until it reaches the cell that is asked for, and keeps what it
//! finds in a flat table. A crowd that walks to its goals asks for few cells beyond those that are nearer to a goal than its start, so
//! that about half of each map is never searched. Agents with the same goal share a search.
//!
//! It promises exact distances on the floor without agents, in [steps or lengths](Metric). Edits of the floor and new goals are
//! followed: only searches that have come near an edited cell begin again.
//!
//! Cost: a cell that is reached costs one look at each neighbour, about 60 instructions in all where steps cost the same. Memory:
//! two bytes for each goal and floor cell where steps are counted, four where lengths are (and more for a goal from which there are paths
//! that do not fit: of more than 65,000 steps, or 748,000); large tables are provided by the system only where they are touched. Besides,
//! four bytes a cell, and twenty or thirty-six a floor cell with four or eight neighbours. [`ReverseSearch`](super::ReverseSearch)
//! is the form for few agents on large maps: it searches and stores less, at twenty times the cost for each cell.

mod field;
mod floor;
mod lent;
mod table;

use super::{Budget, Verdict};
use crate::Cost;
use crate::grid::{Cell, Grid, Neighbours};
use field::Field;
use floor::Floor;
pub use lent::LentDistances;

/// How paths are measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Metric {
    /// Every step counts one, diagonal steps too.
    Steps,
    /// Diagonal steps count more: distances are in [units of cost](crate::Cost::units). Without diagonal steps every step counts one.
    Length,
}

/// The distances to the goals of agents.
#[derive(Clone, Debug)]
pub struct GoalDistances {
    floor: Floor,
    /// Whether every step counts one.
    counts_steps: bool,
    /// The field to which each agent's distances belong; `NO_FIELD` if it has no goal.
    of_agent: Vec<u32>,
    fields: Vec<Field>,
    /// The field of each numbered cell that is the goal of an agent, or `NO_FIELD`.
    of_goal: Vec<u32>,
    /// The fields that no agent uses.
    vacant: Vec<u32>,
    /// The most nominal bytes that tables may take.
    most_bytes: usize,
    /// Cells reached by all searches.
    reached: u64,
    scratch: Vec<u32>,
}

const NO_FIELD: u32 = u32::MAX;

/// The nominal bytes of an entry of a table, where steps are counted and where lengths are.
const SHORT: usize = 2;
const LONG: usize = 4;

/// The nominal bytes of a field without its table, and of an agent.
const FIELD: usize = 136;
const AGENT: usize = 4;

impl GoalDistances {
    /// Stands for a cell from which no path leads to the goal.
    pub const NONE: u32 = u32::MAX;

    /// Distances on a floor, for no agents yet.
    pub fn new(grid: &Grid, metric: Metric) -> Self {
        let has_diagonals = grid.rules().neighbours == Neighbours::Eight;
        let floor = Floor::of(grid);
        Self {
            of_goal: vec![NO_FIELD; floor.count()],
            floor,
            counts_steps: metric == Metric::Steps || !has_diagonals,
            of_agent: Vec::new(),
            fields: Vec::new(),
            vacant: Vec::new(),
            most_bytes: usize::MAX,
            reached: 0,
            scratch: Vec::new(),
        }
    }

    /// At most so many [nominal bytes](Budget::with_memory) are taken by tables, except for those
    /// that have to become wider. Agents may be [refused](Self::send) then.
    pub const fn with_limit(mut self, bytes: usize) -> Self {
        self.most_bytes = bytes;
        self
    }

    /// The steps to these goals, one for each agent. Nothing is searched yet.
    pub fn to(grid: &Grid, goals: impl IntoIterator<Item = Cell>) -> Self {
        let mut distances = Self::new(grid, Metric::Steps);
        for (agent, goal) in goals.into_iter().enumerate() {
            distances.send(agent, Some(goal));
        }
        distances
    }

    /// The fewest [nominal bytes](Budget::with_memory) that the steps of this many agents take,
    /// whatever is asked.
    pub fn least_memory(grid: &Grid, agents: usize) -> usize {
        let cells = grid.floor_cells().count();
        cells.saturating_mul(agents).saturating_mul(SHORT)
    }

    /// Gives an agent a goal, or none. Returns whether there is room for it; if not, the agent has no goal, and nothing is known
    /// about its distances.
    pub fn send(&mut self, agent: usize, goal: Option<Cell>) -> bool {
        if agent >= self.of_agent.len() {
            self.of_agent.resize(agent + 1, NO_FIELD);
        }
        let before = std::mem::replace(&mut self.of_agent[agent], NO_FIELD);
        if let Some(field) = self.fields.get_mut(before as usize) {
            field.users -= 1;
            if field.users == 0 {
                // A goal that was a wall when it was given has no entry.
                let entry = self.floor.old_number(field.goal);
                if let Some(entry) = entry.map(|number| &mut self.of_goal[number as usize])
                    && *entry == before
                {
                    *entry = NO_FIELD;
                }
                self.vacant.push(before);
            }
        }
        let Some(goal) = goal else { return true };
        let known = self.floor.old_number(goal).map(|number| self.of_goal[number as usize]);
        let known = known.filter(|&field| field != NO_FIELD);
        let Some(number) = known.or_else(|| self.begin(goal)) else { return false };
        self.fields[number as usize].users += 1;
        self.of_agent[agent] = number;
        true
    }

    /// Begins a search from a goal that no agent has had. Returns its number, if there is room for it.
    fn begin(&mut self, goal: Cell) -> Option<u32> {
        let number = self.vacant.pop().or_else(|| {
            let entry = if self.counts_steps { SHORT } else { LONG };
            let bytes = entry * self.floor.count();
            let has_room = (self.fields.len() + 1).saturating_mul(bytes) <= self.most_bytes;
            has_room.then(|| {
                self.fields.push(Field::new(self.counts_steps));
                self.fields.len() as u32 - 1
            })
        })?;
        if let Some(goal) = self.floor.old_number(goal) {
            self.of_goal[goal as usize] = number;
        }
        self.fields[number as usize].begin(&self.floor, self.counts_steps, goal);
        Some(number)
    }

    /// Follows edits of cells, on the grid as it is after all of them.
    pub fn follow_edits(&mut self, grid: &Grid, edited: &[Cell]) {
        // A search that has not reached a cell around an edited one knows nothing about it.
        let near = edited.iter().flat_map(|&cell| grid.around(cell).chain([cell]));
        let near: Vec<u32> = near.filter_map(|cell| self.floor.old_number(cell)).collect();
        self.floor.follow(grid, edited);
        self.of_goal.resize(self.floor.count(), NO_FIELD);
        for field in self.fields.iter_mut().filter(|field| field.users > 0) {
            if edited.contains(&field.goal) || near.iter().any(|&number| field.has_reached(number))
            {
                field.begin(&self.floor, self.counts_steps, field.goal);
            } else {
                field.resize(self.floor.count());
            }
        }
    }

    /// The distance from a floor cell to the goal of an agent, if it is known already.
    #[inline]
    pub fn known(&self, agent: usize, cell: Cell) -> Option<u64> {
        let field = self.fields.get(*self.of_agent.get(agent)? as usize)?;
        field.known(self.floor.number(cell)?)
    }

    /// What the cost of a path is as a distance: of a step, or of a path without diagonal steps if [steps](Metric) are counted.
    pub fn of_cost(&self, cost: Cost) -> u64 {
        let units = cost.units() as u64;
        if self.counts_steps { units / Cost::CARDINAL.units() as u64 } else { units }
    }

    /// The distance from a cell to the goal of an agent. [`Verdict::Nothing`] if there is no path, the cell is a wall, or the agent
    /// has no goal.
    pub fn find(&mut self, agent: usize, cell: Cell, budget: &mut Budget<'_>) -> Verdict<u64> {
        let Self { fields, of_agent, floor, scratch, reached, .. } = self;
        let field = of_agent.get(agent).and_then(|&field| fields.get_mut(field as usize));
        match (field, floor.number(cell)) {
            (Some(field), Some(number)) => field.find(number, floor, scratch, reached, budget),
            _ => Verdict::Nothing,
        }
    }

    /// The fewest steps from a cell to the goal of an agent, or [`NONE`](Self::NONE) if it cannot be reached from there. For
    /// distances that are [counted in steps](Metric::Steps).
    #[inline]
    pub fn get(&mut self, agent: usize, cell: Cell) -> u32 {
        self.known(agent, cell).map_or_else(|| self.search(agent, cell), |steps| steps as u32)
    }

    #[cold]
    fn search(&mut self, agent: usize, cell: Cell) -> u32 {
        if self.floor.number(cell).is_none() {
            let field = self.of_agent.get(agent).and_then(|&field| self.fields.get(field as usize));
            return field.map_or(Self::NONE, |field| field.steps_off_wall(cell));
        }
        let found = self.find(agent, cell, &mut Budget::unlimited()).found();
        found.map_or(Self::NONE, |steps| steps as u32)
    }

    /// The same for an agent that may stand on a cell that has turned into a wall: it can step out.
    pub fn start_distance(&mut self, grid: &Grid, agent: usize, start: Cell) -> u32 {
        match self.get(agent, start) {
            Self::NONE if !grid.is_floor(start) => {
                let out = grid.neighbours(start).map(|near| self.get(agent, near)).min();
                out.map_or(Self::NONE, |steps| steps.saturating_add(1))
            }
            steps => steps,
        }
    }

    /// How many cells the searches have reached, all together.
    pub const fn reached(&self) -> u64 {
        self.reached
    }

    /// Nominal bytes. Cost: a look at each field.
    pub fn held(&self) -> usize {
        self.floor.held()
            + self.fields.iter().map(|field| FIELD + field.held()).sum::<usize>()
            + 4 * self.of_goal.len()
            + AGENT * self.of_agent.len()
    }

    /// Bytes this holds. Of the tables, all that may be touched counts.
    pub fn memory(&self) -> usize {
        self.floor.memory()
            + self.fields.iter().map(Field::memory).sum::<usize>()
            + self.fields.capacity() * size_of::<Field>()
            + (self.of_goal.capacity()
                + self.of_agent.capacity()
                + self.vacant.capacity()
                + self.scratch.capacity())
                * size_of::<u32>()
    }
}

#[cfg(test)]
#[path = "goal_distances_test.rs"]
mod tests;
