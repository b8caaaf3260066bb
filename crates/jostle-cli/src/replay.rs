//! Pages that play runs in a browser: `jostle replay`, and `--replay` of the other commands.

use std::cell::{Cell, RefCell};
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use clap::Args as ClapArgs;
use jostle::formats::shown_path;
use jostle_lab::{OutputFile, shown_output};
use jostle_replay::{Page, Run};

use crate::args::RulesArgs;
use crate::check::check_files;
use crate::failure::Failure;
use crate::output::{Outputs, Target, cannot_be_written, write_whole};
use crate::say::say;
use crate::table::counted;

#[derive(ClapArgs, Debug)]
pub struct ReplayArgs {
    /// The map: a MovingAI .map file, or a built-in one
    pub map: String,

    /// Path files, also those of other tools; several are shown side by side
    #[arg(required = true, value_name = "FILE")]
    pub paths: Vec<PathBuf>,

    /// The page to write, an HTML file
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,

    /// Open the page in a browser
    #[arg(long)]
    pub open: bool,

    /// The title of the page [default: the names of the map and of a single path file]
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,

    #[command(flatten)]
    pub rules: RulesArgs,
}

/// Writes a page that plays path files side by side. All are checked. One that is illegal is shown up to its first illegal
/// step, and what the page shows is said whether or not all are legal.
pub fn replay(args: &ReplayArgs) -> Result<(), Failure> {
    let inputs = args.paths.iter().map(PathBuf::as_path).chain([Path::new(&args.map)]);
    let outputs = Outputs::reading(inputs);
    let pages = Pages::one(&outputs, &args.out, args.paths.len())?.titled(args.title.clone());
    let written = Rc::clone(&pages.written);
    let checked = check_files(&args.map, args.rules, &args.paths, Some(pages));
    let page = describe(&written, args.paths.len(), checked.as_ref().err());
    let said = say(format_args!("{}: {page}", shown_output(&args.out)));
    // A closed standard output must not hide an illegal run.
    checked?;
    Ok(said?)
}

/// What a page shows of so many runs, and what it does not.
fn describe(written: &Written, runs: usize, failure: Option<&Failure>) -> String {
    if !written.is_done.get() {
        return "not written".to_owned();
    }
    let shown = written.runs.get();
    let has_illegal = failure.is_some_and(has_illegal);
    let until = if has_illegal { ", illegal ones up to the first illegal step" } else { "" };
    let unshown = match runs - shown {
        0 => String::new(),
        unshown => format!("; {unshown} of {runs} cannot be shown"),
    };
    format!("plays {}{until}{unshown}", counted(shown, "run"))
}

/// Whether a check found a run illegal.
fn has_illegal(failure: &Failure) -> bool {
    match failure {
        Failure::Illegal(_) => true,
        Failure::Several(failures) => failures.iter().any(has_illegal),
        _ => false,
    }
}

/// The page or the pages that a command writes.
#[derive(Debug)]
pub struct Pages<'a> {
    form: Form<'a>,
    /// The title that the user has chosen.
    title: Option<String>,
    written: Rc<Written>,
}

/// What has been written so far.
#[derive(Debug, Default)]
struct Written {
    runs: Cell<usize>,
    /// Whether a page is complete.
    is_done: Cell<bool>,
}

impl Written {
    fn add_run(&self) {
        self.runs.set(self.runs.get() + 1);
    }
}

#[derive(Debug)]
enum Form<'a> {
    /// A page for each run.
    Each(Target<'a>),
    /// One page, on which all runs are side by side.
    One(PathBuf, RefCell<Draft>),
}

/// A page with several runs, before it is done.
#[derive(Debug, Default)]
enum Draft {
    /// No run has been added yet.
    Empty(OutputFile),
    Begun(Page<OutputFile>),
    /// It could not be written.
    #[default]
    GivenUp,
}

impl<'a> Pages<'a> {
    /// The pages that the user has asked for, if any. Several runs of one problem go to one page if the name is that of an
    /// HTML file, and otherwise to a folder with a page for each.
    pub fn asked_for(
        outputs: &'a Outputs,
        path: Option<&Path>,
        runs: usize,
        problems: usize,
    ) -> Result<Option<Self>, Failure> {
        let Some(path) = path else { return Ok(None) };
        if runs < 2 || !is_page(path) {
            let form = Form::Each(Target::prepare(outputs, path, runs)?);
            return Ok(Some(Self { form, title: None, written: Rc::default() }));
        }
        if problems > 1 {
            let problems = counted(problems, "problem");
            return Err(Failure::input(format!(
                "{}: one page shows runs of one problem, and these are {problems}: name a folder, for a page of each run, or one map, number of agents and seed",
                shown_path(path)
            )));
        }
        Self::one(outputs, path, runs).map(Some)
    }

    /// One page for all of so many runs.
    fn one(outputs: &'a Outputs, path: &Path, runs: usize) -> Result<Self, Failure> {
        let form = if runs == 1 {
            Form::Each(Target::prepare(outputs, path, runs)?)
        } else {
            Form::One(path.to_owned(), RefCell::new(Draft::Empty(outputs.open(path)?)))
        };
        Ok(Self { form, title: None, written: Rc::default() })
    }

    /// The same pages with another title than that of the problem.
    #[must_use]
    pub fn titled(self, title: Option<String>) -> Self {
        Self { title, ..self }
    }

    /// Adds a run of a problem. In a folder, its page has this name.
    pub fn add(&self, stem: &str, problem: &str, run: &Run<'_>) -> Result<(), Failure> {
        match &self.form {
            Form::Each(target) => {
                let title = format!("{} · {problem}", run.title());
                let title = self.title.as_deref().unwrap_or(&title);
                write_whole(target.open(stem, "html")?, |out| write_page(title, run, out))?;
                self.written.add_run();
                self.written.is_done.set(true);
                Ok(())
            }
            Form::One(path, draft) => {
                let title = self.title.as_deref().unwrap_or(problem);
                // After an error the page is given up, and the command goes on without it.
                let added = match draft.take() {
                    Draft::Empty(file) => Page::begin(file, title),
                    Draft::Begun(page) => Ok(page),
                    Draft::GivenUp => return Ok(()),
                };
                let added = added.and_then(|mut page| page.add(run).map(|()| page));
                let page = added.map_err(|error| cannot_be_written(path, &error))?;
                draft.replace(Draft::Begun(page));
                self.written.add_run();
                Ok(())
            }
        }
    }

    /// Ends a page with several runs. One without any is not written.
    pub fn finish(self) -> Result<(), Failure> {
        let Form::One(path, draft) = self.form else { return Ok(()) };
        let Draft::Begun(page) = draft.into_inner() else { return Ok(()) };
        let file = page.finish().map_err(|error| cannot_be_written(&path, &error))?;
        file.commit()?;
        self.written.is_done.set(true);
        Ok(())
    }
}

/// Whether a name is that of an HTML file.
fn is_page(path: &Path) -> bool {
    let is_html = |extension: &std::ffi::OsStr| {
        ["html", "htm"].iter().any(|html| extension.eq_ignore_ascii_case(html))
    };
    path.extension().is_some_and(is_html) && !path.is_dir()
}

/// Writes a page with one run.
pub fn write_page(title: &str, run: &Run<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    let mut page = Page::begin(out, title)?;
    page.add(run)?;
    page.finish().map(drop)
}
