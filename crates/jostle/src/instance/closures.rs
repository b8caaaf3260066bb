//! Cells that close and open while agents are on their way, drawn at random.

use std::ops::RangeInclusive;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::Instance;
use crate::grid::{Cell, Components, Grid};
use crate::plan::{Plan, TimedPath};
use crate::script::Script;
use crate::search::shortest_path;
use crate::world::Change;

/// How often a cell is drawn again that cannot be closed.
const MOST_DRAWS: usize = 1000;

/// How cells close and open: what to draw.
///
/// A change is one cell that closes or opens. Every cell that closes opens again later, unless the number of changes is odd: then one
/// stays closed. The unit of time is the duration of a plan: cells close at random ticks from 1 to its makespan.
///
/// No cell closes on which an agent stands at that tick, if agents move as in the plan. If one stands there all the same, it
/// may stay or step out, as in every world.
///
/// ```
/// use jostle::instance::{Closures, Kind};
/// use jostle::{Grid, Instance};
///
/// let instance = Instance::draw(Grid::open(20, 20)?, Kind::Random, 5, 1)?;
/// let script = Closures { changes: 8, ..Closures::default() }.draw(&instance, 1)?;
/// assert_eq!(script.len(), 8);
/// let instance = instance.with_script(script)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Closures {
    /// How many changes.
    pub changes: usize,
    /// For how many ticks a cell stays closed.
    pub closed_for: RangeInclusive<u64>,
    /// The share of closures that are ahead of an agent on its path of the plan, from 0 to 1, as long as agents are on their way. The
    /// others are anywhere.
    pub on_paths: f64,
    /// Whether all goals stay open and in reach at all times: no cell closes that is a goal, or without which the floor would fall apart.
    pub keeps_goals: bool,
}

impl Default for Closures {
    fn default() -> Self {
        Self { changes: 8, closed_for: 10..=50, on_paths: 0.5, keeps_goals: true }
    }
}

/// Why closures could not be drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClosuresError {
    /// There is no cell, or hardly any, that can be closed.
    #[error("no cell was found that can be closed at tick {tick} (in {MOST_DRAWS} draws)")]
    NoCell {
        /// The tick.
        tick: u64,
    },
}

impl Closures {
    /// Draws closures for agents that each take a shortest path. The same arguments give the same script everywhere.
    ///
    /// # Errors
    /// When too few cells can be closed.
    pub fn draw(&self, instance: &Instance, seed: u64) -> Result<Script, ClosuresError> {
        let grid = instance.grid();
        let path = |&(start, goal): &(Cell, Cell)| {
            let path =
                shortest_path(grid, start, goal).map_or_else(|| vec![start], |(_, path)| path);
            TimedPath::of(path)
        };
        let paths = instance.tasks().iter().map(path).collect();
        self.draw_for(&Plan::new(instance.shared_grid().clone(), paths), seed)
    }

    /// Draws closures for agents that move as in a plan, each to the last cell of its path.
    ///
    /// # Errors
    /// When too few cells can be closed.
    pub fn draw_for(&self, plan: &Plan, seed: u64) -> Result<Script, ClosuresError> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut numbers = |range: RangeInclusive<u64>| rng.random_range(range);
        let makespan = plan.makespan().max(1);
        let mut ticks: Vec<u64> =
            (0..self.changes.div_ceil(2)).map(|_| numbers(1..=makespan)).collect();
        ticks.sort_unstable();
        let mut floor = plan.grid().clone();
        let mut closed: Vec<(u64, Cell)> = Vec::new();
        let mut script = Script::default();
        for (number, &tick) in ticks.iter().enumerate() {
            closed.retain(|&(opens, cell)| opens > tick || !floor.set_floor(cell, true));
            let cell = self.cell(plan, &mut floor, tick, &mut numbers)?;
            let position = floor.position(cell);
            script.add(tick, Change::SetFloor { cell: position, is_floor: false });
            let opens = if 2 * number + 1 < self.changes {
                let opens = tick + numbers(self.closed_for.clone()).max(1);
                script.add(opens, Change::SetFloor { cell: position, is_floor: true });
                opens
            } else {
                u64::MAX
            };
            closed.push((opens, cell));
        }
        Ok(script)
    }

    /// Draws a cell and closes it.
    fn cell(
        &self,
        plan: &Plan,
        floor: &mut Grid,
        tick: u64,
        numbers: &mut impl FnMut(RangeInclusive<u64>) -> u64,
    ) -> Result<Cell, ClosuresError> {
        const PARTS: u64 = 1 << 32;
        let pieces = |floor: &Grid| Components::of(floor).count();
        let before = if self.keeps_goals { pieces(floor) } else { 0 };
        let is_on_path = numbers(0..=PARTS - 1) < (self.on_paths * PARTS as f64) as u64;
        for draw in 0..MOST_DRAWS {
            // When hardly any agent is still on its way, a cell anywhere has to do.
            let drawn = if is_on_path && draw < MOST_DRAWS / 2 {
                let path = &plan.paths()[numbers(0..=plan.paths().len() as u64 - 1) as usize];
                let last = path.cells.len() as u64 - 1;
                (tick < last).then(|| path.cells[numbers(tick + 1..=last) as usize])
            } else {
                floor.cell(numbers(0..=floor.cells().len() as u64 - 1) as usize)
            };
            let Some(cell) = drawn.filter(|&cell| floor.is_floor(cell)) else { continue };
            let mut others = plan.paths().iter();
            if others.any(|path| path.at(tick) == Some(cell)) {
                continue;
            }
            let is_goal = |path: &TimedPath| path.cells.last() == Some(&cell);
            if self.keeps_goals && plan.paths().iter().any(is_goal) {
                continue;
            }
            floor.set_floor(cell, false);
            if !self.keeps_goals || pieces(floor) <= before {
                return Ok(cell);
            }
            floor.set_floor(cell, true);
        }
        Err(ClosuresError::NoCell { tick })
    }
}

#[cfg(test)]
#[path = "closures_test.rs"]
mod tests;
