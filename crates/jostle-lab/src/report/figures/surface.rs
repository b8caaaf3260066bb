//! A surface to draw on: an SVG file or a PNG file. Nothing else uses the drawing library.
//!
//! Figures are drawn in points, which are fractions of a pixel. Both surfaces round them to a grid that is
//! [`FINE`] times finer. For a PNG, blocks of that grid are averaged at the end, which smooths all edges.

use jostle::formats::printable;
use plotters::backend::{BitMapBackend, SVGBackend};
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::element::{Circle, PathElement, Polygon, Rectangle, Text};
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{
    Color as _, FontFamily, FontStyle, FontTransform, IntoFont as _, IntoTextStyle as _, RGBColor,
    ShapeStyle, TextStyle, register_font,
};

use super::style::Colour;
use crate::LabError;

/// Steps of the grid per point.
const FINE: u32 = 4;
/// Pixels of a PNG per point; more than one, so that it is sharp on high-resolution screens.
const PIXELS: u32 = 2;
/// The built-in font, and the fallback of a browser that does not have it.
const FONT: &str = "DejaVu Sans Condensed, Arial, sans-serif";

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

/// A surface to draw on. Errors are remembered, and reported at the end.
pub trait Surface {
    /// A line through positions.
    fn line(&mut self, places: &[Point], colour: Colour, width: f64);
    /// A filled shape; 0 is clear, 1 is opaque.
    fn shape(&mut self, corners: &[Point], colour: Colour, opacity: f64);
    /// A filled upright rectangle.
    fn rectangle(&mut self, from: Point, to: Point, colour: Colour);
    /// A filled circle.
    fn disc(&mut self, centre: Point, radius: f64, colour: Colour);
    /// A text.
    fn text(&mut self, text: &str, place: Point, lettering: Lettering);
}

/// The width of a text, in points.
pub fn text_width(text: &str, size: f64, is_bold: bool) -> f64 {
    register_fonts();
    let style = if is_bold { FontStyle::Bold } else { FontStyle::Normal };
    let fine = f64::from(FINE);
    let font = (FontFamily::Name(FONT), size * fine * BITMAP_EM, style).into_font();
    let text = printable(text, LONGEST_LINE);
    font.box_size(&text).map_or(0.0, |(width, _)| f64::from(width) / fine)
}

/// Draws on an SVG.
///
/// # Errors
/// When something cannot be drawn.
pub fn svg(size: (u32, u32), draw: impl FnOnce(&mut dyn Surface)) -> Result<String, LabError> {
    register_fonts();
    let mut text = String::new();
    let fine = (size.0 * FINE, size.1 * FINE);
    {
        let area = SVGBackend::with_string(&mut text, fine).into_drawing_area();
        Canvas { area, baseline: SVG_BASELINE, em: SVG_EM, failure: None }.fill(draw)?;
    }
    // The picture is shown in points, but its coordinates are steps of the grid.
    let in_grid = format!("width=\"{}\" height=\"{}\"", fine.0, fine.1);
    let in_points = format!("width=\"{}\" height=\"{}\"", size.0, size.1);
    Ok(text.replacen(&in_grid, &in_points, 1))
}

/// Draws on a PNG.
///
/// # Errors
/// When something cannot be drawn.
pub fn png(size: (u32, u32), draw: impl FnOnce(&mut dyn Surface)) -> Result<Vec<u8>, LabError> {
    register_fonts();
    let fine = (size.0 * FINE, size.1 * FINE);
    let mut pixels = vec![255; fine.0 as usize * fine.1 as usize * 3];
    {
        let area = BitMapBackend::with_buffer(&mut pixels, fine).into_drawing_area();
        Canvas { area, baseline: BITMAP_BASELINE, em: BITMAP_EM, failure: None }.fill(draw)?;
    }
    let pixels = averaged(&pixels, fine.0, FINE / PIXELS);
    encode(&pixels, (size.0 * PIXELS, size.1 * PIXELS))
        .map_err(|error| LabError::input(format!("a figure cannot be encoded: {error}")))
}

/// The means of square blocks of pixels.
fn averaged(pixels: &[u8], width: u32, block: u32) -> Vec<u8> {
    let (width, area) = (width as usize * 3, block * block);
    let block = block as usize;
    let mut means = Vec::with_capacity(pixels.len() / area as usize);
    let mut sums = vec![0_u32; width / block];
    for rows in pixels.chunks_exact(width * block) {
        sums.fill(0);
        for row in rows.chunks_exact(width) {
            for (pixels, sums) in row.chunks_exact(block * 3).zip(sums.chunks_exact_mut(3)) {
                for pixel in pixels.chunks_exact(3) {
                    for (sum, part) in sums.iter_mut().zip(pixel) {
                        *sum += u32::from(*part);
                    }
                }
            }
        }
        means.extend(sums.iter().map(|sum| ((sum + area / 2) / area) as u8));
    }
    means
}

fn encode(pixels: &[u8], size: (u32, u32)) -> Result<Vec<u8>, png::EncodingError> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, size.0, size.1);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(file)
}

/// Registers the built-in font. Doing so twice does no harm.
fn register_fonts() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        // A font that cannot be read is reported when a text cannot be drawn.
        let _ = register_font(FONT, FontStyle::Normal, dejavu::sans_condensed::regular());
        let _ = register_font(FONT, FontStyle::Bold, dejavu::sans_condensed::bold());
    });
}

// Where the two backends put letters, in parts of the size that they are given: the base line below the
// place, and the size that makes an em.
const SVG_BASELINE: f64 = 0.76 / 1.24;
const SVG_EM: f64 = 1.24;
const BITMAP_BASELINE: f64 = 0.5;
/// The font is as high as 1.164 em, and the backend takes the height for the size.
const BITMAP_EM: f64 = 1.164;

struct Canvas<B: DrawingBackend> {
    area: DrawingArea<B, Shift>,
    baseline: f64,
    em: f64,
    failure: Option<String>,
}

impl<B: DrawingBackend> Canvas<B> {
    fn fill(mut self, draw: impl FnOnce(&mut dyn Surface)) -> Result<(), LabError> {
        let result = self.area.fill(&RGBColor(255, 255, 255));
        self.note(result);
        draw(&mut self);
        let result = self.area.present();
        self.note(result);
        let failure = self.failure.take();
        failure.map_or(Ok(()), |error| {
            Err(LabError::input(format!("a figure cannot be drawn: {error}")))
        })
    }

    fn note<E: std::fmt::Display>(&mut self, result: Result<(), E>) {
        if let Err(error) = result {
            self.failure.get_or_insert(error.to_string());
        }
    }
}

/// A position on the fine grid.
fn on_grid((x, y): Point) -> (i32, i32) {
    let fine = f64::from(FINE);
    ((x * fine).round() as i32, (y * fine).round() as i32)
}

fn filled(colour: Colour) -> ShapeStyle {
    ShapeStyle { color: colour.rgb().to_rgba(), filled: true, stroke_width: 0 }
}

impl<B: DrawingBackend> Surface for Canvas<B> {
    fn line(&mut self, places: &[Point], colour: Colour, width: f64) {
        let stroke_width = (width * f64::from(FINE)).round() as u32;
        let style = ShapeStyle { color: colour.rgb().to_rgba(), filled: false, stroke_width };
        let places: Vec<_> = places.iter().copied().map(on_grid).collect();
        let result = self.area.draw(&PathElement::new(places, style));
        self.note(result);
    }

    fn shape(&mut self, corners: &[Point], colour: Colour, opacity: f64) {
        let corners: Vec<_> = corners.iter().copied().map(on_grid).collect();
        let result = self.area.draw(&Polygon::new(corners, colour.rgb().mix(opacity)));
        self.note(result);
    }

    fn rectangle(&mut self, from: Point, to: Point, colour: Colour) {
        let result = self.area.draw(&Rectangle::new([on_grid(from), on_grid(to)], filled(colour)));
        self.note(result);
    }

    fn disc(&mut self, centre: Point, radius: f64, colour: Colour) {
        let radius = (radius * f64::from(FINE)).round() as i32;
        let result = self.area.draw(&Circle::new(on_grid(centre), radius, filled(colour)));
        self.note(result);
    }

    fn text(&mut self, text: &str, (x, y): Point, lettering: Lettering) {
        let style = if lettering.is_bold { FontStyle::Bold } else { FontStyle::Normal };
        let size = lettering.size * self.em;
        let above = size * self.baseline;
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
        let font = (FontFamily::Name(FONT), size * f64::from(FINE), style).into_font();
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
