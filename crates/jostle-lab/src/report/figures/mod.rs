//! The figures of the papers, from our runs, and those of lifelong runs and of solvers.

mod axis;
mod by_name;
mod curves;
mod dots;
#[cfg(test)]
mod figures_test;
mod line_names;
mod lines;
mod map;
mod over_limits;
mod over_size;
mod panel;
mod paper;
mod plot;
mod raster;
mod silver;
mod solvers;
mod style;
mod surface;

pub use curves::Curve;
pub use map::MapPicture;
pub use plot::Figure;
pub use style::Palette;

use super::measure::Measure;
use super::section::{Contest, Section};
use crate::table::capital;
use plot::Entry;

/// Every figure of a section, or why there is none.
pub fn all(section: &Section<'_>, palette: &Palette) -> Vec<Result<Figure, String>> {
    if section.contest.is_of_solvers() {
        return solvers::all(section, palette);
    }
    if let Contest::Lifelong(_) = section.contest {
        return over_size::lifelong(section, palette);
    }
    let mut figures = over_size::all(section, palette);
    figures.push(by_name::maps(section, palette));
    figures.push(by_name::kinds(section, palette));
    figures.push(silver::figure(section, palette));
    figures
}

/// Every figure that compares sections, or why there is none.
pub fn across(sections: &[Section<'_>], palette: &Palette) -> Vec<Result<Figure, String>> {
    over_limits::all(sections, palette)
}

/// The label of a horizontal axis of agents or tasks.
fn number_of(section: &Section<'_>) -> String {
    format!("number of {}", section.contest.unit())
}

/// The name of a measure, without its unit, as a title begins.
fn headline(measure: Measure, section: &Section<'_>) -> String {
    let title = measure.title(section);
    capital(title.split(" (").next().unwrap_or(&title))
}

/// The planners or solvers of a section.
fn legend(section: &Section<'_>, palette: &Palette) -> Vec<Entry> {
    let entry = |planner: &&str| Entry {
        name: section.label(planner).to_owned(),
        look: palette.look(planner),
        is_bound: false,
    };
    section.contestants.iter().map(entry).collect()
}
