//! Names at the right ends of lines.

use super::axis::Axis;
use super::lines::Series;
use super::panel::Frame;
use super::plot::lettering;
use super::style::Colour;
use super::surface::{Anchor, Point, Surface, text_width};

const SIZE: f64 = 10.5;
const ROW: f64 = 13.0;
/// The distance of a name from the end of its line.
const GAP: f64 = 12.0;
/// The room that is left for the papers' values on the right of names inside the frame.
const BESIDE_PAPERS: f64 = 60.0;
/// The largest share of a frame that the names take.
const MOST_ROOM: f64 = 0.3;

/// The room that names need on the right of the frame, which is 0 where lines end early enough; none where there are no names,
/// or they would take too much of it, and the legend has to do.
pub fn room_for_names(frame: &Frame, x: &Axis, all: &[Series]) -> Option<f64> {
    let named = || all.iter().filter(|series| series.is_labelled && !series.dots.is_empty());
    let width = |series: &Series| text_width(&series.name, SIZE, false) + 2.0 * GAP;
    let room = named().map(width).max_by(f64::total_cmp)?;
    let ends = named().filter_map(|series| Some(x.place(series.dots.last()?.x)));
    let right_of_all = (1.0 - ends.fold(0.0, f64::max)) * frame.width();
    let is_little = room <= MOST_ROOM * frame.width();
    is_little.then_some(if right_of_all > room + BESIDE_PAPERS { 0.0 } else { room })
}

/// Draws the names where the last of the lines ends, moved apart where they would lie over each other. A thin line leads to
/// those that were moved.
pub fn name_ends(
    surface: &mut Surface<'_>,
    frame: &Frame,
    all: &[Series],
    at: impl Fn(f64, f64) -> Point,
) {
    let named = all.iter().filter(|series| series.is_labelled);
    let end = |series: &Series| series.dots.last().map(|dot| at(dot.x, dot.y));
    let mut named: Vec<(Point, &Series)> =
        named.filter_map(|series| Some((end(series)?, series))).collect();
    named.sort_by(|(a, _), (b, _)| a.1.total_cmp(&b.1));
    let across = named.iter().map(|(end, _)| end.0).fold(frame.left, f64::max) + GAP;
    let wanted: Vec<f64> = named.iter().map(|(end, _)| end.1).collect();
    let heights = apart(&wanted, frame.top, frame.bottom);
    for (height, (end, series)) in heights.into_iter().zip(named) {
        if (height - end.1).abs() > ROW / 3.0 || across - end.0 > 1.5 * GAP {
            let faint = series.look.colour.towards(Colour::WHITE, 0.5);
            surface.line(&[(end.0 + 4.0, end.1), (across - 1.0, height)], faint, 0.6);
        }
        // A pale colour is too faint for letters.
        let ink = series.look.colour.towards(Colour(0, 0, 0), 0.2);
        let style = lettering(SIZE, ink, Anchor::Start);
        surface.text(&series.name, (across + 1.0, height + 3.6), style);
    }
}

/// Heights as close to those that are wanted, which are in order, as rows allow: names that would lie over each other make a
/// block, whose middle is where theirs was. Blocks stay between top and bottom, as long as they fit.
fn apart(wanted: &[f64], top: f64, bottom: f64) -> Vec<f64> {
    // The mean of what would be the height of the first name of a block, and the number of names in it.
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for &height in wanted {
        let mut block = (height.clamp(top, bottom), 1);
        while let Some(&(above, names)) = blocks.last() {
            if above + names as f64 * ROW <= block.0 {
                break;
            }
            blocks.pop();
            let all = names + block.1;
            let first_by_below = block.0 - names as f64 * ROW;
            let first = (above * names as f64 + first_by_below * block.1 as f64) / all as f64;
            block = (first.min(bottom - (all - 1) as f64 * ROW).max(top), all);
        }
        blocks.push(block);
    }
    let rows = |(first, names): (f64, usize)| (0..names).map(move |row| first + row as f64 * ROW);
    blocks.into_iter().flat_map(rows).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_would_lie_over_each_other_move_apart_around_their_middle() {
        assert_eq!(apart(&[10.0, 50.0, 50.0, 90.0], 0.0, 100.0), [10.0, 43.5, 56.5, 90.0]);
        assert_eq!(apart(&[50.0; 3], 0.0, 100.0), [37.0, 50.0, 63.0]);
        assert_eq!(apart(&[30.0, 40.0, 41.0], 0.0, 100.0), [24.0, 37.0, 50.0]);
        assert!(apart(&[], 0.0, 100.0).is_empty());
    }

    #[test]
    fn names_stay_beside_the_frame() {
        assert_eq!(apart(&[0.0, 0.0, 1.0], 0.0, 100.0), [0.0, 13.0, 26.0]);
        assert_eq!(apart(&[99.0, 100.0], 0.0, 100.0), [87.0, 100.0]);
        let many = apart(&[50.0; 20], 0.0, 100.0);
        assert!(many.windows(2).all(|pair| pair[1] - pair[0] > ROW - 1e-9), "{many:?}");
    }
}
