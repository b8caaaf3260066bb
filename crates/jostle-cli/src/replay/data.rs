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
use jostle::world::{AgentId, Change};
use jostle::{Cell, Grid, Trace};
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
    let agents: Vec<_> = (trace.opening().iter())
        .map(|agent| [number(agent.cell), number(agent.goal), agent.ours.into()])
        .collect();
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
        let longest = trace.frames().iter().map(|frame| frame.cells.len()).max();
        let slots = trace.opening().len().max(longest.unwrap_or(0));
        let mut seats = vec![Seat { agent: None, cell: Cell::NOWHERE }; slots];
        for (seat, agent) in seats.iter_mut().zip(trace.opening()) {
            *seat = Seat { agent: Some(agent.id), cell: agent.cell };
        }
        let mut moves = vec![0; slots * ticks];
        let mut changes = Vec::new();
        for (tick, frame) in trace.frames().iter().enumerate() {
            let mut entry = vec![json!(tick + 1)];
            let notes = frame.changes.iter().filter_map(|change| note(change, &mut seats));
            entry.extend(notes.map(|note| json!(note)));
            for (slot, seat) in seats.iter_mut().enumerate() {
                let to = frame.cells.get(slot).copied().unwrap_or(Cell::NOWHERE);
                if let Some(step) = move_between(grid, seat.cell, to) {
                    moves[slot * ticks + tick] = step;
                } else if to == Cell::NOWHERE {
                    entry.push(json!([LEFT, slot]));
                } else {
                    entry.push(json!([PUT, slot, number(to)]));
                }
                seat.cell = to;
            }
            if entry.len() > 1 {
                changes.push(entry.into());
            }
        }
        Self { slots, changes, moves }
    }
}

/// Who has a slot, and where it stands.
#[derive(Clone, Copy)]
struct Seat {
    agent: Option<AgentId>,
    cell: Cell,
}

/// A change as the page reads it. Arrivals and departures are made in `seats`.
///
/// Changes that were pending when the trace began are part of its opening already, and may be told
/// again before the first tick. Nobody arrives twice under one name, so these are left out.
fn note(change: &Change, seats: &mut [Seat]) -> Option<Vec<i64>> {
    match *change {
        Change::Arrived { agent, cell, goal, ours } => {
            let seat = seats.get_mut(agent.slot()).filter(|seat| seat.agent != Some(agent))?;
            *seat = Seat { agent: Some(agent), cell };
            let (slot, ours) = (agent.slot() as i64, i64::from(ours));
            Some(vec![ARRIVED, slot, number(cell), number(goal), ours])
        }
        Change::Left { agent } => {
            let seat = seats.get_mut(agent.slot()).filter(|seat| seat.agent == Some(agent))?;
            *seat = Seat { agent: None, cell: Cell::NOWHERE };
            Some(vec![LEFT, agent.slot() as i64])
        }
        Change::Sent { agent, goal } => {
            seats.get(agent.slot()).filter(|seat| seat.agent == Some(agent))?;
            Some(vec![SENT, agent.slot() as i64, number(goal)])
        }
        // Where it stands after the tick tells.
        Change::Placed { .. } => None,
        Change::Edited { cell, is_floor } => Some(vec![EDITED, number(cell), is_floor.into()]),
    }
}

/// The move that leads from one cell to another, if one does.
fn move_between(grid: &Grid, from: Cell, to: Cell) -> Option<u8> {
    if from == to {
        return Some(0);
    }
    if from == Cell::NOWHERE || to == Cell::NOWHERE {
        return None;
    }
    let way = Direction::ALL.into_iter().find(|&way| grid.step(from, way) == Some(to))?;
    Some(way as u8 + 1)
}

/// The number of a cell; nowhere is -1.
fn number(cell: Cell) -> i64 {
    if cell == Cell::NOWHERE { -1 } else { cell.index() as i64 }
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
