//! Training one model on all problems.

use std::path::{Path, PathBuf};

use jostle::formats::shown_path;
use jostle_lab::{OutputFile, STANDARD_OUTPUT, expect_regular, save};
use jostle_select::{
    Architecture, Encodings, Epoch, Forest, ModelFile, Pictures, Selector, Trainer, Training,
};

use super::curves::{Bounds, Curves, TITLE, beside, is_numbers, is_picture};
use super::lesson::Lesson;
use super::{Learner, TrainArgs};
use crate::failure::Failure;
use crate::output::{Outputs, write_whole};
use crate::progress::{is_interrupted, wrap_up};
use crate::say::{note, say, warn};
use crate::steps::Steps;

/// The ending of the file from which a training is resumed.
const STATE: &str = "training";

/// The file of the model, and those that a training writes beside it.
pub struct ModelOutput {
    learner: Learner,
    file: OutputFile,
    state: PathBuf,
    numbers: PathBuf,
    picture: PathBuf,
}

impl ModelOutput {
    /// Makes sure, before anything is read, that they can be written, and that none of them is somebody's own.
    pub fn open(args: &TrainArgs, out: &Path, outputs: &Outputs) -> Result<Self, Failure> {
        let [learner] = args.selectors()[..] else {
            return Err(Failure::input("--out writes one model: name one --selector"));
        };
        if out.as_os_str() == STANDARD_OUTPUT {
            let reason = "a model is written to a file, with its learning curves beside it, and not to standard output (-)";
            return Err(Failure::input(reason));
        }
        let file = outputs.open(out)?;
        let [state, numbers, picture] =
            [STATE, "curves.csv", "curves.svg"].map(|ending| beside(out, ending));
        if learner != Learner::Forest {
            for path in [&state, &numbers, &picture] {
                // Nobody has named them, so they are no pipes that somebody reads.
                expect_regular(path)?;
                // Its draft is given up at once: it only shows that the file can be written.
                outputs.open(path)?;
            }
            refuse_other(&numbers, is_numbers)?;
            refuse_other(&picture, is_picture)?;
        }
        Ok(Self { learner, file, state, numbers, picture })
    }
}

/// Refuses to replace a file that is there and is not of a training.
fn refuse_other(path: &Path, is_ours: fn(&str) -> bool) -> Result<(), Failure> {
    let text = std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    if text.is_ok_and(|text| !is_ours(&text)) {
        let reason = "a training writes its learning curves there, and this file holds something else: choose another --out";
        return Err(Failure::input(format!("{}: {reason}", shown_path(path))));
    }
    Ok(())
}

/// Trains a model, and writes it.
pub fn learn(args: &TrainArgs, lesson: &Lesson, output: ModelOutput) -> Result<(), Failure> {
    let lesson = lesson.for_a_model()?;
    if lesson.is_settled() {
        warn("the same candidate is best for every problem: there is nothing to learn")?;
    }
    let model = match output.learner {
        Learner::Small => network::<Encodings>(args, &lesson, &output)?,
        Learner::Alexnet => network::<Pictures>(args, &lesson, &output)?,
        Learner::Forest => forest(args, &lesson)?,
    };
    let model = lesson.about.iter().fold(model, |model, (key, value)| model.about(key, value));
    let bytes = model.write().map_err(Failure::input)?;
    let shown = shown_path(output.file.path());
    write_whole(output.file, |out| out.write_all(&bytes))?;
    if output.learner != Learner::Forest {
        // The model is on the disk, so the state of its training has served.
        let _ = std::fs::remove_file(&output.state);
    }
    say(format_args!("{shown}: {} KB", bytes.len().div_ceil(1000)))?;
    Ok(())
}

fn forest(args: &TrainArgs, lesson: &Lesson) -> Result<ModelFile, Failure> {
    let all: Vec<usize> = (0..lesson.samples.len()).collect();
    let mut forest = Forest::default();
    forest.learn(&lesson.samples, &all, args.seed).map_err(Failure::input)?;
    Ok(forest.file(lesson.candidates.clone()))
}

/// Trains a network epoch by epoch. After each, all that is needed to resume is on the disk.
fn network<A: Architecture>(
    args: &TrainArgs,
    lesson: &Lesson,
    output: &ModelOutput,
) -> Result<ModelFile, Failure> {
    let training = training::<A>(args);
    let all: Vec<usize> = (0..lesson.samples.len()).collect();
    let ModelOutput { state, numbers, picture, .. } = output;
    let (mut trainer, mut curves) = if state.exists() {
        let unreadable = |error| Failure::input(format!("{}: {error}", shown_path(state)));
        let bytes = std::fs::read(state).map_err(unreadable)?;
        let trainer = Trainer::<A>::resumed(&lesson.samples, &all, training.clone(), &bytes)
            .map_err(|reason| {
                let file = shown_path(state);
                Failure::input(format!("{file}: {reason}: delete it to start again"))
            })?;
        let epochs = trainer.epochs();
        note(format!("resuming after epoch {epochs}, from {}", shown_path(state)))?;
        (trainer, Curves::resumed(numbers, epochs)?)
    } else {
        let trainer = Trainer::<A>::new(&lesson.samples, &all, training.clone());
        (trainer.map_err(Failure::input)?, Curves::default())
    };
    let bounds = bounds(lesson, &trainer);
    let steps = Steps::new(BESIDE_BAR, trainer.epochs(), training.epochs);
    let title = format!("{TITLE} {} on {} problems", A::NAME, lesson.samples.len());
    while !is_interrupted()
        && let Some(epoch) = trainer.epoch().map_err(Failure::input)?
    {
        curves.add(&epoch);
        curves.save(numbers)?;
        save(state, trainer.state())?;
        curves.draw(picture, &title, bounds)?;
        show(&steps, &epoch, training.epochs);
    }
    wrap_up();
    drop(steps);
    if !trainer.is_finished() {
        let (epochs, all) = (trainer.epochs(), training.epochs);
        return Err(Failure::Interrupted(format!(
            "stopped after epoch {epochs} of {all}: the same command resumes the training"
        )));
    }
    say(format_args!(
        "{} epochs on {} problems; {} were set aside to choose the best epoch: choices cost {:.4} there, the single best candidate {:.4}, \
         the best choice {:.4}",
        trainer.epochs(),
        trainer.sizes().0,
        trainer.sizes().1,
        trainer.best_cost().unwrap_or(f64::NAN),
        bounds.single_best,
        bounds.perfect,
    ))?;
    Ok(trainer.best().file(lesson.candidates.clone()))
}

/// How a network is trained, as the user wants it.
pub fn training<A: Architecture>(args: &TrainArgs) -> Training {
    let mut training = Training { seed: args.seed, threads: args.threads(), ..A::training() };
    if let Some(epochs) = args.epochs {
        training.epochs = usize::from(epochs);
    }
    training
}

/// What choices are compared with, on the problems set aside.
fn bounds<A: Architecture>(lesson: &Lesson, trainer: &Trainer<A>) -> Bounds {
    let results = lesson.samples.results();
    let single = results.only(trainer.learned()).ok().and_then(|seen| seen.best());
    let aside = results.only(trainer.set_aside()).ok();
    let cost = |(candidate, _): (usize, f64)| Some(aside.as_ref()?.mean(candidate));
    Bounds {
        single_best: single.and_then(cost).unwrap_or(f64::NAN),
        perfect: aside.as_ref().and_then(jostle_select::Results::perfect).unwrap_or(f64::NAN),
    }
}

/// What stands beside the bar of a training.
const BESIDE_BAR: &str = "epoch {human_pos} of at most {human_len}, {eta} left, {msg}";

fn show(steps: &Steps, epoch: &Epoch, epochs: usize) {
    let Epoch { number, train_loss, validation_loss, validation_cost, is_best, .. } = *epoch;
    let best = if is_best { ", the best so far" } else { "" };
    let said = format!(
        "loss {train_loss:.3}, on problems set aside {validation_loss:.3}, where choices cost {validation_cost:.4}{best}"
    );
    steps.show(number, &said, || format!("epoch {number} of at most {epochs}: {said}"));
}
