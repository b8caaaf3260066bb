//! CBS-Replanner: solves the remaining problem anew whenever the floor changes.

use super::repairs::limit_field;
use super::{Effort, Incremental, Outlook};
use crate::planners::{Field, Planner, Recipe};
use crate::registry::within_ranges;

/// The parameters of CBS-Replanner.
///
/// When cells have closed or opened, it throws its plan away and runs conflict-based search from where the agents stand. Its plan is
/// optimal for the remaining problem, on the floor as it is, each time that it solves one within its `limit`.
///
/// Cost: a whole search for every tick in which a cell changes, even if no agent would ever come near it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CbsReplan {
    /// The most nodes to expand to solve the remaining problem once. Default: `10000`, our choice: the paper has no limit.
    pub limit: u32,
    /// The most nodes to expand in a tick. Default: `unlimited`, as in the paper.
    pub budget: Option<u32>,
}

impl Default for CbsReplan {
    fn default() -> Self {
        Self { limit: Effort::DEFAULT_LIMIT, budget: None }
    }
}

impl Recipe for CbsReplan {
    fn fields(&mut self) -> Vec<Field<'_>> {
        vec![limit_field(&mut self.limit), Field::budget(&mut self.budget)]
    }

    fn build(&self) -> Box<dyn Planner> {
        let Self { limit, budget } = within_ranges(*self);
        Box::new(Incremental::new(Effort { limit, budget }, None, Outlook::default()))
    }
}
