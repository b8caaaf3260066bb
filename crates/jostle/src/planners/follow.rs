//! Following a plan that was made beforehand.
//!
//! Every agent walks its path of a [`Plan`], never ahead of time. Where somebody is late, because a foreign agent
//! stood in its way, those who were to pass after it wait for it: on every cell, agents pass in the order of the plan.
//!
//! It promises that a plan that is followed without disturbance comes true tick by tick, and that lateness alone never
//! locks agents, since whoever waits, waits for somebody who is further in the plan. It does not mend a plan that is
//! broken: it says so, the agents that are off their paths stay, and so does whoever waits for them.
//!
//! Cost per tick: a few look-ups for each agent. Memory: about 16 bytes for each cell of a path.

use std::cmp::Reverse;

use super::{Planner, Work, settle::Settle};
use crate::grid::Cell;
use crate::plan::{Conflict, Plan, TimedPath};
use crate::world::{Agent, AgentId, Moves, World};

/// A planner that executes a plan.
///
/// ```
/// use jostle::plan::{Plan, TimedPath};
/// use jostle::planners::{Follow, Following};
/// use jostle::{Grid, Simulation, World};
///
/// let mut world = World::new(Grid::open(3, 1)?);
/// let [west, middle, east] = [0, 1, 2].map(|x| world.grid().at(x, 0).unwrap());
/// world.add(west, east)?;
/// let path = TimedPath::of(vec![west, west, middle, east]);
/// let mut follow = Follow::new(Plan::new(world.shared_grid().clone(), vec![path]))?;
/// let outcome = Simulation::new(&mut world, &mut follow).run()?;
/// assert_eq!((outcome.metrics.ticks, follow.state()), (3, Following::OnTime));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Follow {
    plan: Plan,
    /// The tick at which the plan began, and the agents that follow it.
    cast: Option<(u64, Vec<AgentId>)>,
    walks: Vec<Walk>,
    /// The revision of the grid on which all paths were found whole.
    revision: u64,
    breach: Option<Breach>,
    lateness: u64,
    settle: Settle,
    /// Whether each agent can go on, as far as is known in this tick.
    turns: Vec<Turn>,
    /// Agents that wait for the next one.
    chain: Vec<usize>,
}

/// How one agent gets on with its path.
#[derive(Clone, Debug, Default)]
struct Walk {
    /// Where on its path it is.
    at: usize,
    /// Where on its path it wants to be after this tick.
    next: usize,
    /// For each place on the path who must have come how far on its own path before.
    needs: Vec<Option<(u32, u32)>>,
    is_broken: bool,
}

/// What is known about whether an agent can go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Turn {
    Open,
    /// It is being looked at: whoever waits for it in turn goes round with it.
    Asked,
    Goes,
    Waits,
}

/// Why a plan cannot be followed from the beginning.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// Two paths do not go together.
    #[error("the plan has a conflict: {0}")]
    Conflict(Conflict),
    /// A path is empty, begins later, or does not say where its agent stays.
    #[error("the path of agent {0} does not begin at tick 0 and end where the agent stays")]
    Incomplete(usize),
    /// A path has a step that the floor does not allow.
    #[error("the path of agent {0} has a step that the floor does not allow")]
    NotWalkable(usize),
}

/// How a plan is being followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Following {
    /// Everybody is where the plan says.
    OnTime,
    /// Somebody is late, and others may wait for it.
    Late {
        /// By how many ticks the last one is.
        ticks: u64,
    },
    /// The plan cannot come true any more.
    Broken(Breach),
}

/// Why a plan cannot come true any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Breach {
    /// The world has other agents of ours than the plan, or they stand elsewhere.
    #[error("the agents of the world are not those of the plan")]
    OtherAgents,
    /// An agent has left.
    #[error("{0} has left")]
    Left(AgentId),
    /// An agent was sent to another goal.
    #[error("{0} was sent to another goal")]
    Sent(AgentId),
    /// An agent was put off its path.
    #[error("{0} was put off its path")]
    Displaced(AgentId),
    /// A wall cuts the path of an agent.
    #[error("a wall cuts the path of {0}")]
    Cut(AgentId),
}

impl Follow {
    /// Follows a plan from the next tick on. Its paths belong to the agents of ours in the order of their slots.
    ///
    /// # Errors
    /// When the plan cannot be followed by anybody.
    pub fn new(plan: Plan) -> Result<Self, PlanError> {
        let is_whole = |path: &TimedPath| path.begins == 0 && path.stays && !path.cells.is_empty();
        if let Some(agent) = plan.paths().iter().position(|path| !is_whole(path)) {
            return Err(PlanError::Incomplete(agent));
        }
        let is_step = |from, to| plan.grid().step_between(from, to).is_some();
        if let Some(agent) = plan.paths().iter().position(|path| !path.is_legal(is_step)) {
            return Err(PlanError::NotWalkable(agent));
        }
        if let Some(conflict) = plan.first_conflict() {
            return Err(PlanError::Conflict(conflict));
        }
        Ok(Self {
            walks: walks(&plan),
            revision: plan.grid().revision(),
            turns: Vec::new(),
            plan,
            cast: None,
            breach: None,
            lateness: 0,
            settle: Settle::default(),
            chain: Vec::new(),
        })
    }

    /// The plan.
    pub const fn plan(&self) -> &Plan {
        &self.plan
    }

    /// How the plan is being followed, as of the last tick.
    pub const fn state(&self) -> Following {
        match (self.breach, self.lateness) {
            (Some(breach), _) => Following::Broken(breach),
            (None, 0) => Following::OnTime,
            (None, ticks) => Following::Late { ticks },
        }
    }

    /// Finds out who follows the plan, at the first tick.
    fn begin(&mut self, world: &World) {
        let agents: Vec<Agent> = world.ours().collect();
        let is_in_place = |(agent, path): (&Agent, &TimedPath)| {
            path.cells.first() == Some(&agent.cell) && path.cells.last() == Some(&agent.goal)
        };
        let is_same = agents.len() == self.plan.paths().len()
            && agents.iter().zip(self.plan.paths()).all(is_in_place);
        if !is_same {
            self.breach = Some(Breach::OtherAgents);
        }
        self.cast = Some((world.tick(), agents.iter().map(|agent| agent.id).collect()));
    }

    /// Takes note of where everybody is, and of what breaks the plan.
    fn take_stock(&mut self, world: &World, cast: &[AgentId]) {
        let grid = world.grid();
        let is_edited = std::mem::replace(&mut self.revision, grid.revision()) != grid.revision();
        for ((walk, path), &id) in self.walks.iter_mut().zip(self.plan.paths()).zip(cast) {
            if walk.is_broken {
                continue;
            }
            let agent = world.agent(id);
            if let Some(agent) = agent
                && path.cells[walk.next] == agent.cell
            {
                walk.at = walk.next;
            }
            let breach = match agent {
                None => Some(Breach::Left(id)),
                Some(agent) if path.cells.last() != Some(&agent.goal) => Some(Breach::Sent(id)),
                Some(agent) if path.cells[walk.at] != agent.cell => Some(Breach::Displaced(id)),
                Some(_) => {
                    let is_cut = |step: &[Cell]| {
                        step[0] != step[1] && grid.step_between(step[0], step[1]).is_none()
                    };
                    let is_cut = is_edited && path.cells[walk.at..].windows(2).any(is_cut);
                    is_cut.then_some(Breach::Cut(id))
                }
            };
            walk.is_broken = breach.is_some();
            self.breach = self.breach.or(breach);
        }
        if world.ours().count() != cast.len() {
            self.breach.get_or_insert(Breach::OtherAgents);
        }
    }

    /// Settles where everybody wants to be after a tick that ends `now` ticks after the beginning of the plan.
    fn choose(&mut self, now: u64) {
        self.lateness = 0;
        for (walk, path) in self.walks.iter_mut().zip(self.plan.paths()) {
            let (last, here) = (path.cells.len() - 1, path.cells[walk.at]);
            let due = last.min(usize::try_from(now).unwrap_or(usize::MAX));
            walk.next = walk.at;
            if walk.is_broken {
                continue;
            }
            // Who is late does not wait where the plan says so.
            while walk.next < due && path.cells[walk.next] == here {
                walk.next += 1;
            }
            if walk.at < last {
                self.lateness = self.lateness.max((now - 1).saturating_sub(walk.at as u64));
            }
        }
        self.turns.clear();
        self.turns.resize(self.walks.len(), Turn::Open);
        for agent in 0..self.walks.len() {
            self.judge(agent);
        }
    }

    /// Finds out whether an agent can go on: whoever was to pass before it has passed, or goes on in this tick.
    fn judge(&mut self, agent: usize) {
        self.chain.clear();
        let mut at = agent;
        let turn = loop {
            match self.turns[at] {
                // Everybody waits for the next in a circle: they go round.
                Turn::Asked => break Turn::Goes,
                Turn::Open => {}
                turn => break turn,
            }
            let walk = &self.walks[at];
            let need = walk.needs[walk.next].filter(|_| walk.next != walk.at);
            let missing = need.filter(|&(other, far)| self.walks[other as usize].at < far as usize);
            self.turns[at] = Turn::Asked;
            self.chain.push(at);
            match missing {
                None => break Turn::Goes,
                Some((other, far)) if self.walks[other as usize].next < far as usize => {
                    break Turn::Waits;
                }
                Some((other, _)) => at = other as usize,
            }
        };
        for &agent in &self.chain {
            self.turns[agent] = turn;
        }
    }
}

impl Planner for Follow {
    fn plan(&mut self, world: &World, moves: &mut Moves) -> Work {
        if self.cast.is_none() {
            self.begin(world);
        }
        let Some((begin, cast)) = self.cast.take() else { return Work::default() };
        if cast.len() == self.walks.len() {
            self.take_stock(world, &cast);
            self.choose(world.tick().saturating_sub(begin) + 1);
            for (agent, &id) in cast.iter().enumerate() {
                let walk = &mut self.walks[agent];
                if self.turns[agent] == Turn::Waits {
                    walk.next = walk.at;
                }
                moves.set(id, self.plan.paths()[agent].cells[walk.next]);
            }
            self.settle.settle(world, moves);
        }
        self.cast = Some((begin, cast));
        Work::default()
    }

    fn wish(&self, agent: &Agent) -> Option<Cell> {
        let (_, cast) = self.cast.as_ref()?;
        let number = cast.iter().position(|&id| id == agent.id)?;
        let (walk, path) = (self.walks.get(number)?, &self.plan.paths()[number]);
        path.cells[walk.at..].iter().copied().find(|&cell| cell != agent.cell)
    }

    fn memory(&self) -> usize {
        let path = |(walk, path): (&Walk, &TimedPath)| {
            walk.needs.capacity() * size_of::<Option<(u32, u32)>>()
                + path.cells.capacity() * size_of::<Cell>()
        };
        self.walks.iter().zip(self.plan.paths()).map(path).sum::<usize>()
            + self.walks.capacity() * size_of::<Walk>()
            + size_of_val(self.plan.paths())
            + self.cast.as_ref().map_or(0, |(_, cast)| cast.capacity() * size_of::<AgentId>())
            + self.settle.memory()
            + self.turns.capacity()
            + self.chain.capacity() * size_of::<usize>()
    }
}

/// Everybody at the beginning of its path, with whom it has to let pass before it on every cell: the one that is
/// there before it in the plan, until that one is on its next cell.
fn walks(plan: &Plan) -> Vec<Walk> {
    let mut visits = Vec::new();
    let mut walks = Vec::new();
    for (agent, path) in plan.paths().iter().enumerate() {
        walks.push(Walk { needs: vec![None; path.cells.len()], ..Walk::default() });
        for (at, cell) in path.cells.iter().enumerate() {
            if at == 0 || path.cells[at - 1] != *cell {
                visits.push((*cell, at, agent));
            }
        }
    }
    visits.sort_unstable_by_key(|&(cell, at, _)| (cell, Reverse(at)));
    for pair in visits.windows(2) {
        let [(cell, at, agent), (same, before, other)] = [pair[0], pair[1]];
        if cell != same || agent == other {
            continue;
        }
        let path = &plan.paths()[other].cells;
        let stay = path[before..].iter().take_while(|&&at| at == cell).count();
        walks[agent].needs[at] = Some((other as u32, (before + stay) as u32));
    }
    walks
}

#[cfg(test)]
#[path = "follow_test.rs"]
mod tests;
