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

/// A limit as a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Unit {
    Seconds,
    Ticks,
}

impl Unit {
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
            let same: Vec<&Section<'_>> = sections
                .iter()
                .filter(|section| section.neighbours == neighbours)
                .filter(|section| unit.of(section.limits).is_some())
                .collect();
            if same.len() > 1 {
                figures.push(figure(&same, palette, unit, neighbours));
            }
        }
    }
    if figures.is_empty() {
        figures.push(Err("limits: there are not several limits of one unit".to_owned()));
    }
    figures
}

fn figure(
    sections: &[&Section<'_>],
    palette: &Palette,
    unit: Unit,
    neighbours: u8,
) -> Result<Figure, String> {
    let name = match unit {
        Unit::Seconds => format!("limits-seconds-{neighbours}way"),
        Unit::Ticks => format!("limits-ticks-{neighbours}way"),
    };
    // Only instances that were run within every limit say what a limit does.
    let mut runs: BTreeMap<(&str, _), usize> = BTreeMap::new();
    for row in sections.iter().flat_map(|section| &section.rows) {
        *runs.entry((&row.planner, row.instance())).or_default() += 1;
    }
    let is_everywhere =
        |row: &&&Row| runs.get(&(&row.planner, row.instance())) == Some(&sections.len());
    let rows: Vec<(f64, &Row)> = sections
        .iter()
        .flat_map(|section| {
            let limit = unit.of(section.limits).unwrap_or(0.0);
            section.rows.iter().filter(is_everywhere).map(move |row| (limit, *row))
        })
        .collect();
    if rows.is_empty() {
        return Err(format!("{name}: no instance was run within every limit"));
    }
    let planners: BTreeSet<&str> = rows.iter().map(|(_, row)| &*row.planner).collect();
    let in_order = sections[0].planners.iter().filter(|planner| planners.contains(**planner));
    let maps: BTreeSet<&str> = rows.iter().map(|(_, row)| &*row.map).collect();
    let maps: Vec<&str> = maps.into_iter().collect();
    let limits: Vec<f64> = sections.iter().filter_map(|section| unit.of(section.limits)).collect();
    let measure = Measure::CompletionRate;
    let line = |planner: &&str| {
        let dot = |limit: &f64| {
            let rows = rows.iter().filter(|(at, row)| at == limit && *row.planner == **planner);
            let estimate = measure.estimate(rows.map(|(_, row)| *row), sections[0].limits)?;
            Some(Dot::of(measure, *limit, &estimate))
        };
        let paper = PerMap::beside(sections[0], measure).filter(|_| unit == Unit::Seconds);
        let paper = paper.and_then(|table| table.overall(&maps, planner));
        Series {
            name: (*planner).to_owned(),
            look: palette.look(planner),
            dots: limits.iter().filter_map(dot).collect(),
            published: paper
                .map(|paper| (SECONDS, paper.value, Relation::Is))
                .into_iter()
                .collect(),
            is_bound: false,
            is_labelled: true,
        }
    };
    let series: Vec<Series> = in_order.map(line).collect();
    let label = match unit {
        Unit::Seconds => "limit (s)",
        Unit::Ticks => "limit (ticks)",
    };
    let papers = series.iter().flat_map(|series| series.published.iter().map(|dot| dot.0));
    let mut ticks: Vec<f64> = limits.iter().copied().chain(papers).collect();
    ticks.sort_by(f64::total_cmp);
    ticks.dedup();
    let x = Axis { ticks: ticks.clone(), ..Axis::logarithmic(label, ticks.into_iter()) };
    let entry = |series: &Series| Entry {
        name: series.name.clone(),
        look: series.look,
        is_bound: series.is_bound,
    };
    let legend = series.iter().map(entry).collect();
    let y = Axis::percent(&measure.title(sections[0]));
    let panel = Panel { title: String::new(), y, content: Content::Lines(x, series) };
    Ok(Figure {
        name,
        title: "Completion rate over the limit".to_owned(),
        notes: vec![
            format!("{neighbours} neighbours"),
            "instances that were run within every limit".to_owned(),
            "bands: 95 % confidence".to_owned(),
        ],
        legend,
        panels: vec![panel],
        columns: 1,
        panel_size: (680.0, 380.0),
    })
}
