//! How problems are drawn, and what counts their size.

use std::fmt;

use jostle::Grid;
use jostle::grid::Components;
use jostle::instance::{DrawError, Kind};
use jostle::meetings::MeetingInstanceError;

use crate::record::AsText;

/// How the agents of a problem were drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProblemKind {
    /// A crowd in which every agent has a goal of its own. Its size is the number of agents.
    Crowd(Kind),
    /// Pairs of agents that meet. The size is the number of their tasks, each of which has two agents.
    Meetings,
}

impl ProblemKind {
    /// Its name in records and keys.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Crowd(kind) => kind.name(),
            Self::Meetings => "meetings",
        }
    }

    /// The number of agents in a problem of this size.
    pub const fn agents(self, size: usize) -> usize {
        match self {
            Self::Crowd(_) => size,
            Self::Meetings => size.saturating_mul(2),
        }
    }

    /// The most agents that this kind can place on a map.
    pub fn room(self, grid: &Grid) -> usize {
        match self {
            Self::Crowd(kind) => kind.room(grid),
            Self::Meetings => {
                let components = Components::of(grid);
                components.largest().map_or(0, |label| components.size(label))
            }
        }
    }

    /// Why there is no problem of size 0.
    pub fn too_few(self) -> String {
        match self {
            Self::Crowd(_) => DrawError::NoAgents.to_string(),
            Self::Meetings => MeetingInstanceError::NoTasks.to_string(),
        }
    }
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl AsText for ProblemKind {
    fn text(&self) -> String {
        self.name().to_owned()
    }

    fn from_text(text: &str) -> Result<Self, String> {
        if text == Self::Meetings.name() {
            return Ok(Self::Meetings);
        }
        Kind::from_text(text).map(Self::Crowd)
    }
}

#[cfg(test)]
mod tests {
    use jostle::meetings::MeetingInstance;

    use super::*;

    #[test]
    fn as_many_pairs_can_be_drawn_as_there_is_room_for() {
        let grid = Grid::from_ascii("...#.\n..##.").unwrap();
        let room = ProblemKind::Meetings.room(&grid);
        assert_eq!((room, ProblemKind::Meetings.agents(2)), (5, 4));
        assert!(MeetingInstance::draw(grid.clone(), 2, 1).is_ok());
        assert!(MeetingInstance::draw(grid, 3, 1).is_err());
    }
}
