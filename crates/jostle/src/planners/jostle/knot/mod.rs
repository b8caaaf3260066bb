//! Knots: agents that do not get on, undone by a search over whole configurations.
//!
//! The rules by which agents choose their steps look one step ahead. In corridors and dead ends that is not always enough:
//! an agent may have to go far back in order to let another one pass, or go round a loop instead of through one that has
//! arrived. So when an agent takes much longer than its way is long and comes no closer, all agents of its part of the floor stop, and a solver
//! looks for a plan that brings all of them to their goals. They follow that plan to its end.
//!
//! Most plans are found by [LaCAM\*](crate::solvers::LacamStar) within a tick. Where it takes too long, [push and rotate](crate::solvers::PushAndRotate) finds a
//! plan by rules, which is much longer, and it tells at once if there is none: then nothing is done until something changes. The work is
//! taken from what is left of the budget of the tick, and goes on in the next ticks.
//!
//! This is done for parts of the floor with at most as many cells and agents as [`party`] says, while at most
//! [`MOST_AWAKE`] agents are on their way. There the planner is complete. On larger parts, only a region around the agent stops, with its
//! goal in it. Those whose goals are elsewhere make room and come back. If there is no plan, or others get in the way, the next region is larger.
//!
//! A plan is given up when one of its agents is placed elsewhere or leaves, when the floor changes, or when another agent stays in its way; and, if it is for a
//! whole part of the floor, when one of its agents gets another goal.

mod party;
mod solving;

use super::errand::Errand;
use super::walkers::Walkers;
use crate::grid::Cell;
use crate::pibt::Step;
use crate::plan::Plan;
use crate::search::{Budget, Sectors};
use crate::world::{Errands, World};
use party::{MOST_CELLS, Party, SMALL_REGION};
use solving::{Found, Solving};

/// While more agents than this are on their way, no knot is looked for.
const MOST_AWAKE: usize = 1000;
/// How often it is checked whether agents get on, in ticks.
const LOOK_EVERY: u64 = 4;
/// An agent is late if it takes longer than twice its way and so many ticks more.
const GRACE: u64 = 4;
/// Each other agent on its way adds one tick to that, and the first few of them so many more.
const GRACE_FOR_EACH: u64 = 2;
const FEW: u64 = 16;
/// While others get new goals, an agent has to be late by so many ticks more, and only a region stops: jams dissolve as others come and go, and
/// a plan does not hold for long that all of them take part in.
const BUSY_GRACE: u64 = 256;
/// For how many ticks a new goal makes the others wait like this.
const BUSY_TICKS: u64 = 64;
/// For how many ticks no knot is looked for after one was undone or given up.
const REST: u64 = 8;
/// For how many ticks agents that follow a plan wait for another one that is in their way.
const PATIENCE: u32 = 8;

/// The knot that is being undone, if there is one.
#[derive(Clone, Debug)]
pub(super) struct Knots {
    stage: Stage,
    /// The slots of agents for whom nothing more can be done, sorted, as long as the map and the errands are these.
    hopeless: (Vec<u32>, Option<(u64, Errands)>),
    /// No knot is looked for before this tick.
    rest_until: u64,
    /// How many cells the next region has.
    region: usize,
    /// The tick in which an agent last got a goal.
    sent: u64,
}

impl Default for Knots {
    fn default() -> Self {
        Self {
            stage: Stage::default(),
            hopeless: <_>::default(),
            rest_until: 0,
            region: SMALL_REGION,
            sent: 0,
        }
    }
}

#[derive(Clone, Debug, Default)]
enum Stage {
    /// There is none.
    #[default]
    Watching,
    /// Looking for a plan, while its agents stand still.
    Solving(Box<Solving>),
    /// Following the plan.
    Following(Box<Following>),
}

#[derive(Clone, Debug)]
struct Following {
    party: Party,
    plan: Plan,
    /// How many of its ticks have passed.
    passed: usize,
    /// For how many ticks it has waited for another agent.
    waited: u32,
}

impl Knots {
    /// The floor has changed.
    pub fn forget(&mut self) {
        self.stage = Stage::Watching;
    }

    /// The agent in a slot has another goal, or is another one.
    pub fn notice(&mut self, slot: usize, tick: u64) {
        self.sent = tick;
        // The plan of a region is short, so that it is followed to its end.
        if self.party().is_some_and(|party| party.is_whole && party.number(slot).is_some()) {
            self.give_up(tick);
        }
    }

    /// Looks for a knot, or goes on with the one there is.
    pub fn go_on(
        &mut self,
        (world, sectors): (&World, &Sectors),
        walkers: &mut Walkers,
        budget: &mut Budget<'_>,
    ) {
        if self.party().is_some_and(|party| !party.stands_on(world, |agent| self.cell(agent, 0))) {
            self.give_up(world.tick());
        }
        self.stage = match std::mem::take(&mut self.stage) {
            Stage::Watching => {
                let begun = self.watch((world, sectors), walkers, budget);
                begun.map_or(Stage::Watching, Stage::Solving)
            }
            Stage::Following(following) if following.has_ended() => {
                // Those who cannot have their goals would begin again.
                let party = following.party;
                let is_hopeless = party.is_whole && party.problem.has_substitutes();
                self.end(world.tick(), if is_hopeless { &party.slots } else { &[] });
                self.region = SMALL_REGION;
                Stage::Watching
            }
            stage => stage,
        };
        self.stage = match std::mem::take(&mut self.stage) {
            Stage::Solving(mut solving) => match solving.go_on(budget) {
                Found::NotYet => Stage::Solving(solving),
                Found::Nothing if solving.party.is_whole => {
                    self.end(world.tick(), &solving.party.slots);
                    Stage::Watching
                }
                Found::Nothing => {
                    self.give_up(world.tick());
                    Stage::Watching
                }
                Found::Plan(plan) => {
                    let party = solving.party;
                    let (passed, waited) = (0, 0);
                    Stage::Following(Box::new(Following { party, plan, passed, waited }))
                }
            },
            stage => stage,
        };
    }

    /// Decides where the agents of the knot go in this tick. If another agent is in their way, they wait, but not for long.
    pub fn decide(&mut self, world: &World, step: &mut Step) {
        let goes_on = self.decide_all(world, step, 1);
        match &mut self.stage {
            Stage::Following(following) if goes_on => following.passed += 1,
            Stage::Following(following) if following.waited < PATIENCE => {
                following.waited += 1;
                step.begin(world.grid(), world.configuration());
                self.decide_all(world, step, 0);
            }
            Stage::Following(_) | Stage::Solving(_) if !goes_on => {
                step.begin(world.grid(), world.configuration());
                self.give_up(world.tick());
            }
            _ => {}
        }
    }

    /// Decides that the agents of the knot go to where they should stand some ticks from now. Returns whether they can.
    fn decide_all(&self, world: &World, step: &mut Step, ticks: usize) -> bool {
        let Some(party) = self.party() else { return true };
        let (grid, now) = (world.grid(), world.configuration());
        let steps: Vec<_> = (party.slots.iter().enumerate())
            .map(|(agent, &slot)| (slot as usize, party.on_map(self.cell(agent, ticks))))
            .collect();
        let is_free = |cell| now.occupant(cell).is_none_or(|other| party.number(other).is_some());
        steps.iter().all(|&(_, cell)| is_free(cell))
            && steps.iter().all(|&(slot, cell)| step.decide(grid, now, slot, cell))
    }

    /// Bytes held on the heap.
    pub fn memory(&self) -> usize {
        self.party().map_or(0, Party::memory)
            + match &self.stage {
                Stage::Watching => 0,
                Stage::Solving(solving) => size_of::<Solving>() + solving.memory(),
                Stage::Following(following) => {
                    let paths = following.plan.paths().iter().map(|path| path.cells.capacity());
                    size_of::<Following>() + paths.sum::<usize>() * size_of::<Cell>()
                }
            }
    }

    fn party(&self) -> Option<&Party> {
        match &self.stage {
            Stage::Watching => None,
            Stage::Solving(solving) => Some(&solving.party),
            Stage::Following(following) => Some(&following.party),
        }
    }

    /// Where an agent of the party should stand some ticks from now, on the floor of its problem.
    fn cell(&self, agent: usize, ticks: usize) -> Cell {
        match &self.stage {
            Stage::Watching => Cell::NOWHERE,
            Stage::Solving(solving) => solving.party.start(agent),
            Stage::Following(following) => {
                let cells = &following.plan.paths()[agent].cells;
                let at = (following.passed + ticks).min(cells.len().saturating_sub(1));
                cells.get(at).copied().unwrap_or(Cell::NOWHERE)
            }
        }
    }

    /// Gives the knot up. Next time, a region is larger.
    fn give_up(&mut self, tick: u64) {
        self.stage = Stage::Watching;
        self.rest_until = tick + REST;
        self.region = (2 * self.region).min(MOST_CELLS);
    }

    /// A knot has come to an end, and nothing more can be done for the agents in these slots.
    fn end(&mut self, tick: u64, hopeless: &[u32]) {
        self.hopeless.0.extend_from_slice(hopeless);
        self.hopeless.0.sort_unstable();
        self.rest_until = tick + REST;
    }

    /// Looks for an agent that is stuck. If there is one, a search begins.
    fn watch(
        &mut self,
        (world, sectors): (&World, &Sectors),
        walkers: &mut Walkers,
        budget: &mut Budget<'_>,
    ) -> Option<Box<Solving>> {
        let tick = world.tick();
        let is_time = tick >= self.rest_until && tick.is_multiple_of(LOOK_EVERY);
        if !is_time || !(1..=MOST_AWAKE).contains(&walkers.awake) {
            return None;
        }
        let others = walkers.awake as u64 - 1;
        let grace = GRACE + GRACE_FOR_EACH * others.min(FEW) + others;
        let cells = world.configuration().raw_cells();
        let Self { hopeless: (hopeless, known), sent, .. } = self;
        let is_busy = |errand: &Errand| errand.began_before(*sent) && tick < *sent + BUSY_TICKS;
        let stuck = walkers.all.iter().filter(|walker| {
            let Some(luggage) = walkers.luggage.get_mut(walker.slot as usize) else { return false };
            let cell = cells[walker.slot as usize];
            let left = || walker.course.left(&luggage.route, sectors, world.grid(), cell);
            let grace = grace + if is_busy(&luggage.errand) { BUSY_GRACE } else { 0 };
            walker.course.is_known()
                && luggage.errand.is_late(
                    walker.course.goal(),
                    luggage.route.length(),
                    world,
                    grace,
                )
                && luggage.errand.is_stuck(left(), tick)
        });
        let present = (world.grid().fingerprint(), world.errands());
        let ends = stuck.map(|walker| (walker.slot, walker.course.goal())).find(|(slot, _)| {
            if *known != Some(present) {
                hopeless.clear();
                *known = Some(present);
            }
            hopeless.binary_search(slot).is_err()
        })?;
        let (stuck, goal) = ends;
        budget.spend(budget.remaining().min(MOST_CELLS as u64));
        let ends = (cells[stuck as usize], goal);
        let is_busy = walkers.luggage.get(stuck as usize).is_some_and(|one| is_busy(&one.errand));
        let Some(party) = Party::around(world, ends, (self.region, !is_busy)) else {
            self.end(tick, &[stuck]);
            self.region = SMALL_REGION;
            return None;
        };
        Some(Box::new(Solving::new(party)))
    }
}

impl Following {
    fn has_ended(&self) -> bool {
        self.passed as u64 >= self.plan.makespan()
    }
}

#[cfg(test)]
#[path = "knot_test.rs"]
mod tests;
