//! Knots: agents that do not get on, undone by a search over whole configurations.
//!
//! The rules by which agents choose their steps look one step ahead. In corridors and dead ends that is not always enough:
//! an agent may have to go far back in order to let another one pass, or go round a loop instead of through one that has
//! arrived. So when an agent takes much longer than its way is long and comes no closer, all agents around it stop, and a solver
//! looks for a plan that brings all of them to their goals. They follow that plan to its end.
//!
//! If the part of the floor that can be reached is small, everybody on it takes part at first. If no plan is found for so many, or the part is large, those in a
//! region around the agent do. Those whose goals are elsewhere aim for cells on their way there. An agent that is stuck again takes
//! a region with twice as many cells, from the third time on one with its goal in it, and in the end the whole part of the floor. So the planner is
//! complete there. Several knots are undone at the same time if their regions do not overlap.
//!
//! Most plans are found by [LaCAM\*](crate::solvers::LacamStar) within a tick. Where it takes too long, [push and rotate](crate::solvers::PushAndRotate) makes a
//! plan by rules, which is much longer. It also tells beforehand if there is none, and who cannot have their goals: the others get theirs then, and nothing more is done for
//! these until something changes. The work is taken from what is left of the budget of the tick, and goes on in the next ticks.
//!
//! Others do not enter cells of a region that its agents will still need. So they do not stand in the way of a plan, and pass where it has been.
//!
//! A plan is given up when one of its agents is placed elsewhere or leaves, when its part of the floor changes, or when an agent that is not ours stays in its way; and, unless it is for a
//! region and ends soon, when one of its agents gets another goal.

mod one;
mod party;
mod solving;
mod stops;

use super::errand::Errand;
use super::walkers::Walkers;
use crate::grid::Cell;
use crate::pibt::Step;
use crate::planners::news::edits;
use crate::search::{Budget, Heading, Sectors};
use crate::world::{Agent, Errands, World};
use one::{Fate, Knot};
use party::{MOST_CELLS, Part, Party};
use solving::Method;

/// The most knots that are undone at the same time.
const MOST_KNOTS: usize = 8;
/// How often it is checked whether agents get on, in ticks, if they are more than a few, and for how many at once.
const LOOK_EVERY: u64 = 4;
const MOST_LOOKED_AT: usize = 1024;
/// An agent is late if it takes longer than twice its way and so many ticks more.
const GRACE: u64 = 4;
/// Each other agent on its way adds one tick to that, and the first few of them so many more.
const GRACE_FOR_EACH: u64 = 2;
const FEW: u64 = 16;
/// For how many ticks a late agent comes no closer until it is stuck, and how many more for each of some others if more than a few are on their way.
const STUCK_TICKS: u64 = 4;
const STUCK_TICKS_FOR_EACH: u64 = 2;
/// How fast the number of others falls when they arrive, as far as it makes agents late: a part of so many each time they are looked at. A crowd that was
/// dense takes long to dissolve.
const FADING: u64 = 32;
/// As many others as make a difference to the grace.
const MANY: u64 = 512;
/// While others get new goals, an agent has to be late by so many ticks more, and only a region nearby stops: jams dissolve as others come and go, and
/// a plan does not hold for long that all of them take part in.
const BUSY_GRACE: u64 = 256;
/// For how many ticks a new goal makes the others wait like this.
const BUSY_TICKS: u64 = 64;
/// For how many ticks no knot is looked for after one was undone or given up.
const REST: u64 = 8;
/// The most cells and agents of a part of the floor for which a plan is looked for before one for a region, and of one for which all is tried at once.
const SMALL_PART: (usize, usize) = (16_384, 512);
const TINY_PART: (usize, usize) = (16_384, 16);
/// Many are stuck if one of so many is.
const MANY_SHARE: usize = 8;
/// How many cells the first region around an agent has.
const SMALL_REGION: usize = 256;
/// How often that is doubled at most: then it has more cells than any part of the floor for which a plan is looked for.
const MOST_DOUBLINGS: u32 = 16;
/// How often an agent takes a region that its goal need not be in.
const LOCAL_TRIES: u32 = 2;
/// The most steps on the way of an agent to the cell that it aims for in a region.
const MOST_STEPS: usize = 64;

/// The knots that are being undone.
#[derive(Clone, Debug, Default)]
pub(super) struct Knots {
    all: Vec<Knot>,
    /// For whom nothing more can be done.
    hopeless: Hopeless,
    /// No knot is looked for before this tick.
    rest_until: u64,
    /// The first walker to look at.
    next: usize,
    /// How many are on their way, or were lately.
    crowd: u64,
    /// No other knots begin before all have ended, because the next one is for a whole part of the floor.
    is_clearing: bool,
    /// How many were on their way when no plan for a whole part of the floor was found last; 0 if one was, or there are new goals.
    too_many: usize,
    /// The tick in which an agent last got a goal.
    sent: u64,
}

/// For whom nothing more can be done, as slots, sorted.
#[derive(Clone, Debug, Default)]
struct Hopeless {
    /// Those for whom nothing more is tried, as long as the map and the errands are these.
    tried: Vec<u32>,
    present: Option<(u64, Errands)>,
    /// Those of which it is known that they cannot have their goals, as long as the game has changed nothing else either.
    denied: Vec<u32>,
    changes: u64,
}

impl Hopeless {
    /// Forgets everything if something has changed.
    fn follow(&mut self, world: &World) {
        let present = Some((world.grid().fingerprint(), world.errands()));
        if self.present != present {
            *self = Self { present, ..Self::default() };
        }
        if self.changes != world.change_count() {
            self.changes = world.change_count();
            self.denied.clear();
        }
    }

    fn add(&mut self, tried: &[u32], denied: impl IntoIterator<Item = u32>) {
        self.tried.extend_from_slice(tried);
        self.tried.sort_unstable();
        self.denied.extend(denied);
        self.denied.sort_unstable();
    }
}

impl Knots {
    /// The floor has changed. Plans for parts of it that were edited are given up.
    pub fn follow_edits(&mut self, world: &World) {
        let is_edited =
            |knot: &Knot| edits(world).any(|cell| knot.party.covers(world.grid(), cell));
        self.all.retain(|knot| !is_edited(knot));
    }

    /// The agent in a slot has another goal, or is another one.
    pub fn notice(&mut self, slot: usize, tick: u64) {
        (self.sent, self.too_many) = (tick, 0);
        // Most plans of regions are short enough to be followed to their end.
        let is_void = |knot: &Knot| {
            (knot.party.is_whole || knot.is_long()) && knot.party.number(slot).is_some()
        };
        if let Some(at) = self.all.iter().position(is_void) {
            self.all.remove(at);
            self.rest_until = tick + REST;
        }
    }

    /// Whether nobody takes part in a knot.
    pub const fn are_none(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether it is known that the agent in a slot cannot have its goal as long as the others have theirs.
    pub fn denies(&self, slot: u32) -> bool {
        self.hopeless.denied.binary_search(&slot).is_ok()
    }

    /// Looks for knots, and goes on with those there are.
    pub fn go_on(
        &mut self,
        (world, sectors): (&World, &Sectors),
        walkers: &mut Walkers,
        (pool, budget): (u64, &mut Budget<'_>),
    ) {
        self.hopeless.follow(world);
        if let Some(knot) = self.watch((world, sectors), walkers, (pool, budget)) {
            self.all.push(knot);
        }
        let Self { all, hopeless, rest_until, too_many, .. } = self;
        let mut solving = all.iter().filter(|knot| knot.is_solving()).count() as u64;
        all.retain_mut(|knot| {
            let mut share = Budget::expansions(budget.remaining() / solving.max(1));
            solving -= u64::from(knot.is_solving());
            let fate = knot.go_on(world, &mut share);
            budget.take(&share);
            let party = &knot.party;
            match fate {
                Fate::Open => return true,
                // Those who cannot have their goals would begin again.
                Fate::Undone if party.is_whole && party.denied().next().is_some() => {
                    hopeless.add(&party.slots, party.denied().filter(|_| !party.meets_foreign));
                }
                Fate::Impossible if party.is_whole => {
                    let is_away = |&slot: &u32| !party.meets_foreign && !has_arrived(world, slot);
                    let away = party.slots.iter().copied().filter(is_away);
                    hopeless.add(&party.slots, away);
                }
                Fate::Unsolved if party.is_whole && knot.method != Method::Search => {
                    hopeless.add(&party.slots, []);
                }
                Fate::Unsolved if party.is_whole => *too_many = walkers.awake,
                Fate::Undone | Fate::Impossible | Fate::Unsolved | Fate::GivenUp => {}
            }
            *rest_until = world.tick() + REST;
            false
        });
    }

    /// Decides where the agents of knots go in this tick. If another agent is in their way, they wait.
    pub fn decide(&mut self, world: &World, step: &mut Step) {
        let (grid, now) = (world.grid(), world.configuration());
        let mut moves: Vec<bool> = self.all.iter().map(|knot| knot.can_move(world)).collect();
        // Moves of two knots can only be illegal together where diagonals must not cross. Then one of them waits.
        while let Some(at) = (0..self.all.len()).find(|&at| {
            let mut steps = self.all[at].steps(moves[at]);
            !steps.all(|(slot, cell)| step.decide(grid, now, slot, cell))
        }) {
            step.begin(grid, now);
            if !std::mem::replace(&mut moves[at], false) {
                self.all.remove(at);
                moves.remove(at);
            }
        }
        for (knot, has_moved) in self.all.iter_mut().zip(moves) {
            knot.close(step);
            knot.end_tick(has_moved);
        }
    }

    /// Bytes held on the heap.
    pub fn memory(&self) -> usize {
        self.all.iter().map(|knot| size_of::<Knot>() + knot.memory()).sum::<usize>()
            + (self.hopeless.tried.capacity() + self.hopeless.denied.capacity()) * size_of::<u32>()
    }

    /// Looks for an agent that is stuck, and for those around it.
    fn watch(
        &mut self,
        (world, sectors): (&World, &Sectors),
        walkers: &mut Walkers,
        (pool, budget): (u64, &mut Budget<'_>),
    ) -> Option<Knot> {
        let tick = world.tick();
        let every = if walkers.awake as u64 > FEW { LOOK_EVERY } else { 1 };
        let is_time = tick >= self.rest_until && tick.is_multiple_of(every);
        let has_room =
            if self.is_clearing { self.all.is_empty() } else { self.all.len() < MOST_KNOTS };
        if !is_time || !has_room || walkers.awake == 0 {
            return None;
        }
        self.is_clearing = false;
        self.crowd = (self.crowd - self.crowd.div_ceil(FADING)).max(walkers.awake as u64);
        let Stuck { slot, goal, are_many, are_most } =
            self.find_stuck((world, sectors), walkers)?;
        let is_busy = is_busy(&walkers.luggage.get(slot as usize)?.errand, self.sent, tick);
        let cell = world.configuration().raw_cells()[slot as usize];
        let whole = |(most_cells, most_taken), budget: &mut Budget<'_>| {
            // In a tick in which much was done already, it would take too long.
            if is_busy || budget.remaining() < (most_cells as u64).min(pool / 2) {
                return None;
            }
            let sizes = (usize::MAX, most_cells);
            let part = Part::around(world, (cell, None), sizes, |_| true, budget);
            part.filter(|part| part.taken <= most_taken)
        };
        let is_hard = self.too_many > 0 && 2 * walkers.awake > self.too_many;
        // If nearly all are at home already, a region will do.
        let small = (SMALL_PART.0, SMALL_PART.1.min(4 * walkers.awake));
        let whole = if let Some(part) = whole(TINY_PART, budget) {
            Some((part, Method::Both))
        } else if are_many
            && !is_hard
            && let Some(part) = whole(small, budget)
        {
            Some((part, Method::Search))
        } else if are_most && let Some(part) = whole((MOST_CELLS, MOST_CELLS), budget) {
            Some((part, Method::Rules))
        } else {
            None
        };
        if let Some((part, method)) = whole {
            // All of its agents take part, so that none of them can be in another knot.
            self.is_clearing = !self.all.is_empty();
            let party = (!self.is_clearing)
                .then(|| Party::on(&part, world, |_| Cell::NOWHERE, budget))??;
            return Some(Knot::of(party, method));
        }
        let is_open = |cell| self.all.iter().all(|knot| !knot.party.covers(world.grid(), cell));
        let tries = walkers.luggage.get(slot as usize)?.errand.tries();
        let tries = if is_busy { tries.min(LOCAL_TRIES - 1) } else { tries };
        let wanted = SMALL_REGION << tries.min(MOST_DOUBLINGS);
        let is_local = tries < LOCAL_TRIES;
        let goal = (!is_local).then_some(goal);
        let part = Part::around(world, (cell, goal), (wanted, MOST_CELLS), is_open, budget);
        let party = part.and_then(|part| {
            let aim = |agent: &Agent| last_inside(&part, (world, sectors), walkers, agent);
            Party::on(&part, world, aim, budget)
        });
        if party.is_some() {
            walkers.luggage[slot as usize].errand.try_again();
        } else if self.all.is_empty() {
            self.hopeless.add(&[slot], []);
        }
        party.map(|party| Knot::of(party, if is_local { Method::Search } else { Method::Both }))
    }

    /// A walker that is stuck, if there is one among those whose turn it is.
    fn find_stuck(
        &mut self,
        (world, sectors): (&World, &Sectors),
        walkers: &mut Walkers,
    ) -> Option<Stuck> {
        let tick = world.tick();
        let others = self.crowd - 1;
        let grace = GRACE + GRACE_FOR_EACH * others.min(FEW) + others.min(MANY);
        let patience = STUCK_TICKS + STUCK_TICKS_FOR_EACH * others.saturating_sub(FEW).min(FEW);
        let cells = world.configuration().raw_cells();
        let Self { all, hopeless, next, sent, .. } = self;
        let first = if *next < walkers.all.len() { *next } else { 0 };
        let (earlier, later) = walkers.all.split_at(first);
        *next = first + MOST_LOOKED_AT;
        let (mut found, mut stuck, mut awake) = (None, 0, 0);
        for walker in later.iter().chain(earlier).take(MOST_LOOKED_AT) {
            let slot = walker.slot as usize;
            let Some(luggage) = walkers.luggage.get_mut(slot) else { continue };
            awake += 1;
            let left = || walker.course.left(&luggage.route, sectors, world.grid(), cells[slot]);
            let is_busy = is_busy(&luggage.errand, *sent, tick);
            let grace = grace + if is_busy { BUSY_GRACE } else { 0 };
            let (goal, length) = (walker.course.goal(), luggage.route.length());
            let is_stuck = walker.course.is_known()
                && luggage.errand.is_late(goal, length, world, grace)
                && luggage.errand.is_stuck(left(), tick, patience)
                && hopeless.tried.binary_search(&walker.slot).is_err()
                && all.iter().all(|knot| knot.party.number(slot).is_none());
            if is_stuck {
                stuck += 1;
                found.get_or_insert((walker.slot, goal));
            }
        }
        found.map(|(slot, goal)| {
            let (are_many, are_most) = (MANY_SHARE * stuck >= awake, 2 * stuck > awake);
            Stuck { slot, goal, are_many, are_most }
        })
    }
}

/// An agent that is stuck.
struct Stuck {
    slot: u32,
    goal: Cell,
    /// One of [`MANY_SHARE`] of those that were looked at is, or most of them are.
    are_many: bool,
    are_most: bool,
}

/// Whether others have got new goals lately, since an agent set out.
fn is_busy(errand: &Errand, sent: u64, tick: u64) -> bool {
    errand.began_before(sent) && tick < sent + BUSY_TICKS
}

fn has_arrived(world: &World, slot: u32) -> bool {
    world.in_slot(slot as usize).is_some_and(|agent| agent.has_arrived())
}

/// The last cell of a part of the floor on the way of an agent, as far as that can be looked up.
fn last_inside(
    part: &Part,
    (world, sectors): (&World, &Sectors),
    walkers: &Walkers,
    agent: &Agent,
) -> Cell {
    let grid = world.grid();
    let mut cell = agent.cell;
    let Some(mut course) = walkers.get(agent.slot()).map(|walker| walker.course) else {
        return cell;
    };
    for _ in 0..MOST_STEPS {
        let step = course.glance(sectors, grid, cell).and_then(Heading::best);
        let next = step.map(|step| grid.beside(cell, step));
        match next.filter(|&next| part.has(next)) {
            Some(next) => cell = next,
            None => break,
        }
    }
    cell
}

#[cfg(test)]
#[path = "knot_test.rs"]
mod tests;
