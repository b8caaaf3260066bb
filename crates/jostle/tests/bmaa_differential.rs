//! The engine's BMAA\* against a plain transcription of the paper: the same trace, cell for cell.

// Without the feature `threads`, the options below name every field there is.
#![allow(clippy::needless_update)]

mod common;
mod plain;

use common::{cluttered, game_changes, run};
use jostle::instance::Kind;
use jostle::planners::bmaa::{BmaaPlanner, Order, PushRule};
use jostle::planners::{Bmaa, Work};
use jostle::simulate::Outcome;
use jostle::{Instance, Level};
use plain::PlainBmaa;
use plain::flat::FlatBmaa;
use proptest::prelude::*;

/// The first tick after which an agent stands on another cell.
fn first_difference(ours: &Outcome, plain: &Outcome) -> Option<usize> {
    let [ours, plain] = [ours, plain].map(|outcome| outcome.trace.as_ref().unwrap());
    assert_eq!(ours.ticks(), plain.ticks());
    let (mut our_frames, mut plain_frames) = (ours.frames(), plain.frames());
    (0..ours.ticks()).find(|_| our_frames.next_frame() != plain_frames.next_frame())
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
                    // Not equal to a distance between cells, where rounding would decide.
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
        game_changes in game_changes(),
    ) {
        let ours = run(&world, &mut BmaaPlanner::new(options), 80, &game_changes);
        let plain = run(&world, &mut PlainBmaa::new(options), 80, &game_changes);
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

#[test]
fn the_version_that_the_engine_is_measured_against_moves_as_it_does() {
    for level in Level::ALL {
        let grid = level.generate(72, 60, 3).unwrap();
        let world = Instance::draw(grid, Kind::Random, 150, 7).unwrap().world();
        for push in [false, true] {
            let options = Bmaa { push, ..Bmaa::default() };
            let ours = run(&world, &mut BmaaPlanner::new(options), 400, &[]);
            let flat = run(&world, &mut FlatBmaa::new(push), 400, &[]);
            assert_eq!(work(&ours), work(&flat), "{}", level.name());
            let (ours, flat) = (ours.trace.unwrap(), flat.trace.unwrap());
            assert_eq!(ours.fingerprint(), flat.fingerprint(), "{}", level.name());
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_trace() {
    let grid = Level::Cave.generate(96, 96, 1).unwrap();
    let world = Instance::draw(grid, Kind::Random, 300, 1).unwrap().world();
    for flow in [false, true] {
        let traces = [1, 0, 2, 3, 8, 400, u32::MAX].map(|threads| {
            let options = Bmaa { flow, threads, ..Bmaa::default() };
            let outcome = run(&world, &mut BmaaPlanner::new(options), 300, &[]);
            (outcome.trace.as_ref().unwrap().fingerprint(), work(&outcome))
        });
        assert!(traces.iter().all(|trace| *trace == traces[0]), "{traces:?}");
    }
}
