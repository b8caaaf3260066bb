//! Goals that are listed.

use std::collections::VecDeque;

use crate::formats::{GoalList, GoalRow};
use crate::grid::{Cell, Components, Grid, OutsideMap};
use crate::world::Agent;

/// Goals from a list: those of an agent in their order, and then those that are for any agent, in the order in which agents arrive.
///
/// A goal that another agent has at that moment is passed over until it is free, and the next one of the list is given in its place. An
/// agent may be sent to the cell on which it stands: then it has reached it at the end of the next tick, unless it was pushed away.
///
/// Memory: 4 bytes for each goal, and 4 for each cell of the map.
#[derive(Clone, Debug)]
pub struct ListedGoals {
    components: Components,
    /// The goals of each agent, by slot.
    own: Vec<VecDeque<Cell>>,
    /// Those for any agent, by component of the floor.
    shared: Vec<VecDeque<Cell>>,
    left: usize,
}

/// Why a list of goals does not fit a map and its agents. Agents are counted from 0, lines from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ListedGoalsError {
    /// A goal is not on the map.
    #[error("line {line}: {source}")]
    Outside {
        /// The line of the list.
        line: usize,
        /// The place, and where the map ends.
        source: OutsideMap,
    },
    /// A goal is a wall.
    #[error("line {line}: the goal ({x}, {y}) is a wall")]
    Wall {
        /// The line of the list.
        line: usize,
        /// Column.
        x: u32,
        /// Row.
        y: u32,
    },
    /// A goal is for an agent that does not exist.
    #[error("line {line}: there is no agent {agent}: the {agents} agents are counted from 0")]
    NoSuchAgent {
        /// The line of the list.
        line: usize,
        /// The agent's number.
        agent: u32,
        /// How many agents there are.
        agents: usize,
    },
    /// No path leads from the agent to its goal.
    #[error("line {line}: no path leads from agent {agent} to the goal ({x}, {y})")]
    OutOfReach {
        /// The line of the list.
        line: usize,
        /// The agent's number.
        agent: u32,
        /// Column.
        x: u32,
        /// Row.
        y: u32,
    },
    /// No path leads from any agent to a goal that is for any of them.
    #[error("line {line}: no path leads from any agent to the goal ({x}, {y})")]
    OutOfReachForAll {
        /// The line of the list.
        line: usize,
        /// Column.
        x: u32,
        /// Row.
        y: u32,
    },
}

impl ListedGoals {
    /// The goals of a list, for agents that begin on these cells: the agent in slot 0 on the first, and so on.
    ///
    /// # Errors
    /// The first goal that is not on the map, a wall, out of reach, or for an agent that does not exist.
    pub fn new(list: &GoalList, grid: &Grid, starts: &[Cell]) -> Result<Self, ListedGoalsError> {
        let components = Components::of(grid);
        let mut is_inhabited = vec![false; components.count()];
        for label in starts.iter().filter_map(|&start| components.label(start)) {
            is_inhabited[label] = true;
        }
        let mut own = vec![VecDeque::new(); starts.len()];
        let mut shared = vec![VecDeque::new(); components.count()];
        for &GoalRow { line, agent, goal: (x, y) } in &list.rows {
            let cell =
                grid.locate((x, y)).map_err(|source| ListedGoalsError::Outside { line, source })?;
            let label = components.label(cell).ok_or(ListedGoalsError::Wall { line, x, y })?;
            let Some(agent) = agent else {
                if !is_inhabited[label] {
                    return Err(ListedGoalsError::OutOfReachForAll { line, x, y });
                }
                shared[label].push_back(cell);
                continue;
            };
            let agents = starts.len();
            let no_such_agent = ListedGoalsError::NoSuchAgent { line, agent, agents };
            let start = *starts.get(agent as usize).ok_or(no_such_agent)?;
            if components.label(start) != Some(label) {
                return Err(ListedGoalsError::OutOfReach { line, agent, x, y });
            }
            own[agent as usize].push_back(cell);
        }
        Ok(Self { components, own, shared, left: list.rows.len() })
    }

    /// How many goals no agent was given.
    pub const fn left(&self) -> usize {
        self.left
    }

    /// Takes the next goal of an agent from the list.
    pub(super) fn next(&mut self, agent: &Agent, is_free: impl Fn(Cell) -> bool) -> Option<Cell> {
        let component = self.components.label(agent.cell)?;
        let own = self.own.get_mut(agent.slot());
        let mut lists = own.into_iter().chain(self.shared.get_mut(component));
        let goal = lists.find_map(|list| {
            let first = list.iter().position(|&cell| is_free(cell))?;
            list.remove(first)
        })?;
        self.left -= 1;
        Some(goal)
    }
}
