//! Finding out what the game has changed since the last tick.

use crate::grid::Cell;
use crate::search::{Landmarks, ReverseSearch};
use crate::world::{Agent, AgentId, Change, World};

/// What a planner knows about its world: who is there, where they want to be, and which map it is. By
/// comparing it with the world, the planner finds out what is new, even if ticks have passed without it.
#[derive(Clone, Debug, Default)]
pub struct Followed {
    /// Agents of ours and their goals, by slot.
    agents: Vec<Option<(AgentId, Cell)>>,
    /// The revision of the grid.
    revision: Option<u64>,
}

/// What has become of the map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MapNews {
    /// It is as it was.
    Same,
    /// The edits among the world's changes are all that has happened to it.
    Edited,
    /// Nothing is known about it.
    New,
}

impl Followed {
    /// What has become of the map since the last time.
    pub fn map(&mut self, world: &World) -> MapNews {
        let revision = world.grid().revision();
        let known = self.revision.replace(revision);
        if known == Some(revision) {
            MapNews::Same
        } else if known.is_some_and(|known| known + edits(world).count() as u64 == revision) {
            MapNews::Edited
        } else {
            MapNews::New
        }
    }

    /// Calls `is_new` with every slot whose agent is another one than the last time, or has another goal,
    /// or is not ours any more, and with our agent in it, if there is one.
    pub fn agents(&mut self, world: &World, mut is_new: impl FnMut(usize, Option<Agent>)) {
        self.agents.resize(world.slots(), None);
        for (known, agent) in self.agents.iter_mut().zip(world.raw_agents()) {
            let now = agent.ours.then_some((agent.id, agent.goal));
            if *known != now {
                *known = now;
                is_new(agent.slot(), now.map(|_| agent));
            }
        }
    }

    /// Whether this agent is known.
    pub fn knows(&self, agent: &Agent) -> bool {
        let known = self.agents.get(agent.slot());
        known.is_some_and(|known| *known == Some((agent.id, agent.goal)))
    }

    /// Bytes this holds.
    pub fn memory(&self) -> usize {
        self.agents.capacity() * size_of::<Option<(AgentId, Cell)>>()
    }
}

/// Whether what a reverse search knows may be wrong, after this news of the map.
pub fn is_outdated(news: MapNews, world: &World, reverse: &ReverseSearch) -> bool {
    let is_touched =
        |cell: Cell| cell == reverse.goal() || !reverse.is_untouched_near(world.grid(), cell);
    match news {
        MapNews::Same => false,
        MapNews::Edited => edits(world).any(is_touched),
        MapNews::New => true,
    }
}

/// Lets landmarks follow the map, with so many of them to make.
pub fn follow_map(landmarks: &mut Landmarks, count: u32, news: MapNews, world: &World) {
    match news {
        MapNews::Same => {}
        MapNews::New => landmarks.begin(world.grid(), count as usize),
        MapNews::Edited => {
            for cell in edits(world).filter(|&cell| world.grid().is_floor(cell)) {
                landmarks.open(world.grid(), cell);
            }
        }
    }
}

/// The cells that were edited since the last tick.
pub fn edits(world: &World) -> impl Iterator<Item = Cell> {
    world.changes().iter().filter_map(|change| match change {
        Change::SetFloor { cell, .. } => Some(*cell),
        _ => None,
    })
}
