//! Crowds that never rest, and what their ticks take.

use std::fs;
use std::time::Duration;

use jostle::instance::Kind;
use jostle::planners::{Planner, planner};
use jostle::simulate::{Clock, WallClock, tick};
use jostle::{Agent, Cell, Instance, Level, Moves, World};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::common::Processor;
use crate::options::Options;

/// The clock that was asked for.
pub fn clock(options: &Options) -> Box<dyn Clock> {
    if options.is_wall { Box::new(WallClock::start()) } else { Box::new(Processor) }
}

/// A crowd in which an agent that arrives is sent to another random cell.
pub struct Lifelong {
    pub world: World,
    pub planner: Box<dyn Planner>,
    moves: Moves,
    clock: Box<dyn Clock>,
    radius: Option<u32>,
    rng: ChaCha8Rng,
}

impl Lifelong {
    pub fn new(instance: &Instance, name: &str, seed: u64, options: &Options) -> Self {
        let radius = options.radius(instance.tasks().len());
        let mut crowd = Self {
            world: instance.world(),
            planner: planner(name).unwrap_or_else(|why| panic!("{name}: {why}")),
            moves: Moves::default(),
            clock: clock(options),
            radius,
            rng: ChaCha8Rng::seed_from_u64(seed),
        };
        if radius.is_some() {
            crowd.send_all();
        }
        crowd
    }

    /// One tick, and how long it took. Sending agents is the game's work, and does not count.
    pub fn tick(&mut self) -> Duration {
        self.send(Agent::has_arrived);
        let begin = self.clock.now();
        tick(&mut self.world, self.planner.as_mut(), &mut self.moves).expect("legal moves");
        self.clock.now().saturating_sub(begin)
    }

    /// Gives every agent a new goal.
    pub fn send_all(&mut self) {
        self.send(|_| true);
    }

    fn send(&mut self, which: impl Fn(&Agent) -> bool) {
        let agents: Vec<Agent> = self.world.ours().filter(which).collect();
        for agent in agents {
            let goal = self.other_cell(agent.cell);
            self.world.send(agent.id, goal).expect("an agent of ours");
        }
    }

    /// A random cell of the floor near another one. All floor of a level is connected.
    fn other_cell(&mut self, cell: Cell) -> Cell {
        let grid = self.world.grid();
        let (x, y) = grid.position(cell);
        let radius = self.radius.unwrap_or(grid.width().max(grid.height()));
        let near = |at: u32, side: u32| at.saturating_sub(radius)..(at + radius + 1).min(side);
        let (columns, rows) = (near(x, grid.width()), near(y, grid.height()));
        loop {
            let (x, y) =
                (self.rng.random_range(columns.clone()), self.rng.random_range(rows.clone()));
            if let Some(goal) = grid.at(x, y)
                && goal != cell
                && grid.is_floor(goal)
            {
                return goal;
            }
        }
    }
}

/// What the ticks of one or several crowds took.
#[derive(Default)]
pub struct Figures {
    agents: usize,
    first: Duration,
    /// The later half of the ticks of each crowd, in order of their length.
    later: Vec<Duration>,
    /// The share of agents that moved in such a tick.
    moved: f64,
    planner_bytes: usize,
    peak_bytes: Option<usize>,
}

/// Measures crowds on a level, one for each seed.
pub fn measure(level: Level, side: u32, agents: usize, name: &str, options: &Options) -> Figures {
    let mut figures = Figures { agents, ..Figures::default() };
    let mut moved = 0;
    for seed in 1..=options.seeds {
        let mut crowd = Lifelong::new(&draw(level, side, agents, seed), name, seed, options);
        forget_peak();
        for number in 0..options.ticks {
            let before: Vec<Option<Cell>> = crowd.world.configuration().cells().collect();
            let took = crowd.tick();
            if number == 0 {
                figures.first = figures.first.max(took);
            }
            if number >= options.ticks / 2 {
                figures.later.push(took);
                let now = crowd.world.configuration().cells();
                moved += before.into_iter().zip(now).filter(|(before, now)| before != now).count();
            }
        }
        figures.planner_bytes = figures.planner_bytes.max(crowd.planner.memory());
        figures.peak_bytes = figures.peak_bytes.max(peak());
    }
    figures.moved = moved as f64 / (agents * figures.later.len()).max(1) as f64;
    figures.later.sort_unstable();
    figures
}

/// Agents on a level, drawn at random.
pub fn draw(level: Level, side: u32, agents: usize, seed: u64) -> Instance {
    let grid = level.generate(side, side, seed).expect("a level");
    Instance::draw(grid, Kind::Random, agents, seed).expect("room for the agents")
}

impl Figures {
    pub fn print_heading() {
        println!(
            "| map | agents | planner | ns an agent-tick | first tick ms | p50 | p99 | slowest | planner MB | process MB | moved |"
        );
        println!("|---|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    }

    pub fn print(&self, level: Level, side: u32, name: &str) {
        let agents = grouped(self.agents);
        let at = |percent: usize| {
            let last = self.later.len().saturating_sub(1);
            self.later.get((self.later.len() * percent / 100).min(last)).copied()
        };
        let [p50, p99, slowest] = [50, 99, 100].map(|at_percent| shown(at(at_percent)));
        let peak = self.peak_bytes.map_or_else(|| "–".to_owned(), megabytes);
        println!(
            "| {level} {side}x{side} | {agents} | {name} | {:.0} | {} | {p50} | {p99} | {slowest} | {} | {peak} | {:.0}% |",
            self.nanoseconds(),
            shown(Some(self.first)),
            megabytes(self.planner_bytes),
            self.moved * 100.0,
        );
    }

    /// Nanoseconds for an agent and tick.
    pub fn nanoseconds(&self) -> f64 {
        let agent_ticks = (self.later.len() * self.agents).max(1) as f64;
        self.later.iter().sum::<Duration>().as_secs_f64() * 1e9 / agent_ticks
    }
}

/// A time in milliseconds.
pub fn shown(time: Option<Duration>) -> String {
    time.map_or_else(|| "–".to_owned(), |time| format!("{:.2}", time.as_secs_f64() * 1e3))
}

/// A number with commas between thousands.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let begins_group = |at: usize| at > 0 && (digits.len() - at).is_multiple_of(3);
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        text.extend(begins_group(at).then_some(','));
        text.push(digit);
    }
    text
}

/// Bytes in millions.
pub fn megabytes(bytes: usize) -> String {
    format!("{:.1}", bytes as f64 / 1e6)
}

/// The most memory that this program has had since [`forget_peak`], where the system tells.
fn peak() -> Option<usize> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()? * 1024)
}

/// Begins to measure the peak anew. Where that is impossible, it is that of the whole program.
fn forget_peak() {
    let _ = fs::write("/proc/self/clear_refs", "5");
}
