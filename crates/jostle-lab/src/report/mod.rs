//! Tables and figures from the records of a folder, beside the papers' own numbers.
//!
//! [`Results::read`] streams the records, [`Report::of`] makes of them whatever they support, and says what
//! they do not.

mod figures;
mod measure;
mod names;
mod papers;
mod read;
#[cfg(test)]
mod read_test;
mod row;
mod section;
mod silver;
mod stats;
mod tables;
#[cfg(test)]
mod testing;
mod write;

pub use figures::{Figure, MapPicture};
pub use read::{Filter, Results};
pub use tables::{Cell, Format, Line, Table};

use std::collections::BTreeSet;

use figures::Palette;
use names::planner_order;
use section::Section;

/// Everything that can be said about the runs of a folder.
#[derive(Debug)]
pub struct Report {
    /// What there is, in a sentence.
    pub summary: String,
    /// What a reader should know about the records.
    pub remarks: Vec<String>,
    /// A chapter for each setting, and one that compares them.
    pub chapters: Vec<Chapter>,
}

/// What the runs of one setting come to.
#[derive(Debug)]
pub struct Chapter {
    /// The setting.
    pub title: String,
    /// The tables that the runs support.
    pub tables: Vec<Table>,
    /// The figures that they support.
    pub figures: Vec<Figure>,
    /// What could not be made, and why.
    pub skipped: Vec<String>,
}

impl Report {
    /// What can be said about these runs, in tables, and in figures if they are wanted.
    pub fn of(results: &Results, with_figures: bool) -> Self {
        let sections = Section::all(&results.rows);
        let planners: BTreeSet<&str> = results.rows.iter().map(|row| &*row.planner).collect();
        let mut planners: Vec<&str> = planners.into_iter().collect();
        planners.sort_by(|a, b| planner_order(a, b));
        let palette = Palette::of(planners);
        let of_setting = |section: &Section<'_>| {
            let figures = if with_figures { figures::all(section, &palette) } else { Vec::new() };
            Chapter::new(format!("Runs of {}", section.title()), tables::all(section), figures)
        };
        let mut chapters: Vec<Chapter> = sections.iter().map(of_setting).collect();
        if with_figures {
            let across = figures::across(&sections, &palette);
            chapters.push(Chapter::new("All limits".to_owned(), Vec::new(), across));
        }
        Self { summary: summary(results), remarks: results.remarks.clone(), chapters }
    }
}

impl Chapter {
    fn new(
        title: String,
        tables: Vec<Result<Table, String>>,
        figures: Vec<Result<Figure, String>>,
    ) -> Self {
        let mut skipped = Vec::new();
        let tables = made(tables, "table", &mut skipped);
        let figures = made(figures, "figure", &mut skipped);
        Self { title, tables, figures, skipped }
    }
}

/// What could be made; the reasons why the others could not go to `skipped`.
fn made<T>(all: Vec<Result<T, String>>, what: &str, skipped: &mut Vec<String>) -> Vec<T> {
    let mut note = |reason: String| skipped.push(format!("{what} {reason}"));
    all.into_iter().filter_map(|one| one.map_err(&mut note).ok()).collect()
}

/// What there is, in a sentence.
fn summary(results: &Results) -> String {
    let count = |names: BTreeSet<&str>, one: &str| match names.len() {
        1 => format!("1 {one}"),
        many => format!("{many} {one}s"),
    };
    let rows = &results.rows;
    let planners = count(rows.iter().map(|row| &*row.planner).collect(), "planner");
    let maps = count(rows.iter().map(|row| &*row.map).collect(), "map");
    let limits = count(rows.iter().map(|row| &*row.limit).collect(), "limit");
    let versions = results.versions.join(", ");
    format!("{} runs: {planners}, {maps}, {limits}. Jostle {versions}.", rows.len())
}
