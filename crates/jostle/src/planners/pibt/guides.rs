//! How far agents are from their goals.

use crate::grid::{Cell, Exits, Grid};
use crate::planners::news::{MapNews, edits, is_outdated};
use crate::search::{Budget, GoalDistances, Metric, ReverseSearch, Verdict};
use crate::world::{Agent, World};

/// The distances of agents to their goals, by slot: in flat tables, as far as these may take memory, and for all further agents in the
/// compact tables of reverse searches.
#[derive(Clone, Debug)]
pub(super) struct Guides {
    /// None if no agent may have one.
    flat: Option<GoalDistances>,
    /// The reverse searches of the agents for which there was no room.
    compact: Vec<Option<Box<ReverseSearch>>>,
}

impl Guides {
    /// The most bytes that flat tables may take, all together.
    pub const MOST_FLAT_BYTES: usize = 1 << 30;

    /// For the agents of a world that is new. They have no goals yet.
    pub fn new(grid: &Grid, most_flat_bytes: usize) -> Self {
        let new = || GoalDistances::new(grid, Metric::Length).with_limit(most_flat_bytes);
        Self { flat: (most_flat_bytes > 0).then(new), compact: Vec::new() }
    }

    /// Follows edits of the map since the last tick.
    pub fn follow_edits(&mut self, world: &World) {
        if let Some(flat) = &mut self.flat {
            let edited: Vec<Cell> = edits(world).collect();
            flat.follow_edits(world.grid(), &edited);
        }
        for (slot, search) in self.compact.iter_mut().enumerate() {
            if let Some(search) = search
                && let Some(agent) = world.in_slot(slot)
                && is_outdated(MapNews::Edited, world, search)
            {
                search.begin(world.grid(), agent.cell, agent.goal);
            }
        }
    }

    /// Follows a change of the agent in a slot: who it is, or where it goes.
    pub fn send(&mut self, grid: &Grid, slot: usize, agent: Option<Agent>) {
        let goal = agent.map(|agent| agent.goal);
        let has_room = self.flat.as_mut().is_some_and(|flat| flat.send(slot, goal));
        if has_room {
            if let Some(search) = self.compact.get_mut(slot) {
                *search = None;
            }
        } else if let Some(agent) = agent {
            if slot >= self.compact.len() {
                self.compact.resize_with(slot + 1, || None);
            }
            // The memory of a search is used again for the next goal.
            let search = self.compact[slot].get_or_insert_with(Box::default);
            search.begin(grid, agent.cell, agent.goal);
        }
    }

    /// How far it is from a cell to the goal of an agent, if there is a path and the budget is enough to find it.
    #[inline]
    pub fn distance(
        &mut self,
        grid: &Grid,
        agent: usize,
        cell: Cell,
        budget: &mut Budget<'_>,
    ) -> Option<u64> {
        self.known(agent, cell).or_else(|| self.find(grid, agent, cell, budget).found())
    }

    /// The same, if a flat table knows it already.
    #[inline]
    pub fn known(&self, agent: usize, cell: Cell) -> Option<u64> {
        self.flat.as_ref()?.known(agent, cell)
    }

    /// The same, and whether it was for want of a path or of budget if nothing is found.
    #[cold]
    pub fn find(
        &mut self,
        grid: &Grid,
        agent: usize,
        cell: Cell,
        budget: &mut Budget<'_>,
    ) -> Verdict<u64> {
        if let Some(Some(search)) = self.compact.get_mut(agent) {
            let far = search.distance(grid, cell, budget);
            return far.map(|far| {
                self.flat.as_ref().map_or(far.units() as u64, |flat| flat.of_cost(far))
            });
        }
        let Some(flat) = &mut self.flat else { return Verdict::Nothing };
        if grid.is_floor(cell) {
            return flat.find(agent, cell, budget);
        }
        // A cell that became a wall under an agent can be left, but no path leads into it.
        let mut best = Verdict::Nothing;
        for direction in grid.exits(cell) {
            let far = match flat.find(agent, grid.beside(cell, direction), budget) {
                Verdict::Found(far) => far + flat.of_cost(direction.cost()),
                Verdict::Nothing => continue,
                Verdict::OutOfBudget => return Verdict::OutOfBudget,
            };
            best = Verdict::Found(best.found().map_or(far, |least| far.min(least)));
        }
        best
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let compact = self.compact.iter().flatten();
        self.flat.as_ref().map_or(0, GoalDistances::memory)
            + self.compact.capacity() * size_of::<Option<Box<ReverseSearch>>>()
            + compact.map(|search| size_of::<ReverseSearch>() + search.memory()).sum::<usize>()
    }
}
