//! How much the conflicts of a node cost at least.
//!
//! Each pair of agents in conflict is looked at by itself. What a pair has to pay, one or both of them pay, and one agent may pay in
//! several pairs at once: the least that all have to pay together is a cover of the pairs.

use std::collections::HashMap;

use super::cover::Pair;
use super::{Cbs, NO_PLAN, Run, cover};
use crate::registry::choice;
use crate::search::Budget;
use crate::solvers::conflict_tree::{Itinerary, Joint, NodeId, costly_sides};
use crate::solvers::tree_search::Ends;
use crate::solvers::{Attempt, Objective};

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
const MOST_NODES: u64 = 10;

/// A path of an agent: the agent, and a number for what the path depends on, for example the node from which it comes. Where these
/// are equal, so are the constraints and the stops of the agent.
pub type Origin = (u32, u64);

/// Numbers the path of an agent.
type Numbering<'a> = dyn Fn(&Joint, u32) -> Origin + 'a;

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
        let pairs = self.pairs(options, joint, id, &origin, budget);
        Self::cover(&pairs)
    }

    /// The pairs of agents in conflict, and what each has to pay.
    fn pairs(
        &mut self,
        options: Cbs,
        joint: &mut Joint,
        id: NodeId,
        origin: &Numbering<'_>,
        budget: &mut Budget<'_>,
    ) -> Vec<Pair> {
        let clashes = std::mem::take(&mut joint.clashes);
        let mut pairs: Vec<Pair> = Vec::new();
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
                    pairs.push((pair, self.weight(options, joint, id, (pair, origin), budget)));
                }
                _ => {}
            }
        }
        joint.clashes = clashes;
        pairs
    }

    /// What is known about pairs of agents that have to pay something. `origins` are those of all agents.
    pub fn known_pairs(&self, origins: &[Origin]) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for (index, &second) in origins.iter().enumerate() {
            for &first in &origins[..index] {
                let weight = self.known.get(&[first, second]).copied().unwrap_or(0);
                if weight > 0 {
                    pairs.push(([first.0, second.0], weight));
                }
            }
        }
        pairs
    }

    /// The least that pairs have to pay together; no plan, if one of them has none.
    pub fn cover(pairs: &[Pair]) -> u64 {
        if has_no_plan(pairs) { NO_PLAN } else { cover::least_cover(pairs) }
    }

    /// Nominal bytes: 56 for each pair that is known, and those of the search for a pair.
    pub fn held(&self) -> usize {
        56 * self.known.len() + self.pair.as_ref().map_or(0, |pair| pair.held())
    }

    /// Bytes that are held.
    pub fn memory(&self) -> usize {
        self.known.capacity() * size_of::<([Origin; 2], u64)>()
            + self.pair.as_ref().map_or(0, |pair| pair.memory())
    }

    /// How much the best joint plan of a pair costs more than their paths, at least.
    fn weight(
        &mut self,
        options: Cbs,
        joint: &Joint,
        id: NodeId,
        (pair, origin): ([u32; 2], &Numbering<'_>),
        budget: &mut Budget<'_>,
    ) -> u64 {
        let origins = pair.map(|agent| origin(joint, agent));
        if let Some(&known) = self.known.get(&origins) {
            return known;
        }
        let run = self.pair.get_or_insert_with(|| {
            let options = Cbs { heuristic: Heuristic::Cardinal, ..options };
            let joint = Joint::new(joint.grid.clone(), Vec::new(), options.objective);
            Box::new(Run::of(options, joint, false))
        });
        let agents = pair.map(|agent| agent as usize);
        let given = agents.map(|agent| joint.constraints_of(agent, Some(id)).cloned().collect());
        // Agents have other numbers there.
        let number = |agent| pair.iter().position(|&other| other == agent);
        let itineraries = agents.map(|agent| {
            let itinerary = joint.agents[agent].clone();
            let meeting = itinerary.meeting;
            let meeting = meeting.and_then(|(other, tick)| Some((number(other)? as u32, tick)));
            Itinerary { meeting, ..itinerary }
        });
        // Their paths are as short as they can be under their constraints, so they need not be searched for again.
        let paths = agents.map(|agent| joint.paths[agent].clone());
        let alone: u64 = paths.each_ref().map(|path| path.len() as u64 - 1).iter().sum();
        let is_one_enough = options.heuristic == Heuristic::Dependent;
        let enough = if is_one_enough { alone + 1 } else { u64::MAX };
        let ends = Ends { nodes: MOST_NODES, bound: enough };
        let bound = run.bound_of((itineraries.into(), given.into()), paths.into(), ends, budget);
        let weight = bound.saturating_sub(alone);
        let weight = if is_one_enough { weight.min(1) } else { weight };
        self.known.insert(origins, weight);
        weight
    }
}

/// Whether a pair has no plan: with one, it would not pay anywhere near as much.
fn has_no_plan(pairs: &[Pair]) -> bool {
    pairs.iter().any(|&(_, weight)| weight > NO_PLAN / 2)
}
