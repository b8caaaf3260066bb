use proptest::prelude::*;

use super::*;
use crate::check::check_trace;
use crate::grid::{Grid, Picture};
use crate::instance::Kind;
use crate::planners::testing;
use crate::simulate::{Limits, Outcome, Simulation, tick};
use crate::{Instance, Level};

const FAR: Far = Far { reserve: 3, patience: 10, flow: true, budget: None };
const PLANNERS: [Far; 2] = [FAR, Far { flow: false, ..FAR }];

fn run(world: &mut World, options: Far, ticks: u64) -> Outcome {
    testing::run(world, &mut FarPlanner::new(options), ticks)
}

/// An agent goes from its capital letter to its small letter; without one it starts at its goal.
fn draw(drawing: &str) -> World {
    let picture = Picture::parse(drawing).unwrap();
    let mut world = World::new(picture.grid.clone());
    for letter in 'A'..='Z' {
        if let Some(start) = picture.find(letter) {
            let goal = picture.find(letter.to_ascii_lowercase()).unwrap_or(start);
            world.add(start, goal).unwrap();
        }
    }
    world
}

fn everybody_arrives(drawing: &str, ticks: u64) {
    for options in PLANNERS {
        let mut world = draw(drawing);
        run(&mut world, options, ticks);
        assert!(world.have_all_arrived(), "{drawing}\n{options:?}");
    }
}

#[test]
fn agents_pass_each_other_at_a_bay() {
    // They exchange places.
    for options in PLANNERS {
        let mut world = draw("#######\n#A...B#\n###.###\n#######");
        let [a, b] = [0, 1].map(|slot| world.in_slot(slot).unwrap());
        world.send(a.id, b.cell).unwrap();
        world.send(b.id, a.cell).unwrap();
        let outcome = run(&mut world, options, 60);
        assert!(world.have_all_arrived(), "{options:?}");
        assert!(outcome.metrics.ticks <= 40, "{}", outcome.metrics.ticks);
    }
}

#[test]
fn an_agent_at_its_goal_in_a_corridor_lets_another_pass() {
    everybody_arrives("#######\n#A.B.a#\n###.###\n#######", 60);
    // It has to go ahead of the other until there is room.
    everybody_arrives("#########\n#A.B..a##\n#####.###\n#########", 60);
}

#[test]
fn an_agent_at_its_goal_in_front_of_a_dead_end_goes_out_and_comes_back() {
    everybody_arrives("#########\n##...####\n##...Ba##\n##A..####\n#########", 120);
}

#[test]
fn an_agent_at_its_goal_in_a_door_lets_all_others_through() {
    everybody_arrives(
        "
        ###########
        #A...#...c#
        #C...#...a#
        #....Z....#
        #d...#...B#
        #b...#...D#
        ###########
        ",
        200,
    );
}

#[test]
fn a_ring_of_agents_rotates() {
    everybody_arrives(
        "
        #######
        #AbBcC#
        #a###d#
        #F###D#
        #fEe..#
        #######
        ",
        100,
    );
}

#[test]
fn a_full_room_stays_as_it_is() {
    for options in PLANNERS {
        let mut world = World::new(Grid::open(2, 2).unwrap());
        let cells: Vec<_> = world.grid().cells().collect();
        for (from, to) in [(0, 1), (1, 3), (3, 2), (2, 0)] {
            world.add(cells[from], cells[to]).unwrap();
        }
        run(&mut world, options, 50);
        assert!(world.ours().all(|agent| !agent.has_arrived()));
    }
}

#[test]
fn an_agent_waits_until_all_its_next_moves_are_free() {
    // The player stands three cells ahead; two are free.
    let mut world = World::new(Grid::open(6, 1).unwrap());
    let cell = |x| Grid::open(6, 1).unwrap().at(x, 0).unwrap();
    let agent = world.add(cell(0), cell(5)).unwrap();
    let player = world.add_foreign(cell(3)).unwrap();
    let (mut planner, mut moves) = (FarPlanner::new(FAR), Moves::default());
    for _ in 0..3 {
        tick(&mut world, &mut planner, &mut moves).unwrap();
        assert_eq!(world.agent(agent).unwrap().cell, cell(0));
    }
    world.remove(player).unwrap();
    for x in 1..6 {
        tick(&mut world, &mut planner, &mut moves).unwrap();
        assert_eq!(world.agent(agent).unwrap().cell, cell(x));
    }
}

#[test]
fn a_foreign_agent_in_the_way_is_passed_after_a_while() {
    for options in PLANNERS {
        let mut world = World::new(Grid::open(9, 5).unwrap());
        let cell = |x, y| Grid::open(9, 5).unwrap().at(x, y).unwrap();
        world.add(cell(0, 1), cell(8, 1)).unwrap();
        for y in 0..4 {
            world.add_foreign(cell(4, y)).unwrap();
        }
        let outcome = run(&mut world, options, 60);
        assert!(world.have_all_arrived(), "{options:?}");
        assert!(outcome.metrics.ticks > u64::from(options.patience));
    }
}

#[test]
fn a_route_that_a_wall_cuts_is_searched_again() {
    for options in PLANNERS {
        let mut world = World::new(Grid::open(9, 5).unwrap());
        let cell = |x, y| Grid::open(9, 5).unwrap().at(x, y).unwrap();
        world.add(cell(0, 2), cell(8, 2)).unwrap();
        let mut planner = FarPlanner::new(options);
        let outcome = Simulation::new(&mut world, &mut planner)
            .limits(Limits::ticks(60))
            .traced()
            .between(|world| {
                if world.tick() == 2 {
                    (1..5).for_each(|y| world.set_floor(cell(5, y), false).unwrap());
                }
                std::ops::ControlFlow::Continue(())
            })
            .run()
            .unwrap();
        check_trace(outcome.trace.as_ref().unwrap()).unwrap();
        assert!(world.have_all_arrived(), "{options:?}");
    }
}

#[test]
fn a_budget_spreads_the_searches_over_ticks() {
    let grid = Level::Rooms.generate(48, 48, 1).unwrap();
    let instance = Instance::draw(grid, Kind::Random, 40, 1).unwrap();
    for options in PLANNERS {
        let options = Far { budget: Some(300), ..options };
        let (mut world, mut moves) = (instance.world(), Moves::default());
        let mut planner = FarPlanner::new(options);
        for _ in 0..1500 {
            let work = tick(&mut world, &mut planner, &mut moves).unwrap();
            assert!(work.expansions <= 300);
        }
        assert!(world.have_all_arrived(), "{options:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// As long as the game does not change the world, `Settle` has nothing to correct.
    #[test]
    fn what_is_reserved_is_legal(
        seed in any::<u64>(),
        agents in 1usize..80,
        reserve in 1u32..6,
        flow in any::<bool>(),
        level in prop::sample::select(vec![Level::Rooms, Level::Cave, Level::Warehouse]),
    ) {
        let grid = level.generate(24, 20, seed).unwrap();
        let agents = agents.min(grid.floor_cells().count() / 2);
        let mut world = Instance::draw(grid, Kind::Random, agents, seed).unwrap().world();
        let mut planner = FarPlanner::new(Far { reserve, flow, ..FAR });
        for _ in 0..150 {
            let mut moves = Moves::waiting(&world);
            planner.plan(&world, &mut moves);
            for agent in world.ours() {
                let reserved = planner.schedule.at(agent.slot(), world.tick() + 1);
                prop_assert_eq!(reserved, moves.next(agent.id));
            }
            prop_assert_eq!(world.advance(&moves), Ok(()));
        }
    }
}
