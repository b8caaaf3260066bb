//! A comparison for research: draw an instance, run several planners on it, check every run, compare.
//!
//! `cargo run --release -p jostle --example compare_planners`

use jostle::check::check_trace;
use jostle::formats::Paths;
use jostle::instance::Kind;
use jostle::planners::planner;
use jostle::{Instance, Level, Limits, Simulation};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grid = Level::Rooms.generate(80, 60, 5)?;
    let instance = Instance::draw(grid, Kind::Random, 150, 42)?;
    println!("{:24} {:>7} {:>9} {:>11}", "planner", "arrived", "distance", "expansions");
    for spec in ["bmaa", "bmaa:expansions=128", "bmaa:retry=2", "bmaa-c", "bmaa-f-c"] {
        let mut world = instance.world();
        let mut planner = planner(spec)?;
        let outcome = Simulation::new(&mut world, planner.as_mut())
            .limits(Limits::ticks(2000))
            .traced()
            .run()?;
        let metrics = &outcome.metrics;
        println!(
            "{spec:24} {:6.1}% {:9.1} {:11}",
            metrics.completion_rate() * 100.0,
            metrics.travel_distance(),
            metrics.work.expansions
        );

        // The independent checker looks at every step of every agent.
        let trace = outcome.trace.ok_or("a traced run has a trace")?;
        check_trace(&trace)?;
        // The same run in the text form that other tools read.
        let text = Paths::of(&trace).write();
        assert!(text.starts_with("starts="));
    }
    Ok(())
}
