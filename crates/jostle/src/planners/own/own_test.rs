use super::*;
use crate::grid::Neighbours;
use crate::planners::testing;
use crate::simulate::Outcome;

fn run(world: &mut World, options: Jostle, ticks: u64) -> Outcome {
    testing::run(world, &mut JostlePlanner::new(options), ticks)
}

#[test]
fn o5_the_corridor_that_bmaa_cannot_solve() {
    for (drawing, letters) in [
        ("#########\n#...#####\n#.X.A..x#\n#...#####\n#########", "XA"),
        ("#########\n#...#####\n#.X.AB.x#\n#...#####\n#########", "XAB"),
        ("#########\n#...#####\n#.X.ABCx#\n#...#####\n#########", "XABC"),
    ] {
        for seed in 0..20 {
            let mut world = testing::drawn(drawing, letters, Neighbours::Eight);
            let outcome = run(&mut world, Jostle { seed, ..Jostle::default() }, 500);
            let rate = outcome.metrics.completion_rate();
            assert!(rate > 0.999, "{letters} with seed {seed}: {rate}");
        }
    }
}

#[test]
fn everybody_comes_home_on_every_level() {
    for level in crate::Level::ALL {
        let grid = level.generate(64, 64, 1).unwrap();
        let instance = crate::Instance::draw(grid, crate::instance::Kind::Random, 200, 1).unwrap();
        let outcome = run(&mut instance.world(), Jostle::default(), 2000);
        let rate = outcome.metrics.completion_rate();
        assert!(rate > 0.999, "{level}: {rate}");
    }
}

#[test]
fn the_work_of_a_tick_is_bounded() {
    let grid = crate::Level::Cave.generate(96, 96, 1).unwrap();
    let instance = crate::Instance::draw(grid, crate::instance::Kind::Random, 100, 1).unwrap();
    let (mut world, mut moves) = (instance.world(), Moves::default());
    let options = Jostle { pool: 1200, ..Jostle::default() };
    let mut planner = JostlePlanner::new(options);
    for _ in 0..300 {
        let work = crate::simulate::tick(&mut world, &mut planner, &mut moves).unwrap();
        assert!(work.expansions <= 1200 + 100 * 32, "{}", work.expansions);
    }
}
