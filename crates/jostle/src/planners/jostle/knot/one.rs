//! One knot: a plan for its agents is searched for while they stand still, and then followed.

use super::party::Party;
use super::solving::{Found, Method, Solving};
use super::stops::Stops;
use crate::grid::Cell;
use crate::search::Budget;
use crate::world::World;

/// For how many ticks agents that follow a plan wait for another one that is in their way.
const PATIENCE: u32 = 8;

/// A plan ends soon if no more ticks than this are left of it.
const SOON: u32 = 64;

#[derive(Clone, Debug)]
pub(super) struct Knot {
    pub party: Party,
    pub method: Method,
    stage: Stage,
    /// For how many ticks it has waited for another agent.
    waited: u32,
}

#[derive(Clone, Debug)]
enum Stage {
    /// Looking for a plan, while its agents stand still.
    Solving(Box<Solving>),
    /// Following the plan.
    Following(Stops),
}

/// What has become of a knot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fate {
    /// It is being undone.
    Open,
    /// Its plan was followed to its end.
    Undone,
    /// There is no plan.
    Impossible,
    /// No plan was found.
    Unsolved,
    /// Something has interfered.
    GivenUp,
}

impl Knot {
    /// A knot of agents that begin to look for a plan.
    pub fn of(party: Party, method: Method) -> Self {
        Self { party, method, stage: Stage::Solving(Box::default()), waited: 0 }
    }

    /// Whether a plan is still being searched for.
    pub const fn is_solving(&self) -> bool {
        matches!(self.stage, Stage::Solving(_))
    }

    /// Whether the plan takes long from now on.
    pub fn is_long(&self) -> bool {
        matches!(&self.stage, Stage::Following(stops) if stops.left() > SOON)
    }

    /// Goes on with the search for a plan, and sees whether it has ended or something has interfered.
    pub fn go_on(&mut self, world: &World, budget: &mut Budget<'_>) -> Fate {
        if self.waited > PATIENCE || !self.stands(world) {
            return Fate::GivenUp;
        }
        if let Stage::Solving(solving) = &mut self.stage {
            match solving.go_on(&mut self.party, self.method, budget) {
                Found::NotYet => {}
                Found::Plan(stops) => self.stage = Stage::Following(stops),
                Found::Impossible => return Fate::Impossible,
                Found::Nothing => return Fate::Unsolved,
            }
        }
        match &self.stage {
            Stage::Following(stops) if stops.left() == 0 => Fate::Undone,
            _ => Fate::Open,
        }
    }

    /// Whether all agents are where they should be.
    fn stands(&self, world: &World) -> bool {
        match &self.stage {
            Stage::Solving(_) => {
                let tasks = self.party.instance().tasks();
                self.party.stands_on(world, |agent| tasks[agent].0)
            }
            Stage::Following(stops) => self.party.stands_on(world, |agent| stops.now(agent)),
        }
    }

    /// Whether its next moves can be made: nobody else stands in the way. It has none while a plan is searched for.
    pub fn can_move(&self, world: &World) -> bool {
        let is_free = |cell| {
            let occupant = world.configuration().occupant(cell);
            occupant.is_none_or(|other| self.party.number(other).is_some())
        };
        matches!(self.stage, Stage::Following(_)) && self.steps(true).all(|(_, cell)| is_free(cell))
    }

    /// The slots of its agents with their next cells, or those on which they stand.
    pub fn steps(&self, moves: bool) -> impl Iterator<Item = (usize, Cell)> {
        let tasks = self.party.instance().tasks();
        self.party.slots.iter().enumerate().map(move |(agent, &slot)| {
            let cell = match &self.stage {
                Stage::Solving(_) => tasks[agent].0,
                Stage::Following(stops) if moves => stops.next(agent),
                Stage::Following(stops) => stops.now(agent),
            };
            (slot as usize, self.party.on_map(cell))
        })
    }

    /// A tick has passed in which its agents have moved, or waited.
    pub fn end_tick(&mut self, has_moved: bool) {
        match &mut self.stage {
            Stage::Following(stops) if has_moved => {
                stops.advance();
                self.waited = 0;
            }
            Stage::Following(_) => self.waited += 1,
            Stage::Solving(_) => {}
        }
    }

    /// Bytes held on the heap.
    pub fn memory(&self) -> usize {
        self.party.memory()
            + match &self.stage {
                Stage::Solving(solving) => size_of::<Solving>() + solving.memory(),
                Stage::Following(stops) => stops.memory(),
            }
    }
}
