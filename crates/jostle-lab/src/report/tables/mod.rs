//! The tables of the papers, from our runs.

mod latex;
mod per_agents;
mod per_kind;
mod per_map;
mod selection;
mod table;
#[cfg(test)]
mod tables_test;
mod text;

pub use table::{Cell, Line, Table};

use super::section::Section;

/// How tables are written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// With lines, for a terminal.
    Text,
    /// In Markdown.
    Markdown,
    /// In LaTeX, with the `booktabs` package.
    Latex,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 3] = [Self::Text, Self::Markdown, Self::Latex];

    /// How the names of such files end.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Text => "txt",
            Self::Markdown => "md",
            Self::Latex => "tex",
        }
    }
}

/// Every table of a section, or why there is none.
pub fn all(section: &Section<'_>) -> Vec<Result<Table, String>> {
    let mut tables = per_map::all(section);
    tables.push(per_kind::table(section));
    tables.extend(selection::all(section));
    tables.extend(per_agents::all(section));
    tables
}

/// The text with a capital letter.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    format!("{}{}", first.unwrap_or_default(), letters.as_str())
}
