use super::*;
use crate::check::check_trace;
use crate::grid::{Neighbours, Picture};
use crate::planners::testing;
use crate::simulate::{Outcome, Simulation};

fn drawn(drawing: &str, letters: &str) -> World {
    testing::drawn(drawing, letters, Neighbours::Eight)
}

fn run(world: &mut World, options: Bmaa, ticks: u64) -> Outcome {
    testing::run(world, &mut BmaaPlanner::new(options), ticks)
}

fn variant(push: bool, flow: bool) -> Bmaa {
    Bmaa { push, flow, ..Bmaa::default() }
}

fn position(world: &World, slot: usize) -> (u32, u32) {
    world.grid().position(world.in_slot(slot).unwrap().cell)
}

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-3, "{found} is not {expected}");
}

#[test]
fn o5a_agents_at_their_goals_in_a_corridor_stop_all_others() {
    for (drawing, letters, rate) in [
        ("#########\n#...#####\n#.X.ABCx#\n#...#####\n#########", "XABC", 0.75),
        ("#########\n#...#####\n#.X.AB.x#\n#...#####\n#########", "XAB", 0.667),
    ] {
        for push in [false, true] {
            let mut world = drawn(drawing, letters);
            let outcome = run(&mut world, variant(push, false), 500);
            close(outcome.metrics.completion_rate(), rate);
            assert_eq!(position(&world, 0), (3, 2));
            // No agent at its goal ever moved: no push was possible.
            assert!(outcome.metrics.journeys[1..].iter().all(|j| j.completed == Some(0)));
        }
    }
}

#[test]
fn o5b_pushing_into_a_dead_end_keeps_both_from_their_goals() {
    let drawing = "#########\n#...#####\n#.X.A..x#\n#...#####\n#########";
    let mut world = drawn(drawing, "XA");
    close(run(&mut world, variant(false, false), 500).metrics.completion_rate(), 0.5);
    let mut world = drawn(drawing, "XA");
    close(run(&mut world, variant(true, false), 500).metrics.completion_rate(), 0.0);
    assert_eq!((position(&world, 0), position(&world, 1)), ((4, 2), (5, 2)));
}

#[test]
fn o5c_an_agent_follows_only_one_that_moves_earlier() {
    for (letters, expected) in [("AB", [(1, 1), (3, 1)]), ("BA", [(3, 1), (2, 1)])] {
        // A goes to (2, 1), where B stands; B goes to (3, 1).
        let picture = Picture::parse("#####\n#AB.#\n#####").unwrap();
        let mut world = World::new(picture.grid.clone());
        for letter in letters.chars() {
            let start = picture.find(letter).unwrap();
            let goal = world.grid().beside(start, Direction::East);
            world.add(start, goal).unwrap();
        }
        run(&mut world, variant(false, false), 1);
        assert_eq!([position(&world, 0), position(&world, 1)], expected);
    }
}

#[test]
fn o5d_a_goal_held_by_a_foreign_agent_is_waited_for() {
    let mut world = drawn(".....\nA...a\n.....", "A");
    let wall_row = |y| (0..5).map(move |x| (x, y));
    let cells: Vec<_> = wall_row(0).chain(wall_row(2)).collect();
    for (x, y) in cells {
        let cell = world.grid().at(x, y).unwrap();
        world.set_floor(cell, false).unwrap();
    }
    let goal = world.grid().at(4, 1).unwrap();
    world.add_foreign(goal).unwrap();
    let outcome = run(&mut world, variant(false, false), 60);
    assert_eq!(position(&world, 0), (3, 1));
    close(outcome.metrics.travel_distance(), 3.0);
    assert_eq!(outcome.metrics.work.searches, 2);
}

#[test]
fn o6_one_agent_walks_as_rtaa_does() {
    let drawing = "########\n#..A#a.#\n#.####.#\n#......#\n########";
    for (expansions, ticks, searches) in [(1, 14, 14), (3, 14, 6), (5, 12, 3), (32, 12, 1)] {
        let mut world = drawn(drawing, "A");
        let outcome = run(&mut world, Bmaa { expansions, ..Bmaa::default() }, 500);
        assert_eq!(outcome.metrics.ticks, ticks, "with {expansions} expansions");
        assert_eq!(outcome.metrics.work.searches, searches, "with {expansions} expansions");
    }
}

#[test]
fn a_blocked_agent_waits_until_its_path_expires_or_it_may_retry() {
    // B never moves away; A could go around.
    let drawing = ".......\n.A.B.a.\n.......";
    let ticks = |options| {
        let mut world = drawn(drawing, "A");
        let opponent = Picture::parse(drawing).unwrap().find('B').unwrap();
        world.add_foreign(opponent).unwrap();
        run(&mut world, options, 200).metrics.ticks
    };
    let waits = ticks(Bmaa::default());
    let retries = ticks(Bmaa { retry: 1, ..Bmaa::default() });
    assert!(waits >= 32, "{waits}");
    assert!(retries <= 6, "{retries}");
}

#[test]
fn a_pushed_agent_returns_to_its_goal() {
    let mut world = drawn(".....\nX.A.x\n.....", "XA");
    // Only the middle row is straight: A stands in the way and is pushed once.
    let outcome = run(&mut world, Bmaa { vision: 0.0, ..variant(true, false) }, 100);
    close(outcome.metrics.completion_rate(), 1.0);
    assert_eq!(outcome.metrics.journeys[1].distance.cardinal, 2, "aside and back");
}

#[test]
fn the_thesis_pushes_an_agent_that_stands_on_the_goal_of_the_pusher() {
    // B cannot get to (5, 1), so it stays, away from its goal and on A's.
    let ends_at = |push_rule| {
        let mut world = drawn("#######\n#A.B#b#\n#...###\n#######", "AB");
        let (a, goal) = (world.in_slot(0).unwrap().id, world.in_slot(1).unwrap().cell);
        world.send(a, goal).unwrap();
        run(&mut world, Bmaa { push_rule, ..variant(true, false) }, 2);
        position(&world, 0)
    };
    assert_eq!(ends_at(PushRule::Paper), (2, 1));
    assert_eq!(ends_at(PushRule::Thesis), (3, 1));
}

#[test]
fn a_path_that_an_edit_cuts_is_searched_again() {
    let mut world = drawn(".......\nA.....a\n.......", "A");
    let wall = world.grid().at(3, 1).unwrap();
    let mut planner = BmaaPlanner::new(Bmaa::default());
    let outcome = Simulation::new(&mut world, &mut planner)
        .traced()
        .between(|world| {
            if world.tick() == 2 {
                world.set_floor(wall, false).unwrap();
            }
            std::ops::ControlFlow::Continue(())
        })
        .run()
        .unwrap();
    check_trace(outcome.trace.as_ref().unwrap()).unwrap();
    close(outcome.metrics.completion_rate(), 1.0);
    assert!(outcome.metrics.ticks <= 8);
}

#[test]
fn a_new_goal_forgets_what_was_learned_for_the_old_one() {
    let mut world = drawn("########\n#..A#a.#\n#.####.#\n#......#\n########", "A");
    let agent = world.in_slot(0).unwrap().id;
    let mut planner = BmaaPlanner::new(Bmaa { expansions: 3, ..Bmaa::default() });
    let mut moves = Moves::default();
    for _ in 0..6 {
        crate::simulate::tick(&mut world, &mut planner, &mut moves).unwrap();
    }
    assert!(planner.learned().0 > 3);
    let here = world.in_slot(0).unwrap().cell;
    world.send(agent, here).unwrap();
    crate::simulate::tick(&mut world, &mut planner, &mut moves).unwrap();
    assert_eq!(planner.learned().0, 0);
}

#[test]
fn the_order_of_agents_can_rotate() {
    // Two agents want the same cell; which moves first depends on the order.
    let first_step = |order, skip: u64| {
        let mut world = drawn("..x..\nA.y.B\n.....", "AB");
        let target = world.grid().at(2, 1).unwrap();
        let ids: Vec<_> = world.ours().map(|agent| agent.id).collect();
        for id in ids {
            world.send(id, target).unwrap();
        }
        let mut moves = Moves::default();
        for _ in 0..skip {
            moves.reset(&world);
            world.advance(&moves).unwrap();
        }
        run(&mut world, Bmaa { order, ..Bmaa::default() }, 2);
        world.occupant(target).map(crate::AgentId::slot)
    };
    assert_eq!(first_step(Order::ById, 0), Some(0));
    assert_eq!(first_step(Order::ById, 1), Some(0));
    assert_eq!(first_step(Order::Rotating, 0), Some(1), "in tick 1 agent 1 moves first");
    assert_eq!(first_step(Order::Rotating, 1), Some(0));
}

#[test]
fn zero_threads_mean_one_thread_and_not_a_panic() {
    let step = |threads: u32| {
        let mut world = drawn("A...a\n.....", "A");
        run(&mut world, Bmaa { threads, ..Bmaa::default() }, 20);
        position(&world, 0)
    };
    assert_eq!([step(0), step(1), step(2)], [(4, 0); 3]);
}
