//! A long and busy game with the default planner: agents get new goals as soon as they arrive, walls come and
//! go, agents join and leave, foreign ones walk about. No move is illegal, memory does not grow, and every
//! agent arrives in time.

mod counting;

use std::collections::HashSet;
use std::ops::ControlFlow;

use counting::Measured;
use jostle::check::check_trace;
use jostle::grid::Components;
use jostle::instance::Kind;
use jostle::planners::{Jostle, Recipe};
use jostle::{AgentId, Cell, Instance, Level, Limits, Simulation, World};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const TICKS: u64 = 100_000;
/// Runs are checked in parts, so that their traces need not be kept.
const PART: u64 = 1_000;
const AGENTS: usize = 500;
const FOREIGN: usize = 10;
const WALLS: usize = 30;
/// The most ticks that an agent may need to its goal while there is a path.
const PATIENCE: u64 = 2_000;

/// The game around the planner.
struct Game {
    rng: ChaCha8Rng,
    floor: Vec<Cell>,
    walls: Vec<Cell>,
    foreign: Vec<AgentId>,
    /// By slot, the agent and the tick since which it has been walking to its goal.
    since: Vec<(AgentId, u64)>,
    longest: u64,
}

impl Game {
    fn new(world: &mut World) -> Self {
        let mut game = Self {
            rng: ChaCha8Rng::seed_from_u64(1),
            floor: world.grid().floor_cells().collect(),
            walls: Vec::new(),
            foreign: Vec::new(),
            since: Vec::new(),
            longest: 0,
        };
        for _ in 0..FOREIGN {
            let cell = game.free_cell(world);
            game.foreign.push(world.add_foreign(cell).unwrap());
        }
        game
    }

    fn free_cell(&mut self, world: &World) -> Cell {
        loop {
            let cell = self.floor[self.rng.random_range(0..self.floor.len())];
            if world.grid().is_floor(cell) && !world.is_occupied(cell) {
                return cell;
            }
        }
    }

    /// A cell that is not the goal of any agent: two agents with one goal would push each other off it for
    /// ever.
    fn free_goal(&mut self, world: &World) -> Cell {
        let goals: HashSet<Cell> = world.ours().map(|agent| agent.goal).collect();
        loop {
            let cell = self.floor[self.rng.random_range(0..self.floor.len())];
            if world.grid().is_floor(cell) && !goals.contains(&cell) {
                return cell;
            }
        }
    }

    fn change(&mut self, world: &mut World) {
        let ours: Vec<_> = world.ours().map(|agent| (agent.id, agent.has_arrived())).collect();
        for _ in 0..8 {
            let (agent, has_arrived) = ours[self.rng.random_range(0..ours.len())];
            if has_arrived {
                let goal = self.free_goal(world);
                world.send(agent, goal).unwrap();
            }
        }
        if world.tick().is_multiple_of(3) {
            self.stroll(world);
        }
        if world.tick().is_multiple_of(50) {
            self.build(world);
        }
        if world.tick().is_multiple_of(100) {
            world.remove(ours[self.rng.random_range(0..ours.len())].0).unwrap();
            let (cell, goal) = (self.free_cell(world), self.free_goal(world));
            world.add(cell, goal).unwrap();
        }
    }

    fn stroll(&mut self, world: &mut World) {
        for &agent in &self.foreign {
            let from = world.agent(agent).unwrap().cell;
            let near: Vec<_> =
                world.grid().neighbours(from).filter(|&cell| !world.is_occupied(cell)).collect();
            if !near.is_empty() {
                let to = near[self.rng.random_range(0..near.len())];
                world.place(agent, to).unwrap();
            }
        }
    }

    fn build(&mut self, world: &mut World) {
        let cell = self.free_cell(world);
        if world.ours().all(|agent| agent.goal != cell) {
            world.set_floor(cell, false).unwrap();
            self.walls.push(cell);
        }
        if self.walls.len() > WALLS {
            world.set_floor(self.walls.remove(0), true).unwrap();
        }
    }

    /// Checks how long every agent has been walking to a goal that it could reach.
    fn watch(&mut self, world: &World) {
        let (now, grid) = (world.tick(), world.grid());
        let components = now.is_multiple_of(25).then(|| Components::of(grid));
        let unknown = (world.in_slot(0).unwrap().id, now);
        self.since.resize(world.slots(), unknown);
        for agent in world.ours() {
            let since = &mut self.since[agent.slot()];
            let is_cut_off = world.is_foreign(agent.goal)
                || components.as_ref().is_some_and(|c| !c.reaches(grid, agent.cell, agent.goal));
            if since.0 != agent.id || agent.has_arrived() || is_cut_off {
                *since = (agent.id, now);
            }
            let waited = now - since.1;
            self.longest = self.longest.max(waited);
            let (from, to) = (grid.position(agent.cell), grid.position(agent.goal));
            assert!(waited <= PATIENCE, "{from:?} to {to:?} since tick {}", since.1);
        }
    }
}

#[test]
fn every_agent_arrives_in_time_in_a_long_and_busy_game() {
    let grid = Level::Cave.generate(80, 80, 1).unwrap();
    let mut world = Instance::draw(grid, Kind::Random, AGENTS, 1).unwrap().world();
    let mut planner = Measured::new(|| Jostle::default().build());
    let mut game = Game::new(&mut world);
    let mut memory = Vec::new();
    for _ in 0..TICKS / PART {
        let outcome = Simulation::new(&mut world, &mut planner)
            .limits(Limits::ticks(PART))
            .traced()
            .between(|world| {
                game.watch(world);
                game.change(world);
                ControlFlow::Continue(())
            })
            .run()
            .expect("no planner proposes an illegal move");
        check_trace(outcome.trace.as_ref().unwrap()).expect("the checker accepts every part");
        memory.push(planner.live);
    }
    // Medians, because a plan for a knot that happens to be under way is no growth.
    let half = |parts: &[i64]| {
        let mut parts = parts.to_vec();
        parts.sort_unstable();
        parts[parts.len() / 2]
    };
    let (early, late) = (half(&memory[5..memory.len() / 2]), half(&memory[memory.len() / 2..]));
    let most = memory.iter().max().unwrap();
    println!("the longest journey took {} ticks; {early}, {late}, {most} bytes", game.longest);
    assert!(late as f64 <= early as f64 * 1.1, "memory grew from {early} to {late} bytes");
    assert!(*most <= 2 * early, "{most} bytes for a while, {early} in the median");
}
