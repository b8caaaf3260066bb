//! `jostle maps`: lists the built-in maps, and shows, draws and saves any map.

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;

use jostle::formats::{read_scenario, shown_path, write_map};
use jostle::grid::Components;
use jostle::instance::Reach;
use jostle::{Grid, Instance, Level, Rules};

use crate::args::{MapsArgs, Numbers};
use crate::failure::Failure;
use crate::output::{Outputs, write_whole};
use crate::say::{out, say};
use crate::table::grouped;
use jostle_lab::report::MapPicture;
use jostle_lab::{NamedMap, Problem, STANDARD_OUTPUT, json_line, shown_output};
use serde::Serialize;

/// Lists the built-in maps, or shows and saves one map.
pub fn maps(args: &MapsArgs) -> Result<(), Failure> {
    let Some(text) = &args.map else {
        return if args.json { list_json() } else { list() };
    };
    let map = NamedMap::find(text, Rules::default())?;
    if let Some(path) = &args.image {
        draw(&map, args, path)?;
    } else if let Some(path) = &args.out {
        outputs(args).save(path, write_map(&map.grid))?;
        say(format_args!("{}: written to {}", describe(&map), shown_output(path)))?;
    } else if args.json {
        let line = json_line(&Measured::of(&map))?;
        writeln!(out(), "{line}")?;
    } else {
        say(describe(&map))?;
        write!(out(), "{}", picture(&map.grid, 78, 60))?;
    }
    Ok(())
}

/// Draws a map, with agents if there are any, as an SVG or a PNG.
fn draw(map: &NamedMap, args: &MapsArgs, path: &Path) -> Result<(), Failure> {
    let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    let form = if path.as_os_str() == STANDARD_OUTPUT { "svg" } else { ending };
    if !["png", "svg"].contains(&form) {
        let reason = "a picture is a .png or an .svg file";
        return Err(Failure::input(format!("{}: {reason}", shown_path(path))));
    }
    let file = outputs(args).open(path)?;
    let (width, height) = (map.grid.width(), map.grid.height());
    let mut title = format!("{} · {width}x{height} cells", map.name);
    let instance = instance(map, args)?;
    if let Some((instance, origin)) = &instance {
        let agents = grouped(instance.tasks().len() as u64);
        title = format!("{title} · {agents} agents · {origin}");
    }
    let picture = match &instance {
        Some((instance, _)) => MapPicture::of_instance(instance, &title),
        None => MapPicture::of_map(&map.grid, &title),
    };
    let picture = match form {
        "png" => picture.png()?,
        _ => picture.svg()?.into_bytes(),
    };
    write_whole(file, |out| out.write_all(&picture))?;
    say(format_args!("{title}: drawn to {}", shown_output(path)))?;
    Ok(())
}

/// The files of the command.
fn outputs(args: &MapsArgs) -> Outputs {
    Outputs::reading(args.map.iter().map(Path::new).chain(args.scen.as_deref()))
}

/// The agents to draw, and where they come from.
fn instance(map: &NamedMap, args: &MapsArgs) -> Result<Option<(Instance, String)>, Failure> {
    let agents = args.agents.as_ref().map(|agents| one("--agents", agents)).transpose()?;
    let agents = agents.map(|agents| agents as usize);
    if let Some(path) = &args.scen {
        let scenario = read_scenario(path).map_err(Failure::input)?;
        let agents = agents.unwrap_or(scenario.rows.len());
        let instance = Instance::from_scenario(&map.grid, &scenario, agents, Reach::Optional)
            .map_err(|error| Failure::input(format!("{}: {error}", shown_path(path))))?;
        return Ok(Some((instance, shown_path(path))));
    }
    let Some(agents) = agents else { return Ok(None) };
    let seed = one("--seeds", &args.seeds)?;
    let problem = Problem::draw(map, args.kind, agents, seed)?;
    let origin = format!("{}, seed {seed}", args.kind.name());
    Ok(Some((problem.instance, origin)))
}

/// The number, if there is only one.
fn one(name: &str, numbers: &Numbers) -> Result<u64, Failure> {
    match numbers.0[..] {
        [number] => Ok(number),
        _ => {
            Err(Failure::input(format!("{name} takes one number here: a picture shows one crowd")))
        }
    }
}

/// A built-in map, for programs.
#[derive(Serialize)]
struct BuiltIn {
    name: &'static str,
    about: &'static str,
}

fn list_json() -> Result<(), Failure> {
    for level in Level::ALL {
        let line = json_line(&BuiltIn { name: level.name(), about: level.about() })?;
        writeln!(out(), "{line}")?;
    }
    Ok(())
}

/// A map in numbers, for programs.
#[derive(Serialize)]
struct Measured<'a> {
    map: &'a str,
    /// Null if it is built in.
    file: Option<String>,
    width: u32,
    height: u32,
    /// Cells that can be walked.
    floor: usize,
    /// Parts of the floor between which there is no path, and the cells of the largest.
    parts: usize,
    largest_part: usize,
    /// As in records of runs.
    map_fingerprint: String,
}

impl<'a> Measured<'a> {
    fn of(map: &'a NamedMap) -> Self {
        let components = Components::of(&map.grid);
        Self {
            map: &map.name,
            file: map.file.as_ref().map(shown_path),
            width: map.grid.width(),
            height: map.grid.height(),
            floor: map.grid.floor_cells().count(),
            parts: components.count(),
            largest_part: components.largest().map_or(0, |label| components.size(label)),
            map_fingerprint: format!("{:016x}", map.fingerprint()),
        }
    }
}

fn list() -> Result<(), Failure> {
    let mut out = out();
    for level in Level::ALL {
        writeln!(out, "{:10} {}", level.name(), level.about())?;
        let grid = level.generate(96, 48, 1).map_err(Failure::input)?;
        writeln!(out, "{}", picture(&grid, 48, 12))?;
    }
    writeln!(out, "Any size, any seed: jostle maps cave:200x120:seed=4 [--out cave.map]")?;
    writeln!(out, "Run a crowd on one: jostle run cave:200x120:seed=4 --agents 300")?;
    Ok(())
}

fn describe(map: &NamedMap) -> String {
    let components = Components::of(&map.grid);
    let floor = map.grid.floor_cells().count();
    let share = floor as f64 * 100.0 / map.grid.cells().len() as f64;
    let parts = match components.count() {
        1 => "all connected".to_owned(),
        parts => {
            let largest = components.largest().map_or(0, |label| components.size(label));
            format!("in {parts} parts, the largest of {}", grouped(largest as u64))
        }
    };
    let (width, height) = (map.grid.width(), map.grid.height());
    let floor = grouped(floor as u64);
    format!("{}: {width}x{height}, {floor} cells of floor ({share:.0} %), {parts}", map.name)
}

/// The dots of a braille character, by bit: down the left, down the right, then the bottom pair.
const DOTS: [(u32, u32); 8] = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)];

/// The map in braille: a character shows 2x4 blocks of cells, walls as dots. Large maps are shrunk to fit.
fn picture(grid: &Grid, columns: u32, rows: u32) -> String {
    let cells_in = |side: u32, letters: u32, dots: u32| side.div_ceil(letters * dots).max(1);
    let block = cells_in(grid.width(), columns, 2).max(cells_in(grid.height(), rows, 4));
    let (width, height) = (grid.width().div_ceil(block), grid.height().div_ceil(block));
    // A dot is a wall if most of its block is.
    let is_wall = |dot_x: u32, dot_y: u32| {
        let cells = (0..block)
            .flat_map(|y| (0..block).map(move |x| (dot_x * block + x, dot_y * block + y)));
        let (walls, all) = cells
            .filter_map(|(x, y)| grid.at(x, y))
            .fold((0, 0), |(walls, all), cell| (walls + u32::from(!grid.is_floor(cell)), all + 1));
        walls * 2 > all
    };
    let mut text = String::new();
    for row in 0..height.div_ceil(4) {
        for column in 0..width.div_ceil(2) {
            let bits = DOTS.iter().enumerate().fold(0, |bits, (bit, (dx, dy))| {
                bits | u32::from(is_wall(column * 2 + dx, row * 4 + dy)) << bit
            });
            text.extend(char::from_u32(0x2800 + bits));
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_shows_walls_as_dots() {
        let grid = Grid::from_ascii("#...\n....\n....\n...#").unwrap();
        assert_eq!(picture(&grid, 10, 10), "⠁⢀\n");
    }

    #[test]
    fn a_large_map_is_shrunk_to_fit() {
        let grid = Grid::open(1000, 300).unwrap();
        let drawn = picture(&grid, 40, 20);
        assert!(drawn.lines().count() <= 20);
        assert!(drawn.lines().all(|line| line.chars().count() <= 40));
    }
}
