//! Which agents are planned anew together.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::refine::Scene;
use crate::grid::{Cell, Grid};
use crate::search::GoalDistances;

/// How a group is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Agents at random.
    Random,
    /// An agent that is late, and those that are in its way.
    Late,
    /// Agents that pass near one place.
    Near,
}

/// A kind of groups of a size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way(usize);

const KINDS: [Kind; 3] = [Kind::Random, Kind::Late, Kind::Near];
const SIZES: [usize; 4] = [2, 4, 8, 16];

/// How often a late agent looks for those that are in its way.
const WALKS: usize = 8;

/// What the ways of choosing a group have brought so far. Its lists are kept from one group to the next.
#[derive(Clone, Debug)]
pub struct Groups {
    /// By way: what the plan has become cheaper for each 2^20 units of work, lately.
    gains: [u64; KINDS.len() * SIZES.len()],
    /// Whether an agent is in a group of this round, and how many are.
    is_chosen: Vec<bool>,
    chosen: usize,
    /// For each cell the group for which it was seen last.
    seen: Vec<u32>,
    group: u32,
    queue: Vec<Cell>,
}

impl Default for Groups {
    fn default() -> Self {
        Self {
            gains: [1 << 20; KINDS.len() * SIZES.len()],
            is_chosen: Vec::new(),
            chosen: 0,
            seen: Vec::new(),
            group: 0,
            queue: Vec::new(),
        }
    }
}

impl Groups {
    /// Draws a way: the more it has brought, the more often. Every way is tried now and then.
    pub fn draw(&self, dice: &mut ChaCha8Rng) -> Way {
        let floor = self.gains.iter().sum::<u64>() / 100 + 1;
        let weight = |gain: &u64| gain + floor;
        let mut at = dice.random_range(0..self.gains.iter().map(weight).sum());
        for (way, gain) in self.gains.iter().enumerate() {
            if at < weight(gain) {
                return Way(way);
            }
            at -= weight(gain);
        }
        Way(0)
    }

    /// Learns by how much a group has made the plan cheaper, and with how much work.
    pub fn learn(&mut self, way: Way, gain: u64, work: u64) {
        let gain = (gain << 20) / work.max(1);
        let known = &mut self.gains[way.0];
        *known = *known - *known / 64 + gain / 64;
    }

    /// Begins a round for so many agents: nobody is in a group.
    pub fn begin_round(&mut self, agents: usize) {
        self.is_chosen.clear();
        self.is_chosen.resize(agents, false);
        self.chosen = 0;
    }

    /// Writes the agents of a group. None of them is in another group of the round.
    pub fn choose(
        &mut self,
        way: Way,
        scene: &Scene,
        distances: &mut GoalDistances,
        dice: &mut ChaCha8Rng,
        group: &mut Vec<u32>,
    ) {
        let agents = scene.paths.len();
        let size = SIZES[way.0 % SIZES.len()].min(agents - self.chosen);
        match KINDS[way.0 / SIZES.len()] {
            Kind::Random => {
                while group.len() < size {
                    self.add(dice.random_range(0..agents), group);
                }
            }
            Kind::Late => {
                let Some(late) = self.draw_late(scene, dice) else { return };
                self.add(late, group);
                for _ in 0..WALKS {
                    let agent = group[dice.random_range(0..group.len())] as usize;
                    self.walk(agent, size, (scene, distances), dice, group);
                }
            }
            Kind::Near => {
                let Some(late) = self.draw_late(scene, dice) else { return };
                self.add(late, group);
                let cells = scene.ahead(late);
                self.spread(cells[dice.random_range(0..cells.len())], size, scene, group);
            }
        }
    }

    /// Adds an agent to a group, unless it is in one of this round already.
    pub fn add(&mut self, agent: usize, group: &mut Vec<u32>) {
        if !std::mem::replace(&mut self.is_chosen[agent], true) {
            self.chosen += 1;
            group.push(agent as u32);
        }
    }

    /// Follows an agent from somewhere on its path at random, as long as it could still arrive earlier than it does, and adds the agents
    /// that it would meet.
    fn walk(
        &mut self,
        agent: usize,
        size: usize,
        (scene, distances): (&Scene, &mut GoalDistances),
        dice: &mut ChaCha8Rng,
        group: &mut Vec<u32>,
    ) {
        let (cells, arrival) = (scene.ahead(agent), scene.arrival(agent));
        let at = dice.random_range(0..cells.len());
        let (mut here, mut tick) = (cells[at], arrival - (cells.len() - 1 - at) as u32);
        while group.len() < size {
            let (mut next, mut count) = (here, 0);
            for to in scene.grid.neighbours(here).chain([here]) {
                let left = distances.get(agent, to);
                if (tick + 1).saturating_add(left) < arrival {
                    count += 1;
                    if dice.random_ratio(1, count) {
                        next = to;
                    }
                }
            }
            if count == 0 {
                break;
            }
            tick += 1;
            let step = (here, next);
            if let Some(other) = scene.visits.conflict(&scene.grid, agent as u32, step, tick) {
                self.add(other as usize, group);
            }
            here = next;
        }
    }

    /// Adds the agents that pass over the cells around a cell, the nearest cells first.
    fn spread(&mut self, from: Cell, size: usize, scene: &Scene, group: &mut Vec<u32>) {
        let grid: &Grid = &scene.grid;
        self.group = self.group.wrapping_add(1);
        if self.seen.len() != grid.cells().len() || self.group == 0 {
            self.seen.clear();
            self.seen.resize(grid.cells().len(), 0);
            self.group = 1;
        }
        self.queue.clear();
        self.queue.push(from);
        self.seen[from.index()] = self.group;
        let mut at = 0;
        while let Some(&cell) = self.queue.get(at) {
            at += 1;
            for visitor in scene.visits.agents(cell) {
                self.add(visitor as usize, group);
                if group.len() >= size {
                    return;
                }
            }
            for near in grid.neighbours(cell) {
                if std::mem::replace(&mut self.seen[near.index()], self.group) != self.group {
                    self.queue.push(near);
                }
            }
        }
    }

    /// Draws an agent that is in no group of the round, the more often the later it arrives; `None` if none of them is late.
    fn draw_late(&self, scene: &Scene, dice: &mut ChaCha8Rng) -> Option<usize> {
        let delay = |(agent, &is_chosen): (usize, &bool)| {
            if is_chosen { 0 } else { u64::from(scene.delay(agent)) }
        };
        let delays = || self.is_chosen.iter().enumerate().map(delay);
        let sum: u64 = delays().sum();
        let mut at = (sum > 0).then(|| dice.random_range(0..sum))?;
        for (agent, delay) in delays().enumerate() {
            if at < delay {
                return Some(agent);
            }
            at -= delay;
        }
        None
    }
}
