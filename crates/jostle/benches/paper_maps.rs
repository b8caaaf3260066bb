//! Times of BMAA\* on the ten maps of the paper, beside the plain transcription in the test tree.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

mod common;
#[path = "../tests/plain/mod.rs"]
mod plain;

use std::time::{Duration, Instant};

use common::{PAPER_MAPS, crowd, paper_map};
use jostle::Instance;
use jostle::Moves;
use jostle::planners::bmaa::BmaaPlanner;
use jostle::planners::{Bmaa, Planner};
use jostle::simulate::tick;
use plain::PlainBmaa;

fn time(instance: &Instance, planner: &mut dyn Planner, ticks: u64) -> (Duration, u64, u64) {
    let mut world = instance.world();
    let mut moves = Moves::default();
    let begin = Instant::now();
    let mut exp = 0;
    let mut searches = 0;
    for _ in 0..ticks {
        let w = tick(&mut world, planner, &mut moves).unwrap();
        exp += w.expansions;
        searches += w.searches;
    }
    (begin.elapsed() / ticks as u32, exp, searches)
}

fn main() {
    let ticks = 512;
    for name in PAPER_MAPS {
        let Some(grid) = paper_map(name) else {
            println!("no JOSTLE_MAPS");
            return;
        };
        for agents in [400, 2000] {
            let instance = crowd(grid.clone(), agents);
            for flow in [false] {
                let options = Bmaa {
                    flow,
                    ..Bmaa::default()
                };
                let mut planner = BmaaPlanner::new(options);
                let (ours, exp, searches) = time(&instance, &mut planner, ticks);
                let (plain, _, _) = time(&instance, &mut PlainBmaa::new(options), ticks);
                println!(
                    "{name:20} {agents:5} ours {:8.1} us plain {:9.1} us ratio {:.1}  exp/tick {} searches/tick {} ns/exp {:.0}",
                    ours.as_secs_f64() * 1e6,
                    plain.as_secs_f64() * 1e6,
                    plain.as_secs_f64() / ours.as_secs_f64(),
                    exp / ticks,
                    searches / ticks,
                    ours.as_secs_f64() * 1e9 * ticks as f64 / exp as f64
                );
            }
        }
    }
}
