use std::collections::{HashMap, VecDeque};

use proptest::prelude::*;

use super::*;
use crate::check::check_trace;
use crate::grid::{CornerRule, Crossing, Grid, Neighbours, Rules};
use crate::instance::{Closures, Instance, Kind, Reach};
use crate::plan::Plan;
use crate::planners::Recipe;
use crate::script::{Script, ScriptPlayer};
use crate::simulate::{Ending, Limits, Outcome, Simulation, tick};
use crate::trace::Trace;
use crate::world::Change;

const FOUR: Rules = Rules {
    neighbours: Neighbours::Four,
    corners: CornerRule::BothFree,
    crossing: Crossing::Allowed,
};

/// All of these planners, and variations that reach other parts of the code.
fn planners() -> Vec<(&'static str, Box<dyn Recipe>)> {
    let di = DiCbs::default();
    let with = |repairs| DiCbs { repairs, ..di };
    let repairs = Repairs::default();
    let keeps_paths = Repairs { openings: false, ..repairs };
    vec![
        ("replan", Box::new(CbsReplan::default())),
        ("dstar", Box::new(CbsDstarLite::default())),
        ("dstar, no openings", Box::new(CbsDstarLite { repairs: keeps_paths })),
        ("di", Box::new(di)),
        ("di, from the present", Box::new(DiCbs { rho: 1.0, ..di })),
        ("di, from the cut", Box::new(DiCbs { rho: 0.0, ..di })),
        ("di without slpa", Box::new(DiCbs { slpa: false, ..di })),
        ("di, plain splits", Box::new(DiCbs { reason: false, ..di })),
        ("di, plain splits without slpa", Box::new(DiCbs { reason: false, slpa: false, ..di })),
        ("di, no openings", Box::new(with(keeps_paths))),
        ("di, few nodes", Box::new(with(Repairs { nodes: 1, ..repairs }))),
        ("di, in slices", Box::new(with(Repairs { budget: Some(50), ..repairs }))),
        ("replan, in slices", Box::new(CbsReplan { budget: Some(50), ..CbsReplan::default() })),
    ]
}

fn run(instance: &Instance, planner: &mut dyn Planner, ticks: u64) -> Outcome {
    let mut world = instance.world();
    let outcome = Simulation::new(&mut world, planner)
        .script(instance.script())
        .limits(Limits::ticks(ticks))
        .traced()
        .run()
        .expect("moves are legal");
    check_trace(outcome.trace.as_ref().unwrap()).unwrap();
    outcome
}

/// The ticks until all agents are on their goals for good, added up.
fn cost(outcome: &Outcome) -> u64 {
    Plan::of_trace(outcome.trace.as_ref().unwrap()).sum_of_costs()
}

fn one_agent(grid: Grid, start: (u32, u32), goal: (u32, u32), script: &str) -> Instance {
    let grid = grid.with_rules(FOUR);
    let task = (grid.locate(start).unwrap(), grid.locate(goal).unwrap());
    let instance = Instance::new(grid, vec![task], Reach::Required).unwrap();
    instance.with_script(Script::parse(script).unwrap()).unwrap()
}

#[test]
fn o16_a_block_for_good_costs_a_detour_of_two() {
    let script = "2 wall (3,1)\n";
    let instance = one_agent(Grid::open(7, 3).unwrap(), (0, 1), (6, 1), script);
    for (name, recipe) in planners() {
        if name.contains("slices") {
            continue;
        }
        let outcome = run(&instance, recipe.build().as_mut(), 50);
        assert_eq!((outcome.ending, cost(&outcome)), (Ending::AllArrived, 8), "{name}");
    }
}

#[test]
fn o16_a_block_of_three_ticks_costs_the_same_by_waiting_or_going_around() {
    // The agent cannot be on the cell at ticks 2 to 4, so it opens for the step at tick 4.
    let script = "2 wall (3,1)\n4 floor (3,1)\n";
    let open = one_agent(Grid::open(7, 3).unwrap(), (0, 1), (6, 1), script);
    let corridor = "#######\n.......\n#######";
    let corridor = one_agent(Grid::from_ascii(corridor).unwrap(), (0, 1), (6, 1), script);
    for (name, recipe) in planners() {
        if name.contains("slices") {
            continue;
        }
        for (where_it_is, instance) in [("in the open", &open), ("in a corridor", &corridor)] {
            let outcome = run(instance, recipe.build().as_mut(), 50);
            assert_eq!(
                (outcome.ending, cost(&outcome)),
                (Ending::AllArrived, 8),
                "{name} {where_it_is}"
            );
        }
    }
}

#[test]
fn a_cell_that_opens_lets_agents_pass_its_corner() {
    // The last step can be diagonal as soon as (0, 1) is open: four steps instead of five, none of which is over that cell.
    let grid = Grid::from_ascii("..###\n#....").unwrap();
    let task = (grid.at(4, 1).unwrap(), grid.at(0, 0).unwrap());
    let instance = Instance::new(grid, vec![task], Reach::Required).unwrap();
    let instance = instance.with_script(Script::parse("2 floor (0,1)\n").unwrap()).unwrap();
    for (name, recipe) in planners() {
        if name.contains("no openings") {
            continue;
        }
        let outcome = run(&instance, recipe.build().as_mut(), 50);
        assert_eq!((outcome.ending, cost(&outcome)), (Ending::AllArrived, 4), "{name}");
    }
}

#[test]
fn an_announced_block_is_avoided_from_the_beginning() {
    // The agent walks into a dead end, or takes the way around at once.
    let grid = Grid::from_ascii("..........\n.########.\n..........").unwrap();
    let instance = one_agent(grid, (1, 0), (9, 0), "5 wall (8,0)\n");
    let di = DiCbs { rho: 1.0, ..DiCbs::default() };
    let half = DiCbs::default();
    let dstar = CbsDstarLite::default();
    for (mut surprise, mut announced, expected) in [
        (di.build(), di.knowing(instance.script()), (24, 14)),
        (dstar.build(), dstar.knowing(instance.script()), (24, 14)),
        // It turns round half-way to where the wall is or will be.
        (half.build(), half.knowing(instance.script()), (26, 20)),
    ] {
        let late = cost(&run(&instance, surprise.as_mut(), 100));
        let early = cost(&run(&instance, announced.as_mut(), 100));
        assert_eq!((late, early), expected);
    }
}

#[test]
fn an_agent_waits_for_a_cell_that_is_announced_to_open() {
    let grid = Grid::from_ascii("...#...").unwrap();
    let grid = grid.with_rules(FOUR);
    let task = (grid.at(0, 0).unwrap(), grid.at(6, 0).unwrap());
    let instance = Instance::new(grid, vec![task], Reach::Optional).unwrap();
    let script = Script::parse("9 floor (3,0)\n20 wall (1,0)\n").unwrap();
    let instance = instance.with_script(script).unwrap();
    for mut planner in [
        DiCbs::default().knowing(instance.script()),
        CbsDstarLite::default().knowing(instance.script()),
    ] {
        assert_eq!(cost(&run(&instance, planner.as_mut(), 60)), 13, "at (3, 0) at tick 10");
    }
}

#[test]
fn an_agent_whose_goal_is_closed_waits_beside_it_and_arrives_when_it_opens() {
    let script = "1 wall (6,1)\n30 floor (6,1)\n";
    let instance = one_agent(Grid::open(7, 3).unwrap(), (0, 1), (6, 1), script);
    for (name, recipe) in planners() {
        let mut world = instance.world();
        let mut planner = recipe.build();
        let mut player = ScriptPlayer::begin(instance.script(), &world);
        let mut moves = Moves::default();
        for now in 0..45 {
            player.play(&mut world);
            tick(&mut world, planner.as_mut(), &mut moves).unwrap();
            if now == 28 {
                let agent = world.ours().next().unwrap();
                let (x, y) = world.grid().position(agent.cell);
                assert_eq!(x.abs_diff(6) + y.abs_diff(1), 1, "{name} is at ({x}, {y})");
            }
        }
        assert!(world.have_all_arrived(), "{name}");
    }
}

#[test]
fn a_cell_that_closes_under_an_agent_does_not_cost_the_plan() {
    // Agent 0 steps out of the wall and walks on; agent 1 has arrived on a cell that closes, and stays.
    let grid = Grid::open(7, 3).unwrap().with_rules(FOUR);
    let at = |x, y| grid.at(x, y).unwrap();
    let tasks = vec![(at(0, 1), at(6, 1)), (at(3, 0), at(3, 0)), (at(0, 2), at(6, 2))];
    let instance = Instance::new(grid.clone(), tasks, Reach::Required).unwrap();
    let script = Script::parse("2 wall (2,1)\n2 wall (3,0)\n").unwrap();
    let instance = instance.with_script(script).unwrap();
    for (name, recipe) in planners() {
        if name.contains("slices") {
            continue;
        }
        let outcome = run(&instance, recipe.build().as_mut(), 50);
        assert_eq!((outcome.ending, cost(&outcome)), (Ending::AllArrived, 12), "{name}");
    }
}

#[test]
fn agents_that_cannot_pass_each_other_do_not_stop_the_others() {
    let picture = "A...B\n#####\nC...c";
    for (name, recipe) in planners() {
        let mut world = crate::planners::testing::drawn(picture, "ABC", Neighbours::Four);
        let ids: Vec<_> = world.ours().map(|agent| (agent.id, agent.cell)).collect();
        world.send(ids[0].0, ids[1].1).unwrap();
        world.send(ids[1].0, ids[0].1).unwrap();
        let mut planner = recipe.build();
        let mut moves = Moves::default();
        for _ in 0..60 {
            tick(&mut world, planner.as_mut(), &mut moves).unwrap();
        }
        assert!(world.agent(ids[2].0).unwrap().has_arrived(), "{name}");
    }
}

#[test]
fn a_cut_far_away_does_not_cost_a_search() {
    let grid = Grid::open(40, 40).unwrap();
    let at = |x, y| grid.at(x, y).unwrap();
    let tasks = vec![(at(0, 0), at(39, 0)), (at(0, 5), at(39, 5))];
    let instance = Instance::new(grid.clone(), tasks, Reach::Required).unwrap();
    let script = Script::parse("5 wall (20,30)\n9 wall (22,30)\n12 floor (20,30)\n").unwrap();
    let instance = instance.with_script(script).unwrap();
    let work = |planner: &mut dyn Planner| run(&instance, planner, 60).metrics.work;
    let without = {
        let calm = instance.clone().with_script(Script::default()).unwrap();
        run(&calm, DiCbs::default().build().as_mut(), 60).metrics.work
    };
    assert_eq!(work(DiCbs::default().build().as_mut()), without);
    assert_eq!(work(CbsDstarLite::default().build().as_mut()), without);
    let replan = work(CbsReplan::default().build().as_mut());
    assert!(replan.searches > without.searches, "{replan:?}, {without:?}");
}

#[test]
fn agents_that_have_to_share_a_corridor_are_repaired_by_fewer_searches_if_corridors_are_seen() {
    // Each has a corridor of its own, until one of them closes.
    let row = "...........................";
    let picture = format!("{row}\n...#####################...\n{row}");
    let grid = Grid::from_ascii(&picture).unwrap().with_rules(FOUR);
    let at = |x, y| grid.at(x, y).unwrap();
    let tasks = vec![(at(0, 0), at(26, 0)), (at(26, 2), at(0, 2))];
    let instance = Instance::new(grid.clone(), tasks, Reach::Required).unwrap();
    let instance = instance.with_script(Script::parse("1 wall (13,2)\n").unwrap()).unwrap();
    let work = |reason| {
        let outcome = run(&instance, DiCbs { reason, ..DiCbs::default() }.build().as_mut(), 100);
        assert_eq!(outcome.ending, Ending::AllArrived);
        outcome.metrics.work
    };
    let (reasoned, plain) = (work(true), work(false));
    assert!(plain.searches > 2 * reasoned.searches, "{plain:?}, {reasoned:?}");
}

/// The least sum of costs of the remaining problem, by a search over all joint positions.
fn best_sum(grid: &Grid, starts: &[Cell], goals: &[Cell]) -> Option<u64> {
    // A state has the cells, and which agents have stopped for good: those cost nothing any more.
    let begin = (starts.to_vec(), 0u32);
    let all = (1u32 << starts.len()) - 1;
    let mut costs = HashMap::from([(begin.clone(), 0u64)]);
    let mut layers: Vec<VecDeque<(Vec<Cell>, u32)>> = vec![VecDeque::from([begin])];
    let mut now = 0;
    while now < layers.len() {
        while let Some(state) = layers[now].pop_front() {
            if costs[&state] < now as u64 {
                continue;
            }
            let (cells, stopped) = state;
            if stopped == all {
                return Some(now as u64);
            }
            let mut reach = |state: (Vec<Cell>, u32), cost: u64| {
                if costs.get(&state).is_none_or(|&known| cost < known) {
                    costs.insert(state.clone(), cost);
                    layers.resize_with(layers.len().max(cost as usize + 1), VecDeque::new);
                    layers[cost as usize].push_back(state);
                }
            };
            for agent in 0..cells.len() {
                if stopped & 1 << agent == 0 && cells[agent] == goals[agent] {
                    reach((cells.clone(), stopped | 1 << agent), now as u64);
                }
            }
            let moving = cells.len() as u64 - u64::from(stopped.count_ones());
            let mut joint: Vec<Vec<Cell>> = vec![Vec::new()];
            for (agent, &from) in cells.iter().enumerate() {
                let mut choices = vec![from];
                if stopped & 1 << agent == 0 {
                    choices.extend(grid.neighbours(from));
                }
                let longer = joint.iter().flat_map(|begun| {
                    choices.iter().map(|&to| [begun.as_slice(), &[to]].concat()).collect::<Vec<_>>()
                });
                joint = longer.collect();
            }
            for next in joint {
                let clash = (0..next.len()).any(|a| {
                    (0..a).any(|b| {
                        next[a] == next[b]
                            || (next[a] == cells[b] && next[b] == cells[a] && next[a] != cells[a])
                    })
                });
                if !clash {
                    reach((next, stopped), now as u64 + moving);
                }
            }
        }
        now += 1;
        if now > 200 {
            return None;
        }
    }
    None
}

/// A small random instance with closures.
fn small(agents: std::ops::Range<usize>, side: u32) -> impl Strategy<Value = Instance> {
    let walls = prop::collection::vec(0u32..100, (side * side) as usize);
    (walls, agents, any::<bool>(), any::<u64>(), 1usize..10, 0u32..3, any::<bool>())
        .prop_filter_map(
            "there must be room for agents, and cells to close",
            move |(walls, agents, four, seed, changes, on_paths, keeps_goals)| {
                let neighbours = if four { Neighbours::Four } else { Neighbours::Eight };
                let rules = Rules { neighbours, ..Rules::default() };
                let is_floor = |x: u32, y: u32| walls[(y * side + x) as usize] >= 15;
                let grid = Grid::new(side, side, rules, is_floor).ok()?;
                let instance = Instance::draw(grid, Kind::Random, agents, seed).ok()?;
                let on_paths = f64::from(on_paths) / 2.0;
                let closures = Closures { changes, closed_for: 1..=8, on_paths, keeps_goals };
                let script = closures.draw(&instance, seed).ok()?;
                instance.with_script(script).ok()
            },
        )
}

/// Plays a run, and calls `look` before every tick in which the floor has changed.
fn watch(
    instance: &Instance,
    planner: &mut dyn Planner,
    ticks: u64,
    mut look: impl FnMut(&World),
) -> World {
    let mut world = instance.world();
    let mut player = ScriptPlayer::begin(instance.script(), &world);
    let mut moves = Moves::default();
    for _ in 0..ticks {
        player.play(&mut world);
        let is_edit = |change: &Change| matches!(change, Change::SetFloor { .. });
        if world.tick() == 0 || world.changes().iter().any(is_edit) {
            look(&world);
        }
        tick(&mut world, planner, &mut moves).expect("moves are legal");
    }
    world
}

/// The remaining problem, unless a start or a goal is a wall.
fn remaining(world: &World) -> Option<Instance> {
    let tasks = world.ours().map(|agent| (agent.cell, agent.goal)).collect();
    Instance::new(world.grid().clone(), tasks, Reach::Optional).ok()
}

/// The least cost of the remaining problem, by conflict-based search from nothing, if it is found within the limit of the planners.
fn best(world: &World) -> Option<u64> {
    let mut budget = Budget::expansions(u64::from(Effort::DEFAULT_LIMIT));
    let answer = Cbs::default().solve(&remaining(world)?, &mut budget, &mut |_| ());
    answer.best.map(|best| best.cost)
}

/// What the rest of a run costs if nothing changes any more: every agent's ticks until it is on its goal for good.
fn rest(world: &World, planner: &mut dyn Planner) -> u64 {
    let mut world = world.clone();
    let mut trace = Trace::begin(&world);
    let mut moves = Moves::default();
    while !world.have_all_arrived() && trace.ticks() < 200 {
        tick(&mut world, planner, &mut moves).unwrap();
        trace.record(&world);
    }
    assert!(world.have_all_arrived());
    Plan::of_trace(&trace).sum_of_costs()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn every_run_with_closures_is_legal_and_ends(instance in small(1..7, 8)) {
        let mut budget = Budget::expansions(20_000);
        let answer = Cbs::default().solve(&instance, &mut budget, &mut |_| ());
        // A closure for good may cut an agent off. Narrow maps may have no joint plan.
        let is_solvable = answer.best.is_some() && instance.script().len() % 2 == 0;
        for (name, recipe) in planners() {
            let outcome = run(&instance, recipe.build().as_mut(), 400);
            if is_solvable {
                prop_assert_eq!(outcome.ending, Ending::AllArrived, "{}", name);
            }
        }
    }

    /// At every change, what is done from then on costs as much as the best plan of the remaining problem.
    #[test]
    fn cbs_replan_is_optimal_for_the_remaining_problem(instance in small(1..4, 4)) {
        let mut wrong = None;
        watch(&instance, CbsReplan::default().build().as_mut(), 30, |world| {
            if best(world).is_none() {
                return;
            }
            let starts: Vec<Cell> = world.ours().map(|agent| agent.cell).collect();
            let goals: Vec<Cell> = world.ours().map(|agent| agent.goal).collect();
            let least = best_sum(world.grid(), &starts, &goals);
            let found = rest(world, CbsReplan::default().build().as_mut());
            if Some(found) != least {
                wrong = Some((world.tick(), found, least));
            }
        });
        prop_assert_eq!(wrong, None);
    }

    /// The cost of a repaired plan is never below that of the best one. A single agent that is searched for from where it is always
    /// takes a shortest path.
    #[test]
    fn repaired_plans_cost_no_less_than_the_best_one(instance in small(1..5, 6)) {
        let exact = ["replan", "dstar", "di, from the present", "di without slpa"];
        for (name, recipe) in planners().into_iter().filter(|(name, _)| !name.contains("slices")) {
            let mut last = None;
            let mut look = |world: &World| last = best(world).map(|least| (world.tick(), least));
            let world = watch(&instance, recipe.build().as_mut(), 80, &mut look);
            // Nothing disturbs the plan after the last change.
            if let (Some((since, least)), true) = (last, world.have_all_arrived()) {
                let outcome = run(&instance, recipe.build().as_mut(), 80);
                let plan = Plan::of_trace(outcome.trace.as_ref().unwrap());
                let left = plan.paths().iter().map(|path| path.cost().saturating_sub(since));
                let found: u64 = left.sum();
                prop_assert!(found >= least, "{}: {} after tick {}, least {}", name, found, since, least);
                if instance.tasks().len() == 1 && exact.contains(&name) {
                    prop_assert_eq!(found, least, "{} after tick {}", name, since);
                }
            }
        }
    }
}
