//! Runs with changes on the way: played from a script, saved, checked and replayed.

mod common;

use common::{Folder, is_refused, jostle, stderr, stdout, succeeds};

#[test]
fn a_script_is_played_saved_checked_and_replayed() {
    let folder = Folder::new();
    let map =
        folder.write("open.map", "type octile\nheight 3\nwidth 6\nmap\n......\n......\n......\n");
    let scen = folder.write("open.scen", "version 1\n0 open.map 6 3 0 0 5 0 5.0\n");
    let script = folder.write(
        "s.txt",
        "1 wall (2,0)\n2 add 1 (0,2) to (5,2)\n3 add 2 (2,0) foreign # a wall by now\n9 send 0 (0,0)\n",
    );
    let (paths, page) = (folder.path("p.txt"), folder.path("p.html"));
    let run = [
        "run",
        &map,
        "--scen",
        &scen,
        "--script",
        &script,
        "--planner",
        "jostle",
        "--paths",
        &paths,
    ];
    let output = jostle(&run);
    assert!(output.status.success(), "{}", stderr(&output));
    let said = "s.txt: line 3: left out at tick 3 (jostle): (2, 0) is a wall";
    assert!(stderr(&output).contains(said), "{}", stderr(&output));
    assert!(stdout(&output).contains("100.0 %"), "{}", stdout(&output));
    let saved = std::fs::read_to_string(&paths).unwrap();
    for change in ["change=1 wall (2,0)", "change=2 add 1 (0,2) to (5,2)", "change=9 send 0 (0,0)"]
    {
        assert!(saved.contains(change), "{saved}");
    }
    let said = succeeds(&["check", &map, &paths, "--replay", &page]);
    assert!(said.contains("legal: 2 agents") && said.contains("2 arrived"), "{said}");
    assert!(std::fs::read_to_string(&page).unwrap().contains("<html"));

    // A file in which an agent joins elsewhere is not a legal run, and one in which it does not join is not a path file.
    let join = "change=2 add 1 (0,2) to (5,2)\n";
    let forged =
        folder.write("forged.txt", &saved.replace(join, "change=2 add 1 (5,2) to (5,2)\n"));
    assert_eq!(jostle(&["check", &map, &forged]).status.code(), Some(1));
    let forged = folder.write("forged.txt", &saved.replace(join, ""));
    is_refused(&["check", &map, &forged], "found 2 positions for 1 agents");
}

#[test]
fn bad_scripts_are_refused_with_file_and_line() {
    let folder = Folder::new();
    let cases = [
        ("5 wal (1,1)", "line 1: expected wall, floor, send, add, place or remove"),
        ("\n5 wall 1,1", "line 2: expected 'TICK wall (X,Y)'"),
        ("5 wall (900,1)", "line 1: (900, 1) is outside the map of 96x64"),
        ("5 send 40 (1,1)", "line 1: there is no agent 40 at that time"),
    ];
    for (text, expected) in cases {
        let script = folder.write("bad.txt", text);
        let words = ["run", "cave", "--agents", "5", "--script", &script];
        is_refused(&words, &format!("bad.txt: {expected}"));
    }
    is_refused(&["run", "cave", "--script", "/no/such.txt"], "no such file");
}

#[test]
fn a_planner_that_knows_the_changes_arrives_earlier_and_its_record_says_so() {
    let folder = Folder::new();
    // Two ways around, of which one closes ahead of the agent.
    let floor = ".........\n.@@@@@@@.\n.........\n";
    let map = folder.write("gate.map", &format!("type octile\nheight 3\nwidth 9\nmap\n{floor}"));
    let scen = folder.write("gate.scen", "version 1\n0 gate.map 9 3 0 0 8 0 8.0\n");
    let script = folder.write("s.txt", "5 wall (7,0)\n");
    let makespan = |more: &[&str]| {
        let words = ["run", &map, "--scen", &scen, "--script", &script, "--neighbours", "4"];
        let planners = ["--planner", "di-cbs:rho=1,cbs-dstar-lite", "--json"];
        let lines = succeeds(&[&words[..], &planners, more].concat());
        let records: Vec<serde_json::Value> =
            lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let expected = serde_json::Value::Bool(!more.is_empty());
        assert!(records.iter().all(|record| record["announced"] == expected), "{lines}");
        records.iter().map(|record| record["makespan"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    // Along the other row it takes 12 steps; who goes ahead has to come back.
    assert_eq!(makespan(&["--announced"]), [12, 12]);
    assert!(makespan(&[]).iter().all(|&ticks| ticks > 12));
}

#[test]
fn changes_are_announced_only_to_planners_that_can_use_that() {
    let folder = Folder::new();
    let script = folder.write("s.txt", "5 wall (7,0)\n");
    let words = ["run", "rooms:20x16", "--agents", "2", "--script", &script, "--announced"];
    let refused =
        "bmaa cannot use changes that are announced: those that can are cbs-dstar-lite, di-cbs";
    is_refused(&[&words[..], &["--planner", "di-cbs,bmaa"]].concat(), refused);
    is_refused(&["run", "rooms:20x16", "--announced"], "--script");
}
