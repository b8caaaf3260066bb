//! Mass orders: every agent gets a new goal in one tick.

use std::time::Duration;

use crate::lifelong::{Lifelong, draw, shown};
use crate::options::Options;
use crate::side_for;

const AGENTS: usize = 100_000;
/// The ticks after the order.
const WATCHED: usize = 120;

/// Prints the time of each tick after an order, and how many agents have no next step yet.
pub fn orders(options: &Options) {
    println!("\nEvery agent of a lifelong crowd on 7% of the floor gets a new goal in one tick");
    for &level in &options.levels {
        for agents in options.sizes(&[AGENTS]) {
            for name in options.planners_for(agents) {
                let instance = draw(level, side_for(level, agents), agents, 1);
                let mut crowd = Lifelong::new(&instance, name, 1, options);
                let before: Vec<Duration> =
                    (0..options.ticks).map(|_| crowd.tick()).skip(options.ticks / 2).collect();
                crowd.send_all();
                println!("\n{level}, {agents} agents, {name}: ms, and agents without a next step");
                let (mut slowest, mut last_without) = (Duration::ZERO, None);
                for number in 1..=WATCHED {
                    let took = crowd.tick();
                    let without = without_step(&crowd);
                    println!("{number:4} {:>9} {without:>8}", shown(Some(took)));
                    slowest = slowest.max(took);
                    last_without = (without > 0).then_some(number).or(last_without);
                }
                let routed = last_without.map_or(1, |number| number + 1);
                let usual = shown(before.iter().max().copied());
                println!(
                    "slowest tick {} (before the order {usual}), all have a next step after tick {routed}",
                    shown(Some(slowest))
                );
            }
        }
    }
}

/// How many agents that have not arrived have no next step, as far as the planner tells.
fn without_step(crowd: &Lifelong) -> usize {
    let walking = crowd.world.ours().filter(|agent| !agent.has_arrived());
    walking.filter(|agent| crowd.planner.wish(agent).is_none()).count()
}
