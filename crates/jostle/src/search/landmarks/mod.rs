//! Landmarks: a heuristic that all agents share (a differential heuristic).
//!
//! A landmark is a cell, and its field holds the distance from it to every cell. The distances of two
//! cells to one landmark differ by at most the length of the path between them. So the largest difference over
//! all landmarks is a lower bound of that length, and usually a good one: it accounts for walls, unlike the
//! straight line.
//!
//! Fields are made one after another, some expansions at a time, while agents already use the finished ones.
//! An unfinished field is not used. Landmarks are placed as far from each other as possible.
//!
//! A search uses only the few fields that give the best bounds between its start and its goal. Each field is
//! a separate array, so that the neighbouring cells a search asks for share cache lines.
//!
//! When a wall is built, fields stay lower bounds. When one is removed, each field is repaired from there, and
//! is not used until that is done.
//!
//! Memory: four bytes for each field and cell, however many agents there are. Distances are capped at 374,000
//! steps, and bounds stay bounds.

mod field;

use std::cmp::Reverse;

use super::{Block, Budget, Problem};
use crate::Cost;
use crate::grid::{Cell, Directions, Grid, Place};
use field::Field;

/// The fields of some landmarks.
#[derive(Clone, Debug, Default)]
pub struct Landmarks {
    /// How many fields to make.
    count: usize,
    /// The fields; the last may be unfinished.
    fields: Vec<Field>,
    /// The distance of each cell to the closest landmark, or `UNREACHED`.
    closest: Vec<i32>,
}

const UNREACHED: i32 = i32::MAX;

/// How many fields a search uses.
const ASKED: usize = 4;

/// The fields that a search uses, and their values at its goal.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked {
    fields: [u8; ASKED],
    /// The value of each of these fields at the goal.
    goal: [i32; ASKED],
    /// How many elements of `fields` and `goal` are used: fewer if not enough fields reach both ends.
    count: usize,
}

impl Landmarks {
    /// The most fields: [`Asked`] numbers them in one byte.
    pub const MOST: u32 = u8::MAX as u32;

    /// Starts over on a map, with this many fields to make; at most [`MOST`](Self::MOST).
    pub fn begin(&mut self, grid: &Grid, count: usize) {
        self.count = count.min(Self::MOST as usize);
        self.fields.clear();
        self.closest.clear();
        // Without landmarks, a large map costs nothing.
        if self.count > 0 {
            self.closest.resize(grid.cells().len(), UNREACHED);
        }
    }

    /// Notes that a cell has become floor. Fields are repaired by [`grow`](Self::grow).
    pub fn open(&mut self, grid: &Grid, cell: Cell) {
        // An unfinished field may already have gone past this cell.
        self.fields.retain(|field| !field.is_growing());
        for field in &mut self.fields {
            field.open(grid, cell);
        }
    }

    /// Repairs fields, and then makes more until there are `fields` of them, or the budget is spent. A cell of
    /// `wanted` that no landmark reaches becomes the next landmark; if there is none, the cell that is farthest
    /// from all landmarks.
    pub fn grow(
        &mut self,
        grid: &Grid,
        fields: usize,
        wanted: &(impl Iterator<Item = Cell> + Clone),
        budget: &mut Budget<'_>,
    ) {
        let mut at = 0;
        while !budget.is_spent() {
            if at == self.fields.len() {
                if at >= self.count.min(fields) {
                    break;
                }
                let Some(cell) = self.place(grid, wanted.clone()) else { break };
                self.fields.push(Field::begin(grid, cell));
            }
            let (field, closest) = (&mut self.fields[at], &mut self.closest);
            if !field.is_ready() {
                field.go_on(grid, budget, |cell, g| {
                    let closest = &mut closest[cell.index()];
                    *closest = g.min(*closest);
                });
            }
            at += 1;
        }
    }

    /// The fields that give the best bounds on the distance between two cells.
    pub fn ask(&self, start: Cell, goal: Cell) -> Asked {
        let mut best = [(0, 0); ASKED];
        let ready = self.fields.iter().zip(0u8..).filter(|(field, _)| field.is_ready());
        for (field, number) in ready {
            let bound = difference(field.value(start), field.value(goal));
            // Replaces the worst of the best.
            if bound > best[ASKED - 1].0 {
                best[ASKED - 1] = (bound, number);
                best.sort_unstable_by_key(|&(bound, _)| Reverse(bound));
            }
        }
        let mut asked = Asked::default();
        for (_, number) in best.into_iter().filter(|&(bound, _)| bound > 0) {
            asked.fields[asked.count] = number;
            asked.goal[asked.count] = self.fields[usize::from(number)].value(goal);
            asked.count += 1;
        }
        asked
    }

    /// A lower bound of the distance from a cell to the goal of a search.
    pub fn bound(&self, asked: &Asked, cell: Cell) -> Cost {
        let fields = asked.fields.iter().zip(&asked.goal).take(asked.count);
        let bounds = fields
            .map(|(&number, &goal)| difference(self.fields[usize::from(number)].value(cell), goal));
        Cost::from_units(i64::from(bounds.max().unwrap_or(0)))
    }

    /// Whether it is known that no path joins two cells, because a landmark reaches only one of them. (Walls
    /// that were built later may have separated other cells as well.)
    pub fn separate(&self, a: Cell, b: Cell) -> bool {
        let mut ready = self.fields.iter().filter(|field| field.is_ready());
        ready.any(|field| (field.value(a) == 0) != (field.value(b) == 0))
    }

    /// How many fields are ready.
    pub fn ready(&self) -> usize {
        self.fields.iter().filter(|field| field.is_ready()).count()
    }

    /// Bytes these landmarks hold.
    pub fn memory(&self) -> usize {
        self.fields.iter().map(Field::memory).sum::<usize>()
            + self.fields.capacity() * size_of::<Field>()
            + self.closest.capacity() * size_of::<i32>()
    }

    /// The cell of the next landmark, if there is one.
    fn place(&self, grid: &Grid, mut wanted: impl Iterator<Item = Cell>) -> Option<Cell> {
        let is_reached = |cell: Cell| self.closest.get(cell.index()) != Some(&UNREACHED);
        let missing = wanted.find(|&cell| grid.is_floor(cell) && !is_reached(cell));
        missing.or_else(|| {
            let reached = grid.floor_cells().filter(|&cell| is_reached(cell));
            reached.max_by_key(|cell| (self.closest[cell.index()], Reverse(cell.index())))
        })
    }
}

/// A lower bound of the distance between two cells with these values in one field; 0 if the landmark does not
/// reach both.
fn difference(a: i32, b: i32) -> i32 {
    (a - b).abs() * i32::from(a != 0 && b != 0)
}

/// A problem whose estimates are raised to the bounds of landmarks.
#[derive(Clone, Copy, Debug)]
pub struct Guided<'a, P> {
    /// The problem with its own estimates.
    pub problem: P,
    /// The landmarks that give the bounds.
    pub landmarks: &'a Landmarks,
    /// The fields that are used, chosen by [`Landmarks::ask`].
    pub asked: Asked,
}

impl<P: Problem> Problem for Guided<'_, P> {
    fn grid(&self) -> &Grid {
        self.problem.grid()
    }

    fn is_goal(&self, place: Place) -> bool {
        self.problem.is_goal(place)
    }

    fn exits(&self, cell: Cell) -> Directions {
        self.problem.exits(cell)
    }

    fn h(&self, place: Place) -> Cost {
        self.landmarks.bound(&self.asked, place.cell).max(self.problem.h(place))
    }

    fn is_blocked(&self, place: Place) -> bool {
        self.problem.is_blocked(place)
    }

    fn blocked(&self, block: Block) -> u16 {
        self.problem.blocked(block)
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
        fn a_bound_is_never_more_than_the_distance_whatever_walls_are_built_or_removed(
            draws in prop::collection::vec(0u32..100, 18 * 18),
            walls in 0u32..45,
            slice in 1u64..90,
            edits in prop::collection::vec((0u32..18, 0u32..18), 0..8),
        ) {
            let is_floor = |x: u32, y: u32| draws[(y * 18 + x) as usize] >= walls;
            let mut grid = Grid::new(18, 18, Rules::default(), is_floor).unwrap();
            let mut edits = edits.into_iter();
            let mut landmarks = Landmarks::default();
            landmarks.begin(&grid, 4);
            for round in 0..200 {
                let floor: Vec<Cell> = grid.floor_cells().collect();
                let wanted = floor.iter().copied().take(1);
                landmarks.grow(&grid, 4, &wanted, &mut Budget::expansions(slice));
                if round % 25 != 0 {
                    continue;
                }
                for &a in floor.iter().step_by(7) {
                    for &b in floor.iter().step_by(11) {
                        let bound = landmarks.bound(&landmarks.ask(a, b), a);
                        prop_assert_eq!(bound, landmarks.bound(&landmarks.ask(b, a), b));
                        if let Some((far, _)) = shortest_path(&grid, a, b) {
                            prop_assert!(bound <= far, "{:?} {:?}", bound, far);
                            prop_assert!(!landmarks.separate(a, b));
                        }
                    }
                }
                if let Some((x, y)) = edits.next() {
                    let cell = grid.at(x, y).unwrap();
                    let opens = !grid.is_floor(cell);
                    grid.set_floor(cell, opens);
                    if opens {
                        landmarks.open(&grid, cell);
                    }
                }
            }
        }
    }

    #[test]
    fn a_field_that_is_repaired_is_as_good_as_a_new_one() {
        let grid = Grid::from_ascii("......\n.####.\n.#...#\n.#.#..\n......").unwrap();
        let mut landmarks = Landmarks::default();
        landmarks.begin(&grid, 1);
        let first = grid.at(0, 0).unwrap();
        landmarks.grow(&grid, 1, &[first].into_iter(), &mut Budget::unlimited());
        let (mut edited, opened) = (grid.clone(), grid.at(3, 1).unwrap());
        edited.set_floor(opened, true);
        landmarks.open(&edited, opened);
        assert_eq!(landmarks.ready(), 0, "a field is not used until it is repaired");
        let mut budget = Budget::unlimited();
        landmarks.grow(&edited, 1, &[first].into_iter(), &mut budget);
        assert!(budget.work().expansions > 0);
        for cell in edited.floor_cells() {
            let (far, _) = shortest_path(&edited, first, cell).unwrap();
            assert_eq!(landmarks.bound(&landmarks.ask(first, cell), first), far);
        }
    }

    #[test]
    fn bounds_account_for_walls() {
        let drawing = "........\n.######.\n......#.\n.######.\n........";
        let grid = Grid::from_ascii(drawing).unwrap();
        let (inside, outside) = (grid.at(5, 2).unwrap(), grid.at(7, 2).unwrap());
        let mut landmarks = Landmarks::default();
        landmarks.begin(&grid, 3);
        landmarks.grow(&grid, 3, &[inside].into_iter(), &mut Budget::unlimited());
        let (far, _) = shortest_path(&grid, inside, outside).unwrap();
        let bound = landmarks.bound(&landmarks.ask(inside, outside), inside);
        assert!(bound > grid.distance(inside, outside) + grid.distance(inside, outside));
        assert!(bound <= far);
        assert_eq!(landmarks.ready(), 3);
    }
}
