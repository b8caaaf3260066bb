//! Lines with markers and confidence bands.

use super::super::stats::Estimate;
use super::axis::Axis;
use super::line_names::{name_ends, room_for_names};
use super::panel::Frame;
use super::paper::{self, PaperValue};
use super::style::{Dash, Look};
use super::surface::{Point, Surface};

/// The values of one planner.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    /// The name of the planner.
    pub name: String,
    /// Its colour, dashes and marker.
    pub look: Look,
    /// Our values, from left to right.
    pub dots: Vec<Dot>,
    /// The paper's values.
    pub published: Vec<PaperValue>,
    /// A bound rather than a planner: drawn without markers.
    pub is_bound: bool,
    /// Whether its name stands at its right end, if there is room for all names.
    pub is_labelled: bool,
}

/// One value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Dot {
    /// The position on the horizontal axis.
    pub x: f64,
    /// The value.
    pub y: f64,
    /// The ends of its confidence interval.
    pub interval: Option<(f64, f64)>,
}

impl Dot {
    /// A value. Nothing is less than 0. Where all runs are alike, the bound that their number allows is left to tables: beside the
    /// intervals of runs that differ a little, it would look as if more was uncertain.
    pub fn of(x: f64, estimate: &Estimate) -> Self {
        let interval = estimate.interval.filter(|_| estimate.has_spread);
        let interval = interval.map(|(low, high)| (low.max(0.0), high));
        Self { x, y: estimate.mean, interval }
    }

    /// What an axis has to cover: the value, and the ends of its interval.
    pub fn values(&self) -> impl Iterator<Item = f64> {
        let ends = self.interval.map(|(low, high)| [low, high]);
        std::iter::once(self.y).chain(ends.into_iter().flatten())
    }
}

/// What a logarithmic axis of all series has to cover. Intervals may reach almost down to 0, which such an axis cannot.
pub fn means(all: &[Series]) -> impl Iterator<Item = f64> {
    let ours = all.iter().flat_map(|series| series.dots.iter().map(|dot| dot.y));
    ours.chain(all.iter().flat_map(|series| series.published.iter().map(|paper| paper.y)))
}

/// What any other axis has to cover.
pub fn values(all: &[Series]) -> impl Iterator<Item = f64> {
    means(all).chain(all.iter().flat_map(|series| series.dots.iter().flat_map(Dot::values)))
}

/// The least distance between markers of a series; markers that are closer are left out.
const MARKER_GAP: f64 = 8.0;
const LINE: f64 = 1.8;
const MARKER: f64 = 3.3;

/// How much wider a part of a line is, and how much larger a marker, for each one that lies over it: so it shows at their
/// sides. More than a few would make a blot.
const COVERED_LINE: f64 = 1.8;
const COVERED_MARKER: f64 = 1.1;
const MOST_COVERS: usize = 2;

impl Series {
    /// How many of these series cover its dots, as far as that shows.
    fn covers(dots: &[Dot], above: &[Self]) -> f64 {
        above
            .iter()
            .filter(|other| !other.is_bound && other.has_dots_at(dots))
            .count()
            .min(MOST_COVERS) as f64
    }

    /// Whether it covers these dots of another series.
    fn has_dots_at(&self, dots: &[Dot]) -> bool {
        dots.iter().all(|dot| {
            let first = self.dots.partition_point(|ours| ours.x < dot.x);
            let above = self.dots[first..].iter().take_while(|ours| ours.x <= dot.x);
            above.into_iter().any(|ours| ours.y.total_cmp(&dot.y).is_eq())
        })
    }
}

/// The height of the highest confidence band, in points; none if there are no intervals.
pub fn widest_band(frame: &Frame, y: &Axis, all: &[Series]) -> Option<f64> {
    let height = |(low, high): (f64, f64)| (y.place(high) - y.place(low)) * frame.height();
    let intervals = all.iter().flat_map(|series| &series.dots).filter_map(|dot| dot.interval);
    intervals.map(height).max_by(f64::total_cmp)
}

/// Draws all series: bands below lines below markers below the paper's values.
pub fn draw(surface: &mut Surface<'_>, frame: &Frame, x: &Axis, y: &Axis, all: &[Series]) {
    let room = room_for_names(frame, x, all);
    let frame = &Frame { right: frame.right - room.unwrap_or(0.0), ..*frame };
    frame.draw_y(surface, y);
    frame.draw_x(surface, x);
    let at = |across: f64, up: f64| frame.at(x.place(across), y.place(up));
    for series in all {
        draw_bands(surface, series, at);
    }
    for (index, series) in all.iter().enumerate() {
        draw_line(surface, series, &all[index + 1..], at);
    }
    for (index, series) in all.iter().enumerate().filter(|(_, series)| !series.is_bound) {
        draw_markers(surface, series, &all[index + 1..], at);
    }
    let published = |series: &'_ Series| {
        let look = series.look;
        series.published.iter().map(move |paper| (*paper, look.colour)).collect::<Vec<_>>()
    };
    let papers: Vec<_> = all.iter().flat_map(published).collect();
    paper::draw(surface, &papers, at);
    if room.is_some() {
        name_ends(surface, frame, all, at);
    }
}

/// A band over neighbouring dots with intervals, and a whisker where a dot has none beside it.
fn draw_bands(surface: &mut Surface<'_>, series: &Series, at: impl Fn(f64, f64) -> Point) {
    let runs = series.dots.split(|dot| dot.interval.is_none()).filter(|run| !run.is_empty());
    for run in runs {
        let ends = run.iter().filter_map(|dot| Some((dot.x, dot.interval?)));
        let upper = ends.clone().map(|(across, (_, high))| at(across, high));
        let lower: Vec<Point> = ends.map(|(across, (low, _))| at(across, low)).collect();
        let corners: Vec<Point> = upper.chain(lower.into_iter().rev()).collect();
        if run.len() > 1 {
            surface.shape(&corners, series.look.colour, 0.16);
        } else {
            surface.line(&corners, series.look.colour, 1.0);
        }
    }
}

fn draw_line(
    surface: &mut Surface<'_>,
    series: &Series,
    above: &[Series],
    at: impl Fn(f64, f64) -> Point,
) {
    let places: Vec<Point> = series.dots.iter().map(|dot| at(dot.x, dot.y)).collect();
    if places.len() < 2 {
        return;
    }
    let width = if series.is_bound { 1.3 } else { LINE };
    if series.look.dash == Dash::Solid {
        for (dots, places) in series.dots.windows(2).zip(places.windows(2)) {
            let covers = Series::covers(dots, above);
            if covers > 0.0 {
                surface.line(places, series.look.colour, width + COVERED_LINE * covers);
            }
        }
    }
    surface.dashed(&places, series.look.colour, width, series.look.dash);
}

fn draw_markers(
    surface: &mut Surface<'_>,
    series: &Series,
    above: &[Series],
    at: impl Fn(f64, f64) -> Point,
) {
    let mut last = f64::NEG_INFINITY;
    for dot in &series.dots {
        let place = at(dot.x, dot.y);
        if place.0 - last >= MARKER_GAP {
            let covers = Series::covers(std::slice::from_ref(dot), above);
            let radius = MARKER + COVERED_MARKER * covers;
            series.look.marker.draw(surface, place, radius, series.look.colour);
            last = place.0;
        }
    }
}
