use proptest::prelude::*;

use super::*;
use crate::check::check_paths;
use crate::formats::Paths;
use crate::grid::{Cell, CornerRule, Crossing, Neighbours, Rules};
use crate::world::{Moves, World};

fn rules(crossing: Crossing) -> Rules {
    Rules { crossing, ..Rules::default() }
}

#[test]
fn costs_count_the_ticks_until_an_agent_stays_for_good() {
    let grid = Grid::open(3, 3).unwrap();
    let at = |x, y| grid.at(x, y).unwrap();
    let there_and_back = TimedPath::of(vec![at(0, 0), at(1, 1), at(0, 0), at(1, 1), at(1, 1)]);
    let waits = TimedPath::of(vec![at(2, 2), at(2, 2), at(2, 1)]);
    let stays = TimedPath::of(vec![at(0, 2)]);
    let plan = Plan::new(grid, vec![there_and_back, waits, stays]);
    let costs: Vec<u64> = plan.paths().iter().map(TimedPath::cost).collect();
    assert_eq!(costs, [3, 2, 0]);
    assert_eq!((plan.sum_of_costs(), plan.makespan()), (5, 3));
    assert_eq!(plan.distance(), Distance { cardinal: 1, diagonal: 3 });
    assert!(plan.is_walkable());
}

#[test]
fn every_conflict_is_found_in_order() {
    let grid = Grid::open(4, 2).unwrap();
    let at = |x, y| grid.at(x, y).unwrap();
    let paths = || {
        vec![
            TimedPath::of(vec![at(0, 0), at(1, 1), at(2, 1)]),
            TimedPath::of(vec![at(1, 0), at(0, 1)]),
            TimedPath::of(vec![at(3, 1), at(2, 1), at(1, 1)]),
        ]
    };
    let show = |plan: &Plan| plan.conflicts().map(|c| c.to_string()).collect::<Vec<_>>();
    let lenient = Plan::new(grid.clone(), paths());
    assert_eq!(show(&lenient), ["agents 0 and 2 swap cells at tick 2"]);
    let strict = grid.clone().with_rules(rules(Crossing::Forbidden));
    let strict = Plan::new(strict, paths());
    assert_eq!(
        show(&strict),
        ["the diagonals of agents 0 and 1 cross at tick 1", "agents 0 and 2 swap cells at tick 2"]
    );
    assert_eq!(strict.first_conflict(), strict.conflicts().next());
}

#[test]
fn an_agent_that_stays_on_a_cell_conflicts_with_one_that_enters_it_later() {
    let grid = Grid::open(3, 1).unwrap();
    let at = |x| grid.at(x, 0).unwrap();
    let stays = TimedPath::of(vec![at(2)]);
    let comes = TimedPath::of(vec![at(0), at(1), at(2)]);
    let mut plan = Plan::new(grid, vec![stays, comes]);
    assert_eq!(
        plan.first_conflict().unwrap().to_string(),
        "agents 0 and 1 are both on (2, 0) at tick 2"
    );
    plan.path_mut(0).unwrap().stays = false;
    assert_eq!(plan.first_conflict(), None, "its position after tick 0 is unknown");
}

#[test]
fn reservations_of_a_plan_are_its_cells_and_ticks() {
    let grid = Grid::open(3, 1).unwrap();
    let at = |x| grid.at(x, 0).unwrap();
    let plan = Plan::new(grid.clone(), vec![TimedPath::of(vec![at(0), at(1), at(1), at(2)])]);
    let mut table = Reservations::default();
    plan.reserve(&mut table);
    for tick in 0..9 {
        for cell in grid.cells() {
            let owner = (plan.paths()[0].at(tick) == Some(cell)).then_some(0);
            assert_eq!(table.owner(cell, tick), owner);
        }
    }
    plan.paths()[0].release(0, &mut table);
    assert!(table.is_empty() && table.owner(at(2), 9).is_none());
}

#[test]
fn a_plan_that_no_world_allows_says_why() {
    let grid = Grid::open(3, 1).unwrap();
    let at = |x| grid.at(x, 0).unwrap();
    let error = |paths| Plan::new(grid.clone(), paths).to_trace().unwrap_err().to_string();
    let [stays, jumps] = [vec![at(0)], vec![at(0), at(2)]].map(TimedPath::of);
    assert_eq!(error(vec![stays.clone(), stays.clone()]), "agent 0 stands on (0, 0) already");
    assert_eq!(error(vec![jumps]), "agent 0 cannot step from (0, 0) to (2, 0) at tick 0");
    let late = TimedPath { begins: 1, ..stays };
    let expected = "the path of agent 0 does not begin at tick 0 and end where the agent stays";
    assert_eq!(error(vec![late]), expected);
}

/// Walks of several agents over a small floor, which may conflict.
fn walks() -> impl Strategy<Value = Plan> {
    let crossing = prop::sample::select(vec![Crossing::Allowed, Crossing::Forbidden]);
    let neighbours = prop::sample::select(vec![Neighbours::Four, Neighbours::Eight]);
    let starts = prop::collection::hash_set(0usize..16, 2..7);
    let turns = prop::collection::vec(prop::collection::vec(0usize..9, 1..8), 7);
    (crossing, neighbours, starts, turns).prop_map(|(crossing, neighbours, starts, turns)| {
        let rules = Rules { crossing, neighbours, corners: CornerRule::BothFree };
        let grid = Grid::open(4, 4).unwrap().with_rules(rules);
        let paths = starts.into_iter().zip(turns).map(|(start, turns)| {
            let mut cells = vec![Cell::from_index(start)];
            for turn in turns {
                let here = cells[cells.len() - 1];
                let near: Vec<Cell> = grid.neighbours(here).chain([here]).collect();
                cells.push(near[turn % near.len()]);
            }
            TimedPath::of(cells)
        });
        let paths = paths.collect();
        Plan::new(grid, paths)
    })
}

proptest! {
    /// A plan has no conflict if the world accepts all its moves. Otherwise its first conflict is at the tick at
    /// which the world refuses a move, and the independent checker refuses the plan too.
    #[test]
    fn conflicts_are_what_the_world_and_the_checker_refuse(plan in walks()) {
        let mut world = World::new(Arc::clone(plan.shared_grid()));
        let ids: Vec<_> =
            plan.paths().iter().map(|path| world.add(path.cells[0], path.cells[0]).unwrap()).collect();
        let mut refused = None;
        for tick in 1..=8 {
            let mut moves = Moves::waiting(&world);
            for (path, &id) in plan.paths().iter().zip(&ids) {
                moves.set(id, path.at(tick).unwrap());
            }
            if world.advance(&moves).is_err() {
                refused = Some(tick);
                break;
            }
        }
        prop_assert_eq!(plan.first_conflict().map(|conflict| conflict.tick()), refused);
        let checked = check_paths(plan.grid(), &Paths::of_plan(&plan));
        prop_assert_eq!(checked.is_ok(), refused.is_none());
        // A plan without conflicts becomes a trace, and comes back from it, with waits at the ends of short paths.
        let trace = plan.to_trace();
        prop_assert_eq!(trace.is_ok(), refused.is_none());
        if let Ok(trace) = trace {
            let again = Plan::of_trace(&trace);
            prop_assert_eq!(again.sum_of_costs(), plan.sum_of_costs());
            for (ours, theirs) in again.paths().iter().zip(plan.paths()) {
                prop_assert!((0..12).all(|tick| ours.at(tick) == theirs.at(tick)));
            }
        }
    }

    /// All conflicts, compared with those found by examining every pair of agents.
    #[test]
    fn all_conflicts_are_those_of_all_pairs(plan in walks()) {
        let mut pairs = Vec::new();
        for b in 0..plan.paths().len() {
            for a in 0..b {
                let two = vec![plan.paths()[a].clone(), plan.paths()[b].clone()];
                let two = Plan::new(Arc::clone(plan.shared_grid()), two);
                pairs.extend(two.conflicts().map(|conflict| (conflict.tick(), (a, b))));
            }
        }
        pairs.sort_unstable();
        // Two agents that stay on one cell are in conflict for as long as any other agent moves.
        let ends = |agent: usize| plan.paths()[agent].ends();
        let all = plan.conflicts().map(|conflict| (conflict.tick(), conflict.agents()));
        let all: Vec<_> = all.filter(|&(tick, (a, b))| Some(tick) <= ends(a).max(ends(b))).collect();
        prop_assert_eq!(all, pairs);
    }
}
