//! The figures of solvers: values over the number of agents or tasks, and the instances solved over time.

use std::collections::BTreeMap;

use super::super::measure::Measure;
use super::super::section::Section;
use super::super::solvers::{measures, says_something};
use super::axis::Axis;
use super::legend;
use super::lines::{self, Dot, Series};
use super::over_size::{one_panel, overall, per_map};
use super::plot::{ALONE, Content, Figure, Panel};
use super::style::Palette;
use crate::Record;

/// Solved instances and first sets for all maps and for each map, the other measures for all maps, and the solved instances
/// over time.
pub fn all(section: &Section<'_>, palette: &Palette) -> Vec<Result<Figure, String>> {
    let mut figures = Vec::new();
    if let Err(reason) = section.has_sizes() {
        figures.push(Err(format!("{}-{}: {reason}", section.slug(), section.contest.unit())));
    } else {
        for measure in measures(section) {
            let name = || format!("{}-{}", section.slug(), measure.slug());
            let figure = says_something(section, measure)
                .map(|()| match measure {
                    Measure::FirstPlan
                    | Measure::BestPlan
                    | Measure::Nodes
                    | Measure::Sets
                    | Measure::SetsPlanned => medians(section, palette, measure),
                    _ => overall(section, palette, measure),
                })
                .map_err(|reason| format!("{}: {reason}", name()));
            let has_maps = matches!(measure, Measure::Solved | Measure::FirstSet) && figure.is_ok();
            figures.push(figure);
            if has_maps {
                figures.push(per_map(section, palette, measure));
            }
        }
    }
    figures.push(over_time(section, palette));
    figures
}

/// Medians over all instances, by number of agents or tasks. One that was not solved took longer than any that was, so there is a
/// median as long as half of them are solved; a mean over those alone would flatter a solver that solves only easy ones.
fn medians(section: &Section<'_>, palette: &Palette, measure: Measure) -> Figure {
    let runs = section.by(|record| (record.contestant().text(), record.size()));
    let series = section.contestants.iter().map(|solver| {
        let dots = section.sizes.iter().filter_map(|size| {
            let runs = runs.get(&(*solver, *size))?;
            let values = runs.iter().filter_map(|record| measure.of(record, section.limits));
            let y = median(values.collect(), runs.len())?;
            Some(Dot { x: f64::from(*size), y, interval: None })
        });
        line(section, palette, solver, dots.collect())
    });
    let unsolved = if measure.is_of_solved() {
        "no marker where fewer than half are solved"
    } else {
        "what came up within the limit, solved or not"
    };
    let notes = vec![section.title(), "median over all instances".to_owned(), unsolved.to_owned()];
    one_panel(section, palette, measure, series.collect(), notes)
}

/// The median of so many values, of which those that are not given are larger than all others; none if it is one of those.
fn median(mut given: Vec<f64>, count: usize) -> Option<f64> {
    given.sort_by(f64::total_cmp);
    let (lower, upper) = (given.get(count.checked_sub(1)? / 2)?, given.get(count / 2)?);
    Some(f64::midpoint(*lower, *upper))
}

fn line(section: &Section<'_>, palette: &Palette, solver: &str, dots: Vec<Dot>) -> Series {
    Series {
        name: section.label(solver).to_owned(),
        look: palette.look(solver),
        dots,
        published: Vec::new(),
        is_bound: false,
        is_labelled: true,
    }
}

/// Which share of all instances each solver has a plan for after so much time. Instances that are not solved count, so
/// solvers can be compared whichever they solved.
fn over_time(section: &Section<'_>, palette: &Palette) -> Result<Figure, String> {
    let name = format!("{}-solved-time", section.slug());
    let runs = section.by(|record| record.contestant().text());
    let end = last_time(section);
    let series: Vec<Series> = section
        .contestants
        .iter()
        .map(|solver| line(section, palette, solver, steps(section, &runs, solver, end)))
        .collect();
    let times: Vec<f64> = series.iter().flat_map(|series| &series.dots).map(|dot| dot.x).collect();
    if times.is_empty() {
        return Err(format!("{name}: no instance was solved"));
    }
    let x = Axis::logarithmic(&Measure::FirstPlan.title(section), times.into_iter());
    let y = Axis::percent(&Measure::Solved.title(section), lines::values(&series), 5);
    Ok(Figure {
        name,
        title: "Instances solved over time".to_owned(),
        notes: vec![section.title(), "share of all instances".to_owned()],
        legend: legend(section, palette),
        panels: vec![Panel { title: String::new(), content: Content::Lines { x, y, series } }],
        columns: 1,
        panel_size: ALONE,
    })
}

/// The share of its instances that a solver has solved, at each time at which it solves one.
fn steps(
    section: &Section<'_>,
    runs: &BTreeMap<&str, Vec<&Record>>,
    solver: &str,
    end: f64,
) -> Vec<Dot> {
    let runs = runs.get(solver).map_or(&[][..], Vec::as_slice);
    let times = runs.iter().filter_map(|record| Measure::FirstPlan.of(record, section.limits));
    let mut times: Vec<f64> = times.collect();
    times.sort_by(f64::total_cmp);
    let share = |solved: usize| 100.0 * solved as f64 / runs.len() as f64;
    let dot = |(index, x)| Dot { x, y: share(index + 1), interval: None };
    let mut dots: Vec<Dot> = times.into_iter().enumerate().map(dot).collect();
    // No more are solved until the end.
    let last = dots.last().map(|last| Dot { x: end, ..*last });
    dots.extend(last.filter(|last| dots.iter().all(|dot| dot.x < last.x)));
    dots
}

/// Where the lines end: at the limit, or at the last plan of all if seconds are not limited.
fn last_time(section: &Section<'_>) -> f64 {
    let limit = section.limits.time.map(|limit| limit.as_secs_f64() * 1000.0);
    let times = section.records.iter().filter_map(|run| Measure::FirstPlan.of(run, section.limits));
    limit.unwrap_or_else(|| times.fold(0.0, f64::max))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_given_is_larger_than_all_others() {
        assert_eq!(median(vec![3.0, 1.0, 2.0], 3), Some(2.0));
        assert_eq!(median(vec![3.0, 1.0, 2.0, 4.0], 4), Some(2.5));
        assert_eq!(median(vec![3.0, 1.0], 3), Some(3.0));
        assert_eq!(median(vec![1.0, 3.0], 4), None, "the third of four is not known");
        assert_eq!(median(vec![1.0, 2.0, 3.0], 5), Some(3.0));
        assert_eq!((median(vec![], 1), median(vec![], 0)), (None, None));
    }
}
