//! Cooperative conflict-based search (Co-CBS): optimal plans for pairs of agents that meet.
//!
//! Three levels, one above the other. The first chooses a set of meetings, one for each task; the sets are looked at from the cheapest
//! on. Each set is the root of a conflict tree, the second level, in which the agents' paths go through those meetings. The third
//! level searches for one path under constraints, over cells, ticks and stages as one. All trees share one open list, and the
//! cheapest node of all is looked at next. The first one without conflicts is an optimal plan.
//!
//! Paper: Greshler et al. (2021). Its improvements can be switched off:
//! - [`prioritise`](CoCbs::prioritise) (PC): a conflict that costs both agents something in any case is split first, then one that
//!   costs one of them something. The diagrams that tell go through the start of the task and the meeting.
//! - [`lazy`](CoCbs::lazy) (LE): paths for a set of meetings are searched for when it is its turn, not as soon as it is known. Its
//!   cost is known from the table of meetings.
//!
//! Beyond the paper, and can be switched off as well:
//! - [`bypass`](CoCbs::bypass) and [`reason`](CoCbs::reason), as in [`Cbs`](super::Cbs).
//! - [`inherit`](CoCbs::inherit): a set of meetings that differs from another one in one meeting takes over its paths, but for the two
//!   agents of that meeting.
//!
//! Agents may [stay](crate::meetings::AtTarget) at their targets. Where the paper looks for sets that came up before, each set comes
//! up once here. The public code searches for the path of an agent leg by leg and takes the earliest arrival at
//! each stop, which misses plans; the search here does not.
//!
//! It promises an optimal plan if it ends within its budget. That there is none it notices only where a task has no
//! meeting at all, or executors have to stay on one goal; otherwise it searches until the budget is spent.
//!
//! Memory: a node holds one path and its conflicts, a set 16 bytes, a task a row for each cell of the map; tables with the steps to
//! meetings take up to 64 MiB in all.

#[cfg(test)]
mod brute_force;
mod sets;
mod steps;
mod table;

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use super::conflict_tree::{
    Chooser, Constraint, Ending, Half, Itinerary, Joint, NodeId, Stop, Ways,
};
use super::{Answer, Distances, Objective, Progress, Proof, Solution};
use crate::meetings::{AtTarget, Meeting, MeetingInstance, MeetingPlan, MeetingTask};
use crate::search::{Budget, Keyed, Verdict};
use sets::{MeetingSets, SetId};
use steps::StepsCache;
use table::{MeetingTable, Row};

/// How often the listener is told how far the search has come, in nodes.
const TELL_EVERY: u64 = 256;

/// Cooperative conflict-based search, and its options.
///
/// ```
/// use jostle::formats::TaskList;
/// use jostle::instance::Reach;
/// use jostle::meetings::MeetingInstance;
/// use jostle::solvers::{CoCbs, Proof};
/// use jostle::{Budget, Grid};
///
/// let list = TaskList::parse("(0,0) via (2,0) meets (6,0) to (0,0)")?;
/// let instance = MeetingInstance::from_list(Grid::open(7, 1)?, &list, Reach::Required)?;
/// let answer = CoCbs::default().solve(&instance, &mut Budget::unlimited(), &mut |_| ());
/// assert_eq!(answer.proof, Proof::Optimal);
/// let best = answer.best.unwrap();
/// assert_eq!((best.cost, best.plan.meetings()[0].tick), (9, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CoCbs {
    /// What agents do when their part is done.
    pub at_target: AtTarget,
    /// Split conflicts first that raise the cost in any case.
    pub prioritise: bool,
    /// Search for the paths of a set of meetings when it is its turn.
    pub lazy: bool,
    /// Take over paths that are as short and have fewer conflicts, instead of splitting.
    pub bypass: bool,
    /// Split conflicts at targets, in corridors and in the open once and for all, as [`Cbs`](super::Cbs) does.
    pub reason: bool,
    /// Take over the paths of all agents for which a set of meetings changes nothing.
    pub inherit: bool,
}

impl Default for CoCbs {
    fn default() -> Self {
        let at_target = AtTarget::Leave;
        Self { at_target, prioritise: true, lazy: true, bypass: true, reason: true, inherit: true }
    }
}

impl CoCbs {
    /// Co-CBS as it was first published, without any of the options.
    pub const PLAIN: Self = Self {
        at_target: AtTarget::Leave,
        prioritise: false,
        lazy: false,
        bypass: false,
        reason: false,
        inherit: false,
    };

    /// Begins to solve an instance. Only the tables of meetings are made yet.
    pub fn begin(&self, instance: &MeetingInstance) -> CoCbsAttempt {
        CoCbsAttempt::new(*self, instance.clone())
    }

    /// Solves an instance within a budget, of which every expansion of a search for a path takes one. The listener is told of the
    /// plan, and now and then how far the search has come.
    pub fn solve(
        &self,
        instance: &MeetingInstance,
        budget: &mut Budget<'_>,
        listener: &mut dyn FnMut(Progress<'_, MeetingPlan>),
    ) -> Answer<MeetingPlan> {
        self.begin(instance).go_on(budget, listener)
    }
}

/// How many sets of meetings a search has looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SetCounts {
    /// The sets that came up.
    pub generated: u64,
    /// Those of them for which paths were searched for.
    pub planned: u64,
    /// Whether the plan that was found has the cheapest meeting of every task.
    pub is_first: bool,
}

/// What an entry of the open list is about. Of equals, nodes come before sets, and the newest comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Candidate {
    Node(Reverse<NodeId>),
    /// A set of meetings for which no paths were searched for.
    Set(Reverse<SetId>),
}

/// What an entry of the open list is sorted by: least cost first, then fewest conflicts.
type Rank = Reverse<(u64, u32, Candidate)>;

/// A search that can be done in slices.
pub struct CoCbsAttempt {
    options: CoCbs,
    instance: MeetingInstance,
    tables: Vec<MeetingTable>,
    /// The steps to the start, from the executor, and to the goal of each task, in this order.
    distances: Distances,
    steps: StepsCache,
    joint: Joint,
    chooser: Chooser,
    sets: MeetingSets,
    open: BinaryHeap<Rank>,
    /// The sets for which paths have to be searched for before anything else, the last one first.
    to_plan: Vec<SetId>,
    /// The set of each root, and the root of each set.
    set_of_root: Keyed<SetId>,
    root_of_set: Keyed<NodeId>,
    /// The set whose meetings agents have now, and their numbers, by task.
    present: Option<SetId>,
    numbers: Vec<usize>,
    nodes: u64,
    counts: SetCounts,
    bound: u64,
    best: Option<Solution<MeetingPlan>>,
    /// How the search has ended.
    end: Option<Proof>,
}

impl CoCbsAttempt {
    fn new(options: CoCbs, instance: MeetingInstance) -> Self {
        let grid = instance.shared_grid().clone();
        let tasks = instance.tasks();
        let cells = tasks.iter().flat_map(|task| [task.start, task.executor, task.goal]);
        let distances = Distances::to(&grid, cells);
        let tables = tasks.iter().enumerate().map(|(number, task)| {
            MeetingTable::of(grid.floor_cells(), task, options.at_target, &distances, 3 * number)
        });
        let mut attempt = Self {
            options,
            tables: tables.collect(),
            distances,
            steps: StepsCache::default(),
            joint: Joint::new(grid, Vec::new(), Objective::SumOfCosts),
            chooser: Chooser::new(Ways {
                prioritise: options.prioritise,
                target: options.reason,
                corridor: options.reason,
                rectangle: options.reason,
            }),
            sets: MeetingSets::default(),
            open: BinaryHeap::new(),
            to_plan: Vec::new(),
            set_of_root: Keyed::default(),
            root_of_set: Keyed::default(),
            present: None,
            numbers: vec![0; tasks.len()],
            nodes: 0,
            counts: SetCounts::default(),
            bound: 0,
            best: None,
            end: None,
            instance,
        };
        attempt.begin();
        attempt
    }

    /// Makes the first set of meetings, unless it is clear that there is no plan.
    fn begin(&mut self) {
        let mut goals = HashSet::new();
        let stays = self.options.at_target == AtTarget::Stay;
        let goals_clash = self.instance.tasks().iter().any(|task| !goals.insert(task.goal));
        let rows: Option<Vec<Row>> = self.tables.iter_mut().map(|table| table.get(0)).collect();
        let Some(rows) = rows.filter(|_| !(stays && goals_clash)) else {
            self.end = Some(Proof::Impossible);
            return;
        };
        let agents = 2 * rows.len();
        self.joint.given = vec![Vec::new(); agents];
        for (number, row) in rows.iter().enumerate() {
            let itineraries = self.itineraries(number, *row);
            self.joint.agents.extend(itineraries);
        }
        self.bound = rows.iter().map(|row| u64::from(row.cost)).sum();
        let first = self.sets.first(self.bound);
        self.to_plan.push(first);
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
        SetCounts { generated: self.sets.len() as u64, ..self.counts }
    }

    /// Bytes this search holds.
    pub fn memory(&self) -> usize {
        self.joint.memory()
            + self.sets.memory()
            + self.steps.memory()
            + self.tables.iter().map(MeetingTable::memory).sum::<usize>()
            + self.open.capacity() * size_of::<Rank>()
    }

    /// Searches until the search ends or the budget is spent.
    fn search(
        &mut self,
        budget: &mut Budget<'_>,
        listener: &mut dyn FnMut(Progress<'_, MeetingPlan>),
    ) -> Proof {
        loop {
            if budget.slice(|| self.memory()) == 0 {
                return Proof::OutOfBudget;
            }
            if let Some(id) = self.joint.unfinished() {
                let Some(halves) = self.joint.resume(budget) else { return Proof::OutOfBudget };
                self.add(id, halves);
                continue;
            }
            if let Some(&set) = self.to_plan.last() {
                if !self.plan_set(set, budget) {
                    return Proof::OutOfBudget;
                }
                self.to_plan.pop();
                continue;
            }
            // There is always one more set, so this list is never empty.
            let Some(Reverse((bound, _, candidate))) = self.open.pop() else {
                return Proof::Impossible;
            };
            self.bound = self.bound.max(bound);
            let id = match candidate {
                Candidate::Node(Reverse(id)) => id,
                Candidate::Set(Reverse(set)) => {
                    self.to_plan.push(set);
                    continue;
                }
            };
            self.go_to(id);
            if self.joint.clashes.is_empty() {
                return self.finish(listener);
            }
            if self.nodes.is_multiple_of(TELL_EVERY) {
                listener(Progress { nodes: self.nodes, bound: self.bound, best: None });
            }
            self.nodes += 1;
            if let Some(set) = self.set_of_root.get(u64::from(id)) {
                self.add_sets(set);
            }
            // Only nodes with conflicts are expanded.
            let split = self.chooser.choose(&mut self.joint, id, budget);
            let Some(split) = split else { continue };
            match self.joint.split(id, split, budget) {
                Some(halves) => self.add(id, halves),
                None => return Proof::OutOfBudget,
            }
        }
    }

    /// Searches for the paths of a set of meetings, which become a root. False if the budget was not enough.
    fn plan_set(&mut self, set: SetId, budget: &mut Budget<'_>) -> bool {
        let from = self.sets.before(set).filter(|_| self.options.inherit);
        let from =
            from.and_then(|(before, task)| Some((self.root_of_set.get(u64::from(before))?, task)));
        let planted = match from {
            Some((root, task)) => {
                if self.present != Some(set) {
                    self.go_to(root);
                    self.take_up(set);
                }
                self.joint.replant(root, &[2 * task, 2 * task + 1], budget)
            }
            None => {
                self.take_up(set);
                self.joint.plant(budget)
            }
        };
        match planted {
            Verdict::Found(root) => {
                debug_assert_eq!(self.joint.tree.node(root).cost, self.sets.cost(set));
                self.set_of_root.insert(u64::from(root), set);
                self.root_of_set.insert(u64::from(set), root);
                self.counts.planned += 1;
                self.enter(root);
                true
            }
            // Without constraints, every meeting of a table can be reached in time.
            Verdict::Nothing => true,
            Verdict::OutOfBudget => false,
        }
    }

    /// Adds the sets that follow a set: the next meeting for one task.
    fn add_sets(&mut self, set: SetId) {
        let conflicts = self.joint.clashes.len() as u32;
        for task in self.sets.goes_on_from(set)..self.tables.len() {
            let number = self.numbers[task];
            let (now, next) = (self.tables[task].get(number), self.tables[task].get(number + 1));
            let (Some(now), Some(next)) = (now, next) else { continue };
            let cost = self.sets.cost(set) + u64::from(next.cost - now.cost);
            let next = self.sets.add(set, task, cost);
            if self.options.lazy {
                // Its conflicts are not known yet: those of the set before it are the best guess.
                let candidate = Candidate::Set(Reverse(next));
                self.open.push(Reverse((cost, conflicts, candidate)));
            } else {
                self.to_plan.push(next);
            }
        }
    }

    /// Makes a node the present one, with the meetings of its root.
    fn go_to(&mut self, id: NodeId) {
        let root = self.joint.tree.root_of(id);
        if let Some(set) = self.set_of_root.get(u64::from(root)) {
            self.take_up(set);
        }
        self.joint.go_to(id);
    }

    /// Gives agents the meetings of a set.
    fn take_up(&mut self, set: SetId) {
        if self.present.replace(set) == Some(set) {
            return;
        }
        let before = self.numbers.clone();
        self.sets.numbers(set, &mut self.numbers);
        for (task, before) in before.into_iter().enumerate() {
            if self.numbers[task] != before
                && let Some(row) = self.tables[task].get(self.numbers[task])
            {
                let [initiator, executor] = self.itineraries(task, row);
                self.joint.agents[2 * task] = initiator;
                self.joint.agents[2 * task + 1] = executor;
            }
        }
    }

    /// What the two agents of a task have to do if they meet like this.
    fn itineraries(&mut self, number: usize, meeting: Row) -> [Itinerary; 2] {
        let MeetingTask { initiator, start, executor, goal } = self.instance.tasks()[number];
        let stop = |cell, tick, steps: &_| Stop { cell, tick, steps: std::sync::Arc::clone(steps) };
        let steps = self.steps.to(&self.joint.grid, meeting.cell);
        let meet = stop(meeting.cell, Some(meeting.tick), &steps);
        let visit = stop(start, None, self.distances.table(3 * number));
        let deliver = stop(goal, None, self.distances.table(3 * number + 2));
        let agents = [2 * number as u32, 2 * number as u32 + 1];
        let ending = match self.options.at_target {
            AtTarget::Leave => Ending::Leaves,
            AtTarget::Stay => Ending::Stays,
        };
        if self.options.at_target == AtTarget::Stay {
            // The initiator is there for good.
            let (cell, first, last) = (meeting.cell, meeting.tick + 1, Itinerary::NEVER);
            self.joint.given[2 * number + 1] = vec![Constraint::Between { cell, first, last }];
        }
        let with = |other: u32| Some((other, meeting.tick));
        [
            Itinerary {
                start: initiator,
                stops: vec![visit, meet.clone()],
                ending,
                meeting: with(agents[1]),
            },
            Itinerary {
                start: executor,
                stops: vec![meet, deliver],
                ending,
                meeting: with(agents[0]),
            },
        ]
    }

    fn finish(&mut self, listener: &mut dyn FnMut(Progress<'_, MeetingPlan>)) -> Proof {
        let rows = self.tables.iter_mut().zip(&self.numbers);
        let meetings = rows.filter_map(|(table, &number)| table.get(number));
        let meetings =
            meetings.map(|row| Meeting { cell: row.cell, tick: u64::from(row.tick) }).collect();
        let paths = self.joint.plan().paths().to_vec();
        let plan = MeetingPlan::new(&self.instance, paths, meetings);
        self.counts.is_first = self.numbers.iter().all(|&number| number == 0);
        let cost = plan.cost();
        let best = self.best.insert(Solution { plan, cost });
        listener(Progress { nodes: self.nodes, bound: self.bound, best: Some(best) });
        Proof::Optimal
    }

    /// Puts a node on the open list.
    fn enter(&mut self, id: NodeId) {
        let node = self.joint.tree.node(id);
        self.open.push(Reverse((node.bound, node.conflicts, Candidate::Node(Reverse(id)))));
    }

    /// Adds the halves of a split to the tree, or takes over the path of one of them.
    fn add(&mut self, id: NodeId, mut halves: Vec<Half>) {
        let node = self.joint.tree.node(id);
        let (cost, conflicts, bound) = (node.cost, node.conflicts, node.bound);
        let is_bypass = |half: &Half| half.cost == cost && half.conflicts < conflicts;
        let bypass = halves.iter().position(is_bypass).filter(|_| self.options.bypass);
        if let Some(half) = bypass {
            let id = self.joint.add(id, halves.swap_remove(half), false, bound);
            self.enter(id);
            return;
        }
        for half in halves {
            let bound = half.cost.max(bound);
            let id = self.joint.add(id, half, true, bound);
            self.enter(id);
        }
    }
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

#[cfg(test)]
#[path = "co_cbs_test.rs"]
mod tests;
