//! `jostle export`: results for other tools.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use jostle_lab::sweep::read_entries;

use crate::failure::Failure;
use crate::table::grouped;

/// Write the records of a sweep's folder, all shares together, every run once, in an order that does not
/// depend on when they were made.
#[derive(Args, Debug)]
pub struct ExportArgs {
    /// The folder of a sweep
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// The file to write; its ending says how: .csv, .jsonl or .parquet
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Writes all records to one file.
pub fn export(args: &ExportArgs) -> Result<(), Failure> {
    let read = read_entries(&args.folder)?;
    for note in &read.notes {
        writeln!(io::stderr(), "jostle: {note}")?;
    }
    jostle_lab::export(&read.entries, &args.out)?;
    let records = grouped(read.entries.len() as u64);
    writeln!(io::stdout(), "{records} records in {}", args.out.display())?;
    Ok(())
}
