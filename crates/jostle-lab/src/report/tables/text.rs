//! Tables for terminals and in Markdown.

use comfy_table::presets::{ASCII_MARKDOWN, UTF8_FULL_CONDENSED};
use comfy_table::{CellAlignment, ContentArrangement};

use super::super::papers::{Published, Relation};
use super::capital;
use super::table::{Cell, Line, Table};

/// How a table is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// With lines; the best values carry a star.
    Lines,
    /// In Markdown; the best values are bold.
    Markdown,
}

/// Writes a table with its title and its notes.
pub fn write(table: &Table, style: Style) -> String {
    let mut grid = comfy_table::Table::new();
    grid.load_style(match style {
        Style::Lines => UTF8_FULL_CONDENSED,
        Style::Markdown => ASCII_MARKDOWN,
    });
    grid.set_content_arrangement(ContentArrangement::Disabled);
    grid.set_header(&table.header);
    for line in &table.lines {
        let cells = line.cells.iter().map(|cell| show(cell, style));
        grid.add_row(std::iter::once(label(line, style)).chain(cells));
    }
    for column in grid.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    match style {
        Style::Lines => format!("{}\n{grid}\n  {}\n", table.title, table.notes.join("\n  ")),
        Style::Markdown => {
            format!("### {}\n\n{grid}\n\n{}\n", table.title, sentences(&table.notes))
        }
    }
}

/// Notes as a paragraph.
pub fn sentences(notes: &[String]) -> String {
    let sentence = |note: &String| format!("{}.", capital(note));
    notes.iter().map(sentence).collect::<Vec<_>>().join(" ")
}

fn label(line: &Line, style: Style) -> String {
    match style {
        Style::Markdown if line.is_summary => format!("**{}**", line.label),
        _ => line.label.clone(),
    }
}

fn show(cell: &Cell, style: Style) -> String {
    let value = cell.value().map(|value| match style {
        Style::Lines if cell.is_best => format!("{value}*"),
        Style::Markdown if cell.is_best => format!("**{value}**"),
        _ => value,
    });
    let interval = cell.ours.and_then(|estimate| estimate.half_width);
    let interval = interval.map(|half_width| format!("±{half_width:.*}", cell.digits));
    let paper = cell.paper.map(|paper| format!("({})", published(&paper)));
    let value = value.or_else(|| Some("–".to_owned()));
    value.into_iter().chain(interval).chain(paper).collect::<Vec<_>>().join(" ")
}

/// A paper's number.
pub fn published(paper: &Published) -> String {
    let sign = match paper.relation {
        Relation::Is => "",
        Relation::About => "≈",
        Relation::Under => "<",
        Relation::Over => ">",
    };
    let spread = paper.spread.map(|spread| format!(" ±{spread:.*}", paper.digits));
    format!("{sign}{:.*}{}", paper.digits, paper.value, spread.unwrap_or_default())
}
