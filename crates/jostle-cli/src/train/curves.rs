//! Learning curves: a file of numbers that grows with every epoch, and a picture of it.

use std::path::{Path, PathBuf};

use jostle::formats::{read_text, shown_path};
use jostle_lab::report::{Curve, Figure};
use jostle_lab::save;
use jostle_select::Epoch;

use crate::failure::Failure;

const HEADER: &str = "epoch,rate,train_loss,validation_loss,validation_cost";

/// The epochs of a training so far.
#[derive(Debug, Default)]
pub struct Curves {
    epochs: Vec<[f64; 5]>,
}

/// What the choices are compared with, on the same problems.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The mean cost of the candidate that is best on average.
    pub single_best: f64,
    /// The mean cost of the best choice.
    pub perfect: f64,
}

impl Curves {
    /// Those of a training that goes on after this many epochs.
    pub fn resumed(path: &Path, epochs: usize) -> Result<Self, Failure> {
        let text = read_text(path).map_err(Failure::input)?;
        let wrong = || {
            let file = shown_path(path);
            Failure::input(format!(
                "{file}: these are not the curves of {epochs} epochs: delete it, and the .training file beside it, to start again"
            ))
        };
        let row = |line: &str| -> Option<[f64; 5]> {
            let values: Vec<f64> =
                line.split(',').map(|value| value.parse().ok()).collect::<Option<_>>()?;
            values.try_into().ok()
        };
        let rows = text.lines().skip(1).take(epochs).map(row);
        let rows: Vec<[f64; 5]> = rows.collect::<Option<_>>().ok_or_else(wrong)?;
        if rows.len() < epochs { Err(wrong()) } else { Ok(Self { epochs: rows }) }
    }

    /// Adds an epoch.
    pub fn add(&mut self, epoch: &Epoch) {
        let Epoch { number, rate, train_loss, validation_loss, validation_cost, .. } = *epoch;
        self.epochs.push([number as f64, rate, train_loss, validation_loss, validation_cost]);
    }

    /// Writes the numbers.
    pub fn save(&self, path: &Path) -> Result<(), Failure> {
        let row = |epoch: &[f64; 5]| epoch.map(|value| value.to_string()).join(",") + "\n";
        let rows: String = self.epochs.iter().map(row).collect();
        Ok(save(path, format!("{HEADER}\n{rows}").as_bytes())?)
    }

    /// Draws them.
    pub fn draw(&self, path: &Path, title: &str, bounds: Bounds) -> Result<(), Failure> {
        let curve = |name: &str, column: usize| Curve {
            name: name.to_owned(),
            points: self.epochs.iter().map(|epoch| (epoch[0], epoch[column])).collect(),
            is_bound: false,
        };
        let bound = |name: &str, value: f64| {
            let ends = [self.epochs.first(), self.epochs.last()].into_iter().flatten();
            Curve {
                name: name.to_owned(),
                points: ends.map(|epoch| (epoch[0], value)).collect(),
                is_bound: true,
            }
        };
        let panels = vec![
            (
                "loss".to_owned(),
                vec![curve("training problems", 2), curve("problems set aside", 3)],
            ),
            (
                "mean cost of choices".to_owned(),
                vec![
                    curve("problems set aside", 4),
                    bound("single best candidate", bounds.single_best),
                    bound("best choice", bounds.perfect),
                ],
            ),
        ];
        let notes = vec![
            "problems set aside tell which epoch is best; nothing is learned from them".to_owned(),
        ];
        let figure = Figure::of_curves("curves", title, "epoch", &panels, notes);
        Ok(save(path, figure.svg()?.as_bytes())?)
    }
}

/// How the title of the picture begins.
pub const TITLE: &str = "Training of the";

/// Whether a text is the numbers of a training.
pub fn is_numbers(text: &str) -> bool {
    text.starts_with(HEADER)
}

/// Whether a text is the picture of a training.
pub fn is_picture(text: &str) -> bool {
    text.contains("<svg") && text.contains(TITLE)
}

/// A file beside the model: `model.safetensors` has `model.curves.svg`.
pub fn beside(model: &Path, ending: &str) -> PathBuf {
    model.with_extension(ending)
}
