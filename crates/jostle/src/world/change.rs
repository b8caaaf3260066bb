//! What happens between ticks.

use super::AgentId;
use crate::grid::Cell;

/// What the game changed between two ticks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// An agent came.
    Arrived {
        /// Its name.
        agent: AgentId,
        /// Where it stands.
        cell: Cell,
        /// Where it wants to be.
        goal: Cell,
        /// Whether planners move it.
        ours: bool,
    },
    /// An agent is gone.
    Left {
        /// Its former name.
        agent: AgentId,
    },
    /// An agent has a new goal.
    Sent {
        /// Who.
        agent: AgentId,
        /// Where it wants to be now.
        goal: Cell,
    },
    /// The game put an agent on another cell. This is how foreign agents move.
    Placed {
        /// Who.
        agent: AgentId,
        /// Where it stands now.
        cell: Cell,
    },
    /// A cell turned into floor or into a wall.
    Edited {
        /// Which.
        cell: Cell,
        /// Whether it can be walked now.
        is_floor: bool,
    },
}

/// Why the world refused a change. Nothing has changed then.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ChangeError {
    /// No such agent, or it left.
    #[error("{0} is not in the world")]
    NoSuchAgent(AgentId),
    /// The cell is not on the grid.
    #[error("{0:?} is not on the grid")]
    OffGrid(Cell),
    /// The position is not on the grid.
    #[error("({x}, {y}) is outside the map")]
    Outside {
        /// Column.
        x: u32,
        /// Row.
        y: u32,
    },
    /// An agent cannot stand in a wall.
    #[error("({x}, {y}) is a wall")]
    Wall {
        /// Column.
        x: u32,
        /// Row.
        y: u32,
    },
    /// Another agent stands there.
    #[error("{by} stands on ({x}, {y}) already")]
    Occupied {
        /// Who.
        by: AgentId,
        /// Column.
        x: u32,
        /// Row.
        y: u32,
    },
}
