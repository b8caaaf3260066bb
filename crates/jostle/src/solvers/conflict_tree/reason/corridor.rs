//! Conflicts of two agents that go through a corridor in opposite directions.
//!
//! A corridor is a chain of cells with two neighbours each, between two ends `b` and `e`, `k` steps apart. One agent goes
//! from `b` to `e`, the other one back. Neither can turn aside, so one of them has to wait until the other one is out: if
//! the first cannot be on `e` before tick `t`, the second cannot be on `b` before `t + k + 1`, unless it takes a way
//! around the corridor. So either the first agent stays off `e` for so long, or the second one off `b`.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::Judged;
use crate::grid::{Cell, Exits, Grid};
use crate::search::{Budget, Verdict};
use crate::solvers::conflict_tree::{
    Clash, Constraint, Constraints, Ending, Itinerary, Joint, NodeId, Question, Routes, Split,
    Stop, Timetable, at,
};
use crate::solvers::distances::steps_to;

/// The most tables of distances that are kept.
const MOST_TABLES: usize = 256;

/// A chain of cells with two neighbours each, between two ends.
#[derive(Clone, Debug)]
struct Corridor {
    ends: [Cell; 2],
    /// The cells between the ends, at least one.
    inside: Vec<Cell>,
}

/// Finds such conflicts. What is known about the floor is kept.
#[derive(Clone, Debug, Default)]
pub struct Corridors {
    /// The steps to a cell from everywhere.
    tables: HashMap<Cell, Arc<[u32]>>,
    /// The steps from a start to an end of a corridor on ways around it, by start, end and a cell inside.
    ways_around: HashMap<[Cell; 3], u32>,
    /// How many cells the map has.
    cells: usize,
    routes: Routes,
    constraints: Constraints,
    timetable: Timetable,
}

impl Corridors {
    /// Nominal bytes: four for each cell of a table, 32 for each way around, and those of a search.
    pub fn held(&self) -> usize {
        4 * self.cells * self.tables.len()
            + 32 * self.ways_around.len()
            + self.routes.held()
            + self.timetable.held()
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.cells * self.tables.len() * size_of::<u32>()
            + self.tables.capacity() * size_of::<(Cell, Arc<[u32]>)>()
            + self.ways_around.capacity() * size_of::<([Cell; 3], u32)>()
            + self.routes.memory()
            + self.timetable.memory()
    }

    /// The split, if the agents meet in a corridor and this forbids both of their paths.
    pub(super) fn split(
        &mut self,
        joint: &Joint,
        id: NodeId,
        clash: Clash,
        budget: &mut Budget<'_>,
    ) -> Option<Judged> {
        let corridor = Corridor::around(joint, clash)?;
        let agents = clash.agents.map(|agent| agent as usize);
        let [first, second] = agents.map(|agent| corridor.exit(&joint.paths[agent], clash.tick));
        let exits = [first?, second?];
        if exits[0] == exits[1] {
            return None;
        }
        let length = corridor.inside.len() as u32 + 1;
        let mut earliest = [0; 2];
        for side in 0..2 {
            earliest[side] = self.earliest(joint, id, agents[side], exits[side], budget)?;
        }
        let mut constraints = [0; 2].map(|tick| Constraint::EndBefore { tick });
        let mut costly = 0;
        for side in 0..2 {
            let (agent, cell) = (agents[side], exits[side]);
            let around = self.way_around(&joint.grid, joint.agents[agent].start, cell, &corridor);
            // An agent that has begun on that end can be there at any tick.
            let last = (earliest[1 - side] + length).min(around.checked_sub(1)?);
            let path = &joint.paths[agent];
            if !path.iter().take(last as usize + 1).any(|&at| at == cell) {
                return None;
            }
            let to_goal = self.table(&joint.grid, cell)[joint.agents[agent].goal().index()];
            costly += usize::from(last + 1 + to_goal > path.len() as u32 - 1);
            constraints[side] = Constraint::Between { cell, first: 0, last };
        }
        Some(Judged { split: Split { agents, constraints }, costly })
    }

    /// The earliest tick at which an agent can be on a cell under its constraints.
    fn earliest(
        &mut self,
        joint: &Joint,
        id: NodeId,
        agent: usize,
        cell: Cell,
        budget: &mut Budget<'_>,
    ) -> Option<u32> {
        let table = self.table(&joint.grid, cell);
        let stops = vec![Stop { cell, tick: None, steps: table }];
        let start = joint.agents[agent].start;
        let itinerary = Itinerary { start, stops, ending: Ending::Leaves, meeting: None };
        let own = joint.constraints_of(agent, Some(id));
        self.constraints.set(&joint.grid, own, &itinerary);
        self.timetable.fit(&joint.grid);
        let question = Question {
            grid: &joint.grid,
            itinerary: &itinerary,
            constraints: &self.constraints,
            timetable: &self.timetable,
            paths: &[],
            longest: 0,
            weight: Question::SHORTEST,
        };
        self.routes.begin(question, budget);
        match self.routes.go_on(question, budget) {
            Verdict::Found(path) => Some(path.len() as u32 - 1),
            Verdict::Nothing | Verdict::OutOfBudget => None,
        }
    }

    fn table(&mut self, grid: &Grid, cell: Cell) -> Arc<[u32]> {
        self.cells = grid.cells().len();
        if self.tables.len() >= MOST_TABLES {
            self.tables.clear();
        }
        Arc::clone(self.tables.entry(cell).or_insert_with(|| steps_to(grid, cell)))
    }

    /// The fewest steps from a start to an end of a corridor that do not lead through it; `NEVER` if there is no such way.
    fn way_around(&mut self, grid: &Grid, start: Cell, end: Cell, corridor: &Corridor) -> u32 {
        let inside = corridor.inside.iter().copied().min().unwrap_or(end);
        *self.ways_around.entry([start, end, inside]).or_insert_with(|| {
            let mut steps: HashMap<Cell, u32> = HashMap::from([(start, 0)]);
            let mut queue = VecDeque::from([start]);
            while let Some(cell) = queue.pop_front() {
                let here = steps[&cell];
                if cell == end {
                    return here;
                }
                for next in grid.neighbours(cell) {
                    if !corridor.inside.contains(&next) && !steps.contains_key(&next) {
                        steps.insert(next, here + 1);
                        queue.push_back(next);
                    }
                }
            }
            Itinerary::NEVER
        })
    }
}

impl Corridor {
    /// The corridor in which two agents are in conflict. It ends early at their starts and goals, because an agent that
    /// begins or ends inside does not go through.
    fn around(joint: &Joint, clash: Clash) -> Option<Self> {
        let grid = &*joint.grid;
        let agents = clash.agents.map(|agent| agent as usize);
        let stops = agents.map(|agent| &joint.agents[agent]);
        let is_inside = |cell: Cell| {
            grid.exits(cell).into_iter().count() == 2
                && stops.iter().all(|agent| cell != agent.start && cell != agent.goal())
        };
        // Of agents that swap, one may be on an end of the corridor.
        let cells = agents.map(|agent| at(&joint.paths[agent], clash.tick as usize));
        let middle = cells.into_iter().find(|&cell| is_inside(cell))?;
        let mut inside = vec![middle];
        let mut ends = [middle; 2];
        for (end, first) in ends.iter_mut().zip(grid.neighbours(middle)) {
            let (mut before, mut cell) = (middle, first);
            while is_inside(cell) {
                if cell == middle {
                    return None;
                }
                inside.push(cell);
                let next = grid.neighbours(cell).find(|&next| next != before)?;
                (before, cell) = (cell, next);
            }
            *end = cell;
        }
        (ends[0] != ends[1]).then_some(Self { ends, inside })
    }

    /// The end at which a path leaves the corridor after a tick, if it has entered it at the other one.
    fn exit(&self, path: &[Cell], tick: u32) -> Option<Cell> {
        let tick = (tick as usize).min(path.len() - 1);
        let is_end = |cell: &&Cell| self.ends.contains(cell);
        let entry = path[..tick].iter().rev().find(is_end)?;
        let exit = path[tick..].iter().find(is_end)?;
        (entry != exit).then_some(*exit)
    }
}
