//! Which conflict of a node to split, and how.
//!
//! The plain way is the earliest conflict, with one cell or step forbidden to each agent. The better ways, each of which can be
//! switched off:
//! - prioritise (ICBS): a conflict that costs both agents something in any case comes first, then one that costs one of them
//!   something. The bound rises sooner.
//! - [target]: an agent that has arrived is in the way of one that passes later.
//! - [corridor]: two agents go through a corridor in opposite directions.
//! - [rectangle]: two agents cross in the open, and all their shortest ways lead across each other.
//! - [mutex]: whatever shortest paths two agents take, they are in conflict.
//!
//! The last four see at once what would take a tree of splits, one tick or cell at a time. The first three of them are those of Li
//! et al. (2021), the fourth one is that of Zhang et al. (2020).

mod corridor;
mod mutex;
mod rectangle;
mod target;

use std::cmp::Reverse;

use super::{Clash, Joint, NodeId, Split};
use crate::search::Budget;
use corridor::Corridors;
use mutex::Mutexes;

/// What is done beyond the plain way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each can be switched by itself")]
pub struct Ways {
    pub prioritise: bool,
    pub target: bool,
    pub corridor: bool,
    pub rectangle: bool,
    pub mutex: bool,
}

impl Ways {
    /// Nothing: conflicts are split in the order of their ticks.
    pub const PLAIN: Self =
        Self { prioritise: false, target: false, corridor: false, rectangle: false, mutex: false };
    /// All of it, but for rectangles, which are of no use beside mutexes.
    pub const ALL: Self =
        Self { prioritise: true, target: true, corridor: true, rectangle: false, mutex: true };
}

/// A split, and how many of the two agents it costs something in any case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Judged {
    split: Split,
    costly: usize,
}

/// What a conflict is chosen by: the one that costs the most agents something, then the earliest.
type Rank = (Reverse<usize>, u32, [u32; 2]);

/// Stands for a conflict in which it is plain which of the two has to give way: it comes before those that cost both agents
/// something. The other half is looked at late or never, so the node does not branch, and what is decided once for all nodes below
/// is not met again in each of them.
const FORCED: usize = 3;

/// Chooses conflicts.
#[derive(Clone, Debug)]
pub struct Chooser {
    ways: Ways,
    corridors: Corridors,
    mutexes: Mutexes,
}

impl Chooser {
    pub fn new(ways: Ways) -> Self {
        Self { ways, corridors: Corridors::default(), mutexes: Mutexes::default() }
    }

    /// Forgets what is known about the nodes of a tree: there will be another one.
    pub fn clear(&mut self) {
        self.mutexes.clear();
    }

    /// Nominal bytes.
    pub fn held(&self) -> usize {
        self.corridors.held() + self.mutexes.held()
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.corridors.memory() + self.mutexes.memory()
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
            // Nothing can be better than the best kind of conflict, earlier.
            if best.as_ref().is_some_and(|(known, _)| *known < rank(FORCED)) {
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
        // What the better ways rely on, that two agents never share a cell, does not hold for those that meet.
        let [first, second] = clash.agents;
        if joint.agents[first as usize].meets(second) {
            let costly = if self.ways.prioritise { costly_sides(joint, id, clash) } else { 0 };
            return Judged { split: Split::plain(joint, clash), costly };
        }
        if self.ways.target
            && let Some(split) = target::split(joint, clash)
        {
            let costly = if self.ways.prioritise { target::costly(joint, id, clash) } else { 0 };
            let costly = if target::is_forced(joint, clash) { FORCED } else { costly };
            return Judged { split, costly };
        }
        if self.ways.corridor
            && let Some(judged) = self.corridors.split(joint, id, clash, budget)
        {
            return judged;
        }
        let costly = if self.ways.prioritise { costly_sides(joint, id, clash) } else { 0 };
        let plain = Judged { split: Split::plain(joint, clash), costly };
        if costly == 2 {
            return plain;
        }
        if self.ways.mutex
            && let Some(judged) = self.mutexes.split(joint, id, clash, budget)
            && judged.costly >= costly
        {
            return judged;
        }
        if self.ways.rectangle
            && let Some(judged) = rectangle::split(joint, id, clash, costly)
        {
            return judged;
        }
        plain
    }
}

impl Split {
    /// The plain way: one cell or step is forbidden to each agent.
    fn plain(joint: &Joint, clash: Clash) -> Self {
        let constraints = clash.constraints(&joint.grid, &joint.paths);
        Self { agents: clash.agents.map(|agent| agent as usize), constraints }
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
