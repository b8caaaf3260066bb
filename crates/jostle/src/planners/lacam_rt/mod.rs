//! Real-Time LaCAM (Liang, Veerapaneni, Harabor, Li and Likhachev): one search over whole configurations, which goes on while agents walk.
//!
//! In every tick the search of [LaCAM](crate::solvers::lacam) goes on by a number of iterations, from where it stopped in the tick before.
//! Then the crowd takes one step along the tree of the configurations that were found: towards the one in which everybody has arrived if it
//! was found, and otherwise towards the one that was looked at last. The configuration in which the crowd stands becomes the root of the tree. So the
//! crowd acts after a few iterations, but nothing that the search has found out is lost.
//!
//! It promises legal moves. It is complete: if there is a plan from where the crowd stands, everybody arrives, and then stays, as long as the game leaves the
//! crowd alone, the memory lasts, and nobody stands on a cell that has turned into a wall. That takes as many ticks as the search
//! needs, which on hard problems is as good as for ever. It does not promise short paths: with few iterations in a tick, the
//! crowd walks to and fro as the search does. If it is found out that there is no plan, the crowd goes to
//! the configuration that is nearest to the goals, and stays there.
//!
//! Agents that share a goal, or cannot reach theirs, are treated as by [planners that follow solvers](super::solved): one has the goal and
//! the others come close to it; one that cannot reach its goal stays where it is, and makes room.
//!
//! Parameters:
//! - `iterations`: how many steps of the search are made in a tick, each of which generates one successor at most;
//! - `budget`: the most expansions in a tick, counted as in [LaCAM](crate::solvers::lacam), with the tables of distances. Work that takes more is paid for in
//!   the next ticks; until then, agents go on along the tree as far as it leads, and wait if there is none yet;
//! - `swap`: the swap rule of PIBT;
//! - `seed`: decides between equally good moves;
//! - `memory`: the most megabytes of [nominal bytes](crate::Budget::with_memory) that the search
//!   may hold. When they are full, the tree is forgotten and a new search begins from where the
//!   crowd stands, which is no longer complete. If the tables of distances take more than half of
//!   them, agents do not move.
//!
//! Cost per tick: `iterations` steps of PIBT of the whole crowd, and one look at each configuration on the path. Before the first step, a breadth-first search for each
//! agent, as far as its start. When the floor or the set of agents has changed, a look at every cell, which the budget does not limit, and all tables again.
//!
//! What begins a new search:
//! - another goal: the distances of all other agents stay known;
//! - an agent that is placed elsewhere, unless the new configuration is in the tree;
//! - an agent that joins or leaves, and any edit of the floor;
//! - a foreign agent that stands where somebody is about to go. To a search, foreign agents are walls where they stood when it began. Where they have gone away since,
//!   that is noticed only if there is no plan, or agents cannot reach their goals otherwise.
//!
//! Departures from the paper: those of [LaCAM](crate::solvers::lacam), and a bound in iterations or expansions instead of milliseconds, so that runs can
//! be reproduced.

mod joint;

use super::news::{Followed, MapNews};
use super::{Field, Planner, Recipe, Value, Work};
use crate::grid::Cell;
use crate::registry::within_ranges;
use crate::search::Budget;
use crate::world::{Agent, Moves, World};
use joint::Joint;

/// The parameters of Real-Time LaCAM.
///
/// ```
/// use jostle::planners::{LacamRt, Recipe};
/// use jostle::{Grid, Simulation, World};
///
/// // Two agents change places in a corridor with a bay.
/// let mut world = World::new(Grid::from_ascii(".....\n##.##")?);
/// let [west, east] = [0, 4].map(|x| world.grid().at(x, 0).unwrap());
/// world.add(west, east)?;
/// world.add(east, west)?;
/// let mut planner = LacamRt::default().build();
/// Simulation::new(&mut world, planner.as_mut()).run()?;
/// assert!(world.have_all_arrived());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LacamRt {
    /// How many steps of the search are made in a tick. At least 1. Default: `10`, our choice: the paper counts milliseconds.
    pub iterations: u32,
    /// The most expansions in a tick, the tables of distances included. Default: `unlimited`, our choice: `iterations` bounds the work.
    pub budget: Option<u32>,
    /// Whether agents that meet in a corridor look for a place to change sides. Default: `true`, our choice; the rule is LaCAM's.
    pub swap: bool,
    /// Decides between equally good moves. Default: `0`; any number does.
    pub seed: u32,
    /// The most that the search may hold, in megabytes of
    /// [nominal bytes](crate::Budget::with_memory). Default: `1024`, our choice.
    pub memory: u32,
}

impl Default for LacamRt {
    fn default() -> Self {
        Self { iterations: 10, budget: None, swap: true, seed: 0, memory: 1024 }
    }
}

impl Recipe for LacamRt {
    fn fields(&mut self) -> Vec<Field<'_>> {
        let field = |name, about, value| Field { name, about, value };
        vec![
            field(
                "iterations",
                "how many steps of the search are made in a tick",
                Value::Count { value: &mut self.iterations, range: 1..=100_000 },
            ),
            Field::budget(&mut self.budget),
            field(
                "swap",
                "agents that meet in a corridor look for a place to change sides",
                Value::Flag(&mut self.swap),
            ),
            field(
                "seed",
                "decides between equally good moves",
                Value::Count { value: &mut self.seed, range: 0..=u32::MAX },
            ),
            field(
                "memory",
                "the most that the search may hold, in megabytes as counted by its entries",
                Value::Count { value: &mut self.memory, range: 1..=1 << 20 },
            ),
        ]
    }

    fn build(&self) -> Box<dyn Planner> {
        Box::new(LacamRtPlanner::new(*self))
    }
}

/// The planner that runs Real-Time LaCAM.
#[derive(Clone, Debug)]
pub struct LacamRtPlanner {
    options: LacamRt,
    followed: Followed,
    /// The search; none if it has to begin.
    joint: Option<Box<Joint>>,
}

impl LacamRtPlanner {
    /// A planner that has not seen a world yet. A number that is out of its range is taken as the nearest one that is
    /// allowed.
    pub fn new(options: LacamRt) -> Self {
        let options = within_ranges(options);
        Self { options, followed: Followed::default(), joint: None }
    }

    /// Takes account of what the game has changed.
    fn follow(&mut self, world: &World) {
        if self.followed.is_another(world) {
            *self = Self::new(self.options);
        }
        let has_new_floor = self.followed.map(world) != MapNews::Same;
        let mut has_new_errands = false;
        self.followed.agents(world, |_, _| has_new_errands = true);
        if let Some(joint) = &mut self.joint
            && (has_new_floor || !joint.follow(world, has_new_errands))
        {
            self.joint = None;
        }
    }
}

impl Planner for LacamRtPlanner {
    fn plan(&mut self, world: &World, moves: &mut Moves) -> Work {
        self.follow(world);
        let mut budget = Budget::of_option(self.options.budget);
        let mut iterations = self.options.iterations;
        loop {
            let is_new = self.joint.is_none();
            let joint = self.joint.get_or_insert_with(|| Joint::begin(world, &self.options));
            joint.work(&mut iterations, &mut budget);
            // To a new search, all foreign agents are walls.
            if is_new || !joint.is_obstructed(world) {
                joint.propose(moves);
                return budget.work();
            }
            self.joint = None;
        }
    }

    fn wish(&self, agent: &Agent) -> Option<Cell> {
        self.followed.knows(agent).then(|| self.joint.as_ref()?.wish(agent))?
    }

    fn try_clone(&self) -> Option<Box<dyn Planner>> {
        Some(Box::new(self.clone()))
    }

    fn memory(&self) -> usize {
        size_of::<Self>()
            + self.followed.memory()
            + self.joint.as_ref().map_or(0, |joint| size_of::<Joint>() + joint.memory())
    }
}

#[cfg(test)]
#[path = "lacam_rt_test.rs"]
mod tests;
