//! Groups whose members exchange their goals on the way.
//!
//! It does not matter which member of a group stands on which of its goals. So a member that cannot get past another one that
//! has arrived, or pushes it along, takes over its goal, and the other one goes on in its place. So does a member that waits behind one whose goal is nearer, and
//! would have to overtake it. Two members that wait for each other head-on exchange their goals as well, and turn around. Otherwise those that arrive first could shut a door or an
//! aisle behind them, and in a dead end nobody could ever pass.
//!
//! The idea is that of TSWAP (Okumura and Défago, 2023), where it also moves the agents, one after another. Here it only gives
//! them other goals, and any planner moves them.

use super::progress::Progress;
use crate::grid::{Cell, Grid};
use crate::planners::Planner;
use crate::world::{Agent, AgentId, World};

/// How many ticks members wait when they meet head-on. Most get past each other by then.
const PATIENCE: u64 = 8;

/// Which agents carry out which orders.
#[derive(Clone, Debug, Default)]
pub(super) struct Orders {
    /// By slot, the order that was given last.
    given: Vec<Option<Order>>,
    /// How many there were.
    count: u64,
}

/// What an agent was told to do as the member of a group.
#[derive(Clone, Copy, Debug)]
struct Order {
    agent: AgentId,
    goal: Cell,
    /// The number of the group's order.
    number: u64,
}

impl Orders {
    /// Notes that the members of a group were sent to these goals.
    pub fn give(&mut self, goals: &[(AgentId, Cell)]) {
        for &(agent, goal) in goals {
            self.note(Order { agent, goal, number: self.count });
        }
        self.count += 1;
    }

    /// Notes that an agent was sent somewhere by itself.
    pub fn take_back(&mut self, agent: AgentId) {
        if let Some(order) = self.given.get_mut(agent.slot()) {
            *order = None;
        }
    }

    /// After a tick: members that did not get on because of another one exchange their goals.
    pub fn exchange(&mut self, world: &mut World, planner: &dyn Planner, progress: &Progress) {
        for slot in 0..self.given.len() {
            let Some(order) = self.given[slot] else { continue };
            let Some(agent) = world.agent(order.agent) else {
                self.given[slot] = None;
                continue;
            };
            if let Some(other) = self.other_member(world, planner, progress, &agent) {
                self.send(world, agent.id, other.goal, order.number);
                self.send(world, other.id, agent.goal, order.number);
            }
        }
    }

    /// The member of the same group with which an agent should exchange its goal.
    fn other_member(
        &self,
        world: &World,
        planner: &dyn Planner,
        progress: &Progress,
        agent: &Agent,
    ) -> Option<Agent> {
        if agent.has_arrived() {
            return None;
        }
        let number = self.number(agent)?;
        let waits = |one: &Agent| progress.has_waited(one, world.tick(), PATIENCE);
        let distance = |from, to| world.grid().distance(from, to);
        let (other, is_wanted) = match progress.step_from(agent) {
            // The other one has pushed it off its goal, and into the direction in which it wants to go on itself.
            Some(from) if from == agent.goal => {
                let other = world.agent_on(from)?;
                (other, distance(agent.cell, other.goal) < distance(other.cell, other.goal))
            }
            Some(_) => return None,
            None => {
                let other = world.agent_on(planner.wish(agent)?)?;
                let is_head_on = planner.wish(&other) == Some(agent.cell);
                let waits_head_on = || is_head_on && waits(agent) && waits(&other);
                let overtakes = || shortens(world.grid(), agent, &other);
                (other, other.has_arrived() || waits_head_on() || overtakes())
            }
        };
        (is_wanted && self.number(&other) == Some(number)).then_some(other)
    }

    /// The number of the order that an agent carries out.
    fn number(&self, agent: &Agent) -> Option<u64> {
        let order = self.given.get(agent.slot())?.as_ref()?;
        ((order.agent, order.goal) == (agent.id, agent.goal)).then_some(order.number)
    }

    fn send(&mut self, world: &mut World, agent: AgentId, goal: Cell, number: u64) {
        if world.send(agent, goal).is_ok() {
            self.note(Order { agent, goal, number });
        }
    }

    fn note(&mut self, order: Order) {
        let slots = self.given.len().max(order.agent.slot() + 1);
        self.given.resize(slots, None);
        self.given[order.agent.slot()] = Some(order);
    }
}

/// Whether the longer one of two ways becomes shorter if two agents exchange their goals, and both together no longer: the one behind would otherwise have to overtake
/// the other one.
fn shortens(grid: &Grid, one: &Agent, other: &Agent) -> bool {
    let now = [(one, one), (other, other)];
    let then = [(one, other), (other, one)];
    let [now, then] = [now, then].map(|pairs| {
        let [first, second] = pairs.map(|(from, to)| grid.distance(from.cell, to.goal));
        (first.max(second), first + second)
    });
    then.0 < now.0 && then.1 <= now.1
}

#[cfg(test)]
#[path = "orders_test.rs"]
mod tests;
