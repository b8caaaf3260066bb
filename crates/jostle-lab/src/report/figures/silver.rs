//! Silver's Figures 3 to 7.

use super::super::measure::Measure;
use super::super::papers::{self, SILVER_AGENTS};
use super::super::section::Section;
use super::super::silver::{FIGURES, fits, shortest_paths};
use super::legend;
use super::lines::{Dot, Series};
use super::over_size::{axes, series};
use super::paper::PaperValue;
use super::plot::{Content, Entry, Figure, Panel, SIDE_BY_SIDE};
use super::style::{Colour, Look, Palette};

/// One figure with a panel for each of his.
pub fn figure(section: &Section<'_>, palette: &Palette) -> Result<Figure, String> {
    let name = format!("{}-silver", section.slug());
    fits(section).map_err(|reason| format!("{name}: {reason}"))?;
    let has_values = |measure: Measure| {
        section.records.iter().any(|record| measure.of(record, section.limits).is_some())
    };
    let figures = FIGURES.into_iter().filter(|(measure, _)| has_values(*measure));
    let panels: Vec<Panel> =
        figures.map(|(measure, origin)| panel(section, palette, measure, origin)).collect();
    let mut legend = legend(section, palette);
    let entry = |bound: Series| Entry { name: bound.name, look: bound.look, is_bound: true };
    legend.extend(bound(section).map(entry));
    Ok(Figure {
        name,
        title: "Cooperative pathfinding on small maps (Silver's Figures 3 to 7)".to_owned(),
        notes: vec![section.title()],
        legend,
        panels,
        columns: 3,
        panel_size: (SIDE_BY_SIDE / 3.0, 245.0),
    })
}

fn panel(section: &Section<'_>, palette: &Palette, measure: Measure, origin: &str) -> Panel {
    let mut series = series(section, palette, measure, &section.records);
    for series in &mut series {
        let published = papers::silver(measure, &series.name);
        let value = |paper: papers::Published| {
            PaperValue::at(f64::from(SILVER_AGENTS), paper.value, paper.relation)
        };
        series.published.extend(published.map(value));
    }
    if measure == Measure::PathLength {
        series.extend(bound(section));
    }
    let (x, y) = axes(section, measure, &series, 5);
    let title = origin.replace("Silver's ", "");
    Panel { title, content: Content::Lines { x, y, series } }
}

/// The paths that agents would take if they were alone.
fn bound(section: &Section<'_>) -> Option<Series> {
    let shortest = shortest_paths(section);
    let dots = shortest
        .iter()
        .map(|(agents, estimate)| Dot { interval: None, ..Dot::of(f64::from(*agents), estimate) });
    let dots: Vec<Dot> = dots.collect();
    (!dots.is_empty()).then(|| Series {
        name: "shortest path".to_owned(),
        look: Look::of_bound(Colour::GREY),
        dots,
        published: Vec::new(),
        is_bound: true,
        is_labelled: false,
    })
}
