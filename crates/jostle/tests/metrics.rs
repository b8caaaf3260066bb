//! The metrics of a run, against the definitions and against a plain recount from the trace.

use std::time::Duration;

use jostle::instance::Kind;
use jostle::metrics::{Distance, Meter};
use jostle::planners::{Work, planner};
use jostle::{Grid, Instance, Level, Limits, Metrics, Moves, Simulation, Trace, World};

#[test]
fn the_worked_example_of_the_definitions() {
    let mut world = World::new(Grid::open(5, 5).unwrap());
    let at = |x, y| Grid::open(5, 5).unwrap().at(x, y).unwrap();
    let agent = world.add(at(0, 0), at(3, 2)).unwrap();
    let mut meter = Meter::begin(&world);
    for (x, y) in [(1, 1), (1, 1), (2, 1), (1, 1), (2, 1), (3, 2), (3, 2)] {
        let mut moves = Moves::waiting(&world);
        moves.set(agent, at(x, y));
        world.advance(&moves).unwrap();
        let work = Work { expansions: 10, ..Work::default() };
        meter.observe(&world, work, Duration::ZERO, Duration::ZERO);
    }
    let metrics = meter.finish(&world, Duration::ZERO);
    assert!((metrics.travel_distance() - 5.8284).abs() < 1e-4);
    assert_eq!(metrics.journeys[0].completed, Some(6));
    assert_eq!(metrics.journeys[0].completed_expansions, Some(60));
    assert_eq!(metrics.completion_expansions(), Some(60.0));
    assert_eq!((metrics.makespan(), metrics.sum_of_costs()), (6, 6));
}

#[test]
fn an_agent_that_never_left_its_goal_completed_at_once_and_one_that_left_it_did_not() {
    let mut world = World::new(Grid::open(3, 1).unwrap());
    let [west, middle, east] = [0, 1, 2].map(|x| world.grid().at(x, 0).unwrap());
    let stays = world.add(west, west).unwrap();
    let leaves = world.add(middle, middle).unwrap();
    let mut meter = Meter::begin(&world);
    let mut moves = Moves::waiting(&world);
    moves.set(leaves, east);
    world.advance(&moves).unwrap();
    meter.observe(&world, Work::default(), Duration::ZERO, Duration::ZERO);
    let metrics = meter.finish(&world, Duration::ZERO);
    assert_eq!(metrics.journeys[stays.slot()].completed, Some(0));
    assert_eq!(metrics.journeys[leaves.slot()].completed, None);
    assert!((metrics.completion_rate() - 0.5).abs() < 1e-9);
    assert_eq!(metrics.sum_of_costs(), 1, "an agent that has not arrived counts all ticks");
}

/// Completion and distance of each agent, counted again from the trace.
fn recount(trace: &Trace) -> Vec<(Option<u64>, Distance)> {
    let goals: Vec<_> = trace.opening().iter().map(|agent| agent.goal).collect();
    (0..goals.len())
        .map(|slot| {
            let walk: Vec<_> = trace.path(slot).into_iter().map(|cell| cell.unwrap()).collect();
            let away = walk.iter().rposition(|&cell| cell != goals[slot]);
            let completed = match away {
                None => Some(0),
                Some(last) if last + 1 < walk.len() => Some(last as u64 + 1),
                Some(_) => None,
            };
            let mut distance = Distance::default();
            for step in walk.windows(2).filter(|step| step[0] != step[1]) {
                let ((x, y), (to_x, to_y)) =
                    (trace.grid().position(step[0]), trace.grid().position(step[1]));
                if x != to_x && y != to_y {
                    distance.diagonal += 1;
                } else {
                    distance.cardinal += 1;
                }
            }
            (completed, distance)
        })
        .collect()
}

#[test]
fn metrics_counted_during_the_run_equal_a_recount_from_the_trace() {
    for (level, spec) in
        [(Level::Cave, "bmaa-c"), (Level::Rooms, "bmaa-f-c"), (Level::City, "bmaa")]
    {
        let grid = level.generate(48, 40, 2).unwrap();
        let mut world = Instance::draw(grid, Kind::Random, 120, 3).unwrap().world();
        let outcome = Simulation::new(&mut world, planner(spec).unwrap().as_mut())
            .limits(Limits::ticks(250))
            .traced()
            .run()
            .unwrap();
        let metrics: &Metrics = &outcome.metrics;
        let counted: Vec<_> =
            metrics.journeys.iter().map(|journey| (journey.completed, journey.distance)).collect();
        assert_eq!(counted, recount(outcome.trace.as_ref().unwrap()));
    }
}
