//! `jostle check`: whether path files are legal runs on a map.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use jostle::Trace;
use jostle::check::{Legal, PathsChecker};
use jostle::formats::{FileError, PathsReplay, PathsTask, open_paths, shown_path};
use jostle_lab::NamedMap;
use jostle_replay::Run;

use crate::args::{CheckArgs, RulesArgs};
use crate::check_json;
use crate::failure::Failure;
use crate::output::Outputs;
use crate::replay::Pages;
use crate::say::say;
use crate::table::{counted, grouped};

/// Checks all files, even if some of them are illegal or cannot be read.
pub fn check(args: &CheckArgs) -> Result<(), Failure> {
    if args.json {
        return check_json::check(args);
    }
    let inputs = args.paths.iter().map(PathBuf::as_path).chain([Path::new(&args.map)]);
    let outputs = Outputs::reading(inputs);
    let pages = Pages::asked_for(&outputs, args.replay.as_deref(), args.paths.len(), 1)?;
    check_files(&args.map, args.rules, &args.paths, pages).map(drop)
}

/// Checks path files, and adds their runs to the pages that are wanted. Prints a line about each: legal ones to standard
/// output, the others to standard error. Returns how many were legal, which is all of them.
pub fn check_files(
    map: &str,
    rules: RulesArgs,
    paths: &[PathBuf],
    pages: Option<Pages<'_>>,
) -> Result<usize, Failure> {
    let map = NamedMap::find(map, rules.rules())?;
    let mut failures = Vec::new();
    for path in paths {
        let title = title_among(path, paths);
        let verdict = check_file(&map, path, &title, pages.as_ref());
        // A closed standard output must not hide an illegal run: the loop goes on, and the exit code tells.
        let said = verdict.and_then(|said| Ok(say(format_args!("{}: {said}", shown_path(path)))?));
        failures.extend(said.err());
    }
    failures.extend(pages.map(Pages::finish).and_then(Result::err));
    if failures.is_empty() { Ok(paths.len()) } else { Err(Failure::Several(failures)) }
}

/// The name of a file without its folder and ending, or the whole where others have the same.
fn title_among(path: &Path, paths: &[PathBuf]) -> String {
    let stem = |path: &Path| path.file_stem().unwrap_or(path.as_os_str()).to_owned();
    let is_alone = paths.iter().filter(|other| stem(other) == stem(path)).count() == 1;
    if is_alone { stem(path).to_string_lossy().into_owned() } else { shown_path(path) }
}

/// Describes a legal run. A run is added to the pages even if it is illegal, up to its first illegal step.
fn check_file(
    map: &NamedMap,
    path: &Path,
    title: &str,
    pages: Option<&Pages<'_>>,
) -> Result<String, Failure> {
    let checked = read_and_check(map, path, pages.is_some())?;
    let Checked { verdict, was_stopped, tasks, trace } = checked;
    let shown = match (pages, &trace) {
        (Some(pages), Some(trace)) => {
            let stem = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
            let run = Run::new(title, trace).tasks(&tasks).facts(facts(&verdict, &tasks, trace));
            pages.add(&stem, &map.name, &noting(run, &verdict, was_stopped))
        }
        _ => Ok(()),
    };
    let illegal = |reason| Failure::Illegal(format!("{}: illegal: {reason}", shown_path(path)));
    match (verdict, shown) {
        (Ok(legal), Ok(())) => {
            let stopped = if was_stopped { ", and stopped there" } else { "" };
            Ok(describe(&legal, &tasks) + stopped)
        }
        (Ok(_), Err(unwritten)) => Err(unwritten),
        (Err(reason), Ok(())) => Err(illegal(reason)),
        (Err(reason), Err(unwritten)) => Err(Failure::Several(vec![illegal(reason), unwritten])),
    }
}

/// What a page says about a run.
fn facts(
    verdict: &Result<Legal, String>,
    tasks: &[PathsTask],
    trace: &Trace,
) -> Vec<(&'static str, String)> {
    let ticks = ("ticks", grouped(trace.ticks() as u64));
    let Ok(legal) = verdict else { return vec![ticks] };
    let result = if tasks.is_empty() {
        let (arrived, agents) = (grouped(legal.arrived as u64), grouped(legal.agents as u64));
        ("arrived at the end", format!("{arrived} of {agents}"))
    } else {
        ("tasks done at the end", grouped(legal.tasks as u64))
    };
    vec![result, ticks]
}

/// The run with the reason why it is illegal or not whole, if there is one.
fn noting<'a>(run: Run<'a>, verdict: &Result<Legal, String>, was_stopped: bool) -> Run<'a> {
    match verdict {
        Ok(_) if was_stopped => run.note("the run was stopped: it is shown up to there"),
        Ok(_) => run,
        Err(reason) => run.note(format!("illegal: {reason}. It is shown up to there")),
    }
}

fn describe(legal: &Legal, tasks: &[PathsTask]) -> String {
    let ticks = counted(legal.ticks, "tick");
    if tasks.is_empty() {
        let (agents, arrived) = (counted(legal.agents, "agent"), grouped(legal.arrived as u64));
        let reached = match legal.sent {
            0 => String::new(),
            _ => format!(", {} reached", counted(legal.reached, "goal")),
        };
        return format!("legal: {agents}, {ticks}, {arrived} arrived{reached}");
    }
    // Agents that meet may leave when their part is done, so that few are present at the end.
    let (agents, tasks) = (counted(2 * tasks.len(), "agent"), counted(legal.tasks, "task"));
    format!("legal: {agents}, {ticks}, {tasks} done")
}

/// A run that was checked.
struct Checked {
    /// What it comes to, or why it is illegal.
    verdict: Result<Legal, String>,
    /// Whether the file says that somebody stopped the run.
    was_stopped: bool,
    /// The tasks of agents that meet.
    tasks: Vec<PathsTask>,
    /// The run up to the first illegal step, if one is wanted and its agents can begin where they do.
    trace: Option<Trace>,
}

/// Checks a path file step by step, because it may be larger than the memory, and keeps a trace of it if one is wanted.
fn read_and_check(map: &NamedMap, path: &Path, wants_trace: bool) -> Result<Checked, Failure> {
    fn text(reason: impl Display) -> String {
        reason.to_string()
    }
    let wrong = |source| Failure::input(FileError::Paths { path: path.to_owned(), source });
    let mut file = open_paths(path).map_err(Failure::input)?;
    let tasks = file.opening().tasks.clone();
    let illegal = |reason, trace| {
        let (verdict, tasks) = (Err(reason), tasks.clone());
        Ok(Checked { verdict, was_stopped: false, tasks, trace })
    };
    let replay = wants_trace.then(|| PathsReplay::begin(&map.grid, file.opening()));
    let (mut replay, unshown) = match replay.transpose() {
        Ok(replay) => (replay, None),
        Err(error) => (None, Some(text(error))),
    };
    let mut checker = match PathsChecker::begin(&map.grid, file.opening()) {
        Ok(checker) => checker,
        Err(violation) => return illegal(text(violation), replay.map(PathsReplay::finish)),
    };
    if let Some(reason) = unshown {
        return illegal(reason, None);
    }
    while let Some(step) = file.next_step().map_err(wrong)? {
        let is_legal = checker.step(step).map_err(text).and_then(|()| match &mut replay {
            Some(replay) => replay.step(step).map_err(text),
            None => Ok(()),
        });
        if let Err(reason) = is_legal {
            return illegal(reason, replay.map(PathsReplay::finish));
        }
    }
    let verdict = checker.finish().map_err(text);
    let (was_stopped, trace) = (file.was_stopped(), replay.map(PathsReplay::finish));
    Ok(Checked { verdict, was_stopped, tasks: tasks.clone(), trace })
}
