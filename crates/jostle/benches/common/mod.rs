//! What benches share: the paper's maps, crowds on them, and the variants.

// Each bench uses only some of this.
#![allow(dead_code)]

pub mod plot;

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use cpu_time::ProcessTime;
use jostle::formats::{read_map, read_scenario};
use jostle::instance::{Kind, Reach};
use jostle::metrics::Metrics;
use jostle::planners::Bmaa;
use jostle::simulate::Clock;
use jostle::{Grid, Instance, Neighbours, Rules};

/// The ten maps of the BMAA\* paper.
pub const PAPER_MAPS: [&str; 10] = [
    "AR0414SR-320x280",
    "AR0414SR-512",
    "AR0504SR-512",
    "AR0701SR-512",
    "blastedlands",
    "duskwood",
    "golemsinthemist",
    "lak304d",
    "lak307d",
    "lgt300d",
];

/// A map of the MAPF benchmark from the folder that `JOSTLE_MAPS` names.
pub fn mapf_map(map: &str) -> Option<Grid> {
    read_map(&mapf_folder()?.join(map).with_extension("map")).ok()
}

fn mapf_folder() -> Option<PathBuf> {
    Some(PathBuf::from(std::env::var_os("JOSTLE_MAPS")?).join("mapf"))
}

/// The first random scenario of a map of the MAPF benchmark, with four neighbours as there.
pub fn mapf_instance(map: &str, agents: usize) -> Option<Instance> {
    let rules = Rules { neighbours: Neighbours::Four, ..Rules::default() };
    let grid = mapf_map(map)?.with_rules(rules);
    let scenario = read_scenario(&mapf_folder()?.join(format!("scen/{map}-random-1.scen"))).ok()?;
    Instance::from_scenario(&grid, &scenario, agents, Reach::Required).ok()
}

/// The tick in which all have arrived, or how many have.
pub fn home(metrics: &Metrics) -> String {
    match metrics.completion_rate() {
        rate if rate < 1.0 => format!("{:.1}%", 100.0 * rate),
        _ => metrics.ticks.to_string(),
    }
}

/// Measures the time for which this program has used the processor.
pub struct Processor;

impl Clock for Processor {
    fn now(&self) -> Duration {
        ProcessTime::now().as_duration()
    }
}

/// The four variants of BMAA\*.
pub fn variants() -> [(&'static str, Bmaa); 4] {
    let paper = Bmaa::default();
    [
        ("bmaa", paper),
        ("bmaa-c", Bmaa { push: true, ..paper }),
        ("bmaa-f", Bmaa { flow: true, ..paper }),
        ("bmaa-f-c", Bmaa { push: true, flow: true, ..paper }),
    ]
}

/// A map of the paper from the folder that `JOSTLE_MAPS` names.
pub fn paper_map(name: &str) -> Option<Grid> {
    let folder = PathBuf::from(std::env::var_os("JOSTLE_MAPS")?);
    read_map(&folder.join("paper").join(name).with_extension("map")).ok()
}

/// Agents drawn at random on a map of the paper, always the same ones.
pub fn crowd(map: &str, agents: usize) -> Instance {
    let grid = paper_map(map).expect("a map of the paper");
    Instance::draw(grid, Kind::Random, agents, 1).expect("the paper's maps hold its crowds")
}

/// Runs this program again with these arguments under callgrind, which counts only inside `timed_ticks`. None
/// where valgrind is not installed.
pub fn instructions(words: &[&str]) -> Option<u64> {
    instructions_in("*timed_ticks*", words)
}

/// The same, counted only inside the functions whose names match a pattern with wildcards. They must not be inlined, and not
/// call each other.
pub fn instructions_in(pattern: &str, words: &[&str]) -> Option<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(format!("--toggle-collect={pattern}"))
        .arg(std::env::current_exe().ok()?)
        .args(words)
        .output()
        .ok()?;
    let report = String::from_utf8_lossy(&output.stderr).into_owned();
    let collected = report.lines().find_map(|line| line.split_once("Collected :"))?.1;
    collected.trim().parse().ok()
}
