//! Priority Inheritance with Backtracking (Okumura, Machida, Défago and Tamura), with exact distances.
//!
//! In every tick the agents choose where to stand next, the one with the highest priority first. An agent
//! that chooses a cell on which another stands lends that one its priority: the other chooses next, and if it
//! cannot get out of the way, the first chooses again. An agent's priority grows while it is away from its
//! goal, and starts again from the lowest when it arrives.
//!
//! It promises legal moves, and that every agent reaches its goal at some time if every two neighbouring
//! cells lie on a cycle. It does not promise that all agents stand on their goals at once, and it promises
//! nothing in dead ends. The swap rule (of LaCAM) lets two agents that meet in a corridor find a place to
//! change sides.
//!
//! Cost per tick: a few comparisons for each agent, and the work of the reverse searches for cells not asked
//! for before, most of it in the first tick. Memory: about five bytes for each cell that an agent's reverse
//! search has reached, so it grows with agents times map.
//!
//! Departures:
//! - Foreign agents are walls, and are never asked to move.
//! - `budget` bounds the expansions of a tick. An agent whose distances are not known yet stays, but gets
//!   out of the way when it is asked to.
//! - The walks of the swap rule along a corridor end after 64 cells.

use super::news::{Followed, is_outdated};
use super::{Field, Planner, Recipe, Value, Work};
use crate::Cost;
use crate::grid::{Cell, Grid};
use crate::pibt::{Choices, Guidance, Priorities, Step};
use crate::registry::within_ranges;
use crate::search::{Budget, ReverseSearch};
use crate::world::{Agent, Moves, World};

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
                Value::Count { value: &mut self.seed, range: 0..=u32::MAX },
            ),
            Field::budget(&mut self.budget),
        ]
    }

    fn build(&self) -> Box<dyn Planner> {
        Box::new(PibtPlanner::new(*self))
    }
}

/// The planner that runs PIBT.
#[derive(Debug)]
pub struct PibtPlanner {
    options: Pibt,
    followed: Followed,
    /// The distances to each agent's goal, by slot.
    guides: Vec<ReverseSearch>,
    priorities: Priorities,
    step: Step,
}

impl PibtPlanner {
    /// A planner that has not seen a world yet. A number that is out of its range is taken as the nearest one that is
    /// allowed.
    pub fn new(options: Pibt) -> Self {
        let options = within_ranges(options);
        Self {
            options,
            followed: Followed::default(),
            guides: Vec::new(),
            priorities: Priorities::new(options.seed),
            step: Step::new(options.swap),
        }
    }

    /// Takes account of what the game has changed.
    fn follow(&mut self, world: &World) {
        if self.followed.is_another(world) {
            *self = Self::new(self.options);
        }
        let Self { followed, guides, priorities, .. } = self;
        let grid = world.grid();
        guides.resize_with(world.slots(), ReverseSearch::default);
        let news = followed.map(world);
        for agent in world.ours() {
            let guide = &mut guides[agent.slot()];
            if is_outdated(news, world, guide) {
                guide.begin(grid, agent.cell, agent.goal);
            }
        }
        followed.agents(world, |slot, agent| {
            priorities.forget(slot);
            if let Some(agent) = agent {
                guides[slot].begin(grid, agent.cell, agent.goal);
            }
        });
    }
}

impl Planner for PibtPlanner {
    fn plan(&mut self, world: &World, moves: &mut Moves) -> Work {
        self.follow(world);
        self.priorities.update(world.ours().map(|agent| (agent.slot(), agent.has_arrived())));
        let mut distances = Distances {
            world,
            priorities: &self.priorities,
            guides: &mut self.guides,
            budget: Budget::of_option(self.options.budget),
        };
        take_step(&mut self.step, world, self.priorities.order(), &mut distances, moves);
        distances.budget.work()
    }

    fn wish(&self, agent: &Agent) -> Option<Cell> {
        self.followed.knows(agent).then(|| self.step.wish(agent.slot()))?
    }

    fn memory(&self) -> usize {
        size_of::<Self>()
            + self.guides.iter().map(ReverseSearch::memory).sum::<usize>()
            + self.guides.capacity() * size_of::<ReverseSearch>()
            + self.priorities.memory()
            + self.followed.memory()
            + self.step.memory()
    }
}

/// Makes one joint step of the world's configuration, and proposes its moves.
pub(super) fn take_step(
    step: &mut Step,
    world: &World,
    order: &[u32],
    guidance: &mut impl Guidance,
    moves: &mut Moves,
) {
    let (grid, now) = (world.grid(), world.configuration());
    step.begin(grid, now);
    // Nothing was decided beforehand, so that there always is a step.
    step.run(grid, now, order, guidance);
    propose(step, moves);
}

/// Proposes the moves of a step of the world's configuration.
pub(super) fn propose(step: &Step, moves: &mut Moves) {
    moves.set_known(step.all_next());
}

/// The distances of agents from their goals, as far as the budget allows.
struct Distances<'a> {
    world: &'a World,
    priorities: &'a Priorities,
    guides: &'a mut [ReverseSearch],
    budget: Budget<'static>,
}

impl Guidance for Distances<'_> {
    fn is_movable(&self, agent: usize) -> bool {
        self.world.is_ours(agent)
    }

    fn goal(&self, agent: usize) -> Cell {
        self.world.goal_of(agent)
    }

    fn choices(
        &mut self,
        grid: &Grid,
        agent: usize,
        here: Cell,
        is_open: impl Fn(Cell) -> bool,
    ) -> Choices {
        let ties = self.priorities.ties(agent);
        Choices::by_value(grid, here, is_open, ties, |cell| self.distance(agent, cell))
    }

    fn comes_closer(&mut self, _: &Grid, agent: usize, from: Cell, to: Cell) -> bool {
        let mut far = |cell| self.distance(agent, cell).unwrap_or(Cost::INFINITY);
        far(to) < far(from)
    }
}

impl Distances<'_> {
    fn distance(&mut self, agent: usize, cell: Cell) -> Option<Cost> {
        self.guides[agent].distance(self.world.grid(), cell, &mut self.budget).found()
    }
}

#[cfg(test)]
#[path = "pibt_test.rs"]
mod tests;
