//! An instance in its connected parts, and their plans put together.

use super::board::NONE;
use super::graph::Graph;
use super::part::{Outcome, Part};
use super::schedule::Schedule;
use super::shorten::{Round, Shortening};
use crate::grid::{Cell, Components, Crossing};
use crate::instance::Instance;

/// When the record has so many moves, it is shortened before more are added, and again whenever it has doubled.
const LONG: usize = 1 << 17;

/// A connected part of the floor, with the cells of its vertices and the numbers of its agents.
#[derive(Clone, Debug)]
pub struct Piece {
    pub part: Part,
    cells: Vec<Cell>,
    agents: Vec<usize>,
    stage: Stage,
    shortening: Shortening,
    /// When the record has so many moves, it is shortened.
    long: usize,
    /// When it has so many after that, they are made before the search goes on.
    instalment: usize,
    schedule: Schedule,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Searching,
    /// The search waits until the record is shorter.
    Pausing,
    /// Everybody is on their goals, or there are enough moves for an instalment.
    Shortening,
    Scheduling,
    Done,
}

/// The connected parts of an instance.
pub enum Pieces {
    Known(Vec<Piece>),
    /// A goal is out of reach.
    Impossible,
    /// An agent stands on a wall and wants to leave it.
    Unknown,
}

impl Pieces {
    /// Divides an instance.
    pub fn of(instance: &Instance) -> Self {
        let (grid, tasks) = (instance.grid(), instance.tasks());
        let components = Components::of(grid);
        let mut agents: Vec<Vec<usize>> = vec![Vec::new(); components.count()];
        let mut is_known = true;
        for (agent, &(start, goal)) in tasks.iter().enumerate() {
            match components.label(start) {
                // Nobody can enter a wall, so whoever stays on one is in nobody's way.
                None if start == goal => {}
                None if components.reaches(grid, start, goal) => is_known = false,
                Some(label) if components.label(goal) == Some(label) => agents[label].push(agent),
                _ => return Self::Impossible,
            }
        }
        if !is_known {
            return Self::Unknown;
        }
        let mut cells: Vec<Vec<Cell>> = vec![Vec::new(); components.count()];
        for cell in grid.floor_cells() {
            if let Some(label) = components.label(cell)
                && !agents[label].is_empty()
            {
                cells[label].push(cell);
            }
        }
        let mut vertices = vec![NONE; grid.cells().len()];
        let inhabited = cells.into_iter().zip(agents).filter(|(_, agents)| !agents.is_empty());
        Self::Known(
            inhabited
                .map(|(cells, agents)| Piece::new(instance, cells, agents, &mut vertices))
                .collect(),
        )
    }
}

impl Piece {
    fn new(
        instance: &Instance,
        cells: Vec<Cell>,
        agents: Vec<usize>,
        vertices: &mut [u32],
    ) -> Self {
        let (grid, tasks) = (instance.grid(), instance.tasks());
        cells.iter().zip(0..).for_each(|(&cell, vertex)| vertices[cell.index()] = vertex);
        let places = cells.iter().map(|&cell| grid.position(cell)).collect();
        let forbids_crossing = grid.rules().crossing == Crossing::Forbidden;
        let graph = Graph::new(places, forbids_crossing, |vertex, near| {
            let neighbours = grid.neighbours(cells[vertex as usize]);
            near.extend(neighbours.map(|cell| vertices[cell.index()]));
        });
        let vertex = |cell: Cell| vertices[cell.index()];
        let starts: Vec<u32> = agents.iter().map(|&agent| vertex(tasks[agent].0)).collect();
        let goals = agents.iter().map(|&agent| vertex(tasks[agent].1)).collect();
        Self {
            schedule: Schedule::new(starts.len(), &graph),
            shortening: Shortening::new(starts.clone()),
            part: Part::new(graph, starts, goals),
            cells,
            agents,
            stage: Stage::Searching,
            long: LONG,
            instalment: usize::MAX,
        }
    }

    /// The plan is made in instalments of about so many moves.
    pub const fn set_instalment(&mut self, moves: usize) {
        self.instalment = moves;
    }

    /// The number of moves before any was left out.
    pub fn recorded_moves(&self) -> usize {
        self.shortening.left_out() + self.moves()
    }

    /// The number of moves after needless ones were left out.
    pub fn moves(&self) -> usize {
        self.part.board.record.len().max(self.schedule.len())
    }

    /// Does a slice of the work, and returns what it took. The outcome once everything is done.
    pub fn advance(&mut self) -> (u64, Option<Outcome>) {
        let Self { part, stage, shortening, long, instalment, schedule, .. } = self;
        match stage {
            Stage::Searching if part.board.record.len() > *long => {
                *stage = Stage::Pausing;
                (0, None)
            }
            Stage::Searching => {
                let before = part.board.work;
                match part.advance() {
                    None => return (part.board.work - before, None),
                    Some(Outcome::Solved) => *stage = Stage::Shortening,
                    outcome => return (0, outcome),
                }
                shortening.begin_last_rounds();
                (0, None)
            }
            Stage::Pausing | Stage::Shortening => {
                // Before that, all moves are taken back.
                let may_be_made = part.is_decided();
                let board = &mut part.board;
                let (work, round) = shortening.advance(&mut board.record, &board.graph);
                if *stage == Stage::Pausing && round != Round::GoesOn {
                    if may_be_made && board.record.len() >= *instalment {
                        *stage = Stage::Shortening;
                        shortening.begin_last_rounds();
                    } else {
                        *stage = Stage::Searching;
                        *long = LONG.max(2 * board.record.len());
                    }
                } else if round == Round::Exhausted {
                    *stage = Stage::Scheduling;
                }
                (work, None)
            }
            Stage::Scheduling => {
                let board = &mut part.board;
                let (work, goes_on) = schedule.advance(&board.record, &board.graph);
                if !goes_on {
                    *stage = Stage::Done;
                    board.record = Vec::new();
                }
                (work, None)
            }
            Stage::Done if part.is_solved() => (0, Some(Outcome::Solved)),
            Stage::Done => (0, Some(Outcome::Instalment)),
        }
    }

    /// Each agent, by its number in the instance, and its goal, or the one it can have if it is impossible that all have their own.
    pub fn aims(&self) -> impl Iterator<Item = (usize, Cell)> {
        let goals = self.part.attainable.as_ref().unwrap_or(&self.part.goals);
        let cells = goals.iter().map(|&goal| self.cells[goal as usize]);
        self.agents.iter().copied().zip(cells)
    }

    /// Each agent, by its number in the instance, and which cell it enters at which tick.
    pub fn stops(&self) -> impl Iterator<Item = (usize, impl Iterator<Item = (u32, Cell)>)> {
        let on_floor = |&(tick, vertex): &(u32, u32)| (tick, self.cells[vertex as usize]);
        let stops = self.schedule.stops().iter().map(move |stops| stops.iter().map(on_floor));
        self.agents.iter().copied().zip(stops)
    }

    /// The same, and goes on with the next instalment, if it was not the last one.
    pub fn take_stops(&mut self) -> impl Iterator<Item = (usize, Vec<(u32, Cell)>)> {
        if self.stage == Stage::Done && !self.part.is_solved() {
            self.stage = Stage::Searching;
            self.long = LONG;
            self.shortening.begin_again(self.part.board.positions());
        }
        let on_floor = |(tick, vertex): (u32, u32)| (tick, self.cells[vertex as usize]);
        let stops = self.schedule.take_stops().into_iter();
        let stops = stops.map(move |stops| stops.into_iter().map(on_floor).collect());
        self.agents.iter().copied().zip(stops)
    }

    /// Nominal bytes.
    pub fn held(&self) -> usize {
        let lists = 4 * self.cells.len() + 8 * self.agents.len();
        self.part.board.held() + lists + self.shortening.held() + self.schedule.held()
    }

    /// Bytes allocated on the heap.
    pub fn memory(&self) -> usize {
        let lists =
            self.cells.capacity() * size_of::<Cell>() + self.agents.capacity() * size_of::<usize>();
        self.part.board.memory() + lists + self.shortening.memory() + self.schedule.memory()
    }
}
