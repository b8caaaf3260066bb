//! `jostle run`: runs planners on problems and prints the results.

use std::ops::ControlFlow;
use std::path::Path;

use jostle::Trace;
use jostle::formats::shown_path;
use jostle::planners::{Registry, Spec};
use jostle::script::Refusal;
use jostle::simulate::{Ending, Outcome};
use jostle_lab::{GoalSource, Problem, Record, Setting, json_line, show_limits};
use jostle_replay::Run;

use crate::args::RunArgs;
use crate::failure::Failure;
use crate::output::{Outputs, Target, pages_written};
use crate::paths::PathsOutput;
use crate::problem::{ProblemArgs, Problems};
use crate::progress::{RunProgress, is_interrupted, something_is_done, stop_gently, wrap_up};
use crate::replay::Pages;
use crate::run_table::{COLUMNS, LIFELONG_COLUMNS, Measure, best, legend, values};
use crate::say::{self, Printer};
use crate::table::{GrowingTable, counted, duration, grouped};

/// Runs every planner on every problem.
pub fn run(registry: &Registry, args: &RunArgs) -> Result<Vec<Record>, Failure> {
    stop_gently();
    let planners = args.planners(registry)?;
    let problems = problems(args)?;
    let runs = problems.count().saturating_mul(planners.len());
    let outputs = Outputs::reading(args.inputs());
    let mut batch = Batch {
        args,
        planners,
        problems: &problems,
        paths: Target::asked_for(&outputs, args.paths.as_deref(), runs)?,
        pages: Pages::asked_for(&outputs, args.replay.as_deref(), runs, problems.count())?,
    };
    let writes_files = args.paths.is_some() || args.replay.is_some();
    let mut results = Results::printed_by(Printer::beside_files(writes_files));
    for name in problems.names() {
        batch.run_planners(&problems.draw(name)?, &mut results)?;
        if is_interrupted() {
            break;
        }
    }
    wrap_up();
    let pages = batch.pages.take().map(Pages::finish);
    results.failures.extend(pages.and_then(Result::err));
    if !args.print.json {
        batch.print_end(&mut results)?;
    }
    let Results { records, mut failures, printer } = results;
    failures.extend(printer.end());
    if records.len() < runs || records.iter().any(was_stopped) {
        let done = records.iter().filter(|record| !was_stopped(record)).count();
        let (done, runs) = (grouped(done as u64), grouped(runs as u64));
        failures.push(Failure::Interrupted(format!(
            "stopped with {done} of {runs} runs done: the results so far are shown"
        )));
    }
    if failures.is_empty() { Ok(records) } else { Err(Failure::Several(failures)) }
}

/// All problems that the arguments ask for.
pub fn problems(args: &RunArgs) -> Result<Problems<'_>, Failure> {
    let script = args.script.as_deref();
    let problems = Problems::of(&args.problems, RunArgs::DEFAULT_AGENTS, script)?;
    match args.new_goals() {
        Some(goals) => problems.lifelong(goals),
        None => Ok(problems),
    }
}

/// What the runs of a command have led to.
struct Results {
    records: Vec<Record>,
    /// The files that could not be written. The runs go on: their results are printed all the same.
    failures: Vec<Failure>,
    printer: Printer,
}

impl Results {
    /// No run was made yet.
    const fn printed_by(printer: Printer) -> Self {
        Self { records: Vec::new(), failures: Vec::new(), printer }
    }
}

/// What all runs of one command share.
struct Batch<'a> {
    args: &'a RunArgs,
    planners: Vec<Spec>,
    problems: &'a Problems<'a>,
    paths: Option<Target<'a>>,
    pages: Option<Pages<'a>>,
}

impl Batch<'_> {
    /// Runs every planner on one problem, and prints each result as soon as it is there.
    fn run_planners(&self, problem: &Problem, results: &mut Results) -> Result<(), Failure> {
        let print = self.args.print;
        let is_experiment = self.args.experiment.is_some();
        let has_table = !is_experiment && print.has_table_of_each(self.problems.count());
        if has_table {
            let heading = ProblemArgs::heading(problem, &show_limits(self.args.limit()));
            results.printer.print(print.heading(&heading))?;
        }
        let names = self.planners.iter().map(Spec::text);
        let columns = if self.args.lifelong { &LIFELONG_COLUMNS } else { &COLUMNS };
        let mut table = has_table
            .then(|| GrowingTable::new("planner", names, columns, print.format(), say::columns()));
        let first = results.records.len();
        for planner in &self.planners {
            if is_interrupted() {
                break;
            }
            let (outcome, record) = self.run_planner(planner, problem, &mut results.failures)?;
            if print.json {
                results.printer.print(json_line(&record)? + "\n")?;
            }
            if let Some(table) = &mut table {
                results.printer.print(table.add(record.contestant().text(), values(&record)))?;
            }
            self.print_refusals(&record, &outcome, &results.printer)?;
            self.print_goals_left(problem, &record, &results.printer)?;
            results.records.push(record);
            something_is_done();
        }
        let records = &results.records[first..];
        if let Some(table) = table {
            results.printer.print(table.end())?;
            if let Some(best) = best(records) {
                results.printer.print(format_args!("{}{best}\n", print.gap()))?;
            }
            if let Some(stopped) = records.iter().find(|record| was_stopped(record)) {
                let name = stopped.contestant().text().to_owned();
                let note = format!("{name} was stopped at tick {}", stopped.ticks);
                let note = print.format().escaped(&note);
                let note = format!("{note}: its row shows the run up to there\n");
                results.printer.print(note)?;
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
        let stem = self.problems.stem(problem, planner.text());
        let paths = self.paths.as_ref().and_then(|target| {
            let file = target.open(&stem, "txt").map_err(|failure| failures.push(failure));
            Some(PathsOutput::begin(file.ok()?, problem))
        });
        let keeps_trace = self.pages.is_some();
        let (outcome, record, paths) = run_one(planner, problem, self.args, keeps_trace, paths)?;
        failures.extend(paths.and_then(|paths| paths.finish(was_stopped(&record)).err()));
        if let (Some(pages), Some(trace)) = (&self.pages, &outcome.trace) {
            let run = shown_run(&record, trace);
            failures.extend(pages.add(&stem, &problem_title(&record), &run).err());
        }
        Ok((outcome, record))
    }

    /// Prints which changes of the script could not be made.
    fn print_refusals(
        &self,
        record: &Record,
        outcome: &Outcome,
        printer: &Printer,
    ) -> Result<(), Failure> {
        let script = self.args.script.as_deref().unwrap_or(Path::new("the script"));
        let script = shown_path(script);
        for Refusal { entry, reason } in &outcome.refusals {
            let (planner, line, tick) = (record.contestant().text(), entry.line, entry.tick);
            let said =
                format!("{script}: line {line}: left out at tick {tick} ({planner}): {reason}");
            printer.warn(said)?;
        }
        Ok(())
    }

    /// Prints how many goals of a list nobody was given although everybody has arrived: other agents stand on them.
    fn print_goals_left(
        &self,
        problem: &Problem,
        record: &Record,
        printer: &Printer,
    ) -> Result<(), Failure> {
        let (Some(GoalSource::List(list)), Some(lifelong), Some(path)) =
            (&problem.lifelong, &record.lifelong, &self.args.tasks)
        else {
            return Ok(());
        };
        let tasks = problem.instance.tasks();
        let first_goals = tasks.iter().filter(|(start, goal)| start != goal).count();
        let left = ((first_goals + list.rows.len()) as u64).saturating_sub(lifelong.goals);
        if record.ending == Some(Ending::AllArrived) && left > 0 {
            let (path, planner) = (shown_path(path), record.contestant().text());
            let goals = counted(left as usize, "goal");
            let reason = "other agents stand there for good";
            printer.warn(format!("{path}: {goals} left ({planner}): {reason}"))?;
        }
        Ok(())
    }

    /// Prints what follows the last table of a problem.
    fn print_end(&self, results: &mut Results) -> Result<(), Failure> {
        let (args, print) = (self.args, self.args.print);
        let Results { records, failures, printer } = results;
        if let Some(experiment) = args.experiment {
            let report = experiment.report(records.clone());
            return printer.print(report.show(print.format()));
        }
        if self.problems.count() > 1 {
            for measure in Measure::all(args.lifelong) {
                let table = measure.summary(records).write(print.format());
                printer.print(format_args!("{}{table}", print.gap()))?;
            }
        }
        if !print.markdown {
            printer.print(format_args!("{}\n", legend(args.lifelong)))?;
        }
        if let Some(path) = args.replay.as_deref().filter(|_| failures.is_empty()) {
            printer.print(pages_written(path, records.len()) + "\n")?;
        }
        Ok(())
    }
}

/// Whether the user stopped this run.
fn was_stopped(record: &Record) -> bool {
    record.ending == Some(Ending::Stopped)
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
    let announces_changes = args.announced;
    let limits = args.limit();
    let setting =
        Setting { compare_with_shortest, keeps_trace, announces_changes, ..Setting::of(limits) };
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

/// The problem of a run in one line.
pub fn problem_title(record: &Record) -> String {
    let seed = record.seed.map_or_else(String::new, |seed| format!(" · seed {seed}"));
    format!("{} · {}{seed}", record.map, counted(record.agents as usize, "agent"))
}

/// A run as a page shows it.
pub fn shown_run<'a>(record: &Record, trace: &'a Trace) -> Run<'a> {
    let result = match &record.lifelong {
        None => ("arrived at the end", format!("{:.1} %", record.completion_rate * 100.0)),
        Some(lifelong) => {
            let (goals, throughput) = (grouped(lifelong.goals), lifelong.throughput);
            ("goals", format!("{goals} ({throughput:.2} a tick)"))
        }
    };
    let run = Run::new(record.contestant().text(), trace).facts([
        result,
        ("ticks", grouped(record.ticks)),
        ("distance", format!("{:.1}", record.travel_distance)),
        ("expansions", grouped(record.expansions)),
    ]);
    match record.tick_p99_us {
        Some(microseconds) => run.fact("p99 tick", duration(microseconds)),
        None => run,
    }
}
