//! A planner follows any world that it is given, also one that went back in time: worlds are cloned and restored at
//! random while one planner moves the agents.

use jostle::planners::Registry;
use serde::{Deserialize, Serialize};

use super::promise::Promise;
use crate::dice::Dice;
use crate::fault::{Fault, ensure};
use crate::scene::{Change, Scene, draw};
use crate::stage::Stage;
use crate::target::{Effort, Target};

/// Worlds that are cloned and restored under one planner.
#[derive(Debug)]
pub struct Worlds {
    registry: Registry,
}

impl Worlds {
    /// With these planners.
    pub const fn new(registry: Registry) -> Self {
        Self { registry }
    }
}

/// A scene, and when its world is saved and restored.
#[derive(Debug, Serialize, Deserialize)]
pub struct TimeTravel {
    scene: Scene,
    /// The number of ticks that were played before, whatever the world's clock says.
    jumps: Vec<(u32, Jump)>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
enum Jump {
    Save,
    /// Goes on with one of the saved worlds; their number is the modulus.
    Restore(u32),
}

impl Target for Worlds {
    type Case = TimeTravel;

    fn name(&self) -> &'static str {
        "worlds"
    }

    fn about(&self) -> &'static str {
        "worlds cloned and restored at random under one planner"
    }

    fn usual_cases(&self) -> u64 {
        20_000
    }

    fn draw(&self, _: u64, dice: &mut Dice) -> TimeTravel {
        let scene = draw::scene(dice, &self.registry);
        let mut jumps = vec![(0, Jump::Save)];
        for _ in 0..dice.between(1, 12) {
            let (when, which) = (dice.between(0, scene.ticks), dice.between(0, 20));
            let what = if dice.percent(40) { Jump::Save } else { Jump::Restore(which) };
            jumps.push((when, what));
        }
        TimeTravel { scene, jumps }
    }

    fn run(&self, case: &TimeTravel, effort: &mut Effort) -> Result<(), Fault> {
        let TimeTravel { scene, jumps } = case;
        let spec = scene.planner.spec(&self.registry);
        let (Some(mut stage), Some(spec)) = (Stage::new(&scene.floor), spec) else {
            return Ok(());
        };
        let promise = Promise::of(&scene.planner, &self.registry);
        let mut planner = spec.build();
        for newcomer in &scene.opening {
            stage.apply(&Change::Join(*newcomer))?;
        }
        let mut saved: Vec<Stage> = Vec::new();
        let mut agent_ticks = 0;
        let begin = std::time::Instant::now();
        for tick in 0..scene.ticks {
            for (_, change) in scene.script.iter().filter(|entry| entry.0 == tick) {
                stage.apply(change)?;
            }
            for (_, jump) in jumps.iter().filter(|jump| jump.0 == tick) {
                match *jump {
                    Jump::Save => saved.push(stage.clone()),
                    Jump::Restore(_) if saved.is_empty() => {}
                    Jump::Restore(which) => {
                        stage.clone_from(&saved[which as usize % saved.len()]);
                    }
                }
            }
            let ours = stage.model.ours_and_arrived().0 as u64;
            let work = stage.tick(planner.as_mut())?;
            let is_kept = promise.is_none_or(|promise| promise.is_kept(work.expansions, ours));
            ensure(is_kept, "a budget is exceeded", || {
                format!("{} expansions; {promise:?}", work.expansions)
            })?;
            agent_ticks += stage.model.present() as u64;
        }
        effort.add_ticks(&scene.planner.name, u64::from(scene.ticks), agent_ticks, begin.elapsed());
        stage.compare_cells()
    }
}
