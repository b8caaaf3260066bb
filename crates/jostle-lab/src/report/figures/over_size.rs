//! Values over the number of agents or tasks: Figure 2 of the BMAA\* paper, for all maps and for each map.

use std::collections::BTreeMap;

use super::super::measure::Measure;
use super::super::names::canonical;
use super::super::papers;
use super::super::section::Section;
use super::axis::Axis;
use super::lines::{self, Dot, Series};
use super::paper::PaperValue;
use super::plot::{ALONE, Content, Figure, Panel, SIDE_BY_SIDE};
use super::style::Palette;
use super::{headline, legend, number_of};
use crate::Record;

/// The most maps that are shown beside each other.
const MOST_MAPS: usize = 24;

/// The number of panels in a row: four or three, whichever leaves fewer gaps.
fn columns(panels: usize) -> usize {
    let gaps = |columns: &usize| panels.next_multiple_of(*columns) - panels;
    [4, 3].into_iter().min_by_key(gaps).unwrap_or(4)
}

/// Completion rates and distances over all maps and for each map, and the times of ticks.
pub fn all(section: &Section<'_>, palette: &Palette) -> Vec<Result<Figure, String>> {
    if let Err(reason) = section.has_sizes() {
        return vec![Err(format!("{}-agents: {reason}", section.slug()))];
    }
    vec![
        Ok(overall(section, palette, Measure::CompletionRate)),
        per_map(section, palette, Measure::CompletionRate),
        Ok(overall(section, palette, Measure::Distance)),
        per_map(section, palette, Measure::Distance),
        Ok(overall(section, palette, Measure::TickP99)),
    ]
}

/// Throughput over all maps and for each map, service times, and the times of ticks.
pub fn lifelong(section: &Section<'_>, palette: &Palette) -> Vec<Result<Figure, String>> {
    if let Err(reason) = section.has_sizes() {
        return vec![Err(format!("{}-agents: {reason}", section.slug()))];
    }
    vec![
        Ok(overall(section, palette, Measure::Throughput)),
        per_map(section, palette, Measure::Throughput),
        Ok(overall(section, palette, Measure::Service)),
        Ok(overall(section, palette, Measure::TickP99)),
    ]
}

/// One panel for all maps, of means.
pub fn overall(section: &Section<'_>, palette: &Palette, measure: Measure) -> Figure {
    let mut series = series(section, palette, measure, &section.records);
    if measure == Measure::CompletionRate {
        add_figure_2(section, &mut series, &papers::figure_2_points());
    }
    one_panel(section, palette, measure, series, notes(section, measure))
}

/// Adds what the BMAA\* paper says about completion rates over agents, if these runs are comparable with its own.
pub fn add_figure_2(section: &Section<'_>, series: &mut [Series], points: &[papers::OverAgents]) {
    if !papers::has_its_maps(section) {
        return;
    }
    for (planner, series) in section.contestants.iter().zip(series) {
        let of_planner = points.iter().filter(|point| point.0 == canonical(planner));
        series.published.extend(of_planner.map(|&(_, (from, to), y, relation)| PaperValue {
            across: (f64::from(from), f64::from(to)),
            y,
            relation,
        }));
    }
}

/// One panel of these series.
pub fn one_panel(
    section: &Section<'_>,
    palette: &Palette,
    measure: Measure,
    mut series: Vec<Series>,
    notes: Vec<String>,
) -> Figure {
    for series in &mut series {
        series.is_labelled = true;
    }
    let (x, y) = axes(section, measure, &series, 6);
    let origin = match measure {
        Measure::CompletionRate => " (Figure 2 of the BMAA* paper)",
        _ => "",
    };
    let panel = Panel { title: String::new(), content: Content::Lines { x, y, series } };
    Figure {
        name: format!("{}-{}", section.slug(), measure.slug()),
        title: format!("{} over the {}{origin}", headline(measure, section), number_of(section)),
        notes,
        legend: legend(section, palette),
        panels: vec![panel],
        columns: 1,
        panel_size: ALONE,
    }
}

/// A panel for each map.
pub fn per_map(
    section: &Section<'_>,
    palette: &Palette,
    measure: Measure,
) -> Result<Figure, String> {
    let name = format!("{}-{}-maps", section.slug(), measure.slug());
    let maps = section.maps.len();
    if maps < 2 {
        return Err(format!("{name}: all runs are on one map"));
    }
    if maps > MOST_MAPS {
        return Err(format!("{name}: {maps} maps are more than a figure can show ({MOST_MAPS})"));
    }
    let records = section.by(|record| &*record.map);
    let all: Vec<_> =
        records.values().map(|records| series(section, palette, measure, records)).collect();
    let together: Vec<Series> = all.iter().flatten().cloned().collect();
    let mut by_map: BTreeMap<&str, Vec<Series>> = records.keys().copied().zip(all).collect();
    let columns = columns(maps);
    let mut panels = Vec::new();
    for (index, &map) in section.maps.iter().enumerate() {
        let (mut x, mut y) = axes(section, measure, &together, 5);
        if !index.is_multiple_of(columns) {
            y.label = String::from(" ");
        }
        if index + columns < maps {
            x.label = String::new();
        }
        let series = by_map.remove(map).unwrap_or_default();
        panels.push(Panel { title: map.to_owned(), content: Content::Lines { x, y, series } });
    }
    Ok(Figure {
        name,
        title: format!("{} over the {}, by map", headline(measure, section), number_of(section)),
        notes: notes(section, measure),
        legend: legend(section, palette),
        panels,
        columns,
        panel_size: (SIDE_BY_SIDE / columns as f64, 190.0),
    })
}

fn notes(section: &Section<'_>, measure: Measure) -> Vec<String> {
    let rule: &[&str] = match measure {
        Measure::Solved => &["share of all instances"],
        Measure::FirstSet => &[
            "share of the instances that were solved",
            "first set: the cheapest meeting of every task",
        ],
        _ if measure.is_of_solved() => &["mean over the instances that were solved"],
        _ => &["mean over instances"],
    };
    std::iter::once(section.title()).chain(rule.iter().map(|&note| note.to_owned())).collect()
}

/// A line for each planner or solver.
pub fn series(
    section: &Section<'_>,
    palette: &Palette,
    measure: Measure,
    records: &[&Record],
) -> Vec<Series> {
    let mut cells: BTreeMap<(&str, u32), Vec<&Record>> = BTreeMap::new();
    for record in records {
        cells.entry((record.contestant().text(), record.size())).or_default().push(record);
    }
    let line = |planner: &&str| {
        let dots = section.sizes.iter().filter_map(|size| {
            let records = cells.get(&(*planner, *size))?;
            let estimate = measure.estimate(records.iter().copied(), section)?;
            Some(Dot::of(f64::from(*size), &estimate))
        });
        Series {
            name: section.label(planner).to_owned(),
            look: palette.look(planner),
            dots: dots.collect(),
            published: Vec::new(),
            is_bound: false,
            is_labelled: false,
        }
    };
    section.contestants.iter().map(line).collect()
}

/// Axes that cover all series.
pub fn axes(
    section: &Section<'_>,
    measure: Measure,
    series: &[Series],
    about_ticks: u32,
) -> (Axis, Axis) {
    let sizes = section.sizes.iter().map(|size| f64::from(*size));
    let x = Axis::linear(&number_of(section), sizes, about_ticks);
    let title = measure.title(section);
    let values = || lines::values(series);
    let y = match measure {
        _ if measure.is_share() => Axis::percent(&title, values(), 5),
        Measure::TickP99
        | Measure::FirstTick
        | Measure::SlowestLaterTick
        | Measure::FirstPlan
        | Measure::BestPlan => Axis::logarithmic(&title, lines::means(series)),
        Measure::Nodes | Measure::Sets | Measure::SetsPlanned => Axis::counts(&title, values()),
        Measure::CostOverBound | Measure::PathOverShortest => {
            Axis::above_one(&title, values(), about_ticks)
        }
        _ => Axis::linear(&title, values(), about_ticks),
    };
    (x, y)
}
