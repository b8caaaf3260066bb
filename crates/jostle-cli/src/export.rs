//! `jostle export`: results for other tools.

use std::path::PathBuf;

use clap::Args;
use jostle::formats::shown_path;
use jostle_lab::sweep::Sort;
use jostle_lab::{Records, grouped};

use crate::failure::Failure;
use crate::output::Outputs;
use crate::say::{say, warn};

/// Write records, all shards of a sweep together, every run once, in an order that does not depend on when
/// they were made.
#[derive(Args, Debug)]
pub struct ExportArgs {
    /// A folder with records*.jsonl, as `jostle sweep` or `jostle run --json` write them, or one such file; or a folder
    /// of walks
    #[arg(value_name = "DIR|FILE")]
    records: PathBuf,

    /// The file to write; its ending says how: .csv, .jsonl or .parquet
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Writes all records to one file.
pub fn export(args: &ExportArgs) -> Result<(), Failure> {
    Outputs::reading([args.records.as_path()]).check(&args.out)?;
    #[cfg(feature = "parquet")]
    if Sort::of_results(&args.records)? == Sort::Walks {
        let walks = grouped(jostle_lab::walks::export(&args.records, &args.out)? as u64);
        say(format_args!("{walks} walks in {}", shown_path(&args.out)))?;
        return Ok(());
    }
    #[cfg(not(feature = "parquet"))]
    Sort::of_results(&args.records)?;
    let Records { records, notes } = Records::read(&args.records)?;
    for note in &notes {
        warn(note)?;
    }
    jostle_lab::export(&records, &args.out)?;
    let count = grouped(records.len() as u64);
    say(format_args!("{count} records in {}", shown_path(&args.out)))?;
    Ok(())
}
