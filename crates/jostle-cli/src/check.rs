//! `jostle check`: is this run legal?

use std::io::{self, Write};
use std::path::Path;

use jostle::Grid;
use jostle::check::check_paths;
use jostle::formats::read_paths;
use jostle_lab::NamedMap;

use crate::args::CheckArgs;
use crate::failure::Failure;
use crate::table::grouped;

/// Checks every path file, whatever is wrong with the others, and says a line about each: legal ones on
/// standard output, the others on standard error.
pub fn check(args: &CheckArgs) -> Result<(), Failure> {
    let map = NamedMap::find(&args.map, args.rules.rules())?;
    let mut failures = Vec::new();
    for path in &args.paths {
        let verdict = check_file(&map.grid, path);
        // Where nobody reads what is legal, the exit code still tells what is not.
        let said =
            verdict.and_then(|said| Ok(writeln!(io::stdout(), "{}: {said}", path.display())?));
        failures.extend(said.err());
    }
    if failures.is_empty() { Ok(()) } else { Err(Failure::Several(failures)) }
}

/// What there is to say about a legal run.
fn check_file(grid: &Grid, path: &Path) -> Result<String, Failure> {
    let paths = read_paths(path).map_err(Failure::input)?;
    let legal = check_paths(grid, &paths).map_err(|violation| {
        Failure::Illegal(format!("{}: illegal: {violation}", path.display()))
    })?;
    let (agents, ticks) = (counted(legal.agents, "agent"), counted(legal.ticks, "tick"));
    Ok(format!("legal: {agents}, {ticks}, {} arrived", grouped(legal.arrived as u64)))
}

/// So many of something, as in "1 agent" and "1,200 ticks".
fn counted(number: usize, one: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {one}{ending}", grouped(number as u64))
}
