//! Tables in LaTeX.

use super::{Cell, Table, sentences};

/// Writes a table, whose texts are escaped, that needs the `booktabs` package.
pub fn write(table: &Table) -> String {
    let columns = format!("l{}", "r".repeat(table.header.len().saturating_sub(1)));
    let mut body = String::new();
    for (index, line) in table.lines.iter().enumerate() {
        if line.is_summary && index > 0 && !table.lines[index - 1].is_summary {
            body.push_str("\\midrule\n");
        }
        let cells = line.cells.iter().map(show);
        let cells: Vec<String> = std::iter::once(line.label.clone()).chain(cells).collect();
        body.push_str(&cells.join(" & "));
        body.push_str(" \\\\\n");
    }
    let caption = format!("{}. {}", table.title, sentences(&table.notes));
    format!(
        "% \\usepackage{{booktabs}}\n\
         \\begin{{table}}\n\\centering\n\\begin{{tabular}}{{{columns}}}\n\\toprule\n{} \\\\\n\\midrule\n\
         {body}\\bottomrule\n\\end{{tabular}}\n\\caption{{{}}}\n\\label{{tab:{}}}\n\\end{{table}}\n",
        table.header.join(" & "),
        caption.trim_end(),
        table.name
    )
}

fn show(cell: &Cell) -> String {
    let value = match &cell.value {
        Some(value) if cell.is_best => format!("\\textbf{{{value}}}"),
        Some(value) => value.clone(),
        None => "--".to_owned(),
    };
    let detail = Some(cell.detail.clone()).filter(|detail| !detail.is_empty());
    std::iter::once(value).chain(detail).collect::<Vec<_>>().join(" ")
}

/// Text with the special characters of LaTeX escaped.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', letter]),
            '<' => escaped.push_str("$<$"),
            '>' => escaped.push_str("$>$"),
            // After the end of a row, these would be an option of it.
            '[' | ']' | '*' => escaped.extend(['{', letter, '}']),
            '|' => escaped.push_str("\\textbar{}"),
            '±' => escaped.push_str("$\\pm$"),
            '≈' => escaped.push_str("$\\approx$"),
            'µ' => escaped.push_str("$\\mu$"),
            '–' => escaped.push_str("--"),
            _ => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_characters_are_escaped() {
        assert_eq!(
            escape("a_b 50% {x} $1 #2 & ~^"),
            concat!(r"a\_b 50\% \{x\} \$1 \#2 \& ", r"\textasciitilde{}\textasciicircum{}")
        );
        assert_eq!(escape(r"C:\maps"), r"C:\textbackslash{}maps");
        assert_eq!(escape("[2cm]* a|b"), r"{[}2cm{]}{*} a\textbar{}b");
        assert_eq!(escape("≈80 ±2 – <3"), r"$\approx$80 $\pm$2 -- $<$3");
    }
}
