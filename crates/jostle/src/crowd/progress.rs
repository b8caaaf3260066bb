//! How long agents have made no progress.
//!
//! An agent makes progress when it is nearer to its goal, in a straight line, than ever before. A path around
//! a wall leads away from the goal at first, so it also makes progress when it leaves the rectangle in which
//! it has been since then, and when it is nearer than at any time since it last left it. An agent that goes
//! to and fro soon does none of these: the rectangle can only grow, and the shortest line only shrink, a
//! limited number of times.
//!
//! To arrive is progress once. Agents can push each other off their goals for ever, and arrive there again and again: only one
//! that stays for a while starts again from there.

use crate::Cost;
use crate::grid::Cell;
use crate::planners::Planner;
use crate::search::Place;
use crate::world::{Agent, AgentId, World};

/// For how many ticks an agent has to stay on its goal until it counts as progress that it is there again.
const REST: u64 = 16;

/// The progress of all agents, by slot. Its allocation is kept from tick to tick.
#[derive(Clone, Debug, Default)]
pub(super) struct Progress {
    errands: Vec<Option<Errand>>,
}

/// The progress of one agent towards one goal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Errand {
    agent: AgentId,
    goal: Place,
    /// Where it stood before and after the last tick.
    before: Cell,
    after: Cell,
    /// The shortest straight line to the goal so far.
    record: Cost,
    /// The rectangle in which it has been since then.
    ground: Ground,
    /// The shortest straight line to the goal since that rectangle last grew.
    nearest: Cost,
    /// Since which tick it has been on its goal; none if it is not.
    home_since: Option<u64>,
    /// The tick of its last progress.
    pub since: u64,
    /// The agent that was last in its way since then.
    pub behind: Option<AgentId>,
}

impl Progress {
    /// Before a tick: agents that are new, have a new goal, or were placed elsewhere start again from here.
    pub fn begin_tick(&mut self, world: &World) {
        self.errands.resize(world.slots(), None);
        for agent in world.agents() {
            match &mut self.errands[agent.slot()] {
                Some(errand) if errand.is_of(&agent) => errand.before = agent.cell,
                errand => *errand = Some(Errand::begin(world, &agent)),
            }
        }
    }

    /// After a tick: records which agents have made progress, and which agents were in the way of the others.
    pub fn end_tick(&mut self, world: &World, planner: &dyn Planner) {
        for agent in world.ours() {
            let Some(errand) = &mut self.errands[agent.slot()] else { continue };
            errand.after = agent.cell;
            if !errand.makes_progress(world, &agent)
                && let Some(other) = planner.wish(&agent).and_then(|wish| world.occupant(wish))
                && other != agent.id
            {
                errand.behind = Some(other);
            }
        }
    }

    /// The progress of an agent, if the game has not changed its goal or cell since the last tick.
    pub fn of(&self, agent: &Agent) -> Option<&Errand> {
        self.errands.get(agent.slot())?.as_ref().filter(|errand| errand.is_of(agent))
    }

    /// Whether an agent has made no progress for this many ticks.
    pub fn has_waited(&self, agent: &Agent, tick: u64, ticks: u64) -> bool {
        self.of(agent).is_some_and(|errand| tick - errand.since >= ticks)
    }

    /// Where an agent stood before the last tick, if it took a step in it and was not placed elsewhere since.
    pub fn step_from(&self, agent: &Agent) -> Option<Cell> {
        let errand = self.errands.get(agent.slot())?.as_ref()?;
        let is_there = (errand.agent, errand.after) == (agent.id, agent.cell);
        (is_there && errand.before != errand.after).then_some(errand.before)
    }
}

impl Errand {
    fn begin(world: &World, agent: &Agent) -> Self {
        let (here, goal) =
            (Place::of(world.grid(), agent.cell), Place::of(world.grid(), agent.goal));
        let distance = here.distance(goal, world.grid().rules().neighbours);
        Self {
            agent: agent.id,
            goal,
            before: agent.cell,
            after: agent.cell,
            record: distance,
            ground: Ground::at(here),
            nearest: distance,
            home_since: agent.has_arrived().then_some(world.tick()),
            since: world.tick(),
            behind: None,
        }
    }

    /// Whether this is the progress of this agent, with its present goal, and the agent is where the last
    /// tick left it.
    fn is_of(&self, agent: &Agent) -> bool {
        (self.agent, self.goal.cell, self.after) == (agent.id, agent.goal, agent.cell)
    }

    /// Records where the agent stands. Returns whether it has made progress.
    fn makes_progress(&mut self, world: &World, agent: &Agent) -> bool {
        let tick = world.tick();
        let has_rested = if agent.has_arrived() {
            tick - *self.home_since.get_or_insert(tick) >= REST
        } else {
            self.home_since = None;
            false
        };
        if self.before == agent.cell && !has_rested {
            return false;
        }
        let here = Place::of(world.grid(), agent.cell);
        let distance = here.distance(self.goal, world.grid().rules().neighbours);
        let ground = self.ground.and(Ground::at(here));
        if distance < self.record || has_rested {
            (self.record, self.ground) = (distance, Ground::at(here));
        } else if ground != self.ground {
            self.ground = ground;
        } else if distance >= self.nearest {
            return false;
        }
        self.nearest = distance;
        (self.since, self.behind) = (tick, None);
        true
    }
}

/// The smallest rectangle around the cells where an agent has been.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Ground {
    west: i32,
    north: i32,
    east: i32,
    south: i32,
}

impl Ground {
    const fn at(Place { x, y, .. }: Place) -> Self {
        Self { west: x, north: y, east: x, south: y }
    }

    fn and(self, other: Self) -> Self {
        Self {
            west: self.west.min(other.west),
            north: self.north.min(other.north),
            east: self.east.max(other.east),
            south: self.south.max(other.south),
        }
    }
}
