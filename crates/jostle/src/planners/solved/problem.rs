//! What the agents of a world ask of a solver.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::grid::{Cell, Components, Grid};
use crate::instance::{Instance, Reach};
use crate::world::{Agent, World};

/// The most entries of the tables that solvers make of the distances from every cell to every goal.
const MOST_DISTANCES: usize = 1 << 25;

/// An instance for a solver, made from where our agents stand, or will stand.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The start of each agent, and where it aims for: its goal, or a cell in place of it.
    pub instance: Instance,
    /// The goal of each agent in the world.
    pub goals: Vec<Cell>,
}

impl Problem {
    /// The problem of our agents in a world, in the order of their slots. Foreign agents are walls where they stand.
    ///
    /// An instance needs a goal of its own for each agent, within its reach. Of the agents that share a goal, the one that
    /// stands on it has it, and otherwise the first; the others aim for free cells close to it. An agent that cannot
    /// reach its goal aims for the cell on which it stands, so that it can make room and come back.
    ///
    /// `None` if there is no agent, if one stands on a wall, or if there are too many agents for so large a map.
    pub fn of(world: &World) -> Option<Self> {
        let agents: Vec<Agent> = world.ours().collect();
        if agents.len().saturating_mul(world.grid().cells().len()) > MOST_DISTANCES {
            return None;
        }
        Self::among(with_foreign_agents_as_walls(world), &agents)
    }

    /// The problem of some agents on a floor of their own. A goal may be `NOWHERE`.
    ///
    /// `None` if there is no agent, or if one stands on a wall.
    pub fn among(grid: Arc<Grid>, agents: &[Agent]) -> Option<Self> {
        if agents.is_empty() || agents.iter().any(|agent| !grid.is_floor(agent.cell)) {
            return None;
        }
        let aims = aims(&grid, &Components::of(&grid), agents)?;
        let tasks = agents.iter().map(|agent| agent.cell).zip(aims).collect();
        let instance = Instance::new(grid, tasks, Reach::Required).ok()?;
        Some(Self { instance, goals: agents.iter().map(|agent| agent.goal).collect() })
    }

    /// Whether our agents have these goals, and stand on the starts.
    pub fn begins_in(&self, world: &World) -> bool {
        let starts = self.instance.tasks().iter().map(|&(start, _)| start);
        let expected = starts.zip(self.goals.iter().copied());
        world.ours().map(|agent| (agent.cell, agent.goal)).eq(expected)
    }

    /// Whether our agents stand where they aim for.
    pub fn is_solved_in(&self, world: &World) -> bool {
        world.ours().map(|agent| agent.cell).eq(self.aims())
    }

    /// Whether an agent aims for another cell than its goal.
    pub fn has_substitutes(&self) -> bool {
        !self.goals.iter().copied().eq(self.aims())
    }

    /// The cell that each agent aims for.
    pub fn aims(&self) -> impl Iterator<Item = Cell> {
        self.instance.tasks().iter().map(|&(_, aim)| aim)
    }

    /// Bytes held on the heap, without the floor.
    pub fn memory(&self) -> usize {
        size_of_val(self.instance.tasks()) + self.goals.capacity() * size_of::<Cell>()
    }
}

fn with_foreign_agents_as_walls(world: &World) -> Arc<Grid> {
    let mut grid = Arc::clone(world.shared_grid());
    for agent in world.agents().filter(|agent| !agent.ours) {
        Arc::make_mut(&mut grid).set_floor(agent.cell, false);
    }
    grid
}

/// Where each agent aims for: all different, all within reach. An agent may stand on a cell that has turned into a wall. `None` if there is not
/// enough room.
pub fn aims(grid: &Grid, components: &Components, agents: &[Agent]) -> Option<Vec<Cell>> {
    let can_arrive =
        |agent: &Agent| agent.has_arrived() || components.reaches(grid, agent.cell, agent.goal);
    let mut is_taken = vec![false; grid.cells().len()];
    let mut aims: Vec<Option<Cell>> = vec![None; agents.len()];
    for has_arrived in [true, false] {
        for (agent, aim) in agents.iter().zip(&mut aims) {
            if agent.has_arrived() == has_arrived
                && can_arrive(agent)
                && !std::mem::replace(&mut is_taken[agent.goal.index()], true)
            {
                *aim = Some(agent.goal);
            }
        }
    }
    let mut nearest = Nearest::default();
    for (agent, aim) in agents.iter().zip(&mut aims).filter(|(_, aim)| aim.is_none()) {
        let place = if can_arrive(agent) { agent.goal } else { agent.cell };
        let cell = nearest.find(grid, place, |cell| !is_taken[cell.index()])?;
        is_taken[cell.index()] = true;
        *aim = Some(cell);
    }
    aims.into_iter().collect()
}

/// A breadth-first search, with its buffers.
#[derive(Default)]
struct Nearest {
    /// By cell, the number of the search that has reached it last.
    seen: Vec<u32>,
    searches: u32,
    queue: VecDeque<Cell>,
}

impl Nearest {
    /// The cell for which `is_good` holds that is the fewest steps from a cell: that cell itself, or one of the floor.
    fn find(&mut self, grid: &Grid, from: Cell, is_good: impl Fn(Cell) -> bool) -> Option<Cell> {
        self.seen.resize(grid.cells().len(), 0);
        self.searches += 1;
        self.queue.clear();
        self.seen[from.index()] = self.searches;
        self.queue.push_back(from);
        while let Some(cell) = self.queue.pop_front() {
            if is_good(cell) {
                return Some(cell);
            }
            for near in grid.neighbours(cell) {
                let seen = std::mem::replace(&mut self.seen[near.index()], self.searches);
                if seen != self.searches {
                    self.queue.push_back(near);
                }
            }
        }
        None
    }
}
