//! The eight directions of a step, and small sets of them.

use std::fmt;

use crate::Cost;

/// A step to one of the eight neighbours. The order of the variants breaks every tie that a paper
/// leaves open.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Direction {
    North,
    East,
    South,
    West,
    NorthEast,
    SouthEast,
    SouthWest,
    NorthWest,
}

use Direction::{East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West};

impl Direction {
    /// All of them, in the order that breaks ties.
    pub const ALL: [Self; 8] =
        [North, East, South, West, NorthEast, SouthEast, SouthWest, NorthWest];

    /// The direction with this index in [`Direction::ALL`], which is its number too: no table is read.
    const fn numbered(number: u32) -> Self {
        match number % 8 {
            0 => North,
            1 => East,
            2 => South,
            3 => West,
            4 => NorthEast,
            5 => SouthEast,
            6 => SouthWest,
            _ => NorthWest,
        }
    }

    /// Displacement by one step: `x` grows east, `y` grows south.
    pub const fn delta(self) -> (i32, i32) {
        const DELTAS: [(i32, i32); 8] =
            [(0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)];
        DELTAS[self as usize]
    }

    /// The step with this displacement, if it is one step.
    pub const fn of_delta(dx: i32, dy: i32) -> Option<Self> {
        const STEPS: [Option<Direction>; 9] = [
            Some(NorthWest),
            Some(North),
            Some(NorthEast),
            Some(West),
            None,
            Some(East),
            Some(SouthWest),
            Some(South),
            Some(SouthEast),
        ];
        if dx.unsigned_abs() > 1 || dy.unsigned_abs() > 1 {
            return None;
        }
        STEPS[(dy * 3 + dx + 4) as usize]
    }

    /// Whether the step is diagonal.
    pub const fn is_diagonal(self) -> bool {
        self as u8 >= 4
    }

    /// What the step costs.
    pub const fn cost(self) -> Cost {
        if self.is_diagonal() { Cost::DIAGONAL } else { Cost::CARDINAL }
    }

    /// The two cardinal steps that a diagonal one passes between, for example north and east for
    /// north-east. A cardinal step gives itself twice.
    pub const fn parts(self) -> (Self, Self) {
        match self {
            NorthEast => (North, East),
            SouthEast => (South, East),
            SouthWest => (South, West),
            NorthWest => (North, West),
            cardinal => (cardinal, cardinal),
        }
    }

    /// The directions that lead nowhere new after this step, where `exits` are the exits of the cell before
    /// it: the step back, and the steps to cells that those exits already reach directly, at no greater cost.
    pub(crate) const fn shadow(self, exits: Directions) -> Directions {
        SHADOWS[exits.0 as usize][self as usize]
    }

    /// The directions at no more than a right angle to this one.
    pub(crate) const fn ahead_or_aside(self) -> Directions {
        let (dx, dy) = self.delta();
        let (mut set, mut number) = (0, 0);
        while number < 8 {
            let (x, y) = Self::numbered(number).delta();
            if x * dx + y * dy >= 0 {
                set |= 1 << number;
            }
            number += 1;
        }
        Directions(set)
    }

    /// The step back.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            North => South,
            East => West,
            South => North,
            West => East,
            NorthEast => SouthWest,
            SouthEast => NorthWest,
            SouthWest => NorthEast,
            NorthWest => SouthEast,
        }
    }
}

/// A set of directions, iterated in the order that breaks ties.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Directions(u8);

impl Directions {
    /// No direction.
    pub const NONE: Self = Self(0);

    /// Adds a direction.
    pub fn insert(&mut self, direction: Direction) {
        self.0 |= 1 << direction as u8;
    }

    /// One direction.
    pub const fn only(direction: Direction) -> Self {
        Self(1 << direction as u8)
    }

    /// Whether the direction is in the set.
    pub const fn contains(self, direction: Direction) -> bool {
        self.0 & (1 << direction as u8) != 0
    }

    /// How many directions there are.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there are none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The north, east, south and west of the set.
    #[must_use]
    pub const fn cardinals(self) -> Self {
        Self(self.0 & 0x0f)
    }

    /// The diagonals of the set.
    #[must_use]
    pub const fn diagonals(self) -> Self {
        Self(self.0 & 0xf0)
    }

    /// The directions of this set that are not in the other.
    #[must_use]
    pub const fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// The directions that are in one of the sets.
    #[must_use]
    pub const fn or(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// The directions that are in both sets.
    #[must_use]
    pub const fn and(self, others: Self) -> Self {
        Self(self.0 & others.0)
    }

    /// The set as eight bits, in the order of [`Direction::ALL`]; north is the lowest bit.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The set with these eight bits.
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }
}

impl IntoIterator for Directions {
    type Item = Direction;
    type IntoIter = DirectionsIter;
    fn into_iter(self) -> DirectionsIter {
        DirectionsIter(u32::from(self.0))
    }
}

impl FromIterator<Direction> for Directions {
    fn from_iter<I: IntoIterator<Item = Direction>>(directions: I) -> Self {
        let mut set = Self::NONE;
        directions.into_iter().for_each(|direction| set.insert(direction));
        set
    }
}

impl fmt::Debug for Directions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

/// For each set of exits and each step through one of them: see [`Direction::shadow`].
static SHADOWS: [[Directions; 8]; 256] = shadows();

const fn shadows() -> [[Directions; 8]; 256] {
    let mut table = [[Directions::NONE; 8]; 256];
    let mut step = 0;
    while step < 8 {
        let (step_x, step_y) = Direction::ALL[step].delta();
        let mut exits = 0;
        while exits < 256 {
            let mut bits = 0;
            let mut next = 0;
            while next < 8 {
                let (next_x, next_y) = Direction::ALL[next].delta();
                // Where both steps together lead, seen from the cell before them.
                let (x, y) = (step_x + next_x, step_y + next_y);
                let mut before = 0;
                while before < 8 {
                    let (before_x, before_y) = Direction::ALL[before].delta();
                    if before_x == x && before_y == y && exits & (1 << before) != 0 {
                        bits |= 1 << next;
                    }
                    before += 1;
                }
                if x == 0 && y == 0 {
                    bits |= 1 << next;
                }
                next += 1;
            }
            table[exits][step] = Directions(bits);
            exits += 1;
        }
        step += 1;
    }
    table
}

/// Iterates over [`Directions`].
// The bits are kept in the width in which processors count best.
#[derive(Clone, Debug)]
pub struct DirectionsIter(u32);

impl Iterator for DirectionsIter {
    type Item = Direction;

    fn next(&mut self) -> Option<Direction> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(Direction::numbered(bit))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for DirectionsIter {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_numbered_in_their_order() {
        for (number, direction) in (0..).zip(Direction::ALL) {
            assert_eq!((Direction::numbered(number), direction as u32), (direction, number));
        }
    }

    #[test]
    fn sets_iterate_in_tie_breaking_order() {
        let set: Directions = [NorthWest, West, North, SouthEast].into_iter().collect();
        assert_eq!(set.into_iter().collect::<Vec<_>>(), [North, West, SouthEast, NorthWest]);
        assert_eq!(set.len(), 4);
    }

    #[test]
    fn a_step_and_its_opposite_cancel() {
        for direction in Direction::ALL {
            let ((dx, dy), (back_x, back_y)) = (direction.delta(), direction.opposite().delta());
            assert_eq!((dx + back_x, dy + back_y), (0, 0));
            assert_eq!(Direction::of_delta(dx, dy), Some(direction));
            let (a, b) = direction.parts();
            if direction.is_diagonal() {
                assert_eq!((a.delta().0 + b.delta().0, a.delta().1 + b.delta().1), (dx, dy));
            }
        }
    }
}
