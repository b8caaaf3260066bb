//! What limits the size of a crowd: the time of a tick and the memory, from 1,000 to 1,000,000 agents.
//!
//! ```text
//! cargo bench -p jostle --bench scale [-- SECTION... OPTION...]
//! ```
//!
//! | section | what it measures |
//! |---|---|
//! | `density` | crowds that grow with their maps: 7% of the floor is occupied |
//! | `crowding` | crowds that grow on maps of 512x512 |
//! | `completion` | whole runs at 7%: how many agents arrive, in how many ticks |
//! | `orders` | every agent gets a new goal in one tick: the time of each tick after it |
//! | `paper` | whole runs on the maps of the BMAA\* paper, which `JOSTLE_MAPS` has to hold |
//! | `levels` | whole runs on every kind of level |
//!
//! Without a section, the first four are run. `options.rs` lists the options.
//!
//! The crowds of `density`, `crowding` and `orders` never rest: an agent that arrives is sent to another random cell. Ticks
//! are measured in processor time, on one thread unless the feature `threads` is on, and with the world's own check of every move.

#[path = "../common/mod.rs"]
mod common;
mod lifelong;
mod options;
mod orders;
mod whole_runs;

use common::plot::{Line, Panel, Picture, draw};
use jostle::Level;
use lifelong::{Figures, measure};
use options::{Options, Section};

/// The sides of the maps on which crowds grow.
const FIXED_SIDE: u32 = 512;
const PANELS_IN_A_ROW: usize = 2;

fn main() {
    let words = std::env::args().skip(1).filter(|word| word != "--bench");
    let options = Options::parse(words).unwrap_or_else(|wrong| {
        eprintln!("{wrong}");
        std::process::exit(2);
    });
    for section in &options.sections {
        match section {
            Section::Density => density(&options),
            Section::Crowding => crowding(&options),
            Section::Completion => whole_runs::completion(&options),
            Section::Orders => orders::orders(&options),
            Section::Paper => whole_runs::paper(&options),
            Section::Levels => whole_runs::levels(&options),
        }
    }
}

/// A crowd of each size on a map that grows with it. The sizes are the outer loop, because a program keeps some of the
/// memory of its earlier runs: that of smaller ones does little harm.
fn density(options: &Options) {
    println!("\nLifelong crowds on 7% of the floor\n");
    Figures::print_heading();
    let lines = || options.planners.iter().map(|name| Line::of(name)).collect();
    let panel = |level: &Level| Panel { title: level.to_string(), lines: lines() };
    let mut panels: Vec<Panel> = options.levels.iter().map(panel).collect();
    for agents in options.sizes(&options::SIZES) {
        for (&level, panel) in options.levels.iter().zip(&mut panels) {
            let side = side_for(level, agents);
            for name in options.planners_for(agents) {
                let figures = measure(level, side, agents, name, options);
                figures.print(level, side, name);
                let own = panel.lines.iter_mut().filter(|line| line.planner == name);
                own.for_each(|line| line.points.push((agents as f64, figures.nanoseconds())));
            }
        }
    }
    if let Some(file) = &options.plot {
        let mut rows = Vec::new();
        while !panels.is_empty() {
            rows.push(panels.drain(..panels.len().min(PANELS_IN_A_ROW)).collect());
        }
        let title = "Processor time for an agent and tick, crowds on 7% of the floor";
        let picture = Picture { title, across: ("agents", true), up: "ns an agent-tick", rows };
        let picture = draw(&picture).expect("text can be written into a string");
        let written = std::fs::write(file, picture);
        written.unwrap_or_else(|why| panic!("{}: {why}", file.display()));
    }
}

/// Crowds of growing size on the same map.
fn crowding(options: &Options) {
    println!("\nLifelong crowds on maps of {FIXED_SIDE}x{FIXED_SIDE}\n");
    Figures::print_heading();
    for agents in options.sizes(&options::CROWDS) {
        for &level in &options.levels {
            for name in options.planners_for(agents) {
                let figures = measure(level, FIXED_SIDE, agents, name, options);
                figures.print(level, FIXED_SIDE, name);
            }
        }
    }
}

/// The side of a map of this kind on which a crowd occupies 7% of the floor.
fn side_for(level: Level, agents: usize) -> u32 {
    const OCCUPIED: f64 = 0.07;
    // The share of floor hardly depends on the size.
    let sample = level.generate(FIXED_SIDE, FIXED_SIDE, 1).expect("a level");
    let floor = sample.floor_cells().count() as f64 / sample.cells().len() as f64;
    (agents as f64 / OCCUPIED / floor).sqrt().ceil() as u32
}
