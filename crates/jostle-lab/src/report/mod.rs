//! Tables and figures from the records of a folder, beside the papers' own numbers.
//!
//! [`Results::read`] streams the records, [`Report::of`] makes the tables and figures that they support, and
//! says why others are left out.

mod figures;
mod measure;
mod names;
mod papers;
mod read;
#[cfg(test)]
mod read_test;
mod section;
mod silver;
mod solvers;
mod stats;
mod tables;
mod write;

pub use figures::{Curve, Figure, MapPicture};
pub use measure::completion_time;
pub use read::{Filter, Results};
pub use stats::{Weight, student_t_95};
use std::collections::{BTreeSet, HashSet};

use jostle::Limits;

use figures::Palette;
use section::{Contest, Section, in_order};
use tables::{Compared, Comparison};

use crate::table::Table;
use crate::{Build, ContestantName, Record, grouped};

/// The report of a folder.
#[derive(Debug)]
pub struct Report {
    /// A summary of the runs, in a sentence.
    pub summary: String,
    /// Notes about the records.
    pub remarks: Vec<String>,
    /// A chapter for each setting, and one that compares them.
    pub chapters: Vec<Chapter>,
}

/// What a report contains, and how it takes means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Whether it has figures.
    pub figures: bool,
    /// How much each run counts in a mean.
    pub weight: Weight,
    /// The planner from which the differences of all others are shown, as the records name it; none for no such tables.
    pub against: Option<String>,
}

impl Default for Options {
    /// Figures, means over instances, no differences.
    fn default() -> Self {
        Self { figures: true, weight: Weight::Instances, against: None }
    }
}

/// The results of one setting.
#[derive(Debug)]
pub struct Chapter {
    /// The setting.
    pub title: String,
    /// The tables that the runs support.
    pub tables: Vec<Table>,
    /// The figures that they support.
    pub figures: Vec<Figure>,
    /// Tables and figures that were left out, and why.
    pub skipped: Vec<String>,
}

impl Report {
    /// The report of these runs.
    pub fn of(results: &Results, options: &Options) -> Self {
        let sections = Section::all(&results.records).into_iter();
        let sections: Vec<_> = sections.map(|section| section.weighted(options.weight)).collect();
        let names = |is_meant: fn(Contest) -> bool| {
            let all = results.records.iter().filter(|record| is_meant(Contest::of(record)));
            in_order(all.map(Record::contestant))
        };
        let planners = Palette::of(names(|contest| contest == Contest::Planners));
        let lifelong = Palette::of(names(|contest| matches!(contest, Contest::Lifelong(_))));
        let solvers = Palette::of_solvers(names(|contest| contest == Contest::Solvers));
        let meetings = Palette::of_solvers(names(|contest| contest == Contest::Meetings));
        let of_setting = |section: &Section<'_>| {
            let palette = match section.contest {
                Contest::Planners => &planners,
                Contest::Lifelong(_) => &lifelong,
                Contest::Solvers => &solvers,
                Contest::Meetings => &meetings,
            };
            let figures = if options.figures { figures::all(section, palette) } else { Vec::new() };
            Chapter::of(section, tables::all(section, options.against.as_deref()), figures)
        };
        let meanings: BTreeSet<String> = sections.iter().flat_map(Section::meanings).collect();
        let remarks = results.remarks.iter().cloned().chain(meanings).collect();
        let mut chapters: Vec<Chapter> = sections.iter().map(of_setting).collect();
        let is_across =
            |section: &Section<'_>| section.contest == Contest::Planners && !section.is_announced;
        let of_planners: Vec<Section<'_>> = sections.into_iter().filter(is_across).collect();
        if options.figures && !of_planners.is_empty() {
            let across = figures::across(&of_planners, &planners);
            chapters.push(Chapter::new("All limits".to_owned(), Vec::new(), across));
        }
        Self { summary: summary(results), remarks, chapters }
    }

    /// The tables of Silver's experiment, from runs that were just made.
    pub fn of_silver(records: Vec<Record>) -> Self {
        let results = Results::of(records);
        let sections = Section::all(&results.records);
        let chapter = |section| Chapter::of(section, tables::silver(section), Vec::new());
        let chapters = sections.iter().map(chapter).collect();
        Self { summary: summary(&results), remarks: results.remarks, chapters }
    }
}

impl Chapter {
    fn of(
        section: &Section<'_>,
        tables: Vec<Result<Comparison, String>>,
        figures: Vec<Result<Figure, String>>,
    ) -> Self {
        let runs = match section.contest {
            Contest::Planners => "Runs of",
            Contest::Lifelong(_) => "Lifelong runs,",
            Contest::Solvers | Contest::Meetings => "Solvers,",
        };
        Self::new(format!("{runs} {}", section.title()), tables, figures)
    }

    fn new(
        title: String,
        tables: Vec<Result<Comparison, String>>,
        figures: Vec<Result<Figure, String>>,
    ) -> Self {
        let mut skipped = Vec::new();
        let tables = made(tables, "table", &mut skipped);
        let tables = tables.into_iter().map(|table| table.with_cells(Compared::cell)).collect();
        let figures = made(figures, "figure", &mut skipped);
        Self { title, tables, figures, skipped }
    }
}

/// Those that could be made; the reasons for the others go to `skipped`.
fn made<T>(all: Vec<Result<T, String>>, what: &str, skipped: &mut Vec<String>) -> Vec<T> {
    let mut note = |reason: String| skipped.push(format!("{what} {reason}"));
    all.into_iter().filter_map(|one| one.map_err(&mut note).ok()).collect()
}

/// A summary of the runs, in two or three sentences.
fn summary(results: &Results) -> String {
    let count = |number: usize, one: &str| match number {
        1 => format!("1 {one}"),
        many => format!("{} {one}s", grouped(many as u64)),
    };
    let records = &results.records;
    if records.is_empty() {
        return "No run was finished.".to_owned();
    }
    let maps: BTreeSet<&str> = records.iter().map(|record| &*record.map).collect();
    let contestants: BTreeSet<_> = records.iter().map(Record::contestant).collect();
    let is_solver = |name: &&ContestantName<'_>| matches!(name, ContestantName::Solver(_));
    let solvers = contestants.iter().filter(is_solver).count();
    let sorts = [(contestants.len() - solvers, "planner"), (solvers, "solver")];
    let contestants: Vec<String> = sorts
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, one)| count(*number, one))
        .collect();
    let contestants = contestants.join(", ");
    let maps = count(maps.len(), "map");
    let limits: HashSet<Limits> = records.iter().map(|record| record.limit).collect();
    let (runs, limits) = (count(records.len(), "run"), count(limits.len(), "limit"));
    let builds: Vec<String> = results.builds.iter().map(Build::to_string).collect();
    let fingerprint = results.fingerprint().map_or_else(String::new, |fingerprint| {
        format!(" Fingerprint of what reproduces: {fingerprint}.")
    });
    let builds = builds.join(", ");
    format!("{runs}: {contestants}, {maps}, {limits}. Made by Jostle {builds}.{fingerprint}")
}
