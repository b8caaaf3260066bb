//! What benches share: the paper's maps, and crowds on them.

use std::path::PathBuf;

use jostle::formats::read_map;
use jostle::instance::Kind;
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

/// A map of the paper from the folder that `JOSTLE_MAPS` names.
pub fn paper_map(name: &str) -> Option<Grid> {
    let folder = PathBuf::from(std::env::var_os("JOSTLE_MAPS")?);
    read_map(&folder.join("paper").join(name).with_extension("map")).ok()
}

/// Agents drawn on a map, the same for the same seed.
pub fn crowd(grid: Grid, agents: usize) -> Instance {
    Instance::draw(grid, Kind::Random, agents, 1).expect("the paper's maps hold its crowds")
}
