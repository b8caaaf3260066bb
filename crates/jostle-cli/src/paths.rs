//! The path file of a run, written while the run goes on.

use std::io;

use jostle::World;
use jostle::formats::PathsWriter;
use jostle_lab::{OutputFile, Problem};

use crate::failure::Failure;
use crate::output::cannot_be_written;

/// A path file that grows with its run. If it cannot be written any more, the run goes on without it.
pub struct PathsOutput {
    path: std::path::PathBuf,
    writer: io::Result<PathsWriter<OutputFile>>,
    /// The number of changes that the world had seen after the last tick.
    changes_seen: u64,
}

impl PathsOutput {
    /// Begins the file of a run of this problem.
    pub fn begin(file: OutputFile, problem: &Problem) -> Self {
        let world = problem.instance.world();
        let path = file.path().to_owned();
        let writer = PathsWriter::begin(file, world.shared_grid(), world.agents());
        Self { path, writer, changes_seen: world.change_count() }
    }

    /// Adds the tick that has just passed.
    pub fn tick(&mut self, world: &World) {
        let changes = world.previous_changes(self.changes_seen);
        self.changes_seen += changes.len() as u64;
        if let Ok(writer) = &mut self.writer
            && let Err(error) = writer.tick(changes, world.configuration().cells())
        {
            self.writer = Err(error);
        }
    }

    /// Ends the file, which says whether the user has stopped the run.
    pub fn finish(self, was_stopped: bool) -> Result<(), Failure> {
        let finish = if was_stopped { PathsWriter::finish_stopped } else { PathsWriter::finish };
        let file = self.writer.and_then(finish);
        Ok(file.map_err(|error| cannot_be_written(&self.path, &error))?.commit()?)
    }
}
