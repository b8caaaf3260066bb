//! What Jostle's planner promises, measured beside BMAA\* and PIBT in the same run: all agents arrive, on
//! short paths, in ticks that never take long, in little memory. Times are those of the processor.
//!
//! `JOSTLE_MAPS=... cargo bench -p jostle --bench promises [-- --seeds 3]`

mod common;

use std::time::Duration;

use common::{PAPER_MAPS, Processor, paper_map};
use jostle::instance::Kind;
use jostle::metrics::Metrics;
use jostle::planners::{Planner, planner};
use jostle::search::shortest_path;
use jostle::simulate::{Clock, tick};
use jostle::{Grid, Instance, Level, Limits, Moves, Simulation, World};

const TICKS: u64 = 4096;
const CROWDS: [usize; 4] = [100, 400, 1000, 2000];
/// A quarter of a frame at 60 ticks a second.
const TICK_MS: f64 = 4.0;
const LARGE_TICK_MS: f64 = 8.0;

fn main() {
    if paper_map(PAPER_MAPS[0]).is_none() {
        println!("skipped: set JOSTLE_MAPS to a folder with the paper's maps");
        return;
    }
    let words: Vec<String> = std::env::args().collect();
    let seeds = words.iter().position(|word| word == "--seeds");
    let seeds = seeds.and_then(|at| words.get(at + 1)?.parse().ok()).unwrap_or(1);
    let mut promises = Promises::default();
    let runs = paper_maps(seeds);
    show_completion(&runs, &mut promises);
    show_distance(&runs, &mut promises);
    show_levels(&mut promises);
    show_ticks(&runs, &mut promises);
    show_changes(&mut promises);
    promises.print();
}

/// Each promise, the measured value, and whether the promise is kept.
#[derive(Default)]
struct Promises(Vec<(String, String, bool)>);

impl Promises {
    fn add(&mut self, promise: &str, measured: String, is_kept: bool) {
        self.0.push((promise.to_owned(), measured, is_kept));
    }

    fn print(&self) {
        println!("\n| promise of `jostle` | measured | |\n|---|---|---|");
        for (promise, measured, is_kept) in &self.0 {
            println!("| {promise} | {measured} | {} |", if *is_kept { "kept" } else { "MISSED" });
        }
    }
}

/// One run of one planner.
struct Run {
    metrics: Metrics,
    bytes: usize,
}

impl Run {
    fn of(name: &str, instance: &Instance) -> Self {
        let (mut world, mut planner) = (instance.world(), planner(name).expect("a planner"));
        let outcome = Simulation::new(&mut world, planner.as_mut())
            .limits(Limits::ticks(TICKS))
            .clock(&Processor)
            .run();
        let metrics = outcome.expect("planners propose legal moves").metrics;
        Self { metrics, bytes: planner.memory() }
    }

    fn arrived(&self) -> f64 {
        self.metrics.completion_rate() * 100.0
    }

    fn first_ms(&self) -> f64 {
        self.metrics.tick_times.listed().first().copied().map_or(0.0, milliseconds)
    }

    fn later_ms(&self) -> f64 {
        milliseconds(self.metrics.tick_times.slowest_after(1))
    }

    /// Microseconds for an agent and tick, over the first `ticks` ticks.
    fn cost(&self, ticks: usize) -> f64 {
        let times = self.metrics.tick_times.listed();
        let times = &times[..ticks.min(times.len())];
        let agent_ticks = (times.len() * self.metrics.journeys.len()) as f64;
        times.iter().sum::<Duration>().as_secs_f64() * 1e6 / agent_ticks
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The three planners on one instance.
struct Compared {
    map: &'static str,
    instance: Instance,
    bmaa: Run,
    pibt: Run,
    jostle: Run,
}

impl Compared {
    fn new(map: &'static str, grid: Grid, agents: usize, seed: u64) -> Self {
        let instance = Instance::draw(grid, Kind::Random, agents, seed).expect("room for them");
        let [bmaa, pibt, jostle] = ["bmaa", "pibt", "jostle"].map(|name| Run::of(name, &instance));
        Self { map, instance, bmaa, pibt, jostle }
    }

    fn agents(&self) -> usize {
        self.instance.tasks().len()
    }

    /// The mean length of the paths that agents would walk alone.
    fn shortest(&self) -> f64 {
        let (grid, tasks) = (self.instance.grid(), self.instance.tasks());
        let paths = tasks.iter().filter_map(|&(start, goal)| shortest_path(grid, start, goal));
        paths.map(|(cost, _)| cost.as_f64()).sum::<f64>() / tasks.len() as f64
    }
}

fn paper_maps(seeds: u64) -> Vec<Compared> {
    let mut runs = Vec::new();
    for map in PAPER_MAPS {
        for agents in CROWDS {
            for seed in 1..=seeds {
                let grid = paper_map(map).expect("a map of the paper");
                runs.push(Compared::new(map, grid, agents, seed));
            }
        }
        eprintln!("{map} is done");
    }
    runs
}

fn show_completion(runs: &[Compared], promises: &mut Promises) {
    println!("\nAgents that arrive within {TICKS} ticks, %: bmaa / pibt / jostle");
    println!("{:18} {}", "map", CROWDS.map(|agents| format!("{agents:>26}")).concat());
    let mean = |map: Option<&str>, agents: usize, arrived: fn(&Compared) -> f64| {
        let some = runs.iter().filter(|run| run.agents() == agents);
        let some: Vec<f64> =
            some.filter(|run| map.is_none_or(|map| map == run.map)).map(arrived).collect();
        some.iter().sum::<f64>() / some.len() as f64
    };
    let rates: [fn(&Compared) -> f64; 3] =
        [|run| run.bmaa.arrived(), |run| run.pibt.arrived(), |run| run.jostle.arrived()];
    let cell = |map: Option<&str>, agents: usize| {
        rates.map(|arrived| format!("{:.2}", mean(map, agents, arrived))).join(" / ")
    };
    for map in PAPER_MAPS {
        let cells = CROWDS.map(|agents| format!("{:>26}", cell(Some(map), agents)));
        println!("{map:18} {}", cells.concat());
    }
    println!(
        "{:18} {}",
        "all",
        CROWDS.map(|agents| format!("{:>26}", cell(None, agents))).concat()
    );
    for agents in CROWDS {
        let some = runs.iter().filter(|run| run.agents() == agents);
        let worst = some.map(|run| run.jostle.arrived()).fold(f64::MAX, f64::min);
        let measured = format!("{} (worst map {worst:.2} %)", cell(None, agents));
        promises.add(
            &format!("{agents} agents: 100 % arrive on every map (bmaa / pibt / jostle)"),
            measured,
            worst >= 100.0,
        );
    }
}

fn show_distance(runs: &[Compared], promises: &mut Promises) {
    println!("\nMean distance over the shortest paths, 400 agents: bmaa / pibt / jostle");
    let mut worst = 0.0_f64;
    for run in runs.iter().filter(|run| run.agents() == 400) {
        let shortest = run.shortest();
        let [bmaa, pibt, jostle] =
            [&run.bmaa, &run.pibt, &run.jostle].map(|run| run.metrics.travel_distance() / shortest);
        println!("{:18} {bmaa:8.3} {pibt:8.3} {jostle:8.3}", run.map);
        worst = worst.max(jostle);
    }
    let promise = "400 agents: distance at most 1.02 times the shortest, every map";
    promises.add(promise, format!("at most {worst:.3}"), worst <= 1.02);
}

fn show_levels(promises: &mut Promises) {
    println!("\nBuilt-in maps of 512x512, 400 agents: arrived and distance, pibt / jostle");
    for (name, level) in
        [("rooms", Level::Rooms), ("maze", Level::Maze), ("islands", Level::Islands)]
    {
        let grid = level.generate(512, 512, 1).expect("a level");
        let run = Compared::new(name, grid, 400, 1);
        let ratio = run.jostle.metrics.travel_distance() / run.pibt.metrics.travel_distance();
        let (pibt, arrived) = (run.pibt.arrived(), run.jostle.arrived());
        println!("{name:18} {pibt:8.2} % {arrived:8.2} % {ratio:8.3} times the distance");
        promises.add(
            &format!("{name} of 512x512: 100 %, at most 1.15 times PIBT's distance"),
            format!("{arrived:.2} %, {ratio:.3}"),
            arrived >= 100.0 && ratio <= 1.15,
        );
    }
}

fn show_ticks(runs: &[Compared], promises: &mut Promises) {
    println!(
        "\nTicks with 2000 agents: first and slowest later in ms, MB, µs for an agent and tick"
    );
    println!(
        "{:18} {:>24} {:>24} {:>8} {:>30}",
        "map", "first b/p/j", "later b/p/j", "MB", "bmaa, jostle, same ticks, whole"
    );
    let (mut first, mut later, mut memory, mut dearest) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
    let (mut same, mut whole) = (Vec::new(), Vec::new());
    for run in runs.iter().filter(|run| run.agents() == 2000) {
        let all = [&run.bmaa, &run.pibt, &run.jostle];
        let firsts = all.map(|run| format!("{:7.1}", run.first_ms())).concat();
        let laters = all.map(|run| format!("{:7.1}", run.later_ms())).concat();
        let ticks = run.jostle.metrics.tick_times.listed().len();
        let cost = run.jostle.cost(ticks);
        let (bmaa, bmaa_whole) = (run.bmaa.cost(ticks), run.bmaa.cost(usize::MAX));
        let mb = run.jostle.bytes as f64 / 1e6;
        println!(
            "{:18} {firsts:>24} {laters:>24} {mb:8.1} {bmaa:8.3} {cost:8.3} {:6.2} {:6.2}",
            run.map,
            cost / bmaa,
            cost / bmaa_whole
        );
        dearest = dearest.max(cost);
        same.push(cost / bmaa);
        whole.push(cost / bmaa_whole);
        if run.instance.grid().cells().len() <= 512 * 512 {
            first = first.max(run.jostle.first_ms());
            later = later.max(run.jostle.later_ms());
            memory = memory.max(mb);
        }
    }
    let most = |ratios: &[f64]| ratios.iter().copied().fold(0.0, f64::max);
    let mean = |ratios: &[f64]| ratios.iter().sum::<f64>() / ratios.len() as f64;
    promises.add(
        "2000 agents up to 512x512: no tick takes more than 4 ms, not even the first",
        format!("first at most {first:.1} ms, later ones {later:.1} ms"),
        first <= TICK_MS && later <= TICK_MS,
    );
    let promise = "2000 agents up to 512x512: at most 48 MB";
    promises.add(promise, format!("{memory:.1} MB"), memory <= 48.0);
    promises.add(
        "an agent-tick with 2000 agents takes at most 0.25 µs, on every map",
        format!("at most {dearest:.3} µs"),
        dearest <= 0.25,
    );
    promises.add(
        "an agent-tick with 2000 agents takes less than BMAA*'s over the same ticks, on every map",
        format!("mean {:.2} of it, worst map {:.2}", mean(&same), most(&same)),
        most(&same) < 1.0,
    );
    promises.add(
        "the same, with BMAA*'s mean over its whole run, in most of which most agents stand",
        format!("mean {:.2}, worst map {:.2}", mean(&whole), most(&whole)),
        most(&whole) < 1.0,
    );
}

/// A crowd of 2000 agents, while the game changes things.
struct Busy {
    world: World,
    planner: Box<dyn Planner>,
    moves: Moves,
}

impl Busy {
    fn ticks(&mut self, ticks: u32) -> f64 {
        let one_tick = |_| {
            let begin = Processor.now();
            tick(&mut self.world, self.planner.as_mut(), &mut self.moves).expect("legal moves");
            milliseconds(Processor.now() - begin)
        };
        (0..ticks).map(one_tick).fold(0.0, f64::max)
    }
}

fn show_changes(promises: &mut Promises) {
    println!(
        "\nThe tick after a change, 2000 agents, ms: the first, wall built, wall removed, 200 new goals"
    );
    let mut worst = 0.0_f64;
    for map in PAPER_MAPS {
        let [_, changes @ ..] = change(map, paper_map(map).expect("a map of the paper"));
        worst = changes.into_iter().fold(worst, f64::max);
    }
    let promise = "a wall built, a wall removed or 200 new goals in a tick: at most 4 ms";
    promises.add(promise, format!("at most {worst:.1} ms"), worst <= TICK_MS);
    let grid = Level::Cave.generate(4096, 4096, 1).expect("a level");
    let worst = change("a cave of 4096x4096", grid).into_iter().fold(0.0, f64::max);
    promises.add(
        "the same and the first tick on a cave of 4096x4096: at most 8 ms",
        format!("at most {worst:.1} ms"),
        worst <= LARGE_TICK_MS,
    );
}

/// The times of the first tick, and of the ticks in which a wall was built, a wall was removed, and 200 agents were sent
/// elsewhere.
fn change(map: &str, grid: Grid) -> [f64; 4] {
    let instance = Instance::draw(grid, Kind::Random, 2000, 1).expect("room for them");
    let planner = planner("jostle").expect("a planner");
    let mut busy = Busy { world: instance.world(), planner, moves: Moves::default() };
    let first = busy.ticks(1);
    busy.ticks(19);
    // The next cell of an agent: a wall there cuts routes.
    let wishes = busy.world.ours().filter_map(|agent| busy.planner.wish(&agent));
    let free = { wishes }.find(|&cell| !busy.world.is_occupied(cell));
    let cell = free.expect("an agent is walking");
    busy.world.set_floor(cell, false).expect("a cell of the map");
    let built = busy.ticks(1);
    busy.ticks(20);
    busy.world.set_floor(cell, true).expect("a cell of the map");
    let removed = busy.ticks(1);
    busy.ticks(20);
    let goals: Vec<_> = instance.tasks().iter().rev().map(|&(start, _)| start).collect();
    let agents: Vec<_> = busy.world.ours().map(|agent| agent.id).take(200).collect();
    for (agent, goal) in agents.into_iter().zip(goals) {
        busy.world.send(agent, goal).expect("an agent of ours");
    }
    let sent = busy.ticks(1);
    println!("{map:18} {first:8.1} {built:8.1} {removed:8.1} {sent:8.1}");
    [first, built, removed, sent]
}
