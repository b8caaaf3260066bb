//! `jostle export`: results for other tools.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use jostle_lab::{Records, grouped};

use crate::failure::Failure;
use crate::output::Outputs;

/// Write records, all shards of a sweep together, every run once, in an order that does not depend on when
/// they were made.
#[derive(Args, Debug)]
pub struct ExportArgs {
    /// A folder with records*.jsonl, as `jostle sweep` or `jostle run --json` write them, or one such file
    #[arg(value_name = "DIR|FILE")]
    records: PathBuf,

    /// The file to write; its ending says how: .csv, .jsonl or .parquet
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Writes all records to one file.
pub fn export(args: &ExportArgs) -> Result<(), Failure> {
    Outputs::reading([args.records.as_path()]).check(&args.out)?;
    let Records { records, notes } = Records::read(&args.records)?;
    for note in &notes {
        writeln!(io::stderr(), "jostle: {note}")?;
    }
    jostle_lab::export(&records, &args.out)?;
    let count = grouped(records.len() as u64);
    writeln!(io::stdout(), "{count} records in {}", args.out.display())?;
    Ok(())
}
