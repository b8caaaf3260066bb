//! Path files: the text form in which MAPF tools exchange solutions.
//!
//! ```text
//! starts=(x,y),(x,y),
//! goals=(x,y),(x,y),
//! solution=
//! 0:(x,y),(x,y),
//! 1:(x,y),(x,y),
//! ```

use std::fmt::Write;

use crate::grid::Cell;
use crate::trace::Trace;

/// Where everyone stood at every tick, in columns and rows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Paths {
    /// Where agents begin.
    pub starts: Vec<(u32, u32)>,
    /// Where they want to be.
    pub goals: Vec<(u32, u32)>,
    /// Where they stand at every tick, from tick 0.
    pub steps: Vec<Vec<(u32, u32)>>,
}

/// Why a text is not a path file. Lines are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PathsError {
    /// Something that is not a list of positions.
    #[error("line {line}: expected positions (x,y),(x,y),... and found '{found}'")]
    Positions {
        /// Where.
        line: usize,
        /// What stands there.
        found: String,
    },
    /// A tick is missing or out of order.
    #[error("line {line}: expected tick {expected}, found '{found}'")]
    Tick {
        /// Where.
        line: usize,
        /// The tick that should follow.
        expected: usize,
        /// What stands there.
        found: String,
    },
    /// Not everyone is there.
    #[error("line {line}: found {found} positions for {expected} agents")]
    Agents {
        /// Where.
        line: usize,
        /// Positions found.
        found: usize,
        /// Agents.
        expected: usize,
    },
    /// A part is missing.
    #[error("there is no '{0}' line")]
    Missing(&'static str),
    /// The file ends after `solution=`.
    #[error("the solution has no ticks")]
    Empty,
}

impl Paths {
    /// The paths of a run. Only the agents that were there from the beginning to the end appear, and
    /// what the game changed on the way is lost: such runs want a [`Trace`].
    pub fn of(trace: &Trace) -> Self {
        let grid = trace.grid();
        let is_there = |slot: &usize| {
            let rows = trace.frames().iter().map(|frame| frame.cells[*slot]);
            rows.chain([trace.opening()[*slot].cell]).all(|cell| cell != Cell::NOWHERE)
        };
        let slots: Vec<usize> = (0..trace.opening().len()).filter(is_there).collect();
        let positions = |cells: &dyn Fn(usize) -> Cell| {
            slots.iter().map(|&slot| grid.position(cells(slot))).collect::<Vec<_>>()
        };
        let starts = positions(&|slot| trace.opening()[slot].cell);
        let goals = positions(&|slot| trace.opening()[slot].goal);
        let later = trace.frames().iter().map(|frame| positions(&|slot| frame.cells[slot]));
        Self { steps: std::iter::once(starts.clone()).chain(later).collect(), starts, goals }
    }

    /// Reads a path file. Lines of the form `name=...` before `solution=`, other than `starts=` and
    /// `goals=`, are passed over.
    ///
    /// # Errors
    /// When the text is not a whole and right path file.
    pub fn parse(text: &str) -> Result<Self, PathsError> {
        let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
        let (mut starts, mut goals) = (None, None);
        loop {
            match lines.next() {
                Some((line, content)) => match content.split_once('=') {
                    Some(("starts", list)) => starts = Some(positions(list, line)?),
                    Some(("goals", list)) => goals = Some((line, positions(list, line)?)),
                    Some(("solution", "")) => break,
                    Some(_) => {}
                    None if content.is_empty() => {}
                    None => {
                        return Err(PathsError::Positions { line, found: shortened(content) });
                    }
                },
                None => return Err(PathsError::Missing("solution=")),
            }
        }
        let starts = starts.ok_or(PathsError::Missing("starts="))?;
        let (line, goals) = goals.ok_or(PathsError::Missing("goals="))?;
        let everyone = |line, found: usize| {
            let expected = starts.len();
            if found == expected {
                Ok(())
            } else {
                Err(PathsError::Agents { line, found, expected })
            }
        };
        everyone(line, goals.len())?;
        let mut steps = Vec::new();
        for (line, content) in lines.filter(|(_, content)| !content.is_empty()) {
            let (tick, list) = content.split_once(':').unwrap_or((content, ""));
            if tick.parse() != Ok(steps.len()) {
                let (expected, found) = (steps.len(), shortened(tick));
                return Err(PathsError::Tick { line, expected, found });
            }
            let step = positions(list, line)?;
            everyone(line, step.len())?;
            steps.push(step);
        }
        if steps.is_empty() {
            return Err(PathsError::Empty);
        }
        Ok(Self { starts, goals, steps })
    }

    /// Writes a path file.
    pub fn write(&self) -> String {
        let mut text = String::new();
        let mut list = |name: &str, positions: &[(u32, u32)]| {
            text.push_str(name);
            for (x, y) in positions {
                // Writing to a string cannot fail.
                let _ = write!(text, "({x},{y}),");
            }
            text.push('\n');
        };
        list("starts=", &self.starts);
        list("goals=", &self.goals);
        list("solution=", &[]);
        for (tick, step) in self.steps.iter().enumerate() {
            list(&format!("{tick}:"), step);
        }
        text
    }
}

fn positions(list: &str, line: usize) -> Result<Vec<(u32, u32)>, PathsError> {
    let wrong = || PathsError::Positions { line, found: shortened(list) };
    let list = list.trim().trim_end_matches(',');
    if list.is_empty() {
        return Ok(Vec::new());
    }
    let inner = list.strip_prefix('(').and_then(|list| list.strip_suffix(')')).ok_or_else(wrong)?;
    inner
        .split("),(")
        .map(|pair| {
            let (x, y) = pair.split_once(',')?;
            Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
        })
        .collect::<Option<_>>()
        .ok_or_else(wrong)
}

fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        short.push_str("...");
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        Paths::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn paths_survive_being_written_and_read() {
        let steps = vec![vec![(0, 0), (3, 1)], vec![(1, 0), (3, 1)]];
        let paths = Paths { starts: steps[0].clone(), goals: vec![(1, 0), (3, 1)], steps };
        assert_eq!(Paths::parse(&paths.write()).unwrap(), paths);
        assert!(paths.write().starts_with("starts=(0,0),(3,1),\ngoals="));
    }

    #[test]
    fn other_header_lines_and_missing_last_commas_are_fine() {
        let text = "agents=1\nsolver=x\nstarts=(1,2)\ngoals=(1,2)\nsolution=\n0:(1,2)\n";
        assert_eq!(Paths::parse(text).unwrap().steps, [[(1, 2)]]);
    }

    #[test]
    fn everything_wrong_is_named_with_its_line() {
        let head = "starts=(1,2),\ngoals=(1,2),\nsolution=\n";
        assert_eq!(error("starts=(1,2),\ngoals=(1,2)"), "there is no 'solution=' line");
        assert_eq!(error("goals=(1,2),\nsolution=\n"), "there is no 'starts=' line");
        assert_eq!(error(head), "the solution has no ticks");
        assert_eq!(
            error("starts=(1;2),\n"),
            "line 1: expected positions (x,y),(x,y),... and found '(1;2),'"
        );
        assert_eq!(error(&format!("{head}1:(1,2),\n")), "line 4: expected tick 0, found '1'");
        assert_eq!(
            error(&format!("{head}0:(1,2),(3,4),\n")),
            "line 4: found 2 positions for 1 agents"
        );
    }
}
