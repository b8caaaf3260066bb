//! The looks of planners and solvers: the same colour and the same marker in every figure.

use std::collections::HashMap;

use plotters::style::RGBColor;

use super::super::names::base;
use super::surface::{Point, Surface};

/// A colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Colour(pub u8, pub u8, pub u8);

impl Colour {
    /// For text.
    pub const INK: Self = Self(34, 34, 34);
    /// For secondary text, and axes.
    pub const GREY: Self = Self(105, 105, 105);
    /// For lines behind the data.
    pub const FAINT: Self = Self(226, 226, 226);
    /// The background.
    pub const WHITE: Self = Self(255, 255, 255);

    /// For the drawing library.
    pub const fn rgb(self) -> RGBColor {
        RGBColor(self.0, self.1, self.2)
    }

    /// A mixture with another colour: 0 is this one, 1 the other.
    pub fn towards(self, other: Self, share: f64) -> Self {
        let mix = |from: u8, to: u8| {
            (f64::from(from) + (f64::from(to) - f64::from(from)) * share).round() as u8
        };
        Self(mix(self.0, other.0), mix(self.1, other.1), mix(self.2, other.2))
    }
}

/// The shape of a marker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Marker {
    /// A circle.
    Circle,
    /// A square.
    Square,
    /// A square on its corner.
    Diamond,
    /// A triangle that points up.
    Up,
    /// A triangle that points down.
    Down,
    /// A triangle that points right.
    Right,
    /// A triangle that points left.
    Left,
    /// A pentagon.
    Pentagon,
}

impl Marker {
    const ALL: [Self; 8] = [
        Self::Circle,
        Self::Square,
        Self::Diamond,
        Self::Up,
        Self::Down,
        Self::Right,
        Self::Left,
        Self::Pentagon,
    ];

    /// Its corners, at a size at which all shapes look equally large.
    fn corners(self, centre: Point, radius: f64) -> Vec<Point> {
        let (corners, turn, radius) = match self {
            Self::Circle => (32, 0.0, radius),
            Self::Square => (4, 45.0, radius * 1.2),
            Self::Diamond => (4, 0.0, radius * 1.3),
            Self::Up => (3, -90.0, radius * 1.35),
            Self::Down => (3, 90.0, radius * 1.35),
            Self::Right => (3, 0.0, radius * 1.35),
            Self::Left => (3, 180.0, radius * 1.35),
            Self::Pentagon => (5, -90.0, radius * 1.15),
        };
        let corner = |index: u32| {
            let angle = f64::from(index) * 360.0 / f64::from(corners) + turn;
            let (sine, cosine) = angle.to_radians().sin_cos();
            (centre.0 + radius * cosine, centre.1 + radius * sine)
        };
        (0..corners).map(corner).collect()
    }

    /// Draws it filled.
    pub fn draw(self, surface: &mut dyn Surface, centre: Point, radius: f64, colour: Colour) {
        surface.shape(&self.corners(centre, radius), colour, 1.0);
    }

    /// Draws it open, for the papers' values, so that what is below stays visible.
    pub fn draw_open(self, surface: &mut dyn Surface, centre: Point, radius: f64, colour: Colour) {
        let mut corners = self.corners(centre, radius);
        // The line ends in the middle of a side, where the join does not show.
        let (first, last) = (corners[0], corners[corners.len() - 1]);
        let middle = (f64::midpoint(first.0, last.0), f64::midpoint(first.1, last.1));
        corners.insert(0, middle);
        corners.push(middle);
        surface.line(&corners, colour, (radius * 0.2).max(1.3));
    }
}

/// The look of a planner.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Look {
    /// The colour of its lines, bars and markers.
    pub colour: Colour,
    /// The shape of its markers.
    pub marker: Marker,
}

/// The looks of planners and solvers. Colours are from the sets of Okabe and Ito and of Paul Tol, which people
/// with colour-blindness can tell apart; the markers differ as well.
const LOOKS: [(&str, Colour, Marker); 23] = [
    ("jostle", Colour(213, 94, 0), Marker::Circle),
    ("bmaa", Colour(0, 114, 178), Marker::Square),
    ("bmaa-c", Colour(86, 180, 233), Marker::Diamond),
    ("bmaa-f", Colour(0, 130, 95), Marker::Up),
    ("bmaa-f-c", Colour(150, 150, 30), Marker::Down),
    ("far", Colour(136, 34, 85), Marker::Right),
    ("astar-replan", Colour(214, 140, 180), Marker::Left),
    ("lra", Colour(230, 159, 0), Marker::Up),
    ("lrta", Colour(180, 120, 40), Marker::Diamond),
    ("ca", Colour(51, 34, 136), Marker::Square),
    ("hca", Colour(136, 204, 238), Marker::Diamond),
    ("whca", Colour(17, 119, 51), Marker::Down),
    ("pibt", Colour(70, 70, 70), Marker::Pentagon),
    ("cbs", Colour(170, 51, 119), Marker::Circle),
    ("eecbs", Colour(68, 170, 153), Marker::Square),
    ("lacam", Colour(51, 187, 238), Marker::Diamond),
    ("lacam-star", Colour(0, 68, 136), Marker::Up),
    ("lacam-rt", Colour(102, 204, 170), Marker::Right),
    ("push-and-rotate", Colour(187, 187, 187), Marker::Down),
    ("cbs-replan", Colour(204, 102, 119), Marker::Right),
    ("cbs-dstar-lite", Colour(153, 112, 60), Marker::Left),
    ("di-cbs", Colour(110, 110, 190), Marker::Up),
    ("co-cbs", Colour(0, 153, 136), Marker::Pentagon),
];

/// The looks of the planners of a report.
#[derive(Clone, Debug)]
pub struct Palette {
    looks: HashMap<String, Look>,
}

impl Palette {
    /// Looks for planners, in their order: one with other parameters has a lighter or darker shade of
    /// the first, and another marker.
    pub fn of<'a>(planners: impl IntoIterator<Item = &'a str>) -> Self {
        let mut sisters: HashMap<&str, usize> = HashMap::new();
        let mut looks = HashMap::new();
        for planner in planners {
            let sister = sisters.entry(base(planner)).or_default();
            looks.insert(planner.to_owned(), look(base(planner), *sister));
            *sister += 1;
        }
        Self { looks }
    }

    /// Looks for solvers, in their order. Often they are one solver with different parameters, so each has a colour of its own
    /// as long as there are enough: a solver without parameters its usual one, the others those that are left.
    pub fn of_solvers<'a>(solvers: impl IntoIterator<Item = &'a str>) -> Self {
        let solvers: Vec<&str> = solvers.into_iter().collect();
        // No figure shows planners beside solvers.
        let mut left = LOOKS.iter().filter(|(name, ..)| !solvers.contains(name));
        let looks = solvers.iter().enumerate().map(|(index, solver)| {
            let usual = LOOKS.iter().find(|(name, ..)| name == solver);
            let look = match usual.or_else(|| left.next()) {
                Some(&(_, colour, marker)) => Look { colour, marker },
                None => look(base(solver), index),
            };
            ((*solver).to_owned(), look)
        });
        Self { looks: looks.collect() }
    }

    /// The look of a planner or solver.
    pub fn look(&self, name: &str) -> Look {
        self.looks.get(name).copied().unwrap_or_else(|| look(base(name), 0))
    }
}

fn look(name: &str, sister: usize) -> Look {
    let known = LOOKS.iter().find(|(known, ..)| *known == name);
    let (colour, marker) =
        known.map_or((Colour(120, 120, 120), Marker::Circle), |look| (look.1, look.2));
    let colour = match sister % 3 {
        0 => colour,
        1 => colour.towards(Colour::WHITE, 0.5),
        _ => colour.towards(Colour(0, 0, 0), 0.45),
    };
    let first = Marker::ALL.iter().position(|shape| *shape == marker).unwrap_or(0);
    Look { colour, marker: Marker::ALL[(first + sister) % Marker::ALL.len()] }
}

#[cfg(test)]
mod tests {
    use jostle::planners::{Entry, Registry};

    use super::*;

    #[test]
    fn every_planner_looks_different() {
        let mut names: Vec<&str> = Registry::builtin().entries().iter().map(Entry::name).collect();
        names.extend(["whca:window=8", "whca:window=32"]);
        let palette = Palette::of(names.iter().copied());
        for (index, a) in names.iter().enumerate() {
            assert!(LOOKS.iter().any(|(name, ..)| *name == base(a)), "{a} has no look");
            for b in &names[index + 1..] {
                assert_ne!(palette.look(a), palette.look(b), "{a} and {b}");
                assert_ne!(palette.look(a).colour, palette.look(b).colour, "{a} and {b}");
            }
        }
    }

    #[test]
    fn a_solver_with_other_parameters_has_another_colour_and_without_any_its_usual_one() {
        let names = ["cbs", "cbs:bypass=false", "cbs:heuristic=none", "cbs:target=false", "eecbs"];
        let palette = Palette::of_solvers(names);
        assert_eq!(palette.look("cbs"), Palette::of_solvers(["eecbs", "cbs"]).look("cbs"));
        for (index, a) in names.iter().enumerate() {
            for b in &names[index + 1..] {
                assert_ne!(palette.look(a).colour, palette.look(b).colour, "{a} and {b}");
            }
        }
        let many: Vec<String> = (0..30).map(|number| format!("cbs:x={number}")).collect();
        assert_eq!(Palette::of_solvers(many.iter().map(String::as_str)).looks.len(), 30);
    }

    #[test]
    fn a_planner_looks_the_same_whichever_others_are_there() {
        let few = Palette::of(["jostle", "far"]);
        let many = Palette::of(Registry::builtin().entries().iter().map(Entry::name));
        assert_eq!(few.look("far"), many.look("far"));
    }
}
