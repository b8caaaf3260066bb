//! Which few settings of real-time heuristic search are worth choosing from, and what would choosing gain?
//!
//! `cargo run --release -p jostle-select --example portfolio [-- MAP...]`: on maps of the MovingAI benchmark, or on built-in levels.
//!
//! As in chapter 4 of Sigurdson's thesis (2018): settings are drawn at random, each solves random problems on all maps, and portfolios are
//! formed from what they achieve: for choosing once for each map, and for choosing for each problem.

use std::error::Error;
use std::path::Path;

use jostle::formats::read_map;
use jostle::instance::draw_single;
use jostle::levels::Level;
use jostle::search::{Lrta, LrtaSearch, shortest_path};
use jostle::{Cell, Cost, Grid};
use jostle_select::{Portfolio, Results};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Settings that are drawn, and problems on each map.
const SETTINGS: usize = 200;
const PROBLEMS: usize = 20;
/// A walk that is so many times as long as the shortest path ends, and counts as just that.
const LONGEST: f64 = 1000.0;

fn main() -> Result<(), Box<dyn Error>> {
    let maps = maps()?;
    let mut problems = Vec::new();
    let mut map_of = Vec::new();
    for (number, grid) in maps.iter().enumerate() {
        for ends in draw_single(grid, PROBLEMS, 1)? {
            let (best, _) = shortest_path(grid, ends.0, ends.1).ok_or("a goal out of reach")?;
            problems.push((grid, ends, best));
            map_of.push(number);
        }
    }
    let mut dice = ChaCha8Rng::seed_from_u64(1);
    let settings: Vec<Lrta> = (0..SETTINGS).map(|_| Lrta::draw(&mut dice)).collect();
    let mut results = Results::of_problems(problems.len())?;
    let mut search = LrtaSearch::default();
    for lrta in &settings {
        let costs = problems.iter().map(|problem| suboptimality(&mut search, lrta, *problem));
        results.add(&costs.collect::<Vec<f32>>())?;
    }
    println!(
        "{SETTINGS} settings on {} problems on {} maps; means of how many times as long as",
        problems.len(),
        maps.len()
    );
    println!("the shortest path walks are, at most {LONGEST}");
    show("for each map", &results.grouped(&map_of)?, &settings);
    show("for each problem", &results, &settings);
    Ok(())
}

/// The maps of the command line, or one of each kind of level.
fn maps() -> Result<Vec<Grid>, Box<dyn Error>> {
    let named: Vec<String> = std::env::args().skip(1).collect();
    if named.is_empty() {
        return Ok(Level::ALL
            .iter()
            .map(|level| level.generate(96, 96, 1))
            .collect::<Result<_, _>>()?);
    }
    Ok(named.iter().map(|name| read_map(Path::new(name))).collect::<Result<_, _>>()?)
}

/// How many times as long as the shortest path a walk is.
fn suboptimality(
    search: &mut LrtaSearch,
    lrta: &Lrta,
    (grid, ends, best): (&Grid, (Cell, Cell), Cost),
) -> f32 {
    let most = (best.as_f64() * LONGEST) as u64;
    let walk = search.walk(grid, ends, lrta, most, |_| ());
    let times = walk.cost.as_f64() / best.as_f64();
    (if walk.has_arrived { times.min(LONGEST) } else { LONGEST }) as f32
}

fn show(choosing: &str, results: &Results, settings: &[Lrta]) {
    let portfolio = Portfolio::greedy(results, 4);
    let of = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.2}"));
    println!(
        "\nchoosing {choosing}: single best {}, best of all {}",
        of(results.best().map(|best| best.1)),
        of(results.perfect())
    );
    for (&member, value) in portfolio.members.iter().zip(&portfolio.values) {
        let Lrta { w, wc, b, lop, da, expendable } = settings[member];
        println!(
            "{value:8.2} with w={w:.2} wc={wc:.2} b={b:.2} lop={lop:?} da={da} expendable={expendable}"
        );
    }
}
