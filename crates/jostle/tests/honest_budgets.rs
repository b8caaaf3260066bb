//! A tick of the default planner takes as long as its budget says, whatever the game does.
//!
//! What it does is counted at the lowest accessors, apart from the planner and its prices, and what
//! it copies by the allocator. All of it has to be within a fixed multiple of what the planner
//! reports as its work, and of the agents and the changes of the game, which are free: over a whole
//! game, and in every tick. Work that nobody pays for is seen here, however fast it is.
//!
//! `JOSTLE_TALLY=all` prints every game, and `JOSTLE_TALLY=NUMBER` plays this one alone and prints
//! its ticks. `JOSTLE_TALLY_SEED` draws other games, and `JOSTLE_TALLY_GAMES` more of them.

mod counting;
#[path = "../benches/knots/floors.rs"]
#[allow(dead_code)]
mod floors;
mod games;

use std::fmt;

use games::{Act, Game, floor_of};
use jostle::Moves;
use jostle::planners::{Jostle, Recipe};
use jostle::search::Sectors;
use jostle::tally::{self, Kind};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// How many operations an expansion may be, over a whole game and in a tick. Measured, with about
/// twice as much room.
const MOST_IN_A_GAME: f64 = 28.0;
const MOST_IN_A_TICK: f64 = 45.0;
/// How many expansions each agent that there is and each change of the game may take in a tick,
/// beyond what is reported.
const FREE: u64 = 2;
/// The same for a cell of the map, once.
const FREE_FOR_CELL: f64 = 0.5;
/// How many expansions a tick may make beyond its budget, which the next ones pay for: 32 routes are
/// looked up in advance, and where the floor is a maze, each of these may take some thousand.
const OWED: u64 = 30_000;
/// How many bytes are copied, and how many are set to zero, by an operation.
const COPIED: u64 = 16;
const ZEROED: u64 = 64;

/// What a planner has done.
#[derive(Clone, Copy, Default)]
struct Done {
    operations: [u64; Kind::ALL.len()],
    bytes: u64,
}

impl Done {
    fn so_far() -> Self {
        let (fresh, zeroed) = counting::fresh_bytes();
        let bytes = (fresh - tally::spared().min(fresh)) / COPIED + zeroed / ZEROED;
        Self { operations: tally::done(), bytes }
    }

    fn since(self, before: Self) -> Self {
        let parts = self.operations.iter().zip(before.operations);
        let mut operations = [0; Kind::ALL.len()];
        operations.iter_mut().zip(parts).for_each(|(to, (now, before))| *to = now - before);
        Self { operations, bytes: self.bytes.saturating_sub(before.bytes) }
    }

    fn all(&self) -> u64 {
        self.operations.iter().sum::<u64>() + self.bytes
    }
}

impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} operations (copies {}", self.all(), self.bytes)?;
        let kinds = Kind::ALL.iter().zip(self.operations).filter(|&(_, count)| count > 0);
        kinds.into_iter().try_for_each(|(kind, count)| write!(f, ", {kind:?} {count}"))?;
        write!(f, ")")
    }
}

/// A game, and the planner that plays it.
#[derive(Clone, Debug)]
struct Script {
    map: &'static str,
    side: u32,
    agents: usize,
    foreign: usize,
    planner: Jostle,
    /// What the game does in so many ticks, each of these one after the other.
    parts: Vec<(Vec<Act>, u32)>,
    seed: u64,
}

impl Script {
    fn draw(seed: u64) -> Self {
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        let pool = of(&[5_000, 5_000, 5_000, 20_000, 120_000, 120_000, 1_000_000], &mut dice);
        let planner = Jostle { pool, seed: seed as u32, ..Jostle::default() };
        let parts = (0..dice.random_range(1..=3)).map(|_| Self::part(&mut dice)).collect();
        let foreign = of(&[0, 0, 5, 40], &mut dice);
        match dice.random_range(0..8) {
            0 | 1 => {
                // Every lookup and every field takes long there.
                let (map, side) = (of(&NARROW, &mut dice), of(&[24, 40, 64, 127], &mut dice));
                let agents = of(&[10, 60, 200, 500], &mut dice).min((side * side) as usize / 8);
                Self { map, side, agents, foreign, planner, parts, seed }
            }
            2 | 3 => {
                // Dense crowds look ahead as long as nothing changes.
                let map = of(&[&WIDE[..], &NARROW].concat(), &mut dice);
                let side = of(&[24, 32, 40, 64], &mut dice);
                let share = dice.random_range(5..16);
                let agents = ((side * side) as usize / share).min(1000);
                let mut some = Vec::new();
                for part in parts {
                    some.push((vec![Act::Nothing], dice.random_range(5..60)));
                    let one = of(&[Act::Some, Act::Edits(1), Act::Scatter, Act::Place], &mut dice);
                    some.extend([(vec![one], 1), (vec![Act::Nothing], 10), part]);
                }
                let parts = some;
                Self { map, side, agents, foreign: 0, planner, parts, seed }
            }
            4 => {
                // Whenever a large building goes, many agents might gain by that.
                let (map, side) =
                    (of(&["cave", "maze", "city"], &mut dice), of(&[256, 512], &mut dice));
                let agents = of(&[500, 1000], &mut dice);
                let parts = vec![
                    (vec![Act::Scatter], 1),
                    (vec![Act::Nothing], dice.random_range(10..60)),
                    (vec![Act::Building(100, of(&[2, 4], &mut dice))], 24),
                ];
                Self { map, side, agents, foreign, planner, parts, seed }
            }
            _ => {
                let map = of(&WIDE, &mut dice);
                let side = of(&[24, 40, 64, 127, 256, 512, 1024], &mut dice);
                let agents = of(&[1, 10, 60, 200, 500, 1000], &mut dice);
                let agents = agents.min((side * side) as usize / 4);
                Self { map, side, agents, foreign, planner, parts, seed }
            }
        }
    }

    fn part(dice: &mut ChaCha8Rng) -> (Vec<Act>, u32) {
        let acts = [
            Act::Nothing,
            Act::Again,
            Act::Chase,
            Act::Scatter,
            Act::Some,
            Act::Walls,
            Act::Building(100, of(&[1, 4, 20], dice)),
            Act::Building(dice.random_range(1..30), 3),
            Act::Edits(of(&[1, 20, 2000], dice)),
            Act::Place,
            Act::Bursts,
        ];
        let count = if dice.random_ratio(1, 2) { 1 } else { 2 };
        let acts: Vec<Act> = (0..count).map(|_| of(&acts, dice)).collect();
        let is_quiet = acts.iter().all(|&act| act == Act::Nothing);
        (acts, dice.random_range(5..if is_quiet { 150 } else { 50 }))
    }

    /// Plays it. `see` is told about every tick.
    fn play(&self, mut see: impl FnMut(&Seen)) -> Total {
        let mut dice = ChaCha8Rng::seed_from_u64(self.seed);
        let grid = floor_of(self.map, self.side, &mut dice);
        let cells = grid.cells().len() as f64;
        let mut game = Game::begin(grid, self.agents, self.foreign, &mut dice);
        let mut planner = self.planner.build();
        let mut moves = Moves::default();
        let mut total = Total { free: FREE_FOR_CELL * cells, ..Total::default() };
        // In the end nothing happens any more, so that what is owed is paid.
        let quiet = [(vec![Act::Nothing], 20)];
        for (acts, ticks) in self.parts.iter().chain(&quiet) {
            for _ in 0..*ticks {
                for &act in acts {
                    game.act(act, &mut dice);
                }
                let world = &mut game.world;
                let (slots, changes) = (world.slots() as u64, world.changes().len() as u64);
                moves.reset(world);
                let before = Done::so_far();
                let work = planner.plan(world, &mut moves);
                let done = Done::so_far().since(before);
                world.advance(&moves).expect("legal moves");
                let free = (FREE * (slots + changes)) as f64;
                let pool = u64::from(self.planner.pool).max(Sectors::LARGEST_PIECE);
                let granted = pool + slots * u64::from(self.planner.expansions);
                // The map may be read once.
                let once = if total.ticks == 0 { FREE_FOR_CELL * cells } else { 0.0 };
                let most = (granted + OWED) as f64 + free + once;
                let seen = Seen {
                    tick: total.ticks,
                    acts: acts.clone(),
                    done,
                    expansions: work.expansions,
                    changes,
                    ratio: done.all() as f64 / most,
                };
                see(&seen);
                total.take(&seen, free);
            }
        }
        total
    }
}

/// A tick.
#[derive(Clone)]
struct Seen {
    tick: u64,
    acts: Vec<Act>,
    done: Done,
    expansions: u64,
    changes: u64,
    /// How many operations it has done for each expansion that it may make.
    ratio: f64,
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tick, acts, done, expansions, changes, ratio } = self;
        write!(
            f,
            "tick {tick} ({acts:?}, {changes} changes): {expansions} expansions, {done}: {ratio:.1}"
        )
    }
}

/// A whole game.
#[derive(Clone, Default)]
struct Total {
    ticks: u64,
    expansions: u64,
    free: f64,
    operations: u64,
    worst: Option<Seen>,
}

impl Total {
    fn take(&mut self, seen: &Seen, free: f64) {
        self.ticks += 1;
        self.expansions += seen.expansions;
        self.free += free;
        self.operations += seen.done.all();
        if self.worst.as_ref().is_none_or(|worst| worst.ratio < seen.ratio) {
            self.worst = Some(seen.clone());
        }
    }

    /// How many operations there were for each expansion that was reported, or is free.
    fn ratio(&self) -> f64 {
        self.operations as f64 / (self.expansions as f64 + self.free)
    }
}

/// Floors on which agents can hardly pass each other, and others.
const NARROW: [&str; 4] = ["snake", "tree", "comb", "maze"];
const WIDE: [&str; 5] = ["cave", "maze", "rooms", "city", "open"];

/// One of them.
fn of<T: Copy>(all: &[T], dice: &mut ChaCha8Rng) -> T {
    *all.choose(dice).expect("there are some")
}

/// A number from the environment.
fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn whatever_the_game_does_somebody_pays_for_all_that_is_done() {
    let seed = number("JOSTLE_TALLY_SEED").unwrap_or(1) << 32;
    let only = number("JOSTLE_TALLY");
    let prints = std::env::var("JOSTLE_TALLY").is_ok();
    let games = number("JOSTLE_TALLY_GAMES").unwrap_or(400);
    let (mut ratios, mut ticks, mut faults) = (Vec::new(), Vec::new(), Vec::new());
    for at in (0..games).filter(|&at| only.is_none_or(|only| only == at)) {
        let script = Script::draw(seed + at);
        let total = script.play(|seen| {
            if only.is_some() {
                println!("{seen}");
            }
        });
        let worst = total.worst.as_ref().expect("there are ticks");
        let ratio = total.ratio();
        let line = format!("{ratio:.1} in game {at} ({script:?}), at most in {worst}");
        if prints {
            println!("{line}");
        }
        if ratio > MOST_IN_A_GAME || worst.ratio > MOST_IN_A_TICK {
            faults.push(line);
        }
        ratios.push(ratio);
        ticks.push(worst.ratio);
    }
    for (what, ratios) in [("games", &mut ratios), ("worst ticks", &mut ticks)] {
        ratios.sort_by(f64::total_cmp);
        let at = |part: f64| ratios[((ratios.len() - 1) as f64 * part) as usize];
        let [least, half, most_of, greatest] = [0.0, 0.5, 0.9, 1.0].map(at);
        println!(
            "{what}: {least:.1}, {half:.1} (median), {most_of:.1} (90 %), {greatest:.1} (most)"
        );
    }
    assert!(faults.is_empty(), "more is done than is paid for:\n{}", faults.join("\n"));
}
