//! The target `twins` finds planners that depend on what they must not depend on.

use jostle::planners::{Entry, Field, Planner, Recipe, Registry, Value, Work};
use jostle::{Moves, World};
use jostle_fuzz::dice::Dice;
use jostle_fuzz::fault::Fault;
use jostle_fuzz::node::{InNode, Machine};
use jostle_fuzz::target::{Effort, Target};
use jostle_fuzz::targets::{Twin, TwinGame, Twins};
use jostle_play::{Game, Run, Tick};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// What the work of a planted planner depends on.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Plant {
    Nothing,
    Threads,
    /// How much room there is in a list: a copy of it has less.
    Room,
    /// A counter that a copy begins anew.
    Age,
    /// The bytes of a pointer: 8 here, 4 in wasm32.
    Pointers,
}

/// From this tick on.
const SINCE: u64 = 20;

/// Lets every agent wait, and depends on something.
struct Faulty {
    plant: Plant,
    threads: u32,
    pointer: u64,
    age: u64,
    list: Vec<u64>,
}

impl Planner for Faulty {
    fn plan(&mut self, world: &World, _: &mut Moves) -> Work {
        self.age += 1;
        if world.tick() < SINCE {
            return Work::default();
        }
        let expansions = match self.plant {
            Plant::Nothing => 0,
            Plant::Threads => u64::from(self.threads),
            Plant::Room => self.list.capacity() as u64,
            Plant::Age => self.age,
            Plant::Pointers => self.pointer * world.slots() as u64,
        };
        Work { searches: 0, expansions }
    }

    fn try_clone(&self) -> Option<Box<dyn Planner>> {
        let age = if self.plant == Plant::Age { 0 } else { self.age };
        Some(Box::new(Self { age, list: self.list.clone(), ..*self }))
    }
}

struct FaultyRecipe {
    plant: Plant,
    threads: u32,
    pointer: u64,
}

impl Recipe for FaultyRecipe {
    fn fields(&mut self) -> Vec<Field<'_>> {
        let value = Value::Count { value: &mut self.threads, range: 1..=256 };
        vec![Field { name: "threads", about: "threads to plan on", value }]
    }

    fn build(&self) -> Box<dyn Planner> {
        let Self { plant, threads, pointer } = *self;
        let mut list = Vec::with_capacity(9);
        list.push(1);
        Box::new(Faulty { plant, threads, pointer, age: 0, list })
    }
}

fn registry(plant: Plant, pointer: u64) -> Registry {
    let mut registry = Registry::empty();
    let recipe = move || FaultyRecipe { plant, threads: 1, pointer };
    registry.add(Entry::new("faulty", "has a planted fault", recipe)).unwrap();
    registry
}

/// A machine whose pointers have four bytes.
#[derive(Debug)]
struct SmallMachine(Plant);

impl Machine for SmallMachine {
    fn ready(&self) -> Result<(), String> {
        Ok(())
    }

    fn play(&self, game: &str) -> Result<Vec<Tick>, String> {
        let game = Game::parse(game)?;
        let spec = registry(self.0, 4).parse(&game.planner).map_err(|error| error.to_string())?;
        let mut run = Run::begin(&game, spec.build());
        (0..game.ticks).map(|_| run.tick().map_err(|error| error.to_string())).collect()
    }
}

/// A machine on which the engine panics.
#[derive(Debug)]
struct BrokenMachine;

impl Machine for BrokenMachine {
    fn ready(&self) -> Result<(), String> {
        Ok(())
    }

    fn play(&self, _: &str) -> Result<Vec<Tick>, String> {
        Err("RuntimeError: unreachable: panicked at somewhere".to_owned())
    }
}

fn target(plant: Plant) -> Twins {
    Twins::new(registry(plant, 8), Box::new(SmallMachine(plant)))
}

/// The first games of a seed.
fn games(target: &Twins) -> impl Iterator<Item = TwinGame> {
    (0..12).map(|index| {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        rng.set_stream(index);
        target.draw(index, &mut Dice(rng))
    })
}

/// What is found in the games that last long enough; nothing else is compared than twins for which
/// `takes_part` is true.
fn found(target: &Twins, takes_part: impl Fn(&Twin) -> bool) -> Vec<Fault> {
    let mut faults = Vec::new();
    for mut game in games(target) {
        game.again.retain(&takes_part);
        faults.extend(target.run(&game, &mut Effort::default()).err());
    }
    faults
}

#[test]
fn a_planner_that_depends_on_nothing_else_is_left_alone_and_what_was_compared_is_counted() {
    let target = target(Plant::Nothing);
    let mut effort = Effort::default();
    for game in games(&target) {
        target.run(&game, &mut effort).unwrap();
    }
    assert_eq!(effort.compared.keys().collect::<Vec<_>>(), [&"copies", &"threads", &"wasm"]);
    assert_eq!(effort.compared["wasm"], effort.agent_ticks);
    assert!(effort.compared["threads"] >= effort.agent_ticks);
}

#[test]
fn a_planner_that_depends_on_its_threads_is_found() {
    let faults = found(&target(Plant::Threads), |_| true);
    assert!(faults.len() > 6, "{faults:?}");
    for fault in faults {
        assert_eq!(fault.kind, "a run on threads differs");
        let (twin, what) = fault.message.split_once(", ").unwrap();
        assert!(["on 2 threads", "on 3 threads", "on 8 threads"].contains(&twin), "{fault}");
        assert!(what.starts_with("tick 20: the work is "), "{fault}");
    }
}

#[test]
fn a_planner_whose_copy_has_less_room_is_found() {
    let faults = found(&target(Plant::Room), |_| true);
    assert!(faults.len() > 6, "{faults:?}");
    assert!(faults.iter().all(|fault| fault.kind == "a copy differs"), "{faults:?}");
}

#[test]
fn a_planner_whose_copy_begins_anew_is_found() {
    let faults = found(&target(Plant::Age), |_| true);
    assert!(faults.len() > 6, "{faults:?}");
    assert!(faults.iter().all(|fault| fault.kind == "a copy differs"), "{faults:?}");
}

#[test]
fn a_planner_that_depends_on_the_size_of_pointers_is_found() {
    let faults = found(&target(Plant::Pointers), |_| true);
    assert!(faults.len() > 6, "{faults:?}");
    for fault in faults {
        assert_eq!(fault.kind, "a run in wasm32 differs");
        assert!(fault.message.starts_with("in wasm32, tick 20: the work is "), "{fault}");
    }
}

#[test]
fn a_panic_in_wasm32_is_found() {
    let target = Twins::new(registry(Plant::Nothing, 8), Box::new(BrokenMachine));
    let faults = found(&target, |twin| matches!(twin, Twin::Wasm));
    assert!(faults.len() == 12 && faults.iter().all(|fault| fault.kind == "a run in wasm32 fails"));
    assert!(faults[0].message.contains("panicked"));
}

#[test]
fn without_a_module_it_is_said_that_nothing_is_played_in_wasm32() {
    let nowhere = Box::new(InNode::new("nowhere.wasm".into()));
    let target = Twins::new(registry(Plant::Pointers, 8), nowhere);
    assert!(target.left_out().unwrap().starts_with("nothing is played in wasm32: "));
    assert_eq!(found(&target, |_| true), []);
}
