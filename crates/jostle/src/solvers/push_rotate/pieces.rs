//! An instance in its connected parts, and their plans put together.

use super::board::NONE;
use super::graph::Graph;
use super::part::{Outcome, Part};
use super::shorten::Shortening;
use crate::grid::{Cell, Components, Crossing};
use crate::instance::Instance;
use crate::plan::TimedPath;

/// A connected part of the floor, with the cells of its vertices and the numbers of its agents.
#[derive(Clone, Debug)]
pub struct Piece {
    pub part: Part,
    cells: Vec<Cell>,
    agents: Vec<usize>,
    starts: Vec<u32>,
    /// The moves of the record when it was taken to be shortened.
    recorded: usize,
    shortening: Option<Shortening>,
    /// Whether nothing is left to be shortened.
    is_short: bool,
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
        let part = Part::new(graph, starts.clone(), goals);
        Self { part, cells, agents, starts, recorded: 0, shortening: None, is_short: false }
    }

    /// The number of moves before any was left out.
    pub fn recorded_moves(&self) -> usize {
        self.recorded + self.part.board.record.len()
    }

    /// The number of moves after needless ones were left out.
    pub fn moves(&self) -> usize {
        self.shortening.as_ref().map_or(0, Shortening::len)
    }

    /// Does a slice of the work, and returns what it took. The outcome once everything is done.
    pub fn advance(&mut self) -> (u64, Option<Outcome>) {
        let before = self.part.board.work;
        let Some(outcome) = self.part.advance() else {
            return (self.part.board.work - before, None);
        };
        if outcome != Outcome::Solved || self.is_short {
            return (0, Some(outcome));
        }
        let (starts, record) = (&self.starts, &mut self.part.board.record);
        self.recorded += record.len();
        let shortening = self
            .shortening
            .get_or_insert_with(|| Shortening::new(starts.clone(), std::mem::take(record)));
        let work = shortening.len() as u64;
        self.is_short = !shortening.leave_out(&self.part.board.graph);
        (work, None)
    }

    /// Writes the paths of the agents into the plan.
    pub fn write(&self, paths: &mut [TimedPath]) {
        let Some(shortening) = &self.shortening else { return };
        let schedule = shortening.schedule(&self.part.board.graph);
        for (stops, &agent) in schedule.iter().zip(&self.agents) {
            let cells = &mut paths[agent].cells;
            for &(tick, vertex) in &stops[1..] {
                let waits = cells[cells.len() - 1];
                cells.resize(tick as usize, waits);
                cells.push(self.cells[vertex as usize]);
            }
        }
    }

    /// Bytes allocated on the heap.
    pub fn memory(&self) -> usize {
        let lists = self.cells.capacity() * size_of::<Cell>()
            + self.agents.capacity() * size_of::<usize>()
            + self.starts.capacity() * size_of::<u32>();
        self.part.board.memory() + lists + self.shortening.as_ref().map_or(0, Shortening::memory)
    }
}
