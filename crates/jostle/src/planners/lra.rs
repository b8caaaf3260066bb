//! Local Repair A\* (as in Silver 2005, after Zelinsky 1992).
//!
//! Every agent finds a whole route by A\*, in which only the agents right beside it are walls, and follows
//! it. When the next cell is taken, it finds another route from there. Each time its agitation grows, which
//! adds more noise to the estimates of its searches, so that it tries other routes than before.
//!
//! It promises legal moves, and nothing else. Agents jam at narrow places, where all of them search again in
//! almost every tick, and may go round in circles. These are its known weaknesses.
//!
//! Cost per tick: one A\* over the whole route for each agent that is blocked. `budget` bounds these
//! together: agents whose route is not ready wait, and the search goes on in the next tick. Memory: the
//! routes, and two words for each cell of the map.
//!
//! Where the paper is silent:
//! - Agents move one after another, in the order of their slots. When the budget was spent, the first agent
//!   whose search had to wait goes first in the next tick.
//! - The noise of a node is evenly spread from 0 to `noise` cells times the agitation, and drawn once for
//!   each node and search. It depends on the seed, the agent and how often it has searched, and not on what
//!   others do. Noisy estimates are not consistent, so routes are not shortest; that is intended.
//! - Agitation returns to 0 when the agent arrives or gets another goal. With `calm`, every move reduces it
//!   by one.
//! - An agent that finds no route, because its neighbours enclose it or its goal, keeps its old route and
//!   waits. So does an agent that walls cut off from its goal.
//! - A route that a new wall cuts is searched again, without more agitation.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::cursor::PathCursor;
use super::news::{Followed, MapNews};
use super::slices::Slices;
use super::{Field, Planner, Recipe, Value, Work};
use crate::Cost;
use crate::grid::{Cell, Components, Directions, Grid};
use crate::registry::within_ranges;
use crate::search::{Budget, Place, Problem, StraightLine, Verdict};
use crate::world::{Agent, Draft, Moves, World};

/// The parameters of LRA\*.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Lra {
    /// The most noise that each new route adds, in cells; 0 is none. Default: `1`, our choice: the paper does not say.
    pub noise: f64,
    /// Whether every move reduces an agent's agitation by one. Default: `false`, our choice: the paper does not say.
    pub calm: bool,
    /// The seed of the noise. Default: `0`; any number does.
    pub seed: u32,
    /// The most nodes to expand in a tick, all searches together. Default: `unlimited`, as in the paper.
    pub budget: Option<u32>,
}

impl Default for Lra {
    fn default() -> Self {
        Self { noise: 1.0, calm: false, seed: 0, budget: None }
    }
}

impl Recipe for Lra {
    fn fields(&mut self) -> Vec<Field<'_>> {
        let field = |name, about, value| Field { name, about, value };
        vec![
            field(
                "noise",
                "the most noise that each new route adds, in cells",
                Value::Real { value: &mut self.noise, range: 0.0..=1000.0 },
            ),
            field(
                "calm",
                "every move reduces an agent's agitation by one",
                Value::Flag(&mut self.calm),
            ),
            field(
                "seed",
                "the seed of the noise",
                Value::Count { value: &mut self.seed, range: 0..=u32::MAX },
            ),
            Field::budget(&mut self.budget),
        ]
    }

    fn build(&self) -> Box<dyn Planner> {
        Box::new(LraPlanner::new(*self))
    }
}

/// The planner that runs LRA\*.
#[derive(Clone, Debug, Default)]
pub struct LraPlanner {
    options: Lra,
    followed: Followed,
    states: Vec<LraState>,
    slices: Slices,
    draft: Draft,
    components: Option<Components>,
    /// The first agent in this tick whose search had to wait for more budget.
    refused: Option<usize>,
    path: Vec<Cell>,
}

/// What LRA\* keeps for one agent from tick to tick.
#[derive(Clone, Debug, Default)]
struct LraState {
    /// The route, from the cell where it last searched to the goal.
    path: PathCursor,
    agitation: u32,
    /// How many searches it has begun; part of the key of the noise.
    searches: u32,
    /// What the current search was given when it began.
    conditions: Conditions,
    is_searching: bool,
}

/// What makes one search of an agent differ from its others.
#[derive(Clone, Copy, Debug)]
struct Conditions {
    /// The cells beside the agent on which others stood when the search began.
    taken: [Cell; 8],
    /// The most noise, in units of cost.
    noise: f64,
    key: u64,
}

impl Default for Conditions {
    fn default() -> Self {
        Self { taken: [Cell::NOWHERE; 8], noise: 0.0, key: 0 }
    }
}

impl LraPlanner {
    /// A planner that has not seen a world yet. A number that is out of its range is taken as the nearest one that is
    /// allowed.
    pub fn new(options: Lra) -> Self {
        let options = within_ranges(options);
        Self { options, ..Self::default() }
    }

    /// Takes account of what the game has changed.
    fn follow(&mut self, world: &World) {
        if self.followed.is_another(world) {
            *self = Self::new(self.options);
        }
        let Self { followed, states, .. } = self;
        states.resize_with(world.slots(), LraState::default);
        if followed.map(world) != MapNews::Same {
            self.components = None;
            self.slices.stop();
            for state in states.iter_mut().filter(|state| state.path.is_cut(world.grid())) {
                state.path.clear();
            }
        }
        followed.agents(world, |slot, _| states[slot].restart());
        self.slices.follow(world);
        let pending = self.slices.pending();
        for (slot, state) in states.iter_mut().enumerate() {
            state.is_searching &= pending == Some(slot);
        }
    }

    fn move_agent(
        &mut self,
        world: &World,
        moves: &mut Moves,
        agent: &Agent,
        budget: &mut Budget<'_>,
    ) {
        if agent.has_arrived() {
            self.states[agent.slot()].restart();
        } else if !self.step(world, moves, agent) && self.search(world, agent, budget) {
            // If not even the first cell of the new route is free, the next tick searches again.
            self.step(world, moves, agent);
        }
    }

    /// Steps onto the next cell of the route, if there is one and it is free.
    fn step(&mut self, world: &World, moves: &mut Moves, agent: &Agent) -> bool {
        let state = &mut self.states[agent.slot()];
        let next = state.path.advance_to(agent.cell);
        let Some(direction) = next.and_then(|next| world.grid().step_between(agent.cell, next))
        else {
            return false;
        };
        if state.is_searching || !self.draft.try_step(world, moves, agent, direction) {
            return false;
        }
        if self.options.calm {
            state.agitation = state.agitation.saturating_sub(1);
        }
        true
    }

    /// Searches for another route. Returns whether it has found one.
    fn search(&mut self, world: &World, agent: &Agent, budget: &mut Budget<'_>) -> bool {
        let (slot, grid) = (agent.slot(), world.grid());
        let components = self.components.get_or_insert_with(|| Components::of(grid));
        let is_reachable = components.reaches(grid, agent.cell, agent.goal);
        let is_busy = self.slices.pending().is_some_and(|pending| pending != slot);
        if !is_reachable {
            return false;
        }
        if is_busy || budget.is_spent() {
            self.refused.get_or_insert(slot);
            return false;
        }
        if !self.states[slot].is_searching {
            self.begin(world, agent);
        }
        let state = &mut self.states[slot];
        // The goal is taken: the search would expand everything it can reach without finding it.
        if state.conditions.taken.contains(&agent.goal) {
            state.is_searching = false;
            return false;
        }
        let line = StraightLine::to(agent.goal, grid);
        let problem = LraProblem { line, conditions: state.conditions };
        let verdict = self.slices.find(&problem, agent, &mut self.path, budget);
        state.is_searching = verdict == Verdict::OutOfBudget;
        if state.is_searching {
            self.refused.get_or_insert(slot);
        }
        if verdict.is_found() {
            state.path.replace(&self.path);
        }
        verdict.is_found()
    }

    /// Fixes what the next search of an agent sees.
    fn begin(&mut self, world: &World, agent: &Agent) {
        let state = &mut self.states[agent.slot()];
        // Only an agent that had a route to follow was blocked; the first search adds no agitation.
        if state.path.advance_to(agent.cell).is_some() {
            state.agitation = state.agitation.saturating_add(1);
        }
        state.searches = state.searches.wrapping_add(1);
        state.is_searching = true;
        let mut taken = [Cell::NOWHERE; 8];
        let near = world.grid().neighbours(agent.cell);
        let occupied = near.filter(|&cell| self.draft.is_occupied(world, cell));
        taken.iter_mut().zip(occupied).for_each(|(taken, cell)| *taken = cell);
        let noise = self.options.noise * f64::from(state.agitation) * Cost::CARDINAL.units() as f64;
        let key = key(self.options.seed, agent.slot() as u32, state.searches);
        state.conditions = Conditions { taken, noise, key };
    }
}

impl LraState {
    /// Forgets its path and its agitation: it has arrived, or is another agent, or has another goal.
    fn restart(&mut self) {
        self.path.clear();
        self.agitation = 0;
        self.is_searching = false;
    }
}

impl Planner for LraPlanner {
    fn plan(&mut self, world: &World, moves: &mut Moves) -> Work {
        let mut budget = Budget::of_option(self.options.budget);
        self.follow(world);
        self.draft.begin(world);
        let turn = self.refused.take().unwrap_or(0) % world.slots().max(1);
        for agent in world.ours_from(turn) {
            self.move_agent(world, moves, &agent, &mut budget);
        }
        budget.work()
    }

    fn wish(&self, agent: &Agent) -> Option<Cell> {
        if !self.followed.knows(agent) {
            return None;
        }
        self.states[agent.slot()].path.after(agent.cell)
    }

    fn try_clone(&self) -> Option<Box<dyn Planner>> {
        Some(Box::new(self.clone()))
    }

    fn memory(&self) -> usize {
        size_of::<Self>()
            + self.states.iter().map(|state| state.path.memory()).sum::<usize>()
            + self.path.capacity() * size_of::<Cell>()
            + self.states.capacity() * size_of::<LraState>()
            + self.slices.memory()
            + self.draft.memory()
            + self.components.as_ref().map_or(0, Components::memory)
            + self.followed.memory()
    }
}

/// What the search for a route sees.
struct LraProblem<'a> {
    line: StraightLine<'a>,
    conditions: Conditions,
}

impl Problem for LraProblem<'_> {
    fn grid(&self) -> &Grid {
        self.line.grid()
    }

    fn is_goal(&self, place: Place) -> bool {
        self.line.is_goal(place)
    }

    fn exits(&self, cell: Cell) -> Directions {
        self.line.exits(cell)
    }

    fn h(&self, place: Place) -> Cost {
        let h = self.line.h(place);
        let noise = self.conditions.noise * fraction(self.conditions.key, place.cell);
        h + Cost::from_units(i64::from(noise as i32))
    }

    fn is_blocked(&self, place: Place) -> bool {
        self.conditions.taken.contains(&place.cell)
    }
}

/// The key from which the noise of one search is drawn.
fn key(seed: u32, slot: u32, search: u32) -> u64 {
    let mut bytes = [0; 32];
    for (bytes, number) in bytes.chunks_exact_mut(4).zip([seed, slot, search]) {
        bytes.copy_from_slice(&number.to_le_bytes());
    }
    ChaCha8Rng::from_seed(bytes).next_u64()
}

/// A number from 0 up to 1 for each key and cell (the mix of `SplitMix64`).
fn fraction(key: u64, cell: Cell) -> f64 {
    let step = (cell.index() as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut bits = key.wrapping_add(step);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^= bits >> 31;
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
#[path = "lra_test.rs"]
mod tests;
