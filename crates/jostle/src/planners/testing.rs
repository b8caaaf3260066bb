//! What the tests of planners share: worlds drawn with letters, and checked runs.

use super::Planner;
use crate::check::check_trace;
use crate::grid::{Neighbours, Picture, Rules};
use crate::simulate::{Limits, Outcome, Simulation};
use crate::world::World;

/// A world drawn with letters: a capital letter is the start of an agent, the same small letter its goal; an
/// agent without a small letter starts at its goal. Agents are in the order of `letters`.
pub fn drawn(drawing: &str, letters: &str, neighbours: Neighbours) -> World {
    let picture = Picture::parse(drawing).unwrap();
    let rules = Rules { neighbours, ..Rules::default() };
    let mut world = World::new(picture.grid.clone().with_rules(rules));
    for letter in letters.chars() {
        let start = picture.find(letter).unwrap();
        let goal = picture.find(letter.to_ascii_lowercase()).unwrap_or(start);
        world.add(start, goal).unwrap();
    }
    world
}

/// Runs a planner until all agents have arrived or the ticks are over, and checks every step.
pub fn run(world: &mut World, planner: &mut dyn Planner, ticks: u64) -> Outcome {
    let limits = Limits::ticks(ticks);
    let outcome = Simulation::new(world, planner).limits(limits).traced().run().unwrap();
    check_trace(outcome.trace.as_ref().unwrap()).unwrap();
    outcome
}
