//! The threads that make the runs of a sweep.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;

use jostle::simulate::Ending;

use super::log::{Log, News};
use super::{DrawnProblem, PlannedRun, Sweep};
use crate::record::{Machine, Record};
use crate::{Contestant, LabError, run, solve, solve_meetings};

/// What the threads of a sweep share.
pub struct Crew<'a> {
    sweep: &'a Sweep,
    machine: Machine,
    /// The instances that are in use, so that each is drawn once for all planners and solvers.
    drawn: Vec<Mutex<Weak<DrawnProblem>>>,
    /// The index of the next run to make.
    next: AtomicUsize,
    made: AtomicUsize,
    has_failed: AtomicBool,
    is_stopped: &'a (dyn Fn() -> bool + Sync),
    tell: &'a (dyn Fn(usize) + Sync),
}

impl<'a> Crew<'a> {
    /// A crew for these runs, not yet started.
    pub fn new(
        sweep: &'a Sweep,
        threads: usize,
        is_stopped: &'a (dyn Fn() -> bool + Sync),
        tell: &'a (dyn Fn(usize) + Sync),
    ) -> Self {
        Self {
            sweep,
            machine: Machine::this(threads),
            drawn: sweep.plan.instances.iter().map(|_| Mutex::default()).collect(),
            next: AtomicUsize::new(0),
            made: AtomicUsize::new(0),
            has_failed: AtomicBool::new(false),
            is_stopped,
            tell,
        }
    }

    /// Makes all runs, and returns how many were made.
    ///
    /// # Errors
    /// When a run is illegal, or a record cannot be written. The others then stop as well.
    pub fn run(self, threads: usize) -> Result<usize, LabError> {
        let (news, heard) = Log::news();
        let (crew, log) = (&self, &self.sweep.log);
        let outcome = thread::scope(|scope| {
            let keeper = scope.spawn(move || log.keep_safe(&heard));
            let workers: Vec<_> = (0..threads.clamp(1, self.sweep.todo.len().max(1)))
                .map(|_| {
                    let news = news.clone();
                    scope.spawn(move || {
                        let outcome = crew.work(&news);
                        crew.has_failed.fetch_or(outcome.is_err(), Ordering::SeqCst);
                        outcome
                    })
                })
                .collect();
            // The thread that flushes the log ends when no thread can append any more.
            drop(news);
            let works: Vec<_> = workers.into_iter().map(finished).collect();
            // An error of the disk explains the errors of the threads that write to it.
            finished(keeper).and(works.into_iter().collect())
        });
        outcome.map(|()| self.made.into_inner())
    }

    /// Makes one run after another.
    fn work(&self, news: &News) -> Result<(), LabError> {
        let Sweep { plan, log, todo, .. } = self.sweep;
        // Kept until the next run, which may be of the same instance.
        let mut held = None;
        while !self.is_over() {
            let Some(&number) = todo.get(self.next.fetch_add(1, Ordering::SeqCst)) else { break };
            let planned = &plan.runs[number];
            let problem = held.insert(self.problem(planned.instance)?);
            let Some(record) = self.record(planned, problem)? else { break };
            let record = Record {
                key: Some(planned.key.clone()),
                spec: Some(plan.fingerprint.clone()),
                experiment: Some(plan.name.clone()),
                machine: Some(Box::new(self.machine.clone())),
                label: planned.label.as_deref().map(str::to_owned),
                ..record
            };
            log.append(&record.line()?, news)?;
            (self.tell)(self.made.fetch_add(1, Ordering::SeqCst) + 1);
        }
        Ok(())
    }

    /// Makes a run; none if it was stopped.
    fn record(&self, next: &PlannedRun, drawn: &DrawnProblem) -> Result<Option<Record>, LabError> {
        let is_stopped = || self.is_over();
        match (&*next.contestant, drawn) {
            (Contestant::Planner(planner), DrawnProblem::Crowd(problem)) => {
                let (outcome, record) = run(planner, problem, next.setting, |_| {
                    if self.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                })?;
                Ok((outcome.ending != Ending::Stopped).then_some(record))
            }
            (Contestant::Solver(solver), DrawnProblem::Crowd(problem)) => {
                solve(solver, problem, next.setting, &is_stopped)
            }
            (Contestant::MeetingSolver(solver), DrawnProblem::Pairs(problem)) => {
                solve_meetings(solver, problem, next.setting, &is_stopped)
            }
            // A spec has no such table.
            (contestant, _) => {
                let name = contestant.name().text();
                Err(LabError::input(format!("{name} is for another sort of problem: {}", next.key)))
            }
        }
    }

    fn is_over(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed) || (self.is_stopped)()
    }

    fn problem(&self, instance: usize) -> Result<Arc<DrawnProblem>, LabError> {
        let mut drawn = self.drawn[instance].lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(problem) = drawn.upgrade() {
            return Ok(problem);
        }
        let problem = Arc::new(self.sweep.plan.instances[instance].draw()?);
        *drawn = Arc::downgrade(&problem);
        Ok(problem)
    }
}

/// Waits for a thread. If it panicked, so does this one.
fn finished<T>(thread: thread::ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
