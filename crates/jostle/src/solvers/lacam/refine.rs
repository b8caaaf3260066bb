//! Refinement of a plan by large neighbourhood search: some agents give up their paths and are planned anew, one after the other,
//! around those of all others. The new paths are kept if they cost no more than the old ones together.
//!
//! Paper: Li, Chen, Harabor, Stuckey and Koenig (2021), "Anytime multi-agent path finding via large neighborhood search". Departures: before
//! the first group, every agent that is late is planned anew alone once, the least late first: their searches are short, and leave
//! less to search for the others. Paths that cost the same are taken over too: they lead on
//! from where no group makes the plan better. How many agents a group has is learned, together with how it is chosen.
//!
//! It promises that plans stay free of conflicts and that no step makes them dearer. It does not promise the best plan.

use std::cmp::Reverse;
use std::sync::Arc;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::groups::{Groups, Way};
use crate::grid::{Cell, Grid};
use crate::plan::{Plan, TimedPath};
use crate::search::{Earliest, Errand, GoalDistances, Visits};
use crate::solvers::Objective;

/// The most intervals that the search for one path may expand.
const MOST_EXPANSIONS: u64 = 50_000;

/// A plan that is made better.
#[derive(Clone, Debug)]
pub struct Refiner {
    pub scene: Scene,
    objective: Objective,
    search: Earliest,
    groups: Groups,
    dice: ChaCha8Rng,
    /// The agents to plan anew alone, the next one last.
    alone: Vec<u32>,
    group: Vec<u32>,
    /// The paths that the agents of the group gave up.
    given_up: Vec<TimedPath>,
    /// Paths that are not in use, to be written over.
    spare: Vec<Vec<Cell>>,
    /// Intervals that were expanded, and agents that were tried.
    pub work: u64,
    /// The work that was done since the plan became better.
    pub idle: u64,
}

/// The plan, as groups are chosen from it.
#[derive(Clone, Debug)]
pub struct Scene {
    pub grid: Arc<Grid>,
    pub paths: Vec<TimedPath>,
    pub visits: Visits,
    /// The steps that each agent needs at least.
    pub shortest: Vec<u32>,
    /// The sum of what the paths cost.
    pub cost: u64,
}

impl Scene {
    /// The tick at which an agent arrives.
    pub fn arrival(&self, agent: usize) -> u32 {
        (self.paths[agent].cells.len() - 1) as u32
    }

    /// The tick at which the last agent arrives.
    fn makespan(&self) -> u32 {
        (0..self.paths.len()).map(|agent| self.arrival(agent)).max().unwrap_or(0)
    }

    /// How much later an agent arrives than if it were alone.
    pub fn delay(&self, agent: usize) -> u32 {
        self.arrival(agent).saturating_sub(self.shortest[agent])
    }
}

impl Refiner {
    /// A refiner without a plan.
    pub fn new(grid: Arc<Grid>, shortest: Vec<u32>, objective: Objective, seed: u32) -> Self {
        let (paths, visits) = (Vec::new(), Visits::on(&grid));
        Self {
            scene: Scene { grid, paths, visits, shortest, cost: 0 },
            objective,
            search: Earliest::default(),
            groups: Groups::default(),
            dice: ChaCha8Rng::seed_from_u64(u64::from(seed) ^ 0x5eed),
            alone: Vec::new(),
            group: Vec::new(),
            given_up: Vec::new(),
            spare: Vec::new(),
            work: 0,
            idle: 0,
        }
    }

    /// Takes over a plan whose paths end when their agents arrive.
    pub fn take(&mut self, plan: &Plan) {
        let Self { scene, alone, idle, .. } = self;
        scene.paths = plan.paths().to_vec();
        scene.visits = Visits::on(&scene.grid);
        for (agent, path) in scene.paths.iter().enumerate() {
            scene.visits.add(agent, &path.cells);
        }
        scene.cost = plan.sum_of_costs();
        alone.clear();
        alone
            .extend((0..scene.paths.len() as u32).filter(|&agent| scene.delay(agent as usize) > 0));
        alone.sort_by_key(|&agent| (Reverse(scene.delay(agent as usize)), Reverse(agent)));
        *idle = 0;
    }

    /// What the plan costs.
    pub fn cost(&self) -> u64 {
        match self.objective {
            Objective::SumOfCosts => self.scene.cost,
            Objective::Makespan => u64::from(self.scene.makespan()),
        }
    }

    /// The plan.
    pub fn plan(&self) -> Plan {
        Plan::new(Arc::clone(&self.scene.grid), self.scene.paths.clone())
    }

    /// Plans one group anew. Returns whether the sum of costs has become less.
    pub fn improve(&mut self, distances: &mut GoalDistances) -> bool {
        let before = self.work;
        self.group.clear();
        let way = match self.alone.pop() {
            Some(agent) => {
                self.group.push(agent);
                None
            }
            None => Some(self.choose_group(distances)),
        };
        let gain = self.plan_anew(distances);
        // Also what finds no group is work, so that a budget always ends.
        self.work += self.group.len() as u64 + 1;
        if let Some(way) = way {
            self.groups.learn(way, gain, self.work - before);
        }
        self.idle = if gain > 0 { 0 } else { self.idle + self.work - before };
        gain > 0
    }

    /// Bytes this holds.
    pub fn memory(&self) -> usize {
        let length = |path: &TimedPath| path.cells.capacity();
        let cells = self.scene.paths.iter().map(length).sum::<usize>()
            + self.spare.iter().map(Vec::capacity).sum::<usize>();
        self.scene.visits.memory() + self.search.memory() + cells * size_of::<Cell>()
    }

    fn choose_group(&mut self, distances: &mut GoalDistances) -> Way {
        let Self { scene, groups, dice, group, .. } = self;
        let way = groups.draw(dice);
        groups.choose(way, scene, distances, dice, group);
        group.shuffle(dice);
        way
    }

    /// Plans the agents of the group anew, in order. Returns by how much the plan has become cheaper; if it would become dearer, the
    /// old paths stay.
    fn plan_anew(&mut self, distances: &mut GoalDistances) -> u64 {
        let Self { scene, search, group, given_up, spare, objective, .. } = self;
        let arrivals = |scene: &Scene| -> u64 {
            group.iter().map(|&agent| u64::from(scene.arrival(agent as usize))).sum()
        };
        let latest_of_all = match objective {
            Objective::SumOfCosts => u32::MAX - 1,
            Objective::Makespan => scene.makespan(),
        };
        let before = arrivals(scene);
        let mut at_least: u64 =
            group.iter().map(|&agent| u64::from(scene.shortest[agent as usize])).sum();
        for &agent in group.iter() {
            let path = std::mem::take(&mut scene.paths[agent as usize]);
            scene.visits.remove(agent as usize, &path.cells);
            given_up.push(path);
        }
        let (mut planned, mut spent) = (0, 0);
        for (&agent, old) in group.iter().zip(given_up.iter()) {
            let agent = agent as usize;
            let (Some(&start), Some(&goal)) = (old.cells.first(), old.cells.last()) else { break };
            at_least -= u64::from(scene.shortest[agent]);
            let latest = (before - spent - at_least).min(u64::from(latest_of_all)) as u32;
            let visits = &scene.visits;
            let most_expansions = MOST_EXPANSIONS;
            let errand = Errand { visits, start, goal, latest, most_expansions };
            let mut cells = spare.pop().unwrap_or_default();
            let steps_left = |cell| distances.get(agent, cell);
            let is_found = search.find(&scene.grid, &errand, steps_left, &mut cells);
            self.work += search.expansions();
            if !is_found {
                spare.push(cells);
                break;
            }
            spent += cells.len() as u64 - 1;
            scene.visits.add(agent, &cells);
            scene.paths[agent] = TimedPath::of(cells);
            planned += 1;
        }
        if planned < group.len() {
            for &agent in &group[..planned] {
                let path = std::mem::take(&mut scene.paths[agent as usize]);
                scene.visits.remove(agent as usize, &path.cells);
                spare.push(path.cells);
            }
            for (&agent, old) in group.iter().zip(given_up.drain(..)) {
                scene.visits.add(agent as usize, &old.cells);
                scene.paths[agent as usize] = old;
            }
            return 0;
        }
        spare.extend(given_up.drain(..).map(|path| path.cells));
        scene.cost -= before - spent;
        before - spent
    }
}
