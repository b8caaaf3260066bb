//! Tables for terminals, in plain text and in Markdown.

use comfy_table::presets::{ASCII_MARKDOWN, UTF8_FULL_CONDENSED};
use comfy_table::{Attribute, CellAlignment, Color, ContentArrangement};

use super::{Cell, Format, Line, Table, sentences};

/// Writes a table, whose texts are escaped, with its title and its notes.
pub fn write(table: &Table, format: Format) -> String {
    let grid = grid(table, format);
    let mut parts = Vec::new();
    let has_notes = !table.notes.is_empty();
    if format == Format::Markdown {
        parts.extend((!table.title.is_empty()).then(|| format!("### {}\n\n", table.title)));
        parts.push(format!("{}\n", aligned(&grid.to_string())));
        parts.extend(has_notes.then(|| format!("\n{}\n", sentences(&table.notes))));
    } else {
        parts.extend((!table.title.is_empty()).then(|| format!("{}\n", table.title)));
        parts.push(format!("{grid}\n"));
        parts.extend(has_notes.then(|| format!("  {}\n", table.notes.join("\n  "))));
    }
    parts.concat()
}

fn grid(table: &Table, format: Format) -> comfy_table::Table {
    let mut grid = comfy_table::Table::new();
    grid.load_style(if format == Format::Markdown { ASCII_MARKDOWN } else { UTF8_FULL_CONDENSED });
    // The caller has found out that the output is a terminal.
    if format == Format::Terminal {
        grid.enforce_styling();
    } else {
        grid.force_no_tty();
    }
    grid.set_content_arrangement(ContentArrangement::Disabled);
    grid.set_header(table.header.iter().map(bold));
    for line in &table.lines {
        let cells = line.cells.iter().map(|cell| show(cell, line, format));
        grid.add_row(std::iter::once(label(line, format)).chain(cells));
    }
    for column in grid.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    grid
}

/// A table in Markdown with all columns after the first aligned to the right.
fn aligned(markdown: &str) -> String {
    let mut lines: Vec<String> = markdown.lines().map(str::to_owned).collect();
    if let Some(rule) = lines.get_mut(1) {
        let columns: Vec<&str> = rule.trim_matches('|').split('|').collect();
        let numbers = columns.iter().skip(1).map(|dashes| format!("{}:", &dashes[1..]));
        let columns: Vec<String> = std::iter::once(columns[0].to_owned()).chain(numbers).collect();
        *rule = format!("|{}|", columns.join("|"));
    }
    lines.join("\n")
}

fn bold(text: impl ToString) -> comfy_table::Cell {
    comfy_table::Cell::new(text).add_attribute(Attribute::Bold)
}

fn label(line: &Line, format: Format) -> comfy_table::Cell {
    match format {
        Format::Markdown if line.is_summary => {
            comfy_table::Cell::new(format!("**{}**", line.label))
        }
        _ if line.is_summary => bold(&line.label),
        _ => comfy_table::Cell::new(&line.label),
    }
}

fn show(cell: &Cell, line: &Line, format: Format) -> comfy_table::Cell {
    let value = match (&cell.value, format) {
        (None, _) => "–".to_owned(),
        (Some(value), Format::Text) if cell.is_best => format!("{value}*"),
        (Some(value), Format::Markdown) if cell.is_best => format!("**{value}**"),
        (Some(value), _) => value.clone(),
    };
    let detail = Some(cell.detail.as_str()).filter(|detail| !detail.is_empty());
    let text = std::iter::once(value.as_str()).chain(detail).collect::<Vec<_>>().join(" ");
    match (cell.is_best, line.is_summary) {
        (true, _) => bold(text).fg(Color::Green),
        (false, true) => bold(text),
        (false, false) => comfy_table::Cell::new(text),
    }
}
