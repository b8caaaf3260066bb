//! What is choosing a planner by simple features worth, on maps that were seen and on maps that were not?
//!
//! `cargo run --release -p jostle-select --features lab --example evaluate [-- FOLDER [LIMIT]]`: on the records of a sweep, whose maps are
//! looked for where `JOSTLE_MAPS` says, or on a small sweep of built-in levels that is made first.

use std::error::Error;
use std::path::{Path, PathBuf};

use jostle_lab::sweep::{Order, Sweep};
use jostle_lab::table::Format;
use jostle_lab::{Registries, parse_limits};
use jostle_select::lab::{Columns, Crowds, CrowdsFilter, by_group, by_selector};
use jostle_select::{Forest, Menu, Random, Selector, SplitBy, Trial};

/// Three planners that are short of time in different ways.
const SPEC: &str = r#"
[[sweep]]
maps = ["cave:48x48:seed=1", "cave:48x48:seed=2", "rooms:48x48:seed=1", "rooms:48x48:seed=2", "maze:33x33:seed=1", "scatter:40x40:seed=1"]
kinds = ["random", "swap-sides", "tight-to-tight"]
agents = 40
seeds = "1-6"
planners = ["bmaa", "far", "whca:window=8"]
limits = ["20000expansions,200steps"]
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let library = std::env::var_os("JOSTLE_MAPS").map(PathBuf::from);
    let workshop = tempfile::tempdir()?;
    let folder = match arguments.first() {
        Some(folder) => PathBuf::from(folder),
        None => swept(workshop.path())?,
    };
    let limit = arguments.get(1).map(|limit| parse_limits(limit)).transpose()?;
    let filter = CrowdsFilter { limit, ..CrowdsFilter::default() };
    let places: Vec<&Path> =
        library.iter().map(PathBuf::as_path).chain([folder.as_path()]).collect();
    let crowds = Crowds::read(&[&folder], &filter, &places)?;
    let problems = crowds.samples.len();
    println!("{problems} problems on {} maps.\n", crowds.maps.len());
    let columns = Columns::completion(&crowds.candidates);
    for (by, title) in [(SplitBy::Problem, "Maps seen in training"), (SplitBy::Map, "Unseen maps")]
    {
        let splits = by.splits(&crowds.samples, 10, 0.7, 1)?;
        let trial = Trial {
            samples: &crowds.samples,
            menu: Menu::All,
            splits: &splits,
            measures: &crowds.measures,
            groups: &crowds.kinds,
        };
        let mut selectors: Vec<Box<dyn Selector>> =
            vec![Box::new(Forest::default()), Box::new(Random::default())];
        let evaluation = trial.evaluate(&mut selectors, &mut |_| ())?;
        let table = by_selector(&evaluation, &columns, &crowds.measures, ("selectors", title));
        println!("{}", table.write(Format::Text));
        let table = by_group(&evaluation, &columns, &crowds.kinds, ("kinds", "By kind"));
        println!("{}", table.write(Format::Text));
    }
    Ok(())
}

/// Makes the small sweep in a folder.
fn swept(folder: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let (spec, out) = (folder.join("spec.toml"), folder.join("results"));
    std::fs::write(&spec, SPEC)?;
    let sweep = Sweep::prepare(Order {
        registries: Registries::builtin(),
        spec: &spec,
        out: &out,
        maps: None,
        shard: None,
        may_extend: false,
    })?;
    sweep.run(1, &|| false, &|_| ())?;
    Ok(out)
}
