//! `jostle planners` and `jostle solvers`: what can be built by name, and its parameters.

use std::io::Write;

use jostle::registry::{Entry, Named, Registry};
use jostle::solvers::{self, CoCbs};

use crate::args::NamesArgs;
use crate::failure::Failure;
use crate::say::out;

/// Lists all names, or one with its parameters. `usage` is what to type before a name to use it.
pub fn names<T: Named + ?Sized>(
    registry: &Registry<T>,
    args: &NamesArgs,
    usage: &str,
) -> Result<(), Failure> {
    match &args.name {
        None => list(registry, usage),
        Some(name) => show(registry.find(name).map_err(Failure::input)?, usage),
    }
}

/// Lists all solvers, those for pairs that meet last, or one with its parameters.
pub fn solver_names(alone: &solvers::Registry, args: &NamesArgs) -> Result<(), Failure> {
    let pairs = Registry::<CoCbs>::builtin();
    let usage = "jostle solve cave --tasks 5 --solver";
    match &args.name {
        Some(name) if pairs.find(name).is_ok() => names(pairs, args, usage),
        Some(_) => names(alone, args, "jostle solve cave --solver"),
        None => {
            names(alone, args, "jostle solve cave --solver")?;
            writeln!(out(), "\nFor pairs of agents that meet (--tasks):")?;
            list(pairs, usage)
        }
    }
}

fn list<T: Named + ?Sized>(registry: &Registry<T>, usage: &str) -> Result<(), Failure> {
    let mut out = out();
    let width = registry.entries().iter().map(|entry| entry.name().len()).max().unwrap_or(0);
    for entry in registry.entries() {
        writeln!(out, "{:width$}  {}", entry.name(), entry.about())?;
    }
    if let Some(first) = registry.entries().first() {
        let (word, name) = (T::WORD, first.name());
        writeln!(out, "\nParameters of a {word}: jostle {word}s {name}")?;
        writeln!(out, "To use it: {usage} {name}")?;
    }
    Ok(())
}

fn show<T: ?Sized>(entry: &Entry<T>, usage: &str) -> Result<(), Failure> {
    let mut out = out();
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
    writeln!(out, "\nFor example: {usage} {}", entry.example())?;
    Ok(())
}
