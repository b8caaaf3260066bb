//! Conflicts with an agent that has arrived.
//!
//! Agent `a` is on its goal for good when `b` passes over it. Either `a` arrives later than that, or `b` never passes from that
//! tick on. Forbidding one tick after the other would take as many splits as `b` can wait.

use super::is_costly;
use crate::solvers::conflict_tree::{Clash, Constraint, Itinerary, Joint, NodeId, Split};

/// The split, if one of the agents has arrived for good.
pub fn split(joint: &Joint, clash: Clash) -> Option<Split> {
    let (side, cell) = arrived(joint, clash)?;
    let mut constraints = [
        Constraint::EndBefore { tick: clash.tick + 1 },
        Constraint::Between { cell, first: clash.tick, last: Itinerary::NEVER },
    ];
    constraints.rotate_left(side);
    Some(Split { agents: clash.agents.map(|agent| agent as usize), constraints })
}

/// How many of the agents have to pay: the one that has arrived in any case.
pub fn costly(joint: &mut Joint, id: NodeId, clash: Clash) -> usize {
    let Some((side, _)) = arrived(joint, clash) else { return 0 };
    1 + usize::from(is_costly(joint, id, clash, clash.agents[1 - side]))
}

/// How much later than it could an agent has to arrive until the other half is as good as out of the question.
const FAR_TOO_LATE: usize = 4;

/// Whether the agent that has arrived would have to arrive much later: then it is the other one that gives way.
pub fn is_forced(joint: &Joint, clash: Clash) -> bool {
    arrived(joint, clash).is_some_and(|(side, _)| {
        let path = &joint.paths[clash.agents[side] as usize];
        clash.tick as usize + 2 >= path.len() + FAR_TOO_LATE
    })
}

/// Which of the agents has arrived for good, and where.
fn arrived(joint: &Joint, clash: Clash) -> Option<(usize, crate::grid::Cell)> {
    let cell = clash.cell(&joint.paths)?;
    let has_arrived = |side: &usize| {
        let agent = clash.agents[*side] as usize;
        joint.agents[agent].stays() && clash.tick as usize + 1 >= joint.paths[agent].len()
    };
    let side = [0, 1].into_iter().find(has_arrived)?;
    Some((side, cell))
}
