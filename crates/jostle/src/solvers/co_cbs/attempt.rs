//! The search: one open list for families of sets of meetings and for the nodes of all conflict trees.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::families::{FamilyId, FirstSet};
use super::level::MeetingLevel;
use super::{CoCbs, SetCounts};
use crate::meetings::{MeetingInstance, MeetingPlan};
use crate::search::{Budget, Keyed, Verdict};
use crate::solvers::cbs::NO_PLAN;
use crate::solvers::cbs::heuristic::{Estimates, Heuristic, Origin};
use crate::solvers::conflict_tree::{Chooser, Half, Joint, NodeId, Ways};
use crate::solvers::{Answer, Cbs, Objective, Progress, Proof, Solution};

/// How often the listener is told how far the search has come, in entries of the open list.
const TELL_EVERY: u64 = 64;

/// What an entry of the open list is about. Of equals, nodes come before families, and the newest comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Candidate {
    Node(Reverse<NodeId>),
    Family(Reverse<FamilyId>),
}

/// What an entry of the open list is sorted by: the least bound first, then fewest conflicts.
type Rank = Reverse<(u64, u32, Candidate)>;

/// A search that can be done in slices.
pub struct CoCbsAttempt {
    options: CoCbs,
    level: MeetingLevel,
    joint: Joint,
    chooser: Chooser,
    estimates: Estimates,
    /// For each node, whether the heuristic was computed for it.
    is_estimated: Vec<bool>,
    open: BinaryHeap<Rank>,
    /// The families for whose first sets paths have to be searched for before anything else, the last one first.
    to_plan: Vec<FamilyId>,
    /// The family of each root, and the root of the first set of each family.
    family_of_root: Keyed<FamilyId>,
    root_of_family: Keyed<NodeId>,
    /// The family to whose first set the agents' itineraries belong now, and the numbers of its meetings, by task.
    present: Option<FamilyId>,
    numbers: Vec<usize>,
    nodes: u64,
    /// How many entries of the open list were looked at.
    looked_at: u64,
    planned: u64,
    is_first: bool,
    bound: u64,
    best: Option<Solution<MeetingPlan>>,
    /// How the search has ended.
    end: Option<Proof>,
}

impl CoCbsAttempt {
    pub(super) fn new(options: CoCbs, instance: MeetingInstance) -> Self {
        let mut level = MeetingLevel::new(options, instance);
        let all = level.all();
        let mut joint = Joint::new(level.grid().clone(), Vec::new(), Objective::SumOfCosts);
        joint.set_polishing(options.bypass);
        let mut attempt = Self {
            options,
            joint,
            chooser: Chooser::new(Ways {
                prioritise: options.prioritise,
                target: options.reason,
                corridor: options.reason,
                rectangle: options.reason,
                // Agents with several stops are not what it is for.
                mutex: false,
            }),
            estimates: Estimates::default(),
            is_estimated: Vec::new(),
            open: BinaryHeap::new(),
            to_plan: Vec::from_iter(all),
            family_of_root: Keyed::default(),
            root_of_family: Keyed::default(),
            present: None,
            numbers: vec![0; level.tasks()],
            nodes: 0,
            looked_at: 0,
            planned: 0,
            is_first: false,
            bound: all.map_or(0, |all| level.families.cost(all)),
            best: None,
            end: if all.is_some() { None } else { Some(Proof::Impossible) },
            level,
        };
        for task in 0..attempt.level.tasks() {
            if let Some((agents, forbidden)) = attempt.level.pair(task, 0) {
                attempt.joint.agents.extend(agents);
                attempt.joint.given.extend([Vec::new(), forbidden]);
            }
        }
        attempt
    }

    /// Goes on with the search until it ends or the budget is spent, and returns what is known by then. After
    /// [`Proof::OutOfBudget`] it can be called again and goes on where it stopped; after any other answer it returns the same
    /// one.
    pub fn go_on(
        &mut self,
        budget: &mut Budget<'_>,
        listener: &mut dyn FnMut(Progress<'_, MeetingPlan>),
    ) -> Answer<MeetingPlan> {
        let end = self.end.unwrap_or_else(|| self.search(budget, listener));
        self.end = (end != Proof::OutOfBudget).then_some(end);
        Answer { best: self.best.clone(), bound: self.bound, proof: end, nodes: self.nodes }
    }

    /// How many sets of meetings were looked at.
    pub const fn counts(&self) -> SetCounts {
        let Self { planned, is_first, .. } = *self;
        SetCounts { generated: self.level.families.sets(), planned, is_first }
    }

    /// Nominal bytes.
    fn held(&self) -> usize {
        self.joint.held()
            + self.chooser.held()
            + self.level.held()
            + self.estimates.held()
            + 24 * (self.open.len() + self.family_of_root.len() + self.root_of_family.len())
    }

    /// Bytes this search holds.
    pub fn memory(&self) -> usize {
        self.joint.memory()
            + self.chooser.memory()
            + self.family_of_root.memory()
            + self.root_of_family.memory()
            + self.level.memory()
            + self.estimates.memory()
            + self.open.capacity() * size_of::<Rank>()
    }

    /// Searches until the search ends or the budget is spent.
    fn search(
        &mut self,
        budget: &mut Budget<'_>,
        listener: &mut dyn FnMut(Progress<'_, MeetingPlan>),
    ) -> Proof {
        loop {
            if budget.slice(|| self.held()) == 0 {
                return Proof::OutOfBudget;
            }
            if let Some(id) = self.joint.unfinished() {
                let Some(halves) = self.joint.resume(budget) else { return Proof::OutOfBudget };
                self.add(id, halves);
                continue;
            }
            if let Some(&family) = self.to_plan.last() {
                if !self.plan_first(family, budget) {
                    return Proof::OutOfBudget;
                }
                self.to_plan.pop();
                continue;
            }
            // There is always one more set of meetings, unless no two agents can pass each other whatever they do.
            let Some(Reverse((bound, conflicts, candidate))) = self.open.pop() else {
                return Proof::Impossible;
            };
            budget.spend(1);
            self.bound = self.bound.max(bound);
            self.looked_at += 1;
            if self.looked_at.is_multiple_of(TELL_EVERY) {
                listener(Progress { nodes: self.nodes, bound: self.bound, best: None });
            }
            let id = match candidate {
                Candidate::Node(Reverse(id)) => id,
                Candidate::Family(Reverse(family)) => {
                    self.look_at(family, conflicts);
                    continue;
                }
            };
            self.go_to(id);
            if self.joint.clashes.is_empty() {
                return self.finish(listener);
            }
            let is_higher = self.raises_bound(id, budget);
            if let Some(family) = self.family_of_root.get(u64::from(id))
                && let Some(rest) = self.level.families.rest(family)
            {
                self.enter_family(rest, self.joint.clashes.len() as u32);
            }
            if is_higher {
                self.enter(id);
                continue;
            }
            if budget.slice(|| self.held()) == 0 {
                // The estimate has used it up.
                self.enter(id);
                return Proof::OutOfBudget;
            }
            self.nodes += 1;
            // Only nodes with conflicts are expanded.
            let split = self.chooser.choose(&mut self.joint, id, budget);
            let Some(split) = split else { continue };
            match self.joint.split(id, split, budget) {
                Some(halves) => self.add(id, halves),
                None => return Proof::OutOfBudget,
            }
        }
    }

    /// Looks at a family whose bound is the least: takes it apart, raises its bound, or has paths searched for its first set.
    fn look_at(&mut self, family: FamilyId, conflicts: u32) {
        let first = self.level.first(family);
        if self.options.heuristic {
            let agents = 2 * first.numbers.len() as u32;
            let origins: Vec<Origin> =
                (0..agents).map(|agent| at_root(agent, &first.numbers)).collect();
            let pairs = self.estimates.known_pairs(&origins);
            let are_settled =
                |pair: &[u32; 2]| pair.iter().all(|&agent| first.is_settled[agent as usize / 2]);
            let free = pairs.iter().filter(|(pair, _)| !are_settled(pair));
            if let Some(&(pair, weight)) =
                free.max_by_key(|(pair, weight)| (*weight, Reverse(*pair)))
            {
                let tasks = pair.map(|agent| agent as usize / 2);
                return self.take_apart(family, &first, tasks, weight, conflicts);
            }
            let least = self.level.families.cost(family) + Estimates::cover(&pairs);
            if least > self.level.families.bound(family) {
                self.level.families.raise(family, least);
                return self.enter_family(family, conflicts);
            }
        }
        if !self.level.families.has_no_first(family) {
            self.to_plan.push(family);
            return;
        }
        for task in (0..first.numbers.len()).filter(|&task| !first.is_settled[task]) {
            // Tasks before this one have their later meetings in other parts.
            let part = self.level.later(family, &first, task, (None, task));
            self.enter_part(part, conflicts);
        }
    }

    /// Takes a family apart by two tasks that are in each other's way with the meetings of its first set: one of them has a later
    /// meeting, or both keep theirs and pay for it.
    fn take_apart(
        &mut self,
        family: FamilyId,
        first: &FirstSet,
        tasks: [usize; 2],
        weight: u64,
        conflicts: u32,
    ) {
        for (task, settled) in [(tasks[0], None), (tasks[1], Some(tasks[0]))] {
            // The two agents of one task may be in each other's way, too.
            if !first.is_settled[task] && settled != Some(task) {
                let part = self.level.later(family, first, task, (settled, 0));
                self.enter_part(part, conflicts);
            }
        }
        let part = self.level.families.settle(family, tasks);
        self.level.families.raise(part, self.level.families.cost(family) + weight);
        self.enter_family(part, conflicts);
    }

    /// Puts a family with a new first set on the open list. Its conflicts are not known yet: those of the set from which it comes are
    /// the best guess.
    fn enter_part(&mut self, part: Option<FamilyId>, conflicts: u32) {
        let Some(part) = part else { return };
        if self.options.lazy {
            self.enter_family(part, conflicts);
        } else {
            self.to_plan.push(part);
        }
    }

    /// Puts a family on the open list, unless it is known that none of its sets leads to a plan.
    fn enter_family(&mut self, family: FamilyId, conflicts: u32) {
        let bound = self.level.families.bound(family);
        if bound < NO_PLAN {
            self.open.push(Reverse((bound, conflicts, Candidate::Family(Reverse(family)))));
        }
    }

    /// Searches for the paths of the first set of a family, which become a root. False if the budget was not enough.
    fn plan_first(&mut self, family: FamilyId, budget: &mut Budget<'_>) -> bool {
        let relative = self.relative(family).filter(|_| self.options.inherit);
        let planted = if let Some((root, tasks)) = relative {
            if self.present != Some(family) {
                self.go_to(root);
                self.take_up(family);
            }
            let agents = tasks.into_iter().flat_map(|task| [2 * task, 2 * task + 1]);
            self.joint.replant(root, &agents.collect::<Vec<_>>(), budget)
        } else {
            self.take_up(family);
            self.joint.plant(budget)
        };
        match planted {
            Verdict::Found(root) => {
                debug_assert_eq!(self.joint.tree.node(root).cost, self.level.families.cost(family));
                let bound = self.level.families.bound(family);
                let node = self.joint.tree.node_mut(root);
                node.bound = node.bound.max(bound);
                self.family_of_root.insert(u64::from(root), family);
                self.root_of_family.insert(u64::from(family), root);
                self.planned += 1;
                self.enter(root);
                true
            }
            // Without constraints, every meeting of a table can be reached in time.
            Verdict::Nothing => true,
            Verdict::OutOfBudget => false,
        }
    }

    /// The nearest root above a family, and the tasks that have other meetings there.
    fn relative(&self, family: FamilyId) -> Option<(NodeId, Vec<usize>)> {
        let mut line = self.level.families.line(family).skip(1);
        let known = |above| Some((above, self.root_of_family.get(u64::from(above))?));
        let (above, root) = line.find_map(known)?;
        let (own, others) = (self.level.first(family), self.level.first(above));
        let differs = |&task: &usize| own.numbers[task] != others.numbers[task];
        Some((root, (0..own.numbers.len()).filter(differs).collect()))
    }

    /// Makes a node the present one, with the meetings of its root.
    fn go_to(&mut self, id: NodeId) {
        let root = self.joint.tree.root_of(id);
        if let Some(family) = self.family_of_root.get(u64::from(root)) {
            self.take_up(family);
        }
        self.joint.go_to(id);
    }

    /// Gives agents the meetings of the first set of a family.
    fn take_up(&mut self, family: FamilyId) {
        if self.present.replace(family) == Some(family) {
            return;
        }
        let first = self.level.first(family);
        for (task, &number) in first.numbers.iter().enumerate() {
            if self.numbers[task] != number
                && let Some(([initiator, executor], forbidden)) = self.level.pair(task, number)
            {
                self.joint.agents[2 * task] = initiator;
                self.joint.agents[2 * task + 1] = executor;
                self.joint.given[2 * task + 1] = forbidden;
            }
        }
        self.numbers = first.numbers;
    }

    fn finish(&mut self, listener: &mut dyn FnMut(Progress<'_, MeetingPlan>)) -> Proof {
        let meetings = self.level.meetings(&self.numbers);
        let paths = self.joint.plan().paths().to_vec();
        let plan = MeetingPlan::new(self.level.instance(), paths, meetings);
        self.is_first = self.numbers.iter().all(|&number| number == 0);
        let cost = plan.cost();
        let best = self.best.insert(Solution { plan, cost });
        listener(Progress { nodes: self.nodes, bound: self.bound, best: Some(best) });
        Proof::Optimal
    }

    /// Computes the heuristic of the present node, if that was not done yet. Whether its bound is higher now.
    fn raises_bound(&mut self, id: NodeId, budget: &mut Budget<'_>) -> bool {
        self.is_estimated.resize(self.joint.tree.len(), !self.options.heuristic);
        if std::mem::replace(&mut self.is_estimated[id as usize], true) {
            return false;
        }
        let options = Cbs {
            objective: Objective::SumOfCosts,
            prioritise: self.options.prioritise,
            bypass: self.options.bypass,
            heuristic: Heuristic::Weighted,
            target: self.options.reason,
            corridor: self.options.reason,
            rectangle: self.options.reason,
            mutex: false,
        };
        let (root, numbers) = (self.joint.tree.root_of(id), &self.numbers);
        let origin = |joint: &Joint, agent: u32| match joint.tree.origin(id, agent as usize) {
            origin if origin == root => at_root(agent, numbers),
            origin => (agent, u64::from(origin)),
        };
        let more = self.estimates.estimate(options, &mut self.joint, id, origin, budget);
        self.joint.tree.node_mut(id).raise_bound(more)
    }

    /// Puts a node on the open list, unless it is known to lead to no plan.
    fn enter(&mut self, id: NodeId) {
        let node = self.joint.tree.node(id);
        if node.bound < NO_PLAN {
            self.open.push(Reverse((node.bound, node.conflicts, Candidate::Node(Reverse(id)))));
        }
    }

    /// Adds the halves of a split to the tree, or takes over the path of one of them.
    fn add(&mut self, id: NodeId, halves: Vec<Half>) {
        for id in self.joint.add_halves(id, halves, self.options.bypass) {
            self.enter(id);
        }
    }

    /// The meetings of a task, to test them.
    #[cfg(test)]
    pub(super) fn level(&mut self) -> &mut MeetingLevel {
        &mut self.level
    }
}

/// What the path of an agent without constraints depends on: the number of its meeting.
fn at_root(agent: u32, numbers: &[usize]) -> Origin {
    (agent, 1 << 63 | numbers[agent as usize / 2] as u64)
}

impl std::fmt::Debug for CoCbsAttempt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CoCbsAttempt")
            .field("options", &self.options)
            .field("nodes", &self.nodes)
            .field("counts", &self.counts())
            .field("bound", &self.bound)
            .finish_non_exhaustive()
    }
}
