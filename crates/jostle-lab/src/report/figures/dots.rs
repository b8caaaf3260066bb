//! Dot plots: a row for each name with a dot for each planner, each with its confidence interval, and the paper's value.

use super::axis::Axis;
use super::lines::Dot;
use super::panel::Frame;
use super::plot::{fitted, lettering};
use super::style::{Colour, Look, draw_paper_marker};
use super::surface::{Anchor, Surface, text_width};

/// The values of all planners for one name.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// The name beside the row.
    pub name: String,
    /// The values, from top to bottom.
    pub values: Vec<Value>,
}

/// The value of one planner.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Value {
    /// The look of its planner.
    pub look: Look,
    /// Our value, if there is one.
    pub ours: Option<Dot>,
    /// The paper's value.
    pub published: Option<f64>,
}

/// The height of the line of one planner.
const LANE: f64 = 10.0;
/// The size of the names of rows.
const NAME: f64 = 11.0;
/// The space between rows.
const GAP: f64 = 8.0;

/// The height of all rows.
pub fn height(rows: &[Row]) -> f64 {
    rows.iter().map(|row| row.values.len() as f64 * LANE + GAP).sum()
}

/// The room that the names beside the rows need.
pub fn room_for_names(rows: &[Row]) -> f64 {
    let widths = rows.iter().map(|row| text_width(&shown(&row.name), NAME, false));
    widths.fold(0.0, f64::max) + 14.0
}

/// A name, cut off where it would leave no room for the dots.
fn shown(name: &str) -> String {
    const LONGEST: f64 = 190.0;
    fitted(name, LONGEST, NAME, false)
}

/// What the axis has to cover.
pub fn values(rows: &[Row]) -> impl Iterator<Item = f64> {
    let all = || rows.iter().flat_map(|row| &row.values);
    let ours = all().filter_map(|value| value.ours);
    let ours = ours.flat_map(|dot| dot.values().collect::<Vec<_>>());
    ours.chain(all().filter_map(|value| value.published))
}

/// The length of the longest confidence interval, in points; none if there are no intervals.
pub fn widest_interval(frame: &Frame, x: &Axis, rows: &[Row]) -> Option<f64> {
    let length = |(low, high): (f64, f64)| (x.place(high) - x.place(low)) * frame.width();
    let values = rows.iter().flat_map(|row| &row.values);
    let intervals = values.filter_map(|value| value.ours?.interval);
    intervals.map(length).max_by(f64::total_cmp)
}

/// Draws all rows. A thin line joins our value and the paper's.
pub fn draw(surface: &mut Surface<'_>, frame: &Frame, x: &Axis, rows: &[Row]) {
    frame.draw_upright_grid(surface, x);
    frame.draw_x(surface, x);
    let mut top = frame.top;
    for row in rows {
        let bottom = top + row.values.len() as f64 * LANE + GAP;
        if top > frame.top {
            surface.line(&[(frame.left, top), (frame.right, top)], Colour::FAINT, 0.75);
        }
        let middle = f64::midpoint(top, bottom) + 3.6;
        let style = lettering(NAME, Colour::INK, Anchor::End);
        surface.text(&shown(&row.name), (frame.left - 8.0, middle), style);
        for (index, value) in row.values.iter().enumerate() {
            let height = top + GAP / 2.0 + (index as f64 + 0.5) * LANE;
            let at = |value: f64| (frame.at(x.place(value), 0.0).0, height);
            draw_value(surface, value, at);
        }
        top = bottom;
    }
    surface.line(&[(frame.left, frame.top), (frame.left, frame.bottom)], Colour::GREY, 0.75);
}

fn draw_value(surface: &mut Surface<'_>, value: &Value, at: impl Fn(f64) -> (f64, f64)) {
    let colour = value.look.colour;
    if let (Some(ours), Some(published)) = (value.ours, value.published) {
        let pale = colour.towards(Colour::WHITE, 0.35);
        surface.line(&[at(published), at(ours.y)], pale, 0.8);
    }
    if let Some(published) = value.published {
        draw_paper_marker(surface, at(published), colour);
    }
    if let Some(ours) = value.ours {
        if let Some((low, high)) = ours.interval {
            surface.line(&[at(low), at(high)], colour, 2.2);
            for (x, y) in [at(low), at(high)] {
                surface.line(&[(x, y - 3.0), (x, y + 3.0)], colour, 1.0);
            }
        }
        value.look.marker.draw(surface, at(ours.y), 3.6, colour);
    }
}
