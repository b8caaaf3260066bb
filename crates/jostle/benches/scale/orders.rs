//! Mass orders: every agent gets a new goal in one tick.

use std::time::Duration;

use jostle::Level;

use crate::lifelong::{Lifelong, draw, grouped, shown};
use crate::options::Options;
use crate::side_for;

const AGENTS: usize = 100_000;
/// The ticks after the order.
const WATCHED: usize = 120;
/// How many of them are printed in a line.
const IN_A_LINE: usize = 12;

/// Prints the time of each tick after an order, and then a table.
pub fn orders(options: &Options) {
    println!("\nEvery agent of a lifelong crowd on 7% of the floor gets a new goal in one tick");
    let mut rows = Vec::new();
    for &level in &options.levels {
        for agents in options.sizes(&[AGENTS]) {
            for name in options.planners_for(agents) {
                rows.push(order(level, agents, name, options));
            }
        }
    }
    println!(
        "\n| map | agents | planner | slowest tick before, ms | slowest after | all have a next step after tick |"
    );
    println!("|---|--:|---|--:|--:|--:|");
    for row in &rows {
        println!("{row}");
    }
}

/// Gives one crowd an order, and returns its row.
fn order(level: Level, agents: usize, name: &str, options: &Options) -> String {
    let side = side_for(level, agents);
    let mut crowd = Lifelong::new(&draw(level, side, agents, 1), name, 1, options);
    let ticks = (0..options.ticks).map(|_| crowd.tick());
    let before = ticks.skip(options.ticks / 2).max();
    crowd.send_all();
    println!("\n{level}, {agents} agents, {name}: ms of the ticks after the order");
    let mut after = Duration::ZERO;
    let mut all_know = 0;
    for number in 1..=WATCHED {
        let took = crowd.tick();
        after = after.max(took);
        let end = if number % IN_A_LINE == 0 { "\n" } else { "" };
        print!("{:>9}{end}", shown(Some(took)));
        if without_step(&crowd) > 0 {
            all_know = number;
        }
    }
    let all_know = if all_know == WATCHED { "–".to_owned() } else { (all_know + 1).to_string() };
    let (agents, before, after) = (grouped(agents), shown(before), shown(Some(after)));
    format!("| {level} {side}x{side} | {agents} | {name} | {before} | {after} | {all_know} |")
}

/// How many agents that have not arrived have no next step, as far as the planner tells.
fn without_step(crowd: &Lifelong) -> usize {
    let walking = crowd.world.ours().filter(|agent| !agent.has_arrived());
    walking.filter(|agent| crowd.planner.wish(agent).is_none()).count()
}
