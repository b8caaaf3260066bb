//! Straight bridges over water between pieces of land.

use std::collections::BTreeMap;

use super::canvas::{Canvas, Rect};
use super::dice::Dice;
use super::regions::{Groups, Regions};

/// The percentage of pairs of close islands that get a bridge although they are already connected.
const LOOPS: u32 = 30;
/// The greatest length of such a bridge, in cells.
const LONGEST_LOOP: i32 = 24;
/// The greatest width of a bridge, in cells.
const WIDEST: i32 = 3;
/// A bridge may be this much longer than the shortest one between the same islands: always taking
/// the shortest would put every bridge at the tip of a headland.
const SPARE_LENGTH: i32 = 2;

/// A straight stretch of water with land at both ends.
#[derive(Clone, Copy)]
struct Strait {
    x: i32,
    y: i32,
    length: i32,
    is_row: bool,
}

impl Strait {
    /// The cells of a bridge over this strait; a wide bridge extends to its south or east.
    fn bridge(self, width: i32) -> Rect {
        if self.is_row {
            Rect::new(self.x, self.y, self.length, width)
        } else {
            Rect::new(self.x, self.y, width, self.length)
        }
    }
}

/// Builds bridges until all islands that face each other across a strait are connected, and some more.
pub(super) fn build(canvas: &mut Canvas, dice: &mut Dice) {
    let islands = Regions::of_floor(canvas);
    let mut crossings: Vec<_> = straits(canvas, &islands).into_iter().collect();
    dice.shuffle(&mut crossings);
    let shortest =
        |straits: &[Strait]| straits.iter().map(|strait| strait.length).min().unwrap_or(0);
    crossings.sort_by_key(|(_, straits)| shortest(straits));
    let mut groups = Groups::new(islands.count());
    for ((a, b), mut straits) in crossings {
        let shortest = shortest(&straits);
        let is_loop = !groups.unite(a, b);
        if is_loop && (shortest > LONGEST_LOOP || !dice.chance(LOOPS)) {
            continue;
        }
        straits.retain(|strait| strait.length <= shortest + SPARE_LENGTH);
        let width = dice.between(1, WIDEST);
        canvas.carve(dice.pick(&straits).bridge(width));
    }
}

/// Every straight stretch of water between two islands, by the islands at its ends.
fn straits(canvas: &Canvas, islands: &Regions) -> BTreeMap<(u32, u32), Vec<Strait>> {
    let Rect { width, height, .. } = canvas.bounds();
    let mut straits: BTreeMap<_, Vec<_>> = BTreeMap::new();
    let mut scan = |is_row: bool, line: i32, length: i32| {
        let mut last_land: Option<(i32, u32)> = None;
        for at in 0..length {
            let (x, y) = if is_row { (at, line) } else { (line, at) };
            let Some(island) = islands.label(canvas.index(x, y)) else {
                continue;
            };
            if let Some((shore, other)) = last_land
                && other != island
            {
                let (x, y) = if is_row { (shore + 1, line) } else { (line, shore + 1) };
                let strait = Strait { x, y, length: at - shore - 1, is_row };
                straits.entry((island.min(other), island.max(other))).or_default().push(strait);
            }
            last_land = Some((at, island));
        }
    };
    (0..height).for_each(|y| scan(true, y, width));
    (0..width).for_each(|x| scan(false, x, height));
    straits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levels::Level;

    #[test]
    fn a_bridge_crosses_where_islands_face_each_other() {
        let mut canvas = Canvas::walled(20, 12);
        canvas.carve(Rect::new(1, 1, 5, 6));
        canvas.carve(Rect::new(11, 4, 6, 7));
        build(&mut canvas, &mut Dice::new(Level::Islands, 20, 12, 1));
        assert_eq!(Regions::of_floor(&canvas).count(), 1);
        let bridge = (4..10).filter(|&y| canvas.is_open(Rect::new(6, y, 5, 1))).count();
        assert!((1..=3).contains(&bridge), "{bridge} rows wide");
    }
}
