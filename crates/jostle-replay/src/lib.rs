//! Pages that play runs of Jostle in any browser: play, scrub, zoom, follow an agent, and compare runs side by side.
//!
//! A page is one self-contained HTML file: styles, scripts and runs are in it, and its content policy forbids it to load
//! anything else. It needs no server. Whatever has a [`Trace`] can make one: a game, a test that fails, an experiment,
//! or a program of its own whose path files [`jostle::formats`] reads.
//!
//! ```
//! use jostle::{Crowd, Grid, Trace};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut crowd = Crowd::new(Grid::open(20, 10)?);
//! let knight = crowd.add((2, 3))?;
//! crowd.send(knight, (15, 5))?;
//! let mut trace = Trace::begin(crowd.world());
//! for _ in 0..20 {
//!     crowd.tick()?;
//!     trace.record(crowd.world());
//! }
//! let html = jostle_replay::page(&trace, "A knight crosses the hall");
//! # assert!(html.contains("<h1>A knight crosses the hall</h1>"));
//! # Ok(())
//! # }
//! ```
//!
//! Several runs share one timeline, and one camera if their maps have the same size. They are written one after
//! another, so that only one of them has to be in memory:
//!
//! ```
//! use jostle::instance::Kind;
//! use jostle::planners::planner;
//! use jostle::{Instance, Level, Limits, Simulation};
//! use jostle_replay::{Page, Run};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let instance = Instance::draw(Level::Cave.generate(40, 30, 1)?, Kind::Random, 20, 1)?;
//! # let out = Vec::new();
//! // `out` is a file, or any other `Write`.
//! let mut page = Page::begin(out, "Cave, 20 agents")?;
//! for name in ["jostle", "bmaa"] {
//!     let (mut world, mut planner) = (instance.world(), planner(name)?);
//!     let run = Simulation::new(&mut world, planner.as_mut()).limits(Limits::ticks(200)).traced();
//!     let outcome = run.run()?;
//!     let trace = outcome.trace.expect("the run was traced");
//!     page.add(&Run::new(name, &trace).fact("ticks", trace.ticks().to_string()))?;
//! }
//! page.finish()?;
//! # Ok(())
//! # }
//! ```
//!
//! `jostle run --replay`, `jostle check --replay` and `jostle replay` of the command write such pages.

#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)]

mod data;
mod html;

use std::io::{self, Write};

use jostle::Trace;
use jostle::formats::PathsTask;

use data::Floors;
use html::{TAIL, escape, write_head};

/// A page with one run.
///
/// The title is shown as it is, whatever it contains. For a page that may be larger than the memory, use [`Page`].
pub fn page(trace: &Trace, title: &str) -> String {
    let write = || {
        let mut page = Page::begin(Vec::new(), title)?;
        page.add(&Run::new(title, trace))?;
        page.finish()
    };
    // A vector takes everything that is written to it.
    let bytes = write().unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A run as a page shows it.
#[derive(Clone, Debug)]
pub struct Run<'a> {
    title: String,
    trace: &'a Trace,
    facts: Vec<(String, String)>,
    tasks: &'a [PathsTask],
    note: Option<String>,
}

impl<'a> Run<'a> {
    /// A run with the title of its panel, for example the name of its planner. Beside no other run, the title of the page
    /// is enough, and this one is not shown.
    pub fn new(title: impl Into<String>, trace: &'a Trace) -> Self {
        Self { title: title.into(), trace, facts: Vec::new(), tasks: &[], note: None }
    }

    /// The title of its panel.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Adds a label and a value to show beside the title, for example `("distance", "31.5")`. They are shown in the order in
    /// which they are added. How many agents have arrived need not be among them: the page counts it at every tick.
    #[must_use]
    pub fn fact(mut self, label: impl Into<String>, value: impl Into<String>) -> Self {
        self.facts.push((label.into(), value.into()));
        self
    }

    /// Adds several [facts](Self::fact).
    #[must_use]
    pub fn facts<L: Into<String>, V: Into<String>>(
        self,
        facts: impl IntoIterator<Item = (L, V)>,
    ) -> Self {
        facts.into_iter().fold(self, |run, (label, value)| run.fact(label, value))
    }

    /// The tasks of agents that meet. The number of an agent is its slot.
    #[must_use]
    pub const fn tasks(mut self, tasks: &'a [PathsTask]) -> Self {
        self.tasks = tasks;
        self
    }

    /// A sentence that warns of something, for example that the run is shown only up to its first illegal step.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }
}

/// A page that is being written: [`begin`](Self::begin), [`add`](Self::add) a run or several, [`finish`](Self::finish).
///
/// Nothing is kept of a run that was added but one bit for each cell of its floor, which is written once for all runs on
/// it. The page grows with the ticks in which agents change direction: an agent that stands still or walks straight on
/// costs next to nothing, one that turns at every tick costs two thirds of a byte per tick.
#[derive(Debug)]
pub struct Page<W> {
    out: W,
    floors: Floors,
}

impl<W: Write> Page<W> {
    /// Writes the beginning of a page. The title is shown as it is, whatever it contains. The output is written in
    /// small pieces, so a file should be buffered.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn begin(mut out: W, title: &str) -> io::Result<Self> {
        write_head(&mut out, title)?;
        Ok(Self { out, floors: Floors::default() })
    }

    /// Writes a run. A page plays any number of them; up to six fit on a screen.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn add(&mut self, run: &Run<'_>) -> io::Result<()> {
        let Self { out, floors } = self;
        write!(out, "<section class=\"panel\">\n<header><h2>{}</h2>", escape(&run.title))?;
        out.write_all(b"<dl class=\"facts\">")?;
        for (label, value) in &run.facts {
            write!(out, "<div><dt>{}</dt><dd>{}</dd></div>", escape(label), escape(value))?;
        }
        out.write_all(b"</dl>")?;
        if let Some(note) = &run.note {
            write!(out, "<p class=\"note\">{}</p>", escape(note))?;
        }
        out.write_all(b"</header>\n<script class=\"run\" type=\"application/json\">")?;
        data::write(run.trace, run.tasks, floors, out)?;
        out.write_all(b"</script>\n</section>\n")
    }

    /// Writes the end of the page, and returns the output.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.write_all(TAIL.as_bytes())?;
        self.out.flush()?;
        Ok(self.out)
    }
}

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadMe;

#[cfg(test)]
#[path = "lib_test.rs"]
mod tests;
