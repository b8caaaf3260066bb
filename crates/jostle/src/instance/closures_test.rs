use super::*;
use crate::instance::Kind;
use crate::levels::Level;

fn instance() -> Instance {
    let grid = Level::Rooms.generate(40, 30, 2).unwrap();
    Instance::draw(grid, Kind::Random, 12, 3).unwrap()
}

/// The floor after every change, with its tick.
fn floors(instance: &Instance, script: &Script) -> Vec<(u64, Grid)> {
    let mut grid = instance.grid().clone();
    let edited = script.entries().iter().map(|entry| {
        let Change::SetFloor { cell, is_floor } = entry.change else { panic!("{entry:?}") };
        let is_new = grid.set_floor(grid.locate(cell).unwrap(), is_floor);
        assert!(is_new, "every change changes something");
        (entry.tick, grid.clone())
    });
    edited.collect()
}

#[test]
fn cells_close_and_open_as_often_as_asked() {
    let instance = instance();
    for (seed, changes) in [(1, 0), (2, 1), (3, 2), (4, 7), (5, 24), (6, 60)] {
        let closures = Closures { changes, closed_for: 4..=9, ..Closures::default() };
        let script = closures.draw(&instance, seed).unwrap();
        assert_eq!(script.len(), changes);
        assert_eq!(closures.draw(&instance, seed).unwrap(), script, "same seed, same script");
        let floors = floors(&instance, &script);
        let walls = |grid: &Grid| grid.cells().len() - grid.floor_cells().count();
        let left = floors.last().map_or(0, |(_, last)| walls(last) - walls(instance.grid()));
        assert_eq!(left, changes % 2, "all but the odd one have opened again");
        assert!(script.check(instance.grid(), 12).is_ok());
    }
}

#[test]
fn all_goals_stay_in_reach_if_they_are_to() {
    let instance = instance();
    let closures = Closures { changes: 40, closed_for: 10..=40, on_paths: 1.0, keeps_goals: true };
    for seed in 0..10 {
        let script = closures.draw(&instance, seed).unwrap();
        for (tick, floor) in floors(&instance, &script) {
            let components = Components::of(&floor);
            for &(start, goal) in instance.tasks() {
                assert!(components.reaches(&floor, start, goal), "seed {seed}, tick {tick}");
            }
        }
    }
}

#[test]
fn no_cell_closes_under_an_agent_and_those_on_paths_are_ahead() {
    let instance = instance();
    let path = |&(start, goal): &(Cell, Cell)| {
        TimedPath::of(shortest_path(instance.grid(), start, goal).unwrap().1)
    };
    let plan = Plan::new(instance.grid().clone(), instance.tasks().iter().map(path).collect());
    let ahead = Closures { changes: 30, on_paths: 1.0, keeps_goals: false, ..Closures::default() };
    let script = ahead.draw(&instance, 9).unwrap();
    let (mut closed, mut are_ahead) = (0, 0);
    for entry in script.entries() {
        let Change::SetFloor { cell, is_floor: false } = entry.change else { continue };
        let cell = instance.grid().locate(cell).unwrap();
        assert!(plan.paths().iter().all(|path| path.at(entry.tick) != Some(cell)));
        let is_ahead =
            |path: &TimedPath| path.timed().any(|(at, tick)| at == cell && tick > entry.tick);
        closed += 1;
        are_ahead += u32::from(plan.paths().iter().any(is_ahead));
    }
    assert!(closed == 15 && are_ahead >= 13, "{are_ahead} of {closed} are ahead of an agent");
}

#[test]
fn where_nothing_can_be_closed_that_is_said() {
    let grid = Grid::from_ascii("...").unwrap();
    let tasks = vec![(grid.at(0, 0).unwrap(), grid.at(2, 0).unwrap())];
    let instance = Instance::new(grid, tasks, crate::instance::Reach::Required).unwrap();
    let error = Closures::default().draw(&instance, 1).unwrap_err();
    assert!(
        error.to_string().starts_with("no cell was found that can be closed at tick "),
        "{error}"
    );
}
