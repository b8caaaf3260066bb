//! What every planner promises, whatever the game does.

mod common;

use common::{GameChange, all_rules, apply, cluttered, cluttered_under, game_changes, run};
use jostle::check::check_trace;
use jostle::planners::{Entry, Planner, Recipe, Registry, Value, planner};
use jostle::search::Sectors;
use jostle::simulate::tick;
use jostle::{Grid, Moves, Trace, World, solvers};
use proptest::prelude::*;

fn entries() -> impl Strategy<Value = &'static Entry> {
    prop::sample::select(Registry::builtin().entries().iter().collect::<Vec<_>>())
}

/// The most nodes that a planner promises to expand in a tick: some for all agents together, and more for
/// each agent of ours.
#[derive(Clone, Copy, Debug)]
struct Promise {
    all: u64,
    each: u64,
}

/// The most expansions that BMAA\* spends on landmarks in a tick.
const LANDMARKS_OF_BMAA: u64 = 50_000;

/// What Jostle expands in a tick at most.
const JOSTLE: Promise = Promise { all: 80_000, each: 4 };

/// With a smaller pool, some pieces of Jostle's work would never be done.
const SMALLEST_POOL: u64 = Sectors::LARGEST_PIECE;

/// What the docs of a planner promise, in terms of its parameters. A new planner has to be added here.
fn promise(name: &str, recipe: &mut dyn Recipe) -> Promise {
    let fields = recipe.fields();
    let number = |wanted: &str| {
        fields.iter().find(|field| field.name == wanted).and_then(|field| match &field.value {
            Value::Count { value, .. } => Some(u64::from(**value)),
            Value::Limit(limit) => limit.map(u64::from),
            _ => None,
        })
    };
    let is_solver = solvers::Registry::builtin().find(name).is_ok();
    match ["budget", "pool", "expansions", "landmarks"].map(number) {
        // Beside the solver, there are three ticks of Jostle.
        [Some(budget), None, None, None] if is_solver => {
            Promise { all: budget + 3 * JOSTLE.all, each: 3 * JOSTLE.each }
        }
        [Some(budget), None, None, None] => Promise { all: budget, each: 0 },
        [None, Some(pool), Some(each), None] => Promise { all: pool, each },
        [None, None, Some(each), Some(0)] => Promise { all: 0, each },
        [None, None, Some(each), Some(_)] => Promise { all: LANDMARKS_OF_BMAA, each },
        // Each agent looks at its neighbours once.
        [None, None, None, None] if name == "lrta" => Promise { all: 0, each: 1 },
        _ => panic!("nothing is known about how much work {name} promises to bound"),
    }
}

/// A planner with small limits for each tick, as far as it has such parameters.
fn limited(entry: &Entry, limits: &[(&str, u64)]) -> Box<dyn Recipe> {
    let mut recipe = entry.recipe();
    for field in &mut recipe.fields() {
        if let Some((_, limit)) = limits.iter().find(|(name, _)| *name == field.name) {
            field.value.set(&limit.to_string()).unwrap();
        }
    }
    recipe
}

/// Runs a planner in a game that keeps changing the world, and checks every tick.
fn run_bounded(
    world: &World,
    mut planner: Box<dyn Planner>,
    promise: Promise,
    ticks: u64,
    game_changes: &[(u64, GameChange)],
) {
    let mut world = world.clone();
    let mut trace = Trace::begin(&world);
    let mut moves = Moves::default();
    for now in 0..ticks {
        game_changes
            .iter()
            .filter(|(at, _)| *at == now)
            .for_each(|(_, change)| apply(&mut world, change));
        let most = promise.all + promise.each * world.ours().count() as u64;
        let work = tick(&mut world, planner.as_mut(), &mut moves).unwrap();
        assert!(work.expansions <= most, "{} of {most} at tick {now}", work.expansions);
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
        game_changes in game_changes(),
    ) {
        let [once, again] = [(); 2].map(|()| {
            let mut planner = planner(entry.name()).unwrap();
            run(&world, planner.as_mut(), 80, &game_changes).trace.unwrap().fingerprint()
        });
        prop_assert_eq!(once, again, "{}", entry.name());
    }

    #[test]
    fn no_planner_exceeds_its_budget(
        world in cluttered(),
        entry in entries(),
        game_changes in game_changes(),
        budget in prop_oneof![1u64..20, 20u64..500],
        expansions in 1u64..40,
        landmarks in 0u64..4,
    ) {
        let limits = [
            ("budget", budget),
            ("pool", SMALLEST_POOL + budget),
            ("expansions", expansions),
            ("landmarks", landmarks),
        ];
        let mut recipe = limited(entry, &limits);
        let promise = promise(entry.name(), recipe.as_mut());
        run_bounded(&world, recipe.build(), promise, 80, &game_changes);
    }
}

#[test]
fn every_planner_promises_a_bound() {
    for entry in Registry::builtin().entries() {
        let limits = [("budget", 7), ("pool", SMALLEST_POOL + 5), ("expansions", 3)];
        let mut recipe = limited(entry, &limits);
        let Promise { all, each } = promise(entry.name(), recipe.as_mut());
        let jostle = (SMALLEST_POOL + 5, 3);
        let is_kept = [(7, 0), jostle, (0, 3), (0, 1), (240_007, 12)].contains(&(all, each));
        assert!(is_kept, "{}: {all} for all, {each} for each", entry.name());
    }
}

#[test]
fn landmarks_of_bmaa_take_no_more_of_a_tick_than_their_limit() {
    let mut world = World::new(Grid::open(320, 320).unwrap());
    let (start, goal) = (world.grid().at(0, 0).unwrap(), world.grid().at(319, 319).unwrap());
    world.add(start, goal).unwrap();
    let mut planner = planner("bmaa:landmarks=2:expansions=10").unwrap();
    let mut moves = Moves::default();
    let work = [(); 6].map(|()| tick(&mut world, planner.as_mut(), &mut moves).unwrap().expansions);
    assert!(work.iter().all(|&expansions| expansions <= LANDMARKS_OF_BMAA + 10), "{work:?}");
    assert!(work[0] >= LANDMARKS_OF_BMAA, "there is more to do than fits into a tick: {work:?}");
}
