//! The record file that a sweep writes.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};

use jostle::formats::shown_path;

use crate::LabError;
use crate::regular::expect_regular;

/// A file to which whole lines are added.
///
/// When [`append`](Self::append) returns, the system holds the line, so that killing the program loses
/// nothing. [`keep_safe`](Self::keep_safe) runs beside it and flushes lines to the disk, several at once if the
/// disk is slow, so that a power failure loses only the last moment and no run waits for the disk.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
    end: Mutex<u64>,
}

/// Signals [`Log::keep_safe`] that there is something to flush.
pub type News = SyncSender<()>;

impl Log {
    /// Opens a file, and makes it if need be.
    ///
    /// # Errors
    /// When that is impossible.
    pub fn open(folder: &Path, stem: &str) -> Result<Self, LabError> {
        let path = folder.join(format!("{stem}.jsonl"));
        expect_regular(&path)?;
        let wrong = |error: io::Error| {
            LabError::input(format!("{}: cannot be written: {error}", shown_path(&path)))
        };
        let file = File::options().create(true).append(true).open(&path).map_err(wrong)?;
        let end = Mutex::new(file.metadata().map_err(wrong)?.len());
        #[cfg(unix)]
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(wrong)?;
        Ok(Self { path, file, end })
    }

    /// Adds a line. If that fails, the file ends where it did before.
    ///
    /// # Errors
    /// When the line cannot be written, or an earlier one could not be flushed to the disk.
    pub fn append(&self, line: &str, news: &News) -> Result<(), LabError> {
        let mut end = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = (&self.file).write_all(line.as_bytes()) {
            // If even that fails, the next sweep finds an incomplete line and repairs it.
            let _ = self.file.set_len(*end);
            return Err(self.cannot(&error));
        }
        *end += line.len() as u64;
        match news.try_send(()) {
            // A full channel means that another flush is already due.
            Ok(()) | Err(std::sync::mpsc::TrySendError::Full(())) => Ok(()),
            Err(error @ std::sync::mpsc::TrySendError::Disconnected(())) => {
                Err(self.cannot(&error))
            }
        }
    }

    /// Flushes lines to the disk until no more can be added.
    ///
    /// # Errors
    /// When flushing fails.
    pub fn keep_safe(&self, news: &Receiver<()>) -> Result<(), LabError> {
        for () in news {
            self.file.sync_data().map_err(|error| self.cannot(&error))?;
        }
        Ok(())
    }

    /// The channel from the threads that append to the thread that flushes.
    pub fn news() -> (News, Receiver<()>) {
        sync_channel(1)
    }

    fn cannot(&self, error: &dyn std::fmt::Display) -> LabError {
        let reason = "what was recorded before is safe, and the same command resumes the sweep";
        LabError::input(format!("{}: cannot be written: {error}; {reason}", shown_path(&self.path)))
    }
}
