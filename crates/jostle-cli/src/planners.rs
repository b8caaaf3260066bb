//! `jostle planners`: the planners and their parameters.

use std::io::{self, Write};

use jostle::planners::{ENTRIES, SpecError};

use crate::args::PlannersArgs;
use crate::failure::Failure;

/// Lists all planners, or one with its parameters.
pub fn planners(args: &PlannersArgs) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let Some(name) = &args.name else {
        for entry in ENTRIES {
            writeln!(out, "{:10} {}", entry.name, entry.about)?;
        }
        writeln!(out, "\nThe parameters of one: jostle planners bmaa")?;
        return Ok(());
    };
    let entry = ENTRIES.iter().find(|entry| entry.name == name);
    let entry = entry.ok_or_else(|| Failure::input(SpecError::UnknownPlanner(name.clone())))?;
    writeln!(out, "{}: {}", entry.name, entry.about)?;
    let mut recipe = (entry.recipe)();
    for field in recipe.fields() {
        let (default, allowed) = (field.value.show(), field.value.allowed());
        writeln!(out, "  {:11} {} ({allowed}; default {default})", field.name, field.about)?;
    }
    writeln!(out, "\nFor example: --planner {}:expansions=64", entry.name)?;
    Ok(())
}
