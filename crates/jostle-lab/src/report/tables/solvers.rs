//! The tables of solvers: how many instances they solve, how fast, how well, and with how much work.
//!
//! Times, costs and nodes are means over the instances that were solved, so a solver that solves only easy ones looks
//! good there. Each cell says how many instances count, and the best is marked only where all solved the same ones.

use std::collections::BTreeSet;

use super::super::measure::Measure;
use super::super::section::Section;
use super::super::solvers::{measures, says_something};
use super::comparison::{Compared, Comparison, mark_best};
use crate::Record;
use crate::table::{Line, capital};

/// A note on measures of solved instances.
const OF_SOLVED: &str = "n/m: n of m instances were solved, and the others do not count for times, costs, nodes and first sets; \
                         of these the best is marked where all solved the same instances";

/// A note on the share of solved instances.
const SOLVED: &str = "n/m: a plan was found for n of m instances";

/// A note on measures of all instances.
const OF_ALL: &str = "mean over all instances, solved or not: an unsolved one counts with what came up within its limit";

/// An overview, a table for each measure by number of agents or tasks, and the solved instances by map.
pub fn all(section: &Section<'_>) -> Vec<Result<Comparison, String>> {
    let mut tables = vec![Ok(overview(section))];
    let (slug, unit) = (section.slug(), section.contest.unit());
    let name = |measure: Measure| format!("{slug}-{}-{unit}", measure.slug());
    if let Err(reason) = section.has_sizes() {
        tables.push(Err(format!("{}: {reason}", name(Measure::Solved))));
        return tables;
    }
    for measure in measures(section) {
        let table = says_something(section, measure)
            .map(|()| by_size(section, measure, name(measure)))
            .map_err(|reason| format!("{}: {reason}", name(measure)));
        tables.push(table);
    }
    tables.push(by_map(section));
    tables
}

/// A line for each solver, a column for each measure.
fn overview(section: &Section<'_>) -> Comparison {
    let mut measures = measures(section);
    measures.retain(|&measure| says_something(section, measure).is_ok());
    measures.push(Measure::Memory);
    let runs = section.by(|record| record.contestant().text());
    let mut lines = Vec::new();
    for &solver in &section.contestants {
        let cells = measures.iter().map(|&measure| cell(section, measure, runs.get(solver)));
        lines.push(Line {
            label: section.label(solver).to_owned(),
            cells: cells.collect(),
            is_summary: false,
        });
    }
    for (column, &measure) in measures.iter().enumerate() {
        mark(measure, &mut lines, column, runs.values());
    }
    let titles = measures.iter().map(|measure| measure.title(section));
    Comparison {
        name: format!("{}-solvers", section.slug()),
        title: format!("Solvers, {}", section.title()),
        header: std::iter::once("solver".to_owned()).chain(titles).collect(),
        lines,
        notes: vec![
            format!("all maps and numbers of {}", section.contest.unit()),
            OF_SOLVED.to_owned(),
            "memory: what the search holds when it ends, solved or not".to_owned(),
        ],
    }
}

/// A line for each solver, a column for each number of agents or tasks.
fn by_size(section: &Section<'_>, measure: Measure, name: String) -> Comparison {
    let runs = section.by(|record| (record.contestant().text(), record.size()));
    let runs_of = |solver, size| runs.get(&(solver, size));
    let mut lines = Vec::new();
    for &solver in &section.contestants {
        let cells = section.sizes.iter().map(|&size| cell(section, measure, runs_of(solver, size)));
        lines.push(Line {
            label: section.label(solver).to_owned(),
            cells: cells.collect(),
            is_summary: false,
        });
    }
    for (column, &size) in section.sizes.iter().enumerate() {
        let of_column = section.contestants.iter().filter_map(|solver| runs_of(solver, size));
        mark(measure, &mut lines, column, of_column);
    }
    let mut notes = vec!["all maps".to_owned()];
    let rule = match measure {
        Measure::Solved => SOLVED,
        _ if measure.is_of_solved() => OF_SOLVED,
        _ => OF_ALL,
    };
    notes.push(rule.to_owned());
    Comparison {
        name,
        title: format!(
            "{} by number of {}, {}",
            capital(&measure.title(section)),
            section.contest.unit(),
            section.title()
        ),
        header: header(section, "solver"),
        lines,
        notes,
    }
}

/// A line for each map and solver, a column for each number of agents or tasks.
fn by_map(section: &Section<'_>) -> Result<Comparison, String> {
    let measure = Measure::Solved;
    let name = format!("{}-{}-maps", section.slug(), measure.slug());
    if section.maps.len() < 2 {
        return Err(format!("{name}: all runs are on one map"));
    }
    let runs = section.by(|record| (&*record.map, record.contestant().text(), record.size()));
    let mut lines = Vec::new();
    for &map in &section.maps {
        let mut of_map = Vec::new();
        for &solver in &section.contestants {
            let cells = section
                .sizes
                .iter()
                .map(|&size| cell(section, measure, runs.get(&(map, solver, size))));
            let label = format!("{map}, {}", section.label(solver));
            of_map.push(Line { label, cells: cells.collect(), is_summary: false });
        }
        for (column, &size) in section.sizes.iter().enumerate() {
            let solvers = section.contestants.iter();
            let of_column = solvers.filter_map(|solver| runs.get(&(map, *solver, size)));
            mark(measure, &mut of_map, column, of_column);
        }
        lines.extend(of_map);
    }
    Ok(Comparison {
        name,
        title: format!("{} by map, {}", capital(&measure.title(section)), section.title()),
        header: header(section, "map, solver"),
        lines,
        notes: vec![SOLVED.to_owned(), "the best is that of its map".to_owned()],
    })
}

/// The value of these runs; empty where none has one.
fn cell(section: &Section<'_>, measure: Measure, runs: Option<&Vec<&Record>>) -> Compared {
    let runs = runs.map_or(&[][..], Vec::as_slice);
    let ours = measure.estimate(runs.iter().copied(), section);
    let says_how_many = !runs.is_empty() && (measure == Measure::Solved || measure.is_of_solved());
    let solved = runs.iter().filter(|record| is_solved(record)).count();
    let solved = says_how_many.then_some((solved, runs.len()));
    Compared { solved, ..Compared::new(measure, ours, None) }
}

fn is_solved(record: &Record) -> bool {
    record.solver.as_ref().is_some_and(|run| run.is_solved())
}

/// Marks the best of a column, unless it would mislead: where solvers have solved different instances, or none at all.
fn mark<'a>(
    measure: Measure,
    lines: &mut [Line<Compared>],
    column: usize,
    runs: impl Iterator<Item = &'a Vec<&'a Record>> + Clone,
) {
    let is_any_solved = runs.clone().flatten().any(|record| is_solved(record));
    if is_any_solved && (!measure.is_of_solved() || solve_the_same(runs)) {
        mark_best(measure, lines.iter_mut().map(|line| &mut line.cells[column]));
    }
}

/// Whether several solvers have solved the same instances.
fn solve_the_same<'a>(runs: impl Iterator<Item = &'a Vec<&'a Record>>) -> bool {
    let solved = runs.map(|runs| {
        runs.iter()
            .filter(|record| is_solved(record))
            .map(|record| record.instance())
            .collect::<BTreeSet<_>>()
    });
    let solved: Vec<_> = solved.collect();
    solved.windows(2).all(|pair| pair[0] == pair[1])
}

fn header(section: &Section<'_>, first: &str) -> Vec<String> {
    let unit = section.contest.unit();
    let sizes = section.sizes.iter().map(|size| format!("{size} {unit}"));
    std::iter::once(first.to_owned()).chain(sizes).collect()
}
