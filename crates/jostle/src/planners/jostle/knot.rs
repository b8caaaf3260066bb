//! Knots: agents that do not get on, undone by a search over whole configurations.
//!
//! The rules by which agents choose their steps look one step ahead. In corridors and dead ends that is not always enough:
//! an agent may have to go far back in order to let another one pass, or go round a loop instead of through one that has
//! arrived. So when an agent takes much longer than its way is long and comes no closer, all agents of its part of the floor stop, and a solver
//! looks for a plan that brings all of them to their goals. They follow that plan to its end.
//!
//! Most plans are found by [LaCAM\*](LacamStar) within a tick. Where it takes too long, [push and rotate](PushAndRotate) finds a
//! plan by rules, which is much longer, and it tells at once if there is none: then nothing is done until something changes. The work is
//! taken from what is left of the budget of the tick, and goes on in the next ticks.
//!
//! This is done for parts of the floor of at most [`MOST_CELLS`] cells and [`MOST_MEMBERS`] agents, while at most
//! [`MOST_AWAKE`] agents are on their way. There the planner is complete.
//!
//! A plan is given up when one of its agents gets another goal, is placed elsewhere or leaves, when the floor changes, or when
//! another agent gets in its way.

use std::collections::HashSet;

use super::walkers::Walkers;
use crate::grid::{Cell, Grid};
use crate::pibt::Step;
use crate::plan::Plan;
use crate::planners::solved::Problem;
use crate::search::{Budget, Sectors};
use crate::solvers::push_rotate;
use crate::solvers::{Answer, Attempt, LacamAttempt, LacamStar, Proof, PushAndRotate};
use crate::world::{Agent, Errands, World};

/// While more agents than this are on their way, no knot is looked for.
const MOST_AWAKE: usize = 1000;
/// The most floor cells of a part in which a knot is undone.
const MOST_CELLS: usize = 16_384;
/// The most cells of the rectangle around it.
const LARGEST_RECTANGLE: usize = 1 << 16;
/// The most agents in it.
const MOST_MEMBERS: usize = 512;
/// The most bytes that a search may hold. With more, it does not go on.
const MOST_BYTES: usize = 64 << 20;
/// How often it is checked whether agents get on, in ticks.
const LOOK_EVERY: u64 = 4;
/// An agent is late if it takes longer than twice its way and so many ticks more.
const GRACE: u64 = 4;
/// For each other agent that is on its way as well, it has so many ticks more, and one more if there are more than these.
const GRACE_FOR_EACH: u64 = 4;
const FEW: u64 = 16;
/// How many expansions of the budget one of a solver takes: it takes as much time.
const PRICE: u64 = 4;
/// After so many expansions, and so many more for each agent, LaCAM\* is given up.
const EFFORT: u64 = 200_000;
const EFFORT_FOR_EACH: u64 = 5000;
/// For how many ticks a plan is improved after it was found.
const POLISHING: u32 = 2;
/// For how many ticks no knot is looked for after one was undone or given up.
const REST: u64 = 8;

/// The knot that is being undone, if there is one.
#[derive(Clone, Debug, Default)]
pub(super) struct Knots {
    stage: Stage,
    /// The slots of agents for whom nothing more can be done, sorted, as long as the map and the errands are these.
    hopeless: (Vec<u32>, Option<(u64, Errands)>),
    /// No knot is looked for before this tick.
    rest_until: u64,
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
struct Solving {
    party: Party,
    solver: Solver,
    /// What the solver has done so far, in expansions.
    work: u64,
    /// For how many ticks the plan was improved after it was found.
    polished: u32,
}

#[derive(Clone, Debug)]
enum Solver {
    Lacam(Box<LacamAttempt>),
    Rules(Box<push_rotate::Search>),
}

#[derive(Clone, Debug)]
struct Following {
    party: Party,
    plan: Plan,
    /// How many of its ticks have passed.
    passed: usize,
}

/// The agents of a knot, and the part of the floor where they are.
#[derive(Clone, Debug)]
struct Party {
    /// Their slots, in order.
    slots: Vec<u32>,
    /// What they ask for, on a floor that holds nothing but that part.
    problem: Problem,
    /// By cell of that floor, the cell of the map.
    map: Vec<Cell>,
}

/// What a search has come to.
enum Found {
    /// It has to go on.
    NotYet,
    /// This plan.
    Plan(Plan),
    /// That there is no plan, or none that it can find.
    Nothing,
}

impl Knots {
    /// The floor has changed.
    pub fn forget(&mut self) {
        self.stage = Stage::Watching;
    }

    /// The agent in a slot has another goal, or is another one.
    pub fn notice(&mut self, slot: usize, tick: u64) {
        if self.party().is_some_and(|party| party.number(slot).is_some()) {
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
                let is_hopeless = party.problem.has_substitutes();
                self.end(world.tick(), if is_hopeless { &party.slots } else { &[] });
                Stage::Watching
            }
            stage => stage,
        };
        self.stage = match std::mem::take(&mut self.stage) {
            Stage::Solving(mut solving) => match solving.go_on(budget) {
                Found::NotYet => Stage::Solving(solving),
                Found::Nothing => {
                    self.end(world.tick(), &solving.party.slots);
                    Stage::Watching
                }
                Found::Plan(plan) => {
                    let Solving { party, .. } = *solving;
                    Stage::Following(Box::new(Following { party, plan, passed: 0 }))
                }
            },
            stage => stage,
        };
    }

    /// Decides where the agents of the knot go in this tick. If another agent is in their way, the knot is given up.
    pub fn decide(&mut self, world: &World, step: &mut Step) {
        let Some(party) = self.party() else { return };
        let (grid, now) = (world.grid(), world.configuration());
        let steps: Vec<_> = (party.slots.iter().enumerate())
            .map(|(agent, &slot)| (slot as usize, party.on_map(self.cell(agent, 1))))
            .collect();
        let is_free = |cell| now.occupant(cell).is_none_or(|other| party.number(other).is_some());
        let is_decided = steps.iter().all(|&(_, cell)| is_free(cell))
            && steps.iter().all(|&(slot, cell)| step.decide(grid, now, slot, cell));
        if !is_decided {
            step.begin(grid, now);
            self.give_up(world.tick());
        } else if let Stage::Following(following) = &mut self.stage {
            following.passed += 1;
        }
    }

    /// Bytes held on the heap.
    pub fn memory(&self) -> usize {
        self.party().map_or(0, Party::memory)
            + match &self.stage {
                Stage::Watching => 0,
                Stage::Solving(solving) => size_of::<Solving>() + solving.solver.memory(),
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

    fn give_up(&mut self, tick: u64) {
        self.stage = Stage::Watching;
        self.rest_until = tick + REST;
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
        let (hopeless, known) = &mut self.hopeless;
        let stuck = walkers.all.iter().filter(|walker| {
            let Some(luggage) = walkers.luggage.get_mut(walker.slot as usize) else { return false };
            let cell = cells[walker.slot as usize];
            let left = || walker.course.left(&luggage.route, sectors, world.grid(), cell);
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
        let stuck = stuck.map(|walker| walker.slot).find(|slot| {
            if *known != Some(present) {
                hopeless.clear();
                *known = Some(present);
            }
            hopeless.binary_search(slot).is_err()
        })?;
        budget.spend(budget.remaining().min(MOST_CELLS as u64));
        let party = Party::around(world, cells[stuck as usize]);
        let is_possible =
            |party: &Party| push_rotate::is_solvable(&party.problem.instance) != Some(false);
        let slots = party.as_ref().map_or_else(|| vec![stuck], |party| party.slots.clone());
        let Some(party) = party.filter(is_possible) else {
            self.end(tick, &slots);
            return None;
        };
        let attempt = LacamStar::default().attempt(&party.problem.instance);
        let solver = Solver::Lacam(Box::new(attempt));
        Some(Box::new(Solving { party, solver, work: 0, polished: 0 }))
    }
}

impl Solving {
    fn go_on(&mut self, budget: &mut Budget<'_>) -> Found {
        let share = budget.remaining() / PRICE;
        let mut slice = Budget::expansions(share).with_memory(MOST_BYTES);
        let answer = self.solver.go_on(&mut slice);
        let work = slice.work().expansions;
        budget.spend(work * PRICE);
        self.work += work;
        // A search that does nothing with its budget holds too many bytes to go on.
        let has_ended = answer.proof != Proof::OutOfBudget || (work == 0 && share > 0);
        let effort = EFFORT + EFFORT_FOR_EACH * self.party.slots.len() as u64;
        match answer.best {
            Some(best) if has_ended || self.polished == POLISHING => Found::Plan(best.plan),
            Some(_) => {
                self.polished += 1;
                Found::NotYet
            }
            None if answer.proof == Proof::Impossible => Found::Nothing,
            None if has_ended || self.work > effort => self.try_rules(has_ended),
            None => Found::NotYet,
        }
    }

    /// The search of LaCAM\* takes too long. If so does push and rotate, there is nothing more to try.
    fn try_rules(&mut self, has_ended: bool) -> Found {
        match self.solver {
            Solver::Lacam(_) => {
                let search = PushAndRotate.search(&self.party.problem.instance);
                self.solver = Solver::Rules(Box::new(search));
                Found::NotYet
            }
            Solver::Rules(_) if has_ended => Found::Nothing,
            Solver::Rules(_) => Found::NotYet,
        }
    }
}

impl Solver {
    fn go_on(&mut self, budget: &mut Budget<'_>) -> Answer {
        match self {
            Self::Lacam(attempt) => attempt.go_on(budget, &mut |_| ()),
            Self::Rules(search) => search.go_on(budget, &mut |_| ()),
        }
    }

    fn memory(&self) -> usize {
        match self {
            Self::Lacam(attempt) => attempt.memory(),
            Self::Rules(search) => search.memory(),
        }
    }
}

impl Following {
    fn has_ended(&self) -> bool {
        self.passed as u64 >= self.plan.makespan()
    }
}

impl Party {
    /// All of our agents in the part of the floor around a cell. `None` if it is too large, or somebody stands on a wall.
    fn around(world: &World, cell: Cell) -> Option<Self> {
        let grid = world.grid();
        let part = part_around(world, cell)?;
        let places = || part.iter().map(|&cell| grid.position(cell));
        let (columns, rows) = (|| places().map(|(x, _)| x), || places().map(|(_, y)| y));
        let (west, north) = (columns().min()?, rows().min()?);
        let (width, height) = (columns().max()? - west + 1, rows().max()? - north + 1);
        if width as usize * height as usize > LARGEST_RECTANGLE {
            return None;
        }
        let on_map = |x, y| grid.at(west + x, north + y);
        let is_part =
            |x, y| on_map(x, y).is_some_and(|cell: Cell| part.binary_search(&cell).is_ok());
        let floor = Grid::new(width, height, grid.rules(), is_part).ok()?;
        let on_floor = |cell: Cell| {
            part.binary_search(&cell).ok()?;
            let (x, y) = grid.position(cell);
            floor.at(x - west, y - north)
        };
        let members: Vec<Agent> = world
            .ours()
            .filter_map(|agent| {
                let goal = on_floor(agent.goal).unwrap_or(Cell::NOWHERE);
                Some(Agent { cell: on_floor(agent.cell)?, goal, ..agent })
            })
            .collect();
        if members.len() > MOST_MEMBERS {
            return None;
        }
        let map = floor.cells().map(|cell| {
            let (x, y) = floor.position(cell);
            on_map(x, y).unwrap_or(Cell::NOWHERE)
        });
        Some(Self {
            slots: members.iter().map(|agent| agent.slot() as u32).collect(),
            map: map.collect(),
            problem: Problem::among(floor.into(), &members)?,
        })
    }

    /// The number of the agent in a slot, if it is one of them.
    fn number(&self, slot: usize) -> Option<usize> {
        self.slots.binary_search(&(slot as u32)).ok()
    }

    /// Where an agent stands when the plan begins.
    fn start(&self, agent: usize) -> Cell {
        self.problem.instance.tasks()[agent].0
    }

    /// The cell of the map for a cell of the problem's floor.
    fn on_map(&self, cell: Cell) -> Cell {
        self.map.get(cell.index()).copied().unwrap_or(Cell::NOWHERE)
    }

    /// Whether agents stand on these cells of the problem's floor.
    fn stands_on(&self, world: &World, cell: impl Fn(usize) -> Cell) -> bool {
        let now = world.configuration().raw_cells();
        let mut numbered = self.slots.iter().enumerate();
        numbered.all(|(agent, &slot)| now.get(slot as usize) == Some(&self.on_map(cell(agent))))
    }

    fn memory(&self) -> usize {
        self.slots.capacity() * size_of::<u32>()
            + self.map.capacity() * size_of::<Cell>()
            + self.problem.memory()
    }
}

/// The part of the floor that can be reached from a cell past foreign agents, sorted. `None` if it is too large.
fn part_around(world: &World, cell: Cell) -> Option<Vec<Cell>> {
    let grid = world.grid();
    let mut part = vec![cell];
    let mut seen = HashSet::from([cell]);
    let mut at = 0;
    while let Some(&from) = part.get(at) {
        at += 1;
        let open = grid.neighbours(from).filter(|&near| !world.is_foreign(near));
        part.extend(open.filter(|&near| seen.insert(near)));
        if part.len() > MOST_CELLS {
            return None;
        }
    }
    part.sort_unstable();
    Some(part)
}

#[cfg(test)]
#[path = "knot_test.rs"]
mod tests;
