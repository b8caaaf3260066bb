//! Games that do to a planner whatever they like, drawn at random.

// Each test uses only some of this.
#![allow(dead_code)]

use jostle::grid::Cell;
use jostle::levels::Level;
use jostle::{AgentId, Grid, World};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use crate::floors::Floor;

/// What a game does before a tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    Nothing,
    /// Everybody is sent to one place, the same in every tick.
    Again,
    /// Everybody is sent to a place that moves by a cell.
    Chase,
    /// Everybody gets a goal of its own anywhere.
    Scatter,
    /// One agent in a hundred gets another goal.
    Some,
    /// Everybody is sent to a wall, or anywhere on the map.
    Walls,
    /// A building of at most so many cells a side comes or goes, every so many ticks.
    Building(u32, u64),
    /// So many cells become wall or floor.
    Edits(u32),
    /// Foreign agents and some of ours are put somewhere else.
    Place,
    /// Agents join or leave, many at once.
    Bursts,
}

/// A map by name, a square with this side.
pub fn floor_of(name: &str, side: u32, dice: &mut ChaCha8Rng) -> Grid {
    let grid = match name {
        // Rows that are joined at one end, in turns on the right and on the left.
        "snake" => Grid::new(side, side, <_>::default(), |x, y| {
            let end = if y / 2 % 2 == 0 { side - 1 } else { 0 };
            y % 2 == 0 || x == end
        }),
        "tree" => Floor::Tree.draw(side, dice),
        "comb" => Floor::Comb.draw(side, dice),
        "open" => Grid::open(side, side),
        name => {
            let level = Level::ALL.into_iter().find(|level| level.name() == name);
            return level.expect("a level").generate(side, side, 1).expect("a level");
        }
    };
    grid.expect("a floor")
}

/// A world, and what a game has to know of it.
pub struct Game {
    pub world: World,
    ours: Vec<AgentId>,
    foreign: Vec<AgentId>,
    /// The cells that were floor in the beginning.
    floor: Vec<Cell>,
    /// To where everybody is sent.
    place: Cell,
    /// Where the present building is.
    building: Option<(u32, u32, u32)>,
    most: usize,
}

impl Game {
    /// Agents anywhere on a floor, with goals anywhere, and some that are not ours.
    pub fn begin(grid: Grid, ours: usize, foreign: usize, dice: &mut ChaCha8Rng) -> Self {
        let floor: Vec<Cell> = grid.floor_cells().collect();
        let place = *floor.choose(dice).expect("a floor");
        let mut game = Self {
            world: World::new(grid),
            ours: Vec::new(),
            foreign: Vec::new(),
            floor,
            place,
            building: None,
            most: ours,
        };
        // Dense crowds have goals of their own, or they would not look ahead.
        let mut goals: Vec<Cell> = game.floor.clone();
        rand::seq::SliceRandom::shuffle(&mut goals[..], dice);
        for number in 0..ours {
            game.join(goals[number % goals.len()], dice);
        }
        for _ in 0..foreign {
            let cell = game.any(dice);
            game.foreign.extend(game.world.add_foreign(cell));
        }
        game
    }

    fn any(&self, dice: &mut ChaCha8Rng) -> Cell {
        *self.floor.choose(dice).expect("a floor")
    }

    fn join(&mut self, goal: Cell, dice: &mut ChaCha8Rng) {
        for _ in 0..64 {
            let cell = self.any(dice);
            if self.world.grid().is_floor(cell)
                && let Ok(agent) = self.world.add(cell, goal)
            {
                self.ours.push(agent);
                return;
            }
        }
    }

    fn send_all(&mut self, mut goal: impl FnMut(&World, usize) -> Cell) {
        for (number, &agent) in self.ours.iter().enumerate() {
            let goal = goal(&self.world, number);
            self.world.send(agent, goal).expect("it is there");
        }
    }

    /// Does what a game does before a tick.
    pub fn act(&mut self, act: Act, dice: &mut ChaCha8Rng) {
        let tick = self.world.tick();
        match act {
            Act::Nothing => {}
            Act::Again => {
                let place = self.place;
                self.send_all(|_, _| place);
            }
            Act::Chase => {
                let near: Vec<Cell> = self.world.grid().neighbours(self.place).collect();
                let jumps = near.is_empty() || dice.random_ratio(1, 200);
                let any = self.any(dice);
                self.place = if jumps { any } else { *near.choose(dice).unwrap_or(&any) };
                let place = self.place;
                self.send_all(|_, _| place);
            }
            Act::Scatter => {
                let floor = std::mem::take(&mut self.floor);
                self.send_all(|_, _| floor[dice.random_range(0..floor.len())]);
                self.floor = floor;
            }
            Act::Some => {
                for at in 0..self.ours.len() {
                    if dice.random_ratio(1, 100) {
                        let goal = self.any(dice);
                        self.world.send(self.ours[at], goal).expect("it is there");
                    }
                }
            }
            Act::Walls => {
                self.send_all(|world, _| {
                    let cells = world.grid().cells().len();
                    world.grid().cell(dice.random_range(0..cells)).expect("a cell")
                });
            }
            Act::Building(most, every) => {
                if tick.is_multiple_of(every) {
                    self.build(most, dice);
                }
            }
            Act::Edits(count) => {
                for _ in 0..count {
                    let cell = self.any(dice);
                    let is_floor = self.world.grid().is_floor(cell);
                    self.world.set_floor(cell, !is_floor).expect("a cell");
                }
            }
            Act::Place => {
                let count = (self.ours.len() / 50).max(1);
                for _ in 0..count {
                    let cell = self.any(dice);
                    let one = if dice.random_ratio(1, 2) { &self.foreign } else { &self.ours };
                    if let Some(&agent) = one.choose(dice) {
                        // It is refused where another one stands.
                        let _ = self.world.place(agent, cell);
                    }
                }
            }
            Act::Bursts => {
                if dice.random_ratio(1, 2) {
                    let keep = self.ours.len() / 2;
                    for agent in self.ours.drain(keep..) {
                        self.world.remove(agent).expect("it is there");
                    }
                }
                if dice.random_ratio(1, 2) {
                    while self.ours.len() < self.most {
                        let (before, goal) = (self.ours.len(), self.any(dice));
                        self.join(goal, dice);
                        if self.ours.len() == before {
                            break;
                        }
                    }
                }
            }
        }
    }

    /// Opens the building that there is, or builds one on a square, whoever stands there.
    fn build(&mut self, most: u32, dice: &mut ChaCha8Rng) {
        let there = self.building.take();
        let (west, north, side) = there.unwrap_or_else(|| {
            let (width, height) = (self.world.grid().width(), self.world.grid().height());
            let side = most.min(width * 2 / 3).min(height * 2 / 3).max(1);
            (dice.random_range(0..=width - side), dice.random_range(0..=height - side), side)
        });
        let is_new = there.is_none();
        if is_new {
            self.building = Some((west, north, side));
        }
        for &cell in &self.floor {
            let (x, y) = self.world.grid().position(cell);
            if (west..west + side).contains(&x) && (north..north + side).contains(&y) {
                self.world.set_floor(cell, !is_new).expect("a cell");
            }
        }
    }
}
