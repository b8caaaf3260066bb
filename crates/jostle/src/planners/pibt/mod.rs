//! Priority Inheritance with Backtracking (Okumura, Machida, Défago and Tamura), with exact distances.
//!
//! In every tick the agents choose where to stand next, the one with the highest priority first. An agent
//! that chooses a cell on which another stands lends that one its priority: the other chooses next, and
//! if it cannot get out of the way, the first chooses again. An agent's priority grows while it is away
//! from its goal, and starts anew when it arrives.
//!
//! It promises legal moves, and that every agent reaches its goal at some time where every two
//! neighbouring cells lie on a cycle. It does not promise that all stand on their goals at once, nor
//! anything in dead ends. The swap rule (of LaCAM) lets two agents that meet in a corridor find a place to
//! change sides.
//!
//! Cost per tick: a few comparisons for each agent, and what the reverse searches need for cells not asked
//! for before, which is a lot in the first tick. Memory: about five bytes for each cell that an agent's
//! reverse search has reached, so it grows with agents times map.
//!
//! Departures:
//! - Foreign agents are walls, and are never asked to move.
//! - `budget` bounds the expansions of a tick. An agent whose distances are not known yet stays, but gets
//!   out of the way when it is asked to.
//! - The walks of the swap rule along a corridor end after 64 cells.

pub(super) mod step;
mod swap;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::follow::{Followed, is_outdated};
use super::{Field, Planner, Recipe, Value, Work};
use crate::Cost;
use crate::grid::Cell;
use crate::search::{Distance, ReverseSearch};
use crate::world::{Agent, Moves, World};
use step::{Guidance, Step};

/// The parameters of PIBT.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pibt {
    /// Whether agents that meet in a corridor look for a place to change sides.
    pub swap: bool,
    /// Decides between cells that are equally far from the goal.
    pub seed: u32,
    /// The most nodes to expand in a tick, all searches together. Paper: no limit.
    pub budget: Option<u32>,
}

impl Default for Pibt {
    fn default() -> Self {
        Self { swap: true, seed: 0, budget: None }
    }
}

impl Recipe for Pibt {
    fn fields(&mut self) -> Vec<Field<'_>> {
        let field = |name, about, value| Field { name, about, value };
        vec![
            field(
                "swap",
                "agents that meet in a corridor look for a place to change sides",
                Value::Flag(&mut self.swap),
            ),
            field(
                "seed",
                "decides between cells that are equally far from the goal",
                Value::Count { value: &mut self.seed, least: 0 },
            ),
            Field::budget(&mut self.budget),
        ]
    }

    fn build(&self) -> Box<dyn Planner> {
        Box::new(PibtPlanner::new(*self))
    }
}

/// PIBT at work.
#[derive(Debug)]
pub struct PibtPlanner {
    options: Pibt,
    followed: Followed,
    guides: Vec<Guide>,
    /// The slots of our agents, the highest priority first.
    order: Vec<u32>,
    step: Step,
    dice: ChaCha8Rng,
}

/// What an agent knows, and how urgent it is.
#[derive(Clone, Debug, Default)]
pub(super) struct Guide {
    reverse: ReverseSearch,
    /// For how many ticks it has been away from its goal.
    away: u32,
    /// The random order of cells that are equally far, in this tick.
    ties: u64,
}

impl PibtPlanner {
    /// A planner that has seen nothing yet.
    pub fn new(options: Pibt) -> Self {
        Self {
            options,
            followed: Followed::default(),
            guides: Vec::new(),
            order: Vec::new(),
            step: Step::default(),
            dice: ChaCha8Rng::seed_from_u64(u64::from(options.seed)),
        }
    }

    /// Takes note of what the game has changed.
    fn follow(&mut self, world: &World) {
        let Self { followed, guides, .. } = self;
        let grid = world.grid();
        guides.resize_with(world.slots().len(), Guide::default);
        let news = followed.map(world);
        for (guide, agent) in guides.iter_mut().zip(world.slots()).filter(|(_, a)| a.ours) {
            if is_outdated(news, world, &guide.reverse) {
                guide.reverse.begin(grid, agent.cell, agent.goal);
            }
        }
        followed.agents(world, |agent| {
            let guide = &mut guides[agent.slot()];
            guide.away = 0;
            if agent.ours {
                guide.reverse.begin(grid, agent.cell, agent.goal);
            }
        });
    }

    /// Puts the agents in the order of their priorities, and throws the dice.
    fn line_up(&mut self, world: &World) {
        self.order.clear();
        for agent in world.ours() {
            let guide = &mut self.guides[agent.slot()];
            guide.away = if agent.is_home() { 0 } else { guide.away.saturating_add(1) };
            guide.ties = self.dice.next_u64();
            self.order.push(agent.slot() as u32);
        }
        let guides = &self.guides;
        self.order
            .sort_unstable_by_key(|&slot| (std::cmp::Reverse(guides[slot as usize].away), slot));
    }
}

impl Planner for PibtPlanner {
    fn plan(&mut self, world: &World, moves: &mut Moves) -> Work {
        self.follow(world);
        self.line_up(world);
        let before: u64 = self.guides.iter().map(|guide| guide.reverse.expansions()).sum();
        let mut distances = Distances {
            guides: &mut self.guides,
            budget: self.options.budget.map_or(u64::MAX, u64::from),
        };
        self.step.take(world, moves, &self.order, &mut distances, self.options.swap);
        let after: u64 = self.guides.iter().map(|guide| guide.reverse.expansions()).sum();
        Work { searches: 0, expansions: after - before }
    }

    fn wish(&self, agent: &Agent) -> Option<Cell> {
        self.followed.knows(agent).then(|| self.step.wish(agent.slot()))?
    }

    fn memory(&self) -> usize {
        self.guides.iter().map(|guide| guide.reverse.memory()).sum::<usize>()
            + self.guides.capacity() * size_of::<Guide>()
            + self.order.capacity() * size_of::<u32>()
            + self.followed.memory()
            + self.step.memory()
    }
}

/// How far agents are from their goals, as far as the budget allows to know.
pub(super) struct Distances<'a> {
    guides: &'a mut [Guide],
    budget: u64,
}

impl Guidance for Distances<'_> {
    fn favourite(&self, _agent: &Agent) -> Option<Cell> {
        None
    }

    fn value(&mut self, world: &World, agent: &Agent, cell: Cell) -> Option<Cost> {
        self.distance(world, agent.slot(), cell)
    }

    fn distance(&mut self, world: &World, slot: usize, cell: Cell) -> Option<Cost> {
        match self.guides[slot].reverse.distance(world.grid(), cell, &mut self.budget) {
            Distance::Known(cost) => Some(cost),
            Distance::Unreachable | Distance::OutOfBudget => None,
        }
    }

    fn ties(&self, slot: usize) -> u64 {
        self.guides[slot].ties
    }
}

#[cfg(test)]
#[path = "pibt_test.rs"]
mod tests;
