//! How much the conflicts of a node cost at least.
//!
//! Each pair of agents in conflict is looked at by itself. What a pair has to pay, one or both of them pay, and one agent may pay in
//! several pairs at once: the least that all have to pay together is a cover of the pairs.

use std::collections::HashMap;

use super::cover::Pair;
use super::{Cbs, NO_PLAN, Run, cover};
use crate::registry::choice;
use crate::search::Budget;
use crate::solvers::Objective;
use crate::solvers::conflict_tree::{Itinerary, Joint, NodeId, costly_sides};

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

/// A path of an agent: the agent, and a number for what the path depends on, for example the node from which it comes. Where these
/// are equal, so are the constraints and the stops of the agent.
pub type Origin = (u32, u64);

/// Estimates, and what is known about pairs.
#[derive(Default)]
pub struct Estimates {
    known: HashMap<[Origin; 2], u64>,
    /// A search for a pair. Kept for its allocations.
    pair: Option<Box<Run>>,
}

impl Estimates {
    /// How much all plans below the present node cost more than its paths, at least. `origin` numbers the paths of agents.
    pub fn estimate(
        &mut self,
        options: Cbs,
        joint: &mut Joint,
        id: NodeId,
        origin: impl Fn(&Joint, u32) -> Origin,
        budget: &mut Budget<'_>,
    ) -> u64 {
        if options.objective == Objective::Makespan || options.heuristic == Heuristic::None {
            return 0;
        }
        let clashes = std::mem::take(&mut joint.clashes);
        let mut pairs: Vec<Pair> = Vec::new();
        for &clash in &clashes {
            let mut pair = clash.agents;
            pair.sort_unstable();
            let meet = joint.agents[pair[0] as usize].meets(pair[1]);
            if meet || pairs.iter().any(|(known, weight)| *known == pair && *weight > 0) {
                continue;
            }
            let weight = if options.heuristic == Heuristic::Cardinal {
                u64::from(costly_sides(joint, id, clash) == 2)
            } else if pairs.iter().any(|(known, _)| *known == pair) {
                continue;
            } else {
                let origins = pair.map(|agent| origin(joint, agent));
                self.weight(options, joint, id, origins, budget)
            };
            pairs.push((pair, weight));
        }
        joint.clashes = clashes;
        pairs.retain(|&(_, weight)| weight > 0);
        Self::cover(&pairs)
    }

    /// The least that pairs have to pay together; no plan, if one of them has none.
    pub fn cover(pairs: &[Pair]) -> u64 {
        // With a plan, no pair pays anywhere near as much.
        let has_no_plan = pairs.iter().any(|&(_, weight)| weight > NO_PLAN / 2);
        if has_no_plan { NO_PLAN } else { cover::least_cover(pairs) }
    }

    /// What is known about pairs of agents that have to pay something. `origins` are those of all agents.
    pub fn known_pairs(&self, origins: &[Origin]) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for (index, &second) in origins.iter().enumerate() {
            for &first in &origins[..index] {
                if let Some(&weight) = self.known.get(&[first, second]).filter(|&&due| due > 0) {
                    pairs.push(([first.0, second.0], weight));
                }
            }
        }
        pairs
    }

    /// Bytes that are held.
    pub fn memory(&self) -> usize {
        self.known.capacity() * size_of::<([Origin; 2], u64)>()
    }

    fn weight(
        &mut self,
        options: Cbs,
        joint: &Joint,
        id: NodeId,
        origins: [Origin; 2],
        budget: &mut Budget<'_>,
    ) -> u64 {
        if let Some(&known) = self.known.get(&origins) {
            return known;
        }
        let run = self.pair.get_or_insert_with(|| {
            let options = Cbs { heuristic: Heuristic::Cardinal, ..options };
            let joint = Joint::new(joint.grid.clone(), Vec::new(), options.objective);
            Box::new(Run::of(options, joint))
        });
        let agents = origins.map(|(agent, _)| agent as usize);
        let given = agents.map(|agent| {
            let own = joint.tree.constraints(id, agent);
            joint.given[agent].iter().copied().chain(own).collect()
        });
        // Agents have other numbers there, and those that meet are not compared.
        let alone = agents.map(|agent| Itinerary { meeting: None, ..joint.agents[agent].clone() });
        run.restart(alone.into(), given.into());
        let alone: u64 = agents.map(|agent| joint.paths[agent].len() as u64 - 1).iter().sum();
        let enough = (options.heuristic == Heuristic::Dependent).then_some(alone + 1);
        let weight = run.bound_within(MOST_NODES, enough, budget).saturating_sub(alone);
        let weight = if enough.is_some() { weight.min(1) } else { weight };
        self.known.insert(origins, weight);
        weight
    }
}
