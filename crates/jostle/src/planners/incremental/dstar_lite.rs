//! CBS-D\*-lite: keeps the paths that are still good, and repairs the others.

use super::environment_tree::{EnvironmentTree, Inheritance, Method, Options};
use super::replan::limit_field;
use super::{Effort, Incremental, Outlook};
use crate::planners::{Field, Planner, Recipe, Value};
use crate::registry::within_ranges;
use crate::script::Script;

/// The parameters of CBS-D\*-lite (after Semiz and Polat 2021).
///
/// When cells have closed, only agents whose paths they cut get new ones. Each agent has a D\* Lite search of its own, which is repaired, not
/// begun anew. Where the new paths conflict with others, a conflict tree is begun whose root is the repaired plan. D\* Lite
/// knows no ticks, so that an agent under constraints is searched for through cells and ticks, with distances by D\* Lite.
///
/// It promises legal moves and a plan without conflicts, but not an optimal one: paths that are not cut are kept even if others
/// would fit better now. If the tree has more than `nodes` nodes, the remaining problem is solved anew.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CbsDstarLite {
    /// Whether agents take shorter paths when cells open.
    pub openings: bool,
    /// The most nodes of the conflict tree of a repair.
    pub nodes: u32,
    /// The most nodes to expand to solve the remaining problem once. Paper: no limit.
    pub limit: u32,
    /// The most nodes to expand in a tick. Paper: no limit.
    pub budget: Option<u32>,
}

impl Default for CbsDstarLite {
    fn default() -> Self {
        Self {
            openings: true,
            nodes: Options::DEFAULT_NODES,
            limit: Effort::DEFAULT_LIMIT,
            budget: None,
        }
    }
}

impl CbsDstarLite {
    /// A planner that knows beforehand which cells this script will close and open.
    pub fn knowing(&self, script: &Script) -> Box<dyn Planner> {
        self.with(Outlook::of(script))
    }

    fn with(&self, outlook: Outlook) -> Box<dyn Planner> {
        let Self { openings, nodes, limit, budget } = within_ranges(*self);
        let (method, inheritance) = (Method::DstarLite, Inheritance::Paths);
        let tree = EnvironmentTree::new(Options { method, inheritance, openings, nodes });
        Box::new(Incremental::new(Effort { limit, budget }, Some(tree), outlook))
    }
}

impl Recipe for CbsDstarLite {
    fn fields(&mut self) -> Vec<Field<'_>> {
        vec![
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

/// The parameter that says what happens when cells open.
pub fn openings_field(value: &mut bool) -> Field<'_> {
    let about = "agents take shorter paths when cells open";
    Field { name: "openings", about, value: Value::Flag(value) }
}

/// The parameter that bounds the conflict tree of a repair.
pub fn nodes_field(value: &mut u32) -> Field<'_> {
    let about =
        "the most nodes of the conflict tree of a repair; beyond it, everything is solved anew";
    Field { name: "nodes", about, value: Value::Count { value, range: 1..=1_000_000 } }
}
