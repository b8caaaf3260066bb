//! Dense crowds look ahead: how everybody would go is rehearsed, and made better while they go.
//!
//! In a dense crowd, agents wait for each other and push each other about, and no rule that looks one
//! step ahead knows what that will cost. But if the game changes nothing, what the crowd will do is
//! known beforehand: a [copy](Rehearsal) of the world and of its planner runs ahead until everybody is
//! home, many ticks in one. That is a plan, which everybody follows from then on, while it is
//! [refined](Refiner): agents that are late, and those in their way, are planned anew around all
//! others, from the present tick on. So nobody waits for a plan, and refining never raises its sum of
//! costs; the last arrival may become later. The copy has what is left of a tick's budget, so it need
//! not do exactly what the planner would have done.
//!
//! As soon as the game changes something, the plan is dropped and agents choose by themselves again.
//! The next one begins after a pause, which becomes longer each time, so that a game that always
//! changes something pays little for plans that do not last.
//!
//! All of it is paid for with what is left of the budgets of ticks. A plan that would take too many
//! ticks is given up. Memory: two bytes for each agent and floor cell, and sixteen for each agent and
//! tick, at most 64 MB and 16 MB; and a copy of the planner while it rehearses.

use super::walkers::Walkers;
use super::{JostlePlanner, SMALLEST_POOL};
use crate::grid::Cell;
use crate::pibt::Step;
use crate::planners::rehearsal::Rehearsal;
use crate::search::{Budget, GoalDistances};
use crate::solvers::{Objective, Refiner, Refining};
use crate::world::World;

/// So many agents on their way are few: they find their ways without a plan.
const FEW: usize = 16;
/// The most agents that are planned for, the most cells of their map, and the most bytes of their
/// distances.
const MOST_AGENTS: usize = 1024;
const MOST_CELLS: usize = 1 << 16;
const MOST_BYTES: usize = 64 << 20;
/// The most ticks of a plan.
const MOST_TICKS: u32 = 1024;
/// For how many ticks the game has to change nothing until a rehearsal begins: at first, and at most, if
/// its changes have ended others.
const PAUSES: (u64, u64) = (2, 512);
/// How many expansions of the budget it takes to let an agent choose a step in a rehearsal, because it
/// takes as much time.
const STEP_PRICE: u64 = 3;
/// The same for an expansion of the refiner, for a gap between visits that it looks at, and for a cell on the path of an agent
/// that is planned anew. Chosen by regression over the times of 100,000 rounds on six maps.
const REFINING_PRICE: u64 = 5;
const LOOKING_PRICE: u64 = 1;
const REPLACING_PRICE: u64 = 3;
/// How many agents are looked at in the time of an expansion, when some of them are chosen.
const AGENTS_FOR_ONE: u64 = 8;
/// How many cells the tables of distances reach in the time of an expansion.
const CELLS_FOR_ONE: u64 = 5;
/// How many bytes are copied into new memory in the time of an expansion.
const BYTES_FOR_ONE: u64 = 80;
/// How many entries of a table are made in the time of an expansion.
const ENTRIES_FOR_ONE: u64 = 64;
/// The least and the most work of the refiner at a time. So much of the budget pays for one of it in most rounds.
const LEAST_WORK: u64 = 500;
const MOST_WORK: u64 = 4000;
const WORK_PRICE: u64 = 12;
/// After so much work without a better plan, it is left as it is.
const IDLE: u64 = 200_000;

/// The plan of a crowd that looks ahead, and when there will be another one.
#[derive(Clone, Debug)]
pub(super) struct Foresight {
    outlook: Option<Box<Outlook>>,
    /// How many changes the game had made when it was looked at last.
    changes: u64,
    /// No rehearsal begins before this tick.
    rest_until: u64,
    pause: u64,
}

impl Default for Foresight {
    fn default() -> Self {
        Self { outlook: None, changes: 0, rest_until: 0, pause: PAUSES.0 }
    }
}

impl Foresight {
    /// Drops the plan if the game has changed something.
    pub fn follow(&mut self, world: &World) {
        if self.changes == world.change_count() {
            return;
        }
        self.changes = world.change_count();
        if self.outlook.take().is_some() {
            self.pause = (2 * self.pause).min(PAUSES.1);
        }
        self.rest_until = world.tick() + self.pause;
    }

    /// Whether it may be time to begin a rehearsal.
    pub fn is_rested(&self, world: &World) -> bool {
        self.outlook.is_none() && world.tick() >= self.rest_until
    }

    /// Nothing is rehearsed until the game changes something.
    pub fn rest(&mut self) {
        self.outlook = None;
        self.rest_until = u64::MAX;
    }

    /// Begins to rehearse with a copy of the planner, which has not planned this tick.
    pub fn begin(&mut self, world: &World, copy: JostlePlanner, budget: &mut Budget<'_>) {
        budget.charge(copy.held() / BYTES_FOR_ONE);
        self.outlook = Some(Box::new(Outlook::begin(world, copy)));
    }

    /// Goes on with the rehearsal, or makes the plan better. Returns whether there is a plan for this tick.
    pub fn go_on(&mut self, world: &World, budget: &mut Budget<'_>) -> bool {
        let Some(outlook) = &mut self.outlook else { return false };
        match outlook.go_on(world, budget) {
            Fate::Open => return true,
            Fate::Over => self.pause = PAUSES.0,
            Fate::GivenUp => {}
        }
        self.rest();
        false
    }

    /// Decides where everybody goes in this tick. Returns whether there is a plan that says it.
    pub fn decide(&mut self, world: &World, step: &mut Step) -> bool {
        let Some(outlook) = &self.outlook else { return false };
        let (grid, now) = (world.grid(), world.configuration());
        let is_legal = outlook.steps(world).all(|(slot, to)| step.decide(grid, now, slot, to));
        if !is_legal {
            step.begin(grid, now);
            self.rest();
        }
        is_legal
    }

    /// Bytes held on the heap.
    pub fn memory(&self) -> usize {
        self.outlook.as_ref().map_or(0, |outlook| size_of::<Outlook>() + outlook.memory())
    }
}

/// Whether a crowd is worth rehearsing, with an agent on every so many cells of the floor or more: a
/// dense one, of agents that can all be on their goals.
pub(super) fn is_dense(world: &World, cells_for_each: u32) -> bool {
    let grid = world.grid();
    let agents = world.ours().count();
    let is_dense = agents <= MOST_AGENTS
        && grid.cells().len() <= MOST_CELLS
        && agents.saturating_mul(cells_for_each as usize) >= grid.floor_cells().count();
    if !is_dense {
        return false;
    }
    let mut goals: Vec<Cell> = world.ours().map(|agent| agent.goal).collect();
    goals.sort_unstable();
    GoalDistances::least_memory(grid, agents) <= MOST_BYTES
        && world.agents().all(|agent| agent.ours && grid.is_floor(agent.cell))
        && goals.iter().all(|&goal| grid.is_floor(goal))
        && goals.windows(2).all(|pair| pair[0] != pair[1])
}

/// Whether more than a few agents are on their way.
pub(super) const fn are_many(walkers: &Walkers) -> bool {
    walkers.awake > FEW
}

/// What has become of a plan.
enum Fate {
    /// It is being followed.
    Open,
    /// It has ended: everybody is home.
    Over,
    /// It is not worth going on with.
    GivenUp,
}

/// Where everybody will be.
#[derive(Clone, Debug)]
struct Outlook {
    /// The tick in which the plan begins.
    begin: u64,
    /// The slots of the agents, and their goals.
    slots: Vec<u32>,
    goals: Vec<Cell>,
    /// The copy that runs ahead; none when everybody is home there.
    rehearsal: Option<Box<Rehearsal>>,
    /// How many ticks it has run ahead, and what each of them takes from a budget beyond the pool of the
    /// planner.
    rehearsed: u32,
    most_price: u64,
    /// What the last tick has taken.
    last_price: u64,
    /// The steps that agents need at least, for those whose distances are prepared already.
    shortest: Vec<u32>,
    distances: GoalDistances,
    /// The plan, as far as it was rehearsed.
    refiner: Refiner,
}

impl Outlook {
    fn begin(world: &World, copy: JostlePlanner) -> Self {
        let agents = world.ours().count() as u64;
        let most_price = (u64::from(copy.options.expansions) + STEP_PRICE) * agents;
        let refining = Refining { seed: 0, batch: 1, threads: 1, most_work: MOST_WORK };
        let grid = world.shared_grid().clone();
        let distances = GoalDistances::to(&grid, []);
        let mut refiner = Refiner::new(grid, Vec::new(), Objective::SumOfCosts, refining);
        refiner.stand(world.ours().map(|agent| agent.cell));
        Self {
            begin: world.tick(),
            slots: world.ours().map(|agent| agent.slot() as u32).collect(),
            goals: world.ours().map(|agent| agent.goal).collect(),
            rehearsal: Some(Box::new(Rehearsal::begin(world, copy))),
            rehearsed: 0,
            most_price,
            last_price: 0,
            shortest: Vec::new(),
            distances,
            refiner,
        }
    }

    /// The tick of the plan at which the world is.
    const fn now(&self, world: &World) -> u32 {
        world.tick().saturating_sub(self.begin) as u32
    }

    fn go_on(&mut self, world: &World, budget: &mut Budget<'_>) -> Fate {
        let now = self.now(world);
        if self.rehearsal.is_some() {
            // The next tick, in any case. Then the distances, because everything else needs them.
            self.rehearse(now + 1, budget);
            if !self.prepare(world, budget) {
                return Fate::GivenUp;
            }
            self.rehearse(MOST_TICKS, budget);
        }
        if self.rehearsal.is_some() {
            let is_known = now < self.rehearsed && self.rehearsed < MOST_TICKS;
            return if is_known { Fate::Open } else { Fate::GivenUp };
        }
        let before = self.distances.reached();
        self.refiner.pass(now, &mut self.distances);
        self.pay_for_distances(before, budget);
        if self.refiner.is_over() {
            return Fate::Over;
        }
        self.refine(budget);
        Fate::Open
    }

    /// Rehearses up to a tick of the plan, as far as the budget lasts.
    fn rehearse(&mut self, until: u32, budget: &mut Budget<'_>) {
        while let Some(rehearsal) = &mut self.rehearsal
            && self.rehearsed < until
            && budget.remaining() >= self.last_price.max(self.most_price + u64::from(SMALLEST_POOL))
        {
            let work = rehearsal.go_on_within(budget.remaining() - self.most_price);
            self.last_price = work.expansions + STEP_PRICE * self.slots.len() as u64;
            budget.charge(self.last_price);
            self.rehearsed += 1;
            self.refiner.extend(rehearsal.world().ours().map(|agent| agent.cell));
            if rehearsal.world().have_all_arrived() && self.shortest.len() == self.slots.len() {
                self.refiner.complete(std::mem::take(&mut self.shortest));
                self.rehearsal = None;
            }
        }
    }

    /// Makes tables of distances, one for each agent, as far as the budget lasts. Returns whether all
    /// agents can reach their goals.
    fn prepare(&mut self, world: &World, budget: &mut Budget<'_>) -> bool {
        let entries = world.grid().cells().len() as u64;
        while let Some(&goal) = self.goals.get(self.shortest.len())
            && budget.remaining() >= entries
        {
            let (agent, before) = (self.shortest.len(), self.distances.reached());
            self.distances.send(agent, Some(goal));
            let start = self.refiner.start(agent);
            self.shortest.push(self.distances.get(agent, start));
            if self.shortest[agent] == GoalDistances::NONE {
                return false;
            }
            budget.charge(entries / ENTRIES_FOR_ONE);
            self.pay_for_distances(before, budget);
        }
        true
    }

    /// Makes the plan better as long as the budget lasts.
    fn refine(&mut self, budget: &mut Budget<'_>) {
        let choosing = self.slots.len() as u64 / AGENTS_FOR_ONE;
        while budget.remaining() >= WORK_PRICE * LEAST_WORK && self.refiner.idle < IDLE {
            let before = (self.refiner.work, self.distances.reached());
            self.refiner.limit_work(MOST_WORK.min(budget.remaining() / WORK_PRICE));
            self.refiner.improve(&mut self.distances);
            let price = REFINING_PRICE * (self.refiner.work - before.0)
                + LOOKING_PRICE * self.refiner.last_looked()
                + REPLACING_PRICE * self.refiner.last_cells()
                + choosing;
            budget.charge(price);
            self.pay_for_distances(before.1, budget);
        }
    }

    /// Takes from a budget what the tables of distances have cost since they had reached so many cells.
    fn pay_for_distances(&self, before: u64, budget: &mut Budget<'_>) {
        let price = (self.distances.reached() - before) / CELLS_FOR_ONE;
        budget.charge(price);
    }

    /// The slots of the agents, with their cells after this tick.
    fn steps(&self, world: &World) -> impl Iterator<Item = (usize, Cell)> {
        let cells = self.refiner.cells(self.now(world) + 1);
        self.slots.iter().map(|&slot| slot as usize).zip(cells)
    }

    fn memory(&self) -> usize {
        self.rehearsal.as_ref().map_or(0, |rehearsal| rehearsal.memory())
            + self.refiner.memory()
            + self.distances.memory()
            + (self.slots.capacity() + self.shortest.capacity()) * size_of::<u32>()
            + self.goals.capacity() * size_of::<Cell>()
    }
}

#[cfg(test)]
#[path = "foresight_test.rs"]
mod tests;
