//! A warehouse in which no two agents can pass each other between the shelves.

use super::canvas::{Canvas, Rect};
use super::dice::Dice;
use super::warehouse::spread;

/// The width of every aisle between the shelves, in cells.
const AISLE: i32 = 1;

/// Shelves of equal size in rows and columns, one-cell aisles between them, and open floor at the stations in the west and east. Some
/// shelves are missing.
pub(super) fn draw(width: u32, height: u32, dice: &mut Dice) -> Canvas {
    let mut canvas = Canvas::walled(width, height);
    let hall = canvas.bounds().inset(1);
    canvas.carve(hall);
    let storage = hall.shrunk((hall.width / 12).clamp(1, 6), 1);
    let (length, thickness) = (dice.between(6, 14), dice.between(1, 2));
    let columns = spread(storage.width, length, AISLE);
    let rows = (storage.height + AISLE) / (thickness + AISLE);
    for row in 0..rows {
        for &(begin, length) in &columns {
            if !dice.chance(4) {
                let y = storage.y + row * (thickness + AISLE);
                canvas.build(Rect::new(storage.x + begin, y, length, thickness));
            }
        }
    }
    canvas
}
