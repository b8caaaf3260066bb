//! Lifelong crowds: an agent that reaches its goal gets another one, as robots in a warehouse do.
//!
//! # What it does
//! [`Lifelong`] looks at a world before each tick. An agent that stands on its goal at the end of a tick has reached it: the goal is
//! counted, once, and the agent has its next goal in the next tick. [`Goals`] says where the goals come from: they are drawn from
//! a seed ([`DrawnGoals`]) or listed ([`ListedGoals`]).
//!
//! # What it promises
//! - The first goal of an agent is the one that it begins with. An agent that begins on its goal has not reached anything: it is
//!   sent on before the first tick, and nothing is counted.
//! - No agent is given a goal that another agent has at that moment, so that the goals of a crowd stay distinct if they were
//!   distinct in the beginning.
//! - No agent is given a goal that it cannot reach. The floor is taken as it was when the goals were made: if a game closes cells, goals on them
//!   are left out, but what lies behind them is not known to be cut off.
//! - An agent for which there is no goal stays where it is, is not counted again, and is looked at again before the next tick.
//! - Goals are given in the order of the agents' slots, and the same world and goals give the same sequence.
//!
//! # Cost
//! A tick takes time that grows with the number of agents, by some nanoseconds each. Memory: 4 bytes for each cell of the map, 32 for each
//! agent, and what [`Goals`] hold.
//!
//! ```
//! use jostle::instance::Kind;
//! use jostle::lifelong::{DrawnGoals, Lifelong};
//! use jostle::planners::planner;
//! use jostle::{Grid, Instance, Limits, Simulation};
//!
//! let instance = Instance::draw(Grid::open(20, 20)?, Kind::Random, 30, 1)?;
//! let mut lifelong = Lifelong::new(DrawnGoals::anywhere(instance.grid(), 1));
//! let mut world = instance.world();
//! let outcome = Simulation::new(&mut world, planner("jostle")?.as_mut())
//!     .limits(Limits::ticks(200))
//!     .lifelong(&mut lifelong)
//!     .run()?;
//! assert_eq!(outcome.metrics.ticks, 200, "it never ends by itself");
//! let goals_a_tick = lifelong.service().goals() as f64 / 200.0;
//! assert!(goals_a_tick > 1.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod drawn;
mod listed;
mod service;

pub use drawn::DrawnGoals;
pub use listed::{ListedGoals, ListedGoalsError};
pub use service::ServiceTimes;

use crate::grid::Cell;
use crate::world::{Agent, AgentId, World};

/// Where new goals come from.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Goals {
    /// They are drawn from a seed.
    Drawn(Box<DrawnGoals>),
    /// They are listed.
    Listed(ListedGoals),
}

impl From<DrawnGoals> for Goals {
    fn from(goals: DrawnGoals) -> Self {
        Self::Drawn(Box::new(goals))
    }
}

impl From<ListedGoals> for Goals {
    fn from(goals: ListedGoals) -> Self {
        Self::Listed(goals)
    }
}

/// Gives new goals to agents that arrive, and counts those that were reached.
#[derive(Clone, Debug)]
pub struct Lifelong {
    goals: Goals,
    /// What each agent is doing, by slot.
    errands: Vec<Option<Errand>>,
    /// How many agents have a cell as their goal, by cell.
    wanted: Vec<u32>,
    service: ServiceTimes,
}

/// The present goal of an agent.
#[derive(Clone, Copy, Debug)]
struct Errand {
    agent: AgentId,
    goal: Cell,
    /// How many ticks had passed when it got the goal.
    since: u64,
    /// Whether it has not reached the goal.
    is_open: bool,
    /// How many goals it was given before, apart from its first.
    given: u64,
}

impl Lifelong {
    /// Takes new goals from here.
    pub fn new(goals: impl Into<Goals>) -> Self {
        Self {
            goals: goals.into(),
            errands: Vec::new(),
            wanted: Vec::new(),
            service: ServiceTimes::default(),
        }
    }

    /// How many goals were reached, and how long that took.
    pub const fn service(&self) -> &ServiceTimes {
        &self.service
    }

    /// Where the goals come from, with what is left of it.
    pub const fn goals(&self) -> &Goals {
        &self.goals
    }

    /// Counts the goals that were reached in the tick that has passed, and gives new ones.
    ///
    /// To be called before each tick, and before the game makes other changes.
    pub fn send(&mut self, world: &mut World) {
        self.count(world);
        for slot in 0..world.slots() {
            let arrived = |agent: &Agent| agent.ours && agent.has_arrived();
            if let Some(agent) = world.in_slot(slot).filter(arrived)
                && let Some(goal) = self.next_goal(world, &agent)
            {
                // The agent is there, and the goal is floor, so the world does not refuse it.
                let sent = world.send(agent.id, goal);
                debug_assert!(sent.is_ok(), "{sent:?}");
                self.begin_next(slot, goal, world.tick());
            }
        }
    }

    /// Counts the goals that were reached in the tick that has passed. [`send`](Self::send) does it too; after the last tick of a run
    /// nobody has to be sent on. Nothing is counted twice.
    pub fn count(&mut self, world: &World) {
        let now = world.tick();
        self.wanted.resize(world.grid().cells().len(), 0);
        self.errands.resize(world.slots().max(self.errands.len()), None);
        for slot in 0..self.errands.len() {
            let agent = world.in_slot(slot).filter(|agent| agent.ours);
            match (&mut self.errands[slot], agent) {
                (Some(errand), Some(agent)) if errand.agent == agent.id => {
                    if errand.goal != agent.goal {
                        self.wanted[errand.goal.index()] -= 1;
                        self.wanted[agent.goal.index()] += 1;
                        *errand = Errand { goal: agent.goal, since: now, is_open: true, ..*errand };
                    } else if errand.is_open && agent.has_arrived() && now > errand.since {
                        errand.is_open = false;
                        self.service.add(now - errand.since);
                    }
                }
                (errand, agent) => {
                    if let Some(gone) = errand.take() {
                        self.wanted[gone.goal.index()] -= 1;
                    }
                    if let Some(Agent { id, goal, .. }) = agent {
                        self.wanted[goal.index()] += 1;
                        let is_open = agent.is_some_and(|agent| !agent.has_arrived());
                        *errand = Some(Errand { agent: id, goal, since: now, is_open, given: 0 });
                    }
                }
            }
        }
    }

    fn next_goal(&mut self, world: &World, agent: &Agent) -> Option<Cell> {
        let errand = self.errands.get(agent.slot())?.filter(|errand| !errand.is_open)?;
        let (wanted, grid) = (&self.wanted, world.grid());
        // An agent's own goal does not count as wanted by another one.
        let is_free = |cell: Cell| {
            wanted[cell.index()] == u32::from(cell == errand.goal) && grid.is_floor(cell)
        };
        match &mut self.goals {
            Goals::Drawn(drawn) => drawn.next(agent, errand.given, is_free),
            Goals::Listed(listed) => listed.next(agent, is_free),
        }
    }

    fn begin_next(&mut self, slot: usize, goal: Cell, now: u64) {
        if let Some(errand) = &mut self.errands[slot] {
            self.wanted[errand.goal.index()] -= 1;
            self.wanted[goal.index()] += 1;
            let given = errand.given + 1;
            *errand = Errand { goal, since: now, is_open: true, given, ..*errand };
        }
    }
}

#[cfg(test)]
#[path = "lifelong_test.rs"]
mod tests;
