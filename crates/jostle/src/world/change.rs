//! What the game does between ticks, as commands.

use super::AgentId;
use crate::grid::{Cell, OutsideMap};

/// One thing that the game does between two ticks: [`World::apply`](super::World::apply) makes it so.
///
/// `A` is how agents are named and `P` how places are: by [`AgentId`] and [`Cell`] in a world, by numbers and
/// positions in a [`Script`](crate::Script).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Change<A = AgentId, P = Cell> {
    /// A new agent appears.
    Join {
        /// The newcomer's name: [`World::next_id`](super::World::next_id) in a world.
        agent: A,
        /// The free floor cell on which it appears.
        cell: P,
        /// Where it wants to be.
        goal: P,
        /// Whether planners move it.
        ours: bool,
    },
    /// An agent disappears. Its name is never given to another one.
    Leave {
        /// The agent, whose cell is free afterwards.
        agent: A,
    },
    /// An agent gets a new goal.
    Send {
        /// The agent, which stays where it is until the next tick.
        agent: A,
        /// The goal; it may be a wall or out of reach.
        goal: P,
    },
    /// An agent is put on another cell, however far. This is how foreign agents move.
    Place {
        /// The agent, which keeps its goal.
        agent: A,
        /// A free floor cell.
        cell: P,
    },
    /// A cell turns into floor or into a wall.
    SetFloor {
        /// The cell. An agent that stands there may stay, and leave when it likes; nobody enters a wall.
        cell: P,
        /// Whether it can be walked from now on.
        is_floor: bool,
    },
}

impl<A: Copy, P: Copy> Change<A, P> {
    /// The agent that the change is about, if it is about one.
    pub const fn agent(&self) -> Option<A> {
        match *self {
            Self::Join { agent, .. }
            | Self::Leave { agent }
            | Self::Send { agent, .. }
            | Self::Place { agent, .. } => Some(agent),
            Self::SetFloor { .. } => None,
        }
    }

    /// The places that the change names.
    pub fn places(&self) -> impl Iterator<Item = P> {
        let (first, second) = match *self {
            Self::Join { cell, goal, .. } => (Some(cell), Some(goal)),
            Self::Leave { .. } => (None, None),
            Self::Send { goal, .. } => (Some(goal), None),
            Self::Place { cell, .. } | Self::SetFloor { cell, .. } => (Some(cell), None),
        };
        first.into_iter().chain(second)
    }

    /// The same change in other terms.
    ///
    /// # Errors
    /// Whatever `agent` and `place` say of what they cannot name.
    pub fn try_map<B, Q, E>(
        self,
        rename: impl FnOnce(A) -> Result<B, E>,
        mut locate: impl FnMut(P) -> Result<Q, E>,
    ) -> Result<Change<B, Q>, E> {
        Ok(match self {
            Self::Join { agent, cell, goal, ours } => Change::Join {
                agent: rename(agent)?,
                cell: locate(cell)?,
                goal: locate(goal)?,
                ours,
            },
            Self::Leave { agent } => Change::Leave { agent: rename(agent)? },
            Self::Send { agent, goal } => {
                Change::Send { agent: rename(agent)?, goal: locate(goal)? }
            }
            Self::Place { agent, cell } => {
                Change::Place { agent: rename(agent)?, cell: locate(cell)? }
            }
            Self::SetFloor { cell, is_floor } => Change::SetFloor { cell: locate(cell)?, is_floor },
        })
    }
}

/// Why the world refused a change. Nothing has changed then.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChangeError {
    /// No such agent, or it left.
    #[error("{0} is not in the world")]
    NoSuchAgent(AgentId),
    /// A newcomer cannot have this name: it is taken, or another one is next.
    #[error("the next agent to join cannot be called {0}")]
    NameTaken(AgentId),
    /// A position is not on the map.
    #[error(transparent)]
    Outside(#[from] OutsideMap),
    /// An agent cannot stand in a wall.
    #[error("({x}, {y}) is a wall")]
    Wall {
        /// Column of the cell.
        x: u32,
        /// Row of the cell.
        y: u32,
    },
    /// Another agent stands there.
    #[error("{by} stands on ({x}, {y}) already")]
    Occupied {
        /// The agent on the cell.
        by: AgentId,
        /// Column of the cell.
        x: u32,
        /// Row of the cell.
        y: u32,
    },
}
