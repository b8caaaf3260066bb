//! Which of the cells around it an agent prefers that knows how far they are from its goal.
//!
//! Among cells that are equally near to its goal, it prefers one on which nobody stands, and of those one from which more steps lead
//! nearer to the goal, so that it will have a choice again. It does so only while it is [getting on](super::Progress): crowds in which all
//! agents keep making the same choices lock. Otherwise, and among what is still equal, chance decides.

use std::cmp::Ordering;

use super::choices::Choices;
use crate::grid::{Cell, Grid};
use crate::world::Configuration;

/// The distances from cells to the goal of an agent, all less than 2^48.
pub(crate) trait Far {
    /// The distance of a cell. What is not known yet may be found out.
    fn find(&mut self, cell: Cell) -> u64;

    /// The same, if it is known already.
    fn known(&self, cell: Cell) -> Option<u64>;
}

/// The most neighbours that a cell can have.
const MOST_WAYS: u64 = 8;

impl Choices {
    /// All cells on which an agent that stands `here` could stand next, the one that it prefers first. `is_getting_on` is given its
    /// distance, and `bits` are the chance.
    pub(crate) fn by_distance(
        grid: &Grid,
        (now, here): (&Configuration, Cell),
        far: &mut impl Far,
        is_getting_on: impl FnOnce(u64) -> bool,
        bits: u64,
    ) -> Self {
        let mut distances = [u64::MAX; 9];
        let (mut count, mut nearest, mut ties) = (0, u64::MAX, 0);
        for cell in grid.neighbours(here).chain([here]) {
            let distance = far.find(cell);
            match distance.cmp(&nearest) {
                Ordering::Less => (nearest, ties) = (distance, 0),
                Ordering::Equal => ties += 1,
                Ordering::Greater => {}
            }
            distances[count] = distance;
            count += 1;
        }
        let prefers_free = is_getting_on(distances[count - 1]);
        let compares_ways = prefers_free && ties > 0;
        Self::by_key(
            grid,
            here,
            |_| true,
            |cell, index| {
                let distance = distances[index as usize];
                let is_taken = prefers_free && cell != here && now.is_occupied(cell);
                let ways_on = if compares_ways && distance == nearest {
                    ways_on(grid, far, cell, distance)
                } else {
                    0
                };
                // Seven random bits for each of nine cells, then the index, which breaks the remaining ties.
                let random = (bits >> (index * 7) & 0x7f) << 4 | u64::from(index);
                distance << 16 | u64::from(is_taken) << 15 | (MOST_WAYS - ways_on) << 11 | random
            },
        )
    }
}

/// From a cell at this distance, how many steps lead nearer to the goal. A search from the goal knows the distances of all cells to which
/// they lead.
fn ways_on(grid: &Grid, far: &impl Far, cell: Cell, distance: u64) -> u64 {
    let is_nearer = |near: &Cell| far.known(*near).is_some_and(|far| far < distance);
    grid.neighbours(cell).filter(is_nearer).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Neighbours, Rules};

    /// Straight lines to the last cell of an open floor.
    struct Corner<'a>(&'a Grid);

    impl Far for Corner<'_> {
        fn find(&mut self, cell: Cell) -> u64 {
            let (x, y) = self.0.position(cell);
            u64::from(4 - x + 4 - y)
        }

        fn known(&self, cell: Cell) -> Option<u64> {
            Some(Self(self.0).find(cell))
        }
    }

    #[test]
    fn free_cells_come_first_then_those_with_more_ways_on_and_chance_for_who_is_not_getting_on() {
        let rules = Rules { neighbours: Neighbours::Four, ..Rules::default() };
        let grid = Grid::open(5, 5).unwrap().with_rules(rules);
        let at = |(x, y)| grid.at(x, y).unwrap();
        let best = |here, other, is_getting_on, bits| {
            let now = Configuration::of(&grid, [here, other].map(at)).unwrap();
            let far = &mut Corner(&grid);
            let choices =
                Choices::by_distance(&grid, (&now, at(here)), far, |_| is_getting_on, bits);
            choices.get(0).map(|cell| grid.position(cell)).unwrap()
        };
        // East and south are equally near. By chance, the second of the neighbours (east) comes after the third (south).
        let south = 0x7f << 7;
        assert_eq!(best((1, 1), (4, 4), true, 0), (2, 1));
        assert_eq!(best((1, 1), (4, 4), true, south), (1, 2));
        assert_eq!(best((1, 1), (1, 2), true, south), (2, 1), "a free cell");
        assert_eq!(best((1, 1), (1, 2), false, south), (1, 2), "chance");
        // On the last column only one step leads on.
        assert_eq!(best((3, 1), (4, 4), true, 0), (3, 2), "more ways on");
        assert_eq!(best((3, 1), (3, 2), true, 0), (4, 1), "a free cell is better than ways on");
        assert_eq!(best((3, 1), (4, 4), false, 0), (4, 1), "chance");
    }
}
