//! Where to go from a cell: one word that holds an order of preference.

use std::fmt;

use super::sight;
use crate::grid::{Cell, Direction, Directions, Grid, Place};

/// The directions to take from a cell, in order of preference, in 16 bits: the best and the second best step, whether
/// they begin equally short paths, whether anything is known, and all steps that come closer.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Heading(u16);

/// How far an agent looks ahead that does not know its way yet, in cells.
const SOON: i32 = 8;

const SECOND: u32 = 3;
const TIE: u16 = 1 << 6;
const REACHED: u16 = 1 << 7;
const CLOSER: u32 = 8;

impl Heading {
    /// Nothing is known.
    pub(super) const UNKNOWN: Self = Self(0);

    /// Ranks the steps from a cell, given how far their ends are from the target, in units of
    /// [`Cost`](crate::Cost). Steps must come in the order that breaks ties.
    ///
    /// A step is the better the shorter the path that begins with it; among equals, the closer it comes. So the best
    /// step begins a shortest path, and diagonal steps come first, which keep more ways open.
    ///
    /// `own` is the distance of the cell itself.
    pub(super) fn rank(own: u32, steps: impl Iterator<Item = (Direction, u32)>) -> Self {
        let (mut best, mut second) = (Ranked::NONE, Ranked::NONE);
        let mut closer = Directions::NONE;
        for (direction, far) in steps {
            let step = Ranked::new(direction, far);
            if step.rank < best.rank {
                (best, second) = (step, best);
            } else if step.rank < second.rank {
                second = step;
            }
            if far < own {
                closer.insert(direction);
            }
        }
        if second.rank == Ranked::NONE.rank {
            second.direction = best.direction;
        }
        let is_tie = second.length() == best.length() && best.rank != Ranked::NONE.rank;
        Self(Self::join(
            best.direction as u16,
            second.direction as u16,
            is_tie,
            closer.bits().into(),
        ))
    }

    /// The word of a cell whose distance is known: the numbers of the best two directions, whether they begin equally short
    /// paths, and the bits of the directions that come closer.
    pub(super) const fn join(best: u16, second: u16, is_tie: bool, closer: u16) -> u16 {
        best | second << SECOND | (is_tie as u16 * TIE) | REACHED | closer << CLOSER
    }

    /// Straight towards a goal, for an agent that knows no better yet. One that `waits` stays where it would soon come to a
    /// wall.
    pub fn towards(grid: &Grid, cell: Cell, goal: Cell, waits: bool) -> Self {
        let (place, goal) = (Place::of(grid, cell), Place::of(grid, goal));
        if waits && !sight::is_clear_for(grid, place, goal, SOON) {
            return Self::default();
        }
        sight::straight(grid, place, goal).unwrap_or_else(|| sight::heading(grid, place, goal))
    }

    /// A best step, a second one and whether it is just as short, and those that come closer, as far as they are exits. The
    /// best must be one.
    pub(super) fn of(
        best: Direction,
        (second, is_tie): (Direction, bool),
        closer: Directions,
        exits: Directions,
    ) -> Self {
        let (second, is_tie) =
            if exits.contains(second) { (second, is_tie) } else { (best, false) };
        let closer = closer.bits() & exits.bits();
        Self(Self::join(best as u16, second as u16, is_tie, closer.into()))
    }

    /// Only one step is known to be good.
    pub(crate) fn only(step: Direction) -> Self {
        Self::rank(u32::MAX, std::iter::once((step, 0)))
    }

    /// Whether anything is known.
    pub(super) const fn is_known(self) -> bool {
        self.0 & REACHED != 0
    }

    pub(super) const fn from_word(word: u16) -> Self {
        Self(word)
    }

    pub(super) const fn word(self) -> u16 {
        self.0
    }

    /// The best step; none on the target itself.
    pub const fn best(self) -> Option<Direction> {
        if self.closer().is_empty() { None } else { Some(Direction::ALL[(self.0 & 7) as usize]) }
    }

    /// The second best step, which need not come closer, if there are two.
    pub const fn second(self) -> Option<Direction> {
        let second = self.0 >> SECOND & 7;
        if second == self.0 & 7 { None } else { Some(Direction::ALL[second as usize]) }
    }

    /// Whether the second best step begins a path that is just as short.
    pub const fn is_tie(self) -> bool {
        self.0 & TIE != 0
    }

    /// All steps that come closer.
    pub const fn closer(self) -> Directions {
        Directions::from_bits((self.0 >> CLOSER) as u8)
    }

    /// The exits of a cell in order of preference: the best two, then the others that come closer, then the rest.
    pub fn order(self, exits: Directions) -> impl Iterator<Item = Direction> {
        let first: Directions = self.best().into_iter().chain(self.second()).collect();
        let rest = exits.without(first);
        let away = rest.without(self.closer());
        let best = self.best().into_iter().chain(self.second());
        best.filter(move |&step| exits.contains(step)).chain(rest.without(away)).chain(away)
    }
}

/// A step and how good it is.
#[derive(Clone, Copy)]
struct Ranked {
    /// The length of the path that begins with the step, and then the distance of its end. Smaller is better.
    rank: u64,
    direction: Direction,
}

impl Ranked {
    const NONE: Self = Self { rank: u64::MAX, direction: Direction::North };

    const fn new(direction: Direction, far: u32) -> Self {
        let length = far + direction.cost().units() as u32;
        Self { rank: (length as u64) << u32::BITS | far as u64, direction }
    }

    /// The length of the path.
    const fn length(self) -> u64 {
        self.rank >> u32::BITS
    }
}

impl fmt::Debug for Heading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Heading")
            .field("best", &self.best())
            .field("second", &self.second())
            .field("is_tie", &self.is_tie())
            .field("closer", &self.closer())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Direction::{East, North, NorthEast, SouthEast, West};

    #[test]
    fn the_shortest_path_comes_first_and_then_the_end_that_is_closer() {
        let (straight, slanted) = (5741, 8119);
        let steps = [
            (North, 3 * straight),
            (East, straight),
            (West, 3 * straight),
            (NorthEast, slanted),
            (SouthEast, slanted),
        ];
        let heading = Heading::rank(2 * straight, steps.into_iter());
        assert_eq!((heading.best(), heading.second()), (Some(East), Some(NorthEast)));
        assert!(!heading.is_tie());
        let exits: Directions = steps.iter().map(|&(direction, _)| direction).collect();
        let order: Vec<_> = heading.order(exits).collect();
        assert_eq!(order, [East, NorthEast, SouthEast, North, West]);
    }

    #[test]
    fn equally_good_steps_are_a_tie() {
        let heading = Heading::rank(9000, [(North, 10), (East, 10)].into_iter());
        assert_eq!((heading.best(), heading.second()), (Some(North), Some(East)));
        assert!(heading.is_tie());
    }

    #[test]
    fn a_target_has_no_best_step_and_a_dead_end_no_second() {
        let target = Heading::rank(0, [(North, 5741)].into_iter());
        assert!(target.is_known());
        assert_eq!(target.best(), None);
        assert!(Heading::rank(0, std::iter::empty()).is_known());
        let one = Heading::only(West);
        assert_eq!((one.best(), one.second()), (Some(West), None));
    }
}
