//! Tasks for pairs of agents that meet, as text: one line for each pair.
//!
//! ```text
//! # The initiator, the start of the task, the executor, the goal of the task.
//! (0,0) via (2,0) meets (4,4) to (0,4)
//! ```
//!
//! The initiator begins on the first cell and visits the second; then it meets the executor, which begins on the third cell
//! and goes to the fourth after the meeting. Text after a `#` and empty lines are ignored.

use std::fmt::Write;

use super::quote::quoted;
use super::script::position;
use super::text::without_byte_order_mark;

/// A file of tasks for pairs of agents that meet, in the order of the file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TaskList {
    /// One row for each task.
    pub rows: Vec<TaskRow>,
}

/// One task: columns and rows of its four cells.
#[derive(Clone, Copy, Debug, Default)]
pub struct TaskRow {
    /// The line of the file, from 1. Comparisons ignore it.
    pub line: usize,
    /// Where the initiator begins.
    pub initiator: (u32, u32),
    /// The start of the task.
    pub start: (u32, u32),
    /// Where the executor begins.
    pub executor: (u32, u32),
    /// The goal of the task.
    pub goal: (u32, u32),
}

impl TaskRow {
    const fn places(&self) -> [(u32, u32); 4] {
        [self.initiator, self.start, self.executor, self.goal]
    }
}

impl PartialEq for TaskRow {
    fn eq(&self, other: &Self) -> bool {
        self.places() == other.places()
    }
}

impl Eq for TaskRow {}

/// Why a text is not a list of tasks. Lines are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TaskListError {
    /// A line is not a task.
    #[error("line {line}: expected '(X,Y) via (X,Y) meets (X,Y) to (X,Y)', found {found}")]
    Form {
        /// The line.
        line: usize,
        /// The text that was found, in quotes.
        found: String,
    },
}

impl TaskList {
    /// Reads a list of tasks.
    ///
    /// # Errors
    /// The first line that is not a task.
    pub fn parse(text: &str) -> Result<Self, TaskListError> {
        let mut rows = Vec::new();
        for (index, line) in without_byte_order_mark(text).lines().enumerate() {
            let content = line.split('#').next().unwrap_or_default().trim();
            if !content.is_empty() {
                let line = index + 1;
                let row = row(content, line);
                rows.push(row.ok_or_else(|| TaskListError::Form { line, found: quoted(content) })?);
            }
        }
        Ok(Self { rows })
    }

    /// Writes the list as [`TaskList::parse`] reads it.
    pub fn write(&self) -> String {
        let mut text = String::new();
        for row in &self.rows {
            let [initiator, start, executor, goal] =
                row.places().map(|(x, y)| format!("({x},{y})"));
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{initiator} via {start} meets {executor} to {goal}");
        }
        text
    }
}

fn row(content: &str, line: usize) -> Option<TaskRow> {
    let (initiator, rest) = content.split_once("via")?;
    let (start, rest) = rest.split_once("meets")?;
    let (executor, goal) = rest.split_once("to")?;
    Some(TaskRow {
        line,
        initiator: position(initiator)?,
        start: position(start)?,
        executor: position(executor)?,
        goal: position(goal)?,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn error(text: &str) -> String {
        TaskList::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn the_example_of_the_docs_is_a_list_of_tasks() {
        let text = "\
# The initiator, the start of the task, the executor, the goal of the task.
(0,0) via (2,0) meets (4,4) to (0,4)

(1, 1) via (1, 2) meets (3, 3) to (0, 0)   # spaces do no harm
";
        let list = TaskList::parse(text).unwrap();
        assert_eq!(list.rows.len(), 2);
        assert_eq!(list.rows[1].places(), [(1, 1), (1, 2), (3, 3), (0, 0)]);
        assert_eq!(list.rows[1].line, 4, "comments and empty lines count");
        assert_eq!(TaskList::parse("\u{feff}\r\n").unwrap(), TaskList::default());
    }

    #[test]
    fn everything_wrong_is_named_with_its_line() {
        let form = "expected '(X,Y) via (X,Y) meets (X,Y) to (X,Y)'";
        for wrong in [
            "(0,0) via (2,0) meets (4,4)",
            "(0,0) (2,0) (4,4) (0,4)",
            "(0,0) via (2,0) meets (4,4) to (0,-4)",
            "(0,0) via (2,0) meets (4,4) to (0,4) (1,1)",
            "(0,0) via 2,0 meets (4,4) to (0,4)",
            "(0,0) via (2,0) meets (4294967296,4) to (0,4)",
        ] {
            assert_eq!(error(&format!("\n{wrong}")), format!("line 2: {form}, found '{wrong}'"));
        }
        let found = error(&format!("\u{1b}[31m{}", "x".repeat(1000)));
        assert!(
            found.ends_with("...'") && found.contains("\\u{1b}") && found.len() < 160,
            "{found}"
        );
    }

    fn lists() -> impl Strategy<Value = TaskList> {
        let at = || any::<(u32, u32)>();
        let row = (at(), at(), at(), at()).prop_map(|(initiator, start, executor, goal)| TaskRow {
            line: 0,
            initiator,
            start,
            executor,
            goal,
        });
        prop::collection::vec(row, 0..12).prop_map(|rows| TaskList { rows })
    }

    proptest! {
        #[test]
        fn every_list_survives_being_written_and_read(list in lists()) {
            prop_assert_eq!(TaskList::parse(&list.write()).unwrap(), list);
        }

        #[test]
        fn no_damage_to_a_list_breaks_the_reader(
            list in lists(),
            damages in prop::collection::vec((any::<prop::sample::Index>(), any::<char>()), 1..4),
        ) {
            let mut text: Vec<char> = list.write().chars().collect();
            for (at, letter) in damages {
                if !text.is_empty() {
                    let at = at.index(text.len());
                    text[at] = letter;
                }
            }
            let _ = TaskList::parse(&text.into_iter().collect::<String>());
        }

        #[test]
        fn no_text_breaks_the_reader(text in prop_oneof![
            "(?s).{0,60}",
            "(\\([0-9]{1,12},[0-9 ]{0,3}\\)? ?(via|meets|to)? ?){0,6}",
        ]) {
            let _ = TaskList::parse(&text);
        }
    }
}
