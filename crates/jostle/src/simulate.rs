//! The one loop: apply changes, ask the planner, let the world check and apply the joint move, record.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crate::metrics::{Meter, Metrics};
use crate::planners::{Planner, Work};
use crate::trace::Trace;
use crate::world::{Change, IllegalMove, Moves, World};

/// One tick: asks the planner for a joint move and makes it real if it is legal. Nothing else in the
/// engine moves an agent.
///
/// # Errors
/// When the planner proposes an illegal move. The world is then as it was.
pub fn tick(
    world: &mut World,
    planner: &mut dyn Planner,
    moves: &mut Moves,
) -> Result<Work, IllegalMove> {
    moves.reset(world);
    let work = planner.plan(world, moves);
    world.advance(moves)?;
    Ok(work)
}

/// Measures how long things take. The engine itself never asks what time it is.
pub trait Clock {
    /// Time since some fixed moment.
    fn now(&self) -> Duration;
}

/// The time that passes in the real world.
#[derive(Clone, Copy, Debug)]
pub struct WallClock(Instant);

impl WallClock {
    /// A clock that starts now.
    pub fn start() -> Self {
        Self(Instant::now())
    }
}

impl Clock for WallClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// No time passes: for places without a clock, and where it does not matter.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoClock;

impl Clock for NoClock {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

/// Looks on while a run goes.
pub trait Witness {
    /// Sees the world after a tick, before which the game had changed `changes`. May stop the run.
    fn see(&mut self, changes: &[Change], world: &World) -> ControlFlow<()>;
}

/// When a run ends at the latest. It ends earlier when everybody is home.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// After so many ticks.
    pub ticks: Option<u64>,
    /// After so much time, planning and moving together.
    pub time: Option<Duration>,
}

impl Limits {
    /// A limit in ticks: such runs reproduce exactly.
    pub const fn ticks(ticks: u64) -> Self {
        Self { ticks: Some(ticks), time: None }
    }
}

/// Why a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Everybody stands on its goal.
    AllHome,
    /// The limit in ticks.
    OutOfTicks,
    /// The limit in time.
    OutOfTime,
    /// Somebody said stop.
    Stopped,
}

/// What a run came to.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Why it ended.
    pub ending: Ending,
    /// What it measured.
    pub metrics: Metrics,
    /// What happened, if that was asked for.
    pub trace: Option<Trace>,
}

/// A run in the making: a world, a planner, and what is wanted of them.
///
/// ```
/// use jostle::planners::{Bmaa, Recipe};
/// use jostle::{Grid, Limits, Simulation, World};
///
/// let mut world = World::new(Grid::open(8, 8)?);
/// let (start, goal) = (world.grid().at(0, 0).unwrap(), world.grid().at(7, 7).unwrap());
/// world.add(start, goal)?;
///
/// let outcome = Simulation::new(&mut world, Bmaa::default().build().as_mut())
///     .limits(Limits::ticks(100))
///     .run()?;
/// assert_eq!(outcome.metrics.completion_rate(), 1.0);
/// assert_eq!(outcome.metrics.ticks, 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Simulation<'a> {
    world: &'a mut World,
    planner: &'a mut dyn Planner,
    limits: Limits,
    clock: &'a dyn Clock,
    wants_trace: bool,
    witness: Option<&'a mut dyn Witness>,
    between: Box<Between<'a>>,
}

type Between<'a> = dyn FnMut(&mut World) -> ControlFlow<()> + 'a;

impl<'a> Simulation<'a> {
    /// The most ticks of a run that is not told otherwise.
    pub const DEFAULT_TICKS: u64 = 4096;

    /// A run of this planner in this world, of at most 4096 ticks, without a clock or a trace.
    pub fn new(world: &'a mut World, planner: &'a mut dyn Planner) -> Self {
        Self {
            world,
            planner,
            limits: Limits::ticks(Self::DEFAULT_TICKS),
            clock: &NoClock,
            wants_trace: false,
            witness: None,
            between: Box::new(|_| ControlFlow::Continue(())),
        }
    }

    /// When to end at the latest.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Measures time with this clock. A limit in time needs one that runs.
    #[must_use]
    pub fn clock(mut self, clock: &'a dyn Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Keeps a trace.
    #[must_use]
    pub fn traced(mut self) -> Self {
        self.wants_trace = true;
        self
    }

    /// Shows every tick to a witness. The time that this takes is not the run's, and does not count.
    #[must_use]
    pub fn witnessed(mut self, witness: &'a mut dyn Witness) -> Self {
        self.witness = Some(witness);
        self
    }

    /// Calls this before every tick: to change the world, to show progress, or to stop.
    #[must_use]
    pub fn between(mut self, between: impl FnMut(&mut World) -> ControlFlow<()> + 'a) -> Self {
        self.between = Box::new(between);
        self
    }

    /// Runs until everybody is home, a limit is reached, or `between` says stop.
    ///
    /// # Errors
    /// When the planner proposes an illegal move.
    pub fn run(mut self) -> Result<Outcome, IllegalMove> {
        // Later by the time that witnesses took, so that theirs does not count.
        let mut begin = self.clock.now();
        let mut meter = Meter::begin(self.world);
        let mut trace = self.wants_trace.then(|| Trace::begin(self.world));
        let mut moves = Moves::default();
        let mut is_opening = true;
        let mut is_stopped = false;
        let ending = loop {
            let changes_before = self.world.changes().len();
            if is_stopped || (self.between)(self.world).is_break() {
                break Ending::Stopped;
            }
            let elapsed = self.clock.now().saturating_sub(begin);
            if self.world.everybody_is_home() {
                break Ending::AllHome;
            } else if self.limits.ticks.is_some_and(|limit| meter.ticks() >= limit) {
                break Ending::OutOfTicks;
            } else if self.limits.time.is_some_and(|limit| elapsed >= limit) {
                break Ending::OutOfTime;
            }
            // What was pending before the first tick is part of how the trace begins.
            let from = if is_opening { changes_before } else { 0 };
            let changes = self.world.changes()[from..].to_vec();
            is_opening = false;
            let started = self.clock.now();
            let work = tick(self.world, self.planner, &mut moves)?;
            let now = self.clock.now();
            meter.observe(
                self.world,
                &changes,
                work,
                now.saturating_sub(started),
                now.saturating_sub(begin),
            );
            if let Some(witness) = &mut self.witness {
                is_stopped = witness.see(&changes, self.world).is_break();
                begin += self.clock.now().saturating_sub(now);
            }
            if let Some(trace) = &mut trace {
                trace.record(changes, self.world);
            }
        };
        let metrics = meter.finish(self.world, self.clock.now().saturating_sub(begin));
        Ok(Outcome { ending, metrics, trace })
    }
}

impl std::fmt::Debug for Simulation<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Simulation").field("limits", &self.limits).finish_non_exhaustive()
    }
}
