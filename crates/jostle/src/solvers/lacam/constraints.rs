//! The low level of LaCAM: which moves are decided before a successor is generated.
//!
//! Each configuration has a tree of constraints. Its root decides nothing; a constraint at depth `d` decides the moves of the first
//! `d` agents in the order of that configuration. The tree is gone through breadth first, and grows only where it is looked at.

use super::nodes::NodeId;
use super::room::make_room;
use crate::grid::Cell;

/// The number of a constraint.
pub type ConstraintId = u32;

/// Stands for no constraint; as a parent, for the root of a tree, which decides nothing.
pub const NOTHING: ConstraintId = ConstraintId::MAX;

/// The trees of constraints of all configurations, in one array.
#[derive(Clone, Debug, Default)]
pub struct Constraints {
    constraints: Vec<Constraint>,
    /// The constraints of each node that have not been looked at yet.
    queues: Vec<Queue>,
}

/// Where one more agent goes.
#[derive(Clone, Copy, Debug)]
struct Constraint {
    parent: ConstraintId,
    cell: Cell,
    /// The constraint that comes after it in its queue.
    next: ConstraintId,
}

#[derive(Clone, Copy, Debug)]
struct Queue {
    /// Whether the root has been looked at.
    has_begun: bool,
    first: ConstraintId,
    last: ConstraintId,
}

impl Constraints {
    /// Adds the tree of the node that was found last: only its root.
    pub fn add_tree(&mut self) {
        self.queues.push(Queue { has_begun: false, first: NOTHING, last: NOTHING });
    }

    /// Forgets all trees.
    pub fn clear(&mut self) {
        self.constraints.clear();
        self.queues.clear();
    }

    /// Takes the next constraint of a node; `None` if there are no more. The root is `NOTHING`.
    pub fn take(&mut self, node: NodeId) -> Option<ConstraintId> {
        let queue = &mut self.queues[node as usize];
        if !queue.has_begun {
            queue.has_begun = true;
            return Some(NOTHING);
        }
        let first = queue.first;
        queue.first = self.constraints.get(first as usize)?.next;
        Some(first)
    }

    /// Adds a constraint that also decides where the next agent goes.
    pub fn add(&mut self, node: NodeId, parent: ConstraintId, cell: Cell) {
        let id = self.constraints.len() as ConstraintId;
        self.constraints.push(Constraint { parent, cell, next: NOTHING });
        let queue = &mut self.queues[node as usize];
        if queue.first == NOTHING {
            queue.first = id;
        } else {
            self.constraints[queue.last as usize].next = id;
        }
        queue.last = id;
    }

    /// Writes the cells to which a constraint sends agents, in the order of its node.
    pub fn decided(&self, id: ConstraintId, cells: &mut Vec<Cell>) {
        cells.clear();
        let mut at = id;
        while at != NOTHING {
            let Constraint { parent, cell, .. } = self.constraints[at as usize];
            cells.push(cell);
            at = parent;
        }
        cells.reverse();
    }

    /// Makes room for the constraints that one agent's moves make, and for another tree. Returns
    /// false if the memory is not there.
    pub fn make_room(&mut self) -> bool {
        make_room(&mut self.constraints, 9) && make_room(&mut self.queues, 1)
    }

    /// Nominal bytes: twelve for each constraint, and twelve for each node.
    pub const fn held(&self) -> usize {
        12 * (self.constraints.len() + self.queues.len())
    }

    /// Bytes this holds.
    pub const fn memory(&self) -> usize {
        self.constraints.capacity() * size_of::<Constraint>()
            + self.queues.capacity() * size_of::<Queue>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_come_breadth_first_and_include_those_above_them() {
        let [a, b, c] = [1, 2, 3].map(Cell::from_index);
        let mut constraints = Constraints::default();
        constraints.add_tree();
        constraints.add_tree();
        assert_eq!(constraints.take(0), Some(NOTHING));
        constraints.add(0, NOTHING, a);
        constraints.add(0, NOTHING, b);
        let first = constraints.take(0).unwrap();
        constraints.add(0, first, c);
        let mut decided = Vec::new();
        let mut seen = Vec::new();
        for id in [Some(first), constraints.take(0), constraints.take(0)] {
            constraints.decided(id.unwrap(), &mut decided);
            seen.push(decided.clone());
        }
        assert_eq!(seen, [vec![a], vec![b], vec![a, c]]);
        assert_eq!(constraints.take(0), None);
        assert_eq!(constraints.take(1), Some(NOTHING), "each node has its own");
        assert_eq!(constraints.take(1), None);
    }
}
