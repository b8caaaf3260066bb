//! `jostle check`: whether path files are legal runs on a map.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use jostle::Trace;
use jostle::check::{Legal, PathsChecker};
use jostle::formats::{FileError, PathsReplay, PathsTask, open_paths, shown_path};
use jostle_lab::NamedMap;

use crate::args::CheckArgs;
use crate::failure::Failure;
use crate::output::{Outputs, Target, write_whole};
use crate::replay::{Replay, write_page};
use crate::say::say;
use crate::table::{counted, grouped};

/// Checks all files, even if some of them are illegal or cannot be read. Prints a line about each: legal ones to
/// standard output, the others to standard error.
pub fn check(args: &CheckArgs) -> Result<(), Failure> {
    let map = NamedMap::find(&args.map, args.rules.rules())?;
    let inputs = args.paths.iter().map(PathBuf::as_path).chain([Path::new(&args.map)]);
    let outputs = Outputs::reading(inputs);
    let replay = args.replay.as_deref();
    let replay = Target::asked_for(&outputs, replay, args.paths.len())?;
    let mut failures = Vec::new();
    for path in &args.paths {
        let verdict = check_file(&map, path, replay.as_ref());
        // A closed standard output must not hide an illegal run: the loop goes on, and the exit code tells.
        let said = verdict.and_then(|said| Ok(say(format_args!("{}: {said}", shown_path(path)))?));
        failures.extend(said.err());
    }
    if failures.is_empty() { Ok(()) } else { Err(Failure::Several(failures)) }
}

/// Describes a legal run, and writes a page that plays it if one is wanted.
fn check_file(map: &NamedMap, path: &Path, replay: Option<&Target<'_>>) -> Result<String, Failure> {
    let Checked { legal, tasks, trace } = read_and_check(map, path, replay.is_some())?;
    let (agents, ticks) = (counted(legal.agents, "agent"), counted(legal.ticks, "tick"));
    let arrived = grouped(legal.arrived as u64);
    if let (Some(target), Some(trace)) = (replay, trace) {
        let stem = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
        let result = if tasks.is_empty() {
            ("arrived".to_owned(), format!("{arrived} of {}", grouped(legal.agents as u64)))
        } else {
            ("tasks".to_owned(), grouped(legal.tasks as u64))
        };
        let facts = [result, ("ticks".to_owned(), grouped(legal.ticks as u64))];
        let title = format!("{stem} · {}", map.name);
        let replay = Replay { title: &title, facts: &facts, trace: &trace, tasks: &tasks };
        write_whole(target.open(&stem, "html")?, |out| write_page(&replay, out))?;
    }
    if tasks.is_empty() {
        let reached = match legal.sent {
            0 => String::new(),
            _ => format!(", {} reached", counted(legal.reached, "goal")),
        };
        return Ok(format!("legal: {agents}, {ticks}, {arrived} arrived{reached}"));
    }
    // Agents that meet may leave when their part is done, so that few are present at the end.
    let (agents, tasks) = (counted(2 * tasks.len(), "agent"), counted(legal.tasks, "task"));
    Ok(format!("legal: {agents}, {ticks}, {tasks} done"))
}

/// A run that is legal.
struct Checked {
    legal: Legal,
    /// The tasks of agents that meet.
    tasks: Vec<PathsTask>,
    trace: Option<Trace>,
}

/// Checks a path file step by step, because it may be larger than the memory, and keeps a trace of it if one is wanted.
fn read_and_check(map: &NamedMap, path: &Path, wants_trace: bool) -> Result<Checked, Failure> {
    let illegal =
        |reason: &dyn Display| Failure::Illegal(format!("{}: illegal: {reason}", shown_path(path)));
    let wrong = |source| Failure::input(FileError::Paths { path: path.to_owned(), source });
    let mut file = open_paths(path).map_err(Failure::input)?;
    let mut checker =
        PathsChecker::begin(&map.grid, file.opening()).map_err(|violation| illegal(&violation))?;
    let replay = wants_trace.then(|| PathsReplay::begin(&map.grid, file.opening()));
    let mut replay = replay.transpose().map_err(|error| illegal(&error))?;
    while let Some(step) = file.next_step().map_err(wrong)? {
        checker.step(step).map_err(|violation| illegal(&violation))?;
        if let Some(replay) = &mut replay {
            replay.step(step).map_err(|error| illegal(&error))?;
        }
    }
    let legal = checker.finish().map_err(|violation| illegal(&violation))?;
    let tasks = file.opening().tasks.clone();
    Ok(Checked { legal, tasks, trace: replay.map(PathsReplay::finish) })
}
