//! Where the robots of a warehouse have work: beside the shelves, and at the stations.

use crate::grid::{Cell, Grid};

/// The places between which goods are carried.
///
/// They follow from the floor, so that they are known for any map that looks like a warehouse, and not only for built-in ones.
///
/// ```
/// use jostle::Grid;
/// use jostle::levels::Sites;
///
/// let hall = "@@@@@@@@@\n@.......@\n@..@@@..@\n@.......@\n@@@@@@@@@";
/// let grid = Grid::from_ascii(hall)?;
/// let sites = Sites::of(&grid).unwrap();
/// assert_eq!(sites.stations.len(), 6, "the columns at the western and the eastern wall");
/// assert_eq!(sites.shelf_sides.len(), 8, "three above, three below, one at each end");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sites {
    /// The floor of the westernmost and of the easternmost column that have floor, in the order of the cells.
    pub stations: Vec<Cell>,
    /// The floor directly north, east, south or west of a shelf that is not a station, in the order of the cells. A shelf is a
    /// piece of wall that does not touch the edge of the map.
    pub shelf_sides: Vec<Cell>,
}

impl Sites {
    /// The sites of a map; none if it has no stations or no shelves.
    pub fn of(grid: &Grid) -> Option<Self> {
        let column = |cell: Cell| grid.position(cell).0;
        let west = grid.floor_cells().map(column).min()?;
        let east = grid.floor_cells().map(column).max()?;
        let is_station = |&cell: &Cell| [west, east].contains(&column(cell));
        let is_outer = outer_walls(grid);
        let is_shelf = |cell: Cell| !grid.is_floor(cell) && !is_outer[cell.index()];
        let is_beside = |&cell: &Cell| !is_station(&cell) && beside(grid, cell).any(is_shelf);
        let stations: Vec<Cell> = grid.floor_cells().filter(is_station).collect();
        let shelf_sides: Vec<Cell> = grid.floor_cells().filter(is_beside).collect();
        let is_warehouse = !stations.is_empty() && !shelf_sides.is_empty();
        is_warehouse.then_some(Self { stations, shelf_sides })
    }
}

/// Which cells are walls that hang together with the edge of the map.
fn outer_walls(grid: &Grid) -> Vec<bool> {
    let mut is_outer = vec![false; grid.cells().len()];
    let is_edge = |&cell: &Cell| {
        let (x, y) = grid.position(cell);
        x == 0 || y == 0 || x + 1 == grid.width() || y + 1 == grid.height()
    };
    let is_wall = |cell: Cell| !grid.is_floor(cell);
    let mut frontier: Vec<Cell> =
        grid.cells().filter(|cell| is_edge(cell) && is_wall(*cell)).collect();
    for cell in &frontier {
        is_outer[cell.index()] = true;
    }
    while let Some(cell) = frontier.pop() {
        for near in beside(grid, cell) {
            if is_wall(near) && !is_outer[near.index()] {
                is_outer[near.index()] = true;
                frontier.push(near);
            }
        }
    }
    is_outer
}

/// The cells of the map to the north, east, south and west, whatever they are.
fn beside(grid: &Grid, cell: Cell) -> impl Iterator<Item = Cell> {
    let (x, y) = grid.position(cell);
    [(0, -1), (1, 0), (0, 1), (-1, 0)].into_iter().filter_map(move |(east, south)| {
        grid.at(x.checked_add_signed(east)?, y.checked_add_signed(south)?)
    })
}
