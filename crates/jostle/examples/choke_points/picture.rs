//! A run as an animated picture: SVG, which browsers play without a script.
//!
//! To keep it small, an agent's path is drawn as a few straight lines through space and time that stay close
//! to its cells.

use std::cmp::Ordering;
use std::fmt::{self, Write};
use std::ops::Range;

use jostle::grid::Exits;
use jostle::{Agent, Cell, Grid, Trace};

/// How large a picture may be, in bytes, before agents are drawn with more slack.
const LARGEST: usize = 145_000;
/// How wide a picture of a small map is, in pixels.
const WIDTH: u32 = 640;
/// How many ticks are shown in a second.
const SPEED: f64 = 24.0;
/// How long an animation takes, in seconds: shorter runs are shown slower, longer ones faster.
const SHORTEST: f64 = 5.0;
const LONGEST: f64 = 20.0;
/// How long the end is shown before the animation repeats, as a share of the whole.
const PAUSE: f64 = 0.08;

const AT_GOAL: &str = "#4a5a7a";
const WESTWARD: &str = "#f3ab5f";
const EASTWARD: &str = "#57cdf5";

/// The run as an SVG that repeats for ever. If the picture does not get too large, no agent is drawn farther from its cell than the slack, in
/// cells.
pub fn animated(trace: &Trace, mut slack: f64) -> Result<String, fmt::Error> {
    loop {
        let picture = draw(trace, slack)?;
        if picture.len() < LARGEST {
            return Ok(picture);
        }
        slack *= 1.25;
    }
}

fn draw(trace: &Trace, slack: f64) -> Result<String, fmt::Error> {
    let (grid, mut picture) = (trace.grid(), String::new());
    let (width, rows) = (grid.width(), rows(trace));
    let (top, height) = (rows.start, rows.end - rows.start);
    writeln!(
        picture,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 {top} {width} {height}\" width=\"{}\">",
        width * (WIDTH / width).clamp(10, 40)
    )?;
    writeln!(picture, "<rect width=\"{width}\" height=\"{}\" fill=\"#1a2130\"/>", grid.height())?;
    writeln!(picture, "<path fill=\"#06080d\" d=\"{}\"/>", walls(grid)?)?;
    for colour in [AT_GOAL, WESTWARD, EASTWARD] {
        writeln!(picture, "<g fill=\"{colour}\" transform=\"translate(.5 .5)\">")?;
        for agent in trace.opening().iter().filter(|agent| colour_of(grid, agent) == colour) {
            draw_agent(&mut picture, trace, agent.slot(), slack)?;
        }
        writeln!(picture, "</g>")?;
    }
    writeln!(picture, "</svg>")?;
    Ok(picture)
}

/// Agents that start at their goals get a muted colour; the others are coloured by their direction.
fn colour_of(grid: &Grid, agent: &Agent) -> &'static str {
    match grid.position(agent.goal).0.cmp(&grid.position(agent.cell).0) {
        Ordering::Less => WESTWARD,
        Ordering::Equal => AT_GOAL,
        Ordering::Greater => EASTWARD,
    }
}

/// The rows in which an agent ever stands, and a few around them.
fn rows(trace: &Trace) -> Range<u32> {
    const AROUND: u32 = 3;
    let (mut first, mut last) = (u32::MAX, 0);
    let mut frames = trace.frames();
    while let Some(frame) = frames.next_frame() {
        for row in frame.cells().flatten().map(|cell| trace.grid().position(cell).1) {
            (first, last) = (first.min(row), last.max(row));
        }
    }
    first.saturating_sub(AROUND)..(last + 1 + AROUND).min(trace.grid().height())
}

/// The walls, as one path: a stroke for each stretch of a row.
fn walls(grid: &Grid) -> Result<String, fmt::Error> {
    let mut path = String::new();
    for y in 0..grid.height() {
        let is_wall = |x: u32| grid.at(x, y).is_some_and(|cell| !grid.is_floor(cell));
        let mut x = 0;
        while x < grid.width() {
            let length = (x..grid.width()).take_while(|&x| is_wall(x)).count() as u32;
            if length > 0 {
                write!(path, "M{x} {y}h{length}v1h-{length}z")?;
            }
            x += length.max(1);
        }
    }
    Ok(path)
}

fn draw_agent(picture: &mut String, trace: &Trace, slot: usize, slack: f64) -> fmt::Result {
    let cells = trace.path(slot).into_iter().flatten();
    let path: Vec<Spot> = cells.map(|cell| Spot::of(trace.grid(), cell)).collect();
    let last = path.len() - 1;
    let mut bends = vec![0];
    find_bends(&path, slack, 0, last, &mut bends);
    let from = path[0];
    write!(picture, "<circle r=\".4\" cx=\"{}\" cy=\"{}\">", from.x, from.y)?;
    if bends.iter().any(|&bend| path[bend] != from) {
        let (mut steps, mut times) = (String::new(), String::new());
        // The last place is shown until the end of the pause.
        let ends = bends.iter().map(|&bend| (bend, bend as f64 / last as f64 * (1.0 - PAUSE)));
        for (bend, time) in ends.chain([(last, 1.0)]) {
            let comma = if steps.is_empty() { "" } else { ";" };
            write!(steps, "{comma}{},{}", path[bend].x - from.x, path[bend].y - from.y)?;
            write!(times, "{comma}{}", format!("{time:.3}").trim_start_matches('0'))?;
        }
        let seconds = (last as f64 / SPEED).clamp(SHORTEST, LONGEST);
        write!(
            picture,
            "<animateMotion dur=\"{seconds:.1}s\" repeatCount=\"indefinite\" calcMode=\"linear\" \
             values=\"{steps}\" keyTimes=\"{times}\"/>"
        )?;
    }
    writeln!(picture, "</circle>")
}

/// Where an agent is at a tick.
#[derive(Clone, Copy, PartialEq)]
struct Spot {
    x: f64,
    y: f64,
    /// The factor of the slack here: in a narrow place an agent must not be drawn in the wall.
    weight: f64,
}

impl Spot {
    fn of(grid: &Grid, cell: Cell) -> Self {
        let (x, y) = grid.position(cell);
        let is_narrow = grid.exits(cell).len() <= 3;
        Self { x: f64::from(x), y: f64::from(y), weight: if is_narrow { 3.0 } else { 1.0 } }
    }
}

/// The ticks at which a path bends, after `first` and up to `last`: as few as stay within the slack.
fn find_bends(path: &[Spot], slack: f64, first: usize, last: usize, bends: &mut Vec<usize>) {
    let off = |&at: &usize| {
        let share = (at - first) as f64 / (last - first) as f64;
        let between = |from: f64, to: f64| from + (to - from) * share;
        let (x, y) = (between(path[first].x, path[last].x), between(path[first].y, path[last].y));
        (path[at].x - x).abs().max((path[at].y - y).abs()) * path[at].weight
    };
    let worst = (first + 1..last).max_by(|a, b| off(a).total_cmp(&off(b)));
    if let Some(worst) = worst.filter(|worst| off(worst) > slack) {
        find_bends(path, slack, first, worst, bends);
        find_bends(path, slack, worst, last, bends);
    } else {
        bends.push(last);
    }
}
