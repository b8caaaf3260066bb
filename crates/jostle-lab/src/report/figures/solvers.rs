//! The figures of solvers: values over the number of agents, and the instances solved over time.

use std::collections::BTreeMap;

use super::super::measure::Measure;
use super::super::section::Section;
use super::super::solvers::{MEASURES, says_something};
use super::axis::Axis;
use super::legend;
use super::lines::{Dot, Series};
use super::over_agents::{overall, per_map};
use super::plot::{Content, Figure, Panel};
use super::style::Palette;
use crate::Record;

/// Solved instances for all maps and for each map, the other measures for all maps, and the solved instances over time.
pub fn all(section: &Section<'_>, palette: &Palette) -> Vec<Result<Figure, String>> {
    let mut figures = Vec::new();
    if section.agents.len() < 2 {
        let reason = "all runs have the same number of agents";
        figures.push(Err(format!("{}-agents: {reason}", section.slug())));
    } else {
        for measure in MEASURES {
            let name = || format!("{}-{}", section.slug(), measure.slug());
            let figure = says_something(section, measure)
                .map(|()| overall(section, palette, measure))
                .map_err(|reason| format!("{}: {reason}", name()));
            figures.push(figure);
            if measure == Measure::Solved {
                figures.push(per_map(section, palette, measure));
            }
        }
    }
    figures.push(over_time(section, palette));
    figures
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
        .map(|solver| Series {
            name: (*solver).to_owned(),
            look: palette.look(solver),
            dots: steps(section, &runs, solver, end),
            published: Vec::new(),
            is_bound: false,
            is_labelled: true,
        })
        .collect();
    let times: Vec<f64> = series.iter().flat_map(|series| &series.dots).map(|dot| dot.x).collect();
    if times.is_empty() {
        return Err(format!("{name}: no instance was solved"));
    }
    let x = Axis::logarithmic(&Measure::FirstPlan.title(section), times.into_iter());
    Ok(Figure {
        name,
        title: "Instances solved over time".to_owned(),
        notes: vec![section.title(), "share of all instances".to_owned()],
        legend: legend(section, palette),
        panels: vec![Panel {
            title: String::new(),
            y: Axis::percent(&Measure::Solved.title(section)),
            content: Content::Lines(x, series),
        }],
        columns: 1,
        panel_size: (680.0, 380.0),
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
