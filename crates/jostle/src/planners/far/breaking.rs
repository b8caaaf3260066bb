//! Breaking deadlocks: one agent makes way for another.

use super::FarPlanner;
use super::state::{Aside, Blocker};
use crate::search::Budget;
use crate::world::World;

/// How many cells of the other's route, ahead of it, an agent that makes way keeps clear.
const FORESIGHT: usize = 128;

/// How an agent makes way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Manner {
    /// Over free cells only.
    OverFreeCells,
    /// Over cells on which other agents stand, which then have to make way themselves.
    Pushing,
}

impl FarPlanner {
    /// Makes agents make way where others would wait for ever.
    pub(super) fn break_deadlocks(&mut self, world: &World, budget: &mut Budget<'_>) {
        let mut graph = std::mem::take(&mut self.graph);
        let ours = |blocker| match blocker {
            Blocker::Ours(slot) => Some(slot),
            Blocker::Foreign => None,
        };
        let waits_for = |slot: usize| self.states[slot].waits_for.and_then(ours);
        graph.find(waits_for, self.states.len());
        for cycle in graph.cycles() {
            self.break_cycle(world, cycle, budget);
        }
        for &(waiter, blocker) in graph.ends() {
            self.push(world, waiter, blocker, budget);
        }
        self.graph = graph;
        for state in &mut self.states {
            let is_out_of_patience = state.waited >= self.options.patience;
            if is_out_of_patience && state.waits_for == Some(Blocker::Foreign) {
                state.drop_path();
                state.goes_around = true;
                state.waited = 0;
            }
        }
    }

    /// Makes one member of a cycle make way: the first that can.
    fn break_cycle(&mut self, world: &World, cycle: &[u32], budget: &mut Budget<'_>) {
        self.refuge.begin(world.grid());
        for &member in cycle {
            self.claim(member as usize, self.options.reserve as usize);
        }
        // Each member waits for the next one, so the one before it is the one to let pass.
        let before = cycle.iter().cycle().skip(cycle.len() - 1);
        let mut members = std::mem::take(&mut self.members);
        members.clear();
        members.extend(
            cycle.iter().zip(before).map(|(&slot, &passer)| (slot as usize, passer as usize)),
        );
        // An agent that has made way before comes last, or the same deadlock would form again.
        let order = |&(slot, _): &(usize, usize)| {
            (self.states[slot].aside.is_some(), self.states[slot].made_way, slot)
        };
        members.sort_unstable_by_key(order);
        let makes_way = |&(slot, passer): &(usize, usize)| {
            self.make_way(world, slot, passer, Manner::OverFreeCells, budget)
        };
        if !members.iter().any(makes_way) {
            self.insist(world, &members, budget);
        }
        self.members = members;
    }

    /// Makes the first member of a cycle push others aside, if a member has waited for `patience` ticks.
    fn insist(&mut self, world: &World, members: &[(usize, usize)], budget: &mut Budget<'_>) {
        let patience = self.options.patience;
        if members.iter().any(|&(slot, _)| self.states[slot].waited >= patience) {
            let (slot, passer) = members[0];
            self.make_way(world, slot, passer, Manner::Pushing, budget);
            for &(slot, _) in members {
                self.states[slot].waited = 0;
            }
        }
    }

    /// Makes an agent that stands idle, because it has arrived, is aside, or is cut off from its goal, make
    /// way for one that waits for it.
    fn push(&mut self, world: &World, waiter: usize, blocker: usize, budget: &mut Budget<'_>) {
        let state = &self.states[blocker];
        let Some(agent) = world.in_slot(blocker) else { return };
        let is_cut_off = state.looks_at > world.tick();
        let is_idle = agent.has_arrived() || state.aside.is_some() || is_cut_off;
        if state.goes_on() || !is_idle || !self.schedule.is_standing(blocker) {
            return;
        }
        self.refuge.begin(world.grid());
        if !self.make_way(world, blocker, waiter, Manner::OverFreeCells, budget)
            && self.states[waiter].waited >= self.options.patience
        {
            self.make_way(world, blocker, waiter, Manner::Pushing, budget);
            self.states[waiter].waited = 0;
        }
    }

    /// Marks the next cells of an agent's route as needed.
    fn claim(&mut self, slot: usize, moves: usize) {
        for &cell in self.states[slot].ahead().iter().take(moves + 1) {
            self.refuge.claim(slot, cell);
        }
    }

    /// Sends an agent out of the way of another. Returns whether there is a place to go.
    fn make_way(
        &mut self,
        world: &World,
        slot: usize,
        passer: usize,
        manner: Manner,
        budget: &mut Budget<'_>,
    ) -> bool {
        let (Some(agent), now) = (world.in_slot(slot), world.tick()) else { return false };
        if manner == Manner::OverFreeCells && self.states[slot].evades_at > now {
            return false;
        }
        self.claim(passer, FORESIGHT);
        let Self { options, refuge, schedule, states, path, .. } = self;
        let (grid, table) = (world.grid(), schedule.table());
        let is_free = |cell| !world.is_foreign(cell) && table.is_free_from(slot, cell, now + 1);
        let left = states[slot].left.filter(|&(_, until)| now < until).map(|(cell, _)| cell);
        let is_found = refuge.find(
            grid,
            agent.cell,
            budget,
            |cell| match manner {
                Manner::OverFreeCells => is_free(cell),
                Manner::Pushing => !world.is_foreign(cell),
            },
            |refuge, cell| !refuge.is_claimed(slot, cell) && left != Some(cell) && is_free(cell),
            path,
        );
        let patience = u64::from(options.patience);
        if !is_found {
            states[slot].evades_at = now + patience / 2;
            return false;
        }
        let ahead = states[passer].ahead();
        let vacated = &path[..path.len() - 1];
        let meets = ahead.iter().take(FORESIGHT).rposition(|cell| vacated.contains(cell));
        let (past, version) = (states[passer].steps() + meets.unwrap_or(0), states[passer].version);
        let moves = (path.len() + meets.unwrap_or(0)) as u64;
        // Every agent that stands on the path may first wait out its own patience.
        let ticks_a_move = if manner == Manner::Pushing { patience } else { 2 };
        let until = now + patience + moves * ticks_a_move;
        let state = &mut states[slot];
        state.made_way += 1;
        state.chased += u32::from(agent.has_arrived());
        state.left = Some((path[0], now + patience));
        state.take_path(path);
        state.aside = Some(Aside { passer, version, past, until });
        self.reserve(world, slot);
        true
    }
}
