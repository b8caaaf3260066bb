//! A search over one conflict tree: what CBS and EECBS have in common. In which order nodes are looked at, and what becomes of the halves
//! of a split, is up to each of them.

use super::conflict_tree::{Chooser, Half, Joint, NodeId, Ways};
use super::{Answer, Attempt, Progress, Proof, Solution};
use crate::search::{Budget, Verdict};

/// The open nodes of a search, in an order.
pub trait Order: Send + Sync {
    /// How often the listener is told how far the search has come, in nodes.
    const TELL_EVERY: u64;

    /// Adds a node.
    fn enter(&mut self, joint: &Joint, id: NodeId);

    /// Takes the node to look at next, with the least bound of all nodes.
    fn take(&mut self) -> Option<(NodeId, u64)>;

    /// Looks closer at the present node, which was just taken. Whether its bound is higher now, so that another one may come first.
    fn raises_bound(&mut self, _: &mut Joint, _: NodeId, _: &mut Budget<'_>) -> bool {
        false
    }

    /// Adds the halves of a split of the present node to the tree, and returns the new nodes.
    fn add(&mut self, joint: &mut Joint, id: NodeId, halves: Vec<Half>) -> Vec<NodeId>;

    /// Nominal bytes.
    fn held(&self) -> usize;

    /// Bytes on the heap.
    fn memory(&self) -> usize;

    /// What is known about a plan of this cost, if none costs less than the bound.
    fn proof(&self, cost: u64, bound: u64) -> Proof;
}

/// Where a search ends early.
#[derive(Clone, Copy, Debug)]
pub struct Ends {
    /// After so many nodes.
    pub nodes: u64,
    /// When the bound is so high.
    pub bound: u64,
}

impl Ends {
    pub const NEVER: Self = Self { nodes: u64::MAX, bound: u64::MAX };
}

/// A search over one conflict tree, in slices.
pub struct TreeSearch<O> {
    pub joint: Joint,
    chooser: Chooser,
    pub order: O,
    nodes: u64,
    bound: u64,
    ends: Ends,
    best: Option<Solution>,
    /// How the search has ended.
    end: Option<Proof>,
}

impl<O: Order> Attempt for TreeSearch<O> {
    fn go_on(&mut self, budget: &mut Budget<'_>, listener: &mut dyn FnMut(Progress<'_>)) -> Answer {
        let end = self.end.unwrap_or_else(|| self.search(budget, listener));
        self.end = (end != Proof::OutOfBudget).then_some(end);
        Answer { best: self.best.clone(), bound: self.bound, proof: end, nodes: self.nodes }
    }

    fn memory(&self) -> usize {
        self.joint.memory() + self.chooser.memory() + self.order.memory()
    }
}

impl<O: Order> TreeSearch<O> {
    /// A search that has not begun; or has ended already, if it is known that there is no plan.
    pub fn new(joint: Joint, ways: Ways, order: O, is_impossible: bool) -> Self {
        Self {
            joint,
            chooser: Chooser::new(ways),
            order,
            nodes: 0,
            bound: 0,
            ends: Ends::NEVER,
            best: None,
            end: is_impossible.then_some(Proof::Impossible),
        }
    }

    /// Forgets the tree, and ends early from now on. Itineraries and a root have to be given anew.
    pub fn restart(&mut self, ends: Ends) {
        self.chooser.clear();
        (self.nodes, self.bound, self.ends) = (0, 0, ends);
        (self.best, self.end) = (None, None);
    }

    /// Nominal bytes.
    pub fn held(&self) -> usize {
        self.joint.held() + self.chooser.held() + self.order.held()
    }

    /// Adds a node to the open ones.
    pub fn enter(&mut self, id: NodeId) {
        self.order.enter(&self.joint, id);
    }

    /// Searches until the search ends or the budget is spent.
    fn search(&mut self, budget: &mut Budget<'_>, listener: &mut dyn FnMut(Progress<'_>)) -> Proof {
        if self.joint.tree.len() == 0 {
            match self.joint.plant(budget) {
                Verdict::Found(root) => self.enter(root),
                Verdict::Nothing => return Proof::Impossible,
                Verdict::OutOfBudget => return Proof::OutOfBudget,
            }
        }
        loop {
            if budget.slice(|| self.held()) == 0 {
                return Proof::OutOfBudget;
            }
            let halves = if let Some(id) = self.joint.unfinished() {
                self.joint.resume(budget).map(|halves| (id, halves))
            } else {
                let Some((id, bound)) = self.order.take() else { return Proof::Impossible };
                self.bound = self.bound.max(bound);
                if self.nodes >= self.ends.nodes || bound >= self.ends.bound {
                    return Proof::OutOfBudget;
                }
                self.joint.go_to(id);
                if self.joint.clashes.is_empty() {
                    return self.finish(id, listener);
                }
                if self.order.raises_bound(&mut self.joint, id, budget) {
                    self.enter(id);
                    continue;
                }
                if self.nodes.is_multiple_of(O::TELL_EVERY) {
                    listener(Progress { nodes: self.nodes, bound: self.bound, best: None });
                }
                self.nodes += 1;
                // Only nodes with conflicts are expanded.
                let split = self.chooser.choose(&mut self.joint, id, budget);
                let Some(split) = split else { continue };
                self.joint.split(id, split, budget).map(|halves| (id, halves))
            };
            let Some((id, halves)) = halves else { return Proof::OutOfBudget };
            for id in self.order.add(&mut self.joint, id, halves) {
                self.enter(id);
            }
        }
    }

    fn finish(&mut self, id: NodeId, listener: &mut dyn FnMut(Progress<'_>)) -> Proof {
        let cost = self.joint.tree.node(id).cost;
        let best = self.best.insert(Solution { plan: self.joint.plan(), cost });
        listener(Progress { nodes: self.nodes, bound: self.bound, best: Some(best) });
        self.order.proof(cost, self.bound)
    }
}
