//! Values survive being serialised, and impossible values are refused.
#![cfg(feature = "serde")]

use jostle::plan::{Plan, TimedPath};
use jostle::{AgentId, Change, Configuration, Crossing, Grid, Neighbours, Rules, Script, World};
use serde::Serialize;
use serde::de::DeserializeOwned;

fn again<T: Serialize + DeserializeOwned>(value: &T) -> T {
    serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
}

fn grid() -> Grid {
    let rules =
        Rules { neighbours: Neighbours::Four, crossing: Crossing::Forbidden, ..Rules::default() };
    Grid::from_ascii("..#\n...").unwrap().with_rules(rules)
}

#[test]
fn values_survive_being_serialised() {
    let grid = grid();
    let copy = again(&grid);
    assert_eq!((copy.to_ascii(), copy.rules()), (grid.to_ascii(), grid.rules()));
    let [a, b] = [(0, 0), (1, 1)].map(|(x, y)| grid.at(x, y).unwrap());
    let now = Configuration::of(&grid, [b, a]).unwrap();
    assert_eq!(again(&now), now);
    assert_eq!(again(&now).occupant(b), Some(0));
    let plan = Plan::new(grid.clone(), vec![TimedPath::of(vec![a, a, b])]);
    assert_eq!(again(&plan), plan);
    let script = Script::parse("3 wall (1,1)\n4 add 2 (0,0) to (1,0)\n").unwrap();
    assert_eq!(again(&script), script);
    let mut world = World::new(grid.clone());
    let agent = world.add(a, b).unwrap();
    assert_eq!(again(&agent), agent);
    let changes: Vec<Change<AgentId>> = world.changes().to_vec();
    assert_eq!(again(&changes), changes);
}

#[test]
fn impossible_values_are_refused() {
    let grid = grid();
    let now = Configuration::of(&grid, [grid.at(0, 0).unwrap(), grid.at(1, 0).unwrap()]).unwrap();
    let text = serde_json::to_string(&now).unwrap();
    assert_eq!(text, r#"{"floor":6,"cells":[0,1]}"#);
    for wrong in [text.replace("[0,1]", "[1,1]"), text.replace("[0,1]", "[0,6]")] {
        assert!(serde_json::from_str::<Configuration>(&wrong).is_err(), "{wrong}");
    }
    let path = TimedPath::of(vec![Grid::open(9, 9).unwrap().at(8, 8).unwrap()]);
    let text = serde_json::to_string(&Plan::new(grid.clone(), vec![path])).unwrap();
    assert!(serde_json::from_str::<Plan>(&text).is_err(), "a cell of another map");
    let text = serde_json::to_string(&grid).unwrap().replace("..#", "..");
    assert!(serde_json::from_str::<Grid>(&text).is_err(), "rows of two lengths");
}
