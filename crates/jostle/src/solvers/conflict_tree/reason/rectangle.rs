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

use super::Judged;
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
pub(super) fn split(joint: &mut Joint, id: NodeId, clash: Clash, plain: usize) -> Option<Judged> {
    if joint.grid.rules().neighbours != Neighbours::Four {
        return None;
    }
    let cell = clash.cell(&joint.paths)?;
    let agents = clash.agents.map(|agent| agent as usize);
    if agents.iter().any(|&agent| joint.paths[agent].len() as u32 <= clash.tick + 1) {
        return None;
    }
    let tick = clash.tick as usize;
    let singles = agents.map(|agent| joint.singles(id, agent));
    let mut are_built = false;
    let mut best: Option<(usize, i64, [Constraint; 2])> = None;
    for turn in [[1, 1], [1, -1], [-1, 1], [-1, -1]].map(Turn) {
        let middle = turn.point(&joint.grid, cell);
        let walk = |side: usize| {
            Walk::around(&joint.grid, &joint.paths[agents[side]], &singles[side], turn, tick)
        };
        let walks = [walk(0), walk(1)];
        for (first, second) in pairs(&walks) {
            // The one that comes along the first coordinate is not behind in the second one.
            let along = if first[0] <= second[0] && first[1] >= second[1] {
                0
            } else if second[0] <= first[0] && second[1] >= first[1] {
                1
            } else {
                continue;
            };
            if !std::mem::replace(&mut are_built, true) {
                for (which, agent) in agents.into_iter().enumerate() {
                    joint.build_mdd(which, id, agent);
                }
            }
            let near = [0, 1].map(|axis| first[axis].max(second[axis]));
            let floor = Floor { grid: &joint.grid, turn, middle, tick: clash.tick };
            let columns = walks[along].lines(&floor, 0, near, &joint.mdds[along]);
            let rows = walks[1 - along].lines(&floor, 1, near, &joint.mdds[1 - along]);
            for column in &columns {
                for row in &rows {
                    if column.path > row.at || row.path > column.at {
                        continue;
                    }
                    let costly = usize::from(column.is_costly(row.at))
                        + usize::from(row.is_costly(column.at));
                    let area = (column.at - near[0] + 1) * (row.at - near[1] + 1);
                    if area > 1
                        && best.as_ref().is_none_or(|known| (known.0, known.1) < (costly, area))
                    {
                        let mut constraints = [column.barrier(row.at), row.barrier(column.at)];
                        if along == 1 {
                            constraints.swap(0, 1);
                        }
                        best = Some((costly, area, constraints));
                    }
                }
            }
        }
    }
    let (costly, _, constraints) = best.filter(|(costly, ..)| *costly >= plain)?;
    Some(Judged { split: Split { agents, constraints }, costly })
}

/// All starts of one agent with all starts of the other one.
fn pairs(walks: &[Walk; 2]) -> impl Iterator<Item = (Point, Point)> {
    let [first, second] = walks;
    first.starts.iter().flat_map(|&first| second.starts.iter().map(move |&second| (first, second)))
}

/// How an agent gets to a conflict and away from it without a wait or a detour.
struct Walk {
    /// Cells before the conflict that all its shortest paths go through.
    starts: Vec<Point>,
    /// The way from the conflict on, as long as both coordinates grow.
    way: Vec<Point>,
    /// The last of some cells on this way that all its shortest paths go through.
    end: Option<Point>,
}

impl Walk {
    fn around(grid: &Grid, path: &[Cell], singles: &[bool], turn: Turn, tick: usize) -> Self {
        let point = |tick: usize| turn.point(grid, at(path, tick));
        let middle = point(tick);
        let before = (0..=tick).rev().filter(|&tick| singles[tick]).take(MOST_TRIED);
        let starts = before.filter(|&before| is_walk(point(before), middle, tick - before));
        let after = (tick..singles.len()).filter(|&tick| singles[tick]).take(MOST_TRIED);
        let ends = after.filter(|&after| is_walk(middle, point(after), after - tick));
        let way =
            (tick..path.len()).take_while(|&later| is_walk(middle, point(later), later - tick));
        Self {
            starts: starts.map(point).collect(),
            end: ends.map(point).last(),
            way: way.map(point).collect(),
        }
    }

    /// The lines through which the agent could leave a rectangle, which begins at `near`, along an axis.
    fn lines(&self, floor: &Floor<'_>, axis: usize, near: Point, diagram: &Mdd) -> Vec<Line> {
        let across = 1 - axis;
        let mut lines: Vec<Line> = Vec::new();
        for &exit in &self.way {
            // The agent leaves where it is first on the line.
            if lines.last().is_some_and(|line| line.at == exit[axis]) {
                continue;
            }
            let node = |place: i64| {
                let mut point = exit;
                point[across] = place;
                floor.node(point, diagram)
            };
            let first = (near[across]..=exit[across])
                .rev()
                .take_while(|&place| node(place).is_some())
                .last();
            let Some((cell, tick)) = first.and_then(node) else { continue };
            let Some(direction) = floor.turn.direction(across) else { continue };
            let first = first.unwrap_or(exit[across]);
            let end = exit[across] + i64::from(floor.grid.width().max(floor.grid.height()));
            let last = (exit[across]..end).take_while(|&place| node(place).is_some()).last();
            // All shortest paths lead over this line in time if they all lead to the end, which lies beyond it.
            let is_closed =
                first == near[across] || (near[across]..first).all(|place| node(place).is_none());
            let must_cross = self.end.is_some_and(|end| end[axis] >= exit[axis]);
            lines.push(Line {
                at: exit[axis],
                path: exit[across],
                first,
                last: last.unwrap_or(exit[across]),
                must_cross: must_cross && is_closed,
                end: self.end.map_or(i64::MAX, |end| end[across]),
                begin: (cell, tick, direction),
            });
        }
        lines
    }
}

/// A line across the way of an agent.
struct Line {
    /// Where on the axis of the agent it is.
    at: i64,
    /// Where the present path crosses it.
    path: i64,
    /// From where to where it is on shortest paths, around the present one.
    first: i64,
    last: i64,
    /// Whether all shortest paths cross it.
    must_cross: bool,
    /// How far across the way all shortest paths go at most.
    end: i64,
    begin: (Cell, u32, Direction),
}

impl Line {
    /// Whether all shortest paths cross this side of a rectangle that ends there.
    const fn is_costly(&self, far: i64) -> bool {
        self.must_cross && self.end <= far
    }

    /// Forbids this side of a rectangle that ends there.
    fn barrier(&self, far: i64) -> Constraint {
        let (cell, tick, direction) = self.begin;
        let count = (self.last.min(far) - self.first + 1) as u32;
        Constraint::Barrier { cell, direction, tick, count }
    }
}

/// Positions and the ticks at which an agent without a wait or a detour is there.
struct Floor<'a> {
    grid: &'a Grid,
    turn: Turn,
    /// A point, and the tick at which both agents are there.
    middle: Point,
    tick: u32,
}

impl Floor<'_> {
    /// The cell and the tick of a point, if that is on a shortest path.
    fn node(&self, point: Point, diagram: &Mdd) -> Option<(Cell, u32)> {
        let cell = self.turn.cell(self.grid, point)?;
        let ahead = point[0] + point[1] - self.middle[0] - self.middle[1];
        let tick = u32::try_from(i64::from(self.tick) + ahead).ok()?;
        let is_on_path = diagram.layer(tick as usize).iter().any(|&(at, _)| at == cell);
        is_on_path.then_some((cell, tick))
    }
}

/// Whether one gets from one point to another one in so many ticks, both coordinates growing, without a wait or a detour.
fn is_walk(from: Point, to: Point, ticks: usize) -> bool {
    let [x, y] = [to[0] - from[0], to[1] - from[1]];
    x >= 0 && y >= 0 && (x + y) as usize == ticks
}
