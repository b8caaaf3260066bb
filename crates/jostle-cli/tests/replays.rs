//! Pages that play runs: one run, several side by side, and path files of any tool.

mod common;

use std::fs;
use std::path::Path;

use common::{Folder, is_refused, jostle, stderr, stdout, succeeds};

const MAP: &str = "type octile\nheight 3\nwidth 4\nmap\n....\n....\n....\n";
const LEGAL: &str = "starts=(0,0),\ngoals=(1,0),\nsolution=\n0:(0,0),\n1:(1,0),\n";
/// Two agents swap cells in tick 2.
const SWAP: &str = "starts=(0,0),(1,1),\ngoals=(1,0),(0,0),\nsolution=\n0:(0,0),(1,1),\n1:(0,0),(1,0),\n2:(1,0),(0,0),\n";

/// The titles of the runs on a page.
fn titles(page: &str) -> Vec<String> {
    let page = fs::read_to_string(page).unwrap();
    let titles =
        page.split("<header><h2>").skip(1).map_while(|rest| Some(rest.split_once("</h2>")?.0));
    titles.map(str::to_owned).collect()
}

fn run<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let run = ["run", "cave:24x16", "--agents", "5", "--limit", "30steps"];
    [&run[..], more].concat()
}

#[test]
fn several_planners_on_one_problem_are_side_by_side_on_one_page() {
    let folder = Folder::new();
    let page = folder.path("both.html");
    succeeds(&run(&["--planner", "jostle,bmaa", "--replay", &page]));
    assert_eq!(titles(&page), ["jostle", "bmaa"]);
    let text = fs::read_to_string(&page).unwrap();
    assert!(text.contains("<h1>cave:24x16:seed=1 · 5 agents · seed 1</h1>"));
    assert!(text.contains("\"floor\":0,"), "the floor of the second run is that of the first");
    // Any other name is that of a folder.
    succeeds(&run(&["--planner", "jostle,bmaa", "--replay", &folder.path("pages")]));
    let names = folder.files("pages");
    let names: Vec<_> = names.iter().filter_map(|path| path.file_name()?.to_str()).collect();
    assert_eq!(names, ["bmaa.html", "jostle.html"]);
    assert_eq!(titles(&folder.path("pages/bmaa.html")), ["bmaa"]);
}

#[test]
fn runs_of_several_problems_do_not_go_to_one_page() {
    let folder = Folder::new();
    let page = folder.path("all.html");
    let said = "one page shows runs of one problem, and these are 2 problems: name a folder";
    is_refused(&run(&["--planner", "bmaa", "--seeds", "1-2", "--replay", &page]), said);
    assert!(!Path::new(&page).exists());
    let solve = ["solve", "arena:8x8", "--agents", "2-3", "--replay", &page];
    is_refused(&solve, "these are 2 problems");
}

#[test]
fn solvers_are_side_by_side_too() {
    let folder = Folder::new();
    let page = folder.path("plans.html");
    let solve = ["solve", "arena:12x8", "--agents", "3", "--solver", "cbs,lacam"];
    succeeds(&[&solve[..], &["--replay", &page]].concat());
    assert_eq!(titles(&page), ["cbs", "lacam"]);
    let tasks = ["solve", "cave:24x24", "--tasks", "2", "--solver", "co-cbs,co-cbs"];
    succeeds(&[&tasks[..], &["--replay", &page]].concat());
    assert_eq!(titles(&page).len(), 2);
}

#[test]
fn path_files_of_any_tool_become_a_page() {
    let folder = Folder::new();
    let map = folder.write("a.map", MAP);
    let [one, two] = ["one.txt", "two.txt"].map(|name| folder.write(name, LEGAL));
    let page = folder.path("page.html");
    let said = succeeds(&["replay", &map, &one, &two, "--out", &page, "--title", "A & B"]);
    assert!(said.contains("one.txt: legal: 1 agent, 1 tick, 1 arrived"), "{said}");
    assert!(said.contains("page.html: plays 2 runs"), "{said}");
    assert_eq!(titles(&page), ["one", "two"]);
    assert!(fs::read_to_string(&page).unwrap().contains("<h1>A &amp; B</h1>"));
    succeeds(&["replay", &map, &one, "--out", &page]);
    assert_eq!(titles(&page), ["one"]);
    assert!(fs::read_to_string(&page).unwrap().contains("<h1>one · a</h1>"));
    succeeds(&["check", &map, &one, &two, "--replay", &page]);
    assert_eq!(titles(&page), ["one", "two"]);
    is_refused(&["replay", &map, &one, "--out", &one], "this command reads that file");
    assert_eq!(fs::read_to_string(&one).unwrap(), LEGAL);
}

#[test]
fn path_files_of_one_name_are_told_apart() {
    let folder = Folder::new();
    let map = folder.write("a.map", MAP);
    for name in ["x", "y"] {
        fs::create_dir(folder.path(name)).unwrap();
    }
    let [x, y] = ["x/paths.txt", "y/paths.txt"].map(|name| folder.write(name, LEGAL));
    let page = folder.path("page.html");
    succeeds(&["replay", &map, &x, &y, "--out", &page]);
    assert_eq!(titles(&page), [x, y]);
}

#[test]
fn an_illegal_run_is_shown_up_to_its_first_illegal_step_and_reported() {
    let folder = Folder::new();
    let map = folder.write("a.map", MAP);
    let [legal, swap] =
        [("legal.txt", LEGAL), ("swap.txt", SWAP)].map(|(name, text)| folder.write(name, text));
    let page = folder.path("page.html");
    let reason = "illegal: tick 2: agents 1 and 0 swapped cells";
    for words in [
        ["replay", &map, &legal, &swap, "--out", &page],
        ["check", &map, &legal, &swap, "--replay", &page],
    ] {
        let output = jostle(&words);
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        assert!(stdout(&output).contains("legal.txt: legal"), "{}", stdout(&output));
        assert!(stderr(&output).contains(&format!("swap.txt: {reason}")), "{}", stderr(&output));
        let said = "page.html: plays 2 runs, illegal ones up to the first illegal step";
        assert_eq!(stdout(&output).contains(said), words[0] == "replay", "{}", stdout(&output));
        assert_eq!(titles(&page), ["legal", "swap"]);
        let text = fs::read_to_string(&page).unwrap();
        assert!(text.contains(&format!("<p class=\"note\">{reason}. It is shown up to there</p>")));
        assert_eq!(text.matches("\"ticks\":1,").count(), 2, "both are shown for one tick");
        fs::remove_file(&page).unwrap();
    }
}

#[test]
fn a_file_that_cannot_be_read_does_not_keep_the_others_from_being_shown() {
    let folder = Folder::new();
    let map = folder.write("a.map", MAP);
    let [legal, torn] = [("legal.txt", LEGAL), ("torn.txt", "starts=(0,0),\n1:(1")]
        .map(|(name, text)| folder.write(name, text));
    let page = folder.path("page.html");
    let output = jostle(&["replay", &map, &torn, &legal, "--out", &page]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("torn.txt: line 2: "), "{}", stderr(&output));
    assert_eq!(titles(&page), ["legal"]);
    let said = "page.html: plays 1 run; 1 of 2 cannot be shown";
    assert!(stdout(&output).contains(said), "{}", stdout(&output));
    // Without any run there is no page, and what was there stays.
    let before = fs::read_to_string(&page).unwrap();
    let output = jostle(&["replay", &map, &torn, "--out", &page]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read_to_string(&page).unwrap(), before);
}

#[test]
fn a_run_that_cannot_begin_is_said_not_to_be_on_the_page() {
    let folder = Folder::new();
    let map = folder.write("a.map", "type octile\nheight 1\nwidth 2\nmap\n.@\n");
    let text = "starts=(1,0),\ngoals=(1,0),\nsolution=\n0:(1,0),\n";
    let walled = folder.write("walled.txt", text);
    let page = folder.path("page.html");
    let output = jostle(&["replay", &map, &walled, "--out", &page]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("tick 0: agent 0 is on (1, 0), which is not floor"));
    let said = "page.html: not written";
    assert!(stdout(&output).contains(said), "{}", stdout(&output));
    assert!(!Path::new(&page).exists());
}
