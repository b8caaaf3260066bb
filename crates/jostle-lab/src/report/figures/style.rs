//! The looks of planners and solvers: the same colour, dash and marker in every figure.

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
    pub const GREY: Self = Self(95, 95, 95);
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

/// The gaps of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dash {
    /// None.
    Solid,
    /// Dashes.
    Long,
    /// Dashes and dots in turn.
    Mixed,
    /// Short dashes, which no planner or solver has: for bounds and other things to compare with.
    Short,
}

impl Dash {
    /// The lengths of dashes and gaps, in points; none for a line without gaps.
    pub const fn lengths(self) -> &'static [f64] {
        match self {
            Self::Solid => &[],
            Self::Long => &[7.0, 3.0],
            Self::Mixed => &[7.0, 2.5, 1.8, 2.5],
            Self::Short => &[3.0, 3.0],
        }
    }
}

/// The shape of a marker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Marker {
    /// A circle.
    Circle,
    /// A square.
    Square,
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
    /// An upright cross.
    Plus,
    /// A cross on its corners.
    Cross,
}

impl Marker {
    /// All of them. A diamond is not among them: open diamonds are the papers' values.
    const ALL: [Self; 9] = [
        Self::Circle,
        Self::Square,
        Self::Up,
        Self::Down,
        Self::Right,
        Self::Left,
        Self::Pentagon,
        Self::Plus,
        Self::Cross,
    ];

    /// Draws it, at a size at which all shapes look equally large.
    pub fn draw(self, surface: &mut Surface<'_>, centre: Point, radius: f64, colour: Colour) {
        let (corners, turn, radius) = match self {
            Self::Circle => return surface.disc(centre, radius, colour),
            Self::Plus => return surface.shape(&cross(centre, radius * 1.25, 0.0), colour, 1.0),
            Self::Cross => return surface.shape(&cross(centre, radius * 1.3, 45.0), colour, 1.0),
            Self::Square => (4, 45.0, radius * 1.2),
            Self::Up => (3, -90.0, radius * 1.35),
            Self::Down => (3, 90.0, radius * 1.35),
            Self::Right => (3, 0.0, radius * 1.35),
            Self::Left => (3, 180.0, radius * 1.35),
            Self::Pentagon => (5, -90.0, radius * 1.15),
        };
        surface.shape(&polygon(centre, radius, corners, turn), colour, 1.0);
    }
}

/// The corners of a polygon with equal sides. Without a turn, the first one is on the right.
fn polygon(centre: Point, radius: f64, corners: u32, turn: f64) -> Vec<Point> {
    let angle = |index: u32| f64::from(index) * 360.0 / f64::from(corners) + turn;
    (0..corners).map(|index| on_circle(centre, radius, angle(index))).collect()
}

/// The corners of a cross with arms of this length.
fn cross(centre: Point, length: f64, turn: f64) -> Vec<Point> {
    let half_width = length * 0.36;
    let (far, inner) = (length.hypot(half_width), half_width * std::f64::consts::SQRT_2);
    let aside = (half_width / length).atan().to_degrees();
    let arm = |direction: f64| {
        [(far, direction - aside), (far, direction + aside), (inner, direction + 45.0)]
    };
    let corners = [0.0, 90.0, 180.0, 270.0].into_iter().flat_map(arm);
    corners.map(|(radius, angle)| on_circle(centre, radius, angle + turn)).collect()
}

fn on_circle(centre: Point, radius: f64, angle: f64) -> Point {
    let (sine, cosine) = angle.to_radians().sin_cos();
    (centre.0 + radius * cosine, centre.1 + radius * sine)
}

/// Draws the marker of the papers' values: an open diamond, on white so that it can be seen on lines and markers.
pub fn draw_paper_marker(surface: &mut Surface<'_>, centre: Point, colour: Colour) {
    const RADIUS: f64 = 5.2;
    surface.shape(&polygon(centre, RADIUS + 1.6, 4, 0.0), Colour::WHITE, 1.0);
    let mut corners = polygon(centre, RADIUS, 4, 0.0);
    // The line ends in the middle of a side, where the join does not show.
    let (first, last) = (corners[0], corners[3]);
    let middle = (f64::midpoint(first.0, last.0), f64::midpoint(first.1, last.1));
    corners.insert(0, middle);
    corners.push(middle);
    surface.line(&corners, colour, 1.5);
}

/// The look of a planner.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Look {
    /// The colour of its lines and markers.
    pub colour: Colour,
    /// The gaps of its lines.
    pub dash: Dash,
    /// The shape of its markers.
    pub marker: Marker,
}

impl Look {
    /// That of a bound rather than a planner. It has no marker.
    pub const fn of_bound(colour: Colour) -> Self {
        Self { colour, dash: Dash::Short, marker: Marker::Circle }
    }
}

// The colours were chosen so that any two can be told apart by people without red or green cones too (a test says by how much).
const VERMILION: Colour = Colour(213, 94, 0);
const NAVY: Colour = Colour(0, 62, 135);
const BLUE: Colour = Colour(0, 112, 200);
const SKY: Colour = Colour(70, 165, 240);
const PALE_BLUE: Colour = Colour(135, 195, 245);
const WINE: Colour = Colour(150, 30, 90);
const PINK: Colour = Colour(240, 140, 165);
const AMBER: Colour = Colour(240, 170, 20);
const VIOLET: Colour = Colour(95, 45, 225);
const GREEN: Colour = Colour(17, 130, 75);
const BLACK: Colour = Colour(30, 30, 30);
const TEAL: Colour = Colour(0, 200, 120);
const MAUVE: Colour = Colour(185, 110, 170);
const BROWN: Colour = Colour(80, 64, 0);
const GREY: Colour = Colour(130, 124, 118);

/// The looks of planners and solvers. Relatives have one hue, and differ in its shade or in their dashes, and in their markers.
const LOOKS: [(&str, Colour, Dash, Marker); 23] = [
    ("jostle", VERMILION, Dash::Solid, Marker::Circle),
    ("bmaa", NAVY, Dash::Solid, Marker::Square),
    ("bmaa-c", BLUE, Dash::Long, Marker::Plus),
    ("bmaa-f", SKY, Dash::Solid, Marker::Up),
    ("bmaa-f-c", PALE_BLUE, Dash::Long, Marker::Down),
    ("far", WINE, Dash::Solid, Marker::Right),
    ("astar-replan", PINK, Dash::Solid, Marker::Left),
    ("lra", AMBER, Dash::Solid, Marker::Up),
    ("lrta", AMBER, Dash::Long, Marker::Left),
    ("ca", VIOLET, Dash::Solid, Marker::Square),
    ("hca", VIOLET, Dash::Long, Marker::Cross),
    ("whca", GREEN, Dash::Solid, Marker::Down),
    ("pibt", BLACK, Dash::Solid, Marker::Pentagon),
    ("cbs", MAUVE, Dash::Solid, Marker::Circle),
    ("eecbs", MAUVE, Dash::Long, Marker::Square),
    ("lacam", TEAL, Dash::Solid, Marker::Up),
    ("lacam-star", TEAL, Dash::Long, Marker::Pentagon),
    ("lacam-rt", TEAL, Dash::Mixed, Marker::Right),
    ("push-and-rotate", GREY, Dash::Solid, Marker::Down),
    ("cbs-replan", MAUVE, Dash::Mixed, Marker::Right),
    ("cbs-dstar-lite", BROWN, Dash::Long, Marker::Left),
    ("di-cbs", BROWN, Dash::Mixed, Marker::Up),
    ("co-cbs", BROWN, Dash::Solid, Marker::Pentagon),
];

/// The looks of the planners of a report.
#[derive(Clone, Debug)]
pub struct Palette {
    looks: HashMap<String, Look>,
}

impl Palette {
    /// Looks for planners, in their order: one with other parameters has a lighter or darker shade of
    /// the first, other dashes and another marker.
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
        let usual = |solver: &str| LOOKS.iter().find(|(name, ..)| *name == solver);
        let used: Vec<Colour> = solvers.iter().filter_map(|s| Some(usual(s)?.1)).collect();
        // No figure shows planners beside solvers. Each colour is lent once.
        let is_left = |(.., colour, dash, _): &&(&str, Colour, Dash, Marker)| {
            *dash == Dash::Solid && !used.contains(colour)
        };
        let mut left = LOOKS.iter().filter(is_left);
        let looks = solvers.iter().enumerate().map(|(index, solver)| {
            let look = match usual(solver).or_else(|| left.next()) {
                Some(&(_, colour, dash, marker)) => Look { colour, dash, marker },
                None => look(base(solver), index),
            };
            ((*solver).to_owned(), look)
        });
        Self { looks: looks.collect() }
    }

    /// Looks for anything else, such as curves: as many colours as there are, and then again.
    pub fn numbered(number: usize) -> Look {
        let solid = || LOOKS.iter().filter(|(_, _, dash, _)| *dash == Dash::Solid);
        let place = number % solid().count();
        solid().nth(place).map_or(look("", 0), |&(_, colour, dash, marker)| Look {
            colour,
            dash,
            marker,
        })
    }

    /// The look of a planner or solver.
    pub fn look(&self, name: &str) -> Look {
        self.looks.get(name).copied().unwrap_or_else(|| look(base(name), 0))
    }
}

fn look(name: &str, sister: usize) -> Look {
    const DASHES: [Dash; 3] = [Dash::Solid, Dash::Long, Dash::Mixed];
    let known = LOOKS.iter().find(|(known, ..)| *known == name);
    let (_, colour, dash, marker) =
        known.copied().unwrap_or(("", GREY, Dash::Solid, Marker::Circle));
    let colour = match sister % 3 {
        0 => colour,
        1 => colour.towards(Colour::WHITE, 0.45),
        _ => colour.towards(Colour(0, 0, 0), 0.5),
    };
    let after = |place: Option<usize>, all: usize| (place.unwrap_or(0) + sister) % all;
    let dash = DASHES[after(DASHES.iter().position(|one| *one == dash), DASHES.len())];
    let shape = Marker::ALL.iter().position(|shape| *shape == marker);
    Look { colour, dash, marker: Marker::ALL[after(shape, Marker::ALL.len())] }
}

#[cfg(test)]
mod tests {
    use jostle::planners::{Entry, Registry};

    use super::*;

    /// How people with a kind of cones missing see linear red, green and blue (Machado, Oliveira and Fernandes 2009).
    const SIGHTS: [[[f64; 3]; 3]; 3] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [
            [0.367_322, 0.860_646, -0.227_968],
            [0.280_085, 0.672_501, 0.047_413],
            [-0.011_820, 0.042_940, 0.968_881],
        ],
        [
            [0.152_286, 1.052_583, -0.204_868],
            [0.114_503, 0.786_281, 0.099_216],
            [-0.003_882, -0.048_116, 1.051_998],
        ],
    ];

    /// A colour in CIELAB as it is seen.
    fn seen(colour: Colour, sight: [[f64; 3]; 3]) -> [f64; 3] {
        let linear = [colour.0, colour.1, colour.2].map(|part| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        });
        let by = |row: [f64; 3]| row.iter().zip(linear).map(|(a, b)| a * b).sum::<f64>();
        let [red, green, blue] = sight.map(by).map(|part| part.clamp(0.0, 1.0));
        let responses = [
            (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505,
            0.2126 * red + 0.7152 * green + 0.0722 * blue,
            (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.0888,
        ];
        let compressed =
            |part: f64| if part > 0.008_856 { part.cbrt() } else { 7.787 * part + 16.0 / 116.0 };
        let [x, y, z] = responses.map(compressed);
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    /// How different two colours are for those who see the least difference.
    fn difference(a: Colour, b: Colour) -> f64 {
        let of_sight = |sight| {
            let (a, b) = (seen(a, sight), seen(b, sight));
            a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
        };
        SIGHTS.into_iter().map(of_sight).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn colours_can_be_told_apart_without_red_or_green_cones_and_on_white() {
        assert!(difference(VERMILION, NAVY) > 60.0);
        let similar = difference(Colour(150, 110, 30), Colour(110, 130, 40));
        assert!(similar < 12.0, "brown and olive are alike without green cones: {similar}");
        for (index, (a, colour, ..)) in LOOKS.iter().enumerate() {
            let on_white = difference(*colour, Colour::WHITE);
            assert!(on_white >= 25.0, "{a} on white: {on_white}");
            for (b, other, ..) in LOOKS[index + 1..].iter().filter(|look| look.1 != *colour) {
                let difference = difference(*colour, *other);
                assert!(difference >= 15.0, "{a} and {b}: {difference}");
            }
        }
    }

    #[test]
    fn relatives_of_one_colour_differ_in_dashes_and_markers() {
        for (index, (a, colour, dash, marker)) in LOOKS.iter().enumerate() {
            for (b, _, other_dash, other_marker) in
                LOOKS[index + 1..].iter().filter(|look| look.1 == *colour)
            {
                assert!(dash != other_dash && marker != other_marker, "{a} and {b}");
            }
        }
    }

    #[test]
    fn every_planner_looks_different() {
        let mut names: Vec<&str> = Registry::builtin().entries().iter().map(Entry::name).collect();
        names.extend(["whca:window=8", "whca:window=32"]);
        let palette = Palette::of(names.iter().copied());
        for (index, a) in names.iter().enumerate() {
            assert!(LOOKS.iter().any(|(name, ..)| *name == base(a)), "{a} has no look");
            assert_ne!(palette.look(a).dash, Dash::Short, "{a} looks like a bound");
            for b in &names[index + 1..] {
                assert_ne!(palette.look(a), palette.look(b), "{a} and {b}");
            }
        }
    }

    #[test]
    fn a_solver_with_other_parameters_has_another_colour_and_without_any_its_usual_one() {
        let names = ["cbs", "cbs:bypass=false", "cbs:heuristic=none", "cbs:target=false", "lacam"];
        let palette = Palette::of_solvers(names);
        assert_eq!(palette.look("cbs"), Palette::of_solvers(["lacam", "cbs"]).look("cbs"));
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
