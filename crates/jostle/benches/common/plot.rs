//! Lines over numbers as an SVG, with the colours and markers that planners have in reports.

use std::fmt::{self, Write};

/// A line of a panel.
pub struct Line {
    pub planner: String,
    /// The number on the horizontal axis and the value.
    pub points: Vec<(f64, f64)>,
}

impl Line {
    pub fn of(planner: &str) -> Self {
        Self { planner: planner.to_owned(), points: Vec::new() }
    }
}

/// Lines over the same numbers.
pub struct Panel {
    pub title: String,
    pub lines: Vec<Line>,
}

/// Panels with the same axes. The vertical one is logarithmic.
pub struct Picture<'a> {
    pub title: &'a str,
    /// What the horizontal axis shows, and whether it is logarithmic too.
    pub across: (&'a str, bool),
    /// What the vertical axis shows.
    pub up: &'a str,
    pub rows: Vec<Vec<Panel>>,
}

const PANEL: (f64, f64) = (330.0, 210.0);
const MARGIN: (f64, f64) = (62.0, 78.0);
const GAP: (f64, f64) = (64.0, 62.0);
/// Smaller numbers are drawn as this one on a logarithmic axis.
const LEAST: f64 = 1e-3;

/// The colour of a planner, and the corners of its marker.
fn look(planner: &str) -> (&'static str, &'static str) {
    match planner {
        "jostle" | "di-cbs" => ("#6e6ebe", "-4.5,3 0,-5 4.5,3"),
        "bmaa" | "cbs-replan" => ("#cc6677", "-3,-4.5 5,0 -3,4.5"),
        "cbs-dstar-lite" => ("#99703c", "3,-4.5 -5,0 3,4.5"),
        "di-cbs:reason=off" => ("#3f8fc4", "-4.5,-3 0,5 4.5,-3"),
        _ => ("#44aa99", "-3.6,-3.6 3.6,-3.6 3.6,3.6 -3.6,3.6"),
    }
}

/// The picture as text.
pub fn draw(picture: &Picture<'_>) -> Result<String, fmt::Error> {
    let Picture { title, across, up, rows } = picture;
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0) as f64;
    let width = MARGIN.0 + columns * (PANEL.0 + GAP.0) - GAP.0 + 24.0;
    let height = MARGIN.1 + rows.len() as f64 * (PANEL.1 + GAP.1);
    let mut svg = String::new();
    writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" font-family=\"DejaVu Sans, sans-serif\" font-size=\"11\">"
    )?;
    writeln!(svg, "<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>")?;
    writeln!(
        svg,
        "<text x=\"14\" y=\"24\" font-size=\"13\" font-weight=\"bold\" fill=\"#222\">{title}</text>"
    )?;
    legend(&mut svg, rows)?;
    let points = rows.iter().flatten().flat_map(|panel| &panel.lines).flat_map(|line| &line.points);
    let numbers = points.clone().map(|point| point.0);
    let axes = Axes {
        across: if across.1 { Scale::decades(numbers) } else { Scale::even(numbers) },
        up: Scale::decades(points.map(|point| point.1)),
    };
    for (row, panels) in rows.iter().enumerate() {
        for (column, panel) in panels.iter().enumerate() {
            let left = MARGIN.0 + column as f64 * (PANEL.0 + GAP.0);
            let top = MARGIN.1 + row as f64 * (PANEL.1 + GAP.1);
            writeln!(svg, "<g transform=\"translate({left} {top})\">")?;
            axes.draw(&mut svg, across.0, up)?;
            panel.draw(&mut svg, &axes)?;
            writeln!(svg, "</g>")?;
        }
    }
    writeln!(svg, "</svg>")?;
    Ok(svg)
}

fn legend(svg: &mut String, rows: &[Vec<Panel>]) -> fmt::Result {
    let mut x = 14.0;
    for line in rows.first().and_then(|row| row.first()).map_or(&[][..], |panel| &panel.lines) {
        let (colour, marker) = look(&line.planner);
        writeln!(svg, "<path d=\"M{x} 43h18\" stroke=\"{colour}\" stroke-width=\"1.6\"/>")?;
        let middle = x + 9.0;
        writeln!(
            svg,
            "<polygon points=\"{marker}\" fill=\"{colour}\" transform=\"translate({middle} 43)\"/>"
        )?;
        writeln!(svg, "<text x=\"{}\" y=\"47\" fill=\"#222\">{}</text>", x + 24.0, line.planner)?;
        x += 46.0 + 6.6 * line.planner.len() as f64;
    }
    Ok(())
}

/// Where numbers lie on an axis.
enum Scale {
    /// Between two powers of ten.
    Decades { low: f64, high: f64 },
    /// From 0 on, with a mark at each number.
    Even { end: f64, marks: Vec<f64> },
}

impl Scale {
    fn decades(numbers: impl Iterator<Item = f64> + Clone) -> Self {
        let logarithms = numbers.map(|number| number.max(LEAST).log10());
        let low = logarithms.clone().fold(f64::MAX, f64::min).floor();
        Self::Decades { low, high: logarithms.fold(f64::MIN, f64::max).ceil().max(low + 1.0) }
    }

    fn even(numbers: impl Iterator<Item = f64>) -> Self {
        let mut marks: Vec<f64> = numbers.collect();
        marks.sort_by(f64::total_cmp);
        marks.dedup();
        Self::Even { end: marks.last().map_or(1.0, |last| last + 1.0), marks }
    }

    /// From 0 to 1.
    fn share(&self, number: f64) -> f64 {
        match self {
            Self::Decades { low, high } => (number.max(LEAST).log10() - low) / (high - low),
            Self::Even { end, .. } => number / end,
        }
    }

    fn marks(&self) -> Vec<f64> {
        match self {
            Self::Decades { low, high } => {
                // Few decades have marks between them.
                let between: &[f64] = if high - low <= 2.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
                let decades = (*low as i32..=*high as i32).map(|decade| 10_f64.powi(decade));
                let marks =
                    decades.flat_map(|decade| between.iter().map(move |mark| mark * decade));
                marks.filter(|mark| mark.log10() <= *high).collect()
            }
            Self::Even { marks, .. } => marks.clone(),
        }
    }
}

struct Axes {
    across: Scale,
    up: Scale,
}

impl Axes {
    fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.across.share(x) * PANEL.0, (1.0 - self.up.share(y)) * PANEL.1)
    }

    fn draw(&self, svg: &mut String, across: &str, up: &str) -> fmt::Result {
        let (right, bottom) = PANEL;
        for mark in self.up.marks() {
            let (_, y) = self.place((1.0, mark));
            writeln!(svg, "<path d=\"M0 {y:.1}h{right}\" stroke=\"#e2e2e2\"/>")?;
            let y = y + 4.0;
            writeln!(
                svg,
                "<text x=\"-6\" y=\"{y:.1}\" text-anchor=\"end\" fill=\"#696969\">{mark}</text>"
            )?;
        }
        for mark in self.across.marks() {
            let (x, _) = self.place((mark, 1.0));
            writeln!(svg, "<path d=\"M{x:.1} {bottom}v4\" stroke=\"#696969\"/>")?;
            let y = bottom + 16.0;
            writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\" fill=\"#696969\">{mark}</text>"
            )?;
        }
        writeln!(svg, "<path d=\"M0 0v{bottom}h{right}\" fill=\"none\" stroke=\"#696969\"/>")?;
        writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"#222\">{across}</text>",
            right / 2.0,
            bottom + 32.0
        )?;
        writeln!(
            svg,
            "<text transform=\"translate(-46 {}) rotate(-90)\" text-anchor=\"middle\" fill=\"#222\">{up}</text>",
            bottom / 2.0
        )
    }
}

impl Panel {
    fn draw(&self, svg: &mut String, axes: &Axes) -> fmt::Result {
        let title = &self.title;
        writeln!(svg, "<text y=\"-8\" font-weight=\"bold\" fill=\"#222\">{title}</text>")?;
        for line in &self.lines {
            let (colour, marker) = look(&line.planner);
            let places: Vec<(f64, f64)> = line.points.iter().map(|&at| axes.place(at)).collect();
            let path: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
            writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\"/>",
                path.join(" ")
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
}
