//! Completion rates over the limit: where does the order of the papers appear?

use std::collections::{BTreeMap, BTreeSet};

use jostle::Limits;

use super::super::measure::Measure;
use super::super::papers::{PerMap, Relation, SECONDS};
use super::super::row::Row;
use super::super::section::Section;
use super::axis::Axis;
use super::lines::{Dot, Series};
use super::plot::{Content, Entry, Figure, Panel};
use super::style::Palette;

const MEASURE: Measure = Measure::CompletionRate;

/// What a limit counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Unit {
    Seconds,
    Ticks,
}

impl Unit {
    const fn name(self) -> &'static str {
        match self {
            Self::Seconds => "seconds",
            Self::Ticks => "ticks",
        }
    }

    /// The limit in this unit, if it is a limit of this unit alone.
    fn of(self, limits: Limits) -> Option<f64> {
        match (self, limits) {
            (Self::Seconds, Limits { time: Some(time), ticks: None }) => Some(time.as_secs_f64()),
            (Self::Ticks, Limits { time: None, ticks: Some(ticks) }) => Some(ticks as f64),
            _ => None,
        }
    }
}

/// A figure over limits in seconds and one over limits in ticks, where there are several.
pub fn all(sections: &[Section<'_>], palette: &Palette) -> Vec<Result<Figure, String>> {
    let neighbours: BTreeSet<u8> = sections.iter().map(|section| section.neighbours).collect();
    let mut figures = Vec::new();
    for neighbours in neighbours.into_iter().rev() {
        for unit in [Unit::Seconds, Unit::Ticks] {
            let of_unit = sections.iter().filter(|section| section.neighbours == neighbours);
            let of_unit = of_unit.filter_map(|section| Some((unit.of(section.limits)?, section)));
            let of_unit: Vec<(f64, &Section<'_>)> = of_unit.collect();
            if of_unit.len() > 1 {
                figures.push(figure(&of_unit, palette, unit));
            }
        }
    }
    if figures.is_empty() {
        figures.push(Err("limits: there are not several limits of one unit".to_owned()));
    }
    figures
}

fn figure(
    sections: &[(f64, &Section<'_>)],
    palette: &Palette,
    unit: Unit,
) -> Result<Figure, String> {
    let first = sections[0].1;
    let name = format!("limits-{}-{}way", unit.name(), first.neighbours);
    let shared = shared_runs(sections);
    let maps: BTreeSet<&str> = shared.values().flatten().map(|(_, row)| &*row.map).collect();
    let maps: Vec<&str> = maps.into_iter().collect();
    let paper = PerMap::beside(first, MEASURE).filter(|_| unit == Unit::Seconds);
    let line = |planner: &str, runs: &[(usize, &Row)]| {
        let dot = |(index, (limit, section)): (usize, &(f64, &Section<'_>))| {
            let runs = runs.iter().filter(|(at, _)| *at == index).map(|(_, row)| *row);
            let estimate = MEASURE.estimate(runs, section.limits)?;
            Some(Dot::of(MEASURE, *limit, &estimate))
        };
        let published = paper.and_then(|table| table.overall(&maps, planner));
        let published = published.map(|paper| (SECONDS, paper.value, Relation::Is));
        Series {
            name: planner.to_owned(),
            look: palette.look(planner),
            dots: sections.iter().enumerate().filter_map(dot).collect(),
            published: published.into_iter().collect(),
            is_bound: false,
            is_labelled: true,
        }
    };
    let runs = first.planners.iter().filter_map(|planner| Some((planner, shared.get(planner)?)));
    let series: Vec<Series> = runs.map(|(planner, runs)| line(planner, runs)).collect();
    if series.is_empty() {
        return Err(format!("{name}: no instance was run within every limit"));
    }
    let papers = series.iter().flat_map(|series| series.published.iter().map(|dot| dot.0));
    let mut ticks: Vec<f64> = sections.iter().map(|(limit, _)| *limit).chain(papers).collect();
    ticks.sort_by(f64::total_cmp);
    ticks.dedup();
    let label = format!("limit ({})", unit.name());
    let x = Axis { ticks: ticks.clone(), ..Axis::logarithmic(&label, ticks.into_iter()) };
    let entry = |series: &Series| Entry {
        name: series.name.clone(),
        look: series.look,
        is_bound: series.is_bound,
    };
    Ok(Figure {
        name,
        title: "Completion rate over the limit".to_owned(),
        notes: vec![
            format!("{} neighbours", first.neighbours),
            "instances that were run within every limit".to_owned(),
            "bands: 95 % confidence".to_owned(),
        ],
        legend: series.iter().map(entry).collect(),
        panels: vec![Panel {
            title: String::new(),
            y: Axis::percent(&MEASURE.title(first)),
            content: Content::Lines(x, series),
        }],
        columns: 1,
        panel_size: (680.0, 380.0),
    })
}

/// The runs of each planner, with the index of their limit, on instances that it ran within every limit:
/// only those say what a limit does.
fn shared_runs<'a>(sections: &[(f64, &Section<'a>)]) -> BTreeMap<&'a str, Vec<(usize, &'a Row)>> {
    let mut instances: BTreeMap<_, Vec<(usize, &Row)>> = BTreeMap::new();
    for (index, (_, section)) in sections.iter().enumerate() {
        for row in &section.rows {
            instances.entry((&*row.planner, row.instance())).or_default().push((index, row));
        }
    }
    let mut shared: BTreeMap<&str, Vec<(usize, &Row)>> = BTreeMap::new();
    for ((planner, _), runs) in instances {
        let limits: BTreeSet<usize> = runs.iter().map(|(index, _)| *index).collect();
        if limits.len() == sections.len() {
            shared.entry(planner).or_default().extend(runs);
        }
    }
    shared
}
