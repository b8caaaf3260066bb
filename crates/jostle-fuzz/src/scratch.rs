//! Folders for the files of a case.

use std::path::Path;

use tempfile::TempDir;

/// A new folder, in memory where the system has such a place: cases write many small files, and a disk would be most
/// of their time.
///
/// # Errors
/// When it cannot be made.
pub fn folder() -> std::io::Result<TempDir> {
    let memory = Path::new("/dev/shm");
    tempfile::tempdir_in(memory).or_else(|_| tempfile::tempdir())
}
