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

/// All agents of a crowd are sent to where a player is, who walks to and fro, in every tick or only at first. Returns the work
/// of all ticks, and how far agents are from the player in the end.
fn hunt(agents: usize, ticks: u64, sends_always: bool) -> (u64, f64) {
    let grid = crate::Level::Cave.generate(160, 160, 1).unwrap();
    let kind = crate::instance::Kind::Random;
    let instance = crate::Instance::draw(grid, kind, agents, 1).unwrap();
    let (from, to) = instance.tasks()[0];
    let (_, path) = crate::search::shortest_path(instance.grid(), from, to).unwrap();
    let (mut world, mut moves) = (instance.world(), Moves::default());
    let mut planner = JostlePlanner::new(Jostle::default());
    let mut work = 0;
    for now in 0..ticks {
        let at = now as usize % (2 * path.len());
        let at = if at < path.len() { at } else { 2 * path.len() - 1 - at };
        let ids: Vec<_> = world.ours().map(|agent| agent.id).collect();
        if sends_always || now == 0 {
            for id in ids {
                world.send(id, path[at]).unwrap();
            }
        }
        work += crate::simulate::tick(&mut world, &mut planner, &mut moves).unwrap().expansions;
        assert!(planner.queue.len() <= agents, "{} wait", planner.queue.len());
    }
    let away = world.ours().map(|agent| world.grid().distance(agent.cell, agent.goal).as_f64());
    (work, away.sum::<f64>() / agents as f64)
}

#[test]
fn a_horde_that_is_sent_after_a_player_in_every_tick_costs_little_more_than_one_order() {
    let (order, _) = hunt(300, 400, false);
    let (chase, away) = hunt(300, 400, true);
    assert!(chase <= 2 * order, "{chase} and {order} expansions");
    assert!(away < 40.0, "they follow: {away} cells away, of 80 at first");
}

#[test]
fn agents_that_are_sent_to_other_goals_all_the_time_wait_once() {
    let grid = crate::Level::Maze.generate(160, 160, 1).unwrap();
    let instance = crate::Instance::draw(grid, crate::instance::Kind::Random, 300, 1).unwrap();
    let floor: Vec<Cell> = instance.grid().floor_cells().collect();
    let (mut world, mut moves) = (instance.world(), Moves::default());
    let options = Jostle { pool: 20_000, ..Jostle::default() };
    let mut planner = JostlePlanner::new(options);
    let mut dice = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..200 {
        let ids: Vec<_> = world.ours().map(|agent| agent.id).collect();
        for id in ids {
            let goal = floor[dice.next_u32() as usize % floor.len()];
            world.send(id, goal).unwrap();
        }
        let work = crate::simulate::tick(&mut world, &mut planner, &mut moves).unwrap();
        assert!(planner.queue.len() <= 300, "{} wait", planner.queue.len());
        assert!(work.expansions <= 20_000 + 300 * 10);
    }
}

#[test]
fn a_goal_that_moves_back_and_forth_is_reached_when_it_stands_still() {
    let drawing = ".".repeat(90) + "\n" + &".".repeat(90) + "\n" + &"#".repeat(80) + "..........";
    let mut world = World::new(Grid::from_ascii(&drawing).unwrap());
    let at = |x, y| world.grid().at(x, y).unwrap();
    let [from, near, far] = [at(0, 0), at(70, 1), at(85, 2)];
    let agent = world.add(from, near).unwrap();
    let (mut planner, mut moves) = (JostlePlanner::new(Jostle::default()), Moves::default());
    for now in 0..60 {
        let goal = if now % 8 < 4 { at_offset(&world, near, now % 4) } else { near };
        world.send(agent, goal).unwrap();
        crate::simulate::tick(&mut world, &mut planner, &mut moves).unwrap();
    }
    world.send(agent, far).unwrap();
    for _ in 0..40 {
        crate::simulate::tick(&mut world, &mut planner, &mut moves).unwrap();
    }
    assert_eq!(world.agent(agent).unwrap().cell, far);
}

fn at_offset(world: &World, cell: Cell, columns: u32) -> Cell {
    let (x, y) = world.grid().position(cell);
    world.grid().at(x + columns, y).unwrap()
}

#[test]
fn a_building_that_opens_is_paid_for_and_gone_through() {
    // A wall of 40x100 cells is between all agents and their goals, with a way round it.
    let is_floor = |x: u32, y: u32| !(60..100).contains(&x) || y >= 100;
    let grid = Grid::new(160, 110, Rules::default(), is_floor).unwrap();
    let mut world = World::new(grid);
    for y in 0..60 {
        let [from, to] = [10, 150].map(|x| world.grid().at(x, y).unwrap());
        world.add(from, to).unwrap();
    }
    let (mut planner, mut moves) = (JostlePlanner::new(Jostle::default()), Moves::default());
    let mut ticks = 0;
    while !world.have_all_arrived() {
        if ticks == 20 {
            for (x, y) in (60..100).flat_map(|x| (0..100).map(move |y| (x, y))) {
                let cell = world.grid().at(x, y).unwrap();
                world.set_floor(cell, true).unwrap();
            }
        }
        let work = crate::simulate::tick(&mut world, &mut planner, &mut moves).unwrap();
        assert!(work.expansions <= 120_000 + 60 * 10);
        ticks += 1;
    }
    assert!(ticks < 180, "{ticks} ticks, of which 140 are the way through");
}

#[test]
fn an_agent_on_which_a_wall_is_built_walks_out_also_if_it_is_where_it_wants_to_be() {
    let mut world = World::new(Grid::open(5, 3).unwrap());
    let home = world.grid().at(2, 1).unwrap();
    let agent = world.add(home, home).unwrap();
    let (mut planner, mut moves) = (JostlePlanner::new(Jostle::default()), Moves::default());
    let mut tick = |world: &mut World| {
        crate::simulate::tick(world, &mut planner, &mut moves).unwrap();
        world.agent(agent).unwrap().cell
    };
    assert_eq!(tick(&mut world), home);
    world.set_floor(home, false).unwrap();
    let outside = tick(&mut world);
    assert!(world.grid().is_floor(outside), "it has walked out");
    assert_eq!((0..5).map(|_| tick(&mut world)).collect::<Vec<_>>(), [outside; 5]);
    world.set_floor(home, true).unwrap();
    assert_eq!((0..3).map(|_| tick(&mut world)).last(), Some(home), "it returns");
}

#[test]
fn edits_that_can_no_longer_be_counted_make_the_planner_begin_anew() {
    let mut world = World::new(Grid::open(90, 40).unwrap());
    let [from, to] = [(2, 2), (80, 30)].map(|(x, y)| world.grid().at(x, y).unwrap());
    world.add(from, to).unwrap();
    let (mut planner, mut moves) = (JostlePlanner::new(Jostle::default()), Moves::default());
    crate::simulate::tick(&mut world, &mut planner, &mut moves).unwrap();
    planner.sectors.as_mut().unwrap().wear_out(3);
    let mut ticks = 0;
    while !world.have_all_arrived() {
        let cell = world.grid().at(40, ticks % 40).unwrap();
        if !world.is_occupied(cell) {
            world.set_floor(cell, !world.grid().is_floor(cell)).unwrap();
        }
        crate::simulate::tick(&mut world, &mut planner, &mut moves).unwrap();
        assert!(!planner.sectors.as_ref().unwrap().is_worn_out() || ticks < 5);
        ticks += 1;
        assert!(ticks < 200, "it has lost its way");
    }
}
