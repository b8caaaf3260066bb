use proptest::prelude::*;

use super::*;
use crate::Cost;
use crate::grid::{Crossing, Rules};
use crate::search::SpaceTime;

/// An agent among the reservations of others.
struct Journey<'a> {
    table: &'a Reservations,
    goal: Cell,
    /// A cell that is blocked until a tick.
    blocked: (Cell, u64),
    settled: u64,
}

const AGENT: usize = 0;

impl Traffic for Journey<'_> {
    fn h(&mut self, grid: &Grid, place: Place, _budget: &mut Budget<'_>) -> Verdict<Cost> {
        Verdict::Found(grid.distance(place.cell, self.goal))
    }

    fn is_free(&self, grid: &Grid, step: TimedStep) -> bool {
        self.table.conflict(grid, AGENT, step).is_none()
            && !(step.to == self.blocked.0 && step.arrival <= self.blocked.1)
    }

    fn waiting(&self, _place: Place) -> Cost {
        Cost::CARDINAL
    }

    fn is_end(&self, place: Place, tick: u64) -> bool {
        place.cell == self.goal && self.table.is_free_from(AGENT, place.cell, tick)
    }

    fn settled(&self) -> u64 {
        self.settled
    }
}

proptest! {
    #[test]
    fn intervals_lead_to_the_end_exactly_when_a_search_through_all_ticks_finds_a_path(
        draws in prop::collection::vec(0u32..100, 36),
        walls in 0u32..60,
        walks in prop::collection::vec((0usize..36, prop::collection::vec(0usize..9, 0..12), any::<bool>()), 0..9),
        (start, goal) in (0usize..36, 0usize..36),
        departs in 0u64..3,
        (blocked, until) in (0usize..36, 0u64..9),
        forbids_crossing in any::<bool>(),
    ) {
        let is_floor = |x: u32, y: u32| draws[(y * 6 + x) as usize] >= walls;
        let crossing = if forbids_crossing { Crossing::Forbidden } else { Crossing::Allowed };
        let rules = Rules { crossing, ..Rules::default() };
        let grid = Grid::new(6, 6, rules, is_floor).unwrap();
        let mut table = Reservations::default();
        for (agent, (at, steps, stays)) in (1..).zip(&walks) {
            let mut cell = Cell::from_index(*at);
            table.reserve(agent, cell, 0);
            for (step, tick) in steps.iter().zip(1..) {
                let mut exits = grid.exits(cell).into_iter();
                cell = exits.nth(*step).map_or(cell, |direction| grid.beside(cell, direction));
                table.reserve(agent, cell, tick);
            }
            if *stays {
                table.hold(agent, cell, steps.len() as u64 + 1);
            }
        }
        let (start, goal) = (Cell::from_index(start), Cell::from_index(goal));
        let blocked = (Cell::from_index(blocked), until);
        let settled = table.horizon().max(blocked.1).max(departs) + 1;
        let mut journey = Journey { table: &table, goal, blocked, settled };
        // No agent starts on a blocked cell.
        prop_assume!(start != blocked.0);

        let mut search = SpaceTime::default();
        search.begin(&grid, start, departs);
        let expected = search.resume(&grid, &mut journey, &mut Budget::unlimited());
        let mut intervals = Intervals::default();
        let mut budget = Budget::unlimited();
        let begin = (start, departs);
        let found = intervals.lead_to_the_end(&grid, &journey, (&table, AGENT), begin, &mut budget);
        prop_assert_eq!(found, expected);
        // Everything between two reservations is one interval, which limits their number.
        prop_assert!(budget.work().expansions <= 36 + table.len() as u64 + 1);
    }
}
