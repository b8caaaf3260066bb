use std::collections::{BTreeSet, HashSet, VecDeque};

use proptest::prelude::*;

use super::*;
use crate::grid::{Neighbours, Rules};

/// Rules as plain sets, and distances by breadth-first search.
#[derive(Clone)]
struct Plain {
    goal: Cell,
    distances: Vec<Option<u32>>,
    at: HashSet<(Cell, u32)>,
    steps: HashSet<(Cell, Direction, u32)>,
}

impl Plain {
    fn to(grid: &Grid, goal: Cell) -> Self {
        let (at, steps) = (HashSet::new(), HashSet::new());
        let mut plain = Self { goal, distances: Vec::new(), at, steps };
        plain.measure(grid);
        plain
    }

    fn measure(&mut self, grid: &Grid) {
        self.distances = vec![None; grid.cells().len()];
        let mut queue = VecDeque::new();
        if grid.is_floor(self.goal) {
            self.distances[self.goal.index()] = Some(0);
            queue.push_back(self.goal);
        }
        while let Some(cell) = queue.pop_front() {
            for near in grid.neighbours(cell) {
                if self.distances[near.index()].is_none() {
                    self.distances[near.index()] =
                        self.distances[cell.index()].map(|steps| steps + 1);
                    queue.push_back(near);
                }
            }
        }
    }
}

impl TimedRules for Plain {
    fn allows(&self, from: Cell, direction: Option<Direction>, to: Cell, tick: u32) -> bool {
        !self.at.contains(&(to, tick))
            && direction.is_none_or(|direction| !self.steps.contains(&(from, direction, tick)))
    }
    fn ahead(&mut self, cell: Cell, _: &mut Budget<'_>) -> Verdict<u32> {
        self.distances[cell.index()].map_or(Verdict::Nothing, Verdict::Found)
    }
    fn goal(&self) -> Cell {
        self.goal
    }
    fn stays_from(&self) -> u32 {
        let on_goal = self.at.iter().filter(|(cell, _)| *cell == self.goal);
        on_goal.map(|(_, tick)| tick + 1).max().unwrap_or(0)
    }
}

/// No constraint of the tests has a later tick, so that after it only walls count.
const HORIZON: u32 = 24;

/// The cells on which the agent can be, tick by tick from the start on.
fn reachable(grid: &Grid, rules: &Plain, (start, tick): (Cell, u32)) -> Vec<BTreeSet<Cell>> {
    let mut layers = vec![BTreeSet::from([start])];
    for now in tick + 1..=HORIZON + 90 {
        let before = &layers[layers.len() - 1];
        let next = before.iter().flat_map(|&from| {
            moves(grid, from)
                .filter(move |&(direction, to)| rules.allows(from, direction, to, now))
                .map(|(_, to)| to)
        });
        layers.push(next.collect());
    }
    layers
}

fn arrival(layers: &[BTreeSet<Cell>], rules: &Plain, begins: u32) -> Option<u32> {
    let is_end = |&(layer, tick): &(&BTreeSet<Cell>, u32)| {
        tick >= rules.stays_from() && layer.contains(&rules.goal)
    };
    layers.iter().zip(begins..).find(is_end).map(|(_, tick)| tick)
}

fn check(slpa: &mut Slpa, grid: &Grid, rules: &mut Plain) -> Result<(), TestCaseError> {
    let found = slpa.search(grid, rules, &mut Budget::unlimited());
    let layers = reachable(grid, rules, slpa.start());
    prop_assert_eq!(found.found(), arrival(&layers, rules, slpa.start().1));
    for (layer, tick) in layers.iter().zip(slpa.start().1..) {
        for cell in grid.cells() {
            // The search need not know all states, but those it takes for alive are.
            prop_assert!(
                !slpa.is_alive(cell, tick) || layer.contains(&cell),
                "{:?} at {}",
                cell,
                tick
            );
        }
    }
    if let Verdict::Found(arrival) = found {
        let mut path = Vec::new();
        slpa.path(grid, rules, arrival, |_, _, _, _| 0, &mut path);
        prop_assert_eq!(
            (path[0], path.len() as u32 - 1),
            (slpa.start().0, arrival - slpa.start().1)
        );
        for (step, tick) in path.windows(2).zip(slpa.start().1 + 1..) {
            let direction = grid.step_between(step[0], step[1]);
            prop_assert!(step[0] == step[1] || direction.is_some());
            prop_assert!(rules.allows(step[0], direction, step[1], tick));
        }
        prop_assert_eq!(path.last(), Some(&rules.goal));
    }
    Ok(())
}

#[derive(Clone, Debug)]
enum Update {
    At(usize, u32),
    Step(usize, usize, u32),
    Wall(usize),
    Advance,
}

fn updates() -> impl Strategy<Value = Vec<Update>> {
    let update = prop_oneof![
        6 => (0usize..49, 1..HORIZON).prop_map(|(cell, tick)| Update::At(cell, tick)),
        3 => (0usize..49, 0usize..8, 1..HORIZON).prop_map(|(cell, way, tick)| Update::Step(cell, way, tick)),
        2 => (0usize..49).prop_map(Update::Wall),
        1 => Just(Update::Advance),
    ];
    prop::collection::vec(update, 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Constraints come and go, cells close and open, and the agent walks: about 12,000 updates.
    #[test]
    fn what_is_alive_is_what_a_search_from_nothing_would_reach(
        (width, height) in (1u32..8, 1u32..8),
        four in any::<bool>(),
        ends in (0usize..49, 0usize..49),
        updates in updates(),
    ) {
        let neighbours = if four { Neighbours::Four } else { Neighbours::Eight };
        let rules = Rules { neighbours, ..Rules::default() };
        let mut grid = Grid::open(width, height).unwrap().with_rules(rules);
        let cells: Vec<Cell> = grid.cells().collect();
        let cell = |number: usize| cells[number % cells.len()];
        let mut plain = Plain::to(&grid, cell(ends.1));
        let mut slpa = Slpa::default();
        slpa.begin(cell(ends.0), 0);
        check(&mut slpa, &grid, &mut plain)?;
        for update in updates {
            match update {
                Update::At(number, tick) if (cell(number), tick) != slpa.start() => {
                    let constraint = (cell(number), tick);
                    if !plain.at.remove(&constraint) {
                        plain.at.insert(constraint);
                    }
                    slpa.touch(cell(number), tick);
                }
                Update::Step(number, way, tick) => {
                    let direction = Direction::ALL[way];
                    let constraint = (cell(number), direction, tick);
                    if !plain.steps.remove(&constraint) {
                        plain.steps.insert(constraint);
                    }
                    if let Some(to) = grid.step(cell(number), direction) {
                        slpa.touch(to, tick);
                    }
                }
                Update::Wall(number) if cell(number) != slpa.start().0 => {
                    grid.set_floor(cell(number), !grid.is_floor(cell(number)));
                    plain.measure(&grid);
                    // A state in which the agent stands on a new wall may only wait there or step out, as in a world.
                    slpa.edit(&grid, cell(number), 0);
                    slpa.forget_distances();
                }
                Update::Advance => {
                    let mut path = Vec::new();
                    if let Verdict::Found(arrival) = slpa.search(&grid, &mut plain, &mut Budget::unlimited()) {
                        slpa.path(&grid, &plain, arrival, |_, _, _, _| 0, &mut path);
                    }
                    if path.len() > 1 {
                        let tick = slpa.start().1 + 1;
                        prop_assert!(slpa.advance(&grid, path[1], tick));
                        prop_assert_eq!(slpa.start(), (path[1], tick));
                    }
                }
                _ => {}
            }
            check(&mut slpa, &grid, &mut plain)?;
        }
    }
}

#[test]
fn one_more_constraint_expands_less_than_a_new_search() {
    let grid = Grid::open(60, 20).unwrap();
    let (start, goal) = (grid.at(0, 10).unwrap(), grid.at(59, 10).unwrap());
    let mut rules = Plain::to(&grid, goal);
    let mut slpa = Slpa::default();
    slpa.begin(start, 0);
    assert_eq!(slpa.search(&grid, &mut rules, &mut Budget::unlimited()), Verdict::Found(59));
    let mut path = Vec::new();
    slpa.path(&grid, &rules, 59, |_, _, _, _| 0, &mut path);
    rules.at.insert((path[50], 50));
    slpa.touch(path[50], 50);
    let mut budget = Budget::unlimited();
    let again = slpa.search(&grid, &mut rules, &mut budget);
    assert_eq!(again, Verdict::Found(59));
    assert!(budget.work().expansions < 20, "{:?}", budget.work());
}

#[test]
fn a_path_prefers_steps_without_conflicts() {
    let grid = Grid::open(3, 3).unwrap();
    let (start, goal) = (grid.at(0, 1).unwrap(), grid.at(2, 1).unwrap());
    let mut rules = Plain::to(&grid, goal);
    let mut slpa = Slpa::default();
    slpa.begin(start, 5);
    // All cells of the middle column are reached when the straight way and one around are forbidden for a while.
    assert_eq!(slpa.search(&grid, &mut rules, &mut Budget::unlimited()), Verdict::Found(7));
    for y in [1, 0, 2] {
        let middle = grid.at(1, y).unwrap();
        rules.at.insert((middle, 6));
        slpa.touch(middle, 6);
    }
    assert_eq!(slpa.search(&grid, &mut rules, &mut Budget::unlimited()), Verdict::Found(8));
    rules.at.clear();
    (0..3).for_each(|y| slpa.touch(grid.at(1, y).unwrap(), 6));
    assert_eq!(slpa.search(&grid, &mut rules, &mut Budget::unlimited()), Verdict::Found(7));
    let busy = grid.at(1, 1).unwrap();
    let mut path = Vec::new();
    let conflicts = |from: Cell, _, to: Cell, _| u32::from(from == busy || to == busy);
    slpa.path(&grid, &rules, 7, conflicts, &mut path);
    assert!(!path.contains(&busy) && path.len() == 3, "{path:?}");
}
