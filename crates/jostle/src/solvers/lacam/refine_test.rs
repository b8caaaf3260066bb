use rand::RngExt;

use super::*;
use crate::instance::{Instance, Kind};
use crate::planners::{Jostle, Planner, Recipe};
use crate::simulate::tick;
use crate::world::{Moves, World};

fn cells(world: &World) -> impl Iterator<Item = Cell> + Clone {
    world.ours().map(|agent| agent.cell)
}

/// What a planner does, as a plan that is made step by step.
fn rehearsed(instance: &Instance) -> (Refiner, GoalDistances) {
    let refining = Refining { seed: 1, batch: 1, threads: 1, most_work: u64::MAX };
    let grid = instance.shared_grid().clone();
    let mut distances = GoalDistances::to(&grid, instance.tasks().iter().map(|&(_, goal)| goal));
    let mut refiner = Refiner::new(grid, Vec::new(), Objective::SumOfCosts, refining);
    let (mut world, mut moves) = (instance.world(), Moves::default());
    let mut planner: Box<dyn Planner> = Jostle::default().build();
    refiner.stand(cells(&world));
    while !world.have_all_arrived() {
        tick(&mut world, planner.as_mut(), &mut moves).unwrap();
        refiner.extend(cells(&world));
    }
    let starts = instance.tasks().iter().enumerate();
    refiner.complete(starts.map(|(agent, &(start, _))| distances.get(agent, start)).collect());
    (refiner, distances)
}

/// Who is where and when, by the paths.
fn plain_visits(scene: &Scene) -> Visits {
    let mut visits = Visits::on(&scene.grid);
    for (agent, path) in scene.paths.iter().enumerate() {
        visits.add(agent, &path.cells, 0);
    }
    visits
}

#[test]
fn a_plan_is_made_better_while_it_is_followed_and_what_has_passed_stays() {
    let mut dice = ChaCha8Rng::seed_from_u64(3);
    for seed in 0..10 {
        let grid = Grid::new(12, 12, crate::grid::Rules::default(), |_, _| dice.random_ratio(7, 8));
        let instance = Instance::draw(grid.unwrap(), Kind::Random, 40, seed).unwrap();
        let (mut refiner, mut distances) = rehearsed(&instance);
        let first = refiner.cost();
        assert_eq!(refiner.scene.visits, plain_visits(&refiner.scene));
        let mut past: Vec<Vec<Cell>> = Vec::new();
        while !refiner.is_over() {
            let now = past.len() as u32;
            past.push(refiner.cells(now).collect());
            refiner.pass(now, &mut distances);
            for _ in 0..20 {
                let before = refiner.cost();
                refiner.improve(&mut distances);
                assert!(refiner.cost() <= before);
            }
            assert_eq!(refiner.scene.visits, plain_visits(&refiner.scene));
            let plan = refiner.plan();
            assert_eq!((plan.first_conflict(), plan.sum_of_costs()), (None, refiner.cost()));
            assert!(plan.is_walkable());
            for (tick, cells) in past.iter().enumerate() {
                assert!(refiner.cells(tick as u32).eq(cells.iter().copied()), "tick {tick}");
            }
        }
        let goals = instance.tasks().iter().map(|&(_, goal)| goal);
        assert!(refiner.cells(u32::MAX).eq(goals));
        assert!(refiner.cost() < first, "seed {seed}: {first}");
    }
}
