//! Goals for agents that get a new one whenever they arrive, as text: one line for each goal.
//!
//! ```text
//! # The agent, if the goal is for one alone, and the place.
//! 0 (4,4)
//! 0 (1,4)
//! (7,2)      # for the next agent that arrives
//! ```
//!
//! Places and comments are those of a [script](crate::Script), without ticks: a goal is given when an agent has reached the one before.

use std::fmt::Write;

use super::quote::quoted;
use super::script::position;
use super::text::without_byte_order_mark;

/// A list of goals, in the order of the file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GoalList {
    /// One row for each goal.
    pub rows: Vec<GoalRow>,
}

/// One goal.
#[derive(Clone, Copy, Debug, Default)]
pub struct GoalRow {
    /// The line of the file, from 1. Comparisons ignore it.
    pub line: usize,
    /// The number of the agent that it is for; none if it is for any agent.
    pub agent: Option<u32>,
    /// Column and row.
    pub goal: (u32, u32),
}

impl PartialEq for GoalRow {
    fn eq(&self, other: &Self) -> bool {
        (self.agent, self.goal) == (other.agent, other.goal)
    }
}

impl Eq for GoalRow {}

/// Why a text is not a list of goals. Lines are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GoalListError {
    /// A line is not a goal.
    #[error("line {line}: expected '(X,Y)', or 'AGENT (X,Y)', found {found}")]
    Form {
        /// The line.
        line: usize,
        /// The text that was found, in quotes.
        found: String,
    },
    /// There is no goal in it.
    #[error("there are no goals")]
    Empty,
}

impl GoalList {
    /// Reads a list of goals.
    ///
    /// # Errors
    /// The first line that is not a goal, or when there is none.
    pub fn parse(text: &str) -> Result<Self, GoalListError> {
        let mut rows = Vec::new();
        for (index, line) in without_byte_order_mark(text).lines().enumerate() {
            let content = line.split('#').next().unwrap_or_default().trim();
            if !content.is_empty() {
                let line = index + 1;
                let row = row(content, line);
                rows.push(row.ok_or_else(|| GoalListError::Form { line, found: quoted(content) })?);
            }
        }
        if rows.is_empty() { Err(GoalListError::Empty) } else { Ok(Self { rows }) }
    }

    /// Writes the list as [`GoalList::parse`] reads it.
    pub fn write(&self) -> String {
        let mut text = String::new();
        for GoalRow { agent, goal: (x, y), .. } in &self.rows {
            let agent = agent.map_or_else(String::new, |agent| format!("{agent} "));
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{agent}({x},{y})");
        }
        text
    }
}

fn row(content: &str, line: usize) -> Option<GoalRow> {
    let (agent, place) = content.split_at(content.find('(')?);
    let agent = match agent.trim() {
        "" => None,
        number => Some(number.parse().ok()?),
    };
    Some(GoalRow { line, agent, goal: position(place)? })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_example_of_the_docs_is_a_list_of_goals() {
        let text = "\
# The agent, if the goal is for one alone, and the place.
0 (4,4)
0 (1,4)

(7, 2)      # for the next agent that arrives
";
        let list = GoalList::parse(text).unwrap();
        let rows: Vec<_> = list.rows.iter().map(|row| (row.line, row.agent, row.goal)).collect();
        assert_eq!(rows, [(2, Some(0), (4, 4)), (3, Some(0), (1, 4)), (5, None, (7, 2))]);
    }

    #[test]
    fn everything_wrong_is_named_with_its_line() {
        let form = "expected '(X,Y)', or 'AGENT (X,Y)'";
        for wrong in
            ["4,4", "0 4,4", "a (4,4)", "-1 (4,4)", "(4,-4)", "0 (4,4) (5,5)", "0 1 (2,2)", ")4,4("]
        {
            let error = GoalList::parse(&format!("(1,1)\n{wrong}\n")).unwrap_err();
            assert_eq!(error.to_string(), format!("line 2: {form}, found '{wrong}'"));
        }
        assert_eq!(GoalList::parse("\u{feff}\r\n# none\n"), Err(GoalListError::Empty));
    }

    proptest! {
        #[test]
        fn a_list_is_read_as_it_was_written(
            rows in prop::collection::vec((any::<Option<u32>>(), any::<(u32, u32)>()), 1..20),
        ) {
            let row = |&(agent, goal)| GoalRow { line: 0, agent, goal };
            let list = GoalList { rows: rows.iter().map(row).collect() };
            prop_assert_eq!(GoalList::parse(&list.write()), Ok(list));
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in ".*") {
            let _ = GoalList::parse(&text);
        }
    }
}
