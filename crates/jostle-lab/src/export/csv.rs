//! Comma-separated values, as RFC 4180 has them.

use super::columns::Column;

/// A line of names, and a line for each record.
pub fn write(columns: &[Column], rows: usize) -> String {
    let mut text = line(columns.iter().map(|column| column.name.to_owned()));
    for row in 0..rows {
        text.push_str(&line(columns.iter().map(|column| column.text(row))));
    }
    text
}

fn line(fields: impl Iterator<Item = String>) -> String {
    fields.map(quoted).collect::<Vec<_>>().join(",") + "\n"
}

fn quoted(field: String) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field
    }
}

#[cfg(test)]
mod tests {
    use super::super::columns;
    use super::*;
    use crate::sweep::sample;

    #[test]
    fn there_is_a_line_for_each_record_and_quotes_where_they_are_needed() {
        let text = write(&columns::of(&[sample(5), sample(9)]), 2);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3);
        assert!(lines[0].starts_with("key,spec,experiment,machine_os,"), "{}", lines[0]);
        let expected = "cave:32x24:seed=1|9,0123456789abcdef,\"a, \"\"quoted\"\" name\",";
        assert!(lines[2].starts_with(expected), "{}", lines[2]);
        let ending = lines[2].rsplit(',').next().unwrap();
        assert_eq!(ending, env!("CARGO_PKG_VERSION"));
    }
}
