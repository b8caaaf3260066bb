//! Random games against every planner: joins, leaves, new goals, placed agents, walls and floors, in bursts.
//!
//! The model checks every change and every tick. Then the same game is played by the engine's own loop, and the
//! trace, the engine's checker and the path file of the run have to agree with what the model saw.

use std::collections::HashMap;
use std::time::Instant;

use jostle::check::{check_paths, check_trace};
use jostle::formats::Paths;
use jostle::planners::{Registry, Spec};
use jostle::script::ScriptedChange;
use jostle::trace::Fingerprint;
use jostle::{Change as WorldChange, Limits, Script, Simulation, Trace, World};

use super::promise::Promise;
use crate::dice::Dice;
use crate::fault::{Fault, ensure};
use crate::scene::{Change, Scene, draw};
use crate::stage::Stage;
use crate::target::{Effort, Target};

/// Random games against every planner.
#[derive(Debug)]
pub struct Scripts {
    registry: Registry,
}

impl Scripts {
    /// With these planners.
    pub const fn new(registry: Registry) -> Self {
        Self { registry }
    }
}

impl Target for Scripts {
    type Case = Scene;

    fn name(&self) -> &'static str {
        "scripts"
    }

    fn about(&self) -> &'static str {
        "random games against every planner; the model checks every change and every tick"
    }

    fn usual_cases(&self) -> u64 {
        20_000
    }

    fn draw(&self, _: u64, dice: &mut Dice) -> Scene {
        draw::scene(dice, &self.registry)
    }

    fn run(&self, scene: &Scene, effort: &mut Effort) -> Result<(), Fault> {
        let Some(spec) = scene.planner.spec(&self.registry) else { return Ok(()) };
        let mut recorded: Option<Recorded> = None;
        let played = play(scene, &self.registry, effort, |stage| match &mut recorded {
            None => recorded = Some(Recorded::begin(&stage.world)),
            Some(recorded) => recorded.tick(&stage.world),
        })?;
        let (Some(played), Some(recorded)) = (played, recorded) else { return Ok(()) };
        played.stage.compare_cells()?;
        check_records(scene, &played, &recorded.trace)?;
        check_again(scene, &spec, &played, recorded)
    }
}

/// What is kept of a run for comparisons.
struct Recorded {
    beginning: World,
    trace: Trace,
    fingerprint: Fingerprint,
    /// The fingerprint after each number of ticks, from 0.
    fingerprints: Vec<u64>,
}

impl Recorded {
    fn begin(world: &World) -> Self {
        let mut fingerprint = Fingerprint::default();
        fingerprint.begin(world.agents());
        let fingerprints = vec![fingerprint.value()];
        Self { beginning: world.clone(), trace: Trace::begin(world), fingerprint, fingerprints }
    }

    fn tick(&mut self, world: &World) {
        self.trace.record(world);
        self.fingerprint.add(world.configuration().cells());
        self.fingerprints.push(self.fingerprint.value());
    }
}

/// A scene that was played.
pub struct Played {
    /// The agents that are present at the beginning, numbered from 0, by their numbers in the scene.
    pub ranks: HashMap<u32, u32>,
    /// The end.
    pub stage: Stage,
    /// The first tick before which the script was over and every agent had arrived.
    pub arrived: Option<u64>,
    /// How many changes of the script were refused.
    pub refused: usize,
}

/// Plays a scene, and shows it to `watch` at the beginning and after every tick. `None` if it makes no sense.
pub fn play(
    scene: &Scene,
    registry: &Registry,
    effort: &mut Effort,
    mut watch: impl FnMut(&Stage),
) -> Result<Option<Played>, Fault> {
    let (Some(mut stage), Some(spec)) = (Stage::new(&scene.floor), scene.planner.spec(registry))
    else {
        return Ok(None);
    };
    let promise = Promise::of(&scene.planner, registry);
    let mut planner = spec.build();
    let mut ranks = HashMap::new();
    let mut opening = 0;
    for newcomer in &scene.opening {
        if stage.apply(&Change::Join(*newcomer))? {
            ranks.insert(newcomer.agent, opening);
            opening += 1;
        }
    }
    watch(&stage);
    let begin = Instant::now();
    let script = in_order(scene);
    let mut left = script.iter().peekable();
    let (mut arrived, mut refused, mut agent_ticks) = (None, 0, 0);
    let (mut ours, mut present) = (0, 0);
    for tick in 0..scene.ticks {
        let mut has_changed = tick == 0;
        while let Some((_, change)) = left.next_if(|entry| entry.0 <= tick) {
            refused += usize::from(!stage.apply(change)?);
            has_changed = true;
        }
        if has_changed {
            (ours, present) = (stage.model.ours_and_arrived().0, stage.model.present());
        }
        if arrived.is_none() && left.peek().is_none() && {
            let (ours, arrived) = stage.model.ours_and_arrived();
            ours == arrived
        } {
            arrived = Some(u64::from(tick));
        }
        let work = stage.tick(planner.as_mut())?;
        agent_ticks += present as u64;
        if let Some(promise) = promise {
            ensure(promise.is_kept(work.expansions, ours as u64), "a budget is exceeded", || {
                format!("{} expansions at tick {tick}; {promise:?}", work.expansions)
            })?;
        }
        watch(&stage);
    }
    effort.add_ticks(&scene.planner.name, u64::from(scene.ticks), agent_ticks, begin.elapsed());
    Ok(Some(Played { ranks, stage, arrived, refused }))
}

/// The script in the order of its ticks, without what would come after the last one.
fn in_order(scene: &Scene) -> Vec<(u32, Change)> {
    let mut script = scene.script.clone();
    script.retain(|entry| entry.0 < scene.ticks);
    script.sort_by_key(|entry| entry.0);
    script
}

/// Checks that the engine's checker agrees with the model, and that the run survives being written and read.
fn check_records(scene: &Scene, played: &Played, trace: &Trace) -> Result<(), Fault> {
    let (agents, arrived) = played.stage.model.ours_and_arrived();
    let expected = Ok((agents, scene.ticks as usize, arrived));
    let of_trace = check_trace(trace);
    let checked = of_trace.as_ref().map(|legal| (legal.agents, legal.ticks, legal.arrived));
    ensure(checked == expected, "the checker and the model differ", || {
        format!("{checked:?} where {expected:?} is expected")
    })?;
    let paths = Paths::of(trace);
    let read = Paths::parse(&paths.write());
    ensure(read.as_ref() == Ok(&paths), "a path file is not read as it was written", || {
        format!("{:?}", read.err())
    })?;
    let checked = check_paths(trace.grid(), &paths);
    ensure(checked == of_trace, "a path file is checked with another result", || {
        format!("{checked:?} where {of_trace:?} is expected")
    })?;
    let replayed = paths.to_trace(trace.grid());
    ensure(
        replayed.as_ref().map(Trace::fingerprint) == Ok(trace.fingerprint()),
        "a path file is replayed as another run",
        || format!("{:?}", replayed.err()),
    )
}

/// Plays the game once more, through the engine's own loop.
fn check_again(
    scene: &Scene,
    spec: &Spec,
    played: &Played,
    recorded: Recorded,
) -> Result<(), Fault> {
    let Recorded { beginning: mut world, fingerprints, .. } = recorded;
    let script = script_after(scene, &played.ranks);
    let read = Script::parse(&script.write());
    ensure(read.as_ref() == Ok(&script), "a script is not read as it was written", || {
        format!("{:?}", read.err())
    })?;
    let outcome = Simulation::new(&mut world, spec.build().as_mut())
        .limits(Limits::ticks(u64::from(scene.ticks)))
        .script(&script)
        .traced()
        .run()
        .map_err(|error| Fault::new("the second run is illegal", error.to_string()))?;
    let ticks = played.arrived.unwrap_or(u64::from(scene.ticks));
    ensure(outcome.metrics.ticks == ticks, "a run ends at another tick", || {
        format!("{} where {ticks} is expected", outcome.metrics.ticks)
    })?;
    let fingerprint = outcome.trace.as_ref().map(Trace::fingerprint);
    ensure(fingerprint == Some(fingerprints[ticks as usize]), "two runs differ", || {
        format!("in the first {ticks} ticks")
    })?;
    ensure(outcome.refusals.len() == played.refused, "two runs refuse different changes", || {
        format!("{} and {}", outcome.refusals.len(), played.refused)
    })
}

/// The script of a scene in the engine's words, where agents that are present at the beginning are numbered from 0.
fn script_after(scene: &Scene, ranks: &HashMap<u32, u32>) -> Script {
    const JOINS_LATER: u32 = 1 << 20;
    let number = |agent: u32| ranks.get(&agent).copied().unwrap_or(JOINS_LATER.wrapping_add(agent));
    scripted(&in_order(scene), number)
}

/// A scene in the engine's words from its first agent on: all of them join by the script, with their own numbers.
pub fn whole_script(scene: &Scene) -> Script {
    let opening = scene.opening.iter().map(|newcomer| (0, Change::Join(*newcomer)));
    scripted(&opening.chain(in_order(scene)).collect::<Vec<_>>(), |agent| agent)
}

/// Changes in the engine's words.
fn scripted(changes: &[(u32, Change)], number: impl Fn(u32) -> u32) -> Script {
    let change = |change: &Change| -> ScriptedChange {
        match *change {
            Change::Join(newcomer) => WorldChange::Join {
                agent: number(newcomer.agent),
                cell: newcomer.at,
                goal: newcomer.goal(),
                ours: newcomer.ours,
            },
            Change::Leave { agent } => WorldChange::Leave { agent: number(agent) },
            Change::Send { agent, to } => WorldChange::Send { agent: number(agent), goal: to },
            Change::Place { agent, at } => WorldChange::Place { agent: number(agent), cell: at },
            Change::SetFloor { at, is_floor } => WorldChange::SetFloor { cell: at, is_floor },
        }
    };
    changes.iter().map(|(tick, entry)| (u64::from(*tick), change(entry))).collect()
}
