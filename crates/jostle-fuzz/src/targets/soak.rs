//! Large crowds on large maps, for as long as one likes: every planner in turn, and the model checks every tick.

use jostle::planners::Registry;

use crate::dice::Dice;
use crate::fault::Fault;
use crate::scene::{Scene, draw};
use crate::target::{Effort, Target};
use crate::targets::scripts::play;

/// How many agent-ticks a case has. Planners take turns, so that all get the same share.
const AGENT_TICKS: u32 = 200_000;

/// Large crowds on large maps.
#[derive(Debug)]
pub struct Soak {
    registry: Registry,
}

impl Soak {
    /// With these planners.
    pub const fn new(registry: Registry) -> Self {
        Self { registry }
    }
}

impl Target for Soak {
    type Case = Scene;

    fn name(&self) -> &'static str {
        "soak"
    }

    fn about(&self) -> &'static str {
        "large crowds on large maps with every planner in turn; the model checks every tick"
    }

    fn usual_cases(&self) -> u64 {
        25
    }

    fn draw(&self, index: u64, dice: &mut Dice) -> Scene {
        let entries = self.registry.entries();
        let entry = &entries[(index % entries.len() as u64) as usize];
        let agents = dice.between(100, 800);
        draw::crowd(dice, entry, agents, AGENT_TICKS / agents)
    }

    fn run(&self, scene: &Scene, effort: &mut Effort) -> Result<(), Fault> {
        play(scene, &self.registry, effort, |_| ()).map(|_| ())
    }
}
