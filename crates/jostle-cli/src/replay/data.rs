//! A trace as the page reads it.
//!
//! JSON, and in it only numbers and base64, so that it can stand inside a `script` element as it is:
//!
//! | field | content |
//! | --- | --- |
//! | `width`, `height` | the sides of the floor |
//! | `four` | whether cells have four neighbours |
//! | `floor` | one bit a cell, row by row, the lowest bit first: floor is 1. Base64 |
//! | `agents` | `[cell, goal, ours]` for each slot at the beginning; nowhere is -1 |
//! | `slots`, `ticks` | how many there are in the whole run |
//! | `changes` | `[tick, change, ...]` for each tick before which something changed, from tick 1 |
//! | `moves` | everyone's move at every tick, [packed](pack_moves). Base64 |
//!
//! A change is `[0, slot, cell, goal, ours]` (arrived), `[1, slot]` (left), `[2, slot, goal]` (sent),
//! `[3, slot, cell]` (put there, however far) or `[4, cell, is_floor]` (edited).
//!
//! A move is 0 (stay) or 1 to 8, the directions in the order that breaks ties. It leads from where
//! an agent stood after the tick before (or arrived since) to where it stands now. So an opponent that
//! the game puts on the next cell makes a move like everybody else, and only farther jumps are changes.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use jostle::grid::{Direction, Neighbours};
use jostle::{Cell, Change, Grid, Trace};
use serde_json::json;

const ARRIVED: i64 = 0;
const LEFT: i64 = 1;
const SENT: i64 = 2;
const PUT: i64 = 3;
const EDITED: i64 = 4;

/// Moves that there are: to stay, and the directions.
const MOVES: u8 = 9;
/// Codes below this one are two moves.
const FIRST_RUN: u8 = MOVES * MOVES;
/// The shortest run of one move that has a code; shorter ones are cheaper as pairs.
const SHORTEST_RUN: usize = 3;
/// Codes for each move: one for each length from the shortest, and the last for all longer runs.
const RUN_LENGTHS: usize = 19;

/// A trace as the JSON that the page reads.
pub(super) fn encode(trace: &Trace) -> String {
    let grid = trace.grid();
    let slots = trace.opening().last().map_or(0, |agent| agent.slot() + 1);
    let mut agents = vec![[NOWHERE, NOWHERE, 0]; slots];
    for agent in trace.opening() {
        agents[agent.slot()] = [number(agent.cell), number(agent.goal), agent.ours.into()];
    }
    let Diary { slots, changes, moves } = Diary::of(trace);
    json!({
        "width": grid.width(),
        "height": grid.height(),
        "four": grid.rules().neighbours == Neighbours::Four,
        "floor": BASE64_STANDARD.encode(floor_bits(grid)),
        "agents": agents,
        "slots": slots,
        "ticks": trace.ticks(),
        "changes": changes,
        "moves": BASE64_STANDARD.encode(pack_moves(&moves)),
    })
    .to_string()
}

/// What happened, told as steps instead of places.
struct Diary {
    slots: usize,
    /// For each tick before which something changed, the tick and what did.
    changes: Vec<serde_json::Value>,
    /// All moves of the first slot, then of the second, and so on: whoever walks straight on or has
    /// arrived makes one long run.
    moves: Vec<u8>,
}

impl Diary {
    fn of(trace: &Trace) -> Self {
        let (grid, ticks) = (trace.grid(), trace.ticks());
        let longest = trace.frames().iter().map(|frame| frame.cells().len()).max();
        let last = trace.opening().last().map_or(0, |agent| agent.slot() + 1);
        let slots = longest.unwrap_or(0).max(last);
        // Where the agent in each slot stands.
        let mut seats = vec![None; slots];
        for agent in trace.opening() {
            seats[agent.slot()] = Some(agent.cell);
        }
        let mut moves = vec![0; slots * ticks];
        let mut changes = Vec::new();
        for (tick, frame) in trace.frames().iter().enumerate() {
            let mut entry = vec![json!(tick + 1)];
            let notes = frame.changes().iter().filter_map(|change| note(change, &mut seats));
            entry.extend(notes.map(|note| json!(note)));
            for (slot, seat) in seats.iter_mut().enumerate() {
                let to = frame.cell(slot);
                if let Some(step) = move_between(grid, *seat, to) {
                    moves[slot * ticks + tick] = step;
                } else if let Some(to) = to {
                    entry.push(json!([PUT, slot, number(to)]));
                } else {
                    entry.push(json!([LEFT, slot]));
                }
                *seat = to;
            }
            if entry.len() > 1 {
                changes.push(entry.into());
            }
        }
        Self { slots, changes, moves }
    }
}

/// A change as the page reads it. Arrivals and departures are made in `seats`.
fn note(change: &Change, seats: &mut [Option<Cell>]) -> Option<Vec<i64>> {
    match *change {
        Change::Join { agent, cell, goal, ours } => {
            *seats.get_mut(agent.slot())? = Some(cell);
            let (slot, ours) = (agent.slot() as i64, i64::from(ours));
            Some(vec![ARRIVED, slot, number(cell), number(goal), ours])
        }
        Change::Leave { agent } => {
            *seats.get_mut(agent.slot())? = None;
            Some(vec![LEFT, agent.slot() as i64])
        }
        Change::Send { agent, goal } => Some(vec![SENT, agent.slot() as i64, number(goal)]),
        Change::SetFloor { cell, is_floor } => Some(vec![EDITED, number(cell), is_floor.into()]),
        // Where an agent stands after the tick tells where it was put.
        _ => None,
    }
}

/// The move that leads from one cell to another, if one does.
fn move_between(grid: &Grid, from: Option<Cell>, to: Option<Cell>) -> Option<u8> {
    if from == to {
        return Some(0);
    }
    let (from, to) = (from?, to?);
    let step = Direction::ALL.into_iter().find(|&step| grid.step(from, step) == Some(to))?;
    Some(step as u8 + 1)
}

/// Stands for no cell.
const NOWHERE: i64 = -1;

/// The number of a cell.
fn number(cell: Cell) -> i64 {
    cell.index() as i64
}

fn floor_bits(grid: &Grid) -> Vec<u8> {
    let mut bits = vec![0; grid.cells().len().div_ceil(8)];
    for cell in grid.floor_cells() {
        bits[cell.index() / 8] |= 1 << (cell.index() % 8);
    }
    bits
}

/// Packs moves into bytes: a byte is either two moves (`9 * first + second`) or a run of at least three
/// equal ones (`81 + 19 * move + length - 3`). The last code of each move means a run of 21 or more,
/// and the length beyond 21 follows, seven bits a byte, the lowest first, the high bit set on all but
/// the last.
///
/// Runs make quiet stretches cheap; pairs bound the worst case at half a byte a move.
fn pack_moves(moves: &[u8]) -> Vec<u8> {
    let longest = SHORTEST_RUN + RUN_LENGTHS - 1;
    let mut packed = Vec::new();
    let mut rest = moves;
    while let Some(&first) = rest.first() {
        let run = rest.iter().take_while(|&&step| step == first).count();
        if run < SHORTEST_RUN {
            packed.push(first * MOVES + rest.get(1).unwrap_or(&0));
            rest = rest.get(2..).unwrap_or_default();
            continue;
        }
        let length = (run - SHORTEST_RUN).min(RUN_LENGTHS - 1);
        packed.push(FIRST_RUN + first * RUN_LENGTHS as u8 + length as u8);
        if run >= longest {
            push_number(&mut packed, run - longest);
        }
        rest = &rest[run..];
    }
    packed
}

fn push_number(bytes: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

#[cfg(test)]
#[path = "data_test.rs"]
mod tests;
