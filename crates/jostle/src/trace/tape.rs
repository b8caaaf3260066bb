//! The cells of all agents at all ticks, in little memory: what each agent did in a tick takes four bits, and agents
//! that stand still take less.

use crate::grid::{Cell, Direction};

/// The bytes of a chunk. A tape grows by whole chunks, so that what is recorded is never copied.
const CHUNK: usize = 1 << 16;

/// What a tick holds, four bits each: for every agent, by slot, one of these codes or the number of a
/// direction plus one. Agents after [`END`] stand still.
const STAY: u8 = 0;
/// The agent is on a cell that no step leads to, or nowhere: the eight digits of its index follow.
const ELSEWHERE: u8 = 9;
/// Several agents in a row stand still: as many as the next digit says, and [`FEWEST_STAYS`] more.
const STAYS: u8 = 10;
/// The same with four digits.
const MANY_STAYS: u8 = 11;
/// The end of the tick.
const END: u8 = 15;

const FEWEST_STAYS: usize = 3;
const FEWEST_MANY_STAYS: usize = FEWEST_STAYS + 16;
const MOST_STAYS: usize = FEWEST_MANY_STAYS + 0xffff;

/// Where agents stood, tick after tick. It can be read only from the beginning.
#[derive(Clone, Debug)]
pub struct Tape {
    /// By how much a step in each direction changes the index of a cell.
    offsets: [u32; 8],
    /// Where agents stood when the tape began.
    first: Vec<Cell>,
    /// Where they stood after the last tick.
    last: Vec<Cell>,
    chunks: Vec<Vec<u8>>,
    /// The tick that is being recorded.
    draft: Draft,
}

impl Tape {
    /// A tape of agents that begin on these cells, by slot, on a floor of this width.
    pub fn begin(width: u32, cells: &[Cell]) -> Self {
        let offset = |direction: Direction| {
            let (dx, dy) = direction.delta();
            (dx as u32).wrapping_add((dy as u32).wrapping_mul(width))
        };
        Self {
            offsets: Direction::ALL.map(offset),
            first: cells.to_vec(),
            last: cells.to_vec(),
            chunks: Vec::new(),
            draft: Draft::default(),
        }
    }

    /// Records where agents stand after a tick, by slot.
    pub fn record(&mut self, cells: &[Cell]) {
        let mut stays = 0;
        let now = cells.iter().copied().chain(std::iter::repeat(Cell::NOWHERE));
        for (before, now) in self.last.iter_mut().zip(now) {
            if *before == now {
                stays += 1;
                continue;
            }
            self.draft.push_stays(std::mem::take(&mut stays));
            // Sums that wrap around are harmless: reading wraps in the same way.
            let offset = (now.index() as u32).wrapping_sub(before.index() as u32);
            match self.offsets.iter().position(|&step| step == offset) {
                Some(step) => self.draft.push(step as u8 + 1),
                None => self.draft.push_elsewhere(now),
            }
            *before = now;
        }
        // New slots are written even where they are vacant again, so that reading counts the same slots.
        let new = cells.get(self.last.len()..).unwrap_or_default();
        if !new.is_empty() {
            self.draft.push_stays(stays);
            for &cell in new {
                self.draft.push_elsewhere(cell);
            }
            self.last.extend(new);
        }
        let tick = self.draft.end();
        match self.chunks.last_mut() {
            Some(chunk) if chunk.len() + tick.len() <= chunk.capacity() => chunk.extend(tick),
            _ => {
                let mut chunk = Vec::with_capacity(CHUNK.max(tick.len()));
                chunk.extend(tick);
                self.chunks.push(chunk);
            }
        }
        self.draft.bytes.clear();
    }

    /// How many slots there were.
    pub fn slots(&self) -> usize {
        self.last.len()
    }

    /// The bytes of memory that it takes.
    pub fn memory(&self) -> usize {
        let chunks: usize = self.chunks.iter().map(Vec::capacity).sum();
        let cells = self.first.capacity() + self.last.capacity();
        chunks + cells * size_of::<Cell>() + self.chunks.capacity() * size_of::<Vec<u8>>()
    }

    /// Reads it from the beginning.
    pub fn read(&self) -> Reader<'_> {
        Reader { tape: self, cells: self.first.clone(), chunk: 0, at: 0 }
    }
}

/// The digits of one tick.
#[derive(Clone, Debug, Default)]
struct Draft {
    bytes: Vec<u8>,
    /// Whether the high half of the last byte is still free.
    is_odd: bool,
}

impl Draft {
    fn push(&mut self, digit: u8) {
        match self.bytes.last_mut() {
            Some(byte) if self.is_odd => *byte |= digit << 4,
            _ => self.bytes.push(digit),
        }
        self.is_odd = !self.is_odd;
    }

    fn push_number(&mut self, number: usize, digits: u32) {
        for digit in 0..digits {
            self.push((number >> (4 * digit)) as u8 & 0xf);
        }
    }

    fn push_elsewhere(&mut self, cell: Cell) {
        self.push(ELSEWHERE);
        self.push_number(cell.index(), 8);
    }

    fn push_stays(&mut self, mut stays: usize) {
        while stays >= FEWEST_STAYS {
            let run = stays.min(MOST_STAYS);
            if run < FEWEST_MANY_STAYS {
                self.push(STAYS);
                self.push_number(run - FEWEST_STAYS, 1);
            } else {
                self.push(MANY_STAYS);
                self.push_number(run - FEWEST_MANY_STAYS, 4);
            }
            stays -= run;
        }
        for _ in 0..stays {
            self.push(STAY);
        }
    }

    /// Ends the tick. The next one begins with a byte of its own.
    fn end(&mut self) -> &[u8] {
        self.push(END);
        self.is_odd = false;
        &self.bytes
    }
}

/// Reads a [`Tape`], tick after tick.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    tape: &'a Tape,
    cells: Vec<Cell>,
    chunk: usize,
    /// The byte of the chunk at which the next tick begins.
    at: usize,
}

impl Reader<'_> {
    /// Where agents stood, by slot, after the tick that was read last; before that, at the beginning.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Reads the next tick. False if there is none.
    pub fn advance(&mut self) -> bool {
        let chunks = &self.tape.chunks;
        if chunks.get(self.chunk).is_some_and(|chunk| self.at == chunk.len()) {
            (self.chunk, self.at) = (self.chunk + 1, 0);
        }
        let Some(chunk) = chunks.get(self.chunk) else { return false };
        let mut digits = Digits { bytes: &chunk[self.at..], next: 0 };
        let mut slot = 0;
        loop {
            match digits.next() {
                STAY => slot += 1,
                END => break,
                STAYS => slot += digits.number(1) + FEWEST_STAYS,
                MANY_STAYS => slot += digits.number(4) + FEWEST_MANY_STAYS,
                ELSEWHERE => {
                    let cell = Cell::from_index(digits.number(8));
                    if slot == self.cells.len() {
                        self.cells.push(cell);
                    } else {
                        self.cells[slot] = cell;
                    }
                    slot += 1;
                }
                step => {
                    let offset = self.tape.offsets[usize::from(step) - 1];
                    let index = (self.cells[slot].index() as u32).wrapping_add(offset);
                    self.cells[slot] = Cell::from_index(index as usize);
                    slot += 1;
                }
            }
        }
        self.at += digits.next.div_ceil(2);
        true
    }
}

struct Digits<'a> {
    bytes: &'a [u8],
    next: usize,
}

impl Digits<'_> {
    fn next(&mut self) -> u8 {
        let byte = self.bytes[self.next / 2];
        let digit = if self.next.is_multiple_of(2) { byte & 0xf } else { byte >> 4 };
        self.next += 1;
        digit
    }

    fn number(&mut self, digits: u32) -> usize {
        (0..digits).fold(0, |number, digit| number | usize::from(self.next()) << (4 * digit))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The cells that were recorded, read back.
    fn read_back(tape: &Tape) -> Vec<Vec<Cell>> {
        let mut reader = tape.read();
        let mut ticks = vec![reader.cells().to_vec()];
        while reader.advance() {
            ticks.push(reader.cells().to_vec());
        }
        ticks
    }

    fn record(width: u32, ticks: &[Vec<Cell>]) -> Tape {
        let mut tape = Tape::begin(width, &ticks[0]);
        ticks[1..].iter().for_each(|cells| tape.record(cells));
        tape
    }

    fn a_cell() -> impl Strategy<Value = Cell> {
        prop_oneof![
            9 => (0usize..40).prop_map(Cell::from_index),
            1 => Just(Cell::NOWHERE),
            1 => (0u32..u32::MAX).prop_map(|index| Cell::from_index(index as usize)),
        ]
    }

    proptest! {
        #[test]
        fn what_was_recorded_is_read(
            width in 1u32..12,
            first in prop::collection::vec(a_cell(), 0..30),
            changes in prop::collection::vec(
                prop::collection::vec((any::<prop::sample::Index>(), a_cell()), 0..20),
                0..40,
            ),
            joins in prop::collection::vec(0usize..3, 40),
        ) {
            let mut ticks = vec![first];
            for (changes, joins) in changes.iter().zip(joins) {
                let mut cells = ticks[ticks.len() - 1].clone();
                cells.extend([Cell::NOWHERE, Cell::from_index(7)].iter().take(joins));
                for (index, cell) in changes {
                    if !cells.is_empty() {
                        let slot = index.index(cells.len());
                        cells[slot] = *cell;
                    }
                }
                ticks.push(cells);
            }
            prop_assert_eq!(read_back(&record(width, &ticks)), ticks);
        }
    }

    #[test]
    fn runs_of_any_length_stand_still() {
        for agents in [1, 2, 3, 18, 19, 20, 65_553, 65_554, 65_555, 140_000] {
            let before: Vec<Cell> = (0..=agents).map(Cell::from_index).collect();
            let mut after = before.clone();
            after[agents] = Cell::from_index(agents + 1);
            let ticks = [before, after.clone(), after];
            assert_eq!(read_back(&record(1 << 20, &ticks)), ticks, "{agents} agents");
        }
    }

    #[test]
    fn a_step_takes_half_a_byte_and_standing_still_almost_nothing() {
        let (agents, ticks) = (1000, 1000);
        let row = |shift: usize| (0..agents).map(|agent| Cell::from_index(agent + shift)).collect();
        let walking: Vec<Vec<Cell>> = (0..=ticks).map(|tick| row(tick % 2)).collect();
        let bytes: usize = record(4096, &walking).chunks.iter().map(Vec::len).sum();
        assert!(bytes <= agents * ticks / 2 + ticks, "{bytes} bytes");
        let standing = vec![row(0); ticks + 1];
        let bytes: usize = record(4096, &standing).chunks.iter().map(Vec::len).sum();
        assert_eq!(bytes, ticks);
    }
}
