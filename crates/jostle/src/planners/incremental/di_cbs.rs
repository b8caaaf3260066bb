//! DI-CBS: goes on with its conflict tree when the floor changes.

use super::environment_tree::{Inheritance, Method};
use super::{Outlook, Repairs};
use crate::planners::{Field, Planner, Recipe, Value};
use crate::registry::within_ranges;
use crate::script::Script;
use crate::solvers::conflict_tree::Ways;

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
/// Where the review is silent:
/// - The first plan is that of CBS with all its options, whose constraints are not inherited.
/// - `reason` chooses and splits conflicts as CBS with all its options does. Without it, they are split by one cell and tick
///   each, in the order of their ticks, and a crowded corridor can take more nodes than a repair may have.
/// - Steps to the goals are in tables, which are updated when cells close or open. The first plan, and the remaining problem when it is
///   solved anew, use the same tables. Without `slpa` they are computed anew after every change.
/// - A path that is as short and has fewer conflicts is taken over without a split.
/// - `openings` lets agents take shorter paths when cells open.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DiCbs {
    /// Whether searches are kept from one change to the next. Without it, the path of an agent is searched for from where the agent is, and
    /// distances are computed anew after every change. Default: `true`, as in the review.
    pub slpa: bool,
    /// How far back from where a path is cut a new one begins, as a share of the way from the agent to there, from 0 to 1. Default: `0.5`,
    /// our choice: the review says only that it is proportional to that way.
    pub rho: f64,
    /// Whether conflicts are chosen and split as by CBS with all its options. Default: `true`, our choice.
    pub reason: bool,
    /// When plans are repaired, and how much work that may take.
    pub repairs: Repairs,
}

impl Default for DiCbs {
    fn default() -> Self {
        Self { slpa: true, rho: 0.5, reason: true, repairs: Repairs::default() }
    }
}

impl DiCbs {
    /// A planner that knows beforehand which cells this script will close and open.
    pub fn knowing(&self, script: &Script) -> Box<dyn Planner> {
        self.with(Outlook::of(script))
    }

    fn with(&self, outlook: Outlook) -> Box<dyn Planner> {
        let Self { slpa, rho, reason, repairs } = within_ranges(*self);
        let method = if slpa { Method::Slpa { rho } } else { Method::Anew };
        let ways = if reason { Ways::ALL } else { Ways::PLAIN };
        repairs.planner(method, Inheritance::PathsAndConstraints, ways, outlook)
    }
}

impl Recipe for DiCbs {
    fn fields(&mut self) -> Vec<Field<'_>> {
        let rho = "how far back from where a path is cut a new one begins, as a share of the way to there";
        let mut fields = vec![
            Field {
                name: "slpa",
                about: "searches are kept from one change of the floor to the next",
                value: Value::Flag(&mut self.slpa),
            },
            Field {
                name: "rho",
                about: rho,
                value: Value::Real { value: &mut self.rho, range: 0.0..=1.0 },
            },
            Field {
                name: "reason",
                about: "conflicts are chosen and split as by CBS with all its options",
                value: Value::Flag(&mut self.reason),
            },
        ];
        fields.extend(self.repairs.fields());
        fields
    }

    fn build(&self) -> Box<dyn Planner> {
        self.with(Outlook::default())
    }

    fn build_knowing(&self, script: &Script) -> Option<Box<dyn Planner>> {
        Some(self.knowing(script))
    }
}
