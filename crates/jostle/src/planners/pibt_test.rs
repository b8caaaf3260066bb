use super::*;
use crate::grid::{Grid, Neighbours, Rules};
use crate::planners::testing;
use crate::simulate::Outcome;

fn run(world: &mut World, options: Pibt, ticks: u64) -> Outcome {
    testing::run(world, &mut PibtPlanner::new(options), ticks)
}

fn xs(world: &World) -> Vec<u32> {
    world.agents().map(|agent| world.grid().position(agent.cell).0).collect()
}

#[test]
fn o12_a_chain_makes_room() {
    let mut world = testing::drawn("######\n#ABCa#\n######", "ABC", Neighbours::Four);
    run(&mut world, Pibt { swap: false, ..Pibt::default() }, 1);
    assert_eq!(xs(&world), [2, 3, 4]);
}

#[test]
fn o12_in_a_full_corridor_no_agent_moves() {
    let mut world = testing::drawn("#####\n#ABC#\n#####", "ABC", Neighbours::Four);
    let east = world.grid().at(3, 1).unwrap();
    let a = world.in_slot(0).unwrap().id;
    world.send(a, east).unwrap();
    run(&mut world, Pibt { swap: false, ..Pibt::default() }, 5);
    assert_eq!(xs(&world), [1, 2, 3]);
}

#[test]
fn o12_agents_that_fill_a_square_rotate_in_one_step() {
    for neighbours in [Neighbours::Four, Neighbours::Eight] {
        let rules = Rules { neighbours, ..Rules::default() };
        let grid = Grid::open(2, 2).unwrap().with_rules(rules);
        let ring = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(x, y)| grid.at(x, y).unwrap());
        let mut world = World::new(grid);
        for (at, next) in ring.iter().zip(ring.iter().cycle().skip(1)) {
            world.add(*at, *next).unwrap();
        }
        assert_eq!(run(&mut world, Pibt::default(), 10).metrics.ticks, 1);
    }
}

/// The fewest ticks over seeds, and with how many seeds every agent arrives.
fn over_seeds(drawing: &str, letters: &str, swap: bool, ticks: u64) -> (u64, usize) {
    let runs = (0..50).filter_map(|seed| {
        let mut world = testing::drawn(drawing, letters, Neighbours::Four);
        if letters == "AB" {
            let (a, b) = (world.in_slot(0).unwrap(), world.in_slot(1).unwrap());
            world.send(a.id, b.cell).unwrap();
            world.send(b.id, a.cell).unwrap();
        }
        let outcome = run(&mut world, Pibt { swap, seed, budget: None }, ticks);
        (outcome.metrics.completion_rate() > 0.999).then_some(outcome.metrics.ticks)
    });
    let runs: Vec<u64> = runs.collect();
    (runs.iter().copied().min().unwrap_or(u64::MAX), runs.len())
}

#[test]
fn o12_an_adjacent_pair_changes_places_in_a_room() {
    let (best, solved) = over_seeds("AB.\n...", "AB", false, 50);
    assert_eq!((best, solved), (3, 50));
}

#[test]
fn o12_a_bay_needs_the_swap_rule() {
    let bay = "#######\n#A...B#\n###.###\n#######";
    assert_eq!(over_seeds(bay, "AB", false, 200).1, 0, "without it never");
    let (best, solved) = over_seeds(bay, "AB", true, 200);
    assert_eq!((best, solved), (6, 50), "six is the optimum");
}

#[test]
fn o12_the_corridor_that_bmaa_cannot_solve() {
    for (drawing, letters, best) in [
        ("#########\n#...#####\n#.X.A..x#\n#...#####\n#########", "XA", 7),
        ("#########\n#...#####\n#.X.AB.x#\n#...#####\n#########", "XAB", 11),
        ("#########\n#...#####\n#.X.ABCx#\n#...#####\n#########", "XABC", 18),
    ] {
        let found = over_seeds(drawing, letters, true, 400);
        assert_eq!(found.1, 50, "{letters}");
        assert!(found.0 <= best, "{letters}: {} ticks", found.0);
    }
}

#[test]
fn a_budget_spreads_the_searches_over_ticks() {
    let grid = crate::Level::Cave.generate(64, 64, 1).unwrap();
    let instance = crate::Instance::draw(grid, crate::instance::Kind::Random, 100, 1).unwrap();
    let (mut world, mut moves) = (instance.world(), Moves::default());
    let mut planner = PibtPlanner::new(Pibt { budget: Some(1000), ..Pibt::default() });
    let mut most = 0;
    for _ in 0..600 {
        let work = crate::simulate::tick(&mut world, &mut planner, &mut moves).unwrap();
        most = most.max(work.expansions);
    }
    assert!(most <= 1000, "{most}");
    assert!(world.have_all_arrived());
}
