//! One group of agents that gives up its paths and is planned anew, agent after agent, around the paths of all others.

use super::groups::Way;
use super::refine::Scene;
use crate::grid::Cell;
use crate::search::{Earliest, Errand, GoalDistances, LentDistances, Visits};

/// The most intervals that the search for one path may expand.
const MOST_EXPANSIONS: u64 = 50_000;

/// A group, and what has become of it. Its lists are kept from one group to the next.
#[derive(Clone, Debug, Default)]
pub struct Trial {
    /// How the group was chosen; `None` if it is an agent alone.
    pub way: Option<Way>,
    pub group: Vec<u32>,
    /// The distances of the group, while it is planned.
    pub distances: LentDistances,
    /// The paths that were found, in the order of the group. Once they are taken over, those that they have replaced.
    pub paths: Vec<Vec<Cell>>,
    /// By how much the paths that were found are cheaper than the old ones, all together; `None` if there
    /// are none but the old ones.
    pub gain: Option<u64>,
    /// Intervals that were expanded, and agents that were tried.
    pub work: u64,
    /// Gaps that were looked at.
    pub looked: u64,
}

/// What it takes to plan a group: each thread has its own.
#[derive(Clone, Debug, Default)]
pub struct Desk {
    /// Where all agents are.
    pub visits: Visits,
    search: Earliest,
}

impl Trial {
    /// Plans the agents of the group anew, in order, so that they arrive by a tick and cost no more than now all together, with so much
    /// work at most. If there are other such paths, the visits are theirs then, and otherwise those of the old ones, as before.
    pub fn plan(
        &mut self,
        scene: &Scene,
        (latest_of_all, most_work): (u32, u64),
        tables: &GoalDistances,
        desk: &mut Desk,
    ) {
        let Self { group, distances, paths, .. } = self;
        let Desk { visits, search } = desk;
        // Also what finds no group is work, so that a budget always ends.
        (self.work, self.looked) = (group.len() as u64 + 1, 0);
        paths.resize_with(group.len().max(paths.len()), Vec::new);
        let sum = |steps: &dyn Fn(usize) -> u32| -> u64 {
            group.iter().map(|&agent| u64::from(steps(agent as usize))).sum()
        };
        let before = sum(&|agent| scene.arrival(agent));
        let mut at_least = sum(&|agent| scene.shortest[agent]);
        for &agent in group.iter() {
            visits.remove(agent as usize, &scene.paths[agent as usize].cells, scene.passed);
        }
        let (mut planned, mut spent) = (0, 0);
        for (&agent, cells) in group.iter().zip(paths.iter_mut()) {
            let agent = agent as usize;
            let old = &scene.paths[agent].cells;
            let gone = old.get(..=scene.passed as usize);
            let (Some(gone), Some(&goal)) = (gone, old.last()) else { break };
            at_least -= u64::from(scene.shortest[agent]);
            let latest = (before - spent - at_least).min(u64::from(latest_of_all)) as u32;
            let most_expansions = MOST_EXPANSIONS.min(most_work.saturating_sub(self.work));
            let errand = Errand { visits, gone, goal, latest, most_expansions };
            let steps_left = |cell| tables.get_lent(distances, planned, cell);
            let is_found = search.find(&scene.grid, &errand, steps_left, cells);
            self.work += search.expansions();
            self.looked += search.looked();
            if !is_found {
                break;
            }
            spent += cells.len() as u64 - 1;
            visits.add(agent, cells, scene.passed);
            planned += 1;
        }
        if planned < group.len() {
            self.gain = None;
            self.put_back(planned, scene, visits);
            return;
        }
        let is_old =
            |(&agent, cells): (&u32, &Vec<Cell>)| scene.paths[agent as usize].cells == *cells;
        self.gain = Some(before - spent).filter(|_| !group.iter().zip(&*paths).all(is_old));
    }

    /// Puts the paths that the group has in the plan in place of those of this trial, if it has any. So what was planned is undone, or
    /// what was [taken over](Self::take_over) is followed.
    pub fn follow_plan(&self, scene: &Scene, visits: &mut Visits) {
        if self.gain.is_some() {
            self.put_back(self.group.len(), scene, visits);
        }
    }

    /// Makes the visits of the plan those of the new paths, if there are any and nobody is in their way by now. Returns whether that is so.
    pub fn redo(&self, scene: &mut Scene) -> bool {
        if self.gain.is_none() {
            return false;
        }
        let Scene { grid, paths, visits, passed, .. } = scene;
        self.agents().for_each(|agent| visits.remove(agent, &paths[agent].cells, *passed));
        let new_paths = || self.agents().zip(&self.paths);
        let is_free = new_paths().all(|(_, cells)| visits.allow(grid, cells));
        for (agent, new) in new_paths() {
            visits.add(agent, if is_free { new } else { &paths[agent].cells }, *passed);
        }
        is_free
    }

    /// Gives the agents their new paths, if there are any, and keeps the old ones. Returns by how much the plan has become cheaper.
    pub fn take_over(&mut self, scene: &mut Scene) -> u64 {
        let Some(gain) = self.gain else { return 0 };
        for (&agent, cells) in self.group.iter().zip(&mut self.paths) {
            std::mem::swap(&mut scene.paths[agent as usize].cells, cells);
        }
        scene.cost -= gain;
        gain
    }

    /// Bytes this holds.
    pub fn memory(&self) -> usize {
        self.paths.iter().map(Vec::capacity).sum::<usize>() * size_of::<Cell>()
            + self.paths.capacity() * size_of::<Vec<Cell>>()
            + self.group.capacity() * size_of::<u32>()
    }

    fn agents(&self) -> impl Iterator<Item = usize> {
        self.group.iter().map(|&agent| agent as usize)
    }

    /// Removes the paths of this trial that the first agents of the group have, and adds those that all of them have in the plan.
    fn put_back(&self, planned: usize, scene: &Scene, visits: &mut Visits) {
        let planned = self.agents().take(planned);
        planned
            .zip(&self.paths)
            .for_each(|(agent, cells)| visits.remove(agent, cells, scene.passed));
        self.agents().for_each(|agent| visits.add(agent, &scene.paths[agent].cells, scene.passed));
    }
}

impl Desk {
    /// Bytes this holds.
    pub fn memory(&self) -> usize {
        self.visits.memory() + self.search.memory()
    }
}
