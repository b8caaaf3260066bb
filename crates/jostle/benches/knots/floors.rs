//! Floors on which agents can hardly pass each other.

use jostle::grid::SizeError;
use jostle::{Grid, Neighbours, Rules};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// A kind of floor.
#[derive(Clone, Copy)]
pub enum Floor {
    /// A maze with corridors one cell wide that is a tree.
    Tree,
    /// The same with some walls opened.
    Loops,
    /// Dead ends on both sides of a corridor, all of them one cell wide.
    Comb,
    /// Rooms of 6x6 cells joined by doors one cell wide, as a tree.
    Rooms,
}

impl Floor {
    pub const ALL: [Self; 4] = [Self::Tree, Self::Loops, Self::Comb, Self::Rooms];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Tree => "maze, a tree",
            Self::Loops => "maze, some loops",
            Self::Comb => "comb",
            Self::Rooms => "rooms",
        }
    }

    /// A floor that fits into a square with sides of so many cells.
    pub fn draw(self, side: u32, dice: &mut ChaCha8Rng) -> Result<Grid, SizeError> {
        match self {
            Self::Tree => tree(side, 1, 0, dice),
            Self::Loops => tree(side, 1, side / 2, dice),
            Self::Rooms => tree(side, 6, 0, dice),
            Self::Comb => Grid::new(side, side, rules(), |x, y| y == side / 2 || x % 2 == 0),
        }
    }
}

fn rules() -> Rules {
    Rules { neighbours: Neighbours::Four, ..Rules::default() }
}

/// Rooms with sides of `room` cells, with a door to the room from which each was reached. A room of one cell is a piece of a corridor. Then some more
/// doors.
fn tree(side: u32, room: u32, loops: u32, dice: &mut ChaCha8Rng) -> Result<Grid, SizeError> {
    let pitch = room + 1;
    let count = (side + 1) / pitch;
    let index = |x: u32, y: u32| (y * side + x) as usize;
    let mut is_floor = vec![false; (side * side) as usize];
    let mut ends = Vec::new();
    let enter = |(x, y): (u32, u32), is_floor: &mut Vec<bool>| {
        for row in 0..room {
            is_floor[index(x * pitch, y * pitch + row)..][..room as usize].fill(true);
        }
    };
    enter((0, 0), &mut is_floor);
    ends.push((0_u32, 0_u32));
    while let Some(&(x, y)) = ends.last() {
        let mut nexts = vec![(x + 1, y), (x, y + 1)];
        nexts.extend(x.checked_sub(1).map(|x| (x, y)));
        nexts.extend(y.checked_sub(1).map(|y| (x, y)));
        let is_new = |x: u32, y: u32| !is_floor[index(x * pitch, y * pitch)];
        nexts.retain(|&(x, y)| x < count && y < count && is_new(x, y));
        nexts.shuffle(dice);
        let Some(&next) = nexts.first() else {
            ends.pop();
            continue;
        };
        enter(next, &mut is_floor);
        let middle = |from: u32, to: u32| {
            if from == to { from * pitch + room / 2 } else { from.max(to) * pitch - 1 }
        };
        is_floor[index(middle(x, next.0), middle(y, next.1))] = true;
        // Now and then it goes on from an older end, so that corridors do not become too long.
        let at =
            if dice.random_ratio(4, 5) { ends.len() } else { dice.random_range(0..ends.len()) };
        ends.insert(at, next);
    }
    for _ in 0..loops {
        let (x, y) = (dice.random_range(0..side - 1), dice.random_range(0..side - 1));
        // Between two cells of the maze that are opposite each other.
        if (x + y) % 2 == 1 {
            is_floor[index(x, y)] = true;
        }
    }
    Grid::new(side, side, rules(), |x, y| is_floor[index(x, y)])
}
