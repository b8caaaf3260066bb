//! What planners say about their memory is what they hold, and it stays flat while the world keeps changing.

mod common;
mod counting;

use common::{Whim, apply};
use counting::Measured;
use jostle::instance::Kind;
use jostle::planners::{Planner, Registry, planner};
use jostle::simulate::tick;
use jostle::{Instance, Level, Moves, World};

/// A long and busy game: everybody is sent about all the time, and walls come and go.
struct Soak {
    world: World,
    moves: Moves,
    planner: Measured,
    wall: Option<usize>,
}

impl Soak {
    fn new(spec: &str) -> Self {
        let grid = Level::Cave.generate(64, 64, 1).unwrap();
        let world = Instance::draw(grid, Kind::Random, 300, 1).unwrap().world();
        Self {
            world,
            moves: Moves::default(),
            planner: Measured::new(|| planner(spec).unwrap()),
            wall: None,
        }
    }

    fn tick(&mut self) {
        let now = self.world.tick() as usize;
        // The same numbers everywhere, well mixed.
        let draw = |salt: usize| (now * 64 + salt).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
        // Everybody in turn: agents keep the room that their longest errand took.
        for salt in 0..30 {
            apply(&mut self.world, &Whim::Send(now * 30 + salt, draw(salt)));
        }
        // One wall comes and goes, so that the level stays what it is.
        if let Some(wall) = self.wall.replace(draw(60)) {
            apply(&mut self.world, &Whim::Toggle(wall));
        }
        apply(&mut self.world, &Whim::Toggle(draw(60)));
        tick(&mut self.world, &mut self.planner, &mut self.moves).unwrap();
    }

    /// The most bytes that the planner holds during some ticks.
    fn most_bytes(&mut self, ticks: usize) -> i64 {
        let live = (0..ticks).map(|_| {
            self.tick();
            self.planner.live
        });
        live.max().unwrap_or(0)
    }
}

/// Every planner, with a budget if it takes one: this game would keep those without busy for minutes.
fn specs() -> impl Iterator<Item = String> {
    Registry::builtin().entries().iter().map(|entry| {
        let mut recipe = entry.recipe();
        let takes_budget = recipe.fields().iter().any(|field| field.name == "budget");
        format!("{}{}", entry.name(), if takes_budget { ":budget=2000" } else { "" })
    })
}

/// Whatever a planner leaves out of its account, it leaves out in every tick. (Hash tables do not tell how many of
/// their places cannot be used for a while, so that in some ticks the account of some planners is too low.)
#[test]
fn planners_hold_what_they_say() {
    for spec in specs() {
        let mut soak = Soak::new(&spec);
        let missing: Vec<i64> = (0..300)
            .map(|_| {
                soak.tick();
                soak.planner.live - soak.planner.memory() as i64
            })
            .collect();
        let (least, most) = (missing.iter().min().unwrap(), missing.iter().max().unwrap());
        assert!((0..256).contains(least), "{spec} never accounts for {least} bytes");
        assert!(
            *most < soak.planner.live / 10,
            "{spec} does not account for {most} bytes at times"
        );
    }
}

#[test]
fn memory_stays_flat_while_the_world_keeps_changing() {
    for spec in specs() {
        let mut soak = Soak::new(&spec);
        // After a while, tables have the room that they need.
        soak.most_bytes(3000);
        let (first, second) = (soak.most_bytes(1000), soak.most_bytes(1000));
        assert!(second as f64 <= first as f64 * 1.1, "{spec}: {first} and then {second} bytes");
    }
}
