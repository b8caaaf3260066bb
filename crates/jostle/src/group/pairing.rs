//! Which agent takes which goal, so that a group keeps its shape.
//!
//! The pairing should have a small sum of squared distances. The plain sum is the same whether the first or
//! the last of a column goes to the far end; the sum of squares is smallest when no agent overtakes another.
//! Finding the smallest takes too long for large groups. So agents and goals are both sorted along the
//! direction of travel and cut into rows, and each row is sorted across; then neighbours exchange goals while
//! that makes the sum smaller.

use std::cmp::Reverse;

use crate::grid::{Cell, Grid};

/// Goals that are at most this many columns and rows apart are neighbours, even with a thin wall between
/// them.
const CLOSE: u32 = 2;
/// The most rounds of exchanges: hardly any group needs more.
const MOST_ROUNDS: usize = 32;

/// A place in the plane, or the vector between two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Spot {
    x: i64,
    y: i64,
}

impl Spot {
    fn of(grid: &Grid, cell: Cell) -> Self {
        let (x, y) = grid.position(cell);
        Self { x: i64::from(x), y: i64::from(y) }
    }

    const fn from(self, start: Self) -> Self {
        Self { x: self.x - start.x, y: self.y - start.y }
    }

    const fn times(self, other: Self) -> i64 {
        self.x * other.x + self.y * other.y
    }

    const fn turned(self) -> Self {
        Self { x: -self.y, y: self.x }
    }
}

/// Agents and goals, equally many, and which agent takes which goal.
pub(super) struct Pairing<'a> {
    grid: &'a Grid,
    stand: Vec<Spot>,
    goals: &'a [Cell],
    spots: Vec<Spot>,
    /// The agent that takes each goal.
    takers: Vec<usize>,
}

impl<'a> Pairing<'a> {
    /// Pairs the cells on which agents stand with their goals. Cells are distinct on either side.
    pub fn of(grid: &'a Grid, stand: &[Cell], goals: &'a [Cell]) -> Self {
        let spots = |cells: &[Cell]| cells.iter().map(|&cell| Spot::of(grid, cell)).collect();
        let (stand, spots, takers) = (spots(stand), spots(goals), vec![0; goals.len()]);
        let mut pairing = Self { grid, stand, goals, spots, takers };
        pairing.line_up();
        pairing.exchange();
        pairing
    }

    /// The goal of each agent.
    pub fn goals(&self) -> Vec<Cell> {
        let mut goals = vec![Cell::NOWHERE; self.takers.len()];
        for (&taker, &goal) in self.takers.iter().zip(self.goals) {
            goals[taker] = goal;
        }
        goals
    }

    /// Pairs row by row, the front row of agents with the far row of goals.
    fn line_up(&mut self) {
        let ahead = self.direction_of_travel();
        let rows = |spots: &[Spot]| {
            let along = |&at: &usize| spots[at].times(ahead);
            let across = |&at: &usize| spots[at].times(ahead.turned());
            let mut order: Vec<usize> = (0..spots.len()).collect();
            order.sort_unstable_by_key(|at| (Reverse(along(at)), across(at)));
            for row in order.chunks_mut(spots.len().isqrt().max(1)) {
                row.sort_unstable_by_key(|at| (across(at), along(at)));
            }
            order
        };
        for (agent, goal) in rows(&self.stand).into_iter().zip(rows(&self.spots)) {
            self.takers[goal] = agent;
        }
    }

    /// The direction of travel: from the middle of the agents to the middle of the goals, times their number
    /// so that it is whole. A group whose middle is less than a cell from that of its goals is lined up
    /// towards the east.
    fn direction_of_travel(&self) -> Spot {
        let sum = |spots: &[Spot]| {
            spots.iter().fold(Spot { x: 0, y: 0 }, |sum, spot| Spot {
                x: sum.x + spot.x,
                y: sum.y + spot.y,
            })
        };
        let ahead = sum(&self.spots).from(sum(&self.stand));
        let is_there = ahead.x.abs().max(ahead.y.abs()) < self.spots.len() as i64;
        if is_there { Spot { x: 1, y: 0 } } else { ahead }
    }

    /// Lets agents whose goals are neighbours exchange them while that makes the sum of squares smaller.
    fn exchange(&mut self) {
        let pairs = self.neighbours();
        for _ in 0..MOST_ROUNDS {
            let mut is_better = false;
            for &(one, other) in &pairs {
                // The difference of the two sums of squares, halved, without the terms that cancel out.
                let apart = self.spots[other].from(self.spots[one]);
                let takers = self.stand[self.takers[other]].from(self.stand[self.takers[one]]);
                if apart.times(takers) < 0 {
                    self.takers.swap(one, other);
                    is_better = true;
                }
            }
            if !is_better {
                break;
            }
        }
    }

    /// The goals that are close together, each pair once.
    fn neighbours(&self) -> Vec<(usize, usize)> {
        let mut numbers = vec![u32::MAX; self.grid.cells().len()];
        for (number, goal) in self.goals.iter().enumerate() {
            numbers[goal.index()] = number as u32;
        }
        let mut pairs = Vec::new();
        for (number, &goal) in self.goals.iter().enumerate() {
            let (x, y) = self.grid.position(goal);
            for near_y in y..=y + CLOSE {
                let near = (x.saturating_sub(CLOSE)..=x + CLOSE)
                    .filter_map(|near_x| self.grid.at(near_x, near_y))
                    .filter(|&near| near > goal && numbers[near.index()] != u32::MAX);
                pairs.extend(near.map(|near| (number, numbers[near.index()] as usize)));
            }
        }
        pairs
    }
}
