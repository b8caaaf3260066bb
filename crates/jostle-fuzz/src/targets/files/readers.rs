//! Reads a text as the engine, the lab and the command do, uses what was read, writes it, and reads it again.

use std::fmt::Display;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use jostle::check::check_paths;
use jostle::formats::{
    Paths, Scenario, parse_map, read_map, read_paths, read_scenario, read_script, write_map,
};
use jostle::instance::Reach;
use jostle::planners::Spec;
use jostle::{Grid, Instance, Limits, Rules, Script, Simulation};
use jostle_lab::sweep::{Shard, SweepSpec};
use jostle_lab::{
    NamedMap, Record, Records, Registries, parse_limits, parse_numbers, write_limits,
};
use tempfile::TempDir;

use super::Format;
use crate::scratch;

/// The longest side of a map that a scenario or a name may ask for here. Larger ones are for the command, which is run
/// with a limit on its memory.
const LONGEST_SIDE: u64 = 200;

/// What came of reading: nothing special, or the sentence with which it was refused.
type Read = Result<(), String>;

thread_local! {
    /// A folder for this thread's files.
    static SCRATCH: Option<TempDir> = scratch::folder().ok();
}

/// Reads a text. The inner error is the sentence with which it was refused, without the name of the file; the outer
/// one says how what was written or used differs from what was read.
pub fn read_and_write(format: Format, bytes: &[u8]) -> Result<Read, String> {
    let text = String::from_utf8_lossy(bytes);
    match format {
        Format::Planner => planner(&text),
        Format::Numbers => numbers(&text),
        Format::Limits => limits(&text),
        Format::MapName => Ok(map_name(&text)),
        Format::Shard => match text.parse::<Shard>() {
            Ok(shard) => same(&text.parse::<Shard>().as_ref(), &Ok(&shard)),
            Err(sentence) => Ok(Err(sentence)),
        },
        _ => SCRATCH.with(|folder| {
            let folder = folder.as_ref().ok_or("there is no folder for temporary files")?;
            let path = folder.path().join("records.jsonl");
            fs::write(&path, bytes).map_err(|error| error.to_string())?;
            let read = file(format, &path)?;
            // The name of the file is the caller's own, and may be long.
            Ok(read.map_err(|sentence| sentence.replace(&path.display().to_string(), "FILE")))
        }),
    }
}

fn file(format: Format, path: &Path) -> Result<Read, String> {
    match format {
        Format::Map => with(read_map(path), |grid| {
            let again = parse_map(&write_map(grid)).map(|grid| grid.to_ascii());
            same(&again, &Ok(grid.to_ascii()))
        }),
        Format::Scenario => with(read_scenario(path), scenario),
        Format::Script => with(read_script(path), script),
        Format::Paths => with(read_paths(path), paths),
        Format::SweepSpec => with(SweepSpec::read(path, Registries::builtin()), |_| Ok(Ok(()))),
        _ => with(Records::read(path), |records| self::records(records, path)),
    }
}

/// Uses what was read, or hands on the sentence with which it was refused.
fn with<T, E: Display>(
    read: Result<T, E>,
    use_it: impl FnOnce(&T) -> Result<Read, String>,
) -> Result<Read, String> {
    match read {
        Ok(value) => use_it(&value),
        Err(sentence) => Ok(Err(sentence.to_string())),
    }
}

fn same<T: PartialEq + std::fmt::Debug>(found: &T, expected: &T) -> Result<Read, String> {
    if found == expected {
        return Ok(Ok(()));
    }
    Err(format!("{found:?} where {expected:?} is expected"))
}

fn scenario(scenario: &Scenario) -> Result<Read, String> {
    let is_small = |side: u32| u64::from(side) <= LONGEST_SIDE;
    let sizes = scenario.rows.iter().filter_map(|row| row.size);
    if sizes.into_iter().all(|(width, height)| is_small(width) && is_small(height)) {
        let grid = open(10, 10)?;
        let _ = Instance::from_scenario(&grid, scenario, scenario.rows.len(), Reach::Optional);
    }
    // Lengths are written with eight digits after the point, so the first writing may round them.
    let written = scenario.write();
    let again = Scenario::parse(&written).map(|scenario| scenario.write());
    same(&again, &Ok(written))
}

fn script(script: &Script) -> Result<Read, String> {
    let grid = open(10, 10)?;
    let _ = script.check(&grid, 2);
    let mut world = jostle::World::new(grid);
    let mut planner = Spec::parse("pibt").map_err(|error| error.to_string())?.build();
    let _ = Simulation::new(&mut world, planner.as_mut())
        .limits(Limits::ticks(20))
        .script(script)
        .between(|_| ControlFlow::Continue(()))
        .run();
    same(&Script::parse(&script.write()).as_ref(), &Ok(script))
}

fn paths(paths: &Paths) -> Result<Read, String> {
    let grid = open(8, 8)?;
    let _ = paths.to_plan(&grid);
    let (replayed, checked) = (paths.to_trace(&grid), check_paths(&grid, paths));
    if replayed.is_ok() && checked.is_err() {
        return Err(format!("it can be replayed, but the checker says {checked:?}"));
    }
    let written = paths.write();
    // Without its last lines it is not the file of a shorter run.
    let ends = written.trim_end().rmatch_indices('\n').map(|(end, _)| &written[..=end]);
    if let Some(cut) = ends.take(3).find(|cut| Paths::parse(cut).is_ok()) {
        return Err(format!("{cut:?} is read, and it is cut off"));
    }
    same(&Paths::parse(&written).as_ref(), &Ok(paths))
}

fn records(records: &Records, path: &Path) -> Result<Read, String> {
    let line = |record: &Record| serde_json::to_string(record).map(|line| line + "\n");
    let lines = records.records.iter().map(line).collect::<Result<String, _>>();
    fs::write(path, lines.map_err(|error| error.to_string())?)
        .map_err(|error| error.to_string())?;
    let again = Records::read(path).map(|records| records.records);
    same(&again.as_ref(), &Ok(&records.records))
}

fn planner(text: &str) -> Result<Read, String> {
    with(Spec::parse(text), |spec| {
        let again = Spec::parse(spec.canonical()).map(|spec| spec.canonical().to_owned());
        same(&again, &Ok(spec.canonical().to_owned()))
    })
}

fn numbers(text: &str) -> Result<Read, String> {
    with(parse_numbers(text), |numbers| {
        let few = &numbers[..numbers.len().min(1_000)];
        let written = few.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
        same(&parse_numbers(&written).as_deref(), &Ok(few))
    })
}

fn limits(text: &str) -> Result<Read, String> {
    with(parse_limits(text), |limits| {
        // Of a time of months, the nanoseconds are lost when it is first written.
        let written = write_limits(*limits);
        same(&parse_limits(&written).map(write_limits), &Ok(written))
    })
}

fn map_name(text: &str) -> Read {
    let is_large = |digits: &str| {
        !digits.is_empty() && digits.parse::<u64>().is_ok_and(|number| number > LONGEST_SIDE)
    };
    if text.split(|letter: char| !letter.is_ascii_digit()).any(is_large) {
        return Ok(());
    }
    NamedMap::find(text, Rules::default()).map(|_| ()).map_err(|error| error.to_string())
}

fn open(width: u32, height: u32) -> Result<Grid, String> {
    Grid::open(width, height).map_err(|error| error.to_string())
}
