//! `jostle check`: is this run legal?

use std::io::{self, Write};

use jostle::check::check_paths;
use jostle::formats::read_paths;

use crate::args::CheckArgs;
use crate::failure::Failure;
use crate::table::grouped;
use jostle_lab::NamedMap;

/// Checks every path file, and fails with the first illegal one after all were looked at.
pub fn check(args: &CheckArgs) -> Result<(), Failure> {
    let map = NamedMap::find(&args.map, args.rules.rules())?;
    let mut illegal = None;
    for path in &args.paths {
        let paths = read_paths(path).map_err(Failure::input)?;
        match check_paths(&map.grid, &paths) {
            Ok(legal) => {
                let (agents, ticks) = (grouped(legal.agents as u64), grouped(legal.ticks as u64));
                let home = grouped(legal.arrived as u64);
                let name = path.display();
                writeln!(
                    io::stdout(),
                    "{name}: legal: {agents} agents, {ticks} ticks, {home} home"
                )?;
            }
            Err(violation) => {
                illegal.get_or_insert(format!("{}: illegal: {violation}", path.display()));
            }
        }
    }
    illegal.map_or(Ok(()), |reason| Err(Failure::Illegal(reason)))
}
