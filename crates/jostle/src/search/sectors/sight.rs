//! Plain sight: a goal that is near and straight ahead needs neither a route nor a field.

use super::heading::Heading;
use super::layout::SIDE;
use crate::grid::{Direction, Directions, Exits, Grid, Neighbours, Place};

/// How far an agent looks, in cells: twice a sector. Looking that far costs as much as a few lookups.
const SIGHT: i32 = 2 * SIDE;

/// Whether a short path of only a diagonal and a straight part leads from one place to another, the diagonal part first.
/// No path is shorter, and every step of it that [`heading`] ranks first leads on along it.
pub fn is_clear(grid: &Grid, mut place: Place, goal: Place) -> bool {
    if (goal.x - place.x).abs().max((goal.y - place.y).abs()) > SIGHT {
        return false;
    }
    let ahead = |place: Place| {
        Direction::of_delta((goal.x - place.x).signum(), (goal.y - place.y).signum())
    };
    while let Some(step) = ahead(place) {
        if !grid.exits(place.cell).contains(step) {
            return false;
        }
        place = place.beside(grid, step);
    }
    true
}

/// The steps from a place that sees its goal, ranked by straight lines.
pub fn heading(grid: &Grid, place: Place, goal: Place) -> Heading {
    let neighbours = grid.rules().neighbours;
    let distance = |from: Place| from.distance(goal, neighbours).units() as u32;
    let steps = grid.exits(place.cell).into_iter();
    let steps = steps.map(|step| (step, distance(place.beside(grid, step))));
    Heading::rank(distance(place), steps)
}

/// The same for a place from which the best step by a straight line is possible, without comparing all steps. None if that
/// step is not possible, or on the goal.
pub fn straight(grid: &Grid, place: Place, goal: Place) -> Option<Heading> {
    let exits = grid.exits(place.cell);
    let (dx, dy) = (goal.x - place.x, goal.y - place.y);
    let best =
        Direction::of_delta(dx.signum(), dy.signum()).filter(|&best| exits.contains(best))?;
    if grid.rules().neighbours == Neighbours::Four {
        return Some(heading(grid, place, goal));
    }
    let (far_x, far_y) = (dx.abs(), dy.abs());
    let (x, y) = (dx.signum(), dy.signum());
    let step = |dx, dy| Direction::of_delta(dx, dy).unwrap_or(best);
    let first = |a: Direction, b: Direction| a.min(b);
    let second = match (x, y) {
        (_, 0) => first(step(x, -1), step(x, 1)),
        (0, _) => first(step(-1, y), step(1, y)),
        _ if far_x == far_y => first(step(x, 0), step(0, y)),
        _ if far_x > far_y => step(x, 0),
        _ => step(0, y),
    };
    let mut closer: Directions = [best, step(x, 0), step(0, y)].into_iter().collect();
    // A step that leads on along the longer side comes closer even if it leads away on the other.
    if far_x >= far_y + 2 {
        [step(x, -1), step(x, 1)].into_iter().for_each(|step| closer.insert(step));
    }
    if far_y >= far_x + 2 {
        [step(-1, y), step(1, y)].into_iter().for_each(|step| closer.insert(step));
    }
    // Between a diagonal and a straight part, the order does not matter.
    let is_tie = x != 0 && y != 0 && far_x != far_y;
    Some(Heading::of(best, (second, is_tie), closer, exits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_is_seen_past_walls_that_are_not_in_between_and_the_best_steps_lead_there() {
        let grid = Grid::from_ascii("......#.\n.....#..\n........\n.#......").unwrap();
        let place = |x, y| Place::of(&grid, grid.at(x, y).unwrap());
        assert!(!is_clear(&grid, place(0, 0), place(7, 0)), "a wall is in between");
        assert!(!is_clear(&grid, place(0, 2), place(1, 3)) && !grid.is_floor(place(1, 3).cell));
        let (mut at, goal) = (place(0, 0), place(7, 2));
        assert!(is_clear(&grid, at, goal));
        for _ in 0..7 {
            at = at.beside(&grid, heading(&grid, at, goal).best().unwrap());
        }
        assert_eq!(at, goal);
    }

    #[test]
    fn ranking_without_comparing_is_the_same() {
        let grid = Grid::open(20, 20).unwrap();
        let place = |x, y| Place::of(&grid, grid.at(x, y).unwrap());
        let from = place(10, 10);
        for (x, y) in (1..19).flat_map(|x| (1..19).map(move |y| (x, y))) {
            let ranked = Some(heading(&grid, from, place(x, y)));
            let expected = ranked.filter(|heading| heading.best().is_some());
            assert_eq!(straight(&grid, from, place(x, y)), expected, "to ({x}, {y})");
        }
    }

    #[test]
    fn a_goal_far_away_is_not_looked_for() {
        let grid = Grid::open(200, 1).unwrap();
        let place = |x| Place::of(&grid, grid.at(x, 0).unwrap());
        assert!(is_clear(&grid, place(0), place(64)));
        assert!(!is_clear(&grid, place(0), place(65)));
    }
}
