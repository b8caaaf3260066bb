use super::*;

#[test]
fn a_goal_drifts_by_the_steps_that_it_takes() {
    let grid = Grid::from_ascii(".....\n.###.\n.....").unwrap();
    let at = |x, y| grid.at(x, y).unwrap();
    let mut shifts = Shifts::default();
    assert_eq!(shifts.between(&grid, at(0, 0), at(1, 0)), Some(Cost::CARDINAL));
    assert_eq!(shifts.between(&grid, at(2, 0), at(2, 2)), None, "a wall is in between");
    let drift = (0..4).fold(Drift::NONE, |drift, _| drift.and(Cost::CARDINAL));
    let cells = |count: u32| Cost::octile(count, 0);
    assert!(drift.is_due(cells(15)) && !drift.is_due(cells(16)));
    assert!(drift.is_elsewhere(cells(3)) && !drift.is_elsewhere(cells(4)));
    assert!(Drift::NONE.is_none() && !Drift::NONE.is_due(Cost::ZERO));
}

#[test]
fn a_goal_that_moves_far_is_another_one() {
    let grid = Grid::open(40, 1).unwrap();
    let at = |x| grid.at(x, 0).unwrap();
    let mut shifts = Shifts::default();
    assert!(shifts.between(&grid, at(0), at(FARTHEST)).is_some());
    assert_eq!(shifts.between(&grid, at(0), at(FARTHEST + 1)), None);
}
