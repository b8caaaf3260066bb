//! BMAA\* as the paper prints it: Algorithms 2 to 5 line by line, with hash maps and a binary heap and
//! nothing clever. The engine's planner must move every agent to the same cells.
//!
//! It shares with the engine only the floor and the world.

// Tests and benches each use only some of this.
#![allow(dead_code)]
// The names are the paper's.
#![allow(clippy::many_single_char_names, clippy::similar_names)]

pub mod flat;
pub mod flow;

use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, HashMap, HashSet};

use flow::PlainFlow;
use jostle::planners::bmaa::{Order, PushRule};
use jostle::planners::{Bmaa, Planner, Work};
use jostle::{Agent, AgentId, Cell, Grid, Moves, Neighbours, World};

/// A cost `a + b√2` as counts of cardinal and diagonal steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Pair(i64, i64);

impl Pair {
    fn value(self) -> f64 {
        self.0 as f64 + self.1 as f64 * std::f64::consts::SQRT_2
    }
    fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0, self.1 + other.1)
    }
    fn minus(self, other: Self) -> Self {
        Self(self.0 - other.0, self.1 - other.1)
    }
}

impl PartialOrd for Pair {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Pair {
    fn cmp(&self, other: &Self) -> Ordering {
        self.value().total_cmp(&other.value())
    }
}

/// What an agent keeps between ticks.
struct PlainAgent {
    goal: Cell,
    path: HashMap<Cell, Cell>,
    h: HashMap<Cell, Pair>,
    limit: u64,
    blocked: u32,
}

pub struct PlainBmaa {
    options: Bmaa,
    agents: HashMap<AgentId, PlainAgent>,
    flow: Option<(u64, PlainFlow)>,
    floor: u64,
}

/// The result of a search.
struct Found {
    path: HashMap<Cell, Cell>,
    closed: HashSet<Cell>,
    g: HashMap<Cell, Pair>,
    /// `f` of the first node in open, if open is not empty.
    first_f: Option<Pair>,
    expansions: u64,
}

impl PlainBmaa {
    pub fn new(options: Bmaa) -> Self {
        Self { options, agents: HashMap::new(), flow: None, floor: 0 }
    }

    fn neighbours(&mut self, grid: &Grid, n: Cell) -> Vec<Cell> {
        match &mut self.flow {
            Some((_, flow)) => flow.neighbours(grid, n),
            None => grid.neighbours(n).collect(),
        }
    }

    fn h(&self, grid: &Grid, agent: &Agent, n: Cell) -> Pair {
        if let Some(learned) = self.agents[&agent.id].h.get(&n) {
            return *learned;
        }
        let ((x, y), (gx, gy)) = (grid.position(n), grid.position(agent.goal));
        let (dx, dy) = (i64::from(x.abs_diff(gx)), i64::from(y.abs_diff(gy)));
        match grid.rules().neighbours {
            Neighbours::Four => Pair(dx + dy, 0),
            Neighbours::Eight => Pair((dx - dy).abs(), dx.min(dy)),
        }
    }

    /// Algorithm 5.
    fn search(&mut self, world: &World, occupied: &HashMap<Cell, AgentId>, agent: &Agent) -> Found {
        let grid = world.grid();
        let (curr, goal) = (agent.cell, agent.goal);
        let mut parent: HashMap<Cell, Cell> = HashMap::new();
        let mut closed = HashSet::new();
        let mut g = HashMap::from([(curr, Pair(0, 0))]);
        let mut sequence = HashMap::from([(curr, 0u64)]);
        let mut open = BinaryHeap::new();
        open.push(Reverse((self.h(grid, agent, curr), Reverse(Pair(0, 0)), 0u64, curr)));
        let mut exp = 0;
        let mut path = HashMap::new();
        let mut first_f = None;
        while let Some(Reverse((f, Reverse(key_g), _, n))) = open.peek().copied() {
            if closed.contains(&n) || g[&n] != key_g {
                open.pop();
                continue;
            }
            if n == goal || exp >= self.options.expansions {
                first_f = Some(f);
                let mut at = n;
                while let Some(&before) = parent.get(&at) {
                    path.insert(before, at);
                    at = before;
                }
                break;
            }
            open.pop();
            closed.insert(n);
            for next in self.neighbours(grid, n) {
                let ((x, y), (cx, cy)) = (grid.position(next), grid.position(curr));
                let (dx, dy) = (f64::from(x.abs_diff(cx)), f64::from(y.abs_diff(cy)));
                let d = (dx * dx + dy * dy).sqrt();
                let is_blocked = occupied.get(&next).is_some_and(|other| *other != agent.id);
                if is_blocked && d <= self.options.vision + 1e-9 && next != goal {
                    continue;
                }
                if closed.contains(&next) {
                    continue;
                }
                let (nx, ny) = grid.position(n);
                let cost = if x != nx && y != ny { Pair(0, 1) } else { Pair(1, 0) };
                let through = g[&n].plus(cost);
                if g.get(&next).is_none_or(|known| *known > through) {
                    g.insert(next, through);
                    parent.insert(next, n);
                    let count = sequence.len() as u64;
                    let number = *sequence.entry(next).or_insert(count);
                    let f = through.plus(self.h(grid, agent, next));
                    open.push(Reverse((f, Reverse(through), number, next)));
                }
            }
            exp += 1;
        }
        Found { path, closed, g, first_f, expansions: u64::from(exp) }
    }

    /// Algorithms 3 and 4.
    fn search_phase(
        &mut self,
        world: &World,
        occupied: &HashMap<Cell, AgentId>,
        agent: &Agent,
    ) -> Work {
        let state = &self.agents[&agent.id];
        let next = state.path.get(&agent.cell);
        let is_defined =
            next.is_some_and(|next| world.grid().neighbours(agent.cell).any(|n| n == *next));
        let is_weary = self.options.retry > 0 && state.blocked >= self.options.retry;
        if is_defined && world.tick() < state.limit && !is_weary {
            return Work::default();
        }
        let found = self.search(world, occupied, agent);
        let monotone = self.options.monotone;
        let old: HashMap<Cell, Pair> = found
            .closed
            .iter()
            .filter_map(|c| Some((*c, *self.agents[&agent.id].h.get(c)?)))
            .collect();
        let state = self.agents.get_mut(&agent.id).unwrap();
        state.path = found.path;
        state.blocked = 0;
        if let Some(f) = found.first_f {
            for c in found.closed {
                let learned = f.minus(found.g[&c]);
                let learned = match old.get(&c) {
                    Some(old) if monotone => learned.max(*old),
                    _ => learned,
                };
                state.h.insert(c, learned);
            }
            state.limit = world.tick() + u64::from(self.options.moves);
        }
        Work { searches: u64::from(!agent.has_arrived()), expansions: found.expansions }
    }

    /// Lines 6 to 14 of Algorithm 2, with at most one move for each agent.
    fn execute(
        &mut self,
        world: &World,
        occupied: &mut HashMap<Cell, AgentId>,
        moved: &mut HashSet<AgentId>,
        moves: &mut Moves,
        agent: &Agent,
    ) {
        if moved.contains(&agent.id) {
            return;
        }
        let Some(&n) = self.agents[&agent.id].path.get(&agent.cell) else {
            return;
        };
        if !world.grid().neighbours(agent.cell).any(|near| near == n) {
            return;
        }
        if self.options.push
            && let Some(other) = occupied.get(&n).copied()
        {
            let other = world.agent(other).unwrap();
            let may = match self.options.push_rule {
                PushRule::Paper => other.cell == other.goal,
                PushRule::Thesis => n == agent.goal,
            };
            if may && other.ours && !moved.contains(&other.id) {
                let free = world.grid().neighbours(n).find(|near| !occupied.contains_key(near));
                if let Some(to) = free {
                    occupied.remove(&n);
                    occupied.insert(to, other.id);
                    moved.insert(other.id);
                    moves.set(other.id, to);
                }
            }
        }
        let state = self.agents.get_mut(&agent.id).unwrap();
        if occupied.contains_key(&n) {
            state.blocked += 1;
        } else {
            state.blocked = 0;
            occupied.remove(&agent.cell);
            occupied.insert(n, agent.id);
            moved.insert(agent.id);
            moves.set(agent.id, n);
        }
    }
}

impl Planner for PlainBmaa {
    /// Algorithm 2.
    fn plan(&mut self, world: &World, moves: &mut Moves) -> Work {
        let floor = world.grid().fingerprint();
        if self.options.flow && self.flow.as_ref().is_none_or(|(known, _)| *known != floor) {
            self.flow = Some((floor, PlainFlow::default()));
        }
        if self.options.forget && self.floor != floor {
            self.agents.values_mut().for_each(|agent| agent.h.clear());
        }
        self.floor = floor;
        let mut occupied: HashMap<Cell, AgentId> =
            world.agents().map(|agent| (agent.cell, agent.id)).collect();
        self.agents.retain(|id, _| world.agent(*id).is_some());
        for agent in world.ours() {
            let fresh = || PlainAgent {
                goal: agent.goal,
                path: HashMap::new(),
                h: HashMap::new(),
                limit: 0,
                blocked: 0,
            };
            let state = self.agents.entry(agent.id).or_insert_with(fresh);
            if state.goal != agent.goal {
                *state = fresh();
            }
        }
        let mut work = Work::default();
        for agent in world.ours() {
            work += self.search_phase(world, &occupied, &agent);
        }
        let mut moved = HashSet::new();
        let mut order: Vec<Option<Agent>> =
            (0..world.slots()).map(|slot| world.in_slot(slot)).collect();
        if self.options.order == Order::Rotating {
            let first = (world.tick() % order.len().max(1) as u64) as usize;
            order.rotate_left(first);
        }
        for agent in order.into_iter().flatten().filter(|agent| agent.ours) {
            self.execute(world, &mut occupied, &mut moved, moves, &agent);
        }
        work
    }

    fn wish(&self, agent: &Agent) -> Option<Cell> {
        self.agents.get(&agent.id)?.path.get(&agent.cell).copied()
    }

    fn memory(&self) -> usize {
        0
    }
}
