//! The threads that make the walks of a sweep.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use jostle::Grid;
use jostle::formats::shown_path;
use jostle::instance::Task;
use jostle::search::{Lrta, LrtaSearch, Walk, shortest_path};

use super::plan::Batch;
use super::table::{self, Solved};
use crate::{LabError, OutputFile};

/// What the threads of a sweep share. They take one problem after another, so that all work on a map that is the last, or the only one.
pub struct Crew<'a> {
    settings: &'a [Lrta],
    folder: &'a Path,
    /// The batches that are missing, and what is left of the first of them.
    queue: Mutex<Queue<'a>>,
    /// Walks that were made, and walks whose batch was written.
    made: AtomicUsize,
    written: AtomicUsize,
    has_failed: AtomicBool,
    is_stopped: &'a (dyn Fn() -> bool + Sync),
    tell: &'a (dyn Fn(usize) + Sync),
}

struct Queue<'a> {
    batches: std::vec::IntoIter<&'a Batch>,
    open: Option<(Arc<Open<'a>>, usize)>,
}

/// A batch that is under way.
struct Open<'a> {
    batch: &'a Batch,
    grid: Arc<Grid>,
    tasks: Vec<Task>,
    solved: Mutex<Vec<Option<Solved>>>,
}

impl<'a> Crew<'a> {
    /// A crew for these batches, not yet started.
    pub fn new(
        settings: &'a [Lrta],
        folder: &'a Path,
        batches: Vec<&'a Batch>,
        is_stopped: &'a (dyn Fn() -> bool + Sync),
        tell: &'a (dyn Fn(usize) + Sync),
    ) -> Self {
        let queue = Mutex::new(Queue { batches: batches.into_iter(), open: None });
        let (made, written) = Default::default();
        let has_failed = AtomicBool::new(false);
        Self { settings, folder, queue, made, written, has_failed, is_stopped, tell }
    }

    /// Makes all batches, and returns how many walks were written.
    ///
    /// # Errors
    /// When a map cannot be read, or a file cannot be written. The other threads then stop as well.
    pub fn run(self, threads: usize) -> Result<usize, LabError> {
        let crew = &self;
        let outcome: Result<(), LabError> = thread::scope(|scope| {
            let work = || {
                let outcome = crew.work();
                crew.has_failed.fetch_or(outcome.is_err(), Ordering::SeqCst);
                outcome
            };
            let threads: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
            let outcomes: Vec<_> = threads
                .into_iter()
                .map(|thread| {
                    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                })
                .collect();
            outcomes.into_iter().collect()
        });
        outcome.map(|()| self.written.into_inner())
    }

    /// Solves one problem after another, with all settings.
    fn work(&self) -> Result<(), LabError> {
        let mut search = LrtaSearch::default();
        while !self.is_over() {
            let Some((open, problem)) = self.next()? else { break };
            let Some(solved) = self.solve(&open, problem, &mut search)? else { break };
            if let Some(all) = open.add(problem, solved) {
                self.write(open.batch, &all)?;
            }
        }
        Ok(())
    }

    /// The next problem. Its batch is opened if it is the first one.
    fn next(&self) -> Result<Option<(Arc<Open<'a>>, usize)>, LabError> {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((open, next)) = &mut queue.open
            && *next < open.tasks.len()
        {
            *next += 1;
            return Ok(Some((Arc::clone(open), *next - 1)));
        }
        let Some(batch) = queue.batches.next() else { return Ok(None) };
        let (grid, tasks) = batch.open()?;
        let solved = Mutex::new(vec![None; tasks.len()]);
        let open = Arc::new(Open { batch, grid, tasks, solved });
        queue.open = Some((Arc::clone(&open), 1));
        Ok(Some((open, 0)))
    }

    /// The walks of all settings; none if the sweep was stopped meanwhile.
    fn solve(
        &self,
        open: &Open<'_>,
        problem: usize,
        search: &mut LrtaSearch,
    ) -> Result<Option<Solved>, LabError> {
        let (grid, ends) = (&*open.grid, open.tasks[problem]);
        let [start, goal] = [ends.0, ends.1].map(|cell| grid.position(cell));
        let Some((shortest, _)) = shortest_path(grid, ends.0, ends.1) else {
            let map = shown_path(&open.batch.facts.map);
            let reason = format!("no path leads from {start:?} to {goal:?}");
            return Err(LabError::input(format!("{map}: {reason}")));
        };
        let most = Walk::most_moves(shortest, open.batch.facts.longest);
        let mut walks = Vec::with_capacity(self.settings.len());
        for setting in self.settings {
            if self.is_over() {
                return Ok(None);
            }
            walks.push(search.walk(grid, ends, setting, most, |_| ()));
            (self.tell)(self.made.fetch_add(1, Ordering::Relaxed) + 1);
        }
        Ok(Some(Solved { start, goal, shortest, walks }))
    }

    /// Writes a batch, whole or not at all.
    fn write(&self, batch: &Batch, problems: &[Solved]) -> Result<(), LabError> {
        let path = self.folder.join(batch.facts.file_name());
        let file = OutputFile::open(&path)?;
        table::write(file, &batch.facts, self.settings, problems)
            .map_err(|error| {
                let error = io::Error::other(error);
                LabError::input(format!("{}: cannot be written: {error}", shown_path(&path)))
            })?
            .commit()?;
        self.written.fetch_add(batch.facts.walks(), Ordering::SeqCst);
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed) || (self.is_stopped)()
    }
}

impl Open<'_> {
    /// Keeps the walks of a problem. Returns those of all problems when none is missing any more.
    fn add(&self, problem: usize, solved: Solved) -> Option<Vec<Solved>> {
        let mut all = self.solved.lock().unwrap_or_else(PoisonError::into_inner);
        all[problem] = Some(solved);
        all.iter().all(Option::is_some).then(|| all.drain(..).flatten().collect())
    }
}
