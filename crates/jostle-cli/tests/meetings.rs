//! Pairs of agents that meet, from their tasks to the page that shows their meetings.

mod common;

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{Folder, is_refused, stderr, stdout, succeeds};

/// Two corridors that cross, and two tasks that both would best meet in the middle.
const CROSS: &str = "type octile\nheight 5\nwidth 5\nmap\n@@.@@\n@@.@@\n.....\n@@.@@\n@@.@@\n";
const TASKS: &str = "\
# two pairs
(0,2) via (1,2) meets (4,2) to (0,2)
(2,0) via (2,1) meets (2,4) to (2,0)
";

fn cross(folder: &Folder) -> [String; 2] {
    [folder.write("cross.map", CROSS), folder.write("cross.tasks", TASKS)]
}

#[test]
fn tasks_are_solved_and_the_plan_is_checked_and_shown() {
    let folder = Folder::new();
    let [map, tasks] = cross(&folder);
    let (paths, page) = (folder.path("paths.txt"), folder.path("page.html"));
    let files = ["--paths", &paths, "--replay", &page];
    let said =
        succeeds(&[&["solve", &map, "--tasks", &tasks, "--neighbours", "4"], &files[..]].concat());
    assert!(said.contains("optimal") && said.contains("14"), "{said}");
    let shown = fs::read_to_string(&page).unwrap();
    assert!(shown.contains("\"tasks\":[[0,1,11,"), "the page has the meetings");
    let said = succeeds(&["check", &map, &paths, "--neighbours", "4"]);
    assert!(said.contains("legal: 4 agents, 5 ticks, 2 tasks done"), "{said}");
    // A pair that shares a cell at another tick is found.
    let text = fs::read_to_string(&paths).unwrap();
    let task = text.lines().find(|line| line.starts_with("task=0 1")).unwrap();
    let tick = task.split(" at ").nth(1).unwrap().split(' ').next().unwrap();
    let wrong = folder.write("wrong.txt", &text.replacen(&format!(" at {tick} "), " at 5 ", 1));
    let output = common::jostle(&["check", &map, &wrong, "--neighbours", "4"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("are both on"), "{}", stderr(&output));
}

#[test]
fn every_solver_gets_a_line_and_the_costs_are_the_same() {
    let folder = Folder::new();
    let [map, tasks] = cross(&folder);
    let solvers = "co-cbs,co-cbs:lazy=false:heuristic=false,co-cbs:at-target=stay";
    let pages = folder.path("pages");
    let said = succeeds(&[
        "solve",
        &map,
        "--tasks",
        &tasks,
        "--neighbours",
        "4",
        "--solver",
        solvers,
        "--json",
        "--limit",
        "20000expansions",
        "--replay",
        &pages,
    ]);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[..2].iter().all(|line| line.contains("\"cost\":14,\"bound\":14")), "{said}");
    assert!(lines[0].contains("\"proof\":\"optimal\"") && lines[0].contains("\"first_set\":false"));
    assert!(fs::read_dir(&pages).unwrap().count() >= 2);
}

#[test]
fn drawn_tasks_are_those_that_gen_writes() {
    let folder = Folder::new();
    let out = folder.path("problems");
    succeeds(&["gen", "cave:24x16", "--tasks", "3", "--seeds", "4", "--out", &out]);
    let [file, map] = ["tasks-3-4.tasks", ".map"].map(|ending| {
        let files = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().path());
        let mut files = files.filter(|path| path.to_string_lossy().ends_with(ending));
        files.next().unwrap().to_string_lossy().into_owned()
    });
    let read = succeeds(&["solve", &map, "--tasks", &file, "--json"]);
    let drawn = succeeds(&["solve", "cave:24x16", "--tasks", "3", "--seed", "4", "--json"]);
    let cost =
        |line: &str| line.split("\"cost\":").nth(1).unwrap().split(',').next().unwrap().to_owned();
    assert_eq!(cost(&read), cost(&drawn));
}

#[test]
fn bad_input_gets_one_sentence_with_file_and_line() {
    let folder = Folder::new();
    let [map, tasks] = cross(&folder);
    let refused = |text: &str, expected: &str| {
        let file = folder.write("bad.tasks", text);
        is_refused(&["solve", &map, "--tasks", &file], &format!("bad.tasks: {expected}"));
    };
    refused(
        "(0,2) via\n",
        "line 1: expected '(X,Y) via (X,Y) meets (X,Y) to (X,Y)', found '(0,2) via'",
    );
    refused(
        "\n(0,2) via (1,2) meets (4,2) to (0,0)\n",
        "line 2: the goal (0, 0) of task 0 is a wall",
    );
    refused(
        "(0,2) via (9,2) meets (4,2) to (0,2)\n",
        "line 1: the start (9, 2) of task 0 is outside the map of 5x5",
    );
    refused(
        "(0,2) via (1,2) meets (0,2) to (0,2)\n",
        "line 1: the executor of task 0 begins on (0, 2)",
    );
    refused("# nothing\n", "there are no tasks");
    is_refused(&["solve", &map, "--tasks", "no.tasks"], "no.tasks: there is no such file");
    is_refused(
        &["solve", &map, "--tasks", "100"],
        "200 agents do not fit: the floor has room for 9",
    );
    is_refused(&["solve", &map, "--tasks", "1", "--limit", "9steps"], "is not a limit of a search");
    is_refused(
        &["solve", &map, "--tasks", "1", "--solver", "x"],
        "there is no solver 'x': the solvers are co-cbs",
    );
    is_refused(&["solve", &map, "--tasks", "1", "--solver", "co-cbs:lazy=maybe"], "true or false");
    let reads = "this command reads that file";
    is_refused(&["solve", &map, "--tasks", &tasks, "--paths", &tasks], reads);
}

#[test]
fn what_cannot_be_done_gets_that_answer_or_ends_at_the_limit() {
    let folder = Folder::new();
    let map = folder.write("apart.map", "type octile\nheight 1\nwidth 5\nmap\n..@..\n");
    let tasks = folder.write("apart.tasks", "(0,0) via (1,0) meets (3,0) to (4,0)\n");
    is_refused(&["solve", &map, "--tasks", &tasks], "line 1");
    // Two pairs that cannot pass each other in a corridor.
    let map = folder.write("corridor.map", "type octile\nheight 1\nwidth 6\nmap\n......\n");
    let tasks = "(0,0) via (4,0) meets (1,0) to (5,0)\n(5,0) via (1,0) meets (4,0) to (0,0)\n";
    let tasks = folder.write("corridor.tasks", tasks);
    let limit = ["--limit", "5000expansions"];
    let output = common::jostle(&[&["solve", &map, "--tasks", &tasks], &limit[..]].concat());
    let said = stdout(&output);
    assert!(said.contains("out of budget") || said.contains("impossible"), "{said}");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("there is no plan by co-cbs"), "{}", stderr(&output));
}

#[cfg(unix)]
#[test]
fn a_search_that_is_interrupted_says_what_is_known() {
    let folder = Folder::new();
    let map = folder.write("corridor.map", "type octile\nheight 1\nwidth 6\nmap\n......\n");
    let tasks = "(0,0) via (4,0) meets (1,0) to (5,0)\n(5,0) via (1,0) meets (4,0) to (0,0)\n";
    let tasks = folder.write("corridor.tasks", tasks);
    let mut child = Command::new(env!("CARGO_BIN_EXE_jostle"))
        .args(["solve", &map, "--tasks", &tasks, "--solver", "co-cbs:heuristic=false"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(300));
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let begin = Instant::now();
    while child.try_wait().unwrap().is_none() && begin.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(stdout(&output).contains("stopped"), "{}", stdout(&output));
    assert!(stderr(&output).contains("what is known so far is shown"), "{}", stderr(&output));
}
