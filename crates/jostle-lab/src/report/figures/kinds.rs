//! Table 5.2 of the thesis as bars.

use super::super::measure::Measure;
use super::super::papers::completion_by_kind;
use super::super::section::Section;
use super::axis::Axis;
use super::bars::{Bar, Group};
use super::legend;
use super::lines::Dot;
use super::plot::{Content, Figure, Panel};
use super::style::Palette;

/// The figure, if runs are of several kinds.
pub fn figure(section: &Section<'_>, palette: &Palette) -> Result<Figure, String> {
    let name = format!("{}-kinds", section.slug());
    if section.kinds.len() < 2 {
        return Err(format!("{name}: all runs are of one kind"));
    }
    let measure = Measure::CompletionRate;
    let cells = section.by(|row| (&*row.kind, &*row.planner));
    let bar = |kind, planner| {
        let rows = cells.get(&(kind, planner)).into_iter().flatten().copied();
        let value = measure.estimate(rows, section.limits);
        let value = value.map(|estimate| Dot::of(measure, 0.0, &estimate));
        let published = completion_by_kind(kind, planner).map(|published| published.value);
        Bar { look: palette.look(planner), value, published }
    };
    let groups: Vec<Group> = section
        .kinds
        .iter()
        .map(|&kind| Group {
            name: kind.to_owned(),
            bars: section.planners.iter().map(|planner| bar(kind, planner)).collect(),
        })
        .collect();
    let width = (groups.len() * section.planners.len()) as f64 * 17.0 + 80.0;
    let y = Axis::percent(&measure.title(section));
    let panel = Panel { title: String::new(), y, content: Content::Bars(groups) };
    Ok(Figure {
        name,
        title: "Completion rate by kind of problem (Table 5.2 of the thesis)".to_owned(),
        notes: vec![section.title(), "whiskers: 95 % confidence".to_owned()],
        legend: legend(section, palette),
        panels: vec![panel],
        columns: 1,
        panel_size: (width.max(640.0), 320.0),
    })
}
