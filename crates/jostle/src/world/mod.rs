//! The grid, every agent, and the clock: the authority on where agents stand.

mod advance;
mod agent;
mod change;
mod configuration;
mod draft;
mod log;
mod moves;
mod population;

pub use agent::{Agent, AgentId};
pub use change::{Change, ChangeError};
pub use configuration::Configuration;
pub(crate) use configuration::NOBODY;
pub use draft::Draft;
pub use moves::{IllegalMove, Moves};
pub(crate) use population::Errands;

use std::ops::Range;
use std::sync::Arc;

use crate::grid::{Cell, Grid, mix};
use crate::tally::{self, Kind};
use log::Log;
use population::Population;

/// The grid, every agent, and the clock.
///
/// The world is the safety gate: [`World::advance`] carries out what a planner proposes only if
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
/// assert!(world.advance(&moves).is_err()); // a swap: no agent has moved
///
/// moves.set(right, c);
/// world.advance(&moves)?; // entering a cell that its occupant leaves is legal
/// assert_eq!(world.occupant(c), Some(right));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct World {
    /// Shared with traces and planners; an edit makes a copy if it is shared.
    grid: Arc<Grid>,
    /// Agents are numbered by their slots.
    configuration: Configuration,
    /// What is known about the agent in each slot, apart from its cell.
    tenants: Vec<Tenant>,
    population: Population,
    errands: Errands,
    /// How many agents of ours are not on their goals.
    away: usize,
    /// How many agents are not ours.
    foreign: usize,
    /// The slots of the agents that moved in the last tick, in order; empty after a joint move that was refused.
    moved: Vec<u32>,
    /// Slots that can be given to the next agents that join. One whose IDs were all given is not
    /// among them.
    vacant: Vec<u32>,
    tick: u64,
    log: Log,
}

/// The agent in a slot; in a vacant slot, the last agent that had it.
#[derive(Clone, Copy, Debug)]
struct Tenant {
    id: AgentId,
    goal: Cell,
    /// False in a vacant slot.
    ours: bool,
}

impl World {
    /// A floor without agents, at tick 0.
    pub fn new(grid: impl Into<Arc<Grid>>) -> Self {
        let grid = grid.into();
        Self {
            configuration: Configuration::empty(&grid),
            grid,
            tenants: Vec::new(),
            population: Population::default(),
            errands: Errands::default(),
            away: 0,
            foreign: 0,
            moved: Vec::new(),
            vacant: Vec::new(),
            tick: 0,
            log: Log::default(),
        }
    }

    /// The floor.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The floor, to be shared. A clone of it is not affected by later edits.
    pub const fn shared_grid(&self) -> &Arc<Grid> {
        &self.grid
    }

    /// Where every agent stands. Agents are numbered by their slots.
    pub const fn configuration(&self) -> &Configuration {
        &self.configuration
    }

    /// How many ticks have passed.
    pub const fn tick(&self) -> u64 {
        self.tick
    }

    /// How many slots there are, including vacant ones: the length of arrays with one element for each agent.
    pub fn slots(&self) -> usize {
        self.tenants.len()
    }

    /// All agents in the world, in the order of their slots.
    pub fn agents(&self) -> impl Iterator<Item = Agent> + Clone {
        self.agents_in(0..self.slots()).filter(|agent| agent.cell != Cell::NOWHERE)
    }

    /// The agents that planners move, in the order of their slots.
    pub fn ours(&self) -> impl Iterator<Item = Agent> + Clone {
        self.ours_in(0..self.slots())
    }

    /// The agents that planners move in these slots, as far as there are such slots, in order.
    pub fn ours_in(&self, slots: Range<usize>) -> impl Iterator<Item = Agent> + Clone {
        self.agents_in(slots).filter(|agent| agent.ours)
    }

    /// The agents that planners move, in the order of their slots, starting at `slot` and wrapping around.
    pub fn ours_from(&self, slot: usize) -> impl Iterator<Item = Agent> + Clone {
        self.ours_in(slot..self.slots()).chain(self.ours_in(0..slot))
    }

    /// The agent in a slot, unless it is vacant.
    pub fn in_slot(&self, slot: usize) -> Option<Agent> {
        let cell = self.configuration.cell(slot)?;
        let Tenant { id, goal, ours } = self.tenants[slot];
        Some(Agent { id, cell, goal, ours })
    }

    /// The agent with an ID, if it has not left.
    pub fn agent(&self, id: AgentId) -> Option<Agent> {
        self.in_slot(id.slot()).filter(|agent| agent.id == id)
    }

    /// The ID of the agent on a cell.
    pub fn occupant(&self, cell: Cell) -> Option<AgentId> {
        self.configuration.occupant(cell).map(|slot| self.id(slot))
    }

    /// The agent on a cell.
    pub fn agent_on(&self, cell: Cell) -> Option<Agent> {
        self.configuration.occupant(cell).and_then(|slot| self.in_slot(slot))
    }

    /// Whether an agent stands on a cell.
    pub fn is_occupied(&self, cell: Cell) -> bool {
        self.configuration.is_occupied(cell)
    }

    /// Whether a foreign agent stands on a cell.
    pub fn is_foreign(&self, cell: Cell) -> bool {
        self.configuration.occupant(cell).is_some_and(|slot| !self.tenants[slot].ours)
    }

    /// Whether every agent of ours stands on its goal.
    pub fn have_all_arrived(&self) -> bool {
        self.away == 0
    }

    /// The changes since the last tick, in order.
    pub fn changes(&self) -> &[Change] {
        self.log.pending()
    }

    /// How many changes were made since the world was created. An observer passes this number to
    /// [`previous_changes`](Self::previous_changes) to see only later changes.
    pub const fn change_count(&self) -> u64 {
        self.log.count()
    }

    /// The changes made just before the tick that has just passed, in order, without the first `after` changes of
    /// this world.
    pub fn previous_changes(&self, after: u64) -> &[Change] {
        self.log.previous(after)
    }

    /// The ID that the next agent to join will have.
    pub fn next_id(&self) -> AgentId {
        let again = self.vacant.last().and_then(|&slot| self.id(slot as usize).next_generation());
        again.unwrap_or_else(|| AgentId::new(self.slots() as u32, 0))
    }

    /// The present as one number: the tick, the map, every agent with its ID, its cell and its goal, and the ID that comes next. Equal
    /// for worlds that are equal in all of that, on any machine, and otherwise, barring a collision, different.
    ///
    /// Cost: a few dozen nanoseconds for each agent.
    pub fn fingerprint(&self) -> u64 {
        let present = [self.tick, self.grid.fingerprint(), self.next_id().to_bits()];
        let agents = self.agents().flat_map(|Agent { id, cell, goal, ours }| {
            // The goals of foreign agents mean nothing.
            let goal = if ours { goal } else { Cell::NOWHERE };
            [id.to_bits(), cell.index() as u64, goal.index() as u64]
        });
        present.into_iter().chain(agents).fold(0, |hash, word| mix(hash ^ word))
    }

    /// Makes one change between two ticks. Apart from [`World::advance`], every change to a world is made here.
    ///
    /// # Errors
    /// When the change is not possible: the error says why, and nothing has changed.
    pub fn apply(&mut self, change: Change) -> Result<(), ChangeError> {
        for cell in change.places() {
            self.expect_on_grid(cell)?;
        }
        let slot = change.agent().map(AgentId::slot);
        let was_away = slot.is_some_and(|slot| self.is_away(slot));
        match change {
            Change::Join { agent, .. } if agent != self.next_id() => {
                return Err(ChangeError::NameTaken(agent));
            }
            Change::Join { agent, cell, goal, ours } => {
                self.expect_free(cell)?;
                let tenant = Tenant { id: agent, goal, ours };
                if let Some(vacant) = self.tenants.get_mut(agent.slot()) {
                    *vacant = tenant;
                    self.vacant.pop();
                } else {
                    self.tenants.push(tenant);
                }
                self.foreign += usize::from(!ours);
                self.population.note(agent);
                self.configuration.place(agent.slot(), cell);
            }
            Change::Leave { agent } => {
                self.foreign -= usize::from(!self.expect(agent)?.ours);
                self.configuration.remove(agent.slot());
                self.tenants[agent.slot()].ours = false;
                // Otherwise an ID that somebody may still hold would be given once more.
                if agent.next_generation().is_some() {
                    self.vacant.push(agent.slot() as u32);
                }
                self.population.note(agent);
            }
            Change::Send { agent, goal } => {
                self.expect(agent)?;
                self.tenants[agent.slot()].goal = goal;
            }
            Change::Place { agent, cell } => {
                if self.expect(agent)?.cell == cell {
                    return Ok(());
                }
                self.expect_free(cell)?;
                self.configuration.place(agent.slot(), cell);
            }
            Change::SetFloor { cell, is_floor } => {
                if self.grid.is_floor(cell) == is_floor {
                    return Ok(());
                }
                Arc::make_mut(&mut self.grid).set_floor(cell, is_floor);
            }
        }
        let is_away = slot.is_some_and(|slot| self.is_away(slot));
        self.away = self.away + usize::from(is_away) - usize::from(was_away);
        self.errands.note(&change);
        self.log.add(change);
        Ok(())
    }

    /// Adds an agent of ours.
    ///
    /// # Errors
    /// When the cell is a wall, occupied or not on the grid, or the goal is not on the grid.
    pub fn add(&mut self, cell: Cell, goal: Cell) -> Result<AgentId, ChangeError> {
        self.join(cell, goal, true)
    }

    /// Adds an agent that only the game moves: an opponent, the player.
    ///
    /// # Errors
    /// When the cell is a wall, occupied or not on the grid.
    pub fn add_foreign(&mut self, cell: Cell) -> Result<AgentId, ChangeError> {
        self.join(cell, cell, false)
    }

    /// Removes an agent from the world.
    ///
    /// # Errors
    /// When it is not in the world.
    pub fn remove(&mut self, agent: AgentId) -> Result<(), ChangeError> {
        self.apply(Change::Leave { agent })
    }

    /// Gives an agent a new goal. The goal may be a wall or out of reach: then the agent cannot arrive,
    /// which is not an error.
    ///
    /// # Errors
    /// When the agent is not in the world or the goal is not on the grid.
    pub fn send(&mut self, agent: AgentId, goal: Cell) -> Result<(), ChangeError> {
        self.apply(Change::Send { agent, goal })
    }

    /// Puts an agent on another cell, at any distance. This is how the game moves foreign agents.
    ///
    /// # Errors
    /// When the agent is not in the world, or the cell is a wall, occupied by another agent or not on the grid.
    pub fn place(&mut self, agent: AgentId, cell: Cell) -> Result<(), ChangeError> {
        self.apply(Change::Place { agent, cell })
    }

    /// Turns a cell into floor or into a wall. An agent on a new wall may stay there or step out at any
    /// time; no agent can enter it.
    ///
    /// # Errors
    /// When the cell is not on the grid.
    pub fn set_floor(&mut self, cell: Cell, is_floor: bool) -> Result<(), ChangeError> {
        self.apply(Change::SetFloor { cell, is_floor })
    }

    /// Bytes this world holds, not counting its grid.
    pub fn memory(&self) -> usize {
        self.configuration.memory()
            + self.tenants.capacity() * size_of::<Tenant>()
            + self.vacant.capacity() * size_of::<u32>()
            + self.moved.capacity() * size_of::<u32>()
            + self.log.memory()
    }

    /// The IDs of the agents in all slots; for a vacant slot, that of the last agent that had it.
    fn ids(&self) -> impl Iterator<Item = AgentId> {
        self.tenants.iter().map(|tenant| tenant.id)
    }

    /// The ID of the agent in a slot; for a vacant slot, that of the last agent that had it.
    fn id(&self, slot: usize) -> AgentId {
        self.tenants[slot].id
    }

    /// Whether planners move the agent in a slot that is not vacant. In most worlds they move all, and nothing has to be looked up.
    pub(crate) fn is_ours(&self, slot: usize) -> bool {
        self.foreign == 0 || self.tenants[slot].ours
    }

    /// The goal of the agent in a slot; for a vacant slot, that of the last agent that had it.
    pub(crate) fn goal_of(&self, slot: usize) -> Cell {
        self.tenants[slot].goal
    }

    /// The slots of the agents that moved in the last tick, in order; none after a joint move that was refused.
    pub(crate) fn moved(&self) -> &[u32] {
        &self.moved
    }

    /// A hash of who is in which slot with which goal.
    pub(crate) const fn errands(&self) -> Errands {
        self.errands
    }

    /// Whether the agent in a slot is ours and not on its goal.
    fn is_away(&self, slot: usize) -> bool {
        self.tenants.get(slot).is_some_and(|tenant| {
            tenant.ours && self.configuration.raw_cells().get(slot) != Some(&tenant.goal)
        })
    }

    /// The agents in all slots. A vacant slot gives an agent that is nowhere and not ours.
    pub(crate) fn raw_agents(&self) -> impl Iterator<Item = Agent> + Clone {
        self.agents_in(0..self.slots())
    }

    /// The agents in some slots, as [`raw_agents`](Self::raw_agents) gives them.
    fn agents_in(&self, slots: Range<usize>) -> impl Iterator<Item = Agent> + Clone {
        let end = slots.end.min(self.slots());
        let slots = slots.start.min(end)..end;
        let cells = &self.configuration.raw_cells()[slots.clone()];
        let agent = |(&Tenant { id, goal, ours }, &cell)| {
            tally::note(Kind::Agent, 1);
            Agent { id, cell, goal, ours }
        };
        self.tenants[slots].iter().zip(cells).map(agent)
    }

    fn join(&mut self, cell: Cell, goal: Cell, ours: bool) -> Result<AgentId, ChangeError> {
        let agent = self.next_id();
        self.apply(Change::Join { agent, cell, goal, ours })?;
        Ok(agent)
    }

    fn expect(&self, id: AgentId) -> Result<Agent, ChangeError> {
        self.agent(id).ok_or(ChangeError::NoSuchAgent(id))
    }

    fn expect_on_grid(&self, cell: Cell) -> Result<(), ChangeError> {
        self.grid.locate(self.grid.position(cell))?;
        Ok(())
    }

    fn expect_free(&self, cell: Cell) -> Result<(), ChangeError> {
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
