//! Finding out what the game has changed since the last tick.

use crate::grid::Cell;
use crate::search::{Landmarks, ReverseSearch};
use crate::world::{Agent, AgentId, Change, Errands, World};

/// What a planner knows about its world: which agents are there, their goals, and the floor. By comparing this
/// with the world, the planner finds out what is new, even if ticks have passed without it.
///
/// A planner may be given any world at any time. One that cannot have come from the world it knows, or of which it
/// has missed too much, [is another world](Self::is_another): the planner begins anew.
#[derive(Clone, Debug, Default)]
pub struct Followed {
    /// Our agents and their goals, by slot.
    agents: Vec<Option<(AgentId, Cell)>>,
    /// The world's hash of them; none before the planner first looked.
    errands: Option<Errands>,
    /// The tick and the fingerprint of the grid when the planner last looked; none before that.
    seen: Option<(u64, u64)>,
}

/// How the map differs from the one that the planner knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MapNews {
    /// It has not changed.
    Same,
    /// The world's list of changes has every edit since then.
    Edited,
    /// The planner has not seen a map yet.
    New,
}

impl Followed {
    /// Whether this is not the world that the planner knows, at a later time: its clock went back, it has fewer
    /// slots, or its floor has become a different one by edits that the planner cannot know of. Nothing that the
    /// planner remembers can be relied on then. False before the planner has seen a world.
    pub fn is_another(&self, world: &World) -> bool {
        self.seen.is_some_and(|(tick, _)| {
            world.tick() < tick
                || world.slots() < self.agents.len()
                || self.news_of_map(world) == MapNews::New
        })
    }

    /// How the map has changed since the last call.
    pub fn map(&mut self, world: &World) -> MapNews {
        let news = self.news_of_map(world);
        self.seen = Some((world.tick(), world.grid().fingerprint()));
        news
    }

    fn news_of_map(&self, world: &World) -> MapNews {
        match self.seen {
            Some((_, known)) if known == world.grid().fingerprint() => MapNews::Same,
            Some((_, known)) if known == world.grid().fingerprint_before(edits(world)) => {
                MapNews::Edited
            }
            _ => MapNews::New,
        }
    }

    /// Calls `is_new` for every slot whose agent differs from the last call, has another goal, or is no
    /// longer ours, with our agent in that slot, if there is one.
    pub fn agents(&mut self, world: &World, mut is_new: impl FnMut(usize, Option<Agent>)) {
        if self.errands == Some(world.errands()) {
            return;
        }
        self.errands = Some(world.errands());
        self.agents.resize(world.slots(), None);
        for (known, agent) in self.agents.iter_mut().zip(world.raw_agents()) {
            let now = agent.ours.then_some((agent.id, agent.goal));
            if *known != now {
                *known = now;
                is_new(agent.slot(), now.map(|_| agent));
            }
        }
    }

    /// Whether this agent was there, with the same goal, at the last call of [`agents`](Self::agents).
    pub fn knows(&self, agent: &Agent) -> bool {
        let known = self.agents.get(agent.slot());
        known.is_some_and(|known| *known == Some((agent.id, agent.goal)))
    }

    /// Bytes held on the heap.
    pub fn memory(&self) -> usize {
        self.agents.capacity() * size_of::<Option<(AgentId, Cell)>>()
    }
}

/// Whether the distances of a reverse search may be wrong after this news of the map.
pub fn is_outdated(news: MapNews, world: &World, reverse: &ReverseSearch) -> bool {
    let is_touched =
        |cell: Cell| cell == reverse.goal() || !reverse.is_untouched_near(world.grid(), cell);
    match news {
        MapNews::Same => false,
        MapNews::Edited => edits(world).any(is_touched),
        MapNews::New => true,
    }
}

/// Keeps landmarks up to date with the map. On a new map, `count` of them are begun.
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
