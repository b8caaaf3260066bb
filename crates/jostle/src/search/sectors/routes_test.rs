use std::collections::BTreeMap;

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::super::cuts::Scope;
use super::super::grains::step_grains;
use super::super::testing::{Drawn, edit_at_random, grains_inside, random_map, rules};
use super::super::{Scout, SectorOptions, Sectors};
use super::*;
use crate::grid::Cell;

/// The length of the best route through the middles of portals, in grains, by a plain Dijkstra search from the start
/// that knows only maps, exits and their middles.
fn plain_length(grid: &Grid, start: Place, goal: Place) -> Option<u64> {
    let mut graph = Graph::new(grid, SectorOptions::default().split, 0);
    let mut exits = |sector| {
        assert!(graph.find_exits(grid, sector, &mut Budget::unlimited()));
        let exits = graph.exits(sector).unwrap().to_vec();
        let middles = exits.iter().map(|&exit| graph.middle(sector, exit)).collect::<Vec<_>>();
        (graph.layout().area(sector), exits.into_iter().zip(middles).collect::<Vec<_>>())
    };
    let (first, last) = (SectorId::of(start), SectorId::of(goal));
    let mut best = None;
    if last.window().covers(start, 0) {
        best = grains_inside(grid, last.window(), start, goal);
    }
    let mut settled = BTreeMap::new();
    // By distance: where one stands, in which sector, and which exit that is the middle of.
    let mut open = BinaryHeap::new();
    let (area, all) = exits(first);
    for (exit, middle) in all {
        if let Some(length) = grains_inside(grid, area, start, middle) {
            open.push(Reverse((length, (first.column, first.row), exit.code.byte())));
        }
    }
    while let Some(Reverse((length, (column, row), code))) = open.pop() {
        if settled.contains_key(&(column, row, code)) {
            continue;
        }
        settled.insert((column, row, code), length);
        let sector = SectorId { column, row };
        let (_, here) = exits(sector);
        let (exit, _) = here.into_iter().find(|(exit, _)| exit.code.byte() == code).unwrap();
        let beyond = sector.beside(exit.code.side());
        let length = length + if exit.step.is_diagonal() { 64 } else { 45 };
        let (area, there) = exits(beyond);
        let (_, entry) = *there.iter().find(|(twin, _)| twin.code == exit.code.twin()).unwrap();
        if beyond == last
            && let Some(leg) = grains_inside(grid, area, entry, goal)
        {
            best = Some(best.map_or(length + leg, |best: u64| best.min(length + leg)));
        }
        for (next, middle) in there {
            if let Some(leg) = grains_inside(grid, area, entry, middle) {
                let there = (beyond.column, beyond.row);
                open.push(Reverse((length + leg, there, next.code.byte())));
            }
        }
    }
    best
}

/// The length of the route that was found last, walked from exit to exit.
fn walked_length(sectors: &mut Sectors, grid: &Grid, start: Place, goal: Place) -> u64 {
    let codes = sectors.search.codes().to_vec();
    let (mut at, mut sector, mut length) = (start, SectorId::of(start), 0);
    for &code in &codes {
        assert!(sectors.graph.find_exits(grid, sector, &mut Budget::unlimited()));
        let code = super::super::portals::ExitCode::from_byte(code);
        let (_, exit) = sectors.graph.exit(sector, code).expect("an exit that exists");
        let middle = sectors.graph.middle(sector, exit);
        let area = sectors.graph.layout().area(sector);
        length += grains_inside(grid, area, at, middle).expect("a path inside the sector");
        length += u64::from(step_grains(exit.step));
        (at, sector) = (middle.beside(grid, exit.step), sector.beside(code.side()));
    }
    assert_eq!(sector, if codes.is_empty() { sector } else { SectorId::of(goal) });
    let area = if codes.is_empty() {
        SectorId::of(goal).window()
    } else {
        sectors.graph.layout().area(sector)
    };
    length + grains_inside(grid, area, at, goal).expect("a path to the goal")
}

/// Asks with so small a budget that most questions have to be asked several times.
fn find_in_slices(sectors: &mut Sectors, grid: &Grid, start: Cell, goal: Cell) -> Option<u64> {
    for _ in 0..20_000 {
        let mut budget = Budget::expansions(Sectors::LARGEST_PIECE);
        match sectors.distance(grid, start, goal, &mut budget) {
            Verdict::Found(length) => return Some(grains_below(length)),
            Verdict::Nothing => return None,
            Verdict::OutOfBudget => {}
        }
    }
    panic!("no answer after 20,000 questions");
}

fn random_floor(dice: &mut ChaCha8Rng, grid: &Grid) -> Option<Place> {
    let floor: Vec<Cell> = grid.floor_cells().collect();
    (!floor.is_empty()).then(|| Place::of(grid, floor[dice.random_range(0..floor.len())]))
}

/// Tables that know all routes, and some that know only short ones.
fn scope() -> impl Strategy<Value = Scope> {
    let near = [(1, 1), (2, 1), (2, 2)].map(|(tile, reach)| Scope::Near { tile, reach });
    prop::sample::select(vec![Scope::Map, near[0], near[1], near[2]])
}

/// Whether a route is as long as the best one, in grains, or the tables need not know that one because it is longer than
/// what is certain, in half grains.
fn is_best(found: Option<u64>, best: Option<u64>, certain: u64) -> bool {
    let is_longer = |found| best.is_some_and(|best| found > best && 2 * best > certain);
    found == best || found.is_some_and(is_longer)
}

fn sectors_with(grid: &Grid, options: SectorOptions, scope: Scope) -> Sectors {
    Sectors { hubs: Hubs::with_scope(scope, options.hubs), ..Sectors::new(grid, options) }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn routes_are_as_long_as_those_of_a_plain_search_also_after_edits(
        Drawn(grid) in random_map(), rules in rules(), seed in 0u64..1000,
        // Room for everything, and for next to nothing.
        approaches in prop::sample::select(vec![0, 3000, usize::MAX]),
        is_built in prop::bool::ANY, scope in scope(),
    ) {
        let mut grid = grid.with_rules(rules);
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        let options = SectorOptions { approaches, ..SectorOptions::default() };
        let mut sectors = sectors_with(&grid, options, scope);
        for round in 0..3 {
            if is_built {
                let mut calls = 0;
                while !sectors.build(&grid, &mut Budget::expansions(Sectors::LARGEST_PIECE)) {
                    calls += 1;
                    prop_assert!(calls < 100_000, "every call must make progress");
                }
            }
            for _ in 0..6 {
                let (Some(start), Some(goal)) =
                    (random_floor(&mut dice, &grid), random_floor(&mut dice, &grid)) else { break };
                let found = find_in_slices(&mut sectors, &grid, start.cell, goal.cell);
                let best = plain_length(&grid, start, goal);
                let certain = sectors.hubs.cuts().certain(start, goal);
                prop_assert!(is_best(found, best, certain), "{:?} {:?} {:?} {:?}", start, goal, found, best);
                if let Some(length) = found {
                    prop_assert_eq!(walked_length(&mut sectors, &grid, start, goal), length);
                }
                let looked_up = Scout::default().find(&sectors, &grid, start.cell, goal.cell);
                if is_built && approaches == usize::MAX {
                    let length = found.map_or(Verdict::Nothing, |length| Verdict::Found(cost_of(length)));
                    let is_near = found.map_or(scope == Scope::Map, |length| 2 * length <= certain);
                    let is_known = is_near || looked_up != Verdict::OutOfBudget;
                    prop_assert!(!is_known || looked_up == length, "{:?} {:?}", looked_up, length);
                }
            }
            let edited = edit_at_random(&mut grid, seed + round, [1, 40][round as usize % 2]);
            sectors.edit(&grid, &edited);
        }
    }

    #[test]
    fn routes_are_the_best_while_tables_are_repaired(
        Drawn(grid) in random_map(), rules in rules(), seed in 0u64..1000,
        // How much of the repairs is done before routes are asked for.
        repairs in prop::sample::select(vec![0u64, 3000, 20_000]), scope in scope(),
    ) {
        let mut grid = grid.with_rules(rules);
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        let mut sectors = sectors_with(&grid, SectorOptions::default(), scope);
        prop_assert!(sectors.build(&grid, &mut Budget::unlimited()));
        for round in 0..3 {
            let edited = edit_at_random(&mut grid, seed + round, [1, 6, 60][round as usize]);
            sectors.edit(&grid, &edited);
            let _ = sectors.build(&grid, &mut Budget::expansions(repairs));
            for _ in 0..5 {
                let (Some(start), Some(goal)) =
                    (random_floor(&mut dice, &grid), random_floor(&mut dice, &grid)) else { break };
                let found = find_in_slices(&mut sectors, &grid, start.cell, goal.cell);
                let best = plain_length(&grid, start, goal);
                let certain = sectors.hubs.cuts().certain(start, goal);
                prop_assert!(is_best(found, best, certain), "{:?} {:?} {:?} {:?}", start, goal, found, best);
                if let Some(length) = found {
                    prop_assert_eq!(walked_length(&mut sectors, &grid, start, goal), length);
                }
            }
        }
    }
}
