//! A crowd: the API for games.

mod orders;
mod progress;
mod status;
mod stuck;

pub use status::{Moved, Status};
pub use stuck::{Hindrance, Stuck};

use std::sync::OnceLock;

use crate::grid::{Cell, Components, Grid};
use crate::group::{self, Gathering};
use crate::planners::{Jostle, Planner, Recipe, Work};
use crate::simulate::tick;
use crate::world::{AgentId, ChangeError, IllegalMove, Moves, World};
use orders::Orders;
use progress::Progress;

/// A crowd of agents on a map: the interface for games.
///
/// A game makes a crowd from a [`Grid`], adds agents, and gives them goals. Then it calls [`tick`](Self::tick) at a
/// fixed rate, and draws agents where [`positions`](Self::positions) says. In a tick every agent takes at most one step,
/// and no two agents ever stand on one cell or swap cells. Between two ticks the game may change anything: goals, agents
/// and the map.
///
/// Positions are columns and rows, counted from `(0, 0)` at the top left. Time is counted in ticks.
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
///
/// A crowd is a [`World`] and a [`Planner`]. It is `Send` and `Sync`: it can be a resource of a game engine, and tick on another
/// thread.
pub struct Crowd {
    world: World,
    planner: Box<dyn Planner>,
    moves: Moves,
    progress: Progress,
    orders: Orders,
    /// Computed on the first use after an edit of the map.
    components: OnceLock<Components>,
}

// All public methods are in this one block, in the order in which a newcomer needs them: the documentation shows
// them as they stand here.
impl Crowd {
    /// An empty crowd on this map, at tick 0, with the default planner: [`Jostle`] with its default parameters.
    ///
    /// ```
    /// use jostle::{Crowd, Grid, Neighbours, Rules};
    ///
    /// let open = Crowd::new(Grid::open(40, 30)?);
    /// let drawn = Crowd::new(Grid::from_ascii("....#....\n.........\n....#....")?);
    /// // Steps to the north, east, south and west only.
    /// let rules = Rules { neighbours: Neighbours::Four, ..Rules::default() };
    /// let straight = Crowd::new(Grid::open(40, 30)?.with_rules(rules));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(grid: Grid) -> Self {
        Self::with_planner(grid, Jostle::default().build())
    }

    /// An empty crowd on this map, at tick 0, with another planner, or with other parameters of the default one.
    ///
    /// ```
    /// use jostle::planners::{Jostle, Recipe, planner};
    /// use jostle::{Crowd, Grid};
    ///
    /// // Cheaper ticks, in which routes are found later.
    /// let cheap = Jostle { pool: 25_000, ..Jostle::default() };
    /// let crowd = Crowd::with_planner(Grid::open(20, 20)?, cheap.build());
    /// // Any planner, by name.
    /// let crowd = Crowd::with_planner(Grid::open(20, 20)?, planner("pibt")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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

    /// Adds an agent. Its goal is where it stands, so it stays there until it is sent somewhere; but it makes room for
    /// others that want to pass, and comes back.
    ///
    /// The ID identifies the agent until it is removed, and is never given to another one.
    ///
    /// # Errors
    /// When the position is outside the map, a wall, or taken.
    pub fn add(&mut self, position: (u32, u32)) -> Result<AgentId, ChangeError> {
        let cell = self.cell(position)?;
        self.world.add(cell, cell)
    }

    /// Gives an agent a goal, at any time, in place of the one that it had. The agent sets out in the next tick.
    ///
    /// A goal may be a wall or out of reach: [`Crowd::status`] says so then. Two agents may have the same goal, but
    /// only one of them can be on it; [`Crowd::send_group`] gives each a goal of its own. Foreign agents ignore their goals.
    ///
    /// # Errors
    /// When the agent is not in the crowd or the position is outside the map.
    pub fn send(&mut self, agent: AgentId, position: (u32, u32)) -> Result<(), ChangeError> {
        let cell = self.cell(position)?;
        self.world.send(agent, cell)?;
        self.orders.take_back(agent);
        Ok(())
    }

    /// Runs one tick: every agent takes at most one step, to a neighbouring cell, and no two agents collide. Foreign agents
    /// stay where they are.
    ///
    /// The planner looks at what the game has changed since the last tick, and proposes a step for every agent. The world
    /// checks all of them together, and makes them at once. After that, members of a group that hinder each other exchange their
    /// [goals](Self::goal).
    ///
    /// Returns how many searches and expansions the planner has made, as a measure of its work that does not depend on the machine.
    ///
    /// # Errors
    /// When the planner proposes an illegal step, which is a defect of the planner. No agent has moved then.
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

    /// The positions of all agents, foreign ones included, in the order of their [slots](AgentId::slot). Nothing is allocated.
    ///
    /// ```
    /// use jostle::{Crowd, Grid};
    ///
    /// let mut crowd = Crowd::new(Grid::open(9, 9)?);
    /// let scout = crowd.add((2, 3))?;
    /// crowd.send(scout, (5, 3))?;
    /// crowd.tick()?;
    /// assert!(crowd.positions().eq([(scout, (3, 3))]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn positions(&self) -> impl Iterator<Item = (AgentId, (u32, u32))> {
        self.world.agents().map(|agent| (agent.id, self.world.grid().position(agent.cell)))
    }

    /// The steps of the last tick, to draw agents between two cells: those of our agents that took one, in the order
    /// of their [slots](AgentId::slot). All others stood still.
    ///
    /// An agent that was [placed](Self::place) elsewhere since the last tick is not among them.
    ///
    /// ```
    /// use jostle::{Crowd, Grid};
    ///
    /// let mut crowd = Crowd::new(Grid::open(9, 9)?);
    /// let scout = crowd.add((2, 3))?;
    /// crowd.send(scout, (5, 3))?;
    /// crowd.tick()?;
    /// let moved = crowd.moved().next().unwrap();
    /// assert_eq!((moved.agent, moved.from, moved.to), (scout, (2, 3), (3, 3)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn moved(&self) -> impl Iterator<Item = Moved> {
        let position = |cell| self.world.grid().position(cell);
        self.world.ours().filter_map(move |agent| {
            let from = self.progress.step_from(&agent)?;
            Some(Moved { agent: agent.id, from: position(from), to: position(agent.cell) })
        })
    }

    /// Column and row of an agent's goal; none if it is not in the crowd. A tick may change the goals of agents that were
    /// sent as a [group](Self::send_group).
    pub fn goal(&self, agent: AgentId) -> Option<(u32, u32)> {
        self.world.agent(agent).map(|agent| self.world.grid().position(agent.goal))
    }

    /// What an agent is doing, and if it is not moving, why. [`Crowd::stuck`] says whether that has lasted too long.
    ///
    /// ```
    /// use jostle::{Crowd, Grid, Status};
    ///
    /// let mut crowd = Crowd::new(Grid::from_ascii("....#.")?);
    /// let scout = crowd.add((0, 0))?;
    /// assert_eq!(crowd.status(scout), Status::Arrived); // it has no other goal yet
    /// crowd.send(scout, (5, 0))?;
    /// assert_eq!(crowd.status(scout), Status::NoPath);
    /// crowd.set_floor((4, 0), true)?;
    /// crowd.tick()?;
    /// assert_eq!(crowd.status(scout), Status::Moving);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Cost: a few lookups. After an edit of the map, the first call for an agent that has not arrived looks at every cell.
    pub fn status(&self, agent: AgentId) -> Status {
        status::of(self, agent)
    }

    /// Makes a cell floor or wall: a door, a building, a bridge that breaks. Agents find the change by themselves.
    ///
    /// An agent that stands on a new wall may stay or leave, but no agent enters it.
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

    /// Moves an agent to any free position at once, at any distance. It keeps its goal. This is how foreign agents move.
    ///
    /// # Errors
    /// When the agent is not in the crowd, or the position is outside the map, a wall, or taken. The error
    /// [`ChangeError::Occupied`] says by whom.
    pub fn place(&mut self, agent: AgentId, position: (u32, u32)) -> Result<(), ChangeError> {
        let cell = self.cell(position)?;
        self.world.place(agent, cell)
    }

    /// Adds a foreign agent, which only the game moves, by [`place`](Self::place): the player, an opponent, a parked cart. To the others
    /// it is an obstacle.
    ///
    /// ```
    /// use jostle::{Crowd, Grid, Status};
    ///
    /// let mut crowd = Crowd::new(Grid::open(9, 9)?);
    /// let player = crowd.add_foreign((4, 4))?;
    /// crowd.place(player, (4, 5))?;
    /// assert_eq!(crowd.status(player), Status::Foreign);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the position is outside the map, a wall, or taken.
    pub fn add_foreign(&mut self, position: (u32, u32)) -> Result<AgentId, ChangeError> {
        let cell = self.cell(position)?;
        self.world.add_foreign(cell)
    }

    /// Removes an agent. Its cell is free at once.
    ///
    /// # Errors
    /// When it is not in the crowd.
    pub fn remove(&mut self, agent: AgentId) -> Result<(), ChangeError> {
        self.world.remove(agent)
    }

    /// Sends a group to one place. Each member gets a goal of its own, among the nearest free cells
    /// around the place, such that members rarely have to pass each other; [`group`] says how.
    /// Members without a goal keep the one they had, and are reported; among them are those that
    /// are not in the crowd any more.
    ///
    /// On the way, members that hinder each other exchange their goals: in the end there is a member on each goal, but it
    /// may be another one. A member that is [sent](Self::send) somewhere by itself no longer takes part in that.
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
    /// When the position is outside the map. No member has been sent then.
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

    /// Our agents that have made no progress for at least this many ticks, in the order of their slots. An
    /// agent that has arrived is not stuck.
    ///
    /// An agent makes progress when it is nearer to its goal, in a straight line, than ever before, or when,
    /// on a detour, it enters new ground or comes back from there. Going to and fro is not progress, so
    /// agents that keep pushing each other are found as well, even if each of them arrives again and again. The
    /// count starts again when an agent gets another goal or is placed elsewhere; sending it to the same goal again
    /// changes nothing.
    ///
    /// ```
    /// use jostle::{Crowd, Grid, Hindrance};
    ///
    /// // Two agents that would have to change sides where there is no room for it.
    /// let mut crowd = Crowd::new(Grid::from_ascii("......")?);
    /// let [one, other] = [crowd.add((1, 0))?, crowd.add((4, 0))?];
    /// crowd.send(one, (5, 0))?;
    /// crowd.send(other, (0, 0))?;
    /// for _ in 0..100 {
    ///     crowd.tick()?;
    /// }
    /// let stuck: Vec<_> = crowd.stuck(50).collect();
    /// assert_eq!([stuck[0].agent, stuck[1].agent], [one, other]);
    /// assert_eq!(stuck[0].reason, Hindrance::NoPlan);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Cost: a look at every agent. If an agent is stuck, the components of the map are labelled once after
    /// an edit; with foreign agents present, also once in every call.
    pub fn stuck(&self, ticks: u64) -> impl Iterator<Item = Stuck> {
        stuck::among(self, ticks)
    }

    /// A copy of the crowd as it is now, with everything that its planner remembers: from the same changes in the same ticks, the
    /// copy and the original move alike. A game can keep one to go back to. None if the planner cannot be copied; the default one can.
    ///
    /// ```
    /// use jostle::{Crowd, Grid};
    ///
    /// let mut crowd = Crowd::new(Grid::open(20, 20)?);
    /// let scout = crowd.add((2, 3))?;
    /// crowd.send(scout, (15, 9))?;
    /// crowd.tick()?;
    /// let before = crowd.try_clone().unwrap();
    /// crowd.tick()?;
    /// let after = crowd.fingerprint();
    /// crowd = before; // back by one tick, and once more
    /// crowd.tick()?;
    /// assert_eq!(crowd.fingerprint(), after);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Cost: as much as it takes to copy the agents and what the planner has found out about the map.
    pub fn try_clone(&self) -> Option<Self> {
        Some(Self {
            world: self.world.clone(),
            planner: self.planner.try_clone()?,
            moves: self.moves.clone(),
            progress: self.progress.clone(),
            orders: self.orders.clone(),
            components: self.components.clone(),
        })
    }

    /// The present state as one number, to find out whether two machines have come apart: that of its [world](World::fingerprint). What the
    /// planner remembers is not part of it, but shows in the moves of later ticks.
    pub fn fingerprint(&self) -> u64 {
        self.world.fingerprint()
    }

    /// The world of this crowd, to read: the map, the agents as [`Agent`](crate::Agent)s, and how many ticks have passed.
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
