use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::grid::{Neighbours, Rules};
use crate::instance::{Instance, Kind};
use crate::levels::Level;
use crate::plan::{Plan, TimedPath};

/// A crowd of 60 agents, and a search for it.
fn crowd(most_held: usize) -> (Vec<Cell>, Vec<Cell>, Rooted) {
    let grid = Level::Cave.generate(32, 32, 3).unwrap();
    let instance = Instance::draw(grid, Kind::Random, 60, 5).unwrap();
    let (starts, goals): (Vec<Cell>, Vec<Cell>) = instance.tasks().iter().copied().unzip();
    let grid = Arc::clone(instance.shared_grid());
    let mut rooted = Rooted::new(grid, goals.clone(), (0, true), most_held).unwrap();
    rooted.begin(&starts);
    (starts, goals, rooted)
}

/// Lets the crowd walk, with this many iterations in each tick, and checks that all of its steps are legal.
fn walk(rooted: &mut Rooted, iterations: u32, ticks: usize) -> Vec<Cell> {
    let mut paths: Vec<Vec<Cell>> = rooted.here().iter().map(|&cell| vec![cell]).collect();
    for _ in 0..ticks {
        rooted.work(&mut iterations.clone(), &mut Budget::unlimited());
        let next = rooted.next().to_vec();
        paths.iter_mut().zip(&next).for_each(|(path, &cell)| path.push(cell));
        rooted.stand_on(&next);
        assert_eq!(rooted.here(), next);
    }
    let paths = paths.into_iter().map(TimedPath::of).collect();
    let plan = Plan::new(Arc::clone(&rooted.grid), paths);
    assert!(plan.is_walkable() && plan.first_conflict().is_none());
    rooted.here().to_vec()
}

#[test]
fn the_crowd_arrives_while_the_search_goes_on_and_then_stays() {
    for iterations in [1, 3, 1000] {
        let (_, goals, mut rooted) = crowd(1 << 30);
        assert_eq!(walk(&mut rooted, iterations, 200), goals, "{iterations}");
        assert_eq!((rooted.stage, rooted.next()), (Stage::Found, &goals[..]));
    }
}

#[test]
fn every_path_from_the_root_ends_where_it_should() {
    let (_, _, mut rooted) = crowd(1 << 30);
    let mut dice = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..300 {
        rooted.work(&mut dice.random_range(0..4), &mut Budget::unlimited());
        let nodes: Vec<NodeId> = (0..rooted.search.len() as NodeId).collect();
        // The game puts the crowd anywhere in the tree.
        let node = *nodes.choose(&mut dice).unwrap();
        let cells = rooted.search.nodes.cells(node).to_vec();
        rooted.stand_on(&cells);
        assert_eq!((rooted.root, rooted.search.len()), (node, nodes.len()), "nothing is lost");
        let path = rooted.search.nodes.path(nodes.choose(&mut dice).copied().unwrap());
        assert_eq!(path[0], node);
        rooted.work(&mut 0, &mut Budget::unlimited());
        let target = rooted.search.goal.unwrap_or(rooted.search.last);
        let path = rooted.search.nodes.path(target);
        let expected = [1, 2].map(|at| path[at.min(path.len() - 1)]);
        assert_eq!(rooted.ahead, expected);
    }
}

#[test]
fn a_crowd_that_stands_elsewhere_begins_again_and_keeps_its_distances() {
    let (starts, goals, mut rooted) = crowd(1 << 30);
    walk(&mut rooted, 5, 10);
    let mut elsewhere = starts;
    elsewhere.swap(0, 1);
    let reached = rooted.search.generator.distances.reached();
    rooted.stand_on(&elsewhere);
    assert_eq!((rooted.search.len(), rooted.here()), (0, &elsewhere[..]));
    assert_eq!(rooted.search.generator.distances.reached(), reached);
    assert_eq!(walk(&mut rooted, 5, 200), goals);
}

#[test]
fn agents_that_are_sent_elsewhere_arrive_there() {
    let (starts, goals, mut rooted) = crowd(1 << 30);
    let here = walk(&mut rooted, 5, 10);
    // Half of them go back.
    let mut others = goals;
    for agent in (0..60).step_by(2) {
        if !others.contains(&starts[agent]) {
            others[agent] = starts[agent];
            rooted.redirect(agent, starts[agent]);
        }
    }
    rooted.begin(&here);
    assert_eq!(walk(&mut rooted, 5, 200), others);
}

#[test]
fn a_search_that_holds_too_much_begins_again_where_the_crowd_stands() {
    // Without the swap rule, this takes thousands of iterations.
    let rules = Rules { neighbours: Neighbours::Four, ..Rules::default() };
    let grid = Grid::from_ascii("...####\n.......\n...####").unwrap().with_rules(rules);
    let at = |x, y| grid.at(x, y).unwrap();
    let (starts, goals) = ([at(1, 1), at(3, 1), at(4, 1)], vec![at(6, 1), at(3, 1), at(4, 1)]);
    let most_held = 64 << 10;
    let grid = Arc::new(grid.clone());
    let new = |most_held| Rooted::new(Arc::clone(&grid), goals.clone(), (0, false), most_held);
    assert!(new(100).is_none());
    let mut rooted = new(most_held).unwrap();
    rooted.begin(&starts);
    let mut restarts = 0;
    for _ in 0..300 {
        let before = rooted.search.len();
        walk(&mut rooted, 20, 1);
        restarts += usize::from(rooted.search.len() < before);
        assert!(rooted.memory() < most_held * 3 / 2, "{}", rooted.memory());
    }
    assert!(restarts > 0);
}

#[test]
fn work_is_paid_for_before_more_is_done() {
    let (_, goals, mut rooted) = crowd(1 << 30);
    let done = |rooted: &Rooted| {
        let generator = &rooted.search.generator;
        generator.choices + generator.distances.reached()
    };
    let mut paid = 0;
    while rooted.stage != Stage::Found {
        let before = done(&rooted);
        let mut budget = Budget::expansions(100);
        rooted.work(&mut 1000, &mut budget);
        assert!(before - paid < 100 || done(&rooted) == before);
        paid += budget.work().expansions;
        assert!(paid <= done(&rooted));
    }
    assert_eq!(walk(&mut rooted, 1, 200), goals);
}

#[test]
fn an_iteration_lets_every_agent_choose_once_at_most() {
    let (_, _, mut rooted) = crowd(1 << 30);
    for _ in 0..50 {
        let before = rooted.search.generator.choices;
        let mut iterations = 4;
        rooted.work(&mut iterations, &mut Budget::unlimited());
        assert!(rooted.search.generator.choices - before <= 4 * 60);
        assert!(iterations == 0 || rooted.has_ended());
    }
}

#[test]
fn an_agent_that_has_left_a_wall_does_not_return_to_it() {
    // The agent on the wall can step out to both sides.
    let mut grid = Grid::open(5, 1).unwrap();
    let at = |x| Grid::open(5, 1).unwrap().at(x, 0).unwrap();
    grid.set_floor(at(2), false);
    let mut rooted = Rooted::new(grid.into(), vec![at(4)], (0, true), 1 << 20).unwrap();
    rooted.begin(&[at(2)]);
    rooted.work(&mut 1, &mut Budget::unlimited());
    assert_eq!(rooted.next(), [at(3)]);
    rooted.stand_on(&[at(3)]);
    assert_eq!(rooted.search.len(), 0, "a new tree");
    assert_eq!(walk(&mut rooted, 1, 3), [at(4)]);
}
