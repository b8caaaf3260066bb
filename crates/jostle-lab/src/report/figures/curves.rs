//! Curves that are not about runs: how something changes from step to step.

use super::axis::Axis;
use super::lines::{Dot, Series};
use super::plot::{Content, Entry, Figure, Panel, SIDE_BY_SIDE};
use super::style::{Look, Palette};

/// One line of a panel.
#[derive(Clone, PartialEq, Debug)]
pub struct Curve {
    /// Its name; the same name has the same look in all panels.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<(f64, f64)>,
    /// Something to compare with rather than a curve of its own: it is dashed.
    pub is_bound: bool,
}

impl Figure {
    /// A panel for each measure, with its title and its curves, over one horizontal axis.
    pub fn of_curves(
        name: &str,
        title: &str,
        across: &str,
        panels: &[(String, Vec<Curve>)],
        notes: Vec<String>,
    ) -> Self {
        let mut legend: Vec<Entry> = Vec::new();
        for curve in panels.iter().flat_map(|(_, curves)| curves) {
            if legend.iter().all(|entry| entry.name != curve.name) {
                let number = legend.len();
                let usual = Palette::numbered(number);
                let (name, is_bound) = (curve.name.clone(), curve.is_bound);
                let look = if is_bound { Look::of_bound(usual.colour) } else { usual };
                legend.push(Entry { name, look, is_bound });
            }
        }
        let look = |name: &str| {
            let entry = legend.iter().find(|entry| entry.name == name);
            entry.map_or_else(|| Palette::numbered(0), |entry| entry.look)
        };
        let all = |at: fn(&(f64, f64)) -> f64| {
            let curves = panels.iter().flat_map(|(_, curves)| curves);
            curves.flat_map(move |curve| curve.points.iter().map(at))
        };
        let x = Axis::linear(across, all(|point| point.0), 6);
        let series = |curve: &Curve| Series {
            name: curve.name.clone(),
            look: look(&curve.name),
            dots: curve.points.iter().map(|&(x, y)| Dot { x, y, interval: None }).collect(),
            published: Vec::new(),
            is_bound: curve.is_bound,
            is_labelled: false,
        };
        let panel = |(label, curves): &(String, Vec<Curve>)| {
            let values = curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.1));
            Panel {
                title: String::new(),
                content: Content::Lines {
                    x: x.clone(),
                    y: Axis::linear(label, values, 5),
                    series: curves.iter().map(series).collect(),
                },
            }
        };
        Self {
            name: name.to_owned(),
            title: title.to_owned(),
            notes,
            columns: panels.len(),
            panels: panels.iter().map(panel).collect(),
            legend,
            panel_size: (SIDE_BY_SIDE / 2.0, 300.0),
        }
    }
}
