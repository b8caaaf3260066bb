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
    #[default]
    Weighted,
}

choice!(Heuristic { None = "none", Cardinal = "cg", Dependent = "dg", Weighted = "wdg" });

/// How many nodes may be expanded for the best joint plan of a pair. If that is not enough, the bound by then counts.
const MOST_NODES: u64 = 32;

/// A path of an agent: the agent, and the node from which it comes.
type Origin = (u32, NodeId);

/// Estimates, and what is known about pairs.
#[derive(Default)]
pub struct Estimates {
    known: HashMap<[Origin; 2], u64>,
    /// A search for a pair. Kept for its allocations.
    pair: Option<Box<Run>>,
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
        let clashes = std::mem::take(&mut joint.clashes);
        let mut pairs: Vec<([u32; 2], u64)> = Vec::new();
        for &clash in &clashes {
            let mut pair = clash.agents;
            pair.sort_unstable();
            if pairs.iter().any(|(known, weight)| *known == pair && *weight > 0) {
                continue;
            }
            let weight = if options.heuristic == Heuristic::Cardinal {
                u64::from(costly_sides(joint, id, clash) == 2)
            } else if pairs.iter().any(|(known, _)| *known == pair) {
                continue;
            } else {
                self.weight(options, joint, id, pair, budget)
            };
            pairs.push((pair, weight));
        }
        joint.clashes = clashes;
        pairs.retain(|&(_, weight)| weight > 0);
        cover::least_cover(&pairs)
    }

    fn weight(
        &mut self,
        options: Cbs,
        joint: &Joint,
        id: NodeId,
        pair: [u32; 2],
        budget: &mut Budget<'_>,
    ) -> u64 {
        let origins = pair.map(|agent| (agent, joint.tree.origin(id, agent as usize)));
        if let Some(&known) = self.known.get(&origins) {
            return known;
        }
        let run = self.pair.get_or_insert_with(|| {
            let options = Cbs { heuristic: Heuristic::Cardinal, ..options };
            let joint = Joint::new(joint.grid.clone(), Vec::new(), options.objective);
            Box::new(Run::of(options, joint))
        });
        let agents = pair.map(|agent| agent as usize);
        let given = agents.map(|agent| {
            let own = joint.tree.constraints(id, agent);
            joint.given[agent].iter().copied().chain(own).collect()
        });
        run.restart(agents.map(|agent| joint.agents[agent].clone()).into(), given.into());
        let alone: u64 = agents.map(|agent| joint.paths[agent].len() as u64 - 1).iter().sum();
        let enough = (options.heuristic == Heuristic::Dependent).then_some(alone + 1);
        let weight = run.bound_within(MOST_NODES, enough, budget).saturating_sub(alone);
        let weight = if enough.is_some() { weight.min(1) } else { weight };
        self.known.insert(origins, weight);
        weight
    }
}
