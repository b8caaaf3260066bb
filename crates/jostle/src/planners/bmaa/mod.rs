//! Bounded Multi-Agent A\* (Sigurdson, Bulitko, Yeoh, Hernández and Koenig 2018), in four variants.
//!
//! Every agent runs its own real-time adaptive A\*: a search of at most `expansions` nodes around it, in
//! which the agents it sees are walls, gives it the beginning of a path and teaches it how far the cells
//! around are from its goal. Then the agents move one after another, each onto the next cell of its path if
//! that is free at that moment. `push` lets them push agents off goals that those have reached, `flow` lets
//! them search on one-way streets; BMAA\* uses neither, BMAA\*-c pushes, BMAA\*-f flows, BMAA\*-f-c does
//! both.
//!
//! It promises legal moves and bounded work: at most `expansions` nodes for each agent and tick, whatever the
//! size of the map, without preprocessing, and with foreign agents present. It does not promise that agents
//! arrive. They may wander in local minima of the heuristic, and they deadlock in corridors: agents move one
//! by one, so they cannot swap, rotate, or follow one that moves later.
//!
//! Memory: for each agent a byte for each step of its path, at most `expansions` of them, and about 90 bytes for each
//! block of 4x4 cells in which it has learned something; for each cell of the map one bit for the joint move, and with
//! `flow` one byte; for each thread a megabyte for the search.
//!
//! The code follows Algorithms 2 to 5 of the paper. Where the paper is silent or its companion thesis
//! disagrees, a parameter decides, and its default follows the paper:
//! - An agent moves at most once a tick, a push included. The paper does not say so, but two moves in one
//!   tick could add up to a swap, which it forbids. No parameter changes this.
//! - A pushed agent goes to its first free neighbour in the order N, E, S, W, NE, SE, SW, NW.
//! - An agent that is blocked keeps its path and waits until the path expires (`moves` ticks after the
//!   search, waits included). `retry` lets it search again earlier.
//! - An agent whose search has no cell left to expand, and has not found the goal, has no path, learns
//!   nothing, and searches again in the next tick.
//! - A path that an edit of the map has cut is searched again. What was learned before an edit is kept
//!   (`forget` drops it); what was learned for another goal is dropped.
//! - `landmarks` lets distance fields that all agents share improve the estimates. They are built while
//!   agents walk, with at most 50,000 expansions a tick; a learned value counts only where it is above the
//!   estimate.

mod sight;
mod state;
mod trail;

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::grid::{Cell, Direction, Exits, Flow};
use crate::planners::news::{Followed, MapNews, edits, follow_map};
use crate::planners::{Field, Planner, Recipe, Value, Work};
use crate::registry::{choice, within_ranges};
use crate::search::{Budget, Landmarks, RtaaSearch};
use crate::threads;
use crate::world::{Agent, Draft, Moves, World};
use sight::Vision;
use state::{BmaaState, Surroundings};

/// The parameters of BMAA\*.
///
/// ```
/// use jostle::planners::{Bmaa, Recipe};
///
/// let bmaa_c = Bmaa { push: true, ..Bmaa::default() };
/// let planner = bmaa_c.build();
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Bmaa {
    /// The most nodes that a search may expand. Default: `32`, as in the paper.
    pub expansions: u32,
    /// How far an agent sees others, in cells, as a straight-line distance. Default: `1.4142135623730951`, as in the paper: √2, the eight
    /// cells around it.
    pub vision: f64,
    /// How many ticks after its search a path expires. Default: `32`, as in the paper.
    pub moves: u32,
    /// Whether agents push others off their goals. Default: `false`, as in the paper's BMAA\*; its variants whose names end in c push.
    pub push: bool,
    /// Whether agents search on one-way streets. Default: `false`, as in the paper's BMAA\*; BMAA\*-f and BMAA\*-f-c do.
    pub flow: bool,
    /// Which agents may be pushed, if `push` is on. Default: `paper`, our choice of the two; the thesis has the other.
    pub push_rule: PushRule,
    /// Whether learned values never fall. Default: `false`, as in the paper.
    pub monotone: bool,
    /// After how many blocked ticks in a row an agent searches again, before its path expires; 0 is never. Default: `0`, as in the paper.
    pub retry: u32,
    /// Which agent moves first in a tick. Default: `id`, the order of the paper's loop.
    pub order: Order,
    /// Whether agents forget what they learned when the map is edited. Default: `false`, our choice where the paper is silent.
    pub forget: bool,
    /// How many landmarks improve the estimates. Default: `0`, as in the paper.
    pub landmarks: u32,
    /// How many threads agents search on. The trace does not depend on it. Without the feature `threads` it has no effect: there is one
    /// thread. Default: `1`, our choice.
    pub threads: u32,
}

/// Which agents may be pushed, if pushing is on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PushRule {
    /// An agent that stands on its own goal, in the way of the pusher. The paper.
    #[default]
    Paper,
    /// An agent that stands on the pusher's goal. The thesis, section 5.2.3.
    Thesis,
}
choice!(PushRule { Paper = "paper", Thesis = "thesis" });

/// Which agent moves first in a tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// Always the agent with the smallest slot.
    #[default]
    ById,
    /// Each slot in turn, one further every tick.
    Rotating,
}
choice!(Order { ById = "id", Rotating = "rotating" });

impl Default for Bmaa {
    fn default() -> Self {
        Self {
            expansions: 32,
            vision: std::f64::consts::SQRT_2,
            moves: 32,
            push: false,
            flow: false,
            push_rule: PushRule::Paper,
            monotone: false,
            retry: 0,
            order: Order::ById,
            forget: false,
            landmarks: 0,
            threads: 1,
        }
    }
}

impl Recipe for Bmaa {
    fn fields(&mut self) -> Vec<Field<'_>> {
        let field = |name, about, value| Field { name, about, value };
        vec![
            field(
                "expansions",
                "the most nodes a search may expand",
                Value::Count { value: &mut self.expansions, range: 1..=1_000_000 },
            ),
            field(
                "vision",
                "how far an agent sees others, in cells",
                Value::Real { value: &mut self.vision, range: 0.0..=100_000.0 },
            ),
            field(
                "moves",
                "ticks after which a path expires",
                Value::Count { value: &mut self.moves, range: 1..=1_000_000 },
            ),
            field("push", "push agents off goals they have reached", Value::Flag(&mut self.push)),
            field("flow", "search on one-way streets", Value::Flag(&mut self.flow)),
            field(
                "push-rule",
                "which agents are pushed: on their own goal (paper), or on the pusher's (thesis)",
                Value::Name(&mut self.push_rule),
            ),
            field("monotone", "learned values never fall", Value::Flag(&mut self.monotone)),
            field(
                "retry",
                "blocked ticks after which an agent searches again; 0: only when its path expires",
                Value::Count { value: &mut self.retry, range: 0..=1_000_000 },
            ),
            field("order", "which agent moves first", Value::Name(&mut self.order)),
            field(
                "forget",
                "forget what was learned when the map is edited",
                Value::Flag(&mut self.forget),
            ),
            field(
                "landmarks",
                "distance fields that all agents share, for better estimates",
                Value::Count { value: &mut self.landmarks, range: 0..=Landmarks::MOST },
            ),
            field(
                "threads",
                "threads to search on; the moves do not depend on it",
                Value::Count { value: &mut self.threads, range: 1..=256 },
            ),
        ]
    }

    fn build(&self) -> Box<dyn Planner> {
        Box::new(BmaaPlanner::new(*self))
    }
}

/// The planner that runs BMAA\*: the parameters, and what every agent has learned.
#[derive(Clone, Debug)]
pub struct BmaaPlanner {
    options: Bmaa,
    states: Vec<BmaaState>,
    /// One for each thread.
    searches: Vec<RtaaSearch>,
    draft: Draft,
    flow: Flow,
    landmarks: Landmarks,
    followed: Followed,
    /// How many cells a row of the map has.
    row_length: i32,
}

/// The most expansions of a tick for landmarks.
const MOST_FOR_LANDMARKS: u64 = 50_000;

impl BmaaPlanner {
    /// A planner that has not seen a world yet. A number that is out of its range is taken as the nearest one that is
    /// allowed.
    pub fn new(options: Bmaa) -> Self {
        let options = within_ranges(options);
        Self {
            options,
            states: Vec::new(),
            searches: Vec::new(),
            draft: Draft::default(),
            flow: Flow::default(),
            landmarks: Landmarks::default(),
            followed: Followed::default(),
            row_length: 0,
        }
    }

    /// How many cells all agents together have learned about, and the bytes that hold them.
    pub fn learned(&self) -> (usize, usize) {
        let sizes = self.states.iter().map(BmaaState::learned);
        sizes.fold((0, 0), |(cells, bytes), (more_cells, more_bytes)| {
            (cells + more_cells, bytes + more_bytes)
        })
    }

    /// Takes account of what the game has changed.
    fn follow(&mut self, world: &World) {
        if self.followed.is_another(world) {
            *self = Self::new(self.options);
        }
        self.row_length = world.grid().width() as i32;
        let Self { options, followed, states, flow, landmarks, .. } = self;
        let news = followed.map(world);
        follow_map(landmarks, options.landmarks, news, world);
        if options.flow {
            match news {
                MapNews::Same => {}
                MapNews::Edited => {
                    for cell in edits(world) {
                        flow.forget_near(world.grid(), cell);
                    }
                }
                MapNews::New => *flow = Flow::of(world.grid()),
            }
        }
        if options.forget && news != MapNews::Same {
            states.iter_mut().for_each(BmaaState::forget);
        }
        states.resize_with(world.slots(), BmaaState::default);
        followed.agents(world, |slot, _| states[slot].restart());
    }

    /// Builds landmarks, if there are to be any.
    fn grow_landmarks(&mut self, world: &World) -> Work {
        let (goals, fields) = (world.ours().map(|agent| agent.goal), self.options.landmarks);
        let mut budget = Budget::expansions(MOST_FOR_LANDMARKS);
        self.landmarks.grow(world.grid(), fields as usize, &goals, &mut budget);
        budget.work()
    }

    /// Lines 5 to 15 of Algorithm 2: one agent after another.
    fn execution_phase(&mut self, world: &World, moves: &mut Moves) {
        self.draft.begin(world);
        let first = match self.options.order {
            Order::ById => 0,
            Order::Rotating => (world.tick() % world.slots().max(1) as u64) as usize,
        };
        self.execute_some(world, moves, first..world.slots());
        self.execute_some(world, moves, 0..first);
    }

    // Not inlined: the search phase would compete for registers.
    #[inline(never)]
    fn execute_some(&mut self, world: &World, moves: &mut Moves, slots: Range<usize>) {
        world.ours_in(slots).for_each(|agent| {
            if let Some(step) = self.states[agent.slot()].direction()
                && !self.draft.has_moved(&agent)
            {
                self.execute(world, moves, &agent, step);
            }
        });
    }

    fn execute(&mut self, world: &World, moves: &mut Moves, agent: &Agent, step: Direction) {
        if self.options.push {
            self.push(world, moves, agent, world.grid().beside(agent.cell, step));
        }
        let was_free = self.draft.try_step(world, moves, agent, step);
        self.states[agent.slot()].tried(was_free);
    }

    /// Pushes the agent that stands on `n`, if that is allowed and there is room.
    fn push(&mut self, world: &World, moves: &mut Moves, agent: &Agent, n: Cell) {
        let Some(blocker) = self.draft.unmoved(world, n) else {
            return;
        };
        let may_be_pushed = match self.options.push_rule {
            PushRule::Paper => blocker.has_arrived(),
            PushRule::Thesis => n == agent.goal,
        };
        if !may_be_pushed || !blocker.ours {
            return;
        }
        let mut exits = world.grid().exits(n).into_iter();
        let _ = exits.any(|direction| self.draft.try_step(world, moves, &blocker, direction));
    }
}

impl Planner for BmaaPlanner {
    /// Algorithm 2.
    fn plan(&mut self, world: &World, moves: &mut Moves) -> Work {
        self.follow(world);
        let mut work = self.grow_landmarks(world);
        let Self { options, states, searches, flow, landmarks, .. } = self;
        let vision = Vision::of(options.vision);
        work += if options.flow {
            let exits = &flow.on(world.grid());
            let surroundings = Surroundings { options, vision, world, exits, landmarks };
            search_phase(&surroundings, states, searches)
        } else {
            let exits = world.grid();
            let surroundings = Surroundings { options, vision, world, exits, landmarks };
            search_phase(&surroundings, states, searches)
        };
        self.execution_phase(world, moves);
        work
    }

    fn wish(&self, agent: &Agent) -> Option<Cell> {
        let beside = |cell: Cell, step: Direction| {
            let (dx, dy) = step.delta();
            let steps = (dy * self.row_length + dx) as isize;
            Cell::from_index(cell.index().wrapping_add_signed(steps))
        };
        self.followed.knows(agent).then(|| self.states[agent.slot()].wish(agent, beside))?
    }

    fn try_clone(&self) -> Option<Box<dyn Planner>> {
        Some(Box::new(self.clone()))
    }

    fn memory(&self) -> usize {
        size_of::<Self>()
            + self.states.iter().map(BmaaState::memory).sum::<usize>()
            + self.states.capacity() * size_of::<BmaaState>()
            + self.searches.iter().map(RtaaSearch::memory).sum::<usize>()
            + self.searches.capacity() * size_of::<RtaaSearch>()
            + self.draft.memory()
            + self.flow.memory()
            + self.landmarks.memory()
            + self.followed.memory()
    }
}

/// Lines 2 to 4 of Algorithm 2. Searches see the world as it was when the tick began, so neither their
/// order nor the number of threads matters.
fn search_phase<W: Exits + Sync>(
    surroundings: &Surroundings<'_, W>,
    states: &mut [BmaaState],
    searches: &mut Vec<RtaaSearch>,
) -> Work {
    // More threads than agents would have nothing to do.
    let wanted = surroundings.options.threads as usize;
    let threads = threads::available(wanted).min(states.len()).max(1);
    searches.resize_with(threads, RtaaSearch::default);
    let share = states.len().div_ceil(threads).max(1);
    let shares = states.chunks_mut(share).zip(searches).enumerate();
    let (count, expansions) = (AtomicU64::new(0), AtomicU64::new(0));
    threads::for_each(threads, shares, |(number, (states, search))| {
        let (first, mut work) = (number * share, Work::default());
        surroundings.world.ours_in(first..first + states.len()).for_each(|agent| {
            let state = &mut states[agent.slot() - first];
            if state.needs_search(surroundings, &agent) {
                work += state.search(surroundings, search, &agent);
            }
        });
        count.fetch_add(work.searches, Ordering::Relaxed);
        expansions.fetch_add(work.expansions, Ordering::Relaxed);
    });
    Work { searches: count.into_inner(), expansions: expansions.into_inner() }
}

#[cfg(test)]
#[path = "bmaa_test.rs"]
mod tests;
