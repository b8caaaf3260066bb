//! The progress of work that is done in steps: a bar on a terminal, elsewhere a line now and then.

use std::io::{self, IsTerminal};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::say::note;

/// How often to print a line where there is no terminal for a bar.
const LINE_EVERY: Duration = Duration::from_secs(30);

/// The progress of work that is done in steps, by one thread or several.
#[derive(Debug)]
pub struct Steps {
    bar: ProgressBar,
    last_line: Mutex<Instant>,
}

impl Steps {
    /// Some steps of all were done before. What stands beside the bar is a template of `indicatif`.
    pub fn new(beside: &str, before: usize, all: usize) -> Self {
        let bar = ProgressBar::new(all as u64).with_position(before as u64);
        if let Ok(style) = ProgressStyle::with_template(&format!("{{bar:32}} {beside}")) {
            bar.set_style(style.progress_chars("━━╌"));
        }
        bar.reset_eta();
        bar.enable_steady_tick(Duration::from_millis(500));
        Self { bar, last_line: Mutex::new(Instant::now()) }
    }

    /// So many steps are done. The line is for who has no terminal, and the message for who has.
    pub fn show(&self, done: usize, message: &str, line: impl FnOnce() -> String) {
        self.bar.set_position(done as u64);
        self.bar.set_message(message.to_owned());
        if io::stderr().is_terminal() {
            return;
        }
        let mut last_line = self.last_line.lock().unwrap_or_else(PoisonError::into_inner);
        if last_line.elapsed() >= LINE_EVERY {
            *last_line = Instant::now();
            // Progress is not worth an error.
            let _ = note(line());
        }
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
