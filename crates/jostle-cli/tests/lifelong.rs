//! Lifelong runs: goals are drawn or listed, counted, recorded, checked, replayed, swept and reported.

mod common;

use common::{Folder, is_refused, jostle, stderr, stdout, succeeds};

const CORRIDOR: &str = "type octile\nheight 1\nwidth 10\nmap\n..........\n";

/// A corridor of ten cells, with an agent that goes from one end to the other.
fn corridor(folder: &Folder) -> (String, String) {
    let map = folder.write("corridor.map", CORRIDOR);
    let scen = folder.write("corridor.scen", "version 1\n0 corridor.map 10 1 0 0 9 0 9.0\n");
    (map, scen)
}

/// The number after a name in a line of JSON, as it is written there.
fn number<'a>(line: &'a str, name: &str) -> &'a str {
    let (_, after) = line.split_once(&format!("\"{name}\":")).unwrap_or_else(|| panic!("{line}"));
    &after[..after.find([',', '}']).unwrap_or(after.len())]
}

#[test]
fn an_agent_goes_to_and_fro_and_its_path_file_tells_the_same() {
    let folder = Folder::new();
    let (map, scen) = corridor(&folder);
    let list = folder.write("goals.txt", &"0 (0,0) # west\n0 (9,0)\n".repeat(30));
    let (paths, page) = (folder.path("p.txt"), folder.path("p.html"));
    let words = ["run", &map, "--scen", &scen, "--lifelong", "--tasks", &list, "--ticks", "94"];
    let more = ["--planner", "jostle", "--paths", &paths, "--replay", &page];
    let said = succeeds(&[&words[..], &more].concat());
    assert!(said.contains("lifelong, goals from a list"), "{said}");
    let saved = std::fs::read_to_string(&paths).unwrap();
    assert!(saved.contains("change=9 send 0 (0,0)"), "{saved}");
    let checked = succeeds(&["check", &map, &paths]);
    let json = succeeds(&[&words[..], &["--planner", "jostle", "--json"]].concat());
    assert_eq!(number(&json, "goals"), "10", "{json}");
    assert!(checked.contains("10 goals reached"), "{checked}");
    assert!(std::fs::read_to_string(&page).unwrap().contains("a tick)"));
    // Without one of its goals it has reached fewer, and the file is legal all the same.
    let forged = folder.write("forged.txt", &saved.replace("change=9 send 0 (0,0)\n", ""));
    assert_eq!(jostle(&["check", &map, &forged]).status.code(), Some(0));
    assert!(succeeds(&["check", &map, &forged]).contains("9 goals reached"));
}

#[test]
fn known_numbers_in_a_corridor() {
    let folder = Folder::new();
    let (map, scen) = corridor(&folder);
    let list = folder.write("goals.txt", &"(0,0)\n(9,0)\n".repeat(30));
    let words = ["run", &map, "--scen", &scen, "--lifelong", "--tasks", &list, "--ticks", "94"];
    for planner in ["jostle", "pibt"] {
        let json = succeeds(&[&words[..], &["--planner", planner, "--json"]].concat());
        assert_eq!(number(&json, "goals"), "10", "{json}");
        assert_eq!(number(&json, "service_ticks"), "9.0", "{json}");
        assert_eq!(number(&json, "service_p95_ticks"), "9", "{json}");
    }
}

#[test]
fn planners_are_compared_side_by_side() {
    let words = ["run", "aisles:40x30", "--agents", "30", "--lifelong", "--ticks", "120"];
    let said = succeeds(&[&words[..], &["--planner", "jostle,pibt"]].concat());
    for part in ["goals", "a tick", "service", "95 %", "at shelves and stations in turn"] {
        assert!(said.contains(part), "{part} in {said}");
    }
    let brief = ["--planner", "jostle,pibt", "--seeds", "1-2", "--brief"];
    let said = succeeds(&[&words[..], &brief].concat());
    assert!(said.contains("goals a tick") && !said.contains("arrived"), "{said}");
    let anywhere = succeeds(&[&words[..], &["--goals", "anywhere"]].concat());
    assert!(anywhere.contains("lifelong, goals anywhere"), "{anywhere}");
}

#[test]
fn what_cannot_be_is_refused() {
    let folder = Folder::new();
    let script = folder.write("s.txt", "5 wall (1,1)\n");
    let (map, _) = corridor(&folder);
    is_refused(&["run", "cave", "--lifelong", "--script", &script], "cannot be used with");
    is_refused(&["run", "--lifelong", "--experiment", "silver"], "cannot be used with");
    is_refused(&["run", "cave", "--goals", "anywhere"], "--lifelong");
    is_refused(&["run", "cave", "--tasks", &script], "--lifelong");
    is_refused(&["run", "cave", "--ticks", "5", "--limit", "5steps"], "cannot be used with");
    is_refused(&["solve", "cave", "--lifelong"], "unexpected argument");
    let stations = ["run", &map, "--agents", "2", "--lifelong", "--goals", "stations"];
    is_refused(&stations, "there are no stations on this map");
    for (text, expected) in [
        ("(1,1)\n4 5\n", "line 2: expected '(X,Y)', or 'AGENT (X,Y)', found '4 5'"),
        ("(10,0)\n", "line 1: (10, 0) is outside the map of 10x1"),
        ("2 (1,0)\n", "line 1: there is no agent 2: the 2 agents are counted from 0"),
        ("# nothing\n", "there are no goals"),
    ] {
        let list = folder.write("bad.txt", text);
        let words = ["run", &map, "--agents", "2", "--lifelong", "--tasks", &list];
        is_refused(&words, &format!("bad.txt: {expected}"));
    }
}

#[test]
fn goals_on_which_others_stand_for_good_are_reported() {
    let folder = Folder::new();
    let map = folder.write("two.map", "type octile\nheight 2\nwidth 6\nmap\n......\n......\n");
    let rows = "0 two.map 6 2 0 0 1 0 1\n0 two.map 6 2 0 1 5 1 5\n";
    let scen = folder.write("two.scen", &format!("version 1\n{rows}"));
    let list = folder.write("goals.txt", "0 (5,1)\n");
    let words = ["run", &map, "--scen", &scen, "--lifelong", "--tasks", &list];
    let output = jostle(&[&words[..], &["--planner", "jostle"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let said = "goals.txt: 1 goal left (jostle): other agents stand there for good";
    assert!(stderr(&output).contains(said), "{} {}", stderr(&output), stdout(&output));
}

#[test]
fn a_lifelong_sweep_is_made_resumed_and_reported() {
    let folder = Folder::new();
    let spec = folder.write(
        "life.toml",
        "[[sweep]]\nmaps = [\"aisles:32x24\", \"cave:32x24\"]\nagents = [10, 20]\nseeds = \"1-2\"\n\
         planners = [\"jostle\", \"pibt\"]\nlimits = [\"80steps\"]\nlifelong = true\n",
    );
    let results = folder.path("results");
    succeeds(&["sweep", &spec, "--out", &results]);
    let records = std::fs::read_to_string(format!("{results}/records.jsonl")).unwrap();
    assert_eq!(records.lines().count(), 16);
    assert!(records.contains("|80steps|8,lifelong=stations\""), "{records}");
    assert!(records.contains("|80steps|8,lifelong=anywhere\""), "{records}");
    succeeds(&["sweep", &spec, "--out", &results]);
    let again = std::fs::read_to_string(format!("{results}/records.jsonl")).unwrap();
    assert_eq!(again, records, "nothing is left to run");
    let said = succeeds(&["report", &results]);
    assert!(said.contains("Throughput (goals a tick) by map and number of agents"), "{said}");
    let figure = format!("{results}/report/figures/80steps-lifelong-anywhere-throughput.svg");
    assert!(std::fs::exists(&figure).unwrap(), "{figure}: {said}");
    let csv = folder.path("runs.csv");
    succeeds(&["export", &results, "--out", &csv]);
    let csv = std::fs::read_to_string(&csv).unwrap();
    assert!(csv.lines().next().unwrap().contains("lifelong_throughput"), "{csv}");
}
