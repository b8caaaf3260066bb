//! PIBT on the benchmark's first random scenarios with four neighbours: whether everybody arrives, in how many ticks and with
//! which sum of costs, how long the set-up and a step take, and how much memory it needs.
//!
//! `JOSTLE_MAPS=... cargo bench -p jostle --bench pibt [-- MAP [AGENTS]] [OPTIONS] [count]`: only one map, or any other scenario of the
//! benchmark; options of `pibt`, as in `:ties=random`; with `count`, also how many instructions the first tick and the others cost,
//! counted by callgrind.
//!
//! Times are those of the processor, which a single thread uses. The set-up is the first tick, in which every agent's distance to
//! its goal is found. A step is what the planner does in any later tick, over the number of agents; what is left to search of the
//! distances is part of it. "cost over bound" compares the sum of costs with that of agents that do not meet.

mod common;

use std::hint::black_box;
use std::time::Duration;

use common::{instructions_in, mapf_instance};
use cpu_time::ProcessTime;
use jostle::check::Checker;
use jostle::planners::{Planner, planner};
use jostle::solvers::Distances;
use jostle::{Agent, Instance, Moves, World};

/// A map and a number of agents.
const ROWS: [(&str, usize); 10] = [
    ("random-32-32-20", 100),
    ("random-32-32-20", 200),
    ("random-32-32-20", 400),
    ("den520d", 100),
    ("den520d", 500),
    ("den520d", 1000),
    ("ost003d", 1000),
    ("brc202d", 1000),
    ("warehouse-10-20-10-2-1", 1000),
    ("warehouse-20-40-10-2-2", 1000),
];

/// More ticks than any of these crowds needs, unless it is locked.
const MOST_TICKS: u64 = 10_000;

/// How many ticks are counted by callgrind, besides the first.
const COUNTED_TICKS: u64 = 200;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    if let [first, name, map, agents] = &words[..]
        && first == "--once"
    {
        return run_once(name, map, agents.parse().expect("a number of agents"));
    }
    let options = words.iter().find(|word| word.starts_with(':')).map_or("", String::as_str);
    let (name, is_counting) = (format!("pibt{options}"), words.iter().any(|word| word == "count"));
    println!("{name}, at most {MOST_TICKS} ticks");
    println!(
        "{:22} {:>6} {:>7} {:>8} {:>8} {:>7} {:>8} {:>8} {:>6} {:>9} {:>9}",
        "map",
        "agents",
        "arrived",
        "makespan",
        "sum",
        "/ bound",
        "set-up s",
        "ns/step",
        "MB",
        "set-up Mi",
        "i/step"
    );
    let agents = words.iter().find_map(|word| word.parse().ok());
    let map = words
        .iter()
        .find(|word| !word.starts_with(':') && word.parse::<u32>().is_err() && *word != "count");
    let rows: Vec<(&str, usize)> = match (map, agents) {
        (Some(map), Some(agents)) => vec![(map, agents)],
        (Some(map), None) => ROWS.into_iter().filter(|row| row.0 == map).collect(),
        (None, _) => ROWS.to_vec(),
    };
    for (map, agents) in rows {
        match mapf_instance(map, agents) {
            Some(instance) => row(&name, (map, &instance), is_counting),
            None => println!("{map}: map missing (JOSTLE_MAPS names a folder with mapf/{map}.map)"),
        }
    }
}

/// A run until everybody has arrived, or for as many ticks as are allowed.
struct Run {
    set_up: Duration,
    steps: Duration,
    ticks: u64,
    arrived: usize,
    sum_of_costs: u64,
    memory: usize,
}

fn run(name: &str, instance: &Instance) -> Run {
    let mut planner = planner(name).expect("options of pibt");
    let (mut world, mut moves) = (instance.world(), Moves::default());
    let mut checker = Checker::begin(world.grid(), world.agents()).expect("a legal instance");
    let (mut set_up, mut steps) = (Duration::ZERO, Duration::ZERO);
    // The tick at which each agent was last seen away from its goal, plus one: when it arrived for good.
    let mut costs = vec![0; world.slots()];
    while !world.have_all_arrived() && world.tick() < MOST_TICKS {
        for agent in world.agents().filter(|agent| !agent.has_arrived()) {
            costs[agent.slot()] = world.tick() + 1;
        }
        moves.reset(&world);
        let begin = ProcessTime::now();
        if world.tick() == 0 {
            first_plan(planner.as_mut(), &world, &mut moves);
            set_up = begin.elapsed();
        } else {
            later_plan(planner.as_mut(), &world, &mut moves);
            steps += begin.elapsed();
        }
        world.advance(&moves).expect("legal moves");
        checker.tick(&[], world.configuration().cells()).expect("legal moves");
    }
    Run {
        set_up,
        steps,
        ticks: world.tick(),
        arrived: world.agents().filter(Agent::has_arrived).count(),
        sum_of_costs: costs.iter().sum(),
        memory: planner.memory(),
    }
}

// Callgrind finds these two by their names. If they were equal, they would become one function.
#[inline(never)]
fn first_plan(planner: &mut dyn Planner, world: &World, moves: &mut Moves) {
    black_box(planner.plan(world, moves));
}

#[inline(never)]
fn later_plan(planner: &mut dyn Planner, world: &World, moves: &mut Moves) {
    planner.plan(world, moves);
}

/// What callgrind counts: the first ticks of a run.
fn run_once(name: &str, map: &str, agents: usize) {
    let instance = mapf_instance(map, agents).expect("a map of the benchmark");
    let mut planner = planner(name).expect("options of pibt");
    let (mut world, mut moves) = (instance.world(), Moves::default());
    for tick in 0..=COUNTED_TICKS {
        moves.reset(&world);
        let plan = if tick == 0 { first_plan } else { later_plan };
        plan(planner.as_mut(), &world, &mut moves);
        world.advance(&moves).expect("legal moves");
    }
}

fn row(name: &str, (map, instance): (&str, &Instance), is_counting: bool) {
    let agents = instance.tasks().len();
    let run = run(name, instance);
    let distance = |&(start, goal)| Distances::to(instance.grid(), [goal]).get(0, start);
    let bound: u32 = instance.tasks().iter().filter_map(distance).sum();
    let agent_ticks = agents as f64 * run.ticks.saturating_sub(1).max(1) as f64;
    print!(
        "{map:22} {agents:6} {:7} {:8} {:8} {:7.3} {:8.3} {:8.1} {:6.1}",
        run.arrived,
        run.ticks,
        run.sum_of_costs,
        run.sum_of_costs as f64 / f64::from(bound.max(1)),
        run.set_up.as_secs_f64(),
        run.steps.as_secs_f64() * 1e9 / agent_ticks,
        run.memory as f64 / 1e6,
    );
    if is_counting {
        let words = ["--once", name, map, &agents.to_string()];
        let count =
            |pattern| instructions_in(pattern, &words).map_or(f64::NAN, |count| count as f64);
        let (first, later) = (count("*first_plan*"), count("*later_plan*"));
        print!(" {:9.1} {:9.0}", first / 1e6, later / (agents as f64 * COUNTED_TICKS as f64));
    }
    println!();
}
