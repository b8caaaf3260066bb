//! Fields: for an exit or a goal, the directions to it from every cell of a window.
//!
//! A field is made on first use and shared by all who go there. All fields are of one size and lie in one array that
//! holds at most a fixed number of them. When it is full, a new field takes the place of one that has not been used
//! since the last time the search for a place came by (second chance). Whoever needs that one again has it made again.

use super::graph::{Graph, affords};
use super::heading::Heading;
use super::layout::{Layout, SIDE, SectorId, WINDOW};
use super::portals::ExitCode;
use super::walk::FieldWalk;
use super::wave::Wave;
use crate::grid::{Cell, Direction, Grid, Place};
use crate::search::{Budget, Keyed};
use crate::tally::{self, Kind};
use crate::threads::Flag;

/// What a field leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// An exit of a sector; the field leads just across the border.
    Exit(SectorId, ExitCode),
    /// A cell.
    Goal(Place),
}

/// The most expansions that a field takes.
pub const PRICE: u64 = Wave::price(SectorId { column: 0, row: 0 }.window()) + Wave::WRITTEN;

const WORDS: usize = (WINDOW * WINDOW) as usize;

/// Slots in a block of memory.
const BLOCK: usize = 32;

/// The fewest fields for which there is room: an agent may need three at a time, of two exits and of its goal.
const FEWEST: usize = 4;

/// A target as one number, in the slots of the array.
type Key = u32;
const NOBODY: Key = Key::MAX;
const IS_GOAL: Key = 1 << 31;

/// All fields there are.
#[derive(Clone, Debug)]
pub struct Fields {
    layout: Layout,
    /// The most fields.
    most: usize,
    /// By slot and cell of the window, in blocks of [`BLOCK`] slots, so that nothing has to be copied when they become more.
    words: Vec<Box<[u16]>>,
    /// By slot, whose field it is, or `NOBODY`.
    owners: Vec<Key>,
    /// By slot, whether it was used since the hand last passed.
    used: Vec<Flag>,
    /// By target, its slot.
    slots: Keyed<u32>,
    /// Slots that belong to nobody.
    free: Vec<u32>,
    /// Where the search for a place goes on.
    hand: usize,
}

impl Fields {
    /// Room for at most this many fields.
    pub fn new(layout: Layout, most: usize) -> Self {
        Self {
            layout,
            most: most.max(FEWEST),
            words: Vec::new(),
            owners: Vec::new(),
            used: Vec::new(),
            slots: Keyed::default(),
            free: Vec::new(),
            hand: 0,
        }
    }

    /// Changes how many there is room for. Those there are stay.
    pub fn set_most(&mut self, most: usize) {
        self.most = most.max(FEWEST);
    }

    /// The slot of a target's field, if it has one. `hint` is where it was last. Several threads can ask at a time.
    pub fn find(&self, target: Target, hint: u32) -> Option<u32> {
        tally::note(Kind::Heading, 1);
        let key = self.key(target);
        let slot = if self.owners.get(hint as usize) == Some(&key) {
            hint
        } else {
            self.slots.get(u64::from(key))?
        };
        self.note_use(slot);
        Some(slot)
    }

    fn note_use(&self, slot: u32) {
        self.used[slot as usize].raise();
    }

    /// The directions from a place, if its target's window covers it and the field is where it was last. This does not
    /// count as a use of the field.
    pub fn peek(&self, target: Target, slot: u32, place: Place) -> Option<Heading> {
        let is_there = self.owners.get(slot as usize) == Some(&self.key(target))
            && target.sector().window().covers(place, 0);
        is_there.then(|| self.heading(slot, target, place)).filter(|heading| heading.is_known())
    }

    /// The directions from a place, which is in the target's window, or nothing known.
    pub fn heading(&self, slot: u32, target: Target, place: Place) -> Heading {
        self.heading_at(slot, target.offset(place))
    }

    /// The directions from the cell that is in this place of the window, row by row.
    pub fn heading_at(&self, slot: u32, at: usize) -> Heading {
        tally::note(Kind::Heading, 1);
        Heading::from_word(self.words[slot as usize / BLOCK][slot as usize % BLOCK * WORDS + at])
    }

    /// The path that follows the best steps from a place in the target's window: its length and its end. None if the
    /// field does not reach the place.
    pub fn path(
        &self,
        grid: &Grid,
        slot: u32,
        target: Target,
        place: Place,
    ) -> Option<(u32, Place)> {
        FieldWalk::new(slot, target, place).finish(self, grid)
    }

    /// Makes the field of a target.
    ///
    /// # Returns
    /// Its slot; none if the budget was not enough.
    #[inline(never)]
    pub fn make(
        &mut self,
        grid: &Grid,
        graph: &Graph,
        wave: &mut Wave,
        target: Target,
        budget: &mut Budget<'_>,
    ) -> Option<u32> {
        if !affords(budget, PRICE) {
            return None;
        }
        wave.begin(grid, target.sector().window());
        match target {
            Target::Exit(sector, code) => {
                let (_, exit) = graph.exit(sector, code)?;
                let border = graph.border(grid, sector, code.side())?;
                border.landings(exit).for_each(|place| wave.seed(place));
            }
            Target::Goal(goal) => wave.seed(goal),
        }
        let measured = wave.run(grid);
        let slot = self.slot_for(target);
        let block = &mut self.words[slot as usize / BLOCK];
        let written = wave.write(grid, &mut block[slot as usize % BLOCK * WORDS..][..WORDS]);
        budget.spend(measured + written);
        Some(slot)
    }

    /// Drops the fields of all targets whose sector is in a list of indices, which is sorted.
    pub fn drop_all_of(&mut self, sectors: &[usize]) {
        if sectors.is_empty() {
            return;
        }
        tally::note(Kind::Heading, self.owners.len());
        for slot in 0..self.owners.len() {
            let key = self.owners[slot];
            if key != NOBODY && sectors.binary_search(&self.sector(key)).is_ok() {
                self.slots.remove(u64::from(key));
                self.owners[slot] = NOBODY;
                self.used[slot].lower();
                self.free.push(slot as u32);
            }
        }
    }

    /// How many fields there are.
    pub fn count(&self) -> usize {
        self.owners.len() - self.free.len()
    }

    /// Nominal bytes.
    pub const fn held(&self) -> usize {
        2 * WORDS * self.owners.len()
    }

    /// Bytes on the heap that have been used.
    pub fn memory(&self) -> usize {
        self.words.len() * BLOCK * WORDS * size_of::<u16>()
            + self.words.capacity() * size_of::<Box<[u16]>>()
            + self.owners.capacity() * (size_of::<Key>() + size_of::<Flag>())
            + self.free.capacity() * size_of::<u32>()
            + self.slots.memory()
    }

    /// A slot for the field of a target: its own, a free one, a new one, or one taken from another.
    fn slot_for(&mut self, target: Target) -> u32 {
        let key = self.key(target);
        let slot = self.slots.get(u64::from(key)).unwrap_or_else(|| {
            let slot = self.free.pop().unwrap_or_else(|| self.add_or_recycle());
            self.slots.insert(u64::from(key), slot);
            slot
        });
        self.owners[slot as usize] = key;
        self.note_use(slot);
        slot
    }

    fn add_or_recycle(&mut self) -> u32 {
        let count = self.owners.len();
        if count < self.most {
            if count.is_multiple_of(BLOCK) {
                self.words.push(vec![0; BLOCK * WORDS].into());
            }
            self.owners.push(NOBODY);
            self.used.push(Flag::default());
            return count as u32;
        }
        while self.used[self.hand].lower() {
            tally::note(Kind::Heading, 1);
            self.hand = (self.hand + 1) % count;
        }
        let slot = self.hand;
        self.hand = (self.hand + 1) % count;
        self.slots.remove(u64::from(self.owners[slot]));
        slot as u32
    }

    const fn key(&self, target: Target) -> Key {
        match target {
            Target::Exit(sector, code) => {
                (self.layout.index(sector) as Key) << u8::BITS | code.byte() as Key
            }
            Target::Goal(goal) => IS_GOAL | goal.cell.index() as Key,
        }
    }

    /// The index of the sector of the target with this key.
    const fn sector(&self, key: Key) -> usize {
        if key & IS_GOAL == 0 {
            (key >> u8::BITS) as usize
        } else {
            let goal = self.layout.place_of(Cell::from_index((key & !IS_GOAL) as usize));
            self.layout.index(SectorId::of(goal))
        }
    }
}

impl Target {
    /// The sector in the middle of its window.
    pub const fn sector(self) -> SectorId {
        match self {
            Self::Exit(sector, _) => sector,
            Self::Goal(goal) => SectorId::of(goal),
        }
    }

    /// Which cell of its window a place in it is, row by row.
    pub const fn offset(self, place: Place) -> usize {
        let window = self.sector().window();
        ((place.y - window.y) * WINDOW + place.x - window.x) as usize
    }

    /// The place of a cell of its window, which must be on the map: the inverse of [`offset`](Self::offset).
    pub fn place(self, grid: &Grid, offset: usize) -> Place {
        let window = self.sector().window();
        let (x, y) = (window.x + offset as i32 % WINDOW, window.y + offset as i32 / WINDOW);
        let cell = Cell::from_index(y as usize * grid.width() as usize + x as usize);
        Place { cell, x, y }
    }
}

/// By how much a step changes the offset of a place.
pub const fn offset_of(step: Direction) -> isize {
    let (dx, dy) = step.delta();
    (dy * WINDOW + dx) as isize
}

// Keys of exits must not look like those of goals.
const _: () = assert!(((Grid::MAX_SIDE / SIDE as u32).pow(2) << u8::BITS) < IS_GOAL);
