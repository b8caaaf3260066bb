//! Landmarks: a heuristic that all agents share (a differential heuristic).
//!
//! A landmark is a cell, and its field holds the distance from it to every cell. The distances of two
//! cells to one landmark differ by at most the way between them, so the largest difference over all
//! landmarks is a lower bound of that way, and mostly a good one: it knows about walls, unlike the straight
//! line.
//!
//! Fields are made one after another, some expansions at a time, while agents already use those that are
//! there. A field whose cells are not all reached does not take part. Landmarks are placed as far from each
//! other as possible.
//!
//! Memory: four bytes for each field and cell, however many agents there are. A look-up reads two places.

use std::collections::VecDeque;

use crate::Cost;
use crate::grid::{Cell, Direction, Grid, Ways};

/// The fields made so far, and the one in the making.
#[derive(Clone, Debug, Default)]
pub struct Landmarks {
    /// How many fields to make.
    count: usize,
    /// Distances by cell and then by field, one more than the distance; 0 where it is not known. The
    /// values of a cell share a cache line.
    distances: Vec<i32>,
    /// How many fields are ready. They are the first ones.
    ready: usize,
    /// The distance of each cell to the closest landmark.
    closest: Vec<i32>,
    growing: Option<Growing>,
}

/// A field in the making: Dijkstra's algorithm. Cardinal and diagonal steps have queues of their own, in
/// each of which costs only rise, so that the next cell is at the front of one of them.
#[derive(Clone, Debug)]
struct Growing {
    cardinal: VecDeque<(Cost, Cell)>,
    diagonal: VecDeque<(Cost, Cell)>,
}

const UNREACHED: i32 = i32::MAX;

impl Landmarks {
    /// Starts anew on a map, with this many fields to make.
    pub fn begin(&mut self, grid: &Grid, count: usize) {
        let cells = grid.cells().len();
        self.count = count;
        // Fresh memory from the system is zero, and costs nothing until it is used.
        self.distances = vec![0; cells * count];
        self.closest.clear();
        self.closest.resize(cells, UNREACHED);
        self.ready = 0;
        self.growing = None;
    }

    /// Makes fields on until so many are ready, with at most `most` expansions, and says how many it made. A
    /// cell of `wanted`
    /// that no landmark reaches becomes one; then come the cells that are farthest from all landmarks.
    pub fn grow(
        &mut self,
        grid: &Grid,
        most: u64,
        fields: usize,
        wanted: &(impl Iterator<Item = Cell> + Clone),
    ) -> u64 {
        let mut expansions = 0;
        while self.ready < self.count.min(fields) && expansions < most {
            if self.growing.is_none() && !self.begin_field(grid, wanted.clone()) {
                break;
            }
            let (expanded, is_done) = self.grow_field(grid, most - expansions);
            expansions += expanded;
            if !is_done {
                break;
            }
        }
        expansions
    }

    /// A lower bound of the way between two cells, from the fields that are ready.
    pub fn bound(&self, a: Cell, b: Cell) -> Cost {
        self.bound_by(self.ready, a, b)
    }

    /// A lower bound of the way between two cells, from the first `fields` of those that are ready: for a
    /// search whose estimates must not change while it goes on.
    pub fn bound_by(&self, fields: usize, a: Cell, b: Cell) -> Cost {
        let fields = fields.min(self.ready);
        let values = |cell: Cell| {
            let at = cell.index() * self.count;
            &self.distances[at..at + fields]
        };
        let (a, b) = (values(a), values(b));
        let mut largest = 0;
        for (&a, &b) in a.iter().zip(b) {
            // A cell that the landmark does not reach says nothing.
            let is_known = i32::from(a != 0 && b != 0);
            largest = largest.max((a - b).abs() * is_known);
        }
        Cost::from_units(largest)
    }

    /// How many fields are ready.
    pub const fn ready(&self) -> usize {
        self.ready
    }

    /// Bytes these landmarks hold.
    pub fn memory(&self) -> usize {
        let growing = self.growing.as_ref().map_or(0, |growing| {
            (growing.cardinal.capacity() + growing.diagonal.capacity()) * size_of::<(Cost, Cell)>()
        });
        (self.distances.capacity() + self.closest.capacity()) * size_of::<i32>() + growing
    }

    /// Places the next landmark. Says whether there is a place for it.
    fn begin_field(&mut self, grid: &Grid, mut wanted: impl Iterator<Item = Cell>) -> bool {
        let is_reached = |cell: Cell| self.closest[cell.index()] != UNREACHED;
        let missing = wanted.find(|&cell| grid.is_floor(cell) && !is_reached(cell));
        let place = match missing {
            Some(cell) => Some(cell),
            None if self.ready == 0 => None,
            None => grid
                .floor_cells()
                .filter(|&cell| is_reached(cell))
                .max_by_key(|cell| (self.closest[cell.index()], std::cmp::Reverse(cell.index()))),
        };
        let Some(cell) = place else { return false };
        let cardinal = VecDeque::from([(Cost::ZERO, cell)]);
        self.growing = Some(Growing { cardinal, diagonal: VecDeque::new() });
        true
    }

    /// Goes on with a field. Says what it expanded, and whether the field is done.
    fn grow_field(&mut self, grid: &Grid, most: u64) -> (u64, bool) {
        let Some(mut growing) = self.growing.take() else { return (0, true) };
        let mut expansions = 0;
        while let Some((g, cell)) = growing.next() {
            let at = cell.index() * self.count + self.ready;
            if self.distances[at] != 0 {
                continue; // reached already, by a shorter way
            }
            if expansions == most {
                growing.cardinal.push_front((g, cell));
                self.growing = Some(growing);
                return (expansions, false);
            }
            expansions += 1;
            self.distances[at] = g.units() + 1;
            let closest = &mut self.closest[cell.index()];
            *closest = g.units().min(*closest);
            for way in grid.ways(cell) {
                let near = grid.beside(cell, way);
                if self.distances[near.index() * self.count + self.ready] == 0 {
                    growing.push(way, g + way.cost(), near);
                }
            }
        }
        self.ready += 1;
        (expansions, true)
    }
}

impl Growing {
    fn push(&mut self, way: Direction, g: Cost, cell: Cell) {
        let queue = if way.is_diagonal() { &mut self.diagonal } else { &mut self.cardinal };
        queue.push_back((g, cell));
    }

    fn next(&mut self) -> Option<(Cost, Cell)> {
        match (self.cardinal.front(), self.diagonal.front()) {
            (Some(cardinal), Some(diagonal)) if diagonal.0 < cardinal.0 => {
                self.diagonal.pop_front()
            }
            (Some(_), _) => self.cardinal.pop_front(),
            (None, _) => self.diagonal.pop_front(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::grid::Rules;
    use crate::search::shortest_path;

    proptest! {
        #[test]
        fn a_bound_is_never_more_than_the_way_and_exact_from_a_landmark(
            draws in prop::collection::vec(0u32..100, 18 * 18),
            walls in 0u32..45,
            slice in 1u64..90,
        ) {
            let is_floor = |x: u32, y: u32| draws[(y * 18 + x) as usize] >= walls;
            let grid = Grid::new(18, 18, Rules::default(), is_floor).unwrap();
            let floor: Vec<Cell> = grid.floor_cells().collect();
            if floor.is_empty() {
                return Ok(());
            }
            let mut landmarks = Landmarks::default();
            landmarks.begin(&grid, 4);
            for round in 0..200 {
                landmarks.grow(&grid, slice, 4, &floor.iter().copied().take(1));
                if round % 50 != 0 {
                    continue;
                }
                for &a in floor.iter().step_by(7) {
                    for &b in floor.iter().step_by(11) {
                        let bound = landmarks.bound(a, b);
                        prop_assert_eq!(bound, landmarks.bound(b, a));
                        if let Some((way, _)) = shortest_path(&grid, a, b) {
                            prop_assert!(bound <= way, "{:?} {:?}", bound, way);
                        } else {
                            prop_assert_eq!(bound, Cost::ZERO);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn landmarks_know_about_walls() {
        let drawing = "........\n.######.\n......#.\n.######.\n........";
        let grid = Grid::from_ascii(drawing).unwrap();
        let (inside, outside) = (grid.at(5, 2).unwrap(), grid.at(7, 2).unwrap());
        let mut landmarks = Landmarks::default();
        landmarks.begin(&grid, 3);
        landmarks.grow(&grid, u64::MAX, 3, &[inside].into_iter());
        let (way, _) = shortest_path(&grid, inside, outside).unwrap();
        assert!(
            landmarks.bound(inside, outside)
                > grid.distance(inside, outside) + grid.distance(inside, outside)
        );
        assert!(landmarks.bound(inside, outside) <= way);
        assert_eq!(landmarks.ready(), 3);
    }
}
