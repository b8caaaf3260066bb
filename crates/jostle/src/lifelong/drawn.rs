//! Goals that are drawn from a seed.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::grid::{Cell, Components, Grid};
use crate::levels::Sites;
use crate::world::Agent;

/// How often a goal is drawn again that another agent has, before the free cells are counted.
const MOST_DRAWS: u32 = 15;

/// How many 32-bit numbers of its sequence a goal has for itself: one for each draw, and one for the draw from the free cells.
const NUMBERS_A_GOAL: u128 = MOST_DRAWS as u128 + 1;

/// Goals drawn uniformly from cells that the agent can reach: never the cell on which it stands, nor the goal of another agent.
///
/// The k-th goal of the agent in a slot is drawn from numbers that depend on the seed, the slot and k alone. So all planners give an
/// agent the same goals in the same order, except where a goal happens to be that of another agent at that moment and is drawn
/// again, which does not change any later goal.
///
/// Memory: 4 bytes for each cell of the map, and 4 for each place from which goals are drawn.
#[derive(Clone, Debug)]
pub struct DrawnGoals {
    /// At the beginning of its numbers.
    rng: ChaCha8Rng,
    components: Components,
    /// The places from which goals are drawn in turn.
    kinds: Vec<Places>,
}

/// Cells, those of one component of the floor after those of another.
#[derive(Clone, Debug)]
struct Places {
    cells: Vec<Cell>,
    /// Where the cells of each component begin, and at last where those of the last one end.
    begins: Vec<usize>,
}

impl DrawnGoals {
    /// Goals anywhere on the floor.
    pub fn anywhere(grid: &Grid, seed: u64) -> Self {
        Self::alternating(grid, &[grid.floor_cells().collect()], seed)
    }

    /// Goals in a warehouse: each agent goes from a shelf to a station and from there to a shelf. Half of the agents begin with a
    /// station. An agent for which all stations are taken goes to another shelf, and the other way round.
    pub fn in_warehouse(grid: &Grid, sites: &Sites, seed: u64) -> Self {
        Self::alternating(grid, &[sites.shelf_sides.clone(), sites.stations.clone()], seed)
    }

    /// Goals from several kinds of places in turn. Agents in neighbouring slots begin with different kinds. Where a kind has no place that
    /// is free and in reach, the next one takes its turn.
    pub fn alternating(grid: &Grid, kinds: &[Vec<Cell>], seed: u64) -> Self {
        let components = Components::of(grid);
        let kinds = kinds.iter().map(|cells| Places::of(cells, &components)).collect();
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(b"lifelong");
        Self { rng: ChaCha8Rng::from_seed(key), components, kinds }
    }

    /// The goal of this number, from 0, for an agent that stands on its goal before it.
    pub(super) fn next(
        &mut self,
        agent: &Agent,
        number: u64,
        is_free: impl Fn(Cell) -> bool,
    ) -> Option<Cell> {
        let component = self.components.label(agent.cell)?;
        self.rng.set_stream(agent.slot() as u64);
        self.rng.set_word_pos(u128::from(number) * NUMBERS_A_GOAL);
        let is_free = |cell: Cell| cell != agent.cell && is_free(cell);
        let (kinds, rng) = (&self.kinds, &mut self.rng);
        let turn = agent.slot() as u64 + number;
        (0..kinds.len() as u64).find_map(|later| {
            let kind = (turn + later) % kinds.len() as u64;
            draw(kinds[kind as usize].within(component), rng, is_free)
        })
    }
}

impl Places {
    /// Cells that are not floor are left out.
    fn of(cells: &[Cell], components: &Components) -> Self {
        let labelled = |&cell: &Cell| components.label(cell).map(|label| (label, cell));
        let mut labelled: Vec<(usize, Cell)> = cells.iter().filter_map(labelled).collect();
        labelled.sort_unstable();
        labelled.dedup();
        let begin = |component| labelled.partition_point(|&(label, _)| label < component);
        let begins = (0..=components.count()).map(begin).collect();
        Self { begins, cells: labelled.into_iter().map(|(_, cell)| cell).collect() }
    }

    fn within(&self, component: usize) -> &[Cell] {
        &self.cells[self.begins[component]..self.begins[component + 1]]
    }
}

/// One of the free cells, all with the same probability.
fn draw(cells: &[Cell], rng: &mut ChaCha8Rng, is_free: impl Fn(Cell) -> bool) -> Option<Cell> {
    let mut any = |count: usize| rng.random_range(0..count as u32) as usize;
    if cells.is_empty() {
        return None;
    }
    for _ in 0..MOST_DRAWS {
        let cell = cells[any(cells.len())];
        if is_free(cell) {
            return Some(cell);
        }
    }
    // Hardly any cell is free.
    let free = || cells.iter().copied().filter(|&cell| is_free(cell));
    match free().count() {
        0 => None,
        count => free().nth(any(count)),
    }
}
