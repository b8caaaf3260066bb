//! Racks with narrow aisles, cross aisles and docks.

use super::canvas::{Canvas, Rect};
use super::dice::Dice;
use super::partition::{PartSize, Partition};

/// Zones with a shorter side than this are left open.
const SHORTEST_ZONE: i32 = 3;

pub(super) fn draw(width: u32, height: u32, dice: &mut Dice) -> Canvas {
    let mut canvas = Canvas::walled(width, height);
    let hall = canvas.bounds().inset(1);
    canvas.carve(hall);
    let dock = (hall.width / 10).clamp(1, 10);
    if hall.shorter_side() >= 24 {
        dock_gates(&mut canvas, hall);
    }
    let margin = (hall.height / 24).clamp(1, 4);
    let storage = hall.shrunk(dock, margin);
    let size = PartSize {
        shortest: (storage.shorter_side() / 4).clamp(6, 18),
        longest: (storage.shorter_side() / 2).clamp(12, 60),
        cut_anyway: 20,
    };
    let main_aisle = (storage.shorter_side() / 16).clamp(2, 5);
    for zone in Partition::of(storage, &size, dice, |_, _| main_aisle).parts {
        fill_zone(&mut canvas, zone, dice);
    }
    canvas
}

/// Thickens the western and eastern walls and leaves bays in them where trucks would stand.
fn dock_gates(canvas: &mut Canvas, hall: Rect) {
    let depth = (hall.width / 40).clamp(1, 3);
    let (bay, post) = (4, 2);
    for x in [hall.x, hall.right() - depth] {
        canvas.build(Rect::new(x, hall.y, depth, hall.height));
        let count = (hall.height - post) / (bay + post);
        let first = hall.y + (hall.height - (count * (bay + post) - post)) / 2;
        for gate in 0..count {
            canvas.carve(Rect::new(x, first + gate * (bay + post), depth, bay));
        }
    }
}

/// How the racks of a zone stand.
struct Racks {
    /// Whether they run from west to east.
    run_east: bool,
    /// The thickness of a rack, in cells.
    thickness: i32,
    /// The width of the aisle between two racks, in cells.
    aisle: i32,
    /// The approximate length of a rack between two cross aisles, in cells.
    length: i32,
    /// The width of a cross aisle, in cells.
    cross_aisle: i32,
}

fn fill_zone(canvas: &mut Canvas, zone: Rect, dice: &mut Dice) {
    if zone.shorter_side() < SHORTEST_ZONE {
        return;
    }
    if zone.shorter_side() >= 14 && dice.chance(12) {
        packing_stations(canvas, zone);
        return;
    }
    let racks = Racks {
        run_east: dice.chance(65),
        thickness: dice.between(1, 2),
        aisle: dice.between(1, 2),
        length: dice.between(6, 14),
        cross_aisle: dice.between(2, 3),
    };
    place_racks(canvas, zone, &racks, dice);
}

fn place_racks(canvas: &mut Canvas, zone: Rect, racks: &Racks, dice: &mut Dice) {
    let (along, across) =
        if racks.run_east { (zone.width, zone.height) } else { (zone.height, zone.width) };
    let columns = spread(along, racks.length, racks.cross_aisle);
    let rows = (across + racks.aisle) / (racks.thickness + racks.aisle);
    for row in 0..rows {
        for &(begin, length) in &columns {
            if dice.chance(4) {
                continue;
            }
            let offset = row * (racks.thickness + racks.aisle);
            canvas.build(if racks.run_east {
                Rect::new(zone.x + begin, zone.y + offset, length, racks.thickness)
            } else {
                Rect::new(zone.x + offset, zone.y + begin, racks.thickness, length)
            });
        }
    }
}

/// Divides a line into pieces of about the same length with gaps between them, and returns the beginning and
/// the length of each.
pub(super) fn spread(line: i32, length: i32, gap: i32) -> Vec<(i32, i32)> {
    let count = ((line + gap) / (length + gap)).max(1);
    let solid = line - (count - 1) * gap;
    let begin = |piece: i32| piece * solid / count + piece * gap;
    (0..count).map(|piece| (begin(piece), begin(piece + 1) - gap - begin(piece))).collect()
}

/// Tables with room on all sides.
fn packing_stations(canvas: &mut Canvas, zone: Rect) {
    for (x, width) in spread(zone.width - 4, 3, 3) {
        for (y, height) in spread(zone.height - 4, 2, 3) {
            canvas.build(Rect::new(zone.x + 2 + x, zone.y + 2 + y, width, height));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_and_gaps_fill_the_line() {
        for line in 1..80 {
            let pieces = spread(line, 7, 2);
            let (last, length) = pieces[pieces.len() - 1];
            assert_eq!(pieces[0].0, 0);
            assert_eq!(last + length, line);
            for pair in pieces.windows(2) {
                assert_eq!(pair[0].0 + pair[0].1 + 2, pair[1].0);
            }
        }
    }
}
