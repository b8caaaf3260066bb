//! Which agents are getting on.

/// How near agents have come to their goals, and how often they have chosen since.
#[derive(Clone, Debug, Default)]
pub(crate) struct Progress {
    /// By slot: the least distance from the goal since the errand began, and how many choices ago the agent was there first.
    nearest: Vec<(u64, u32)>,
}

impl Progress {
    /// After so many choices without coming nearer to its goal, an agent is not getting on. With 10 to 40 all crowds of the bench
    /// arrive, whatever the seed; without a limit two of them lock.
    const PATIENCE: u32 = 20;

    /// Begins anew for an agent that has joined or has a new goal.
    pub fn forget(&mut self, slot: usize) {
        if slot >= self.nearest.len() {
            self.nearest.resize(slot + 1, (u64::MAX, 0));
        }
        self.nearest[slot] = (u64::MAX, 0);
    }

    /// Begins anew for all agents: there are so many.
    pub fn forget_all(&mut self, agents: usize) {
        self.nearest.clear();
        self.nearest.resize(agents, (u64::MAX, 0));
    }

    /// Takes note of how far an agent that chooses is from its goal. Returns whether it is getting on.
    ///
    /// An agent on its goal chooses only when it is asked to make room, and it cannot come nearer. So one that is pushed off again and
    /// again does not count as getting on either. It must not: such agents are what crowds lock at.
    pub fn note_choice(&mut self, slot: usize, distance: u64) -> bool {
        let Some((nearest, choices)) = self.nearest.get_mut(slot) else { return true };
        if distance < *nearest {
            (*nearest, *choices) = (distance, 0);
        } else {
            *choices = choices.saturating_add(1);
        }
        *choices <= Self::PATIENCE
    }

    /// Bytes on the heap.
    pub const fn memory(&self) -> usize {
        self.nearest.capacity() * size_of::<(u64, u32)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_is_getting_on_until_it_has_not_come_nearer_for_a_while() {
        let mut progress = Progress::default();
        progress.forget(1);
        let choices = |progress: &mut Progress, distance| {
            (0..100).take_while(|_| progress.note_choice(1, distance)).count()
        };
        assert_eq!(choices(&mut progress, 9), 1 + Progress::PATIENCE as usize);
        assert_eq!(choices(&mut progress, 12), 0, "farther away than before");
        assert_eq!(choices(&mut progress, 8), 1 + Progress::PATIENCE as usize);
        progress.forget(1);
        assert!(progress.note_choice(1, 30), "a new errand");
        assert!(progress.note_choice(7, 30), "an agent that nobody has told about");
    }
}
