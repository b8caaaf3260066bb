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
//! A search asks the few fields that say most about its start and its goal, not all of them. Each field lies
//! in memory by itself, so that the places a search asks about next to each other share cache lines.
//!
//! Memory: four bytes for each field and cell, however many agents there are.

use std::cmp::Reverse;
use std::collections::VecDeque;

use crate::Cost;
use crate::grid::{Cell, Direction, Grid, Ways};

/// The fields made so far, and the one in the making.
#[derive(Clone, Debug, Default)]
pub struct Landmarks {
    /// How many fields to make.
    count: usize,
    /// The fields that are ready: by cell, one more than the distance; 0 where the landmark does not reach.
    fields: Vec<Vec<i32>>,
    /// The distance of each cell to the closest landmark.
    closest: Vec<i32>,
    growing: Option<Growing>,
}

/// A field in the making: Dijkstra's algorithm. Cardinal and diagonal steps have queues of their own, in
/// each of which costs only rise, so that the next cell is at the front of one of them.
#[derive(Clone, Debug)]
struct Growing {
    distances: Vec<i32>,
    cardinal: VecDeque<(Cost, Cell)>,
    diagonal: VecDeque<(Cost, Cell)>,
}

const UNREACHED: i32 = i32::MAX;

/// How many fields a search asks.
const ASKED: usize = 4;

/// The fields that a search asks, and what they say about its goal.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked {
    fields: [u8; ASKED],
    /// Nothing, where there are not so many fields that know both ends.
    goal: [i32; ASKED],
    count: usize,
}

impl Landmarks {
    /// Starts anew on a map, with this many fields to make.
    pub fn begin(&mut self, grid: &Grid, count: usize) {
        self.count = count.min(usize::from(u8::MAX));
        self.fields.clear();
        self.closest.clear();
        self.closest.resize(grid.cells().len(), UNREACHED);
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
        while self.ready() < self.count.min(fields) && expansions < most {
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

    /// The fields that say most about the way between two cells.
    pub fn ask(&self, start: Cell, goal: Cell) -> Asked {
        let mut best = [(0, 0); ASKED];
        for (field, number) in self.fields.iter().zip(0u8..) {
            let bound = difference(field[start.index()], field[goal.index()]);
            // The worst of the best makes room.
            if bound > best[ASKED - 1].0 {
                best[ASKED - 1] = (bound, number);
                best.sort_unstable_by_key(|&(bound, _)| Reverse(bound));
            }
        }
        let mut asked = Asked::default();
        for (_, number) in best.into_iter().filter(|&(bound, _)| bound > 0) {
            asked.fields[asked.count] = number;
            asked.goal[asked.count] = self.fields[usize::from(number)][goal.index()];
            asked.count += 1;
        }
        asked
    }

    /// A lower bound of the way from a cell to the goal of a search.
    pub fn bound(&self, asked: &Asked, cell: Cell) -> Cost {
        let fields = asked.fields.iter().zip(&asked.goal).take(asked.count);
        let bounds = fields.map(|(&number, &goal)| {
            difference(self.fields[usize::from(number)][cell.index()], goal)
        });
        Cost::from_units(bounds.max().unwrap_or(0))
    }

    /// How many fields are ready.
    pub const fn ready(&self) -> usize {
        self.fields.len()
    }

    /// Bytes these landmarks hold.
    pub fn memory(&self) -> usize {
        let growing = self.growing.as_ref().map_or(0, |growing| {
            let waiting = growing.cardinal.capacity() + growing.diagonal.capacity();
            waiting * size_of::<(Cost, Cell)>() + growing.distances.capacity() * size_of::<i32>()
        });
        let fields: usize = self.fields.iter().map(Vec::capacity).sum();
        (fields + self.closest.capacity()) * size_of::<i32>() + growing
    }

    /// Places the next landmark. Says whether there is a place for it.
    fn begin_field(&mut self, grid: &Grid, mut wanted: impl Iterator<Item = Cell>) -> bool {
        let is_reached = |cell: Cell| self.closest[cell.index()] != UNREACHED;
        let missing = wanted.find(|&cell| grid.is_floor(cell) && !is_reached(cell));
        let place = match missing {
            Some(cell) => Some(cell),
            None if self.fields.is_empty() => None,
            None => grid
                .floor_cells()
                .filter(|&cell| is_reached(cell))
                .max_by_key(|cell| (self.closest[cell.index()], Reverse(cell.index()))),
        };
        let Some(cell) = place else { return false };
        // Fresh memory from the system is zero, and costs nothing until it is used.
        let distances = vec![0; grid.cells().len()];
        let cardinal = VecDeque::from([(Cost::ZERO, cell)]);
        self.growing = Some(Growing { distances, cardinal, diagonal: VecDeque::new() });
        true
    }

    /// Goes on with a field. Says what it expanded, and whether the field is done.
    fn grow_field(&mut self, grid: &Grid, most: u64) -> (u64, bool) {
        let Some(mut growing) = self.growing.take() else { return (0, true) };
        let mut expansions = 0;
        while let Some((g, cell)) = growing.next() {
            if growing.distances[cell.index()] != 0 {
                continue; // reached already, by a shorter way
            }
            if expansions == most {
                growing.cardinal.push_front((g, cell));
                self.growing = Some(growing);
                return (expansions, false);
            }
            expansions += 1;
            growing.distances[cell.index()] = g.units() + 1;
            let closest = &mut self.closest[cell.index()];
            *closest = g.units().min(*closest);
            for way in grid.ways(cell) {
                let near = grid.beside(cell, way);
                if growing.distances[near.index()] == 0 {
                    growing.push(way, g + way.cost(), near);
                }
            }
        }
        self.fields.push(growing.distances);
        (expansions, true)
    }
}

/// How far two cells are apart at least, of which a landmark says these. A cell that it does not reach says
/// nothing.
fn difference(a: i32, b: i32) -> i32 {
    (a - b).abs() * i32::from(a != 0 && b != 0)
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
                        let bound = landmarks.bound(&landmarks.ask(a, b), a);
                        prop_assert_eq!(bound, landmarks.bound(&landmarks.ask(b, a), b));
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
        let bound = landmarks.bound(&landmarks.ask(inside, outside), inside);
        assert!(bound > grid.distance(inside, outside) + grid.distance(inside, outside));
        assert!(bound <= way);
        assert_eq!(landmarks.ready(), 3);
    }
}
