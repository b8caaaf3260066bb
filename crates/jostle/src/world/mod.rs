//! The grid, every agent, and the clock: the only thing that knows who stands where.

mod agent;
mod change;
mod draft;
mod moves;

pub use agent::{Agent, AgentId};
pub use change::{Change, ChangeError};
pub use draft::Draft;
pub use moves::{IllegalMove, Moves};

use crate::grid::{Cell, Direction, Grid};

/// Marks a cell that nobody stands on.
const NOBODY: u32 = u32::MAX;

/// The grid, every agent, and the clock.
///
/// The world is the safety gate. Whatever a planner proposes, [`World::advance`] makes it real only if
/// it is legal as a whole: no collision, no swap, no step that the floor does not allow.
///
/// ```
/// use jostle::{Grid, Moves, World};
///
/// let mut world = World::new(Grid::open(3, 1)?);
/// let [a, b, c] = [0, 1, 2].map(|x| world.grid().at(x, 0).unwrap());
/// let left = world.add(a, c)?;
/// let right = world.add(b, a)?;
///
/// let mut moves = Moves::waiting(&world);
/// moves.set(left, b);
/// moves.set(right, a);
/// assert!(world.advance(&moves).is_err()); // a swap: nobody has moved
///
/// moves.set(right, c);
/// world.advance(&moves)?; // entering a cell that its occupant leaves is legal
/// assert_eq!(world.occupant(c), Some(right));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct World {
    grid: Grid,
    /// One for each slot; an empty slot's agent stands nowhere.
    agents: Vec<Agent>,
    /// Slots that can be given to the next arrivals.
    empty: Vec<u32>,
    /// The slot of the agent on each cell, or `NOBODY`.
    occupants: Vec<u32>,
    tick: u64,
    /// What changed since the last tick.
    changes: Vec<Change>,
    forbids_crossing: bool,
}

impl World {
    /// A floor with nobody on it, at tick 0.
    pub fn new(grid: Grid) -> Self {
        let occupants = vec![NOBODY; grid.cells().len()];
        Self {
            grid,
            agents: Vec::new(),
            empty: Vec::new(),
            occupants,
            tick: 0,
            changes: Vec::new(),
            forbids_crossing: false,
        }
    }

    /// Forbids two diagonal steps of one tick to cross inside a block of four cells. They are legal
    /// otherwise, as in the papers; games that draw bodies may not want them.
    #[must_use]
    pub fn forbid_crossing(mut self) -> Self {
        self.forbids_crossing = true;
        self
    }

    /// Whether crossing diagonals are forbidden.
    pub const fn forbids_crossing(&self) -> bool {
        self.forbids_crossing
    }

    /// The floor.
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// How many ticks have passed.
    pub const fn tick(&self) -> u64 {
        self.tick
    }

    /// Everybody who is there, in the order of their slots.
    pub fn agents(&self) -> impl Iterator<Item = &Agent> + Clone {
        self.agents.iter().filter(|agent| agent.cell != Cell::NOWHERE)
    }

    /// The agents that planners move, in the order of their slots.
    pub fn ours(&self) -> impl Iterator<Item = &Agent> + Clone {
        self.agents().filter(|agent| agent.ours)
    }

    /// One agent for each slot. An empty slot holds an agent that stands [nowhere](Cell::NOWHERE) and
    /// is not ours.
    pub fn slots(&self) -> &[Agent] {
        &self.agents
    }

    /// An agent, if it is still there.
    pub fn agent(&self, id: AgentId) -> Option<&Agent> {
        self.agents.get(id.slot()).filter(|agent| agent.id == id && agent.cell != Cell::NOWHERE)
    }

    /// Who stands on a cell.
    pub fn occupant(&self, cell: Cell) -> Option<AgentId> {
        let slot = self.occupants[cell.index()];
        (slot != NOBODY).then(|| self.agents[slot as usize].id)
    }

    /// Whether anybody stands on a cell.
    pub fn is_occupied(&self, cell: Cell) -> bool {
        self.occupants[cell.index()] != NOBODY
    }

    /// Whether a foreign agent stands on a cell.
    pub fn is_foreign(&self, cell: Cell) -> bool {
        let slot = self.occupants[cell.index()];
        slot != NOBODY && !self.agents[slot as usize].ours
    }

    /// Whether everybody of ours stands on its goal.
    pub fn everybody_is_home(&self) -> bool {
        self.ours().all(Agent::is_home)
    }

    /// What the game changed since the last tick, in order.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Adds an agent of ours.
    ///
    /// # Errors
    /// When the cell is a wall or taken, or the goal is not on the grid.
    pub fn add(&mut self, cell: Cell, goal: Cell) -> Result<AgentId, ChangeError> {
        self.arrive(cell, goal, true)
    }

    /// Adds an agent that only the game moves: an opponent, the player.
    ///
    /// # Errors
    /// When the cell is a wall or taken.
    pub fn add_foreign(&mut self, cell: Cell) -> Result<AgentId, ChangeError> {
        self.arrive(cell, cell, false)
    }

    /// Takes an agent out of the world.
    ///
    /// # Errors
    /// When it is not there.
    pub fn remove(&mut self, agent: AgentId) -> Result<(), ChangeError> {
        let cell = self.expect(agent)?.cell;
        self.occupants[cell.index()] = NOBODY;
        self.agents[agent.slot()] =
            Agent { id: agent, cell: Cell::NOWHERE, goal: Cell::NOWHERE, ours: false };
        self.empty.push(agent.slot() as u32);
        self.changes.push(Change::Left { agent });
        Ok(())
    }

    /// Gives an agent a new goal. The goal may be a wall or out of reach: then the agent cannot get
    /// there, which is no error.
    ///
    /// # Errors
    /// When the agent is not there or the goal is not on the grid.
    pub fn send(&mut self, agent: AgentId, goal: Cell) -> Result<(), ChangeError> {
        self.expect(agent)?;
        self.expect_on_grid(goal)?;
        self.agents[agent.slot()].goal = goal;
        self.changes.push(Change::Sent { agent, goal });
        Ok(())
    }

    /// Puts an agent on another cell, however far. This is how the game moves foreign agents.
    ///
    /// # Errors
    /// When the agent is not there, or the cell is a wall or taken by another agent.
    pub fn place(&mut self, agent: AgentId, cell: Cell) -> Result<(), ChangeError> {
        let from = self.expect(agent)?.cell;
        if from == cell {
            return Ok(());
        }
        self.expect_free(cell)?;
        self.occupants[from.index()] = NOBODY;
        self.occupants[cell.index()] = agent.slot() as u32;
        self.agents[agent.slot()].cell = cell;
        self.changes.push(Change::Placed { agent, cell });
        Ok(())
    }

    /// Turns a cell into floor or into a wall. An agent that stands there may stay, and leave when it
    /// likes; nobody enters.
    ///
    /// # Errors
    /// When the cell is not on the grid.
    pub fn edit(&mut self, cell: Cell, is_floor: bool) -> Result<(), ChangeError> {
        self.expect_on_grid(cell)?;
        if self.grid.set_floor(cell, is_floor) {
            self.changes.push(Change::Edited { cell, is_floor });
        }
        Ok(())
    }

    /// Makes a joint move real and lets a tick pass, if the move is legal as a whole. This check runs
    /// in every build.
    ///
    /// # Errors
    /// When it is not legal: then nothing has happened, and the error names the first offender.
    pub fn advance(&mut self, moves: &Moves) -> Result<(), IllegalMove> {
        self.check_steps(moves)?;
        self.lift_movers(moves);
        self.set_down_movers(moves)?;
        self.tick += 1;
        self.changes.clear();
        Ok(())
    }

    /// Bytes this world holds beside its grid.
    pub fn memory(&self) -> usize {
        self.occupants.capacity() * size_of::<u32>()
            + self.agents.capacity() * size_of::<Agent>()
            + self.empty.capacity() * size_of::<u32>()
            + self.changes.capacity() * size_of::<Change>()
    }

    /// Refuses everything about a joint move that can be seen before anybody moves.
    fn check_steps(&self, moves: &Moves) -> Result<(), IllegalMove> {
        let tick = self.tick;
        if moves.len() != self.agents.len() {
            return Err(IllegalMove::WrongLength {
                found: moves.len(),
                expected: self.agents.len(),
            });
        }
        for &Agent { id: agent, cell: from, ours, .. } in &self.agents {
            let to = moves.next(agent);
            if to == from {
                continue;
            }
            if !ours {
                return Err(IllegalMove::NotOurs { agent, to, tick });
            }
            let Some(way) = self.grid.way_between(from, to) else {
                return Err(IllegalMove::NoSuchStep { agent, from, to, tick });
            };
            if let Some(other) = self.occupant(to).filter(|&other| moves.next(other) == from) {
                return Err(IllegalMove::Swap { agent, other, tick });
            }
            if let Some(other) = self.crosses(moves, from, way) {
                return Err(IllegalMove::Crossing { agent, other, tick });
            }
        }
        Ok(())
    }

    /// Whose diagonal step the step from a cell would cross, if that is forbidden.
    fn crosses(&self, moves: &Moves, from: Cell, way: Direction) -> Option<AgentId> {
        if !self.forbids_crossing || !way.is_diagonal() {
            return None;
        }
        let (a, b) = way.parts();
        let (a, b) = (self.grid.beside(from, a), self.grid.beside(from, b));
        [(a, b), (b, a)].into_iter().find_map(|(here, there)| {
            self.occupant(here).filter(|&other| moves.next(other) == there)
        })
    }

    fn lift_movers(&mut self, moves: &Moves) {
        for agent in &self.agents {
            if moves.next(agent.id) != agent.cell {
                self.occupants[agent.cell.index()] = NOBODY;
            }
        }
    }

    /// Sets the movers down one by one, or everybody back where they came from if two would meet.
    fn set_down_movers(&mut self, moves: &Moves) -> Result<(), IllegalMove> {
        for slot in 0..self.agents.len() {
            let Agent { id: agent, cell: from, .. } = self.agents[slot];
            let to = moves.next(agent);
            if to == from {
                continue;
            }
            if let Some(other) = self.occupant(to) {
                self.take_back(moves, slot);
                return Err(IllegalMove::Collision { agent, other, cell: to, tick: self.tick });
            }
            self.occupants[to.index()] = slot as u32;
        }
        for agent in &mut self.agents {
            agent.cell = moves.next(agent.id);
        }
        Ok(())
    }

    fn take_back(&mut self, moves: &Moves, set_down: usize) {
        let is_moving = |agent: &&Agent| moves.next(agent.id) != agent.cell;
        for agent in self.agents[..set_down].iter().filter(is_moving) {
            self.occupants[moves.next(agent.id).index()] = NOBODY;
        }
        for agent in self.agents.iter().filter(is_moving) {
            self.occupants[agent.cell.index()] = agent.slot() as u32;
        }
    }

    fn arrive(&mut self, cell: Cell, goal: Cell, ours: bool) -> Result<AgentId, ChangeError> {
        self.expect_free(cell)?;
        self.expect_on_grid(goal)?;
        let id = match self.empty.pop() {
            Some(slot) => self.agents[slot as usize].id.next_generation(),
            None => AgentId::new(self.agents.len() as u32, 0),
        };
        let agent = Agent { id, cell, goal, ours };
        if id.slot() == self.agents.len() {
            self.agents.push(agent);
        } else {
            self.agents[id.slot()] = agent;
        }
        self.occupants[cell.index()] = id.slot() as u32;
        self.changes.push(Change::Arrived { agent: id, cell, goal, ours });
        Ok(id)
    }

    fn expect(&self, id: AgentId) -> Result<&Agent, ChangeError> {
        self.agent(id).ok_or(ChangeError::NoSuchAgent(id))
    }

    fn expect_on_grid(&self, cell: Cell) -> Result<(), ChangeError> {
        if cell.index() < self.occupants.len() { Ok(()) } else { Err(ChangeError::OffGrid(cell)) }
    }

    fn expect_free(&self, cell: Cell) -> Result<(), ChangeError> {
        self.expect_on_grid(cell)?;
        let (x, y) = self.grid.position(cell);
        if !self.grid.is_floor(cell) {
            return Err(ChangeError::Wall { x, y });
        }
        match self.occupant(cell) {
            Some(by) => Err(ChangeError::Occupied { by, x, y }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
#[path = "world_test.rs"]
mod tests;
