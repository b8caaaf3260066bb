//! One game is played several times: on several threads, in copies that are made on the way, and in
//! wasm32. After every tick, the fingerprint of the world and the work of the planner must be the
//! same in all of them.
//!
//! It cannot see what is wrong in the same way everywhere.

mod director;
mod draw;

use std::sync::Once;
use std::time::{Duration, Instant};

use jostle::planners::{Planner, Registry, Spec};
use jostle::world::IllegalMove;
use jostle_play::{Game, Run, Tick};
use serde::{Deserialize, Serialize};

use super::scripts::whole_script;
use crate::dice::Dice;
use crate::fault::{Fault, ensure};
use crate::node::Machine;
use crate::scene::{PlannerChoice, Scene};
use crate::target::{Effort, Target};

/// The most threads of a twin.
const MOST_THREADS: u32 = 8;

/// Games that are played several times.
#[derive(Debug)]
pub struct Twins {
    registry: Registry,
    wasm: Box<dyn Machine>,
}

/// A game, and how it is played once more.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TwinGame {
    /// Compared one after the other. The shrinker begins here: a game with one twin is faster to
    /// try.
    pub again: Vec<Twin>,
    /// The game.
    pub game: Scene,
}

/// How a game is played once more.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Twin {
    /// On so many threads, from 1 to 8. Left out if the planner has no parameter for that.
    Threads(u32),
    /// With a copy that is made in each of these ticks: the first of the original, each later one
    /// of the copy before. All of them go on to the end.
    Copies(Vec<u32>),
    /// By the engine as a module for wasm32.
    Wasm,
}

impl Twin {
    /// What efforts are counted for.
    const fn kind(&self) -> &'static str {
        match self {
            Self::Threads(_) => "threads",
            Self::Copies(_) => "copies",
            Self::Wasm => "wasm",
        }
    }
}

impl Twins {
    /// With these planners, and a machine that runs the engine as a module for wasm32.
    pub fn new(registry: Registry, wasm: Box<dyn Machine>) -> Self {
        // Now: as soon as any planner uses threads, there are as many as there will ever be.
        start_threads();
        Self { registry, wasm }
    }

    /// The planner of a game on so many threads; `None` if it does not exist, or does not take the
    /// number.
    fn on_threads(&self, choice: &PlannerChoice, threads: u32) -> Option<Spec> {
        let mut choice = alone(choice);
        let threads = threads.clamp(1, MOST_THREADS).to_string();
        choice.parameters.push(("threads".to_owned(), threads));
        choice.spec(&self.registry)
    }

    /// Plays a game as a twin does. Returns how many agent-ticks were compared.
    fn compare(&self, twin: &Twin, scene: &Scene, plain: &Plain) -> Result<u64, Fault> {
        match twin {
            Twin::Threads(threads) => {
                let Some(spec) = self.on_threads(&scene.planner, *threads) else { return Ok(0) };
                let mut run = Run::begin(&plain.game, spec.build());
                for tick in 0..plain.ticks.len() {
                    let name = || format!("on {threads} threads");
                    plain.expect("a run on threads differs", tick, run.tick(), name)?;
                }
                Ok(plain.agent_ticks_from(0))
            }
            Twin::Copies(ticks) => copies(ticks, scene.planner.spec(&self.registry), plain),
            Twin::Wasm if self.wasm.ready().is_err() => Ok(0),
            Twin::Wasm => {
                let failed = |reason| Fault::new("a run in wasm32 fails", reason);
                let ticks = self.wasm.play(&plain.game.write()).map_err(failed)?;
                for (tick, found) in ticks.iter().enumerate() {
                    let name = || "in wasm32".to_owned();
                    plain.expect("a run in wasm32 differs", tick, Ok(*found), name)?;
                }
                ensure(ticks.len() == plain.ticks.len(), "a run in wasm32 differs", || {
                    format!("{} ticks instead of {}", ticks.len(), plain.ticks.len())
                })?;
                Ok(plain.agent_ticks_from(0))
            }
        }
    }
}

impl Target for Twins {
    type Case = TwinGame;

    fn name(&self) -> &'static str {
        "twins"
    }

    fn about(&self) -> &'static str {
        "the same game on several threads, in copies and in wasm32, compared tick by tick"
    }

    fn usual_cases(&self) -> u64 {
        6
    }

    fn left_out(&self) -> Option<String> {
        self.wasm.ready().err().map(|reason| format!("nothing is played in wasm32: {reason}"))
    }

    fn draw(&self, _: u64, dice: &mut Dice) -> TwinGame {
        let scene = draw::scene(dice, &self.registry);
        let mut ticks = vec![dice.between(0, scene.ticks)];
        while ticks.len() < 3 && dice.percent(40) {
            ticks.push(dice.between(0, scene.ticks));
        }
        ticks.sort_unstable();
        let mut left = vec![Twin::Copies(ticks), Twin::Wasm];
        let any = *dice.pick(&[2, 3, MOST_THREADS]);
        let threads = [2, 3, MOST_THREADS].into_iter();
        left.extend(threads.filter(|&one| one == any || dice.percent(30)).map(Twin::Threads));
        // In any order: a case ends with its first fault.
        let mut twins = Vec::new();
        while !left.is_empty() {
            twins.push(left.swap_remove(dice.below(left.len())));
        }
        TwinGame { again: twins, game: scene }
    }

    fn run(&self, case: &TwinGame, effort: &mut Effort) -> Result<(), Fault> {
        let TwinGame { game: scene, again: twins } = case;
        let scene = &Scene { planner: alone(&scene.planner), ..scene.clone() };
        let Some((game, planner)) = game_of(scene, &self.registry) else { return Ok(()) };
        let plain = Plain::play(game, planner)?;
        let (ticks, agent_ticks) = (u64::from(scene.ticks), plain.agent_ticks_from(0));
        effort.add_ticks(&scene.planner.name, ticks, agent_ticks, plain.time);
        for twin in twins {
            effort.add_compared(twin.kind(), self.compare(twin, scene, &plain)?);
        }
        Ok(())
    }
}

/// The planner on as many threads as it uses if nobody says how many: a single one.
fn alone(choice: &PlannerChoice) -> PlannerChoice {
    let mut choice = choice.clone();
    choice.parameters.retain(|(name, _)| name != "threads");
    choice
}

/// A scene as a game, and its planner; `None` if it makes no sense.
fn game_of(scene: &Scene, registry: &Registry) -> Option<(Game, Box<dyn Planner>)> {
    let spec = scene.planner.spec(registry)?;
    let game = Game {
        planner: scene.planner.text(),
        ticks: scene.ticks,
        grid: scene.floor.grid()?,
        script: whole_script(scene),
    };
    Some((game, spec.build()))
}

/// Planners use as many threads as they are told, but only if there are so many, whatever the
/// machine has.
fn start_threads() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // It fails if there are threads already, which is as good as it gets.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(MOST_THREADS as usize).build_global();
    });
}

/// A game as it was played on one thread, without copies, on this machine.
struct Plain {
    game: Game,
    ticks: Vec<Tick>,
    /// How many agents there were in each tick.
    agents: Vec<u64>,
    time: Duration,
}

impl Plain {
    fn play(game: Game, planner: Box<dyn Planner>) -> Result<Self, Fault> {
        let begin = Instant::now();
        let mut run = Run::begin(&game, planner);
        let (mut ticks, mut agents) = (Vec::new(), Vec::new());
        for tick in 0..game.ticks {
            ticks.push(run.tick().map_err(|error| {
                Fault::new("a planner proposes an illegal move", format!("tick {tick}: {error}"))
            })?);
            agents.push(run.world().agents().count() as u64);
        }
        drop(run);
        Ok(Self { game, ticks, agents, time: begin.elapsed() })
    }

    /// The agent-ticks from a tick to the end.
    fn agent_ticks_from(&self, tick: u32) -> u64 {
        self.agents.iter().skip(tick as usize).sum()
    }

    /// Compares what came out of a tick of a twin with what should.
    fn expect(
        &self,
        kind: &str,
        tick: usize,
        found: Result<Tick, IllegalMove>,
        twin: impl Fn() -> String,
    ) -> Result<(), Fault> {
        let wrong =
            |what: String| Err(Fault::new(kind, format!("{}, tick {tick}: {what}", twin())));
        let found = match found {
            Ok(found) => found,
            Err(error) => return wrong(format!("an illegal move: {error}")),
        };
        let Some(expected) = self.ticks.get(tick) else {
            return wrong("the game should be over".to_owned());
        };
        if found.fingerprint != expected.fingerprint {
            return wrong(format!(
                "the fingerprint is {:016x} instead of {:016x}",
                found.fingerprint, expected.fingerprint
            ));
        }
        if found.work != expected.work {
            return wrong(format!("the work is {:?} instead of {:?}", found.work, expected.work));
        }
        Ok(())
    }
}

/// Plays a game and its copies side by side. Returns how many agent-ticks of the copies were
/// compared.
fn copies(ticks: &[u32], spec: Option<Spec>, plain: &Plain) -> Result<u64, Fault> {
    let Some(spec) = spec else { return Ok(0) };
    let mut left = ticks.to_vec();
    left.sort_unstable();
    let mut left = left.into_iter().peekable();
    let mut runs = vec![Run::begin(&plain.game, spec.build())];
    let mut made = Vec::new();
    for tick in 0..plain.game.ticks {
        while left.next_if(|&when| when <= tick).is_some() {
            let Some(copy) = runs.last().and_then(Run::try_clone) else { return Ok(0) };
            runs.push(copy);
            made.push(tick);
        }
        for (number, run) in runs.iter_mut().enumerate() {
            let name = || match number.checked_sub(1) {
                None => format!("the original, after copies in ticks {made:?}"),
                Some(0) => format!("the copy that was made in tick {}", made[0]),
                Some(at) => format!("a copy of a copy, made in ticks {:?}", &made[..=at]),
            };
            plain.expect("a copy differs", tick as usize, run.tick(), name)?;
        }
    }
    Ok(made.iter().map(|&tick| plain.agent_ticks_from(tick)).sum())
}
