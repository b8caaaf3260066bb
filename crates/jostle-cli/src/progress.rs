//! The progress of a run or a search: nothing for a second, then a bar, if standard error is a terminal.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use jostle::formats::{LONGEST_QUOTATION, printable};
use jostle::{Agent, Limits};
use jostle_lab::{SoFar, discard_unfinished_files};

use crate::say::error;

/// Set when the user has asked to stop.
static STOP: AtomicBool = AtomicBool::new(false);

/// Set when what is running looks at [`STOP`] now and then.
static STOPS_GENTLY: AtomicBool = AtomicBool::new(false);

/// Set when nothing is running any more.
static IS_WRAPPING_UP: AtomicBool = AtomicBool::new(false);

/// Set when there is a result.
static IS_SOMETHING_DONE: AtomicBool = AtomicBool::new(false);

/// How long a tick or a search may go on after Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(800);

/// How long something runs before its progress is shown.
const QUIET: Duration = Duration::from_secs(1);

/// From now on Ctrl-C ends the program with exit code 130, and no unfinished file is left behind.
pub fn catch_interrupts() {
    let handler = || {
        if STOP.swap(true, Ordering::SeqCst) {
            exit();
        }
        if !STOPS_GENTLY.load(Ordering::SeqCst) {
            // If standard error is closed, the exit code has to do.
            let _ = error("interrupted");
            exit();
        }
        thread::spawn(|| {
            thread::sleep(PATIENCE);
            if !IS_WRAPPING_UP.load(Ordering::SeqCst) {
                let is_done = IS_SOMETHING_DONE.load(Ordering::SeqCst);
                let kept = if is_done { ": what was done before is shown or saved" } else { "" };
                let _ = error(format_args!("stopped at once{kept}"));
                exit();
            }
        });
    };
    // If no handler can be set, Ctrl-C ends the program, as usual.
    let _ = ctrlc::set_handler(handler);
}

/// From now on Ctrl-C stops what is running after its present tick, and a second one ends the program. So does the
/// first one, if the tick takes longer than a second.
pub fn stop_gently() {
    STOPS_GENTLY.store(true, Ordering::SeqCst);
}

/// From now on there is a result that is shown or saved.
pub fn something_is_done() {
    IS_SOMETHING_DONE.store(true, Ordering::SeqCst);
}

fn exit() -> ! {
    discard_unfinished_files();
    std::process::exit(130);
}

/// Set when the user has asked to stop, for searches that look at it now and then.
pub const fn stop_flag() -> &'static AtomicBool {
    &STOP
}

/// Whether the user has asked to stop.
pub fn is_interrupted() -> bool {
    STOP.load(Ordering::SeqCst)
}

/// Nothing is running any more, and what is left to do will be done, however long it takes.
pub fn wrap_up() {
    IS_WRAPPING_UP.store(true, Ordering::SeqCst);
}

/// The progress of one run.
#[derive(Debug)]
pub struct RunProgress {
    label: String,
    limits: Limits,
    started: Instant,
    bar: Option<ProgressBar>,
}

impl RunProgress {
    /// Starts the clock of the bar.
    pub fn new(label: &str, limits: Limits) -> Self {
        let label = printable(label, LONGEST_QUOTATION);
        Self { label, limits, started: Instant::now(), bar: None }
    }

    /// Shows how far the run has come.
    pub fn show(&mut self, so_far: SoFar<'_>) {
        let world = so_far.world;
        let elapsed = self.started.elapsed();
        if elapsed < QUIET {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| new_bar(&self.label, elapsed));
        let share_of_ticks =
            self.limits.ticks.map_or(0.0, |limit| world.tick() as f64 / limit.max(1) as f64);
        let share_of_time = self
            .limits
            .time
            .map_or(0.0, |limit| elapsed.as_secs_f64() / limit.as_secs_f64().max(1e-9));
        let share_of_expansions = self
            .limits
            .expansions
            .map_or(0.0, |limit| so_far.expansions as f64 / limit.max(1) as f64);
        let share = share_of_ticks.max(share_of_time).max(share_of_expansions).min(1.0);
        bar.set_position((share * 1000.0) as u64);
        if world.tick().is_multiple_of(16) {
            let arrived = world.ours().filter(Agent::has_arrived).count();
            let all = world.ours().count();
            let [tick, arrived, all] = [world.tick(), arrived as u64, all as u64].map(HumanCount);
            bar.set_prefix(format!("tick {tick}, {arrived} of {all} arrived"));
        }
    }
}

impl Drop for RunProgress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// The progress of a search for a plan.
#[derive(Debug)]
pub struct SearchProgress {
    label: String,
    limit: Option<Duration>,
    started: Instant,
    bar: OnceLock<ProgressBar>,
}

impl SearchProgress {
    /// Starts the clock of the bar.
    pub fn new(label: &str, limit: Option<Duration>) -> Self {
        let label = printable(label, LONGEST_QUOTATION);
        Self { label, limit, started: Instant::now(), bar: OnceLock::new() }
    }

    /// Shows how far the search has come: its nodes, the lower bound, and the cost of the best plan.
    pub fn show(&self, nodes: u64, bound: u64, best: Option<u64>) {
        let Some(bar) = self.keep_time() else { return };
        let best = best
            .map_or_else(|| "no plan yet".to_owned(), |cost| format!("best {}", HumanCount(cost)));
        let (nodes, bound) = (HumanCount(nodes), HumanCount(bound));
        bar.set_prefix(format!("{nodes} nodes, bound {bound}, {best}"));
    }

    /// Shows how much time has passed, between two nodes too, which can take long. Returns the bar, once there is one.
    pub fn keep_time(&self) -> Option<&ProgressBar> {
        let elapsed = self.started.elapsed();
        if elapsed < QUIET {
            return None;
        }
        let bar = self.bar.get_or_init(|| new_bar(&self.label, elapsed));
        let share =
            self.limit.map_or(0.0, |limit| elapsed.as_secs_f64() / limit.as_secs_f64().max(1e-9));
        bar.set_position((share.min(1.0) * 1000.0) as u64);
        Some(bar)
    }
}

impl Drop for SearchProgress {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

fn new_bar(label: &str, elapsed: Duration) -> ProgressBar {
    let bar = ProgressBar::new(1000).with_elapsed(elapsed);
    let style = "{msg} {bar:24} {elapsed} {prefix}";
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style.progress_chars("━━╌"));
    }
    bar.set_message(label.to_owned());
    bar
}
