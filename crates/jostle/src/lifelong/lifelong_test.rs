use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use proptest::prelude::*;

use super::*;
use crate::check::{check_paths, check_trace};
use crate::formats::{GoalList, Paths};
use crate::grid::{Components, Grid, Neighbours, Rules};
use crate::instance::Kind;
use crate::levels::Sites;
use crate::planners::planner;
use crate::simulate::{Ending, Outcome};
use crate::world::Change;
use crate::{Instance, Level, Limits, Simulation};

fn run(instance: &Instance, name: &str, lifelong: &mut Lifelong, ticks: u64) -> Outcome {
    let mut world = instance.world();
    Simulation::new(&mut world, planner(name).unwrap().as_mut())
        .limits(Limits::ticks(ticks))
        .traced()
        .lifelong(lifelong)
        .run()
        .unwrap()
}

fn listed(instance: &Instance, text: &str) -> Result<Lifelong, String> {
    let starts: Vec<Cell> = instance.tasks().iter().map(|&(start, _)| start).collect();
    let list = GoalList::parse(text).unwrap();
    let goals = ListedGoals::new(&list, instance.grid(), &starts);
    goals.map(Lifelong::new).map_err(|error| error.to_string())
}

fn on(drawing: &str, tasks: &[[(u32, u32); 2]]) -> Instance {
    let grid = Grid::from_ascii(drawing).unwrap();
    let tasks = tasks.iter().map(|task| task.map(|(x, y)| grid.at(x, y).unwrap()).into());
    let tasks = tasks.collect();
    Instance::new(grid, tasks, crate::instance::Reach::Required).unwrap()
}

/// The goals that each agent was sent to, in order, without its first.
fn goals_given(outcome: &Outcome) -> HashMap<usize, Vec<Cell>> {
    let mut given: HashMap<usize, Vec<Cell>> = HashMap::new();
    let mut frames = outcome.trace.as_ref().unwrap().frames();
    while let Some(frame) = frames.next_frame() {
        for change in frame.changes() {
            if let Change::Send { agent, goal } = *change {
                given.entry(agent.slot()).or_default().push(goal);
            }
        }
    }
    given
}

#[test]
fn an_agent_in_a_corridor_goes_to_and_fro_between_two_goals() {
    let corridor = on("..........", &[[(0, 0), (9, 0)]]);
    let to_and_fro = "0 (0,0)\n0 (9,0)\n".repeat(50);
    for name in ["jostle", "pibt", "bmaa"] {
        let mut lifelong = listed(&corridor, &to_and_fro).unwrap();
        let outcome = run(&corridor, name, &mut lifelong, 94);
        let service = lifelong.service();
        assert_eq!((service.goals(), service.mean()), (10, Some(9.0)), "{name}");
        assert_eq!((service.percentile(0), service.percentile(100)), (Some(9), Some(9)));
        assert_eq!((outcome.ending, outcome.metrics.ticks), (Ending::OutOfTicks, 94));
        let legal = check_trace(outcome.trace.as_ref().unwrap()).unwrap();
        assert_eq!((legal.reached, legal.sent), (10, 10), "{name}");
    }
}

#[test]
fn a_run_ends_when_the_list_is_done_and_everybody_has_arrived() {
    let corridor = on("..........", &[[(0, 0), (9, 0)]]);
    let mut lifelong = listed(&corridor, "(4,0)\n0 (7,0)\n").unwrap();
    let outcome = run(&corridor, "jostle", &mut lifelong, 1000);
    assert_eq!((outcome.ending, outcome.metrics.ticks), (Ending::AllArrived, 9 + 2 + 3));
    assert_eq!(lifelong.service().goals(), 3, "those of its own come first");
    let Goals::Listed(goals) = lifelong.goals() else { panic!("a list") };
    assert_eq!(goals.left(), 0);
}

#[test]
fn goals_for_any_agent_go_to_those_that_arrive_first() {
    let rows = on(".....\n.....", &[[(0, 0), (1, 0)], [(0, 1), (3, 1)]]);
    let mut lifelong = listed(&rows, "(2,0)\n(4,0)\n(4,1)\n").unwrap();
    let outcome = run(&rows, "jostle", &mut lifelong, 100);
    let given = goals_given(&outcome);
    let at = |x, y| rows.grid().at(x, y).unwrap();
    assert_eq!(given[&0], [at(2, 0), at(4, 0)], "it arrives at ticks 1 and 2");
    assert_eq!(given[&1], [at(4, 1)]);
    assert_eq!(lifelong.service().goals(), 5);
}

#[test]
fn a_goal_that_another_agent_has_is_passed_over_until_it_is_free() {
    let rows = on("......\n......", &[[(0, 0), (1, 0)], [(0, 1), (5, 1)]]);
    let mut lifelong = listed(&rows, "0 (5,1)\n0 (3,0)\n1 (0,1)\n").unwrap();
    let outcome = run(&rows, "jostle", &mut lifelong, 100);
    let given = goals_given(&outcome);
    let at = |x, y| rows.grid().at(x, y).unwrap();
    assert_eq!(given[&0], [at(3, 0), at(5, 1)]);
    assert_eq!((outcome.ending, lifelong.service().goals()), (Ending::AllArrived, 5));
    // The other agent stays on this goal for ever.
    let mut lifelong = listed(&rows, "0 (5,1)\n").unwrap();
    let outcome = run(&rows, "jostle", &mut lifelong, 100);
    assert_eq!((outcome.ending, lifelong.service().goals()), (Ending::AllArrived, 2));
    assert!(matches!(lifelong.goals(), Goals::Listed(goals) if goals.left() == 1));
}

#[test]
fn an_agent_that_begins_on_its_goal_is_sent_on_and_nothing_is_counted() {
    let corridor = on(".....", &[[(0, 0), (0, 0)]]);
    let mut lifelong = listed(&corridor, "(4,0)\n").unwrap();
    let outcome = run(&corridor, "jostle", &mut lifelong, 100);
    assert_eq!((outcome.metrics.ticks, lifelong.service().goals()), (4, 1));
    assert_eq!(check_trace(outcome.trace.as_ref().unwrap()).unwrap().reached, 1);
}

#[test]
fn an_agent_may_be_sent_to_the_cell_on_which_it_stands() {
    let corridor = on(".....", &[[(0, 0), (1, 0)]]);
    let mut lifelong = listed(&corridor, "(1,0)\n(1,0)\n").unwrap();
    let outcome = run(&corridor, "jostle", &mut lifelong, 100);
    assert_eq!(
        lifelong.service().goals() as usize,
        check_trace(&outcome.trace.unwrap()).unwrap().reached
    );
}

#[test]
fn what_is_wrong_with_a_list_is_named_with_its_line() {
    let two = on("..#..\n..#..", &[[(0, 0), (1, 0)]]);
    for (text, expected) in [
        ("(0,0)\n\n(5,0)", "line 3: (5, 0) is outside the map of 5x2"),
        ("(2,0)", "line 1: the goal (2, 0) is a wall"),
        ("1 (0,0)", "line 1: there is no agent 1: the 1 agents are counted from 0"),
        ("0 (3,0)", "line 1: no path leads from agent 0 to the goal (3, 0)"),
        ("(4,1)", "line 1: no path leads from any agent to the goal (4, 1)"),
    ] {
        assert_eq!(listed(&two, text).unwrap_err(), expected);
    }
}

fn agent_on(instance: &Instance) -> Agent {
    instance.world().in_slot(0).unwrap()
}

#[test]
fn the_goal_of_a_number_does_not_depend_on_those_before() {
    let open = on("......\n......\n......", &[[(0, 0), (1, 0)]]);
    let agent = agent_on(&open);
    let mut goals = DrawnGoals::anywhere(open.grid(), 7);
    let expected: Vec<_> = (0..50).map(|number| goals.next(&agent, number, |_| true)).collect();
    // The others are drawn again at every second number.
    let taken: HashSet<Cell> = expected.iter().step_by(2).flatten().copied().collect();
    for (number, &usual) in expected.iter().enumerate() {
        let is_free = |cell: Cell| number % 2 == 1 || !taken.contains(&cell);
        let goal = goals.next(&agent, number as u64, is_free);
        assert_eq!(goal == usual, number % 2 == 1, "{number}");
    }
    let distinct: HashSet<_> = expected.iter().collect();
    assert!(distinct.len() > 10, "numbers are independent: {}", distinct.len());
}

#[test]
fn goals_are_uniform_over_what_is_free_even_if_that_is_little() {
    let open = on("....................", &[[(0, 0), (1, 0)]]);
    let agent = agent_on(&open);
    for free in [19, 3, 1, 0] {
        let mut goals = DrawnGoals::anywhere(open.grid(), 3);
        let mut counts = vec![0_u32; 20];
        for number in 0..6000 {
            match goals.next(&agent, number, |cell| cell.index() <= free) {
                Some(cell) => counts[cell.index()] += 1,
                None => assert_eq!(free, 0),
            }
        }
        assert!(counts[0] == 0, "never the cell on which it stands");
        let expected = 6000 / free.max(1) as u32;
        let is_near = |count: u32| count.abs_diff(expected) < expected / 4 + 1;
        assert!(counts[1..=free].iter().all(|&count| is_near(count)), "{counts:?}");
    }
}

#[test]
fn all_planners_give_an_agent_the_same_goals() {
    let grid = Level::Cave.generate(48, 48, 2).unwrap();
    let instance = Instance::draw(grid, Kind::Random, 6, 4).unwrap();
    let given = |name| {
        let mut lifelong = Lifelong::new(DrawnGoals::anywhere(instance.grid(), 4));
        goals_given(&run(&instance, name, &mut lifelong, 600))
    };
    let (ours, theirs) = (given("jostle"), given("bmaa"));
    assert_eq!(ours, given("jostle"), "the same run twice");
    let pairs = (0..6).flat_map(|slot| ours[&slot].iter().zip(&theirs[&slot]));
    let (same, all) =
        pairs.fold((0, 0), |(same, all), (a, b)| (same + usize::from(a == b), all + 1));
    assert!(all > 40 && same >= all - 1, "{same} of {all}");
}

#[test]
fn agents_of_a_warehouse_alternate_between_shelves_and_stations() {
    for level in [Level::Aisles, Level::Warehouse] {
        let grid = level.generate(60, 40, 1).unwrap();
        let sites = level.sites(&grid).unwrap();
        let instance = Instance::draw(grid, Kind::Random, 20, 1).unwrap();
        let goals = DrawnGoals::in_warehouse(instance.grid(), &sites, 1);
        let given = goals_given(&run(&instance, "jostle", &mut Lifelong::new(goals), 600));
        let is_station = |cell: &Cell| sites.stations.contains(cell);
        for (slot, goals) in given {
            assert!(goals.len() > 3, "{level}: agent {slot} was given {} goals", goals.len());
            for (number, goal) in goals.iter().enumerate() {
                assert_eq!(is_station(goal), (slot + number) % 2 == 1, "{level} {slot} {number}");
                assert!(is_station(goal) || sites.shelf_sides.contains(goal));
            }
        }
    }
    assert_eq!(Level::Cave.sites(&Level::Cave.generate(60, 40, 1).unwrap()), None);
}

#[test]
fn where_all_stations_are_taken_agents_go_to_shelves() {
    let hall = "#######\n#.....#\n###.###\n###.###\n##.#..#\n#######";
    let grid = Grid::from_ascii(hall).unwrap();
    assert_eq!(Sites::of(&grid), None, "all walls hang together");
    let [shelf, other, station] = [(1, 1), (3, 1), (5, 1)].map(|(x, y)| grid.at(x, y).unwrap());
    let mut goals = DrawnGoals::alternating(&grid, &[vec![shelf, other], vec![station]], 1);
    let mut world = World::new(grid);
    let id = world.add(shelf, shelf).unwrap();
    let agent = world.agent(id).unwrap();
    assert_eq!(goals.next(&agent, 1, |_| true), Some(station));
    assert_eq!(goals.next(&agent, 1, |cell| cell != station), Some(other));
    assert_eq!(goals.next(&agent, 0, |cell| cell != other), Some(station));
    assert_eq!(goals.next(&agent, 0, |_| false), None);
}

#[test]
fn agents_that_come_go_and_are_sent_elsewhere_keep_the_goals_distinct() {
    let mut world = World::new(Grid::open(4, 2).unwrap());
    let cells: Vec<Cell> = world.grid().cells().collect();
    let first = world.add(cells[0], cells[1]).unwrap();
    let second = world.add(cells[4], cells[2]).unwrap();
    let mut lifelong = Lifelong::new(DrawnGoals::anywhere(world.grid(), 1));
    let mut planner = planner("pibt").unwrap();
    let mut moves = crate::Moves::default();
    let mut goals_before = 0;
    for tick in 0..400 {
        lifelong.send(&mut world);
        match tick % 40 {
            10 => world.send(first, cells[7]).unwrap(),
            20 => world.remove(second).unwrap_or_default(),
            30 if world.slots() == 2 && world.in_slot(1).is_none() => {
                let free = cells.iter().find(|&&cell| !world.is_occupied(cell)).unwrap();
                world.add(*free, *free).unwrap();
            }
            _ => {}
        }
        crate::simulate::tick(&mut world, planner.as_mut(), &mut moves).unwrap();
        if tick % 40 > 31 {
            let goals: HashSet<Cell> = world.ours().map(|agent| agent.goal).collect();
            assert_eq!(goals.len(), world.ours().count());
        }
        assert!(lifelong.service().goals() >= goals_before);
        goals_before = lifelong.service().goals();
    }
    assert!(goals_before > 50, "{goals_before}");
    let wanted: u32 = lifelong.wanted.iter().sum();
    assert_eq!(wanted as usize, world.ours().count());
}

/// Follows a run from outside: goals are distinct and in reach at every tick.
fn check_goals(
    instance: &Instance,
    name: &str,
    seed: u64,
    ticks: u64,
) -> Result<(), TestCaseError> {
    let mut lifelong = Lifelong::new(DrawnGoals::anywhere(instance.grid(), seed));
    let components = Components::of(instance.grid());
    let mut world = instance.world();
    let mut fault = None;
    let outcome = Simulation::new(&mut world, planner(name).unwrap().as_mut())
        .limits(Limits::ticks(ticks))
        .traced()
        .between(|world| {
            lifelong.send(world);
            let goals: HashSet<Cell> = world.ours().map(|agent| agent.goal).collect();
            if goals.len() < world.ours().count() {
                fault = Some("two agents have one goal");
            }
            if world.ours().any(|agent| !components.connected(agent.cell, agent.goal)) {
                fault = Some("a goal is out of reach");
            }
            ControlFlow::Continue(())
        })
        .run()
        .unwrap();
    prop_assert_eq!(fault, None);
    let trace = outcome.trace.unwrap();
    let legal = check_trace(&trace).unwrap();
    prop_assert_eq!(legal.reached as u64, lifelong.service().goals());
    let text = Paths::of(&trace).write();
    let read = check_paths(instance.grid(), &Paths::parse(&text).unwrap()).unwrap();
    prop_assert_eq!(read, legal, "the path file says the same");
    // The service times of one agent never overlap.
    let mean = lifelong.service().mean().unwrap_or_default();
    let total = mean * lifelong.service().goals() as f64;
    prop_assert!(total <= (ticks * instance.tasks().len() as u64) as f64 + 0.5);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn goals_are_distinct_in_reach_and_counted_as_the_checker_counts(
        level in prop::sample::select(vec![Level::Cave, Level::Aisles, Level::Rooms]),
        (width, height) in (5_u32..24, 5_u32..24),
        share in 1_usize..=100,
        four in any::<bool>(),
        seed in 0_u64..1000,
        name in prop::sample::select(vec!["jostle", "pibt", "bmaa-c"]),
    ) {
        let neighbours = if four { Neighbours::Four } else { Neighbours::Eight };
        let grid = level.generate(width, height, seed).unwrap();
        let grid = grid.with_rules(Rules { neighbours, ..Rules::default() });
        let agents = (Kind::Random.room(&grid) * share / 100).max(1);
        let instance = Instance::draw(grid, Kind::Random, agents, seed).unwrap();
        check_goals(&instance, name, seed, 60)?;
    }
}
