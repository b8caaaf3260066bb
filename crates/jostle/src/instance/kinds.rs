//! Kinds of problem: where a crowd starts and where it wants to go.
//!
//! Each kind draws starts and goals on any floor, never two starts or two goals on one cell. The goal of an
//! agent can be reached from its start, and is another cell unless there is none.
//!
//! `Random` uses every piece of floor that is large enough to walk on. The other kinds use the
//! largest piece. They name the places they want, for example the tenth of the floor that is
//! nearest to a side. A place that is too small for the crowd grows until it holds it, and opposite
//! places stay apart as long as half of the floor can hold what is asked of each.
//!
//! Cost: time grows with the area of the map and the number of agents.

mod places;

use std::collections::HashSet;
use std::fmt;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::grid::{Cell, Components, Grid};

use places::{Places, Side};

/// Where a crowd starts and where it wants to go.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Kind {
    /// From anywhere to anywhere.
    #[default]
    Random,
    /// From one side of the map to the opposite one.
    CrossSides,
    /// Two crowds on opposite sides change places.
    SwapSides,
    /// From the middle of the map to its rim.
    InsideOut,
    /// From the rim of the map to its middle.
    OutsideIn,
    /// From one dense spot to another.
    TightToTight,
    /// From one dense spot into a wide part of the map.
    TightToWide,
}

/// Why starts and goals cannot be drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DrawError {
    /// No agents were asked for.
    #[error("a problem needs at least one agent")]
    NoAgents,
    /// The floor that the kind uses has fewer cells than there are agents.
    #[error("{agents} agents do not fit: the floor has room for {room}")]
    TooMany {
        /// How many agents were asked for.
        agents: usize,
        /// How many agents there is room for.
        room: usize,
    },
}

impl Kind {
    /// Every kind of problem.
    pub const ALL: [Self; 7] = [
        Self::Random,
        Self::CrossSides,
        Self::SwapSides,
        Self::InsideOut,
        Self::OutsideIn,
        Self::TightToTight,
        Self::TightToWide,
    ];

    /// The name that users type.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::CrossSides => "cross-sides",
            Self::SwapSides => "swap-sides",
            Self::InsideOut => "inside-out",
            Self::OutsideIn => "outside-in",
            Self::TightToTight => "tight-to-tight",
            Self::TightToWide => "tight-to-wide",
        }
    }

    /// A description in one line.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Random => "all agents go from anywhere to anywhere",
            Self::CrossSides => "all agents go from one side of the map to the opposite side",
            Self::SwapSides => "two crowds on opposite sides of the map change places",
            Self::InsideOut => "all agents go from the middle of the map to its rim",
            Self::OutsideIn => "all agents go from the rim of the map to its middle",
            Self::TightToTight => "all agents go from one dense spot to another",
            Self::TightToWide => "all agents go from one dense spot into a wide part of the map",
        }
    }

    /// The kind with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The most agents that this kind can place on a map.
    pub fn room(self, grid: &Grid) -> usize {
        let components = Components::of(grid);
        match self {
            Self::Random => walkable(grid, &components).count(),
            _ => components.largest().map_or(0, |label| components.size(label)),
        }
    }

    /// Draws the start and the goal of each agent: starts distinct, goals distinct, each pair
    /// connected. The same grid, number and seed give the same pairs everywhere.
    ///
    /// # Errors
    /// When there are no agents, or more of them than there is floor for.
    pub fn draw(
        self,
        grid: &Grid,
        agents: usize,
        seed: u64,
    ) -> Result<Vec<(Cell, Cell)>, DrawError> {
        if agents == 0 {
            return Err(DrawError::NoAgents);
        }
        let components = Components::of(grid);
        let mut rng = self.rng(seed);
        if self == Self::Random {
            return draw_anywhere(grid, &components, agents, &mut rng);
        }
        let places = Places::largest_of(grid, &components);
        if agents > places.room() {
            return Err(DrawError::TooMany { agents, room: places.room() });
        }
        if self == Self::SwapSides {
            return Ok(swap_sides(&places, agents, &mut rng));
        }
        let (mut starts, mut goals) = self.starts_and_goals(&places, agents, &mut rng);
        let starts = sample(&mut starts, agents, &mut rng);
        let goals = sample(&mut goals, agents, &mut rng);
        Ok(send_away(starts, goals, &places))
    }

    /// The cells to draw starts and goals from, for the kinds whose agents all go in the same direction.
    fn starts_and_goals(
        self,
        places: &Places,
        agents: usize,
        rng: &mut ChaCha8Rng,
    ) -> (Vec<Cell>, Vec<Cell>) {
        let dense = (agents * 6).div_ceil(5);
        let middle = || {
            let size = places.share((agents * 3).div_ceil(2), 5, agents);
            places.ball(places.middle(), size)
        };
        let rim = |rng| places.rim(places.share(2 * agents, 15, agents), rng);
        match self {
            Self::InsideOut => (middle(), rim(rng)),
            Self::OutsideIn => (rim(rng), middle()),
            Self::TightToTight => places.distant_balls(dense, rng),
            Self::TightToWide => {
                let wide = places.share(4 * agents, 25, places.room());
                let (from, to) = (places.anywhere(rng), places.anywhere(rng));
                (places.ball(from, dense), places.ball(to, wide))
            }
            // The other two do not send all agents in the same direction, and are drawn elsewhere.
            Self::CrossSides | Self::SwapSides | Self::Random => {
                let side = Side::ALL[rng.random_range(0..Side::ALL.len() as u32) as usize];
                places.opposite_bands(side, places.share(2 * agents, 10, agents), rng)
            }
        }
    }

    /// A generator of its own for each kind, so that the same seed gives unrelated problems.
    fn rng(self, seed: u64) -> ChaCha8Rng {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        for (byte, letter) in key[8..].iter_mut().zip(self.name().bytes()) {
            *byte = letter;
        }
        ChaCha8Rng::from_seed(key)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The floor from which a step can be taken, with the component of each cell.
pub(super) fn walkable<'a>(
    grid: &'a Grid,
    components: &'a Components,
) -> impl Iterator<Item = (Cell, usize)> + 'a {
    let with_label = |cell| components.label(cell).map(|label| (cell, label));
    grid.floor_cells().filter_map(with_label).filter(|&(_, label)| components.size(label) > 1)
}

/// Starts uniformly on all floor from which a step can be taken, each goal uniformly on the cells
/// of the start's component that are no goal yet.
fn draw_anywhere(
    grid: &Grid,
    components: &Components,
    agents: usize,
    rng: &mut ChaCha8Rng,
) -> Result<Vec<(Cell, Cell)>, DrawError> {
    let mut starts = Vec::new();
    let mut free_goals = vec![Vec::new(); components.count()];
    for (cell, label) in walkable(grid, components) {
        starts.push(cell);
        free_goals[label].push(cell);
    }
    if agents > starts.len() {
        return Err(DrawError::TooMany { agents, room: starts.len() });
    }
    let (starts, _) = starts.partial_shuffle(rng, agents);
    let mut pairs: Vec<(Cell, Cell)> = Vec::with_capacity(agents);
    let mut drawn = vec![Vec::new(); components.count()];
    for &mut start in starts {
        let Some(label) = components.label(start) else {
            continue;
        };
        let (goals, others) = (&mut free_goals[label], &mut drawn[label]);
        let mut goal = take_any(goals, rng);
        if goal == start && !goals.is_empty() {
            goal = take_any(goals, rng);
            goals.push(start);
        } else if goal == start {
            // The last free goal is the start itself, so every other cell is the goal of an agent that can
            // take this one instead.
            let other: usize = others[rng.random_range(0..others.len() as u32) as usize];
            std::mem::swap(&mut goal, &mut pairs[other].1);
        }
        others.push(pairs.len());
        pairs.push((start, goal));
    }
    Ok(pairs)
}

fn take_any(cells: &mut Vec<Cell>, rng: &mut ChaCha8Rng) -> Cell {
    cells.swap_remove(rng.random_range(0..cells.len() as u32) as usize)
}

/// Half of the agents go from one side to the opposite one, the other half in the other direction.
fn swap_sides(places: &Places, agents: usize, rng: &mut ChaCha8Rng) -> Vec<(Cell, Cell)> {
    let side = if rng.random_range(0..2_u32) == 0 { Side::West } else { Side::North };
    let (there_count, back_count) = (agents.div_ceil(2), agents / 2);
    let band_size = places.share(2 * agents, 10, there_count);
    let (near, far) = places.opposite_bands(side, band_size, rng);
    let there =
        (sample(&mut near.clone(), there_count, rng), sample(&mut far.clone(), there_count, rng));
    // When all of an odd number of cells are in use, the bands share the one in the middle.
    let (mut back_starts, mut back_goals) = (without(far, &there.0), without(near, &there.1));
    let back =
        (sample(&mut back_starts, back_count, rng), sample(&mut back_goals, back_count, rng));
    let mut pairs = send_away(there.0, there.1, places);
    pairs.extend(send_away(back.0, back.1, places));
    pairs
}

/// Some of the cells, in random order.
fn sample(cells: &mut [Cell], count: usize, rng: &mut ChaCha8Rng) -> Vec<Cell> {
    cells.partial_shuffle(rng, count).0.to_vec()
}

fn without(cells: Vec<Cell>, taken: &[Cell]) -> Vec<Cell> {
    let taken: HashSet<_> = taken.iter().collect();
    cells.into_iter().filter(|cell| !taken.contains(cell)).collect()
}

/// Pairs starts with goals so that no agent starts on its goal.
fn send_away(starts: Vec<Cell>, mut goals: Vec<Cell>, places: &Places) -> Vec<(Cell, Cell)> {
    let count = starts.len();
    for (agent, &start) in starts.iter().enumerate() {
        if goals[agent] == start && count > 1 {
            // No other start and no other goal is this cell, so the swap helps this agent and harms no other.
            goals.swap(agent, (agent + 1) % count);
        } else if goals[agent] == start {
            goals[agent] = places.other_than(start);
        }
    }
    starts.into_iter().zip(goals).collect()
}

#[cfg(test)]
#[path = "kinds_test.rs"]
mod tests;
