//! The search from one goal.
//!
//! It proceeds in rounds. Where all steps cost the same, a round is one distance: everything that is reached is final. With diagonal
//! steps a round is a range of distances as wide as the cheapest step (Dial's buckets, of Dinitz's width): no cell of a round can
//! come nearer through another of the same round, so a round needs no order. Of what a round reaches, a cardinal step
//! belongs to the next round, a diagonal one to that or the one after.

use super::GoalDistances;
use super::floor::{Floor, Near, UNITS};
use super::table::{Entry, Table};
use crate::Cost;
use crate::grid::Cell;
use crate::search::{Budget, Verdict};
use crate::tally::{self, Kind};

/// The distances to one goal, as far as they have been asked for.
#[derive(Clone, Debug)]
pub(super) struct Field {
    table: Table,
    /// Entries up to this one are final.
    settled: u64,
    pub goal: Cell,
    /// How many agents go there. A field without users is taken for the next new goal.
    pub users: u32,
    rounds: Rounds,
}

/// The cells that are to be expanded.
#[derive(Clone, Debug, Default)]
struct Rounds {
    /// How many rounds are done.
    done: u64,
    /// The cells of this round, of the next one, and of the one after. In the last two there may be cells that were reached again in
    /// an earlier round; these count only there.
    cells: [Vec<u32>; 3],
    /// How many cells of this round are expanded.
    expanded: usize,
}

/// The width of a round in units of [`Cost`]: the cheapest step.
const WIDTH: u64 = Cost::CARDINAL.units() as u64;

impl Field {
    /// Without a goal.
    pub fn new(counts_steps: bool) -> Self {
        let table = if counts_steps { Table::Short(Vec::new()) } else { Table::Long(Vec::new()) };
        Self { table, settled: 0, goal: Cell::NOWHERE, users: 0, rounds: Rounds::default() }
    }

    /// Begins a search from a goal.
    pub fn begin(&mut self, floor: &Floor, counts_steps: bool, goal: Cell) {
        self.goal = goal;
        // Eight entries are cleared at a time.
        tally::note(Kind::Distance, floor.count() / 8);
        self.table.clear(floor.count());
        self.rounds.cells.iter_mut().for_each(Vec::clear);
        (self.rounds.done, self.rounds.expanded) = (0, 0);
        self.settled = if counts_steps { u64::MAX } else { WIDTH };
        if let Some(number) = floor.number(goal) {
            self.table.set(number, 1);
            self.rounds.cells[0].push(number);
        }
    }

    /// The distance of a cell, if it is known already.
    #[inline]
    pub fn known(&self, number: u32) -> Option<u64> {
        tally::note(Kind::Distance, 1);
        // An entry that is not known becomes the largest number by this.
        let distance = self.table.get(number).wrapping_sub(1);
        (distance < self.settled).then_some(distance)
    }

    /// The steps from a cell that has turned into a wall: an agent on it can stay, or leave it for good.
    pub fn steps_off_wall(&self, cell: Cell) -> u32 {
        if self.goal == cell { 0 } else { GoalDistances::NONE }
    }

    /// Searches on until the distance of a cell is known. Counts the cells that are reached.
    pub fn find(
        &mut self,
        number: u32,
        floor: &Floor,
        scratch: &mut Vec<u32>,
        reached: &mut u64,
        budget: &mut Budget<'_>,
    ) -> Verdict<u64> {
        loop {
            if let Some(distance) = self.known(number) {
                return Verdict::Found(distance);
            }
            if self.rounds.cells.iter().all(Vec::is_empty) {
                return Verdict::Nothing;
            }
            let left = self.rounds.cells[0].len() - self.rounds.expanded;
            let most = budget.slice(|| self.held()).min(left as u64);
            if most == 0 && left > 0 {
                return Verdict::OutOfBudget;
            }
            // Its neighbours are looked at side by side.
            tally::note(Kind::Distance, 2 * most as usize);
            *reached += self.expand(most as usize, floor, scratch);
            budget.spend(most);
            if most == left as u64 {
                self.end_round();
            }
        }
    }

    /// Goes on to the next round.
    fn end_round(&mut self) {
        let rounds = &mut self.rounds;
        rounds.cells[0].clear();
        rounds.cells.rotate_left(1);
        rounds.expanded = 0;
        rounds.done += 1;
        self.settled = self.settled.saturating_add(WIDTH);
    }

    /// Expands so many cells of this round. Returns how many cells are reached by it.
    fn expand(&mut self, count: usize, floor: &Floor, scratch: &mut Vec<u32>) -> u64 {
        let Self { table, rounds, settled, .. } = self;
        let counts_steps = *settled == u64::MAX;
        // The farthest cell that this round can reach.
        table.make_room_for(if counts_steps { rounds.done + 2 } else { *settled + 2 * WIDTH });
        match (table, floor.near()) {
            (Table::Short(table), Near::Four(near)) => rounds.spread(count, near, table, scratch),
            (Table::Long(table), Near::Four(near)) => rounds.spread(count, near, table, scratch),
            (Table::Wide(table), Near::Four(near)) => rounds.spread(count, near, table, scratch),
            (Table::Short(table), Near::Eight(near)) if counts_steps => {
                rounds.spread(count, near, table, scratch)
            }
            (Table::Long(table), Near::Eight(near)) if counts_steps => {
                rounds.spread(count, near, table, scratch)
            }
            (Table::Wide(table), Near::Eight(near)) if counts_steps => {
                rounds.spread(count, near, table, scratch)
            }
            (Table::Short(table), Near::Eight(near)) => rounds.relax(count, near, table, *settled),
            (Table::Long(table), Near::Eight(near)) => rounds.relax(count, near, table, *settled),
            (Table::Wide(table), Near::Eight(near)) => rounds.relax(count, near, table, *settled),
        }
    }

    /// Whether the search knows anything about a cell.
    pub fn has_reached(&self, number: u32) -> bool {
        self.table.get(number) != 0
    }

    /// Gives room for all cells of a floor that has grown.
    pub fn resize(&mut self, count: usize) {
        self.table.resize(count);
    }

    /// Nominal bytes: those of the table, and four for each cell that is to be expanded.
    pub fn held(&self) -> usize {
        self.table.held() + 4 * self.rounds.cells.iter().map(Vec::len).sum::<usize>()
    }

    /// Bytes on the heap. Of the table, all that may be touched counts.
    pub fn memory(&self) -> usize {
        let cells = self.rounds.cells.iter().map(Vec::capacity).sum::<usize>();
        self.table.memory() + cells * size_of::<u32>()
    }
}

impl Rounds {
    /// Expands cells where every step costs one.
    ///
    /// Whether a neighbour is new is as good as random, and a wrong guess of the processor costs more than all the rest. So nothing
    /// is decided by a branch: every neighbour is written down, and the next one overwrites it if it was not new.
    fn spread<D: Entry, const N: usize>(
        &mut self,
        count: usize,
        near: &[[u32; N]],
        table: &mut [D],
        scratch: &mut Vec<u32>,
    ) -> u64 {
        let value = D::of(self.done + 2);
        let end = self.expanded + count;
        if scratch.len() < count * N {
            scratch.resize(count * N, 0);
        }
        let mut found = 0;
        for &cell in &self.cells[0][self.expanded..end] {
            for &to in &near[cell as usize] {
                let entry = &mut table[to as usize];
                let is_new = *entry == D::default();
                *entry = if is_new { value } else { *entry };
                scratch[found] = to;
                found += usize::from(is_new);
            }
        }
        self.cells[1].extend_from_slice(&scratch[..found]);
        self.expanded = end;
        found as u64
    }

    /// Expands cells where diagonal steps cost more. The entries of this round's cells are at most `settled`.
    fn relax<D: Entry>(
        &mut self,
        count: usize,
        near: &[[u32; 8]],
        table: &mut [D],
        settled: u64,
    ) -> u64 {
        let [now, next, after] = &mut self.cells;
        let end = self.expanded + count;
        let end_of_next = settled + WIDTH;
        let mut found = 0;
        for &cell in &now[self.expanded..end] {
            let from: u64 = table[cell as usize].into();
            if from + WIDTH <= settled {
                continue; // it was reached in an earlier round after all
            }
            for (&to, units) in near[cell as usize].iter().zip(UNITS) {
                let entry = &mut table[to as usize];
                let (known, through): (u64, u64) = ((*entry).into(), from + units);
                // An entry that is not known becomes the largest number by this.
                if through <= known.wrapping_sub(1) {
                    let is_next = through <= end_of_next;
                    let is_new = known == 0;
                    found += u64::from(is_new);
                    *entry = D::of(through);
                    // One that stays in its round is in the list already.
                    if is_new || (known <= end_of_next) != is_next {
                        if is_next { next.push(to) } else { after.push(to) }
                    }
                }
            }
        }
        self.expanded = end;
        found
    }
}
