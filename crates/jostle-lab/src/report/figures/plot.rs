//! Figures and their layout: title, legend, panels, notes.

use jostle::formats::printable;

use super::super::papers::Relation;
use super::axis::Axis;
use super::dots::{self, Row};
use super::lines::{self, Series};
use super::panel::Frame;
use super::raster::png;
use super::style::{Colour, Look, draw_paper_marker};
use super::surface::{Anchor, Lettering, Point, Surface, svg, text_width};
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
    /// Its colour, dashes and marker.
    pub look: Look,
    /// A bound rather than a planner.
    pub is_bound: bool,
}

/// A part of a figure with axes of its own.
#[derive(Clone, PartialEq, Debug)]
pub struct Panel {
    /// Its title.
    pub title: String,
    /// Its data.
    pub content: Content,
}

/// The data of a panel.
#[derive(Clone, PartialEq, Debug)]
pub enum Content {
    /// Lines over a horizontal axis.
    Lines {
        /// The horizontal axis.
        x: Axis,
        /// The vertical axis.
        y: Axis,
        /// The lines.
        series: Vec<Series>,
    },
    /// Rows of dots along a horizontal axis.
    Dots {
        /// The axis.
        x: Axis,
        /// The rows.
        rows: Vec<Row>,
    },
}

/// The size of a panel that is alone, with its labels, in points.
pub const ALONE: (f64, f64) = (660.0, 370.0);
/// The width of all panels that stand side by side, in points: that of the text of a page of GitHub.
pub const SIDE_BY_SIDE: f64 = 830.0;

const MARGIN: f64 = 12.0;
const TITLE: f64 = 14.0;
const LEGEND: f64 = 11.0;
const LEGEND_ROW: f64 = 18.0;
const LEGEND_GAP: f64 = 16.0;
const NOTE: f64 = 10.0;
const NOTE_ROW: f64 = 14.0;
/// The size of the titles of panels.
const PANEL_TITLE: f64 = 11.5;
/// The width of the symbol before a name.
const SIGN: f64 = 32.0;
/// The legend of the papers' values.
const PAPER: &str = "the paper, in the colour of its planner";

/// A band that is not higher than this, in points, is hidden by its line.
const LEAST_BAND: f64 = 2.5;
/// An interval that is not longer than this is hidden by its marker.
const LEAST_WHISKER: f64 = 7.5;

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
        png(&self.svg()?)
    }

    /// How the papers' values compare with what is drawn.
    fn relations(&self) -> Vec<Relation> {
        let of_panel = |panel: &Panel| -> Vec<Relation> {
            match &panel.content {
                Content::Lines { series, .. } => {
                    let papers = series.iter().flat_map(|series| &series.published);
                    papers.map(|paper| paper.relation).collect()
                }
                Content::Dots { rows, .. } => {
                    let values = rows.iter().flat_map(|row| &row.values);
                    values.filter_map(|value| value.published.map(|_| Relation::Is)).collect()
                }
            }
        };
        self.panels.iter().flat_map(of_panel).collect()
    }

    /// What has to be said about the confidence intervals: only what can be seen.
    fn note_on_intervals(&self, frames: &[Frame]) -> Option<&'static str> {
        let widest = |is_wanted: fn(&Content) -> bool| {
            let panels = self.panels.iter().zip(frames);
            let widths = panels.filter(|(panel, _)| is_wanted(&panel.content)).filter_map(
                |(panel, frame)| match &panel.content {
                    Content::Lines { y, series, .. } => lines::widest_band(frame, y, series),
                    Content::Dots { x, rows } => dots::widest_interval(frame, x, rows),
                },
            );
            widths.max_by(f64::total_cmp)
        };
        let band = widest(|content| matches!(content, Content::Lines { .. }));
        let whisker = widest(|content| matches!(content, Content::Dots { .. }));
        match (band, whisker) {
            (Some(band), _) if band > LEAST_BAND => Some("bands: 95 % confidence"),
            (_, Some(whisker)) if whisker > LEAST_WHISKER => Some("whiskers: 95 % confidence"),
            (Some(_), _) => Some("95 % confidence intervals are narrower than the lines"),
            (_, Some(_)) => Some("95 % confidence intervals are narrower than the markers"),
            (None, None) => None,
        }
    }
}

/// The positions of all parts.
struct Layout {
    size: (u32, u32),
    /// The entries of the legend by row.
    legend: Vec<Vec<Sign>>,
    frames: Vec<Frame>,
    notes: Vec<String>,
    notes_top: f64,
}

/// What a part of the legend explains.
#[derive(Clone, PartialEq, Debug)]
enum Sign {
    Entry(Entry),
    Paper,
}

impl Layout {
    fn of(figure: &Figure) -> Self {
        let columns = figure.columns.min(figure.panels.len()).max(1);
        let width = columns as f64 * figure.panel_size.0 + 2.0 * MARGIN;
        let title_width = text_width(&figure.title, TITLE, true) + 2.0 * MARGIN;
        let width = width.max(title_width.min(1000.0)).ceil();
        let rows = figure.panels.len().div_ceil(columns) as f64;
        let relations = figure.relations();
        let papers = (!relations.is_empty()).then_some(Sign::Paper);
        let signs = figure.legend.iter().cloned().map(Sign::Entry).chain(papers);
        let legend = legend_rows(signs, width - 2.0 * MARGIN);
        let panels_top = 34.0 + legend.len() as f64 * LEGEND_ROW + 6.0;
        let frames: Vec<Frame> = (figure.panels.iter().enumerate())
            .map(|(index, panel)| {
                let (column, row) = ((index % columns) as f64, (index / columns) as f64);
                let (width, height) = figure.panel_size;
                let corner = (MARGIN + column * width, panels_top + row * height);
                let room_left = match &panel.content {
                    Content::Lines { y, .. } => Frame::room_for(y),
                    Content::Dots { rows, .. } => dots::room_for_names(rows),
                };
                Frame::inside(corner, figure.panel_size, &panel.title, room_left)
            })
            .collect();
        let mut notes = figure.notes.clone();
        notes.extend(figure.note_on_intervals(&frames).map(str::to_owned));
        if relations.iter().any(|relation| matches!(relation, Relation::Over | Relation::Under)) {
            notes.push("arrows: the paper gives a bound".to_owned());
        }
        let notes = wrap(&notes.join(" · "), width - 2.0 * MARGIN, NOTE);
        let notes_top = panels_top + rows * figure.panel_size.1;
        let height = (notes_top + notes.len() as f64 * NOTE_ROW + MARGIN).ceil();
        Self { size: (width as u32, height as u32), legend, frames, notes, notes_top }
    }

    fn draw(&self, figure: &Figure, surface: &mut Surface<'_>) {
        surface.text(&figure.title, (MARGIN, 24.0), heading(TITLE));
        for (row, signs) in self.legend.iter().enumerate() {
            let y = 34.0 + (row as f64 + 0.5) * LEGEND_ROW;
            let mut x = MARGIN;
            for sign in signs {
                sign.draw(surface, (x, y));
                x += sign.width();
            }
        }
        for (panel, frame) in figure.panels.iter().zip(&self.frames) {
            let title = fitted(&panel.title, frame.width(), PANEL_TITLE, true);
            surface.text(&title, (frame.left, frame.top - 9.0), heading(PANEL_TITLE));
            match &panel.content {
                Content::Lines { x, y, series } => lines::draw(surface, frame, x, y, series),
                Content::Dots { x, rows } => dots::draw(surface, frame, x, rows),
            }
        }
        for (row, note) in self.notes.iter().enumerate() {
            let place = (MARGIN, self.notes_top + (row as f64 + 1.0) * NOTE_ROW);
            surface.text(note, place, lettering(NOTE, Colour::GREY, Anchor::Start));
        }
    }
}

impl Sign {
    fn name(&self) -> &str {
        match self {
            Self::Entry(entry) => &entry.name,
            Self::Paper => PAPER,
        }
    }

    const fn room(&self) -> f64 {
        match self {
            Self::Entry(_) => SIGN,
            Self::Paper => SIGN / 2.0 + 2.0,
        }
    }

    fn width(&self) -> f64 {
        self.room() + text_width(self.name(), LEGEND, false) + LEGEND_GAP
    }

    fn draw(&self, surface: &mut Surface<'_>, (x, y): Point) {
        match self {
            Self::Entry(Entry { look, is_bound, .. }) => {
                let end = x + SIGN - 6.0;
                let width = if *is_bound { 1.3 } else { 1.8 };
                surface.dashed(&[(x, y), (end, y)], look.colour, width, look.dash);
                if !is_bound {
                    look.marker.draw(surface, (f64::midpoint(x, end), y), 3.4, look.colour);
                }
            }
            Self::Paper => draw_paper_marker(surface, (x + 7.0, y), Colour::GREY),
        }
        let style = lettering(LEGEND, Colour::INK, Anchor::Start);
        surface.text(self.name(), (x + self.room(), y + 3.9), style);
    }
}

/// The signs of the legend in as many rows as they need.
fn legend_rows(signs: impl Iterator<Item = Sign>, width: f64) -> Vec<Vec<Sign>> {
    let mut rows: Vec<Vec<Sign>> = Vec::new();
    let mut room = 0.0;
    for sign in signs {
        let needed = sign.width();
        match rows.last_mut() {
            Some(row) if needed - LEGEND_GAP <= room => row.push(sign),
            _ => {
                rows.push(vec![sign]);
                room = width;
            }
        }
        room -= needed;
    }
    rows
}

/// A text, cut off where it would run into what stands beside it.
pub fn fitted(text: &str, width: f64, size: f64, is_bold: bool) -> String {
    let fits = |text: &str| text_width(text, size, is_bold) <= width;
    if fits(text) {
        return text.to_owned();
    }
    let longest = text.chars().count().min(100);
    let mut shorter = (1..longest).rev().map(|most| printable(text, most));
    shorter.find(|text| fits(text)).unwrap_or_default()
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
    use super::super::lines::Dot;
    use super::super::style::Palette;
    use super::*;

    #[test]
    fn the_title_of_a_panel_does_not_run_into_the_next_one() {
        let fitted = |text: &str| fitted(text, 200.0, PANEL_TITLE, true);
        assert_eq!(fitted("lak304d"), "lak304d");
        let short = fitted(&"lak304d".repeat(1000));
        assert!(short.starts_with("lak304dlak304d") && short.ends_with("..."), "{short}");
        assert!(text_width(&short, PANEL_TITLE, true) <= 200.0);
    }

    /// A figure of two dots with these intervals.
    fn notes(intervals: [Option<(f64, f64)>; 2]) -> String {
        let dot = |x: f64, interval| Dot { x, y: 50.0, interval };
        let series = Series {
            name: "far".to_owned(),
            look: Palette::numbered(0),
            dots: vec![dot(1.0, intervals[0]), dot(2.0, intervals[1])],
            published: Vec::new(),
            is_bound: false,
            is_labelled: false,
        };
        let y = Axis::percent("rate", [0.0, 100.0].into_iter(), 5);
        let x = Axis::linear("agents", [1.0, 2.0].into_iter(), 5);
        let content = Content::Lines { x, y, series: vec![series] };
        let figure = Figure {
            name: String::new(),
            title: String::new(),
            notes: Vec::new(),
            legend: Vec::new(),
            panels: vec![Panel { title: String::new(), content }],
            columns: 1,
            panel_size: ALONE,
        };
        Layout::of(&figure).notes.join(" ")
    }

    #[test]
    fn bands_are_promised_only_where_they_can_be_seen() {
        assert_eq!(notes([None, None]), "");
        assert_eq!(notes([Some((40.0, 60.0)), Some((40.0, 60.0))]), "bands: 95 % confidence");
        let narrow = notes([Some((50.0, 50.0)), Some((49.9, 50.1))]);
        assert_eq!(narrow, "95 % confidence intervals are narrower than the lines");
    }
}
