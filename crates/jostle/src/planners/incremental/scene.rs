//! What the planner sees of a world: a floor on which foreign agents are walls, and our agents with the cells they go to.

use std::collections::HashSet;
use std::sync::Arc;

use crate::grid::{Cell, Components, Grid};
use crate::instance::Instance;
use crate::planners::news::{Followed, MapNews, edits};
use crate::world::{Agent, AgentId, World};

/// An agent of ours.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    pub id: AgentId,
    /// Where it stood when the remaining problem was last looked at.
    pub start: Cell,
    pub goal: Cell,
    /// Where it goes: its goal, or a cell near it if the goal cannot be reached at present.
    pub target: Cell,
}

/// What has changed since the last tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum News {
    Nothing,
    /// Cells have closed or opened, and nothing else has changed.
    Edited,
    /// There are other agents or goals, or the world is new.
    Other,
}

/// The floor and the agents, kept up to date with a world.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    followed: Followed,
    /// None before the first tick.
    floor: Option<Arc<Grid>>,
    /// The cells of foreign agents, in order.
    foreign: Vec<Cell>,
    agents: Vec<Known>,
    has_substitutes: bool,
    /// The cells that have closed or opened since the last tick.
    edits: Vec<Cell>,
}

impl Scene {
    /// Whether this is not the world that is known, at a later time.
    pub fn is_another(&self, world: &World) -> bool {
        self.followed.is_another(world)
    }

    /// Compares with the world.
    pub fn follow(&mut self, world: &World) -> News {
        let map = self.followed.map(world);
        self.edits.clear();
        if map == MapNews::Edited {
            self.edits.extend(edits(world));
        }
        let foreign = world.agents().filter(|agent| !agent.ours).map(|agent| agent.cell);
        let before = std::mem::replace(&mut self.foreign, foreign.collect());
        self.foreign.sort_unstable();
        let gone = before.iter().filter(|cell| self.foreign.binary_search(cell).is_err());
        let come = self.foreign.iter().filter(|cell| before.binary_search(cell).is_err());
        self.edits.extend(gone.chain(come));
        self.edits.sort_unstable();
        self.edits.dedup();
        let floor = self.floor.get_or_insert_with(|| Arc::new(world.grid().clone()));
        let foreign = &self.foreign;
        self.edits.retain(|&cell| {
            let is_floor = world.grid().is_floor(cell) && foreign.binary_search(&cell).is_err();
            is_floor != floor.is_floor(cell) && Arc::make_mut(floor).set_floor(cell, is_floor)
        });
        let mut are_others = map == MapNews::New;
        self.followed.agents(world, |_, _| are_others = true);
        if are_others {
            self.agents.clear();
        }
        match (are_others, self.edits.is_empty()) {
            (true, _) => News::Other,
            (false, false) => News::Edited,
            (false, true) => News::Nothing,
        }
    }

    /// The floor, with foreign agents as walls.
    pub fn floor(&self) -> &Grid {
        self.shared_floor()
    }

    /// The floor, to be shared.
    pub fn shared_floor(&self) -> &Arc<Grid> {
        self.floor.as_ref().expect("a world was followed before")
    }

    /// The cells that have closed or opened since the last tick.
    pub fn edits(&self) -> &[Cell] {
        &self.edits
    }

    /// The agents of the remaining problem, in the order of their slots.
    pub fn agents(&self) -> &[Known] {
        &self.agents
    }

    /// The number of an agent in the remaining problem.
    pub fn number_of(&self, agent: &Agent) -> Option<usize> {
        let is_known = self.followed.knows(agent);
        is_known.then(|| self.agents.iter().position(|known| known.id == agent.id))?
    }

    /// Whether every agent stands where it stood when the remaining problem was last looked at.
    pub fn is_still(&self, world: &World) -> bool {
        world.ours().zip(&self.agents).all(|(agent, known)| agent.cell == known.start)
    }

    /// Whether an agent goes to another cell than its goal.
    pub const fn has_substitutes(&self) -> bool {
        self.has_substitutes
    }

    /// Takes over where the agents stand and where they want to go. `floor` are the cells that can be walked at some time.
    pub fn take_stock(&mut self, world: &World, floor: &Grid) {
        self.agents.clear();
        self.agents.extend(world.ours().map(|Agent { id, cell, goal, .. }| Known {
            id,
            start: cell,
            goal,
            target: goal,
        }));
        self.has_substitutes = false;
        let mut goals = HashSet::new();
        let is_good = |known: &Known| {
            goals.insert(known.goal) && (known.start == known.goal || floor.is_floor(known.goal))
        };
        if !self.agents.iter().all(is_good) {
            self.find_substitutes(floor);
        }
    }

    /// Sends agents that cannot go to their goals as near to them as possible. Whether any target has changed.
    pub fn find_substitutes(&mut self, floor: &Grid) -> bool {
        let components = Components::of(floor);
        let mut taken = HashSet::new();
        let mut targets = vec![None; self.agents.len()];
        // An agent on its goal keeps it; otherwise the one with the smallest slot gets it.
        for is_first in [true, false] {
            for (known, target) in self.agents.iter().zip(&mut targets) {
                let has_arrived = known.start == known.goal;
                let can_arrive = has_arrived || components.reaches(floor, known.start, known.goal);
                if has_arrived == is_first && can_arrive && taken.insert(known.goal) {
                    *target = Some(known.goal);
                }
            }
        }
        for (known, target) in self.agents.iter().zip(&mut targets).filter(|(_, it)| it.is_none()) {
            let can_have = |cell: &Cell| {
                let is_near = *cell == known.start || components.reaches(floor, known.start, *cell);
                is_near && !taken.contains(cell)
            };
            let cells = floor.floor_cells().chain([known.start]).filter(can_have);
            let nearest = cells.min_by_key(|&cell| (floor.distance(cell, known.goal), cell));
            let nearest = nearest.unwrap_or(known.start);
            taken.insert(nearest);
            *target = Some(nearest);
        }
        let mut is_new = false;
        for (known, target) in self.agents.iter_mut().zip(targets) {
            let target = target.unwrap_or(known.start);
            is_new |= known.target != target;
            known.target = target;
        }
        self.has_substitutes = self.agents.iter().any(|known| known.target != known.goal);
        is_new
    }

    /// The remaining problem on a floor.
    pub fn problem(&self, floor: Arc<Grid>) -> Instance {
        let tasks = self.agents.iter().map(|known| (known.start, known.target));
        Instance::unchecked(floor, tasks.collect())
    }

    /// Bytes held on the heap.
    pub fn memory(&self) -> usize {
        self.followed.memory()
            + self.floor.as_ref().map_or(0, shared_size)
            + self.agents.capacity() * size_of::<Known>()
            + (self.foreign.capacity() + self.edits.capacity()) * size_of::<Cell>()
    }
}

/// Bytes of a grid that is shared: itself, and two counters.
fn shared_size(grid: &Arc<Grid>) -> usize {
    grid.memory() + size_of::<Grid>() + 2 * size_of::<usize>()
}
