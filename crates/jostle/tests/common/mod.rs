//! What tests of planners share: random worlds, and random changes that the game makes.

// Each test uses only some of this.
#![allow(dead_code)]

use std::ops::ControlFlow;

use jostle::check::check_trace;
use jostle::instance::Kind;
use jostle::planners::Planner;
use jostle::simulate::Outcome;
use jostle::{CornerRule, Crossing, Grid, Instance, Limits, Neighbours, Rules, Simulation, World};
use proptest::prelude::*;

/// A change that the game makes before a tick. Its numbers are taken modulo the number of agents or cells, so
/// that they fit any world.
#[derive(Clone, Debug)]
pub enum GameChange {
    Send(usize, usize),
    Toggle(usize),
    Join(usize, usize),
    Leave(usize),
    Place(usize, usize),
}

pub fn apply(world: &mut World, change: &GameChange) {
    let cells = world.grid().cells().len();
    let grid = world.shared_grid().clone();
    let cell = |index: usize| grid.cell(index % cells).unwrap();
    let agents: Vec<_> = world.agents().map(|agent| (agent.id, agent.ours)).collect();
    let agent = |index: usize| agents.get(index % agents.len().max(1)).map(|(id, _)| *id);
    // Changes may be impossible. The world refuses those, which is fine.
    let _ = match *change {
        GameChange::Send(number, to) => agent(number).map(|id| world.send(id, cell(to)).is_ok()),
        GameChange::Toggle(at) => {
            let is_floor = grid.is_floor(cell(at));
            Some(world.set_floor(cell(at), !is_floor).is_ok())
        }
        GameChange::Join(at, to) if to % 3 == 0 => Some(world.add_foreign(cell(at)).is_ok()),
        GameChange::Join(at, to) => Some(world.add(cell(at), cell(to)).is_ok()),
        GameChange::Leave(number) => agent(number).map(|id| world.remove(id).is_ok()),
        GameChange::Place(number, to) => agent(number).map(|id| world.place(id, cell(to)).is_ok()),
    };
}

pub fn run(
    world: &World,
    planner: &mut dyn Planner,
    ticks: u64,
    game_changes: &[(u64, GameChange)],
) -> Outcome {
    let mut world = world.clone();
    let outcome = Simulation::new(&mut world, planner)
        .limits(Limits::ticks(ticks))
        .traced()
        .between(|world| {
            let now = world.tick();
            game_changes
                .iter()
                .filter(|(tick, _)| *tick == now)
                .for_each(|(_, change)| apply(world, change));
            ControlFlow::Continue(())
        })
        .run()
        .expect("a planner never proposes an illegal move");
    check_trace(outcome.trace.as_ref().unwrap()).expect("the checker accepts every run");
    outcome
}

pub fn rules() -> impl Strategy<Value = Rules> {
    let corners = prop::sample::select(vec![
        CornerRule::BothFree,
        CornerRule::BothFree,
        CornerRule::OneFree,
        CornerRule::Ignored,
    ]);
    let neighbours = prop_oneof![3 => Just(Neighbours::Eight), 1 => Just(Neighbours::Four)];
    (neighbours, corners).prop_map(|(neighbours, corners)| Rules {
        neighbours,
        corners,
        ..Rules::default()
    })
}

/// The same, with diagonals that may not cross half of the time.
pub fn all_rules() -> impl Strategy<Value = Rules> {
    let crossing = prop::sample::select(vec![Crossing::Allowed, Crossing::Forbidden]);
    (rules(), crossing).prop_map(|(rules, crossing)| Rules { crossing, ..rules })
}

/// Random walls, with agents drawn on them.
pub fn cluttered() -> impl Strategy<Value = World> {
    cluttered_under(rules())
}

/// The same under these rules.
pub fn cluttered_under(rules: impl Strategy<Value = Rules>) -> impl Strategy<Value = World> {
    (4u32..24, 4u32..24, 0u32..40, rules, 1usize..40, any::<u64>()).prop_flat_map(
        |(width, height, walls, rules, agents, seed)| {
            prop::collection::vec(0u32..100, (width * height) as usize).prop_filter_map(
                "there must be room for agents",
                move |draws| {
                    let is_floor = |x: u32, y: u32| draws[(y * width + x) as usize] >= walls;
                    let grid = Grid::new(width, height, rules, is_floor).ok()?;
                    let room = grid.floor_cells().count() / 2;
                    let agents = agents.min(room);
                    Instance::draw(grid, Kind::Random, agents, seed).ok().map(|i| i.world())
                },
            )
        },
    )
}

pub fn game_changes() -> impl Strategy<Value = Vec<(u64, GameChange)>> {
    let number = || 0usize..10_000;
    let change = prop_oneof![
        (number(), number()).prop_map(|(agent, to)| GameChange::Send(agent, to)),
        number().prop_map(GameChange::Toggle),
        (number(), number()).prop_map(|(at, to)| GameChange::Join(at, to)),
        number().prop_map(GameChange::Leave),
        (number(), number()).prop_map(|(agent, to)| GameChange::Place(agent, to)),
    ];
    prop::collection::vec((0u64..60, change), 0..40)
}
