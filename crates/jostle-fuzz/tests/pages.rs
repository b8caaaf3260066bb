//! The pages outside of the packages say what the code says.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use jostle::planners::{Field, Registry};

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

fn read(name: &str) -> String {
    fs::read_to_string(path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The code between fences that begin with this word.
fn blocks<'a>(page: &'a str, fence: &str) -> Vec<&'a str> {
    let opening = format!("\n```{fence}\n");
    page.split(&opening).skip(1).map(|rest| rest.split("\n```").next().unwrap()).collect()
}

#[test]
fn the_readme_and_the_front_page_of_the_documentation_begin_with_the_same_example() {
    let [readme, front] = ["README.md", "crates/jostle/README.md"].map(read);
    let first = |page| blocks(page, "rust").first().copied().map(str::to_owned);
    assert!(first(&readme).unwrap().contains("Crowd::new"));
    assert_eq!(first(&readme), first(&front));
}

#[test]
fn the_page_for_games_quotes_its_example_word_for_word() {
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let example = flat(&read("crates/jostle/examples/game_loop.rs"));
    let page = read("docs/games.md");
    let quotes = blocks(&page, "rust,ignore");
    assert_eq!(quotes.len(), 4);
    for quote in quotes {
        assert!(example.contains(&flat(quote)), "the example does not have this:\n{quote}");
    }
}

/// A planner, and where the structs of its parameters are: each file under `src` with the name of a struct.
const PARAMETERS: [(&str, &[(&str, &str)]); 13] = [
    ("jostle", &[("planners/jostle/mod.rs", "Jostle")]),
    ("bmaa", &[("planners/bmaa/mod.rs", "Bmaa")]),
    ("far", &[("planners/far/mod.rs", "Far")]),
    ("lra", &[("planners/lra.rs", "Lra")]),
    ("lrta", &[("search/lrta/mod.rs", "Lrta")]),
    ("ca", &[("planners/cooperative.rs", "Cooperative")]),
    ("whca", &[("planners/whca.rs", "Whca")]),
    ("pibt", &[("planners/pibt/mod.rs", "Pibt")]),
    ("lacam-rt", &[("planners/lacam_rt/mod.rs", "LacamRt")]),
    ("cbs-replan", &[("planners/incremental/replan.rs", "CbsReplan")]),
    ("cbs-dstar-lite", &[REPAIRS]),
    ("di-cbs", &[("planners/incremental/di_cbs.rs", "DiCbs"), REPAIRS]),
    // The other parameters are those of a solver. This one has none.
    ("push-and-rotate", &[("planners/solved/mod.rs", "Pace")]),
];
const REPAIRS: (&str, &str) = ("planners/incremental/repairs.rs", "Repairs");

/// The documentation of a field of a struct, in one line.
fn documentation((file, name): (&str, &str), field: &str) -> Option<String> {
    let source = read(&format!("crates/jostle/src/{file}"));
    let (_, body) = source.split_once(&format!("pub struct {name} {{\n")).unwrap();
    let (body, _) = body.split_once("\n}\n").unwrap();
    let (before, _) = body.split_once(&format!("    pub {}: ", field.replace('-', "_")))?;
    let mut lines: Vec<_> =
        before.lines().rev().map_while(|line| line.trim().strip_prefix("/// ")).collect();
    lines.reverse();
    Some(lines.join(" "))
}

/// What the documentation of a parameter says about its default: the value, and where it comes from.
fn stated_default(structs: &[(&str, &str)], planner: &str, field: &Field<'_>) -> (String, String) {
    let documented = structs.iter().find_map(|place| documentation(*place, field.name));
    let text = documented.unwrap_or_else(|| panic!("{planner}: {} is not found", field.name));
    let (_, default) = text.split_once(" Default: `").unwrap_or_else(|| {
        panic!("{planner}: the documentation of {} states no default", field.name)
    });
    let (value, source) = default.split_once('`').unwrap();
    let source = source.trim_start_matches([' ', ',', ';', '.']).trim_end_matches('.');
    (value.to_owned(), source.to_owned())
}

/// The tables of all parameters, made from the code and its documentation.
fn parameter_tables() -> String {
    let mut page = String::new();
    for (planner, structs) in PARAMETERS {
        let entry = Registry::builtin().find(planner).unwrap();
        writeln!(page, "\n### Parameters of `{planner}`\n").unwrap();
        page.push_str(
            "| parameter | what it does | values | default | where the default comes from |\n",
        );
        page.push_str("| --- | --- | --- | --- | --- |\n");
        for field in entry.recipe().fields() {
            let (value, source) = stated_default(structs, planner, &field);
            assert_eq!(value, field.value.show(), "{planner}: the documentation of {}", field.name);
            let allowed = field.value.allowed();
            let Field { name, about, .. } = field;
            writeln!(page, "| `{name}` | {about} | {allowed} | `{value}` | {source} |").unwrap();
        }
    }
    page
}

#[test]
fn defaults_of_planners_are_documented_as_they_are() {
    let page = read("docs/planners.md");
    let begin = page.find("\n### Parameters of `").expect("the tables");
    let end = page[begin..].find("\n## ").map_or(page.len(), |length| begin + length);
    let tables = parameter_tables();
    if std::env::var_os("JOSTLE_UPDATE_PAGES").is_some() {
        let updated = format!("{}{tables}{}", &page[..begin], &page[end..]);
        fs::write(path("docs/planners.md"), updated).unwrap();
    } else {
        let hint = "JOSTLE_UPDATE_PAGES=1 cargo test -p jostle-fuzz --test pages writes them";
        assert_eq!(
            &page[begin..end],
            tables,
            "the tables of docs/planners.md are out of date: {hint}"
        );
    }
}

#[test]
fn every_planner_has_its_parameters_on_the_page() {
    let page = read("docs/planners.md");
    for entry in Registry::builtin().entries() {
        assert!(page.contains(&format!("`{}`", entry.name())), "{}", entry.name());
    }
}
