//! Reverse Resumable A\* (Silver 2005): exact distances to one goal, on demand.
//!
//! The search runs backwards from the goal towards the cell of the agent when the search began, and stops as
//! soon as the requested distance is known. The next request resumes it. Known distances are kept. They are
//! distances on the floor without agents.
//!
//! It promises exact distances, because the straight-line estimate is consistent: a node that is expanded
//! has its final `g`. The estimate aims at the original cell of the agent for the whole life of the search,
//! because otherwise the order of expansion would not be consistent.
//!
//! Cost: every cell is expanded at most once in the life of a search. Memory: about five bytes for each
//! cell reached (more for cells farther than 374,000 steps), and the open list.
//!
//! The pseudo-code in the paper returns as soon as the requested node is closed, before its neighbours
//! are generated, and so loses the part of the map behind it. Here a node is expanded first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Budget, Verdict, key::Key, tiles::Tiles};
use crate::Cost;
use crate::grid::{Cell, Exits, Grid, Neighbours, Place};

/// A search backwards from one goal.
#[derive(Clone, Debug)]
pub struct ReverseSearch {
    goal: Cell,
    origin: Place,
    neighbours: Neighbours,
    /// For each cell: 0 if it is not reached, else one more than its `g`, negative while it is open.
    known: Tiles,
    /// A node's number is its cell.
    open: BinaryHeap<Reverse<Key>>,
    expansions: u64,
}

impl Default for ReverseSearch {
    fn default() -> Self {
        let origin = Place { cell: Cell::NOWHERE, x: 0, y: 0 };
        Self {
            goal: Cell::NOWHERE,
            origin,
            neighbours: Neighbours::Eight,
            known: Tiles::default(),
            open: BinaryHeap::new(),
            expansions: 0,
        }
    }
}

impl ReverseSearch {
    /// Starts a new search, for an agent that stands on `origin` and wants to go to `goal`.
    pub fn begin(&mut self, grid: &Grid, origin: Cell, goal: Cell) {
        self.goal = goal;
        self.origin = Place::of(grid, origin);
        self.neighbours = grid.rules().neighbours;
        self.known.clear(grid);
        self.open.clear();
        if grid.is_floor(goal) {
            self.reach(Place::of(grid, goal), Cost::ZERO);
        }
    }

    /// The goal of the search; no cell of any grid before the first search begins.
    pub const fn goal(&self) -> Cell {
        self.goal
    }

    /// The distance from a cell to the goal, or [`Verdict::Nothing`] if no path leads there. Resumes the search
    /// if necessary.
    pub fn distance(&mut self, grid: &Grid, cell: Cell, budget: &mut Budget<'_>) -> Verdict<Cost> {
        self.distance_from(grid, Place::of(grid, cell), budget)
    }

    /// The same as [`distance`](Self::distance), for a caller that knows the coordinates of the cell.
    pub fn distance_from(
        &mut self,
        grid: &Grid,
        place: Place,
        budget: &mut Budget<'_>,
    ) -> Verdict<Cost> {
        if !grid.is_floor(place.cell) {
            return self.distance_out_of_a_wall(grid, place, budget);
        }
        loop {
            if let Some(known) = self.known(place) {
                return Verdict::Found(known);
            }
            if !self.open.is_empty() && budget.slice(|| self.held()) == 0 {
                return Verdict::OutOfBudget;
            }
            if !self.expand_next(grid) {
                self.shrink();
                return Verdict::Nothing;
            }
            budget.spend(1);
        }
    }

    /// Continues the search until the distance of every reachable cell is known.
    pub fn exhaust(&mut self, grid: &Grid) {
        while self.expand_next(grid) {}
        self.shrink();
    }

    /// The distance from a place, if it is known already.
    #[inline]
    pub fn known(&self, place: Place) -> Option<Cost> {
        match self.known.get(place) {
            units if units > 0 => Some(Cost::from_units(units - 1)),
            _ => None,
        }
    }

    /// Whether everything that the search knows stays right after an edit of this cell, because neither the cell
    /// nor a neighbour of it is closed.
    pub fn is_untouched_near(&self, grid: &Grid, cell: Cell) -> bool {
        let is_known = |near: Cell| self.known.get(Place::of(grid, near)) > 0;
        // Before the first search begins, nothing is known about anything.
        self.goal == Cell::NOWHERE || (!is_known(cell) && !grid.around(cell).any(is_known))
    }

    /// Nodes expanded, in this and all earlier searches.
    pub const fn expansions(&self) -> u64 {
        self.expansions
    }

    /// Nominal bytes: 16 for each entry of the open list, and those of the table.
    fn held(&self) -> usize {
        16 * self.open.len() + self.known.held()
    }

    /// Bytes this search holds.
    pub fn memory(&self) -> usize {
        self.known.memory() + self.open.capacity() * size_of::<Key>()
    }

    /// A cell that became a wall under an agent can be left, but the backward search does not reach it.
    fn distance_out_of_a_wall(
        &mut self,
        grid: &Grid,
        place: Place,
        budget: &mut Budget<'_>,
    ) -> Verdict<Cost> {
        let mut best = Verdict::Nothing;
        for direction in grid.exits(place.cell) {
            match (self.distance_from(grid, place.beside(grid, direction), budget), best) {
                (Verdict::OutOfBudget, _) => return Verdict::OutOfBudget,
                (Verdict::Found(far), Verdict::Found(least)) if far + direction.cost() >= least => {
                }
                (Verdict::Found(far), _) => best = Verdict::Found(far + direction.cost()),
                (Verdict::Nothing, _) => {}
            }
        }
        best
    }

    /// Frees the memory that a search needs only while it is going on.
    fn shrink(&mut self) {
        self.known.shrink();
        self.open.shrink_to_fit();
    }

    fn reach(&mut self, place: Place, g: Cost) {
        self.known.set(place, -(g.units() + 1));
        let f = g + place.distance(self.origin, self.neighbours);
        self.open.push(Reverse(Key::new(f, g, place.cell.index() as u32)));
    }

    /// Closes the best node and generates its neighbours. Returns whether there was one.
    fn expand_next(&mut self, grid: &Grid) -> bool {
        while let Some(Reverse(key)) = self.open.pop() {
            let (g, cell) = (key.g(), Cell::from_index(key.number() as usize));
            let place = Place::of(grid, cell);
            if !self.known.negate(place, -(g.units() + 1)) {
                continue; // already closed, or reached by a cheaper path
            }
            self.expansions += 1;
            for direction in grid.exits(cell) {
                let near = place.beside(grid, direction);
                let through = g + direction.cost();
                let known = self.known.get(near);
                if known == 0 || known < -(through.units() + 1) {
                    self.reach(near, through);
                }
            }
            return true;
        }
        false
    }
}

#[cfg(test)]
#[path = "reverse_test.rs"]
mod tests;
