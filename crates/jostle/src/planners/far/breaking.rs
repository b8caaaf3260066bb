//! Breaking deadlocks: one agent makes way for another.

use super::FarPlanner;
use super::state::{Aside, Blocker};
use crate::search::Budget;
use crate::world::World;

/// How far along the route of the one it makes way for an agent looks.
const FORESIGHT: usize = 128;

/// How an agent makes way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Manner {
    /// By way of free cells.
    Politely,
    /// By way of cells on which others stand, who then have to make way themselves.
    Pushing,
}

impl FarPlanner {
    /// Lets agents make way where others would wait for ever.
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
            let is_weary = state.waited >= self.options.patience;
            if is_weary && state.waits_for == Some(Blocker::Foreign) {
                state.drop_path();
                state.goes_around = true;
                state.waited = 0;
            }
        }
    }

    /// Lets one member of a cycle make way: the first who can.
    fn break_cycle(&mut self, world: &World, cycle: &[u32], budget: &mut Budget<'_>) {
        self.refuge.begin(world.grid());
        for &member in cycle {
            self.claim(member as usize, self.options.reserve as usize);
        }
        // Everybody waits for the next one, so the one before waits for us.
        let before = cycle.iter().cycle().skip(cycle.len() - 1);
        let mut members = std::mem::take(&mut self.members);
        members.clear();
        members.extend(cycle.iter().zip(before).map(|(&it, &whom)| (it as usize, whom as usize)));
        // Whoever has made way before rather has the others do it now, or the same would happen again.
        let order = |&(it, _): &(usize, usize)| {
            (self.states[it].aside.is_some(), self.states[it].made_way, it)
        };
        members.sort_unstable_by_key(order);
        let politely =
            |&(it, whom): &(usize, usize)| self.make_way(world, it, whom, Manner::Politely, budget);
        if !members.iter().any(politely) {
            self.insist(world, &members, budget);
        }
        self.members = members;
    }

    /// Lets the first member of a cycle push others aside, if one of them has lost patience.
    fn insist(&mut self, world: &World, members: &[(usize, usize)], budget: &mut Budget<'_>) {
        let patience = self.options.patience;
        if members.iter().any(|&(it, _)| self.states[it].waited >= patience) {
            let (it, whom) = members[0];
            self.make_way(world, it, whom, Manner::Pushing, budget);
            for &(it, _) in members {
                self.states[it].waited = 0;
            }
        }
    }

    /// Lets an agent that has arrived, or rests, make way for one that waits for it.
    fn push(&mut self, world: &World, waiter: usize, blocker: usize, budget: &mut Budget<'_>) {
        let state = &self.states[blocker];
        let Some(agent) = world.in_slot(blocker) else { return };
        let is_cut_off = state.looks_at > world.tick();
        let is_idle = agent.has_arrived() || state.aside.is_some() || is_cut_off;
        if state.goes_on() || !is_idle || !self.schedule.is_standing(blocker) {
            return;
        }
        self.refuge.begin(world.grid());
        if !self.make_way(world, blocker, waiter, Manner::Politely, budget)
            && self.states[waiter].waited >= self.options.patience
        {
            self.make_way(world, blocker, waiter, Manner::Pushing, budget);
            self.states[waiter].waited = 0;
        }
    }

    /// Says that an agent needs its next cells.
    fn claim(&mut self, slot: usize, moves: usize) {
        for &cell in self.states[slot].ahead().iter().take(moves + 1) {
            self.refuge.claim(slot, cell);
        }
    }

    /// Sends an agent out of the way of another. Says whether there is a place.
    fn make_way(
        &mut self,
        world: &World,
        slot: usize,
        whom: usize,
        manner: Manner,
        budget: &mut Budget<'_>,
    ) -> bool {
        let (Some(agent), now) = (world.in_slot(slot), world.tick()) else { return false };
        if manner == Manner::Politely && self.states[slot].evades_at > now {
            return false;
        }
        self.claim(whom, FORESIGHT);
        let Self { options, refuge, schedule, states, path, .. } = self;
        let (grid, table) = (world.grid(), schedule.table());
        let is_free = |cell| !world.is_foreign(cell) && table.is_free_from(slot, cell, now + 1);
        let left = states[slot].left.filter(|&(_, until)| now < until).map(|(cell, _)| cell);
        let is_found = refuge.find(
            grid,
            agent.cell,
            budget,
            |cell| match manner {
                Manner::Politely => is_free(cell),
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
        let ahead = states[whom].ahead();
        let vacated = &path[..path.len() - 1];
        let meets = ahead.iter().take(FORESIGHT).rposition(|cell| vacated.contains(cell));
        let (past, version) = (states[whom].steps() + meets.unwrap_or(0), states[whom].version);
        let moves = (path.len() + meets.unwrap_or(0)) as u64;
        // Everybody who stands on the way may need as much patience.
        let ticks_a_move = if manner == Manner::Pushing { patience } else { 2 };
        let until = now + patience + moves * ticks_a_move;
        let state = &mut states[slot];
        state.made_way += 1;
        state.chased += u32::from(agent.has_arrived());
        state.left = Some((path[0], now + patience));
        state.take_path(path);
        state.aside = Some(Aside { whom, version, past, until });
        self.reserve(world, slot);
        true
    }
}
