//! The surface that figures are drawn on: an SVG file, written by plotters. Nothing else uses that library.
//!
//! Figures are drawn in points. The library takes whole numbers, so positions are rounded to a grid that is [`FINE`] times
//! finer, and the view box of the file gives the grid the size in points.

use jostle::formats::printable;
use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::element::{Circle, PathElement, Polygon, Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{
    Color as _, FontFamily, FontStyle, FontTransform, IntoFont as _, IntoTextStyle as _, RGBColor,
    ShapeStyle, TextStyle,
};

use super::raster;
use super::style::{Colour, Dash};
use crate::LabError;

/// Steps of the grid per point.
const FINE: u32 = 8;
/// The font of PNG files, and what a browser that does not have it takes instead: fonts of about the same width.
const FONTS: &str = "DejaVu Sans Condensed, Arial, Helvetica, sans-serif";

/// Smoothed rectangles would show seams where they touch.
const RECTANGLES: &str = "<style>rect{shape-rendering:crispEdges}</style>";

/// The longest line of text in a figure, in characters; more would not fit.
const LONGEST_LINE: usize = 300;

/// A position, in points from the top left corner.
pub type Point = (f64, f64);

/// The alignment of a text to its position, which is on its base line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// The position is at its left end.
    Start,
    /// The position is in its middle.
    Middle,
    /// The position is at its right end.
    End,
}

/// The style of a text.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Lettering {
    /// The height of an em, in points.
    pub size: f64,
    /// The colour.
    pub colour: Colour,
    /// Whether it is bold.
    pub is_bold: bool,
    /// Whether it runs from bottom to top.
    pub is_upright: bool,
    /// Its alignment.
    pub anchor: Anchor,
}

/// Draws on a white SVG of this size, in points.
///
/// # Errors
/// When something cannot be drawn.
pub fn svg(size: (u32, u32), draw: impl FnOnce(&mut Surface<'_>)) -> Result<String, LabError> {
    drawn(size, |surface| {
        let result = surface.area.fill(&RGBColor(255, 255, 255));
        surface.note(result);
        draw(surface);
    })
}

/// The width of a text, in points.
pub fn text_width(text: &str, size: f64, is_bold: bool) -> f64 {
    let lettering =
        Lettering { size, colour: Colour::INK, is_bold, is_upright: false, anchor: Anchor::Start };
    let svg = drawn((1, 1), |surface| surface.text(text, (0.0, 0.0), lettering));
    svg.ok().and_then(|svg| raster::width_of_text(&svg)).unwrap_or(0.0)
}

fn drawn(size: (u32, u32), draw: impl FnOnce(&mut Surface<'_>)) -> Result<String, LabError> {
    let mut text = String::new();
    let fine = (size.0 * FINE, size.1 * FINE);
    {
        let area = SVGBackend::with_string(&mut text, fine).into_drawing_area();
        let mut surface = Surface { area, failure: None };
        draw(&mut surface);
        let result = surface.area.present();
        surface.note(result);
        if let Some(error) = surface.failure.take() {
            return Err(LabError::input(format!("a figure cannot be drawn: {error}")));
        }
    }
    // The picture is shown in points, but its coordinates are steps of the grid.
    let in_grid = format!("width=\"{}\" height=\"{}\"", fine.0, fine.1);
    let in_points = format!("width=\"{}\" height=\"{}\"", size.0, size.1);
    let text = text.replacen(&in_grid, &in_points, 1);
    Ok(text.replacen(">\n", &format!(">\n{RECTANGLES}\n"), 1))
}

/// A surface to draw on. Errors are remembered, and reported at the end.
pub struct Surface<'a> {
    area: DrawingArea<SVGBackend<'a>, Shift>,
    failure: Option<String>,
}

/// A length on the fine grid.
fn fine(length: f64) -> f64 {
    length * f64::from(FINE)
}

/// A position on the fine grid.
fn on_grid((x, y): Point) -> (i32, i32) {
    (fine(x).round() as i32, fine(y).round() as i32)
}

fn filled(colour: Colour) -> ShapeStyle {
    ShapeStyle { color: colour.rgb().to_rgba(), filled: true, stroke_width: 0 }
}

fn outlined(colour: Colour, width: f64) -> ShapeStyle {
    let stroke_width = fine(width).round() as u32;
    ShapeStyle { color: colour.rgb().to_rgba(), filled: false, stroke_width }
}

impl Surface<'_> {
    fn note<E: std::fmt::Display>(&mut self, result: Result<(), E>) {
        if let Err(error) = result {
            self.failure.get_or_insert(error.to_string());
        }
    }

    /// A line through positions.
    pub fn line(&mut self, places: &[Point], colour: Colour, width: f64) {
        let places: Vec<_> = places.iter().copied().map(on_grid).collect();
        let result = self.area.draw(&PathElement::new(places, outlined(colour, width)));
        self.note(result);
    }

    /// A line through positions with gaps, as the dash says.
    pub fn dashed(&mut self, places: &[Point], colour: Colour, width: f64, dash: Dash) {
        let lengths = dash.lengths();
        if lengths.is_empty() {
            return self.line(places, colour, width);
        }
        for part in pieces(places, lengths) {
            self.line(&part, colour, width);
        }
    }

    /// A filled shape; 0 is clear, 1 is opaque.
    pub fn shape(&mut self, corners: &[Point], colour: Colour, opacity: f64) {
        let corners: Vec<_> = corners.iter().copied().map(on_grid).collect();
        let result = self.area.draw(&Polygon::new(corners, colour.rgb().mix(opacity)));
        self.note(result);
    }

    /// A filled upright rectangle.
    pub fn rectangle(&mut self, from: Point, to: Point, colour: Colour) {
        let result = self.area.draw(&Rectangle::new([on_grid(from), on_grid(to)], filled(colour)));
        self.note(result);
    }

    /// A filled circle.
    pub fn disc(&mut self, centre: Point, radius: f64, colour: Colour) {
        let radius = fine(radius).round() as i32;
        let result = self.area.draw(&Circle::new(on_grid(centre), radius, filled(colour)));
        self.note(result);
    }

    /// The outline of a circle.
    pub fn ring(&mut self, centre: Point, radius: f64, colour: Colour, width: f64) {
        let radius = fine(radius).round() as i32;
        let style = outlined(colour, width);
        let result = self.area.draw(&Circle::new(on_grid(centre), radius, style));
        self.note(result);
    }

    /// A text.
    pub fn text(&mut self, text: &str, (x, y): Point, lettering: Lettering) {
        // The library gives letters 1/1.24 of the size that it is told, and puts them 0.76 em below the position.
        let above = lettering.size * 0.76;
        let (place, turn) = if lettering.is_upright {
            ((x - above, y), FontTransform::Rotate270)
        } else {
            ((x, y - above), FontTransform::None)
        };
        let across = match lettering.anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        let style = if lettering.is_bold { FontStyle::Bold } else { FontStyle::Normal };
        let font = (FontFamily::Name(FONTS), fine(lettering.size) * 1.24, style).into_font();
        let colour = lettering.colour.rgb();
        let style: TextStyle<'_> = font
            .transform(turn)
            .into_text_style(&self.area)
            .color(&colour)
            .pos(Pos::new(across, VPos::Top));
        // Names come from files, and XML cannot hold control characters.
        let text = printable(text, LONGEST_LINE);
        let result = self.area.draw(&Text::new(text, on_grid(place), style));
        self.note(result);
    }
}

/// The parts of a line that are drawn, if dashes and gaps of these lengths take turns.
fn pieces(places: &[Point], lengths: &[f64]) -> Vec<Vec<Point>> {
    let mut pieces: Vec<Vec<Point>> =
        places.first().map(|&place| vec![place]).into_iter().collect();
    let (mut turn, mut left) = (0, lengths[0]);
    for ends in places.windows(2) {
        let ((x0, y0), (x1, y1)) = (ends[0], ends[1]);
        let length = (x1 - x0).hypot(y1 - y0);
        let mut along = 0.0;
        while along < length {
            let next = (along + left).min(length);
            let place = (x0 + (x1 - x0) * next / length, y0 + (y1 - y0) * next / length);
            let is_dash = turn % 2 == 0;
            if is_dash && let Some(piece) = pieces.last_mut() {
                piece.push(place);
            }
            left -= next - along;
            along = next;
            if left <= 1e-9 {
                turn = (turn + 1) % lengths.len();
                left = lengths[turn];
                if turn % 2 == 0 {
                    pieces.push(vec![place]);
                }
            }
        }
    }
    pieces.retain(|piece| piece.len() > 1);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_and_gaps_go_on_around_a_corner() {
        let corner = [(0.0, 0.0), (5.0, 0.0), (5.0, 5.0)];
        let expected = [vec![(0.0, 0.0), (4.0, 0.0)], vec![(5.0, 1.0), (5.0, 5.0)]].map(Vec::from);
        assert_eq!(pieces(&corner, &[4.0, 2.0]), expected);
        assert!(pieces(&corner[..1], &[4.0, 2.0]).is_empty());
        assert!(pieces(&[], &[4.0, 2.0]).is_empty());
    }

    #[test]
    fn the_width_of_a_text_is_that_of_its_letters() {
        let width = text_width("bmaa", 10.0, false);
        assert!((20.0..32.0).contains(&width), "{width}");
        assert!((text_width("bmaabmaa", 20.0, false) / width - 4.0).abs() < 0.1);
        assert!(text_width("bmaa", 10.0, true) > width);
        assert!(text_width("<a & b>", 10.0, false) > width, "signs that XML escapes have a width");
        assert!(text_width("", 10.0, false).abs() < f64::EPSILON);
    }
}
