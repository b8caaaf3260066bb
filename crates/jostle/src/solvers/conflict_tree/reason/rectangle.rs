//! Conflicts of two agents that cross in the open.
//!
//! Both walk without detours, in the same two directions: say east and south. One comes from the west and leaves on the east side of
//! a rectangle, the other one comes from the north and leaves on the south side. Whatever ways they take, the ways cross, and
//! they are on the cell where they cross at the same tick. So either the one must not leave through the east side in time, or
//! the other one not through the south side. Forbidding one cell after the other would take a tree of splits that grows
//! exponentially with the rectangle.
//!
//! The way of an agent is known from the last cell that all its shortest paths go through. Only cells on such paths are
//! forbidden: a path to one of those at that tick comes from there in any case. Four neighbours only.

use super::{Judged, is_costly};
use crate::grid::{Cell, Direction, Grid, Neighbours};
use crate::solvers::conflict_tree::{Clash, Constraint, Joint, Mdd, NodeId, Split, at};

/// How many cells that all shortest paths of an agent go through are tried, before and after the conflict.
const MOST_TRIED: usize = 4;

/// A position turned such that both agents go towards larger coordinates.
type Point = [i64; 2];

/// How positions are turned: by the sign of each coordinate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Turn([i64; 2]);

impl Turn {
    fn point(self, grid: &Grid, cell: Cell) -> Point {
        let (x, y) = grid.position(cell);
        [self.0[0] * i64::from(x), self.0[1] * i64::from(y)]
    }

    fn cell(self, grid: &Grid, point: Point) -> Option<Cell> {
        let [x, y] = [0, 1].map(|axis| u32::try_from(self.0[axis] * point[axis]).ok());
        grid.at(x?, y?)
    }

    /// The direction in which a coordinate grows.
    const fn direction(self, axis: usize) -> Option<Direction> {
        let sign = self.0[axis] as i32;
        if axis == 0 { Direction::of_delta(sign, 0) } else { Direction::of_delta(0, sign) }
    }
}

/// The split, if the paths cross in a rectangle and this forbids both of them.
pub(super) fn split(joint: &mut Joint, id: NodeId, clash: Clash) -> Option<Judged> {
    if joint.grid.rules().neighbours != Neighbours::Four {
        return None;
    }
    let cell = clash.cell(&joint.paths)?;
    let agents = clash.agents.map(|agent| agent as usize);
    if agents.iter().any(|&agent| joint.paths[agent].len() as u32 <= clash.tick + 1) {
        return None;
    }
    let tick = clash.tick as usize;
    let [first, second] = agents.map(|agent| singles_around(joint, id, agent, tick));
    let mut best: Option<(Judged, i64)> = None;
    let mut are_built = false;
    for turn in [[1, 1], [1, -1], [-1, 1], [-1, -1]].map(Turn) {
        let middle = turn.point(&joint.grid, cell);
        let [first, second] =
            [&first, &second].map(|around| around.monotone(joint, turn, middle, tick));
        for (from, to) in first.pairs() {
            for (other_from, other_to) in second.pairs() {
                let starts = [from, other_from];
                // The one that comes along the first coordinate is not behind in the second one.
                let along = if from[0] <= other_from[0] && from[1] >= other_from[1] {
                    0
                } else if other_from[0] <= from[0] && other_from[1] >= from[1] {
                    1
                } else {
                    continue;
                };
                let near = [0, 1].map(|axis| starts[0][axis].max(starts[1][axis]));
                let far = [0, 1].map(|axis| to[axis].min(other_to[axis]));
                let area = (far[0] - near[0] + 1) * (far[1] - near[1] + 1);
                if !std::mem::replace(&mut are_built, true) {
                    for (side, agent) in agents.into_iter().enumerate() {
                        joint.build_mdd(side, id, agent);
                    }
                }
                let mut constraints = [Constraint::EndBefore { tick: 0 }; 2];
                let mut is_whole = true;
                for side in 0..2 {
                    // The axis that the agent goes along, and the border through which it leaves.
                    let axis = usize::from(side != along);
                    let border = Border { turn, axis, near, far, middle, tick: clash.tick };
                    let path = &joint.paths[agents[side]];
                    match border.barrier(&joint.grid, path, &joint.mdds[side]) {
                        Some(barrier) => constraints[side] = barrier,
                        None => is_whole = false,
                    }
                }
                if !is_whole {
                    continue;
                }
                let ends = [to, other_to];
                // An agent that ends level with the corner cannot leave through another side.
                let costly = [0, 1].into_iter().filter(|&side| {
                    let across = usize::from(side == along);
                    ends[side][across] == far[across]
                });
                let judged =
                    Judged { split: Split { agents, constraints }, costly: costly.count() };
                let rank = |known: &(Judged, i64)| (known.0.costly, known.1);
                if area > 1 && best.as_ref().is_none_or(|known| rank(known) < (judged.costly, area))
                {
                    best = Some((judged, area));
                }
            }
        }
    }
    let plain =
        clash.agents.into_iter().filter(|&agent| is_costly(joint, id, clash, agent)).count();
    best.map(|(judged, _)| judged).filter(|judged| judged.costly >= plain)
}

/// The ticks before and after a conflict at which all shortest paths of an agent go through one cell, nearest first.
struct Around {
    agent: usize,
    before: Vec<usize>,
    after: Vec<usize>,
}

/// Such cells from which, and to which, an agent walks without a detour.
struct Walk {
    starts: Vec<Point>,
    ends: Vec<Point>,
}

fn singles_around(joint: &mut Joint, id: NodeId, agent: usize, tick: usize) -> Around {
    let singles = joint.singles(id, agent);
    let before = (0..=tick).rev().filter(|&tick| singles[tick]).take(MOST_TRIED).collect();
    let after = (tick..singles.len()).filter(|&tick| singles[tick]).take(MOST_TRIED).collect();
    Around { agent, before, after }
}

impl Around {
    fn monotone(&self, joint: &Joint, turn: Turn, middle: Point, tick: usize) -> Walk {
        let point = |at_tick: usize| turn.point(&joint.grid, at(&joint.paths[self.agent], at_tick));
        let starts = self.before.iter().map(|&before| (before, point(before)));
        let ends = self.after.iter().map(|&after| (after, point(after)));
        Walk {
            starts: starts
                .filter(|&(before, from)| is_walk(from, middle, tick - before))
                .map(|(_, from)| from)
                .collect(),
            ends: ends
                .filter(|&(after, to)| is_walk(middle, to, after - tick))
                .map(|(_, to)| to)
                .collect(),
        }
    }
}

impl Walk {
    fn pairs(&self) -> impl Iterator<Item = (Point, Point)> {
        self.starts.iter().flat_map(|&from| self.ends.iter().map(move |&to| (from, to)))
    }
}

/// Whether one gets from one point to another one in so many ticks, both coordinates growing, without a wait or a detour.
fn is_walk(from: Point, to: Point, ticks: usize) -> bool {
    let [x, y] = [to[0] - from[0], to[1] - from[1]];
    x >= 0 && y >= 0 && (x + y) as usize == ticks
}

/// The side of a rectangle through which an agent leaves that goes along an axis.
struct Border {
    turn: Turn,
    axis: usize,
    near: Point,
    far: Point,
    /// A point of the rectangle, and the tick at which both agents are there.
    middle: Point,
    tick: u32,
}

impl Border {
    /// Forbids the cells of this side, as far as they are on shortest paths, next to the one on which the path leaves.
    fn barrier(&self, grid: &Grid, path: &[Cell], diagram: &Mdd) -> Option<Constraint> {
        let across = 1 - self.axis;
        let point = |place: i64| {
            let mut point = self.far;
            point[across] = place;
            point
        };
        let tick_at = |point: Point| {
            let ahead = point[0] + point[1] - self.middle[0] - self.middle[1];
            i64::from(self.tick) + ahead
        };
        let node = |place: i64| {
            let (cell, tick) =
                (self.turn.cell(grid, point(place))?, usize::try_from(tick_at(point(place))).ok()?);
            let is_on_path = diagram.layer(tick).iter().any(|&(at, _)| at == cell);
            is_on_path.then_some((cell, tick))
        };
        let places = self.near[across]..=self.far[across];
        let is_taken =
            |place: &i64| node(*place).is_some_and(|(cell, tick)| path.get(tick) == Some(&cell));
        let exit = places.clone().find(is_taken)?;
        let first =
            (self.near[across]..=exit).rev().take_while(|&place| node(place).is_some()).last()?;
        let last = (exit..=self.far[across]).take_while(|&place| node(place).is_some()).last()?;
        let (cell, tick) = node(first)?;
        Some(Constraint::Barrier {
            cell,
            direction: self.turn.direction(across)?,
            tick: tick as u32,
            count: (last - first + 1) as u32,
        })
    }
}
