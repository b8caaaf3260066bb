//! A\*: Algorithm 1 of the BMAA\* paper, and with a budget and blocked cells its Algorithm 5.
//!
//! A search asks a [`Problem`] for the exits of a cell, for estimates of the distance to the goal and whether a
//! cell is a goal, and expands nodes until the next one is a goal. The node expanded next has the smallest
//! `f = g + h`; among equals the largest `g`; among those the one that entered `open` first.
//!
//! It promises a shortest path where estimates are consistent, and to expand no more than its [`Budget`]
//! holds. It does not promise a shortest path for other estimates: the goal is never expanded, and closed
//! nodes are never opened again.
//!
//! Its only parameter is the budget. A search that runs out of it can be resumed if it was begun by
//! [`Search::begin`], and then gives the same result as one without a limit.
//!
//! Cost: `expansions` times up to eight neighbours, each a look-up in one table. That table has at most
//! one word for each cell of the map and serves all searches of a planner in turn; it is not cleared when a
//! search starts.
//!
//! The paper does not say how to break ties beyond the largest `g`; here the node that entered first wins.

use super::numbers::Numbers;
use super::open::Buckets;
use super::{Block, Budget, Verdict};
use crate::Cost;
use crate::grid::{Cell, Direction, Directions, Exits, Grid, Neighbours, Place};

/// What a search needs to know: the floor, its exits, estimates, and where the search may end.
pub trait Problem {
    /// The floor that is searched.
    fn grid(&self) -> &Grid;

    /// Whether the search may end here.
    fn is_goal(&self, place: Place) -> bool;

    /// The steps that can be taken from a cell.
    fn exits(&self, cell: Cell) -> Directions;

    /// The estimated cost from here to the goal. Estimates are capped at 374,000 steps.
    fn h(&self, place: Place) -> Cost;

    /// Whether the search must not enter a place.
    fn is_blocked(&self, _place: Place) -> bool {
        false
    }

    /// The same as [`h`](Self::h) for all cells of a block, in units. Those of cells that are not on the grid are not
    /// used.
    fn estimates(&self, block: Block) -> [i32; Block::CELLS] {
        let mut estimates = [0; Block::CELLS];
        for (index, place) in block.places(self.grid()) {
            estimates[index] = self.h(place).to_estimate();
        }
        estimates
    }

    /// The same as [`is_blocked`](Self::is_blocked) for all cells of a block, one bit for each.
    fn blocked(&self, block: Block) -> u16 {
        let places = block.places(self.grid()).filter(|&(_, place)| self.is_blocked(place));
        places.fold(0, |blocked, (index, _)| blocked | 1 << index)
    }
}

/// The plain problem: one goal, no obstacles but walls, and the straight-line distance as estimate.
#[derive(Clone, Copy, Debug)]
pub struct StraightLine<'a, E = Grid> {
    grid: &'a Grid,
    exits: &'a E,
    goal: Place,
    neighbours: Neighbours,
}

impl<'a> StraightLine<'a> {
    /// The problem of reaching `goal` over a floor.
    pub const fn to(goal: Cell, grid: &'a Grid) -> Self {
        Self::along(grid, goal, grid)
    }
}

impl<'a, E: Exits> StraightLine<'a, E> {
    /// The problem of reaching `goal` through `exits`, which are the exits of `grid` or some of them.
    pub const fn along(exits: &'a E, goal: Cell, grid: &'a Grid) -> Self {
        Self { grid, exits, goal: Place::of(grid, goal), neighbours: grid.rules().neighbours }
    }
}

impl<E: Exits> Problem for StraightLine<'_, E> {
    fn grid(&self) -> &Grid {
        self.grid
    }

    fn is_goal(&self, place: Place) -> bool {
        place.cell == self.goal.cell
    }

    fn exits(&self, cell: Cell) -> Directions {
        self.exits.exits(cell)
    }

    fn h(&self, place: Place) -> Cost {
        place.distance(self.goal, self.neighbours)
    }

    fn estimates(&self, block: Block) -> [i32; Block::CELLS] {
        block.distances(self.goal, self.neighbours)
    }

    fn blocked(&self, _block: Block) -> u16 {
        0
    }
}

/// A place that a search has reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    /// The cell of the node, with its coordinates.
    pub place: Place,
    /// The cost of the best path to it so far.
    pub g: Cost,
    /// The estimated cost from it to the goal.
    pub h: Cost,
}

/// An A\* search. Its lists are kept from one search to the next, so that searching allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// Every node generated, in the order in which they entered `open`: a node's index is the number that breaks
    /// ties.
    reached: Vec<Reached>,
    /// The numbers of the expanded nodes, in order.
    closed: Vec<u32>,
    numbers: Numbers,
    open: Buckets,
    /// The node that was about to be expanded when the search ended.
    first: Option<u32>,
}

/// A node, and how it was reached.
#[derive(Clone, Copy, Debug)]
struct Reached {
    node: Node,
    parent: u32,
    /// Its index in the table of numbers.
    slot: u32,
    /// The step from the parent; `None` for the start.
    direction: Option<Direction>,
    /// The exits of its cell, once the node is expanded.
    exits: Directions,
    /// A better path must cost less than this. Once the node is expanded it is 0, so no path is better.
    bar: Cost,
}

impl Search {
    /// Searches from `start` until a goal is about to be expanded, the budget is spent, or `open` is empty.
    ///
    /// # Returns
    /// The verdict. If the search is out of budget, [`path`](Self::path) leads to the node that was about to be
    /// expanded.
    pub fn run(&mut self, problem: &impl Problem, start: Cell, budget: &mut Budget<'_>) -> Verdict {
        self.begin(problem, start);
        self.go_on(problem, budget);
        self.verdict(problem)
    }

    /// Starts a search from `start` that is continued in slices by [`resume`](Self::resume). From a cell that is not on
    /// the grid, nothing can be reached.
    pub fn begin(&mut self, problem: &impl Problem, start: Cell) {
        let start = Place::of(problem.grid(), start);
        self.numbers.begin(problem.grid(), start, u32::MAX, self.reached.len());
        self.reached.clear();
        self.closed.clear();
        self.open.clear();
        self.first = None;
        if problem.grid().contains(start.cell) {
            let slot = self.numbers.slot(start);
            self.add(problem, start, slot, None, Cost::ZERO);
        }
    }

    /// Continues the search until a goal is about to be expanded, the budget is spent, or `open` is empty. If
    /// the search is out of budget, and only then, another call continues it. All calls together do what one
    /// search without a limit does.
    pub fn resume(&mut self, problem: &impl Problem, budget: &mut Budget<'_>) -> Verdict {
        self.go_on(problem, budget);
        self.put_back();
        self.verdict(problem)
    }

    /// How many nodes the last search expanded.
    pub const fn expansions(&self) -> u32 {
        self.closed.len() as u32
    }

    /// The `f` of the node that was about to be expanded when the last search ended.
    pub fn first_f(&self) -> Option<Cost> {
        self.first().map(|first| first.g + first.h)
    }

    /// The nodes that the last search expanded, in order.
    pub fn closed(&self) -> impl Iterator<Item = Node> {
        self.closed.iter().map(|&number| self.reached[number as usize].node)
    }

    /// Writes the path from the start to the node that was about to be expanded, both included.
    /// `path` is left empty if there is no such node.
    pub fn path(&self, path: &mut Vec<Cell>) {
        path.clear();
        let Some(mut number) = self.first else { return };
        loop {
            let reached = &self.reached[number as usize];
            path.push(reached.node.place.cell);
            if number == 0 {
                break;
            }
            number = reached.parent;
        }
        path.reverse();
    }

    /// Writes the steps of that path.
    pub(super) fn steps(&self, steps: &mut Vec<Direction>) {
        steps.clear();
        let Some(mut number) = self.first else { return };
        while let Reached { parent, direction: Some(step), .. } = self.reached[number as usize] {
            steps.push(step);
            number = parent;
        }
        steps.reverse();
    }

    /// Nominal bytes: 64 for each node, four more for each that is expanded, and those of the
    /// tables.
    fn held(&self) -> usize {
        64 * self.reached.len() + 4 * self.closed.len() + self.numbers.held() + self.open.held()
    }

    /// Bytes this search holds.
    pub fn memory(&self) -> usize {
        self.reached.capacity() * size_of::<Reached>()
            + self.closed.capacity() * size_of::<u32>()
            + self.numbers.memory()
            + self.open.memory()
    }

    fn verdict(&self, problem: &impl Problem) -> Verdict {
        match self.first() {
            None => Verdict::Nothing,
            Some(first) if problem.is_goal(first.place) => Verdict::Found(()),
            Some(_) => Verdict::OutOfBudget,
        }
    }

    /// The node that was about to be expanded when the last search ended.
    fn first(&self) -> Option<Node> {
        self.first.map(|number| self.reached[number as usize].node)
    }

    /// Searches until it ends, and notes the node that was about to be expanded, if any.
    // Not inlined: inside a planner's tick it would compete for registers.
    #[inline(never)]
    fn go_on(&mut self, problem: &impl Problem, budget: &mut Budget<'_>) {
        let mut begin = self.closed.len();
        let mut limit = self.limit(budget);
        self.first = loop {
            let Some(number) = self.open.pop() else { break None };
            if problem.is_goal(self.reached[number as usize].node.place) {
                break Some(number);
            }
            if self.closed.len() >= limit {
                budget.spend((self.closed.len() - begin) as u64);
                begin = self.closed.len();
                limit = self.limit(budget);
                if limit == begin {
                    break Some(number);
                }
            }
            self.expand(problem, number);
        };
        budget.spend((self.closed.len() - begin) as u64);
    }

    /// Puts the node that was taken out but not expanded back, so that the search can go on.
    fn put_back(&mut self) {
        if let Some(number) = self.first {
            let Node { g, h, .. } = self.reached[number as usize].node;
            self.open.improve(number, f(g, h), g);
        }
    }

    /// How many nodes may be expanded in all, including those expanded already, before the budget is asked again.
    fn limit(&self, budget: &mut Budget<'_>) -> usize {
        let more = budget.slice(|| self.held());
        self.closed.len().saturating_add(usize::try_from(more).unwrap_or(usize::MAX))
    }

    fn add(
        &mut self,
        problem: &impl Problem,
        place: Place,
        slot: u32,
        from: Option<(u32, Direction)>,
        g: Cost,
    ) {
        let number = self.reached.len() as u32;
        let h = problem.h(place).capped();
        let (parent, direction) =
            from.map_or((0, None), |(parent, direction)| (parent, Some(direction)));
        let exits = Directions::NONE;
        self.numbers.set(slot, number);
        self.reached.push(Reached {
            node: Node { place, g, h },
            parent,
            slot,
            direction,
            exits,
            bar: g,
        });
        self.open.push(f(g, h), g);
    }

    fn expand(&mut self, problem: &impl Problem, number: u32) {
        self.closed.push(number);
        let reached = &mut self.reached[number as usize];
        let exits = problem.exits(reached.node.place.cell);
        reached.bar = Cost::ZERO;
        reached.exits = exits;
        let n = *reached;
        // The parent has already generated its neighbours, at no greater cost than through this node.
        let known = n.direction.map_or(Directions::NONE, |direction| {
            direction.shadow(self.reached[n.parent as usize].exits)
        });
        for direction in exits.without(known) {
            let slot = self.numbers.beside(n.slot, direction);
            let g = n.node.g + direction.cost();
            match self.numbers.get(slot) {
                None => {
                    let place = n.node.place.beside(problem.grid(), direction);
                    if !problem.is_blocked(place) {
                        self.add(problem, place, slot, Some((number, direction)), g);
                    }
                }
                Some(known) => {
                    let reached = &mut self.reached[known as usize];
                    if reached.bar > g {
                        reached.node.g = g;
                        reached.bar = g;
                        reached.parent = number;
                        reached.direction = Some(direction);
                        self.open.improve(known, f(g, reached.node.h), g);
                    }
                }
            }
        }
    }
}

/// The cost of the path through a node, in units.
fn f(g: Cost, h: Cost) -> i64 {
    (g + h).units()
}

/// The shortest path between two cells on a floor without agents, and its cost.
///
/// # Returns
/// The cost, and the cells from `start` to `goal`, both included; `None` if there is no path.
///
/// # Example
/// ```
/// use jostle::{Cost, Grid, search::shortest_path};
///
/// let grid = Grid::open(5, 5)?;
/// let (start, goal) = (grid.at(0, 2).unwrap(), grid.at(4, 2).unwrap());
/// let (cost, path) = shortest_path(&grid, start, goal).unwrap();
/// assert_eq!(cost, Cost::of_steps(4, 0));
/// assert_eq!(path.len(), 5);
/// # Ok::<(), jostle::grid::SizeError>(())
/// ```
pub fn shortest_path(grid: &Grid, start: Cell, goal: Cell) -> Option<(Cost, Vec<Cell>)> {
    let mut search = Search::default();
    search.run(&StraightLine::to(goal, grid), start, &mut Budget::unlimited()).found()?;
    let mut path = Vec::new();
    search.path(&mut path);
    search.first_f().map(|cost| (cost, path))
}

#[cfg(test)]
#[path = "astar_test.rs"]
mod tests;
