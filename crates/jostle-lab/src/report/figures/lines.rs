//! Lines with markers and confidence bands.

use super::super::papers::Relation;
use super::super::stats::Estimate;
use super::axis::Axis;
use super::panel::Frame;
use super::plot::lettering;
use super::style::{Colour, Look};
use super::surface::{Anchor, Point, Surface, text_width};

/// The values of one planner.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    /// The name of the planner.
    pub name: String,
    /// Its colour and marker.
    pub look: Look,
    /// Our values, from left to right.
    pub dots: Vec<Dot>,
    /// The paper's values.
    pub published: Vec<(f64, f64, Relation)>,
    /// A bound rather than a planner: drawn without markers, and with gaps.
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
    /// A value. Nothing is less than 0.
    pub fn of(x: f64, estimate: &Estimate) -> Self {
        let interval = estimate.interval.map(|(low, high)| (low.max(0.0), high));
        Self { x, y: estimate.mean, interval }
    }
}

/// The least distance between markers of a series; markers that are closer are left out.
const MARKER_GAP: f64 = 7.0;

/// How much wider a part of a line is, and how much larger a marker, for each one that lies over it: so it shows at their
/// sides.
const COVERED_LINE: f64 = 1.8;
const COVERED_MARKER: f64 = 1.1;

impl Series {
    /// Whether it covers these dots of another series.
    fn has_dots_at(&self, dots: &[Dot]) -> bool {
        dots.iter().all(|dot| {
            let first = self.dots.partition_point(|ours| ours.x < dot.x);
            let above = self.dots[first..].iter().take_while(|ours| ours.x <= dot.x);
            above.into_iter().any(|ours| ours.y.total_cmp(&dot.y).is_eq())
        })
    }
}

/// The largest share of a frame that the names at the ends of lines take.
const MOST_ROOM: f64 = 0.3;

/// Draws all series: bands below lines below markers.
pub fn draw(surface: &mut dyn Surface, frame: &Frame, x: &Axis, y: &Axis, all: &[Series]) {
    // Names at the ends of lines need room beside them. Where they would take too much of it, the legend has to do.
    let names = all.iter().filter(|series| series.is_labelled);
    let room = names.map(|series| text_width(&series.name, 9.5, false) + 10.0).fold(0.0, f64::max);
    let has_labels = room <= MOST_ROOM * (frame.right - frame.left);
    let room = if has_labels { room } else { 0.0 };
    let frame = &Frame { right: frame.right - room, ..*frame };
    frame.draw_y(surface, y);
    frame.draw_x(surface, x);
    let at = |across: f64, up: f64| frame.at(x.place(across), y.place(up));
    for series in all {
        let edges = series.dots.iter().filter_map(|dot| Some((dot.x, dot.interval?)));
        let upper = edges.clone().map(|(across, (_, high))| at(across, high));
        let lower = edges.map(|(across, (low, _))| at(across, low));
        let lower: Vec<Point> = lower.collect();
        let corners: Vec<Point> = upper.chain(lower.into_iter().rev()).collect();
        if corners.len() > 2 {
            surface.shape(&corners, series.look.colour, 0.16);
        }
    }
    for (index, series) in all.iter().enumerate() {
        let places: Vec<Point> = series.dots.iter().map(|dot| at(dot.x, dot.y)).collect();
        if series.is_bound {
            draw_dashed(surface, &places, series.look.colour);
        } else if places.len() > 1 {
            let steps = series.dots.windows(2).zip(places.windows(2));
            for (dots, places) in steps {
                let covers =
                    all[index + 1..].iter().filter(|other| other.has_dots_at(dots)).count();
                if covers > 0 {
                    let width = 1.6 + COVERED_LINE * covers as f64;
                    surface.line(places, series.look.colour, width);
                }
            }
            surface.line(&places, series.look.colour, 1.6);
        }
    }
    for (index, series) in all.iter().enumerate().filter(|(_, series)| !series.is_bound) {
        let mut last = f64::NEG_INFINITY;
        for dot in &series.dots {
            let place = at(dot.x, dot.y);
            if place.0 - last >= MARKER_GAP {
                let dot = std::slice::from_ref(dot);
                let covers = all[index + 1..].iter().filter(|other| other.has_dots_at(dot));
                let radius = 3.2 + COVERED_MARKER * covers.count() as f64;
                series.look.marker.draw(surface, place, radius, series.look.colour);
                last = place.0;
            }
        }
    }
    for series in all {
        for &(across, up, relation) in &series.published {
            draw_published(surface, at(across, up), relation, series.look);
        }
    }
    if has_labels {
        label_ends(surface, frame, all, at);
    }
}

/// An open marker, with an arrow where the paper gives a bound.
fn draw_published(surface: &mut dyn Surface, place: Point, relation: Relation, look: Look) {
    let direction = match relation {
        Relation::Is | Relation::About => 0.0,
        Relation::Over => -1.0,
        Relation::Under => 1.0,
    };
    if direction != 0.0 {
        let tip = (place.0, place.1 + direction * 13.0);
        surface.line(&[(place.0, place.1 + direction * 4.5), tip], look.colour, 1.1);
        let wing = |side: f64| (tip.0 + side * 2.6, tip.1 - direction * 3.6);
        surface.line(&[wing(-1.0), tip, wing(1.0)], look.colour, 1.1);
    }
    look.marker.draw_open(surface, place, 4.4, look.colour);
}

/// Draws a line with gaps.
pub fn draw_dashed(surface: &mut dyn Surface, places: &[Point], colour: Colour) {
    const DASH: f64 = 5.0;
    let mut drawn = true;
    let mut left = DASH;
    for ends in places.windows(2) {
        let ((x0, y0), (x1, y1)) = (ends[0], ends[1]);
        let length = (x1 - x0).hypot(y1 - y0);
        let at = |along: f64| (x0 + (x1 - x0) * along / length, y0 + (y1 - y0) * along / length);
        let mut along = 0.0;
        while along < length {
            let next = (along + left).min(length);
            if drawn {
                surface.line(&[at(along), at(next)], colour, 1.3);
            }
            left -= next - along;
            if left <= 1e-9 {
                drawn = !drawn;
                left = DASH;
            }
            along = next;
        }
    }
}

/// Names at the right ends of lines, moved apart where they would lie over each other.
fn label_ends(
    surface: &mut dyn Surface,
    frame: &Frame,
    all: &[Series],
    at: impl Fn(f64, f64) -> Point,
) {
    const ROW: f64 = 12.0;
    let mut labels: Vec<(f64, &Series)> = all
        .iter()
        .filter(|series| series.is_labelled)
        .filter_map(|series| Some((at(0.0, series.dots.last()?.y).1, series)))
        .collect();
    labels.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut lowest = frame.top - ROW / 2.0;
    for (height, _) in &mut labels {
        *height = height.max(lowest + ROW);
        lowest = *height;
    }
    // What was pushed below the axis goes up again, and pushes those above it.
    let mut highest = frame.bottom + ROW / 2.0;
    for (height, _) in labels.iter_mut().rev() {
        *height = height.min(highest - ROW);
        highest = *height;
    }
    for (height, series) in labels {
        let style = lettering(9.5, series.look.colour, Anchor::Start);
        surface.text(&series.name, (frame.right + 7.0, height + 3.4), style);
    }
}
