//! Figures and their layout: title, legend, panels, notes.

use jostle::formats::printable;

use super::axis::Axis;
use super::bars::{self, Group};
use super::lines::{self, Series, draw_dashed};
use super::panel::Frame;
use super::style::{Colour, Look};
use super::surface::{Anchor, Lettering, Point, Surface, png, svg, text_width};
use crate::LabError;

/// A figure.
#[derive(Clone, PartialEq, Debug)]
pub struct Figure {
    /// Its name, for files.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Notes below the panels.
    pub notes: Vec<String>,
    /// The entries of the legend.
    pub legend: Vec<Entry>,
    /// The panels, in reading order.
    pub panels: Vec<Panel>,
    /// The number of panels in a row.
    pub columns: usize,
    /// The size of each panel with its labels, in points.
    pub panel_size: (f64, f64),
}

/// One name in a legend.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// The name.
    pub name: String,
    /// Its colour and marker.
    pub look: Look,
    /// A bound rather than a planner.
    pub is_bound: bool,
}

/// A part of a figure with axes of its own.
#[derive(Clone, PartialEq, Debug)]
pub struct Panel {
    /// Its title.
    pub title: String,
    /// The vertical axis.
    pub y: Axis,
    /// Its data.
    pub content: Content,
}

/// The data of a panel.
#[derive(Clone, PartialEq, Debug)]
pub enum Content {
    /// Lines over a horizontal axis.
    Lines(Axis, Vec<Series>),
    /// Bars in groups.
    Bars(Vec<Group>),
}

const MARGIN: f64 = 14.0;
const LEGEND_ROW: f64 = 17.0;
const NOTE_ROW: f64 = 13.0;
const LEGEND_GAP: f64 = 16.0;
/// The size of the titles of panels.
const PANEL_TITLE: f64 = 10.5;
/// The width of the symbol before a name.
const SIGN: f64 = 24.0;

/// Text in a figure.
pub const fn lettering(size: f64, colour: Colour, anchor: Anchor) -> Lettering {
    Lettering { size, colour, is_bold: false, is_upright: false, anchor }
}

/// Emphasised text in a figure.
pub const fn heading(size: f64) -> Lettering {
    Lettering { is_bold: true, ..lettering(size, Colour::INK, Anchor::Start) }
}

impl Figure {
    /// The figure as an SVG file.
    ///
    /// # Errors
    /// When it cannot be drawn.
    pub fn svg(&self) -> Result<String, LabError> {
        let layout = Layout::of(self);
        svg(layout.size, |surface| layout.draw(self, surface))
    }

    /// The figure as a PNG file, two pixels per point.
    ///
    /// # Errors
    /// When it cannot be drawn.
    pub fn png(&self) -> Result<Vec<u8>, LabError> {
        let layout = Layout::of(self);
        png(layout.size, |surface| layout.draw(self, surface))
    }

    fn shows_papers(&self) -> bool {
        self.panels.iter().any(|panel| match &panel.content {
            Content::Lines(_, series) => series.iter().any(|series| !series.published.is_empty()),
            Content::Bars(groups) => {
                groups.iter().any(|group| group.bars.iter().any(|bar| bar.published.is_some()))
            }
        })
    }
}

/// The positions of all parts.
struct Layout {
    size: (u32, u32),
    /// The entries of the legend by row.
    legend: Vec<Vec<usize>>,
    notes: Vec<String>,
    panels_top: f64,
    notes_top: f64,
}

impl Layout {
    fn of(figure: &Figure) -> Self {
        let columns = figure.columns.min(figure.panels.len()).max(1);
        let width = columns as f64 * figure.panel_size.0 + 2.0 * MARGIN;
        let title_width = text_width(&figure.title, 13.0, true) + 2.0 * MARGIN;
        let width = width.max(title_width.min(1000.0)).ceil();
        let rows = figure.panels.len().div_ceil(columns) as f64;
        let legend = legend_rows(figure, width - 2.0 * MARGIN);
        let mut notes = figure.notes.clone();
        if figure.shows_papers() {
            notes.push("open markers: the paper".to_owned());
        }
        let notes = wrap(&notes.join(" · "), width - 2.0 * MARGIN, 9.0);
        let panels_top = 34.0 + legend.len() as f64 * LEGEND_ROW + 6.0;
        let notes_top = panels_top + rows * figure.panel_size.1;
        let height = (notes_top + notes.len() as f64 * NOTE_ROW + MARGIN).ceil();
        Self { size: (width as u32, height as u32), legend, notes, panels_top, notes_top }
    }

    fn draw(&self, figure: &Figure, surface: &mut dyn Surface) {
        surface.text(&figure.title, (MARGIN, 24.0), heading(13.0));
        for (row, entries) in self.legend.iter().enumerate() {
            let y = 34.0 + (row as f64 + 0.5) * LEGEND_ROW;
            let mut x = MARGIN;
            for entry in entries.iter().map(|index| &figure.legend[*index]) {
                entry.draw(surface, (x, y));
                x += entry.width();
            }
        }
        let columns = figure.columns.min(figure.panels.len()).max(1);
        for (index, panel) in figure.panels.iter().enumerate() {
            let (column, row) = ((index % columns) as f64, (index / columns) as f64);
            let (width, height) = figure.panel_size;
            let corner = (MARGIN + column * width, self.panels_top + row * height);
            let frame = Frame::inside(corner, figure.panel_size, &panel.title, &panel.y);
            let title = fitted(&panel.title, corner.0 + width - frame.left);
            surface.text(&title, (frame.left, corner.1 + 14.0), heading(PANEL_TITLE));
            match &panel.content {
                Content::Lines(x, series) => lines::draw(surface, &frame, x, &panel.y, series),
                Content::Bars(groups) => bars::draw(surface, &frame, &panel.y, groups),
            }
        }
        for (row, note) in self.notes.iter().enumerate() {
            let place = (MARGIN, self.notes_top + (row as f64 + 1.0) * NOTE_ROW);
            surface.text(note, place, lettering(9.0, Colour::GREY, Anchor::Start));
        }
    }
}

impl Entry {
    fn width(&self) -> f64 {
        SIGN + text_width(&self.name, 10.0, false) + LEGEND_GAP
    }

    fn draw(&self, surface: &mut dyn Surface, (x, y): Point) {
        let (colour, end) = (self.look.colour, x + SIGN - 6.0);
        if self.is_bound {
            draw_dashed(surface, &[(x, y), (end, y)], colour);
        } else {
            surface.line(&[(x, y), (end, y)], colour, 1.6);
            self.look.marker.draw(surface, (f64::midpoint(x, end), y), 3.4, colour);
        }
        let style = lettering(10.0, Colour::INK, Anchor::Start);
        surface.text(&self.name, (x + SIGN, y + 3.6), style);
    }
}

/// The entries of the legend in as many rows as they need.
fn legend_rows(figure: &Figure, width: f64) -> Vec<Vec<usize>> {
    let mut rows: Vec<Vec<usize>> = Vec::new();
    let mut room = 0.0;
    for (index, entry) in figure.legend.iter().enumerate() {
        let needed = entry.width();
        match rows.last_mut() {
            Some(row) if needed - LEGEND_GAP <= room => row.push(index),
            _ => {
                rows.push(vec![index]);
                room = width;
            }
        }
        room -= needed;
    }
    rows
}

/// The title of a panel, cut off where it would run into the next one.
fn fitted(title: &str, width: f64) -> String {
    let fits = |title: &str| text_width(title, PANEL_TITLE, true) <= width;
    if fits(title) {
        return title.to_owned();
    }
    let longest = title.chars().count().min(100);
    let mut shorter = (1..longest).rev().map(|most| printable(title, most));
    shorter.find(|title| fits(title)).unwrap_or_default()
}

/// A text broken into lines.
fn wrap(text: &str, width: f64, size: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if text_width(&format!("{line} {word}"), size, false) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_title_of_a_panel_does_not_run_into_the_next_one() {
        assert_eq!(fitted("lak304d", 200.0), "lak304d");
        let short = fitted(&"lak304d".repeat(1000), 200.0);
        assert!(short.starts_with("lak304dlak304d") && short.ends_with("..."), "{short}");
        assert!(text_width(&short, PANEL_TITLE, true) <= 200.0);
    }
}
