//! Since when agents have not got on.
//!
//! An agent gets on when it is nearer to its goal, in a straight line, than ever before. A way around a wall leads
//! away from the goal at first, so it also gets on when it sets foot outside the rectangle in which it has been
//! since then, and when it is nearer than ever since it last did that. Whoever goes to and fro soon does none of
//! these: the rectangle and the shortest line can only get better so often.

use crate::Cost;
use crate::grid::Cell;
use crate::planners::Planner;
use crate::search::Place;
use crate::world::{Agent, AgentId, World};

/// How everybody gets on, by slot. It keeps its room from tick to tick.
#[derive(Clone, Debug, Default)]
pub(super) struct Progress {
    errands: Vec<Option<Errand>>,
}

/// How one agent gets on with its way to one goal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Errand {
    agent: AgentId,
    goal: Place,
    /// Where it stood before and after the last tick.
    before: Cell,
    after: Cell,
    /// The shortest straight line to the goal ever.
    record: Cost,
    /// Where it has been since then.
    ground: Ground,
    /// The shortest straight line to the goal since that ground last grew.
    nearest: Cost,
    /// The tick after which it has not got on.
    pub since: u64,
    /// Whom it found in its way since.
    pub behind: Option<AgentId>,
}

impl Progress {
    /// Before a tick: takes note of who is new, has a new goal, or was put elsewhere. They begin anew.
    pub fn begin_tick(&mut self, world: &World) {
        self.errands.resize(world.slots(), None);
        for agent in world.agents() {
            match &mut self.errands[agent.slot()] {
                Some(errand) if errand.is_of(&agent) => errand.before = agent.cell,
                errand => *errand = Some(Errand::begin(world, &agent)),
            }
        }
    }

    /// After a tick: takes note of who has got on, and who was in the way of the others.
    pub fn end_tick(&mut self, world: &World, planner: &dyn Planner) {
        for agent in world.ours() {
            let Some(errand) = &mut self.errands[agent.slot()] else { continue };
            errand.after = agent.cell;
            if !errand.gets_on(world, &agent)
                && let Some(other) = planner.wish(&agent).and_then(|wish| world.occupant(wish))
                && other != agent.id
            {
                errand.behind = Some(other);
            }
        }
    }

    /// How an agent gets on, if nothing about it has changed since the last tick.
    pub fn of(&self, agent: &Agent) -> Option<&Errand> {
        self.errands.get(agent.slot())?.as_ref().filter(|errand| errand.is_of(agent))
    }

    /// Where an agent stood before the last tick, if it stands elsewhere now.
    pub fn step_from(&self, agent: &Agent) -> Option<Cell> {
        let errand = self.errands.get(agent.slot())?.as_ref()?;
        (errand.agent == agent.id && errand.before != agent.cell).then_some(errand.before)
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
            since: world.tick(),
            behind: None,
        }
    }

    /// Whether it is about this agent, its goal, and where it went.
    fn is_of(&self, agent: &Agent) -> bool {
        (self.agent, self.goal.cell, self.after) == (agent.id, agent.goal, agent.cell)
    }

    /// Takes note of where the agent stands. Says whether it has got on.
    fn gets_on(&mut self, world: &World, agent: &Agent) -> bool {
        if self.before == agent.cell && !agent.has_arrived() {
            return false;
        }
        let here = Place::of(world.grid(), agent.cell);
        let distance = here.distance(self.goal, world.grid().rules().neighbours);
        let ground = self.ground.and(Ground::at(here));
        if distance < self.record || agent.has_arrived() {
            (self.record, self.ground) = (distance, Ground::at(here));
        } else if ground != self.ground {
            self.ground = ground;
        } else if distance >= self.nearest {
            return false;
        }
        self.nearest = distance;
        (self.since, self.behind) = (world.tick(), None);
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
