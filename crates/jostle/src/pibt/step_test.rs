use proptest::prelude::*;

use super::*;
use crate::grid::{Crossing, Neighbours, Rules};
use crate::pibt::Choices;
use crate::world::{Moves, World};

/// Straight-line distances to a goal for each agent; the last `foreign` agents do not take part.
#[derive(Clone, Copy)]
struct Lines<'a> {
    goals: &'a [Cell],
    foreign: usize,
}

impl Guidance for Lines<'_> {
    fn is_movable(&self, agent: usize) -> bool {
        agent + self.foreign < self.goals.len()
    }

    fn goal(&self, agent: usize) -> Cell {
        self.goals[agent]
    }

    fn choices(
        &mut self,
        grid: &Grid,
        agent: usize,
        here: Cell,
        is_open: impl Fn(Cell) -> bool,
    ) -> Choices {
        let ties = (agent as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let value = |cell| Some(grid.distance(cell, self.goals[agent]));
        Choices::by_value(grid, here, is_open, ties, value)
    }

    fn comes_closer(&mut self, grid: &Grid, agent: usize, from: Cell, to: Cell) -> bool {
        grid.distance(to, self.goals[agent]) < grid.distance(from, self.goals[agent])
    }
}

#[test]
fn a_decided_move_makes_an_agent_leave_its_cell() {
    let grid = Grid::open(3, 1).unwrap();
    let [a, b, c] = [0, 1, 2].map(|x| grid.at(x, 0).unwrap());
    let now = Configuration::of(&grid, [a, b]).unwrap();
    let mut guidance = Lines { goals: &[a, b], foreign: 0 };
    let mut step = Step::default();
    step.begin(&grid, &now);
    assert!(step.decide(&grid, &now, 0, b));
    assert!(!step.decide(&grid, &now, 1, b), "the cell is taken");
    assert!(!step.decide(&grid, &now, 1, a), "that would be a swap");
    assert!(!step.decide(&grid, &now, 0, a), "its move is already decided");
    assert!(step.run(&grid, &now, &[], &mut guidance), "the order is empty, but one has to go");
    assert_eq!([step.next(&now, 0), step.next(&now, 1)], [Some(b), Some(c)]);
}

#[test]
fn a_step_reports_that_it_cannot_keep_what_was_decided() {
    let grid = Grid::open(2, 1).unwrap();
    let [a, b] = [0, 1].map(|x| grid.at(x, 0).unwrap());
    let now = Configuration::of(&grid, [a, b]).unwrap();
    let mut step = Step::default();
    for foreign in [0, 1] {
        step.begin(&grid, &now);
        assert!(step.decide(&grid, &now, 0, b));
        let mut guidance = Lines { goals: &[a, b], foreign };
        assert!(!step.run(&grid, &now, &[1], &mut guidance), "there is no other cell");
    }
    // The next step begins afresh.
    step.begin(&grid, &now);
    assert!(step.run(&grid, &now, &[], &mut Lines { goals: &[a, b], foreign: 0 }));
    assert_eq!([step.next(&now, 0), step.next(&now, 1)], [Some(a), Some(b)]);
}

proptest! {
    /// On any configuration, with any moves decided beforehand: either the step reports failure, or it is legal and
    /// contains those moves. With nothing decided it always succeeds.
    #[test]
    fn every_step_is_legal_and_keeps_what_was_decided(
        cells in prop::collection::hash_set(0usize..30, 2..24),
        goals in prop::collection::vec(0usize..30, 24),
        decisions in prop::collection::vec((0usize..24, 0usize..9), 0..6),
        foreign in 0usize..3,
        forbids in any::<bool>(),
        four in any::<bool>(),
        has_swap_rule in any::<bool>(),
    ) {
        let crossing = if forbids { Crossing::Forbidden } else { Crossing::Allowed };
        let neighbours = if four { Neighbours::Four } else { Neighbours::Eight };
        let rules = Rules { neighbours, crossing, ..Rules::default() };
        let grid = Grid::open(6, 5).unwrap().with_rules(rules);
        let cells: Vec<Cell> = cells.into_iter().map(Cell::from_index).collect();
        let goals: Vec<Cell> = goals[..cells.len()].iter().map(|&g| Cell::from_index(g)).collect();
        let now = Configuration::of(&grid, cells.iter().copied()).unwrap();
        let mut guidance = Lines { goals: &goals, foreign };
        let order: Vec<u32> =
            (0..cells.len() as u32).filter(|&a| guidance.is_movable(a as usize)).collect();
        let mut step = Step::new(has_swap_rule);
        step.begin(&grid, &now);
        let mut decided = Vec::new();
        for (agent, choice) in decisions {
            let Some(&here) = cells.get(agent).filter(|_| guidance.is_movable(agent)) else { continue };
            let near: Vec<Cell> = grid.neighbours(here).chain([here]).collect();
            let to = near[choice % near.len()];
            if step.decide(&grid, &now, agent, to) {
                decided.push((agent, to));
            }
        }
        let is_done = step.run(&grid, &now, &order, &mut guidance);
        prop_assert!(is_done || !decided.is_empty());
        if is_done {
            let mut world = World::new(grid.clone());
            let mut ids = Vec::new();
            for (agent, &cell) in cells.iter().enumerate() {
                let is_ours = guidance.is_movable(agent);
                ids.push(if is_ours { world.add(cell, cell) } else { world.add_foreign(cell) }.unwrap());
            }
            let mut moves = Moves::waiting(&world);
            for (agent, &id) in ids.iter().enumerate() {
                moves.set(id, step.next(&now, agent).unwrap());
            }
            prop_assert_eq!(world.advance(&moves), Ok(()));
            for (agent, to) in decided {
                prop_assert_eq!(world.in_slot(agent).unwrap().cell, to);
            }
        }
    }

    /// Agents that choose in areas apart make a legal step, in which everybody was asked. What those of one area decide does not
    /// depend on those of another, so the areas can have a thread each: also in a throng, where many chains of agents lead
    /// out of their area.
    #[test]
    fn agents_choose_in_areas_apart(
        cells in prop::collection::hash_set(0usize..360, 60..300),
        goals in prop::collection::vec(0usize..360, 300),
        cuts in (0usize..300, 0usize..300),
        forbids in any::<bool>(),
    ) {
        let crossing = if forbids { Crossing::Forbidden } else { Crossing::Allowed };
        let grid = Grid::open(30, 12).unwrap().with_rules(Rules { crossing, ..Rules::default() });
        let cells: Vec<Cell> = cells.into_iter().map(Cell::from_index).collect();
        let goals: Vec<Cell> = goals[..cells.len()].iter().map(|&g| Cell::from_index(g)).collect();
        let now = Configuration::of(&grid, cells.iter().copied()).unwrap();
        let guidance = Lines { goals: &goals, foreign: 3 };
        let order: Vec<u32> = (0..cells.len() as u32 - 3).collect();
        // Some agents stand in the area of their share, others do not.
        let (a, b) = (cuts.0.min(cuts.1).min(order.len()), cuts.0.max(cuts.1).min(order.len()));
        let share = |agents: (usize, usize), columns: (u32, u32)| Share {
            agents: (agents.0 as u32, agents.1 as u32),
            area: Area { first: (columns.0, 0), last: (columns.1, 11) },
        };
        let shares =
            [share((0, a), (0, 7)), share((a, b), (10, 17)), share((b, order.len()), (20, 29))];
        // Whose turn comes first does not matter.
        let decide = |turns: [usize; 3]| {
            let (mut step, mut chooser) = (Step::default(), Chooser::default());
            step.begin(&grid, &now);
            let mut put_off = Vec::new();
            for turn in turns {
                let (guidance, area) = (&mut guidance.clone(), Area::EVERYWHERE);
                let board = &step.board;
                let walk = Walk { left: 0, done: 0 };
                let mut scene =
                    Scene { grid: &grid, q_from: &now, board, guidance, has_swap_rule: true, area, walk };
                chooser.run_shares(&mut scene, &order, &shares[turn..=turn], |_| u64::MAX);
                put_off.extend_from_slice(&chooser.put_off);
            }
            // One that was put off may have been pushed since.
            put_off.retain(|&agent| step.board.is_open(agent as usize));
            put_off.sort_unstable();
            (step.all_next().collect::<Vec<Cell>>(), put_off)
        };
        prop_assert_eq!(decide([0, 1, 2]), decide([2, 1, 0]));
        let mut step = Step::default();
        step.begin(&grid, &now);
        step.run_apart(&grid, &now, (&order, &shares), &guidance, 2);
        let next: Vec<Cell> = step.all_next().collect();
        prop_assert!(order.iter().all(|&agent| next[agent as usize] != Cell::NOWHERE));
        let mut world = World::new(grid.clone());
        for (agent, &cell) in cells.iter().enumerate() {
            let is_ours = guidance.is_movable(agent);
            let joined = if is_ours { world.add(cell, cell) } else { world.add_foreign(cell) };
            joined.unwrap();
        }
        let mut moves = Moves::waiting(&world);
        moves.set_known(next.into_iter());
        prop_assert_eq!(world.advance(&moves), Ok(()));
    }
}
