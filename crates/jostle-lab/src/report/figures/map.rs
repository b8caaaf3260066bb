//! A picture of a map and its agents.

use jostle::{Grid, Instance};

use super::plot::{heading, lettering};
use super::raster::png;
use super::style::Colour;
use super::surface::{Anchor, Surface, svg};
use crate::LabError;

const WALL: Colour = Colour(74, 84, 96);
const FLOOR: Colour = Colour(246, 246, 242);
const START: Colour = Colour(0, 114, 178);
const GOAL: Colour = Colour(213, 94, 0);
/// The longer side of the map, in points.
const SIDE: f64 = 800.0;
/// The most agents whose starts and goals are joined by lines: more would hide the map.
const MOST_JOINED: usize = 60;
const MARGIN: f64 = 14.0;
const TITLE: f64 = 34.0;
const NOTE: f64 = 26.0;

/// A map with the starts and goals of its agents.
#[derive(Clone, Debug)]
pub struct MapPicture<'a> {
    grid: &'a Grid,
    /// Starts and goals, by column and row.
    tasks: Vec<((u32, u32), (u32, u32))>,
    title: String,
}

impl<'a> MapPicture<'a> {
    /// A map without agents.
    pub fn of_map(grid: &'a Grid, title: &str) -> Self {
        Self { grid, tasks: Vec::new(), title: title.to_owned() }
    }

    /// A map with agents.
    pub fn of_instance(instance: &'a Instance, title: &str) -> Self {
        let grid = instance.grid();
        let tasks = instance.tasks().iter();
        let tasks = tasks.map(|&(start, goal)| (grid.position(start), grid.position(goal)));
        Self { grid, tasks: tasks.collect(), title: title.to_owned() }
    }

    /// The picture as an SVG file.
    ///
    /// # Errors
    /// When it cannot be drawn.
    pub fn svg(&self) -> Result<String, LabError> {
        svg(self.size(), |surface| self.draw(surface))
    }

    /// The picture as a PNG file, two pixels per point.
    ///
    /// # Errors
    /// When it cannot be drawn.
    pub fn png(&self) -> Result<Vec<u8>, LabError> {
        png(&self.svg()?)
    }

    /// The side of a cell: a whole number of quarters of a point, so that all look alike, unless the map
    /// is so large that they would have none.
    fn cell(&self) -> f64 {
        let longer = f64::from(self.grid.width().max(self.grid.height()));
        let exact = (SIDE / longer).min(24.0);
        let quarters = (exact * 4.0).floor() / 4.0;
        if quarters > 0.0 { quarters } else { exact }
    }

    fn size(&self) -> (u32, u32) {
        let cell = self.cell();
        let width = f64::from(self.grid.width()) * cell + 2.0 * MARGIN;
        let height = f64::from(self.grid.height()) * cell + TITLE + NOTE;
        (width.max(320.0).ceil() as u32, height.ceil() as u32)
    }

    fn draw(&self, surface: &mut Surface<'_>) {
        let cell = self.cell();
        let at = |x: f64, y: f64| (MARGIN + x * cell, TITLE + y * cell);
        let (width, height) = (f64::from(self.grid.width()), f64::from(self.grid.height()));
        surface.text(&self.title, (MARGIN, 22.0), heading(12.0));
        surface.rectangle(at(0.0, 0.0), at(width, height), FLOOR);
        for block in wall_blocks(self.grid) {
            let [left, top, right, bottom] = block.map(f64::from);
            surface.rectangle(at(left, top), at(right, bottom), WALL);
        }
        let middle = |(x, y): (u32, u32)| at(f64::from(x) + 0.5, f64::from(y) + 0.5);
        let radius = (cell * 0.36).max(2.4);
        if self.tasks.len() <= MOST_JOINED {
            for &(start, goal) in &self.tasks {
                surface.line(&[middle(start), middle(goal)], Colour(150, 150, 150), 0.75);
            }
        }
        for &(_, goal) in &self.tasks {
            surface.ring(middle(goal), radius, GOAL, (radius * 0.2).max(1.3));
        }
        for &(start, _) in &self.tasks {
            surface.disc(middle(start), radius * 0.85, START);
        }
        if !self.tasks.is_empty() {
            draw_key(surface, at(0.0, height).1 + 16.0);
        }
    }
}

/// The key of the symbols.
fn draw_key(surface: &mut Surface<'_>, y: f64) {
    let style = lettering(9.5, Colour::GREY, Anchor::Start);
    surface.disc((MARGIN + 4.0, y - 3.4), 3.2, START);
    surface.text("start", (MARGIN + 12.0, y), style);
    surface.ring((MARGIN + 52.0, y - 3.4), 3.6, GOAL, 1.3);
    surface.text("goal", (MARGIN + 60.0, y), style);
}

/// The walls in few rectangles (left, top, right, bottom): runs of a row that go on in the rows below.
fn wall_blocks(grid: &Grid) -> Vec<[u32; 4]> {
    let mut blocks: Vec<[u32; 4]> = Vec::new();
    let mut open: Vec<[u32; 4]> = Vec::new();
    for y in 0..grid.height() {
        let mut next = Vec::new();
        for (left, right) in wall_runs(grid, y) {
            let above = open.iter().position(|block| (block[0], block[2]) == (left, right));
            let top = above.map_or(y, |index| open.swap_remove(index)[1]);
            next.push([left, top, right, y + 1]);
        }
        blocks.append(&mut open);
        open = next;
    }
    blocks.append(&mut open);
    blocks
}

/// Where walls begin and end in a row.
fn wall_runs(grid: &Grid, y: u32) -> Vec<(u32, u32)> {
    let is_wall = |x: u32| grid.at(x, y).is_some_and(|cell| !grid.is_floor(cell));
    let mut runs = Vec::new();
    let mut x = 0;
    while x < grid.width() {
        let end = (x..grid.width()).find(|x| !is_wall(*x)).unwrap_or(grid.width());
        if end > x {
            runs.push((x, end));
        }
        x = end + 1;
    }
    runs
}
