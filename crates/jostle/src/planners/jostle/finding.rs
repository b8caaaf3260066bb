//! Where everybody wants to go in a tick: by lookups, and for those who need more than that within
//! a budget, routes, fields and ways round.

use super::JostlePlanner;
use super::detour::Detour;
use super::lookout::look_up;
use super::pursuit::Drift;
use super::walkers::{Luggage, Walkers};
use crate::search::{Budget, Guide, Heading, SectorOptions, Sectors, Verdict};
use crate::world::World;

/// The crowd for which the limits of memory are meant. Larger ones may use as many times more.
const CROWD: usize = 100_000;

/// If so many agents wait for a route, it takes less time to complete what is known of the map first: after that, a route is
/// a lookup. On a large map that takes many ticks, in which no agent would get one.
const MANY: usize = 1000;
const MANY_ON_LARGE_MAPS: usize = 2500;
/// The most cells of a map that is not large.
const SMALL_MAP: usize = 512 * 1024;

/// How often expected traffic fades, in ticks.
const FADE_EVERY: u64 = 8;
/// An agent that does not get on looks for another route if no more than this many agents wait for one.
const FEW_WAITING: usize = 16;

impl JostlePlanner {
    /// Finds out where all agents want to go: by lookups, and for those who need more than that within a budget. Half of it
    /// is for agents on their way. Then come those that wait for a route, and again the others with what is left.
    pub(super) fn find_headings(&mut self, world: &World, budget: &mut Budget<'_>) {
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
