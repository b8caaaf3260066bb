//! `jostle check --json`: a line of JSON about each path file.

use std::io::Write;
use std::path::Path;

use jostle::check::{Legal, PathsChecker, Violation};
use jostle::formats::{FileError, open_paths, shown_path};
use jostle_lab::{NamedMap, json_line};
use serde::Serialize;

use crate::args::CheckArgs;
use crate::failure::Failure;
use crate::say::out;

/// What was found out about a path file. What is not known is null.
#[derive(Serialize, Default, Debug)]
struct Verdict {
    /// The file, as it was named.
    file: String,
    map: String,
    /// Whether the run is legal; null if the file cannot be read.
    legal: Option<bool>,
    /// Why it is not legal, or cannot be read.
    error: Option<String>,
    /// The tick of the first error; 0 is the beginning.
    error_tick: Option<usize>,
    /// The agents that it is about, as the columns of the file number them.
    error_agents: Vec<usize>,
    /// Whether the file of a legal run says that somebody stopped it.
    stopped: Option<bool>,
    /// Agents that are present at the end.
    agents: Option<usize>,
    ticks: Option<usize>,
    /// Agents on their goals at the end.
    arrived: Option<usize>,
    /// How often agents were sent to other goals, and how many goals were reached.
    sent: Option<usize>,
    reached: Option<usize>,
    /// Tasks of pairs that meet.
    tasks: Option<usize>,
}

/// Checks all files, and prints a line about each. The reasons why they are wrong are printed to standard error as well.
pub fn check(args: &CheckArgs) -> Result<(), Failure> {
    let map = NamedMap::find(&args.map, args.rules.rules())?;
    let mut failures = Vec::new();
    for path in &args.paths {
        let (verdict, failure) = verdict(&map, path);
        failures.extend(failure);
        let line = json_line(&verdict)?;
        // A closed standard output must not hide an illegal run: the loop goes on, and the exit code tells.
        failures.extend(writeln!(out(), "{line}").err().map(Failure::from));
    }
    if failures.is_empty() { Ok(()) } else { Err(Failure::Several(failures)) }
}

fn verdict(map: &NamedMap, path: &Path) -> (Verdict, Option<Failure>) {
    let about = Verdict { file: shown_path(path), map: map.name.clone(), ..Verdict::default() };
    match judge(map, path) {
        Ok(Ok((legal, was_stopped))) => {
            let Legal { agents, ticks, arrived, tasks, reached, sent } = legal;
            let [agents, ticks, arrived, sent, reached, tasks] =
                [agents, ticks, arrived, sent, reached, tasks].map(Some);
            let (legal, stopped) = (Some(true), Some(was_stopped));
            let verdict =
                Verdict { legal, stopped, agents, ticks, arrived, sent, reached, tasks, ..about };
            (verdict, None)
        }
        Ok(Err(violation)) => {
            let mut error_agents = violation.agents();
            error_agents.sort_unstable();
            let failure = Failure::Illegal(format!("{}: illegal: {violation}", shown_path(path)));
            let verdict = Verdict {
                legal: Some(false),
                error: Some(violation.to_string()),
                error_tick: violation.tick(),
                error_agents,
                ..about
            };
            (verdict, Some(failure))
        }
        Err(error) => {
            let error = error.to_string();
            (Verdict { error: Some(error.clone()), ..about }, Some(Failure::input(error)))
        }
    }
}

/// A run, and whether its file says that it was stopped, or why it is illegal.
type Judgement = Result<(Legal, bool), Violation>;

/// Checks a file step by step, because it may be larger than the memory.
fn judge(map: &NamedMap, path: &Path) -> Result<Judgement, FileError> {
    let mut file = open_paths(path)?;
    let mut checker = match PathsChecker::begin(&map.grid, file.opening()) {
        Ok(checker) => checker,
        Err(violation) => return Ok(Err(violation)),
    };
    let wrong = |source| FileError::Paths { path: path.to_owned(), source };
    while let Some(step) = file.next_step().map_err(wrong)? {
        if let Err(violation) = checker.step(step) {
            return Ok(Err(violation));
        }
    }
    let was_stopped = file.was_stopped();
    Ok(checker.finish().map(|legal| (legal, was_stopped)))
}
