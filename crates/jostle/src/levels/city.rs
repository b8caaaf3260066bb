//! Streets between buildings of many shapes, with squares and courtyards.

use super::canvas::{Canvas, Rect};
use super::dice::Dice;
use super::partition::{PartSize, Partition};
use super::regions;

/// The width of the street along the edge of the map, in cells.
const RING_STREET: i32 = 2;
/// Blocks with a shorter side than this hold one plain building.
const SHORTEST_VARIED: i32 = 7;
/// Towns with a shorter side than this have no avenues.
const SHORTEST_SIDE_WITH_AVENUES: i32 = 160;
/// Remains of buildings with fewer cells than this, cut off by avenues, are removed.
const SMALLEST_RUIN: usize = 4;

pub(super) fn draw(width: u32, height: u32, dice: &mut Dice) -> Canvas {
    let mut canvas = Canvas::open(width, height);
    let town =
        canvas.bounds().inset(if canvas.bounds().shorter_side() < 12 { 1 } else { RING_STREET });
    let size = PartSize {
        shortest: (town.shorter_side() / 6).clamp(3, 8),
        longest: (town.shorter_side() / 3).clamp(5, 22),
        cut_anyway: 30,
    };
    let blocks = Partition::of(town, &size, dice, street_width).parts;
    for block in blocks {
        fill_block(&mut canvas, block, dice);
    }
    if town.shorter_side() >= SHORTEST_SIDE_WITH_AVENUES {
        lay_avenues(&mut canvas, dice);
        regions::drop_small_walls(&mut canvas, SMALLEST_RUIN);
    }
    canvas
}

/// The longer the street, the wider it is.
fn street_width(side: i32, dice: &mut Dice) -> i32 {
    match side {
        ..16 => 2,
        16..40 => dice.between(2, 3),
        40..90 => dice.between(3, 4),
        _ => 4,
    }
}

/// Two straight avenues that cross in a round square, at an angle to all other streets.
fn lay_avenues(canvas: &mut Canvas, dice: &mut Dice) {
    let bounds = canvas.bounds();
    let centre = bounds.shrunk(bounds.width * 3 / 8, bounds.height * 3 / 8);
    let x = dice.between(centre.x, centre.right() - 1);
    let y = dice.between(centre.y, centre.bottom() - 1);
    let slope = dice.between(25, 65);
    for (step_x, step_y) in [(100, slope), (-slope, 100)] {
        let reach = bounds.longer_side() * 2;
        for step in -reach..=reach {
            canvas.carve(Rect::new(x + step * step_x / 100 - 1, y + step * step_y / 100 - 1, 4, 4));
        }
    }
    let radius = bounds.shorter_side() / 16;
    canvas.carve_disc(x, y, radius);
    monument(canvas, x, y, radius / 3);
}

/// A disc of wall, with four gaps and a hollow middle if it is large.
fn monument(canvas: &mut Canvas, x: i32, y: i32, radius: i32) {
    canvas.build_disc(x, y, radius);
    if radius >= 4 {
        canvas.carve_disc(x, y, radius - 2);
        canvas.carve(Rect::around(x, y, radius).shrunk(radius, 0));
        canvas.carve(Rect::around(x, y, radius).shrunk(0, radius));
    }
}

fn fill_block(canvas: &mut Canvas, block: Rect, dice: &mut Dice) {
    if block.shorter_side() < SHORTEST_VARIED {
        canvas.build(block);
        return;
    }
    match dice.between(0, 99) {
        0..18 => canvas.build(block),
        18..38 => courtyard(canvas, block, dice),
        38..54 => corner_building(canvas, block, dice),
        54..68 => row_houses(canvas, block, dice),
        68..78 => tower(canvas, block),
        78..88 => stepped_building(canvas, block, dice),
        88..94 => square(canvas, block, dice),
        _ => park(canvas, block, dice),
    }
}

/// A building around a yard, with one or two entrances.
fn courtyard(canvas: &mut Canvas, block: Rect, dice: &mut Dice) {
    canvas.build(block);
    let thickness = dice.between(2, 4).min((block.shorter_side() - 2) / 2);
    let yard = block.inset(thickness);
    canvas.carve(yard);
    for _ in 0..dice.between(1, 2) {
        let width = dice.between(1, yard.shorter_side().min(2));
        let x = dice.between(yard.x, yard.right() - width);
        let y = dice.between(yard.y, yard.bottom() - width);
        canvas.carve(match dice.between(0, 3) {
            0 => Rect::new(x, block.y, width, thickness),
            1 => Rect::new(yard.right(), y, thickness, width),
            2 => Rect::new(x, yard.bottom(), width, thickness),
            _ => Rect::new(block.x, y, thickness, width),
        });
    }
}

/// A building with one corner left open: an L.
fn corner_building(canvas: &mut Canvas, block: Rect, dice: &mut Dice) {
    canvas.build(block);
    canvas.carve(quarter(block, dice, 40, 65));
}

/// A building with small pieces cut out of one or two corners.
fn stepped_building(canvas: &mut Canvas, block: Rect, dice: &mut Dice) {
    canvas.build(block);
    canvas.carve(quarter(block, dice, 20, 40));
    canvas.carve(quarter(block, dice, 20, 40));
}

/// A rectangle in a random corner of a block. Each side is a random percentage of the block's.
fn quarter(block: Rect, dice: &mut Dice, least_percent: i32, most_percent: i32) -> Rect {
    let width = block.width * dice.between(least_percent, most_percent) / 100;
    let height = block.height * dice.between(least_percent, most_percent) / 100;
    let x = if dice.chance(50) { block.x } else { block.right() - width };
    let y = if dice.chance(50) { block.y } else { block.bottom() - height };
    Rect::new(x, y, width, height)
}

/// Small buildings with alleys of one cell between them.
fn row_houses(canvas: &mut Canvas, block: Rect, dice: &mut Dice) {
    let size = PartSize { shortest: 3, longest: 7, cut_anyway: 20 };
    let houses = Partition::of(block, &size, dice, |_, _| 1).parts;
    for house in houses {
        canvas.build(house);
    }
}

/// A round building on an open block.
fn tower(canvas: &mut Canvas, block: Rect) {
    let (x, y) = block.middle();
    canvas.build_disc(x, y, (block.shorter_side() - 1) / 2);
}

/// An open square around a monument, sometimes with trees along its sides.
fn square(canvas: &mut Canvas, block: Rect, dice: &mut Dice) {
    let (x, y) = block.middle();
    monument(canvas, x, y, block.shorter_side() / 5);
    if dice.chance(60) {
        let trees = block.inset(1);
        for (x, y) in trees.cells().filter(|&(x, y)| !trees.inset(1).contains(x, y)) {
            if (x - trees.x) % 3 == 0 && (y - trees.y) % 3 == 0 {
                canvas.set(x, y, false);
            }
        }
    }
}

/// Trees on open ground, no two of them adjacent.
fn park(canvas: &mut Canvas, block: Rect, dice: &mut Dice) {
    for (x, y) in block.inset(1).cells() {
        if canvas.is_open(Rect::around(x, y, 1)) && dice.chance(14) {
            canvas.set(x, y, false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levels::Level;
    use crate::levels::regions::Regions;

    #[test]
    fn every_yard_has_an_entrance() {
        for seed in 0..60 {
            let mut dice = Dice::new(Level::City, 30, 30, seed);
            let mut canvas = Canvas::open(30, 30);
            let block = Rect::new(2, 2, dice.between(7, 26), dice.between(7, 26));
            courtyard(&mut canvas, block, &mut dice);
            assert_eq!(Regions::of_floor(&canvas).count(), 1);
        }
    }

    #[test]
    fn streets_are_two_to_four_cells_wide() {
        let mut dice = Dice::new(Level::City, 30, 30, 1);
        assert!((1..600).all(|side| (2..=4).contains(&street_width(side, &mut dice))));
    }
}
