//! How long the small network takes: to choose for one problem, with the encoding, and to learn from 2,000 of them once.
//!
//! `cargo bench -p jostle-select --features network --bench choose [-- PROBLEMS]`

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Instant;

use jostle::{Cell, Grid, Rules};
use jostle_select::{
    Architecture, Encoding, Encodings, Predict, Results, Sample, Samples, Trainer, Training, least,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn main() {
    let problems = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(2000);
    let samples = samples(10, problems);
    let all: Vec<usize> = (0..problems).collect();
    let training = Training { epochs: 1, ..Encodings::training() };

    let few = &all[..problems.min(10)];
    let mut trainer = Trainer::<Encodings>::new(&samples, few, training.clone()).unwrap();
    trainer.run(|_, _| ControlFlow::Continue(())).unwrap();
    let mut network = trainer.best();
    let mut encode = Vec::new();
    let mut choose = Vec::new();
    for &problem in all.iter().cycle().take(200) {
        let sight = samples.sight(problem);
        let begin = Instant::now();
        black_box(Encoding::of(sight.grid, sight.tasks));
        encode.push(begin.elapsed());
        let begin = Instant::now();
        black_box(network.pick(sight));
        choose.push(begin.elapsed());
    }
    encode.sort_unstable();
    choose.sort_unstable();
    println!("to encode a problem of 300 agents on a 320x320 map: median {:.2?}", encode[100]);
    println!("to encode it and choose: median {:.2?}, slowest {:.2?}", choose[100], choose[199]);

    for threads in [1, 2] {
        let training = Training { threads, ..training.clone() };
        let begin = Instant::now();
        let mut trainer = Trainer::<Encodings>::new(&samples, &all, training).unwrap();
        let prepared = begin.elapsed();
        trainer.run(|_, _| ControlFlow::Continue(())).unwrap();
        let epoch = begin.elapsed().saturating_sub(prepared);
        println!(
            "an epoch of {problems} problems on {threads} threads: {epoch:.2?}, after {prepared:.2?} to encode them"
        );
    }
}

/// Problems of 300 agents on maps of 320x320 cells, with three candidates.
fn samples(maps: usize, problems: usize) -> Samples {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut map = || {
        let blocks: Vec<bool> = (0..40 * 40).map(|_| random.random_range(0..4) == 0).collect();
        let is_floor = |x: u32, y: u32| !blocks[(y / 8 * 40 + x / 8) as usize];
        Grid::new(320, 320, Rules::default(), is_floor).unwrap()
    };
    let grids: Vec<Grid> = (0..maps).map(|_| map()).collect();
    let floors: Vec<Vec<Cell>> = grids.iter().map(|grid| grid.floor_cells().collect()).collect();
    let mut problem = |at: usize| {
        let floor = &floors[at % maps];
        let mut cell = || floor[random.random_range(0..floor.len())];
        Sample { map: at % maps, tasks: (0..300).map(|_| (cell(), cell())).collect() }
    };
    let all: Vec<Sample> = (0..problems).map(&mut problem).collect();
    let mut results = Results::of_problems(problems).unwrap();
    for _ in 0..3 {
        let costs: Vec<f32> = (0..problems).map(|_| random.random()).collect();
        results.add(&costs).unwrap();
    }
    let costs = |at: usize| [0, 1, 2].map(|candidate| results.costs(candidate)[at]);
    let best = (0..problems).map(|at| least(&costs(at))).collect();
    Samples::new(grids, all, results, best).unwrap()
}
