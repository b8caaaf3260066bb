use jostle::planners::Registry;
use jostle::{Grid, Simulation, World};

use super::*;

/// Chooses by the number of agents: one candidate for one agent, the other for more.
#[derive(Clone, Debug, Default)]
struct ByCrowd {
    choices: std::sync::Arc<std::sync::atomic::AtomicUsize>,
}

impl Predict for ByCrowd {
    fn predict(&mut self, sight: Sight<'_>) -> Vec<f32> {
        self.choices.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let is_crowd = sight.tasks.len() > 1;
        vec![f32::from(u8::from(is_crowd)), 0.5]
    }
}

impl ByCrowd {
    fn count(&self) -> usize {
        self.choices.load(std::sync::atomic::Ordering::Relaxed)
    }
}

fn auto(predictor: &ByCrowd) -> Auto<ByCrowd> {
    Auto::new(predictor.clone(), &["bmaa", "pibt"], Registry::builtin()).unwrap()
}

fn tick(world: &mut World, planner: &mut dyn Planner) {
    let mut moves = Moves::waiting(world);
    planner.plan(world, &mut moves);
    world.advance(&moves).unwrap();
}

fn field() -> World {
    World::new(Grid::open(20, 20).unwrap())
}

fn at(world: &World, x: u32, y: u32) -> Cell {
    world.grid().at(x, y).unwrap()
}

#[test]
fn it_chooses_in_the_first_tick_and_not_again_while_nothing_changes() {
    let predictor = ByCrowd::default();
    let mut planner = auto(&predictor);
    let mut world = field();
    let (start, goal) = (at(&world, 0, 0), at(&world, 19, 19));
    let agent = world.add(start, goal).unwrap();
    assert!(planner.chosen().is_none());
    for _ in 0..100 {
        tick(&mut world, &mut planner);
    }
    assert_eq!((predictor.count(), planner.chosen().unwrap().text()), (1, "bmaa"));
    assert!(world.agent(agent).unwrap().has_arrived());
}

#[test]
fn it_chooses_again_after_a_large_change_but_not_too_soon() {
    let predictor = ByCrowd::default();
    let mut planner = auto(&predictor);
    let mut world = field();
    let (start, goal) = (at(&world, 0, 0), at(&world, 19, 19));
    world.add(start, goal).unwrap();
    tick(&mut world, &mut planner);
    for x in 5..10 {
        let (start, goal) = (at(&world, x, 5), at(&world, x, 15));
        world.add(start, goal).unwrap();
    }
    tick(&mut world, &mut planner);
    assert_eq!(planner.chosen().unwrap().text(), "bmaa");
    while world.tick() < 64 {
        tick(&mut world, &mut planner);
        assert_eq!(predictor.count(), 1);
    }
    tick(&mut world, &mut planner);
    assert_eq!((predictor.count(), planner.chosen().unwrap().text()), (2, "pibt"));
}

#[test]
fn edits_of_the_floor_are_a_large_change_when_they_are_many() {
    let predictor = ByCrowd::default();
    let mut planner = auto(&predictor);
    planner.attention().pause = 1;
    let mut world = field();
    let (start, goal) = (at(&world, 0, 0), at(&world, 19, 19));
    world.add(start, goal).unwrap();
    tick(&mut world, &mut planner);
    // Two per cent of 400 cells are eight.
    for x in 2..9 {
        let cell = at(&world, x, 10);
        world.set_floor(cell, false).unwrap();
        tick(&mut world, &mut planner);
    }
    assert_eq!(predictor.count(), 1);
    let cell = at(&world, 9, 10);
    world.set_floor(cell, false).unwrap();
    tick(&mut world, &mut planner);
    assert_eq!(predictor.count(), 2);
}

#[test]
fn in_another_world_it_chooses_at_once() {
    let predictor = ByCrowd::default();
    let mut planner = auto(&predictor);
    let mut world = field();
    let (start, goal) = (at(&world, 0, 0), at(&world, 19, 19));
    world.add(start, goal).unwrap();
    let saved = world.clone();
    for _ in 0..5 {
        tick(&mut world, &mut planner);
    }
    let mut back = saved;
    tick(&mut back, &mut planner);
    assert_eq!(predictor.count(), 2);
    let mut other = World::new(Grid::open(12, 12).unwrap());
    for x in 0..3 {
        let (start, goal) = (at(&other, x, 0), at(&other, x, 9));
        other.add(start, goal).unwrap();
    }
    tick(&mut other, &mut planner);
    assert_eq!((predictor.count(), planner.chosen().unwrap().text()), (3, "pibt"));
}

#[test]
fn it_moves_agents_exactly_as_the_chosen_planner_does() {
    let run = |planner: &mut dyn Planner| {
        let mut world = field();
        for x in 0..15 {
            let (start, goal) = (at(&world, x, 0), at(&world, 19 - x, 19));
            world.add(start, goal).unwrap();
        }
        let mut cells = Vec::new();
        for _ in 0..60 {
            tick(&mut world, planner);
            cells.extend(world.agents().map(|agent| agent.cell));
        }
        cells
    };
    let mut alone = Registry::builtin().parse("pibt").unwrap().build();
    assert_eq!(run(&mut auto(&ByCrowd::default())), run(alone.as_mut()));
}

#[test]
fn it_can_be_asked_for_by_name() {
    let mut registry = Registry::builtin().clone();
    registry.add(auto(&ByCrowd::default()).entry()).unwrap();
    let spec = registry.parse("auto:pause=5:agents=0.1").unwrap();
    let mut world = field();
    let (start, goal) = (at(&world, 3, 3), at(&world, 9, 9));
    world.add(start, goal).unwrap();
    let mut planner = spec.build();
    let simulation = Simulation::new(&mut world, planner.as_mut());
    let outcome = simulation.run().unwrap();
    assert!((outcome.metrics.completion_rate() - 1.0).abs() < 1e-9);
    assert!(registry.parse("auto:pause=0").is_err());
}

#[test]
fn planners_that_are_not_there_are_named() {
    let refused =
        |names: &[&str]| Auto::new(ByCrowd::default(), names, Registry::builtin()).unwrap_err();
    let said = refused(&["pibt", "teleport"]);
    assert!(said.starts_with("the model chooses 'teleport', and this build cannot: there is no"));
    assert_eq!(refused(&[]), "the model has no planners to choose from");
}
