//! [Real-time heuristic search](crate::search::Lrta) in a world: for one agent, or for a few who seldom meet.
//!
//! Every agent learns and steps by itself, one after the other. To it, agents beside it are walls at that moment; if it cannot step
//! anywhere, it waits.
//!
//! It promises legal moves, and the same work for every step on every map. Agents who want to pass each other in a corridor never do, and
//! what they learn from standing in each other's way is wrong when the other one is gone.
//!
//! Memory: for each agent eight bytes for each cell of the tiles of 8x8 cells that it has been in or beside. An edit of the map makes all
//! agents forget what they have learned: cells that were removed may be needed now.

use super::news::{Followed, MapNews};
use super::{Field, Planner, Recipe, Value, Work};
use crate::grid::{Directions, Exits};
use crate::registry::{choice, within_ranges};
use crate::search::{Budget, Learning, Lrta, LrtaSearch};
use crate::world::{Agent, Draft, Moves, World};

choice!(Learning { Min = "min", Mean = "avg", Median = "median", Max = "max" });

impl Recipe for Lrta {
    fn fields(&mut self) -> Vec<Field<'_>> {
        let field = |name, about, value| Field { name, about, value };
        vec![
            field(
                "w",
                "what the learned estimate is multiplied by",
                Value::Real { value: &mut self.w, range: 1.0..=10.0 },
            ),
            field(
                "wc",
                "what the cost of a step is multiplied by where it is learned from",
                Value::Real { value: &mut self.wc, range: 1.0..=10.0 },
            ),
            field(
                "b",
                "fraction of neighbours to learn from, best first",
                Value::Real { value: &mut self.b, range: 0.0..=1.0 },
            ),
            field(
                "lop",
                "how to make one value of what neighbours say",
                Value::Name(&mut self.lop),
            ),
            field(
                "da",
                "avoid neighbours for which more was learned than for others",
                Value::Flag(&mut self.da),
            ),
            field(
                "expendable",
                "never come back to cells that are not needed",
                Value::Flag(&mut self.expendable),
            ),
        ]
    }

    fn build(&self) -> Box<dyn Planner> {
        Box::new(LrtaPlanner { options: within_ranges(*self), ..LrtaPlanner::default() })
    }
}

/// The planner that runs real-time heuristic search for every agent.
#[derive(Clone, Debug, Default)]
pub struct LrtaPlanner {
    options: Lrta,
    followed: Followed,
    /// By slot.
    searches: Vec<LrtaSearch>,
    draft: Draft,
}

impl LrtaPlanner {
    /// Takes account of what the game has changed.
    fn follow(&mut self, world: &World) {
        if self.followed.is_another(world) {
            *self = Self { options: self.options, ..Self::default() };
        }
        let Self { followed, searches, .. } = self;
        searches.resize_with(world.slots(), LrtaSearch::default);
        let mut begin = |agent: Agent| searches[agent.slot()].begin(world.grid(), agent.goal);
        if followed.map(world) != MapNews::Same {
            world.ours_from(0).for_each(&mut begin);
        }
        followed.agents(world, |_, agent| agent.into_iter().for_each(&mut begin));
    }
}

impl Planner for LrtaPlanner {
    fn plan(&mut self, world: &World, moves: &mut Moves) -> Work {
        self.follow(world);
        self.draft.begin(world);
        let mut budget = Budget::unlimited();
        for agent in world.ours_from(0).filter(|agent| !agent.has_arrived()) {
            let mut exits = Directions::NONE;
            for direction in world.grid().exits(agent.cell) {
                if self.draft.is_free(world, moves, &agent, direction) {
                    exits.insert(direction);
                }
            }
            budget.count_search();
            budget.spend(1);
            let search = &mut self.searches[agent.slot()];
            if let Some(to) = search.step(world.grid(), &self.options, agent.cell, exits) {
                self.draft.step(world, moves, &agent, to);
            }
        }
        budget.work()
    }

    fn try_clone(&self) -> Option<Box<dyn Planner>> {
        Some(Box::new(self.clone()))
    }

    fn memory(&self) -> usize {
        size_of::<Self>()
            + self.searches.iter().map(LrtaSearch::memory).sum::<usize>()
            + self.searches.capacity() * size_of::<LrtaSearch>()
            + self.draft.memory()
            + self.followed.memory()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Grid;
    use crate::instance::{Instance, Reach};
    use crate::simulate::tick;

    /// In a world, an agent that is alone walks as the search does without one.
    #[test]
    fn an_agent_alone_walks_as_without_a_world() {
        let grid = Grid::from_ascii("..#....\n.....#.\n.###.#.\n...#.#.\n.#.#...").unwrap();
        let ends = (grid.at(2, 4).unwrap(), grid.at(4, 3).unwrap());
        for lrta in [
            Lrta::default(),
            Lrta { w: 3.0, lop: Learning::Mean, b: 0.5, ..Lrta::default() },
            Lrta { da: true, expendable: true, ..Lrta::default() },
        ] {
            let mut path = vec![ends.0];
            let walk = LrtaSearch::default().walk(&grid, ends, &lrta, 1000, |cell| path.push(cell));
            assert!(walk.has_arrived);
            let instance = Instance::new(grid.clone(), vec![ends], Reach::Required).unwrap();
            let mut world = instance.world();
            let mut planner = lrta.build();
            let (mut moves, mut walked) = (Moves::default(), vec![ends.0]);
            for _ in 0..walk.moves {
                tick(&mut world, planner.as_mut(), &mut moves).unwrap();
                walked.push(world.ours_from(0).next().unwrap().cell);
            }
            assert_eq!(walked, path, "{lrta:?}");
        }
    }
}
