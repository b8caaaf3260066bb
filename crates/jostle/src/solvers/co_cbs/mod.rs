//! Cooperative conflict-based search (Co-CBS): optimal plans for pairs of agents that meet.
//!
//! Three levels, one above the other. The first chooses a set of meetings, one for each task; the sets are looked at from the cheapest
//! on. Each set is the root of a conflict tree, the second level, in which the agents' paths go through those meetings. The third
//! level searches for one path under constraints, over cells, ticks and stages as one. All trees share one open list, and the
//! cheapest node of all is looked at next. The first one without conflicts is an optimal plan.
//!
//! Paper: Greshler et al. (2021). Its improvements can be switched off:
//! - [`prioritise`](CoCbs::prioritise) (PC): a conflict that costs both agents something in any case is split first, then one that
//!   costs one of them something. The diagrams that tell go through the start of the task and the meeting.
//! - [`lazy`](CoCbs::lazy) (LE): paths for a set of meetings are searched for when it is its turn, not as soon as it is known. Its
//!   cost is known from the table of meetings.
//!
//! Beyond the paper, and can be switched off as well:
//! - [`bypass`](CoCbs::bypass) and [`reason`](CoCbs::reason), as in [`Cbs`](super::Cbs).
//! - [`heuristic`](CoCbs::heuristic): what the best joint plan of two agents costs more than their shortest paths (WDG of
//!   CBSH2). It depends on their two meetings only, so that what is known about them raises the bound of all sets of which they
//!   are a part, before any path is searched for.
//! - [`inherit`](CoCbs::inherit): a set of meetings that differs from another one in one meeting takes over its paths, but for the two
//!   agents of that meeting.
//!
//! Agents may [stay](crate::meetings::AtTarget) at their targets. Where the paper looks for sets that came up before, each set comes
//! up once here. The public code searches for the path of an agent leg by leg and takes the earliest arrival at
//! each stop, which misses plans; the search here does not.
//!
//! It promises an optimal plan if it ends within its budget. That there is none it notices only where a task has no
//! meeting at all, or executors have to stay on one goal; otherwise it searches until the budget is spent.
//!
//! Memory: a node holds one path and its conflicts, a family of sets 40 bytes, a task a row for each cell of the map; tables with the
//! steps to meetings take up to 64 MiB in all.

mod attempt;
#[cfg(test)]
mod brute_force;
mod families;
mod level;
mod steps;
mod table;

use std::sync::LazyLock;

use super::{Answer, Field, Progress, Recipe, Value};
use crate::meetings::{AtTarget, MeetingInstance, MeetingPlan};
use crate::registry::{self, Entry, Named, Registry, choice};
use crate::search::Budget;
pub use attempt::CoCbsAttempt;

/// Cooperative conflict-based search, and its options.
///
/// ```
/// use jostle::formats::TaskList;
/// use jostle::instance::Reach;
/// use jostle::meetings::MeetingInstance;
/// use jostle::solvers::{CoCbs, Proof};
/// use jostle::{Budget, Grid};
///
/// let list = TaskList::parse("(0,0) via (2,0) meets (6,0) to (0,0)")?;
/// let instance = MeetingInstance::from_list(Grid::open(7, 1)?, &list, Reach::Required)?;
/// let answer = CoCbs::default().solve(&instance, &mut Budget::unlimited(), &mut |_| ());
/// assert_eq!(answer.proof, Proof::Optimal);
/// let best = answer.best.unwrap();
/// assert_eq!((best.cost, best.plan.meetings()[0].tick), (9, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch, for comparisons")]
pub struct CoCbs {
    /// What agents do when their part is done.
    pub at_target: AtTarget,
    /// Split conflicts first that raise the cost in any case.
    pub prioritise: bool,
    /// Search for the paths of a set of meetings when it is its turn.
    pub lazy: bool,
    /// Take over paths that are as short and have fewer conflicts, instead of splitting.
    pub bypass: bool,
    /// Split conflicts at targets, in corridors and in the open once and for all, as [`Cbs`](super::Cbs) does.
    pub reason: bool,
    /// Estimate what the conflicts of a set of meetings or a node cost at least, from pairs of agents.
    pub heuristic: bool,
    /// Take over the paths of all agents for which a set of meetings changes nothing.
    pub inherit: bool,
}

impl Default for CoCbs {
    fn default() -> Self {
        Self {
            at_target: AtTarget::Leave,
            prioritise: true,
            lazy: true,
            bypass: true,
            reason: true,
            heuristic: true,
            inherit: true,
        }
    }
}

impl CoCbs {
    /// Co-CBS as it was first published, without any of the options.
    pub const PLAIN: Self = Self {
        at_target: AtTarget::Leave,
        prioritise: false,
        lazy: false,
        bypass: false,
        reason: false,
        heuristic: false,
        inherit: false,
    };

    /// Begins to solve an instance. Only the tables of meetings are made yet.
    pub fn begin(&self, instance: &MeetingInstance) -> CoCbsAttempt {
        CoCbsAttempt::new(*self, instance.clone())
    }

    /// Solves an instance within a budget, of which every expansion of a search for a path takes one. The listener is told of the
    /// plan, and now and then how far the search has come.
    pub fn solve(
        &self,
        instance: &MeetingInstance,
        budget: &mut Budget<'_>,
        listener: &mut dyn FnMut(Progress<'_, MeetingPlan>),
    ) -> Answer<MeetingPlan> {
        self.begin(instance).go_on(budget, listener)
    }
}

choice!(AtTarget { Leave = "leave", Stay = "stay" });

impl Recipe<Self> for CoCbs {
    fn fields(&mut self) -> Vec<Field<'_>> {
        let flag = |name, value, about| Field { name, about, value: Value::Flag(value) };
        vec![
            Field {
                name: "at-target",
                about: "what agents do when their part is done",
                value: Value::Name(&mut self.at_target),
            },
            flag("prioritise", &mut self.prioritise, "split conflicts that cost something first"),
            flag("lazy", &mut self.lazy, "search for the paths of a set of meetings on its turn"),
            flag("bypass", &mut self.bypass, "take paths with fewer conflicts before splitting"),
            flag("reason", &mut self.reason, "split conflicts in corridors and rectangles at once"),
            flag("heuristic", &mut self.heuristic, "estimate what conflicts cost, pair by pair"),
            flag("inherit", &mut self.inherit, "take over paths that a meeting does not change"),
        ]
    }

    fn build(&self) -> Box<Self> {
        Box::new(*self)
    }
}

impl Named for CoCbs {
    const WORD: &'static str = "solver";

    fn builtin() -> &'static Registry<Self> {
        static BUILTIN: LazyLock<Registry<CoCbs>> = LazyLock::new(|| {
            let about = "Cooperative Conflict-Based Search: pairs of agents that meet";
            Registry::of(vec![Entry::new("co-cbs", about, CoCbs::default)])
        });
        &BUILTIN
    }
}

/// Co-CBS as users type it, as in `co-cbs:at-target=stay`.
pub type CoCbsSpec = registry::Spec<CoCbs>;

/// How many sets of meetings a search has looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SetCounts {
    /// The sets that came up.
    pub generated: u64,
    /// Those of them for which paths were searched for.
    pub planned: u64,
    /// Whether the plan that was found has the cheapest meeting of every task.
    pub is_first: bool,
}

#[cfg(test)]
#[path = "co_cbs_test.rs"]
mod tests;
