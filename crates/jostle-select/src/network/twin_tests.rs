//! The same networks in PyTorch give the same numbers: `python/twin.py`.
//!
//! `twin.py fixture tests/data` writes `small.safetensors` and `logits.safetensors`: a small network, and what it and AlexNet give for
//! inputs by formula. The weights of AlexNet, which would be 227 MB, come from a formula too.
//!
//! The other way round: `JOSTLE_TWIN=FOLDER cargo test -p jostle-select --features network twin` writes `model.safetensors` and
//! `data.safetensors` there, and `twin.py logits FOLDER/model.safetensors FOLDER/data.safetensors --out tests/data/read-by-twin.safetensors`
//! writes what PyTorch makes of them.

use std::collections::BTreeMap;

use jostle::Grid;

use super::parameters::{Parameters, Spec, tensor};
use super::{Architecture, Encodings, Pictures, SmallNetwork, device, numbers_of};
use crate::tensor_file::{self, Read};
use crate::{DataFile, ModelFile, ModelKind, Results, Sample, Samples, Split, least};

/// What PyTorch has written.
fn written(name: &str) -> Vec<u8> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    std::fs::read(folder.join(name)).expect("PyTorch has written it")
}

/// Numbers from -1 to 1 that any language computes alike: a hash of the stream and the place, 24 bits of it.
pub fn hashed(stream: u64, count: usize) -> Vec<f32> {
    let hash = |at: u64| {
        let value = at.wrapping_add(stream.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let value = value ^ (value >> 31);
        ((value >> 40) as f64 / f64::from(1 << 23) - 1.0) as f32
    };
    (0..count as u64).map(hash).collect()
}

/// A file whose parameters come from the formula.
pub fn by_formula(file: ModelFile, specs: &[Spec]) -> ModelFile {
    specs.iter().zip(1..).fold(file, |file, (spec, stream)| {
        let count = spec.shape.iter().product();
        let bound = match spec.shape.len() {
            1 => 0.05,
            _ => (3.0 / spec.shape[1..].iter().product::<usize>() as f64).sqrt(),
        };
        let values = hashed(stream, count).iter().map(|value| value * bound as f32).collect();
        file.with(spec.name.clone(), &spec.shape, values)
    })
}

fn tensors(name: &str) -> BTreeMap<String, Read> {
    tensor_file::tensors(&written(name)).unwrap().unwrap()
}

#[track_caller]
fn assert_near(found: &[f32], expected: &[f32]) {
    assert_eq!(found.len(), expected.len());
    let size = expected.iter().fold(0.0, |size: f32, value| size.max(value.abs()));
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-4 * size, "{found} is not near {expected}");
    }
}

fn candidates() -> Vec<String> {
    ["a", "b", "c"].map(str::to_owned).to_vec()
}

#[test]
fn a_small_network_of_pytorch_gives_the_same_outputs() {
    let file = ModelFile::read(&written("small.safetensors")).unwrap();
    let live = Parameters::read(Encodings::parameters(3), &file).unwrap().live(&device());
    let images = tensor(hashed(101, 4 * 4 * 64 * 64), [4, 4, 64, 64], &device());
    let numbers = tensor(hashed(102, 4 * 4), [4, 4], &device());
    let outputs = Encodings::forward(&live, images, numbers, None);
    assert_eq!(outputs.dims(), [4, 3]);
    assert_near(&numbers_of(outputs), &tensors("logits.safetensors")["small"].1);
}

#[test]
fn an_alexnet_of_pytorch_gives_the_same_outputs() {
    let specs = Pictures::parameters(3);
    let file = by_formula(ModelFile::new(ModelKind::AlexNet, candidates()), &specs);
    let live = Parameters::read(specs, &file).unwrap().live(&device());
    let images = hashed(103, 2 * 3 * 227 * 227).iter().map(|value| value * 128.0).collect();
    let images = tensor(images, [2, 3, 227, 227], &device());
    let numbers = tensor(vec![0.0; 2], [2, 1], &device());
    let outputs = Pictures::forward(&live, images, numbers, None);
    assert_near(&numbers_of(outputs), &tensors("logits.safetensors")["alexnet"].1);
}

/// Maps as large as the encoding and one agent on each, so that bytes hold every number exactly.
fn exact_samples() -> Samples {
    let count = 24;
    let grids = (0..count).map(|seed| {
        let walls = hashed(200 + seed, 64 * 64);
        let wall = |x: u32, y: u32| walls[(y * 64 + x) as usize] > 0.6;
        let floor = |x, y| (x, y) == (1, 1) || (x, y) == (60, 40) || !wall(x, y);
        Grid::new(64, 64, jostle::Rules::default(), floor).unwrap()
    });
    let grids: Vec<Grid> = grids.collect();
    let problems = grids.iter().enumerate().map(|(map, grid)| {
        let ends = (grid.at(1, 1).unwrap(), grid.at(60, 40).unwrap());
        Sample { map, tasks: vec![if map % 2 == 0 { ends } else { (ends.1, ends.0) }] }
    });
    let problems = problems.collect();
    let mut results = Results::of_problems(count as usize).unwrap();
    for stream in 300..303 {
        results.add(&hashed(stream, count as usize)).unwrap();
    }
    let costs = |problem| [0, 1, 2].map(|one| results.costs(one)[problem]);
    let best = (0..count as usize).map(|problem| least(&costs(problem))).collect();
    Samples::new(grids, problems, results, best).unwrap()
}

/// A network whose every number matters.
fn exact_model() -> ModelFile {
    let file = ModelFile::new(ModelKind::Small, candidates())
        .with("input.mean", &[4], vec![0.2, 0.0, 0.0, 0.01])
        .with("input.scale", &[4], vec![0.4, 0.1, 0.1, 0.2])
        .with("numbers.mean", &[4], vec![8.0, 0.8, 0.0, 1.0])
        .with("numbers.scale", &[4], vec![1.0, 0.1, 0.001, 0.3])
        .with("cost.mean", &[3], vec![0.5, 0.25, 1.0])
        .with("cost.scale", &[1], vec![0.3]);
    by_formula(file, &Encodings::parameters(3))
}

#[test]
#[ignore = "PyTorch has yet to write its answer"]
fn pytorch_reads_our_models_and_data_and_gives_the_same_outputs() {
    let (samples, model) = (exact_samples(), exact_model());
    if let Some(folder) = std::env::var_os("JOSTLE_TWIN") {
        let splits = [0, 1].map(|seed| Split::by_problem(samples.len(), 0.7, seed));
        let data = DataFile {
            candidates: &candidates(),
            splits: &[("problem", &splits)],
            pictures: true,
            ..DataFile::default()
        };
        let folder = std::path::Path::new(&folder);
        std::fs::write(folder.join("data.safetensors"), data.of(&samples).unwrap()).unwrap();
        std::fs::write(folder.join("model.safetensors"), model.write().unwrap()).unwrap();
        return;
    }
    let network = SmallNetwork::of(&model).unwrap();
    let expected = &tensors("read-by-twin.safetensors")["logits"];
    assert_eq!(expected.0, [samples.len(), 3]);
    let seen: Vec<_> =
        (0..samples.len()).map(|problem| Encodings::see(samples.sight(problem))).collect();
    assert_near(&network.outputs(&seen.iter().collect::<Vec<_>>()).concat(), &expected.1);
}

#[test]
fn what_pytorch_writes_is_a_model() {
    let file = ModelFile::read(&written("small.safetensors")).unwrap();
    assert_eq!((file.kind(), file.candidates().len()), (ModelKind::Small, 3));
    let network = SmallNetwork::of(&file).unwrap();
    assert_eq!(
        ModelFile::read(&network.file(candidates()).write().unwrap()).unwrap().candidates(),
        candidates()
    );
}

#[test]
fn alexnet_has_as_many_parameters_as_it_should() {
    for (candidates, expected) in
        [(2, 56_876_418), (3, 56_880_515), (4, 56_884_612), (1000, 60_965_224)]
    {
        let count = |spec: &Spec| spec.shape.iter().product::<usize>();
        assert_eq!(Pictures::parameters(candidates).iter().map(count).sum::<usize>(), expected);
    }
}
