//! Bad input gets one sentence with what is wrong, and exit code 2.

mod common;

use common::{Folder, MAP, is_refused, succeeds};

#[test]
fn bad_maps_are_refused_with_file_and_line() {
    let folder = Folder::new();
    let map = |name: &str, text: &str| folder.write(name, text);
    let truncated = map("truncated.map", &MAP[..MAP.len() - 5]);
    is_refused(&["run", &truncated], "truncated.map: line 7: the map ends after 2 rows");
    let letter = map("letter.map", &MAP.replace("..@", ".?@"));
    is_refused(&["run", &letter], "letter.map: line 7: unknown terrain '?' in cell (2, 2)");
    let number = map("number.map", &MAP.replace("width 4", "width four"));
    is_refused(&["run", &number], "number.map: line 3: expected 'width N', found 'width four'");
    let bytes = folder.path("bytes.map");
    std::fs::write(&bytes, [0xff, 0xfe, 0x00, 0x80]).unwrap();
    is_refused(&["run", &bytes], "bytes.map: line 1: expected 'type octile'");
    is_refused(&["run", &folder.path("")], "this is a folder, and a file is expected");
    is_refused(&["run", &folder.path("none.map")], "none.map: there is no such file");
    is_refused(&["run", "dungeon"], "the built-in maps are cave, rooms");
    is_refused(&["run", "cave:64x"], "'64x' is not understood");
    is_refused(&["run", "cave:0x5"], "a floor of 0x5 cells");
}

#[test]
fn bad_scenarios_are_refused_with_file_line_and_cell() {
    let folder = Folder::new();
    let map = folder.write("a.map", MAP);
    let refused = |rows: &str, expected: &str| {
        let scen = folder.write("a.scen", &format!("version 1\n{rows}\n"));
        is_refused(&["run", &map, "--scen", &scen], expected);
    };
    refused("0 a.map 4 3 1 1 3 0 3.0", "a.scen: line 2: the start (1, 1) of agent 0 is a wall");
    refused(
        "0 a.map 4 3 0 0 3 9 3.0",
        "line 2: the goal (3, 9) of agent 0 is outside the map of 4x3",
    );
    refused(
        "0 a.map 4 3 0 0 3 0 3.0\n0 a.map 4 3 0 0 2 0 2.0",
        "line 3: the start (0, 0) of agent 1 is that of agent 0 already",
    );
    refused(
        "0 a.map 4 3 0 0 3 0 3.0\n0 a.map 4 3 0 1 3 0 2.0",
        "line 3: the goal (3, 0) of agent 1 is that of agent 0 already",
    );
    refused("0 a.map 4 3 0 0 x 0 3.0", "line 2: the goal's x is 'x', which is not a number");
    refused("0 a.map 4 3 0 0", "line 2: found 6 columns, a row has 9");
    refused("", "there are no agents");
    let cut = folder.write("cut.map", "type octile\nheight 1\nwidth 3\nmap\n.@.\n");
    let scen = folder.write("cut.scen", "version 1\n0 cut.map 3 1 0 0 2 0 9.0\n");
    is_refused(&["run", &cut, "--scen", &scen], "no path leads from the start (0, 0) of agent 0");
    succeeds(&["run", &cut, "--scen", &scen, "--allow-unreachable", "--limit", "50steps"]);
}

#[test]
fn bad_requests_are_refused_with_what_is_allowed() {
    let folder = Folder::new();
    is_refused(&["run", "cave", "--agents", "0"], "at least one agent");
    is_refused(&["run", "cave:8x8", "--agents", "5000"], "5000");
    is_refused(&["run", "cave", "--planner", "teleport"], "the planners are jostle, bmaa, bmaa-c");
    is_refused(
        &["run", "cave", "--planner", "bmaa:expansions=0"],
        "a whole number from 1 to 1000000",
    );
    is_refused(&["run", "cave", "--limit", "soon"], "write 4096steps, 30s, 5000000expansions, or");
    is_refused(&["run", "cave", "--kind", "upside-down"], "the kinds are random, ");
    is_refused(&["run", "cave", "--neighbours", "6"], "6");
    is_refused(
        &["run", "cave", "--planner", "bmaa", "--paths", &folder.path("")],
        "this is a folder",
    );
    let taken = folder.write("taken.txt", "precious");
    is_refused(
        &["run", "cave", "--paths", &taken],
        "this is a file, but 5 runs are written to a folder",
    );
    assert_eq!(std::fs::read_to_string(&taken).unwrap(), "precious");
    is_refused(&["check", "cave", &folder.path("none.txt")], "there is no such file");
    is_refused(&["planners", "teleport"], "the planners are");
}
