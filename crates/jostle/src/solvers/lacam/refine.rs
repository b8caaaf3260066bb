//! Refinement of a plan by large neighbourhood search: some agents give up their paths and are planned anew, one after the other,
//! around those of all others. The new paths are kept if they cost no more than the old ones together.
//!
//! Paper: Li, Chen, Harabor, Stuckey and Koenig (2021), "Anytime multi-agent path finding via large neighborhood search". Departures: before
//! the first group, every agent that is late is planned anew alone once, the least late first: their searches are short, and leave
//! less to search for the others. Paths that cost the same are taken over too: they lead on
//! from where no group makes the plan better. How many agents a group has is learned, together with how it is chosen.
//!
//! Groups are planned in rounds. Those of a round have no agent in common, and each is planned around the paths that all others have at
//! the beginning of the round, so that several threads can do it at a time. Then their paths are taken over in order, as far as nobody is in
//! their way by now. So the plan depends on how many groups a round has, but not on the number of threads.
//!
//! It promises that plans stay free of conflicts and that no step makes them dearer. It does not promise the best plan.

use std::cmp::Reverse;
use std::sync::Arc;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::groups::{Groups, Way};
use super::trial::{Desk, Trial};
use crate::grid::{Cell, Grid};
use crate::plan::{Plan, TimedPath};
use crate::search::{GoalDistances, Visits};
use crate::solvers::Objective;
use crate::threads::{self, Handout};

/// A plan that is made better.
#[derive(Clone, Debug)]
pub struct Refiner {
    pub scene: Scene,
    objective: Objective,
    groups: Groups,
    dice: ChaCha8Rng,
    /// The agents to plan anew alone, the next one last.
    alone: Vec<u32>,
    /// The groups of this round, as many as a round has, and those of the last one.
    trials: Vec<Trial>,
    last_trials: Vec<Trial>,
    /// Groups that would have made the plan better but for others of the last round: they are planned again.
    again: Vec<(Option<Way>, Vec<u32>)>,
    /// What each thread needs. The visits of the scene are on the first one while a round is planned.
    desks: Vec<Desk>,
    /// The most work that a group may take.
    most_work: u64,
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
    /// How many ticks have passed: what agents did until then cannot be changed any more.
    pub passed: u32,
}

impl Scene {
    /// Agents follow these paths.
    fn follow(&mut self, paths: Vec<TimedPath>) {
        self.visits = Visits::on(&self.grid);
        for (agent, path) in paths.iter().enumerate() {
            self.visits.add(agent, &path.cells, 0);
        }
        self.paths = paths;
    }

    /// The tick at which an agent arrives.
    pub fn arrival(&self, agent: usize) -> u32 {
        (self.paths[agent].cells.len() - 1) as u32
    }

    /// The cells of an agent in the ticks that have not passed; only its goal, if it has arrived.
    pub fn ahead(&self, agent: usize) -> &[Cell] {
        let cells = &self.paths[agent].cells;
        &cells[(self.passed as usize).min(cells.len() - 1)..]
    }

    /// Where an agent is at a tick.
    fn at(&self, agent: usize, tick: u32) -> Cell {
        let cells = &self.paths[agent].cells;
        cells[(tick as usize).min(cells.len() - 1)]
    }

    /// Whether an agent had arrived before the last tick that has passed.
    fn has_arrived(&self, agent: usize) -> bool {
        self.arrival(agent) < self.passed
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
    pub fn new(
        grid: Arc<Grid>,
        shortest: Vec<u32>,
        objective: Objective,
        options: Refining,
    ) -> Self {
        let Refining { seed, batch, threads, most_work } = options;
        let threads = threads::available(threads).min(batch);
        let (paths, visits) = (Vec::new(), Visits::on(&grid));
        Self {
            scene: Scene { grid, paths, visits, shortest, cost: 0, passed: 0 },
            objective,
            groups: Groups::default(),
            dice: ChaCha8Rng::seed_from_u64(u64::from(seed) ^ 0x5eed),
            alone: Vec::new(),
            trials: vec![Trial::default(); batch],
            last_trials: vec![Trial::default(); batch],
            again: Vec::new(),
            desks: vec![Desk::default(); threads],
            most_work,
            work: 0,
            idle: 0,
        }
    }

    /// Changes how much work a group may take.
    pub const fn limit_work(&mut self, most: u64) {
        self.most_work = most;
    }

    /// Takes over a plan whose paths end when their agents arrive.
    pub fn take(&mut self, plan: &Plan) {
        self.scene.follow(plan.paths().to_vec());
        self.begin();
    }

    /// Takes over a plan for which agents stand on these cells. It is made [step by step](Self::extend).
    pub fn stand(&mut self, cells: impl Iterator<Item = Cell>) {
        self.scene.follow(cells.map(|cell| TimedPath::of(vec![cell])).collect());
    }

    /// In one more tick, the plan leads agents to these cells.
    pub fn extend(&mut self, cells: impl Iterator<Item = Cell> + Clone) {
        let Scene { paths, visits, .. } = &mut self.scene;
        let now = |path: &TimedPath| path.cells.last().copied();
        for (path, next) in paths.iter().zip(cells.clone()) {
            if let Some(here) = now(path).filter(|&here| here != next) {
                visits.leave(here, path.cells.len() as u32);
            }
        }
        for (agent, (path, next)) in paths.iter_mut().zip(cells).enumerate() {
            if now(path) != Some(next) {
                visits.enter(agent, next, path.cells.len() as u32);
            }
            path.cells.push(next);
        }
    }

    /// The plan is complete: its paths end when their agents arrive. From now on it is made better. Agents need so many steps at least.
    pub fn complete(&mut self, shortest: Vec<u32>) {
        self.scene.shortest = shortest;
        for path in &mut self.scene.paths {
            let stay = path.cells.last().copied();
            let stays = path.cells.iter().rev().take_while(|&&cell| Some(cell) == stay).count();
            path.cells.truncate(path.cells.len() + 1 - stays);
        }
        self.begin();
    }

    /// Begins to make a plan better.
    fn begin(&mut self) {
        let Self { scene, alone, idle, .. } = self;
        self.trials.iter_mut().for_each(|trial| trial.gain = None);
        self.again.clear();
        for desk in &mut self.desks[1..] {
            desk.visits.clone_from(&scene.visits);
        }
        scene.cost = scene.paths.iter().map(TimedPath::cost).sum();
        alone.clear();
        alone
            .extend((0..scene.paths.len() as u32).filter(|&agent| scene.delay(agent as usize) > 0));
        alone.sort_by_key(|&agent| (Reverse(scene.delay(agent as usize)), Reverse(agent)));
        *idle = 0;
    }

    /// So many ticks have passed: only what comes later is made better.
    pub fn pass(&mut self, ticks: u32, distances: &mut GoalDistances) {
        let scene = &mut self.scene;
        scene.passed = ticks;
        for agent in 0..scene.paths.len() {
            if !scene.has_arrived(agent) {
                let left = distances.get(agent, scene.at(agent, ticks));
                scene.shortest[agent] = ticks.saturating_add(left);
            }
        }
    }

    /// How many gaps between visits the last round has looked at.
    pub fn last_looked(&self) -> u64 {
        self.trials.iter().map(|trial| trial.looked).sum()
    }

    /// How many cells those who were planned anew last have before them.
    pub fn last_cells(&self) -> u64 {
        let agents = self.trials.iter().flat_map(|trial| &trial.group);
        agents.map(|&agent| self.scene.ahead(agent as usize).len() as u64).sum()
    }

    /// Where an agent begins.
    pub fn start(&self, agent: usize) -> Cell {
        self.scene.at(agent, 0)
    }

    /// Where agents are at a tick.
    pub fn cells(&self, tick: u32) -> impl Iterator<Item = Cell> {
        (0..self.scene.paths.len()).map(move |agent| self.scene.at(agent, tick))
    }

    /// Whether the plan has ended.
    pub fn is_over(&self) -> bool {
        self.scene.makespan() <= self.scene.passed
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

    /// Plans the groups of a round anew. Returns whether the sum of costs has become less.
    pub fn improve(&mut self, distances: &mut GoalDistances) -> bool {
        self.choose_groups(distances);
        self.plan_anew(distances);
        let (gain, work) = self.take_over(distances);
        self.work += work;
        self.idle = if gain > 0 { 0 } else { self.idle + work };
        gain > 0
    }

    /// Nominal bytes: those of the visits, and four for each cell of paths. What threads need does
    /// not count, so that it does not depend on their number.
    pub fn held(&self) -> usize {
        let trials = self.trials.iter().chain(&self.last_trials);
        let cells = self.scene.paths.iter().map(|path| path.cells.len()).sum::<usize>();
        let cells = cells + trials.flat_map(|trial| &trial.paths).map(Vec::len).sum::<usize>();
        self.scene.visits.held() + 4 * cells
    }

    /// Bytes this holds.
    pub fn memory(&self) -> usize {
        let length = |path: &TimedPath| path.cells.capacity();
        let cells = self.scene.paths.iter().map(length).sum::<usize>();
        self.scene.visits.memory()
            + self.trials.iter().chain(&self.last_trials).map(Trial::memory).sum::<usize>()
            + self.desks.iter().map(Desk::memory).sum::<usize>()
            + cells * size_of::<Cell>()
    }

    /// Chooses the groups of a round. No agent is in two of them.
    fn choose_groups(&mut self, distances: &mut GoalDistances) {
        let Self { scene, groups, dice, alone, trials, last_trials, again, .. } = self;
        std::mem::swap(trials, last_trials);
        groups.begin_round(scene.paths.len());
        let mut again = again.drain(..);
        for trial in trials {
            trial.group.clear();
            if let Some((way, agents)) = again.next() {
                trial.way = way;
                for agent in agents {
                    groups.add(agent as usize, &mut trial.group);
                }
            } else if let Some(agent) = alone.pop() {
                trial.way = None;
                groups.add(agent as usize, &mut trial.group);
            } else {
                let way = groups.draw(dice);
                trial.way = Some(way);
                groups.choose(way, scene, distances, dice, &mut trial.group);
                trial.group.shuffle(dice);
            }
            trial.group.retain(|&agent| !scene.has_arrived(agent as usize));
        }
    }

    /// Plans every group of the round anew, around the paths that all others have at its beginning.
    fn plan_anew(&mut self, distances: &mut GoalDistances) {
        let Self { scene, trials, last_trials, desks, objective, most_work, .. } = self;
        let latest_of_all = match objective {
            Objective::SumOfCosts => u32::MAX - 1,
            Objective::Makespan => scene.makespan(),
        };
        for trial in trials.iter_mut() {
            distances.lend(&trial.group, &mut trial.distances);
        }
        std::mem::swap(&mut scene.visits, &mut desks[0].visits);
        let (scene, distances, is_only_one) = (&*scene, &*distances, trials.len() == 1);
        let trials = Handout::of(trials.iter_mut());
        threads::for_each(desks.len(), desks.iter_mut().enumerate(), |(number, desk)| {
            if number > 0 {
                for trial in last_trials.iter() {
                    trial.follow_plan(scene, &mut desk.visits);
                }
            }
            trials.for_each(|trial| {
                trial.plan(scene, (latest_of_all, *most_work), distances, desk);
                if !is_only_one {
                    trial.follow_plan(scene, &mut desk.visits);
                }
            });
        });
        std::mem::swap(&mut self.scene.visits, &mut self.desks[0].visits);
    }

    /// Takes over the new paths of the groups, in order, as far as those of the groups before them are not in their way. Returns by how
    /// much the plan has become cheaper, and how much work the round was.
    fn take_over(&mut self, distances: &mut GoalDistances) -> (u64, u64) {
        let Self { scene, groups, trials, again, .. } = self;
        let is_only_one = trials.len() == 1;
        let (mut gain, mut work) = (0, 0);
        for trial in trials {
            distances.take_back(&trial.group, &mut trial.distances);
            work += trial.work;
            let found = trial.gain;
            if !is_only_one && !trial.redo(scene) {
                trial.gain = None;
            }
            match (found, trial.gain) {
                (Some(found), None) if found > 0 => again.push((trial.way, trial.group.clone())),
                _ => {
                    let gained = trial.take_over(scene);
                    if let Some(way) = trial.way {
                        groups.learn(way, gained, trial.work);
                    }
                    gain += gained;
                }
            }
        }
        (gain, work)
    }
}

/// How to refine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refining {
    /// Decides which groups are chosen.
    pub seed: u32,
    /// How many groups a round has.
    pub batch: usize,
    /// On how many threads the groups of a round are planned.
    pub threads: usize,
    /// The most work that a group may take.
    pub most_work: u64,
}

#[cfg(test)]
#[path = "refine_test.rs"]
mod tests;
