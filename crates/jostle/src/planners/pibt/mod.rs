//! Priority Inheritance with Backtracking (Okumura, Machida, Défago and Tamura), with exact distances.
//!
//! In every tick the agents choose where to stand next, the one with the highest priority first. An agent
//! that chooses a cell on which another stands lends that one its priority: the other chooses next, and if it
//! cannot get out of the way, the first chooses again. An agent's priority grows while it is away from its
//! goal, and starts again from the lowest when it arrives. Of agents that have been away equally long, the one whose errand
//! is the longest chooses first, as in the authors' program.
//!
//! It promises legal moves, and that every agent reaches its goal at some time if every two neighbouring
//! cells lie on a cycle. It does not promise that all agents stand on their goals at once, and it promises
//! nothing in dead ends. The swap rule (of LaCAM) lets two agents that meet in a corridor find a place to
//! change sides.
//!
//! Cost per tick: a few comparisons for each agent. The distances are searched in the first tick, from each goal as far as its agent
//! is away, and later as far as agents stray. Memory: two bytes for each agent and floor cell, four with eight neighbours, so it grows
//! with agents times map; agents with the same goal share them. When that would take more than a gibibyte, further agents have reverse
//! searches: about five bytes for each cell that they have reached, at twenty times the cost.
//!
//! Departures:
//! - Among cells that are equally near to its goal an agent prefers one on which nobody stands, as in the authors' program, and of
//!   those one from which more steps lead nearer to the goal, so that it will have a choice again. It does so only while
//!   it is getting on: once it has chosen 20 times without having come nearer to its goal, it takes a random one. With the first rule
//!   always on two dense crowds of the bench lock, because agents keep making the same choices. `ties=random` turns all of this off:
//!   sums of costs are 1 to 23 % higher then (bench `pibt`). Places that are so narrow that hardly anything but chance helps
//!   take longer with it: three agents in the corridor of oracle O12 need 21 ticks at best, instead of 11.
//! - Foreign agents are walls, and are never asked to move.
//! - `budget` bounds the expansions of a tick. An agent whose distances are not known yet stays, but gets
//!   out of the way when it is asked to.
//! - The walks of the swap rule along a corridor end after 64 cells.

mod guides;

use guides::Guides;

use super::news::{Followed, MapNews};
use super::{Field, Planner, Recipe, Value, Work};
use crate::grid::{Cell, Grid};
use crate::pibt::{Choices, Far, Guidance, Priorities, Progress, Step};
use crate::registry::{choice, within_ranges};
use crate::search::{Budget, Verdict};
use crate::world::{Agent, Moves, World};

/// The parameters of PIBT.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pibt {
    /// Whether agents that meet in a corridor look for a place to change sides. Default: `true`, our choice; the rule is LaCAM's.
    pub swap: bool,
    /// Which of several cells that are equally far from the goal an agent prefers, and who chooses first. Default: `free`, our choice; in
    /// the paper, `random`.
    pub ties: Ties,
    /// Decides between cells that are equally good. Default: `0`; any number does.
    pub seed: u32,
    /// The most nodes to expand in a tick, all searches together. Default: `unlimited`, as in the paper.
    pub budget: Option<u32>,
}

/// Which of several cells that are equally far from its goal an agent prefers, and which of several agents that have been away from
/// their goals equally long chooses first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ties {
    /// A cell on which nobody stands; of those, one from which more steps lead nearer to the goal; of those, a random one. Only while the
    /// agent is getting on: once it has chosen 20 times without having come nearer to its goal, it prefers a random one.
    /// Of agents, the one whose errand is the longest.
    #[default]
    Free,
    /// A random cell. Of agents, the one that has the smallest slot.
    Random,
}
choice!(Ties { Free = "free", Random = "random" });

impl Default for Pibt {
    fn default() -> Self {
        Self { swap: true, ties: Ties::Free, seed: 0, budget: None }
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
                "ties",
                "which of equally near cells an agent prefers: one on which nobody stands, or any",
                Value::Name(&mut self.ties),
            ),
            field(
                "seed",
                "decides between cells that are equally good",
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
#[derive(Clone, Debug)]
pub struct PibtPlanner {
    options: Pibt,
    followed: Followed,
    /// The distances to each agent's goal; none before the planner has seen a world.
    guides: Option<Guides>,
    progress: Progress,
    /// The agents whose first distance is not known yet.
    unranked: Vec<u32>,
    priorities: Priorities,
    step: Step,
    /// The most bytes that flat tables of distances may take.
    most_flat_bytes: usize,
}

impl PibtPlanner {
    /// A planner that has not seen a world yet. A number that is out of its range is taken as the nearest one that is
    /// allowed.
    pub fn new(options: Pibt) -> Self {
        let options = within_ranges(options);
        Self {
            options,
            followed: Followed::default(),
            guides: None,
            progress: Progress::default(),
            unranked: Vec::new(),
            priorities: Priorities::new(options.seed),
            step: Step::new(options.swap),
            most_flat_bytes: Guides::MOST_FLAT_BYTES,
        }
    }

    /// The same, without flat tables: for a planner that resorts to it now and then, with few agents. Reverse searches expand less.
    pub(super) fn compact(options: Pibt) -> Self {
        Self { most_flat_bytes: 0, ..Self::new(options) }
    }

    /// Takes account of what the game has changed.
    fn follow(&mut self, world: &World) {
        if self.followed.is_another(world) {
            let most_flat_bytes = self.most_flat_bytes;
            *self = Self { most_flat_bytes, ..Self::new(self.options) };
        }
        let Self { options, followed, guides, priorities, progress, unranked, .. } = self;
        let grid = world.grid();
        let guides = guides.get_or_insert_with(|| Guides::new(grid, self.most_flat_bytes));
        if followed.map(world) == MapNews::Edited {
            guides.follow_edits(world);
        }
        followed.agents(world, |slot, agent| {
            priorities.forget(slot);
            progress.forget(slot);
            guides.send(grid, slot, agent);
            if options.ties == Ties::Free {
                unranked.push(slot as u32);
            }
        });
    }

    /// Finds out how long the errands of agents are that have new ones, as far as the budget allows.
    fn rank(&mut self, world: &World, budget: &mut Budget<'_>) {
        let Self { guides: Some(guides), priorities, unranked, .. } = self else { return };
        unranked.sort_unstable();
        unranked.dedup();
        unranked.retain(|&slot| {
            let agent = world.in_slot(slot as usize).filter(|agent| agent.ours);
            let far =
                agent.map(|agent| guides.find(world.grid(), agent.slot(), agent.cell, budget));
            if let Some(Verdict::Found(far)) = far {
                priorities.note_distance(slot as usize, far);
            }
            far == Some(Verdict::OutOfBudget)
        });
    }
}

impl Planner for PibtPlanner {
    fn plan(&mut self, world: &World, moves: &mut Moves) -> Work {
        self.follow(world);
        let mut budget = Budget::of_option(self.options.budget);
        self.rank(world, &mut budget);
        self.priorities.update(world.ours().map(|agent| (agent.slot(), agent.has_arrived())));
        let Some(guides) = &mut self.guides else { return budget.work() };
        let mut distances = Distances {
            world,
            priorities: &self.priorities,
            guides,
            progress: &mut self.progress,
            ties: self.options.ties,
            budget,
        };
        take_step(&mut self.step, world, self.priorities.order(), &mut distances, moves);
        distances.budget.work()
    }

    fn wish(&self, agent: &Agent) -> Option<Cell> {
        self.followed.knows(agent).then(|| self.step.wish(agent.slot()))?
    }

    fn try_clone(&self) -> Option<Box<dyn Planner>> {
        Some(Box::new(self.clone()))
    }

    fn memory(&self) -> usize {
        size_of::<Self>()
            + self.guides.as_ref().map_or(0, Guides::memory)
            + self.priorities.memory()
            + self.progress.memory()
            + self.unranked.capacity() * size_of::<u32>()
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

/// What agents base their choices on: their distances, as far as the budget allows.
struct Distances<'a> {
    world: &'a World,
    priorities: &'a Priorities,
    guides: &'a mut Guides,
    progress: &'a mut Progress,
    ties: Ties,
    budget: Budget<'static>,
}

/// More than any distance.
const UNKNOWN: u64 = 1 << 46;

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
        _: impl Fn(Cell) -> bool,
    ) -> Choices {
        let Self { world, priorities, guides, progress, ties, budget } = self;
        let mut far = FarFrom { grid, guides, agent, here, budget };
        let is_getting_on = |distance| *ties == Ties::Free && progress.note_choice(agent, distance);
        let bits = priorities.ties(agent);
        Choices::by_distance(grid, (world.configuration(), here), &mut far, is_getting_on, bits)
    }

    fn comes_closer(&mut self, _: &Grid, agent: usize, from: Cell, to: Cell) -> bool {
        let mut far = |cell| self.distance(agent, cell).unwrap_or(UNKNOWN);
        far(to) < far(from)
    }
}

impl Distances<'_> {
    #[inline]
    fn distance(&mut self, agent: usize, cell: Cell) -> Option<u64> {
        self.guides.distance(self.world.grid(), agent, cell, &mut self.budget)
    }
}

/// The distances of an agent that stands `here`.
struct FarFrom<'a> {
    grid: &'a Grid,
    guides: &'a mut Guides,
    agent: usize,
    here: Cell,
    budget: &'a mut Budget<'static>,
}

impl Far for FarFrom<'_> {
    #[inline]
    fn find(&mut self, cell: Cell) -> u64 {
        // An agent that knows no distances stays where it is.
        let found = self.guides.distance(self.grid, self.agent, cell, self.budget);
        found.unwrap_or(UNKNOWN + u64::from(cell != self.here))
    }

    /// Of an agent without a flat table, nothing is known.
    #[inline]
    fn known(&self, cell: Cell) -> Option<u64> {
        self.guides.known(self.agent, cell)
    }
}

#[cfg(test)]
#[path = "pibt_test.rs"]
mod tests;
