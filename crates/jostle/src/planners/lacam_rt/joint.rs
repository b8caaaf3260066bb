//! The search for all of our agents in a world.

use std::sync::Arc;

use super::LacamRt;
use crate::grid::{Cell, Components, Grid};
use crate::planners::solved::aims;
use crate::search::Budget;
use crate::solvers::{Rooted, megabytes};
use crate::world::{Agent, AgentId, Moves, World};

/// How often it is checked whether foreign agents have made room for what was impossible before, in ticks.
const REVIEW_EVERY: u64 = 16;

/// The search, and what it takes the world for.
#[derive(Clone, Debug)]
pub(super) struct Joint {
    /// Our agents, in the order of their slots.
    ids: Vec<AgentId>,
    /// The cells of foreign agents when the search began: they are walls.
    foreign: Vec<Cell>,
    /// The floor with these walls.
    floor: Arc<Grid>,
    components: Components,
    /// Where each agent aims for: its goal, or a cell in place of it.
    aims: Vec<Cell>,
    /// Whether an agent aims for another cell than its goal.
    has_substitutes: bool,
    /// None if there is no room for the tables of distances, or for the agents.
    rooted: Option<Rooted>,
    /// Where our agents stand.
    cells: Vec<Cell>,
}

impl Joint {
    /// Begins a search from where our agents stand.
    pub fn begin(world: &World, options: &LacamRt) -> Box<Self> {
        let foreign: Vec<Cell> = foreign(world).collect();
        let mut floor = world.grid().clone();
        for &cell in &foreign {
            floor.set_floor(cell, false);
        }
        let components = Components::of(&floor);
        let agents: Vec<Agent> = world.ours().collect();
        let cells: Vec<Cell> = agents.iter().map(|agent| agent.cell).collect();
        let aims = aims(&floor, &components, &agents);
        let floor = Arc::new(floor);
        let mut rooted = aims.as_ref().and_then(|aims| {
            let memory = megabytes(options.memory);
            Rooted::new(Arc::clone(&floor), aims.clone(), (options.seed, options.swap), memory)
        });
        if let Some(rooted) = &mut rooted {
            rooted.begin(&cells);
        }
        let aims = aims.unwrap_or_default();
        Box::new(Self {
            ids: agents.iter().map(|agent| agent.id).collect(),
            foreign,
            floor,
            components,
            has_substitutes: has_substitutes(&agents, &aims),
            aims,
            rooted,
            cells,
        })
    }

    /// Takes over where our agents stand and, if there are new errands, where they want to go. Returns false if the search cannot go on: it has
    /// to begin anew.
    pub fn follow(&mut self, world: &World, has_new_errands: bool) -> bool {
        let is_same_crowd = || world.ours().map(|agent| agent.id).eq(self.ids.iter().copied());
        if self.is_outdated(world) || (has_new_errands && !is_same_crowd()) {
            return false;
        }
        self.cells.clear();
        self.cells.extend(world.ours().map(|agent| agent.cell));
        // A foreign agent may have gone, and one of ours stand there now.
        let is_known = |&cell: &Cell| self.floor.is_floor(cell) || !world.grid().is_floor(cell);
        if !self.cells.iter().all(is_known) {
            return false;
        }
        let Some(rooted) = &mut self.rooted else { return !has_new_errands };
        rooted.stand_on(&self.cells);
        !has_new_errands || self.redirect(world)
    }

    /// Takes over where our agents want to go. Returns false if there is no room for them.
    fn redirect(&mut self, world: &World) -> bool {
        let agents: Vec<Agent> = world.ours().collect();
        let aims = aims(&self.floor, &self.components, &agents);
        let (Some(aims), Some(rooted)) = (aims, &mut self.rooted) else { return false };
        self.has_substitutes = has_substitutes(&agents, &aims);
        if aims != self.aims {
            let changed = aims.iter().zip(&self.aims).enumerate().filter(|(_, (a, b))| a != b);
            changed.for_each(|(agent, (&aim, _))| rooted.redirect(agent, aim));
            rooted.begin(&self.cells);
            self.aims = aims;
        }
        true
    }

    /// Whether foreign agents stand elsewhere now, and that may make possible what was not.
    fn is_outdated(&self, world: &World) -> bool {
        (self.has_substitutes || self.is_exhausted())
            && world.tick().is_multiple_of(REVIEW_EVERY)
            && !foreign(world).eq(self.foreign.iter().copied())
    }

    /// Goes on with the search.
    pub fn work(&mut self, iterations: &mut u32, budget: &mut Budget<'_>) {
        if let Some(rooted) = &mut self.rooted {
            rooted.work(iterations, budget);
        }
    }

    /// Whether a foreign agent stands where an agent of ours is about to go.
    pub fn is_obstructed(&self, world: &World) -> bool {
        self.next().iter().any(|&cell| world.is_foreign(cell))
    }

    /// Whether it is known that our agents cannot stand where they aim for all at once, or nothing can be found out.
    pub fn is_exhausted(&self) -> bool {
        self.rooted.as_ref().is_none_or(Rooted::is_exhausted)
    }

    /// Proposes the next step of the crowd.
    pub fn propose(&self, moves: &mut Moves) {
        for (&id, &cell) in self.ids.iter().zip(self.next()) {
            moves.set(id, cell);
        }
    }

    /// The next cell of an agent that stands where it stood when the step was proposed, or has taken it.
    pub fn wish(&self, agent: &Agent) -> Option<Cell> {
        let number = self.ids.binary_search_by_key(&agent.slot(), |id| id.slot()).ok()?;
        let ahead = [self.next(), self.rooted.as_ref()?.after_next()];
        ahead.map(|cells| cells[number]).into_iter().find(|&cell| cell != agent.cell)
    }

    /// Bytes held on the heap.
    pub fn memory(&self) -> usize {
        self.ids.capacity() * size_of::<AgentId>()
            + (self.foreign.capacity() + self.aims.capacity() + self.cells.capacity())
                * size_of::<Cell>()
            + size_of::<Grid>()
            + self.floor.memory()
            + self.components.memory()
            + self.rooted.as_ref().map_or(0, Rooted::memory)
    }

    /// Where our agents should stand in one tick.
    fn next(&self) -> &[Cell] {
        self.rooted.as_ref().map_or(&self.cells, Rooted::next)
    }
}

/// The cells of foreign agents.
fn foreign(world: &World) -> impl Iterator<Item = Cell> {
    world.agents().filter(|agent| !agent.ours).map(|agent| agent.cell)
}

fn has_substitutes(agents: &[Agent], aims: &[Cell]) -> bool {
    !agents.iter().map(|agent| agent.goal).eq(aims.iter().copied())
}
