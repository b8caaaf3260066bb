//! CBS-D\*-lite: keeps the paths that are still good, and repairs the others.

use super::environment_tree::{Inheritance, Method};
use super::{Outlook, Repairs};
use crate::planners::{Field, Planner, Recipe};
use crate::registry::within_ranges;
use crate::script::Script;
use crate::solvers::conflict_tree::Ways;

/// The parameters of CBS-D\*-lite (after Semiz and Polat 2021).
///
/// When cells have closed, only agents whose paths they cut get new ones. Each agent has a D\* Lite search of its own, which is repaired, not
/// begun anew. Where the new paths conflict with others, a conflict tree is begun whose root is the repaired plan. D\* Lite
/// knows no ticks, so that an agent under constraints is searched for through cells and ticks, with distances by D\* Lite.
///
/// It promises legal moves and a plan without conflicts, but not an optimal one: paths that are not cut are kept even if others
/// would fit better now. If the tree has more than `nodes` nodes, the remaining problem is solved anew.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CbsDstarLite {
    /// When plans are repaired, and how much work that may take.
    pub repairs: Repairs,
}

impl CbsDstarLite {
    /// A planner that knows beforehand which cells this script will close and open.
    pub fn knowing(&self, script: &Script) -> Box<dyn Planner> {
        self.with(Outlook::of(script))
    }

    fn with(&self, outlook: Outlook) -> Box<dyn Planner> {
        let Self { repairs } = within_ranges(*self);
        repairs.planner(Method::DstarLite, Inheritance::Paths, Ways::PLAIN, outlook)
    }
}

impl Recipe for CbsDstarLite {
    fn fields(&mut self) -> Vec<Field<'_>> {
        self.repairs.fields().into()
    }

    fn build(&self) -> Box<dyn Planner> {
        self.with(Outlook::default())
    }

    fn build_knowing(&self, script: &Script) -> Option<Box<dyn Planner>> {
        Some(self.knowing(script))
    }
}
