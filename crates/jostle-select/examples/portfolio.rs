//! Which few settings of real-time heuristic search are worth choosing from, and what would choosing gain?
//!
//! `cargo run --release -p jostle-select --example portfolio [-- MAP...]`: on maps of the MovingAI benchmark, or on built-in levels.
//!
//! As in chapter 4 of Sigurdson's thesis (2018): settings are drawn at random, each solves random problems on all maps, and portfolios are
//! formed from what they achieve on three quarters of the maps: for choosing once for each map, and for choosing for each problem. What a
//! perfect chooser would gain with them is measured on the other maps, too.

use std::error::Error;
use std::path::Path;

use jostle::formats::read_map;
use jostle::instance::draw_single;
use jostle::levels::Level;
use jostle::search::{Lrta, LrtaSearch, Walk, shortest_path};
use jostle::{Cell, Cost, Grid};
use jostle_select::{Portfolio, Results, Split};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Settings that are drawn, and problems on each map.
const SETTINGS: usize = 100;
const PROBLEMS: usize = 20;
/// Levels of each kind, where no maps are given.
const LEVELS: u64 = 4;
/// The share of the maps from which portfolios are formed.
const TRAINING: f64 = 0.75;
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
    println!("{SETTINGS} settings, {PROBLEMS} problems on each of {} maps.", maps.len());
    println!("How many times as long as the shortest path walks are, at most {LONGEST}: means.");
    let split = Split::by_group(&map_of, TRAINING, 1);
    let sides = [&split.train, &split.test];
    let [seen, unseen] = sides.map(|side| results.only(side));
    show("for each problem", [&seen?, &unseen?], &settings);
    let [seen, unseen] = sides.map(|side| {
        let maps: Vec<usize> = side.iter().map(|&problem| map_of[problem]).collect();
        results.only(side)?.grouped(&maps)
    });
    show("for each map", [&seen?, &unseen?], &settings);
    Ok(())
}

/// The maps of the command line, or one of each kind of level.
fn maps() -> Result<Vec<Grid>, Box<dyn Error>> {
    let named: Vec<String> = std::env::args().skip(1).collect();
    if named.is_empty() {
        let levels =
            Level::ALL.iter().flat_map(|level| (1..=LEVELS).map(move |seed| (level, seed)));
        let levels = levels.map(|(level, seed)| level.generate(96, 96, seed));
        return Ok(levels.collect::<Result<_, _>>()?);
    }
    Ok(named.iter().map(|name| read_map(Path::new(name))).collect::<Result<_, _>>()?)
}

/// How many times as long as the shortest path a walk is.
fn suboptimality(
    search: &mut LrtaSearch,
    lrta: &Lrta,
    (grid, ends, best): (&Grid, (Cell, Cell), Cost),
) -> f32 {
    let walk = search.walk(grid, ends, lrta, Walk::most_moves(best, LONGEST), |_| ());
    walk.suboptimality(best, LONGEST) as f32
}

/// Forms a portfolio on maps that were seen, and says what it is worth there and on others.
fn show(choosing: &str, [seen, unseen]: [&Results; 2], settings: &[Lrta]) {
    let portfolio = Portfolio::greedy(seen, 4);
    let title = format!("choosing perfectly {choosing}");
    println!("\n{title:52} {:>9} {:>11}", "seen maps", "unseen maps");
    let values = portfolio.values.iter().zip(portfolio.values_on(unseen));
    for (&member, (seen, unseen)) in portfolio.members.iter().zip(values) {
        let Lrta { w, wc, b, lop, da, expendable } = settings[member];
        let flag = |is_on, name| if is_on { name } else { "" };
        let (da, expendable) = (flag(da, " da"), flag(expendable, " expendable"));
        let name = format!("w={w:.1} wc={wc:.1} b={b:.2} {lop:?}{da}{expendable}");
        println!("+ {name:50} {seen:9.2} {unseen:11.2}");
    }
}
