//! `jostle select`: what a model chooses for problems.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use jostle::formats::{open_input, shown_path};
use jostle::instance::Kind;
use jostle::registry::nearest;
use jostle_lab::Problem;
use jostle_lab::table::{Cell, Line, Table};
use jostle_select::{Encoding, Model, ModelKind, Picture, Predict, Sight, least};
use serde::Serialize;

use crate::args::RunArgs;
use crate::failure::Failure;
use crate::output::{Outputs, Target, write_whole};
use crate::print::PrintArgs;
use crate::problem::{ProblemArgs, Problems};
use crate::say::out;
use crate::table::counted;

/// Which model, and for which problems.
#[derive(Args, Debug)]
#[command(
    mut_arg("agents", |agents| agents.help(crate::args::agents_help(RunArgs::DEFAULT_AGENTS))),
    after_long_help = EXAMPLES
)]
pub struct SelectArgs {
    /// The model: a file, as `jostle train` writes it, or `builtin` for the one that comes with Jostle
    #[arg(value_name = "MODEL")]
    model: String,

    #[command(flatten)]
    problems: ProblemArgs,

    /// Write what the model sees as a PNG picture: to a file for one problem, to a folder for several
    #[arg(long, value_name = "PATH")]
    pub picture: Option<PathBuf>,

    #[command(flatten)]
    pub print: PrintArgs,
}

impl SelectArgs {
    /// The files that the command reads, and names that are not files.
    pub fn inputs(&self) -> Vec<&Path> {
        self.problems.inputs().chain([Path::new(&self.model)]).collect()
    }
}

const EXAMPLES: &str = "Examples:
  jostle select builtin cave --agents 300                      what to take for 300 agents on a map
  jostle select my.safetensors my.map --scen my.scen --json    the same for programs
  jostle select builtin cave --agents 300 --picture seen.png   what it looks at
  jostle run my.map --agents 300 --planner auto                run what it chooses
  jostle run my.map --planner auto --model my.safetensors      with a model of your own";

/// A choice, for programs.
#[derive(Serialize)]
struct Chosen<'a> {
    map: &'a str,
    agents: usize,
    kind: Option<&'static str>,
    seed: Option<u64>,
    /// The scenario that the agents were read from.
    scen: Option<&'a str>,
    choice: &'a str,
    /// What the model expects of each planner: less is better.
    predicted: BTreeMap<&'a str, f32>,
}

/// Prints what the model chooses for every problem.
pub fn select(args: &SelectArgs) -> Result<(), Failure> {
    let mut model = read_model(&args.model)?;
    let problems = Problems::of(&args.problems, RunArgs::DEFAULT_AGENTS, None)?;
    let own_model = (args.model != BUILTIN).then_some(Path::new(&args.model));
    let outputs = Outputs::reading(args.problems.inputs().chain(own_model));
    let pictures = Target::asked_for(&outputs, args.picture.as_deref(), problems.count())?;
    let candidates = model.candidates().to_vec();
    let shown = Shown::of(&model);
    let mut table = Table {
        header: ["problem", "choice"]
            .into_iter()
            .map(str::to_owned)
            .chain(candidates.iter().cloned())
            .collect(),
        notes: vec![shown.note().to_owned()],
        ..Table::default()
    };
    for name in problems.names() {
        let problem = problems.draw(name)?;
        let tasks = if chooses_by_map(&model) { &[] } else { problem.instance.tasks() };
        let sight = Sight { grid: problem.instance.grid(), tasks };
        if let Some(pictures) = &pictures {
            let file = pictures.open(&problems.stem(&problem, "seen"), "png")?;
            write_whole(file, |out| seen(&model, sight).write_png(out).map_err(io::Error::other))?;
        }
        let costs = model.predict(sight);
        let choice = least(&costs);
        if args.print.json {
            let line = serde_json::to_string(&Chosen {
                map: &problem.map,
                agents: problem.agents(),
                kind: problem.kind.map(Kind::name),
                seed: problem.seed,
                scen: problem.scen.as_deref(),
                choice: &candidates[choice],
                predicted: candidates.iter().map(String::as_str).zip(costs).collect(),
            });
            writeln!(out(), "{}", line.map_err(Failure::input)?)?;
            continue;
        }
        let numbers = costs.iter().enumerate().map(|(at, &cost)| Cell {
            value: Some(shown.value(cost)),
            is_best: at == choice,
            ..Cell::default()
        });
        let cells = std::iter::once(Cell::from(candidates[choice].clone())).chain(numbers);
        let label = label(&problem, chooses_by_map(&model));
        table.lines.push(Line { label, cells: cells.collect(), is_summary: false });
    }
    if !args.print.json {
        write!(out(), "{}", table.write(args.print.format()))?;
    }
    Ok(())
}

/// What a model looks at: the channels of the small network, or the picture of AlexNet. A forest sees only numbers, so it gets AlexNet's picture, too.
fn seen(model: &Model, sight: Sight<'_>) -> Picture {
    match model.file().kind() {
        ModelKind::Small => Encoding::of(sight.grid, sight.tasks).picture(),
        _ => Picture::seen(sight),
    }
}

/// A problem in a few words.
fn label(problem: &Problem, is_map: bool) -> String {
    if is_map {
        return problem.map.clone();
    }
    let origin = match (problem.kind, problem.seed, &problem.scen) {
        (Some(kind), Some(seed), _) => format!(", {}, seed {seed}", kind.name()),
        (_, _, Some(scen)) => format!(", scenario {scen}"),
        _ => String::new(),
    };
    format!("{}, {}{origin}", problem.map, counted(problem.agents(), "agent"))
}

/// How predictions are shown to people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shown {
    /// The share of agents that arrive.
    Completion,
    /// How sure a classifier is.
    Confidence,
    /// How many times as long as the shortest path.
    Suboptimality,
    /// Nothing is known about the numbers.
    Cost,
}

impl Shown {
    fn of(model: &Model) -> Self {
        if model.file().kind() == ModelKind::AlexNet {
            return Self::Confidence;
        }
        match model.file().notes().get("cost").map(String::as_str) {
            Some("completion") => Self::Completion,
            Some("suboptimality") => Self::Suboptimality,
            Some("label") => Self::Confidence,
            _ => Self::Cost,
        }
    }

    const fn note(self) -> &'static str {
        match self {
            Self::Completion => {
                "below each planner: the share of agents that are expected to arrive with it (%)"
            }
            Self::Confidence => "below each name: how sure the model is of it (%)",
            Self::Suboptimality => {
                "below each setting: how many times as long as the shortest path its walk is expected to be"
            }
            Self::Cost => "below each name: what it is expected to cost; less is better",
        }
    }

    fn value(self, cost: f32) -> String {
        match self {
            // A prediction may be a little more than everybody, or less than nobody.
            Self::Completion | Self::Confidence => {
                format!("{:.1}", (100.0 * (1.0 - cost)).clamp(0.0, 100.0))
            }
            Self::Suboptimality => format!("{cost:.2}"),
            Self::Cost => format!("{cost:.3}"),
        }
    }
}

/// Whether a model looks at the map alone.
fn chooses_by_map(model: &Model) -> bool {
    model.file().notes().get("sees").is_some_and(|sees| sees == "map")
}

/// The name of the model that comes with Jostle.
const BUILTIN: &str = "builtin";

/// The model in a file, or the one that comes with Jostle.
pub fn read_model(name: &str) -> Result<Model, Failure> {
    if name == BUILTIN {
        return Model::builtin().map_err(Failure::input);
    }
    let path = Path::new(name);
    let read = || {
        let mut bytes = Vec::new();
        open_input(path)?.read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let unreadable = |error: io::Error| match nearest(name, [BUILTIN]) {
        Some(meant) if error.kind() == io::ErrorKind::NotFound => {
            let reason = format!("there is no such file: did you mean '{meant}'?");
            Failure::input(format!("{}: {reason}", shown_path(path)))
        }
        _ => Failure::input(format!("{}: {error}", shown_path(path))),
    };
    let bytes = read().map_err(unreadable)?;
    Model::read(&bytes).map_err(|error| Failure::input(format!("{}: {error}", shown_path(path))))
}
