//! `jostle report`: tables and figures from records.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum, ValueHint};
use jostle::Limits;
use jostle::formats::{STANDARD_INPUT, quoted, shown_path};
use jostle::registry::did_you_mean;
use jostle_lab::report::{Filter, Options, Report, Results, Weight};
use jostle_lab::sweep::Sort;
use jostle_lab::table::Format;
use jostle_lab::{Record, Records, parse_limits};

use crate::args::Numbers;
use crate::failure::Failure;
use crate::say::{note, out};
use crate::table::{counted, for_people};

/// Which records to report, and how.
#[derive(Args, Debug)]
#[command(after_long_help = "\
Examples:
  jostle report results/kinds
  jostle report results/kinds --planner jostle,pibt --map lak304d --format markdown
  jostle report runs.jsonl --out report --open               records of `jostle run --json`
  jostle run cave --seeds 1-20 --json | jostle report - --no-figures")]
pub struct ReportArgs {
    /// A folder with records*.jsonl, as `jostle sweep` or `jostle run --json` write them, or one such file; or a folder
    /// of walks, of which the best settings are printed
    #[arg(value_name = "DIR|FILE", value_hint = ValueHint::AnyPath)]
    pub records: PathBuf,

    /// Where report.md, tables/ and figures/ go [default: report in the folder, or NAME-report beside the
    /// file]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub out: Option<PathBuf>,

    /// Format of the printed tables; the files have all formats
    #[arg(long, value_enum, default_value = "text")]
    format: FormatArg,

    /// Make no figures
    #[arg(long)]
    no_figures: bool,

    /// Open report.md
    #[arg(long)]
    pub open: bool,

    /// Weight runs equally or by number of agents
    #[arg(long, value_enum, value_name = "WHAT", default_value = "instances")]
    weight: WeightArg,

    /// Also compare every planner with this one, on the same instances
    #[arg(long, value_name = "PLANNER")]
    against: Option<String>,

    /// Only the runs of these planners, and of the solvers that --solver names
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    planner: Vec<String>,

    /// Only the runs of these solvers, and of the planners that --planner names
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    solver: Vec<String>,

    /// Only these maps
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    map: Vec<String>,

    /// Only these kinds of problem
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    kind: Vec<String>,

    /// Only these numbers of agents: numbers and ranges, as in 25-400/25,600
    #[arg(long, value_name = "NUMBERS")]
    agents: Option<Numbers>,

    /// Only runs of pairs that meet, with these numbers of tasks, as in 6-22/4
    #[arg(long, value_name = "NUMBERS")]
    tasks: Option<Numbers>,

    /// Only runs with this limit, as in 30s or 4096steps,30s; may be given several times
    #[arg(long, value_parser = parse_limits)]
    limit: Vec<Limits>,
}

/// How much each run counts in a mean.
#[derive(ValueEnum, Debug, Clone, Copy)]
enum WeightArg {
    Instances,
    Agents,
}

impl WeightArg {
    const fn weight(self) -> Weight {
        match self {
            Self::Instances => Weight::Instances,
            Self::Agents => Weight::Agents,
        }
    }
}

/// How tables are printed.
#[derive(ValueEnum, Debug, Clone, Copy)]
enum FormatArg {
    Text,
    Markdown,
    Latex,
}

impl FormatArg {
    fn format(self) -> Format {
        match self {
            Self::Text => for_people(),
            Self::Markdown => Format::Markdown,
            Self::Latex => Format::Latex,
        }
    }
}

impl ReportArgs {
    /// Refuses options that have no effect on walks.
    #[cfg(feature = "parquet")]
    fn refuse_what_is_for_runs(&self) -> Result<(), Failure> {
        let options = [
            ("--out", self.out.is_some()),
            ("--no-figures", self.no_figures),
            ("--open", self.open),
            ("--weight", matches!(self.weight, WeightArg::Agents)),
            ("--against", self.against.is_some()),
            ("--planner", !self.planner.is_empty()),
            ("--solver", !self.solver.is_empty()),
            ("--map", !self.map.is_empty()),
            ("--kind", !self.kind.is_empty()),
            ("--agents", self.agents.is_some()),
            ("--tasks", self.tasks.is_some()),
            ("--limit", !self.limit.is_empty()),
        ];
        match options.into_iter().find(|(_, is_given)| *is_given) {
            None => Ok(()),
            Some((option, _)) => Err(Failure::input(format!(
                "{option} has no effect here: of walks, only the table of the best settings is printed"
            ))),
        }
    }

    /// Where the report goes.
    pub fn folder(&self) -> PathBuf {
        self.out.clone().unwrap_or_else(|| beside(&self.records))
    }
}

/// What was probably meant where no run matches the options: a name that none of the records has, and one that is spelt like it.
fn misspelt(args: &ReportArgs) -> Option<Failure> {
    if args.records.as_os_str() == STANDARD_INPUT {
        return None;
    }
    let records = Records::read(&args.records).ok()?.records;
    let of_runs = |name: fn(&Record) -> &str| records.iter().map(name).collect::<BTreeSet<_>>();
    let contestants = of_runs(|record| record.contestant().text());
    let options = [
        ("--planner", &args.planner, contestants.clone()),
        ("--solver", &args.solver, contestants),
        ("--map", &args.map, of_runs(|record| &record.map)),
        ("--kind", &args.kind, of_runs(Record::kind_name)),
    ];
    options.into_iter().find_map(|(option, typed, known)| {
        let typed = typed.iter().find(|name| !known.contains(name.as_str()))?;
        let meant = did_you_mean(typed, &known.into_iter().collect::<Vec<_>>(), "there are");
        Some(Failure::input(format!("{option}: no run is of {}: {meant}", quoted(typed))))
    })
}

/// The default folder of a report.
fn beside(records: &Path) -> PathBuf {
    if records.as_os_str() == STANDARD_INPUT {
        return PathBuf::from("report");
    }
    if records.is_dir() {
        return records.join("report");
    }
    let stem = records.file_stem().unwrap_or_default().to_string_lossy();
    records.with_file_name(format!("{stem}-report"))
}

/// Reads the records of a folder, prints the tables, and writes the report.
pub fn report(args: &ReportArgs) -> Result<(), Failure> {
    #[cfg(feature = "parquet")]
    if Sort::of_results(&args.records)? == Sort::Walks {
        args.refuse_what_is_for_runs()?;
        let walks = jostle_lab::walks::read(&args.records)?;
        write!(out(), "{}", walks.best().write(args.format.format()))?;
        return Ok(());
    }
    #[cfg(not(feature = "parquet"))]
    Sort::of_results(&args.records)?;
    let numbers = |numbers: &Option<Numbers>| {
        numbers.iter().flat_map(|numbers| &numbers.0).map(|&number| saturated(number)).collect()
    };
    let filter = Filter {
        planners: args.planner.clone(),
        solvers: args.solver.clone(),
        maps: args.map.clone(),
        kinds: args.kind.clone(),
        agents: numbers(&args.agents),
        tasks: numbers(&args.tasks),
        limits: args.limit.clone(),
    };
    let results = Results::read(&args.records, &filter)
        .map_err(|error| misspelt(args).unwrap_or_else(|| error.into()))?;
    if let Some(planner) = &args.against
        && !results.contestants().contains(planner.as_str())
    {
        let names: Vec<&str> = results.contestants().into_iter().collect();
        let meant = did_you_mean(planner, &names, "the runs are of");
        let reason = format!("--against: no run is of {}: {meant}", quoted(planner));
        return Err(Failure::input(reason));
    }
    let options = Options {
        figures: !args.no_figures,
        weight: args.weight.weight(),
        against: args.against.clone(),
    };
    let report = Report::of(&results, &options);
    let folder = args.folder();
    let files = report.write(&folder)?;
    write!(out(), "{}", report.show(args.format.format()))?;
    for reason in report.chapters.iter().flat_map(|chapter| &chapter.skipped) {
        note(format_args!("left out {reason}"))?;
    }
    let count = counted(files.len(), "file");
    note(format_args!("{count} written to {}", shown_path(&folder)))?;
    Ok(())
}

/// A number of agents or tasks, as records hold it. None is larger than this maximum.
fn saturated(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
