//! Random scenes.

use jostle::Level;
use jostle::planners::{Entry, Registry, Value};

use super::{Change, Corners, Floor, Newcomer, PlannerChoice, Point, Rules, Scene};
use crate::dice::Dice;

/// Draws the maps, agents and changes of a scene.
#[derive(Debug)]
pub struct Artist<'a> {
    /// Every choice comes from these.
    pub dice: &'a mut Dice,
    rows: Vec<String>,
    /// All positions of floor at the beginning.
    floor: Vec<Point>,
    goals: Goals,
    /// The number of the next agent.
    next: u32,
}

/// How goals are drawn.
#[derive(Debug)]
enum Goals {
    /// Anywhere on the floor.
    Floor,
    /// Anywhere on the map, walls too.
    Anywhere,
    /// One of a few.
    Few(Vec<Point>),
}

/// A small scene in which everything can happen.
pub fn scene(dice: &mut Dice, registry: &Registry) -> Scene {
    let entry = dice.pick(registry.entries());
    let planner = planner(dice, entry, 25);
    let most_side = if dice.percent(80) { 16 } else { 40 };
    let rows = map(dice, most_side);
    let rules = rules(dice);
    let mut artist = Artist::new(dice, rows);
    let crowd = artist.crowd_size(60);
    let opening = (0..crowd).map(|_| artist.newcomer()).collect();
    let ticks = artist.dice.between(1, 120);
    let mut script = Vec::new();
    for _ in 0..artist.dice.between(0, 8) {
        let tick = artist.dice.between(0, ticks);
        for _ in 0..artist.dice.between(1, 12) {
            script.push((tick, artist.change()));
        }
    }
    let floor = Floor { rows: artist.rows, rules };
    Scene { floor, planner, ticks, opening, script }
}

/// The budget of a planner in a crowd, in expansions for each agent.
const BUDGET_OF_EACH: u32 = 8;

/// A planner that is fast enough for a crowd: without a budget, some search for minutes.
pub fn affordable(dice: &mut Dice, entry: &Entry, agents: u32) -> PlannerChoice {
    let mut planner = planner(dice, entry, 8);
    if let Some(budget) = planner.parameters.iter_mut().find(|(name, _)| name == "budget") {
        budget.1 = (agents * BUDGET_OF_EACH).to_string();
    } else if entry.recipe().fields().iter().any(|field| field.name == "budget") {
        planner.parameters.push(("budget".to_owned(), (agents * BUDGET_OF_EACH).to_string()));
    }
    planner
}

/// A crowd on a level whose agents get new goals all the time, while walls come and go.
pub fn crowd(dice: &mut Dice, entry: &Entry, agents: u32, ticks: u32) -> Scene {
    let planner = affordable(dice, entry, agents);
    let level = *dice.pick(&Level::ALL);
    let rules = if dice.percent(50) { Rules::default() } else { rules(dice) };
    // At most a sixth of the floor is occupied: levels are at least a quarter floor.
    let side = (f64::from(agents) * 24.0).sqrt() as u32;
    let (width, height) = (dice.between(side, side * 2), dice.between(side, side * 2));
    let rows = level_rows(level, width, height, dice.bits());
    let mut artist = Artist::new(dice, rows);
    if artist.dice.percent(80) {
        artist.goals = Goals::Floor;
    }
    let opening = (0..agents).map(|_| artist.newcomer()).collect();
    let mut script = Vec::new();
    for tick in 0..ticks {
        // Each agent gets a new goal every hundred ticks or so.
        for _ in 0..agents.div_ceil(100) {
            let (agent, to) = (artist.agent(), artist.goal());
            script.push((tick, Change::Send { agent, to }));
        }
        if artist.dice.percent(20) {
            for _ in 0..artist.dice.between(1, 6) {
                script.push((tick, artist.change()));
            }
        }
    }
    let floor = Floor { rows: artist.rows, rules };
    Scene { floor, planner, ticks, opening, script }
}

/// Any rules.
pub fn rules(dice: &mut Dice) -> Rules {
    Rules {
        has_diagonals: dice.percent(75),
        corners: *dice.pick(&[Corners::Both, Corners::Both, Corners::One, Corners::None]),
        forbids_crossing: dice.percent(40),
    }
}

/// A map with sides of at most `most`: a single cell, a corridor, an open floor, noise, halls, or a level.
pub fn map(dice: &mut Dice, most: u32) -> Vec<String> {
    let (width, height) = (dice.between(2, most), dice.between(2, most));
    let rows = |width, height, is_floor: &mut dyn FnMut(u32, u32) -> bool| {
        let row = |y| (0..width).map(|x| if is_floor(x, y) { '.' } else { '#' }).collect();
        (0..height).map(row).collect()
    };
    match dice.between(0, 15) {
        0 => rows(1, 1, &mut |_, _| true),
        1 => rows(width, 1, &mut |_, _| true),
        2 => rows(1, height, &mut |_, _| true),
        3 | 4 => rows(width, height, &mut |_, _| true),
        5..=8 => {
            let walls = dice.between(1, 60);
            rows(width, height, &mut |_, _| !dice.percent(walls))
        }
        9..=11 => {
            let every = (dice.between(2, 5), dice.between(2, 5));
            rows(width, height, &mut |x, y| x % every.0 == 0 || y % every.1 == 0 || dice.percent(3))
        }
        _ => {
            let level = *dice.pick(&Level::ALL);
            level_rows(level, width, height, dice.bits())
        }
    }
}

/// The map of a level.
pub fn level_rows(level: Level, width: u32, height: u32, seed: u64) -> Vec<String> {
    let grid = level.generate(width, height, seed);
    grid.map_or_else(|_| Vec::new(), |grid| grid.to_ascii().lines().map(str::to_owned).collect())
}

/// A planner, with each of its parameters changed this many times in a hundred.
pub fn planner(dice: &mut Dice, entry: &Entry, percent: u32) -> PlannerChoice {
    let mut recipe = entry.recipe();
    let mut parameters = Vec::new();
    for mut field in recipe.fields() {
        if !dice.percent(percent) {
            continue;
        }
        let value = value(dice, &field.value, field.name);
        // What a parameter may be is for it to say.
        if field.value.set(&value).is_ok() {
            parameters.push((field.name.to_owned(), value));
        }
    }
    PlannerChoice { name: entry.name().to_owned(), parameters }
}

fn value(dice: &mut Dice, value: &Value<'_>, name: &str) -> String {
    match value {
        // More threads than cores and long windows make a case slow, and nothing else.
        Value::Count { .. } if name == "threads" => dice.between(1, 3).to_string(),
        Value::Count { .. } if name == "window" => dice.between(1, 40).to_string(),
        Value::Count { .. } | Value::Limit(_) => {
            let few = dice.between(0, 20);
            (*dice.pick(&[few, few, few, 32, 64, 100, 1_000, 20_000])).to_string()
        }
        Value::Real { .. } => (*dice.pick(&["0", "0.1", "0.5", "1", "2.5", "100"])).to_owned(),
        Value::Flag(_) => dice.percent(50).to_string(),
        Value::Name(choice) => (*dice.pick(choice.names())).to_owned(),
        _ => value.example(),
    }
}

impl<'a> Artist<'a> {
    /// Draws on this map.
    pub fn new(dice: &'a mut Dice, rows: Vec<String>) -> Self {
        let points = |(y, row): (usize, &String)| {
            let floor = row.bytes().enumerate().filter(|(_, letter)| *letter == b'.');
            floor.map(|(x, _)| (x as u32, y as u32)).collect::<Vec<_>>()
        };
        let floor = rows.iter().enumerate().flat_map(points).collect();
        let mut artist = Self { dice, rows, floor, goals: Goals::Floor, next: 0 };
        artist.goals = match artist.dice.between(0, 9) {
            0 | 1 => {
                Goals::Few((0..artist.dice.between(1, 3)).map(|_| artist.anywhere()).collect())
            }
            2 => Goals::Anywhere,
            _ => Goals::Floor,
        };
        artist
    }

    /// The map on which it draws.
    pub fn into_rows(self) -> Vec<String> {
        self.rows
    }

    /// A number of agents that leaves room, mostly.
    pub fn crowd_size(&mut self, most: u32) -> u32 {
        let floor = self.floor.len() as u32;
        let share = *self.dice.pick(&[2, 5, 10, 30, 60, 100]);
        self.dice.between(0, (floor * share / 100 + 1).min(most))
    }

    /// An agent with a new number.
    pub fn newcomer(&mut self) -> Newcomer {
        let agent = self.next;
        self.next += 1;
        let (at, to) = (self.floor_mostly(), self.goal());
        Newcomer { agent, at, to, ours: self.dice.percent(88) }
    }

    /// Anything that the game can do.
    pub fn change(&mut self) -> Change {
        match self.dice.between(0, 99) {
            0..=34 => Change::Send { agent: self.agent(), to: self.goal() },
            35..=54 => Change::Place { agent: self.agent(), at: self.floor_mostly() },
            55..=76 => Change::SetFloor { at: self.anywhere(), is_floor: self.dice.percent(50) },
            77..=89 => Change::Join(self.newcomer()),
            _ => Change::Leave { agent: self.agent() },
        }
    }

    /// The number of an agent that has joined, perhaps one that has left, rarely one that never joins.
    pub fn agent(&mut self) -> u32 {
        self.dice.between(0, self.next)
    }

    fn goal(&mut self) -> Point {
        if self.dice.percent(3) {
            return self.anywhere();
        }
        match &self.goals {
            Goals::Floor => self.floor_mostly(),
            Goals::Anywhere => self.anywhere(),
            Goals::Few(goals) => *self.dice.pick(goals),
        }
    }

    fn floor_mostly(&mut self) -> Point {
        if self.floor.is_empty() || self.dice.percent(2) {
            self.anywhere()
        } else {
            *self.dice.pick(&self.floor)
        }
    }

    /// A position on the map, rarely outside of it.
    pub fn anywhere(&mut self) -> Point {
        let width = self.rows.first().map_or(1, String::len) as u32;
        let height = self.rows.len() as u32;
        if self.dice.percent(2) {
            let far = *self.dice.pick(&[0, 1, 32_768, u32::MAX]);
            return (width.saturating_add(far), self.dice.between(0, height));
        }
        (self.dice.between(0, width - 1), self.dice.between(0, height.saturating_sub(1)))
    }
}
