//! One joint step of PIBT.

use super::lineup::Lineup;
use super::swap::Swap;
use crate::Cost;
use crate::grid::{Cell, Ways};
use crate::world::{Agent, Moves, World};

const NOBODY: u32 = u32::MAX;

/// What agents go by when they choose.
pub trait Guidance {
    /// The cell that an agent takes without looking at others, if it is free.
    fn favourite(&self, agent: &Agent) -> Option<Cell>;

    /// How good a cell is as the next one, the smaller the better; nothing if that is not known.
    fn value(&mut self, world: &World, agent: &Agent, cell: Cell) -> Option<Cost>;

    /// Whether agents follow the swap rule.
    fn has_swap_rule(&self) -> bool;

    /// How far a cell is from the goal of an agent, as far as that is known.
    fn distance(&mut self, world: &World, slot: usize, cell: Cell) -> Option<Cost>;
}

/// The lists of a step, kept from tick to tick.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// Who will stand on each cell, as far as is decided; all `NOBODY` between ticks.
    next_occupants: Vec<u32>,
    /// Where each agent goes, by slot; nowhere if that is not decided.
    to: Vec<Cell>,
    /// The cell that each agent would like best.
    wishes: Vec<Cell>,
    /// Agents that are choosing, each because the one before it wants its cell.
    choosing: Vec<Choice>,
}

/// An agent that is choosing where to go.
#[derive(Clone, Copy, Debug)]
struct Choice {
    slot: u32,
    /// The cells it can reach, the best first.
    cells: [Cell; 9],
    count: u8,
    /// The next one to try.
    next: u8,
    /// Whether all cells are there; if not, it is the favourite alone.
    is_complete: bool,
    /// Who is to be pulled along, to change sides with it.
    partner: Option<u32>,
}

impl Choice {
    /// An agent that wants one cell above all.
    const fn of_favourite(slot: u32, cell: Cell) -> Self {
        let mut cells = [Cell::NOWHERE; 9];
        cells[0] = cell;
        Self { slot, cells, count: 1, next: 0, is_complete: false, partner: None }
    }
}

impl Step {
    /// Decides where our agents go: those in the line-up choose, and whoever is in their way. All others stay.
    pub fn take(
        &mut self,
        world: &World,
        moves: &mut Moves,
        lineup: &Lineup,
        guidance: &mut impl Guidance,
    ) {
        let agents = world.slots();
        self.next_occupants.resize(world.grid().cells().len(), NOBODY);
        self.wishes.resize(agents.len(), Cell::NOWHERE);
        self.to.clear();
        self.to.resize(agents.len(), Cell::NOWHERE);
        for &slot in lineup.order() {
            if self.to[slot as usize] == Cell::NOWHERE {
                self.choose(world, slot, lineup, guidance);
            }
        }
        for agent in world.ours() {
            let to = self.to[agent.slot()];
            if to == Cell::NOWHERE {
                self.wishes[agent.slot()] = Cell::NOWHERE;
            } else {
                moves.set(agent.id, to);
                self.next_occupants[to.index()] = NOBODY;
            }
        }
    }

    /// The cell that an agent liked best in the last tick, if it was another one than its own.
    pub fn wish(&self, slot: usize) -> Option<Cell> {
        self.wishes.get(slot).copied().filter(|&wish| wish != Cell::NOWHERE)
    }

    /// Bytes this holds.
    pub fn memory(&self) -> usize {
        self.next_occupants.capacity() * size_of::<u32>()
            + (self.to.capacity() + self.wishes.capacity()) * size_of::<Cell>()
            + self.choosing.capacity() * size_of::<Choice>()
    }

    /// Lets an agent choose, and all those that have to make room for it. A chain of them can be as long as
    /// there are agents, so it is kept in a list and not in nested calls.
    fn choose(&mut self, world: &World, slot: u32, lineup: &Lineup, guidance: &mut impl Guidance) {
        let begin = self.begin(world, slot, lineup, guidance);
        self.choosing.push(begin);
        while let Some(mut choice) = self.choosing.pop() {
            match self.try_cells(world, &mut choice) {
                Tried::Asks(other) => {
                    self.choosing.push(choice);
                    let begin = self.begin(world, other, lineup, guidance);
                    self.choosing.push(begin);
                }
                // Everybody before it has what it wanted.
                Tried::Goes => {
                    self.pull_partner(world, &choice);
                    while let Some(asker) = self.choosing.pop() {
                        self.pull_partner(world, &asker);
                    }
                }
                Tried::All if !choice.is_complete => {
                    // What is taken stays so.
                    let is_free = |cell: Cell| self.next_occupants[cell.index()] == NOBODY;
                    let all = Self::rank(world, choice.slot, lineup, guidance, is_free);
                    self.choosing.push(all);
                }
                // The one before it tries its next cell.
                Tried::All => self.stay(world, choice.slot),
            }
        }
    }

    /// What an agent would like: its favourite if that may be had, or else all cells that it can reach, the
    /// best first. Ranking them takes long, and few agents get further than their favourite.
    fn begin(
        &mut self,
        world: &World,
        slot: u32,
        lineup: &Lineup,
        guidance: &mut impl Guidance,
    ) -> Choice {
        let agent = &world.slots()[slot as usize];
        let mut choice = match guidance.favourite(agent) {
            Some(favourite) => Choice::of_favourite(slot, favourite),
            None => Self::rank(world, slot, lineup, guidance, |_| true),
        };
        let best = choice.cells[0];
        self.wishes[slot as usize] = if best == agent.cell { Cell::NOWHERE } else { best };
        if guidance.has_swap_rule()
            && best != agent.cell
            && self.may_need_swap(world, agent, &choice)
        {
            choice.partner = Swap { world, guidance, to: &self.to }.partner(agent, best);
            if choice.partner.is_some() {
                let partner = choice.partner;
                choice = Self::rank(world, slot, lineup, guidance, |_| true);
                choice.cells[..choice.count as usize].reverse();
                choice.partner = partner;
            }
        }
        choice
    }

    /// Whether the swap rule has to be asked: not for an agent whose favourite is free, unless it is in a
    /// corridor or at its mouth, with somebody close by who may want to get through.
    fn may_need_swap(&self, world: &World, agent: &Agent, choice: &Choice) -> bool {
        let (grid, ahead) = (world.grid(), choice.cells[0]);
        let is_corridor = |cell: Cell| grid.ways(cell).len() <= 3;
        let is_narrow = || {
            (is_corridor(agent.cell) || is_corridor(ahead))
                && grid.neighbours(agent.cell).any(|near| world.is_occupied(near))
        };
        choice.is_complete
            || world.is_occupied(ahead)
            || self.next_occupants[ahead.index()] != NOBODY
            || self.crosses(world, agent, ahead)
            || is_narrow()
    }

    /// Sorts the cells that an agent can reach, for which `counts` holds.
    fn rank(
        world: &World,
        slot: u32,
        lineup: &Lineup,
        guidance: &mut impl Guidance,
        counts: impl Fn(Cell) -> bool,
    ) -> Choice {
        let (grid, agent) = (world.grid(), &world.slots()[slot as usize]);
        let favourite = guidance.favourite(agent);
        let ties = lineup.ties(slot as usize);
        let mut ranked = [(Cost::INFINITY, u64::MAX, Cell::NOWHERE); 9];
        let mut count = 0;
        for cell in grid.neighbours(agent.cell).chain([agent.cell]).filter(|&cell| counts(cell)) {
            let value = match guidance.value(world, agent, cell) {
                _ if Some(cell) == favourite => Cost::ZERO - Cost::INFINITY,
                Some(value) => value,
                // With nothing to choose by, an agent stays.
                None if cell == agent.cell => Cost::INFINITY - Cost::CARDINAL,
                None => Cost::INFINITY,
            };
            // Seven random bits for each of nine cells, and the index where they are equal.
            let tie = (ties >> (count * 7) & 0x7f) << 8 | count as u64;
            ranked[count] = (value, tie, cell);
            count += 1;
        }
        ranked[..count].sort_unstable();
        let cells = ranked.map(|(_, _, cell)| cell);
        Choice { slot, cells, count: count as u8, next: 0, is_complete: true, partner: None }
    }

    /// Takes the best cell that is left, unless somebody has to be asked for it first.
    fn try_cells(&mut self, world: &World, choice: &mut Choice) -> Tried {
        let agent = &world.slots()[choice.slot as usize];
        while choice.next < choice.count {
            let cell = choice.cells[choice.next as usize];
            choice.next += 1;
            if self.next_occupants[cell.index()] != NOBODY || world.is_foreign(cell) {
                continue;
            }
            let there =
                world.occupant(cell).map(|id| id.slot() as u32).filter(|&s| s != choice.slot);
            let is_swap = there.is_some_and(|other| self.to[other as usize] == agent.cell);
            if is_swap || self.crosses(world, agent, cell) {
                continue;
            }
            self.to[choice.slot as usize] = cell;
            self.next_occupants[cell.index()] = choice.slot;
            return match there.filter(|&other| self.to[other as usize] == Cell::NOWHERE) {
                Some(other) => Tried::Asks(other),
                None => Tried::Goes,
            };
        }
        Tried::All
    }

    /// An agent that cannot go anywhere stays.
    fn stay(&mut self, world: &World, slot: u32) {
        let cell = world.slots()[slot as usize].cell;
        self.to[slot as usize] = cell;
        self.next_occupants[cell.index()] = slot;
    }

    /// Whether the diagonal of somebody who has decided would be crossed, where that is forbidden.
    fn crosses(&self, world: &World, agent: &Agent, cell: Cell) -> bool {
        if !world.forbids_crossing() {
            return false;
        }
        let grid = world.grid();
        let Some(way) = grid.way_between(agent.cell, cell).filter(|way| way.is_diagonal()) else {
            return false;
        };
        let (a, b) = way.parts();
        let (a, b) = (grid.beside(agent.cell, a), grid.beside(agent.cell, b));
        let passes = |here: Cell, there: Cell| {
            world.occupant(here).is_some_and(|other| self.to[other.slot()] == there)
        };
        passes(a, b) || passes(b, a)
    }

    /// When an agent has backed off to let another change sides with it, the other follows.
    fn pull_partner(&mut self, world: &World, choice: &Choice) {
        let Some(partner) = choice.partner.filter(|_| choice.next == 1) else { return };
        let (agents, slot) = (world.slots(), choice.slot as usize);
        let (from, partner_agent) = (agents[slot].cell, &agents[partner as usize]);
        let is_free = self.to[partner as usize] == Cell::NOWHERE
            && self.next_occupants[from.index()] == NOBODY
            && self.to[slot] != from
            && self.to[slot] != partner_agent.cell;
        let is_way = world.grid().ways(partner_agent.cell).into_iter();
        let is_way = is_way.map(|way| world.grid().beside(partner_agent.cell, way));
        if is_free
            && { is_way }.any(|near| near == from)
            && !self.crosses(world, partner_agent, from)
        {
            self.to[partner as usize] = from;
            self.next_occupants[from.index()] = partner;
        }
    }
}

/// What came of trying cells.
enum Tried {
    /// The agent goes to a cell, or stays of its own will.
    Goes,
    /// Another agent stands there, and has to find another place first.
    Asks(u32),
    /// No cell is left.
    All,
}
