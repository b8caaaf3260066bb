//! Divides a rectangle into smaller ones with gaps between them: rooms and walls, blocks and
//! streets, zones and aisles.

use super::canvas::Rect;
use super::dice::Dice;

/// How large the parts become.
pub(super) struct PartSize {
    /// No side becomes shorter than this, unless a side of the whole is.
    pub shortest: i32,
    /// Every side that is longer than this is cut, if it can be.
    pub longest: i32,
    /// The percentage of parts that are cut although they are small enough.
    pub cut_anyway: u32,
}

/// A rectangle divided into parts.
#[derive(Default)]
pub(super) struct Partition {
    /// The smaller rectangles.
    pub parts: Vec<Rect>,
    /// The gaps between them. Each gap runs from side to side of the rectangle that it divided.
    pub gaps: Vec<Rect>,
}

impl Partition {
    /// Cuts a rectangle in two, and the pieces again. `gap` returns the width of a cut, given the
    /// length of the side that is cut.
    pub(super) fn of(
        whole: Rect,
        size: &PartSize,
        dice: &mut Dice,
        gap: impl Fn(i32, &mut Dice) -> i32,
    ) -> Self {
        let mut partition = Self::default();
        let mut uncut = vec![whole];
        while let Some(rect) = uncut.pop() {
            match cut(rect, size, dice, &gap) {
                Some((first, between, second)) => {
                    partition.gaps.push(between);
                    uncut.extend([first, second]);
                }
                None => partition.parts.push(rect),
            }
        }
        partition
    }
}

fn cut(
    rect: Rect,
    size: &PartSize,
    dice: &mut Dice,
    gap: impl Fn(i32, &mut Dice) -> i32,
) -> Option<(Rect, Rect, Rect)> {
    if rect.longer_side() <= size.longest && !dice.chance(size.cut_anyway) {
        return None;
    }
    let is_long = rect.longer_side() * 4 > rect.shorter_side() * 5;
    let cut_width = if is_long { rect.width > rect.height } else { dice.chance(50) };
    let length = if cut_width { rect.width } else { rect.height };
    let gap = gap(length, dice);
    if length < 2 * size.shortest + gap {
        return None;
    }
    let first = dice.around_middle(size.shortest, length - gap - size.shortest);
    let slice = |from: i32, share: i32| {
        if cut_width {
            Rect::new(rect.x + from, rect.y, share, rect.height)
        } else {
            Rect::new(rect.x, rect.y + from, rect.width, share)
        }
    };
    Some((slice(0, first), slice(first, gap), slice(first + gap, length - first - gap)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levels::Level;

    #[test]
    fn parts_and_gaps_cover_every_cell_once() {
        let whole = Rect::new(3, 5, 70, 41);
        let size = PartSize { shortest: 4, longest: 12, cut_anyway: 20 };
        let mut dice = Dice::new(Level::Rooms, 80, 50, 1);
        let partition = Partition::of(whole, &size, &mut dice, |side, _| 1 + side / 40);
        let pieces = partition.parts.iter().chain(&partition.gaps);
        let mut cells: Vec<_> = pieces.flat_map(|rect| rect.cells()).collect();
        cells.sort_unstable_by_key(|&(x, y)| (y, x));
        assert!(cells.into_iter().eq(whole.cells()));
        assert!(partition.parts.iter().all(|part| part.shorter_side() >= 4));
    }
}
