//! Jostle's own planner: sector fields tell agents where to go, priority inheritance which of them go first.
//!
//! The map is cut into sectors, and agents share what is known of them: see [`sectors`](crate::search::Sectors). An agent
//! that is sent somewhere gets a route, a short list of exits from sector to sector, and then looks up its next step in the
//! field of the next exit: in most ticks that is one load. Steps are chosen as in PIBT: the agent that has been away from its
//! goal longest chooses first, and agents in its way make room. Agents go around those that have arrived where there is
//! room, and an agent that makes no progress lets others choose first for a while.
//!
//! Nothing is computed in advance. Routes and fields are made when agents need them, within the work that a tick may do.
//! Agents that had to wait for a route come first in the next tick, and until then go straight towards their goals.
//!
//! Where agents still do not get on, on parts of the floor that are not too large, all of them stop and follow a plan that is found by a
//! search over whole configurations: a knot is undone. Dense crowds of up to 1,024 agents look ahead: what they will do is rehearsed, and made better while they do it.
//!
//! It promises legal moves and bounded work: in a tick at most `pool` expansions and `expansions` more for each agent,
//! whatever the size of the map and whatever the game does, without preprocessing. Where the cost of a piece of work is known only
//! when it is done, what is too much is owed, and taken from the next ticks. Like PIBT, it brings every agent to its goal at some time if
//! every two neighbouring cells lie on a cycle; the swap rule helps in corridors. On small parts of the floor it is complete: if nothing
//! is changed any more and there is a plan, everybody arrives.
//!
//! Memory, at most: 4,700 bytes for each field, of which there are at most `fields` for every 100,000 agents, and no more than 32 for each sector, one for
//! each agent and 256; for the distances between cells and exits 40 MiB for every 100,000 agents, and no more than 128 bytes for each cell of the map; for the tables in
//! which routes are looked up 128 MiB for every 8.4 million cells, and no more than 200 bytes a cell; and besides that 24 bytes for each cell,
//! 2,000 for each agent, and a megabyte (test `growth`). A cave of 3072x3072 with 1,000 agents takes 11 bytes a cell.
//! Dense crowds that look ahead need up to 80 MB more, and a copy of all this while they rehearse.
//!
//! When the floor changes, the sectors around are looked at again. Agents whose routes pass one of them search anew, and
//! so do agents that might gain by a wall that was removed: they are asked in turns, and keep their routes until then.
//!
//! An agent whose goal moves a little, because it is after a player, keeps its course until that is no longer good enough.

mod blocks;
mod detour;
mod errand;
mod finding;
mod foresight;
mod guidance;
mod knot;
mod lookout;
mod openings;
mod progress;
mod pursuit;
mod queue;
mod walkers;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::news::{Followed, MapNews, edits};
use super::pibt::propose;
use super::{Field, Planner, Recipe, Value, Work};
use crate::grid::Cell;
use crate::pibt::Step;
use crate::registry::within_ranges;
use crate::search::{Budget, Heading, Search, Sectors};
use crate::world::{Agent, Moves, World};
use errand::Errand;
use foresight::Foresight;
use guidance::Knowledge;
use knot::Knots;
use lookout::Lookout;
use openings::Openings;
use queue::Queue;
use walkers::Walkers;

/// The parameters of Jostle's planner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Jostle {
    /// The most nodes to expand in a tick for each agent on its way. What one agent does not need, others may use. Default: `10`, our
    /// choice.
    pub expansions: u32,
    /// The most nodes to expand in a tick beyond that, all agents together. It bounds how long a tick takes: a node is about 35 ns.
    /// Default: `120000`, our choice: ticks of 2,000 agents stay below 4 ms (bench `promises`).
    pub pool: u32,
    /// The most fields to keep for every 100,000 agents, of 4.6 kB each. Default: `40000`, our choice.
    pub fields: u32,
    /// Whether agents avoid portals through which many others were sent lately. Default: `true`, our choice.
    pub traffic: bool,
    /// Whether agents that meet in a corridor look for a place to change sides. Default: `true`, our choice; the rule is LaCAM's.
    pub swap: bool,
    /// Whether agents that do not get on are brought to their goals by a search over whole configurations. Default: `true`, our choice.
    pub knots: bool,
    /// Crowds with an agent on every so many cells of the floor, or more, look ahead: how everybody would go is rehearsed, and made better
    /// while they go. With 0, no crowd does. Default: `6`, our choice.
    pub rehearse: u32,
    /// On how many threads to plan. The moves do not depend on it. Without the feature `threads` it has no effect: there is one thread.
    /// Default: `1`, our choice.
    pub threads: u32,
    /// Decides between cells that are equally good. Default: `0`; any number does.
    pub seed: u32,
}

impl Default for Jostle {
    fn default() -> Self {
        Self {
            expansions: 10,
            pool: 120_000,
            fields: 40_000,
            traffic: true,
            swap: true,
            knots: true,
            rehearse: 6,
            threads: 1,
            seed: 0,
        }
    }
}

impl Recipe for Jostle {
    fn fields(&mut self) -> Vec<Field<'_>> {
        let field = |name, about, value| Field { name, about, value };
        let count = |value, range| Value::Count { value, range };
        vec![
            field(
                "expansions",
                "the most nodes to expand in a tick for each agent",
                count(&mut self.expansions, 0..=1_000_000),
            ),
            field(
                "pool",
                "the most nodes to expand in a tick beyond that, all agents together",
                count(&mut self.pool, SMALLEST_POOL..=100_000_000),
            ),
            field(
                "fields",
                "the most fields to keep for every 100,000 agents, of 4.6 kB each",
                count(&mut self.fields, 64..=1_000_000),
            ),
            field("traffic", "avoid recently congested paths", Value::Flag(&mut self.traffic)),
            field(
                "swap",
                "agents that meet in a corridor look for a place to change sides",
                Value::Flag(&mut self.swap),
            ),
            field(
                "knots",
                "resolve deadlocks with a search over whole configurations",
                Value::Flag(&mut self.knots),
            ),
            field(
                "rehearse",
                "look ahead in crowds of at least one agent per N cells (0: never)",
                count(&mut self.rehearse, 0..=1_000_000),
            ),
            field(
                "threads",
                "threads to plan on; the moves do not depend on it",
                count(&mut self.threads, 1..=256),
            ),
            field(
                "seed",
                "decides between cells that are equally good",
                count(&mut self.seed, 0..=u32::MAX),
            ),
        ]
    }

    fn build(&self) -> Box<dyn Planner> {
        Box::new(JostlePlanner::new(*self))
    }
}

/// With less, some pieces of work would never be done.
const SMALLEST_POOL: u32 = Sectors::LARGEST_PIECE as u32;

/// What is kept of an agent, in nominal bytes.
const BYTES_OF_AGENT: usize = 320;

/// How many cells the swap rule may look at in a tick for each agent, all together, and what that takes in expansions.
const OUTLOOK: u64 = 16;
const WALK_PRICE: u64 = 3;

/// Jostle's planner.
#[derive(Clone, Debug)]
pub struct JostlePlanner {
    options: Jostle,
    followed: Followed,
    /// What is known of the map; nothing before the first tick.
    sectors: Option<Sectors>,
    walkers: Walkers,
    /// What lookups do not answer in this tick, in the order of the walkers.
    lookouts: Vec<Lookout>,
    /// The walkers that know their route, and not yet the next step.
    unanswered: Vec<u32>,
    /// The agents that wait for a search.
    queue: Queue,
    /// By slot, where each agent wants to go in this tick.
    headings: Vec<Heading>,
    /// The slots of agents in the order in which they choose.
    order: Vec<u32>,
    dice: ChaCha8Rng,
    step: Step,
    /// For ways around agents that are not ours.
    search: Search,
    knots: Knots,
    foresight: Foresight,
    /// How far goals move.
    shifts: pursuit::Shifts,
    openings: Openings,
    /// What was done in earlier ticks beyond their budgets, in expansions.
    debt: u64,
    /// What was left of the last tick's budget when everybody knew where to go.
    spare: u64,
}

impl JostlePlanner {
    /// A planner that has not seen a world yet. A number that is out of its range is taken as the nearest one that is
    /// allowed.
    pub fn new(options: Jostle) -> Self {
        let options = within_ranges(options);
        Self {
            options,
            followed: Followed::default(),
            sectors: None,
            walkers: Walkers::default(),
            lookouts: Vec::new(),
            unanswered: Vec::new(),
            queue: Queue::default(),
            headings: Vec::new(),
            order: Vec::new(),
            dice: ChaCha8Rng::seed_from_u64(u64::from(options.seed)),
            step: Step::new(options.swap).with_outlook(OUTLOOK),
            search: Search::default(),
            knots: Knots::default(),
            foresight: Foresight::default(),
            shifts: pursuit::Shifts::default(),
            openings: Openings::default(),
            debt: 0,
            spare: 0,
        }
    }

    /// Takes account of what the game has changed, and of agents that were pushed off their goals.
    fn follow(&mut self, world: &World) {
        let is_worn_out = self.sectors.as_ref().is_some_and(Sectors::is_worn_out);
        if self.followed.is_another(world) || is_worn_out {
            *self = Self::new(self.options);
        }
        self.walkers.resize(world.slots());
        self.headings.resize(world.slots(), Heading::default());
        let news = self.followed.map(world);
        if news == MapNews::Edited {
            self.follow_edits(world);
            self.knots.follow_edits(world);
            self.shifts.forget();
        }
        let Self { followed, walkers, headings, knots, shifts, .. } = self;
        let mut has_edits = news != MapNews::Same;
        followed.agents(world, |slot, agent| {
            // It may have been sent to the wall on which it stands.
            has_edits |= agent.is_some_and(|agent| agent.has_arrived());
            knots.notice(slot, world.tick());
            if agent.is_some_and(|agent| walkers.redirect(&agent, shifts, world)) {
                return;
            }
            walkers.put_to_sleep(slot);
            walkers.luggage[slot].errand = Errand::default();
            headings[slot] = Heading::default();
        });
        walkers.wake_all(world, has_edits);
        walkers.keep_in_order(world);
        self.foresight.follow(world);
    }

    /// The most nodes to expand in a tick, if so many agents are on their way.
    const fn most_expansions(&self, agents: u64) -> u64 {
        self.options.pool as u64 + agents * self.options.expansions as u64
    }

    /// Changes how many nodes may be expanded in a tick beyond those for each agent.
    pub(super) fn set_pool(&mut self, pool: u64) {
        self.options.pool = pool.clamp(SMALLEST_POOL.into(), u32::MAX.into()) as u32;
    }

    /// Begins to rehearse what a dense crowd will do, once all of its agents have routes and nobody takes part in a knot.
    fn look_ahead(&mut self, world: &World, budget: &mut Budget<'_>) {
        let Self { options, walkers, queue, knots, foresight, spare, .. } = self;
        let is_time = options.rehearse > 0
            && foresight.is_rested(world)
            && foresight::are_many(walkers)
            && queue.is_empty()
            && knots.are_none()
            && *spare >= u64::from(options.pool) / 2;
        if !is_time {
            return;
        }
        if !foresight::is_dense(world, options.rehearse) {
            return foresight.rest();
        }
        let mut copy = self.clone();
        copy.options.rehearse = 0;
        self.foresight.begin(world, copy, budget);
    }

    /// How much it holds, counted by entries in nominal bytes: what it takes to copy it. It is the same on any machine, on any
    /// number of threads and in a copy.
    fn held(&self) -> u64 {
        let sectors = self.sectors.as_ref().map_or(0, Sectors::held);
        (sectors + BYTES_OF_AGENT * self.walkers.luggage.len()) as u64
    }

    /// Looks at the sectors around again. Agents that might gain by a wall that was removed are asked later.
    fn follow_edits(&mut self, world: &World) {
        let Self { sectors: Some(sectors), openings, .. } = self else { return };
        let edited: Vec<Cell> = edits(world).collect();
        sectors.edit(world.grid(), &edited);
        openings.note(world.grid(), &edited);
    }

    /// Lets agents choose their steps: the oldest, those of all blocks, and the others.
    fn choose(&mut self, world: &World, moves: &mut Moves) {
        let Self {
            options,
            sectors: Some(sectors),
            walkers,
            headings,
            order,
            dice,
            step,
            knots,
            foresight,
            ..
        } = self
        else {
            return;
        };
        order.clear();
        for walker in &walkers.all {
            order.push(walker.slot);
            if let Some(heading) = headings.get_mut(walker.slot as usize) {
                // An agent that cannot arrive stays, and makes room: it would only push others off their goals.
                let stays = knots.denies(walker.slot);
                *heading = if stays { Heading::default() } else { walker.heading };
            }
        }
        let (grid, now) = (world.grid(), world.configuration());
        let mut guidance = Knowledge { world, sectors, walkers, headings, dice: dice.next_u64() };
        step.begin(grid, now);
        if !foresight.decide(world, step) {
            knots.decide(world, step);
        }
        step.run(grid, now, &order[..walkers.oldest], &mut guidance);
        for shares in &walkers.blocks {
            let threads = options.threads as usize;
            step.run_apart(grid, now, (&order[..], shares), &guidance, threads);
        }
        step.run(grid, now, &order[walkers.blocks_end..], &mut guidance);
        propose(step, moves);
    }
}

impl Planner for JostlePlanner {
    fn plan(&mut self, world: &World, moves: &mut Moves) -> Work {
        self.follow(world);
        let mut budget = Budget::expansions(self.most_expansions(self.walkers.awake as u64));
        budget.charge(self.debt);
        self.look_ahead(world, &mut budget);
        self.find_headings(world, &mut budget);
        self.spare = budget.remaining();
        let is_planned = self.foresight.go_on(world, &mut budget);
        if let Some(sectors) = self.sectors.as_ref().filter(|_| self.options.knots && !is_planned) {
            let budget = (self.options.pool.into(), &mut budget);
            self.knots.go_on((world, sectors), &mut self.walkers, budget);
        }
        self.choose(world, moves);
        budget.charge(self.step.walked() * WALK_PRICE);
        self.debt = budget.owed();
        budget.work()
    }

    fn wish(&self, agent: &Agent) -> Option<Cell> {
        self.followed.knows(agent).then(|| self.step.wish(agent.slot()))?
    }

    fn is_hopeless(&self, agent: &Agent) -> bool {
        self.followed.knows(agent) && self.knots.denies(agent.slot() as u32)
    }

    fn try_clone(&self) -> Option<Box<dyn Planner>> {
        Some(Box::new(self.clone()))
    }

    fn memory(&self) -> usize {
        let sectors = self.sectors.as_ref().map_or((0, 0), Sectors::memory);
        size_of::<Self>()
            + sectors.0
            + sectors.1
            + self.walkers.memory()
            + self.headings.capacity() * size_of::<Heading>()
            + self.lookouts.capacity() * size_of::<Lookout>()
            + self.lookouts.iter().map(Lookout::memory).sum::<usize>()
            + self.queue.memory()
            + self.openings.memory()
            + (self.order.capacity() + self.unanswered.capacity()) * size_of::<u32>()
            + self.followed.memory()
            + self.step.memory()
            + self.search.memory()
            + self.knots.memory()
            + self.foresight.memory()
    }
}

#[cfg(test)]
#[path = "jostle_test.rs"]
mod tests;
