//! Plain sight: a goal that is near and straight ahead needs neither a route nor a field.

use super::heading::Heading;
use super::layout::SIDE;
use crate::grid::{Direction, Exits, Grid, Place};

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
    fn a_goal_far_away_is_not_looked_for() {
        let grid = Grid::open(200, 1).unwrap();
        let place = |x| Place::of(&grid, grid.at(x, 0).unwrap());
        assert!(is_clear(&grid, place(0), place(64)));
        assert!(!is_clear(&grid, place(0), place(65)));
    }
}
