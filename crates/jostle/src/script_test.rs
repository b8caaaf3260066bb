use super::*;
use crate::planners::planner;
use crate::simulate::{Ending, Limits, Simulation};

fn script(text: &str) -> Script {
    Script::parse(text).unwrap()
}

fn check(text: &str) -> Result<(), String> {
    let grid = Grid::open(4, 3).unwrap();
    script(text).check(&grid, 2).map_err(|error| error.to_string())
}

#[test]
fn impossible_changes_are_found_before_the_run() {
    assert_eq!(check("3 send 1 (3,2)\n4 add 2 (0,0) to (1,1)\n5 remove 2"), Ok(()));
    let cases = [
        ("3 wall (4,0)", "line 1: (4, 0) is outside the map of 4x3"),
        ("\n3 send 2 (0,0)", "line 2: there is no agent 2 at that time"),
        ("3 remove 1\n4 send 1 (0,0)", "line 2: there is no agent 1 at that time"),
        (
            "3 add 1 (0,0) to (1,1)",
            "line 1: the number 1 is taken: every agent that joins needs a new number",
        ),
        // Lines may be in any order: the ticks decide.
        ("9 add 5 (0,0) foreign\n8 place 5 (1,0)", "line 2: there is no agent 5 at that time"),
    ];
    for (text, expected) in cases {
        assert_eq!(check(text).unwrap_err(), expected);
    }
}

#[test]
fn a_run_goes_on_until_its_script_is_over() {
    let mut world = World::new(Grid::open(6, 1).unwrap());
    let [west, middle] = [0, 2].map(|x| world.grid().at(x, 0).unwrap());
    world.add(west, middle).unwrap();
    let script = script("20 send 0 (5,0)");
    let outcome = Simulation::new(&mut world, planner("bmaa").unwrap().as_mut())
        .limits(Limits::ticks(100))
        .script(&script)
        .run()
        .unwrap();
    assert_eq!((outcome.ending, outcome.metrics.ticks), (Ending::AllArrived, 23));
}

#[test]
fn a_change_that_is_refused_is_left_out_and_reported() {
    let mut world = World::new(Grid::open(4, 1).unwrap());
    let [west, east] = [0, 3].map(|x| world.grid().at(x, 0).unwrap());
    world.add(west, west).unwrap();
    world.add(east, east).unwrap();
    let script = script("1 add 2 (0,0) to (2,0)\n2 send 2 (1,0)\n3 wall (1,0)");
    let outcome = Simulation::new(&mut world, planner("bmaa").unwrap().as_mut())
        .script(&script)
        .run()
        .unwrap();
    let refusals: Vec<_> = outcome
        .refusals
        .iter()
        .map(|refusal| (refusal.entry.line, refusal.reason.to_string()))
        .collect();
    let expected = [(1, "agent 0 stands on (0, 0) already"), (2, "there is no agent 2")];
    assert_eq!(refusals, expected.map(|(line, reason)| (line, reason.to_owned())));
    assert!(!world.grid().is_floor(world.grid().at(1, 0).unwrap()), "the third change was made");
}

#[test]
fn numbers_of_a_script_outlive_slots() {
    let mut world = World::new(Grid::open(5, 1).unwrap());
    let at = |x| Grid::open(5, 1).unwrap().at(x, 0).unwrap();
    world.add(at(0), at(0)).unwrap();
    // Agent 1 takes the slot of agent 0. The number 0 is not reused.
    let script = script("0 remove 0\n0 add 1 (2,0) to (2,0)\n1 send 0 (4,0)\n1 send 1 (3,0)");
    let outcome = Simulation::new(&mut world, planner("bmaa").unwrap().as_mut())
        .script(&script)
        .run()
        .unwrap();
    assert_eq!(outcome.refusals.len(), 1);
    assert_eq!(world.agents().next().unwrap().cell, at(3));
}
