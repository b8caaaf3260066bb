//! `jostle run`: runs planners on problems and prints the results.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;

use jostle::formats::{Paths, shown_path};
use jostle::instance::Kind;
use jostle::planners::{Registry, Spec};
use jostle::script::Refusal;
use jostle::simulate::{Ending, Outcome};
use jostle::{Rules, Trace};
use jostle_lab::table::Format;
use jostle_lab::{Problem, Record, RulesText, Setting, json_line, show_limits};

use crate::args::RunArgs;
use crate::failure::Failure;
use crate::output::{Target, save};
use crate::problem::problems;
use crate::progress::{RunProgress, catch_interrupts, is_interrupted};
use crate::replay::{Replay, page};
use crate::say::warn;
use crate::table::{Measure, for_people, grouped, legend, summary, table};

/// Runs every planner on every problem.
pub fn run(registry: &Registry, args: &RunArgs) -> Result<Vec<Record>, Failure> {
    let planners = args.planners(registry)?;
    let problems = problems(args)?;
    let runs = problems.len() * planners.len();
    let prepare =
        |path: &Option<_>| path.as_deref().map(|path| Target::prepare(path, runs)).transpose();
    let batch = Batch {
        args,
        planners,
        has_one_problem: problems.len() == 1,
        paths: prepare(&args.paths)?,
        replay: prepare(&args.replay)?,
    };
    catch_interrupts();
    let mut records = Vec::new();
    for problem in &problems {
        batch.run_planners(problem, &mut records)?;
        if is_interrupted() {
            break;
        }
    }
    if !args.json {
        if let Some(experiment) = args.experiment {
            let report = experiment.report(records.clone());
            write!(io::stdout(), "{}", report.show(batch.format()))?;
        } else {
            if problems.len() > 1 {
                batch.print_summary(&records)?;
            }
            if !args.markdown {
                writeln!(io::stdout(), "{}", legend(batch.format()))?;
            }
        }
    }
    if records.len() < runs || records.iter().any(was_stopped) {
        let done = records.iter().filter(|record| !was_stopped(record)).count();
        let (done, runs) = (grouped(done as u64), grouped(runs as u64));
        return Err(Failure::Interrupted(format!(
            "stopped with {done} of {runs} runs done: the results so far are shown"
        )));
    }
    Ok(records)
}

/// What all runs of one command share.
struct Batch<'a> {
    args: &'a RunArgs,
    planners: Vec<Spec>,
    has_one_problem: bool,
    paths: Option<Target>,
    replay: Option<Target>,
}

impl Batch<'_> {
    /// Runs every planner on one problem, and prints the results.
    fn run_planners(&self, problem: &Problem, all: &mut Vec<Record>) -> Result<(), Failure> {
        let has_tables = !self.args.json && !self.args.brief && self.args.experiment.is_none();
        if has_tables {
            let mark = if self.args.markdown { "\n### " } else { "" };
            let heading = self.format().escaped(&heading(problem, self.args));
            writeln!(io::stdout(), "{mark}{heading}")?;
        }
        let first = all.len();
        let outcome = self.planners.iter().try_for_each(|planner| {
            if is_interrupted() {
                return Ok(());
            }
            let keeps_trace = self.paths.is_some() || self.replay.is_some();
            let (outcome, record) = run_one(planner, problem, self.args, keeps_trace)?;
            self.write_files(&record, &outcome)?;
            if self.args.json {
                writeln!(io::stdout(), "{}", json_line(&record)?)?;
            }
            self.print_refusals(&record, &outcome)?;
            all.push(record);
            Ok(())
        });
        let records = &all[first..];
        if has_tables && !records.is_empty() {
            let gap = if self.args.markdown { "\n" } else { "" };
            write!(io::stdout(), "{gap}{}", table(records).write(self.format()))?;
            if let Some(stopped) = records.iter().find(|record| was_stopped(record)) {
                let note = format!("{} was stopped at tick {}", stopped.planner, stopped.ticks);
                let note = self.format().escaped(&note);
                writeln!(io::stdout(), "{note}: its row shows the run up to there")?;
            }
        }
        outcome
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

    fn write_files(&self, record: &Record, outcome: &Outcome) -> Result<(), Failure> {
        let Some(trace) = &outcome.trace else { return Ok(()) };
        let stem = if self.has_one_problem {
            record.planner.clone()
        } else {
            let seed = record.seed.map_or_else(|| "scen".to_owned(), |seed| format!("seed{seed}"));
            format!("{}-{}-{seed}-{}", record.map, record.agents, record.planner)
        };
        if let Some(target) = &self.paths {
            save(&target.file(&stem, "txt"), &Paths::of(trace).write())?;
        }
        if let Some(target) = &self.replay {
            save(&target.file(&stem, "html"), &replay_page(record, trace))?;
        }
        Ok(())
    }
}

/// Whether the user stopped this run.
fn was_stopped(record: &Record) -> bool {
    record.ending == Ending::Stopped
}

/// Runs one planner on one problem, with a progress bar.
pub fn run_one(
    planner: &Spec,
    problem: &Problem,
    args: &RunArgs,
    keeps_trace: bool,
) -> Result<(Outcome, Record), Failure> {
    let compare_with_shortest = args.experiment.is_some();
    let setting = Setting { limits: args.limit(), compare_with_shortest, keeps_trace };
    let label = format!("{} {}", problem.map, planner.text());
    let mut progress = RunProgress::new(&label, args.limit());
    Ok(jostle_lab::run(planner, problem, setting, |so_far| {
        progress.show(so_far);
        if is_interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?)
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

/// A page that plays a run in a browser.
pub fn replay_page(record: &Record, trace: &Trace) -> String {
    let seed = record.seed.map_or_else(String::new, |seed| format!(" · seed {seed}"));
    let title = format!("{} · {} · {} agents{seed}", record.planner, record.map, record.agents);
    let facts = [
        ("arrived".to_owned(), format!("{:.1} %", record.completion_rate * 100.0)),
        ("ticks".to_owned(), grouped(record.ticks)),
        ("distance".to_owned(), format!("{:.1}", record.travel_distance)),
        ("expansions".to_owned(), grouped(record.expansions)),
        ("p99 tick".to_owned(), format!("{:.0} µs", record.tick_p99_us)),
    ];
    page(&Replay { title: &title, facts: &facts, trace })
}
