//! Finding deadlocks in the graph of which agent waits for which.
//!
//! Every agent waits for at most one other, so the agents form cycles, and chains that end in an agent that
//! does not wait. A cycle never resolves by itself. A chain does if its end moves on.
//!
//! Cost: every agent is looked at a fixed number of times.

/// Finds cycles and the ends of chains.
#[derive(Clone, Debug, Default)]
pub(super) struct WaitGraph {
    /// The walk in which each agent was met first: one more than the slot where that walk began, 0 before.
    met: Vec<u32>,
    /// The members of all cycles, one cycle after the other.
    members: Vec<u32>,
    /// Where each cycle ends among the members.
    bounds: Vec<usize>,
    ends: Vec<(usize, usize)>,
}

impl WaitGraph {
    /// Finds the cycles and ends. `waits_for` says which agent each one waits for, by slot.
    pub fn find(&mut self, waits_for: impl Fn(usize) -> Option<usize>, agents: usize) {
        self.met.clear();
        self.met.resize(agents, 0);
        self.members.clear();
        self.bounds.clear();
        self.ends.clear();
        for walk in 0..agents {
            let mut at = walk;
            while self.met[at] == 0 {
                self.met[at] = walk as u32 + 1;
                let Some(next) = waits_for(at) else { break };
                if waits_for(next).is_none() {
                    self.ends.push((at, next));
                }
                at = next;
                if self.met[at] == walk as u32 + 1 {
                    self.collect(&waits_for, at);
                }
            }
        }
    }

    /// The cycles: each begins with its smallest slot, and each member waits for the next one.
    pub fn cycles(&self) -> impl Iterator<Item = &[u32]> {
        let begins = std::iter::once(0).chain(self.bounds.iter().copied());
        begins.zip(&self.bounds).map(|(begin, &end)| &self.members[begin..end])
    }

    /// The ends of chains: an agent that waits, and the agent it waits for, which does not wait itself.
    pub fn ends(&self) -> &[(usize, usize)] {
        &self.ends
    }

    /// Bytes held on the heap.
    pub fn memory(&self) -> usize {
        (self.met.capacity() + self.members.capacity()) * size_of::<u32>()
            + self.bounds.capacity() * size_of::<usize>()
            + self.ends.capacity() * size_of::<(usize, usize)>()
    }

    fn collect(&mut self, waits_for: impl Fn(usize) -> Option<usize>, first: usize) {
        let begin = self.members.len();
        let mut at = Some(first);
        while let Some(member) = at {
            self.members.push(member as u32);
            at = waits_for(member).filter(|&next| next != first);
        }
        let cycle = &mut self.members[begin..];
        let smallest = (0..cycle.len()).min_by_key(|&at| cycle[at]).unwrap_or(0);
        cycle.rotate_left(smallest);
        self.bounds.push(self.members.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cycles and ends of chains among agents that wait as these pairs say.
    fn find(waits: &[(usize, usize)]) -> (Vec<Vec<u32>>, Vec<(usize, usize)>) {
        let waits_for = |agent| waits.iter().find(|pair| pair.0 == agent).map(|pair| pair.1);
        let mut graph = WaitGraph::default();
        for _ in 0..2 {
            graph.find(waits_for, 10);
        }
        (graph.cycles().map(<[u32]>::to_vec).collect(), graph.ends().to_vec())
    }

    #[test]
    fn o11_two_agents_that_wait_for_each_other_are_a_cycle() {
        assert_eq!(find(&[(0, 1), (1, 0)]), (vec![vec![0, 1]], vec![]));
    }

    #[test]
    fn o11_a_chain_has_an_end_and_no_cycle() {
        assert_eq!(find(&[(0, 1), (1, 2)]), (vec![], vec![(1, 2)]));
    }

    #[test]
    fn o11_a_cycle_of_four_is_one_cycle() {
        assert_eq!(find(&[(1, 2), (2, 3), (3, 4), (4, 1)]), (vec![vec![1, 2, 3, 4]], vec![]));
    }

    #[test]
    fn cycles_and_chains_are_told_apart_wherever_the_walk_begins() {
        // Two chains lead into the cycle 3, 7, 5; two others end in 9.
        let waits = [(0, 5), (1, 0), (2, 9), (3, 7), (5, 3), (6, 3), (7, 5), (8, 9)];
        assert_eq!(find(&waits), (vec![vec![3, 7, 5]], vec![(2, 9), (8, 9)]));
    }
}
