//! Draws how the default planner sees a map: sectors, their exits, the route of an agent over some of them, and the path that it walks.
//!
//! `cargo run -p jostle --example sectors > sectors.svg`

use std::fmt::Write;

use jostle::search::{Advice, Follower, Sectors};
use jostle::{Budget, Cell, Grid, Level};

const SIDE: u32 = 160;
/// Pixels on a side of a cell.
const SCALE: u32 = 5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grid = Level::Cave.generate(SIDE, SIDE, 4)?;
    let mut sectors = Sectors::new(&grid, Default::default());
    let mut unlimited = Budget::unlimited();
    sectors.build(&grid, &mut unlimited);
    let floor: Vec<Cell> = grid.floor_cells().collect();
    let (mut cell, goal) = (floor[0], floor[floor.len() - 1]);
    let mut follower = Follower::to(goal);
    let mut route = Vec::new();
    let mut path = vec![cell];
    while let Advice::Head(heading) = follower.ask(&mut sectors, &grid, cell, &mut unlimited) {
        if route.is_empty() {
            route = follower.exits(&sectors).collect();
        }
        cell = grid.beside(cell, heading.best().ok_or("an agent that is not home goes on")?);
        path.push(cell);
    }
    print!("{}", draw(&grid, &sectors, &route, &path)?);
    Ok(())
}

fn draw(
    grid: &Grid,
    sectors: &Sectors,
    route: &[Cell],
    path: &[Cell],
) -> Result<String, std::fmt::Error> {
    let size = SIDE * SCALE;
    let mut svg =
        format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {size}\">\n");
    writeln!(svg, "<rect width=\"{size}\" height=\"{size}\" fill=\"#39424e\"/>")?;
    for y in 0..SIDE {
        let is_floor = |x| grid.at(x, y).is_some_and(|cell| grid.is_floor(cell));
        let mut x = 0;
        while x < SIDE {
            let run = (x..SIDE).take_while(|&x| is_floor(x)).count() as u32;
            if run > 0 {
                rect(&mut svg, (x, y), (run, 1), "#f4f1e8")?;
            }
            x += run.max(1);
        }
    }
    for line in (0..=SIDE).step_by(Sectors::SIDE as usize) {
        let at = line * SCALE;
        writeln!(
            svg,
            "<path d=\"M{at} 0V{size}M0 {at}H{size}\" stroke=\"#8fa3b8\" stroke-width=\"1.5\" stroke-dasharray=\"6 4\"/>"
        )?;
    }
    for (cell, _) in sectors.exits() {
        rect(&mut svg, grid.position(cell), (1, 1), "#e8a33d")?;
    }
    for &cell in route {
        let (x, y) = middle(grid, cell);
        writeln!(
            svg,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"8\" fill=\"none\" stroke=\"#b3261e\" stroke-width=\"3\"/>"
        )?;
    }
    let line: Vec<String> = path
        .iter()
        .map(|&cell| {
            let (x, y) = middle(grid, cell);
            format!("{x},{y}")
        })
        .collect();
    writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#1f6feb\" stroke-width=\"3\"/>",
        line.join(" ")
    )?;
    for (cell, colour) in
        path.first().zip(Some("#1f6feb")).into_iter().chain(path.last().zip(Some("#2da44e")))
    {
        let (x, y) = middle(grid, *cell);
        writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"7\" fill=\"{colour}\"/>")?;
    }
    svg.push_str("</svg>\n");
    Ok(svg)
}

fn rect(
    svg: &mut String,
    (x, y): (u32, u32),
    (width, height): (u32, u32),
    colour: &str,
) -> std::fmt::Result {
    let [x, y, width, height] = [x, y, width, height].map(|cells| cells * SCALE);
    writeln!(
        svg,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{colour}\"/>"
    )
}

fn middle(grid: &Grid, cell: Cell) -> (u32, u32) {
    let (x, y) = grid.position(cell);
    (x * SCALE + SCALE / 2, y * SCALE + SCALE / 2)
}
