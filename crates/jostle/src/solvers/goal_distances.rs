//! How many steps it takes to reach goals, found only as far as it is asked for.
//!
//! Each goal has a breadth-first search of its own, which goes on, one distance after another, until it reaches the cell that is
//! asked for. A crowd that walks to its goals asks for few cells beyond those that are nearer to a goal than its start, so that
//! about half of each map is never searched. Agents with the same goal share a search.
//!
//! It promises exact distances: every step counts one, diagonal steps too.
//!
//! Cost: a cell that is reached costs one look at each neighbour. Memory: two bytes for each goal and floor cell (four on maps on
//! which a path may be longer than 65,000 steps), which the system provides only where they are touched; eight bytes a cell; and
//! sixteen or thirty-two bytes a floor cell, with four or eight neighbours.

use std::collections::HashMap;

use super::Distances;
use crate::grid::{Cell, Grid, Neighbours};

/// The steps to the goals of agents.
#[derive(Clone, Debug)]
pub struct GoalDistances {
    floor: Floor,
    /// The search to which each agent's distances belong.
    of_agent: Vec<u32>,
    waves: Vec<Wave>,
    steps: Steps,
    /// Cells reached by all searches.
    reached: u64,
    /// The cells of the wave that is being found.
    next: Vec<u32>,
}

/// One more than the distance for each goal and floor cell; 0 where it is not known. Zeros take no memory until they are touched.
#[derive(Clone, Debug)]
enum Steps {
    Short(Vec<u16>),
    Long(Vec<u32>),
}

/// A search from one goal: the cells that it reached last, all at the same distance.
#[derive(Clone, Debug)]
struct Wave {
    goal: Cell,
    cells: Vec<u32>,
    distance: u32,
}

/// The floor cells, numbered without gaps, and their neighbours.
#[derive(Clone, Debug)]
struct Floor {
    /// The number of each cell; `WALL` if it is none.
    numbers: Vec<u32>,
    count: usize,
    near: Near,
}

/// The neighbours of each floor cell. In place of a missing one stands the cell itself, which every search has reached already.
#[derive(Clone, Debug)]
enum Near {
    Four(Vec<[u32; 4]>),
    Eight(Vec<[u32; 8]>),
}

const WALL: u32 = u32::MAX;

/// A path of more steps than this does not fit into the short table.
const LONGEST_SHORT: usize = u16::MAX as usize - 2;

impl GoalDistances {
    /// The distances to these goals, one for each agent. Nothing is searched yet.
    pub fn to(grid: &Grid, goals: impl IntoIterator<Item = Cell>) -> Self {
        let floor = Floor::of(grid);
        let mut known: HashMap<Cell, u32> = HashMap::new();
        let mut waves = Vec::new();
        let of_agent = goals.into_iter().map(|goal| {
            *known.entry(goal).or_insert_with(|| {
                let cells = floor.number(goal).into_iter().collect();
                waves.push(Wave { goal, cells, distance: 0 });
                waves.len() as u32 - 1
            })
        });
        let of_agent = of_agent.collect();
        let entries = waves.len() * floor.count;
        let is_short = floor.count <= LONGEST_SHORT || floor.longest_path() <= LONGEST_SHORT;
        let mut steps =
            if is_short { Steps::Short(vec![0; entries]) } else { Steps::Long(vec![0; entries]) };
        for (at, wave) in waves.iter().enumerate() {
            for &goal in &wave.cells {
                let entry = at * floor.count + goal as usize;
                match &mut steps {
                    Steps::Short(steps) => steps[entry] = 1,
                    Steps::Long(steps) => steps[entry] = 1,
                }
            }
        }
        Self { floor, of_agent, waves, steps, reached: 0, next: Vec::new() }
    }

    /// Sends an agent to another goal: its search begins again. It must not share its search, so all goals must have been different
    /// when this was made.
    pub fn redirect(&mut self, agent: usize, goal: Cell) {
        let Self { floor, of_agent, waves, steps, .. } = self;
        let at = of_agent[agent] as usize;
        let (wave, row) = (&mut waves[at], at * floor.count..(at + 1) * floor.count);
        (wave.goal, wave.distance) = (goal, 0);
        wave.cells.clear();
        wave.cells.extend(floor.number(goal));
        let first = wave.cells.first().map(|&number| number as usize);
        match steps {
            Steps::Short(steps) => begin_again(&mut steps[row], first),
            Steps::Long(steps) => begin_again(&mut steps[row], first),
        }
    }

    /// The fewest bytes that the distances of this many agents take, whatever is asked.
    pub fn least_memory(grid: &Grid, agents: usize) -> usize {
        let cells = grid.floor_cells().count();
        cells.saturating_mul(agents).saturating_mul(size_of::<u16>())
    }

    /// The fewest steps from a cell to the goal of an agent, or [`Distances::NONE`] if it cannot be reached from there.
    #[inline]
    pub fn get(&mut self, agent: usize, cell: Cell) -> u32 {
        let wave = self.of_agent[agent] as usize;
        let number = self.floor.numbers[cell.index()];
        if number == WALL {
            // An agent on a cell that has turned into a wall can stay, or leave it for good.
            return if self.waves[wave].goal == cell { 0 } else { Distances::NONE };
        }
        let entry = wave * self.floor.count + number as usize;
        let known = match &self.steps {
            Steps::Short(steps) => u32::from(steps[entry]),
            Steps::Long(steps) => steps[entry],
        };
        if known == 0 { self.search(wave, number) } else { known - 1 }
    }

    /// The same for an agent that may stand on a cell that has turned into a wall: it can step out.
    pub fn start_distance(&mut self, grid: &Grid, agent: usize, start: Cell) -> u32 {
        match self.get(agent, start) {
            Distances::NONE if !grid.is_floor(start) => {
                let out = grid.neighbours(start).map(|near| self.get(agent, near)).min();
                out.map_or(Distances::NONE, |steps| steps.saturating_add(1))
            }
            steps => steps,
        }
    }

    /// How many cells the searches have reached, all together.
    pub const fn reached(&self) -> u64 {
        self.reached
    }

    /// Bytes this holds. Of the tables, all that may be touched counts.
    pub fn memory(&self) -> usize {
        let near = match &self.floor.near {
            Near::Four(near) => near.capacity() * size_of::<[u32; 4]>(),
            Near::Eight(near) => near.capacity() * size_of::<[u32; 8]>(),
        };
        let steps = match &self.steps {
            Steps::Short(steps) => steps.capacity() * size_of::<u16>(),
            Steps::Long(steps) => steps.capacity() * size_of::<u32>(),
        };
        let waves = self.waves.iter().map(|wave| wave.cells.capacity()).sum::<usize>();
        let numbers = self.floor.numbers.capacity() + self.of_agent.capacity() + waves;
        near + steps
            + (numbers + self.next.capacity()) * size_of::<u32>()
            + self.waves.capacity() * size_of::<Wave>()
    }

    /// Searches on from a goal until a cell is reached.
    #[cold]
    fn search(&mut self, wave: usize, number: u32) -> u32 {
        let Self { floor, waves, steps, reached, next, .. } = self;
        let (wave, row) = (&mut waves[wave], wave * floor.count..(wave + 1) * floor.count);
        match (steps, &floor.near) {
            (Steps::Short(steps), Near::Four(near)) => {
                wave.reach(number, near, &mut steps[row], next, reached)
            }
            (Steps::Short(steps), Near::Eight(near)) => {
                wave.reach(number, near, &mut steps[row], next, reached)
            }
            (Steps::Long(steps), Near::Four(near)) => {
                wave.reach(number, near, &mut steps[row], next, reached)
            }
            (Steps::Long(steps), Near::Eight(near)) => {
                wave.reach(number, near, &mut steps[row], next, reached)
            }
        }
    }
}

impl Wave {
    /// Goes on, one distance after another, until a cell is reached, and returns its distance.
    fn reach<D: Copy + PartialEq + Default + TryFrom<u32>, const N: usize>(
        &mut self,
        number: u32,
        near: &[[u32; N]],
        steps: &mut [D],
        next: &mut Vec<u32>,
        reached: &mut u64,
    ) -> u32 {
        let unknown = D::default();
        while !self.cells.is_empty() {
            // The tables are chosen so that every distance fits.
            let Ok(value) = D::try_from(self.distance + 2) else { break };
            next.clear();
            for &cell in &self.cells {
                for &to in &near[cell as usize] {
                    let entry = &mut steps[to as usize];
                    if *entry == unknown {
                        *entry = value;
                        next.push(to);
                    }
                }
            }
            self.distance += 1;
            *reached += next.len() as u64;
            std::mem::swap(&mut self.cells, next);
            if steps[number as usize] != unknown {
                return self.distance;
            }
        }
        Distances::NONE
    }
}

/// Forgets all distances but that of the goal itself.
fn begin_again<D: Copy + Default + From<u8>>(steps: &mut [D], goal: Option<usize>) {
    steps.fill(D::default());
    if let Some(goal) = goal {
        steps[goal] = D::from(1);
    }
}

impl Floor {
    fn of(grid: &Grid) -> Self {
        let mut numbers = vec![WALL; grid.cells().len()];
        let mut count = 0;
        for cell in grid.floor_cells() {
            numbers[cell.index()] = count;
            count += 1;
        }
        let near = match grid.rules().neighbours {
            Neighbours::Four => Near::Four(near(grid, &numbers)),
            Neighbours::Eight => Near::Eight(near(grid, &numbers)),
        };
        Self { numbers, count: count as usize, near }
    }

    fn number(&self, cell: Cell) -> Option<u32> {
        self.numbers.get(cell.index()).copied().filter(|&number| number != WALL)
    }

    /// No shortest path has more steps than this: in each component, twice the distance of the cell that is farthest from one cell.
    fn longest_path(&self) -> usize {
        let mut steps = vec![0_u32; self.count];
        let (mut next, mut longest) = (Vec::new(), 0);
        for first in 0..self.count {
            if steps[first] != 0 {
                continue;
            }
            steps[first] = 1;
            let mut wave = Wave { goal: Cell::NOWHERE, cells: vec![first as u32], distance: 0 };
            // No cell has this number, so the search goes on until the component is known.
            steps.push(0);
            match &self.near {
                Near::Four(near) => {
                    wave.reach(self.count as u32, near, &mut steps, &mut next, &mut 0)
                }
                Near::Eight(near) => {
                    wave.reach(self.count as u32, near, &mut steps, &mut next, &mut 0)
                }
            };
            steps.pop();
            longest = longest.max(2 * wave.distance as usize);
        }
        longest
    }
}

/// The numbers of the neighbours of each floor cell, filled up with its own.
fn near<const N: usize>(grid: &Grid, numbers: &[u32]) -> Vec<[u32; N]> {
    let of_cell = |cell: Cell| {
        let mut near = [numbers[cell.index()]; N];
        for (entry, to) in near.iter_mut().zip(grid.neighbours(cell)) {
            *entry = numbers[to.index()];
        }
        near
    };
    grid.floor_cells().map(of_cell).collect()
}

#[cfg(test)]
#[path = "goal_distances_test.rs"]
mod tests;
