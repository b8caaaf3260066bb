//! Pairs of agents that meet: reads or draws their tasks, solves them, and prints what was found.

use std::path::{Path, PathBuf};
use std::time::Instant;

use jostle::formats::{Paths, TaskList, read_tasks, shown_path};
use jostle::instance::Reach;
use jostle::meetings::{MeetingInstance, MeetingInstanceError, MeetingPlan};
use jostle::solvers::co_cbs::{CoCbsSpec, SetCounts};
use jostle::solvers::{Answer, CoCbs, Proof};
use jostle::{Budget, Limits};
use jostle_lab::table::{Cell, Line, Table};
use jostle_lab::{NamedMap, check_meetings, show_limits};
use jostle_replay::Run;
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{Outputs, Target, write_whole};
use crate::progress::{SearchProgress, is_interrupted, stop_flag, wrap_up};
use crate::replay::Pages;
use crate::say::Printer;
use crate::table::{counted, for_people, grouped};

/// What is solved, how, and what becomes of it.
#[derive(Debug)]
pub struct MeetingRequest<'a> {
    pub map: NamedMap,
    /// The map as the user named it, which may be a file.
    pub map_text: &'a str,
    pub tasks: Tasks,
    pub solvers: Vec<CoCbsSpec>,
    pub limits: Limits,
    /// The most nominal bytes that a search may hold.
    pub memory: usize,
    /// Where to write the paths, and the page that plays them: a file for one solver, a folder for several.
    pub paths: Option<&'a Path>,
    pub replay: Option<&'a Path>,
    /// One line of JSON for each solver, instead of a table.
    pub json: bool,
}

/// Where the tasks come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tasks {
    /// From a file.
    File(PathBuf),
    /// Drawn: so many, with this seed.
    Drawn { count: usize, seed: u64 },
}

impl Tasks {
    /// A number of tasks to draw, or the name of a file.
    pub fn of(text: &str, seed: u64) -> Self {
        match text.parse() {
            Ok(count) => Self::Drawn { count, seed },
            Err(_) => Self::File(text.into()),
        }
    }

    /// The tasks on a map.
    fn on(&self, map: &NamedMap) -> Result<MeetingInstance, Failure> {
        let grid = map.grid.clone();
        match self {
            Self::Drawn { count, seed } => MeetingInstance::draw(grid, *count, *seed)
                .map_err(|error| Failure::input(format!("{}: {error}", map.name))),
            Self::File(path) => {
                let list = read_tasks(path).map_err(Failure::input)?;
                MeetingInstance::from_list(grid, &list, Reach::Required)
                    .map_err(|error| located(path, &list, &error))
            }
        }
    }
}

/// What is wrong with a task, with its file and its line.
fn located(path: &Path, list: &TaskList, error: &MeetingInstanceError) -> Failure {
    let line = error.task().and_then(|task| list.rows.get(task)).map(|row| row.line);
    let place = line.map_or_else(String::new, |line| format!("line {line}: "));
    Failure::input(format!("{}: {place}{error}", shown_path(path)))
}

/// What a solver has found out, as a line of JSON.
#[derive(Serialize, Debug)]
struct MeetingRecord<'a> {
    map: &'a str,
    tasks: usize,
    seed: Option<u64>,
    solver: &'a str,
    proof: &'static str,
    cost: Option<u64>,
    bound: u64,
    makespan: Option<u64>,
    nodes: u64,
    /// The sets of meetings that came up, and those of them for which paths were searched for.
    sets: u64,
    sets_planned: u64,
    /// Whether the plan has the cheapest meeting of every task; none without a plan.
    first_set: Option<bool>,
    expansions: u64,
    seconds: f64,
}

/// Solves the tasks with every solver, and prints a table or lines of JSON.
pub fn solve_meetings(request: &MeetingRequest<'_>) -> Result<(), Failure> {
    let instance = request.tasks.on(&request.map)?;
    let file = match &request.tasks {
        Tasks::File(path) => Some(path.as_path()),
        Tasks::Drawn { .. } => None,
    };
    let outputs = Outputs::reading(file.into_iter().chain([Path::new(request.map_text)]));
    let searches = request.solvers.len();
    let paths = Target::asked_for(&outputs, request.paths, searches)?;
    let pages = Pages::asked_for(&outputs, request.replay, searches, 1)?;
    let mut printer = Printer::beside_files(request.paths.is_some() || request.replay.is_some());
    if !request.json {
        let heading = for_people().escaped(&heading(request, &instance));
        printer.print(heading + "\n")?;
    }
    let mut table = Table { header: COLUMNS.map(str::to_owned).into(), ..Table::default() };
    let (mut failures, mut unsolved) = (Vec::new(), Vec::new());
    for solver in &request.solvers {
        if is_interrupted() {
            break;
        }
        let name = solver.text();
        let found = Found::by(*solver.build(), name, &instance, request);
        if let Some(plan) = found.plan() {
            let checked = check_meetings(&instance, plan).map_err(|reason| {
                Failure::Illegal(format!(
                    "{name}: this plan is illegal, please report it: {reason}"
                ))
            })?;
            failures.extend(write_files(
                name,
                request,
                plan,
                &checked,
                paths.as_ref(),
                pages.as_ref(),
            ));
        } else {
            unsolved.push(name);
        }
        let record = found.record(name, &instance, request);
        if request.json {
            let line = serde_json::to_string(&record).map_err(Failure::input)?;
            printer.print(line + "\n")?;
        } else {
            table.lines.push(line(&record));
        }
    }
    wrap_up();
    failures.extend(pages.map(Pages::finish).and_then(Result::err));
    if !request.json {
        printer.print(table.write(for_people()))?;
    }
    failures.extend(printer.end());
    if !unsolved.is_empty() && !is_interrupted() {
        failures.push(Failure::NoPlan(format!("there is no plan by {}", unsolved.join(", "))));
    }
    if is_interrupted() {
        let reason = "stopped: what is known so far is shown";
        failures.push(Failure::Interrupted(reason.to_owned()));
    }
    if failures.is_empty() { Ok(()) } else { Err(Failure::Several(failures)) }
}

/// Writes the paths of a plan and the page that plays it, and returns what could not be written.
fn write_files(
    name: &str,
    request: &MeetingRequest<'_>,
    plan: &MeetingPlan,
    paths: &Paths,
    target: Option<&Target<'_>>,
    pages: Option<&Pages<'_>>,
) -> Vec<Failure> {
    let mut failures = Vec::new();
    if let Some(target) = target {
        let written = target
            .open(name, "txt")
            .and_then(|file| write_whole(file, |out| out.write_all(paths.write().as_bytes())));
        failures.extend(written.err());
    }
    if let Some(pages) = pages {
        let written = paths.to_trace(plan.grid()).map_err(Failure::input).and_then(|trace| {
            let tasks = &paths.opening.tasks;
            let problem = format!("{} · {}", request.map.name, counted(tasks.len(), "task"));
            let facts = [("cost", grouped(plan.cost())), ("ticks", grouped(plan.makespan()))];
            pages.add(name, &problem, &Run::new(name, &trace).facts(facts).tasks(tasks))
        });
        failures.extend(written.err());
    }
    failures
}

/// What a solver has found.
struct Found {
    answer: Answer<MeetingPlan>,
    counts: SetCounts,
    expansions: u64,
    seconds: f64,
}

impl Found {
    /// Lets a solver search within the limits, with a progress bar.
    fn by(
        solver: CoCbs,
        name: &str,
        instance: &MeetingInstance,
        request: &MeetingRequest<'_>,
    ) -> Self {
        let begin = Instant::now();
        let limit = request.limits.time;
        let progress = SearchProgress::new(&format!("{} {name}", request.map.name), limit);
        let is_late = || {
            progress.keep_time();
            limit.is_some_and(|limit| begin.elapsed() >= limit)
        };
        let most = request.limits.expansions.unwrap_or(u64::MAX);
        let mut budget = Budget::expansions(most)
            .with_deadline(&is_late)
            .with_cancel(stop_flag())
            .with_memory(request.memory);
        let mut attempt = solver.begin(instance);
        let answer = attempt.go_on(&mut budget, &mut |so_far| {
            progress.show(so_far.nodes, so_far.bound, so_far.best.map(|best| best.cost));
        });
        Self {
            answer,
            counts: attempt.counts(),
            expansions: budget.work().expansions,
            seconds: begin.elapsed().as_secs_f64(),
        }
    }

    fn plan(&self) -> Option<&MeetingPlan> {
        self.answer.best.as_ref().map(|best| &best.plan)
    }

    fn record<'a>(
        &self,
        solver: &'a str,
        instance: &MeetingInstance,
        request: &'a MeetingRequest<'_>,
    ) -> MeetingRecord<'a> {
        MeetingRecord {
            map: &request.map.name,
            tasks: instance.tasks().len(),
            seed: match request.tasks {
                Tasks::Drawn { seed, .. } => Some(seed),
                Tasks::File(_) => None,
            },
            solver,
            proof: match self.answer.proof {
                Proof::Optimal => "optimal",
                Proof::Bounded(_) => "bounded",
                Proof::Found => "found",
                Proof::Impossible => "impossible",
                _ if is_interrupted() => "stopped",
                _ => "out of budget",
            },
            cost: self.answer.best.as_ref().map(|best| best.cost),
            bound: self.answer.bound,
            makespan: self.plan().map(MeetingPlan::makespan),
            nodes: self.answer.nodes,
            sets: self.counts.generated,
            sets_planned: self.counts.planned,
            first_set: self.plan().map(|_| self.counts.is_first),
            expansions: self.expansions,
            seconds: self.seconds,
        }
    }
}

const COLUMNS: [&str; 9] =
    ["solver", "cost", "bound", "proof", "ticks", "nodes", "sets", "first set", "seconds"];

fn line(record: &MeetingRecord<'_>) -> Line {
    let values = [
        record.cost.map(grouped),
        Some(grouped(record.bound)),
        Some(record.proof.to_owned()),
        record.makespan.map(grouped),
        Some(grouped(record.nodes)),
        Some(grouped(record.sets)),
        record.first_set.map(|is_first| if is_first { "yes" } else { "no" }.to_owned()),
        Some(format!("{:.3}", record.seconds)),
    ];
    let cells = values.map(|value| Cell { value, ..Cell::default() }).into();
    Line { label: record.solver.to_owned(), cells, is_summary: false }
}

fn heading(request: &MeetingRequest<'_>, instance: &MeetingInstance) -> String {
    let grid = instance.grid();
    let mut parts = vec![
        request.map.name.clone(),
        format!("{}x{} cells", grid.width(), grid.height()),
        format!("{} for pairs of agents that meet", counted(instance.tasks().len(), "task")),
    ];
    match &request.tasks {
        Tasks::Drawn { seed, .. } => parts.push(format!("seed {seed}")),
        Tasks::File(path) => parts.push(shown_path(path)),
    }
    let limits = show_limits(request.limits);
    parts.extend((!limits.is_empty()).then(|| format!("at most {limits}")));
    parts.join(" · ")
}
