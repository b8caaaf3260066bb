//! The loop of a game: ticks at a fixed rate, frames at another, and agents that glide from cell to cell.
//!
//! `cargo run -p jostle --example game_loop`
//!
//! A game would draw sprites. This program draws letters, with four columns of text for each cell, so that it can be seen that they
//! are between two cells. Its clock is made up, so that it prints the same every time.

use std::collections::BTreeMap;
use std::time::Duration;

use jostle::world::IllegalMove;
use jostle::{AgentId, Crowd, Grid};

/// How long a tick lasts: an agent takes at most one step in it. Eight cells a second.
const TICK: Duration = Duration::from_millis(125);
/// The most ticks in one frame. A game that falls further behind slows down instead of catching up.
const MOST_TICKS: u32 = 4;
/// How long a frame lasts here. In a game, this is what the clock says, and never twice the same.
const FRAME: Duration = Duration::from_millis(40);

/// Where an agent is drawn.
struct Sprite {
    from: (u32, u32),
    to: (u32, u32),
    /// Columns and rows of its last step, each -1, 0 or 1.
    facing: (i32, i32),
}

struct Game {
    crowd: Crowd,
    sprites: BTreeMap<AgentId, Sprite>,
    /// How much time has passed since the last tick.
    since_tick: Duration,
}

impl Game {
    fn new(crowd: Crowd) -> Self {
        let mut game = Self { crowd, sprites: BTreeMap::new(), since_tick: Duration::ZERO };
        game.note_positions();
        game
    }

    /// Called once in each frame, with the time since the last one.
    fn update(&mut self, passed: Duration) -> Result<(), IllegalMove> {
        self.since_tick += passed;
        for _ in 0..MOST_TICKS {
            if self.since_tick < TICK {
                return Ok(());
            }
            self.since_tick -= TICK;
            // Here a game makes the changes of this tick: goals, doors, the player.
            self.crowd.tick()?;
            self.note_positions();
        }
        self.since_tick = self.since_tick.min(TICK);
        Ok(())
    }

    /// After a tick: where everybody is, and where those who took a step come from.
    fn note_positions(&mut self) {
        for (agent, at) in self.crowd.positions() {
            let facing = self.sprites.get(&agent).map_or((0, 1), |sprite| sprite.facing);
            self.sprites.insert(agent, Sprite { from: at, to: at, facing });
        }
        for step in self.crowd.moved() {
            if let Some(sprite) = self.sprites.get_mut(&step.agent) {
                sprite.from = step.from;
                sprite.facing = (
                    step.to.0.cast_signed() - step.from.0.cast_signed(),
                    step.to.1.cast_signed() - step.from.1.cast_signed(),
                );
            }
        }
        self.sprites.retain(|&agent, _| self.crowd.position(agent).is_some());
    }

    /// Where to draw an agent now, in cells.
    fn drawn_at(&self, sprite: &Sprite) -> (f32, f32) {
        let share = self.since_tick.as_secs_f32() / TICK.as_secs_f32();
        let between = |from: u32, to: u32| from as f32 + (to as f32 - from as f32) * share;
        (between(sprite.from.0, sprite.to.0), between(sprite.from.1, sprite.to.1))
    }

    /// Draws the map and the agents with four columns of text for each cell.
    fn show(&self) {
        let grid = self.crowd.world().grid();
        let rows = grid.to_ascii();
        let mut canvas: Vec<Vec<char>> = rows
            .lines()
            .map(|row| row.chars().flat_map(|cell| [cell, ' ', ' ', ' ']).collect())
            .collect();
        for (agent, sprite) in &self.sprites {
            let (x, y) = self.drawn_at(sprite);
            let letter = (b'A' + agent.slot() as u8) as char;
            canvas[y.round() as usize][(x * 4.0).round() as usize] = letter;
        }
        for row in canvas {
            println!("  {}", row.into_iter().collect::<String>().trim_end());
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut crowd = Crowd::new(Grid::from_ascii(
        "
        ....#....
        .........
        ....#....
        ",
    )?);
    for (start, goal) in [((0, 0), (8, 0)), ((0, 2), (8, 2)), ((8, 1), (0, 1))] {
        let agent = crowd.add(start)?;
        crowd.send(agent, goal)?;
    }
    let mut game = Game::new(crowd);
    for frame in 1..=20_u32 {
        game.update(FRAME)?;
        println!("{:3} ms, tick {}", (FRAME * frame).as_millis(), game.crowd.world().tick());
        game.show();
    }
    for (agent, sprite) in &game.sprites {
        println!("{agent} faces {:?}", sprite.facing);
    }
    Ok(())
}
