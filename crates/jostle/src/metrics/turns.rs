//! Silver's measures of a route: the turns until the goal, and the number of cycles.

use std::collections::HashMap;

use crate::grid::Cell;
use crate::trace::Trace;
use crate::world::Agent;

/// The measures of an agent that was present from the beginning, counted in turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turns {
    /// Turns until it first reached its goal; `None` if it never did.
    pub path_length: Option<u64>,
    /// How often it entered a cell that it had been on before. Staying is not entering.
    pub cycles: u64,
}

impl Turns {
    /// The measures of all agents of ours that a trace begins with, by slot. Goals are those at the
    /// beginning.
    pub fn of(trace: &Trace) -> Vec<Self> {
        let mut walks = Walks::begin(trace.opening().iter().copied(), trace.grid().width());
        let mut frames = trace.frames();
        while let Some(frame) = frames.next_frame() {
            walks.tick(|slot| frame.cell(slot));
        }
        walks.turns()
    }
}

/// Takes the measures of a run while it is going on.
#[derive(Clone, Debug)]
pub struct Walks {
    /// All agents of ours that were present at the beginning, each with its slot.
    ours: Vec<(usize, Walk)>,
    width: u32,
    tick: u64,
}

impl Walks {
    /// Begins with the agents of ours among these, on a map of this width.
    pub fn begin(agents: impl Iterator<Item = Agent>, width: u32) -> Self {
        let ours = agents.filter(|agent| agent.ours);
        let walk = |agent: Agent| (agent.slot(), Walk::begin(agent.cell, agent.goal, width));
        Self { ours: ours.map(walk).collect(), width, tick: 0 }
    }

    /// Observes a tick that has passed. `cell_of` gives the cell of the agent in a slot.
    pub fn tick(&mut self, cell_of: impl Fn(usize) -> Option<Cell>) {
        self.tick += 1;
        for (slot, walk) in &mut self.ours {
            // An agent that has left takes no more steps.
            if let Some(cell) = cell_of(*slot) {
                walk.step(self.tick, cell, self.width);
            }
        }
    }

    /// The measures of all agents of ours that were present at the beginning, by slot.
    pub fn turns(&self) -> Vec<Turns> {
        self.ours.iter().map(|(_, walk)| walk.turns).collect()
    }
}

/// The walk of one agent.
#[derive(Clone, Debug)]
struct Walk {
    here: Cell,
    goal: Cell,
    /// The square of 8x8 cells that it is in.
    square: u32,
    /// A bit for each cell of that square that it has visited. Agents rarely leave a square, so most steps
    /// need only this.
    visited: u64,
    /// The visited cells of the squares that it has left.
    left: HashMap<u32, u64>,
    turns: Turns,
}

impl Walk {
    fn begin(start: Cell, goal: Cell, width: u32) -> Self {
        let turns = Turns { path_length: (start == goal).then_some(0), cycles: 0 };
        let (square, visited) = place(start, width);
        Self { here: start, goal, square, visited, left: HashMap::new(), turns }
    }

    fn step(&mut self, tick: u64, next: Cell, width: u32) {
        if next == self.here {
            return;
        }
        self.here = next;
        let (square, bit) = place(next, width);
        if square != self.square {
            self.left.insert(self.square, self.visited);
            self.square = square;
            self.visited = self.left.get(&square).copied().unwrap_or(0);
        }
        self.turns.cycles += u64::from(self.visited & bit != 0);
        self.visited |= bit;
        if next == self.goal && self.turns.path_length.is_none() {
            self.turns.path_length = Some(tick);
        }
    }
}

/// The number of a cell's square, and the cell's bit in that square.
fn place(cell: Cell, width: u32) -> (u32, u64) {
    let index = cell.index() as u32;
    let (x, y) = (index % width, index / width);
    (y / 8 * width.div_ceil(8) + x / 8, 1 << (y % 8 * 8 + x % 8))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    fn turns_of(cells: &[Cell], goal: Cell, width: u32) -> Turns {
        let mut walk = Walk::begin(cells[0], goal, width);
        for (tick, &next) in (1..).zip(&cells[1..]) {
            walk.step(tick, next, width);
        }
        walk.turns
    }

    #[test]
    fn the_worked_example_of_the_definitions() {
        let walk = [(0, 0), (1, 1), (1, 1), (2, 1), (1, 1), (2, 1), (3, 2), (3, 2)];
        let cells = walk.map(|(x, y)| Cell::from_index(y * 10 + x));
        let turns = turns_of(&cells, Cell::from_index(23), 10);
        assert_eq!(turns, Turns { path_length: Some(6), cycles: 2 });
    }

    proptest! {
        #[test]
        fn cycles_are_counted_as_with_a_plain_set_of_visited_cells(
            walk in prop::collection::vec(0_usize..=300, 1..400),
            width in 1_u32..40,
        ) {
            // Index 300 stands for nowhere.
            let cell = |index| if index == 300 { Cell::NOWHERE } else { Cell::from_index(index) };
            let cells: Vec<Cell> = walk.iter().map(|&index| cell(index)).collect();
            let mut visited = HashSet::from([cells[0]]);
            let entered = cells.windows(2).filter(|step| step[0] != step[1]).map(|step| step[1]);
            let cycles = entered.filter(|&next| !visited.insert(next)).count() as u64;
            let goal = Cell::from_index(5);
            let path_length = cells.iter().position(|&at| at == goal).map(|tick| tick as u64);
            prop_assert_eq!(turns_of(&cells, goal, width), Turns { path_length, cycles });
        }
    }
}
