//! `jostle run`: runs planners on problems and prints the results.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use jostle::formats::shown_path;
use jostle::instance::Kind;
use jostle::planners::{Registry, Spec};
use jostle::script::Refusal;
use jostle::simulate::{Ending, Outcome};
use jostle::{Rules, Trace};
use jostle_lab::table::Format;
use jostle_lab::{Problem, Record, RulesText, Setting, json_line, show_limits};

use crate::args::RunArgs;
use crate::failure::Failure;
use crate::output::{Outputs, Target, write_whole};
use crate::paths::PathsOutput;
use crate::problem::Problems;
use crate::progress::{RunProgress, catch_interrupts, is_interrupted, wrap_up};
use crate::replay::{Replay, write_page};
use crate::say::warn;
use crate::table::{GrowingTable, Measure, for_people, grouped, legend, summary};

/// Runs every planner on every problem.
pub fn run(registry: &Registry, args: &RunArgs) -> Result<Vec<Record>, Failure> {
    catch_interrupts();
    let planners = args.planners(registry)?;
    let problems = Problems::of(args)?;
    let runs = problems.count().saturating_mul(planners.len());
    let outputs = Outputs::reading(args.inputs());
    let prepare = |path: &Option<PathBuf>| {
        path.as_deref().map(|path| Target::prepare(&outputs, path, runs)).transpose()
    };
    let batch = Batch {
        args,
        planners,
        has_one_problem: problems.count() == 1,
        paths: prepare(&args.paths)?,
        replay: prepare(&args.replay)?,
    };
    let mut results = Results::default();
    for name in problems.names() {
        batch.run_planners(&problems.draw(name)?, &mut results)?;
        if is_interrupted() {
            break;
        }
    }
    wrap_up();
    let Results { records, mut failures } = results;
    if !args.json {
        if let Some(experiment) = args.experiment {
            let report = experiment.report(records.clone());
            write!(io::stdout(), "{}", report.show(batch.format()))?;
        } else {
            if problems.count() > 1 {
                batch.print_summary(&records)?;
            }
            if !args.markdown {
                writeln!(io::stdout(), "{}", legend())?;
            }
        }
    }
    if records.len() < runs || records.iter().any(was_stopped) {
        let done = records.iter().filter(|record| !was_stopped(record)).count();
        let (done, runs) = (grouped(done as u64), grouped(runs as u64));
        failures.push(Failure::Interrupted(format!(
            "stopped with {done} of {runs} runs done: the results so far are shown"
        )));
    }
    if failures.is_empty() { Ok(records) } else { Err(Failure::Several(failures)) }
}

/// What the runs of a command have led to.
#[derive(Default)]
struct Results {
    records: Vec<Record>,
    /// The files that could not be written. The runs go on: their results are printed all the same.
    failures: Vec<Failure>,
}

/// What all runs of one command share.
struct Batch<'a> {
    args: &'a RunArgs,
    planners: Vec<Spec>,
    has_one_problem: bool,
    paths: Option<Target<'a>>,
    replay: Option<Target<'a>>,
}

impl Batch<'_> {
    /// Runs every planner on one problem, and prints each result as soon as it is there.
    fn run_planners(&self, problem: &Problem, results: &mut Results) -> Result<(), Failure> {
        let has_table = !self.args.json && !self.args.brief && self.args.experiment.is_none();
        if has_table {
            let mark = if self.args.markdown { "\n### " } else { "" };
            let gap = if self.args.markdown { "\n" } else { "" };
            let heading = self.format().escaped(&heading(problem, self.args));
            writeln!(io::stdout(), "{mark}{heading}{gap}")?;
        }
        let names = self.planners.iter().map(|planner| planner.text().to_owned());
        let mut table = has_table.then(|| GrowingTable::new(names, self.format()));
        let first = results.records.len();
        for planner in &self.planners {
            if is_interrupted() {
                break;
            }
            let (outcome, record) = self.run_planner(planner, problem, &mut results.failures)?;
            if self.args.json {
                writeln!(io::stdout(), "{}", json_line(&record)?)?;
            }
            if let Some(table) = &mut table {
                write!(io::stdout(), "{}", table.add(&record))?;
            }
            self.print_refusals(&record, &outcome)?;
            results.records.push(record);
        }
        let records = &results.records[first..];
        if let Some(table) = table {
            write!(io::stdout(), "{}", table.end(records))?;
            if let Some(stopped) = records.iter().find(|record| was_stopped(record)) {
                let note = format!("{} was stopped at tick {}", stopped.planner, stopped.ticks);
                let note = self.format().escaped(&note);
                writeln!(io::stdout(), "{note}: its row shows the run up to there")?;
            }
        }
        Ok(())
    }

    /// Runs one planner on one problem, and writes its files.
    fn run_planner(
        &self,
        planner: &Spec,
        problem: &Problem,
        failures: &mut Vec<Failure>,
    ) -> Result<(Outcome, Record), Failure> {
        let stem = self.stem(planner, problem);
        let mut open = |target: &Option<Target<'_>>, extension| {
            let file = target.as_ref()?.open(&stem, extension);
            file.map_err(|failure| failures.push(failure)).ok()
        };
        let paths = open(&self.paths, "txt").map(|file| PathsOutput::begin(file, problem));
        let page = open(&self.replay, "html");
        let (outcome, record, paths) = run_one(planner, problem, self.args, page.is_some(), paths)?;
        failures.extend(paths.and_then(|paths| paths.finish().err()));
        if let (Some(page), Some(trace)) = (page, &outcome.trace) {
            failures.extend(write_whole(page, |out| write_replay(&record, trace, out)).err());
        }
        Ok((outcome, record))
    }

    /// The name of the files of a run in a folder.
    fn stem(&self, planner: &Spec, problem: &Problem) -> String {
        if self.has_one_problem {
            return planner.text().to_owned();
        }
        let seed = problem.seed.map_or_else(|| "scen".to_owned(), |seed| format!("seed{seed}"));
        format!("{}-{}-{seed}-{}", problem.map, problem.agents(), planner.text())
    }

    /// Prints which changes of the script could not be made.
    fn print_refusals(&self, record: &Record, outcome: &Outcome) -> Result<(), Failure> {
        let script = self.args.script.as_deref().unwrap_or(Path::new("the script"));
        let script = shown_path(script);
        for Refusal { entry, reason } in &outcome.refusals {
            let (planner, line, tick) = (&record.planner, entry.line, entry.tick);
            let said =
                format!("{script}: line {line}: left out at tick {tick} ({planner}): {reason}");
            warn(said)?;
        }
        Ok(())
    }

    fn print_summary(&self, records: &[Record]) -> Result<(), Failure> {
        let gap = if self.args.markdown { "\n" } else { "" };
        for measure in Measure::ALL {
            write!(io::stdout(), "{gap}{}", summary(records, measure).write(self.format()))?;
        }
        Ok(())
    }

    fn format(&self) -> Format {
        if self.args.markdown { Format::Markdown } else { for_people() }
    }
}

/// Whether the user stopped this run.
fn was_stopped(record: &Record) -> bool {
    record.ending == Ending::Stopped
}

/// Runs one planner on one problem, with a progress bar. A path file is written on the way, and returned.
pub fn run_one(
    planner: &Spec,
    problem: &Problem,
    args: &RunArgs,
    keeps_trace: bool,
    mut paths: Option<PathsOutput>,
) -> Result<(Outcome, Record, Option<PathsOutput>), Failure> {
    let compare_with_shortest = args.experiment.is_some();
    let setting = Setting { limits: args.limit(), compare_with_shortest, keeps_trace };
    let label = format!("{} {}", problem.map, planner.text());
    let mut progress = RunProgress::new(&label, args.limit());
    let (outcome, record) = jostle_lab::run(planner, problem, setting, |so_far| {
        progress.show(so_far);
        if let Some(paths) = &mut paths {
            paths.tick(so_far.world);
        }
        if is_interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    Ok((outcome, record, paths))
}

fn heading(problem: &Problem, args: &RunArgs) -> String {
    let grid = problem.instance.grid();
    let mut parts = vec![
        problem.map.clone(),
        format!("{}x{} cells", grid.width(), grid.height()),
        format!("{} agents", grouped(problem.agents() as u64)),
    ];
    match problem.seed {
        Some(seed) => {
            parts.push(format!("{}, seed {seed}", problem.kind.map_or("drawn", Kind::name)));
        }
        None => parts.extend(args.scen.as_ref().map(shown_path)),
    }
    parts.push(format!("at most {}", show_limits(args.limit())));
    let rules = grid.rules();
    if rules != Rules::default() {
        parts.push(rules.title());
    }
    parts.join(" · ")
}

/// Writes a page that plays a run in a browser.
pub fn write_replay(record: &Record, trace: &Trace, out: &mut dyn Write) -> io::Result<()> {
    let seed = record.seed.map_or_else(String::new, |seed| format!(" · seed {seed}"));
    let title = format!("{} · {} · {} agents{seed}", record.planner, record.map, record.agents);
    let facts = [
        ("arrived".to_owned(), format!("{:.1} %", record.completion_rate * 100.0)),
        ("ticks".to_owned(), grouped(record.ticks)),
        ("distance".to_owned(), format!("{:.1}", record.travel_distance)),
        ("expansions".to_owned(), grouped(record.expansions)),
        ("p99 tick".to_owned(), format!("{:.0} µs", record.tick_p99_us)),
    ];
    write_page(&Replay { title: &title, facts: &facts, trace, tasks: &[] }, out)
}
