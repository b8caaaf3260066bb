//! How long ticks take whatever the game does: hordes that chase a player, orders and edits in every tick, buildings, and
//! crowds so dense that they look ahead. Times are those of the processor.
//!
//! Every run is made several times. It is the same run each time, so the time of a tick is the least that it took.
//!
//! `cargo bench -p jostle --bench bounded [-- --times 3] [--only WORD]`

mod common;
// The bench `knots` uses all of it.
#[allow(dead_code)]
#[path = "knots/floors.rs"]
mod floors;

use common::Processor;
use floors::Floor;
use jostle::grid::Components;
use jostle::instance::Kind;
use jostle::planners::planner;
use jostle::search::shortest_path;
use jostle::simulate::{Clock, tick};
use jostle::{AgentId, Cell, Grid, Instance, Level, Moves, World};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The most that a tick may take, in milliseconds: the first one, and those after it.
const FIRST_MS: f64 = 8.0;
const LATER_MS: f64 = 5.0;

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let word = |name: &str| {
        let at = words.iter().position(|word| word == name)?;
        words.get(at + 1).cloned()
    };
    let times = word("--times").and_then(|times| times.parse().ok()).unwrap_or(3);
    let only = word("--only").unwrap_or_default();
    println!(
        "| what the game does | map | agents | ticks | first | slowest | mean | most expansions | MB |"
    );
    println!("|---|---|---:|---:|---:|---:|---:|---:|---:|");
    let (mut first, mut later, mut dense, mut chase) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
    let mut order = None;
    for case in cases().into_iter().filter(|case| case.name().contains(&only)) {
        let seen = case.measure(times);
        println!("{} {seen}", case.row());
        if case.is_dense() {
            dense = dense.max(seen.slowest_ms).max(seen.first_ms);
        } else {
            (first, later) = (first.max(seen.first_ms), later.max(seen.slowest_ms));
        }
        match case.game {
            Game::Order => order = Some((case.level, case.side, seen.mean_ms)),
            Game::Again | Game::Chase => {
                if let Some((level, side, mean)) = order
                    && (level, side) == (case.level, case.side)
                {
                    chase = chase.max(seen.mean_ms / mean);
                }
            }
            _ => {}
        }
    }
    println!("\nfirst ticks: at most {first:.1} ms (wanted: {FIRST_MS})");
    println!("later ticks: at most {later:.1} ms (wanted: {LATER_MS})");
    println!("dense crowds of up to 1,024: at most {dense:.1} ms (wanted: {LATER_MS})");
    println!(
        "orders in every tick: a mean tick at most {chase:.2} of that of one order (wanted: 1.5)"
    );
}

/// What the game does in every tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Game {
    /// One order at the beginning: all go to one place.
    Order,
    /// The same order in every tick.
    Again,
    /// In every tick, all are sent to where a player is who walks about.
    Chase,
    /// In every tick, every agent gets a goal of its own anywhere.
    Scatter,
    /// In every tick, one agent in a hundred gets another goal.
    Some,
    /// Every eighth tick, a building of 100x100 cells comes or goes.
    Buildings,
    /// In every tick, 2,000 cells become wall or floor.
    Edits,
    /// Nothing: all go to goals of their own.
    Nothing,
}

#[derive(Clone, Copy)]
struct Case {
    game: Game,
    level: &'static str,
    side: u32,
    agents: usize,
    ticks: u32,
}

fn cases() -> Vec<Case> {
    let case = |game, level, side, agents, ticks| Case { game, level, side, agents, ticks };
    let mut cases = Vec::new();
    for side in [512, 1024] {
        for game in [Game::Order, Game::Again, Game::Chase] {
            cases.push(case(game, "cave", side, 1000, 600));
        }
    }
    cases.push(case(Game::Chase, "cave", 1024, 300, 600));
    cases.push(case(Game::Chase, "rooms", 512, 1000, 300));
    cases.push(case(Game::Chase, "maze", 512, 2000, 300));
    for (level, side) in [("cave", 512), ("cave", 1024), ("maze", 512), ("city", 512)] {
        for game in [Game::Scatter, Game::Some, Game::Buildings, Game::Edits] {
            cases.push(case(game, level, side, 2000, 200));
        }
    }
    for (level, side, agents) in [
        ("snake", 64, 1000),
        ("snake", 64, 300),
        ("maze", 64, 600),
        ("maze", 41, 280),
        ("rooms", 48, 400),
        ("rooms", 64, 1000),
        ("arena", 40, 400),
        ("warehouse", 48, 400),
        ("open", 64, 1024),
        ("open", 80, 1024),
        ("cave", 64, 500),
        ("scatter", 64, 1000),
    ] {
        cases.push(case(Game::Nothing, level, side, agents, 1000));
        cases.push(case(Game::Some, level, side, agents, 300));
    }
    // Large parts of the floor for which a plan is looked for.
    for (level, side, agents) in [
        ("tree", 64, 300),
        ("tree", 64, 1000),
        ("comb", 64, 700),
        ("tree", 127, 16),
        ("tree", 127, 400),
        ("tree", 255, 300),
        ("loops", 255, 600),
        ("comb", 128, 900),
        ("comb", 254, 400),
        ("snake", 200, 60),
        ("maze", 363, 400),
        ("rooms", 256, 1000),
    ] {
        cases.push(case(Game::Nothing, level, side, agents, 1500));
    }
    cases
}

impl Case {
    fn name(&self) -> String {
        format!("{:?} {}:{} {}", self.game, self.level, self.side, self.agents)
    }

    fn row(&self) -> String {
        let Self { game, level, side, agents, ticks } = self;
        format!("| {game:?} | {level} {side}x{side} | {agents} | {ticks} |")
    }

    /// Whether the crowd is so dense that it looks ahead.
    fn is_dense(&self) -> bool {
        self.side < 100
    }

    fn grid(&self) -> Grid {
        let side = self.side;
        let mut dice = ChaCha8Rng::seed_from_u64(1);
        match self.level {
            // Rows that are joined at one end, in turns on the right and on the left.
            "snake" => Grid::new(side, side, <_>::default(), |x, y| {
                let end = if y / 2 % 2 == 0 { side - 1 } else { 0 };
                y % 2 == 0 || x == end
            })
            .expect("a snake"),
            "tree" => Floor::Tree.draw(side, &mut dice).expect("a tree"),
            "loops" => Floor::Loops.draw(side, &mut dice).expect("a maze"),
            "comb" => Floor::Comb.draw(side, &mut dice).expect("a comb"),
            "open" => Grid::open(side, side).expect("a floor"),
            name => {
                let level = Level::ALL.into_iter().find(|level| level.name() == name);
                level.expect("a level").generate(side, side, 1).expect("a level")
            }
        }
    }

    /// Plays the case this many times.
    fn measure(&self, times: usize) -> Seen {
        let mut all = self.play();
        for _ in 1..times {
            let again = self.play();
            for (time, other) in all.times.iter_mut().zip(again.times) {
                *time = time.min(other);
            }
        }
        Seen {
            first_ms: all.times[0],
            slowest_ms: all.times[1..].iter().copied().fold(0.0, f64::max),
            mean_ms: all.times.iter().sum::<f64>() / all.times.len() as f64,
            expansions: all.expansions,
            bytes: all.bytes,
            away: all.away,
        }
    }

    fn play(&self) -> Played {
        let mut dice = ChaCha8Rng::seed_from_u64(7);
        let instance =
            Instance::draw(self.grid(), Kind::Random, self.agents, 1).expect("room for them");
        let mut world = instance.world();
        let agents: Vec<AgentId> = world.ours().map(|agent| agent.id).collect();
        let floor: Vec<Cell> = world.grid().floor_cells().collect();
        let mut hunted = Player::on(world.grid(), &floor, &mut dice);
        let mut planner = planner("jostle").expect("a planner");
        let mut moves = Moves::default();
        let mut played = Played { times: Vec::new(), expansions: 0, bytes: 0, away: 0.0 };
        for now in 0..self.ticks {
            let send_all = |world: &mut World, goal| {
                for &agent in &agents {
                    world.send(agent, goal).expect("an agent");
                }
            };
            match self.game {
                Game::Nothing => {}
                Game::Order if now > 0 => {}
                Game::Order | Game::Again => send_all(&mut world, hunted.cell),
                Game::Chase => {
                    hunted.walk(world.grid(), &floor, &mut dice);
                    send_all(&mut world, hunted.cell);
                }
                Game::Scatter | Game::Some => {
                    let share = if self.game == Game::Some { 100 } else { 1 };
                    for &agent in &agents {
                        if dice.random_range(0..share) == 0 {
                            let goal = floor[dice.random_range(0..floor.len())];
                            world.send(agent, goal).expect("an agent");
                        }
                    }
                }
                Game::Buildings => {
                    if now % 8 == 4 {
                        building(&mut world, &floor, now % 16 == 12, self.side);
                    }
                }
                Game::Edits => {
                    for _ in 0..2000 {
                        let cell = floor[dice.random_range(0..floor.len())];
                        let is_floor = world.grid().is_floor(cell);
                        world.set_floor(cell, !is_floor).expect("a cell");
                    }
                }
            }
            let begin = Processor.now();
            let work = tick(&mut world, planner.as_mut(), &mut moves).expect("legal moves");
            let time = Processor.now().saturating_sub(begin);
            played.times.push(time.as_secs_f64() * 1e3);
            played.expansions = played.expansions.max(work.expansions);
            let away = world.ours().map(|one| world.grid().distance(one.cell, one.goal).as_f64());
            played.away += away.sum::<f64>() / (agents.len() as f64 * f64::from(self.ticks));
        }
        played.bytes = planner.memory();
        played
    }
}

/// Builds a wall on all floor of a square in the middle of the map, or opens it again.
fn building(world: &mut World, floor: &[Cell], opens: bool, side: u32) {
    let middle = side / 2 - 50..side / 2 + 50;
    for &cell in floor {
        let (x, y) = world.grid().position(cell);
        if middle.contains(&x) && middle.contains(&y) {
            world.set_floor(cell, opens).expect("a cell");
        }
    }
}

/// Somebody who walks from place to place.
struct Player {
    cell: Cell,
    path: Vec<Cell>,
}

impl Player {
    /// Somebody on the part of the floor where there is most to walk.
    fn on(grid: &Grid, floor: &[Cell], dice: &mut ChaCha8Rng) -> Self {
        let parts = Components::of(grid);
        let of = |cell: &Cell| parts.label(*cell);
        let mut sizes = vec![0; parts.count()];
        floor.iter().filter_map(of).for_each(|part| sizes[part] += 1);
        let largest = (0..sizes.len()).max_by_key(|&part| sizes[part]);
        let large: Vec<Cell> = floor.iter().copied().filter(|cell| of(cell) == largest).collect();
        Self { cell: large[dice.random_range(0..large.len())], path: Vec::new() }
    }

    fn walk(&mut self, grid: &Grid, floor: &[Cell], dice: &mut ChaCha8Rng) {
        while self.path.is_empty() {
            let goal = floor[dice.random_range(0..floor.len())];
            if let Some((_, path)) = shortest_path(grid, self.cell, goal) {
                self.path = path;
                self.path.reverse();
                self.path.pop();
            }
        }
        self.cell = self.path.pop().expect("it was filled above");
    }
}

/// What a run has shown.
struct Played {
    /// Of every tick, in milliseconds.
    times: Vec<f64>,
    /// The most in a tick.
    expansions: u64,
    bytes: usize,
    /// How far agents were from their goals, in a straight line, in the mean of all ticks.
    away: f64,
}

/// What all runs of a case have shown.
struct Seen {
    first_ms: f64,
    slowest_ms: f64,
    mean_ms: f64,
    expansions: u64,
    bytes: usize,
    away: f64,
}

impl std::fmt::Display for Seen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { first_ms, slowest_ms, mean_ms, expansions, bytes, away } = self;
        let mb = *bytes as f64 / 1e6;
        write!(
            f,
            "{first_ms:.2} | {slowest_ms:.2} | {mean_ms:.3} | {expansions} | {mb:.1} | {away:.1} |"
        )
    }
}
