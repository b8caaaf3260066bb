//! A\* for searches of a few expansions, as agents that look ahead a little run them in every tick.
//!
//! It expands the same nodes in the same order as a search of any length. It is faster because it knows that there
//! are few of them: costs and numbers are small, all lists have a fixed size, and the open list is a tournament.

use super::tournament::Tournament;
use super::{Budget, Node, Place, Problem};
use crate::Cost;
use crate::grid::{Cell, Direction, Directions, Grid};

/// A search of at most [`MOST_EXPANSIONS`](Self::MOST_EXPANSIONS) expansions.
#[derive(Clone, Debug)]
pub(super) struct Short<Note> {
    /// Every node generated, in the order in which they entered `open`: a node's index is the number that breaks
    /// ties. The first one is the start.
    nodes: [ShortNode<Note>; NODES],
    len: u32,
    /// The numbers of the expanded nodes, in order.
    closed: [u16; EXPANSIONS],
    expansions: usize,
    open: Tournament,
    window: Window,
    /// What a step changes, by direction.
    steps: [Step; 8],
    /// The node that was about to be expanded when the search ended.
    first: Option<u32>,
}

const EXPANSIONS: usize = Tournament::MOST_EXPANSIONS as usize;
const NODES: usize = Tournament::MOST_NODES as usize;
const START: u32 = 0;

/// A node in half a cache line. Costs are in units.
#[derive(Clone, Copy, Debug)]
struct ShortNode<Note> {
    place: Place,
    g: i32,
    h: i32,
    note: Note,
    /// Where it is in the window.
    at: u16,
    parent: u16,
    /// The steps that lead nowhere new, because the parent has already generated these neighbours, at no greater
    /// cost than through this node.
    known: Directions,
}

#[derive(Clone, Copy, Debug, Default)]
struct Step {
    cell: i32,
    x: i32,
    y: i32,
    at: u16,
    cost: u16,
}

impl<Note: Copy + Default> Default for Short<Note> {
    fn default() -> Self {
        let node = ShortNode {
            place: Place { cell: Cell::NOWHERE, x: 0, y: 0 },
            g: 0,
            h: 0,
            note: Note::default(),
            at: 0,
            parent: 0,
            known: Directions::NONE,
        };
        Self {
            nodes: [node; NODES],
            len: 0,
            closed: [0; EXPANSIONS],
            expansions: 0,
            open: Tournament::default(),
            window: Window::default(),
            steps: [Step::default(); 8],
            first: None,
        }
    }
}

impl<Note: Copy + Default> Short<Note> {
    /// The most expansions that a search may be allowed.
    pub const MOST_EXPANSIONS: u32 = Tournament::MOST_EXPANSIONS;

    /// Searches until a goal is about to be expanded, the budget is spent, or `open` is empty.
    // Not inlined: inside a planner's tick it would compete for registers.
    #[inline(never)]
    pub fn run(
        &mut self,
        problem: &impl Problem<Note = Note>,
        start: Cell,
        budget: &mut Budget<'_>,
    ) {
        self.window.begin(self.len);
        self.open.clear(self.len);
        (self.len, self.expansions) = (0, 0);
        self.steps = Direction::ALL.map(|direction| Step::of(problem.grid(), direction));
        // From a cell that is not on the grid, nothing can be reached.
        if problem.grid().contains(start) {
            let start = Place::of(problem.grid(), start);
            self.add(problem, start, Window::START, (START, Directions::NONE), 0);
        }
        self.first = self.go_on(problem, budget);
    }

    /// Returns the number of the node that was about to be expanded, if any.
    fn go_on(
        &mut self,
        problem: &impl Problem<Note = Note>,
        budget: &mut Budget<'_>,
    ) -> Option<u32> {
        let mut begin = self.expansions;
        let mut limit = begin + budget.slice(|| self.memory()) as usize;
        let first = loop {
            let Some(number) = self.open.pop(self.len) else { break None };
            if problem.is_goal(self.nodes[index(number)].place) {
                break Some(number);
            }
            if self.expansions >= limit {
                budget.spend((self.expansions - begin) as u64);
                begin = self.expansions;
                limit = begin + budget.slice(|| self.memory()) as usize;
                if limit == begin {
                    break Some(number);
                }
            }
            self.expand(problem, number);
        };
        budget.spend((self.expansions - begin) as u64);
        first
    }

    /// How many nodes were expanded.
    pub const fn expansions(&self) -> u32 {
        self.expansions as u32
    }

    /// The node that was about to be expanded when the search ended.
    pub fn first(&self) -> Option<Node<Note>> {
        self.first.map(|number| self.node(number))
    }

    /// The nodes that were expanded, in order.
    pub fn closed(&self) -> impl Iterator<Item = Node<Note>> {
        self.closed[..self.expansions].iter().map(|&number| self.node(u32::from(number)))
    }

    /// Adds the cells of the path to the node that was about to be expanded, the last one first.
    pub fn path(&self, path: &mut Vec<Cell>) {
        let Some(mut number) = self.first else { return };
        loop {
            let node = &self.nodes[index(number)];
            path.push(node.place.cell);
            if number == START {
                break;
            }
            number = u32::from(node.parent);
        }
    }

    /// Bytes this search holds.
    pub fn memory(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.window.numbers)
    }

    fn node(&self, number: u32) -> Node<Note> {
        let &ShortNode { place, g, h, note, .. } = &self.nodes[index(number)];
        let cost = |units: i32| Cost::from_units(i64::from(units));
        Node { place, g: cost(g), h: cost(h), note }
    }

    fn add(
        &mut self,
        problem: &impl Problem<Note = Note>,
        place: Place,
        at: u16,
        (parent, known): (u32, Directions),
        g: i32,
    ) {
        let number = self.len;
        self.len += 1;
        let (h, note) = problem.estimate(place);
        self.window.set(at, number);
        self.nodes[index(number)] =
            ShortNode { place, g, h, note, at, parent: parent as u16, known };
        self.open.put(number, g, h);
    }

    fn expand(&mut self, problem: &impl Problem<Note = Note>, number: u32) {
        self.closed[self.expansions % EXPANSIONS] = number as u16;
        self.expansions += 1;
        let n = self.nodes[index(number)];
        self.window.set(n.at, START);
        let exits = problem.exits(n.place.cell);
        let has_blocked_beside = problem.has_blocked_beside(n.place);
        for direction in exits.without(n.known) {
            let step = self.steps[direction as usize];
            let at = n.at.wrapping_add(step.at);
            let g = n.g + i32::from(step.cost);
            match self.window.get(at) {
                None => {
                    let place = step.from(n.place);
                    if !(has_blocked_beside && problem.is_blocked(place)) {
                        self.add(problem, place, at, (number, direction.shadow(exits)), g);
                    }
                }
                Some(reached) => {
                    let node = &mut self.nodes[index(reached)];
                    if node.g > g {
                        node.g = g;
                        node.parent = number as u16;
                        node.known = direction.shadow(exits);
                        self.open.put(reached, g, node.h);
                    }
                }
            }
        }
    }
}

impl Step {
    fn of(grid: &Grid, direction: Direction) -> Self {
        let (x, y) = direction.delta();
        let cell = grid.offset(direction);
        let cost = direction.cost().units() as u16;
        Self { cell, x, y, at: (y * Window::WIDTH + x) as u16, cost }
    }

    const fn from(self, place: Place) -> Place {
        let cell = Cell::from_index(place.cell.index().wrapping_add_signed(self.cell as isize));
        Place { cell, x: place.x + self.x, y: place.y + self.y }
    }
}

/// For each cell around the start the number of its node. Once the node is expanded it is that of the start, which no
/// path can improve.
///
/// Rows are joined end to end, and so are the last and the first one: all 2^16 positions are valid, whatever is
/// added to one. Two cells share a position only if they are 256 columns or rows apart, and no search reaches both.
///
/// Numbers keep counting up from search to search: one below `base` belongs to an earlier search, so the window need
/// not be cleared when a search starts.
#[derive(Clone, Debug)]
struct Window {
    numbers: Box<[u32; Self::CELLS]>,
    base: u32,
}

impl Default for Window {
    fn default() -> Self {
        let numbers = vec![0; Self::CELLS].into_boxed_slice().try_into();
        Self { numbers: numbers.expect("the length is right"), base: 1 }
    }
}

impl Window {
    const WIDTH: i32 = 256;
    const CELLS: usize = 1 << 16;
    /// The position of the start.
    const START: u16 = 1 << 15;

    /// Starts a search, after one that has used `used` numbers.
    fn begin(&mut self, used: u32) {
        const { assert!(2 * EXPANSIONS <= Self::WIDTH as usize) }
        self.base += used;
        if self.base > u32::MAX - NODES as u32 {
            self.numbers.fill(0);
            self.base = 1;
        }
    }

    /// The number of the node there, if this search has generated one.
    fn get(&self, at: u16) -> Option<u32> {
        self.numbers[usize::from(at)].checked_sub(self.base)
    }

    fn set(&mut self, at: u16, number: u32) {
        self.numbers[usize::from(at)] = self.base + number;
    }
}

/// The index of a node. The remainder changes nothing, and shows the compiler that the index is valid.
const fn index(number: u32) -> usize {
    number as usize % NODES
}
