//! Comma-separated values, as RFC 4180 has them.

use crate::record::columns::Column;

/// A line of names, and a line for each record.
pub fn write(columns: &[Column], rows: usize) -> String {
    let mut text = line(columns.iter().map(|column| column.name.clone()));
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
    use super::*;
    use crate::record::testing::sample;
    use crate::record::{Build, columns};

    #[test]
    fn there_is_a_line_for_each_record_and_quotes_where_they_are_needed() {
        let text = write(&columns(&[sample(5), sample(9)]), 2);
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
