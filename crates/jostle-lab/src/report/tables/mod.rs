//! The tables of the papers, from our runs, and those of lifelong runs and of solvers.

mod agreement;
mod comparison;
mod differences;
#[cfg(test)]
mod differences_test;
mod endings;
mod lifelong;
#[cfg(test)]
mod lifelong_test;
mod per_agents;
mod per_kind;
mod per_map;
mod selection;
mod solvers;
#[cfg(test)]
mod solvers_test;
#[cfg(test)]
mod tables_test;

pub use comparison::{Compared, Comparison};
pub use per_agents::silver;

use super::section::{Contest, Section};

/// Every table of a section, or why there is none; with differences from one of the planners, if one is named.
pub fn all(section: &Section<'_>, against: Option<&str>) -> Vec<Result<Comparison, String>> {
    if section.contest.is_of_solvers() {
        return solvers::all(section);
    }
    if let Contest::Lifelong(_) = section.contest {
        return lifelong::all(section);
    }
    let mut tables = per_map::all(section);
    tables.push(per_kind::table(section));
    tables.extend(selection::all(section));
    tables.extend(per_agents::all(section));
    tables.extend(endings::all(section));
    tables.extend(against.into_iter().flat_map(|planner| differences::all(section, planner)));
    tables
}
