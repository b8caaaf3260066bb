//! `jostle planners` and `jostle solvers`: what can be built by name, and its parameters.

use std::io::Write;

use jostle::formats::quoted;
use jostle::registry::{Entry, Field, Named, Registry, SpecError, Value, nearest};
use jostle::solvers::{self, CoCbs};

use jostle_lab::json_line;
use serde::Serialize;
use serde_json::Value as Json;

use crate::args::NamesArgs;
use crate::failure::Failure;
use crate::say::out;

/// Lists all names, or one with its parameters. `usage` is what to type before a name to use it.
pub fn names<T: Named + ?Sized>(
    registry: &Registry<T>,
    args: &NamesArgs,
    usage: &str,
) -> Result<(), Failure> {
    let found =
        args.name.as_ref().map(|name| registry.find(name).map_err(|error| misnamed(&error)));
    match found.transpose()? {
        None if args.json => registry.entries().iter().try_for_each(json),
        Some(entry) if args.json => json(entry),
        None => list(registry, usage),
        Some(entry) => show(entry, usage),
    }
}

/// A name that is not known. Where the error suggests one, it does not list the others.
pub fn misnamed(error: &SpecError) -> Failure {
    match error {
        SpecError::UnknownName { what, suggestion: Some(_), .. } => {
            Failure::input(format!("{error} `jostle {what}s` lists all"))
        }
        SpecError::UnknownParameter { owner, what, suggestion: Some(_), .. } => {
            Failure::input(format!("{error} `jostle {what}s {owner}` lists all"))
        }
        _ => Failure::input(error),
    }
}

/// A planner or solver, for programs.
#[derive(Serialize)]
struct Described<'a> {
    name: &'a str,
    about: &'a str,
    parameters: Vec<Parameter>,
}

/// A parameter, for programs. What does not apply to its type is null.
#[derive(Serialize)]
struct Parameter {
    name: &'static str,
    about: &'static str,
    /// `whole`, `real`, `limit` (a whole number, or null for no limit), `flag` or `choice`.
    r#type: &'static str,
    default: Json,
    least: Json,
    most: Json,
    choices: Option<&'static [&'static str]>,
}

/// Prints a planner or solver as a line of JSON.
fn json<T: ?Sized>(entry: &Entry<T>) -> Result<(), Failure> {
    let mut recipe = entry.recipe();
    let parameters = recipe.fields().iter().map(parameter).collect();
    let line = json_line(&Described { name: entry.name(), about: entry.about(), parameters })?;
    Ok(writeln!(out(), "{line}")?)
}

fn parameter(field: &Field<'_>) -> Parameter {
    let (name, about) = (field.name, field.about);
    let of = |r#type, default: Json, [least, most]: [Json; 2]| Parameter {
        name,
        about,
        r#type,
        default,
        least,
        most,
        choices: None,
    };
    let no_range = || [Json::Null, Json::Null];
    match &field.value {
        Value::Count { value, range } => {
            of("whole", (**value).into(), [(*range.start()).into(), (*range.end()).into()])
        }
        Value::Real { value, range } => {
            of("real", (**value).into(), [(*range.start()).into(), (*range.end()).into()])
        }
        Value::Limit(limit) => of("limit", (**limit).into(), [1.into(), u32::MAX.into()]),
        Value::Flag(flag) => of("flag", (**flag).into(), no_range()),
        Value::Name(choice) => {
            let choices = Some(choice.names());
            Parameter { choices, ..of("choice", choice.name().into(), no_range()) }
        }
        // A type of value that a later engine may add.
        other => of("other", other.show().into(), no_range()),
    }
}

/// Lists all solvers, those for pairs that meet last, or one with its parameters.
pub fn solver_names(alone: &solvers::Registry, args: &NamesArgs) -> Result<(), Failure> {
    let pairs = Registry::<CoCbs>::builtin();
    let usage = "jostle solve cave --tasks 5 --solver";
    match &args.name {
        Some(name) if pairs.find(name).is_ok() => names(pairs, args, usage),
        Some(name) => {
            refuse_misspelt(name, alone, pairs)?;
            names(alone, args, "jostle solve cave --solver")
        }
        None if args.json => {
            names(alone, args, "")?;
            names(pairs, args, "")
        }
        None => {
            names(alone, args, "jostle solve cave --solver")?;
            writeln!(out(), "\nFor pairs of agents that meet (--tasks):")?;
            list(pairs, usage)
        }
    }
}

/// Refuses the name of a solver that is nearly that of one of these two sorts.
fn refuse_misspelt(
    name: &str,
    alone: &solvers::Registry,
    pairs: &Registry<CoCbs>,
) -> Result<(), Failure> {
    if alone.find(name).is_ok() {
        return Ok(());
    }
    let pairs = pairs.entries().iter().map(Entry::name);
    let Some(meant) = nearest(name, alone.entries().iter().map(Entry::name).chain(pairs)) else {
        return Ok(());
    };
    let typed = quoted(name);
    let reason = format!("there is no solver {typed}: did you mean '{meant}'?");
    Err(Failure::input(format!("{reason} `jostle solvers` lists all")))
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
