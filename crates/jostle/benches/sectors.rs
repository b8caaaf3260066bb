//! What sector fields cost, and how long the paths along them are, on maps of the benchmark and on large caves.
//!
//! `JOSTLE_MAPS=... cargo bench -p jostle --bench sectors [-- SPLIT [MAP...]]`, with portals of at most `SPLIT` cells
//! (6 if not given). A map is a file name below `JOSTLE_MAPS` without its ending, or a level as `cave-1690`.
//!
//! `cargo bench -p jostle --bench sectors -- pieces [MAP...]` counts the instructions that the pieces take of which all is
//! made: the labels of a sector, the distances from an exit to the others of its sector, and a field. This needs
//! valgrind.

mod common;

use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Instant;

use jostle::formats::read_map;
use jostle::instance::draw_single;
use jostle::search::{Advice, Follower, SectorOptions, Sectors, shortest_path};
use jostle::{Budget, Cell, Cost, Grid, Level};

/// Paths on each map.
const PATHS: usize = 400;
/// Routes on each map that are looked up.
const ROUTES: usize = 20_000;
const EDITS: usize = 200;
/// The maps that are measured if none is named.
const MAPS: [&str; 9] = [
    "paper/AR0414SR-512",
    "paper/AR0504SR-512",
    "paper/duskwood",
    "paper/lak304d",
    "mapf/maze-128-128-10",
    "mapf/room-64-64-16",
    "mapf/Berlin_1_256",
    "rooms-512",
    "cave-1690",
];

/// The maps on which instructions are counted if none is named.
const PIECES: [&str; 5] =
    ["paper/AR0504SR-512", "paper/duskwood", "mapf/maze-128-128-10", "rooms-512", "cave-1690"];
/// The paths along which fields are made when instructions are counted.
const COUNTED_PATHS: usize = 100;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["pieces"] => count_pieces(&PIECES),
        ["pieces", ref maps @ ..] => count_pieces(maps),
        ["make", map] => {
            make_pieces(map);
        }
        _ => measure_all(&words),
    }
}

fn measure_all(words: &[&str]) {
    let split = words.first().and_then(|word| word.parse().ok()).unwrap_or(6);
    let named = words.get(1..).unwrap_or_default();
    let maps = if named.is_empty() { &MAPS[..] } else { named };
    println!(
        "{:22}  nodes graph ms     MB  expand  search hubs ms     MB  expand   route fields     MB a field    edit  lookup    mean    p95    p99    max",
        "map"
    );
    for map in maps {
        match load(map) {
            Some(grid) => measure(map, grid, SectorOptions { split, ..SectorOptions::default() }),
            None => println!("{map}: this needs JOSTLE_MAPS, a folder with {map}.map"),
        }
    }
}

/// Prints what the pieces take on these maps.
fn count_pieces(maps: &[&str]) {
    println!("{:22}  labels     row   field (instructions)", "map");
    for map in maps {
        let Some(made) = make_pieces(map) else {
            println!("{map}: this needs JOSTLE_MAPS, a folder with {map}.map");
            continue;
        };
        let of = |pattern: &str, pieces: usize| {
            common::instructions_in(pattern, &["make", map])
                .map_or_else(|| "-".to_owned(), |all| (all / pieces.max(1) as u64).to_string())
        };
        let [labels, row, field] = [
            of("*Labels::of", made.sectors),
            of("*Graph::measure", made.exits),
            of("*Fields::make", made.fields),
        ];
        println!("{map:22} {labels:>7} {row:>7} {field:>7}");
    }
}

/// How many pieces of each kind were made.
struct Made {
    sectors: usize,
    exits: usize,
    fields: usize,
}

/// Makes the graph of a map and the fields along some paths.
fn make_pieces(map: &str) -> Option<Made> {
    let grid = load(map)?;
    let mut sectors = Sectors::new(&grid, SectorOptions::default());
    assert!(sectors.build(&grid, &mut Budget::unlimited()));
    let tasks = draw_single(&grid, COUNTED_PATHS, 1).expect("a map with room for one agent");
    for walk in &mut begin_walks(&mut sectors, &grid, &tasks) {
        walk.finish(&mut sectors, &grid);
    }
    let along = |side: u32| side.div_ceil(32) as usize;
    Some(Made {
        sectors: along(grid.width()) * along(grid.height()),
        exits: sectors.nodes(),
        fields: sectors.fields(),
    })
}

fn load(map: &str) -> Option<Grid> {
    if let Some((level, side)) = map.split_once('-')
        && let (Some(level), Ok(side)) = (Level::from_name(level), side.parse())
    {
        return level.generate(side, side, 1).ok();
    }
    read_map(&PathBuf::from(std::env::var_os("JOSTLE_MAPS")?).join(map).with_extension("map")).ok()
}

fn measure(map: &str, mut grid: Grid, options: SectorOptions) {
    let mut unlimited = Budget::unlimited();
    let tasks = draw_single(&grid, PATHS, 1).expect("a map with room for one agent");
    // First without tables.
    let mut sectors = Sectors::new(&grid, SectorOptions { hubs: 0, ..options });
    let begin = seconds_used();
    assert!(sectors.build(&grid, &mut unlimited));
    let graph_time = seconds_used() - begin;
    let (graph_memory, _) = sectors.memory();
    let searched = find_routes(&mut sectors, &grid, &tasks);
    let mut sectors = Sectors::new(&grid, options);
    let begin = seconds_used();
    assert!(sectors.build(&grid, &mut unlimited));
    let hubs_time = seconds_used() - begin - graph_time;
    let (all_memory, _) = sectors.memory();
    let many = draw_single(&grid, ROUTES, 2).expect("a map with room for one agent");
    let looked_up = find_routes(&mut sectors, &grid, &many);
    // The first walks make all fields. The second ones have their routes before the clock is started.
    let begin = seconds_used();
    let mut walks = begin_walks(&mut sectors, &grid, &tasks);
    for walk in &mut walks {
        walk.finish(&mut sectors, &grid);
    }
    let first = seconds_used() - begin;
    let begin = seconds_used();
    let mut walks = begin_walks(&mut sectors, &grid, &tasks);
    let searching = seconds_used() - begin;
    for walk in &mut walks {
        walk.finish(&mut sectors, &grid);
    }
    let looking = seconds_used() - begin - searching;
    let lookups: u32 = walks.iter().map(|walk| walk.steps).sum();
    let fields = sectors.fields();
    let field_time = (first - searching - looking) / fields as f64;
    let mut ratios = vec![1.0];
    for (walk, &(start, goal)) in walks.iter().zip(&tasks) {
        let shortest = shortest_path(&grid, start, goal).expect("a path").0;
        if shortest > Cost::ZERO {
            ratios.push(walk.cost.as_f64() / shortest.as_f64());
        }
    }
    ratios.sort_by(f64::total_cmp);
    let at = |share: f64| ratios[((ratios.len() - 1) as f64 * share) as usize];
    let (_, field_memory) = sectors.memory();
    let floor: Vec<Cell> = grid.floor_cells().collect();
    let begin = seconds_used();
    for edit in 0..EDITS {
        let cell = floor[edit * 7919 % floor.len()];
        grid.set_floor(cell, !grid.is_floor(cell));
        sectors.edit(&grid, &[cell]);
        assert!(sectors.build(&grid, &mut unlimited));
    }
    let edit_time = (seconds_used() - begin) / EDITS as f64;
    println!(
        "{map:22} {:>6} {:>8.1} {:>6.2} {:>7} {:>5.1}us {:>7.1} {:>6.2} {:>7} {:>5.1}us {fields:>6} {:>6.1} {:>5.1}us {:>5.0}us {:>5.0}ns {:>7.4} {:>6.3} {:>6.3} {:>6.3}",
        sectors.nodes(),
        graph_time * 1e3,
        graph_memory as f64 / 1e6,
        searched.0,
        searched.1 * 1e6,
        hubs_time * 1e3,
        (all_memory - graph_memory) as f64 / 1e6,
        looked_up.0,
        looked_up.1 * 1e6,
        field_memory as f64 / 1e6,
        field_time * 1e6,
        edit_time * 1e6,
        looking * 1e9 / f64::from(lookups),
        ratios.iter().sum::<f64>() / ratios.len() as f64,
        at(0.95),
        at(0.99),
        at(1.0),
    );
}

/// Finds a route for each task. Returns how many expansions and seconds one takes.
fn find_routes(sectors: &mut Sectors, grid: &Grid, tasks: &[(Cell, Cell)]) -> (u64, f64) {
    let mut budget = Budget::unlimited();
    let begin = seconds_used();
    for &(start, goal) in tasks {
        let _ = sectors.distance(grid, start, goal, &mut budget);
    }
    let time = seconds_used() - begin;
    (budget.work().expansions / tasks.len() as u64, time / tasks.len() as f64)
}

/// An agent for each task, with its route.
fn begin_walks(sectors: &mut Sectors, grid: &Grid, tasks: &[(Cell, Cell)]) -> Vec<Walk> {
    tasks.iter().map(|&(start, goal)| Walk::new(sectors, grid, start, goal)).collect()
}

/// An agent on its way along the best steps.
struct Walk {
    follower: Follower,
    cell: Cell,
    advice: Advice,
    cost: Cost,
    steps: u32,
}

impl Walk {
    /// Asks for the first step, for which a route is searched.
    fn new(sectors: &mut Sectors, grid: &Grid, start: Cell, goal: Cell) -> Self {
        let mut follower = Follower::to(goal);
        let advice = follower.ask(sectors, grid, start, &mut Budget::unlimited());
        Self { follower, cell: start, advice, cost: Cost::ZERO, steps: 0 }
    }

    /// Goes on to the goal, and returns the cost of the path.
    fn finish(&mut self, sectors: &mut Sectors, grid: &Grid) -> Cost {
        let mut budget = Budget::unlimited();
        while let Advice::Head(heading) = self.advice {
            let best = heading.best().expect("a step");
            self.cell = grid.beside(self.cell, best);
            self.cost = self.cost + best.cost();
            self.steps += 1;
            self.advice = self.follower.ask(sectors, grid, self.cell, &mut budget);
        }
        assert_eq!(self.advice, Advice::Arrived, "reachable goals are reached");
        self.cost
    }
}

/// The seconds that this program has used the processor for, or since some moment where that is not known.
fn seconds_used() -> f64 {
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    let used = std::fs::read_to_string("/proc/self/schedstat").ok();
    let nanoseconds = used.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(
        || BEGIN.get_or_init(Instant::now).elapsed().as_secs_f64(),
        |nanoseconds| nanoseconds / 1e9,
    )
}
