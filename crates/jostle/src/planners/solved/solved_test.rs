use std::ops::ControlFlow;

use proptest::prelude::*;

use super::problem::Problem;
use super::*;
use crate::check::check_trace;
use crate::cost::Cost;
use crate::grid::{Crossing, Grid, Neighbours, Rules};
use crate::instance::{Instance, Kind};
use crate::levels::Level;
use crate::plan::{Plan, TimedPath};
use crate::planners::testing::{drawn, run};
use crate::search::Budget;
use crate::simulate::{Limits, Simulation, tick};
use crate::solvers::{Answer, Attempt, Cbs, Progress, Proof, Solution};
use crate::trace::Trace;

fn cbs(pace: Pace) -> SolvedPlanner {
    SolvedPlanner::new(Arc::new(Cbs::default()), pace)
}

fn at(world: &World, x: u32, y: u32) -> Cell {
    world.grid().at(x, y).unwrap()
}

fn is_following(planner: &SolvedPlanner) -> bool {
    matches!(planner.stage, Stage::Following(_))
}

/// The best plan from where the agents stand, if it can be found with the budget of a tick.
fn optimum(world: &World) -> Option<Plan> {
    let mut budget = Budget::expansions(u64::from(Pace::default().budget));
    let answer = Cbs::default().solve(&Problem::of(world)?.instance, &mut budget, &mut |_| ());
    answer.best.map(|best| best.plan)
}

/// A small instance that CBS solves quickly.
fn small(level: Level, neighbours: Neighbours, crossing: Crossing, seed: u64) -> Option<World> {
    let rules = Rules { neighbours, crossing, ..Rules::default() };
    let grid = level.generate(12, 12, seed).unwrap().with_rules(rules);
    let agents = 6.min(Kind::Random.room(&grid) / 3);
    Instance::draw(grid, Kind::Random, agents, seed).ok().map(|instance| instance.world())
}

fn small_worlds() -> impl Strategy<Value = World> {
    let levels = prop::sample::select(vec![Level::Cave, Level::Scatter, Level::Rooms]);
    let neighbours = prop::sample::select(vec![Neighbours::Four, Neighbours::Eight]);
    let crossing = prop::sample::select(vec![Crossing::Allowed, Crossing::Forbidden]);
    (levels, neighbours, crossing, 0u64..500)
        .prop_filter_map("there must be room for agents", |(level, neighbours, crossing, seed)| {
            small(level, neighbours, crossing, seed)
        })
}

/// The same with their best plans.
fn solved_worlds() -> impl Strategy<Value = (World, Plan)> {
    small_worlds().prop_filter_map("a plan must be found at once", |world| {
        optimum(&world).map(|plan| (world, plan))
    })
}

/// Every agent is on its path at every tick of a run.
fn assert_executed(trace: &Trace, plan: &Plan) {
    let run = Plan::of_trace(trace);
    assert_eq!(run.paths().len(), plan.paths().len());
    for (agent, (walked, path)) in run.paths().iter().zip(plan.paths()).enumerate() {
        for tick in 0..walked.cells.len().max(path.cells.len()) as u64 {
            assert_eq!(walked.at(tick), path.at(tick), "agent {agent} at tick {tick}");
        }
    }
}

/// Takes a number of slices before it answers as CBS does.
struct Slow(u32);

struct SlowAttempt {
    slices: u32,
    attempt: Box<dyn Attempt>,
}

impl Solver for Slow {
    fn begin(&self, instance: &Instance) -> Box<dyn Attempt> {
        Box::new(SlowAttempt { slices: self.0, attempt: Cbs::default().begin(instance) })
    }
}

impl Attempt for SlowAttempt {
    fn go_on(&mut self, budget: &mut Budget<'_>, listener: &mut dyn FnMut(Progress<'_>)) -> Answer {
        self.slices = self.slices.saturating_sub(1);
        if self.slices > 0 {
            budget.slice(|| 0);
            budget.spend(1);
            return Answer { best: None, bound: 0, proof: Proof::OutOfBudget, nodes: 0 };
        }
        self.attempt.go_on(budget, listener)
    }

    fn memory(&self) -> usize {
        self.attempt.memory()
    }
}

fn slow(slices: u32, patience: u32) -> SolvedPlanner {
    SolvedPlanner::new(Arc::new(Slow(slices)), Pace { patience, ..Pace::default() })
}

/// Always gives this answer.
#[derive(Clone)]
struct Says(Answer);

impl Solver for Says {
    fn begin(&self, _: &Instance) -> Box<dyn Attempt> {
        Box::new(self.clone())
    }
}

impl Attempt for Says {
    fn go_on(&mut self, budget: &mut Budget<'_>, _: &mut dyn FnMut(Progress<'_>)) -> Answer {
        budget.spend(1);
        self.0.clone()
    }

    fn memory(&self) -> usize {
        0
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn an_optimal_plan_that_is_found_at_once_is_executed_tick_by_tick((world, plan) in solved_worlds()) {
        let mut world = world;
        let outcome = run(&mut world, &mut cbs(Pace::default()), 200);
        prop_assert!(world.have_all_arrived());
        assert_executed(&outcome.trace.unwrap(), &plan);
    }

    #[test]
    fn with_patience_agents_wait_for_the_optimal_plan_and_then_execute_it(
        (world, plan) in solved_worlds(),
        slices in 2u32..20,
    ) {
        let starts = world.configuration().clone();
        let mut planner = slow(slices, slices - 1);
        let mut world = world;
        for _ in 1..slices {
            tick(&mut world, &mut planner, &mut Moves::default()).unwrap();
            prop_assert!(!is_following(&planner) && *world.configuration() == starts);
        }
        let outcome = run(&mut world, &mut planner, 200);
        prop_assert!(world.have_all_arrived());
        assert_executed(&outcome.trace.unwrap(), &plan);
    }

    /// The search takes longer than a tick. Everybody walks meanwhile, and follows an optimal plan from some tick on.
    #[test]
    fn a_plan_that_takes_ticks_begins_where_everybody_will_be(
        (world, _) in solved_worlds(),
        slices in 2u32..12,
    ) {
        let mut planner = slow(slices, 0);
        let mut walker = JostlePlanner::new(Jostle::default());
        let (mut world, mut walked) = (world.clone(), world);
        let (mut trace, plan) = loop {
            prop_assert_eq!(world.configuration(), walked.configuration(), "everybody walks");
            let before = world.clone();
            tick(&mut world, &mut planner, &mut Moves::default()).unwrap();
            if is_following(&planner) {
                let mut trace = Trace::begin(&before);
                trace.record(&world);
                break (trace, optimum(&before).unwrap());
            }
            tick(&mut walked, &mut walker, &mut Moves::default()).unwrap();
            prop_assert!(world.tick() < 100);
        };
        for _ in 1..plan.makespan() {
            tick(&mut world, &mut planner, &mut Moves::default()).unwrap();
            trace.record(&world);
        }
        prop_assert!(world.have_all_arrived());
        assert_executed(&trace, &plan);
    }

    #[test]
    fn every_run_is_legal_and_the_same_every_time(
        world in small_worlds(),
        pace in (1u32..3_000, 0u32..6).prop_map(|(budget, patience)| Pace { budget, patience }),
        slices in 1u32..8,
        changes in prop::collection::vec((0u64..60, 0usize..6, 0usize..500, 0usize..500), 0..12),
    ) {
        let solvers: [Arc<dyn Solver>; 2] = [Arc::new(Cbs::default()), Arc::new(Slow(slices))];
        for solver in solvers {
            let [once, again] = [(); 2].map(|()| {
                let mut planner = SolvedPlanner::new(Arc::clone(&solver), pace);
                let mut world = world.clone();
                let outcome = Simulation::new(&mut world, &mut planner)
                    .limits(Limits::ticks(120))
                    .traced()
                    .between(|world| {
                        let now = world.tick();
                        changes.iter().filter(|(at, ..)| *at == now).for_each(|&(_, what, a, b)| {
                            change(world, what, a, b);
                        });
                        ControlFlow::Continue(())
                    })
                    .run()
                    .unwrap();
                let trace = outcome.trace.unwrap();
                check_trace(&trace).unwrap();
                trace.fingerprint()
            });
            prop_assert_eq!(once, again);
        }
    }
}

/// A change of any kind. Those that are impossible do nothing.
fn change(world: &mut World, what: usize, a: usize, b: usize) {
    let cells = world.grid().cells().len();
    let [from, to] = [a, b].map(|number| world.grid().cell(number % cells).unwrap());
    let agents: Vec<Agent> = world.agents().collect();
    let Some(agent) = agents.get(a % agents.len().max(1)) else { return };
    // A goal that another agent has, now and then.
    let to = if b.is_multiple_of(3) { agents[b % agents.len()].goal } else { to };
    let _ = match what {
        0 => world.send(agent.id, to).is_ok(),
        1 => world.set_floor(from, !world.grid().is_floor(from)).is_ok(),
        2 => world.add(from, to).is_ok(),
        3 => world.add_foreign(from).is_ok(),
        4 => world.remove(agent.id).is_ok(),
        _ => world.place(agent.id, to).is_ok(),
    };
}

/// The traces of a run of this planner and of one of Jostle, both legal.
fn beside_jostle(world: &World, planner: &mut dyn Planner) -> [Trace; 2] {
    let trace = |planner: &mut dyn Planner| run(&mut world.clone(), planner, 300).trace.unwrap();
    [trace(planner), trace(&mut JostlePlanner::new(Jostle::default()))]
}

#[test]
fn without_a_plan_everybody_moves_as_with_the_default_planner() {
    let answer = |proof| Answer { best: None, bound: 0, proof, nodes: 0 };
    for seed in 0..20 {
        let world = small(Level::Rooms, Neighbours::Eight, Crossing::Allowed, seed).unwrap();
        for proof in [Proof::Impossible, Proof::OutOfBudget] {
            let mut planner = SolvedPlanner::new(Arc::new(Says(answer(proof))), Pace::default());
            let [found, expected] = beside_jostle(&world, &mut planner);
            assert_eq!(found.fingerprint(), expected.fingerprint());
        }
    }
}

#[test]
fn a_plan_that_is_illegal_or_leads_elsewhere_is_not_followed() {
    let world = drawn("A.b\n...\nB.a", "AB", Neighbours::Eight);
    let middle = at(&world, 1, 1);
    let collide = |agent: Agent| vec![agent.cell, middle, agent.goal];
    let stop = |agent: Agent| vec![agent.cell];
    for path in [&collide as &dyn Fn(Agent) -> Vec<Cell>, &stop] {
        let paths = world.ours().map(|agent| TimedPath::of(path(agent))).collect();
        let plan = Plan::new(Arc::clone(world.shared_grid()), paths);
        let best = Some(Solution { plan, cost: 4 });
        let answer = Answer { best, bound: 4, proof: Proof::Optimal, nodes: 1 };
        let mut planner = SolvedPlanner::new(Arc::new(Says(answer)), Pace::default());
        let [found, expected] = beside_jostle(&world, &mut planner);
        assert_eq!(found.fingerprint(), expected.fingerprint());
    }
}

/// Plays some ticks, makes a change, and checks that everybody follows an optimal plan from there.
fn assert_solved_anew(drawing: &str, letters: &str, game: impl Fn(&mut World)) {
    let mut world = drawn(drawing, letters, Neighbours::Four);
    let (mut planner, mut moves) = (cbs(Pace::default()), Moves::default());
    for _ in 0..3 {
        tick(&mut world, &mut planner, &mut moves).unwrap();
        assert!(is_following(&planner));
    }
    game(&mut world);
    let plan = optimum(&world).unwrap();
    let outcome = run(&mut world, &mut planner, 100);
    assert!(world.have_all_arrived(), "{}", world.grid().to_ascii());
    let trace = outcome.trace.unwrap();
    assert_eq!(Plan::of_trace(&trace).sum_of_costs(), plan.sum_of_costs());
}

const TWO_WAYS: &str = "
    A.......b
    .##.#.##.
    B.......a";

#[test]
fn whatever_breaks_the_plan_a_new_one_is_found_in_the_same_tick() {
    let first = |world: &World| world.ours().next().unwrap().id;
    assert_solved_anew(TWO_WAYS, "AB", |world| {
        world.send(first(world), at(world, 0, 1)).unwrap();
    });
    assert_solved_anew(TWO_WAYS, "AB", |world| {
        world.set_floor(at(world, 5, 0), false).unwrap();
    });
    assert_solved_anew(TWO_WAYS, "AB", |world| {
        world.add(at(world, 8, 1), at(world, 0, 1)).unwrap();
    });
    assert_solved_anew(TWO_WAYS, "AB", |world| {
        world.remove(first(world)).unwrap();
    });
    assert_solved_anew(TWO_WAYS, "AB", |world| {
        world.place(first(world), at(world, 0, 1)).unwrap();
    });
}

#[test]
fn a_change_far_from_all_paths_leaves_the_plan_as_it_is() {
    assert_solved_anew("A...a\n.....\n....#", "A", |world| {
        world.set_floor(at(world, 0, 2), false).unwrap();
        world.set_floor(at(world, 4, 2), true).unwrap();
    });
}

#[test]
fn a_foreign_agent_that_stops_in_the_way_is_gone_around() {
    let mut world = drawn("A.....a\n.......", "A", Neighbours::Four);
    let mut planner = cbs(Pace::default());
    tick(&mut world, &mut planner, &mut Moves::default()).unwrap();
    world.add_foreign(at(&world, 3, 0)).unwrap();
    run(&mut world, &mut planner, 20);
    assert!(world.have_all_arrived());
}

#[test]
fn agents_that_cannot_pass_each_other_wait_for_ever_and_legally() {
    let mut world = drawn("ABab", "AB", Neighbours::Eight);
    let [a, b] = [at(&world, 2, 0), at(&world, 3, 0)];
    let ids: Vec<_> = world.ours().map(|agent| agent.id).collect();
    world.send(ids[0], b).unwrap();
    world.send(ids[1], a).unwrap();
    run(&mut world, &mut cbs(Pace { budget: 200, patience: 3 }), 400);
    let [a, b] = [0, 1].map(|slot| world.in_slot(slot).unwrap().cell);
    assert!(a < b, "A is still west of B");
}

#[test]
fn of_agents_that_share_a_goal_one_has_it_and_the_others_come_close() {
    let mut world = drawn("A...g\nB....\nC....", "ABC", Neighbours::Four);
    let goal = at(&world, 4, 0);
    let ids: Vec<_> = world.ours().map(|agent| agent.id).collect();
    for &id in &ids {
        world.send(id, goal).unwrap();
    }
    let mut planner = cbs(Pace::default());
    run(&mut world, &mut planner, 40);
    assert_eq!(world.occupant(goal), Some(ids[0]));
    let near = |id| world.grid().distance(world.agent(id).unwrap().cell, goal);
    assert_eq!([near(ids[1]), near(ids[2])], [Cost::CARDINAL; 2]);
    let still = world.configuration().clone();
    run(&mut world, &mut planner, 40);
    assert_eq!(world.configuration(), &still, "there is nothing more to do");
    assert!(is_following(&planner));

    // When it is free, the next one takes it.
    world.send(ids[0], at(&world, 0, 0)).unwrap();
    run(&mut world, &mut planner, 40);
    assert_eq!(world.occupant(goal), Some(ids[1]));
    assert_eq!(world.occupant(at(&world, 0, 0)), Some(ids[0]));
}

#[test]
fn an_agent_that_cannot_reach_its_goal_makes_room_and_arrives_when_a_door_opens() {
    // The goal of A is behind a door. B has to pass A, and comes back to the cell on which A stood.
    let mut world = drawn("BA.b#a\n##.###", "AB", Neighbours::Four);
    let mut planner = cbs(Pace::default());
    run(&mut world, &mut planner, 30);
    let [a, b] = [0, 1].map(|slot| world.in_slot(slot).unwrap());
    assert!(b.has_arrived() && world.occupant(at(&world, 1, 0)) == Some(a.id), "A is back");
    world.set_floor(at(&world, 4, 0), true).unwrap();
    run(&mut world, &mut planner, 60);
    assert!(world.have_all_arrived());
}

#[test]
fn an_agent_whose_goal_is_occupied_arrives_when_the_foreign_agent_has_left() {
    let mut world = drawn("A..a", "A", Neighbours::Four);
    let stranger = world.add_foreign(at(&world, 3, 0)).unwrap();
    let mut planner = cbs(Pace::default());
    run(&mut world, &mut planner, 30);
    assert!(!world.have_all_arrived());
    world.remove(stranger).unwrap();
    run(&mut world, &mut planner, 30);
    assert!(world.have_all_arrived());
}

#[test]
fn a_game_that_changes_something_all_the_time_keeps_moving() {
    // No search ever ends before the next change.
    let mut world = World::new(Grid::open(20, 3).unwrap());
    let runner = world.add(at(&world, 0, 0), at(&world, 19, 0)).unwrap();
    let other = world.add(at(&world, 0, 2), at(&world, 1, 2)).unwrap();
    let mut planner = SolvedPlanner::new(Arc::new(Slow(50)), Pace { budget: 10, patience: 2 });
    for now in 0..60 {
        world.send(other, at(&world, now % 3, 2)).unwrap();
        tick(&mut world, &mut planner, &mut Moves::default()).unwrap();
    }
    assert!(world.agent(runner).unwrap().has_arrived());
}

#[test]
fn nobody_and_agents_on_walls_are_no_problem() {
    let mut world = World::new(Grid::open(4, 2).unwrap());
    let mut planner = cbs(Pace::default());
    tick(&mut world, &mut planner, &mut Moves::default()).unwrap();
    world.add(at(&world, 0, 0), at(&world, 3, 0)).unwrap();
    tick(&mut world, &mut planner, &mut Moves::default()).unwrap();
    assert!(is_following(&planner), "the first agent has a plan at once");
    let under = world.in_slot(0).unwrap().cell;
    world.set_floor(under, false).unwrap();
    for _ in 0..20 {
        tick(&mut world, &mut planner, &mut Moves::default()).unwrap();
    }
    assert!(world.have_all_arrived());
}
