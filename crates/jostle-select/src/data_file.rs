//! Samples as a file for programs in other languages, which train networks where there is a GPU.
//!
//! A [safetensors](https://github.com/huggingface/safetensors) file. With N problems and K candidates it holds
//!
//! | tensor | type and shape | contents |
//! | --- | --- | --- |
//! | `channels` | U8 \[N, 4, 64, 64\] | the channels of [encodings](crate::Encoding): a number is the byte times its channel's scale, over 255 |
//! | `channel.scale` | F32 \[4\] | the largest number of each channel |
//! | `numbers` | F32 \[N, 4\] | the numbers beside the channels |
//! | `pictures` | U8 \[N, 227, 227, 3\] | [pictures](crate::Picture), if they are asked for |
//! | `costs` | F32 \[N, K\] | what candidates achieve |
//! | `best`, `map` | I64 \[N\] | the best candidate, and the number of the map |
//! | `split.NAME.I.train`, `split.NAME.I.test` | I64 | the problems on either side of split I |
//! | `split.NAME.I.costs`, `split.NAME.I.best` | as `costs`, `best` | where there is a portfolio for each split: those of its members |
//!
//! and in its header the candidates and what the samples are about, as a [model](crate::ModelFile) does.

use std::collections::BTreeMap;

use crate::model::header_notes;
use crate::tensor_file::{self, Numbers};
use crate::{Channel, Encoding, Menu, Picture, Samples, Sight, Split};

/// Writes samples for other programs.
#[derive(Clone, Debug, Default)]
pub struct DataFile<'a> {
    /// The names of the candidates.
    pub candidates: &'a [String],
    /// What the samples are.
    pub about: BTreeMap<String, String>,
    /// Splits of the problems: those of one kind have a name.
    pub splits: &'a [(&'a str, &'a [Split])],
    /// What there is to choose from.
    pub menu: Menu,
    /// Whether pictures for AlexNet are wanted: 155 KB a problem.
    pub pictures: bool,
}

/// What candidates achieve, row by row, and the best one for each problem.
struct Table {
    costs: Vec<f32>,
    shape: [usize; 2],
    best: Vec<i64>,
}

impl Table {
    fn of(samples: &Samples) -> Self {
        let (results, shape) = (samples.results(), [samples.len(), samples.results().candidates()]);
        let cost = |at: usize| results.costs(at % shape[1])[at / shape[1]];
        Self {
            costs: (0..shape[0] * shape[1]).map(cost).collect(),
            shape,
            best: long(samples.best()),
        }
    }

    fn tensors<'a>(&'a self, [costs, best]: [&'a str; 2]) -> [tensor_file::Written<'a>; 2] {
        [
            (costs, &self.shape, Numbers::F32(&self.costs)),
            (best, &self.shape[..1], Numbers::I64(&self.best)),
        ]
    }
}

fn long(values: &[usize]) -> Vec<i64> {
    values.iter().map(|&value| value as i64).collect()
}

impl DataFile<'_> {
    /// The bytes of the file.
    ///
    /// # Errors
    /// When there is nothing to choose from.
    pub fn of(&self, samples: &Samples) -> Result<Vec<u8>, String> {
        let problems = samples.len();
        let all = || (0..problems).map(|problem| samples.sight(problem));
        let encodings: Vec<Encoding> =
            all().map(|sight| Encoding::of(sight.grid, sight.tasks)).collect();
        let largest = |channel| {
            let values = encodings.iter().flat_map(|encoding| encoding.channel(channel));
            values.copied().fold(0.0, f32::max)
        };
        let scale = Channel::ALL.map(largest);
        let mut channels = Vec::with_capacity(problems * encodings[0].channels().len());
        for encoding in &encodings {
            for (channel, scale) in Channel::ALL.into_iter().zip(scale) {
                let byte = |&value: &f32| (value / scale.max(f32::MIN_POSITIVE) * 255.0).round();
                channels.extend(encoding.channel(channel).iter().map(|value| byte(value) as u8));
            }
        }
        let numbers: Vec<f32> = encodings.iter().flat_map(|encoding| *encoding.numbers()).collect();
        let everything: Vec<usize> = (0..problems).collect();
        let table = Table::of(&self.menu.courses(samples, &everything)?.samples);
        let map = long(&samples.maps());
        let (mut splits, mut portfolios) = (Vec::new(), Vec::new());
        for (name, kind) in self.splits {
            for (at, split) in kind.iter().enumerate() {
                splits.push((format!("split.{name}.{at}.train"), long(&split.train)));
                splits.push((format!("split.{name}.{at}.test"), long(&split.test)));
                if matches!(self.menu, Menu::Portfolio(_)) {
                    let members = self.menu.courses(samples, &split.train)?.samples;
                    let names = ["costs", "best"].map(|what| format!("split.{name}.{at}.{what}"));
                    portfolios.push((names, Table::of(&members)));
                }
            }
        }
        let sizes: Vec<[usize; 1]> = splits.iter().map(|(_, side)| [side.len()]).collect();
        let mut pictures = Vec::new();
        if self.pictures {
            pictures.reserve_exact(problems * Picture::SEEN_SIDE * Picture::SEEN_SIDE * 3);
            all().for_each(|sight: Sight<'_>| {
                pictures.extend_from_slice(Picture::seen(sight).pixels().as_flattened());
            });
        }
        let side = Encoding::SIDE;
        let shapes: [&[usize]; 5] = [
            &[problems, Channel::ALL.len(), side, side],
            &[problems, Encoding::NUMBERS],
            &[problems],
            &[problems, Picture::SEEN_SIDE, Picture::SEEN_SIDE, 3],
            &[Channel::ALL.len()],
        ];
        let mut tensors = vec![
            ("channels", shapes[0], Numbers::U8(&channels)),
            ("channel.scale", shapes[4], Numbers::F32(&scale)),
            ("numbers", shapes[1], Numbers::F32(&numbers)),
            ("map", shapes[2], Numbers::I64(&map)),
        ];
        tensors.extend(table.tensors(["costs", "best"]));
        for (names, table) in &portfolios {
            tensors.extend(table.tensors(names.each_ref().map(String::as_str)));
        }
        for ((name, problems), size) in splits.iter().zip(&sizes) {
            tensors.push((name, size, Numbers::I64(problems)));
        }
        if self.pictures {
            tensors.push(("pictures", shapes[3], Numbers::U8(&pictures)));
        }
        let choices = match &self.menu {
            Menu::All => self.candidates.to_vec(),
            Menu::Labels { names, .. } => names.clone(),
            Menu::Portfolio(_) => {
                (1..=table.shape[1]).map(|member| format!("member {member}")).collect()
            }
        };
        let names = choices.join("\n");
        Ok(tensor_file::write(&header_notes(&self.about, "data", &names), tensors))
    }
}

#[cfg(test)]
mod tests {
    use jostle::Grid;
    use safetensors::SafeTensors;

    use super::*;
    use crate::{Results, Sample};

    #[test]
    fn a_data_file_holds_what_the_selectors_see() {
        let grid = Grid::from_ascii("..#.\n....\n.#..").unwrap();
        let at = |x, y| grid.at(x, y).unwrap();
        let tasks = vec![(at(0, 0), at(3, 2)), (at(1, 0), at(3, 0)), (at(0, 2), at(0, 0))];
        let problems = vec![Sample { map: 0, tasks: Vec::new() }, Sample { map: 0, tasks }];
        let mut results = Results::of_problems(2).unwrap();
        results.add(&[1.0, 2.0]).unwrap();
        results.add(&[0.5, 3.0]).unwrap();
        let samples = Samples::new(vec![grid], problems, results, vec![1, 0]).unwrap();
        let splits = [Split { train: vec![1], test: vec![0] }];
        let file = DataFile {
            candidates: &["a".to_owned(), "b".to_owned()],
            about: BTreeMap::from([("maps".to_owned(), "one".to_owned())]),
            splits: &[("by-map", &splits)],
            menu: Menu::All,
            pictures: true,
        };
        let bytes = file.of(&samples).unwrap();
        let read = SafeTensors::deserialize(&bytes).unwrap();
        let tensor = |name| read.tensor(name).unwrap();
        let floats = |name| -> Vec<f32> {
            let (floats, _) = tensor(name).data().as_chunks::<4>();
            floats.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
        };
        let encoding = {
            let sight = samples.sight(1);
            Encoding::of(sight.grid, sight.tasks)
        };
        assert_eq!(tensor("channels").shape(), [2, 4, 64, 64]);
        let (bytes_of, scale) = (tensor("channels").data(), floats("channel.scale"));
        let pixels = Encoding::SIDE * Encoding::SIDE;
        for (at, value) in encoding.channels().iter().enumerate() {
            let scale = scale[at / pixels];
            let found = f32::from(bytes_of[4 * pixels + at]) * scale / 255.0;
            assert!((found - value).abs() <= scale / 500.0, "{found} is not {value}");
        }
        assert_eq!(floats("numbers")[4..], *encoding.numbers());
        assert_eq!(floats("costs"), [1.0, 0.5, 2.0, 3.0]);
        assert_eq!(tensor("best").data()[..8], 1_i64.to_le_bytes());
        assert_eq!(tensor("split.by-map.0.train").data(), 1_i64.to_le_bytes());
        assert_eq!(tensor("split.by-map.0.test").data(), 0_i64.to_le_bytes());
        let picture = Picture::seen(samples.sight(1));
        assert_eq!(tensor("pictures").shape(), [2, 227, 227, 3]);
        let second = &tensor("pictures").data()[227 * 227 * 3..];
        assert_eq!(second, picture.pixels().as_flattened());
        let notes = tensor_file::notes(&bytes).unwrap();
        assert_eq!(
            (&*notes["candidates"], &*notes["kind"], &*notes["maps"]),
            ("a\nb", "data", "one")
        );
    }
}
