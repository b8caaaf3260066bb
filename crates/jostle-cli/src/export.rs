//! `jostle export`: results for other tools.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use jostle_lab::sweep::Sort;
use jostle_lab::{ExportFormat, Records, shown_output};

use crate::failure::Failure;
use crate::output::Outputs;
use crate::say::{say, warn};
use crate::table::counted;

/// Which records, and where they go.
#[derive(Args, Debug)]
#[command(after_long_help = "\
Examples:
  jostle export results/silver --out silver.csv
  jostle run cave --seeds 1-20 --json | jostle export - --out runs.csv
  jostle export results/silver --out - --format csv | head")]
pub struct ExportArgs {
    /// A folder with records*.jsonl, as `jostle sweep` or `jostle run --json` write them, or one such file; or a folder
    /// of walks
    #[arg(value_name = "DIR|FILE", value_hint = ValueHint::AnyPath)]
    pub records: PathBuf,

    /// The file to write, or - for standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub out: PathBuf,

    /// The format [default: that of the ending of the file: .csv, .jsonl or .parquet; on standard output jsonl, and csv for walks]
    #[arg(long, value_enum)]
    format: Option<FormatArg>,
}

/// The format of exported records.
#[derive(ValueEnum, Debug, Clone, Copy)]
enum FormatArg {
    Csv,
    Jsonl,
    Parquet,
}

impl FormatArg {
    const fn format(self) -> ExportFormat {
        match self {
            Self::Csv => ExportFormat::Csv,
            Self::Jsonl => ExportFormat::JsonLines,
            Self::Parquet => ExportFormat::Parquet,
        }
    }
}

/// Writes all records to one file.
pub fn export(args: &ExportArgs) -> Result<(), Failure> {
    Outputs::reading_results([args.records.as_path()]).check(&args.out)?;
    #[cfg(feature = "parquet")]
    if Sort::of_results(&args.records)? == Sort::Walks {
        if !matches!(args.format, None | Some(FormatArg::Csv)) {
            return Err(Failure::input("walks are exported as CSV, and in no other --format"));
        }
        let walks = jostle_lab::walks::export(&args.records, &args.out)?;
        say(format_args!("{} in {}", counted(walks, "walk"), shown_output(&args.out)))?;
        return Ok(());
    }
    #[cfg(not(feature = "parquet"))]
    Sort::of_results(&args.records)?;
    let Records { records, notes } = Records::read(&args.records)?;
    for note in &notes {
        warn(note)?;
    }
    jostle_lab::export(&records, &args.out, args.format.map(FormatArg::format))?;
    let count = counted(records.len(), "record");
    say(format_args!("{count} in {}", shown_output(&args.out)))?;
    Ok(())
}
