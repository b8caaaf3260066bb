//! Obstacles scattered over an open floor, as in research benchmarks.
//!
//! A fifth of the cells are blocked, chosen one by one, and floor that is cut off is filled: Silver's
//! environments, at any size.

use super::canvas::Canvas;
use super::dice::Dice;
use super::regions;

/// One cell in this many is blocked.
const BLOCKED: usize = 5;

pub(super) fn draw(width: u32, height: u32, dice: &mut Dice) -> Canvas {
    let mut canvas = Canvas::open(width, height);
    let mut cells: Vec<u32> = (0..width * height).collect();
    dice.shuffle(&mut cells);
    for &cell in &cells[..cells.len() / BLOCKED] {
        let (x, y) = canvas.position(cell as usize);
        canvas.set(x, y, false);
    }
    drop(cells);
    let all = canvas.floor().len();
    regions::drop_small_floors(&mut canvas, all);
    canvas
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levels::Level;

    #[test]
    fn a_fifth_is_blocked_and_what_is_cut_off_is_filled() {
        for seed in 0..20 {
            let canvas = draw(32, 32, &mut Dice::new(Level::Scatter, 32, 32, seed));
            let walls = canvas.floor().iter().filter(|&&is_floor| !is_floor).count();
            assert!((32 * 32 / 5..32 * 32 / 4).contains(&walls), "{walls}");
        }
    }
}
