//! `jostle report`: tables and figures from records.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use jostle::Limits;
use jostle_lab::report::{Filter, Format, Report, Results};
use jostle_lab::{parse_limits, write_limits};

use crate::args::Numbers;
use crate::failure::Failure;
use crate::table::grouped;

/// What to report.
#[derive(Args, Debug)]
pub struct ReportArgs {
    /// The folder with records*.jsonl, as `jostle sweep` or `jostle run --json` write them
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Where report.md, tables/ and figures/ go [default: DIR/report]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// How tables are printed; every format is written
    #[arg(long, value_enum, default_value = "text")]
    format: FormatArg,

    /// Make no figures
    #[arg(long)]
    no_figures: bool,

    /// Only these planners
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    planner: Vec<String>,

    /// Only these maps
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    map: Vec<String>,

    /// Only these kinds of problem
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    kind: Vec<String>,

    /// Only these numbers of agents: numbers and ranges, as in 25-400/25,600
    #[arg(long, value_name = "NUMBERS")]
    agents: Option<Numbers>,

    /// Only runs with this limit, as in 30s; may be given several times
    #[arg(long, value_parser = parse_limits)]
    limit: Vec<Limits>,
}

/// How tables are printed.
#[derive(ValueEnum, Debug, Clone, Copy)]
enum FormatArg {
    Text,
    Markdown,
    Latex,
}

impl FormatArg {
    const fn format(self) -> Format {
        match self {
            Self::Text => Format::Text,
            Self::Markdown => Format::Markdown,
            Self::Latex => Format::Latex,
        }
    }
}

/// Reads the records of a folder, prints the tables, and writes the report.
pub fn report(args: &ReportArgs) -> Result<(), Failure> {
    let filter = Filter {
        planners: args.planner.clone(),
        maps: args.map.clone(),
        kinds: args.kind.clone(),
        agents: args.agents.iter().flat_map(|agents| &agents.0).map(|&n| saturated(n)).collect(),
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

/// No record has more agents than this holds.
fn saturated(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
