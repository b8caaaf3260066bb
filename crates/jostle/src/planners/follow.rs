//! Following a plan that was made beforehand.
//!
//! Every agent walks its path of a [`Plan`], never ahead of time. If an agent is late, because a foreign
//! agent stood in its way, the agents that were to pass after it wait for it: on every cell, and where
//! diagonals may not cross, agents pass in the order of the plan.
//!
//! It promises that a plan that nothing disturbs is executed exactly, tick by tick, and that lateness alone
//! never causes a deadlock, since an agent waits only for steps that the plan has before its own. It does not
//! repair a broken plan: it reports the breach, the agents that are off their paths stay where they are, and
//! so do the agents that wait for them.
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
    /// The goals of the agents, by path. The plan is broken when an agent has another one.
    goals: Vec<Cell>,
    /// The tick at which the plan began, and the agents that follow it.
    followers: Option<(u64, Vec<AgentId>)>,
    walks: Vec<Walk>,
    /// The fingerprint of the grid for which the paths were last checked.
    floor: u64,
    /// The tick in which the agents were last told where to go.
    last_tick: u64,
    breach: Option<Breach>,
    lateness: u64,
    settle: Settle,
    /// Whether each agent can go on in this tick, as far as it is known yet.
    turns: Vec<Turn>,
    /// Agents that each depend on the next one. Kept for its allocation.
    chain: Vec<usize>,
}

/// How far one agent has come on its path.
#[derive(Clone, Debug, Default)]
struct Walk {
    /// The index of the cell it is on.
    at: usize,
    /// The index of the cell it wants to be on after this tick.
    next: usize,
    /// For each cell of the path, the agent that must pass first, and the index on its own path that it must
    /// have reached.
    needs: Vec<Option<(u32, u32)>>,
    is_broken: bool,
}

/// What is known about whether an agent can go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Turn {
    Open,
    /// It is being looked at: an agent that depends on it again closes a cycle, and the whole cycle moves.
    Asked,
    Goes,
    Waits,
}

/// Why a plan cannot be followed from the beginning.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// Two paths conflict.
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
    /// Every agent is where the plan says.
    OnTime,
    /// At least one agent is late, and others may wait for it.
    Late {
        /// How late the latest agent is.
        ticks: u64,
    },
    /// The plan can no longer be completed.
    Broken(Breach),
}

/// Why a plan can no longer be completed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Breach {
    /// Our agents in the world are not those of the plan, or they do not stand on its starts.
    #[error("the agents of the world are not those of the plan")]
    OtherAgents,
    /// An agent has left.
    #[error("{0} has left")]
    Left(AgentId),
    /// An agent was sent to another goal.
    #[error("{0} was sent to another goal")]
    Sent(AgentId),
    /// An agent was moved off its path.
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
    /// When the plan has a conflict, an incomplete path, or an illegal step.
    pub fn new(plan: Plan) -> Result<Self, PlanError> {
        let ends = plan.paths().iter().filter_map(|path| path.cells.last().copied()).collect();
        Self::with_goals(plan, ends)
    }

    /// The same for agents with these goals, of which some may not be where their paths end.
    ///
    /// # Errors
    /// As for [`new`](Self::new).
    pub(super) fn with_goals(plan: Plan, goals: Vec<Cell>) -> Result<Self, PlanError> {
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
            floor: plan.grid().fingerprint(),
            last_tick: 0,
            turns: Vec::new(),
            plan,
            goals,
            followers: None,
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

    /// Finds the agents that follow the plan, at the first tick.
    fn begin(&mut self, world: &World) {
        self.breach = None;
        let agents: Vec<Agent> = world.ours().collect();
        let starts = self.plan.paths().iter().filter_map(|path| path.cells.first().copied());
        let is_same = agents
            .iter()
            .map(|agent| (agent.cell, agent.goal))
            .eq(starts.zip(self.goals.iter().copied()));
        if !is_same {
            self.breach = Some(Breach::OtherAgents);
        }
        self.followers = Some((world.tick(), agents.iter().map(|agent| agent.id).collect()));
    }

    /// Takes up the plan again in a world that went back in time: every agent is where it stands on its path, at
    /// the last place that it can have reached by then. `now` is how many ticks after the start of the plan it is.
    fn take_up(&mut self, world: &World, followers: &[AgentId], now: u64) {
        self.breach = None;
        for ((walk, path), &id) in self.walks.iter_mut().zip(self.plan.paths()).zip(followers) {
            let cell = world.agent(id).map(|agent| agent.cell);
            let due =
                path.cells.len().min(usize::try_from(now).unwrap_or(usize::MAX).saturating_add(1));
            // An agent that is not on its path is found out later.
            let reached = path.cells[..due].iter().rposition(|&at| Some(at) == cell);
            walk.at = reached.unwrap_or(0);
            walk.next = walk.at;
            walk.is_broken = false;
        }
    }

    /// Updates where every agent is on its path, and notices what breaks the plan.
    fn take_stock(&mut self, world: &World, followers: &[AgentId]) {
        let grid = world.grid();
        let floor = grid.fingerprint();
        let is_edited = std::mem::replace(&mut self.floor, floor) != floor;
        let paths = self.plan.paths().iter().zip(&self.goals);
        for ((walk, (path, &goal)), &id) in self.walks.iter_mut().zip(paths).zip(followers) {
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
                Some(agent) if agent.goal != goal => Some(Breach::Sent(id)),
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
        if world.ours().count() != followers.len() {
            self.breach.get_or_insert(Breach::OtherAgents);
        }
    }

    /// Chooses where every agent wants to be after the tick that ends `now` ticks after the start of the
    /// plan.
    fn choose(&mut self, world: &World, followers: &[AgentId], now: u64) {
        self.lateness = 0;
        for (walk, path) in self.walks.iter_mut().zip(self.plan.paths()) {
            let (last, here) = (path.cells.len() - 1, path.cells[walk.at]);
            let due = last.min(usize::try_from(now).unwrap_or(usize::MAX));
            walk.next = walk.at;
            if walk.is_broken {
                continue;
            }
            // An agent that is late skips the waits of the plan.
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
            if self.crosses_an_earlier_step(world, followers, agent) {
                self.turns[agent] = Turn::Waits;
            }
        }
        for agent in 0..self.walks.len() {
            self.judge(agent);
        }
    }

    /// Whether the step that an agent wants to take would cross one that another agent wants to take in the same
    /// tick and that the plan has earlier. Other agents may wait for that earlier step, and none of them for the
    /// later one.
    fn crosses_an_earlier_step(&self, world: &World, followers: &[AgentId], agent: usize) -> bool {
        let step_of = |agent: usize| {
            let (walk, path) = (&self.walks[agent], &self.plan.paths()[agent]);
            (path.cells[walk.at], path.cells[walk.next])
        };
        let (from, to) = step_of(agent);
        let direction = world.grid().step_between(from, to);
        let crossed = direction.and_then(|direction| world.grid().crossed_steps(from, direction));
        crossed.into_iter().flatten().any(|(here, there)| {
            let slot = world.configuration().occupant(here);
            let other =
                slot.and_then(|slot| followers.binary_search_by_key(&slot, |id| id.slot()).ok());
            other.is_some_and(|other| {
                step_of(other) == (here, there) && self.walks[other].next < self.walks[agent].next
            })
        })
    }

    /// Finds out whether an agent can go on: the agent that was to pass before it has passed, or goes on in
    /// this tick.
    fn judge(&mut self, agent: usize) {
        self.chain.clear();
        let mut at = agent;
        let turn = loop {
            match self.turns[at] {
                // Each agent waits for the next in a cycle: all of them move.
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
        let tick = world.tick();
        let went_back = tick < std::mem::replace(&mut self.last_tick, tick);
        if self.followers.as_ref().is_none_or(|&(begin, _)| tick < begin) {
            self.begin(world);
        }
        let Some((begin, followers)) = self.followers.take() else { return Work::default() };
        if followers.len() == self.walks.len() {
            if went_back {
                self.take_up(world, &followers, tick - begin);
            }
            self.take_stock(world, &followers);
            self.choose(world, &followers, tick - begin + 1);
            for (agent, &id) in followers.iter().enumerate() {
                let walk = &mut self.walks[agent];
                if self.turns[agent] == Turn::Waits {
                    walk.next = walk.at;
                }
                moves.set(id, self.plan.paths()[agent].cells[walk.next]);
            }
            self.settle.settle(world, moves);
        }
        self.followers = Some((begin, followers));
        Work::default()
    }

    fn wish(&self, agent: &Agent) -> Option<Cell> {
        let (_, followers) = self.followers.as_ref()?;
        let number = followers.iter().position(|&id| id == agent.id)?;
        let (walk, path) = (self.walks.get(number)?, &self.plan.paths()[number]);
        path.cells[walk.at..].iter().copied().find(|&cell| cell != agent.cell)
    }

    fn memory(&self) -> usize {
        let path = |(walk, path): (&Walk, &TimedPath)| {
            walk.needs.capacity() * size_of::<Option<(u32, u32)>>()
                + path.cells.capacity() * size_of::<Cell>()
        };
        size_of::<Self>()
            + self.walks.iter().zip(self.plan.paths()).map(path).sum::<usize>()
            + self.walks.capacity() * size_of::<Walk>()
            + size_of_val(self.plan.paths())
            + self.goals.capacity() * size_of::<Cell>()
            + self
                .followers
                .as_ref()
                .map_or(0, |(_, followers)| followers.capacity() * size_of::<AgentId>())
            + self.settle.memory()
            + self.turns.capacity()
            + self.chain.capacity() * size_of::<usize>()
    }
}

/// Every agent at the start of its path, with the agent that has to pass first on each cell: the one that is
/// there before it in the plan, which has passed when it is on its next cell.
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
