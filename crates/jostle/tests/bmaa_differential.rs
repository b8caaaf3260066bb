//! The engine's BMAA\* against a plain transcription of the paper: the same trace, cell for cell.

// Without threads, the options below name every field there is.
#![allow(clippy::needless_update)]

mod plain;

use std::ops::ControlFlow;

use jostle::check::check_trace;
use jostle::instance::Kind;
use jostle::planners::bmaa::{BmaaPlanner, Order, PushRule};
use jostle::planners::{Bmaa, Planner, Work};
use jostle::simulate::Outcome;
use jostle::{
    Cell, CornerRule, Grid, Instance, Level, Limits, Neighbours, Rules, Simulation, World,
};
use plain::PlainBmaa;
use proptest::prelude::*;

/// A change that the game makes before a tick, spelled in numbers that fit any world.
#[derive(Clone, Debug)]
enum Whim {
    Send(usize, usize),
    Toggle(usize),
    Arrive(usize, usize),
    Leave(usize),
    Place(usize, usize),
}

fn apply(world: &mut World, whim: &Whim) {
    let cells = world.grid().cells().len();
    let cell = |index: usize| Cell::from_index(index % cells);
    let agents: Vec<_> = world.agents().map(|agent| (agent.id, agent.ours)).collect();
    let agent = |index: usize| agents.get(index % agents.len().max(1)).map(|(id, _)| *id);
    // Whims may be impossible: the world refuses those, and that is fine.
    let _ = match *whim {
        Whim::Send(who, to) => agent(who).map(|id| world.send(id, cell(to)).is_ok()),
        Whim::Toggle(at) => {
            let is_floor = world.grid().is_floor(cell(at));
            Some(world.edit(cell(at), !is_floor).is_ok())
        }
        Whim::Arrive(at, to) if to % 3 == 0 => Some(world.add_foreign(cell(at)).is_ok()),
        Whim::Arrive(at, to) => Some(world.add(cell(at), cell(to)).is_ok()),
        Whim::Leave(who) => agent(who).map(|id| world.remove(id).is_ok()),
        Whim::Place(who, to) => agent(who).map(|id| world.place(id, cell(to)).is_ok()),
    };
}

fn run(world: &World, planner: &mut dyn Planner, ticks: u64, whims: &[(u64, Whim)]) -> Outcome {
    let mut world = world.clone();
    let outcome = Simulation::new(&mut world, planner)
        .limits(Limits::ticks(ticks))
        .traced()
        .between(|world| {
            let now = world.tick();
            whims.iter().filter(|(tick, _)| *tick == now).for_each(|(_, whim)| apply(world, whim));
            ControlFlow::Continue(())
        })
        .run()
        .expect("a planner never proposes an illegal move");
    check_trace(outcome.trace.as_ref().unwrap()).expect("the checker accepts every run");
    outcome
}

/// The first tick after which somebody stands elsewhere.
fn first_difference(ours: &Outcome, plain: &Outcome) -> Option<usize> {
    let [ours, plain] = [ours, plain].map(|outcome| outcome.trace.as_ref().unwrap().frames());
    assert_eq!(ours.len(), plain.len());
    ours.iter().zip(plain).position(|(ours, plain)| ours != plain)
}

fn work(outcome: &Outcome) -> Work {
    outcome.metrics.work
}

fn options() -> impl Strategy<Value = Bmaa> {
    let paper = (any::<bool>(), any::<bool>()).prop_map(|(push, flow)| Bmaa {
        push,
        flow,
        ..Bmaa::default()
    });
    let any_options = (
        (1u32..70, 0.0f64..6.0, 1u32..40, any::<bool>(), any::<bool>()),
        (any::<bool>(), any::<bool>(), 0u32..4, any::<bool>(), any::<bool>()),
    )
        .prop_map(
            |(
                (expansions, vision, moves, push, flow),
                (thesis, monotone, retry, rotating, forget),
            )| {
                Bmaa {
                    expansions,
                    // Clear of the distances between cells, where rounding would decide.
                    vision: vision.floor() + 0.2,
                    moves,
                    push,
                    flow,
                    push_rule: if thesis { PushRule::Thesis } else { PushRule::Paper },
                    monotone,
                    retry,
                    order: if rotating { Order::Rotating } else { Order::ById },
                    forget,
                    ..Bmaa::default()
                }
            },
        );
    prop_oneof![paper, any_options]
}

fn rules() -> impl Strategy<Value = Rules> {
    let corners = prop::sample::select(vec![
        CornerRule::BothFree,
        CornerRule::BothFree,
        CornerRule::OneFree,
        CornerRule::Ignored,
    ]);
    let neighbours = prop_oneof![3 => Just(Neighbours::Eight), 1 => Just(Neighbours::Four)];
    (neighbours, corners).prop_map(|(neighbours, corners)| Rules { neighbours, corners })
}

/// Random walls, with agents drawn on them.
fn cluttered() -> impl Strategy<Value = World> {
    (4u32..24, 4u32..24, 0u32..40, rules(), 1usize..40, any::<u64>()).prop_flat_map(
        |(width, height, walls, rules, agents, seed)| {
            prop::collection::vec(0u32..100, (width * height) as usize).prop_filter_map(
                "there must be room for agents",
                move |draws| {
                    let is_floor = |x: u32, y: u32| draws[(y * width + x) as usize] >= walls;
                    let grid = Grid::new(width, height, rules, is_floor).ok()?;
                    let room = grid.floor_cells().count() / 2;
                    let agents = agents.min(room);
                    Instance::draw(grid, Kind::Random, agents, seed).ok().map(|i| i.world())
                },
            )
        },
    )
}

fn whims() -> impl Strategy<Value = Vec<(u64, Whim)>> {
    let number = || 0usize..10_000;
    let whim = prop_oneof![
        (number(), number()).prop_map(|(who, to)| Whim::Send(who, to)),
        number().prop_map(Whim::Toggle),
        (number(), number()).prop_map(|(at, to)| Whim::Arrive(at, to)),
        number().prop_map(Whim::Leave),
        (number(), number()).prop_map(|(who, to)| Whim::Place(who, to)),
    ];
    prop::collection::vec((0u64..60, whim), 0..40)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_engine_moves_as_the_paper_does(world in cluttered(), options in options()) {
        let ours = run(&world, &mut BmaaPlanner::new(options), 120, &[]);
        let plain = run(&world, &mut PlainBmaa::new(options), 120, &[]);
        prop_assert_eq!(work(&ours), work(&plain));
        prop_assert_eq!(first_difference(&ours, &plain), None);
    }

    #[test]
    fn the_engine_moves_as_the_paper_does_while_the_world_changes(
        world in cluttered(),
        options in options(),
        whims in whims(),
    ) {
        let ours = run(&world, &mut BmaaPlanner::new(options), 80, &whims);
        let plain = run(&world, &mut PlainBmaa::new(options), 80, &whims);
        prop_assert_eq!(first_difference(&ours, &plain), None);
    }

    #[test]
    fn the_same_seed_gives_the_same_trace(world in cluttered(), options in options()) {
        let once = run(&world, &mut BmaaPlanner::new(options), 80, &[]);
        let again = run(&world, &mut BmaaPlanner::new(options), 80, &[]);
        prop_assert_eq!(once.trace.unwrap().fingerprint(), again.trace.unwrap().fingerprint());
    }
}

#[test]
fn the_engine_moves_as_the_paper_does_on_every_level() {
    for level in Level::ALL {
        let grid = level.generate(72, 60, 3).unwrap();
        let world = Instance::draw(grid, Kind::Random, 150, 7).unwrap().world();
        for (push, flow) in [(false, false), (true, false), (false, true), (true, true)] {
            let options = Bmaa { push, flow, ..Bmaa::default() };
            let ours = run(&world, &mut BmaaPlanner::new(options), 400, &[]);
            let plain = run(&world, &mut PlainBmaa::new(options), 400, &[]);
            assert_eq!(work(&ours), work(&plain), "{}", level.name());
            let (ours, plain) = (ours.trace.unwrap(), plain.trace.unwrap());
            assert_eq!(ours.fingerprint(), plain.fingerprint(), "{}", level.name());
        }
    }
}

#[cfg(feature = "threads")]
#[test]
fn any_number_of_threads_gives_the_same_trace() {
    let grid = Level::Cave.generate(96, 96, 1).unwrap();
    let world = Instance::draw(grid, Kind::Random, 300, 1).unwrap().world();
    for flow in [false, true] {
        let traces = [1, 2, 3, 8, 400].map(|threads| {
            let options = Bmaa { flow, threads, ..Bmaa::default() };
            let outcome = run(&world, &mut BmaaPlanner::new(options), 300, &[]);
            (outcome.trace.as_ref().unwrap().fingerprint(), work(&outcome))
        });
        assert!(traces.iter().all(|trace| *trace == traces[0]), "{traces:?}");
    }
}
