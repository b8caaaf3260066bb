//! A map with starts and goals, read or generated.

mod choke;
mod closures;
mod kinds;
mod single;

pub use choke::ChokePoint;
pub use closures::{Closures, ClosuresError};
pub use kinds::{DrawError, Kind};
pub use single::draw_single;

use std::collections::HashMap;
use std::sync::Arc;

use crate::formats::{Scenario, ScenarioRow};
use crate::grid::{Cell, Components, Grid, OutsideMap, SizeError};
use crate::script::{Script, ScriptError};
use crate::world::World;

/// The most memory that drawing and checking starts and goals takes for each cell of the map, in bytes, and the world
/// of an instance with it.
const BYTES_A_CELL: usize = 40;

/// The start and the goal of one agent.
pub type Task = (Cell, Cell);

/// A map with starts and goals: starts distinct, goals distinct, all on floor.
#[derive(Clone, Debug)]
pub struct Instance {
    grid: Arc<Grid>,
    tasks: Vec<Task>,
    script: Script,
}

/// Whether every goal must be reachable from its start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Reach {
    /// It must; otherwise there is no instance.
    #[default]
    Required,
    /// It need not be; an agent whose goal is out of reach never arrives.
    Optional,
}

/// Why starts and goals do not make an instance. Agents are counted from 0.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InstanceError {
    /// There are no agents.
    #[error("there are no agents")]
    NoAgents,
    /// A position is not on the map.
    #[error("{what} ({}, {}) of agent {agent} is outside the map of {}x{}", source.x, source.y, source.width, source.height)]
    Outside {
        /// The agent's number.
        agent: usize,
        /// "the start" or "the goal".
        what: &'static str,
        /// The position, and the size of the map.
        source: OutsideMap,
    },
    /// A position is a wall.
    #[error("{what} ({x}, {y}) of agent {agent} is a wall")]
    Wall {
        /// The agent's number.
        agent: usize,
        /// "the start" or "the goal".
        what: &'static str,
        /// Column.
        x: u32,
        /// Row.
        y: u32,
    },
    /// Two agents share a position.
    #[error("{what} ({x}, {y}) of agent {agent} is that of agent {other} already")]
    Shared {
        /// The agent's number.
        agent: usize,
        /// The agent that has it already.
        other: usize,
        /// "the start" or "the goal".
        what: &'static str,
        /// Column.
        x: u32,
        /// Row.
        y: u32,
    },
    /// No path leads from a start to its goal.
    #[error(
        "no path leads from the start ({}, {}) of agent {agent} to its goal ({}, {})",
        start.0, start.1, goal.0, goal.1
    )]
    OutOfReach {
        /// The agent's number.
        agent: usize,
        /// Its start.
        start: (u32, u32),
        /// Its goal.
        goal: (u32, u32),
    },
    /// A scenario has fewer rows than agents were asked for.
    #[error("the scenario has {found} rows, and {expected} agents are asked for")]
    TooFewRows {
        /// Rows it has.
        found: usize,
        /// Agents asked for.
        expected: usize,
    },
    /// The rows of a scenario ask for different sizes of its map.
    #[error("agent {agent} has a map of {}x{}, the agents before it of {}x{}", found.0, found.1, expected.0, expected.1)]
    SizesDiffer {
        /// The agent's number.
        agent: usize,
        /// Its size.
        found: (u32, u32),
        /// The size before.
        expected: (u32, u32),
    },
    /// A scenario asks for an impossible size of its map.
    #[error("{source}")]
    Scale {
        /// The first agent that asks for it.
        agent: usize,
        /// Why that is impossible.
        source: SizeError,
    },
    /// There is not enough memory for a map of this size.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// Agents could not be drawn.
    #[error(transparent)]
    Draw(#[from] DrawError),
}

impl InstanceError {
    /// The agent that is at fault, if it is a single one.
    pub const fn agent(&self) -> Option<usize> {
        match self {
            Self::Outside { agent, .. }
            | Self::Wall { agent, .. }
            | Self::Shared { agent, .. }
            | Self::OutOfReach { agent, .. }
            | Self::SizesDiffer { agent, .. }
            | Self::Scale { agent, .. } => Some(*agent),
            Self::NoAgents | Self::TooFewRows { .. } | Self::Size(_) | Self::Draw(_) => None,
        }
    }
}

impl Instance {
    /// Starts and goals on a map.
    ///
    /// # Errors
    /// When there are none, or one is a wall, used by another agent, or out of reach.
    pub fn new(
        grid: impl Into<Arc<Grid>>,
        tasks: Vec<Task>,
        reach: Reach,
    ) -> Result<Self, InstanceError> {
        let grid = grid.into();
        if tasks.is_empty() {
            return Err(InstanceError::NoAgents);
        }
        Grid::check_memory(grid.width(), grid.height(), BYTES_A_CELL)?;
        let (mut starts, mut goals) = (HashMap::new(), HashMap::new());
        for (agent, &(start, goal)) in tasks.iter().enumerate() {
            for (what, cell, seen) in
                [("the start", start, &mut starts), ("the goal", goal, &mut goals)]
            {
                let (x, y) = grid.position(cell);
                if !grid.is_floor(cell) {
                    return Err(InstanceError::Wall { agent, what, x, y });
                }
                if let Some(other) = seen.insert(cell, agent) {
                    return Err(InstanceError::Shared { agent, other, what, x, y });
                }
            }
        }
        if reach == Reach::Required {
            let components = Components::of(&grid);
            let is_cut = |&(start, goal): &Task| !components.connected(start, goal);
            if let Some(agent) = tasks.iter().position(is_cut) {
                let (start, goal) = tasks[agent];
                let (start, goal) = (grid.position(start), grid.position(goal));
                return Err(InstanceError::OutOfReach { agent, start, goal });
            }
        }
        Ok(Self { grid, tasks, script: Script::default() })
    }

    /// The same without any check, for the remaining problem of agents that are on their way: they may stand on cells that have
    /// turned into walls.
    pub(crate) fn unchecked(grid: Arc<Grid>, tasks: Vec<Task>) -> Self {
        Self { grid, tasks, script: Script::default() }
    }

    /// The same instance with a script: changes that happen during the run.
    ///
    /// # Errors
    /// When a change is about a position outside the map or an agent that is not there.
    pub fn with_script(self, script: Script) -> Result<Self, ScriptError> {
        script.check(&self.grid, self.tasks.len())?;
        Ok(Self { script, ..self })
    }

    /// The first `agents` rows of a scenario on its map, which is scaled if the rows ask for it.
    ///
    /// # Errors
    /// When there are fewer rows than that, or their starts and goals do not make an instance.
    pub fn from_scenario(
        grid: &Grid,
        scenario: &Scenario,
        agents: usize,
        reach: Reach,
    ) -> Result<Self, InstanceError> {
        let rows = scenario
            .rows
            .get(..agents)
            .ok_or(InstanceError::TooFewRows { found: scenario.rows.len(), expected: agents })?;
        let size = rows.first().and_then(|row| row.size);
        if let Some(agent) = rows.iter().position(|row| row.size != size) {
            let (found, expected) =
                (rows[agent].size.unwrap_or_default(), size.unwrap_or_default());
            return Err(InstanceError::SizesDiffer { agent, found, expected });
        }
        let grid = match size {
            Some((width, height)) if (width, height) != (grid.width(), grid.height()) => {
                let scaled = grid.scaled(width, height);
                scaled.map_err(|source| InstanceError::Scale { agent: 0, source })?
            }
            _ => grid.clone(),
        };
        let cell = |agent, what, position| {
            grid.locate(position).map_err(|source| InstanceError::Outside { agent, what, source })
        };
        let task = |(agent, row): (usize, &ScenarioRow)| {
            Ok((cell(agent, "the start", row.start)?, cell(agent, "the goal", row.goal)?))
        };
        let tasks = rows.iter().enumerate().map(task).collect::<Result<_, InstanceError>>()?;
        Self::new(grid, tasks, reach)
    }

    /// Draws starts and goals. The same arguments give the same instance everywhere.
    ///
    /// # Errors
    /// When there are no agents, or no room for so many.
    pub fn draw(
        grid: impl Into<Arc<Grid>>,
        kind: Kind,
        agents: usize,
        seed: u64,
    ) -> Result<Self, InstanceError> {
        let grid = grid.into();
        Grid::check_memory(grid.width(), grid.height(), BYTES_A_CELL)?;
        let tasks = kind.draw(&grid, agents, seed)?;
        Self::new(grid, tasks, Reach::Required)
    }

    /// The map.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The map, to be shared.
    pub const fn shared_grid(&self) -> &Arc<Grid> {
        &self.grid
    }

    /// The changes that happen during the run.
    pub const fn script(&self) -> &Script {
        &self.script
    }

    /// Starts and goals, one pair for each agent.
    pub fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    /// Starts and goals as a scenario for the map of this name. A goal out of reach has the length 0.
    pub fn to_scenario(&self, map: &str) -> Scenario {
        Scenario::of(&self.grid, &self.tasks, map)
    }

    /// A world with the agents on their starts.
    pub fn world(&self) -> World {
        let mut world = World::new(Arc::clone(&self.grid));
        for &(start, goal) in &self.tasks {
            // Starts are distinct and on floor, so the world does not refuse them.
            let added = world.add(start, goal);
            debug_assert!(added.is_ok(), "{added:?}");
        }
        world
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instance(drawing: &str, tasks: &[[(u32, u32); 2]]) -> Result<Instance, String> {
        let grid = Grid::from_ascii(drawing).unwrap();
        let tasks =
            tasks.iter().map(|task| task.map(|(x, y)| grid.at(x, y).unwrap()).into()).collect();
        Instance::new(grid, tasks, Reach::Required).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_wrong_is_named_with_agent_and_cell() {
        type Case<'a> = (&'a [[(u32, u32); 2]], &'a str);
        let cases: [Case; 5] = [
            (&[], "there are no agents"),
            (&[[(1, 0), (0, 0)]], "the start (1, 0) of agent 0 is a wall"),
            (
                &[[(0, 0), (0, 1)], [(0, 0), (0, 0)]],
                "the start (0, 0) of agent 1 is that of agent 0 already",
            ),
            (
                &[[(0, 0), (0, 1)], [(0, 1), (0, 1)]],
                "the goal (0, 1) of agent 1 is that of agent 0 already",
            ),
            (
                &[[(0, 0), (2, 0)]],
                "no path leads from the start (0, 0) of agent 0 to its goal (2, 0)",
            ),
        ];
        for (tasks, expected) in cases {
            assert_eq!(instance(".#.\n.#.", tasks).unwrap_err(), expected);
        }
    }

    #[test]
    fn a_scenario_scales_its_map() {
        let grid = Grid::from_ascii(".#\n..").unwrap();
        let scenario = Scenario::parse("version 1\n0 x.map 4 4 1 1 3 3 4.0\n").unwrap();
        let instance = Instance::from_scenario(&grid, &scenario, 1, Reach::Required).unwrap();
        assert_eq!(instance.grid().to_ascii(), "..##\n..##\n....\n....\n");
        let error = Instance::from_scenario(&grid, &scenario, 2, Reach::Required).unwrap_err();
        assert_eq!(error.to_string(), "the scenario has 1 rows, and 2 agents are asked for");
    }

    #[test]
    fn an_instance_survives_being_written_as_a_scenario() {
        let instance = ChokePoint::Bridge { width: 2 }.instance().unwrap();
        let scenario = Scenario::parse(&instance.to_scenario("bridge.map").write()).unwrap();
        let again = Instance::from_scenario(instance.grid(), &scenario, 200, Reach::Required);
        assert_eq!(again.unwrap().tasks(), instance.tasks());
        assert_eq!(scenario.rows[0].bucket, 13, "52 cells straight ahead");
    }
}
