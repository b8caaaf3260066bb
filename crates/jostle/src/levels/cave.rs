//! Caverns in rock, and winding tunnels between them.

use super::canvas::Canvas;
use super::dice::Dice;
use super::draw_with_floor_share;
use super::noise;
use super::regions::{self, Tunnels};

/// Rounds of the cellular automaton that turns noise into rock.
const SMOOTHING: u32 = 4;
/// The percentage of cells that start as floor. Smoothing and tunnels change it a little.
const FLOOR_PERCENT: usize = 50;
/// How much more solid the rock is at the edge of the map, in the units of the noise.
const EDGE_RISE: i32 = 600;
/// Caverns and pillars with fewer cells than these are removed.
const SMALLEST_CAVERN: usize = 30;
const SMALLEST_PILLAR: usize = 6;

pub(super) fn draw(width: u32, height: u32, dice: &mut Dice) -> Canvas {
    draw_with_floor_share(FLOOR_PERCENT, |percent| dig(width, height, percent, dice))
}

fn dig(width: u32, height: u32, floor_percent: usize, dice: &mut Dice) -> Canvas {
    let mut canvas = Canvas::walled(width, height);
    let feature = (canvas.bounds().shorter_side() / 10).clamp(4, 16);
    let mut field = noise::fractal(width, height, feature, dice);
    // Without this, the rim of the map would cut off caverns in straight lines.
    noise::raise_edges(&mut field, width, feature, EDGE_RISE);
    let ceiling = noise::percentile(&field, floor_percent);
    for (x, y) in canvas.bounds().inset(1).cells() {
        canvas.set(x, y, field[canvas.index(x, y)] < ceiling);
    }
    drop(field);
    (0..SMOOTHING).for_each(|_| canvas.smooth());
    regions::drop_small_walls(&mut canvas, SMALLEST_PILLAR);
    regions::drop_small_floors(&mut canvas, SMALLEST_CAVERN);
    regions::join(&mut canvas, &Tunnels { width: 2, margin: 1, loops: 25 }, dice);
    canvas
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levels::Level;

    #[test]
    fn rock_surrounds_a_cave() {
        let canvas = draw(70, 50, &mut Dice::new(Level::Cave, 70, 50, 4));
        let inside = canvas.bounds().inset(1);
        let floor = canvas.bounds().cells().filter(|&(x, y)| canvas.is_floor(x, y));
        assert!(floor.into_iter().all(|(x, y)| inside.contains(x, y)));
    }
}
