//! `jostle solve`: joint plans, with their proofs.

mod args;
mod row;
mod search;

pub use args::SolveArgs;

use jostle::formats::Paths;
use jostle::solvers::{Registry, Spec};
use jostle_lab::{Problem, json_line};
use jostle_replay::Run;

use crate::failure::Failure;
use crate::meetings::solve_meetings;
use crate::output::{Outputs, Target, pages_written, write_whole};
use crate::problem::{ProblemArgs, Problems};
use crate::progress::{is_interrupted, something_is_done, stop_gently, wrap_up};
use crate::replay::Pages;
use crate::say::{self, Printer};
use crate::table::{GrowingTable, counted, grouped};
use row::{COLUMNS, Measure, Row, legend};
use search::{End, Found};

/// Lets every solver search for a plan for every problem.
pub fn solve(registry: &Registry, args: &SolveArgs) -> Result<(), Failure> {
    stop_gently();
    if let Some(request) = args.meetings()? {
        return solve_meetings(&request);
    }
    let solvers = args.solvers(registry)?;
    let problems = Problems::of(&args.problems, SolveArgs::DEFAULT_AGENTS, None)?;
    let searches = problems.count().saturating_mul(solvers.len());
    let outputs = Outputs::reading(args.inputs());
    let mut batch = Batch {
        args,
        solvers,
        problems: &problems,
        paths: Target::asked_for(&outputs, args.paths.as_deref(), searches)?,
        pages: Pages::asked_for(&outputs, args.replay.as_deref(), searches, problems.count())?,
    };
    let writes_files = args.paths.is_some() || args.replay.is_some();
    let mut results = Results::printed_by(Printer::beside_files(writes_files));
    for name in problems.names() {
        batch.solve_problem(&problems.draw(name)?, &mut results)?;
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
    let Results { rows, mut failures, printer } = results;
    failures.extend(printer.end());
    let done = rows.iter().filter(|row| row.end != End::Stopped);
    let unsolved: Vec<&Row> = done.clone().filter(|row| !row.has_plan()).collect();
    failures.extend(no_plan(&unsolved, searches));
    if done.clone().count() < searches {
        let (done, searches) = (grouped(done.count() as u64), grouped(searches as u64));
        failures.push(Failure::Interrupted(format!(
            "stopped with {done} of {searches} searches done: what is known so far is shown"
        )));
    }
    if failures.is_empty() { Ok(()) } else { Err(Failure::Several(failures)) }
}

/// Says that searches ended without a plan.
fn no_plan(unsolved: &[&Row], searches: usize) -> Option<Failure> {
    match unsolved {
        [] => None,
        [row] if searches == 1 => Some(Failure::NoPlan(row.without_plan())),
        rows => {
            let (rows, searches) = (grouped(rows.len() as u64), grouped(searches as u64));
            Some(Failure::NoPlan(format!("{rows} of {searches} searches ended without a plan")))
        }
    }
}

/// What the searches of a command have led to.
struct Results {
    rows: Vec<Row>,
    /// The files that could not be written. The searches go on: their results are printed all the same.
    failures: Vec<Failure>,
    printer: Printer,
}

impl Results {
    /// No search was made yet.
    const fn printed_by(printer: Printer) -> Self {
        Self { rows: Vec::new(), failures: Vec::new(), printer }
    }
}

/// What all searches of one command share.
struct Batch<'a> {
    args: &'a SolveArgs,
    solvers: Vec<Spec>,
    problems: &'a Problems<'a>,
    paths: Option<Target<'a>>,
    pages: Option<Pages<'a>>,
}

impl Batch<'_> {
    /// Lets every solver search for a plan for one problem, and prints each result as soon as it is there.
    fn solve_problem(&self, problem: &Problem, results: &mut Results) -> Result<(), Failure> {
        let print = self.args.print;
        let has_table = print.has_table_of_each(self.problems.count());
        if has_table {
            let heading = ProblemArgs::heading(problem, &self.args.limits().show());
            results.printer.print(print.heading(&heading))?;
        }
        let names = self.solvers.iter().map(Spec::text);
        let mut table = has_table
            .then(|| GrowingTable::new("solver", names, &COLUMNS, print.format(), say::columns()));
        for solver in &self.solvers {
            if is_interrupted() {
                break;
            }
            let found = Found::by(solver, problem, self.args.limits())?;
            if is_interrupted() {
                // No other search begins, and what was found is written, however long that takes.
                wrap_up();
            }
            let row = Row::of(solver.text(), problem, &found);
            results.failures.extend(self.write_files(problem, &found, &row));
            if print.json {
                results.printer.print(json_line(&row)? + "\n")?;
            }
            if let Some(table) = &mut table {
                results.printer.print(table.add(&row.solver, row.values()))?;
            }
            results.rows.push(row);
            something_is_done();
        }
        if let Some(table) = table {
            results.printer.print(table.end())?;
        }
        Ok(())
    }

    /// Writes the paths of a plan and the page that plays it, and returns what could not be written. Without a plan,
    /// nothing is written.
    fn write_files(&self, problem: &Problem, found: &Found, row: &Row) -> Vec<Failure> {
        let Some(plan) = found.plan() else { return Vec::new() };
        let stem = self.problems.stem(problem, &row.solver);
        let paths = self.paths.as_ref().map(|target| {
            let text = Paths::of_plan(plan).write();
            write_whole(target.open(&stem, "txt")?, |out| out.write_all(text.as_bytes()))
        });
        let page = self.pages.as_ref().map(|pages| {
            let trace = plan.to_trace().map_err(Failure::input)?;
            let seed = row.seed.map_or_else(String::new, |seed| format!(" · seed {seed}"));
            let agents = counted(problem.agents(), "agent");
            let problem = format!("{} · {agents}{seed}", row.map);
            pages.add(&stem, &problem, &Run::new(&row.solver, &trace).facts(row.facts()))
        });
        [paths, page].into_iter().flatten().filter_map(Result::err).collect()
    }

    /// Prints what follows the last table of a problem.
    fn print_end(&self, results: &mut Results) -> Result<(), Failure> {
        let print = self.args.print;
        let Results { rows, failures, printer } = results;
        if self.problems.count() > 1 {
            for measure in Measure::ALL {
                let table = measure.summary(rows).write(print.format());
                printer.print(format_args!("{}{table}", print.gap()))?;
            }
        }
        if !print.markdown {
            printer.print(format_args!("{}\n", legend()))?;
        }
        let plans = rows.iter().filter(|row| row.has_plan()).count();
        let is_written = failures.is_empty() && plans > 0;
        if let Some(path) = self.args.replay.as_deref().filter(|_| is_written) {
            printer.print(pages_written(path, plans) + "\n")?;
        }
        Ok(())
    }
}
