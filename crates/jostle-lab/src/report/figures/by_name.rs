//! Completion rates as dots, by kind of problem or by map, with the papers' values beside them.

use super::super::measure::Measure;
use super::super::papers::{PerMap, completion_by_kind};
use super::super::section::Section;
use super::axis::Axis;
use super::dots::{self, Row, Value};
use super::legend;
use super::lines::Dot;
use super::panel::{ROOM_BELOW, room_above};
use super::plot::{ALONE, Content, Figure, Panel};
use super::style::Palette;
use crate::Record;

const MEASURE: Measure = Measure::CompletionRate;

/// Table 5.2 of the thesis, if runs are of several kinds.
pub fn kinds(section: &Section<'_>, palette: &Palette) -> Result<Figure, String> {
    let name = format!("{}-kinds", section.slug());
    if section.kinds.len() < 2 {
        return Err(format!("{name}: all runs are of one kind"));
    }
    let title = "Completion rate by kind of problem (Table 5.2 of the thesis)";
    let rows = rows(
        section,
        palette,
        &section.kinds,
        |record| record.kind_name(),
        |kind, planner| completion_by_kind(section, kind, planner).map(|published| published.value),
    );
    Ok(figure(section, palette, name, title, rows))
}

/// Table I of the BMAA\* paper, if it has numbers for these maps.
pub fn maps(section: &Section<'_>, palette: &Palette) -> Result<Figure, String> {
    let name = format!("{}-completion-rate-paper", section.slug());
    let table = PerMap::beside(section, MEASURE);
    let published = |map: &str, planner: &str| Some(table?.on(map, planner)?.value);
    let has_number = |map: &&str| section.contestants.iter().any(|p| published(map, p).is_some());
    let maps: Vec<&str> = section.maps.iter().copied().filter(has_number).collect();
    if maps.is_empty() {
        return Err(format!("{name}: the paper has no numbers for these runs"));
    }
    let title = "Completion rate by map (Table I of the BMAA* paper)";
    let rows = rows(section, palette, &maps, |record| &record.map, published);
    Ok(figure(section, palette, name, title, rows))
}

fn rows(
    section: &Section<'_>,
    palette: &Palette,
    names: &[&str],
    name_of: impl Fn(&Record) -> &str,
    published: impl Fn(&str, &str) -> Option<f64>,
) -> Vec<Row> {
    let cells = section.by(|record| (name_of(record), record.contestant().text()));
    let value = |name: &str, planner: &str| {
        let records = cells.get(&(name, planner)).into_iter().flatten().copied();
        let estimate = MEASURE.estimate(records, section);
        let ours = estimate.map(|estimate| Dot::of(0.0, &estimate));
        Value { look: palette.look(planner), ours, published: published(name, planner) }
    };
    let row = |name: &&str| Row {
        name: (*name).to_owned(),
        values: section.contestants.iter().map(|planner| value(name, planner)).collect(),
    };
    names.iter().map(row).collect()
}

fn figure(
    section: &Section<'_>,
    palette: &Palette,
    name: String,
    title: &str,
    rows: Vec<Row>,
) -> Figure {
    let x = Axis::percent(&MEASURE.title(section), dots::values(&rows), 6);
    let height = dots::height(&rows) + room_above("") + ROOM_BELOW;
    Figure {
        name,
        title: title.to_owned(),
        notes: vec![section.title()],
        legend: legend(section, palette),
        panels: vec![Panel { title: String::new(), content: Content::Dots { x, rows } }],
        columns: 1,
        panel_size: (ALONE.0, height),
    }
}
