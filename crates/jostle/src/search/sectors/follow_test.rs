use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::super::SectorOptions;
use super::super::course::INSET;
use super::super::testing::{Drawn, edit_at_random, random_map, rules};
use super::*;
use crate::grid::{Components, CornerRule, Exits, Neighbours, Place, Rules};
use crate::search::shortest_path;
use crate::{Cost, Level};

/// Asks with so small a budget that every question has to be asked several times.
fn ask_in_slices(
    follower: &mut Follower,
    sectors: &mut Sectors,
    grid: &Grid,
    cell: Cell,
) -> Advice {
    for _ in 0..20_000 {
        let mut budget = Budget::expansions(Sectors::LARGEST_PIECE);
        let advice = follower.ask(sectors, grid, cell, &mut budget);
        if advice != Advice::NotYet {
            return advice;
        }
        assert!(budget.work().expansions > 0, "every question must make progress");
    }
    panic!("no answer after 20,000 questions");
}

/// Follows the best steps to the end. Returns the cost of the path, or none if the goal is said to be unreachable.
fn walk(sectors: &mut Sectors, grid: &Grid, start: Cell, goal: Cell) -> Option<Cost> {
    let mut follower = Follower::to(goal);
    let (mut cell, mut cost) = (start, Cost::ZERO);
    for _ in 0..2 * grid.cells().len() {
        let glance = follower.glance(sectors, grid, cell);
        let advice =
            glance.map_or_else(|| ask_in_slices(&mut follower, sectors, grid, cell), Advice::Head);
        match advice {
            Advice::Head(heading) => {
                let best = heading.best().expect("a step");
                assert!(grid.exits(cell).contains(best), "an illegal step");
                cell = grid.beside(cell, best);
                cost = cost + best.cost();
            }
            Advice::Arrived => {
                assert_eq!(cell, goal);
                return Some(cost);
            }
            Advice::Unreachable => {
                assert_eq!(cell, start, "what is unreachable is said before the first step");
                return None;
            }
            Advice::NotYet => unreachable!("the questions were asked until there was an answer"),
        }
    }
    panic!("it walks in circles");
}

fn random_cell(dice: &mut ChaCha8Rng, grid: &Grid) -> Cell {
    Cell::from_index(dice.random_range(0..grid.cells().len()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn every_reachable_goal_is_reached_and_no_other_whatever_was_edited_before(
        Drawn(grid) in random_map(), rules in rules(), seed in 0u64..10_000, few in any::<bool>(),
    ) {
        let mut grid = grid.with_rules(rules);
        let options = SectorOptions { fields: if few { 2 } else { 1000 }, ..Default::default() };
        let mut sectors = Sectors::new(&grid, options);
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        for round in 0..8 {
            let components = Components::of(&grid);
            if round == 5 {
                prop_assert!(sectors.build(&grid, &mut Budget::unlimited()));
            }
            for _ in 0..8 {
                // Walls too, as starts and as goals.
                let (start, goal) = (random_cell(&mut dice, &grid), random_cell(&mut dice, &grid));
                let is_reachable = start == goal || components.reaches(&grid, start, goal);
                let walked = walk(&mut sectors, &grid, start, goal);
                prop_assert_eq!(walked.is_some(), is_reachable, "{:?} to {:?}", start, goal);
                // How much of a detour there can be depends on the map; twice the distance is far beyond it. Out of a
                // wall there may be a shorter way on another side.
                if grid.is_floor(start)
                    && let (Some(walked), Some((shortest, _))) = (walked, shortest_path(&grid, start, goal))
                {
                    prop_assert!(walked.units() <= 2 * shortest.units() + 16 * 5741, "{:?} {:?}", walked, shortest);
                }
            }
            let edited = edit_at_random(&mut grid, seed + round, [1, 2, 30, 1, 500, 1, 1, 9][round as usize]);
            sectors.edit(&grid, &edited);
        }
    }

    #[test]
    fn paths_do_not_depend_on_what_was_known_before(
        Drawn(grid) in random_map(), rules in rules(), seed in 0u64..10_000,
    ) {
        let grid = grid.with_rules(rules);
        // Among routes of one length, tables may choose another than a search.
        let searching = SectorOptions { hubs: 0, ..Default::default() };
        let mut built = Sectors::new(&grid, searching);
        prop_assert!(built.build(&grid, &mut Budget::unlimited()));
        let few = SectorOptions { fields: 0, ..searching };
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        for _ in 0..8 {
            let (start, goal) = (random_cell(&mut dice, &grid), random_cell(&mut dice, &grid));
            let mut fresh = Sectors::new(&grid, few);
            let (mut one, mut other) = (Follower::to(goal), Follower::to(goal));
            let mut cell = start;
            loop {
                let mut course = one.course;
                let (peeked, is_patient) = (course.glance(&built, &grid, cell), one.course.is_patient());
                // A glance does not look at the exit after the next one.
                let Course { sector, exit, after, .. } = one.course;
                let farther = after.map(|after| sector.beside(exit.side()).beside(after.side()));
                let is_two_ahead =
                    farther.is_some_and(|sector| sector.window().covers(Place::of(&grid, cell), INSET));
                let advice = one.ask(&mut built, &grid, cell, &mut Budget::unlimited());
                let same = other.ask(&mut fresh, &grid, cell, &mut Budget::unlimited());
                prop_assert_eq!(advice, same);
                // Both may follow another field, as long as it leads the same way.
                let best = if let Advice::Head(heading) = advice { heading.best() } else { None };
                prop_assert!(peeked.is_none_or(|heading| is_patient || is_two_ahead || heading.best() == best));
                let Advice::Head(heading) = advice else { break };
                cell = grid.beside(cell, heading.best().unwrap());
            }
        }
    }

    #[test]
    fn unreachable_goals_are_known_at_once_when_the_graph_is_complete(
        Drawn(grid) in random_map(), rules in rules(), seed in 0u64..10_000,
    ) {
        let mut grid = grid.with_rules(rules);
        let mut sectors = Sectors::new(&grid, SectorOptions::default());
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        for round in 0..4 {
            prop_assert!(sectors.build(&grid, &mut Budget::unlimited()));
            let components = Components::of(&grid);
            for _ in 0..40 {
                let (start, goal) = (random_cell(&mut dice, &grid), random_cell(&mut dice, &grid));
                let is_reachable = components.reaches(&grid, start, goal);
                prop_assert_eq!(sectors.reaches(&grid, start, goal), Some(is_reachable));
                if !is_reachable && start != goal {
                    let mut nothing = Budget::expansions(0);
                    let advice = Follower::to(goal).ask(&mut sectors, &grid, start, &mut nothing);
                    prop_assert_eq!(advice, Advice::Unreachable);
                }
            }
            let edited = edit_at_random(&mut grid, seed + round, 1 + 20 * round as usize);
            sectors.edit(&grid, &edited);
            prop_assert!(!edited.is_empty() && sectors.reaches(&grid, edited[0], edited[0]).is_none()
                || sectors.build(&grid, &mut Budget::expansions(0)));
        }
    }

    #[test]
    fn agents_arrive_although_they_are_pushed_around_and_walls_come_and_go(
        Drawn(grid) in random_map(), rules in rules(), seed in 0u64..10_000,
    ) {
        let mut grid = grid.with_rules(rules);
        let mut sectors = Sectors::new(&grid, SectorOptions::default());
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        let (mut cell, goal) = (random_cell(&mut dice, &grid), random_cell(&mut dice, &grid));
        let mut follower = Follower::to(goal);
        let (disturbed, most) = (200, 200 + grid.cells().len());
        for step in 0..=most {
            let is_reachable = cell == goal || Components::of(&grid).reaches(&grid, cell, goal);
            match ask_in_slices(&mut follower, &mut sectors, &grid, cell) {
                Advice::Arrived => break,
                Advice::Unreachable => {
                    prop_assert!(!is_reachable);
                    if step > disturbed { break }
                }
                Advice::Head(heading) => {
                    prop_assert!(is_reachable);
                    cell = grid.beside(cell, heading.best().unwrap());
                }
                Advice::NotYet => unreachable!("the questions were asked until there was an answer"),
            }
            if step < disturbed && dice.random_range(0..4) == 0 {
                let exits: Vec<_> = grid.exits(cell).into_iter().collect();
                for &push in exits.iter().cycle().take(exits.len() * 2) {
                    if grid.exits(cell).contains(push) && grid.is_floor(cell) {
                        cell = grid.beside(cell, push);
                    }
                }
            }
            if step < disturbed && step % 10 == 0 {
                let edited = edit_at_random(&mut grid, seed + step as u64, 3);
                sectors.edit(&grid, &edited);
            }
            prop_assert!(step < most, "it does not arrive");
        }
    }
}

#[test]
fn most_steps_take_no_more_than_a_lookup() {
    let grid = Level::Cave.generate(300, 300, 2).unwrap();
    let floor: Vec<_> = grid.floor_cells().collect();
    let mut sectors = Sectors::new(&grid, SectorOptions::default());
    let (mut steps, mut lookups) = (0, 0);
    for (&start, &goal) in floor.iter().step_by(997).zip(floor.iter().rev().step_by(1009)) {
        let (mut follower, mut cell) = (Follower::to(goal), start);
        loop {
            let glance = follower.glance(&sectors, &grid, cell);
            lookups += usize::from(glance.is_some());
            let mut ask = || follower.ask(&mut sectors, &grid, cell, &mut Budget::unlimited());
            let Advice::Head(heading) = glance.map_or_else(&mut ask, Advice::Head) else { break };
            cell = grid.beside(cell, heading.best().unwrap());
            steps += 1;
        }
        assert_eq!(cell, goal);
    }
    assert!(lookups * 10 > steps * 9, "{lookups} of {steps}");
}

#[test]
fn paths_are_nearly_shortest_on_all_levels_and_under_all_rules() {
    let four = Rules { neighbours: Neighbours::Four, ..Rules::default() };
    let loose = Rules { corners: CornerRule::Ignored, ..Rules::default() };
    for level in Level::ALL {
        for rules in [Rules::default(), four, loose] {
            let grid = level.generate(300, 250, 5).unwrap().with_rules(rules);
            let mut sectors = Sectors::new(&grid, SectorOptions::default());
            let floor: Vec<_> = grid.floor_cells().collect();
            let mut dice = ChaCha8Rng::seed_from_u64(3);
            let (mut sum, mut most, count) = (0.0, 1.0f64, 60);
            for _ in 0..count {
                let mut cell = || floor[dice.random_range(0..floor.len())];
                let (start, goal) = (cell(), cell());
                let (shortest, _) = shortest_path(&grid, start, goal).unwrap();
                let walked = walk(&mut sectors, &grid, start, goal).unwrap();
                assert!(walked >= shortest);
                let ratio = if start == goal { 1.0 } else { walked.as_f64() / shortest.as_f64() };
                sum += ratio;
                most = most.max(ratio);
            }
            let mean = sum / f64::from(count);
            assert!(mean <= 1.02 && most <= 1.2, "{level}, {rules:?}: {mean:.4} {most:.4}");
        }
    }
}
