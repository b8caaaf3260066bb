//! Problems for one agent each.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::Task;
use super::kinds::{DrawError, walkable};
use crate::grid::{Cell, Components, Grid};

/// Draws `count` independent problems: starts and goals may repeat, and each goal is a different cell that
/// can be reached from its start. The same arguments give the same problems everywhere.
///
/// # Errors
/// When `count` is 0, or the map has no cell from which a step can be taken.
pub fn draw_single(grid: &Grid, count: usize, seed: u64) -> Result<Vec<Task>, DrawError> {
    let components = Components::of(grid);
    let (mut starts, mut pieces) = (Vec::new(), vec![Vec::new(); components.count()]);
    for (cell, label) in walkable(grid, &components) {
        starts.push((cell, label));
        pieces[label].push(cell);
    }
    if count == 0 {
        return Err(DrawError::NoAgents);
    }
    if starts.is_empty() {
        return Err(DrawError::TooMany { agents: count, room: 0 });
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let problem = |_| {
        let (start, label) = starts[rng.random_range(0..starts.len() as u32) as usize];
        (start, other_than(start, &pieces[label], &mut rng))
    };
    Ok((0..count).map(problem).collect())
}

/// Any other cell of a piece, all with equal probability. Pieces are sorted and have at least two cells.
fn other_than(start: Cell, piece: &[Cell], rng: &mut ChaCha8Rng) -> Cell {
    let others = piece.len() as u32 - 1;
    let drawn = rng.random_range(0..others) as usize;
    // The last cell takes the place of the start, which is not to be drawn.
    if piece[drawn] == start { piece[piece.len() - 1] } else { piece[drawn] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_other_cells_in_reach() {
        let grid = Grid::from_ascii("..#.\n.##.\n#.#.").unwrap();
        let tasks = draw_single(&grid, 500, 7).unwrap();
        let components = Components::of(&grid);
        assert!(tasks.iter().all(|&(a, b)| a != b && components.connected(a, b)));
        let lone = grid.at(1, 2).unwrap();
        assert!(tasks.iter().all(|&(start, goal)| start != lone && goal != lone));
        // Two pieces of three cells: six pairs in each.
        let distinct: std::collections::HashSet<_> = tasks.iter().collect();
        assert_eq!(distinct.len(), 12);
        assert_eq!(draw_single(&grid, 500, 7).unwrap(), tasks);
        assert_ne!(draw_single(&grid, 500, 8).unwrap(), tasks);
    }

    #[test]
    fn a_map_without_a_step_is_refused() {
        let grid = Grid::from_ascii(".#.").unwrap();
        assert_eq!(draw_single(&grid, 3, 1), Err(DrawError::TooMany { agents: 3, room: 0 }));
        assert_eq!(draw_single(&grid, 0, 1), Err(DrawError::NoAgents));
    }
}
