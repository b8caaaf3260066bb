//! Conflicts with an agent that has arrived.
//!
//! Agent `a` is on its goal for good when `b` passes over it. Either `a` arrives later than that, or `b` never passes from that
//! tick on. Forbidding one tick after the other would take as many splits as `b` can wait.

use super::is_costly;
use crate::solvers::conflict_tree::{Clash, Constraint, Itinerary, Joint, NodeId, Split};

/// The split, if one of the agents has arrived for good.
pub fn split(joint: &Joint, clash: Clash) -> Option<Split> {
    let (side, cell) = arrived(joint, clash)?;
    let mut constraints = [Constraint::EndBefore { tick: clash.tick + 1 }; 2];
    constraints[1 - side] = Constraint::Between { cell, first: clash.tick, last: Itinerary::NEVER };
    Some(Split { agents: clash.agents.map(|agent| agent as usize), constraints })
}

/// How many of the agents have to pay: the one that has arrived in any case.
pub fn costly(joint: &mut Joint, id: NodeId, clash: Clash) -> usize {
    let Some((side, _)) = arrived(joint, clash) else { return 0 };
    1 + usize::from(is_costly(joint, id, clash, clash.agents[1 - side]))
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
