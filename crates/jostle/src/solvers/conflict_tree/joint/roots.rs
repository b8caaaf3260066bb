//! How the roots of a conflict tree are made.

use std::sync::Arc;

use super::Joint;
use crate::grid::Cell;
use crate::search::{Budget, Verdict};
use crate::solvers::conflict_tree::{Constraint, Itinerary, NodeId, Tree};

impl Joint {
    /// Begins anew with other agents on the same floor. What is given holds for each of them in every node.
    pub fn restart(&mut self, agents: Vec<Itinerary>, given: Vec<Vec<Constraint>>) {
        self.clear_paths();
        self.clashes.clear();
        self.tree = Tree::default();
        (self.agents, self.given) = (agents, given);
        self.is_planting = false;
    }

    /// Makes a root: a path for every agent, as short as may be. After [`Verdict::OutOfBudget`] it goes on where it stopped. The
    /// root is the present node then.
    pub fn plant(&mut self, budget: &mut Budget<'_>) -> Verdict<NodeId> {
        if !std::mem::replace(&mut self.is_planting, true) {
            self.clear_paths();
            self.polished = 0;
        }
        for agent in self.paths.len()..self.agents.len() {
            if self.shortest.len() == agent {
                self.shortest.push(0);
                self.set_constraints(agent, None, None);
                self.begin_search(agent, budget);
            }
            let path = match self.go_on_searching(agent, budget) {
                Verdict::Found(path) => path,
                Verdict::Nothing => {
                    self.is_planting = false;
                    return Verdict::Nothing;
                }
                Verdict::OutOfBudget => return Verdict::OutOfBudget,
            };
            self.shortest[agent] = self.routes.bound;
            self.timetable.add(agent, &path, self.agents[agent].stays());
            self.paths.push(path);
        }
        if !self.polish(budget) {
            return Verdict::OutOfBudget;
        }
        self.is_planting = false;
        let shortest = std::mem::take(&mut self.shortest);
        let root = self.root_of_paths(&shortest);
        self.shortest = shortest;
        Verdict::Found(root)
    }

    /// Searches for other paths of agents in conflict that are no longer and have fewer conflicts: when the first paths were
    /// searched for, the later ones were not known. Conflicts that go away here are not met again in every branch of the tree.
    /// False if the budget was not enough.
    fn polish(&mut self, budget: &mut Budget<'_>) -> bool {
        let mut clashes = Vec::new();
        while self.polished < self.polish_rounds * self.agents.len() {
            let agent = self.polished % self.agents.len();
            let stays = self.agents[agent].stays();
            if !self.is_polishing {
                clashes.clear();
                self.find_clashes(agent, &self.paths[agent], &mut clashes);
                if clashes.is_empty() {
                    self.polished += 1;
                    continue;
                }
                self.is_polishing = true;
                self.set_constraints(agent, None, None);
                self.timetable.remove(agent, &self.paths[agent], stays);
                self.begin_search(agent, budget);
            }
            let found = self.go_on_searching(agent, budget);
            if found == Verdict::OutOfBudget {
                return false;
            }
            if let Verdict::Found(path) = found {
                clashes.clear();
                self.find_clashes(agent, &self.paths[agent], &mut clashes);
                let before = clashes.len();
                clashes.clear();
                self.find_clashes(agent, &path, &mut clashes);
                let is_cheaper = path.len() <= self.paths[agent].len() && clashes.len() < before;
                if is_cheaper {
                    self.paths[agent] = path;
                }
            }
            self.timetable.add(agent, &self.paths[agent], stays);
            self.is_polishing = false;
            self.polished += 1;
        }
        true
    }

    /// Makes a root of given paths, one for each agent, which becomes the present node.
    pub fn plant_paths(&mut self, paths: Vec<Arc<[Cell]>>) -> NodeId {
        self.clear_paths();
        for (agent, path) in paths.iter().enumerate() {
            self.timetable.add(agent, path, self.agents[agent].stays());
        }
        self.paths = paths;
        let shortest: Vec<u32> = self.paths.iter().map(|path| path.len() as u32 - 1).collect();
        self.root_of_paths(&shortest)
    }

    /// Makes a root with the paths of the present node, which is a root, but new ones for some agents: their itineraries are others
    /// now. After [`Verdict::OutOfBudget`] it goes on where it stopped. The new root is the present node then.
    pub fn replant(
        &mut self,
        from: NodeId,
        agents: &[usize],
        budget: &mut Budget<'_>,
    ) -> Verdict<NodeId> {
        if self.to_replan.is_empty() {
            self.to_replan.extend(agents.iter().rev());
            for &agent in agents {
                self.timetable.remove(agent, &self.paths[agent], self.agents[agent].stays());
            }
        }
        while let Some(&agent) = self.to_replan.last() {
            if !std::mem::replace(&mut self.is_replanning, true) {
                self.set_constraints(agent, None, None);
                self.begin_search(agent, budget);
            }
            match self.go_on_searching(agent, budget) {
                Verdict::Found(path) => self.paths[agent] = path,
                Verdict::OutOfBudget => return Verdict::OutOfBudget,
                Verdict::Nothing => {
                    // The agents that are left keep their paths, so that the timetable has those of all.
                    self.is_replanning = false;
                    for agent in std::mem::take(&mut self.to_replan) {
                        self.timetable.add(agent, &self.paths[agent], self.agents[agent].stays());
                    }
                    return Verdict::Nothing;
                }
            }
            self.is_replanning = false;
            self.timetable.add(agent, &self.paths[agent], self.agents[agent].stays());
            self.to_replan.pop();
        }
        let shortest: Vec<u32> = self.paths.iter().map(|path| path.len() as u32 - 1).collect();
        let root = self.root_of_paths(&shortest);
        for agent in (0..self.agents.len()).filter(|agent| !agents.contains(agent)) {
            if let Some(known) = self.tree.singles(from, agent) {
                self.tree.set_singles(root, agent, known);
            }
        }
        Verdict::Found(root)
    }

    fn root_of_paths(&mut self, shortest: &[u32]) -> NodeId {
        let mut clashes = Vec::new();
        for agent in 0..self.paths.len() {
            self.find_clashes(agent, &self.paths[agent], &mut clashes);
        }
        // Each conflict is found twice, once by each agent.
        clashes.retain(|clash| clash.agents[0] < clash.agents[1]);
        let cost = self.cost_with(None);
        let bound = self.objective.total(shortest.iter().map(|&length| u64::from(length)));
        self.clashes.clone_from(&clashes);
        self.tree.plant(&self.paths, shortest, clashes, (cost, bound))
    }

    /// Takes all paths out of the timetable, and ends whatever is being searched for.
    fn clear_paths(&mut self) {
        // The path of an agent that is searched for is not in there.
        let work = self.work.take().filter(|work| work.is_searching);
        let polished = self.is_polishing.then(|| self.polished % self.agents.len());
        let absent = work.map(|work| work.split.agents[work.side]).or(polished);
        let replanned = std::mem::take(&mut self.to_replan);
        for (agent, path) in self.paths.iter().enumerate() {
            if Some(agent) != absent && !replanned.contains(&agent) {
                self.timetable.remove(agent, path, self.agents[agent].stays());
            }
        }
        (self.is_polishing, self.is_replanning) = (false, false);
        self.paths.clear();
        self.shortest.clear();
    }
}
