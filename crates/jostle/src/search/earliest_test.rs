use std::collections::HashSet;

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::grid::{Crossing, Neighbours, Rules};
use crate::plan::{Plan, TimedPath};
use crate::search::{Reservations, TimedStep};
use crate::solvers::Distances;

/// The earliest arrival for good, by a search through all cells at every tick.
fn by_brute_force(
    grid: &Grid,
    (table, agent): (&Reservations, usize),
    errand: &Errand<'_>,
) -> Option<u32> {
    let &Errand { gone, goal, latest, .. } = errand;
    let mut here = HashSet::from([*gone.last()?]);
    for tick in gone.len() as u32 - 1..=latest {
        if here.contains(&goal) && table.is_free_from(agent, goal, u64::from(tick) + 1) {
            return Some(tick);
        }
        let mut next = HashSet::new();
        for &from in &here {
            for to in grid.neighbours(from).chain([from]) {
                let direction = grid.step_between(from, to);
                let step = TimedStep { from, to, direction, arrival: u64::from(tick) + 1 };
                if table.conflict(grid, agent, step).is_none() {
                    next.insert(to);
                }
            }
        }
        here = next;
    }
    None
}

/// Agents are planned one after the other, around the paths of those before them.
#[test]
fn arrivals_are_the_earliest_and_paths_are_free_of_conflicts() {
    let mut dice = ChaCha8Rng::seed_from_u64(4);
    let (mut found, mut none) = (0, 0);
    let mut search = Earliest::default();
    for _ in 0..300 {
        let rules = Rules {
            neighbours: if dice.random() { Neighbours::Four } else { Neighbours::Eight },
            crossing: if dice.random() { Crossing::Allowed } else { Crossing::Forbidden },
            ..Rules::default()
        };
        let (width, height) = (dice.random_range(2..7), dice.random_range(2..7));
        let grid = Grid::new(width, height, rules, |_, _| dice.random_ratio(4, 5)).unwrap();
        let floor: Vec<Cell> = grid.floor_cells().collect();
        let (mut table, mut visits) = (Reservations::default(), Visits::on(&grid));
        let mut paths = Vec::new();
        let mut taken: Vec<(Cell, Cell)> = Vec::new();
        for agent in 0..6 {
            let (Some(&start), Some(&goal)) = (floor.choose(&mut dice), floor.choose(&mut dice))
            else {
                continue;
            };
            if taken.iter().any(|task| task.0 == start || task.1 == goal) {
                continue;
            }
            let distances = Distances::to(&grid, [goal]);
            let latest = if dice.random_ratio(1, 4) { 5 } else { 40 };
            let most_expansions = u64::MAX;
            let errand = Errand { visits: &visits, gone: &[start], goal, latest, most_expansions };
            // Some earlier agent may have been allowed to pass over this start.
            if table.owner(start, 0).is_some() {
                continue;
            }
            let mut path = Vec::new();
            let left = |cell| distances.get(0, cell).unwrap_or(u32::MAX);
            let is_found = search.find(&grid, &errand, left, &mut path);
            let expected = by_brute_force(&grid, (&table, agent), &errand);
            assert_eq!(is_found.then(|| path.len() as u32 - 1), expected, "{grid:?} {errand:?}");
            if is_found {
                found += 1;
                assert!(visits.allow(&grid, &path));
                visits.add(agent, &path, 0);
                let path = TimedPath::of(path);
                path.reserve(agent, &mut table);
                paths.push(path);
                taken.push((start, goal));
            } else {
                none += 1;
            }
        }
        let plan = Plan::new(grid, paths);
        assert!(plan.is_walkable() && plan.first_conflict().is_none());
    }
    assert!(found > 500 && none > 50, "{found} {none}");
}
