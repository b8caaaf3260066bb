//! What tests of sectors share: random maps of all kinds, rules, and edits.

use std::fmt;

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::layout::Area;
use crate::Level;
use crate::grid::{Cell, CornerRule, Grid, Neighbours, Place, Rules};
use crate::search::shortest_path;

/// A map that is drawn when a test fails, and not listed.
#[derive(Clone)]
pub struct Drawn(pub Grid);

impl fmt::Debug for Drawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (width, height) = (self.0.width(), self.0.height());
        write!(f, "{width}x{height}\n{}", self.0.to_ascii())
    }
}

/// Maps of a few sectors, most of them not of whole ones: levels, and noise that is mostly walls, mostly floor, or
/// about to fall apart.
pub fn random_map() -> impl Strategy<Value = Drawn> {
    let level = (0..Level::ALL.len(), 5u32..120, 5u32..120, 0u64..1000);
    let level = level.prop_map(|(kind, width, height, seed)| {
        Drawn(Level::ALL[kind].generate(width, height, seed).unwrap())
    });
    let noise = (1u32..110, 1u32..110, 0u64..1000, prop::sample::select(vec![10, 30, 40, 50, 80]));
    let noise = noise.prop_map(|(width, height, seed, walls)| {
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        let is_floor = |_, _| dice.random_range(0..100) >= walls;
        Drawn(Grid::new(width, height, Rules::default(), is_floor).unwrap())
    });
    prop_oneof![level, noise]
}

/// All rules that change which steps are legal.
pub fn rules() -> impl Strategy<Value = Rules> {
    let corners = [CornerRule::BothFree, CornerRule::OneFree, CornerRule::Ignored];
    let eight = corners.map(|corners| Rules { corners, ..Rules::default() });
    let four = Rules { neighbours: Neighbours::Four, ..Rules::default() };
    prop::sample::select(vec![eight[0], eight[1], eight[2], four])
}

/// Turns this many cells, drawn at random, into walls or floor.
pub fn edit_at_random(grid: &mut Grid, seed: u64, count: usize) -> Vec<Cell> {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let cells = grid.cells().len();
    let edited = (0..count).map(|_| Cell::from_index(dice.random_range(0..cells)));
    let edited: Vec<_> = edited.collect();
    for &cell in &edited {
        grid.set_floor(cell, !grid.is_floor(cell));
    }
    edited
}

/// The floor of an area as a map of its own, as far as it is on the map, and the area itself without the rest.
pub fn cut_out(grid: &Grid, area: Area) -> (Grid, Area) {
    let (x, y) = (area.x.max(0), area.y.max(0));
    let width = (area.x + area.width).min(grid.width() as i32) - x;
    let height = (area.y + area.height).min(grid.height() as i32) - y;
    let alone = Grid::new(width as u32, height as u32, grid.rules(), |column, row| {
        grid.is_floor(grid.at(x as u32 + column, y as u32 + row).unwrap())
    });
    (alone.unwrap(), Area { x, y, width, height })
}

/// The length of the shortest path between two places that stays in an area, rounded up to grains.
pub fn grains_inside(grid: &Grid, area: Area, from: Place, to: Place) -> Option<u64> {
    let (alone, area) = cut_out(grid, area);
    let inside = |place: Place| alone.at((place.x - area.x) as u32, (place.y - area.y) as u32);
    let (cost, _) = shortest_path(&alone, inside(from)?, inside(to)?)?;
    Some((cost.units() as u64).div_ceil(128))
}
