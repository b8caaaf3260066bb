//! Trainings that can be stopped and go on.

use std::collections::BTreeMap;

use super::parameters::Parameters;
use super::training::Best;
use super::{Architecture, Trainer, Training};
use crate::Samples;
use crate::tensor_file::{self, Numbers, Read};

const VERSION_KEY: &str = "jostle-training";
const VERSION: &str = "1";

impl<A: Architecture> Trainer<A> {
    /// All that is needed to [go on](Self::resumed) after the last epoch.
    pub fn state(&self) -> Vec<u8> {
        let best = self.best.as_ref();
        let mut notes = self.identity();
        notes.insert("epochs", self.epochs.to_string());
        notes.insert("steps", self.moments.steps.to_string());
        if let Some(best) = best {
            notes.insert("best.epoch", best.epoch.to_string());
            // Every bit of them counts.
            notes.insert("best.cost", best.cost.to_bits().to_string());
            notes.insert("best.loss", best.loss.to_bits().to_string());
        }
        let mut named = Vec::new();
        let groups = [
            ("parameters", Some(&self.parameters)),
            ("first", Some(&self.moments.first)),
            ("second", Some(&self.moments.second)),
            ("best", best.map(|best| &best.parameters)),
        ];
        for (group, parameters) in groups {
            let Some(parameters) = parameters else { continue };
            for (spec, values) in parameters.specs().iter().zip(&parameters.values) {
                named.push((format!("{group}.{}", spec.name), [values.len()], values));
            }
        }
        let tensors = named
            .iter()
            .map(|(name, shape, values)| (name.as_str(), &shape[..], Numbers::F32(values)));
        let notes = notes.iter().map(|(&key, value)| (key, value.as_str())).collect();
        tensor_file::write(&notes, tensors.collect())
    }

    /// A training that goes on where another one on the same problems was stopped.
    ///
    /// # Errors
    /// When the state is not one, or that of a training of other problems or in another way.
    pub fn resumed(
        samples: &Samples,
        train: &[usize],
        training: Training,
        state: &[u8],
    ) -> Result<Self, String> {
        let mut trainer = Self::new(samples, train, training)?;
        let broken = || "this is not the state of a training".to_owned();
        let notes = tensor_file::notes(state).map_err(|_| broken())?;
        let version = notes.get(VERSION_KEY).ok_or_else(broken)?;
        if version != VERSION {
            return Err(format!(
                "this state of a training is of version {version}, and this build reads version {VERSION}"
            ));
        }
        for (key, expected) in trainer.identity() {
            if notes.get(key) != Some(&expected) {
                let found = notes.get(key).map_or("nothing", String::as_str);
                return Err(format!(
                    "this state is that of another training: its {key} is {found}, not {expected}"
                ));
            }
        }
        let tensors = tensor_file::tensors(state).map_err(|_| broken())?.map_err(|_| broken())?;
        let number = |key| notes.get(key).and_then(|text| text.parse::<u64>().ok());
        trainer.epochs = number("epochs").ok_or_else(broken)? as usize;
        trainer.moments.steps = number("steps").ok_or_else(broken)?;
        let best = [number("best.epoch"), number("best.cost"), number("best.loss")];
        let read = |group: &str, parameters: &mut Parameters| {
            restore(&tensors, group, parameters).ok_or_else(broken)
        };
        read("parameters", &mut trainer.parameters)?;
        read("first", &mut trainer.moments.first)?;
        read("second", &mut trainer.moments.second)?;
        if let [Some(epoch), Some(cost), Some(loss)] = best {
            let mut parameters = trainer.parameters.clone();
            read("best", &mut parameters)?;
            let [cost, loss] = [cost, loss].map(f64::from_bits);
            trainer.best = Some(Best { epoch: epoch as usize, cost, loss, parameters });
        }
        Ok(trainer)
    }

    /// What must be the same when a training goes on.
    fn identity(&self) -> BTreeMap<&'static str, String> {
        BTreeMap::from([
            (VERSION_KEY, VERSION.to_owned()),
            ("network", A::NAME.to_owned()),
            ("problems", format!("{:016x}", self.problems.fingerprint)),
            ("settings", self.training.description()),
        ])
    }
}

/// Sets parameters to those in a file, if all are there and have as many numbers.
fn restore(
    tensors: &BTreeMap<String, Read>,
    group: &str,
    parameters: &mut Parameters,
) -> Option<()> {
    let names: Vec<String> =
        parameters.specs().iter().map(|spec| format!("{group}.{}", spec.name)).collect();
    for (name, values) in names.iter().zip(&mut parameters.values) {
        let (_, found) = tensors.get(name).filter(|(_, found)| found.len() == values.len())?;
        values.copy_from_slice(found);
    }
    Some(())
}
