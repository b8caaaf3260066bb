//! How much the conflicts of a node cost at least.
//!
//! Each pair of agents in conflict is looked at by itself. What a pair has to pay, one or both of them pay, and one agent may pay in
//! several pairs at once: the least that all have to pay together is a cover of the pairs.

use std::collections::HashMap;

use super::{Cbs, Run, cover};
use crate::registry::choice;
use crate::search::Budget;
use crate::solvers::Objective;
use crate::solvers::conflict_tree::{Joint, NodeId, costly_sides};

/// What is estimated for a pair of agents in conflict.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Heuristic {
    /// Nothing.
    None,
    /// One, if a conflict costs both agents something in any case (CG).
    Cardinal,
    /// One, if no two of their shortest paths are without conflict (DG).
    Dependent,
    /// How much their best joint plan costs more than their shortest paths (WDG).
    Weighted,
    /// The same, also for larger groups of agents that are in conflict, directly or through others. Not from a paper: groups that
    /// have nothing to do with each other are bounded by themselves, instead of in all combinations.
    #[default]
    Grouped,
}

choice!(Heuristic {
    None = "none",
    Cardinal = "cg",
    Dependent = "dg",
    Weighted = "wdg",
    Grouped = "groups",
});

/// How many nodes may be expanded for the best joint plan of a pair or a group. If that is not enough, the bound by then
/// counts.
const MOST_NODES: u64 = 32;

/// The largest group that is looked at as a whole.
const MOST_AGENTS: usize = 8;

/// A path of an agent: the agent, and the node from which it comes.
type Origin = (u32, NodeId);

/// Estimates, and what is known about groups of agents.
#[derive(Default)]
pub struct Estimates {
    known: HashMap<Vec<Origin>, u64>,
    /// A search for a group. Kept for its allocations.
    group: Option<Box<Run>>,
}

impl Estimates {
    /// How much all plans below the present node cost more than its paths, at least.
    pub fn estimate(
        &mut self,
        options: Cbs,
        joint: &mut Joint,
        id: NodeId,
        budget: &mut Budget<'_>,
    ) -> u64 {
        if options.objective == Objective::Makespan || options.heuristic == Heuristic::None {
            return 0;
        }
        let pairs = self.pairs(options, joint, id, budget);
        let mut sum = 0;
        for group in cover::groups(&pairs) {
            let mut due = cover::least_cover(&group);
            let mut agents: Vec<u32> = group.iter().flat_map(|(pair, _)| *pair).collect();
            agents.sort_unstable();
            agents.dedup();
            if options.heuristic == Heuristic::Grouped && (3..=MOST_AGENTS).contains(&agents.len())
            {
                due = due.max(self.weight(options, joint, id, &agents, budget));
            }
            sum += due;
        }
        sum
    }

    /// The pairs of agents in conflict, and what each has to pay.
    fn pairs(
        &mut self,
        options: Cbs,
        joint: &mut Joint,
        id: NodeId,
        budget: &mut Budget<'_>,
    ) -> Vec<([u32; 2], u64)> {
        let clashes = std::mem::take(&mut joint.clashes);
        let mut pairs: Vec<([u32; 2], u64)> = Vec::new();
        for &clash in &clashes {
            let mut pair = clash.agents;
            pair.sort_unstable();
            let known = pairs.iter().position(|(known, _)| *known == pair);
            match options.heuristic {
                Heuristic::Cardinal => {
                    let due = u64::from(costly_sides(joint, id, clash) == 2);
                    match known {
                        Some(known) => pairs[known].1 = pairs[known].1.max(due),
                        None => pairs.push((pair, due)),
                    }
                }
                _ if known.is_none() => {
                    pairs.push((pair, self.weight(options, joint, id, &pair, budget)));
                }
                _ => {}
            }
        }
        joint.clashes = clashes;
        pairs
    }

    /// How much the best joint plan of some agents costs more than their paths, at least.
    fn weight(
        &mut self,
        options: Cbs,
        joint: &Joint,
        id: NodeId,
        agents: &[u32],
        budget: &mut Budget<'_>,
    ) -> u64 {
        let origin = |&agent: &u32| (agent, joint.tree.origin(id, agent as usize));
        let origins: Vec<Origin> = agents.iter().map(origin).collect();
        if let Some(&known) = self.known.get(&origins) {
            return known;
        }
        let run = self.group.get_or_insert_with(|| {
            let options = Cbs { heuristic: Heuristic::Cardinal, ..options };
            let joint = Joint::new(joint.grid.clone(), Vec::new(), options.objective);
            Box::new(Run::of(options, joint))
        });
        let given = agents.iter().map(|&agent| {
            let own = joint.tree.constraints(id, agent as usize);
            joint.given[agent as usize].iter().copied().chain(own).collect()
        });
        let itineraries = agents.iter().map(|&agent| joint.agents[agent as usize].clone());
        run.restart(itineraries.collect(), given.collect());
        let alone: u64 =
            agents.iter().map(|&agent| joint.paths[agent as usize].len() as u64 - 1).sum();
        let enough = (options.heuristic == Heuristic::Dependent).then_some(alone + 1);
        let weight = run.bound_within(MOST_NODES, enough, budget).saturating_sub(alone);
        let weight = if enough.is_some() { weight.min(1) } else { weight };
        self.known.insert(origins, weight);
        weight
    }
}
