//! Push and rotate: a complete solver that works by rules, in polynomial time.
//!
//! Agents go to their goals one after the other. Those in the way are pushed aside; those that have arrived are exchanged at a
//! junction and put back. Where an instance has no plan, the solver says so, because the floor is first divided into subproblems: the
//! agents of one can be permuted at will, and nobody else can ever change places. Then the plan is shortened.
//!
//! It fits as a last resort where the other solvers do not end, and as a quick answer to "is this solvable at all?"
//! ([`is_solvable`]). Its plans are far from the best.
//!
//! Each connected part of the floor is solved by itself:
//! 1. Agents are moved to the goals whoever they are, on a copy, and the subproblems tell whether the permutation that remains is
//!    possible.
//! 2. From the starts, agents march to their goals one by one, those with goals far from the middle first.
//! 3. Who could not get through is exchanged with whoever stands on its goal, with everybody else put back exactly.
//! 4. Needless moves are left out, and the others are made at the same time where the order of visits on each cell allows it.
//!
//! Papers: de Wilde, ter Mors and Witteveen (2014) for the method; Kornhauser, Miller and Spirakis (1984) for what is possible; Yu
//! and Rus (2014) for rings that turn. Departures:
//! - A ring on which every cell is taken turns in one tick here. That makes instances solvable that are not where one agent
//!   moves at a time, so the subproblems are larger than the paper's.
//! - Instead of a priority relation between subproblems, agents are ordered by goals, and step 3 repairs what this order misses. Step 3
//!   alone is complete.
//!
//! It promises, if a part of the floor has at least two free cells, is one ring, or has no cycle: a plan if there is one, else
//! [`Proof::Impossible`]. With fewer than two free cells and a cycle, small parts are searched, impossible permutations between
//! subproblems are recognised, and in the remaining cases it answers [`Proof::OutOfBudget`] at once: nothing is known. The
//! same goes for an agent that stands on a cell that has turned into a wall and wants to leave it. Answers are the same on every machine.
//!
//! Work: moves and expansions of breadth-first searches are taken from the budget, in slices of one agent, so that a slice may go
//! beyond the budget by one agent's work, which the next one makes up for. Memory: 16 bytes for each move of the record before it
//! is shortened, and four for each agent and tick of the plan, like any [`Plan`].

mod board;
mod classes;
mod graph;
mod march;
mod part;
mod permute;
mod pieces;
mod ring;
mod schedule;
mod shorten;
mod small;
mod swap;

use std::sync::Arc;

use super::{Answer, Attempt, Field, Progress, Proof, Recipe, Solution, Solver};
use crate::grid::{Cell, Grid};
use crate::instance::Instance;
use crate::plan::{Plan, TimedPath};
use crate::search::Budget;
use part::Outcome;
use pieces::{Piece, Pieces};

/// Push and rotate. It has no options.
///
/// ```
/// use jostle::instance::Reach;
/// use jostle::solvers::{Proof, PushAndRotate, Solver};
/// use jostle::{Budget, Grid, Instance};
///
/// // Two agents change places in a corridor with a bay, and cannot do so without.
/// for (map, proof) in [(".....\n##.##", Proof::Found), (".....\n#####", Proof::Impossible)] {
///     let grid = Grid::from_ascii(map)?;
///     let [west, east] = [0, 4].map(|x| grid.at(x, 0).unwrap());
///     let instance = Instance::new(grid, vec![(west, east), (east, west)], Reach::Required)?;
///     let answer = PushAndRotate.solve(&instance, &mut Budget::unlimited(), &mut |_| ());
///     assert_eq!(answer.proof, proof);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PushAndRotate;

impl Recipe<dyn Solver> for PushAndRotate {
    fn fields(&mut self) -> Vec<Field<'_>> {
        Vec::new()
    }

    fn build(&self) -> Box<dyn Solver> {
        Box::new(*self)
    }
}

impl Solver for PushAndRotate {
    fn begin(&self, instance: &Instance) -> Box<dyn Attempt> {
        Box::new(Search::new(instance))
    }
}

impl PushAndRotate {
    /// Begins to solve an instance, as [`Solver::begin`] does, and can tell more about the search.
    pub fn search(self, instance: &Instance) -> Search {
        Search::new(instance)
    }
}

/// Whether an instance has a plan; `None` if that is not known, which the [module](self) says more about.
///
/// Cost: a breadth-first search for each goal that nobody stands on, until the nearest agent on no goal is found, and one
/// depth-first search over the floor. No plan is made, except on rings and small parts of the floor without two free cells.
///
/// ```
/// use jostle::instance::Reach;
/// use jostle::solvers::push_rotate::is_solvable;
/// use jostle::{Grid, Instance};
///
/// let grid = Grid::from_ascii("....\n#.##")?;
/// let [west, east] = [0, 3].map(|x| grid.at(x, 0).unwrap());
/// let instance = Instance::new(grid, vec![(west, east), (east, west)], Reach::Required)?;
/// assert_eq!(is_solvable(&instance), Some(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn is_solvable(instance: &Instance) -> Option<bool> {
    match Search::new(instance).decide(&mut Budget::unlimited()) {
        Some(Proof::Found) => Some(true),
        Some(Proof::Impossible) => Some(false),
        _ => None,
    }
}

/// A search by push and rotate.
#[derive(Clone, Debug)]
pub struct Search {
    grid: Arc<Grid>,
    starts: Vec<Cell>,
    pieces: Vec<Piece>,
    /// The piece that is being solved.
    next: usize,
    /// Work that was done and not taken from a budget yet.
    owed: u64,
    slices: u64,
    bound: u64,
    end: Option<(Proof, Option<Solution>)>,
}

impl Search {
    fn new(instance: &Instance) -> Self {
        let (pieces, end) = match Pieces::of(instance) {
            Pieces::Known(pieces) => (pieces, None),
            Pieces::Impossible => (Vec::new(), Some((Proof::Impossible, None))),
            Pieces::Unknown => (Vec::new(), Some((Proof::OutOfBudget, None))),
        };
        // No agent arrives sooner than along a straight line.
        let steps = |&(start, goal): &(Cell, Cell)| {
            let (one, other) = (instance.grid().position(start), instance.grid().position(goal));
            u64::from(one.0.abs_diff(other.0).max(one.1.abs_diff(other.1)))
        };
        Self {
            grid: Arc::clone(instance.shared_grid()),
            starts: instance.tasks().iter().map(|task| task.0).collect(),
            pieces,
            next: 0,
            owed: 0,
            slices: 0,
            bound: instance.tasks().iter().map(steps).sum(),
            end,
        }
    }

    /// The number of moves of the plan before it was shortened, one agent at a time.
    pub fn recorded_moves(&self) -> usize {
        self.pieces.iter().map(Piece::recorded_moves).sum()
    }

    /// The number of moves of the plan after needless ones were left out.
    pub fn moves(&self) -> usize {
        self.pieces.iter().map(Piece::moves).sum()
    }

    /// The plan is made in instalments of about so many moves, so that it needs no more memory if it is very long.
    pub(crate) fn in_instalments(mut self, moves: usize) -> Self {
        self.pieces.iter_mut().for_each(|piece| piece.set_instalment(moves));
        self
    }

    /// Whether the plan goes on after what is known of it.
    pub(crate) fn goes_on(&self) -> bool {
        self.next < self.pieces.len()
    }

    /// Goes on until it is known whether there is a plan. `None` if the budget is spent before that.
    pub(crate) fn decide(&mut self, budget: &mut Budget<'_>) -> Option<Proof> {
        if let Some((proof, _)) = &self.end {
            return Some(*proof);
        }
        while let Some(at) = self.pieces.iter().position(|piece| !piece.part.is_decided()) {
            if !self.pay(budget) {
                return None;
            }
            self.owed += self.pieces[at].advance().0;
        }
        let answers: Vec<_> =
            self.pieces.iter_mut().map(|piece| piece.part.is_solvable()).collect();
        Some(if answers.contains(&Some(false)) {
            Proof::Impossible
        } else if answers.contains(&None) {
            Proof::OutOfBudget
        } else {
            Proof::Found
        })
    }

    /// If there is no plan: where agents can be instead, all at once. As many as possible have their goals, and the others cells that were goals of others. `None` if
    /// that is not known.
    pub(crate) fn attainable(&mut self) -> Option<Vec<Cell>> {
        let mut aims: Vec<Cell> = self.starts.clone();
        for piece in &mut self.pieces {
            let is_open = piece.part.is_solvable() == Some(true);
            if !is_open && piece.part.attainable.is_none() {
                return None;
            }
            piece.aims().for_each(|(agent, aim)| aims[agent] = aim);
        }
        (!self.pieces.is_empty()).then_some(aims)
    }

    /// Nominal bytes.
    fn held(&self) -> usize {
        self.pieces.iter().map(Piece::held).sum()
    }

    /// Takes the work that was done from the budget. Returns whether more may be done.
    fn pay(&mut self, budget: &mut Budget<'_>) -> bool {
        loop {
            let slice = budget.slice(|| self.held());
            let paid = self.owed.min(slice);
            budget.spend(paid);
            self.owed -= paid;
            if slice == 0 || self.owed == 0 {
                return slice > 0;
            }
        }
    }

    /// Solves piece after piece until all are done, there is an instalment, or the budget is spent.
    pub(crate) fn advance(&mut self, budget: &mut Budget<'_>) -> Proof {
        if let Some((proof, _)) = &self.end {
            return *proof;
        }
        while self.pay(budget) {
            let Some(piece) = self.pieces.get_mut(self.next) else { return Proof::Found };
            let (work, outcome) = piece.advance();
            self.slices += 1;
            self.owed += work;
            match outcome {
                None => {}
                Some(Outcome::Solved) => self.next += 1,
                Some(Outcome::Instalment) => return Proof::Found,
                Some(Outcome::Impossible) => return Proof::Impossible,
                // Another piece may show that there is no plan at all.
                Some(Outcome::Unknown) => return self.look_further(),
            }
        }
        Proof::OutOfBudget
    }

    /// By agent, which cell it enters at which tick, since the last instalment.
    pub(crate) fn take_stops(&mut self) -> Vec<Vec<(u32, Cell)>> {
        let mut all = vec![Vec::new(); self.starts.len()];
        for (agent, stops) in self.pieces.iter_mut().flat_map(Piece::take_stops) {
            all[agent] = stops;
        }
        all
    }

    /// What is known if nothing is known about the present piece.
    fn look_further(&mut self) -> Proof {
        let is_solvable = |piece: &mut Piece| piece.part.is_solvable() != Some(false);
        let others = &mut self.pieces[self.next + 1..];
        if others.iter_mut().all(is_solvable) { Proof::OutOfBudget } else { Proof::Impossible }
    }

    fn plan(&self) -> Plan {
        let mut paths: Vec<TimedPath> =
            self.starts.iter().map(|&start| TimedPath::of(vec![start])).collect();
        for (agent, stops) in self.pieces.iter().flat_map(Piece::stops) {
            let cells = &mut paths[agent].cells;
            for (tick, cell) in stops {
                let waits = cells[cells.len() - 1];
                cells.resize(tick as usize, waits);
                cells.push(cell);
            }
        }
        Plan::new(Arc::clone(&self.grid), paths)
    }
}

impl Attempt for Search {
    fn go_on(&mut self, budget: &mut Budget<'_>, listener: &mut dyn FnMut(Progress<'_>)) -> Answer {
        if self.end.is_none() {
            let proof = self.advance(budget);
            if proof != Proof::OutOfBudget || !budget.is_spent() {
                let best = (proof == Proof::Found).then(|| {
                    let plan = self.plan();
                    Solution { cost: plan.sum_of_costs(), plan }
                });
                if let Some(best) = &best {
                    let (nodes, bound) = (self.slices, self.bound);
                    listener(Progress { nodes, bound, best: Some(best) });
                }
                self.end = Some((proof, best));
            }
        }
        let (proof, best) = self.end.clone().unwrap_or((Proof::OutOfBudget, None));
        Answer { best, bound: self.bound, proof, nodes: self.slices }
    }

    fn memory(&self) -> usize {
        self.pieces.iter().map(Piece::memory).sum()
    }
}

#[cfg(test)]
#[path = "push_rotate_test.rs"]
mod tests;
