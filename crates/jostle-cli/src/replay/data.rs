//! A trace as the page reads it.
//!
//! JSON of nothing but numbers and base64, so that it needs no escaping inside a `script` element:
//!
//! | field | content |
//! | --- | --- |
//! | `width`, `height` | the sides of the floor |
//! | `four` | whether cells have four neighbours |
//! | `floor` | one bit per cell, row by row, the lowest bit first: floor is 1. Base64 |
//! | `agents` | `[cell, goal, ours]` for each slot at the beginning; nowhere is -1 |
//! | `slots`, `ticks` | their numbers in the whole run |
//! | `changes` | `[tick, change, ...]` for each tick before which something changed, from tick 1 |
//! | `moves` | every agent's move at every tick, [packed](pack_moves). Base64 |
//!
//! A change is `[0, slot, cell, goal, ours]` (join), `[1, slot]` (leave), `[2, slot, goal]` (send),
//! `[3, slot, cell]` (place, however far away) or `[4, cell, is_floor]` (set the floor).
//!
//! A move is 0 (stay) or 1 to 8, the directions in the order that breaks ties. It leads from the cell on
//! which an agent stood after the previous tick (or has joined since) to the cell on which it stands now.
//! So a foreign agent that the game places on a neighbouring cell makes a move, and only longer jumps are changes.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use jostle::grid::{Direction, Neighbours};
use jostle::{Cell, Change, Grid, Trace};
use serde_json::json;

const JOIN: i64 = 0;
const LEAVE: i64 = 1;
const SEND: i64 = 2;
const PLACE: i64 = 3;
const SET_FLOOR: i64 = 4;

/// The number of moves: staying, and the directions.
const MOVES: u8 = 9;
/// Codes below this one stand for two moves.
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
    let MoveLog { slots, changes, moves } = MoveLog::of(trace);
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

/// A trace as moves instead of positions.
struct MoveLog {
    slots: usize,
    /// For each tick before which something changed, the tick and its changes.
    changes: Vec<serde_json::Value>,
    /// All moves of the first slot, then of the second, and so on: an agent that walks straight on or has
    /// arrived makes one long run.
    moves: Vec<u8>,
}

impl MoveLog {
    fn of(trace: &Trace) -> Self {
        let (grid, ticks) = (trace.grid(), trace.ticks());
        let longest = trace.frames().iter().map(|frame| frame.cells().len()).max();
        let last = trace.opening().last().map_or(0, |agent| agent.slot() + 1);
        let slots = longest.unwrap_or(0).max(last);
        // The cell of the agent in each slot.
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
                    entry.push(json!([PLACE, slot, number(to)]));
                } else {
                    entry.push(json!([LEAVE, slot]));
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

/// A change as the page reads it. Agents that join and leave are entered in `seats`.
fn note(change: &Change, seats: &mut [Option<Cell>]) -> Option<Vec<i64>> {
    match *change {
        Change::Join { agent, cell, goal, ours } => {
            *seats.get_mut(agent.slot())? = Some(cell);
            let (slot, ours) = (agent.slot() as i64, i64::from(ours));
            Some(vec![JOIN, slot, number(cell), number(goal), ours])
        }
        Change::Leave { agent } => {
            *seats.get_mut(agent.slot())? = None;
            Some(vec![LEAVE, agent.slot() as i64])
        }
        Change::Send { agent, goal } => Some(vec![SEND, agent.slot() as i64, number(goal)]),
        Change::SetFloor { cell, is_floor } => Some(vec![SET_FLOOR, number(cell), is_floor.into()]),
        // The cell on which an agent stands after the tick says where it was placed.
        _ => None,
    }
}

/// The move that leads from one cell to another, if there is one.
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
/// and the length beyond 21 follows, seven bits per byte, the lowest first, the high bit set on all but
/// the last.
///
/// Runs make quiet stretches cheap; pairs bound the worst case at half a byte per move.
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
