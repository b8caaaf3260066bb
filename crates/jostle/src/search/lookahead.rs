//! A\* for the searches of real-time adaptive A\*: few expansions, learned estimates, in every tick again.
//!
//! It expands the same nodes in the same order as a search of any length. It is faster because it knows that there
//! are few of them: it stays inside a [window](Window) of fixed size, reads estimates and obstacles for blocks of
//! cells, costs and numbers are small, and the open list is a tournament.

use super::block::Block;
use super::tournament::Tournament;
use super::window::{CLOSED, UNREAD, UNSEEN, Window, after, before};
use super::{Budget, Learned, Place, Problem};
use crate::Cost;
use crate::grid::{Cell, Direction, Directions};

/// A search of at most [`MOST_EXPANSIONS`](Self::MOST_EXPANSIONS) expansions.
#[derive(Clone, Debug)]
pub(super) struct Lookahead {
    /// Every node generated, in the order in which they entered `open`: a node's index is the number that breaks
    /// ties. The first one is the start.
    nodes: [Node; NODES],
    len: u32,
    /// The expanded nodes, in order.
    closed: [Closed; CLOSED_NODES],
    expansions: usize,
    open: Tournament,
    window: Window,
    /// The node that was about to be expanded when the search ended.
    first: Option<First>,
}

const EXPANSIONS: usize = Tournament::MOST_EXPANSIONS as usize;
const NODES: usize = Tournament::MOST_NODES as usize;
/// The [nominal bytes](Budget::with_memory) of a search, which never grows: fourteen for each cell
/// of its window, and its nodes.
const HELD: usize = 1 << 20;
/// Remainders of a power of two are cheap.
const CLOSED_NODES: usize = EXPANSIONS.next_power_of_two();

#[derive(Clone, Copy, Debug)]
struct Node {
    /// Where it is in the window.
    at: u16,
    /// The last step of the best path to it; `None` for the start.
    step: Option<Direction>,
    /// The steps that lead nowhere new, because the node before has already generated these neighbours, at no greater
    /// cost than through this node.
    known: Directions,
}

#[derive(Clone, Copy, Debug)]
struct Closed {
    at: u16,
    g: i32,
}

#[derive(Clone, Copy, Debug)]
struct First {
    at: u16,
    g: i32,
    h: i32,
}

impl Default for Lookahead {
    fn default() -> Self {
        Self {
            nodes: [Node { at: 0, step: None, known: Directions::NONE }; NODES],
            len: 0,
            closed: [Closed { at: 0, g: 0 }; CLOSED_NODES],
            expansions: 0,
            open: Tournament::default(),
            window: Window::default(),
            first: None,
        }
    }
}

/// A problem, and what an agent has learned about its estimates.
///
/// Where `IMPROVING`, learned values count only where they are above the estimates.
struct Asked<'a, P, const IMPROVING: bool> {
    problem: &'a P,
    learned: &'a Learned,
}

impl Lookahead {
    /// The most expansions that a search may be allowed.
    pub const MOST_EXPANSIONS: u32 = Tournament::MOST_EXPANSIONS;

    /// Searches until a goal is about to be expanded, the budget is spent, or `open` is empty.
    pub fn run(
        &mut self,
        problem: &impl Problem,
        improving: bool,
        (start, learned): (Cell, &Learned),
        budget: &mut Budget<'_>,
    ) {
        const { assert!(EXPANSIONS <= Window::MOST_STEPS) }
        self.open.clear(self.len);
        (self.len, self.expansions, self.first) = (0, 0, None);
        // From a cell that is not on the grid, nothing can be reached.
        if !problem.grid().contains(start) {
            return;
        }
        let start = self.window.begin(problem.grid(), Place::of(problem.grid(), start));
        self.first = if improving {
            self.search(&Asked::<_, true> { problem, learned }, start, budget)
        } else {
            self.search(&Asked::<_, false> { problem, learned }, start, budget)
        };
    }

    /// Returns the node that was about to be expanded, if any.
    // Not inlined: inside a planner's tick it would compete for registers.
    #[inline(never)]
    fn search<P: Problem, const IMPROVING: bool>(
        &mut self,
        asked: &Asked<'_, P, IMPROVING>,
        start: u16,
        budget: &mut Budget<'_>,
    ) -> Option<First> {
        self.read(asked, start);
        // Whoever searches stands on the start, and is not in its own way.
        self.window.set_g(start, UNSEEN);
        self.reach(asked, Node { at: start, step: None, known: Directions::NONE }, 0);
        let mut begin = 0;
        let mut limit = budget.slice(|| HELD) as usize;
        let first = loop {
            let Some(number) = self.open.pop(self.len) else { break None };
            let Node { at, known, .. } = self.nodes[index(number)];
            let place = self.window.place(at);
            let g = self.window.g(at);
            if asked.problem.is_goal(place) {
                break Some(First { at, g, h: self.h(asked, at) });
            }
            if self.expansions >= limit {
                budget.spend((self.expansions - begin) as u64);
                begin = self.expansions;
                limit = begin + budget.slice(|| HELD) as usize;
                if limit == begin {
                    break Some(First { at, g, h: self.h(asked, at) });
                }
            }
            self.closed[self.expansions % CLOSED_NODES] = Closed { at, g };
            self.expansions += 1;
            self.window.set_g(at, CLOSED);
            self.expand(asked, (at, g), asked.problem.exits(place.cell), known);
        };
        budget.spend((self.expansions - begin) as u64);
        first
    }

    fn expand<P: Problem, const IMPROVING: bool>(
        &mut self,
        asked: &Asked<'_, P, IMPROVING>,
        (from, g): (u16, i32),
        exits: Directions,
        known: Directions,
    ) {
        for step in exits.without(known) {
            let (at, g) = (after(from, step), g + COSTS[step as usize]);
            if g < self.window.g(at) {
                if self.window.g(at) == UNREAD {
                    self.read(asked, at);
                    if self.window.g(at) == CLOSED {
                        continue;
                    }
                }
                self.reach(asked, Node { at, step: Some(step), known: step.shadow(exits) }, g);
            }
        }
    }

    /// Notes a better path to a cell, or the first one.
    fn reach<P: Problem, const IMPROVING: bool>(
        &mut self,
        asked: &Asked<'_, P, IMPROVING>,
        node: Node,
        g: i32,
    ) {
        let at = node.at;
        let number = if self.window.g(at) == UNSEEN {
            self.window.set_number(at, self.len);
            self.len += 1;
            self.len - 1
        } else {
            self.window.number(at)
        };
        self.window.set_g(at, g);
        self.nodes[index(number)] = node;
        self.open.put(number, g, self.h(asked, at));
    }

    /// The estimated cost from a cell to the goal.
    fn h<P: Problem, const IMPROVING: bool>(
        &self,
        asked: &Asked<'_, P, IMPROVING>,
        at: u16,
    ) -> i32 {
        let h = self.window.h(at);
        if IMPROVING { h.max(asked.problem.h(self.window.place(at)).to_estimate()) } else { h }
    }

    /// Reads the block of a cell.
    #[inline(never)]
    fn read<P: Problem, const IMPROVING: bool>(
        &mut self,
        asked: &Asked<'_, P, IMPROVING>,
        at: u16,
    ) {
        let block = self.window.block(at);
        let tile = asked.learned.find(block.key());
        let learned = tile.map(|tile| asked.learned.tile(tile));
        let blocked = asked.problem.blocked(block);
        let mut read = |h: &[i32; Block::CELLS]| self.window.read(at, tile, h, blocked);
        match learned {
            // Whatever the estimate of a cell, it is above this.
            None if IMPROVING => read(&[i32::MIN; Block::CELLS]),
            Some(tile) if IMPROVING => {
                read(&std::array::from_fn(|index| tile.get(index).unwrap_or(i32::MIN)));
            }
            Some(tile) => read(tile.values()),
            None => read(&asked.problem.estimates(block)),
        }
    }

    /// The cell of the node that was about to be expanded when the search ended, and its `f`.
    pub fn first(&self) -> Option<(Place, Cost)> {
        let First { at, g, h } = self.first?;
        Some((self.window.place(at), Cost::from_units(i64::from(g) + i64::from(h))))
    }

    /// Writes the steps from the start to the node that was about to be expanded. There are none if there is no such
    /// node.
    pub fn steps(&self, steps: &mut Vec<Direction>) {
        steps.clear();
        let Some(First { mut at, .. }) = self.first else { return };
        while let Some(step) = self.nodes[index(self.window.number(at))].step {
            steps.push(step);
            at = before(at, step);
        }
        steps.reverse();
    }

    /// Learns from the search: Algorithm 4 of the BMAA\* paper. Where `monotone`, no learned value falls.
    pub fn learn(&mut self, learned: &mut Learned, monotone: bool) {
        let Some(first) = self.first else { return };
        for &Closed { at, g } in &self.closed[..self.expansions] {
            self.window.learn(at, first.h.saturating_add(first.g - g));
        }
        self.window.write(learned, monotone);
    }

    /// Bytes this search holds.
    pub fn memory(&self) -> usize {
        size_of::<Self>() + self.window.memory()
    }
}

/// What a step costs, by direction, in units.
const COSTS: [i32; 8] = {
    let mut costs = [0; 8];
    let mut at = 0;
    while at < 8 {
        costs[at] = Direction::ALL[at].cost().units() as i32;
        at += 1;
    }
    costs
};

/// The index of a node. The remainder changes nothing, and shows the compiler that the index is valid.
const fn index(number: u32) -> usize {
    number as usize % NODES
}
