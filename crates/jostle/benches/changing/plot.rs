//! Times over changes as an SVG, with the colours and markers that planners have in reports.

use std::fmt::{self, Write};

/// The planning times of one planner on one map, by number of changes, in milliseconds.
pub struct Line {
    pub map: &'static str,
    pub planner: &'static str,
    /// Changes, the time of a whole run, and the time after the first plan.
    pub points: Vec<(usize, f64, f64)>,
}

const PANEL: (f64, f64) = (330.0, 210.0);
const MARGIN: (f64, f64) = (56.0, 78.0);
const GAP: (f64, f64) = (64.0, 62.0);

/// The colour of a planner, and the corners of its marker.
fn look(planner: &str) -> (&'static str, &'static str) {
    match planner {
        "cbs-replan" => ("#cc6677", "-3,-4.5 5,0 -3,4.5"),
        "cbs-dstar-lite" => ("#99703c", "3,-4.5 -5,0 3,4.5"),
        "di-cbs" => ("#6e6ebe", "-4.5,3 0,-5 4.5,3"),
        "di-cbs:reason=off" => ("#3f8fc4", "-4.5,-3 0,5 4.5,-3"),
        _ => ("#44aa99", "-3.6,-3.6 3.6,-3.6 3.6,3.6 -3.6,3.6"),
    }
}

/// A panel for each map: whole runs above, and what comes after the first plan below. Times have a logarithmic axis.
pub fn draw(lines: &[Line]) -> Result<String, fmt::Error> {
    let mut maps: Vec<&str> = lines.iter().map(|line| line.map).collect();
    maps.dedup();
    let planners = lines.iter().filter(|line| line.map == maps[0]).map(|line| line.planner);
    let width = MARGIN.0 + maps.len() as f64 * (PANEL.0 + GAP.0) - GAP.0 + 24.0;
    let height = MARGIN.1 + 2.0 * (PANEL.1 + GAP.1);
    let mut svg = String::new();
    writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" font-family=\"DejaVu Sans, sans-serif\" font-size=\"11\">"
    )?;
    writeln!(svg, "<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>")?;
    writeln!(
        svg,
        "<text x=\"14\" y=\"24\" font-size=\"13\" font-weight=\"bold\" fill=\"#222\">Planning time over changes of the floor</text>"
    )?;
    let mut x = 14.0;
    for planner in planners {
        let (colour, marker) = look(planner);
        writeln!(svg, "<path d=\"M{x} 43h18\" stroke=\"{colour}\" stroke-width=\"1.6\"/>")?;
        writeln!(
            svg,
            "<polygon points=\"{marker}\" fill=\"{colour}\" transform=\"translate({} 43)\"/>",
            x + 9.0
        )?;
        writeln!(svg, "<text x=\"{}\" y=\"47\" fill=\"#222\">{planner}</text>", x + 24.0)?;
        x += 46.0 + 6.6 * planner.len() as f64;
    }
    for (row, what) in ["whole run", "after the first plan"].into_iter().enumerate() {
        for (column, map) in maps.iter().enumerate() {
            let left = MARGIN.0 + column as f64 * (PANEL.0 + GAP.0);
            let top = MARGIN.1 + row as f64 * (PANEL.1 + GAP.1);
            let own = lines.iter().filter(|line| line.map == *map);
            let own: Vec<(&str, Vec<(f64, f64)>)> = own
                .map(|line| {
                    let points = line.points.iter();
                    let time = |&(changes, all, later): &(usize, f64, f64)| {
                        (changes as f64, if row == 0 { all } else { later })
                    };
                    (line.planner, points.map(time).collect())
                })
                .collect();
            writeln!(svg, "<g transform=\"translate({left} {top})\">")?;
            writeln!(
                svg,
                "<text y=\"-8\" font-weight=\"bold\" fill=\"#222\">{map}: {what}</text>"
            )?;
            panel(&mut svg, &own)?;
            writeln!(svg, "</g>")?;
        }
    }
    writeln!(svg, "</svg>")?;
    Ok(svg)
}

fn panel(svg: &mut String, lines: &[(&str, Vec<(f64, f64)>)]) -> fmt::Result {
    let points = || lines.iter().flat_map(|(_, points)| points);
    let largest = points().map(|point| point.0).fold(1.0, f64::max);
    let times = points().map(|point| point.1.max(1e-3).log10());
    // Whole decades.
    let low = times.clone().fold(f64::MAX, f64::min).floor();
    let high = times.fold(f64::MIN, f64::max).ceil().max(low + 1.0);
    let across = |changes: f64| changes / (largest + 1.0) * PANEL.0;
    let up = |time: f64| PANEL.1 * (1.0 - (time.max(1e-3).log10() - low) / (high - low));
    for decade in low as i32..=high as i32 {
        let y = up(10f64.powi(decade));
        writeln!(svg, "<path d=\"M0 {y:.1}h{}\" stroke=\"#e2e2e2\"/>", PANEL.0)?;
        writeln!(
            svg,
            "<text x=\"-6\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#696969\">{}</text>",
            y + 4.0,
            10f64.powi(decade)
        )?;
    }
    writeln!(svg, "<path d=\"M0 0v{}h{}\" fill=\"none\" stroke=\"#696969\"/>", PANEL.1, PANEL.0)?;
    for (changes, _) in &lines[0].1 {
        let (x, y) = (across(*changes), PANEL.1);
        writeln!(svg, "<path d=\"M{x:.1} {y}v4\" stroke=\"#696969\"/>")?;
        writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\" fill=\"#696969\">{changes}</text>",
            y + 16.0
        )?;
    }
    let middle = PANEL.0 / 2.0;
    writeln!(
        svg,
        "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\" fill=\"#222\">changes</text>",
        PANEL.1 + 32.0
    )?;
    writeln!(
        svg,
        "<text transform=\"translate(-40 {}) rotate(-90)\" text-anchor=\"middle\" fill=\"#222\">planning (ms)</text>",
        PANEL.1 / 2.0
    )?;
    for (planner, points) in lines {
        let (colour, marker) = look(planner);
        let places: Vec<(f64, f64)> = points.iter().map(|&(x, y)| (across(x), up(y))).collect();
        let line: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\"/>",
            line.join(" ")
        )?;
        for (x, y) in places {
            writeln!(
                svg,
                "<polygon points=\"{marker}\" fill=\"{colour}\" transform=\"translate({x:.1} {y:.1})\"/>"
            )?;
        }
    }
    Ok(())
}
