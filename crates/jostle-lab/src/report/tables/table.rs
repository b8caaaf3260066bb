//! What a table says, however it is written.

use super::super::measure::{Better, Measure};
use super::super::papers::Published;
use super::super::stats::Estimate;
use super::{Format, latex, text};

/// A table.
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    /// What to call it in the name of a file.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// What the columns are.
    pub header: Vec<String>,
    /// The lines.
    pub lines: Vec<Line>,
    /// What a reader has to know: the rule, and what the paper did otherwise.
    pub notes: Vec<String>,
}

/// A line of a table.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// What it is about.
    pub label: String,
    /// A cell for each column after the first.
    pub cells: Vec<Cell>,
    /// Whether it sums up those above it.
    pub is_summary: bool,
}

/// Our value, and the paper's.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cell {
    /// What our runs came to; nothing if there are none.
    pub ours: Option<Estimate>,
    /// What the paper has; nothing if it has none.
    pub paper: Option<Published>,
    /// How many digits ours gets after the point.
    pub digits: usize,
    /// Whether it is the best of its line or column.
    pub is_best: bool,
}

impl Cell {
    /// A value of a measure.
    pub fn new(measure: Measure, ours: Option<Estimate>, paper: Option<Published>) -> Self {
        let digits = ours.map_or(0, |estimate| measure.digits(estimate.mean));
        Self { ours, paper, digits, is_best: false }
    }

    /// The value without its interval.
    pub fn value(&self) -> Option<String> {
        self.ours.map(|estimate| format!("{:.*}", self.digits, estimate.mean))
    }
}

/// Marks the best cells. Those that read the same are equally good.
pub fn mark_best<'a>(measure: Measure, cells: impl Iterator<Item = &'a mut Cell>) {
    let mut cells: Vec<&mut Cell> = cells.collect();
    let means = cells.iter().filter_map(|cell| cell.ours).map(|estimate| estimate.mean);
    let best = match measure.better() {
        Better::More => means.reduce(f64::max),
        Better::Less => means.reduce(f64::min),
    };
    let Some(best) = best else { return };
    let shown = format!("{:.*}", measure.digits(best), best);
    if cells.iter().filter(|cell| cell.ours.is_some()).count() > 1 {
        for cell in &mut cells {
            cell.is_best = cell.value().as_ref() == Some(&shown);
        }
    }
}

impl Table {
    /// The table as text.
    pub fn write(&self, format: Format) -> String {
        match format {
            Format::Text => text::write(self, text::Style::Lines),
            Format::Markdown => text::write(self, text::Style::Markdown),
            Format::Latex => latex::write(self),
        }
    }
}
