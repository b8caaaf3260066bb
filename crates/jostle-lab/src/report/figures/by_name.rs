//! Completion rates as bars, by kind of problem or by map, with the papers' values on them.

use super::super::measure::Measure;
use super::super::papers::{PerMap, completion_by_kind};
use super::super::section::Section;
use super::axis::Axis;
use super::bars::{Bar, Group};
use super::legend;
use super::lines::Dot;
use super::plot::{Content, Figure, Panel};
use super::style::Palette;
use crate::Record;

/// The most groups of bars that stand side by side.
const MOST_GROUPS: usize = 7;
const MEASURE: Measure = Measure::CompletionRate;

/// Table 5.2 of the thesis, if runs are of several kinds.
pub fn kinds(section: &Section<'_>, palette: &Palette) -> Result<Figure, String> {
    let name = format!("{}-kinds", section.slug());
    if section.kinds.len() < 2 {
        return Err(format!("{name}: all runs are of one kind"));
    }
    let title = "Completion rate by kind of problem (Table 5.2 of the thesis)";
    let groups = groups(
        section,
        palette,
        &section.kinds,
        |record| record.kind_name(),
        |kind, planner| completion_by_kind(kind, planner).map(|published| published.value),
    );
    Ok(figure(section, palette, name, title, &groups))
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
    let groups = groups(section, palette, &maps, |record| &record.map, published);
    Ok(figure(section, palette, name, title, &groups))
}

fn groups(
    section: &Section<'_>,
    palette: &Palette,
    names: &[&str],
    name_of: impl Fn(&Record) -> &str,
    published: impl Fn(&str, &str) -> Option<f64>,
) -> Vec<Group> {
    let cells = section.by(|record| (name_of(record), record.contestant().text()));
    let bar = |name: &str, planner: &str| {
        let records = cells.get(&(name, planner)).into_iter().flatten().copied();
        let value = MEASURE.estimate(records, section);
        let value = value.map(|estimate| Dot::of(0.0, &estimate));
        Bar { look: palette.look(planner), value, published: published(name, planner) }
    };
    let group = |name: &&str| Group {
        name: (*name).to_owned(),
        bars: section.contestants.iter().map(|planner| bar(name, planner)).collect(),
    };
    names.iter().map(group).collect()
}

/// Rows of groups, as equal as possible.
fn figure(
    section: &Section<'_>,
    palette: &Palette,
    name: String,
    title: &str,
    groups: &[Group],
) -> Figure {
    let rows = groups.len().div_ceil(MOST_GROUPS);
    let in_row = groups.len().div_ceil(rows);
    let width = (in_row * section.contestants.len()) as f64 * 17.0 + 80.0;
    let panel = |groups: &[Group]| Panel {
        title: String::new(),
        y: Axis::percent(&MEASURE.title(section)),
        content: Content::Bars(groups.to_vec()),
    };
    Figure {
        name,
        title: title.to_owned(),
        notes: vec![section.title(), "whiskers: 95 % confidence".to_owned()],
        legend: legend(section, palette),
        panels: groups.chunks(in_row).map(panel).collect(),
        columns: 1,
        panel_size: (width.max(640.0), if rows == 1 { 320.0 } else { 240.0 }),
    }
}
