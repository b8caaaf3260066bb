//! Scripts as text: one readable line for each change.
//!
//! ```text
//! # Ticks passed, change, agent, place. Agents are numbered from 0.
//! 12 wall (3,4)                 # a cell turns into a wall
//! 20 floor (3,4)                # a cell turns into floor
//! 30 send 5 (10,2)              # agent 5 gets a new goal
//! 40 add 60 (1,1) to (9,9)      # an agent joins, with a new number
//! 40 add 61 (2,2) foreign       # an agent joins that only the script moves
//! 41 place 61 (2,3)             # an agent is put on another cell
//! 50 remove 60                  # an agent leaves
//! ```
//!
//! Text after a `#` and empty lines are ignored. Lines may be in any order; those of one tick happen in the order of
//! the file.

use std::fmt::Write;

use super::quote::quoted;
use super::text::without_byte_order_mark;
use crate::script::{Script, ScriptEntry, ScriptedChange};
use crate::world::Change;

/// Why a text is not a script. Lines are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScriptTextError {
    /// The line does not begin with a tick.
    #[error("line {line}: expected a tick, found {found}")]
    Tick {
        /// The line.
        line: usize,
        /// The text that was found, in quotes.
        found: String,
    },
    /// The word after the tick is not the name of a change.
    #[error(
        "line {line}: expected wall, floor, send, add, place or remove after the tick, found {found}"
    )]
    Verb {
        /// The line.
        line: usize,
        /// The text that was found, in quotes.
        found: String,
    },
    /// The rest of the line does not fit that kind of change.
    #[error("line {line}: expected '{form}', found {found}")]
    Form {
        /// The line.
        line: usize,
        /// What a line of that kind looks like.
        form: &'static str,
        /// The text that was found, in quotes.
        found: String,
    },
}

impl Script {
    /// Reads a script.
    ///
    /// # Errors
    /// The first line that is not a line of a script.
    pub fn parse(text: &str) -> Result<Self, ScriptTextError> {
        let mut entries = Vec::new();
        for (index, line) in without_byte_order_mark(text).lines().enumerate() {
            let content = line.split('#').next().unwrap_or_default().trim();
            if !content.is_empty() {
                entries.push(ScriptEntry::parse(content, index + 1)?);
            }
        }
        Ok(Self::of(entries))
    }

    /// Writes a script as [`Script::parse`] reads it.
    pub fn write(&self) -> String {
        let mut text = String::new();
        for entry in self.entries() {
            text.push_str(&entry.write());
            text.push('\n');
        }
        text
    }
}

impl ScriptEntry {
    /// Reads the change on a line that is not empty.
    pub(super) fn parse(content: &str, line: usize) -> Result<Self, ScriptTextError> {
        let (tick, rest) = content.split_once(char::is_whitespace).unwrap_or((content, ""));
        let tick = tick.parse().map_err(|_| ScriptTextError::Tick { line, found: quoted(tick) })?;
        let (verb, rest) = rest.trim().split_once(char::is_whitespace).unwrap_or((rest.trim(), ""));
        let words: Vec<&str> = rest.split_whitespace().collect();
        let (form, change) = match verb {
            "wall" => ("TICK wall (X,Y)", set_floor(&words, false)),
            "floor" => ("TICK floor (X,Y)", set_floor(&words, true)),
            "send" => ("TICK send AGENT (X,Y)", send(&words)),
            "add" => ("TICK add AGENT (X,Y) to (X,Y), or foreign instead of a goal", add(&words)),
            "place" => ("TICK place AGENT (X,Y)", place(&words)),
            "remove" => ("TICK remove AGENT", remove(&words)),
            verb => return Err(ScriptTextError::Verb { line, found: quoted(verb) }),
        };
        let wrong = || ScriptTextError::Form { line, form, found: quoted(content) };
        Ok(Self { tick, change: change.ok_or_else(wrong)?, line })
    }

    /// Writes the change as a line of a script, without the line break.
    pub(super) fn write(&self) -> String {
        let at = |(x, y)| format!("({x},{y})");
        let mut text = format!("{} ", self.tick);
        // Writing to a string cannot fail.
        let _ = match self.change {
            Change::SetFloor { cell, is_floor: false } => write!(text, "wall {}", at(cell)),
            Change::SetFloor { cell, is_floor: true } => write!(text, "floor {}", at(cell)),
            Change::Send { agent, goal } => write!(text, "send {agent} {}", at(goal)),
            Change::Join { agent, cell, ours: false, .. } => {
                write!(text, "add {agent} {} foreign", at(cell))
            }
            Change::Join { agent, cell, goal, ours: true } => {
                write!(text, "add {agent} {} to {}", at(cell), at(goal))
            }
            Change::Place { agent, cell } => write!(text, "place {agent} {}", at(cell)),
            Change::Leave { agent } => write!(text, "remove {agent}"),
        };
        text
    }
}

/// Reads `(x,y)`.
pub(super) fn position(text: &str) -> Option<(u32, u32)> {
    let (x, y) = text.trim().strip_prefix('(')?.strip_suffix(')')?.split_once(',')?;
    Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
}

fn set_floor(words: &[&str], is_floor: bool) -> Option<ScriptedChange> {
    let [cell] = words else { return None };
    Some(Change::SetFloor { cell: position(cell)?, is_floor })
}

fn send(words: &[&str]) -> Option<ScriptedChange> {
    let [agent, goal] = words else { return None };
    Some(Change::Send { agent: agent.parse().ok()?, goal: position(goal)? })
}

fn add(words: &[&str]) -> Option<ScriptedChange> {
    let (agent, cell, goal) = match *words {
        [agent, cell, "to", goal] => (agent, cell, Some(goal)),
        [agent, cell, "foreign"] => (agent, cell, None),
        _ => return None,
    };
    let cell = position(cell)?;
    let ours = goal.is_some();
    let goal = goal.map_or(Some(cell), position)?;
    Some(Change::Join { agent: agent.parse().ok()?, cell, goal, ours })
}

fn place(words: &[&str]) -> Option<ScriptedChange> {
    let [agent, cell] = words else { return None };
    Some(Change::Place { agent: agent.parse().ok()?, cell: position(cell)? })
}

fn remove(words: &[&str]) -> Option<ScriptedChange> {
    let [agent] = words else { return None };
    Some(Change::Leave { agent: agent.parse().ok()? })
}

#[cfg(test)]
#[path = "script_test.rs"]
mod tests;
