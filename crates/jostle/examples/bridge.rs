//! Two groups cross a river in opposite directions while the map changes: a second bridge is built, and a
//! gate closes the first. The program only edits the map; the planner finds the changes by itself.
//!
//! `cargo run -p jostle --example bridge`

use std::ops::Range;

use jostle::world::ChangeError;
use jostle::{AgentId, Crowd, Grid, Status};

const MAP: &str = "
    ..............######..............
    ..............######..............
    ..................................
    ..................................
    ..................................
    ..............######..............
    ..............######..............
    ..............######..............
    ..............######..............
    ..............######..............
    ..............######..............
    ..............######..............
";
const RIVER: Range<u32> = 14..20;
const OLD_BRIDGE: Range<u32> = 2..5;
const NEW_BRIDGE: Range<u32> = 7..11;
/// The column of the gate, in the middle of the old bridge.
const GATE: Range<u32> = 16..17;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut crowd = Crowd::new(Grid::from_ascii(MAP)?);
    let mut agents: Vec<AgentId> = Vec::new();
    for x in 2..7 {
        for y in 1..11 {
            let (west, east) = ((x, y), (33 - x, y));
            for (from, to) in [(west, east), (east, west)] {
                let agent = crowd.add(from)?;
                crowd.send(agent, to)?;
                agents.push(agent);
            }
        }
    }

    for tick in 1..=600 {
        match tick {
            20 => {
                println!("Tick  20: a second bridge is built.");
                set_floor(&mut crowd, RIVER, NEW_BRIDGE, true)?;
            }
            35 => {
                println!("Tick  35: a gate closes the first.");
                set_floor(&mut crowd, GATE, OLD_BRIDGE, false)?;
            }
            _ => {}
        }
        crowd.tick()?;
        let arrived = agents.iter().filter(|&&a| crowd.status(a) == Status::Arrived).count();
        if tick % 20 == 0 || arrived == agents.len() {
            println!("Tick {tick:3}: {arrived} of {} are across.", agents.len());
        }
        if arrived == agents.len() {
            return Ok(());
        }
    }
    for &agent in agents.iter().filter(|&&agent| crowd.status(agent) != Status::Arrived) {
        println!("{agent} at {:?} is {:?}", crowd.position(agent), crowd.status(agent));
    }
    Ok(())
}

fn set_floor(
    crowd: &mut Crowd,
    columns: Range<u32>,
    rows: Range<u32>,
    is_floor: bool,
) -> Result<(), ChangeError> {
    for y in rows {
        for x in columns.clone() {
            crowd.set_floor((x, y), is_floor)?;
        }
    }
    Ok(())
}
