//! DI-CBS: goes on with its conflict tree when the floor changes.

use super::dstar_lite::{nodes_field, openings_field};
use super::environment_tree::{EnvironmentTree, Inheritance, Method, Options};
use super::replan::limit_field;
use super::{Effort, Incremental, Outlook};
use crate::planners::{Field, Planner, Recipe, Value};
use crate::registry::within_ranges;
use crate::script::Script;

/// The parameters of DI-CBS (dynamic incremental conflict-based search, Wang et al. 2024).
///
/// The plan that is being executed is a leaf of the conflict tree. When cells close or open, that leaf is the next root, with all its
/// constraints. An agent whose path is cut gets a new one: that has one child only, because the wall cannot yield. Conflicts between
/// agents are split in two, as in CBS, and the cheapest leaf without conflicts is the next plan.
///
/// A new path keeps the old one up to `rho` of the way back from the place where it is cut to where the agent is now. From there SLPA\*
/// searches, which keeps its states for the next change. If it finds nothing, it goes back twice as far, and so on up to the present.
///
/// It promises legal moves and a plan without conflicts, but not an optimal one. A single agent with `rho` 1 always takes the
/// shortest path on the floor as it is. If the tree has more than `nodes` nodes, or has no leaf without conflicts under the
/// constraints that it has inherited, the remaining problem is solved anew.
///
/// Where the review is silent: the first plan is that of CBS with all its options, whose constraints are not
/// inherited; conflicts are split in the order of their ticks; a path that is as short and has fewer conflicts is taken over without a
/// split; `openings` lets agents take shorter paths when cells open.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DiCbs {
    /// Whether searches are kept from one change to the next. Without it, the path of an agent is searched for from where the
    /// agent is, and distances are computed anew after every change.
    pub slpa: bool,
    /// How far back from where a path is cut a new one begins, as a share of the way from the agent to there, from 0 to 1. The
    /// review says only that it is proportional to that way.
    pub rho: f64,
    /// Whether agents take shorter paths when cells open.
    pub openings: bool,
    /// The most nodes of the conflict tree of a repair.
    pub nodes: u32,
    /// The most nodes to expand to solve the remaining problem once. Paper: no limit.
    pub limit: u32,
    /// The most nodes to expand in a tick. Paper: no limit.
    pub budget: Option<u32>,
}

impl Default for DiCbs {
    fn default() -> Self {
        Self {
            slpa: true,
            rho: 0.5,
            openings: true,
            nodes: Options::DEFAULT_NODES,
            limit: Effort::DEFAULT_LIMIT,
            budget: None,
        }
    }
}

impl DiCbs {
    /// A planner that knows beforehand which cells this script will close and open.
    pub fn knowing(&self, script: &Script) -> Box<dyn Planner> {
        self.with(Outlook::of(script))
    }

    fn with(&self, outlook: Outlook) -> Box<dyn Planner> {
        let Self { slpa, rho, openings, nodes, limit, budget } = within_ranges(*self);
        let method = if slpa { Method::Slpa { rho } } else { Method::Anew };
        let inheritance = Inheritance::PathsAndConstraints;
        let tree = EnvironmentTree::new(Options { method, inheritance, openings, nodes });
        Box::new(Incremental::new(Effort { limit, budget }, Some(tree), outlook))
    }
}

impl Recipe for DiCbs {
    fn fields(&mut self) -> Vec<Field<'_>> {
        let rho = "how far back from where a path is cut a new one begins, as a share of the way to there";
        let slpa = "searches are kept from one change of the floor to the next";
        vec![
            Field { name: "slpa", about: slpa, value: Value::Flag(&mut self.slpa) },
            Field {
                name: "rho",
                about: rho,
                value: Value::Real { value: &mut self.rho, range: 0.0..=1.0 },
            },
            openings_field(&mut self.openings),
            nodes_field(&mut self.nodes),
            limit_field(&mut self.limit),
            Field::budget(&mut self.budget),
        ]
    }

    fn build(&self) -> Box<dyn Planner> {
        self.with(Outlook::default())
    }

    fn build_knowing(&self, script: &Script) -> Option<Box<dyn Planner>> {
        Some(self.knowing(script))
    }
}
