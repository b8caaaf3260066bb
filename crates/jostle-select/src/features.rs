//! A few numbers about a problem: what trees learn from.
//!
//! They are simple on purpose. A network that sees the whole picture has to beat them.

use jostle::grid::Components;
use jostle::{Cell, Grid};

use crate::{Samples, Sight};

/// How many numbers there are about a map.
const OF_MAP: usize = 18;
/// How many there are about the agents.
const OF_TASKS: usize = 17;
/// Where the number of floor cells stands.
const FLOOR: usize = 2;

/// Numbers about a problem, in the order of [`NAMES`](Self::NAMES). Without agents, those about them are 0.
///
/// Computing them takes time that grows with the area of the map: a few milliseconds for 512x512 cells.
///
/// ```
/// use jostle::Grid;
/// use jostle_select::{Features, Sight};
///
/// let grid = Grid::from_ascii("....\n.##.\n....")?;
/// let task = (grid.at(0, 0).unwrap(), grid.at(3, 0).unwrap());
/// let features = Features::of(Sight { grid: &grid, tasks: &[task] });
/// assert_eq!(features.get("floor cells"), Some(10.0));
/// assert_eq!(features.get("distance"), Some(3.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Features([f32; Features::COUNT]);

impl Features {
    /// How many numbers there are.
    pub const COUNT: usize = OF_MAP + OF_TASKS;

    /// What they are, each with the reason why it may tell which planner is better.
    pub const NAMES: [&'static str; Self::COUNT] = [
        // Paths are as long as maps are wide.
        "width",
        "height",
        // Searches expand floor, so the limits of a run are short or generous for it.
        "floor cells",
        // Open fields and caves differ in it.
        "floor share",
        // Agents share what is connected.
        "largest component share",
        // How cramped it is: the mean share of walls around a floor cell.
        "walls around",
        // How much of the floor has no wall anywhere near, where agents pass each other easily.
        "share beside walls",
        // Cells of each number of open sides: nobody can pass in a corridor, and dead ends mislead searches that look ahead a little.
        "closed in share",
        "dead end share",
        "corridor share",
        "corner share",
        "edge share",
        "open share",
        // Long free lines are where straight lines are good estimates, and where streets in one direction pay.
        "free run in rows",
        "free run in columns",
        // Heuristics mislead where rooms are many: how much the two differ tells halls from rooms.
        "free run ratio",
        // Some games draw slopes so that floor touches floor only at a corner: how often, of all places where floor and wall meet.
        "diagonal gap share",
        // Whether walls stand among the floor or only around it: how much of the box around the floor is floor.
        "floor share of its box",
        // The load.
        "agents",
        // Congestion grows with it.
        "agents a floor cell",
        // Where they start and where they go: at the sides, in the middle, relative to the map.
        "starts x",
        "starts y",
        "goals x",
        "goals y",
        // A tight group blocks itself, and a wide one does not: relative to the map.
        "spread of starts",
        "spread of goals",
        // How far they go, in cells: the work of a search.
        "distance",
        // The same, in sides of the map.
        "relative distance",
        // How far the whole group moves, in sides of the map.
        "shift",
        // Whether they share a direction: 1 if all go the same way, 0 if directions cancel out.
        "common direction",
        // Those that meet the others head-on.
        "share against the others",
        // Whether they leave one place for another or mix: the part that the boxes around starts and around goals share.
        "overlap of boxes",
        // Congestion where they start, and where they arrive: agents a floor cell within the boxes.
        "density of starts",
        "density of goals",
        // Agents that have arrived stand where others have yet to leave.
        "share of goals on starts",
    ];

    /// The numbers of a problem.
    pub fn of(sight: Sight<'_>) -> Self {
        let map = of_map(sight.grid);
        Self::join(map, of_tasks(sight, map[FLOOR]))
    }

    /// The numbers of several problems. Those of a map are computed once for all its problems.
    pub fn of_all(samples: &Samples, problems: &[usize]) -> Vec<Self> {
        let mut known: Vec<Option<[f32; OF_MAP]>> = Vec::new();
        let features = |&problem: &usize| {
            let (map, sight) = (samples.map(problem), samples.sight(problem));
            if known.len() <= map {
                known.resize(map + 1, None);
            }
            let map = *known[map].get_or_insert_with(|| of_map(sight.grid));
            Self::join(map, of_tasks(sight, map[FLOOR]))
        };
        problems.iter().map(features).collect()
    }

    fn join(map: [f32; OF_MAP], tasks: [f32; OF_TASKS]) -> Self {
        let mut all = [0.0; Self::COUNT];
        all[..OF_MAP].copy_from_slice(&map);
        all[OF_MAP..].copy_from_slice(&tasks);
        Self(all)
    }

    /// All of them.
    pub const fn values(&self) -> &[f32; Self::COUNT] {
        &self.0
    }

    /// The one of this name.
    pub fn get(&self, name: &str) -> Option<f32> {
        Self::NAMES.iter().position(|known| *known == name).map(|at| self.0[at])
    }
}

/// The part of a whole; 0 of nothing.
fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// The floor with a rim of walls, so that every cell has eight others around it.
struct Rimmed {
    floor: Vec<u8>,
    width: usize,
}

impl Rimmed {
    fn of(grid: &Grid) -> Self {
        let (columns, width) = (grid.width() as usize, grid.width() as usize + 2);
        let mut floor = vec![0; width * (grid.height() as usize + 2)];
        for cell in grid.floor_cells() {
            let (x, y) = (cell.index() % columns, cell.index() / columns);
            floor[(y + 1) * width + x + 1] = 1;
        }
        Self { floor, width }
    }
}

fn of_map(grid: &Grid) -> [f32; OF_MAP] {
    let Rimmed { floor, width } = Rimmed::of(grid);
    let (mut walls, mut beside_walls, mut sides) = (0_u64, 0_u64, [0_u64; 6]);
    // Where the floor between two walls begins, along rows and along columns.
    let (mut row_runs, mut column_runs) = (0_u64, 0_u64);
    for at in 0..floor.len() {
        if floor[at] == 0 {
            continue;
        }
        let [north, south, west, east] = [at - width, at + width, at - 1, at + 1];
        let open = |cell: usize| usize::from(floor[cell]);
        let main = [north, south, west, east].map(open);
        let diagonal = [north - 1, north + 1, south - 1, south + 1].map(open);
        let main_count: usize = main.iter().sum();
        let around = main_count + diagonal.iter().sum::<usize>();
        walls += 8 - around as u64;
        beside_walls += u64::from(around < 8);
        column_runs += 1 - main[0] as u64;
        row_runs += 1 - main[2] as u64;
        let is_straight = main[0] == main[1];
        // Closed in, dead end, corridor, corner, edge, open.
        let sort = match main_count {
            2 if is_straight => 2,
            2 => 3,
            0 | 1 => main_count,
            _ => main_count + 1,
        };
        sides[sort] += 1;
    }
    let cells = sides.iter().sum::<u64>() as f64;
    let [meetings, diagonal_gaps] = corners(&floor, width);
    let area = if cells > 0.0 { Places::of(grid, grid.floor_cells()).area() } else { 0.0 };
    let components = Components::of(grid);
    let largest = components.largest().map_or(0, |label| components.size(label));
    let [across, down] = [grid.width(), grid.height()].map(f64::from);
    let [rows, columns] = [row_runs, column_runs].map(|runs| share(cells, runs as f64));
    let [closed, ends, corridors, corners, edges, open] =
        sides.map(|count| share(count as f64, cells));
    [
        across,
        down,
        cells,
        cells / (across * down),
        share(largest as f64, cells),
        share(walls as f64, cells * 8.0),
        share(beside_walls as f64, cells),
        closed,
        ends,
        corridors,
        corners,
        edges,
        open,
        rows,
        columns,
        share(rows.min(columns), rows.max(columns)),
        share(diagonal_gaps as f64, meetings as f64),
        share(cells, area),
    ]
    .map(|value| value as f32)
}

/// Squares of 2x2 cells in which floor and wall meet, and those of them in which floor touches floor only at a corner.
fn corners(floor: &[u8], width: usize) -> [u64; 2] {
    let mut counts = [0; 2];
    // A square over the end of a row lies in the rim.
    for (above, below) in floor.windows(2).zip(floor[width..].windows(2)) {
        let is_mixed = (1..4).contains(&(above[0] + above[1] + below[0] + below[1]));
        let is_diagonal = above[0] == below[1] && above[1] == below[0];
        counts[0] += u64::from(is_mixed);
        counts[1] += u64::from(is_mixed && is_diagonal);
    }
    counts
}

/// Places on a map: their mean, their spread, and the box around them.
struct Places {
    mean: [f64; 2],
    /// The root of the mean squared distance from the mean.
    spread: f64,
    /// The least and the largest column, and the least and the largest row.
    sides: [[u32; 2]; 2],
}

impl Places {
    /// Of at least one place.
    fn of(grid: &Grid, cells: impl Iterator<Item = Cell>) -> Self {
        let (mut sums, mut squares, mut count) = ([0.0; 2], 0.0, 0.0);
        let mut sides = [[u32::MAX, 0]; 2];
        for cell in cells {
            let (x, y) = grid.position(cell);
            for (axis, at) in [x, y].into_iter().enumerate() {
                sums[axis] += f64::from(at);
                squares += f64::from(at).powi(2);
                sides[axis] = [sides[axis][0].min(at), sides[axis][1].max(at)];
            }
            count += 1.0;
        }
        let mean = sums.map(|sum| sum / count);
        let variance = squares / count - mean[0].powi(2) - mean[1].powi(2);
        Self { mean, spread: variance.max(0.0).sqrt(), sides }
    }

    /// The number of floor cells within the box.
    fn floor(&self, grid: &Grid) -> f64 {
        let [columns, rows] = self.sides;
        let mut count = 0;
        for y in rows[0]..=rows[1] {
            let is_floor = |&x: &u32| grid.at(x, y).is_some_and(|cell| grid.is_floor(cell));
            count += (columns[0]..=columns[1]).filter(is_floor).count();
        }
        count as f64
    }

    /// The area of the box.
    fn area(&self) -> f64 {
        area(self.sides)
    }

    /// The area that both boxes have in common, as a share of the area that they cover together.
    fn overlap(&self, other: &Self) -> f64 {
        let common = area([0, 1].map(|axis| {
            let [one, two] = [self.sides[axis], other.sides[axis]];
            [one[0].max(two[0]), one[1].min(two[1])]
        }));
        common / (self.area() + other.area() - common)
    }
}

/// The area of a box between these columns and rows; nothing if it ends before it begins.
fn area(sides: [[u32; 2]; 2]) -> f64 {
    let [columns, rows] = sides.map(|[from, to]| f64::from((to + 1).saturating_sub(from)));
    columns * rows
}

fn of_tasks(Sight { grid, tasks }: Sight<'_>, floor: f32) -> [f32; OF_TASKS] {
    if tasks.is_empty() {
        return [0.0; OF_TASKS];
    }
    let agents = tasks.len() as f64;
    let starts = Places::of(grid, tasks.iter().map(|task| task.0));
    let goals = Places::of(grid, tasks.iter().map(|task| task.1));
    let [across, down] = [grid.width(), grid.height()].map(f64::from);
    let side = (across * down).sqrt();
    let ways: Vec<[f64; 2]> = tasks.iter().map(|&task| way(grid, task)).collect();
    let length = |[x, y]: [f64; 2]| x.hypot(y);
    let distance = ways.iter().map(|&way| length(way)).sum::<f64>() / agents;
    let mut direction = [0.0; 2];
    for &way in ways.iter().filter(|&&way| length(way) > 0.0) {
        for axis in 0..2 {
            direction[axis] += way[axis] / length(way) / agents;
        }
    }
    let is_against = |way: &&[f64; 2]| way[0] * direction[0] + way[1] * direction[1] < 0.0;
    let against = ways.iter().filter(is_against).count() as f64;
    let shift = [0, 1].map(|axis| goals.mean[axis] - starts.mean[axis]);
    let mut is_start = vec![false; grid.cells().len()];
    for (start, _) in tasks {
        is_start[start.index()] = true;
    }
    let on_starts = tasks.iter().filter(|task| is_start[task.1.index()]).count() as f64;
    // The middle of a cell, so that a map's only column is in its middle.
    let relative = |at: f64, size: f64| (at + 0.5) / size;
    [
        agents,
        share(agents, f64::from(floor)),
        relative(starts.mean[0], across),
        relative(starts.mean[1], down),
        relative(goals.mean[0], across),
        relative(goals.mean[1], down),
        starts.spread / side,
        goals.spread / side,
        distance,
        distance / side,
        length(shift) / side,
        length(direction),
        against / agents,
        starts.overlap(&goals),
        share(agents, starts.floor(grid)),
        share(agents, goals.floor(grid)),
        on_starts / agents,
    ]
    .map(|value| value as f32)
}

/// The straight way of an agent, in columns and rows.
fn way(grid: &Grid, (start, goal): (Cell, Cell)) -> [f64; 2] {
    let [from, to] = [start, goal].map(|cell| grid.position(cell));
    [f64::from(to.0) - f64::from(from.0), f64::from(to.1) - f64::from(from.1)]
}

#[cfg(test)]
#[path = "features_test.rs"]
mod tests;
