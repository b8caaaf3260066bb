//! Tables and figures from the records of a folder, beside the papers' own numbers.
//!
//! [`Results::read`] streams the records, [`Report::of`] makes of them whatever they support, and says what
//! they do not.

mod measure;
mod names;
mod papers;
mod read;
mod row;
mod section;
mod silver;
mod stats;
mod tables;
#[cfg(test)]
mod testing;
mod write;

pub use read::{Filter, Results};
pub use tables::{Cell, Format, Line, Table};

use std::collections::BTreeSet;

use section::Section;

/// Everything that can be said about the runs of a folder.
#[derive(Debug)]
pub struct Report {
    /// What there is, in a sentence.
    pub summary: String,
    /// What a reader should know about the records.
    pub remarks: Vec<String>,
    /// A chapter for each setting.
    pub chapters: Vec<Chapter>,
}

/// What the runs of one setting come to.
#[derive(Debug)]
pub struct Chapter {
    /// The setting.
    pub title: String,
    /// The tables that the runs support.
    pub tables: Vec<Table>,
    /// What could not be made, and why.
    pub skipped: Vec<String>,
}

impl Report {
    /// What can be said about these runs.
    pub fn of(results: &Results) -> Self {
        let sections = Section::all(&results.rows);
        let chapters = sections.iter().map(Chapter::of).collect();
        Self { summary: summary(results), remarks: results.remarks.clone(), chapters }
    }
}

impl Chapter {
    fn of(section: &Section<'_>) -> Self {
        let (mut tables, mut skipped) = (Vec::new(), Vec::new());
        for table in tables::all(section) {
            match table {
                Ok(table) => tables.push(table),
                Err(reason) => skipped.push(reason),
            }
        }
        Self { title: section.title(), tables, skipped }
    }
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
