//! `jostle check`: whether runs are legal.

use std::fmt::Display;
use std::path::Path;

use jostle::check::check_paths;
use jostle::formats::{read_paths, shown_path};
use jostle_lab::NamedMap;

use crate::args::CheckArgs;
use crate::failure::Failure;
use crate::output::{Target, save};
use crate::replay::{Replay, page};
use crate::say::say;
use crate::table::grouped;

/// Checks every path file, even if others are wrong, and prints a line about each: legal ones to
/// standard output, the others to standard error.
pub fn check(args: &CheckArgs) -> Result<(), Failure> {
    let map = NamedMap::find(&args.map, args.rules.rules())?;
    let replay = args.replay.as_deref();
    let replay = replay.map(|path| Target::prepare(path, args.paths.len())).transpose()?;
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
fn check_file(map: &NamedMap, path: &Path, replay: Option<&Target>) -> Result<String, Failure> {
    let paths = read_paths(path).map_err(Failure::input)?;
    let illegal =
        |reason: &dyn Display| Failure::Illegal(format!("{}: illegal: {reason}", shown_path(path)));
    let legal = check_paths(&map.grid, &paths).map_err(|violation| illegal(&violation))?;
    let (agents, ticks) = (counted(legal.agents, "agent"), counted(legal.ticks, "tick"));
    let arrived = grouped(legal.arrived as u64);
    if let Some(target) = replay {
        let trace = paths.to_trace(&map.grid).map_err(|error| illegal(&error))?;
        let stem = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
        let facts = [
            ("arrived".to_owned(), format!("{arrived} of {}", grouped(legal.agents as u64))),
            ("ticks".to_owned(), grouped(legal.ticks as u64)),
        ];
        let title = format!("{stem} · {}", map.name);
        let page = page(&Replay { title: &title, facts: &facts, trace: &trace });
        save(&target.file(&stem, "html"), &page)?;
    }
    Ok(format!("legal: {agents}, {ticks}, {arrived} arrived"))
}

/// A number with its noun, as in "1 agent" and "1,200 ticks".
fn counted(number: usize, one: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {one}{ending}", grouped(number as u64))
}
