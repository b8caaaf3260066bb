//! `jostle train`: learns from results which planner to take for a problem.

mod curves;
mod evaluate;
mod learn;
mod lesson;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum, ValueHint};
use jostle::Limits;
use jostle_lab::parse_limits;

use crate::args::whole;
use crate::failure::Failure;
use crate::output::Outputs;
use crate::progress::stop_gently;
use crate::say::{Printer, warn};
use learn::ModelOutput;
use lesson::Lesson;

/// What to learn from, and what to write.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub struct TrainArgs {
    /// Folders of results, as `jostle sweep` writes them: runs of crowds, or walks of single agents
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, required = true, num_args = 1..)]
    results: Vec<PathBuf>,

    /// The model to write; beside it go its learning curves and, during the training, the state from which the same command resumes it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, required_unless_present_any = ["splits", "data"])]
    pub out: Option<PathBuf>,

    /// The planners to choose from, named as in the results [default: all]
    #[arg(long, visible_alias = "planner", value_name = "NAMES", value_delimiter = ',')]
    planners: Vec<String>,

    /// The limit of the runs, if the results have several, as in 4096steps
    #[arg(long, value_parser = parse_limits)]
    limit: Option<Limits>,

    /// For walks: choose for each problem, for each map, or by a label of the walks, such as genre or game
    #[arg(long, value_name = "problem|map|LABEL")]
    by: Option<String>,

    /// For walks: how many settings to choose from; the ones that complement each other best are taken
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = whole::<u16>(2..=u64::from(u16::MAX)))]
    portfolio: u16,

    /// The kinds of model to train [default: small; nothing if --data or --choices is given without --out]
    #[arg(long, value_name = "NAMES", value_enum, value_delimiter = ',')]
    selector: Vec<Learner>,

    /// Train and test this many times on random splits, and print what the choices are worth
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1000))]
    splits: Option<u16>,

    /// The share of the problems, or of the maps, that each split learns from
    #[arg(long, value_name = "SHARE", default_value_t = 0.7, value_parser = parse_share)]
    share: f64,

    /// Print the tables in Markdown
    #[arg(long)]
    markdown: bool,

    /// Choices that another program made for the same splits: a file that python/twin.py has written
    #[arg(long, value_name = "FILE", requires = "splits")]
    choices: Vec<PathBuf>,

    /// Write the problems, their results and the splits as a file for other programs, such as python/twin.py
    #[arg(long, value_name = "FILE")]
    pub data: Option<PathBuf>,

    /// Put pictures for AlexNet into that file: 155 KB a problem
    #[arg(long, requires = "data")]
    pictures: bool,

    /// The most passes over the training problems [default: 60 for the small network, 30 for AlexNet]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=u64::from(u16::MAX)))]
    epochs: Option<u16>,

    /// The seed of all random numbers
    #[arg(long, visible_alias = "seeds", value_name = "NUMBER", default_value_t = 1, value_parser = whole::<u64>(0..=u64::MAX))]
    seed: u64,

    /// Threads that share the work; they do not change the result [default: one for each core]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=256))]
    threads: Option<u16>,
}

/// What can learn.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Learner {
    /// The small network on channels of 64x64 pixels
    Small,
    /// AlexNet on pictures of 227x227 pixels, as in the thesis; it takes hours without a GPU
    Alexnet,
    /// A random forest on simple features
    Forest,
}

const EXAMPLES: &str = "Examples:
  jostle sweep experiments/selection.toml --out results/selection
  jostle train --results results/selection --out my.safetensors
  jostle train --results results/selection --splits 10 --selector forest,small
  jostle train --results results/settings --by game --splits 20 --share 0.75
  jostle select my.safetensors my.map --agents 300
  jostle run my.map --agents 300 --planner auto --model my.safetensors";

fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.01..=0.99).contains(share));
    share.ok_or_else(|| "a share is a number from 0.01 to 0.99".to_owned())
}

impl TrainArgs {
    /// What learns. Who asks for data, or has choices, need not wait for a network that nobody named.
    fn selectors(&self) -> &[Learner] {
        let needs_one = self.out.is_some() || (self.data.is_none() && self.choices.is_empty());
        if self.selector.is_empty() && needs_one { &[Learner::Small] } else { &self.selector }
    }

    /// The files and folders that the command reads.
    pub fn inputs(&self) -> Vec<&Path> {
        self.results.iter().chain(&self.choices).map(PathBuf::as_path).collect()
    }

    fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(cores, usize::from)
    }
}

/// Trains, evaluates or both.
pub fn train(args: &TrainArgs) -> Result<(), Failure> {
    stop_gently();
    // Whatever forbids writing a file is known before the work begins.
    let outputs = Outputs::reading_results(args.inputs());
    let model =
        args.out.as_deref().map(|out| ModelOutput::open(args, out, &outputs)).transpose()?;
    let data = args.data.as_deref().map(|path| outputs.open(path)).transpose()?;
    let lesson = Lesson::read(args)?;
    for note in &lesson.notes {
        warn(note)?;
    }
    let mut printer = Printer::beside_files(model.is_some());
    if args.data.is_some() || args.splits.is_some() {
        evaluate::evaluate(args, &lesson, data, &mut printer)?;
    }
    if let Some(model) = model {
        learn::learn(args, &lesson, model)?;
    }
    printer.end().map_or(Ok(()), Err)
}
