//! Corridors with few loops.

use super::canvas::{Canvas, Rect};
use super::dice::Dice;

/// The width of corridors in cells, on maps that have room for it.
const CORRIDOR: i32 = 8;
/// The thickness of walls between them. Some walls are one cell thicker, so that the lanes fill the map.
const WALL: i32 = 2;
/// Maps with a shorter side than this have narrower corridors and thin walls.
const SHORTEST_SIDE_FOR_FULL_WIDTH: i32 = 64;
/// The percentage of steps in which the maze grows from the junction that was added last. In the others it
/// grows a branch somewhere else, which keeps corridors from becoming too long.
const KEEP_GOING: u32 = 85;
/// The percentage of junctions that get an opening that makes a loop.
const LOOPS: i32 = 4;

pub(super) fn draw(width: u32, height: u32, dice: &mut Dice) -> Canvas {
    let mut canvas = Canvas::walled(width, height);
    let side = canvas.bounds().shorter_side();
    let (corridor, wall) = if side >= SHORTEST_SIDE_FOR_FULL_WIDTH {
        (CORRIDOR, WALL)
    } else {
        ((side / 10).max(1), 1)
    };
    let columns = lanes(width as i32, corridor, wall, dice);
    let rows = lanes(height as i32, corridor, wall, dice);
    let junction =
        |(column, row): (usize, usize)| Rect::new(columns[column], rows[row], corridor, corridor);
    for (from, to) in passages(columns.len(), rows.len(), dice) {
        let (from, to) = (junction(from.min(to)), junction(from.max(to)));
        canvas.carve(Rect::new(from.x, from.y, to.right() - from.x, to.bottom() - from.y));
    }
    canvas.carve(junction((0, 0)));
    canvas
}

/// Where parallel corridors begin: as many as fit, and the cells that are left over make some walls
/// one cell thicker.
fn lanes(length: i32, corridor: i32, wall: i32, dice: &mut Dice) -> Vec<i32> {
    let count = ((length - wall) / (corridor + wall)).max(1);
    let spare = length - count * (corridor + wall) - wall;
    let mut walls = vec![wall; count as usize + 1];
    let mut order: Vec<usize> = (0..walls.len()).collect();
    dice.shuffle(&mut order);
    order.iter().take(spare as usize).for_each(|&thicker| walls[thicker] += 1);
    // Only on a small map are more cells left over than there are walls; its rim takes them.
    walls[0] += (spare - walls.len() as i32).max(0) / 2;
    let mut begin = 0;
    let ends = walls[..count as usize].iter().enumerate();
    ends.map(|(lane, wall)| {
        begin += wall + if lane > 0 { corridor } else { 0 };
        begin
    })
    .collect()
}

type Junction = (usize, usize);

/// The openings between neighbouring junctions: a tree that spans all of them, and a few more.
fn passages(columns: usize, rows: usize, dice: &mut Dice) -> Vec<(Junction, Junction)> {
    let neighbours = |(column, row): Junction| {
        let west = (column > 0).then(|| (column - 1, row));
        let north = (row > 0).then(|| (column, row - 1));
        let east = (column + 1 < columns).then_some((column + 1, row));
        let south = (row + 1 < rows).then_some((column, row + 1));
        [north, east, south, west].into_iter().flatten()
    };
    let mut passages = Vec::new();
    let mut is_reached = vec![false; columns * rows];
    let mut growing = vec![(columns / 2, rows / 2)];
    is_reached[rows / 2 * columns + columns / 2] = true;
    while let Some(last) = growing.len().checked_sub(1) {
        let at = if dice.chance(KEEP_GOING) { last } else { dice.between(0, last as i32) as usize };
        let from = growing[at];
        let fresh: Vec<_> =
            neighbours(from).filter(|&(x, y)| !is_reached[y * columns + x]).collect();
        if fresh.is_empty() {
            growing.swap_remove(at);
            continue;
        }
        let to = dice.pick(&fresh);
        is_reached[to.1 * columns + to.0] = true;
        passages.push((from, to));
        growing.push(to);
    }
    for _ in 0..(columns * rows) as i32 * LOOPS / 100 {
        let from = (
            dice.between(0, columns as i32 - 1) as usize,
            dice.between(0, rows as i32 - 1) as usize,
        );
        let around: Vec<_> = neighbours(from).collect();
        passages.push((from, dice.pick(&around)));
    }
    passages
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levels::Level;

    #[test]
    fn corridors_are_eight_wide_and_walls_two_or_three() {
        for side in [64, 100, 511, 512, 513] {
            let mut dice = Dice::new(Level::Maze, side, side, 1);
            let lanes = lanes(side as i32, CORRIDOR, WALL, &mut dice);
            let steps = lanes.windows(2).map(|pair| pair[1] - pair[0] - CORRIDOR);
            let last = side as i32 - lanes[lanes.len() - 1] - CORRIDOR;
            for wall in steps.chain([lanes[0], last]) {
                assert!((2..=3).contains(&wall), "a wall of {wall} cells at side {side}");
            }
        }
    }

    #[test]
    fn passages_are_a_spanning_tree_and_a_few_loops() {
        let mut dice = Dice::new(Level::Maze, 512, 512, 7);
        let passages = passages(20, 15, &mut dice);
        assert_eq!(passages.len(), 299 + 300 * LOOPS as usize / 100);
    }
}
