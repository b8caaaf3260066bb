//! SLPA\*: lifelong planning A\* over cells and ticks, for one agent under constraints that come and go.
//!
//! A state is a cell and a tick. Every step and every wait takes one tick, so the cost of a state is its tick or infinite, and
//! all that lifelong planning has to maintain is which states are *alive*: those that the agent can be in. A state is alive
//! if a step from an alive state leads to it that the rules allow. When a rule changes, the states that it concerns are
//! judged again, in the order of their ticks; a state that has lost its last predecessor dies, and those after it are
//! judged next. Then the search goes on where it had stopped, instead of beginning anew.
//!
//! It promises the earliest tick at which the agent can be on its goal for good, as a search from nothing would find it,
//! whatever has changed before.
//!
//! Cost: the states that changes concern, and those that were not needed before. Memory: about 40 bytes for each state reached.
//!
//! After the review's section on DI-CBS (Wang et al. 2024), which gives the states and the idea. States are repaired in
//! the order of their ticks, not of `(t + h, t)`: each is then judged once, because the states before it are final.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Budget, Keyed, Verdict};
use crate::grid::{Cell, Direction, Exits, Grid, Neighbours};

/// The rules for one agent: what it may do at which tick, and how far its goal is.
pub trait TimedRules {
    /// Whether the agent may go from a cell in a direction, or wait, and be on `to` at a tick. The floor is checked already.
    fn allows(&self, from: Cell, direction: Option<Direction>, to: Cell, tick: u32) -> bool;

    /// A lower bound of the steps from a cell to the goal; nothing if the goal cannot be reached from there at any time.
    fn ahead(&mut self, cell: Cell, budget: &mut Budget<'_>) -> Verdict<u32>;

    /// The goal.
    fn goal(&self) -> Cell;

    /// The first tick from which the agent may stay on its goal for good.
    fn stays_from(&self) -> u32;
}

#[derive(Clone, Copy, Debug)]
struct State {
    cell: Cell,
    tick: u32,
    is_alive: bool,
    is_expanded: bool,
}

/// What an entry of the open list is sorted by: the least arrival through a state, the largest tick first; and its number.
type Rank = Reverse<(u32, Reverse<u32>, u32)>;

/// The rank of a state from which the goal cannot be reached.
const NEVER: u32 = u32::MAX;

/// An incremental search through cells and ticks. Its lists are kept from one search to the next.
#[derive(Clone, Debug)]
pub struct Slpa {
    start: (Cell, u32),
    states: Vec<State>,
    numbers: Keyed<u32>,
    open: BinaryHeap<Rank>,
    /// The states to be judged again, by tick.
    suspects: BinaryHeap<Reverse<(u32, Cell)>>,
    /// The largest tick of a state.
    last: u32,
    /// From when on the agent could stay on its goal, at the last search.
    stays_from: u32,
}

impl Default for Slpa {
    fn default() -> Self {
        Self {
            start: (Cell::NOWHERE, 0),
            states: Vec::new(),
            numbers: Keyed::default(),
            open: BinaryHeap::new(),
            suspects: BinaryHeap::new(),
            last: 0,
            stays_from: 0,
        }
    }
}

impl Slpa {
    /// Begins anew, with the agent on a cell at a tick.
    pub fn begin(&mut self, cell: Cell, tick: u32) {
        self.start = (cell, tick);
        self.states.clear();
        self.numbers.clear();
        self.open.clear();
        self.suspects.clear();
        (self.last, self.stays_from) = (tick, 0);
        self.enliven(cell, tick, tick);
    }

    /// Where the search begins: a cell and a tick. No cell of any grid before the first search.
    pub const fn start(&self) -> (Cell, u32) {
        self.start
    }

    /// The agent has come to a cell at a tick: what it can reach from elsewhere is no longer alive. Returns false, and changes
    /// nothing, if the search does not know that the agent can be there.
    pub fn advance(&mut self, grid: &Grid, cell: Cell, tick: u32) -> bool {
        if self.alive(cell, tick).is_none() {
            return false;
        }
        self.start = (cell, tick);
        for number in 0..self.states.len() {
            let state = self.states[number];
            if state.tick < tick {
                self.states[number].is_alive = false;
            } else if state.tick == tick && state.cell != cell && state.is_alive {
                self.kill(grid, number as u32);
            }
        }
        true
    }

    /// The rules for being on a cell at a tick have changed, or for a step that ends there.
    pub fn touch(&mut self, cell: Cell, tick: u32) {
        self.suspects.push(Reverse((tick, cell)));
    }

    /// The rules for being on a cell have changed for all these ticks, the last one included.
    pub fn touch_between(&mut self, cell: Cell, first: u32, last: u32) {
        for tick in first.max(self.start.1 + 1)..=last.min(self.last + 1) {
            self.touch(cell, tick);
        }
    }

    /// A cell has been opened or closed, and steps past it with it, for all steps that end at this tick or later.
    pub fn edit(&mut self, grid: &Grid, cell: Cell, from: u32) {
        // Only diagonal steps past the cell depend on it.
        let has_corners = grid.rules().neighbours == Neighbours::Eight;
        let corners = grid.around(cell).filter(|_| has_corners);
        for concerned in corners.chain([cell]) {
            for tick in from.max(self.start.1 + 1)..=self.last + 1 {
                let may_change = if self.is_alive(concerned, tick) {
                    !grid.is_floor(cell)
                } else {
                    let mut before = grid.around(concerned).chain([concerned]);
                    grid.is_floor(cell) && before.any(|near| self.is_alive(near, tick - 1))
                };
                if may_change {
                    self.touch(concerned, tick);
                }
            }
        }
    }

    /// Distances to the goal have become less. The next search looks at them again. (That they have grown need not be told.)
    pub fn forget_distances(&mut self) {
        self.open.clear();
        for (state, number) in self.states.iter().zip(0..) {
            if state.is_alive && !state.is_expanded {
                self.open.push(Reverse((state.tick, Reverse(state.tick), number)));
            }
        }
    }

    /// The earliest tick at which the agent can be on its goal for good.
    pub fn search(
        &mut self,
        grid: &Grid,
        rules: &mut impl TimedRules,
        budget: &mut Budget<'_>,
    ) -> Verdict<u32> {
        budget.count_search();
        self.repair(grid, rules);
        if rules.stays_from() < std::mem::replace(&mut self.stays_from, rules.stays_from()) {
            self.forget_distances();
        }
        // The agent may have passed over its goal when it could not stay there yet.
        let first = self.stays_from.max(self.start.1);
        let known = (first..=self.last).find(|&tick| self.is_alive(rules.goal(), tick));
        while let Some(Reverse((rank, _, number))) = self.open.pop() {
            if let Some(arrival) = known.filter(|&arrival| arrival <= rank) {
                let tick = self.states[number as usize].tick;
                self.open.push(Reverse((rank, Reverse(tick), number)));
                return Verdict::Found(arrival);
            }
            let State { cell, tick, is_alive, is_expanded } = self.states[number as usize];
            if !is_alive || is_expanded {
                continue;
            }
            let now = match rules.ahead(cell, budget) {
                Verdict::Found(steps) => (tick + steps).max(rules.stays_from()),
                Verdict::Nothing => NEVER,
                Verdict::OutOfBudget => {
                    self.open.push(Reverse((rank, Reverse(tick), number)));
                    return Verdict::OutOfBudget;
                }
            };
            let is_end = cell == rules.goal() && tick >= rules.stays_from();
            if now > rank || is_end || rank == NEVER || budget.slice(|| self.held()) == 0 {
                self.open.push(Reverse((now, Reverse(tick), number)));
                match () {
                    () if now > rank => continue,
                    () if is_end => return Verdict::Found(tick),
                    () if rank == NEVER => return Verdict::Nothing,
                    () => return Verdict::OutOfBudget,
                }
            }
            budget.spend(1);
            self.states[number as usize].is_expanded = true;
            for (direction, to) in moves(grid, cell) {
                if rules.allows(cell, direction, to, tick + 1) && !self.is_alive(to, tick + 1) {
                    let rank = match rules.ahead(to, budget) {
                        Verdict::Found(steps) => (tick + 1 + steps).max(rules.stays_from()),
                        Verdict::Nothing => NEVER,
                        // It is computed when the state's turn comes.
                        Verdict::OutOfBudget => tick + 1,
                    };
                    self.enliven(to, tick + 1, rank);
                }
            }
        }
        known.map_or(Verdict::Nothing, Verdict::Found)
    }

    /// The cells from the start to the goal, tick by tick, after a search that has found an arrival at this tick. Where there
    /// is a choice, the step with the fewest `conflicts` is taken, from the end back.
    pub fn path(
        &self,
        grid: &Grid,
        rules: &impl TimedRules,
        arrival: u32,
        conflicts: impl Fn(Cell, Option<Direction>, Cell, u32) -> u32,
        path: &mut Vec<Cell>,
    ) {
        path.clear();
        let mut at = rules.goal();
        path.push(at);
        for tick in (self.start.1 + 1..=arrival).rev() {
            let mut best = None;
            for (from, direction, _) in self.predecessors(grid, rules, at, tick) {
                let count = conflicts(from, direction, at, tick);
                if best.is_none_or(|(fewest, _)| count < fewest) {
                    best = Some((count, from));
                }
                if count == 0 {
                    break;
                }
            }
            // An alive state has a predecessor.
            let Some((_, from)) = best else { break };
            at = from;
            path.push(at);
        }
        path.reverse();
    }

    /// Whether the agent can be on a cell at a tick, as far as the search knows.
    pub fn is_alive(&self, cell: Cell, tick: u32) -> bool {
        self.alive(cell, tick).is_some()
    }

    /// How many states are kept, alive or not.
    pub const fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether no search has begun.
    pub const fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// Nominal bytes: 36 for each state, and those of the two lists.
    fn held(&self) -> usize {
        36 * self.states.len() + 12 * self.open.len() + 8 * self.suspects.len()
    }

    /// Bytes held on the heap.
    pub fn memory(&self) -> usize {
        self.states.capacity() * size_of::<State>()
            + self.numbers.memory()
            + self.open.capacity() * size_of::<Rank>()
            + self.suspects.capacity() * size_of::<Reverse<(u32, Cell)>>()
    }

    /// Judges all suspects, and those that depend on them.
    fn repair(&mut self, grid: &Grid, rules: &impl TimedRules) {
        while let Some(Reverse((tick, cell))) = self.suspects.pop() {
            if self.suspects.peek() == Some(&Reverse((tick, cell))) || tick <= self.start.1 {
                continue;
            }
            let alive = self.alive(cell, tick);
            // A predecessor that is not expanded yet will bring a state to life when it is.
            let is_reached = self
                .predecessors(grid, rules, cell, tick)
                .any(|(_, _, is_expanded)| is_expanded || alive.is_some());
            match (alive, is_reached) {
                (Some(number), false) => self.kill(grid, number),
                (None, true) => self.enliven(cell, tick, tick),
                (Some(_), true) | (None, false) => {}
            }
        }
    }

    /// The alive states from which a step or a wait leads to a state: their cells, the directions, and whether they are
    /// expanded.
    fn predecessors<'a>(
        &'a self,
        grid: &'a Grid,
        rules: &'a impl TimedRules,
        cell: Cell,
        tick: u32,
    ) -> impl Iterator<Item = (Cell, Option<Direction>, bool)> + 'a {
        let steps = Direction::ALL.into_iter().filter_map(move |direction| {
            let from = grid.step(cell, direction.opposite())?;
            grid.exits(from).contains(direction).then_some((from, Some(direction)))
        });
        steps.chain([(cell, None)]).filter_map(move |(from, direction)| {
            let number = self.alive(from, tick - 1)?;
            let is_expanded = self.states[number as usize].is_expanded;
            rules.allows(from, direction, cell, tick).then_some((from, direction, is_expanded))
        })
    }

    fn alive(&self, cell: Cell, tick: u32) -> Option<u32> {
        let number = self.numbers.get(key_of(cell, tick))?;
        self.states[number as usize].is_alive.then_some(number)
    }

    /// A state comes to life. No path through it arrives before `rank`, which is computed again when the state's turn comes.
    fn enliven(&mut self, cell: Cell, tick: u32, rank: u32) {
        let key = key_of(cell, tick);
        let state = State { cell, tick, is_alive: true, is_expanded: false };
        let number = match self.numbers.get(key) {
            Some(number) if self.states[number as usize].is_alive => return,
            Some(number) => {
                self.states[number as usize] = state;
                number
            }
            None => {
                let number = self.states.len() as u32;
                self.states.push(state);
                self.numbers.insert(key, number);
                number
            }
        };
        self.last = self.last.max(tick);
        self.open.push(Reverse((rank, Reverse(tick), number)));
    }

    /// A state dies. Those after it become suspects.
    fn kill(&mut self, grid: &Grid, number: u32) {
        let state = &mut self.states[number as usize];
        let (cell, tick) = (state.cell, state.tick);
        (state.is_alive, state.is_expanded) = (false, false);
        for (_, to) in moves(grid, cell) {
            if self.is_alive(to, tick + 1) {
                self.touch(to, tick + 1);
            }
        }
    }
}

/// All steps from a cell, and the wait.
fn moves(grid: &Grid, from: Cell) -> impl Iterator<Item = (Option<Direction>, Cell)> {
    let steps = grid.exits(from).into_iter().map(move |step| (Some(step), grid.beside(from, step)));
    steps.chain([(None, from)])
}

fn key_of(cell: Cell, tick: u32) -> u64 {
    u64::from(tick) << 32 | cell.index() as u64
}

#[cfg(test)]
#[path = "slpa_test.rs"]
mod tests;
