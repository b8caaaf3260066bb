//! Which conflict of a node to split, and how.
//!
//! The plain way is the earliest conflict, with one cell or step forbidden to each agent. The better ways, each of which can be
//! switched off:
//! - prioritise (ICBS): a conflict that costs both agents something in any case comes first, then one that costs one of them
//!   something. The bound rises sooner.
//! - [target]: an agent that has arrived is in the way of one that passes later.
//! - [corridor]: two agents go through a corridor in opposite directions.
//! - [rectangle]: two agents cross in the open, and all their shortest ways lead across each other.
//!
//! The last three see at once what would take a tree of splits, one tick or cell at a time. They are those of Li et al. (2021).

mod corridor;
mod rectangle;
mod target;

use std::cmp::Reverse;

use super::{Clash, Joint, NodeId, Split};
use crate::search::Budget;
use corridor::Corridors;

/// What is done beyond the plain way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each can be switched by itself")]
pub struct Ways {
    pub prioritise: bool,
    pub target: bool,
    pub corridor: bool,
    pub rectangle: bool,
}

/// A split, and how many of the two agents it costs something in any case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Judged {
    split: Split,
    costly: usize,
}

/// What a conflict is chosen by: the one that costs the most agents something, then the earliest.
type Rank = (Reverse<usize>, u32, [u32; 2]);

/// Chooses conflicts.
#[derive(Clone, Debug)]
pub struct Chooser {
    ways: Ways,
    corridors: Corridors,
}

impl Chooser {
    pub fn new(ways: Ways) -> Self {
        Self { ways, corridors: Corridors::default() }
    }

    /// How to split the present node. `None` if it has no conflicts.
    pub fn choose(
        &mut self,
        joint: &mut Joint,
        id: NodeId,
        budget: &mut Budget<'_>,
    ) -> Option<Split> {
        let clashes = std::mem::take(&mut joint.clashes);
        let mut best: Option<(Rank, Split)> = None;
        for clash in &clashes {
            let rank = |costly| (Reverse(costly), clash.tick, clash.agents);
            // Nothing can be better than a conflict that costs both something and comes earlier.
            if best.as_ref().is_some_and(|(known, _)| *known < rank(2)) {
                continue;
            }
            let judged = self.judge(joint, id, *clash, budget);
            let rank = rank(if self.ways.prioritise { judged.costly } else { 0 });
            if best.as_ref().is_none_or(|(known, _)| rank < *known) {
                best = Some((rank, judged.split));
            }
        }
        joint.clashes = clashes;
        best.map(|(_, split)| split)
    }

    /// The best way to split a conflict.
    fn judge(
        &mut self,
        joint: &mut Joint,
        id: NodeId,
        clash: Clash,
        budget: &mut Budget<'_>,
    ) -> Judged {
        if self.ways.target
            && let Some(split) = target::split(joint, clash)
        {
            let costly = if self.ways.prioritise { target::costly(joint, id, clash) } else { 0 };
            return Judged { split, costly };
        }
        if self.ways.corridor
            && let Some(judged) = self.corridors.split(joint, id, clash, budget)
        {
            return judged;
        }
        let costly = if self.ways.prioritise { costly_sides(joint, id, clash) } else { 0 };
        if self.ways.rectangle
            && costly < 2
            && let Some(judged) = rectangle::split(joint, id, clash)
        {
            return judged;
        }
        let constraints = clash.constraints(&joint.grid, &joint.paths);
        let split = Split { agents: clash.agents.map(|agent| agent as usize), constraints };
        Judged { split, costly }
    }
}

/// How many of the two agents have to pay for a conflict in any case.
pub fn costly_sides(joint: &mut Joint, id: NodeId, clash: Clash) -> usize {
    clash.agents.into_iter().filter(|&agent| is_costly(joint, id, clash, agent)).count()
}

/// Whether all paths of an agent that are as short as its present one go through the place of a conflict.
fn is_costly(joint: &mut Joint, id: NodeId, clash: Clash, agent: u32) -> bool {
    let tick = clash.tick as usize;
    let singles = joint.singles(id, agent as usize);
    // After its arrival, an agent is on its goal and nowhere else.
    let is_single = |tick: usize| singles.get(tick).copied().unwrap_or(true);
    is_single(tick) && (clash.cell(&joint.paths).is_some() || is_single(tick - 1))
}
