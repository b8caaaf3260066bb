//! A crowd: the API for games.

mod orders;
mod progress;
mod stuck;

pub use stuck::{Hindrance, Stuck};

use std::sync::OnceLock;

use crate::grid::{Cell, Components, Grid};
use crate::group::{self, Gathering};
use crate::planners::{Jostle, Planner, Recipe, Work};
use crate::simulate::tick;
use crate::world::{AgentId, ChangeError, IllegalMove, Moves, World};
use orders::Orders;
use progress::Progress;

/// A crowd on a map: a [`World`] and a [`Planner`] behind a few methods. Positions are columns and rows,
/// `(0, 0)` at the top left.
///
/// ```
/// use jostle::{Crowd, Grid, Status};
///
/// let mut crowd = Crowd::new(Grid::open(20, 20)?);
/// let scout = crowd.add((2, 3))?;
/// crowd.send(scout, (15, 9))?;
/// while crowd.status(scout) != Status::Arrived {
///     crowd.tick()?;
/// }
/// assert_eq!(crowd.position(scout), Some((15, 9)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Crowd {
    world: World,
    planner: Box<dyn Planner>,
    moves: Moves,
    progress: Progress,
    orders: Orders,
    /// Computed on the first use after an edit of the map.
    components: OnceLock<Components>,
}

/// The step that an agent took in the last tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moved {
    /// The agent.
    pub agent: AgentId,
    /// Column and row before the tick.
    pub from: (u32, u32),
    /// Column and row after the tick.
    pub to: (u32, u32),
}

/// What an agent is doing, and if it is not moving, why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Status {
    /// It took a step in the last tick, or its next cell is free.
    Moving,
    /// It stands on its goal.
    Arrived,
    /// Another agent stands on the cell it wants to enter.
    Waiting {
        /// The agent on that cell, which may be foreign.
        behind: AgentId,
    },
    /// It has not found its next step yet: it has just been sent, or is enclosed by other agents.
    Searching,
    /// Walls cut it off from its goal.
    NoPath,
    /// It is a foreign agent, which only the game moves.
    Foreign,
    /// It is not in the crowd, or no longer.
    Gone,
}

impl Crowd {
    /// An empty crowd on this map, with the default planner.
    pub fn new(grid: Grid) -> Self {
        Self::with_planner(grid, Jostle::default().build())
    }

    /// An empty crowd on this map, with a planner of your choice.
    pub fn with_planner(grid: Grid, planner: Box<dyn Planner>) -> Self {
        Self {
            world: World::new(grid),
            planner,
            moves: Moves::default(),
            progress: Progress::default(),
            orders: Orders::default(),
            components: OnceLock::new(),
        }
    }

    /// Adds an agent. It stays where it is until it is sent somewhere.
    ///
    /// # Errors
    /// When the position is outside the map, a wall, or taken.
    pub fn add(&mut self, position: (u32, u32)) -> Result<AgentId, ChangeError> {
        let cell = self.cell(position)?;
        self.world.add(cell, cell)
    }

    /// Adds an agent that only the game moves, such as an opponent or the player. Move it with
    /// [`Crowd::place`].
    ///
    /// # Errors
    /// When the position is outside the map, a wall, or taken.
    pub fn add_foreign(&mut self, position: (u32, u32)) -> Result<AgentId, ChangeError> {
        let cell = self.cell(position)?;
        self.world.add_foreign(cell)
    }

    /// Removes an agent.
    ///
    /// # Errors
    /// When it is not in the crowd.
    pub fn remove(&mut self, agent: AgentId) -> Result<(), ChangeError> {
        self.world.remove(agent)
    }

    /// Gives an agent a goal. The goal may be a wall or out of reach: see [`Status::NoPath`].
    ///
    /// # Errors
    /// When the agent is not in the crowd or the position is outside the map.
    pub fn send(&mut self, agent: AgentId, position: (u32, u32)) -> Result<(), ChangeError> {
        let cell = self.cell(position)?;
        self.world.send(agent, cell)?;
        self.orders.take_back(agent);
        Ok(())
    }

    /// Sends a group to one place. Each member gets a goal of its own, among the nearest free cells around
    /// the place, such that members rarely have to pass each other; [`group`] says how. Members without a
    /// goal keep the one they had, and are reported.
    ///
    /// On the way, members that hinder each other exchange their goals: in the end there is a member on each goal, but it
    /// may be another one. A member that is sent somewhere by itself no longer takes part in that.
    ///
    /// ```
    /// use jostle::{Crowd, Grid};
    ///
    /// let mut crowd = Crowd::new(Grid::open(30, 20)?);
    /// let squad = [(2, 8), (2, 9), (3, 8), (3, 9)].map(|at| crowd.add(at).unwrap());
    /// let gathering = crowd.send_group(&squad, (20, 10))?;
    /// assert!(gathering.left_out.is_empty());
    /// for _ in 0..30 {
    ///     crowd.tick()?;
    /// }
    /// assert_eq!(crowd.position(squad[3]), crowd.goal(squad[3]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When an agent is not in the crowd or the position is outside the map. No member has been sent then.
    pub fn send_group(
        &mut self,
        agents: &[AgentId],
        position: (u32, u32),
    ) -> Result<Gathering, ChangeError> {
        let place = self.cell(position)?;
        let gathering = group::gather(&self.world, self.components(), agents, place)?;
        gathering.send(&mut self.world)?;
        self.orders.give(&gathering.goals);
        Ok(gathering)
    }

    /// Moves an agent to any position at once, at any distance.
    ///
    /// # Errors
    /// When the agent is not in the crowd, or the position is outside the map, a wall, or taken.
    pub fn place(&mut self, agent: AgentId, position: (u32, u32)) -> Result<(), ChangeError> {
        let cell = self.cell(position)?;
        self.world.place(agent, cell)
    }

    /// Makes a cell floor or wall. An agent that stands on a new wall may stay or leave, but no agent enters
    /// it.
    ///
    /// # Errors
    /// When the position is outside the map.
    pub fn set_floor(&mut self, position: (u32, u32), is_floor: bool) -> Result<(), ChangeError> {
        let cell = self.cell(position)?;
        if self.world.grid().is_floor(cell) != is_floor {
            self.components = OnceLock::new();
        }
        self.world.set_floor(cell, is_floor)
    }

    /// Runs one tick: every agent of ours takes at most one step, and no two agents collide.
    ///
    /// # Errors
    /// When the planner proposes an illegal move, which is a defect of the planner. No agent has moved then.
    pub fn tick(&mut self) -> Result<Work, IllegalMove> {
        self.progress.begin_tick(&self.world);
        let work = tick(&mut self.world, self.planner.as_mut(), &mut self.moves)?;
        self.progress.end_tick(&self.world, self.planner.as_ref());
        self.orders.exchange(&mut self.world, self.planner.as_ref(), &self.progress);
        Ok(work)
    }

    /// Column and row of an agent; none if it is not in the crowd.
    pub fn position(&self, agent: AgentId) -> Option<(u32, u32)> {
        self.world.agent(agent).map(|agent| self.world.grid().position(agent.cell))
    }

    /// The positions of all agents, foreign ones included, in the order of their slots.
    ///
    /// ```
    /// use jostle::{Crowd, Grid};
    ///
    /// let mut crowd = Crowd::new(Grid::open(9, 9)?);
    /// let scout = crowd.add((2, 3))?;
    /// crowd.send(scout, (5, 3))?;
    /// crowd.tick()?;
    /// assert!(crowd.positions().eq([(scout, (3, 3))]));
    /// let moved = crowd.moved().next().unwrap();
    /// assert_eq!((moved.agent, moved.from, moved.to), (scout, (2, 3), (3, 3)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn positions(&self) -> impl Iterator<Item = (AgentId, (u32, u32))> {
        self.world.agents().map(|agent| (agent.id, self.world.grid().position(agent.cell)))
    }

    /// Our agents that took a step in the last tick, in the order of their slots.
    pub fn moved(&self) -> impl Iterator<Item = Moved> {
        let position = |cell| self.world.grid().position(cell);
        self.world.ours().filter_map(move |agent| {
            let from = self.progress.step_from(&agent)?;
            Some(Moved { agent: agent.id, from: position(from), to: position(agent.cell) })
        })
    }

    /// Column and row of an agent's goal; none if it is not in the crowd.
    pub fn goal(&self, agent: AgentId) -> Option<(u32, u32)> {
        self.world.agent(agent).map(|agent| self.world.grid().position(agent.goal))
    }

    /// What an agent is doing, and if it is not moving, why.
    pub fn status(&self, agent: AgentId) -> Status {
        let Some(agent) = self.world.agent(agent) else {
            return Status::Gone;
        };
        if !agent.ours {
            return Status::Foreign;
        }
        if agent.has_arrived() {
            return Status::Arrived;
        }
        if !self.components().reaches(self.world.grid(), agent.cell, agent.goal) {
            return Status::NoPath;
        }
        if self.progress.step_from(&agent).is_some() {
            return Status::Moving;
        }
        match self.planner.wish(&agent) {
            Some(wish) => match self.world.occupant(wish) {
                Some(behind) => Status::Waiting { behind },
                None => Status::Moving,
            },
            None => Status::Searching,
        }
    }

    /// The world of this crowd, to read.
    pub const fn world(&self) -> &World {
        &self.world
    }

    fn components(&self) -> &Components {
        self.components.get_or_init(|| Components::of(self.world.grid()))
    }

    fn cell(&self, position: (u32, u32)) -> Result<Cell, ChangeError> {
        Ok(self.world.grid().locate(position)?)
    }
}

impl std::fmt::Debug for Crowd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Crowd").field("tick", &self.world.tick()).finish_non_exhaustive()
    }
}

#[cfg(test)]
#[path = "crowd_test.rs"]
mod tests;
