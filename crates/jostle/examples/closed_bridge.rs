//! How DI-CBS repairs a plan: a bridge closes while six agents are on their way.
//!
//! `cargo run -p jostle --example closed_bridge -- closed-bridge.svg` draws what is left of the plan when the bridge closes, and what
//! DI-CBS makes of it. Both are from real runs: without the closure, the agents walk as they had planned.

use std::error::Error;
use std::fmt::{self, Write};

use jostle::instance::Reach;
use jostle::planners::{DiCbs, Recipe};
use jostle::script::Script;
use jostle::simulate::{Limits, Simulation};
use jostle::{Cell, Grid, Instance, Neighbours, Plan, Rules};

/// Two banks and three bridges. An agent walks from a capital letter to the same small one.
const MAP: &str = "\
..........##..........
A.........##.........b
..........##..........
B....................a
..........##..........
C.........##.........d
......................
D.........##.........c
..........##..........
E....................f
F.........##.........e
..........##..........";
const AGENTS: &str = "ABCDEF";
const COLOURS: [&str; 6] = ["#f3ab5f", "#57cdf5", "#8fd16a", "#e58fb1", "#b79cf2", "#f2e06b"];

/// The bridge in the middle closes when some agents are just before it.
const CLOSES: usize = 8;
const BRIDGE: [(u32, u32); 2] = [(10, 6), (11, 6)];

fn main() -> Result<(), Box<dyn Error>> {
    let instance = instance()?;
    let closure = BRIDGE.map(|(x, y)| format!("{CLOSES} wall ({x},{y})\n")).concat();
    let before = executed(&instance)?;
    let after = executed(&instance.clone().with_script(Script::parse(&closure)?)?)?;
    println!(
        "sum of costs: {} as planned, {} repaired",
        before.sum_of_costs(),
        after.sum_of_costs()
    );
    for (agent, name) in AGENTS.chars().enumerate() {
        let is_kept = is_same(&before.paths()[agent].cells, &after.paths()[agent].cells);
        println!("{name}: {}", if is_kept { "keeps its path" } else { "has another path" });
    }
    if let Some(file) = std::env::args().nth(1) {
        std::fs::write(&file, picture(instance.grid(), &before, &after)?)?;
    }
    Ok(())
}

/// Whether two agents that stay where their paths end do the same.
fn is_same(one: &[Cell], other: &[Cell]) -> bool {
    let at = |path: &[Cell], tick: usize| path.get(tick).or(path.last()).copied();
    (0..one.len().max(other.len())).all(|tick| at(one, tick) == at(other, tick))
}

fn instance() -> Result<Instance, Box<dyn Error>> {
    let place = |wanted: char| {
        let mut rows = MAP.lines().zip(0..);
        rows.find_map(|(row, y)| Some((row.find(wanted)? as u32, y))).ok_or("a letter is missing")
    };
    let floor: String = MAP
        .lines()
        .map(|row| row.trim_end().replace(|it: char| it.is_ascii_alphabetic(), ".") + "\n")
        .collect();
    let rules = Rules { neighbours: Neighbours::Four, ..Rules::default() };
    let grid = Grid::from_ascii(floor.trim_end())?.with_rules(rules);
    let mut tasks = Vec::new();
    for agent in AGENTS.chars() {
        let (start, goal) = (place(agent)?, place(agent.to_ascii_lowercase())?);
        let cell = |(x, y)| grid.at(x, y).ok_or("the map has no such place");
        tasks.push((cell(start)?, cell(goal)?));
    }
    Ok(Instance::new(grid, tasks, Reach::Required)?)
}

/// What DI-CBS does from the beginning to the end.
fn executed(instance: &Instance) -> Result<Plan, Box<dyn Error>> {
    let mut world = instance.world();
    let mut planner = DiCbs::default().build();
    let run = Simulation::new(&mut world, planner.as_mut())
        .script(instance.script())
        .limits(Limits::ticks(100))
        .traced();
    let trace = run.run()?.trace.ok_or("the run was traced")?;
    Ok(Plan::of_trace(&trace))
}

/// Both plans, side by side, from the tick of the closure on.
fn picture(grid: &Grid, before: &Plan, after: &Plan) -> Result<String, fmt::Error> {
    let (width, height) = (f64::from(grid.width()), f64::from(grid.height()));
    let mut svg = String::new();
    writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-.5 -1.6 {} {}\" width=\"920\" font-family=\"DejaVu Sans, sans-serif\" font-size=\".8\">",
        2.0 * width + 2.0,
        height + 2.1
    )?;
    writeln!(svg, "<rect x=\"-.5\" y=\"-1.6\" width=\"100%\" height=\"100%\" fill=\"#06080d\"/>")?;
    let panels = [
        (format!("tick {CLOSES}: the bridge closes, and cuts two paths"), before),
        (format!("tick {CLOSES}: the plan that DI-CBS has repaired"), after),
    ];
    for (number, (title, plan)) in panels.into_iter().enumerate() {
        let left = number as f64 * (width + 1.0);
        writeln!(svg, "<g transform=\"translate({left} 0)\">")?;
        writeln!(svg, "<text y=\"-.5\" fill=\"#c9d3e6\">{title}</text>")?;
        panel(&mut svg, grid, plan, before)?;
        writeln!(svg, "</g>")?;
    }
    writeln!(svg, "</svg>")?;
    Ok(svg)
}

/// A plan. Paths that are not those of the other one are drawn thick.
fn panel(svg: &mut String, grid: &Grid, plan: &Plan, other: &Plan) -> fmt::Result {
    for cell in grid.floor_cells() {
        let (x, y) = grid.position(cell);
        let is_bridge = BRIDGE.contains(&(x, y));
        let colour = if is_bridge { "#5a2430" } else { "#1a2130" };
        writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"1.02\" height=\"1.02\" fill=\"{colour}\"/>"
        )?;
        if is_bridge {
            writeln!(
                svg,
                "<path d=\"M{x} {y}m.2 .2l.6 .6m0 -.6l-.6 .6\" stroke=\"#ff6b6b\" stroke-width=\".12\"/>"
            )?;
        }
    }
    for (agent, (path, colour)) in plan.paths().iter().zip(COLOURS).enumerate() {
        // Each agent has a lane of its own, so that paths over one cell can be told apart.
        let lane = 0.5 + (agent as f64 - 2.5) * 0.09;
        let point = |cell: &Cell| {
            let (x, y) = grid.position(*cell);
            format!("{:.2},{:.2}", f64::from(x) + lane, f64::from(y) + lane)
        };
        let rest = &path.cells[CLOSES.min(path.cells.len() - 1)..];
        let is_new = !is_same(&path.cells, &other.paths()[agent].cells);
        let points: Vec<String> = rest.iter().map(point).collect();
        let (stroke, opacity) = if is_new { (".16", "1") } else { (".1", ".8") };
        writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{stroke}\" opacity=\"{opacity}\" stroke-linejoin=\"round\"/>",
            points.join(" ")
        )?;
        let centre = |cell: Option<&Cell>| {
            let (x, y) = cell.map_or((0, 0), |&cell| grid.position(cell));
            format!("cx=\"{x}.5\" cy=\"{y}.5\"")
        };
        writeln!(svg, "<circle {} r=\".36\" fill=\"{colour}\"/>", centre(rest.first()))?;
        writeln!(
            svg,
            "<circle {} r=\".32\" fill=\"none\" stroke=\"{colour}\" stroke-width=\".12\"/>",
            centre(rest.last())
        )?;
    }
    Ok(())
}
