//! The plans of all agents in space and time, and the reservations that go with them.

use crate::grid::{Cell, Grid};
use crate::plan::TimedPath;
use crate::search::Reservations;
use crate::world::{Moves, World};

/// Where each agent plans to be at every tick. What is planned is reserved, so that the plans of others
/// go around it.
#[derive(Clone, Debug, Default)]
pub struct Schedule {
    plans: Vec<TimedPath>,
    table: Reservations,
}

impl Schedule {
    /// Makes room for this many agents, by slot.
    pub fn resize(&mut self, agents: usize) {
        self.plans.resize_with(agents, TimedPath::default);
    }

    /// The reservations of all plans.
    pub const fn table(&self) -> &Reservations {
        &self.table
    }

    /// Where an agent plans to be at a tick; none outside its plan.
    pub fn at(&self, agent: usize, tick: u64) -> Option<Cell> {
        self.plans[agent].at(tick)
    }

    /// Proposes for every agent the cell where it plans to be after this tick.
    pub fn propose(&self, world: &World, moves: &mut Moves) {
        for agent in world.ours() {
            if let Some(cell) = self.at(agent.slot(), world.tick() + 1) {
                moves.set(agent.id, cell);
            }
        }
    }

    /// The first cell of an agent's plan after `cell`, on which it stands, that is a different cell.
    pub fn wish(&self, agent: usize, cell: Cell) -> Option<Cell> {
        let cells = &self.plans.get(agent)?.cells;
        cells.iter().copied().skip_while(|&at| at != cell).find(|&at| at != cell)
    }

    /// The last tick for which an agent has planned: `u64::MAX` if it holds its last cell for good, none
    /// without a plan.
    pub fn ends(&self, agent: usize) -> Option<u64> {
        let plan = &self.plans[agent];
        plan.ends().map(|ends| if plan.stays { u64::MAX } else { ends })
    }

    /// Whether an agent plans to stay where it is for good. Its past must have been forgotten.
    pub fn is_standing(&self, agent: usize) -> bool {
        self.plans[agent].stays && self.plans[agent].cells.len() == 1
    }

    /// Adopts a plan: where to be at `begins` and at every tick after it, and whether to hold the last cell
    /// for good.
    pub fn adopt(&mut self, agent: usize, begins: u64, cells: &[Cell], stays: bool) {
        self.cancel(agent);
        let plan = &mut self.plans[agent];
        plan.cells.extend_from_slice(cells);
        (plan.begins, plan.stays) = (begins, stays);
        plan.reserve(agent, &mut self.table);
    }

    /// Gives up a plan and everything reserved for it.
    pub fn cancel(&mut self, agent: usize) {
        let plan = &mut self.plans[agent];
        plan.release(agent, &mut self.table);
        plan.cells.clear();
        plan.stays = false;
    }

    /// Forgets the part of an agent's plan before a tick, and releases its reservations.
    pub fn forget_before(&mut self, agent: usize, tick: u64) {
        let plan = &mut self.plans[agent];
        let past = (tick.saturating_sub(plan.begins) as usize).min(plan.cells.len());
        // A plan that holds its last cell keeps it.
        let past = if plan.stays { past.min(plan.cells.len().saturating_sub(1)) } else { past };
        for (cell, tick) in plan.timed().take(past) {
            self.table.release(agent, cell, tick);
        }
        plan.cells.drain(..past);
        plan.begins += past as u64;
    }

    /// Drops the past of every plan, and cancels the plans that did not come true: `is_off` is called with the slot
    /// of each agent that stands elsewhere.
    pub fn take_stock(&mut self, world: &World, mut is_off: impl FnMut(usize)) {
        let now = world.tick();
        for agent in world.ours() {
            let slot = agent.slot();
            self.forget_before(slot, now);
            if self.at(slot, now) != Some(agent.cell) {
                self.cancel(slot);
                is_off(slot);
            }
        }
    }

    /// Cancels the plan of an agent if the floor no longer allows one of its steps. Returns whether it did.
    pub fn cancel_if_cut(&mut self, grid: &Grid, agent: usize) -> bool {
        let is_step = |from, to| grid.step_between(from, to).is_some();
        let is_cut = !self.plans[agent].is_legal(is_step);
        if is_cut {
            self.cancel(agent);
        }
        is_cut
    }

    /// Bytes held on the heap.
    pub fn memory(&self) -> usize {
        let plans = self.plans.iter().map(|plan| plan.cells.capacity() * size_of::<Cell>());
        plans.sum::<usize>() + self.plans.capacity() * size_of::<TimedPath>() + self.table.memory()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_planned_is_reserved_and_what_is_given_up_is_free() {
        let cells = [5, 6, 7].map(Cell::from_index);
        let mut schedule = Schedule::default();
        schedule.resize(2);
        schedule.adopt(1, 10, &cells, true);
        assert_eq!(schedule.at(1, 11), Some(cells[1]));
        assert_eq!(schedule.at(1, 50), Some(cells[2]));
        assert_eq!(schedule.table().owner(cells[1], 11), Some(1));
        assert_eq!(schedule.table().owner(cells[2], 50), Some(1));
        schedule.forget_before(1, 11);
        assert_eq!(schedule.table().owner(cells[0], 10), None);
        assert_eq!(schedule.at(1, 11), Some(cells[1]));
        schedule.forget_before(1, 40);
        assert_eq!(schedule.at(1, 40), Some(cells[2]));
        schedule.cancel(1);
        assert_eq!(schedule.table().owner(cells[2], 50), None);
        assert!(schedule.table().is_empty());
        assert_eq!(schedule.ends(1), None);
    }
}
