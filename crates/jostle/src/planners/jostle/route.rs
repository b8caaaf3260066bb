//! A shortest path to an agent's goal, and how far the cells around it are from its end.

use crate::Cost;
use crate::grid::{Cell, Grid, Neighbours};
use crate::planners::cursor::PathCursor;
use crate::search::Place;
use crate::world::Agent;

/// How far an agent may be pushed off its route before it wants another one, in rows or columns.
const ASTRAY_CELLS: u32 = 4;
/// How many cells of a route, before and after its last position, an agent looks at to find its position
/// again.
pub(super) const NEARBY_CELLS: usize = 8;

/// Column and row of a cell.
pub(super) type Spot = (i16, i16);

/// A shortest path to an agent's goal, as it was when the pool found it.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownRoute {
    pub path: PathCursor,
    /// Column and row of each cell of the path: computing them by division every time would cost more than
    /// everything else.
    spots: Vec<Spot>,
    /// For how many ticks in a row the agent could not follow it.
    pub ticks_off: u32,
    /// Whether there may be a shorter one by now.
    pub is_outdated: bool,
}

impl KnownRoute {
    /// A route over these cells, in the allocations of an old one.
    pub fn new(
        grid: &Grid,
        cells: &[Cell],
        (mut path, mut spots): (PathCursor, Vec<Spot>),
    ) -> Self {
        path.replace(cells);
        spots.clear();
        spots.reserve_exact(cells.len());
        spots.extend(cells.iter().map(|&cell| {
            let (x, y) = grid.position(cell);
            (x as i16, y as i16)
        }));
        Self { path, spots, ticks_off: 0, is_outdated: false }
    }

    /// Its allocations, for another route.
    pub fn into_allocations(self) -> (PathCursor, Vec<Spot>) {
        (self.path, self.spots)
    }

    /// Whether what is left of it leads over one of these cells.
    pub fn passes(&self, cells: &[bool]) -> bool {
        self.path.ahead().iter().any(|cell| cells[cell.index()])
    }

    /// A cell has become floor: there may be a shorter path through it.
    pub fn notice_opening(&mut self, grid: &Grid, agent: &Agent, opened: Cell) {
        let steps = self.path.ahead().len().saturating_sub(1) as u32;
        let detour = grid.distance(agent.cell, opened) + grid.distance(opened, agent.goal);
        self.is_outdated |= detour < Cost::of_steps(0, steps);
    }

    /// Whether an agent is close enough to its last position on the route to return to it.
    pub fn is_near(&self, grid: &Grid, cell: Cell) -> bool {
        let place = Place::of(grid, cell);
        self.spots[self.path.window(NEARBY_CELLS)].iter().any(|&(x, y)| {
            i32::from(x).abs_diff(place.x) <= ASTRAY_CELLS
                && i32::from(y).abs_diff(place.y) <= ASTRAY_CELLS
        })
    }

    /// Writes the part around the agent's last position: up to `cells` cells before it and after it.
    pub fn part(&self, cells: usize, part: &mut RoutePart) {
        let spots = &self.spots[self.path.window(cells)];
        part.spots.clear();
        let (mut rest, mut after) = (Cost::ZERO, None);
        for &(x, y) in spots.iter().rev() {
            if let Some((after_x, after_y)) = after {
                let is_diagonal = x != after_x && y != after_y;
                rest = rest + if is_diagonal { Cost::DIAGONAL } else { Cost::CARDINAL };
            }
            after = Some((x, y));
            part.spots.push((i32::from(x), i32::from(y), rest));
        }
    }

    /// Bytes held on the heap.
    pub fn memory(&self) -> usize {
        self.path.memory() + self.spots.capacity() * size_of::<Spot>()
    }
}

/// A part of a route: column and row of each cell, and the distance from there to the end of the part.
#[derive(Clone, Debug, Default)]
pub(super) struct RoutePart {
    spots: Vec<(i32, i32, Cost)>,
}

impl RoutePart {
    /// The distance from a place to the end of this part, for comparison with nearby places: to the closest
    /// cell of the route, and then along it. (The cell of the route with the smallest sum could lie behind a
    /// wall.)
    pub fn distance_from(&self, place: Place, neighbours: Neighbours) -> Cost {
        let detours = self.spots.iter().map(|&(x, y, rest)| {
            let off = place.distance(Place { cell: Cell::NOWHERE, x, y }, neighbours);
            ((off, rest), off + rest)
        });
        let closest = detours.reduce(|a, b| if b.0 < a.0 { b } else { a });
        closest.map_or(Cost::INFINITY, |(_, far)| far)
    }

    /// Bytes held on the heap.
    pub fn memory(&self) -> usize {
        self.spots.capacity() * size_of::<(i32, i32, Cost)>()
    }
}
