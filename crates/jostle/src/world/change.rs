//! The changes that a game makes between ticks.

use super::AgentId;
use crate::grid::{Cell, OutsideMap};

/// One change that the game makes between two ticks: [`World::apply`](super::World::apply) carries it out.
///
/// `A` identifies agents and `P` places: [`AgentId`] and [`Cell`] in a world, numbers and positions in a
/// [`Script`](crate::Script).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Change<A = AgentId, P = Cell> {
    /// A new agent joins.
    Join {
        /// The ID of the new agent: [`World::next_id`](super::World::next_id) in a world.
        agent: A,
        /// The free floor cell on which it begins.
        cell: P,
        /// Its goal; it may be a wall or out of reach.
        goal: P,
        /// Whether planners move it.
        ours: bool,
    },
    /// An agent leaves. Its ID is never given to another one.
    Leave {
        /// The agent, whose cell is free afterwards.
        agent: A,
    },
    /// An agent gets a new goal.
    Send {
        /// The agent; it stays where it is until the next tick.
        agent: A,
        /// The new goal; it may be a wall or out of reach.
        goal: P,
    },
    /// An agent is put on another cell, at any distance. This is how foreign agents move.
    Place {
        /// The agent; it keeps its goal.
        agent: A,
        /// A free floor cell.
        cell: P,
    },
    /// A cell turns into floor or into a wall.
    SetFloor {
        /// The cell. An agent on a new wall may stay there or step out at any time; no agent can enter a wall.
        cell: P,
        /// Whether it can be walked from now on.
        is_floor: bool,
    },
}

impl<A: Copy, P: Copy> Change<A, P> {
    /// The agent that the change concerns, if any.
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

    /// The same change with agents and places translated by `rename` and `locate`.
    ///
    /// # Errors
    /// The first error that `rename` or `locate` returns.
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

/// Why the world refused a change. Nothing has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChangeError {
    /// No agent has this ID, or it has left.
    #[error("{0} is not in the world")]
    NoSuchAgent(AgentId),
    /// A new agent cannot have this ID: only [`World::next_id`](super::World::next_id) is accepted.
    #[error("the next agent to join cannot be called {0}")]
    NameTaken(AgentId),
    /// A position is not on the map.
    #[error(transparent)]
    Outside(#[from] OutsideMap),
    /// The cell is a wall, on which an agent cannot be put.
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
