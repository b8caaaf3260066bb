//! Windowed Hierarchical Cooperative A\* (Silver 2005).
//!
//! Every agent plans its next `window` steps through space and time, past what the others have reserved,
//! towards the cell from which the rest of the path is shortest: beyond the window other agents do not count,
//! and the rest of the path is estimated by the exact distance on the empty floor, from a reverse resumable
//! A\*. Half-way through its window an agent plans again; agents take turns, so that about `2n / window` plan
//! in a tick. An agent that has arrived goes on planning: staying on its goal costs it nothing, and it steps
//! aside for others.
//!
//! It promises legal moves, and that agents do not execute conflicting plans. It does not promise that agents
//! arrive: a window shorter than a jam does not reach past it.
//!
//! Cost per tick: `2n / window` searches of at most a window's size, and the work of the reverse searches for
//! cells not asked for before. `budget` bounds both together; agents for which nothing is left wait. Memory:
//! for each agent about five bytes for each cell its reverse search has reached, and `window` reservations.
//!
//! Where the paper is silent:
//! - On 8 neighbours a diagonal step costs √2, a wait 1, and a wait on the goal nothing.
//! - Agent `i` plans in ticks `t` with `(t + i) mod (window / 2) = 0`, and the first to plan changes from
//!   turn to turn.
//! - An agent that finds no plan, because others have reserved everything around it, reserves the cell it
//!   stands on for a window. Agents that had reserved it plan again at once, before all others.
//! - Foreign agents are walls for the length of a window; they may be gone in the next.
//! - An agent with no path to its goal plans too: it stays, and steps aside for others.

use std::collections::VecDeque;

use super::news::{Followed, MapNews, is_outdated};
use super::schedule::Schedule;
use super::settle::Settle;
use super::{Field, Planner, Recipe, Value, Work};
use crate::Cost;
use crate::grid::{Cell, Grid};
use crate::registry::within_ranges;
use crate::search::{Budget, Place, ReverseSearch, SpaceTime, TimedStep, Traffic, Verdict};
use crate::world::{Agent, Moves, World};

/// The parameters of WHCA\*.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Whca {
    /// How many steps a plan looks ahead. Default: `16`, the one of the paper's 8, 16 and 32 that did best.
    pub window: u32,
    /// The most nodes to expand in a tick, all searches together. Default: `unlimited`, as in the paper.
    pub budget: Option<u32>,
}

impl Default for Whca {
    fn default() -> Self {
        Self { window: 16, budget: None }
    }
}

impl Recipe for Whca {
    fn fields(&mut self) -> Vec<Field<'_>> {
        vec![
            Field {
                name: "window",
                about: "steps that a plan looks ahead",
                value: Value::Count { value: &mut self.window, range: 1..=1000 },
            },
            Field::budget(&mut self.budget),
        ]
    }

    fn build(&self) -> Box<dyn Planner> {
        Box::new(WhcaPlanner::new(*self))
    }
}

/// The planner that runs WHCA\*.
#[derive(Clone, Debug, Default)]
pub struct WhcaPlanner {
    options: Whca,
    guides: Vec<Guide>,
    schedule: Schedule,
    search: SpaceTime,
    settle: Settle,
    /// The agents that plan in this tick, by slot, in order.
    queue: VecDeque<usize>,
    path: Vec<Cell>,
    followed: Followed,
}

/// What an agent knows about the path to its goal.
#[derive(Clone, Debug, Default)]
struct Guide {
    reverse: ReverseSearch,
    /// Whether it has to plan as soon as it can.
    is_lost: bool,
    /// How often it has planned in this tick.
    tries: u32,
}

/// How often an agent may plan in one tick: once in its turn, and again when other agents had to take its
/// reservations.
const MOST_TRIES: u32 = 3;

impl WhcaPlanner {
    /// A planner that has not seen a world yet. A number that is out of its range is taken as the nearest one that is
    /// allowed.
    pub fn new(options: Whca) -> Self {
        let options = within_ranges(options);
        Self { options, ..Self::default() }
    }

    /// Takes account of what the game has changed.
    fn follow(&mut self, world: &World) {
        if self.followed.is_another(world) {
            *self = Self::new(self.options);
        }
        let Self { followed, guides, schedule, .. } = self;
        let grid = world.grid();
        guides.resize_with(world.slots(), Guide::default);
        schedule.resize(world.slots());
        let news = followed.map(world);
        if news != MapNews::Same {
            for agent in world.ours() {
                let guide = &mut guides[agent.slot()];
                if is_outdated(news, world, &guide.reverse) {
                    guide.reverse.begin(grid, agent.cell, agent.goal);
                }
                guide.is_lost |= schedule.cancel_if_cut(grid, agent.slot());
            }
        }
        followed.agents(world, |slot, agent| {
            let guide = &mut guides[slot];
            guide.is_lost = true;
            schedule.cancel(slot);
            if let Some(agent) = agent {
                guide.reverse.begin(grid, agent.cell, agent.goal);
            }
        });
        for guide in guides {
            guide.tries = 0;
        }
    }

    /// Queues the agents that plan in this tick.
    fn queue_up(&mut self, world: &World) {
        let half = u64::from(self.options.window / 2).max(1);
        let first = (world.tick() / half) as usize % world.slots().max(1);
        self.queue.clear();
        for agent in world.ours_from(first) {
            let is_turn = (world.tick() + agent.slot() as u64).is_multiple_of(half);
            if is_turn || self.guides[agent.slot()].is_lost {
                self.queue.push_back(agent.slot());
            }
        }
    }

    fn plan_all(&mut self, world: &World) -> Work {
        let mut budget = Budget::of_option(self.options.budget);
        while let Some(slot) = self.queue.pop_front() {
            if let Some(agent) = world.in_slot(slot) {
                self.plan_one(world, &agent, &mut budget);
            }
        }
        budget.work()
    }

    /// Plans a window for one agent.
    fn plan_one(&mut self, world: &World, agent: &Agent, budget: &mut Budget<'_>) {
        let (slot, now) = (agent.slot(), world.tick());
        let guide = &mut self.guides[slot];
        guide.tries += 1;
        if budget.is_spent() || guide.tries > MOST_TRIES {
            guide.is_lost = true;
            if self.schedule.ends(slot).is_none_or(|ends| ends <= now) {
                self.stand(agent, now);
            }
            return;
        }
        budget.count_search();
        self.schedule.cancel(slot);
        let ends = now + u64::from(self.options.window);
        let is_cut = guide.reverse.distance(world.grid(), agent.cell, budget) == Verdict::Nothing;
        let mut traffic = Window {
            world,
            schedule: &self.schedule,
            reverse: &mut guide.reverse,
            slot,
            goal: agent.goal,
            is_cut,
            ends,
        };
        self.search.begin(world.grid(), agent.cell, now);
        match self.search.resume(world.grid(), &mut traffic, budget) {
            Verdict::Found(()) => {
                guide.is_lost = false;
                self.search.path(&mut self.path);
                self.schedule.adopt(slot, now, &self.path, false);
            }
            Verdict::Nothing => {
                guide.is_lost = false;
                self.stand(agent, now);
            }
            Verdict::OutOfBudget => {
                guide.is_lost = true;
                self.stand(agent, now);
            }
        }
    }

    /// Reserves the cell that an agent stands on for a window, even if other agents had reserved it. Those
    /// plan again, before all others.
    fn stand(&mut self, agent: &Agent, now: u64) {
        let window = now..=now + u64::from(self.options.window);
        for tick in window.clone() {
            if let Some(other) = self.schedule.table().owner(agent.cell, tick)
                && other != agent.slot()
            {
                self.schedule.cancel(other);
                self.guides[other].is_lost = true;
                self.queue.push_front(other);
            }
        }
        self.path.clear();
        self.path.extend(window.map(|_| agent.cell));
        self.schedule.adopt(agent.slot(), now, &self.path, false);
    }
}

impl Planner for WhcaPlanner {
    fn plan(&mut self, world: &World, moves: &mut Moves) -> Work {
        self.follow(world);
        let guides = &mut self.guides;
        self.schedule.take_stock(world, |slot| guides[slot].is_lost = true);
        self.queue_up(world);
        let work = self.plan_all(world);
        self.schedule.propose(world, moves);
        self.settle.settle(world, moves);
        work
    }

    fn wish(&self, agent: &Agent) -> Option<Cell> {
        self.followed.knows(agent).then(|| self.schedule.wish(agent.slot(), agent.cell))?
    }

    fn try_clone(&self) -> Option<Box<dyn Planner>> {
        Some(Box::new(self.clone()))
    }

    fn memory(&self) -> usize {
        size_of::<Self>()
            + self.guides.iter().map(|guide| guide.reverse.memory()).sum::<usize>()
            + self.guides.capacity() * size_of::<Guide>()
            + self.followed.memory()
            + self.schedule.memory()
            + self.search.memory()
            + self.settle.memory()
            + self.queue.capacity() * size_of::<usize>()
            + self.path.capacity() * size_of::<Cell>()
    }
}

/// What the search of one window sees.
struct Window<'a> {
    world: &'a World,
    schedule: &'a Schedule,
    reverse: &'a mut ReverseSearch,
    slot: usize,
    goal: Cell,
    /// Whether walls cut the agent off from its goal.
    is_cut: bool,
    ends: u64,
}

impl Traffic for Window<'_> {
    fn h(&mut self, grid: &Grid, place: Place, budget: &mut Budget<'_>) -> Verdict<Cost> {
        if self.is_cut {
            return Verdict::Found(Cost::ZERO);
        }
        self.reverse.distance_from(grid, place, budget)
    }

    fn is_free(&self, grid: &Grid, step: TimedStep) -> bool {
        let table = self.schedule.table();
        table.conflict(grid, self.slot, step).is_none() && !self.world.is_foreign(step.to)
    }

    fn waiting(&self, place: Place) -> Cost {
        if self.is_cut || place.cell == self.goal { Cost::ZERO } else { Cost::CARDINAL }
    }

    fn is_end(&self, _place: Place, tick: u64) -> bool {
        tick >= self.ends
    }

    fn settled(&self) -> u64 {
        self.ends
    }
}

#[cfg(test)]
#[path = "whca_test.rs"]
mod tests;
