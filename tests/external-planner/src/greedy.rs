//! An example of a planner, which uses only the public API of Jostle.

use std::collections::{HashMap, HashSet};

use jostle::planners::{Field, Planner, Recipe, Value, Work};
use jostle::{AgentId, Cell, Grid, Moves, World};

/// The parameters of the planner.
pub struct Greedy {
    /// Ticks of waiting after which an agent steps to any free cell, even away from its goal.
    pub patience: u32,
}

impl Default for Greedy {
    fn default() -> Self {
        Self { patience: 4 }
    }
}

impl Recipe for Greedy {
    fn fields(&mut self) -> Vec<Field<'_>> {
        let patience = Value::Count { value: &mut self.patience, range: 1..=1000 };
        let about = "ticks of waiting after which an agent steps to any free cell";
        vec![Field { name: "patience", about, value: patience }]
    }

    fn build(&self) -> Box<dyn Planner> {
        Box::new(GreedyPlanner { patience: self.patience, waited: HashMap::new() })
    }
}

/// Agents decide one after another, and step only onto cells where no agent stands or will stand, so that none
/// collide or swap. They take no diagonal steps, so that none cross.
struct GreedyPlanner {
    patience: u32,
    waited: HashMap<AgentId, u32>,
}

impl Planner for GreedyPlanner {
    fn plan(&mut self, world: &World, moves: &mut Moves) -> Work {
        let grid = world.grid();
        let mut taken = HashSet::new();
        for agent in world.ours().filter(|agent| agent.cell != agent.goal) {
            let far = |cell: Cell| steps_between(grid, cell, agent.goal);
            let nearest = grid
                .neighbours(agent.cell)
                .filter(|&cell| steps_between(grid, agent.cell, cell) == 1)
                .filter(|&cell| !world.is_occupied(cell) && !taken.contains(&cell))
                .min_by_key(|&cell| far(cell));
            let waited = self.waited.entry(agent.id).or_default();
            let is_accepted =
                |cell: &Cell| far(*cell) < far(agent.cell) || *waited >= self.patience;
            if let Some(cell) = nearest.filter(is_accepted) {
                moves.set(agent.id, cell);
                taken.insert(cell);
                *waited = 0;
            } else {
                *waited += 1;
            }
        }
        Work::default()
    }
}

/// Steps between two cells where there are no walls and no diagonals.
fn steps_between(grid: &Grid, a: Cell, b: Cell) -> u32 {
    let ((ax, ay), (bx, by)) = (grid.position(a), grid.position(b));
    ax.abs_diff(bx) + ay.abs_diff(by)
}
