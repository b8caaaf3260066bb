//! A\* for searches of a few expansions, as agents that look ahead a little run them in every tick.
//!
//! It expands the same nodes in the same order as a search of any length. It is faster because it knows that there
//! are few of them: costs and numbers are small, all lists have a fixed size, and the open list is a tournament.

use super::numbers::Numbers;
use super::tournament::Tournament;
use super::{Budget, Node, Place, Problem};
use crate::Cost;
use crate::grid::{Cell, Directions};

/// A search of at most [`MOST_EXPANSIONS`](Self::MOST_EXPANSIONS) expansions.
#[derive(Clone, Debug)]
pub(super) struct Short<Note> {
    /// Every node generated, in the order in which they entered `open`: a node's index is the number that breaks
    /// ties. The first one is the start.
    nodes: Box<[ShortNode<Note>; NODES]>,
    len: usize,
    /// The numbers of the expanded nodes, in order.
    closed: Box<[u16; EXPANSIONS]>,
    expansions: usize,
    /// For each cell the number of its node. Once the node is expanded it is that of the start, which no path can
    /// improve.
    numbers: Numbers,
    open: Tournament,
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
    /// Its index in the table of numbers.
    slot: u32,
    note: Note,
    parent: u16,
    /// The steps that lead nowhere new, because the parent has already generated these neighbours, at no greater
    /// cost than through this node.
    known: Directions,
}

impl<Note: Copy + Default> Default for Short<Note> {
    fn default() -> Self {
        let node = ShortNode {
            place: Place { cell: Cell::NOWHERE, x: 0, y: 0 },
            g: 0,
            h: 0,
            slot: 0,
            note: Note::default(),
            parent: 0,
            known: Directions::NONE,
        };
        Self {
            nodes: Box::new([node; NODES]),
            len: 0,
            closed: Box::new([0; EXPANSIONS]),
            expansions: 0,
            numbers: Numbers::default(),
            open: Tournament::default(),
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
        let start = Place::of(problem.grid(), start);
        self.numbers.begin(problem.grid(), start, budget.remaining() as u32, self.len);
        self.open.clear();
        (self.len, self.expansions) = (0, 0);
        // From a cell that is not on the grid, nothing can be reached.
        if problem.grid().contains(start.cell) {
            let slot = self.numbers.slot(start);
            self.add(problem, start, slot, (START, Directions::NONE), 0);
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
            let Some(number) = self.open.pop() else { break None };
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
        size_of_val(&*self.nodes)
            + size_of_val(&*self.closed)
            + self.numbers.memory()
            + self.open.memory()
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
        slot: u32,
        (parent, known): (u32, Directions),
        g: i32,
    ) {
        let number = self.len as u32;
        self.len += 1;
        let (h, note) = problem.h(place);
        let h = h.to_estimate();
        self.numbers.set(slot, number);
        self.nodes[index(number)] =
            ShortNode { place, g, h, slot, note, parent: parent as u16, known };
        self.open.push(g, h);
    }

    fn expand(&mut self, problem: &impl Problem<Note = Note>, number: u32) {
        self.closed[self.expansions % EXPANSIONS] = number as u16;
        self.expansions += 1;
        let n = self.nodes[index(number)];
        self.numbers.set(n.slot, START);
        let exits = problem.exits(n.place.cell);
        for direction in exits.without(n.known) {
            let slot = self.numbers.beside(n.slot, direction);
            let g = n.g + direction.cost().units() as i32;
            let from = (number, direction.shadow(exits));
            match self.numbers.get(slot) {
                None => {
                    let place = n.place.beside(problem.grid(), direction);
                    if !problem.is_blocked(place) {
                        self.add(problem, place, slot, from, g);
                    }
                }
                Some(reached) => {
                    let node = &mut self.nodes[index(reached)];
                    if node.g > g {
                        node.g = g;
                        (node.parent, node.known) = (from.0 as u16, from.1);
                        self.open.improve(reached, g, node.h);
                    }
                }
            }
        }
    }
}

/// The index of a node. The remainder changes nothing, and shows the compiler that the index is valid.
const fn index(number: u32) -> usize {
    number as usize % NODES
}
