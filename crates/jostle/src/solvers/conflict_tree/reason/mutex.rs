//! Conflicts of two agents whatever shortest paths they take: mutex propagation.
//!
//! From the two starts, all pairs of places are found that the agents can get to without a conflict, tick by tick, each on a shortest
//! path. A place of one agent that is in no such pair is lost: if it goes there, the other one cannot be on a shortest path by then.
//!
//! - If at some tick no pair is left, every shortest path of either agent leads over a lost place. Then the one stays off its first
//!   lost places, or the other one off its own: if both were on one, then at the earlier of the two ticks they would be a pair.
//! - If there are pairs to the end, but the path of one agent leads over a lost place, then it stays off its lost places, or the other
//!   one is late: it stays off all places from which it can only see the first agent get to where it is not lost.
//!
//! This sees what [the other ways](super) see if it costs an agent something, and also what they do not see: crossings around
//! walls, and of agents with eight neighbours. It knows shortest paths only, so it costs an agent one tick where a corridor may cost
//! many.
//!
//! Paper: Zhang et al. (2020). Departures: what happens after the first arrival is left to [target reasoning](super::target); and the
//! second case, in which only one of the agents has to pay.

use std::collections::HashMap;

use super::Judged;
use crate::grid::{Cell, Direction, Grid};
use crate::search::Budget;
use crate::solvers::conflict_tree::mdd::moves;
use crate::solvers::conflict_tree::{Clash, Constraint, Constraints, Joint, Mdd, NodeId, Split};

/// The most pairs of places at one tick that are looked at. Where there are more, nothing is found.
const MOST_PAIRS: usize = 1 << 16;
/// The most pairs of agents that are remembered.
const MOST_KNOWN: usize = 1 << 14;

/// The number of a cell in the layer of a tick.
type Place = usize;

/// Two agents, each with the node of the tree from which its path comes.
type Key = [(u32, NodeId); 2];

/// Finds such conflicts.
#[derive(Clone, Debug, Default)]
pub struct Mutexes {
    sides: [Side; 2],
    /// The ticks at which the agents may be in conflict, and the one before.
    levels: Vec<Level>,
    known: HashMap<Key, Option<Judged>>,
    /// Nominal bytes of the constraints in `known`. They never grow, so that they take no more.
    contents: usize,
}

/// One of the two agents.
#[derive(Clone, Debug, Default)]
struct Side {
    constraints: Constraints,
    mdd: Mdd,
    places: Places,
}

/// One tick.
#[derive(Clone, Debug, Default)]
struct Level {
    /// The pairs of places that are reached without a conflict.
    pairs: Pairs,
    /// For each agent, its steps to the places of this tick.
    steps: [Vec<Step>; 2],
}

/// A step or a wait.
#[derive(Clone, Copy, Debug)]
struct Step {
    from: Place,
    to: Place,
    direction: Option<Direction>,
}

impl Mutexes {
    /// Forgets what is known: the nodes of the tree are others now.
    pub fn clear(&mut self) {
        self.known.clear();
        self.contents = 0;
    }

    /// Nominal bytes: 136 for each pair of agents that is known, and those of its constraints, of
    /// the diagrams, and of what was looked at last.
    pub fn held(&self) -> usize {
        let of_side = |side: &Side| side.mdd.held() + 8 * side.places.cells.len();
        let of_level = |level: &Level| {
            let words = level.pairs.bits.len() + level.pairs.halfway.len();
            8 * words + 24 * level.steps.iter().map(Vec::len).sum::<usize>()
        };
        136 * self.known.len()
            + self.contents
            + self.sides.iter().map(of_side).sum::<usize>()
            + self.levels.iter().map(of_level).sum::<usize>()
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let of_side = |side: &Side| {
            side.mdd.memory() + side.places.cells.capacity() * size_of::<(u32, u32)>()
        };
        let of_level = |level: &Level| {
            let words = level.pairs.bits.capacity() + level.pairs.halfway.capacity();
            let steps = level.steps.iter().map(Vec::capacity).sum::<usize>();
            size_of::<Level>() + words * size_of::<u64>() + steps * size_of::<Step>()
        };
        self.known.capacity() * size_of::<(Key, Option<Judged>)>()
            + self.contents
            + self.sides.iter().map(of_side).sum::<usize>()
            + self.levels.iter().map(of_level).sum::<usize>()
    }

    /// The split, if the agents of a conflict cannot both take a shortest path, or one of them not the present one.
    pub fn split(
        &mut self,
        joint: &Joint,
        id: NodeId,
        clash: Clash,
        budget: &mut Budget<'_>,
    ) -> Option<Judged> {
        let mut agents = clash.agents.map(|agent| agent as usize);
        agents.sort_unstable();
        let is_simple = |&agent: &usize| {
            let shortest = joint.tree.shortest(id, agent) as usize;
            joint.agents[agent].stops.len() == 1 && joint.paths[agent].len() == shortest + 1
        };
        if !agents.iter().all(is_simple) {
            return None;
        }
        let key = agents.map(|agent| (agent as u32, joint.tree.origin(id, agent)));
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let found = self.find(joint, id, agents, budget);
        if self.known.len() >= MOST_KNOWN {
            self.clear();
        }
        let constraints = found.iter().flat_map(|judged| &judged.split.constraints);
        self.contents += constraints.map(Constraint::held).sum::<usize>();
        self.known.insert(key, found.clone());
        found
    }

    fn find(
        &mut self,
        joint: &Joint,
        id: NodeId,
        agents: [usize; 2],
        budget: &mut Budget<'_>,
    ) -> Option<Judged> {
        for (side, agent) in self.sides.iter_mut().zip(agents) {
            side.begin(joint, id, agent);
        }
        let arrival = agents.map(|agent| joint.paths[agent].len() - 1).into_iter().min()?;
        let (first, count) = self.propagate(&joint.grid, arrival, budget)?;
        let levels = &self.levels[..count];
        let constraint = |side: usize, lost: &[Vec<bool>]| {
            let layers = (first..).map(|tick| (tick, self.sides[side].mdd.layer(tick)));
            let mut places = Vec::new();
            for ((level, pair), (tick, layer)) in (1..).zip(lost.windows(2)).zip(layers) {
                let mut is_first = vec![false; layer.len()];
                for step in &levels[level].steps[side] {
                    is_first[step.to] |= pair[1][step.to] && !pair[0][step.from];
                }
                let firsts = layer.iter().zip(is_first).filter(|(_, is_first)| *is_first);
                places.extend(firsts.map(|(&(cell, _), _)| (cell, tick as u32)));
            }
            Constraint::AtAny(places.into())
        };
        let lost = [0, 1].map(|side| -> Vec<Vec<bool>> {
            levels.iter().map(|level| level.pairs.unpaired(side)).collect()
        });
        if levels.last()?.pairs.is_empty() {
            let constraints = [0, 1].map(|side| constraint(side, &lost[side]));
            return Some(Judged { split: Split { agents, constraints }, costly: 2 });
        }
        for side in [0, 1] {
            let path = &joint.paths[agents[side]];
            let is_lost = |(level, lost): (usize, &Vec<bool>)| {
                let tick = first - 1 + level;
                let mut layer = self.sides[side].mdd.layer(tick).iter();
                layer.position(|&(cell, _)| cell == path[tick]).is_some_and(|place| lost[place])
            };
            if lost[side].iter().enumerate().any(is_lost) {
                let late = late(levels, side, &lost[side]);
                let mut constraints = [constraint(side, &lost[side]), constraint(1 - side, &late)];
                constraints.rotate_left(side);
                return Some(Judged { split: Split { agents, constraints }, costly: 1 });
            }
        }
        None
    }

    /// Finds the pairs of all ticks at which the agents may be in conflict: the first tick, and the number of levels, of which the first
    /// one is the tick before. Ends where no pair is left. None if they are never near each other.
    fn propagate(
        &mut self,
        grid: &Grid,
        arrival: usize,
        budget: &mut Budget<'_>,
    ) -> Option<(usize, usize)> {
        // Where they are far apart, everything goes with everything.
        let first = (1..=arrival).find(|&tick| self.are_near(grid, tick))?;
        let last = (first..=arrival).rev().find(|&tick| self.are_near(grid, tick))?;
        let count = last - first + 2;
        if self.levels.len() < count {
            self.levels.resize_with(count, Level::default);
        }
        let size =
            |sides: &[Side; 2], tick| sides.each_ref().map(|side| side.mdd.layer(tick).len());
        self.levels[0].pairs.fill(size(&self.sides, first - 1));
        for tick in first..=last {
            let number = tick - first + 1;
            let size = size(&self.sides, tick);
            if size[0] * size[1] > MOST_PAIRS {
                return None;
            }
            // It is too short to be interrupted, but it counts.
            budget.charge(size[0] as u64);
            let (before, level) = self.levels.split_at_mut(number);
            let (before, level) = (&before[number - 1].pairs, &mut level[0]);
            for (side, steps) in self.sides.iter_mut().zip(&mut level.steps) {
                side.step_to(grid, tick, steps);
            }
            level.pairs.follow(before, &level.steps, size);
            level.part(grid, tick, before, &self.sides);
            if level.pairs.is_empty() {
                return Some((first, number + 1));
            }
        }
        Some((first, count))
    }

    /// Whether steps of the two agents that end at a tick can be in conflict.
    fn are_near(&mut self, grid: &Grid, tick: usize) -> bool {
        let [one, other] = &mut self.sides;
        other.places.set(grid, other.mdd.layer(tick));
        if one.mdd.layer(tick).iter().any(|&(cell, _)| other.places.of(cell).is_some()) {
            return true;
        }
        other.places.set(grid, other.mdd.layer(tick - 1));
        let mut before = one.mdd.layer(tick - 1).iter();
        before.any(|&(cell, _)| grid.neighbours(cell).any(|to| other.places.of(to).is_some()))
    }
}

/// The places of the other agent, level by level, at which it is late: it is in no pair with a place from which the agent of this side can
/// still get to one of its lost places.
fn late(levels: &[Level], side: usize, lost: &[Vec<bool>]) -> Vec<Vec<bool>> {
    let mut late = Vec::new();
    // Whether a lost place of a later level can be reached.
    let mut leads = vec![false; lost[lost.len() - 1].len()];
    for number in (0..levels.len()).rev() {
        late.push(levels[number].pairs.unpaired_with(side, &leads));
        if number > 0 {
            let mut before = vec![false; lost[number - 1].len()];
            for step in &levels[number].steps[side] {
                before[step.from] |= leads[step.to] || lost[number][step.to];
            }
            leads = before;
        }
    }
    late.reverse();
    late
}

impl Level {
    /// Takes away the pairs that are reached only by a conflict.
    fn part(&mut self, grid: &Grid, tick: usize, before: &Pairs, sides: &[Side; 2]) {
        let layer = |tick: usize| sides.each_ref().map(|side| side.mdd.layer(tick));
        let (from, to) = (layer(tick - 1), layer(tick));
        for (place, &(cell, _)) in to[0].iter().enumerate() {
            if let Some(same) = sides[1].places.of(cell) {
                self.pairs.remove(place, same);
            }
        }
        let cells = |side: usize, step: &Step| (from[side][step.from].0, to[side][step.to].0);
        for step in &self.steps[0] {
            for (_, there) in against(grid, cells(0, step), step.direction) {
                // A pair may also be reached by other steps, which are not in conflict.
                let Some(place) = sides[1].places.of(there) else { continue };
                let is_reached = |one: &Step| {
                    let against: Vec<_> = against(grid, cells(0, one), one.direction).collect();
                    let mut others = self.steps[1].iter().filter(|other| other.to == place);
                    others.any(|other| {
                        before.has(one.from, other.from) && !against.contains(&cells(1, other))
                    })
                };
                let mut ones = self.steps[0].iter().filter(|one| one.to == step.to);
                if self.pairs.has(step.to, place) && !ones.any(is_reached) {
                    self.pairs.remove(step.to, place);
                }
            }
        }
    }
}

/// The steps with which a step is in conflict, but for those to the same cell.
fn against(
    grid: &Grid,
    (from, to): (Cell, Cell),
    direction: Option<Direction>,
) -> impl Iterator<Item = (Cell, Cell)> {
    let crossed = direction.and_then(|direction| grid.crossed_steps(from, direction));
    direction.map(|_| (to, from)).into_iter().chain(crossed.into_iter().flatten())
}

impl Side {
    /// Makes this an agent of a node.
    fn begin(&mut self, joint: &Joint, id: NodeId, agent: usize) {
        let itinerary = &joint.agents[agent];
        let own = joint.constraints_of(agent, Some(id));
        self.constraints.set(&joint.grid, own, itinerary);
        let length = joint.paths[agent].len() as u32 - 1;
        self.mdd.build(&joint.grid, itinerary, length, &self.constraints);
    }

    /// Goes on to a tick, by these steps.
    fn step_to(&mut self, grid: &Grid, tick: usize, steps: &mut Vec<Step>) {
        self.places.set(grid, self.mdd.layer(tick));
        steps.clear();
        for (from, &(cell, _)) in self.mdd.layer(tick - 1).iter().enumerate() {
            for (direction, there) in moves(grid, cell) {
                if let Some(to) = self.places.of(there)
                    && self.constraints.allow(cell, direction, there, tick as u32)
                {
                    steps.push(Step { from, to, direction });
                }
            }
        }
    }
}

/// The places of cells in a layer.
#[derive(Clone, Debug, Default)]
struct Places {
    /// For each cell, the stamp of the layer that it was last in, and its place there.
    cells: Vec<(u32, u32)>,
    stamp: u32,
}

impl Places {
    fn set(&mut self, grid: &Grid, layer: &[(Cell, u32)]) {
        if self.cells.len() != grid.cells().len() || self.stamp == u32::MAX {
            self.cells.clear();
            self.cells.resize(grid.cells().len(), (0, 0));
            self.stamp = 0;
        }
        self.stamp += 1;
        for (place, &(cell, _)) in (0..).zip(layer) {
            self.cells[cell.index()] = (self.stamp, place);
        }
    }

    fn of(&self, cell: Cell) -> Option<Place> {
        let (stamp, place) = self.cells[cell.index()];
        (stamp == self.stamp).then_some(place as Place)
    }
}

/// Pairs of places of two agents: a row of bits for each place of the first one.
#[derive(Clone, Debug, Default)]
struct Pairs {
    bits: Vec<u64>,
    /// How many places each agent has.
    size: [usize; 2],
    /// How many words a row has.
    words: usize,
    /// The rows after the step of the first agent only.
    halfway: Vec<u64>,
}

impl Pairs {
    fn clear(&mut self, size: [usize; 2]) {
        self.size = size;
        self.words = size[1].div_ceil(64);
        self.bits.clear();
        self.bits.resize(size[0] * self.words, 0);
    }

    /// Makes this all pairs.
    fn fill(&mut self, size: [usize; 2]) {
        self.clear(size);
        for row in self.bits.chunks_exact_mut(self.words) {
            (0..size[1]).for_each(|place| set(row, place));
        }
    }

    /// Makes this all pairs that others lead to by a step of each agent, conflicts or not.
    fn follow(&mut self, before: &Self, steps: &[Vec<Step>; 2], size: [usize; 2]) {
        self.clear(size);
        // First the step of the one agent, then that of the other one.
        self.halfway.clear();
        self.halfway.resize(size[0] * before.words, 0);
        for step in &steps[0] {
            let start = step.to * before.words;
            let row = &mut self.halfway[start..start + before.words];
            row.iter_mut().zip(before.row(step.from)).for_each(|(to, from)| *to |= from);
        }
        let rows = self.bits.chunks_exact_mut(self.words);
        for (row, half) in rows.zip(self.halfway.chunks_exact(before.words)) {
            for step in steps[1].iter().filter(|step| has(half, step.from)) {
                set(row, step.to);
            }
        }
    }

    fn row(&self, place: Place) -> &[u64] {
        &self.bits[place * self.words..(place + 1) * self.words]
    }

    fn has(&self, one: Place, other: Place) -> bool {
        has(self.row(one), other)
    }

    fn remove(&mut self, one: Place, other: Place) {
        self.bits[one * self.words + other / 64] &= !(1 << (other % 64));
    }

    fn is_empty(&self) -> bool {
        self.bits.iter().all(|&word| word == 0)
    }

    /// Whether each place of an agent is in no pair.
    fn unpaired(&self, side: usize) -> Vec<bool> {
        self.unpaired_with(1 - side, &vec![true; self.size[1 - side]])
    }

    /// Whether each place of the other agent is in no pair with some places of the agent of this side.
    fn unpaired_with(&self, side: usize, places: &[bool]) -> Vec<bool> {
        if side == 1 {
            let mut mask = vec![0; self.words];
            let counted = (0..places.len()).filter(|&place| places[place]);
            counted.for_each(|place| set(&mut mask, place));
            let rows = self.bits.chunks_exact(self.words);
            return rows
                .map(|row| row.iter().zip(&mask).all(|(row, mask)| row & mask == 0))
                .collect();
        }
        let mut paired = vec![0; self.words];
        for (row, _) in
            self.bits.chunks_exact(self.words).zip(places).filter(|(_, counts)| **counts)
        {
            paired.iter_mut().zip(row).for_each(|(all, row)| *all |= row);
        }
        (0..self.size[1]).map(|place| !has(&paired, place)).collect()
    }
}

fn has(row: &[u64], place: Place) -> bool {
    row[place / 64] >> (place % 64) & 1 > 0
}

fn set(row: &mut [u64], place: Place) {
    row[place / 64] |= 1 << (place % 64);
}
