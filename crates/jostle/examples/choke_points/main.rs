//! Crowds at choke points: two groups on a bridge, 200 agents before a door, one agent in a throng. How well
//! does each planner do?
//!
//! `cargo run --release -p jostle --example choke_points` prints a table (in half a minute, most of which is
//! WHCA\* searching in vain). With the name of a folder after `--`, it writes every choke point into it instead: a
//! map and a scenario, for `jostle run NAME.map --scen NAME.scen --planner jostle --replay NAME.html`, and an
//! animated picture of the default planner.

mod picture;

use std::error::Error;
use std::fs;
use std::path::Path;

use jostle::formats::write_map;
use jostle::instance::ChokePoint;
use jostle::planners::planner;
use jostle::search::shortest_path;
use jostle::simulate::{Outcome, WallClock};
use jostle::{Cost, Instance, Limits, Simulation};

fn main() -> Result<(), Box<dyn Error>> {
    match std::env::args().nth(1) {
        Some(folder) => write_files(Path::new(&folder)),
        None => print_table(),
    }
}

fn print_table() -> Result<(), Box<dyn Error>> {
    println!(
        "{:9} {:8} {:>7} {:>6} {:>9} {:>11}",
        "", "", "arrived", "ticks", "distance", "worst tick"
    );
    for choke_point in ChokePoint::ALL {
        let instance = choke_point.instance()?;
        for name in ["jostle", "pibt", "whca", "far", "bmaa"] {
            let metrics = run(name, &instance)?.metrics;
            println!(
                "{:9} {name:8} {:6.1}% {:6} {:8.2}x {:8.1} ms",
                choke_point.name(),
                metrics.completion_rate() * 100.0,
                metrics.ticks,
                metrics.travel_distance() * metrics.journeys.len() as f64 / shortest(&instance),
                metrics.tick_times.slowest_after(0).as_secs_f64() * 1e3,
            );
        }
    }
    println!("distance: cells walked by all agents, divided by what each would walk alone");
    Ok(())
}

fn write_files(folder: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    for choke_point in ChokePoint::ALL {
        let (name, instance) = (choke_point.name(), choke_point.instance()?);
        let trace = run("jostle", &instance)?.trace.ok_or("a traced run has a trace")?;
        let map = format!("{name}.map");
        fs::write(folder.join(&map), write_map(instance.grid()))?;
        fs::write(folder.join(format!("{name}.scen")), instance.to_scenario(&map).write())?;
        fs::write(folder.join(format!("{name}.svg")), picture::animated(&trace, 0.6)?)?;
        println!("{}", folder.join(name).display());
    }
    Ok(())
}

fn run(name: &str, instance: &Instance) -> Result<Outcome, Box<dyn Error>> {
    let (mut world, mut planner, clock) = (instance.world(), planner(name)?, WallClock::start());
    let simulation = Simulation::new(&mut world, planner.as_mut()).limits(Limits::ticks(2000));
    Ok(simulation.clock(&clock).traced().run()?)
}

/// The cells that all agents together would walk if each were alone.
fn shortest(instance: &Instance) -> f64 {
    let path = |&(start, goal)| shortest_path(instance.grid(), start, goal);
    let length = |(cost, _): (Cost, _)| cost.as_f64();
    instance.tasks().iter().filter_map(path).map(length).sum()
}
