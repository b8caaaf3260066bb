//! One knot: a plan for its agents is searched for while they stand still, and then followed.

use super::party::Party;
use super::solving::{Found, Method, Solving};
use super::stops::Stops;
use crate::grid::Cell;
use crate::pibt::Step;
use crate::search::Budget;
use crate::world::World;

/// For how many ticks agents that follow a plan wait for another one that is in their way.
const PATIENCE: u32 = 8;

/// A plan ends soon if no more ticks than this are left of it.
const SOON: u32 = 128;

#[derive(Clone, Debug)]
pub(super) struct Knot {
    pub party: Party,
    pub method: Method,
    /// The search for a plan. If the plan comes in instalments, it goes on when the moves of one have been made.
    solving: Option<Box<Solving>>,
    /// The moves that are being made, or where agents stand meanwhile.
    stops: Stops,
    /// For how many ticks it has waited for another agent.
    waited: u32,
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
        let stops = Stops::standing(party.starts());
        Self { party, method, solving: Some(Box::default()), stops, waited: 0 }
    }

    /// Whether a plan is being searched for, while its agents stand still.
    pub const fn is_solving(&self) -> bool {
        self.solving.is_some() && !self.is_followed()
    }

    /// Whether its agents have moves to make.
    pub const fn is_followed(&self) -> bool {
        self.stops.left() > 0
    }

    /// Whether the plan takes long from now on.
    pub const fn is_long(&self) -> bool {
        let comes_in_instalments = self.solving.is_some() && self.stops.has_begun();
        self.stops.left() > SOON || comes_in_instalments
    }

    /// Goes on with the search for a plan, and sees whether it has ended or something has interfered.
    pub fn go_on(&mut self, world: &World, budget: &mut Budget<'_>) -> Fate {
        let stands = self.party.stands_on(world, |agent| self.stops.now(agent));
        if self.waited > PATIENCE || !stands {
            return Fate::GivenUp;
        }
        if let Some(solving) = self.solving.as_mut().filter(|_| self.stops.left() == 0) {
            match solving.go_on(&mut self.party, self.method, budget) {
                Found::NotYet => {}
                Found::Instalment(moves) => self.stops.begin(moves),
                Found::Plan(moves) => {
                    self.stops.begin(moves);
                    self.solving = None;
                }
                Found::Impossible => return Fate::Impossible,
                Found::Nothing => return Fate::Unsolved,
            }
        }
        let is_undone = self.solving.is_none() && !self.is_followed();
        if is_undone { Fate::Undone } else { Fate::Open }
    }

    /// Whether its next moves can be made: nobody else stands in the way. It has none while a plan is searched for.
    pub fn can_move(&self, world: &World) -> bool {
        let is_free = |cell| {
            let occupant = world.configuration().occupant(cell);
            occupant.is_none_or(|other| self.party.number(other).is_some())
        };
        self.is_followed() && self.steps(true).all(|(_, cell)| is_free(cell))
    }

    /// The slots of its agents with their next cells, or those on which they stand.
    pub fn steps(&self, moves: bool) -> impl Iterator<Item = (usize, Cell)> {
        self.party.slots.iter().enumerate().map(move |(agent, &slot)| {
            let cell = if moves { self.stops.next(agent) } else { self.stops.now(agent) };
            (slot as usize, self.party.on_map(cell))
        })
    }

    /// Keeps others from the cells that its agents will still enter, or may, if that is not known yet.
    pub fn close(&self, step: &mut Step) {
        // All agents on a whole part of the floor take part: there are no others.
        if self.party.is_whole {
            return;
        }
        if self.is_solving() {
            self.party.floor().for_each(|cell| step.close(cell));
        } else {
            self.stops.entered().for_each(|cell| step.close(self.party.on_map(cell)));
        }
    }

    /// A tick has passed in which its agents have moved, or waited.
    pub fn end_tick(&mut self, has_moved: bool) {
        if has_moved {
            self.stops.advance();
            self.waited = 0;
        } else if self.is_followed() {
            self.waited += 1;
        }
    }

    /// Bytes held on the heap.
    pub fn memory(&self) -> usize {
        let solving = self.solving.as_ref();
        self.party.memory()
            + solving.map_or(0, |solving| size_of::<Solving>() + solving.memory())
            + self.stops.memory()
    }
}
