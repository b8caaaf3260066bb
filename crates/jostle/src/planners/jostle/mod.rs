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
//! whatever the size of the map, without preprocessing. Like PIBT, it brings every agent to its goal at some time if
//! every two neighbouring cells lie on a cycle; the swap rule helps in corridors. On small parts of the floor it is complete: if nothing
//! is changed any more and there is a plan, everybody arrives.
//!
//! Memory: what is known of sectors (about two bytes for each cell of the map), 4.6 kB for each field, of which there
//! are at most `fields` for every 100,000 agents, and about 100 bytes for each agent. Dense crowds that look ahead need up to 80 MB more, and a copy of all this while they rehearse.
//!
//! When the floor changes, the sectors around are looked at again. Agents whose routes pass one of them search anew, and
//! so do agents that might gain by a wall that was removed; those keep their routes until then.

mod blocks;
mod detour;
mod errand;
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
use crate::search::{Budget, Guide, Heading, Search, SectorOptions, Sectors, Verdict};
use crate::world::{Agent, Moves, World};
use detour::Detour;
use errand::Errand;
use foresight::Foresight;
use guidance::Knowledge;
use knot::Knots;
use lookout::{Lookout, look_up};
use openings::Openings;
use pursuit::Drift;
use queue::Queue;
use walkers::{Luggage, Walkers};

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

/// The crowd for which the limits of memory are meant. Larger ones may use as many times more.
const CROWD: usize = 100_000;

/// If so many agents wait for a route, it takes less time to complete what is known of the map first: after that, a route is
/// a lookup. On a large map that takes many ticks, in which no agent would get one.
const MANY: usize = 1000;
const MANY_ON_LARGE_MAPS: usize = 2500;
/// The most cells of a map that is not large.
const SMALL_MAP: usize = 512 * 1024;

/// What is kept of an agent, in nominal bytes.
const BYTES_OF_AGENT: usize = 320;

/// How many cells the swap rule may look at in a tick for each agent, all together, and what that takes in expansions.
const OUTLOOK: u64 = 16;
const WALK_PRICE: u64 = 3;

/// How often expected traffic fades, in ticks.
const FADE_EVERY: u64 = 8;
/// An agent that does not get on looks for another route if no more than this many agents wait for one.
const FEW_WAITING: usize = 16;

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
    moves: pursuit::Moves,
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
            moves: pursuit::Moves::default(),
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
            self.moves.forget();
        }
        let Self { followed, walkers, headings, knots, moves, .. } = self;
        let mut has_edits = news != MapNews::Same;
        followed.agents(world, |slot, agent| {
            // It may have been sent to the wall on which it stands.
            has_edits |= agent.is_some_and(|agent| agent.has_arrived());
            knots.notice(slot, world.tick());
            if agent.is_some_and(|agent| walkers.redirect(&agent, moves, world)) {
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

    /// Finds out where all agents want to go: by lookups, and for those who need more than that within a budget. Half of it
    /// is for agents on their way. Then come those that wait for a route, and again the others with what is left.
    fn find_headings(&mut self, world: &World, budget: &mut Budget<'_>) {
        let options = self.options;
        let sectors = self.sectors.get_or_insert_with(|| {
            let known = SectorOptions { traffic: options.traffic, ..SectorOptions::default() };
            Sectors::new(world.grid(), known)
        });
        if world.tick().is_multiple_of(FADE_EVERY) {
            sectors.fade();
        }
        let crowds = self.walkers.awake.div_ceil(CROWD).max(1);
        let approaches = SectorOptions::default().approaches;
        let fields = crowds * options.fields as usize;
        sectors.set_room(fields, self.walkers.awake, crowds * approaches);
        self.openings.go_on(world, &mut self.walkers, &mut self.queue, budget);
        let threads = options.threads as usize;
        // If many wait for their routes, it takes long, and they go on.
        let waits = self.queue.len() + self.walkers.woken < MANY;
        let scene = (world, &*sectors);
        look_up(&mut self.walkers.all, scene, (threads, waits), &mut self.lookouts);
        let lookouts = std::mem::take(&mut self.lookouts);
        for &at in lookouts.iter().flat_map(|lookout| &lookout.joining) {
            self.queue.join(&mut self.walkers.all[at as usize]);
        }
        for &at in lookouts.iter().flat_map(|lookout| &lookout.passed) {
            self.walkers.catch_up(at as usize);
        }
        for &(at, length) in lookouts.iter().flat_map(|lookout| &lookout.due) {
            self.review(at as usize, length, world, budget);
        }
        self.unanswered.clear();
        let mut half = Budget::expansions(budget.remaining() / 2);
        for &at in lookouts.iter().flat_map(|lookout| &lookout.turning) {
            self.turn(at as usize, world, &mut half);
        }
        for &at in lookouts.iter().flat_map(|lookout| &lookout.asking) {
            self.answer(at as usize, world, &mut half);
        }
        self.lookouts = lookouts;
        budget.take(&half);
        self.serve_queue(world, budget);
        // Those who still get no answer join again at the end of this list, and have to wait for the next tick.
        for number in 0..self.unanswered.len() {
            if budget.is_spent() {
                break;
            }
            self.answer(self.unanswered[number] as usize, world, budget);
        }
        if let Self { sectors: Some(sectors), queue, .. } = self
            && queue.is_empty()
        {
            sectors.build(world.grid(), budget);
        }
    }

    /// Looks at the progress of a walker, whose way to the next exit has this length. One that does not get on looks for a way around, if
    /// an agent that is not ours stands before it, or for another route: the traffic is not what it was.
    fn review(&mut self, at: usize, length: u32, world: &World, budget: &mut Budget<'_>) {
        let Self { options, sectors: Some(sectors), walkers, queue, search, .. } = self else {
            return;
        };
        let walker = &mut walkers.all[at];
        let cell = world.configuration().raw_cells()[walker.slot as usize];
        let Luggage { route, progress, detour, is_outdated, .. } =
            &mut walkers.luggage[walker.slot as usize];
        let left = (walker.course.exits_ahead(route), length);
        let pace = progress.look(left, walker.slot, world.tick());
        (walker.is_late, walker.gets_on) = (pace.is_jammed, pace.gets_on);
        if !pace.gets_on && Detour::is_wanted(walker, world, cell) {
            detour.find(walker, (world, sectors), search, (cell, budget));
            walker.is_going_around = true;
        } else if pace.looks_around
            && options.traffic
            && walker.course.is_known()
            && queue.len() < FEW_WAITING
        {
            *is_outdated = true;
            queue.join(walker);
        }
    }

    /// Lets a walker look anew whose goal has moved: for a way straight to it if that is near, and otherwise for another route.
    fn turn(&mut self, at: usize, world: &World, budget: &mut Budget<'_>) {
        let Self { sectors: Some(sectors), walkers, queue, .. } = self else { return };
        let walker = &mut walkers.all[at];
        let slot = walker.slot as usize;
        let luggage = &mut walkers.luggage[slot];
        let (grid, cell) = (world.grid(), world.configuration().raw_cells()[slot]);
        walker.forget_drift(luggage.goal);
        if cell == luggage.goal && grid.is_floor(cell) {
            return self.arrive(slot, world);
        }
        if walker.course.is_near(grid, cell, luggage.goal) {
            let mut guide = Guide { sectors, grid, budget, scouted: None };
            match walker.course.approach((cell, luggage.goal), &mut guide) {
                Verdict::Found(heading) => {
                    (walker.drift, walker.heading) = (Drift::NONE, heading);
                    return;
                }
                Verdict::OutOfBudget => return,
                Verdict::Nothing => {}
            }
        }
        luggage.is_outdated = walker.course.is_known();
        queue.join(walker);
    }

    /// The agent in a slot has arrived: it sleeps.
    fn arrive(&mut self, slot: usize, world: &World) {
        self.walkers.luggage[slot].errand.end(world.tick());
        self.walkers.put_to_sleep(slot);
        self.headings[slot] = Heading::default();
    }

    /// Finds out where a walker wants to go that needs more than a lookup.
    fn answer(&mut self, at: usize, world: &World, budget: &mut Budget<'_>) {
        let Self { sectors: Some(sectors), walkers, queue, .. } = self else { return };
        let walker = &mut walkers.all[at];
        let slot = walker.slot as usize;
        // One that has just found out that it is there has left.
        let Some(&cell) = world.configuration().raw_cells().get(slot) else { return };
        let grid = world.grid();
        let Luggage { route, detour, goal, .. } = &mut walkers.luggage[slot];
        if cell == *goal && grid.is_floor(cell) {
            return self.arrive(slot, world);
        }
        walker.forget_drift(*goal);
        if !walker.drift.is_none() && walker.course.bend(grid, cell, *goal) {
            walker.drift = Drift::NONE;
        }
        if walker.is_going_around
            && let Some(heading) = detour.heading(world, cell)
        {
            walker.heading = heading;
            return;
        }
        walker.is_going_around = false;
        let answer = if walker.course.is_known() || !grid.is_floor(cell) {
            walker.ask(route, cell, &mut Guide { sectors, grid, budget, scouted: None })
        } else {
            // One that has no route yet waits for its turn, unless it sees its goal.
            walker.course.look_ahead(sectors, grid, cell)
        };
        if let Some(heading) = answer {
            walker.heading = heading;
            return;
        }
        walker.heading = walker.course.towards(sectors, grid, cell, queue.len() < MANY);
        if walker.course.is_known() {
            self.unanswered.push(at as u32);
        } else {
            queue.join(walker);
        }
    }

    /// Finds routes for the agents that wait for one, as far as the budget goes: first those that are lookups, with three
    /// quarters of it, then those that have to be searched for.
    fn serve_queue(&mut self, world: &World, budget: &mut Budget<'_>) {
        let grid = world.grid();
        let Self { options, sectors: Some(sectors), walkers, queue, unanswered, .. } = self else {
            return;
        };
        let many = if grid.cells().len() <= SMALL_MAP { MANY } else { MANY_ON_LARGE_MAPS };
        if queue.len() >= many && sectors.can_have_tables() {
            sectors.build(grid, budget);
        }
        let mut share = Budget::expansions(budget.remaining() / 4 * 3);
        while sectors.has_tables()
            && Sectors::affords_lookup(&mut share)
            && let Some((slot, scouted)) =
                queue.first_near((world, sectors), walkers, options.threads as usize)
        {
            share.charge(scouted.take_price());
            if scouted.is_known() {
                let scouted = Some(&*scouted);
                let guide = Guide { sectors, grid, budget: &mut share, scouted };
                serve(walkers, slot as usize, world, guide, unanswered);
                queue.pop_near();
            } else {
                queue.put_off();
            }
        }
        budget.take(&share);
        while let Some(slot) = queue.first() {
            let mut scouted = None;
            if let Some(shared) = queue.shared((world, sectors), walkers, slot) {
                if !shared.search(sectors, grid, budget) {
                    break;
                }
                scouted = Some(&*shared);
            }
            let guide = Guide { sectors, grid, budget, scouted };
            if !serve(walkers, slot as usize, world, guide, unanswered) {
                break;
            }
            queue.pop();
        }
        budget.charge(queue.end_tick());
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

/// Finds the route of an agent, if it still waits. Returns whether that is done; if not, the budget was not enough.
fn serve(
    walkers: &mut Walkers,
    slot: usize,
    world: &World,
    mut guide: Guide<'_, '_>,
    unanswered: &mut Vec<u32>,
) -> bool {
    let at = walkers.place(slot);
    let Some((walker, luggage)) = walkers.get_mut(slot).filter(|(one, _)| one.is_waiting) else {
        return true;
    };
    let cell = world.configuration().raw_cells()[slot];
    let Luggage { route, is_outdated, goal, .. } = luggage;
    walker.forget_drift(*goal);
    let is_done = if *is_outdated {
        walker.course.renew(route, (cell, *goal), &mut guide)
    } else {
        walker.course.search(route, cell, &mut guide)
    };
    if !is_done {
        return false;
    }
    (*is_outdated, walker.is_waiting, walker.drift) = (false, false, Drift::NONE);
    let Guide { sectors, grid, .. } = guide;
    // It follows the field of its next exit, if there is one already.
    let heading = walker.course.glance(sectors, grid, cell);
    walker.course.catch_up(route);
    walker.heading = heading.unwrap_or_else(|| {
        unanswered.push(at);
        walker.course.towards(sectors, grid, cell, true)
    });
    true
}

#[cfg(test)]
#[path = "jostle_test.rs"]
mod tests;
