//! What every planner promises, whatever the game does.

mod common;

use common::{Whim, all_rules, apply, cluttered, cluttered_under, run, whims};
use jostle::check::check_trace;
use jostle::instance::Kind;
use jostle::planners::{Entry, Registry, planner};
use jostle::simulate::tick;
use jostle::{Instance, Level, Moves, Trace, World};
use proptest::prelude::*;

fn entries() -> impl Strategy<Value = &'static Entry> {
    prop::sample::select(Registry::builtin().entries().iter().collect::<Vec<_>>())
}

/// Whether a planner has a parameter.
fn has(entry: &Entry, parameter: &str) -> bool {
    entry.recipe().fields().iter().any(|field| field.name == parameter)
}

/// Runs a planner with a budget through a game full of whims, and checks every tick.
fn run_bounded(world: &World, spec: &str, budget: u64, ticks: u64, whims: &[(u64, Whim)]) {
    let mut world = world.clone();
    let mut planner = planner(spec).unwrap();
    let mut trace = Trace::begin(&world);
    let mut moves = Moves::default();
    for now in 0..ticks {
        whims.iter().filter(|(at, _)| *at == now).for_each(|(_, whim)| apply(&mut world, whim));
        let work = tick(&mut world, planner.as_mut(), &mut moves).unwrap();
        assert!(work.expansions <= budget, "{} at tick {now}", work.expansions);
        trace.record(&world);
    }
    check_trace(&trace).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn every_run_is_legal_and_the_same_every_time(
        world in cluttered_under(all_rules()),
        entry in entries(),
        whims in whims(),
    ) {
        let [once, again] = [(); 2].map(|()| {
            let mut planner = planner(entry.name()).unwrap();
            run(&world, planner.as_mut(), 80, &whims).trace.unwrap().fingerprint()
        });
        prop_assert_eq!(once, again, "{}", entry.name());
    }

    #[test]
    fn nobody_exceeds_its_budget(
        world in cluttered(),
        entry in entries(),
        whims in whims(),
        budget in prop_oneof![1u64..20, 20u64..500],
    ) {
        if has(entry, "budget") {
            run_bounded(&world, &format!("{}:budget={budget}", entry.name()), budget, 80, &whims);
        }
    }
}

#[test]
fn memory_stays_flat_while_the_world_keeps_changing() {
    for entry in Registry::builtin().entries() {
        let budget = if has(entry, "budget") { ":budget=2000" } else { "" };
        let spec = format!("{}{budget}", entry.name());
        let halves = soak(&spec);
        assert!(halves[1] as f64 <= halves[0] as f64 * 1.1, "{spec}: {halves:?} bytes");
    }
}

/// The most memory that a planner holds in the first and the second half of a long and busy game, after
/// a while in which its tables make room.
fn soak(spec: &str) -> [usize; 2] {
    const WARM_UP: usize = 3000;
    const HALF: usize = 1000;
    let grid = Level::Cave.generate(64, 64, 1).unwrap();
    let mut world = Instance::draw(grid, Kind::Random, 300, 1).unwrap().world();
    let mut planner = planner(spec).unwrap();
    let mut moves = Moves::default();
    let mut most = [0; 2];
    let mut wall = None;
    for now in 0..WARM_UP + 2 * HALF {
        // The same numbers everywhere, well mixed.
        let draw = |salt: usize| (now * 64 + salt).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
        // Everybody in turn: agents keep the room that their longest errand took.
        for salt in 0..30 {
            apply(&mut world, &Whim::Send(now * 30 + salt, draw(salt)));
        }
        // One wall comes and goes, so that the level stays what it is.
        if let Some(wall) = wall.replace(draw(60)) {
            apply(&mut world, &Whim::Toggle(wall));
        }
        apply(&mut world, &Whim::Toggle(draw(60)));
        tick(&mut world, planner.as_mut(), &mut moves).unwrap();
        if let Some(measured) = now.checked_sub(WARM_UP) {
            let half = &mut most[measured / HALF];
            *half = planner.memory().max(*half);
        }
    }
    most
}
