//! A campaign: runs cases of a target on several threads, shrinks those that fail, and writes them out.
//!
//! Case number N of a seed is the same on any machine and any number of threads. How many cases fit into a number of
//! seconds is not.

use std::collections::HashSet;
use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use crate::dice::Dice;
use crate::fault::Fault;
use crate::finding::Finding;
use crate::shrink::shrink;
use crate::target::{Effort, Target};

/// How many smaller cases are tried for a finding, and for how long.
const SHRINK_TRIES: usize = 4_000;
const SHRINK_TIME: Duration = Duration::from_secs(60);
/// More findings than anybody wants to read at once.
const MOST_FINDINGS: usize = 20;
/// How often a line of progress is printed.
const PROGRESS_EVERY: Duration = Duration::from_secs(60);
/// How often threads look whether it is time to stop, to report or to give up.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// When a campaign ends: at the first of these.
#[derive(Clone, Copy, Debug, Default)]
#[allow(missing_docs)]
pub struct Amount {
    pub cases: Option<u64>,
    pub time: Option<Duration>,
    pub agent_ticks: Option<u64>,
}

/// The request for a campaign.
#[derive(Clone, Debug)]
pub struct Order {
    /// The seed of all cases.
    pub seed: u64,
    /// When to end; without any limit, after the target's usual number of cases.
    pub amount: Amount,
    /// How many cases to run at a time.
    pub threads: usize,
    /// The folder for findings.
    pub out: PathBuf,
    /// How long a case may take before it counts as a hang.
    pub patience: Duration,
}

/// The result of a campaign.
#[derive(Clone, Debug)]
pub struct Summary {
    /// What was done.
    pub effort: Effort,
    /// How long it took.
    pub elapsed: Duration,
    /// One finding of each kind, in the order of their cases.
    pub findings: Vec<Finding>,
    /// Where they were written, or why that was not possible.
    pub notes: Vec<String>,
}

/// A target without the type of its cases.
pub trait Attack: Sync {
    /// The name that users type.
    fn name(&self) -> &'static str;
    /// What is attacked, in one line.
    fn about(&self) -> &'static str;
    /// What this machine lacks, and what is left out for that.
    fn left_out(&self) -> Option<String>;
    /// Runs many cases.
    fn attack(&self, order: &Order) -> Summary;
    /// Runs the case of a finding again; `None` if it is not a case of this target.
    fn replay(&self, case: &Value) -> Option<Result<(), Fault>>;
}

impl<T: Target> Attack for T {
    fn name(&self) -> &'static str {
        Target::name(self)
    }

    fn about(&self) -> &'static str {
        Target::about(self)
    }

    fn left_out(&self) -> Option<String> {
        Target::left_out(self)
    }

    fn attack(&self, order: &Order) -> Summary {
        Campaign::new(self, order).run()
    }

    fn replay(&self, case: &Value) -> Option<Result<(), Fault>> {
        let case = serde_json::from_value(case.clone()).ok()?;
        Some(run_caught(self, &case, &mut Effort::default()))
    }
}

/// Draws a case of a campaign.
fn draw<T: Target>(target: &T, seed: u64, index: u64) -> T::Case {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(index);
    target.draw(index, &mut Dice(rng))
}

/// Runs a case. A panic is a fault of its own kind.
fn run_caught<T: Target>(target: &T, case: &T::Case, effort: &mut Effort) -> Result<(), Fault> {
    panic::catch_unwind(AssertUnwindSafe(|| target.run(case, effort))).unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let message = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("unknown");
        let place = LAST_PANIC.with_borrow_mut(std::mem::take);
        Err(Fault::new(format!("a panic{place}"), message))
    })
}

thread_local! {
    /// Where this thread panicked last.
    static LAST_PANIC: std::cell::RefCell<String> = const { std::cell::RefCell::new(String::new()) };
}

/// Panics are findings, and nothing is printed about them; their places are kept.
pub fn catch_panics() {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map(|at| format!(" at {}:{}", at.file(), at.line()));
        LAST_PANIC.set(place.unwrap_or_default());
    }));
}

struct Campaign<'a, T> {
    target: &'a T,
    order: &'a Order,
    begin: Instant,
    next: AtomicU64,
    is_over: AtomicBool,
    state: Mutex<State>,
    /// The case that each thread is running, and since when.
    running: Vec<Mutex<Option<(u64, Instant)>>>,
}

#[derive(Default)]
struct State {
    effort: Effort,
    kinds: HashSet<String>,
    findings: Vec<Finding>,
    notes: Vec<String>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a, T: Target> Campaign<'a, T> {
    fn new(target: &'a T, order: &'a Order) -> Self {
        Self {
            target,
            order,
            begin: Instant::now(),
            next: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
            state: Mutex::default(),
            running: (0..order.threads.max(1)).map(|_| Mutex::default()).collect(),
        }
    }

    fn run(self) -> Summary {
        thread::scope(|scope| {
            let workers: Vec<_> =
                self.running.iter().map(|running| scope.spawn(|| self.work(running))).collect();
            self.watch(|| workers.iter().all(thread::ScopedJoinHandle::is_finished));
        });
        let elapsed = self.begin.elapsed();
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let State { effort, mut findings, notes, .. } = state;
        findings.sort_by_key(|finding| finding.index);
        Summary { effort, elapsed, findings, notes }
    }

    /// The number of cases, if it is limited.
    fn cases(&self) -> Option<u64> {
        let Amount { cases, time, agent_ticks } = self.order.amount;
        let is_limited = cases.is_some() || time.is_some() || agent_ticks.is_some();
        if is_limited { cases } else { Some(self.target.usual_cases()) }
    }

    /// Runs cases until the campaign is over.
    fn work(&self, running: &Mutex<Option<(u64, Instant)>>) {
        let Amount { time, agent_ticks, .. } = self.order.amount;
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let is_late = time.is_some_and(|time| self.begin.elapsed() >= time);
            let is_over = self.is_over.load(Ordering::Relaxed);
            if is_over || is_late || self.cases().is_some_and(|cases| index >= cases) {
                return;
            }
            *lock(running) = Some((index, Instant::now()));
            let case = draw(self.target, self.order.seed, index);
            let mut effort = Effort { cases: 1, ..Effort::default() };
            let result = run_caught(self.target, &case, &mut effort);
            *lock(running) = None;
            if let Err(fault) = result {
                self.keep(index, &case, fault);
            }
            let mut state = lock(&self.state);
            state.effort += effort;
            if agent_ticks.is_some_and(|most| state.effort.agent_ticks >= most)
                || state.findings.len() >= MOST_FINDINGS
            {
                self.is_over.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Shrinks a failing case and writes it out, if it is the first of its kind.
    fn keep(&self, index: u64, case: &T::Case, fault: Fault) {
        if !lock(&self.state).kinds.insert(fault.kind.clone()) {
            return;
        }
        let mut fault = fault;
        let begin = Instant::now();
        let whole = serde_json::to_value(case).unwrap_or_default();
        let small = shrink(whole, SHRINK_TRIES, |smaller| {
            if begin.elapsed() > SHRINK_TIME {
                return false;
            }
            match self.target.replay(smaller) {
                Some(Err(found)) if found.kind == fault.kind => {
                    fault = found;
                    true
                }
                _ => false,
            }
        });
        self.note(Finding {
            target: Target::name(self.target).to_owned(),
            seed: self.order.seed,
            index,
            fault,
            case: small,
        });
    }

    fn note(&self, finding: Finding) {
        let note = match finding.save(&self.order.out) {
            Ok(path) => format!("{}: {}", path.display(), finding.fault),
            Err(reason) => format!("{reason}, so this is lost: {}", finding.fault),
        };
        let mut state = lock(&self.state);
        state.notes.push(note);
        state.findings.push(finding);
    }

    /// Prints progress, and ends the program when a case hangs, until the threads are done.
    fn watch(&self, is_done: impl Fn() -> bool) {
        let mut reported = Instant::now();
        while !is_done() {
            thread::sleep(LOOK_EVERY);
            if reported.elapsed() >= PROGRESS_EVERY {
                reported = Instant::now();
                let state = lock(&self.state);
                let line = progress(&state.effort, self.begin.elapsed(), state.findings.len());
                // Progress is not worth an error.
                let _ = writeln!(io::stderr(), "{}: {line}", Target::name(self.target));
            }
            for running in &self.running {
                let hung = lock(running).filter(|(_, since)| since.elapsed() > self.order.patience);
                if let Some((index, _)) = hung {
                    self.give_up(index);
                }
            }
        }
    }

    /// Writes out a case that hangs. A thread cannot be stopped from outside, so the program ends here.
    fn give_up(&self, index: u64) {
        let (seed, patience) = (self.order.seed, self.order.patience);
        let case = draw(self.target, seed, index);
        let fault = Fault::new("a hang", format!("the case takes more than {patience:?}"));
        self.note(Finding {
            target: Target::name(self.target).to_owned(),
            seed,
            index,
            fault,
            case: serde_json::to_value(&case).unwrap_or_default(),
        });
        for note in &lock(&self.state).notes {
            let _ = writeln!(io::stderr(), "{note}");
        }
        std::process::exit(1);
    }
}

/// What was done so far, in one line.
pub fn progress(effort: &Effort, elapsed: Duration, findings: usize) -> String {
    let seconds = elapsed.as_secs_f64().max(0.001);
    let Effort { cases, ticks, agent_ticks, .. } = effort;
    let rate = *agent_ticks as f64 / seconds;
    let [cases, ticks, agent_ticks, rate] =
        [*cases, *ticks, *agent_ticks, rate as u64].map(jostle_lab::grouped);
    let moved = match effort.ticks {
        0 => String::new(),
        _ => format!("{ticks} ticks, {agent_ticks} agent-ticks, {rate} agent-ticks/s, "),
    };
    let compared = |(kind, ticks): (&&str, &u64)| {
        format!("{kind} {} agent-ticks, ", jostle_lab::grouped(*ticks))
    };
    let compared = effort.compared.iter().map(compared).collect::<String>();
    format!("{cases} cases, {moved}{compared}{seconds:.0} s, {findings} findings")
}
