//! How results are printed: tables for people, or lines of JSON for programs.

use clap::Args as ClapArgs;
use jostle_lab::table::Format;

use crate::table::for_people;

/// What is printed, and in which form.
#[derive(ClapArgs, Debug, Clone, Copy)]
pub struct PrintArgs {
    /// Print one line of JSON for each result instead of tables
    #[arg(long)]
    pub json: bool,

    /// Print only the tables that compare all maps and numbers of agents
    #[arg(long, conflicts_with = "json")]
    pub brief: bool,

    /// Print the tables in Markdown
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
}

impl PrintArgs {
    /// The format of tables.
    pub fn format(self) -> Format {
        if self.markdown { Format::Markdown } else { for_people() }
    }

    /// The heading of a table, as its format has it.
    pub fn heading(self, text: &str) -> String {
        let text = self.format().escaped(text);
        if self.markdown { format!("\n### {text}\n\n") } else { format!("{text}\n") }
    }

    /// Whether each of so many problems gets a table of its own. One problem always does: there is nothing to compare it with.
    pub const fn has_table_of_each(self, problems: usize) -> bool {
        !self.json && (!self.brief || problems == 1)
    }

    /// What stands before a table that follows another one.
    pub const fn gap(self) -> &'static str {
        if self.markdown { "\n" } else { "" }
    }
}
