//! A quick look at whether agents can pass each other at all.

use crate::grid::{Cell, Components, Exits, Grid};
use crate::instance::Instance;

/// Whether it is plain that there is no plan: a goal cannot be reached, or agents in a corridor without a bay, or in a ring, would
/// have to change their order. There are other instances without a plan, which this does not see.
pub fn is_impossible(instance: &Instance) -> bool {
    let (grid, tasks) = (instance.grid(), instance.tasks());
    let components = Components::of(grid);
    // An agent may stand on a cell that has turned into a wall, and step out or stay.
    let can_arrive =
        |&(start, goal): &(Cell, Cell)| start == goal || components.reaches(grid, start, goal);
    if !tasks.iter().all(can_arrive) {
        return true;
    }
    let mut is_seen = vec![false; components.count()];
    tasks.iter().any(|&(start, _)| {
        let Some(label) = components.label(start) else { return false };
        if std::mem::replace(&mut is_seen[label], true) {
            return false;
        }
        chain(grid, start).is_some_and(|chain| !keeps_order(&chain, tasks))
    })
}

/// The cells of a corridor or a ring.
struct Chain {
    cells: Vec<Cell>,
    is_ring: bool,
}

/// The chain that a cell belongs to, if no cell that can be reached from it has more than two neighbours.
fn chain(grid: &Grid, from: Cell) -> Option<Chain> {
    let has_more = |cell: Cell| grid.exits(cell).into_iter().count() > 2;
    if has_more(from) {
        return None;
    }
    let mut cells = vec![from];
    for first in grid.neighbours(from).collect::<Vec<_>>() {
        let (mut before, mut cell) = (from, first);
        loop {
            if cell == from {
                return Some(Chain { cells, is_ring: true });
            }
            if has_more(cell) {
                return None;
            }
            cells.push(cell);
            let Some(next) = grid.neighbours(cell).find(|&next| next != before) else { break };
            (before, cell) = (cell, next);
        }
        cells.reverse();
    }
    Some(Chain { cells, is_ring: false })
}

/// Whether the agents on a chain have their starts and goals in the same order; in a ring, one may be turned.
fn keeps_order(chain: &Chain, tasks: &[(Cell, Cell)]) -> bool {
    let order = |cell_of: fn(&(Cell, Cell)) -> Cell| -> Vec<usize> {
        let on = |cell: &Cell| tasks.iter().position(|task| cell_of(task) == *cell);
        chain.cells.iter().filter_map(on).collect()
    };
    let (starts, mut goals) = (order(|task| task.0), order(|task| task.1));
    if chain.is_ring {
        let first = goals.iter().position(|agent| starts.first() == Some(agent));
        goals.rotate_left(first.unwrap_or(0));
    }
    starts == goals
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::instance::Reach;
    use crate::solvers::Objective;
    use crate::solvers::testing::{joint_optimum, small};

    fn is_impossible_on(drawing: &str, tasks: &[[(u32, u32); 2]]) -> bool {
        let grid = Grid::from_ascii(drawing).unwrap();
        let at = |(x, y)| grid.at(x, y).unwrap();
        let tasks = tasks.iter().map(|&[start, goal]| (at(start), at(goal))).collect();
        is_impossible(&Instance::new(grid, tasks, Reach::Optional).unwrap())
    }

    #[test]
    fn agents_in_a_corridor_cannot_change_places() {
        let swap = [[(0, 0), (3, 0)], [(3, 0), (0, 0)]];
        assert!(is_impossible_on("....", &swap));
        assert!(!is_impossible_on("....\n#.##", &swap), "there is a bay");
        assert!(!is_impossible_on("....", &[[(0, 0), (2, 0)], [(1, 0), (3, 0)]]));
        assert!(is_impossible_on("..#.", &[[(0, 0), (3, 0)]]), "out of reach");
    }

    #[test]
    fn agents_in_a_ring_keep_their_order_but_may_turn() {
        let ring = "...\n.#.\n...";
        let [a, b, c] = [(0, 0), (2, 0), (2, 2)];
        assert!(!is_impossible_on(ring, &[[a, b], [b, c], [c, a]]));
        assert!(is_impossible_on(ring, &[[a, b], [b, a], [c, c]]));
        assert!(!is_impossible_on(ring, &[[a, b], [b, a]]), "two can always turn");
    }

    #[test]
    fn what_is_called_impossible_is_impossible() {
        let mut dice = ChaCha8Rng::seed_from_u64(9);
        let mut found = [0; 2];
        for _ in 0..600 {
            let Some(instance) = small(&mut dice) else { continue };
            if joint_optimum(&instance, Objective::Makespan).is_none() {
                found[usize::from(is_impossible(&instance))] += 1;
            } else {
                assert!(!is_impossible(&instance), "{instance:?}");
            }
        }
        assert!(found[1] > 50 && found[1] > found[0], "{found:?}");
    }
}
