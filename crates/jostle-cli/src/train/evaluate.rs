//! What selectors are worth: trained on a part of the problems, tested on the rest.

use std::collections::BTreeMap;
use std::path::Path;

use jostle::formats::{read_text, shown_path};
use jostle_lab::{OutputFile, shown_output};
use jostle_select::lab::{by_group, by_selector};
use jostle_select::{
    DataFile, Encodings, Evaluation, Forest, Given, NetworkSelector, Pictures, Selector, Split,
    SplitBy, Step, Trial,
};
use serde::Deserialize;

use super::learn::training;
use super::lesson::Lesson;
use super::{Learner, TrainArgs};
use crate::failure::Failure;
use crate::output::write_whole;
use crate::say::{Printer, warn};
use crate::steps::Steps;
use crate::table::{counted, for_people};

/// The kinds of split: their names in files, and what tables say about them.
const KINDS: [(SplitBy, &str, &str); 2] = [
    (
        SplitBy::Problem,
        "problem",
        "Problems split one by one: test problems are on maps that were seen in training",
    ),
    (
        SplitBy::Map,
        "map",
        "Split by map: test problems are on maps that were never seen in training",
    ),
];

/// What stands beside the bar of an evaluation.
const BESIDE_BAR: &str = "{human_pos} of {human_len} trainings, {eta} left, {msg}";

/// Splits that are evaluated unless the user says how many.
const DEFAULT_SPLITS: u16 = 10;

/// Choices that another program has made.
#[derive(Deserialize)]
struct Choices {
    network: String,
    splits: BTreeMap<String, Vec<Vec<usize>>>,
}

/// Writes the data for other programs if that is wanted, and prints what selectors are worth.
pub fn evaluate(
    args: &TrainArgs,
    lesson: &Lesson,
    data: Option<OutputFile>,
    printer: &mut Printer,
) -> Result<(), Failure> {
    let count = usize::from(args.splits.unwrap_or(DEFAULT_SPLITS));
    let mut kinds = Vec::new();
    for (by, name, title) in KINDS {
        if !lesson.splits_by(by) {
            continue;
        }
        match by.splits(&lesson.samples, count, args.share, args.seed) {
            Ok(splits) => kinds.push((by, name, title, splits)),
            Err(reason) => warn(format!("no table for splits by {name}: {reason}"))?,
        }
    }
    if kinds.is_empty() {
        return Err(Failure::input(
            "there are too few problems to learn from some and be tested on others",
        ));
    }
    if let Some(file) = data {
        let shown = shown_output(file.path());
        write_data(args, lesson, &kinds, file)?;
        printer.print(format_args!("{shown}: {}\n", counted(lesson.samples.len(), "problem")))?;
    }
    if args.splits.is_none() || args.selectors().is_empty() && args.choices.is_empty() {
        return Ok(());
    }
    let choices =
        args.choices.iter().map(|path| read_choices(path)).collect::<Result<Vec<_>, _>>()?;
    for (by, name, title, splits) in &kinds {
        let mut selectors = selectors(args, *by);
        for (path, choices) in args.choices.iter().zip(&choices) {
            let Some(made) = choices.splits.get(*name) else { continue };
            let label = format!("{} (PyTorch)", choices.network);
            let given = Given::new(label, splits, made.clone());
            let given = given
                .map_err(|reason| Failure::input(format!("{}: {reason}", shown_path(path))))?;
            selectors.push(Box::new(given));
        }
        let evaluation = run(lesson, splits, &mut selectors)?;
        printer.print(tables(args, lesson, &evaluation, (name, title)))?;
    }
    Ok(())
}

type Kind = (SplitBy, &'static str, &'static str, Vec<Split>);

fn write_data(
    args: &TrainArgs,
    lesson: &Lesson,
    kinds: &[Kind],
    file: OutputFile,
) -> Result<(), Failure> {
    let splits: Vec<(&str, &[Split])> =
        kinds.iter().map(|(_, name, _, splits)| (*name, splits.as_slice())).collect();
    let data = DataFile {
        candidates: &lesson.candidates,
        about: lesson.about.clone(),
        splits: &splits,
        menu: lesson.menu.clone(),
        pictures: args.pictures,
    };
    let bytes = data.of(&lesson.samples).map_err(Failure::input)?;
    write_whole(file, |out| out.write_all(&bytes))
}

fn read_choices(path: &Path) -> Result<Choices, Failure> {
    let text = read_text(path).map_err(Failure::input)?;
    serde_json::from_str(&text).map_err(|error| {
        Failure::input(format!(
            "{}: these are not choices that python/twin.py has written: {error}",
            shown_path(path)
        ))
    })
}

/// What the user wants to evaluate.
fn selectors(args: &TrainArgs, by: SplitBy) -> Vec<Box<dyn Selector>> {
    let by_map = by == SplitBy::Map;
    let selector = |learner: &Learner| -> Box<dyn Selector> {
        match learner {
            Learner::Small => {
                let mut training = training::<Encodings>(args);
                training.validation_by_map = by_map;
                Box::new(NetworkSelector::<Encodings>::new(training))
            }
            Learner::Alexnet => {
                let mut training = training::<Pictures>(args);
                training.validation_by_map = by_map;
                Box::new(NetworkSelector::<Pictures>::new(training))
            }
            Learner::Forest => Box::new(Forest::default()),
        }
    };
    args.selectors().iter().map(selector).collect()
}

fn run(
    lesson: &Lesson,
    splits: &[Split],
    selectors: &mut [Box<dyn Selector>],
) -> Result<Evaluation, Failure> {
    let trial = Trial {
        samples: &lesson.samples,
        menu: lesson.menu.clone(),
        splits,
        measures: &lesson.measures,
        groups: &lesson.groups,
    };
    let steps = Steps::new(BESIDE_BAR, 0, splits.len() * selectors.len());
    let evaluation = trial.evaluate(selectors, &mut |Step { selector, done, of, .. }| {
        steps.show(done, selector, || format!("{done} of {of} trainings, now {selector}"));
    });
    evaluation.map_err(Failure::input)
}

fn tables(
    args: &TrainArgs,
    lesson: &Lesson,
    evaluation: &Evaluation,
    (name, title): (&str, &str),
) -> String {
    let format = if args.markdown { jostle_lab::table::Format::Markdown } else { for_people() };
    let table = by_selector(evaluation, &lesson.columns, &lesson.measures, (name, title));
    let mut text = table.write(format) + "\n";
    if !lesson.groups.names.is_empty() {
        let name = format!("{name}-kinds");
        let table = by_group(
            evaluation,
            &lesson.columns,
            &lesson.groups,
            (&name, "The same, by kind of problem"),
        );
        text += &(table.write(format) + "\n");
    }
    text
}
