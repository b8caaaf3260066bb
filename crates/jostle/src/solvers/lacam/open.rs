//! The open list of LaCAM: a stack of nodes.

use super::nodes::{NOBODY, NodeId};

/// A stack that holds each node at most once: a node that is pushed again moves to the top. LaCAM's own stack would hold it twice,
/// which makes no difference, because a node leaves the stack only when nothing is left to do for it.
#[derive(Clone, Debug)]
pub struct Open {
    top: NodeId,
    links: Vec<Link>,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    above: NodeId,
    below: NodeId,
    is_open: bool,
}

impl Open {
    pub const fn new() -> Self {
        Self { top: NOBODY, links: Vec::new() }
    }

    pub fn top(&self) -> Option<NodeId> {
        (self.top != NOBODY).then_some(self.top)
    }

    pub fn clear(&mut self) {
        self.top = NOBODY;
        self.links.clear();
    }

    /// Puts a node on the top, wherever it was before.
    pub fn push(&mut self, node: NodeId) {
        self.remove(node);
        if let Some(link) = self.links.get_mut(self.top as usize) {
            link.above = node;
        }
        self.links[node as usize] = Link { above: NOBODY, below: self.top, is_open: true };
        self.top = node;
    }

    pub fn remove(&mut self, node: NodeId) {
        let closed = Link { above: NOBODY, below: NOBODY, is_open: false };
        if self.links.len() <= node as usize {
            self.links.resize(node as usize + 1, closed);
        }
        let Link { above, below, is_open } =
            std::mem::replace(&mut self.links[node as usize], closed);
        if !is_open {
            return;
        }
        match self.links.get_mut(above as usize) {
            Some(link) => link.below = below,
            None => self.top = below,
        }
        if let Some(link) = self.links.get_mut(below as usize) {
            link.above = above;
        }
    }

    /// Nominal bytes: twelve for each node.
    pub const fn held(&self) -> usize {
        12 * self.links.len()
    }

    /// Bytes this holds.
    pub const fn memory(&self) -> usize {
        self.links.capacity() * size_of::<Link>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_pushed_again_moves_to_the_top() {
        let mut open = Open::new();
        for node in [0, 1, 2, 3, 1, 3, 3, 0] {
            open.push(node);
        }
        let mut order = Vec::new();
        while let Some(top) = open.top() {
            order.push(top);
            open.remove(top);
        }
        assert_eq!(order, [0, 3, 1, 2]);
        open.push(2);
        open.remove(7);
        assert_eq!(open.top(), Some(2));
    }
}
