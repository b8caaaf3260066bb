//! Expected traffic: how many agents were sent through each portal lately.
//!
//! Agents that are sent the same way at the same time wait for each other where it is narrow. So a route counts as longer by the time
//! that its agent may have to wait at portals, and agents take another one that is hardly longer. Agents that come the other
//! way count twice: two who meet need more room than two who follow each other.
//!
//! Expectations fade, because agents that were sent long ago have passed, or pass at another time. Nobody is counted out.

use super::grains::step_grains;
use super::nodes::{NodeId, Nodes};
use crate::grid::Direction;
use crate::tally::{self, Kind};

/// What is expected at each exit.
#[derive(Clone, Debug, Default)]
pub struct Traffic {
    /// By exit, the agents that were sent through it, in parts of an agent. After an edit an exit may have the number of another one,
    /// and with it what was expected there, until that has faded.
    loads: Vec<u32>,
}

/// How many parts an agent has.
const AGENT: u32 = 256;
/// How much of what is expected fades at a time: one part of so many.
const FADING: u32 = 16;
/// How many agents that are expected at a portal one cell wide make a delay of one cell.
const AGENTS_A_CELL: u64 = 2;
/// How often an agent counts that comes the other way.
const OPPOSING: u64 = 2;
/// The longest delay, in cells.
const LONGEST: u64 = 1000;

impl Traffic {
    /// How much longer a route counts that leads through an exit, in grains: half a cell for each agent that is expected there, divided by
    /// the width of the portal.
    pub fn delay(&self, nodes: &Nodes, node: NodeId) -> u32 {
        tally::note(Kind::Node, 1);
        let load = |node: NodeId| self.loads.get(node as usize).map_or(0, |&load| u64::from(load));
        // A twin that has not been found has no number for which there is a load.
        let agents = load(node) + OPPOSING * load(nodes.twin(node));
        if agents == 0 {
            return 0;
        }
        let cell = u64::from(step_grains(Direction::North));
        let width = u64::from(nodes.exit(node).width());
        (agents * cell / (u64::from(AGENT) * AGENTS_A_CELL * width)).min(LONGEST * cell) as u32
    }

    /// Expects an agent that was sent through an exit.
    pub fn add(&mut self, nodes: &Nodes, node: NodeId) {
        if self.loads.len() < nodes.end() {
            self.loads.resize(nodes.end(), 0);
        }
        let load = &mut self.loads[node as usize];
        *load = load.saturating_add(AGENT);
    }

    /// Lets a part of it fade.
    pub fn fade(&mut self) {
        tally::note(Kind::Node, self.loads.len() / 4);
        self.loads.iter_mut().for_each(|load| *load -= load.div_ceil(FADING));
    }

    /// Bytes on the heap.
    pub const fn memory(&self) -> usize {
        self.loads.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::super::graph::Graph;
    use super::super::layout::SectorId;
    use super::*;
    use crate::grid::Grid;
    use crate::search::Budget;

    #[test]
    fn agents_that_were_sent_through_a_portal_delay_others_and_are_forgotten() {
        // A single door between two sectors, three cells wide.
        let grid = Grid::new(64, 9, <_>::default(), |x, y| x != 31 || (3..6).contains(&y)).unwrap();
        let mut graph = Graph::new(&grid, 6, 0);
        for column in 0..2 {
            let sector = SectorId { column, row: 0 };
            assert!(graph.find_exits(&grid, sector, &mut Budget::unlimited()));
        }
        let exits: Vec<NodeId> = (0..2).flat_map(|at| graph.nodes().span(at).nodes()).collect();
        let [there, back] = exits[..] else { panic!("one portal: {exits:?}") };
        assert_eq!([there, back].map(|exit| graph.delay(exit)), [0, 0]);
        for _ in 0..30 {
            graph.expect(there);
        }
        let cell = step_grains(Direction::North);
        assert_eq!([there, back].map(|exit| graph.delay(exit)), [5 * cell, 10 * cell]);
        graph.fade();
        assert_eq!(graph.delay(there), 5 * cell * 15 / 16);
        for _ in 0..200 {
            graph.fade();
        }
        assert_eq!([there, back].map(|exit| graph.delay(exit)), [0, 0]);
    }
}
