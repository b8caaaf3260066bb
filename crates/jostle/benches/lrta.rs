//! How many moves real-time heuristic search makes in a second, on the maps of the BMAA\* paper and on one core.
//!
//! `JOSTLE_MAPS=... cargo bench -p jostle --bench lrta`

mod common;

use std::time::{Duration, Instant};

use common::{PAPER_MAPS, paper_map};
use jostle::instance::draw_single;
use jostle::search::{Learning, Lrta, LrtaSearch};

/// Problems on each map, and the most moves for each.
const PROBLEMS: usize = 50;
const MOST_MOVES: u64 = 100_000;

fn main() {
    let plain = Lrta::default();
    let settings = [
        ("plain", plain),
        ("w=2", Lrta { w: 2.0, ..plain }),
        ("lop=avg, b=0.5", Lrta { lop: Learning::Mean, b: 0.5, ..plain }),
        ("da", Lrta { da: true, ..plain }),
        ("expendable", Lrta { expendable: true, ..plain }),
        (
            "w=3, lop=max, da, expendable",
            Lrta { w: 3.0, lop: Learning::Max, da: true, expendable: true, ..plain },
        ),
    ];
    println!(
        "{:30} {:>8} {:>12} {:>14} {:>9}",
        "setting", "arrived", "moves", "million/s", "bytes"
    );
    for (name, lrta) in settings {
        let mut search = LrtaSearch::default();
        let (mut arrived, mut moves, mut time, mut most) = (0, 0, Duration::ZERO, 0);
        for map in PAPER_MAPS {
            let Some(grid) = paper_map(map) else {
                println!("This needs JOSTLE_MAPS, a folder with paper/{map}.map.");
                return;
            };
            let problems = draw_single(&grid, PROBLEMS, 1).expect("a map with room for one agent");
            let begin = Instant::now();
            for problem in problems {
                let walk = search.walk(&grid, problem, &lrta, MOST_MOVES, |_| ());
                arrived += usize::from(walk.has_arrived);
                moves += walk.moves;
            }
            time += begin.elapsed();
            most = most.max(search.memory());
        }
        let rate = moves as f64 / time.as_secs_f64() / 1e6;
        let of = PAPER_MAPS.len() * PROBLEMS;
        println!("{name:30} {:>8} {moves:>12} {rate:>14.1} {most:>9}", format!("{arrived}/{of}"));
    }
}
