//! Times of whole ticks and of single searches, by criterion. Ticks are those of planners that bound their work
//! by default; the bench `planners` shows all.
//!
//! `JOSTLE_MAPS=... cargo bench -p jostle --bench ticks`; without maps it uses built-in ones.

mod common;

use std::hint::black_box;

use common::{crowd, paper_map};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use jostle::Budget;
use jostle::instance::Kind;
use jostle::planners::{Entry, Planner, Registry};
use jostle::search::{Search, StraightLine};
use jostle::simulate::tick;
use jostle::{Grid, Instance, Level, Moves, World};

const TICKS: u64 = 64;

/// A world and a planner after some ticks, when most agents are walking.
fn after_some_ticks(instance: &Instance, entry: &Entry) -> (World, Box<dyn Planner>, Moves) {
    let (mut world, mut moves) = (instance.world(), Moves::default());
    let mut planner = entry.recipe().build();
    for _ in 0..128 {
        tick(&mut world, planner.as_mut(), &mut moves).expect("a legal move");
    }
    (world, planner, moves)
}

/// Whether a planner bounds its work with its default parameters.
fn is_bounded(entry: &Entry) -> bool {
    entry.recipe().fields().iter().all(|field| field.name != "budget")
}

fn ticks(criterion: &mut Criterion) {
    let mut instances = vec![(
        "cave",
        Level::Cave.generate(256, 256, 1).map(|grid| Instance::draw(grid, Kind::Random, 1000, 1)),
    )];
    for name in ["lak304d", "AR0504SR-512", "lgt300d"] {
        if paper_map(name).is_some() {
            instances.push((name, Ok(Ok(crowd(name, 1000)))));
        }
    }
    let mut group = criterion.benchmark_group("64 ticks of 1000 agents");
    group.throughput(Throughput::Elements(TICKS * 1000)).sample_size(20);
    for (name, instance) in instances {
        let instance = instance.expect("a level").expect("room for the agents");
        for entry in Registry::builtin().entries().iter().filter(|entry| is_bounded(entry)) {
            group.bench_function(format!("{} on {name}", entry.name()), |bench| {
                bench.iter_batched(
                    || after_some_ticks(&instance, entry),
                    |(mut world, mut planner, mut moves)| {
                        for _ in 0..TICKS {
                            tick(&mut world, planner.as_mut(), &mut moves).expect("a legal move");
                        }
                        (world, planner)
                    },
                    BatchSize::PerIteration,
                );
            });
        }
    }
    group.finish();
}

fn astar(criterion: &mut Criterion) {
    let grid: Grid = paper_map("AR0504SR-512")
        .or_else(|| Level::Cave.generate(512, 512, 1).ok())
        .expect("a map of 512x512");
    let tasks = Kind::Random.draw(&grid, 50, 1).expect("room for 50 agents");
    let mut search = Search::default();
    let mut run = || {
        let mut expansions = 0;
        for &(start, goal) in &tasks {
            let problem = StraightLine::to(goal, &grid);
            let mut budget = Budget::unlimited();
            let _ = search.run(&problem, start, &mut budget);
            expansions += budget.work().expansions;
        }
        expansions
    };
    let expansions = run();
    let mut group = criterion.benchmark_group("A*");
    group.throughput(Throughput::Elements(expansions)).sample_size(10);
    group.bench_function("50 searches on 512x512", |bench| bench.iter(|| black_box(run())));
    group.finish();
}

criterion_group!(benches, ticks, astar);
criterion_main!(benches);
