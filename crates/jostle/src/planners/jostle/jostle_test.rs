use super::*;
use crate::grid::{Grid, Neighbours, Rules};
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
fn agents_that_are_sent_to_one_door_all_get_there() {
    let drawing = "#######\n#..#..#\n#.....#\n#..#..#\n#######";
    for (spec, count) in [("jostle", 2), ("jostle", 5), ("jostle", 9), ("pibt", 2), ("pibt", 9)] {
        let grid = Grid::from_ascii(drawing).unwrap();
        let door = grid.at(3, 2).unwrap();
        let others = grid.floor_cells().filter(|&cell| cell != door);
        let starts: Vec<Cell> = others.take(count).collect();
        let mut world = World::new(grid);
        for &cell in &starts {
            world.add(cell, door).unwrap();
        }
        let mut planner = crate::planners::planner(spec).unwrap();
        let mut moves = Moves::default();
        for _ in 0..20 * count {
            crate::simulate::tick(&mut world, planner.as_mut(), &mut moves).unwrap();
            // Who has been there goes home.
            if let Some(agent) = world.agent_on(door).filter(Agent::has_arrived) {
                world.send(agent.id, starts[agent.slot()]).unwrap();
            }
        }
        assert!(world.ours().all(|agent| agent.goal != door), "{spec}, {count} agents");
    }
}

#[test]
fn all_agents_arrive_on_every_level() {
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
    let options = Jostle { pool: SMALLEST_POOL, expansions: 2, ..Jostle::default() };
    let mut planner = JostlePlanner::new(options);
    for _ in 0..300 {
        let work = crate::simulate::tick(&mut world, &mut planner, &mut moves).unwrap();
        assert!(work.expansions <= u64::from(SMALLEST_POOL) + 100 * 2, "{}", work.expansions);
    }
}

#[test]
fn agents_that_want_into_a_dead_end_let_those_that_want_out_pass() {
    // A dead end full of agents that want out, with others at its entrance that want in and have priority.
    let drawing = "######....\n\
                   #GHJKBAC..\n\
                   ######....\n\
                   .gh.......\n\
                   .jk.......";
    let mut world = testing::drawn(drawing, "GHJK", Neighbours::Eight);
    let at = |world: &World, x, y| world.grid().at(x, y).unwrap();
    for (start, goal) in [((5, 1), (1, 1)), ((6, 1), (2, 1)), ((7, 1), (3, 1))] {
        let (start, goal) = (at(&world, start.0, start.1), at(&world, goal.0, goal.1));
        world.add(start, goal).unwrap();
    }
    let outcome = run(&mut world, Jostle::default(), 1500);
    assert_eq!(outcome.metrics.arrived(), 7, "all have arrived");
}

#[test]
fn a_shorter_path_that_opens_is_taken() {
    let drawing = "X.............\n.############.\nx.............";
    let mut world = testing::drawn(drawing, "X", Neighbours::Eight);
    let door = world.grid().at(0, 1).unwrap();
    world.set_floor(door, false).unwrap();
    let mut planner = JostlePlanner::new(Jostle::default());
    testing::run(&mut world, &mut planner, 4);
    world.set_floor(door, true).unwrap();
    let outcome = testing::run(&mut world, &mut planner, 100);
    assert_eq!(outcome.metrics.arrived(), 1);
    assert!(outcome.metrics.ticks < 12, "{}", outcome.metrics.ticks);
}

#[test]
fn a_goal_that_is_walled_in_costs_no_search_and_is_reached_when_it_opens() {
    let grid = crate::Level::Rooms.generate(64, 64, 1).unwrap();
    let (start, goal) = (grid.at(51, 26).unwrap(), grid.at(56, 38).unwrap());
    let mut world = World::new(grid);
    let other = world.grid().at(1, 1).unwrap();
    world.add(other, other).unwrap();
    world.add(start, goal).unwrap();
    world.set_floor(goal, false).unwrap();
    let (mut planner, mut moves) = (JostlePlanner::new(Jostle::default()), Moves::default());
    let mut tick =
        |world: &mut World| crate::simulate::tick(world, &mut planner, &mut moves).unwrap();
    let work: Vec<u64> = (0..20).map(|_| tick(&mut world).expansions).collect();
    assert_eq!(work[5..], [0; 15], "after a few ticks there are no more futile searches");
    world.set_floor(goal, true).unwrap();
    for _ in 0..300 {
        tick(&mut world);
    }
    assert!(world.have_all_arrived());
}

#[test]
fn an_agent_that_has_arrived_is_gone_around_where_there_is_room() {
    let drawing = ".......\nX..A..x\n.......";
    let mut world = testing::drawn(drawing, "XA", Neighbours::Eight);
    let outcome = run(&mut world, Jostle::default(), 50);
    assert_eq!(outcome.metrics.arrived(), 2);
    assert_eq!(outcome.metrics.ticks, 6, "going around costs no tick");
    let walked: Vec<f64> = outcome.metrics.journeys.iter().map(|j| j.distance.length()).collect();
    assert!((walked[0] - (4.0 + 2.0 * std::f64::consts::SQRT_2)).abs() < 1e-9, "{walked:?}");
    assert!(walked[1] == 0.0, "it is not pushed: {walked:?}");
}

#[test]
fn a_wall_that_is_removed_after_an_agent_has_left_does_no_harm() {
    let mut world = testing::drawn("X.#...x\nY.....y", "XY", Neighbours::Eight);
    let mut planner = JostlePlanner::new(Jostle::default());
    testing::run(&mut world, &mut planner, 2);
    let (gone, wall) = (world.in_slot(0).unwrap().id, world.grid().at(2, 0).unwrap());
    world.remove(gone).unwrap();
    world.set_floor(wall, true).unwrap();
    let outcome = testing::run(&mut world, &mut planner, 20);
    assert_eq!(outcome.metrics.arrived(), 1);
}

#[test]
fn a_route_that_is_found_in_a_tick_is_followed_in_that_tick() {
    // The straight line leads on into the dead end; the only path leads back.
    let drawing = ".......\n.#####.\n..A.#a.\n.#####.\n.......";
    let mut world = testing::drawn(drawing, "A", Neighbours::Eight);
    let agent = world.in_slot(0).unwrap();
    let (_, path) = crate::search::shortest_path(world.grid(), agent.cell, agent.goal).unwrap();
    let outcome = run(&mut world, Jostle { expansions: 0, ..Jostle::default() }, 100);
    assert_eq!(outcome.metrics.ticks, path.len() as u64 - 1, "every step is one along the path");
}

#[test]
fn agents_that_are_not_ours_are_gone_around() {
    // Three of them stand side by side, and there is room to pass them on the far side only.
    let drawing = "........\n...F....\nX..G...x\n...H....\n########";
    let mut world = testing::drawn(drawing, "X", Neighbours::Eight);
    for (x, y) in [(3, 1), (3, 2), (3, 3)] {
        let cell = world.grid().at(x, y).unwrap();
        world.add_foreign(cell).unwrap();
    }
    let outcome = run(&mut world, Jostle::default(), 100);
    assert_eq!(outcome.metrics.arrived(), 1);
}

#[test]
fn agents_that_follow_each_other_do_not_cross_where_that_is_forbidden() {
    use crate::grid::Crossing;
    let rules = Rules { crossing: Crossing::Forbidden, ..Rules::default() };
    for seed in 0..20 {
        let grid = Grid::open(12, 12).unwrap().with_rules(rules);
        let instance =
            crate::Instance::draw(grid, crate::instance::Kind::Random, 60, seed).unwrap();
        // The world refuses steps that cross.
        run(&mut instance.world(), Jostle::default(), 40);
    }
}

#[test]
fn any_number_of_threads_gives_the_same_trace() {
    // The larger crowd chooses block by block. Its routes are looked up, many at a time.
    for (side, agents, ticks) in [(200, 1500, 120), (260, 6000, 60)] {
        let grid = crate::Level::Cave.generate(side, side, 1).unwrap();
        let kind = crate::instance::Kind::Random;
        let instance = crate::Instance::draw(grid, kind, agents, 1).unwrap();
        let traces = [1, 2, 3, 8].map(|threads| {
            let outcome =
                run(&mut instance.world(), Jostle { threads, ..Jostle::default() }, ticks);
            (outcome.trace.unwrap().fingerprint(), outcome.metrics.work)
        });
        assert_eq!(traces, [traces[0]; 4]);
    }
}

#[test]
fn a_large_crowd_copes_with_all_that_a_game_does_on_any_number_of_threads() {
    let grid = crate::Level::Cave.generate(260, 260, 2).unwrap();
    let instance = crate::Instance::draw(grid, crate::instance::Kind::Random, 5500, 2).unwrap();
    let run = |threads| {
        let (mut world, mut moves) = (instance.world(), Moves::default());
        let mut planner = JostlePlanner::new(Jostle { threads, ..Jostle::default() });
        let mut dice = ChaCha8Rng::seed_from_u64(7);
        let cells = world.grid().cells().len() as u32;
        let mut any = move || Cell::from_index((dice.next_u32() % cells) as usize);
        let mut foreign = Vec::new();
        for tick in 0..40 {
            for _ in 0..30 {
                let (wall, door, from, to) = (any(), any(), any(), any());
                let _ = world.set_floor(wall, false);
                let _ = world.set_floor(door, true);
                foreign.extend(world.add_foreign(from));
                if let Some(agent) = world.agent_on(to) {
                    let _ = if tick % 3 == 0 {
                        world.remove(agent.id)
                    } else {
                        world.place(agent.id, from).and(world.send(agent.id, door))
                    };
                }
                if let Some(&one) = foreign.get(tick) {
                    let _ = world.place(one, to);
                }
                let _ = world.add(from, to);
            }
            // The world refuses illegal moves.
            crate::simulate::tick(&mut world, &mut planner, &mut moves).unwrap();
        }
        world.configuration().clone()
    };
    let alone = run(1);
    assert!(alone.len() >= 5500 && run(3) == alone && run(8) == alone);
}

/// Two rooms joined by two streets one cell wide, one in the middle and one farther south.
fn two_streets() -> Grid {
    let is_street = |y| y == 12 || y == 22;
    Grid::new(110, 24, Rules::default(), |x, y| !(24..=85).contains(&x) || is_street(y)).unwrap()
}

#[test]
fn a_marching_crowd_takes_both_streets() {
    let (mut took, mut ticks) = (Vec::new(), Vec::new());
    for traffic in [true, false] {
        let mut world = World::new(two_streets());
        for number in 0..100 {
            let at = |x| world.grid().at(x + number % 10, 7 + number / 10).unwrap();
            let (start, goal) = (at(5), at(90));
            world.add(start, goal).unwrap();
        }
        let outcome = run(&mut world, Jostle { traffic, ..Jostle::default() }, 1000);
        assert!(outcome.metrics.completion_rate() > 0.999);
        let trace = outcome.trace.unwrap();
        let south = world.grid().at(55, 22).unwrap();
        let takes = |&slot: &usize| trace.path(slot).contains(&Some(south));
        took.push((0..trace.slots()).filter(takes).count());
        ticks.push(outcome.metrics.ticks);
    }
    assert!(took[0] > 20 && took[1] == 0, "agents that took the southern street: {took:?}");
    assert!(4 * ticks[0] < 3 * ticks[1], "ticks: {ticks:?}");
}
