//! Makes the moves of a record at the same time, where that is possible.
//!
//! Each agent keeps the order of its vertices and each vertex the order of its visitors; every move is made as early as that allows. An agent
//! may enter a vertex in the tick in which another one leaves it. Where diagonals must not cross, the later one of the record waits.

use std::collections::HashMap;

use super::board::Move;
use super::graph::{Crossing, Graph};

/// How many moves a slice gives their ticks.
const SLICE: usize = 1 << 15;

/// The ticks of the moves of a record.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// By agent, which vertex it enters at which tick.
    stops: Vec<Vec<(u32, u32)>>,
    /// When the last visitor of each vertex has left it; an agent that is still on it has not.
    left: Vec<u32>,
    /// By centre and tick, which diagonal is taken.
    crossed: HashMap<((u32, u32), u32), bool>,
    /// The first move that has no tick yet.
    next: usize,
}

impl Schedule {
    /// No move has a tick yet.
    pub fn new(agents: usize, graph: &Graph) -> Self {
        Self {
            stops: vec![Vec::new(); agents],
            left: vec![0; graph.len()],
            crossed: HashMap::new(),
            next: 0,
        }
    }

    /// By agent, which vertex it enters at which tick.
    pub fn stops(&self) -> &[Vec<(u32, u32)>] {
        &self.stops
    }

    /// The same, and begins again: no move has a tick.
    pub fn take_stops(&mut self) -> Vec<Vec<(u32, u32)>> {
        let agents = self.stops.len();
        self.left.fill(0);
        self.crossed = HashMap::new();
        self.next = 0;
        std::mem::replace(&mut self.stops, vec![Vec::new(); agents])
    }

    /// The number of moves.
    pub const fn len(&self) -> usize {
        self.next
    }

    /// Gives the next moves their ticks. What it took in expansions, and whether there are more.
    pub fn advance(&mut self, record: &[Move], graph: &Graph) -> (u64, bool) {
        let begin = self.next;
        while self.next < record.len() && self.next < begin + SLICE {
            let rest = &record[self.next..];
            let length = 1 + rest.iter().take_while(|step| step.is_joined).count();
            self.enter(&rest[..length.min(rest.len())], graph);
            self.next += length;
        }
        ((self.next - begin) as u64, self.next < record.len())
    }

    /// Enters a move, or all moves of a turn.
    fn enter(&mut self, together: &[Move], graph: &Graph) {
        let Self { stops, left, crossed, .. } = self;
        let earliest = |step: &Move| {
            let arrived = stops[step.agent as usize].last().map_or(0, |stop| stop.0);
            // A vertex of a turn is left in the same tick.
            let is_left_now = together.iter().any(|other| other.from == step.to);
            (arrived + 1).max(if is_left_now { 0 } else { left[step.to as usize] })
        };
        let mut tick = together.iter().map(earliest).max().unwrap_or(0);
        let crossings = || together.iter().filter_map(|step| graph.crossing(step.from, step.to));
        let is_crossed = |tick| {
            crossings().any(|(centre, falls): Crossing| {
                crossed.get(&(centre, tick)).is_some_and(|&other| other != falls)
            })
        };
        while is_crossed(tick) {
            tick += 1;
        }
        for (centre, falls) in crossings() {
            crossed.insert((centre, tick), falls);
        }
        for step in together {
            left[step.from as usize] = tick;
            stops[step.agent as usize].push((tick, step.to));
        }
    }

    /// Nominal bytes: twelve for each move, four for each vertex, and 24 for each crossing.
    pub fn held(&self) -> usize {
        let stops = self.stops.iter().map(Vec::len).sum::<usize>();
        12 * stops + 4 * self.left.len() + 24 * self.crossed.len()
    }

    /// Bytes allocated on the heap.
    pub fn memory(&self) -> usize {
        let stops = self.stops.iter().map(Vec::capacity).sum::<usize>();
        stops * size_of::<(u32, u32)>()
            + self.left.capacity() * size_of::<u32>()
            + self.crossed.capacity() * size_of::<(((u32, u32), u32), bool)>()
    }
}
