//! Measures of a run.

mod tick_times;
mod turns;

pub use tick_times::TickTimes;
pub use turns::{Turns, Walks};

use std::iter::Sum;
use std::time::Duration;

use crate::grid::{Cell, Grid};
use crate::search::Work;
use crate::world::{Agent, AgentId, Change, World};

/// A walked distance, as exact counts of steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Distance {
    /// Steps north, east, south or west.
    pub cardinal: u64,
    /// Diagonal steps.
    pub diagonal: u64,
}

impl Distance {
    /// Adds a step between neighbouring cells; a wait adds nothing.
    pub fn add_step(&mut self, grid: &Grid, from: Cell, to: Cell) {
        if from == to {
            return;
        }
        if grid.is_diagonal(from, to) {
            self.diagonal += 1;
        } else {
            self.cardinal += 1;
        }
    }

    /// The distance in cells: a diagonal step counts √2.
    pub fn length(self) -> f64 {
        self.cardinal as f64 + self.diagonal as f64 * std::f64::consts::SQRT_2
    }
}

impl Sum for Distance {
    fn sum<I: Iterator<Item = Self>>(distances: I) -> Self {
        distances.fold(Self::default(), |sum, more| Self {
            cardinal: sum.cardinal + more.cardinal,
            diagonal: sum.diagonal + more.diagonal,
        })
    }
}

/// The measures of one agent of ours.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Journey {
    /// An agent that is present at the end of the run.
    pub agent: AgentId,
    /// The tick at which it last arrived at its goal: 0 if it began there and never left, `None` if it is not
    /// there at the end.
    pub completed: Option<u64>,
    /// The time from the beginning of the run to that arrival.
    pub completed_after: Option<Duration>,
    /// The planner's expansions, for all agents together, from the beginning of the run to that arrival.
    pub completed_expansions: Option<u64>,
    /// How far it walked. Waiting, and being placed by the game, add nothing.
    pub distance: Distance,
}

/// The measures of a run, over the agents of ours that are present at its end.
#[derive(Clone, PartialEq, Debug)]
pub struct Metrics {
    /// Ticks that passed.
    pub ticks: u64,
    /// Time that passed, planning and moving together.
    pub time: Duration,
    /// One entry for every agent of ours, in the order of their slots.
    pub journeys: Vec<Journey>,
    /// The work of the planner in all ticks together.
    pub work: Work,
    /// How long each tick took.
    pub tick_times: TickTimes,
}

impl Metrics {
    /// The share of agents that stand on their goals, from 0 to 1. Without agents it is 1.
    pub fn completion_rate(&self) -> f64 {
        if self.journeys.is_empty() {
            return 1.0;
        }
        self.arrived() as f64 / self.journeys.len() as f64
    }

    /// How many agents stand on their goals.
    pub fn arrived(&self) -> usize {
        self.journeys.iter().filter(|journey| journey.completed.is_some()).count()
    }

    /// Mean tick of arrival, over the agents that stand on their goals; `None` if there are none.
    pub fn completion_ticks(&self) -> Option<f64> {
        mean(self.journeys.iter().filter_map(|journey| journey.completed.map(|tick| tick as f64)))
    }

    /// Mean time of arrival in seconds, over the agents that stand on their goals; `None` if there are none.
    pub fn completion_seconds(&self) -> Option<f64> {
        mean(
            self.journeys
                .iter()
                .filter_map(|journey| journey.completed_after.map(|after| after.as_secs_f64())),
        )
    }

    /// Mean number of expansions, for all agents together, that the planner had made when an agent arrived, over the agents that stand
    /// on their goals; `None` if there are none. Where a run is limited in expansions, this is its time of arrival.
    pub fn completion_expansions(&self) -> Option<f64> {
        let expansions = self.journeys.iter().filter_map(|journey| journey.completed_expansions);
        mean(expansions.map(|expansions| expansions as f64))
    }

    /// Mean distance walked in cells, over all agents; 0 without agents.
    pub fn travel_distance(&self) -> f64 {
        mean(self.journeys.iter().map(|journey| journey.distance.length())).unwrap_or(0.0)
    }

    /// The tick at which the last agent arrived. An agent that has not arrived counts with all ticks of the run.
    pub fn makespan(&self) -> u64 {
        self.journeys.iter().map(|journey| self.cost(journey)).max().unwrap_or(0)
    }

    /// The sum over agents of the ticks until they arrived for good. An agent that has not arrived counts with
    /// all ticks of the run.
    pub fn sum_of_costs(&self) -> u64 {
        self.journeys.iter().map(|journey| self.cost(journey)).sum()
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
    tick_times: TickTimes,
    /// By slot.
    steps: Vec<Option<Steps>>,
    /// How many changes the world had seen after the last tick.
    changes_seen: u64,
}

#[derive(Clone, Copy, Debug)]
struct Steps {
    agent: AgentId,
    cell: Cell,
    arrived: Option<Moment>,
    distance: Distance,
}

/// The end of a tick, on three clocks.
#[derive(Clone, Copy, Debug, Default)]
struct Moment {
    tick: u64,
    /// Since the beginning of the run.
    after: Duration,
    /// In all ticks so far.
    expansions: u64,
}

impl Steps {
    fn of(agent: &Agent, now: Moment) -> Self {
        let arrived = agent.has_arrived().then_some(now);
        Self { agent: agent.id, cell: agent.cell, arrived, distance: Distance::default() }
    }
}

impl Meter {
    /// Begins with the world as it is.
    pub fn begin(world: &World) -> Self {
        let mut steps = vec![None; world.slots()];
        for agent in world.agents() {
            steps[agent.slot()] = Some(Steps::of(&agent, Moment::default()));
        }
        Self {
            ticks: 0,
            work: Work::default(),
            tick_times: TickTimes::default(),
            steps,
            changes_seen: world.change_count(),
        }
    }

    /// How many ticks were observed.
    pub const fn ticks(&self) -> u64 {
        self.ticks
    }

    /// The work of the planner in the observed ticks.
    pub const fn work(&self) -> Work {
        self.work
    }

    /// Observes a tick that has just passed, which took `duration` and ended `after` the beginning of the run.
    pub fn observe(&mut self, world: &World, work: Work, duration: Duration, after: Duration) {
        let changes = world.previous_changes(self.changes_seen);
        self.changes_seen += changes.len() as u64;
        // Being placed by the game is not walking.
        for change in changes {
            if let Change::Place { agent, cell } = change
                && let Some(Some(steps)) = self.steps.get_mut(agent.slot())
            {
                steps.cell = *cell;
            }
        }
        self.ticks += 1;
        self.work += work;
        self.tick_times.push(duration);
        let now = Moment { tick: self.ticks, after, expansions: self.work.expansions };
        self.steps.resize(world.slots(), None);
        // Nothing has changed for all others.
        let touched = changes.iter().filter_map(Change::agent).map(AgentId::slot);
        let moved = world.moved().iter().map(|&slot| slot as usize);
        for agent in touched.chain(moved).filter_map(|slot| world.in_slot(slot)) {
            match &mut self.steps[agent.slot()] {
                Some(steps) if steps.agent == agent.id => {
                    steps.walk(world, &agent, now);
                }
                steps => {
                    *steps = Some(Steps::of_joined(world, &agent, changes, now));
                }
            }
        }
    }

    /// Ends the run, which took `time`, and returns its measures.
    pub fn finish(self, world: &World, time: Duration) -> Metrics {
        let journeys = world.ours().filter_map(|agent| {
            let steps = self.steps.get(agent.slot())?.filter(|steps| steps.agent == agent.id)?;
            let arrived = steps.arrived.filter(|_| agent.has_arrived());
            Some(Journey {
                agent: agent.id,
                completed: arrived.map(|moment| moment.tick),
                completed_after: arrived.map(|moment| moment.after),
                completed_expansions: arrived.map(|moment| moment.expansions),
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
    /// An agent that has just joined, and may already have walked in its first tick.
    fn of_joined(world: &World, agent: &Agent, changes: &[Change], now: Moment) -> Self {
        let mut steps = Self::of(agent, now);
        for change in changes {
            match change {
                Change::Join { agent: id, cell, .. } | Change::Place { agent: id, cell }
                    if *id == agent.id =>
                {
                    steps.cell = *cell;
                }
                _ => {}
            }
        }
        steps.walk(world, agent, now);
        steps
    }

    fn walk(&mut self, world: &World, agent: &Agent, now: Moment) {
        self.distance.add_step(world.grid(), self.cell, agent.cell);
        let had_arrived = self.arrived.is_some() && self.cell == agent.cell;
        self.cell = agent.cell;
        self.arrived = match agent.has_arrived() {
            true if had_arrived => self.arrived,
            true => Some(now),
            false => None,
        };
    }
}
