//! A\*: Algorithm 1 of the BMAA\* paper, and with a limit and blocked cells its Algorithm 5.
//!
//! The node expanded next has the smallest `f = g + h`; among equals the largest `g`; among those the
//! one that entered `open` first. The goal is never expanded, and closed nodes are never opened again.
//!
//! Cost: `expansions` times up to eight neighbours, each a look-up in one table. The table has at most
//! one word for each cell of the map and serves all searches of a planner in turn; starting a search
//! touches none of it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::Cost;
use crate::grid::{Cell, Direction, Directions, Grid, Neighbours, Ways};

/// A cell with its coordinates, which a search knows without dividing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The cell.
    pub cell: Cell,
    /// Its column.
    pub x: i32,
    /// Its row.
    pub y: i32,
}

impl Place {
    /// A cell of a grid.
    pub const fn of(grid: &Grid, cell: Cell) -> Self {
        let (x, y) = grid.position(cell);
        Self { cell, x: x as i32, y: y as i32 }
    }

    /// The length of the way to another place if every cell were floor.
    pub const fn distance(self, to: Self, neighbours: Neighbours) -> Cost {
        let (dx, dy) = (self.x.abs_diff(to.x), self.y.abs_diff(to.y));
        match neighbours {
            Neighbours::Four => Cost::manhattan(dx, dy),
            Neighbours::Eight => Cost::octile(dx, dy),
        }
    }
}

/// What a search is told about its surroundings.
pub trait Problem {
    /// What the problem wants to remember about a node.
    type Note: Copy;

    /// The steps that can be taken from a cell.
    fn ways(&self, cell: Cell) -> Directions;

    /// The estimated cost from here to the goal, and what to remember.
    fn h(&self, place: Place) -> (Cost, Self::Note);

    /// Whether the search must not enter a place.
    fn is_blocked(&self, _place: Place) -> bool {
        false
    }
}

/// The plain problem: walls only, and the straight-line distance as estimate.
#[derive(Clone, Copy, Debug)]
pub struct StraightLine<'a, W> {
    ways: &'a W,
    goal: Place,
    neighbours: Neighbours,
}

impl<'a, W: Ways> StraightLine<'a, W> {
    /// The way to `goal` along `ways`, which are those of `grid` or a part of them.
    pub const fn to(goal: Cell, grid: &Grid, ways: &'a W) -> Self {
        Self { ways, goal: Place::of(grid, goal), neighbours: grid.rules().neighbours }
    }
}

impl<W: Ways> Problem for StraightLine<'_, W> {
    type Note = ();

    fn ways(&self, cell: Cell) -> Directions {
        self.ways.ways(cell)
    }

    fn h(&self, place: Place) -> (Cost, ()) {
        (place.distance(self.goal, self.neighbours), ())
    }
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// The goal was about to be expanded: the path to it is complete.
    AtGoal,
    /// The limit was reached: the path leads to the node that was about to be expanded.
    AtLimit,
    /// Nothing was left to expand: there is no path.
    Exhausted,
}

/// A place that a search has reached.
#[derive(Clone, Copy, Debug)]
pub struct Node<Note> {
    /// Where.
    pub place: Place,
    /// The cost of the best way to it so far.
    pub g: Cost,
    /// The estimated cost from it to the goal.
    pub h: Cost,
    /// What the problem wanted to remember.
    pub note: Note,
    parent: u32,
    /// Its element of the table of numbers.
    slot: u32,
    /// The step from the parent.
    way: Option<Direction>,
    /// The ways out, once the node is expanded.
    ways: Directions,
    is_closed: bool,
}

/// A key in `open`: `f`, then the largest `g`, then the first in, packed so that one comparison of
/// whole numbers orders all three.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Key(u128);

impl Key {
    fn new<Note>(node: &Node<Note>, number: u32) -> Self {
        let f = ((node.g + node.h).units() as u32) ^ (1 << 31);
        let g = !(node.g.units() as u32);
        Self((u128::from(f) << 64) | (u128::from(g) << 32) | u128::from(number))
    }

    const fn number(self) -> usize {
        self.0 as u32 as usize
    }

    const fn g(self) -> i32 {
        !((self.0 >> 32) as u32) as i32
    }
}

/// The lists of an A\* search, kept from one search to the next so that searching allocates nothing.
#[derive(Clone, Debug)]
pub struct Search<Note = ()> {
    /// Every node generated, in the order in which they entered `open`: a node's place here is its
    /// first-in-first-out number.
    nodes: Vec<Node<Note>>,
    open: Open,
    /// The numbers of the expanded nodes, in order.
    closed: Vec<u32>,
    numbers: Numbers,
    first: Option<u32>,
}

impl<Note> Default for Search<Note> {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            open: Open::default(),
            closed: Vec::new(),
            numbers: Numbers::default(),
            first: None,
        }
    }
}

impl<Note: Copy> Search<Note> {
    /// Searches from `start` until `goal` is about to be expanded, `limit` nodes are expanded, or
    /// nothing is left.
    pub fn run(
        &mut self,
        grid: &Grid,
        problem: &impl Problem<Note = Note>,
        start: Cell,
        goal: Cell,
        limit: u32,
    ) -> Ended {
        let start = Place::of(grid, start);
        self.numbers.begin(grid, start, limit, self.nodes.len());
        self.nodes.clear();
        self.open.clear();
        self.closed.clear();
        self.first = None;
        self.add(problem, start, self.numbers.slot(start), None, Cost::ZERO);
        while let Some(key) = self.open.pop() {
            let n = &self.nodes[key.number()];
            if key.g() != n.g.units() {
                continue; // a cheaper way to this node was found after this key was made
            }
            if n.place.cell == goal || self.closed.len() >= limit as usize {
                self.first = Some(key.number() as u32);
                return if n.place.cell == goal { Ended::AtGoal } else { Ended::AtLimit };
            }
            self.expand(grid, problem, key.number() as u32);
        }
        Ended::Exhausted
    }

    /// How many nodes the last search expanded.
    pub const fn expansions(&self) -> u32 {
        self.closed.len() as u32
    }

    /// The `f` of the node that was about to be expanded when the last search ended.
    pub fn first_f(&self) -> Option<Cost> {
        self.first.map(|first| {
            let first = &self.nodes[first as usize];
            first.g + first.h
        })
    }

    /// The nodes that the last search expanded, in order.
    pub fn closed(&self) -> impl Iterator<Item = &Node<Note>> {
        self.closed.iter().map(|&number| &self.nodes[number as usize])
    }

    /// Writes the path from the start to the node that was about to be expanded, both included.
    /// Nothing is written if there is none.
    pub fn path(&self, path: &mut Vec<Cell>) {
        path.clear();
        let Some(mut number) = self.first else { return };
        loop {
            let node = &self.nodes[number as usize];
            path.push(node.place.cell);
            if number == 0 {
                break;
            }
            number = node.parent;
        }
        path.reverse();
    }

    /// Bytes this search holds.
    pub fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<Node<Note>>()
            + self.closed.capacity() * size_of::<u32>()
            + self.open.heap.capacity() * size_of::<Key>()
            + self.numbers.table.capacity() * size_of::<u32>()
    }

    fn add(
        &mut self,
        problem: &impl Problem<Note = Note>,
        place: Place,
        slot: u32,
        from: Option<(u32, Direction)>,
        g: Cost,
    ) {
        let number = self.nodes.len() as u32;
        let (h, note) = problem.h(place);
        let (parent, way) = from.map_or((0, None), |(parent, way)| (parent, Some(way)));
        let (ways, is_closed) = (Directions::NONE, false);
        let node = Node { place, g, h, note, parent, slot, way, ways, is_closed };
        self.numbers.set(slot, number);
        self.nodes.push(node);
        self.open.push(Key::new(&node, number));
    }

    fn expand(&mut self, grid: &Grid, problem: &impl Problem<Note = Note>, number: u32) {
        self.closed.push(number);
        let node = &mut self.nodes[number as usize];
        let ways = problem.ways(node.place.cell);
        node.is_closed = true;
        node.ways = ways;
        let n = *node;
        // The parent has generated its neighbours already, no dearer than they would be through here.
        let known =
            n.way.map_or(Directions::NONE, |way| way.shadow(self.nodes[n.parent as usize].ways));
        for way in ways.without(known) {
            let slot = self.numbers.beside(n.slot, way);
            let g = n.g + way.cost();
            match self.numbers.get(slot) {
                None => {
                    let ((dx, dy), cell) = (way.delta(), grid.beside(n.place.cell, way));
                    let place = Place { cell, x: n.place.x + dx, y: n.place.y + dy };
                    if !problem.is_blocked(place) {
                        self.add(problem, place, slot, Some((number, way)), g);
                    }
                }
                Some(known) => {
                    let node = &mut self.nodes[known as usize];
                    if !node.is_closed & (node.g > g) {
                        node.g = g;
                        node.parent = number;
                        node.way = Some(way);
                        let key = Key::new(node, known);
                        self.open.push(key);
                    }
                }
            }
        }
    }
}

/// The keys to expand, the smallest first.
///
/// The smallest key is often the one pushed last: the next step straight ahead. It waits beside the
/// heap, and then costs nothing to find.
#[derive(Clone, Debug, Default)]
struct Open {
    next: Option<Key>,
    heap: BinaryHeap<Reverse<Key>>,
}

impl Open {
    fn push(&mut self, key: Key) {
        match self.next {
            Some(next) if next <= key => self.heap.push(Reverse(key)),
            Some(next) => {
                self.heap.push(Reverse(next));
                self.next = Some(key);
            }
            None => self.next = Some(key),
        }
    }

    fn pop(&mut self) -> Option<Key> {
        match (self.next, self.heap.peek()) {
            (Some(next), Some(Reverse(top))) if *top < next => {}
            (Some(_), _) => return self.next.take(),
            (None, _) => {}
        }
        self.heap.pop().map(|Reverse(key)| key)
    }

    fn clear(&mut self) {
        self.next = None;
        self.heap.clear();
    }
}

/// The number of the node of each cell that a search has generated.
///
/// The table covers the map, or as much of it around the start as a search with this limit can reach,
/// whichever is less, so that bounded searches always use the same small piece of memory. Numbers count
/// on from search to search: one below `base` was left behind by an earlier search, and starting a search
/// costs nothing.
#[derive(Clone, Debug, Default)]
struct Numbers {
    table: Vec<u32>,
    width: usize,
    /// How far a step leads through the table, by direction.
    offsets: [i32; 8],
    /// Column and row of the first element.
    origin: (i32, i32),
    base: u32,
}

impl Numbers {
    fn begin(&mut self, grid: &Grid, start: Place, limit: u32, used: usize) {
        // Every expansion reaches at most one cell further, to either side; the start is in the middle.
        let reach = limit.min(Grid::MAX_SIDE) as i32 + 1;
        let cover = |at: i32, side: u32| match side as i32 > 2 * reach {
            true => (at - reach, 2 * reach + 1),
            false => (0, side as i32),
        };
        let ((x, width), (y, height)) =
            (cover(start.x, grid.width()), cover(start.y, grid.height()));
        self.origin = (x, y);
        let (width, cells) = (width as usize, width as usize * height as usize);
        let has_numbers_left = u32::MAX as usize - self.base as usize > used + cells;
        if (self.width, self.table.len()) == (width, cells) && has_numbers_left {
            self.base += used as u32;
        } else {
            self.table.clear();
            self.table.resize(cells, 0);
            (self.width, self.base) = (width, 1);
            self.offsets = Direction::ALL.map(|way| {
                let (dx, dy) = way.delta();
                dy * width as i32 + dx
            });
        }
    }

    fn slot(&self, place: Place) -> u32 {
        let (column, row) = (place.x - self.origin.0, place.y - self.origin.1);
        (row as usize * self.width + column as usize) as u32
    }

    fn beside(&self, slot: u32, way: Direction) -> u32 {
        slot.wrapping_add_signed(self.offsets[way as usize])
    }

    fn get(&self, slot: u32) -> Option<u32> {
        self.table[slot as usize].checked_sub(self.base)
    }

    fn set(&mut self, slot: u32, number: u32) {
        self.table[slot as usize] = self.base + number;
    }
}

/// The shortest way between two cells past walls, and its cost.
///
/// # Returns
/// The cells from `start` to `goal`, both included, or nothing where there is no way.
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
    let mut search: Search = Search::default();
    let problem = StraightLine::to(goal, grid, grid);
    if search.run(grid, &problem, start, goal, u32::MAX) != Ended::AtGoal {
        return None;
    }
    let mut path = Vec::new();
    search.path(&mut path);
    search.first_f().map(|cost| (cost, path))
}

#[cfg(test)]
#[path = "astar_test.rs"]
mod tests;
