//! Training one model on all problems.

use std::path::Path;

use jostle::formats::shown_path;
use jostle_lab::save;
use jostle_select::{
    Architecture, Encodings, Epoch, Forest, ModelFile, Pictures, Selector, Trainer, Training,
};

use super::curves::{Bounds, Curves, beside};
use super::lesson::Lesson;
use super::{Learner, TrainArgs};
use crate::failure::Failure;
use crate::output::Outputs;
use crate::progress::{is_interrupted, wrap_up};
use crate::say::{note, say, warn};
use crate::steps::Steps;

/// The ending of the file from which a training is resumed.
const STATE: &str = "training";

/// Trains a model, and writes it.
pub fn learn(
    args: &TrainArgs,
    lesson: &Lesson,
    out: &Path,
    outputs: &Outputs,
) -> Result<(), Failure> {
    let [learner] = args.selectors()[..] else {
        return Err(Failure::input("--out writes one model: name one --selector"));
    };
    let lesson = lesson.for_a_model()?;
    if lesson.is_settled() {
        warn("the same candidate is best for every problem: there is nothing to learn")?;
    }
    let file = match learner {
        Learner::Small => network::<Encodings>(args, &lesson, out, outputs)?,
        Learner::Alexnet => network::<Pictures>(args, &lesson, out, outputs)?,
        Learner::Forest => forest(args, &lesson)?,
    };
    let file = lesson.about.iter().fold(file, |file, (key, value)| file.about(key, value));
    let bytes = file.write().map_err(Failure::input)?;
    outputs.save(out, &bytes)?;
    // The model is on the disk, so the state of its training has served. It may have none, as a forest does.
    let _ = std::fs::remove_file(beside(out, STATE));
    say(format_args!("{}: {} KB", shown_path(out), bytes.len().div_ceil(1000)))?;
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
    out: &Path,
    outputs: &Outputs,
) -> Result<ModelFile, Failure> {
    let training = training::<A>(args);
    let all: Vec<usize> = (0..lesson.samples.len()).collect();
    let [state, numbers, picture] =
        [STATE, "curves.csv", "curves.svg"].map(|ending| beside(out, ending));
    for path in [&state, &numbers, &picture] {
        outputs.check(path)?;
    }
    let (mut trainer, mut curves) = if state.exists() {
        let bytes = std::fs::read(&state)?;
        let trainer = Trainer::<A>::resumed(&lesson.samples, &all, training.clone(), &bytes)
            .map_err(|reason| {
                let file = shown_path(&state);
                Failure::input(format!("{file}: {reason}: delete it to start again"))
            })?;
        let epochs = trainer.epochs();
        note(format!("resuming after epoch {epochs}, from {}", shown_path(&state)))?;
        (trainer, Curves::resumed(&numbers, epochs)?)
    } else {
        let trainer = Trainer::<A>::new(&lesson.samples, &all, training.clone());
        (trainer.map_err(Failure::input)?, Curves::default())
    };
    let bounds = bounds(lesson, &trainer);
    let steps = Steps::new(BESIDE_BAR, trainer.epochs(), training.epochs);
    let title = format!("Training of the {} on {} problems", A::NAME, lesson.samples.len());
    while !is_interrupted()
        && let Some(epoch) = trainer.epoch().map_err(Failure::input)?
    {
        curves.add(&epoch);
        curves.save(&numbers)?;
        save(&state, trainer.state())?;
        curves.draw(&picture, &title, bounds)?;
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
