//! Making a joint proposal legal: an agent that cannot go waits, and so does an agent that wanted to go to
//! its cell.

use crate::grid::Cell;
use crate::world::{Agent, Moves, NOBODY, World};

/// Turns what agents want into a joint move that the world accepts.
///
/// Planners that follow plans propose moves that are legal among themselves, as long as everything goes as
/// planned. If it does not (a foreign agent in the way, a new wall, an agent without a plan), some agents
/// have to wait, and those behind them too. Each agent is looked at a bounded number of times, so the cost
/// grows with the number of agents only.
#[derive(Clone, Debug, Default)]
pub struct Settle {
    /// The agent that will stand on each cell, as far as is decided; all `NOBODY` between ticks.
    claims: Vec<u32>,
    waiting: Vec<u32>,
}

impl Settle {
    /// Makes agents wait until the joint move is legal. A cell is given to an agent that stays on it, and
    /// otherwise to the agent with the smallest slot.
    pub fn settle(&mut self, world: &World, moves: &mut Moves) {
        self.claims.resize(world.grid().cells().len(), NOBODY);
        for agent in world.agents() {
            if !is_possible(world, moves, &agent) {
                moves.set(agent.id, agent.cell);
            }
            if moves.next_of(agent.slot()) == agent.cell {
                self.claims[agent.cell.index()] = agent.slot() as u32;
            }
        }
        for agent in world.agents() {
            let to = moves.next_of(agent.slot());
            if to == agent.cell {
                continue;
            }
            if self.claims[to.index()] == NOBODY && !self.collides(world, moves, &agent, to) {
                self.claims[to.index()] = agent.slot() as u32;
            } else {
                self.wait(world, moves, agent.slot());
            }
        }
        for agent in world.agents() {
            self.claims[moves.next_of(agent.slot()).index()] = NOBODY;
        }
    }

    /// Bytes held on the heap.
    pub fn memory(&self) -> usize {
        (self.claims.capacity() + self.waiting.capacity()) * size_of::<u32>()
    }

    /// Whether an agent that may already go would swap places with this one, or cross its step.
    fn collides(&self, world: &World, moves: &Moves, agent: &Agent, to: Cell) -> bool {
        let (grid, now) = (world.grid(), world.configuration());
        let is_through = |here: Cell, there: Cell| {
            let claimed = self.claims[there.index()];
            now.occupant(here).is_some_and(|other| {
                claimed == other as u32 && moves.next_of(other) == there && here != there
            })
        };
        let step = grid.step_between(agent.cell, to);
        let crossed = step.and_then(|step| grid.crossed_steps(agent.cell, step));
        is_through(to, agent.cell)
            || crossed.is_some_and(|crossed| crossed.iter().any(|&(a, b)| is_through(a, b)))
    }

    /// Makes an agent wait, then the agent that has claimed its cell, and so on.
    fn wait(&mut self, world: &World, moves: &mut Moves, slot: usize) {
        self.waiting.push(slot as u32);
        while let Some(slot) = self.waiting.pop() {
            let Some(agent) = world.in_slot(slot as usize) else { continue };
            let to = moves.next_of(slot as usize);
            if to != agent.cell && self.claims[to.index()] == slot {
                self.claims[to.index()] = NOBODY;
            }
            moves.set(agent.id, agent.cell);
            let before = std::mem::replace(&mut self.claims[agent.cell.index()], slot);
            if before != NOBODY && before != slot {
                self.waiting.push(before);
            }
        }
    }
}

/// Whether the grid allows the move of an agent, and no foreign agent stands on its target.
fn is_possible(world: &World, moves: &Moves, agent: &Agent) -> bool {
    let to = moves.next_of(agent.slot());
    to == agent.cell
        || (agent.ours
            && world.grid().step_between(agent.cell, to).is_some()
            && !world.is_foreign(to))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::grid::{Crossing, Grid, Rules};

    proptest! {
        #[test]
        fn whatever_is_proposed_becomes_legal(
            starts in prop::collection::hash_set(0usize..36, 1..30),
            foreign in 0usize..4,
            walls in prop::collection::vec(0usize..36, 0..6),
            wishes in prop::collection::vec(prop::collection::vec(0usize..60, 30), 1..12),
            forbid in any::<bool>(),
        ) {
            let crossing = if forbid { Crossing::Forbidden } else { Crossing::Allowed };
            let rules = Rules { crossing, ..Rules::default() };
            let mut world = World::new(Grid::open(6, 6).unwrap().with_rules(rules));
            for (number, start) in starts.into_iter().enumerate() {
                let start = Cell::from_index(start);
                if number < foreign { world.add_foreign(start) } else { world.add(start, start) }
                    .unwrap();
            }
            for wall in walls {
                world.set_floor(Cell::from_index(wall), false).unwrap();
            }
            let mut settle = Settle::default();
            for wish in wishes {
                let mut moves = Moves::waiting(&world);
                for (agent, &wish) in world.agents().zip(&wish) {
                    let near: Vec<Cell> = world.grid().around(agent.cell).collect();
                    let to = if wish < 36 { near[wish % near.len()] } else { agent.cell };
                    moves.set(agent.id, to);
                }
                settle.settle(&world, &mut moves);
                prop_assert_eq!(world.advance(&moves), Ok(()));
                prop_assert!(settle.claims.iter().all(|&claim| claim == NOBODY));
            }
        }
    }

    #[test]
    fn a_legal_proposal_is_left_alone() {
        // A ring of four rotates, and a chain of three moves in single file.
        let mut world = World::new(Grid::open(4, 3).unwrap());
        let cell = |x, y| Grid::open(4, 3).unwrap().at(x, y).unwrap();
        let steps = [
            (cell(0, 0), cell(1, 0)),
            (cell(1, 0), cell(1, 1)),
            (cell(1, 1), cell(0, 1)),
            (cell(0, 1), cell(0, 0)),
            (cell(0, 2), cell(1, 2)),
            (cell(1, 2), cell(2, 2)),
            (cell(2, 2), cell(3, 2)),
        ];
        let ids: Vec<_> = steps.iter().map(|&(from, to)| world.add(from, to).unwrap()).collect();
        let mut moves = Moves::waiting(&world);
        for (id, (_, to)) in ids.iter().zip(steps) {
            moves.set(*id, to);
        }
        Settle::default().settle(&world, &mut moves);
        for (id, (_, to)) in ids.iter().zip(steps) {
            assert_eq!(moves.next(*id), Some(to));
        }
    }
}
