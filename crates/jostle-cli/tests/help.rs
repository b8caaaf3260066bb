//! Help, suggestions, completions and manual pages: what somebody reads who does not know the command yet.

mod common;

use std::process::Command;

use common::{Folder, is_refused, stderr, stdout, succeeds};

/// Help on a terminal of 80 columns.
fn help(words: &[&str]) -> String {
    let output =
        Command::new(env!("CARGO_BIN_EXE_jostle")).args(words).env("COLUMNS", "80").output();
    stdout(&output.unwrap())
}

#[test]
fn the_example_of_a_spec_in_the_help_can_be_copied() {
    let help = help(&["sweep", "--help"]);
    for line in [
        "  compare_with_shortest = false             # whether to measure paths against the shortest ones\n",
        "  longest = 100                             # abandon walks this many times longer than the shortest path; default: 1000\n",
        "  jostle sweep spec.toml --out results --threads 4 --shard 1/8\n",
    ] {
        assert!(help.contains(line), "{help}");
    }
    assert!(!help.contains('\u{a0}'));
    assert!(help.contains("and no run is made twice"), "the long description is shown: {help}");
}

#[test]
fn numbers_that_are_wrong_are_refused_in_plain_words() {
    let refused = |option: &str, value: &str, expected: &str| {
        is_refused(&["run", "cave:20x20", option, value], expected);
    };
    refused("--agents", "-1", "'-1' is negative");
    refused("--seeds", "10-5", "'10-5' runs backwards: write 5-10");
    refused("--ticks", "x", "it is a whole number, not below 0");
    let sweep = ["sweep", "spec.toml", "--out", "x", "--threads", "0"];
    is_refused(&sweep, "it is a whole number from 1 to 65,535");
    let folder = Folder::new();
    let spec = folder.write("a.toml", "[sweep]\nmaps = [\"cave\"]\n");
    let expected = "a.toml: line 1: write [[sweep]] with two brackets";
    is_refused(&["sweep", &spec, "--out", &folder.path("out")], expected);
}

#[test]
fn what_was_probably_meant_is_said_in_every_command() {
    let folder = Folder::new();
    let run = ["run", "cave:24x16", "--agents", "4", "--planner", "bmaa,pibt", "--json"];
    let records = folder.write("runs.jsonl", &succeeds(&run));
    let report = |option: &str, name: &str, expected: &str| {
        let out = folder.path("report");
        is_refused(&["report", &records, "--out", &out, option, name], expected);
    };
    report("--planner", "bmma", "--planner: no run is of 'bmma': did you mean 'bmaa'?");
    report("--against", "pbit", "--against: no run is of 'pbit': did you mean 'pibt'?");
    report("--kind", "rnadom", "did you mean 'random'?");
    report("--map", "cave:24x16:seed=2", "did you mean 'cave:24x16:seed=1'?");
    is_refused(&["solvers", "co-cb"], "there is no solver 'co-cb': did you mean 'co-cbs'?");
    is_refused(&["solve", "cave", "--solver", "co-cbs"], "it needs --tasks");
    is_refused(&["help", "rnu"], "'run'");
}

#[test]
fn a_line_of_a_search_is_not_taken_for_a_damaged_record() {
    let folder = Folder::new();
    let solved = succeeds(&["solve", "cave:20x20", "--agents", "3", "--json"]);
    let file = folder.write("solved.jsonl", &solved);
    let expected = "this is a line of `jostle solve --json`";
    is_refused(&["export", &file, "--out", &folder.path("x.csv")], expected);
}

#[test]
fn zsh_completes_options_after_the_first_map() {
    let script = succeeds(&["completions", "zsh"]);
    assert!(script.contains("'*:maps -- ") && !script.contains("'*::"));
}

#[test]
fn bash_offers_files_for_an_empty_word() {
    let folder = Folder::new();
    folder.write("my own.map", "");
    let script = format!(
        "source <('{}' completions bash)\nCOMP_WORDS=(jostle run '')\nCOMP_CWORD=2\n\
         _jostle jostle '' run\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"",
        env!("CARGO_BIN_EXE_jostle")
    );
    let mut bash = Command::new("bash");
    let output = bash.args(["-c", &script]).current_dir(folder.path("")).output().unwrap();
    let offered = stdout(&output);
    for expected in ["my own.map", "cave", "--agents"] {
        assert!(offered.lines().any(|line| line == expected), "{offered}{}", stderr(&output));
    }
}

#[test]
fn a_manual_page_has_the_values_of_options_and_the_environment() {
    let page = succeeds(&["man", "sweep"]);
    for expected in [
        "[\\fB\\-\\-out\\fR \\fIDIR\\fR]",
        "\\fISPEC\\fR\n",
        ".SH FILES\n",
        ".SH ENVIRONMENT\n.nf\n\\&JOSTLE_MAPS",
        ".SH SEE ALSO\n.nf\n\\&jostle(1)\n",
    ] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
    let (_, status) = page.split_once(".SH EXIT STATUS").unwrap();
    let status = status.split(".SH").next().unwrap();
    assert!(!status.contains("jostle sweep") && !status.contains("settings"), "{status}");
    assert!(succeeds(&["man"]).contains("jostle\\-run(1)"));
}

#[test]
fn a_written_page_is_confirmed() {
    let folder = Folder::new();
    let (page, pages) = (folder.path("both.html"), folder.path("pages"));
    let run = ["run", "cave:24x16", "--agents", "4", "--planner", "bmaa,pibt", "--replay"];
    let said = succeeds(&[&run[..], &[&page]].concat());
    assert!(said.ends_with(&format!("{page}: plays 2 runs\n")), "{said}");
    let said = succeeds(&[&run[..], &[&pages]].concat());
    assert!(said.ends_with(&format!("{pages}: 2 pages\n")), "{said}");
    let said = succeeds(&["solve", "cave:24x16", "--agents", "2", "--replay", &page]);
    assert!(said.ends_with(&format!("{page}: plays 1 run\n")), "{said}");
}

#[test]
fn lifelong_runs_compare_jostle_with_pibt_by_default() {
    let said = succeeds(&["run", "aisles", "--agents", "5", "--lifelong", "--ticks", "20"]);
    assert!(said.contains("│ jostle ") && said.contains("│ pibt ") && !said.contains("bmaa"));
}

#[test]
fn tasks_without_a_map_are_drawn_on_the_usual_one() {
    assert!(succeeds(&["solve", "--tasks", "1"]).starts_with("cave:96x64:seed=1 "));
}

#[test]
fn scenarios_of_the_same_file_name_are_told_apart_in_summaries() {
    let folder = Folder::new();
    for (name, seed) in [("x", "1"), ("y", "2")] {
        std::fs::create_dir(folder.path(name)).unwrap();
        let out = folder.path(&format!("{name}/a.scen"));
        succeeds(&["gen", "cave:24x16", "--agents", "4", "--seed", seed, "--out", &out]);
    }
    let scens = ["x", "y"].map(|name| folder.path(&format!("{name}/a.scen")));
    let words = ["run", "--brief", "--planner", "pibt", "--scen", &scens.join(",")];
    let said = succeeds(&words);
    for name in ["x/a ", "y/a "] {
        assert!(said.contains(name), "{said}");
    }
}
