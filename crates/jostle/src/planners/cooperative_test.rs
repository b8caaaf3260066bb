use super::*;
use crate::check::check_trace;
use crate::grid::{Neighbours, Picture, Rules};
use crate::planners::testing;
use crate::simulate::{Outcome, Simulation};

fn run(world: &mut World, options: Cooperative, ticks: u64) -> Outcome {
    testing::run(world, &mut CooperativePlanner::new(options), ticks)
}

const PLANNERS: [Cooperative; 2] = [
    Cooperative { hierarchical: false, nodes: 100_000, budget: None },
    Cooperative { hierarchical: true, nodes: 100_000, budget: None },
];

/// Agents A and B exchange places; the order of letters is their priority.
fn exchange(drawing: &str, letters: &str, neighbours: Neighbours) -> World {
    let picture = Picture::parse(drawing).unwrap();
    let rules = Rules { neighbours, ..Rules::default() };
    let mut world = World::new(picture.grid.clone().with_rules(rules));
    for letter in letters.chars() {
        let other = if letter == 'A' { 'B' } else { 'A' };
        world.add(picture.find(letter).unwrap(), picture.find(other).unwrap()).unwrap();
    }
    world
}

#[test]
fn o3_a_closed_corridor_has_no_solution() {
    for options in PLANNERS {
        for neighbours in [Neighbours::Four, Neighbours::Eight] {
            let mut world = exchange("#####\n#A.B#\n#####", "AB", neighbours);
            assert!(run(&mut world, options, 100).metrics.completion_rate() < 1.0);
        }
    }
}

#[test]
fn o3_a_bay_in_the_middle_cannot_be_solved_by_whole_routes_in_any_order() {
    for options in PLANNERS {
        for letters in ["AB", "BA"] {
            for neighbours in [Neighbours::Four, Neighbours::Eight] {
                let drawing = "#######\n#A...B#\n###.###\n#######";
                let mut world = exchange(drawing, letters, neighbours);
                assert_eq!(first_routes(&mut world, options), 1, "{letters}");
            }
        }
    }
}

#[test]
fn o3_a_bay_closer_to_one_agent_is_solved_if_the_other_plans_first() {
    let drawing = "#######\n#A...B#\n####.##\n#######";
    for options in PLANNERS {
        for neighbours in [Neighbours::Four, Neighbours::Eight] {
            let mut world = exchange(drawing, "AB", neighbours);
            let outcome = run(&mut world, options, 100);
            assert!((outcome.metrics.completion_rate() - 1.0).abs() < 1e-9);
            assert_eq!(outcome.metrics.sum_of_costs(), 11);
            assert_eq!(outcome.metrics.makespan(), 7);
            let mut world = exchange(drawing, "BA", neighbours);
            assert_eq!(first_routes(&mut world, options), 1, "B first leaves A none");
        }
    }
}

/// How many agents have a route after the first tick.
fn first_routes(world: &mut World, options: Cooperative) -> usize {
    let mut planner = CooperativePlanner::new(options);
    crate::simulate::tick(world, &mut planner, &mut Moves::default()).unwrap();
    planner.states.iter().filter(|state| state.has_route).count()
}

#[test]
fn o3_agents_that_fill_a_square_rotate() {
    for options in PLANNERS {
        let mut world = World::new(Grid::open(2, 2).unwrap());
        let cell = |(x, y)| Grid::open(2, 2).unwrap().at(x, y).unwrap();
        let ring = [(0, 0), (1, 0), (1, 1), (0, 1)];
        for (at, next) in ring.iter().zip(ring.iter().cycle().skip(1)) {
            world.add(cell(*at), cell(*next)).unwrap();
        }
        let outcome = run(&mut world, options, 10);
        assert_eq!((outcome.metrics.makespan(), outcome.metrics.sum_of_costs()), (1, 4));
    }
}

#[test]
fn an_agent_at_its_goal_lets_a_route_reserved_earlier_pass() {
    // A passes through B's goal at tick 2; B steps into the bay and comes back.
    let picture = Picture::parse("#######\n#A.B.a#\n###.###\n#######").unwrap();
    for options in PLANNERS {
        let find = |letter| picture.find(letter).unwrap();
        let mut world = World::new(picture.grid.clone());
        world.add(find('A'), find('a')).unwrap();
        world.add(find('B'), find('B')).unwrap();
        let outcome = run(&mut world, options, 30);
        assert!((outcome.metrics.completion_rate() - 1.0).abs() < 1e-9);
        assert_eq!(outcome.metrics.journeys[0].completed, Some(4));
    }
}

#[test]
fn a_budget_spreads_the_searches_over_ticks() {
    let grid = crate::Level::Rooms.generate(48, 48, 1).unwrap();
    let instance = crate::Instance::draw(grid, crate::instance::Kind::Random, 40, 1).unwrap();
    for options in PLANNERS {
        let options = Cooperative { budget: Some(300), ..options };
        let (mut world, mut moves) = (instance.world(), Moves::default());
        let mut planner = CooperativePlanner::new(options);
        let mut most = 0;
        for _ in 0..1500 {
            let work = crate::simulate::tick(&mut world, &mut planner, &mut moves).unwrap();
            most = most.max(work.expansions);
        }
        assert!(most <= 300, "{most}");
        let arrived = world.ours().filter(Agent::has_arrived).count();
        assert!(arrived >= 36, "{arrived} of 40, {options:?}");
    }
}

#[test]
fn a_route_that_a_wall_cuts_is_planned_again() {
    for options in PLANNERS {
        let mut world = World::new(Grid::open(9, 5).unwrap());
        let cell = |x, y| Grid::open(9, 5).unwrap().at(x, y).unwrap();
        world.add(cell(0, 2), cell(8, 2)).unwrap();
        let mut planner = CooperativePlanner::new(options);
        let outcome = Simulation::new(&mut world, &mut planner)
            .traced()
            .between(|world| {
                if world.tick() == 3 {
                    (1..4).for_each(|y| world.set_floor(cell(5, y), false).unwrap());
                }
                std::ops::ControlFlow::Continue(())
            })
            .run()
            .unwrap();
        check_trace(outcome.trace.as_ref().unwrap()).unwrap();
        assert!((outcome.metrics.completion_rate() - 1.0).abs() < 1e-9);
    }
}
