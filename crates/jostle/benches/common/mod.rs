//! What benches share: the paper's maps, crowds on them, and the variants.

// Each bench uses a part.
#![allow(dead_code)]

use std::path::PathBuf;

use jostle::formats::read_map;
use jostle::instance::Kind;
use jostle::planners::Bmaa;
use jostle::planners::bmaa::{Order, PushRule};
use jostle::{Grid, Instance};

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

const PAPER: Bmaa = Bmaa {
    expansions: 32,
    vision: std::f64::consts::SQRT_2,
    moves: 32,
    push: false,
    flow: false,
    push_rule: PushRule::Paper,
    monotone: false,
    retry: 0,
    order: Order::ById,
    forget: false,
    #[cfg(feature = "threads")]
    threads: 1,
};

/// The four variants of BMAA\*.
pub const VARIANTS: [(&str, Bmaa); 4] = [
    ("bmaa", PAPER),
    ("bmaa-c", Bmaa { push: true, ..PAPER }),
    ("bmaa-f", Bmaa { flow: true, ..PAPER }),
    ("bmaa-f-c", Bmaa { push: true, flow: true, ..PAPER }),
];

/// A map of the paper from the folder that `JOSTLE_MAPS` names.
pub fn paper_map(name: &str) -> Option<Grid> {
    let folder = PathBuf::from(std::env::var_os("JOSTLE_MAPS")?);
    read_map(&folder.join("paper").join(name).with_extension("map")).ok()
}

/// Agents drawn on a map of the paper, the same every time.
pub fn crowd(map: &str, agents: usize) -> Instance {
    let grid = paper_map(map).expect("a map of the paper");
    Instance::draw(grid, Kind::Random, agents, 1).expect("the paper's maps hold its crowds")
}
