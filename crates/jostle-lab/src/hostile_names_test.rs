//! Names of maps and planners are data, whatever they hold: no writer lets them break its format or reach a
//! terminal.

use std::fs;

use jostle::formats::{is_hidden, printable};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::record::testing::no_arrivals;
use crate::report::{Options, Report, Results};
use crate::table::{Cell, Format, Line, Table};
use crate::{Record, export};

/// What names are made of: everything that some format or terminal obeys, and some letters.
const PIECES: [&str; 44] = [
    "\u{1b}[31m",
    "\u{1b}]0;x\u{7}",
    "\u{9b}2J",
    "\0",
    "\r",
    "\n",
    "\t",
    "\u{7f}",
    "\u{2028}",
    "\u{202e}",
    "\u{200b}",
    "\u{feff}",
    "|",
    "\\",
    "`",
    "```",
    "<script>",
    "</td>",
    "<!--",
    "&lt;",
    "[x](y)",
    "![",
    "]",
    "*",
    "__",
    "~~",
    "$",
    "=1+1",
    "+",
    "-",
    "@",
    "'",
    "\"",
    ",",
    ";",
    "%",
    "#",
    "{",
    "}",
    "^",
    "\\\\",
    " ",
    "map",
    "é",
];

fn nasty(random: &mut ChaCha8Rng) -> String {
    let length = random.random_range(1..8);
    (0..length).filter_map(|_| PIECES.choose(random).copied()).collect()
}

fn nasty_table(random: &mut ChaCha8Rng) -> Table {
    let (columns, rows) = (random.random_range(2..5), random.random_range(1..5));
    let mut name = || nasty(random);
    let mut lines = Vec::new();
    for row in 0..rows {
        let cells =
            (1..columns).map(|_| Cell { value: Some(name()), detail: name(), is_best: row == 0 });
        let cells = cells.collect();
        lines.push(Line { label: name(), cells, is_summary: row + 1 == rows });
    }
    Table {
        name: "nasty".to_owned(),
        title: name(),
        header: (0..columns).map(|_| name()).collect(),
        lines,
        notes: vec![name(), name()],
    }
}

/// Nothing but line breaks is left of what a terminal obeys.
fn is_printable(text: &str) -> bool {
    !text.contains(|letter| letter != '\n' && is_hidden(letter))
}

/// The cells of a line of a Markdown table, as they are shown.
fn markdown_cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => cells.last_mut().unwrap().extend(letters.next()),
            '|' => cells.push(String::new()),
            letter => cells.last_mut().unwrap().push(letter),
        }
    }
    assert!(
        cells.first().is_some_and(String::is_empty) && cells.last().is_some_and(String::is_empty)
    );
    let inner = &cells[1..cells.len() - 1];
    inner.iter().map(|cell| cell.trim().replace("&lt;", "<").replace("&amp;", "&")).collect()
}

#[test]
fn a_table_keeps_its_rows_and_columns_whatever_its_names_hold() {
    let random = &mut ChaCha8Rng::seed_from_u64(1);
    for _ in 0..2000 {
        let table = nasty_table(random);
        let (rows, columns) = (table.lines.len(), table.header.len());

        let text = table.write(Format::Text);
        assert!(is_printable(&text), "{text:?}");
        // A title, the frame of four lines with the header, the rows, two notes.
        assert_eq!(text.lines().count(), 1 + 4 + rows + 2, "{text}");

        let markdown = table.write(Format::Markdown);
        assert!(is_printable(&markdown), "{markdown:?}");
        for tag in ["<script", "</", "<!"] {
            assert!(!markdown.contains(tag), "{markdown}");
        }
        let lines: Vec<&str> = markdown.lines().filter(|line| line.starts_with('|')).collect();
        assert_eq!(lines.len(), rows + 2, "{markdown}");
        for (line, row) in lines[2..].iter().zip(&table.lines) {
            let cells = markdown_cells(line);
            assert_eq!(cells.len(), columns, "{line}");
            let mark = if row.is_summary { "**" } else { "" };
            let expected = format!("{mark}{}{mark}", printable(&row.label, usize::MAX));
            assert_eq!(cells[0], expected.trim(), "{line}");
        }

        let latex = table.write(Format::Latex);
        assert!(is_printable(&latex), "{latex:?}");
        let lines: Vec<&str> = latex.lines().filter(|line| line.ends_with(" \\\\")).collect();
        assert_eq!(lines.len(), rows + 1, "{latex}");
        for line in lines {
            let separators = line.replace("\\&", "").matches('&').count();
            assert_eq!(separators, columns - 1, "{line}");
        }
    }
}

#[test]
fn the_only_escape_sequences_on_a_terminal_are_those_of_the_colours() {
    let random = &mut ChaCha8Rng::seed_from_u64(2);
    for _ in 0..200 {
        let text = nasty_table(random).write(Format::Terminal);
        for sequence in text.split('\u{1b}').skip(1) {
            let colour = sequence.strip_prefix('[').and_then(|rest| rest.split_once('m'));
            let is_colour = |colour: &str| colour.chars().all(|c| c.is_ascii_digit() || c == ';');
            assert!(colour.is_some_and(|(colour, _)| is_colour(colour)), "{sequence:?}");
        }
        assert!(is_printable(&text.replace('\u{1b}', "")), "{text:?}");
    }
}

fn nasty_record(random: &mut ChaCha8Rng, agents: u32) -> Record {
    let record = no_arrivals(&nasty(random), &nasty(random));
    Record { agents, experiment: Some(nasty(random)), version: nasty(random), ..record }
}

/// The rows of a file of comma-separated values, by RFC 4180.
fn csv_rows(text: &str) -> Vec<Vec<String>> {
    let mut rows = vec![vec![String::new()]];
    let mut letters = text.chars().peekable();
    let mut is_quoted = false;
    while let Some(letter) = letters.next() {
        let row = rows.last_mut().unwrap();
        match letter {
            '"' if is_quoted && letters.next_if_eq(&'"').is_some() => {
                row.last_mut().unwrap().push('"');
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => row.push(String::new()),
            '\n' if !is_quoted => rows.push(vec![String::new()]),
            letter => row.last_mut().unwrap().push(letter),
        }
    }
    rows.pop();
    rows
}

#[test]
fn csv_keeps_its_rows_and_columns_and_holds_no_formula() {
    let random = &mut ChaCha8Rng::seed_from_u64(3);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nasty.csv");
    let records: Vec<Record> = (1..300).map(|agents| nasty_record(random, agents)).collect();
    export(&records, &path, None).unwrap();
    let text = fs::read_to_string(path).unwrap();
    assert!(is_printable(&text));
    let rows = csv_rows(&text);
    assert_eq!(rows.len(), records.len() + 1);
    let column = |name: &str| rows[0].iter().position(|title| title == name).unwrap();
    let (map, agents) = (column("map"), column("agents"));
    for (row, record) in rows[1..].iter().zip(&records) {
        assert_eq!(row.len(), rows[0].len(), "{row:?}");
        assert!(!row[map].trim().starts_with(['=', '+', '-', '@']), "{row:?}");
        let read = row[map].strip_prefix('\'').unwrap_or(&row[map]);
        assert_eq!(read, printable(&record.map, usize::MAX));
        assert_eq!(row[agents], record.agents.to_string(), "numbers stay numbers");
    }
}

#[test]
fn a_report_of_hostile_records_is_a_report() {
    let random = &mut ChaCha8Rng::seed_from_u64(4);
    let records: Vec<Record> = (1..9).map(|agents| nasty_record(random, agents * 10)).collect();
    let report = Report::of(&Results::of(records), &Options::default());
    let folder = tempfile::tempdir().unwrap();
    for path in report.write(folder.path()).unwrap() {
        let extension = path.extension().unwrap().to_str().unwrap();
        if extension == "png" {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        assert!(is_printable(&text), "{}", path.display());
        if extension != "txt" && extension != "tex" {
            assert!(!text.contains("<script") && !text.contains("</td"), "{}", path.display());
        }
    }
    for (format, _) in Format::FILES {
        assert!(is_printable(&report.show(format)));
    }
}
