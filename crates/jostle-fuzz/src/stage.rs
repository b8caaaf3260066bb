//! The engine's world and the model of it, side by side: whatever is done to one is done to the other, and every
//! difference is a fault.

use std::collections::HashMap;

use jostle::planners::Planner;
use jostle::{AgentId, Change as WorldChange, Moves, Work, World};

use crate::fault::{Fault, ensure};
use crate::model::{Model, NONE};
use crate::scene::{Change, Floor, Point};

/// For whom a joint move was made.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Audience {
    /// The agents that are present.
    Present,
    /// Those of an earlier moment: some have joined or left since.
    Former,
}

/// A world and its model.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The engine's world.
    pub world: World,
    /// The model of it.
    pub model: Model,
    /// The names of the model's agents in the engine.
    ids: Vec<AgentId>,
    /// The model's numbers of the agents of a scene.
    cast: HashMap<u32, u32>,
    moves: Moves,
    /// The next cell of each agent of the model.
    next: Vec<u32>,
}

impl Stage {
    /// A floor without agents; `None` if it has no cells.
    pub fn new(floor: &Floor) -> Option<Self> {
        let (width, height) = floor.size();
        Some(Self {
            world: World::new(floor.grid()?),
            model: Model::new(width, height, floor.rules, |at| floor.is_floor(at)),
            ids: Vec::new(),
            cast: HashMap::new(),
            moves: Moves::default(),
            next: Vec::new(),
        })
    }

    /// The engine's name of an agent of the scene, if it ever joined.
    pub fn id(&self, agent: u32) -> Option<AgentId> {
        self.cast.get(&agent).map(|&number| self.ids[number as usize])
    }

    /// Makes a change in both. Returns whether it was accepted.
    ///
    /// # Errors
    /// When one accepts what the other refuses.
    pub fn apply(&mut self, change: &Change) -> Result<bool, Fault> {
        let number = |agent: u32| self.cast.get(&agent).copied();
        let must_be_accepted = match *change {
            Change::Join(newcomer) => {
                self.model.join(newcomer.at, newcomer.goal(), newcomer.ours).is_some()
            }
            Change::Leave { agent } => self.model.leave(number(agent)),
            Change::Send { agent, to } => self.model.send(number(agent), to),
            Change::Place { agent, at } => self.model.place(number(agent), at),
            Change::SetFloor { at, is_floor } => self.model.set_floor(at, is_floor),
        };
        let joins = self.world.next_id();
        let applied = self.apply_to_world(change);
        ensure(applied.is_ok() == must_be_accepted, "the world and the model differ", || {
            let refused = applied.as_ref().err();
            format!("{change:?}: the model accepts it: {must_be_accepted}; the world: {refused:?}")
        })?;
        if let Change::Join(newcomer) = change
            && must_be_accepted
        {
            self.cast.insert(newcomer.agent, self.ids.len() as u32);
            self.ids.push(joins);
        }
        Ok(must_be_accepted)
    }

    fn apply_to_world(&mut self, change: &Change) -> Result<(), String> {
        let id = |agent: u32| self.id(agent).ok_or_else(|| "it never joined".to_owned());
        let cell = |at: Point| self.world.grid().locate(at).map_err(|error| error.to_string());
        let change = match *change {
            Change::Join(newcomer) => WorldChange::Join {
                agent: self.world.next_id(),
                cell: cell(newcomer.at)?,
                goal: cell(newcomer.goal())?,
                ours: newcomer.ours,
            },
            Change::Leave { agent } => WorldChange::Leave { agent: id(agent)? },
            Change::Send { agent, to } => WorldChange::Send { agent: id(agent)?, goal: cell(to)? },
            Change::Place { agent, at } => {
                WorldChange::Place { agent: id(agent)?, cell: cell(at)? }
            }
            Change::SetFloor { at, is_floor } => {
                WorldChange::SetFloor { cell: cell(at)?, is_floor }
            }
        };
        self.world.apply(change).map_err(|error| error.to_string())
    }

    /// Lets the planner decide a tick and makes it in both.
    ///
    /// # Errors
    /// When the planner proposes what the model calls illegal, the world does not agree with the model about that,
    /// or agents stand elsewhere than they should afterwards.
    pub fn tick(&mut self, planner: &mut dyn Planner) -> Result<Work, Fault> {
        let mut moves = std::mem::take(&mut self.moves);
        moves.reset(&self.world);
        let work = planner.plan(&self.world, &mut moves);
        let verdict = self.advance(&moves, Audience::Present);
        self.moves = moves;
        match verdict? {
            Ok(()) => Ok(work),
            Err(reason) => {
                let tick = self.world.tick();
                Err(Fault::new(
                    "a planner proposes an illegal move",
                    format!("tick {tick}: {reason}"),
                ))
            }
        }
    }

    /// Offers a joint move to both, which was made for these agents. Returns whether it was legal, or why not.
    ///
    /// # Errors
    /// When the world and the model do not agree, or the world has not done what it should.
    pub fn advance(
        &mut self,
        moves: &Moves,
        audience: Audience,
    ) -> Result<Result<(), String>, Fault> {
        self.next.clear();
        let next = |id: &AgentId| moves.next(*id).map_or(NONE, |cell| cell.index() as u32);
        self.next.extend(self.ids.iter().map(next));
        let tick = self.world.tick();
        let verdict = match audience {
            Audience::Present => self.model.check(&self.next),
            Audience::Former => Err("agents have joined or left since".to_owned()),
        };
        let advanced = self.world.advance(moves);
        ensure(advanced.is_ok() == verdict.is_ok(), "the world and the model differ", || {
            format!("tick {tick}: the model says {verdict:?}, the world {advanced:?}")
        })?;
        if verdict.is_ok() {
            self.model.advance(&self.next);
        }
        let changes = self.world.changes().len();
        ensure(verdict.is_err() || changes == 0, "old changes stay in the log", || {
            format!("{changes} after tick {tick}")
        })?;
        let expected = tick + u64::from(verdict.is_ok());
        ensure(self.world.tick() == expected, "the clock is wrong", || {
            format!("tick {} where {expected} is expected", self.world.tick())
        })?;
        self.compare_agents()?;
        Ok(verdict)
    }

    /// Compares what the world and the model say about every agent.
    ///
    /// # Errors
    /// The first difference.
    pub fn compare_agents(&self) -> Result<(), Fault> {
        let wrong = |agent: usize, what: &str| {
            let (piece, found) = (self.model.pieces()[agent], self.world.agent(self.ids[agent]));
            let message = format!("{what} of agent {agent}: {found:?} where {piece:?} is expected");
            Err(Fault::new("an agent is not where it should be", message))
        };
        for (agent, (piece, &id)) in self.model.pieces().iter().zip(&self.ids).enumerate() {
            match self.world.agent(id) {
                None if !piece.is_present() => {}
                None => return wrong(agent, "the presence"),
                Some(_) if !piece.is_present() => return wrong(agent, "the absence"),
                Some(found) if found.cell.index() as u32 != piece.at => {
                    return wrong(agent, "the cell");
                }
                Some(found) if found.goal.index() as u32 != piece.goal => {
                    return wrong(agent, "the goal");
                }
                Some(found) if found.ours != piece.ours => return wrong(agent, "the side"),
                Some(found) if self.world.occupant(found.cell) != Some(id) => {
                    return wrong(agent, "the occupant of the cell");
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// Compares what the world and the model say about every cell.
    ///
    /// # Errors
    /// The first difference.
    pub fn compare_cells(&self) -> Result<(), Fault> {
        let grid = self.world.grid();
        for (cell, &is_floor) in grid.cells().zip(self.model.floor()) {
            let index = cell.index() as u32;
            let occupant = self.model.standing_on(index).map(|agent| self.ids[agent as usize]);
            let is_same = grid.is_floor(cell) == is_floor && self.world.occupant(cell) == occupant;
            ensure(is_same, "a cell is not what it should be", || {
                format!("{:?}: floor {is_floor}, occupant {occupant:?}", self.model.point(index))
            })?;
        }
        ensure(self.world.agents().count() == self.model.present(), "agents were lost", || {
            format!("{} instead of {}", self.world.agents().count(), self.model.present())
        })
    }
}
