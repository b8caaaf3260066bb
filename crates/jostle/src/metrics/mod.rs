//! What a run came to, in numbers.

mod turns;

pub use turns::{Turns, Walks};

use std::time::Duration;

use crate::grid::Cell;
use crate::planners::Work;
use crate::world::{Agent, AgentId, Change, World};

/// A walked distance: exact counts of steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Distance {
    /// Steps north, east, south or west.
    pub cardinal: u64,
    /// Diagonal steps.
    pub diagonal: u64,
}

impl Distance {
    /// The distance in cells: a diagonal step is √2.
    pub fn length(self) -> f64 {
        self.cardinal as f64 + self.diagonal as f64 * std::f64::consts::SQRT_2
    }
}

/// How one agent of ours fared.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Journey {
    /// Who.
    pub agent: AgentId,
    /// The tick at which it last arrived on its goal: 0 if it never left it, nothing if it is not there.
    pub completed: Option<u64>,
    /// The same moment in time since the run began.
    pub completed_after: Option<Duration>,
    /// What it walked; waiting is free.
    pub distance: Distance,
}

/// What a run came to, over the agents of ours that were there at its end.
#[derive(Clone, PartialEq, Debug)]
pub struct Metrics {
    /// Ticks that passed.
    pub ticks: u64,
    /// Time that passed, planning and moving together.
    pub time: Duration,
    /// Every agent of ours, by slot.
    pub journeys: Vec<Journey>,
    /// What the planner did, all ticks together.
    pub work: Work,
    /// How long each tick took.
    pub tick_times: Vec<Duration>,
}

impl Metrics {
    /// The share of agents that stand on their goals, from 0 to 1. Without agents it is 1.
    pub fn completion_rate(&self) -> f64 {
        if self.journeys.is_empty() {
            return 1.0;
        }
        self.home() as f64 / self.journeys.len() as f64
    }

    /// How many agents stand on their goals.
    pub fn home(&self) -> usize {
        self.journeys.iter().filter(|journey| journey.completed.is_some()).count()
    }

    /// Mean tick of the last arrival of those that are home.
    pub fn completion_ticks(&self) -> Option<f64> {
        mean(self.journeys.iter().filter_map(|journey| journey.completed.map(|tick| tick as f64)))
    }

    /// Mean time of the last arrival of those that are home, in seconds.
    pub fn completion_seconds(&self) -> Option<f64> {
        mean(
            self.journeys
                .iter()
                .filter_map(|journey| journey.completed_after.map(|after| after.as_secs_f64())),
        )
    }

    /// Mean distance walked, in cells, of all agents.
    pub fn travel_distance(&self) -> f64 {
        mean(self.journeys.iter().map(|journey| journey.distance.length())).unwrap_or(0.0)
    }

    /// The tick of the last arrival of all; an agent that is not home counts as all ticks.
    pub fn makespan(&self) -> u64 {
        self.journeys.iter().map(|journey| self.cost(journey)).max().unwrap_or(0)
    }

    /// The sum over agents of the ticks until they arrived for good; an agent that is not home counts as
    /// all ticks.
    pub fn sum_of_costs(&self) -> u64 {
        self.journeys.iter().map(|journey| self.cost(journey)).sum()
    }

    /// The time that 99 of 100 ticks did not exceed.
    pub fn tick_p99(&self) -> Duration {
        let mut times = self.tick_times.clone();
        times.sort_unstable();
        let rank = (times.len() * 99).div_ceil(100);
        rank.checked_sub(1).map_or(Duration::ZERO, |last| times[last])
    }

    /// The time that the slowest tick took.
    pub fn tick_max(&self) -> Duration {
        self.tick_times.iter().copied().max().unwrap_or_default()
    }

    fn cost(&self, journey: &Journey) -> u64 {
        journey.completed.unwrap_or(self.ticks)
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = values.fold((0, 0.0), |(count, sum), value| (count + 1, sum + value));
    (count > 0).then(|| sum / f64::from(count))
}

/// Measures a run tick by tick.
#[derive(Clone, Debug)]
pub struct Meter {
    ticks: u64,
    work: Work,
    tick_times: Vec<Duration>,
    /// By slot.
    steps: Vec<Steps>,
}

#[derive(Clone, Copy, Debug)]
struct Steps {
    agent: AgentId,
    cell: Cell,
    arrived: Option<(u64, Duration)>,
    distance: Distance,
}

impl Steps {
    fn of(agent: &Agent, tick: u64, after: Duration) -> Self {
        let arrived = agent.is_home().then_some((tick, after));
        Self { agent: agent.id, cell: agent.cell, arrived, distance: Distance::default() }
    }
}

impl Meter {
    /// Begins with the world as it is.
    pub fn begin(world: &World) -> Self {
        let steps = world.slots().iter().map(|agent| Steps::of(agent, 0, Duration::ZERO)).collect();
        Self { ticks: 0, work: Work::default(), tick_times: Vec::new(), steps }
    }

    /// Ticks observed.
    pub const fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Observes a tick that has just passed: before it the game had changed `changes`, it took
    /// `duration`, and it ended `after` the beginning of the run.
    pub fn observe(
        &mut self,
        world: &World,
        changes: &[Change],
        work: Work,
        duration: Duration,
        after: Duration,
    ) {
        // A place given by the game is not a walk.
        for change in changes {
            if let Change::Placed { agent, cell } = change
                && let Some(steps) = self.steps.get_mut(agent.slot())
            {
                steps.cell = *cell;
            }
        }
        self.ticks += 1;
        self.work += work;
        self.tick_times.push(duration);
        for agent in world.slots() {
            match self.steps.get_mut(agent.slot()) {
                Some(steps) if steps.agent == agent.id => {
                    steps.walk(world, agent, self.ticks, after);
                }
                Some(steps) => *steps = Steps::arrived(world, agent, changes, self.ticks, after),
                None => self.steps.push(Steps::arrived(world, agent, changes, self.ticks, after)),
            }
        }
    }

    /// Ends the run.
    pub fn finish(self, world: &World, time: Duration) -> Metrics {
        let journeys = world.ours().filter_map(|agent| {
            let steps = self.steps.get(agent.slot()).filter(|steps| steps.agent == agent.id)?;
            let arrived = steps.arrived.filter(|_| agent.is_home());
            Some(Journey {
                agent: agent.id,
                completed: arrived.map(|(tick, _)| tick),
                completed_after: arrived.map(|(_, after)| after),
                distance: steps.distance,
            })
        });
        Metrics {
            ticks: self.ticks,
            time,
            journeys: journeys.collect(),
            work: self.work,
            tick_times: self.tick_times,
        }
    }
}

impl Steps {
    /// Somebody new, who may have walked in its first tick already.
    fn arrived(
        world: &World,
        agent: &Agent,
        changes: &[Change],
        tick: u64,
        after: Duration,
    ) -> Self {
        let mut steps = Self::of(agent, tick, after);
        for change in changes {
            match change {
                Change::Arrived { agent: id, cell, .. } | Change::Placed { agent: id, cell }
                    if *id == agent.id =>
                {
                    steps.cell = *cell;
                }
                _ => {}
            }
        }
        steps.walk(world, agent, tick, after);
        steps
    }

    fn walk(&mut self, world: &World, agent: &Agent, tick: u64, after: Duration) {
        if agent.cell != self.cell && agent.cell != Cell::NOWHERE {
            let ((x, y), (old_x, old_y)) =
                (world.grid().position(agent.cell), world.grid().position(self.cell));
            if x != old_x && y != old_y {
                self.distance.diagonal += 1;
            } else {
                self.distance.cardinal += 1;
            }
        }
        let was_home = self.arrived.is_some() && self.cell == agent.cell;
        self.cell = agent.cell;
        self.arrived = match agent.is_home() {
            true if was_home => self.arrived,
            true => Some((tick, after)),
            false => None,
        };
    }
}
