//! The loop of a run: apply changes, ask the planner, let the world check and apply the joint move, record.

use std::ops::ControlFlow;
use std::time::Duration;
#[cfg(feature = "std")]
use std::time::Instant;

use crate::lifelong::Lifelong;
use crate::metrics::{Meter, Metrics};
use crate::planners::{Planner, Work};
use crate::script::{Refusal, Script, ScriptPlayer};
use crate::trace::Trace;
use crate::world::{IllegalMove, Moves, World};

/// One tick: asks the planner for a joint move and applies it if it is legal. Nothing else in the engine
/// moves agents.
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

/// Measures how long planning and moving take. The engine itself never reads the time.
pub trait Clock {
    /// Time since some fixed moment.
    fn now(&self) -> Duration;
}

/// Real time.
#[cfg(feature = "std")]
#[derive(Clone, Copy, Debug)]
pub struct WallClock(Instant);

#[cfg(feature = "std")]
impl WallClock {
    /// A clock that starts now.
    pub fn start() -> Self {
        Self(Instant::now())
    }
}

#[cfg(feature = "std")]
impl Clock for WallClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A clock on which no time passes, for platforms without one, and for runs whose time does not matter.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoClock;

impl Clock for NoClock {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

/// Observes a run, tick by tick.
pub trait Witness {
    /// Sees the world after a tick, and what the planner has done in all ticks so far. `Break` stops the run.
    fn see(&mut self, world: &World, work: Work) -> ControlFlow<()>;
}

/// When a run ends at the latest: at the first of these limits. It ends earlier when all agents have arrived,
/// and without any limit only then.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Limits {
    /// The most ticks.
    pub ticks: Option<u64>,
    /// The most time, planning and moving together, checked before each tick.
    pub time: Option<Duration>,
    /// The run ends after the tick in which the planner's expansions, all ticks together, have reached this
    /// number.
    ///
    /// It behaves like a limit in time, since searching uses it up, but runs reproduce exactly on any
    /// machine. A planner that has nothing left to search would go on for ever, so such a run has at most as
    /// many ticks as it may make expansions.
    pub expansions: Option<u64>,
}

impl Limits {
    /// A limit in ticks: such runs reproduce exactly.
    pub const fn ticks(ticks: u64) -> Self {
        Self { ticks: Some(ticks), time: None, expansions: None }
    }

    /// A limit in time. It needs a [clock](Simulation::clock) that runs.
    pub const fn time(time: Duration) -> Self {
        Self { ticks: None, time: Some(time), expansions: None }
    }

    /// A limit in expansions: such runs reproduce exactly.
    pub const fn expansions(expansions: u64) -> Self {
        Self { ticks: None, time: None, expansions: Some(expansions) }
    }

    /// The limit that a run has reached, if it has reached one.
    fn reached(self, ticks: u64, elapsed: Duration, expansions: u64) -> Option<Ending> {
        let most_ticks = self.ticks.into_iter().chain(self.expansions).min();
        if self.expansions.is_some_and(|limit| expansions >= limit) {
            Some(Ending::OutOfExpansions)
        } else if most_ticks.is_some_and(|limit| ticks >= limit) {
            Some(Ending::OutOfTicks)
        } else if self.time.is_some_and(|limit| elapsed >= limit) {
            Some(Ending::OutOfTime)
        } else {
            None
        }
    }
}

/// Why a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Ending {
    /// All agents stand on their goals.
    AllArrived,
    /// The limit in ticks was reached.
    OutOfTicks,
    /// The limit in time was reached.
    OutOfTime,
    /// The limit in expansions was reached.
    OutOfExpansions,
    /// A witness or the function between ticks stopped it.
    Stopped,
}

impl Ending {
    /// All endings.
    pub const ALL: [Self; 5] =
        [Self::AllArrived, Self::OutOfTicks, Self::OutOfTime, Self::OutOfExpansions, Self::Stopped];

    /// Its name in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AllArrived => "all-arrived",
            Self::OutOfTicks => "out-of-ticks",
            Self::OutOfTime => "out-of-time",
            Self::OutOfExpansions => "out-of-expansions",
            Self::Stopped => "stopped",
        }
    }
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Why it ended.
    pub ending: Ending,
    /// What was measured.
    pub metrics: Metrics,
    /// Every tick of the run, if it was [traced](Simulation::traced).
    pub trace: Option<Trace>,
    /// The changes of a script that the world refused, in order.
    pub refusals: Vec<Refusal>,
}

/// A run before it starts: a world, a planner, and the options.
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
    script: Option<&'a Script>,
    between: Box<Between<'a>>,
}

type Between<'a> = dyn FnMut(&mut World) -> ControlFlow<()> + 'a;

impl<'a> Simulation<'a> {
    /// The most ticks of a run without other limits.
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
            script: None,
            between: Box::new(|_| ControlFlow::Continue(())),
        }
    }

    /// Sets when to end at the latest, in place of the limit of 4096 ticks.
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

    /// Records a trace in the outcome.
    #[must_use]
    pub fn traced(mut self) -> Self {
        self.wants_trace = true;
        self
    }

    /// Shows every tick to a witness. The time that the witness takes does not count as the run's.
    #[must_use]
    pub fn witnessed(mut self, witness: &'a mut dyn Witness) -> Self {
        self.witness = Some(witness);
        self
    }

    /// Applies the changes of a script at their ticks. The run goes on until the script is over, even if all
    /// agents have arrived before.
    #[must_use]
    pub fn script(mut self, script: &'a Script) -> Self {
        self.script = Some(script);
        self
    }

    /// Calls this before every tick: to change the world, to show progress, or to stop.
    #[must_use]
    pub fn between(mut self, between: impl FnMut(&mut World) -> ControlFlow<()> + 'a) -> Self {
        self.between = Box::new(between);
        self
    }

    /// Gives agents that arrive new goals. The run ends when a limit is reached, or when there are no more goals and all agents have
    /// arrived. This takes the place of [`between`](Self::between).
    #[must_use]
    pub fn lifelong(self, lifelong: &'a mut Lifelong) -> Self {
        self.between(|world| {
            lifelong.send(world);
            ControlFlow::Continue(())
        })
    }

    /// Runs until all agents have arrived, a limit is reached, or a witness or `between` stops it.
    ///
    /// # Errors
    /// When the planner proposes an illegal move.
    pub fn run(mut self) -> Result<Outcome, IllegalMove> {
        // Moved forward by the time that witnesses take, so that it does not count.
        let mut begin = self.clock.now();
        let mut meter = Meter::begin(self.world);
        let mut trace = self.wants_trace.then(|| Trace::begin(self.world));
        let nothing = Script::default();
        let mut player = ScriptPlayer::begin(self.script.unwrap_or(&nothing), self.world);
        let mut moves = Moves::default();
        let mut is_stopped = false;
        let ending = loop {
            player.play(self.world);
            if is_stopped || (self.between)(self.world).is_break() {
                break Ending::Stopped;
            }
            let elapsed = self.clock.now().saturating_sub(begin);
            if self.world.have_all_arrived() && player.is_over() {
                break Ending::AllArrived;
            }
            let expansions = meter.work().expansions;
            if let Some(limit) = self.limits.reached(meter.ticks(), elapsed, expansions) {
                break limit;
            }
            let started = self.clock.now();
            let work = tick(self.world, self.planner, &mut moves)?;
            let now = self.clock.now();
            meter.observe(self.world, work, now.saturating_sub(started), now.saturating_sub(begin));
            if let Some(witness) = &mut self.witness {
                is_stopped = witness.see(self.world, meter.work()).is_break();
                begin += self.clock.now().saturating_sub(now);
            }
            if let Some(trace) = &mut trace {
                trace.record(self.world);
            }
        };
        let metrics = meter.finish(self.world, self.clock.now().saturating_sub(begin));
        let refusals = player.refusals().to_vec();
        Ok(Outcome { ending, metrics, trace, refusals })
    }
}

impl std::fmt::Debug for Simulation<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Simulation").field("limits", &self.limits).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::Grid;
    use crate::planners::planner;

    /// A clock that advances by a millisecond whenever it is read, and that a witness can set forward.
    #[derive(Default)]
    struct HandClock(Cell<u64>);

    impl Clock for HandClock {
        fn now(&self) -> Duration {
            self.0.set(self.0.get() + 1);
            Duration::from_millis(self.0.get())
        }
    }

    struct Slow<'a> {
        clock: &'a HandClock,
        ticks: u64,
        most: u64,
    }

    impl Witness for Slow<'_> {
        fn see(&mut self, world: &World, work: Work) -> ControlFlow<()> {
            assert!(work.expansions > 0);
            self.ticks += 1;
            assert_eq!(self.ticks, world.tick());
            self.clock.0.set(self.clock.0.get() + 60_000);
            if self.ticks < self.most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        }
    }

    /// A corridor whose only agent is 29 steps from its goal.
    fn corridor() -> World {
        let mut world = World::new(Grid::open(30, 1).unwrap());
        let [start, goal] = [0, 29].map(|x| world.grid().at(x, 0).unwrap());
        world.add(start, goal).unwrap();
        world
    }

    fn run(most: u64) -> (Outcome, u64) {
        let mut world = corridor();
        let clock = HandClock::default();
        let mut witness = Slow { clock: &clock, ticks: 0, most };
        let outcome = Simulation::new(&mut world, planner("bmaa").unwrap().as_mut())
            .limits(Limits::time(Duration::from_secs(1)))
            .clock(&clock)
            .witnessed(&mut witness)
            .run()
            .unwrap();
        (outcome, witness.ticks)
    }

    #[test]
    fn the_time_of_a_witness_is_not_the_time_of_the_run() {
        let (outcome, seen) = run(u64::MAX);
        assert_eq!((outcome.ending, outcome.metrics.ticks, seen), (Ending::AllArrived, 29, 29));
        assert!(outcome.metrics.time < Duration::from_secs(1), "{:?}", outcome.metrics.time);
    }

    #[test]
    fn a_witness_can_stop_the_run() {
        let (outcome, seen) = run(5);
        assert_eq!((outcome.ending, outcome.metrics.ticks, seen), (Ending::Stopped, 5, 5));
    }

    fn run_within(limits: Limits, planner_name: &str) -> Outcome {
        let mut world = corridor();
        let mut planner = planner(planner_name).unwrap();
        Simulation::new(&mut world, planner.as_mut()).limits(limits).run().unwrap()
    }

    #[test]
    fn a_run_ends_after_the_tick_in_which_it_has_made_its_expansions() {
        let whole = run_within(Limits::default(), "bmaa:expansions=4").metrics;
        let most = whole.work.expansions / 2;
        let half = run_within(Limits::expansions(most), "bmaa:expansions=4");
        assert_eq!(half.ending, Ending::OutOfExpansions);
        assert!(half.metrics.work.expansions >= most && half.metrics.ticks < whole.ticks);
        let shorter = Limits { ticks: Some(half.metrics.ticks - 1), ..Limits::expansions(most) };
        let shorter = run_within(shorter, "bmaa:expansions=4");
        assert_eq!(shorter.ending, Ending::OutOfTicks);
        assert!(shorter.metrics.work.expansions < most, "no tick before has reached it");
    }

    #[test]
    fn a_planner_that_expands_nothing_more_ends_as_well() {
        /// Lets all agents wait, without any search.
        struct Idle;
        impl Planner for Idle {
            fn plan(&mut self, _world: &World, _moves: &mut Moves) -> Work {
                Work::default()
            }
            fn wish(&self, _agent: &crate::Agent) -> Option<crate::Cell> {
                None
            }
            fn memory(&self) -> usize {
                0
            }
        }
        let mut world = corridor();
        let limits = Limits::expansions(40);
        let outcome = Simulation::new(&mut world, &mut Idle).limits(limits).run().unwrap();
        assert_eq!((outcome.ending, outcome.metrics.ticks), (Ending::OutOfTicks, 40));
    }
}
