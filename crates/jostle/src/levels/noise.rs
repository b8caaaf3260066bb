//! Hills and valleys from whole numbers: the fields that caves and islands are cut from.

use super::dice::Dice;

/// The lattice values of noise lie between 0 and this.
const HEIGHT: i32 = 1024;
/// One whole, where fractions are needed.
const ONE: i32 = 256;

/// A number for each cell of a map, row by row: the sum of smooth noise with features of `feature`
/// cells and of finer and fainter noise, down to single cells.
pub(super) fn fractal(width: u32, height: u32, feature: i32, dice: &mut Dice) -> Vec<i32> {
    let mut field = vec![0; width as usize * height as usize];
    let (mut spacing, mut amplitude) = (feature.max(1), ONE);
    while amplitude > ONE / 32 {
        add_octave(&mut field, width, spacing, amplitude, dice);
        if spacing == 1 {
            break;
        }
        (spacing, amplitude) = (spacing / 2, amplitude / 2);
    }
    field
}

/// The number below which `percent` percent of the cells of a field lie.
pub(super) fn percentile(field: &[i32], percent: usize) -> i32 {
    let mut sorted = field.to_vec();
    let rank = (field.len() * percent / 100).min(field.len() - 1);
    *sorted.select_nth_unstable(rank).1
}

/// Raises a field towards the edges of the map (or lowers it, if `rise` is negative): by all of
/// `rise` at the edge, and by nothing from `reach` cells inwards.
pub(super) fn raise_edges(field: &mut [i32], width: u32, reach: i32, rise: i32) {
    let (width, height) = (width as i32, field.len() as i32 / width as i32);
    for (y, line) in (0..).zip(field.chunks_mut(width as usize)) {
        for (x, value) in (0..).zip(line) {
            let inwards = x.min(y).min(width - 1 - x).min(height - 1 - y);
            *value += rise * (reach - inwards).max(0) / reach;
        }
    }
}

/// Adds value noise: random numbers on a lattice, blended between its points.
fn add_octave(field: &mut [i32], width: u32, spacing: i32, amplitude: i32, dice: &mut Dice) {
    let width = width as usize;
    let columns = width / spacing as usize + 2;
    let rows = field.len() / width / spacing as usize + 2;
    let lattice: Vec<i32> = (0..columns * rows).map(|_| dice.between(0, HEIGHT)).collect();
    let blends: Vec<i32> = (0..spacing).map(|step| ease(step * ONE / spacing)).collect();
    for (y, line) in field.chunks_mut(width).enumerate() {
        let (row, down) = (y / spacing as usize * columns, blends[y % spacing as usize]);
        for (x, value) in line.iter_mut().enumerate() {
            let (at, across) = (row + x / spacing as usize, blends[x % spacing as usize]);
            let north = blend(lattice[at], lattice[at + 1], across);
            let south = blend(lattice[at + columns], lattice[at + columns + 1], across);
            *value += blend(north, south, down) * amplitude / ONE;
        }
    }
}

const fn blend(from: i32, to: i32, share: i32) -> i32 {
    from + (to - from) * share / ONE
}

/// Bends a linear ramp from 0 to [`ONE`] so that it starts and ends level; with linear blends the lattice
/// would show as creases.
const fn ease(share: i32) -> i32 {
    share * share * (3 * ONE - 2 * share) / (ONE * ONE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levels::Level;

    #[test]
    fn a_percentile_splits_the_field_at_the_given_share() {
        let field = fractal(60, 40, 12, &mut Dice::new(Level::Cave, 60, 40, 1));
        let level = percentile(&field, 30);
        let below = field.iter().filter(|&&value| value < level).count();
        assert!((650..=720).contains(&below), "{below} of 2400 cells are below");
    }

    #[test]
    fn neighbouring_cells_have_similar_heights() {
        let field = fractal(64, 64, 32, &mut Dice::new(Level::Cave, 64, 64, 2));
        let steepest = field.windows(2).map(|pair| (pair[0] - pair[1]).abs()).take(63).max();
        assert!(steepest.unwrap() < HEIGHT / 2, "{steepest:?}");
    }
}
