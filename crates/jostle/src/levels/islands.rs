//! Land in water, joined by bridges.

use super::bridges;
use super::canvas::{Canvas, Rect};
use super::dice::Dice;
use super::draw_with_floor_share;
use super::noise;
use super::regions;

/// The percentage of cells that are land, before bridges.
const LAND_PERCENT: usize = 42;
/// How high the middle of an island rises, in the units of the noise that makes its coast irregular.
const PEAK: i32 = 1100;
/// How much lower the ground is at the edge of the map.
const EDGE_FALL: i32 = 700;
/// Islands and ponds with fewer cells than these are removed.
const SMALLEST_ISLAND: usize = 12;
const SMALLEST_POND: usize = 9;

/// The highest point of an island.
struct Summit {
    x: i32,
    y: i32,
    radius: i32,
}

pub(super) fn draw(width: u32, height: u32, dice: &mut Dice) -> Canvas {
    draw_with_floor_share(LAND_PERCENT, |percent| flood(width, height, percent, dice))
}

fn flood(width: u32, height: u32, land_percent: usize, dice: &mut Dice) -> Canvas {
    let mut canvas = Canvas::walled(width, height);
    let spacing = (canvas.bounds().shorter_side() / 4).clamp(8, 46);
    let mut heights = noise::fractal(width, height, spacing / 2, dice);
    raise_islands(&mut heights, &canvas, spacing, dice);
    noise::raise_edges(&mut heights, width, spacing / 4, -EDGE_FALL);
    let sea_level = noise::percentile(&heights, 100 - land_percent);
    for (x, y) in canvas.bounds().inset(1).cells() {
        canvas.set(x, y, heights[canvas.index(x, y)] >= sea_level);
    }
    (0..2).for_each(|_| canvas.smooth());
    regions::drop_small_walls(&mut canvas, SMALLEST_POND);
    regions::drop_small_floors(&mut canvas, SMALLEST_ISLAND);
    bridges::build(&mut canvas, dice);
    canvas
}

/// Adds a hill for each island: one for each square of a lattice, at a random place in it.
fn raise_islands(heights: &mut [i32], canvas: &Canvas, spacing: i32, dice: &mut Dice) {
    let Rect { width, height, .. } = canvas.bounds();
    let (columns, rows) = ((width / spacing).max(1), (height / spacing).max(1));
    let jitter = spacing * 3 / 10;
    let mut summits = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            summits.push(Summit {
                x: (2 * column + 1) * width / (2 * columns) + dice.between(-jitter, jitter),
                y: (2 * row + 1) * height / (2 * rows) + dice.between(-jitter, jitter),
                radius: dice.between(spacing * 35 / 100, spacing * 70 / 100),
            });
        }
    }
    let near = |at: i32, end: i32| (at - 1).max(0)..(at + 2).min(end);
    for (x, y) in canvas.bounds().cells() {
        let (column, row) = (x * columns / width, y * rows / height);
        let near =
            near(row, rows).flat_map(|row| near(column, columns).map(move |at| row * columns + at));
        let rise = near.map(|at| summits[at as usize].height_at(x, y)).max().unwrap_or(0);
        heights[canvas.index(x, y)] += rise;
    }
}

impl Summit {
    fn height_at(&self, x: i32, y: i32) -> i32 {
        let (dx, dy) = (x - self.x, y - self.y);
        (PEAK - PEAK * (dx * dx + dy * dy) / (self.radius * self.radius)).max(-PEAK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levels::Level;

    #[test]
    fn the_sea_surrounds_the_islands() {
        let canvas = draw(80, 60, &mut Dice::new(Level::Islands, 80, 60, 3));
        let inside = canvas.bounds().inset(1);
        let mut land = canvas.bounds().cells().filter(|&(x, y)| canvas.is_floor(x, y));
        assert!(land.all(|(x, y)| inside.contains(x, y)));
    }
}
