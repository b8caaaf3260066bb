//! A trace as the page reads it.
//!
//! JSON of nothing but numbers and base64, so that it needs no escaping inside a `script` element:
//!
//! | field | content |
//! | --- | --- |
//! | `width`, `height` | the sides of the floor |
//! | `four` | whether cells have four neighbours |
//! | `floor` | one bit per cell, row by row, the lowest bit first: floor is 1. Base64; or the number of an earlier run of the page that has the same floor |
//! | `agents` | cell, goal, ours, in one list for all slots at the beginning; nowhere is -1 |
//! | `slots`, `ticks` | their numbers in the whole run |
//! | `changes` | `[tick, change, ...]` for each tick before which something changed, from tick 1 |
//! | `tasks` | `[initiator, executor, start, meeting, tick, goal]` for each pair of agents that meet: slots, cells, and the tick of the meeting |
//! | `moves` | every agent's move at every tick, [packed](Packer). Base64 |
//!
//! A change is `[0, slot, cell, goal, ours]` (join), `[1, slot]` (leave), `[2, slot, goal]` (send),
//! `[3, slot, cell]` (place, however far away) or `[4, cell, is_floor]` (set the floor).
//!
//! The number of an agent, which the page shows, is not stored: agents are numbered in the order in which they join, as in
//! path files, those at the beginning in the order of their slots.
//!
//! A move is 0 (stay) or 1 to 8, the directions in the order that breaks ties. It leads from the cell on
//! which an agent stood after the previous tick (or has joined since) to the cell on which it stands now.
//! So a foreign agent that the game places on a neighbouring cell makes a move, and only longer jumps are changes.

use std::io::{self, Write};
use std::ops::Range;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use base64::write::EncoderWriter;
use jostle::formats::PathsTask;
use jostle::grid::{Direction, Neighbours};
use jostle::trace::Frame;
use jostle::{Cell, Change, Grid, Trace};
use serde_json::{Value, json};

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

/// How many moves are in memory at once.
const MOVES_AT_ONCE: usize = 1 << 25;

/// The floors of the runs of a page, each with its width and its bits. A floor that an earlier run has too is left empty.
#[derive(Default, Debug)]
pub struct Floors(Vec<(u32, Vec<u8>)>);

impl Floors {
    /// The floor of the next run, as the page reads it.
    fn note(&mut self, grid: &Grid) -> Value {
        let floor = (grid.width(), floor_bits(grid));
        if let Some(run) = self.0.iter().position(|earlier| *earlier == floor) {
            self.0.push((0, Vec::new()));
            return json!(run);
        }
        let text = BASE64_STANDARD.encode(&floor.1);
        self.0.push(floor);
        json!(text)
    }
}

/// Writes a trace as the JSON that the page reads.
pub fn write(
    trace: &Trace,
    tasks: &[PathsTask],
    floors: &mut Floors,
    out: &mut dyn Write,
) -> io::Result<()> {
    let grid = trace.grid();
    let agents = trace.opening().last().map_or(0, |agent| agent.slot() + 1);
    let mut agents = vec![[NOWHERE, NOWHERE, 0]; agents];
    for agent in trace.opening() {
        agents[agent.slot()] = [number(agent.cell), number(agent.goal), agent.ours.into()];
    }
    let head = json!({
        "width": grid.width(),
        "height": grid.height(),
        "four": grid.rules().neighbours == Neighbours::Four,
        "floor": floors.note(grid),
        "agents": agents.as_flattened(),
        "slots": trace.slots(),
        "ticks": trace.ticks(),
        "changes": changes(trace),
        "tasks": tasks.iter().map(|task| task_row(grid, task)).collect::<Vec<_>>(),
    })
    .to_string();
    // The moves are by far the largest part. They are the last field, so that they need not fit in memory.
    write!(out, "{},\"moves\":\"", head.strip_suffix('}').unwrap_or(&head))?;
    let mut base64 = EncoderWriter::new(&mut *out, &BASE64_STANDARD);
    write_moves(trace, MOVES_AT_ONCE, &mut base64)?;
    base64.finish()?;
    drop(base64);
    out.write_all(b"\"}")
}

/// A task as the page reads it.
fn task_row(grid: &Grid, task: &PathsTask) -> [i64; 6] {
    let cell = |(x, y): (u32, u32)| grid.at(x, y).map_or(NOWHERE, number);
    let [start, meeting, goal] = [task.start, task.meeting, task.goal].map(cell);
    let (initiator, executor) = (i64::from(task.initiator), i64::from(task.executor));
    [initiator, executor, start, meeting, i64::try_from(task.tick).unwrap_or(i64::MAX), goal]
}

/// For each tick before which something changed, the tick and its changes.
fn changes(trace: &Trace) -> Vec<Value> {
    let mut seats = Seats::begin(trace, 0..trace.slots());
    let mut frames = trace.frames();
    let mut changes = Vec::new();
    let mut tick = 0;
    while let Some(frame) = frames.next_frame() {
        tick += 1;
        let mut entry = vec![json!(tick)];
        entry.extend(seats.change(frame.changes()).map(|note| json!(note)));
        seats.step(frame, |slot, step| match step {
            Step::Move(_) => {}
            Step::Jump(to) => entry.push(json!([PLACE, slot, number(to)])),
            Step::Leave => entry.push(json!([LEAVE, slot])),
        });
        if entry.len() > 1 {
            changes.push(entry.into());
        }
    }
    changes
}

/// Writes all moves of the first slot, then of the second, and so on: an agent that walks straight on or has arrived
/// makes one long run. The trace is read once for every `at_once` moves.
fn write_moves(trace: &Trace, at_once: usize, out: &mut dyn Write) -> io::Result<()> {
    let (slots, ticks) = (trace.slots(), trace.ticks());
    let mut packer = Packer::new(out);
    let block = (at_once / ticks.max(1)).clamp(1, slots.max(1));
    let mut moves = Vec::new();
    for first in (0..slots).step_by(block) {
        let block = first..(first + block).min(slots);
        moves.clear();
        moves.resize(block.len() * ticks, 0);
        let mut seats = Seats::begin(trace, block);
        let mut frames = trace.frames();
        for tick in 0..ticks {
            let Some(frame) = frames.next_frame() else { break };
            // The notes of changes are written elsewhere; here they only move agents.
            seats.change(frame.changes()).for_each(drop);
            seats.step(frame, |slot, step| {
                if let Step::Move(step) = step {
                    moves[(slot - first) * ticks + tick] = step;
                }
            });
        }
        for &step in &moves {
            packer.push(step)?;
        }
    }
    packer.finish()
}

/// What an agent did in a tick.
enum Step {
    /// It made this move.
    Move(u8),
    /// It is on a cell that no move leads to.
    Jump(Cell),
    /// It is gone.
    Leave,
}

/// Where the agents of some slots are.
struct Seats<'a> {
    grid: &'a Grid,
    slots: Range<usize>,
    cells: Vec<Option<Cell>>,
}

impl<'a> Seats<'a> {
    fn begin(trace: &'a Trace, slots: Range<usize>) -> Self {
        let mut cells = vec![None; slots.len()];
        for agent in trace.opening().iter().filter(|agent| slots.contains(&agent.slot())) {
            cells[agent.slot() - slots.start] = Some(agent.cell);
        }
        Self { grid: trace.grid(), slots, cells }
    }

    /// Makes changes, and returns those that the page needs as it reads them.
    fn change<'c>(&'c mut self, changes: &'c [Change]) -> impl Iterator<Item = Vec<i64>> + 'c {
        let Self { slots, cells, .. } = self;
        changes.iter().filter_map(|change| {
            match *change {
                Change::Join { agent, cell, .. } if slots.contains(&agent.slot()) => {
                    cells[agent.slot() - slots.start] = Some(cell);
                }
                Change::Leave { agent } if slots.contains(&agent.slot()) => {
                    cells[agent.slot() - slots.start] = None;
                }
                _ => {}
            }
            note(change)
        })
    }

    /// Moves all agents to where they are after a tick.
    fn step(&mut self, frame: Frame<'_>, mut tell: impl FnMut(usize, Step)) {
        for (slot, seat) in self.slots.clone().zip(&mut self.cells) {
            let to = frame.cell(slot);
            let step = match (move_between(self.grid, *seat, to), to) {
                (Some(step), _) => Step::Move(step),
                (None, Some(to)) => Step::Jump(to),
                (None, None) => Step::Leave,
            };
            tell(slot, step);
            *seat = to;
        }
    }
}

/// A change as the page reads it.
fn note(change: &Change) -> Option<Vec<i64>> {
    match *change {
        Change::Join { agent, cell, goal, ours } => {
            let (slot, ours) = (agent.slot() as i64, i64::from(ours));
            Some(vec![JOIN, slot, number(cell), number(goal), ours])
        }
        Change::Leave { agent } => Some(vec![LEAVE, agent.slot() as i64]),
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
struct Packer<'a> {
    out: &'a mut dyn Write,
    /// A move that waits for the second of its pair.
    odd: Option<u8>,
    /// The last moves, which are equal, and their number.
    run: (u8, usize),
}

impl<'a> Packer<'a> {
    fn new(out: &'a mut dyn Write) -> Self {
        Self { out, odd: None, run: (0, 0) }
    }

    fn push(&mut self, step: u8) -> io::Result<()> {
        let (run, length) = self.run;
        if length > 0 && run == step {
            self.run.1 += 1;
            return Ok(());
        }
        self.end_run()?;
        if let Some(first) = self.odd.take() {
            return self.write(first * MOVES + step);
        }
        self.run = (step, 1);
        Ok(())
    }

    fn end_run(&mut self) -> io::Result<()> {
        let (step, run) = std::mem::take(&mut self.run);
        match run {
            0 => Ok(()),
            1 => {
                self.odd = Some(step);
                Ok(())
            }
            2 => self.write(step * MOVES + step),
            _ => {
                let length = (run - SHORTEST_RUN).min(RUN_LENGTHS - 1);
                self.write(FIRST_RUN + step * RUN_LENGTHS as u8 + length as u8)?;
                if length == RUN_LENGTHS - 1 {
                    self.write_number(run - SHORTEST_RUN - length)?;
                }
                Ok(())
            }
        }
    }

    fn write_number(&mut self, mut number: usize) -> io::Result<()> {
        while number >= 0x80 {
            self.write(number as u8 | 0x80)?;
            number >>= 7;
        }
        self.write(number as u8)
    }

    fn write(&mut self, byte: u8) -> io::Result<()> {
        self.out.write_all(&[byte])
    }

    fn finish(mut self) -> io::Result<()> {
        self.end_run()?;
        // Half a pair is filled up with a move that is never read.
        self.odd.take().map_or(Ok(()), |first| self.write(first * MOVES))
    }
}

#[cfg(test)]
#[path = "data_test.rs"]
mod tests;
