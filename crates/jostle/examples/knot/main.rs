//! A knot, and how the default planner undoes it: agents in a comb of dead ends that have to change places.
//!
//! `cargo run --release -p jostle --example knot` prints how long it takes, with and without the search for knots. With the name of a file
//! after `--`, it writes an animated picture there.

#[path = "../choke_points/picture.rs"]
mod picture;

use std::error::Error;

use jostle::instance::Reach;
use jostle::planners::planner;
use jostle::simulate::Outcome;
use jostle::{Cell, Grid, Instance, Limits, Neighbours, Rules, Simulation};

/// A spine one cell wide, with dead ends on both sides.
const COMB: &str = "\
#####################
#.#.#.#.#.#.#.#.#.#.#
#.#.#.#.#.#.#.#.#.#.#
#...................#
#.#.#.#.#.#.#.#.#.#.#
#.#.#.#.#.#.#.#.#.#.#
#####################";

fn main() -> Result<(), Box<dyn Error>> {
    let instance = comb()?;
    for spec in ["jostle", "jostle:knots=off"] {
        let metrics = run(spec, &instance)?.metrics;
        println!(
            "{spec:17} {:5.1}% of {} agents arrived, {} ticks",
            100.0 * metrics.completion_rate(),
            instance.tasks().len(),
            metrics.ticks
        );
    }
    if let Some(file) = std::env::args().nth(1) {
        let trace = run("jostle", &instance)?.trace.ok_or("a traced run has a trace")?;
        std::fs::write(&file, picture::animated(&trace, 0.1)?)?;
        println!("{file}");
    }
    Ok(())
}

/// Two agents stand in each of eight dead ends. Their goals are in the dead ends opposite, as seen from the middle of the map.
fn comb() -> Result<Instance, Box<dyn Error>> {
    let rules = Rules { neighbours: Neighbours::Four, ..Rules::default() };
    let grid = Grid::from_ascii(COMB)?.with_rules(rules);
    let at = |x: u32, y: u32| grid.at(x, y).ok_or("a cell of the map");
    let mut tasks: Vec<(Cell, Cell)> = Vec::new();
    for x in [1, 5, 9, 13] {
        for y in [1, 2, 4, 5] {
            tasks.push((at(x, y)?, at(20 - x, 6 - y)?));
        }
    }
    Ok(Instance::new(grid, tasks, Reach::Required)?)
}

fn run(spec: &str, instance: &Instance) -> Result<Outcome, Box<dyn Error>> {
    let (mut world, mut planner) = (instance.world(), planner(spec)?);
    let simulation = Simulation::new(&mut world, planner.as_mut());
    Ok(simulation.limits(Limits::ticks(4096)).traced().run()?)
}
