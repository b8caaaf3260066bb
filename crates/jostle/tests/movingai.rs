//! Maps and scenarios of the MovingAI benchmark, read from the folder that `JOSTLE_MAPS` names. Without
//! it these tests are listed as ignored.

use std::path::{Path, PathBuf};

use jostle::check::check_trace;
use jostle::formats::{Scenario, ScenarioRow, parse_map, read_map, read_scenario, write_map};
use jostle::grid::Components;
use jostle::instance::{Kind, Reach, draw_single};
use jostle::planners::planner;
use jostle::search::{Advice, Follower, SectorOptions, Sectors, shortest_path};
use jostle::{Budget, Cost, Instance, Limits, Neighbours, Rules, Simulation};
use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let folder = std::env::var_os("JOSTLE_MAPS").map(PathBuf::from).filter(|path| path.is_dir());
    let is_missing = folder.is_none();
    let test = |name: &str, run: fn(&Path) -> Result<(), Failed>| {
        let folder = folder.clone().unwrap_or_default();
        let name = if is_missing { format!("{name} (set JOSTLE_MAPS)") } else { name.to_owned() };
        Trial::test(name, move || run(&folder)).with_ignored_flag(is_missing)
    };
    let tests = vec![
        test("every_map_is_read_and_survives_being_written", every_map_is_read),
        test("shortest_paths_have_the_lengths_of_the_scenario_file", lengths_agree),
        test("every_mapf_scenario_is_an_instance", every_scenario_is_an_instance),
        test("scenarios_are_written_as_the_benchmark_has_them", scenarios_are_written_alike),
        test("the_paper_maps_hold_2000_agents_and_bmaa_moves_them", paper_maps_run),
        test("paths_along_sector_fields_are_nearly_shortest", sector_paths_are_short),
        test("pibt_solves_dense_crowds_that_lock_when_ties_always_go_to_free_cells", dense_crowds),
        test("pibt_costs_no_more_than_the_program_of_its_authors", pibt_costs),
    ];
    libtest_mimic::run(&Arguments::from_args(), tests).exit();
}

fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, Failed> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    found.sort();
    assert!(!found.is_empty(), "{} holds no .{extension} files", folder.display());
    Ok(found)
}

fn every_map_is_read(maps: &Path) -> Result<(), Failed> {
    for folder in ["paper", "mapf"] {
        for path in files(&maps.join(folder), "map")? {
            let grid = read_map(&path)?;
            assert_eq!(parse_map(&write_map(&grid))?.to_ascii(), grid.to_ascii());
        }
    }
    Ok(())
}

fn lengths_agree(maps: &Path) -> Result<(), Failed> {
    let grid = read_map(&maps.join("paper/lak506d.map"))?;
    let scenario = read_scenario(&maps.join("paper/lak506d.map.scen"))?;
    assert_eq!(scenario.rows.len(), 1169 + 1);
    let mut checked = 0;
    for row in &scenario.rows {
        let (start, goal) = (row.start, row.goal);
        if row.length == 0.0 && start != goal {
            continue; // such rows are known to be wrong
        }
        let start = grid.at(start.0, start.1).ok_or("a start on the map")?;
        let goal = grid.at(goal.0, goal.1).ok_or("a goal on the map")?;
        let (cost, _) = shortest_path(&grid, start, goal).ok_or("a path")?;
        let error = (cost.as_f64() - row.length).abs();
        assert!(error < 1e-3, "line {}: {cost:?} is not {}", row.line, row.length);
        checked += 1;
    }
    assert!(checked > 1000);
    Ok(())
}

fn every_scenario_is_an_instance(maps: &Path) -> Result<(), Failed> {
    for path in files(&maps.join("mapf/scen"), "scen")? {
        let scenario = read_scenario(&path)?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let map = stem.rsplit_once("-random").map_or(stem.as_str(), |(map, _)| map);
        let grid = read_map(&maps.join("mapf").join(map).with_extension("map"))?;
        let agents = scenario.rows.len().min(200);
        let instance = Instance::from_scenario(&grid, &scenario, agents, Reach::Required)?;
        assert_eq!(instance.tasks().len(), agents);
    }
    Ok(())
}

fn scenarios_are_written_alike(maps: &Path) -> Result<(), Failed> {
    for map in ["empty-8-8", "maze-32-32-2", "room-64-64-8", "den312d", "Berlin_1_256"] {
        let path = maps.join(format!("mapf/scen/{map}-random-1.scen"));
        let scenario = read_scenario(&path)?;
        let grid = read_map(&maps.join("mapf").join(map).with_extension("map"))?;
        let agents = scenario.rows.len().min(200);
        let instance = Instance::from_scenario(&grid, &scenario, agents, Reach::Required)?;
        let written = Scenario::of(&grid, instance.tasks(), &format!("{map}.map")).write();
        for (ours, theirs) in Scenario::parse(&written)?.rows.iter().zip(&scenario.rows) {
            // The last digit of the benchmark is not always exact.
            assert!((ours.length - theirs.length).abs() < 1e-7, "{ours:?} {theirs:?}");
            assert_eq!(*ours, ScenarioRow { length: ours.length, ..theirs.clone() });
        }
    }
    Ok(())
}

fn paper_maps_run(maps: &Path) -> Result<(), Failed> {
    for path in files(&maps.join("paper"), "map")? {
        let grid = read_map(&path)?;
        assert!(Components::of(&grid).count() > 0);
        let instance = Instance::draw(grid, Kind::Random, 2000, 1)?;
        let mut world = instance.world();
        let outcome = Simulation::new(&mut world, planner("bmaa-f-c")?.as_mut())
            .limits(Limits::ticks(30))
            .run()?;
        assert!(outcome.metrics.travel_distance() > Cost::CARDINAL.as_f64());
    }
    Ok(())
}

fn sector_paths_are_short(maps: &Path) -> Result<(), Failed> {
    for path in files(&maps.join("paper"), "map")? {
        let grid = read_map(&path)?;
        let mut sectors = Sectors::new(&grid, SectorOptions::default());
        let mut detours = Vec::new();
        for (start, goal) in draw_single(&grid, 150, 7)? {
            let (shortest, _) = shortest_path(&grid, start, goal).ok_or("a path")?;
            let (mut follower, mut cell) = (Follower::to(goal), start);
            let mut walked = Cost::ZERO;
            while let Advice::Head(heading) =
                follower.ask(&mut sectors, &grid, cell, &mut Budget::unlimited())
            {
                let step = heading.best().ok_or("a step")?;
                cell = grid.beside(cell, step);
                walked = walked + step.cost();
            }
            assert_eq!(cell, goal, "{}", path.display());
            if start != goal {
                detours.push(walked.as_f64() / shortest.as_f64());
            }
        }
        let mean = detours.iter().sum::<f64>() / detours.len() as f64;
        let most = detours.iter().fold(1.0, |most: f64, &detour| most.max(detour));
        assert!(mean <= 1.005 && most <= 1.06, "{}: {mean:.4} {most:.4}", path.display());
    }
    Ok(())
}

/// Runs `pibt` on the first random scenario of a map, with four neighbours as in the benchmark, and checks every step. Returns the sum of
/// costs if everybody arrives.
fn pibt_cost(maps: &Path, map: &str, agents: usize, seed: u32) -> Result<Option<u64>, Failed> {
    let rules = Rules { neighbours: Neighbours::Four, ..Rules::default() };
    let grid = read_map(&maps.join("mapf").join(map).with_extension("map"))?.with_rules(rules);
    let scenario = read_scenario(&maps.join(format!("mapf/scen/{map}-random-1.scen")))?;
    let instance = Instance::from_scenario(&grid, &scenario, agents, Reach::Required)?;
    let mut world = instance.world();
    let outcome = Simulation::new(&mut world, planner(&format!("pibt:seed={seed}"))?.as_mut())
        .limits(Limits::ticks(2000))
        .traced()
        .run()?;
    check_trace(outcome.trace.as_ref().ok_or("a trace")?)?;
    let has_arrived = outcome.metrics.arrived() == agents;
    Ok(has_arrived.then(|| outcome.metrics.sum_of_costs()))
}

fn dense_crowds(maps: &Path) -> Result<(), Failed> {
    for seed in 0..3 {
        for (map, agents) in [("random-32-32-20", 400), ("warehouse-10-20-10-2-1", 1000)] {
            assert!(pibt_cost(maps, map, agents, seed)?.is_some(), "{map}, seed {seed}");
        }
    }
    Ok(())
}

/// The costs beside which ours are put are means over five seeds of the loop in the authors' program.
fn pibt_costs(maps: &Path) -> Result<(), Failed> {
    for (map, agents, theirs) in [
        ("den520d", 500, 97_431),
        ("den520d", 1000, 213_133),
        ("ost003d", 1000, 249_734),
        ("brc202d", 1000, 518_843),
        ("warehouse-20-40-10-2-2", 1000, 238_736),
    ] {
        let cost = pibt_cost(maps, map, agents, 0)?;
        assert!(cost.is_some_and(|cost| cost <= theirs), "{map}, {agents} agents: {cost:?}");
    }
    Ok(())
}
