//! The parameters that planners which repair plans have in common.

use super::environment_tree::{EnvironmentTree, Inheritance, Method, Options};
use super::{Effort, Incremental, Outlook};
use crate::planners::{Field, Planner, Value};
use crate::solvers::conflict_tree::Ways;

/// When plans are repaired, and how much work that may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Repairs {
    /// Whether agents take shorter paths when cells open. Default: `true`, our choice.
    pub openings: bool,
    /// The most nodes of the conflict tree of a repair. Default: `64`, our choice: most repairs need a few.
    pub nodes: u32,
    /// The most nodes to expand to solve the remaining problem once. Default: `10000`, our choice: the paper has no limit.
    pub limit: u32,
    /// The most nodes to expand in a tick. Default: `unlimited`, as in the paper.
    pub budget: Option<u32>,
}

impl Default for Repairs {
    fn default() -> Self {
        // Most repairs need a few nodes. One that needs many takes longer than solving anew.
        Self { openings: true, nodes: 64, limit: Effort::DEFAULT_LIMIT, budget: None }
    }
}

impl Repairs {
    /// These parameters, as users type them.
    pub(super) fn fields(&mut self) -> [Field<'_>; 4] {
        let nodes =
            "the most nodes of the conflict tree of a repair; beyond it, everything is solved anew";
        let range = 1..=1_000_000;
        [
            Field {
                name: "openings",
                about: "agents take shorter paths when cells open",
                value: Value::Flag(&mut self.openings),
            },
            Field {
                name: "nodes",
                about: nodes,
                value: Value::Count { value: &mut self.nodes, range },
            },
            limit_field(&mut self.limit),
            Field::budget(&mut self.budget),
        ]
    }

    /// A planner that repairs plans in this way.
    pub(super) fn planner(
        self,
        method: Method,
        inheritance: Inheritance,
        ways: Ways,
        outlook: Outlook,
    ) -> Box<dyn Planner> {
        let Self { openings, nodes, limit, budget } = self;
        let tree = EnvironmentTree::new(Options { method, inheritance, openings, nodes, ways });
        Box::new(Incremental::new(Effort { limit, budget }, Some(tree), outlook))
    }
}

/// The parameter that bounds the work of one solution.
pub fn limit_field(value: &mut u32) -> Field<'_> {
    let about = "the most nodes to expand to solve the remaining problem once";
    Field { name: "limit", about, value: Value::Count { value, range: 1..=1_000_000 } }
}
