//! Times of a group order, of copies and fingerprints of crowds, and of whole runs through choke points, by criterion.
//!
//! `cargo bench -p jostle --bench crowds`

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use jostle::grid::Components;
use jostle::instance::{ChokePoint, Kind};
use jostle::planners::{Jostle, Recipe};
use jostle::{AgentId, Crowd, Instance, Level, Simulation, group};

fn orders(criterion: &mut Criterion) {
    let grid = Level::Cave.generate(512, 512, 1).expect("a level");
    let components = Components::of(&grid);
    let place = Kind::Random.draw(&grid, 1, 7).expect("room for one")[0].1;
    let mut bench = criterion.benchmark_group("an order to a group on 512x512");
    for (kind, from) in [(Kind::Random, "everywhere"), (Kind::TightToWide, "one spot")] {
        for agents in [200, 1000, 2000] {
            let instance = Instance::draw(grid.clone(), kind, agents, 1).expect("room for all");
            let world = instance.world();
            let members: Vec<AgentId> = world.ours().map(|agent| agent.id).collect();
            bench.bench_function(format!("{agents} agents from {from}"), |bench| {
                bench.iter(|| group::gather(&world, &components, &members, place));
            });
        }
    }
    bench.finish();
}

/// What going back in time and comparing machines costs, in the middle of a run.
fn copies(criterion: &mut Criterion) {
    let mut bench = criterion.benchmark_group("a crowd after 100 ticks");
    for (side, agents) in [(64, 100), (128, 400), (512, 400), (512, 2000)] {
        let grid = Level::Cave.generate(side, side, 1).expect("a level");
        let instance = Instance::draw(grid, Kind::Random, agents, 1).expect("room for all");
        let mut crowd = Crowd::new(instance.grid().clone());
        for agent in instance.world().agents() {
            let [start, goal] = [agent.cell, agent.goal].map(|cell| instance.grid().position(cell));
            let id = crowd.add(start).expect("a free cell");
            crowd.send(id, goal).expect("a goal on the map");
        }
        for _ in 0..100 {
            crowd.tick().expect("legal moves");
        }
        let name = format!("{agents} agents, {side}x{side}");
        bench.bench_function(format!("copy of {name}"), |bench| {
            bench.iter_with_large_drop(|| crowd.try_clone());
        });
        bench.bench_function(format!("fingerprint of {name}"), |bench| {
            bench.iter(|| crowd.fingerprint());
        });
    }
    bench.finish();
}

fn choke_points(criterion: &mut Criterion) {
    let mut bench = criterion.benchmark_group("all agents through a choke point");
    bench.sample_size(10);
    for choke_point in ChokePoint::ALL {
        let instance = choke_point.instance().expect("an instance");
        bench.bench_function(choke_point.name(), |bench| {
            bench.iter_batched(
                || (instance.world(), Jostle::default().build()),
                |(mut world, mut planner)| {
                    let run = Simulation::new(&mut world, planner.as_mut()).run();
                    assert!(world.have_all_arrived());
                    run
                },
                BatchSize::PerIteration,
            );
        });
    }
    bench.finish();
}

criterion_group!(benches, orders, copies, choke_points);
criterion_main!(benches);
