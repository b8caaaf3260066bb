//! The spec of a sweep: a file that lists what to run.

pub(crate) mod lines;
mod raw;

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jostle::formats::{STANDARD_INPUT, quoted, read_text};
use jostle::instance::{Kind, Reach};
use jostle::solvers::co_cbs::CoCbsSpec;
use jostle::{Crossing, Limits, Neighbours, Rules, Simulation};
use toml::Spanned;

use crate::record::AsText;
use crate::{Contestant, GoalChoice, LabError, ProblemKind, Registries, grouped, parse_limits};
use lines::Lines;
use raw::{NameOrTable, RawLifelong, RawNumbers, RawSolver, RawSpec, RawTable};

/// The most runs of a sweep. Planning takes about 250 bytes for each, and a typing error should not fill the memory.
pub const MOST_RUNS: u64 = 2_000_000;

/// A spec that has been read: every name in it exists, but the maps have not been read.
#[derive(Debug)]
pub struct SweepSpec {
    /// The name of the experiment.
    pub name: String,
    /// The text of the file.
    pub text: String,
    /// The folder of the file, where maps are looked for.
    pub folder: PathBuf,
    /// The tables; the sweep makes the runs of all.
    pub tables: Vec<Table>,
}

/// All combinations of maps x kinds x sizes x seeds x (planners and solvers) x limits. Either every agent has a goal of its
/// own, and the sizes are numbers of agents, or pairs of agents meet, and the sizes are numbers of tasks.
#[derive(Debug)]
pub struct Table {
    /// Maps by name, each with its file and line for errors. Without any, scenarios are on the maps that they name.
    pub maps: Vec<(String, String)>,
    /// Where agents come from.
    pub agents: AgentsOf,
    /// Numbers of agents, or of tasks for pairs that meet. Without any, all agents of each scenario take part.
    pub sizes: Vec<usize>,
    /// The planners, then the solvers, and the largest problems they are run with.
    pub entrants: Vec<Entrant>,
    /// The limits; each makes a run of its own.
    pub limits: Vec<Limits>,
    /// The rules of all its runs.
    pub rules: Rules,
    /// Whether to compare the lengths of paths with the shortest ones.
    pub compare_with_shortest: bool,
    /// Which goals agents that arrive get; none if they stay where they are.
    pub lifelong: Option<GoalChoice>,
    /// Whether numbers of agents that do not fit on a map are left out instead of refused.
    pub skip_too_many: bool,
    /// File and line of the table, for errors.
    pub place: String,
}

/// Where the agents of a table come from.
#[derive(Debug)]
pub enum AgentsOf {
    /// They are drawn, in each of these ways with each of these seeds.
    Draws {
        /// Crowds of one or several kinds, or pairs that meet.
        kinds: Vec<ProblemKind>,
        /// The seeds.
        seeds: Vec<u64>,
    },
    /// They are read.
    Scens {
        /// Scenario files by name, each with its file and line for errors.
        files: Vec<(String, String)>,
        /// Whether every goal must be reachable.
        reach: Reach,
    },
}

impl Table {
    /// The number of its runs, before any of them is planned: with those that other tables ask for as well, and with those
    /// whose agents do not fit.
    fn runs(&self) -> u64 {
        let entrants = |&size: &usize| {
            self.entrants.iter().filter(|entrant| entrant.takes_part_with(size)).count() as u64
        };
        let problems = match &self.agents {
            AgentsOf::Draws { kinds, seeds } => [self.maps.len(), kinds.len(), seeds.len()],
            AgentsOf::Scens { files, .. } => [files.len(), 1, 1],
        };
        let runs_of_one = match &self.sizes[..] {
            [] => self.entrants.len() as u64,
            sizes => sizes.iter().map(entrants).sum(),
        };
        problems
            .into_iter()
            .chain([self.limits.len()])
            .fold(runs_of_one, |runs: u64, values| runs.saturating_mul(values as u64))
    }
}

/// A planner or solver, and up to which number of agents or tasks it takes part.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// The planner or solver, with its parameters.
    pub contestant: Arc<Contestant>,
    /// What reports call it, if not by its name.
    pub label: Option<Arc<str>>,
    /// The largest number of agents or tasks it is run with.
    pub at_most: usize,
}

impl Entrant {
    fn new(contestant: Contestant, label: Option<&String>, at_most: Option<usize>) -> Self {
        let label = label.map(|label| label.as_str().into());
        Self { contestant: Arc::new(contestant), label, at_most: at_most.unwrap_or(usize::MAX) }
    }

    /// Whether it is run with this many agents or tasks.
    pub const fn takes_part_with(&self, size: usize) -> bool {
        size <= self.at_most
    }
}

impl SweepSpec {
    /// Reads a spec. Its planners and solvers must be in the registries.
    ///
    /// # Errors
    /// When it cannot be read, or something in it is wrong: file, line and reason.
    pub fn read(path: &Path, registries: Registries<'_>) -> Result<Self, LabError> {
        let text = read_text(path).map_err(LabError::input)?;
        Self::parse(path, text, registries)
    }

    /// Reads the text of a spec, as if it stood in this file.
    ///
    /// # Errors
    /// When something in it is wrong: file, line and reason.
    pub fn parse(path: &Path, text: String, registries: Registries<'_>) -> Result<Self, LabError> {
        let reader = Reader { lines: Lines::new(path, &text), registries };
        let raw: RawSpec = reader.lines.parse()?;
        let (mut tables, mut runs) = (Vec::new(), 0_u64);
        if raw.sweep.is_empty() {
            return Err(
                reader.wrong(&(0..0), "there is no [[sweep]] table, so there is nothing to run")
            );
        }
        for table in raw.sweep {
            let table = reader.table(table, &raw.defaults)?;
            runs = runs.saturating_add(table.runs());
            if runs > MOST_RUNS {
                return Err(LabError::input(format!(
                    "{}: with this table the spec asks for {} runs, and a sweep has at most {}",
                    table.place,
                    grouped(runs),
                    grouped(MOST_RUNS),
                )));
            }
            tables.push(table);
        }
        check_labels(&tables)?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let stem = if stem == STANDARD_INPUT { "stdin".to_owned() } else { stem.into_owned() };
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        Ok(Self { name: raw.name.unwrap_or(stem), folder, tables, text })
    }
}

/// Refuses labels that would stand for two planners or solvers, and two labels for one.
fn check_labels(tables: &[Table]) -> Result<(), LabError> {
    let (mut names, mut labels) = (HashMap::new(), HashMap::new());
    for table in tables {
        let wrong = |reason: String| Err(LabError::input(format!("{}: {reason}", table.place)));
        for Entrant { contestant, label, .. } in &table.entrants {
            let Some(label) = label else { continue };
            let name = contestant.name();
            if label.trim().is_empty() {
                return wrong(format!("the label of {} is empty", name.text()));
            }
            if *names.entry(label).or_insert(name) != name {
                return wrong(format!(
                    "the label {} is that of another one as well",
                    quoted(label)
                ));
            }
            if *labels.entry(name).or_insert(label) != label {
                return wrong(format!("{} has two labels", name.text()));
            }
        }
    }
    Ok(())
}

/// Interprets the entries of a file, and knows their lines for errors.
struct Reader<'a> {
    lines: Lines<'a>,
    registries: Registries<'a>,
}

impl Reader<'_> {
    fn place(&self, span: &Range<usize>) -> String {
        self.lines.place(span)
    }

    fn wrong(&self, span: &Range<usize>, reason: impl std::fmt::Display) -> LabError {
        self.lines.wrong(span, reason)
    }

    fn table(&self, table: Spanned<RawTable>, defaults: &RawTable) -> Result<Table, LabError> {
        let span = table.span();
        let table = table.into_inner().with(defaults);
        let (agents, sizes) = self.agents(&table, &span)?;
        let maps = match (&table.maps, &agents) {
            (Some(maps), _) => self.list("maps", maps, |map| Ok(map.clone()))?,
            (None, AgentsOf::Scens { .. }) => Vec::new(),
            (None, AgentsOf::Draws { .. }) => {
                return Err(
                    self.wrong(&span, "a table needs maps, or scens, which name their maps")
                );
            }
        };
        Ok(Table {
            maps,
            agents,
            sizes: sizes.into_iter().map(|size| size as usize).collect(),
            entrants: self.entrants(&table, &span)?,
            limits: self.limits(&table, &span)?,
            rules: Rules {
                neighbours: match &table.neighbours {
                    None => Neighbours::Eight,
                    Some(number) => match number.get_ref() {
                        4 => Neighbours::Four,
                        8 => Neighbours::Eight,
                        _ => return Err(self.wrong(&number.span(), "neighbours are 4 or 8")),
                    },
                },
                corners: table.corners.unwrap_or_default(),
                crossing: if table.forbid_crossing == Some(true) {
                    Crossing::Forbidden
                } else {
                    Crossing::Allowed
                },
            },
            compare_with_shortest: table.compares_with_shortest(),
            lifelong: self.lifelong(&table)?,
            skip_too_many: table.skip_too_many == Some(true),
            place: self.place(&span),
        })
    }

    /// Which goals agents that arrive get.
    fn lifelong(&self, table: &RawTable) -> Result<Option<GoalChoice>, LabError> {
        let Some(lifelong) = &table.lifelong else { return Ok(None) };
        let choice = match lifelong.get_ref() {
            RawLifelong::Switch(false) => return Ok(None),
            RawLifelong::Switch(true) => GoalChoice::Usual,
            RawLifelong::Goals(goals) if goals == "anywhere" => GoalChoice::Anywhere,
            RawLifelong::Goals(goals) if goals == "stations" => GoalChoice::Stations,
            RawLifelong::Goals(goals) => {
                let forms = "write true, false, \"anywhere\" or \"stations\"";
                let reason = format!("lifelong is not {}: {forms}", quoted(goals));
                return Err(self.wrong(&lifelong.span(), reason));
            }
        };
        let clash = if table.tasks.is_some() {
            "pairs that meet have no further goals: a lifelong table has agents, and not tasks"
        } else if table.solvers.is_some() {
            "solvers plan to the last goal, and a lifelong run has none: a lifelong table has planners alone"
        } else if table.compares_with_shortest() {
            "the paths of lifelong runs are not compared with shortest ones"
        } else {
            return Ok(Some(choice));
        };
        Err(self.wrong(&lifelong.span(), clash))
    }

    /// Where the agents of a table come from, and how many there are, or how many tasks.
    fn agents(
        &self,
        table: &RawTable,
        span: &Range<usize>,
    ) -> Result<(AgentsOf, Vec<u64>), LabError> {
        if let Some(scens) = &table.scens {
            self.refuse_beside_scens(table)?;
            let files = self.list("scens", scens, |scen| Ok(scen.clone()))?;
            let sizes = table.agents.as_ref().map(|agents| self.numbers("agents", agents));
            let accepts = table.allow_unreachable == Some(true);
            let reach = if accepts { Reach::Optional } else { Reach::Required };
            return Ok((AgentsOf::Scens { files, reach }, sizes.transpose()?.unwrap_or_default()));
        }
        if table.allow_unreachable.is_some() {
            let reason = "allow_unreachable is for scens: drawn agents can reach their goals";
            return Err(self.wrong(span, reason));
        }
        let seeds = || match &table.seeds {
            Some(seeds) => self.numbers("seeds", seeds),
            None => Ok(vec![1]),
        };
        match (&table.agents, &table.tasks) {
            (Some(agents), None) => {
                let kinds = match &table.kinds {
                    Some(kinds) => self.values("kinds", kinds, |kind| Kind::from_text(kind))?,
                    None => vec![Kind::default()],
                };
                let kinds = kinds.into_iter().map(ProblemKind::Crowd).collect();
                let sizes = self.numbers("agents", agents)?;
                Ok((AgentsOf::Draws { kinds, seeds: seeds()? }, sizes))
            }
            (None, Some(tasks)) => {
                self.refuse_beside_tasks(table)?;
                let sizes = self.numbers("tasks", tasks)?;
                let kinds = vec![ProblemKind::Meetings];
                Ok((AgentsOf::Draws { kinds, seeds: seeds()? }, sizes))
            }
            (None, None) => {
                Err(self.wrong(span, "a table needs agents, or tasks for pairs that meet"))
            }
            (Some(_), Some(tasks)) => {
                let reason = "a table has agents or tasks, and not both: each task has two agents of its own";
                Err(self.wrong(&tasks.span(), reason))
            }
        }
    }

    /// Refuses what only agents that are drawn have.
    fn refuse_beside_scens(&self, table: &RawTable) -> Result<(), LabError> {
        let reason = "draw agents, and those of scens are read";
        let spans = [
            ("kinds", table.kinds.as_ref().map(Spanned::span)),
            ("seeds", table.seeds.as_ref().map(Spanned::span)),
            ("tasks", table.tasks.as_ref().map(Spanned::span)),
        ];
        match spans.into_iter().find_map(|(key, span)| Some((key, span?))) {
            Some((key, span)) => Err(self.wrong(&span, format!("{key} {reason}"))),
            None => Ok(()),
        }
    }

    /// Refuses what only agents with goals of their own have.
    fn refuse_beside_tasks(&self, table: &RawTable) -> Result<(), LabError> {
        if let Some(kinds) = &table.kinds {
            let reason = "kinds are for agents, and tasks are drawn in one way";
            return Err(self.wrong(&kinds.span(), reason));
        }
        if let Some(planners) = &table.planners {
            let reason = "planners do not plan meetings: a table with tasks has solvers";
            return Err(self.wrong(&planners.span(), reason));
        }
        if let Some(compares) = table.compare_with_shortest.as_ref().filter(|it| *it.get_ref()) {
            let reason = "paths to meetings are not compared with shortest ones";
            return Err(self.wrong(&compares.span(), reason));
        }
        Ok(())
    }

    /// The planners and solvers of a table, of which there must be one.
    fn entrants(&self, table: &RawTable, span: &Range<usize>) -> Result<Vec<Entrant>, LabError> {
        let mut entrants = Vec::new();
        if let Some(planners) = &table.planners {
            entrants.extend(self.values("planners", planners, |NameOrTable(said)| {
                let planner = self.registries.planners.parse(&said.planner);
                let planner = Contestant::Planner(planner.map_err(|error| error.to_string())?);
                Ok(Entrant::new(planner, said.label.as_ref(), said.agents_at_most))
            })?);
        }
        if let Some(solvers) = &table.solvers {
            entrants.extend(self.values("solvers", solvers, |NameOrTable(said)| {
                if table.tasks.is_some() { meeting_solver(said) } else { self.solver(said) }
            })?);
        }
        if entrants.is_empty() {
            return Err(self.wrong(span, "a table needs planners, solvers or both"));
        }
        Ok(entrants)
    }

    /// A solver for agents with goals of their own.
    fn solver(&self, said: &RawSolver) -> Result<Entrant, String> {
        if said.tasks_at_most.is_some() {
            return Err("tasks_at_most is for tables with tasks: write agents_at_most".to_owned());
        }
        let solver = self.registries.solvers.parse(&said.solver);
        let solver = Contestant::Solver(solver.map_err(|error| error.to_string())?);
        Ok(Entrant::new(solver, said.label.as_ref(), said.agents_at_most))
    }

    /// The limits of a table. Those of solvers are not in ticks, because a search has none.
    fn limits(&self, table: &RawTable, span: &Range<usize>) -> Result<Vec<Limits>, LabError> {
        let limits = match &table.limits {
            Some(limits) => self.list("limits", limits, |limit| parse_limits(limit))?,
            None => vec![(Limits::ticks(Simulation::DEFAULT_TICKS), self.place(span))],
        };
        let of_ticks = limits.iter().find(|(limits, _)| limits.ticks.is_some());
        match of_ticks {
            Some((_, place)) if table.solvers.is_some() => Err(LabError::input(format!(
                "{place}: solvers need limits in seconds or expansions, as in limits = [\"30s\"], and not in ticks"
            ))),
            _ => Ok(limits.into_iter().map(|(limits, _)| limits).collect()),
        }
    }

    /// The values of a list, which must not be empty, with their places.
    fn list<T, U>(
        &self,
        key: &str,
        list: &Spanned<Vec<Spanned<T>>>,
        meaning: impl Fn(&T) -> Result<U, String>,
    ) -> Result<Vec<(U, String)>, LabError> {
        self.lines.list(key, list, meaning)
    }

    fn values<T, U>(
        &self,
        key: &str,
        list: &Spanned<Vec<Spanned<T>>>,
        meaning: impl Fn(&T) -> Result<U, String>,
    ) -> Result<Vec<U>, LabError> {
        Ok(self.list(key, list, meaning)?.into_iter().map(|(value, _)| value).collect())
    }

    fn numbers(&self, key: &str, numbers: &Spanned<RawNumbers>) -> Result<Vec<u64>, LabError> {
        match numbers.get_ref().numbers() {
            Ok(numbers) if !numbers.is_empty() => Ok(numbers),
            Ok(_) => {
                Err(self
                    .wrong(&numbers.span(), format!("{key} is empty, so there is nothing to run")))
            }
            Err(reason) => Err(self.wrong(&numbers.span(), format!("{key}: {reason}"))),
        }
    }
}

/// A solver for pairs of agents that meet.
fn meeting_solver(said: &RawSolver) -> Result<Entrant, String> {
    if said.agents_at_most.is_some() {
        return Err("agents_at_most is for tables with agents: write tasks_at_most".to_owned());
    }
    let solver =
        CoCbsSpec::parse(&said.solver).map_err(|error| format!("for pairs that meet, {error}"))?;
    let solver = Contestant::MeetingSolver(solver);
    Ok(Entrant::new(solver, said.label.as_ref(), said.tasks_at_most))
}

#[cfg(test)]
#[path = "spec_test.rs"]
mod tests;
