//! `jostle report`: tables and figures from records.

use std::io::{self, Write};

use jostle_lab::report::{Filter, Report, Results};
use jostle_lab::write_limits;

use crate::args::ReportArgs;
use crate::failure::Failure;
use crate::table::grouped;

/// Reads the records of a folder, prints the tables, and writes the report.
pub fn report(args: &ReportArgs) -> Result<(), Failure> {
    let filter = Filter {
        planners: args.planner.clone(),
        maps: args.map.clone(),
        kinds: args.kind.clone(),
        agents: args.agents.clone(),
        limits: args.limit.iter().copied().map(write_limits).collect(),
    };
    let results = Results::read(&args.folder, &filter)?;
    let report = Report::of(&results, !args.no_figures);
    let out = args.out.clone().unwrap_or_else(|| args.folder.join("report"));
    let files = report.write(&out)?;
    write!(io::stdout(), "{}", report.show(args.format.format()))?;
    let mut err = io::stderr();
    for reason in report.chapters.iter().flat_map(|chapter| &chapter.skipped) {
        writeln!(err, "left out {reason}")?;
    }
    writeln!(err, "{} files written to {}", grouped(files.len() as u64), out.display())?;
    Ok(())
}
