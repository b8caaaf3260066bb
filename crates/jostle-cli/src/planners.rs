//! `jostle planners`: the planners and their parameters.

use std::io::{self, Write};

use jostle::planners::{Entry, Registry};

use crate::args::PlannersArgs;
use crate::failure::Failure;

/// Lists all planners, or one with its parameters.
pub fn planners(registry: &Registry, args: &PlannersArgs) -> Result<(), Failure> {
    match &args.name {
        None => list(registry),
        Some(name) => show(registry.find(name).map_err(Failure::input)?),
    }
}

fn list(registry: &Registry) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let width = registry.entries().iter().map(|entry| entry.name().len()).max().unwrap_or(0);
    for entry in registry.entries() {
        writeln!(out, "{:width$}  {}", entry.name(), entry.about())?;
    }
    if let Some(first) = registry.entries().first() {
        writeln!(out, "\nParameters of a planner: jostle planners {}", first.name())?;
        writeln!(out, "Run a crowd with it: jostle run cave --planner {}", first.name())?;
    }
    Ok(())
}

fn show(entry: &Entry) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}: {}", entry.name(), entry.about())?;
    let mut recipe = entry.recipe();
    let fields = recipe.fields();
    let width = fields.iter().map(|field| field.name.len()).max().unwrap_or(0);
    if fields.is_empty() {
        writeln!(out, "It has no parameters.")?;
    }
    for field in &fields {
        let (default, allowed) = (field.value.show(), field.value.allowed());
        writeln!(out, "  {:width$}  {}", field.name, field.about)?;
        writeln!(out, "  {:width$}  {allowed} [default: {default}]", "")?;
    }
    writeln!(out, "\nFor example: jostle run cave --planner {}", entry.example())?;
    Ok(())
}
