use super::*;
use crate::grid::{Crossing, Neighbours, Rules};
use crate::world::{Moves, World};

fn paths(steps: &[&[(u32, u32)]]) -> Paths {
    let present = |step: &&[(u32, u32)]| step.iter().copied().map(Some).collect();
    let steps: Vec<Vec<Position>> = steps.iter().map(present).collect();
    let (starts, goals) = (steps[0].clone(), steps.last().unwrap().clone());
    let opening = PathsOpening { starts, goals, ..PathsOpening::default() };
    Paths { opening, steps, ..Paths::default() }
}

fn check(drawing: &str, steps: &[&[(u32, u32)]]) -> Result<Legal, String> {
    let grid = Grid::from_ascii(drawing).unwrap();
    check_paths(&grid, &paths(steps)).map_err(|violation| violation.to_string())
}

#[test]
fn a_legal_run_is_accepted() {
    let legal = check("...\n...", &[&[(0, 0), (1, 0)], &[(1, 0), (2, 1)]]).unwrap();
    assert_eq!(legal, Legal { agents: 2, ticks: 1, arrived: 2, tasks: 0, reached: 2, sent: 0 });
}

#[test]
fn a_rotation_of_four_is_legal() {
    let square = [(0, 0), (1, 0), (1, 1), (0, 1)];
    let turned = [(1, 0), (1, 1), (0, 1), (0, 0)];
    assert!(check("..\n..", &[&square, &turned]).is_ok());
}

#[test]
fn every_violation_is_reported() {
    type Case<'a> = (&'a str, &'a [&'a [(u32, u32)]], &'a str);
    let cases: [Case; 8] = [
        ("..#", &[&[(2, 0)]], "tick 0: agent 0 is on (2, 0), which is not floor"),
        ("..#", &[&[(7, 0)]], "tick 0: agent 0 is on (7, 0), which is not floor"),
        ("...", &[&[(1, 0), (1, 0)]], "tick 0: agents 1 and 0 are both on (1, 0)"),
        (
            "...",
            &[&[(0, 0), (2, 0)], &[(1, 0), (1, 0)]],
            "tick 1: agents 1 and 0 are both on (1, 0)",
        ),
        ("...", &[&[(0, 0), (1, 0)], &[(1, 0), (0, 0)]], "tick 1: agents 1 and 0 swapped cells"),
        (
            "...",
            &[&[(0, 0)], &[(2, 0)]],
            "tick 1: agent 0 went from (0, 0) to (2, 0), which is not a legal step",
        ),
        (
            ".#\n..",
            &[&[(0, 0)], &[(1, 1)]],
            "tick 1: agent 0 went from (0, 0) to (1, 1), which is not a legal step",
        ),
        ("...", &[&[(0, 0), (2, 0)], &[(0, 0)]], "tick 1: there are 1 agents where 2 are expected"),
    ];
    for (drawing, steps, expected) in cases {
        assert_eq!(check(drawing, steps).unwrap_err(), expected);
    }
}

#[test]
fn crossing_diagonals_are_legal_unless_forbidden() {
    let grid = Grid::open(2, 2).unwrap();
    let crossing = paths(&[&[(0, 0), (1, 0)], &[(1, 1), (0, 1)]]);
    assert!(check_paths(&grid, &crossing).is_ok());
    let strict = grid.with_rules(Rules { crossing: Crossing::Forbidden, ..Rules::default() });
    let violation = check_paths(&strict, &crossing).unwrap_err();
    assert_eq!(violation, Violation::Crossing { tick: 1, agent: 1, other: 0 });
}

#[test]
fn four_neighbours_forbid_diagonals() {
    let rules = Rules { neighbours: Neighbours::Four, ..Rules::default() };
    let grid = Grid::open(2, 2).unwrap().with_rules(rules);
    assert!(check_paths(&grid, &paths(&[&[(0, 0)], &[(1, 1)]])).is_err());
}

#[test]
fn the_first_positions_must_be_the_starts() {
    let grid = Grid::open(3, 1).unwrap();
    let mut moved = paths(&[&[(1, 0)]]);
    moved.opening.starts = vec![Some((0, 0))];
    assert_eq!(check_paths(&grid, &moved), Err(Violation::NotAtStart { agent: 0 }));
}

#[test]
fn following_is_legal_and_a_swap_is_reported_in_either_direction() {
    let follow = [&[(2, 0), (1, 0), (0, 0)][..], &[(3, 0), (2, 0), (1, 0)]];
    assert!(check("....", &follow).is_ok());
    let swap = "tick 2: agents 2 and 0 swapped cells";
    for (a, b) in [((0, 0), (1, 0)), ((1, 0), (0, 0))] {
        let stay = [a, (3, 0), b];
        assert_eq!(check("....", &[&stay, &stay, &[b, (3, 0), a]]).unwrap_err(), swap);
    }
}

#[test]
fn a_run_may_begin_in_a_world_whose_last_slot_is_vacant() {
    let mut world = World::new(Grid::open(2, 1).unwrap());
    let [a, b] = [0, 1].map(|x| world.grid().at(x, 0).unwrap());
    world.add(a, a).unwrap();
    let gone = world.add(b, b).unwrap();
    world.remove(gone).unwrap();
    let mut trace = Trace::begin(&world);
    world.advance(&Moves::waiting(&world)).unwrap();
    trace.record(&world);
    let legal = Legal { agents: 1, ticks: 1, arrived: 1, tasks: 0, reached: 0, sent: 0 };
    assert_eq!(check_trace(&trace), Ok(legal));
}
