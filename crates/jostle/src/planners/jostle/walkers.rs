//! The agents that are on their way, in the order in which they choose, which is also their order in memory.
//!
//! The agent that has been away from its goal longest chooses first, and of several that set out in the same tick the one with the longest
//! way: it is the last to arrive in any case. In a large crowd that order would jump to and fro
//! over the map, and nearly every access to memory would miss the caches. So only the oldest of a large crowd come
//! first; the others follow block by block of the map, by age inside each. That is as good: every agent is one of the oldest in
//! time, and how old the others are matters only where they meet.
//!
//! Blocks have four colours, so that blocks of one colour never touch, and come colour by colour. The agents in blocks of one
//! colour can choose at the same time, on several threads.
//!
//! Agents that have arrived sleep. They cost nothing until another agent pushes them or the game sends them away.

use std::cmp::Reverse;

use super::blocks::{Blocks, COLOURS, FIRST, LATE};
use super::detour::Detour;
use super::errand::Errand;
use super::progress::Progress;
use super::pursuit::{self, Drift};
use crate::Cost;
use crate::grid::{Cell, Direction, Exits, Grid};
use crate::pibt::Share;
use crate::search::{Advice, Course, Guide, Heading, Route, Sectors};
use crate::world::{Agent, AgentId, World};

/// An agent on its way.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is true or false by itself")]
pub(super) struct Walker {
    /// Its slot, or `NOBODY` if it has arrived or left.
    pub slot: u32,
    /// A number that is the smaller the earlier it began its way.
    rank: u64,
    pub course: Course,
    /// Where it wants to go in this tick.
    pub heading: Heading,
    /// Whether it waits for a search.
    pub is_waiting: bool,
    /// How far its goal has moved from where its course leads.
    pub drift: Drift,
    /// Whether it goes around agents that are not ours.
    pub is_going_around: bool,
    /// Whether it lets others choose before it.
    pub is_late: bool,
    /// Whether it had come closer to its goal when that was last looked at.
    pub gets_on: bool,
    /// Whether it has passed an exit since its progress was last looked at.
    pub has_passed: bool,
}

/// What is needed of an agent only now and then.
#[derive(Clone, Debug)]
pub(super) struct Luggage {
    /// Who it is, and where it was sent.
    pub id: AgentId,
    pub goal: Cell,
    pub route: Route,
    pub progress: Progress,
    /// Whether there may be a shorter route than its own by now.
    pub is_outdated: bool,
    pub detour: Detour,
    pub errand: Errand,
}

/// All agents on their way.
#[derive(Clone, Debug, Default)]
pub(super) struct Walkers {
    /// Some of them may have arrived.
    pub all: Vec<Walker>,
    /// By slot, the index in `all`, or `NOBODY` for an agent that sleeps.
    places: Vec<u32>,
    /// By slot.
    pub luggage: Vec<Luggage>,
    /// How many do not sleep.
    pub awake: usize,
    /// How many were woken in this tick.
    pub woken: usize,
    /// Those agents while they are put in order: how far their goals are in a straight line, and their slots.
    setting_out: Vec<(Reverse<Cost>, u32)>,
    /// The rank of the agent that is woken next.
    next_rank: u64,
    /// How many there were when they were last put in order.
    ordered: usize,
    /// How many come before those of all blocks.
    pub oldest: usize,
    /// The walkers of each block, by colour, if the crowd is large.
    pub blocks: [Vec<Share>; COLOURS],
    /// Where those of all blocks end.
    pub blocks_end: usize,
    /// Their order and their copies, while they are put in order.
    order: Vec<(Key, u32)>,
    spare: Vec<Walker>,
}

/// What walkers are ordered by: the number of their block, [`FIRST`] or [`LATE`], and below it their rank.
type Key = u64;
const RANK_BITS: u32 = 40;
const _: () = assert!(LATE <= u32::MAX >> (RANK_BITS - u32::BITS));

/// Stands for no agent.
pub(super) const NOBODY: u32 = u32::MAX;

/// After how many ticks walkers are put in order again.
const ORDER_EVERY: u64 = 16;
/// From how many walkers on they are kept block by block.
const LARGE: usize = 4096;
/// One of so many in a large crowd chooses before all others.
const OLDEST: usize = 128;

impl Walker {
    /// Whether it has no way to its goal and has not begun to wait for one.
    pub const fn is_new(&self) -> bool {
        !self.course.is_known() && !self.is_waiting && !self.is_going_around
    }

    /// Whether its goal has moved so far that it has to look anew.
    pub fn has_to_turn(&self, grid: &Grid, cell: Cell) -> bool {
        !self.course.is_known() || self.drift.is_due(grid.distance(cell, self.course.goal()))
    }

    /// One that has lost its course goes to its goal, wherever that was before.
    pub const fn forget_drift(&mut self, goal: Cell) {
        if !self.drift.is_none() && !self.course.is_known() {
            (self.course, self.drift) = (Course::to(goal), Drift::NONE);
        }
    }

    /// Between which cells it needs a route: from where it stands to its goal, or if that has only moved, from behind its next
    /// exit, which others share.
    pub fn question(
        &self,
        sectors: &Sectors,
        grid: &Grid,
        (cell, goal): (Cell, Cell),
    ) -> (Cell, Cell) {
        let behind = self.course.behind_exit(sectors, grid);
        (behind.filter(|_| !self.drift.is_none()).unwrap_or(cell), goal)
    }

    /// The way out of a wall that was built on it, for one that cannot get to its goal from there, or is on it: any step, the one
    /// that leads nearest to the goal. It has none if there is no floor around it.
    fn way_out(&self, grid: &Grid, cell: Cell) -> Heading {
        let left = |step: &Direction| grid.distance(grid.beside(cell, *step), self.course.goal());
        grid.exits(cell).into_iter().min_by_key(left).map_or(Heading::default(), Heading::only)
    }

    /// Where it wants to go; none if the budget was not enough to find out. An agent that cannot reach its goal wants
    /// to stay.
    pub fn ask(
        &mut self,
        route: &mut Route,
        cell: Cell,
        guide: &mut Guide<'_, '_>,
    ) -> Option<Heading> {
        match self.course.ask(route, cell, guide) {
            Advice::Head(heading) => Some(heading),
            Advice::Arrived | Advice::Unreachable if guide.grid.is_floor(cell) => {
                Some(Heading::default())
            }
            Advice::Arrived | Advice::Unreachable => Some(self.way_out(guide.grid, cell)),
            Advice::NotYet => None,
        }
    }
}

impl Default for Luggage {
    fn default() -> Self {
        Self {
            id: AgentId::from_bits(u64::MAX),
            goal: Cell::NOWHERE,
            route: Route::default(),
            progress: Progress::default(),
            is_outdated: false,
            detour: Detour::default(),
            errand: Errand::default(),
        }
    }
}

impl Luggage {
    /// Bytes held on the heap.
    fn memory(&self) -> usize {
        self.route.memory() + self.detour.memory()
    }
}

impl Walkers {
    /// Makes room for this many slots.
    pub fn resize(&mut self, slots: usize) {
        self.places.resize(slots, NOBODY);
        self.luggage.resize_with(slots, Luggage::default);
    }

    /// The walker in a slot and its luggage, unless it sleeps.
    pub fn get_mut(&mut self, slot: usize) -> Option<(&mut Walker, &mut Luggage)> {
        let walker = self.all.get_mut(*self.places.get(slot)? as usize)?;
        Some((walker, &mut self.luggage[slot]))
    }

    /// The walker in a slot, unless it sleeps.
    pub fn get(&self, slot: usize) -> Option<&Walker> {
        self.all.get(*self.places.get(slot)? as usize)
    }

    /// The index of the walker in a slot, or `NOBODY`.
    pub fn place(&self, slot: usize) -> u32 {
        self.places.get(slot).copied().unwrap_or(NOBODY)
    }

    /// Whether the agent in a slot sleeps.
    pub fn sleeps(&self, slot: usize) -> bool {
        self.places[slot] == NOBODY
    }

    /// Tells the route of a walker that it has passed an exit.
    pub fn catch_up(&mut self, at: usize) {
        let walker = &mut self.all[at];
        walker.course.catch_up(&mut self.luggage[walker.slot as usize].route);
    }

    /// Lets all agents begin their ways that sleep and are not on their goals, or whose cells have become walls: after edits.
    pub fn wake_all(&mut self, world: &World, has_edits: bool) {
        self.woken = 0;
        let mut setting_out = std::mem::take(&mut self.setting_out);
        let is_inside_wall = |agent: &Agent| has_edits && !world.grid().is_floor(agent.cell);
        let sleepers = world.ours().filter(|agent| {
            (!agent.has_arrived() || is_inside_wall(agent)) && self.sleeps(agent.slot())
        });
        setting_out.clear();
        setting_out.extend(sleepers.map(|agent| {
            let far = world.grid().distance(agent.cell, agent.goal);
            (Reverse(far), agent.slot() as u32)
        }));
        setting_out.sort_unstable();
        for agent in setting_out.iter().filter_map(|&(_, slot)| world.in_slot(slot as usize)) {
            self.wake(&agent, world.tick());
        }
        self.setting_out = setting_out;
    }

    /// Lets an agent begin its way from where it stands. It chooses after all others.
    fn wake(&mut self, agent: &Agent, tick: u64) {
        let slot = agent.slot();
        self.put_to_sleep(slot);
        self.places[slot] = self.all.len() as u32;
        self.all.push(Walker {
            slot: slot as u32,
            rank: self.next_rank,
            course: Course::to(agent.goal),
            heading: Heading::default(),
            is_waiting: false,
            drift: Drift::NONE,
            is_going_around: false,
            is_late: false,
            gets_on: true,
            has_passed: false,
        });
        self.next_rank += 1;
        self.awake += 1;
        self.woken += 1;
        let luggage = &mut self.luggage[slot];
        (luggage.id, luggage.goal) = (agent.id, agent.goal);
        luggage.progress = Progress::default();
        luggage.is_outdated = false;
        luggage.errand.begin(agent.cell, tick);
    }

    /// Sends an agent elsewhere that is on its way already. It keeps its turn to choose, its place among those that wait for a
    /// route, and if its goal has only [moved](super::pursuit), its course. Returns whether it was on its way.
    pub fn redirect(&mut self, agent: &Agent, shifts: &mut pursuit::Shifts, world: &World) -> bool {
        let grid = world.grid();
        let Some((walker, luggage)) = self.get_mut(agent.slot()) else { return false };
        if luggage.id != agent.id || agent.has_arrived() {
            return false;
        }
        let step = shifts.between(grid, luggage.goal, agent.goal);
        let drift = step.map(|step| walker.drift.and(step));
        let left = grid.distance(agent.cell, walker.course.goal());
        if walker.course.goal() == agent.goal {
            walker.drift = Drift::NONE;
        } else if let Some(drift) = drift.filter(|drift| !drift.is_elsewhere(left))
            && walker.course.is_known()
        {
            walker.drift = drift;
        } else {
            (walker.course, walker.drift) = (Course::to(agent.goal), Drift::NONE);
            (walker.is_going_around, luggage.is_outdated) = (false, false);
        }
        (walker.is_late, walker.gets_on) = (false, true);
        luggage.goal = agent.goal;
        luggage.progress = Progress::default();
        luggage.errand = Errand::default();
        luggage.errand.begin(agent.cell, world.tick());
        true
    }

    /// Lets the agent in a slot sleep.
    pub fn put_to_sleep(&mut self, slot: usize) {
        let place = std::mem::replace(&mut self.places[slot], NOBODY);
        if let Some(walker) = self.all.get_mut(place as usize) {
            walker.slot = NOBODY;
            self.awake -= 1;
        }
    }

    /// Puts walkers in order, if it is time.
    pub fn keep_in_order(&mut self, world: &World) {
        let is_large = self.all.len() >= LARGE;
        let is_time = world.tick().is_multiple_of(ORDER_EVERY)
            || is_large && self.all.len() > self.ordered + self.ordered / 4;
        if is_time {
            self.put_in_order(world, is_large);
        }
    }

    fn put_in_order(&mut self, world: &World, is_large: bool) {
        let Self { all, order, .. } = self;
        all.retain(|walker| walker.slot != NOBODY);
        if self.next_rank >> (RANK_BITS - 1) > 0 {
            // Ranks are given again from 0, so that they never run out. Their order in memory is free here.
            all.sort_unstable_by_key(|walker| walker.rank);
            (0..).zip(all.iter_mut()).for_each(|(rank, walker)| walker.rank = rank);
            self.next_rank = all.len() as u64;
        }
        order.clear();
        order.extend(all.iter().enumerate().map(|(at, walker)| (walker.rank, at as u32)));
        let youngest = (all.len() / OLDEST).checked_sub(1).filter(|_| is_large);
        let oldest = youngest.map_or(0, |at| order.select_nth_unstable(at).1.0);
        let (map, cells) = (Blocks::of(world.grid()), world.configuration().raw_cells());
        for (key, at) in order.iter_mut() {
            let walker = &all[*at as usize];
            let block = if walker.is_late {
                LATE
            } else if is_large && walker.rank > oldest {
                map.number(cells[walker.slot as usize])
            } else {
                FIRST
            };
            *key |= u64::from(block) << RANK_BITS;
        }
        order.sort_unstable();
        self.spare.clear();
        self.spare.extend(order.iter().map(|&(_, at)| all[at as usize]));
        std::mem::swap(all, &mut self.spare);
        for (place, walker) in all.iter().enumerate() {
            self.places[walker.slot as usize] = place as u32;
        }
        self.ordered = all.len();
        self.blocks.iter_mut().for_each(Vec::clear);
        let mut end = 0;
        (self.oldest, self.blocks_end) = (0, 0);
        let block = |key: u64| (key >> RANK_BITS) as u32;
        for group in order.chunk_by(|a, b| block(a.0) == block(b.0)) {
            let (number, first) = (block(group[0].0), end);
            end += group.len();
            match number {
                FIRST => (self.oldest, self.blocks_end) = (end, end),
                LATE => {}
                _ => {
                    let share =
                        Share { agents: (first as u32, end as u32), area: map.area(number) };
                    self.blocks[map.colour(number)].push(share);
                    self.blocks_end = end;
                }
            }
        }
    }

    /// Bytes held on the heap.
    pub fn memory(&self) -> usize {
        (self.all.capacity() + self.spare.capacity()) * size_of::<Walker>()
            + self.places.capacity() * size_of::<u32>()
            + self.luggage.capacity() * size_of::<Luggage>()
            + self.luggage.iter().map(Luggage::memory).sum::<usize>()
            + self.order.capacity() * size_of::<(Key, u32)>()
            + self.setting_out.capacity() * size_of::<(Reverse<Cost>, u32)>()
            + self.blocks.iter().map(Vec::capacity).sum::<usize>() * size_of::<Share>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_agents_that_set_out_together_the_one_with_the_longest_way_comes_first() {
        let mut world = World::new(Grid::open(9, 2).unwrap());
        let mut walkers = Walkers::default();
        walkers.resize(4);
        let send = |world: &mut World, from: u32, to: u32| {
            let [from, to] = [from, to].map(|x| world.grid().at(x, 0).unwrap());
            world.add(from, to).unwrap();
        };
        let order = |walkers: &Walkers| -> Vec<u32> {
            walkers.all.iter().map(|walker| walker.slot).collect()
        };
        for (from, to) in [(0, 2), (1, 8), (4, 0)] {
            send(&mut world, from, to);
        }
        walkers.wake_all(&world, false);
        assert_eq!((order(&walkers), walkers.woken), (vec![1, 2, 0], 3));
        send(&mut world, 8, 1);
        walkers.wake_all(&world, false);
        walkers.put_in_order(&world, false);
        assert_eq!((order(&walkers), walkers.woken), (vec![1, 2, 0, 3], 1), "it set out last");
    }

    #[test]
    fn ranks_that_would_run_out_are_given_again_in_the_same_order() {
        let mut world = World::new(Grid::open(9, 1).unwrap());
        let mut walkers = Walkers::default();
        walkers.resize(3);
        let goal = world.grid().at(8, 0).unwrap();
        for x in 0..3 {
            let cell = world.grid().at(x, 0).unwrap();
            world.add(cell, goal).unwrap();
        }
        for (slot, rank) in [(2, 5), (0, 1 << (RANK_BITS - 1)), (1, (1 << RANK_BITS) - 2)] {
            walkers.next_rank = rank;
            walkers.wake(&world.in_slot(slot).unwrap(), 0);
        }
        walkers.put_in_order(&world, false);
        let order: Vec<_> = walkers.all.iter().map(|walker| (walker.slot, walker.rank)).collect();
        assert_eq!((order, walkers.next_rank), (vec![(2, 0), (0, 1), (1, 2)], 3));
        assert_eq!([0, 1, 2].map(|slot| walkers.place(slot)), [1, 2, 0]);
    }
}
