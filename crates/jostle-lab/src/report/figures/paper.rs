//! The papers' values: open diamonds, with arrows where a paper gives a bound, and brackets where it gives one value for
//! several numbers of agents.

use super::super::papers::Relation;
use super::style::{Colour, draw_paper_marker};
use super::surface::{Point, Surface};

/// A value that a paper gives.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PaperValue {
    /// The ends of the part of the horizontal axis that it is about.
    pub across: (f64, f64),
    /// The value.
    pub y: f64,
    /// How the paper's value compares with it.
    pub relation: Relation,
}

impl PaperValue {
    /// A value at one position.
    pub const fn at(x: f64, y: f64, relation: Relation) -> Self {
        Self { across: (x, x), y, relation }
    }
}

/// The distance of diamonds that would lie over each other.
const BESIDE: f64 = 11.0;
/// The length of an arrow, from the middle of its diamond.
const ARROW: f64 = 15.0;

/// Draws values in the colours of their planners. Of equal ones, each stands to the left of the one before.
pub fn draw(
    surface: &mut Surface<'_>,
    papers: &[(PaperValue, Colour)],
    at: impl Fn(f64, f64) -> Point,
) {
    let mut taken: Vec<Point> = Vec::new();
    for &(paper, colour) in papers {
        let (from, to) = (at(paper.across.0, paper.y), at(paper.across.1, paper.y));
        let mut place = (f64::midpoint(from.0, to.0), from.1);
        let is_near = |place: Point, other: &Point| {
            (place.0 - other.0).abs() < BESIDE - 0.1 && (place.1 - other.1).abs() < 6.0
        };
        while taken.iter().any(|other| is_near(place, other)) {
            place.0 -= BESIDE;
        }
        taken.push(place);
        if paper.across.0 < paper.across.1 {
            draw_bracket(surface, from, to, colour);
        }
        match paper.relation {
            Relation::Is | Relation::About => {}
            Relation::Over => draw_arrow(surface, place, -1.0, colour),
            Relation::Under => draw_arrow(surface, place, 1.0, colour),
        }
        draw_paper_marker(surface, place, colour);
    }
}

/// A level line with upright ends.
fn draw_bracket(surface: &mut Surface<'_>, from: Point, to: Point, colour: Colour) {
    surface.line(&[from, to], colour, 1.3);
    for (x, y) in [from, to] {
        surface.line(&[(x, y - 3.5), (x, y + 3.5)], colour, 1.3);
    }
}

/// An arrow from a position: up for -1, down for 1.
fn draw_arrow(surface: &mut Surface<'_>, from: Point, direction: f64, colour: Colour) {
    let tip = (from.0, from.1 + direction * ARROW);
    surface.line(&[from, tip], colour, 1.3);
    let wing = |side: f64| (tip.0 + side * 3.0, tip.1 - direction * 4.2);
    surface.line(&[wing(-1.0), tip, wing(1.0)], colour, 1.3);
}

#[cfg(test)]
mod tests {
    use super::super::surface::svg;
    use super::*;

    const WINE: Colour = Colour(150, 30, 90);

    /// The points of all lines of a picture of these values, in points.
    fn lines(papers: &[PaperValue]) -> Vec<Vec<Point>> {
        let papers: Vec<_> = papers.iter().map(|paper| (*paper, WINE)).collect();
        let svg = svg((100, 100), |surface| draw(surface, &papers, |x, y| (x, 100.0 - y))).unwrap();
        let all = svg.split("<polyline").skip(1).map(|line| {
            let points = line.split("points=\"").nth(1).unwrap().split('"').next().unwrap();
            let number = |text: &str| text.parse::<f64>().unwrap() / 8.0;
            let point = |pair: &str| pair.split_once(',').map(|(x, y)| (number(x), number(y)));
            points.split_whitespace().filter_map(point).collect()
        });
        all.collect()
    }

    #[test]
    fn a_lower_bound_for_several_numbers_of_agents_is_a_bracket_with_an_arrow_upwards() {
        let bound = PaperValue { across: (20.0, 60.0), y: 50.0, relation: Relation::Over };
        let lines = lines(&[bound]);
        assert_eq!(lines[0], [(20.0, 50.0), (60.0, 50.0)], "a level line from 20 to 60");
        assert_eq!(lines[1], [(20.0, 46.5), (20.0, 53.5)], "an upright end");
        assert_eq!(lines[2], [(60.0, 46.5), (60.0, 53.5)], "and another one");
        assert_eq!(lines[3], [(40.0, 50.0), (40.0, 50.0 - ARROW)], "an arrow in the middle");
        let tip = lines[4][1];
        assert_eq!(tip, (40.0, 50.0 - ARROW));
        assert!(lines[4][0].1 > tip.1 && lines[4][2].1 > tip.1, "its wings are below the tip");
        assert_eq!(lines[5].len(), 6, "a diamond");
        assert_eq!(lines.len(), 6);
    }

    #[test]
    fn a_value_has_no_arrow_and_an_upper_bound_one_downwards() {
        let [value, upper] = [Relation::Is, Relation::Under]
            .map(|relation| lines(&[PaperValue::at(40.0, 50.0, relation)]));
        assert_eq!((value.len(), value[0].len()), (1, 6), "a diamond alone");
        assert_eq!(upper[0], [(40.0, 50.0), (40.0, 50.0 + ARROW)]);
    }

    #[test]
    fn equal_values_stand_beside_each_other() {
        let value = PaperValue::at(40.0, 50.0, Relation::Is);
        let middle = |line: &Vec<Point>| {
            let ends = line.iter().map(|point| point.0);
            f64::midpoint(ends.clone().fold(100.0, f64::min), ends.fold(0.0, f64::max))
        };
        let middles: Vec<f64> = lines(&[value; 3]).iter().map(middle).collect();
        assert_eq!(middles, [40.0, 40.0 - BESIDE, 40.0 - 2.0 * BESIDE]);
    }
}
