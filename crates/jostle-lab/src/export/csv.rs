//! Comma-separated values, as RFC 4180 has them, that are safe to open in a spreadsheet.
//!
//! Spreadsheets run a cell that begins with `=`, `+`, `-` or `@` as a formula, whoever wrote it. So such a text gets an
//! apostrophe in front of it, and so does a text that begins with one: a reader that removes one apostrophe from
//! the beginning of every text has the names as they are in the records. Numbers are left alone.

use std::io::Write;

use jostle::formats::printable;

use crate::record::columns::{Column, Values};

/// A line of names, and a line for each record.
///
/// # Errors
/// When it cannot be written.
pub fn write(columns: &[Column], rows: usize, to: impl Write) -> Result<(), csv::Error> {
    let mut lines = csv::Writer::from_writer(to);
    lines.write_record(columns.iter().map(|column| &column.name))?;
    for row in 0..rows {
        lines.write_record(columns.iter().map(|column| cell(column, row)))?;
    }
    Ok(lines.flush()?)
}

/// A value as a spreadsheet shows it.
fn cell(column: &Column, row: usize) -> String {
    let text = column.text(row);
    match column.values {
        Values::Text(_) => inert(&text),
        Values::Whole(_) | Values::Real(_) => text,
    }
}

/// A text in one line that no spreadsheet runs.
pub(crate) fn inert(text: &str) -> String {
    let shown = printable(text, usize::MAX);
    // Some spreadsheets look for a formula behind spaces, and some also know the wide forms of these signs.
    let starts_formula =
        |text: &str| text.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
    let is_formula = starts_formula(shown.trim_start());
    if is_formula || shown.starts_with('\'') { format!("'{shown}") } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::testing::sample;
    use crate::record::{Build, Record, columns};

    fn written(columns: &[Column], rows: usize) -> String {
        let mut text = Vec::new();
        write(columns, rows, &mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn a_text_is_not_run_as_a_formula_and_can_be_read_back() {
        for text in ["=1+1", "+1", "-1", "@SUM(A1)", "'=1", "  =1", "＝1"] {
            assert_eq!(inert(text), format!("'{text}"));
        }
        assert_eq!(inert("\t=1"), r"\t=1");
        assert_eq!(inert("cave:32x24"), "cave:32x24");
        let hostile = Record { map: "=HYPERLINK(\"x\",\"y\")".to_owned(), ..sample(5) };
        let text = written(&columns(&[hostile]), 1);
        assert!(text.contains(",\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\","), "{text}");
    }

    #[test]
    fn numbers_stay_numbers() {
        let numbers = Column { name: "n".to_owned(), values: Values::Real(vec![Some(-1.5)]) };
        assert_eq!(written(&[numbers], 1), "n\n-1.5\n");
    }

    #[test]
    fn there_is_a_line_for_each_record_and_quotes_where_they_are_needed() {
        let text = written(&columns(&[sample(5), sample(9)]), 2);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3);
        assert!(lines[0].starts_with("key,spec,experiment,machine_os,"), "{}", lines[0]);
        let expected = "cave:32x24:seed=1|random|9|1|bmaa|20steps|8,0123456789abcdef,\"a, \"\"quoted\"\" name\",";
        assert!(lines[2].starts_with(expected), "{}", lines[2]);
        assert!(lines[0].ends_with(",fingerprint,version,commit"), "{}", lines[0]);
        let ending =
            format!(",{},{}", env!("CARGO_PKG_VERSION"), Build::this().commit.unwrap_or_default());
        assert!(lines[2].ends_with(&ending), "{}", lines[2]);
    }
}
