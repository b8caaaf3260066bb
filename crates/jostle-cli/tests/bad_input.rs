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
    is_refused(&["run", &bytes], "bytes.map: this text is in UTF-16: save it as UTF-8");
    is_refused(&["run", &folder.path("")], "this is a folder, and a file is expected");
    is_refused(&["run", &folder.path("none.map")], "none.map: there is no such file");
    is_refused(&["run", ""], "'': there is no such file, and the built-in maps are");
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

#[test]
fn a_byte_order_mark_is_skipped_in_every_file() {
    let folder = Folder::new();
    let write = |name: &str, text: &str| folder.write(name, &format!("\u{feff}{text}"));
    let map = write("a.map", MAP);
    let scen = write("a.scen", "version 1\n0 a.map 4 3 0 0 3 0 3.0\n");
    let script = write("a.script", "1 wall (2,0)\n");
    let run = ["run", &map, "--scen", &scen, "--script", &script, "--planner", "pibt", "--json"];
    let paths = folder.path("paths.txt");
    let record = succeeds(&[&run[..], &["--paths", &paths]].concat());
    let paths = write("marked.txt", &std::fs::read_to_string(paths).unwrap());
    succeeds(&["check", &map, &paths]);
    write("records.jsonl", &record);
    succeeds(&["report", &folder.path("records.jsonl"), "--no-figures"]);
    let spec =
        "[[sweep]]\nmaps = [\"a.map\"]\nagents = 2\nplanners = [\"pibt\"]\nlimits = [\"9steps\"]\n";
    let out = folder.path("out");
    succeeds(&["sweep", &write("spec.toml", spec), "--out", &out]);
    let wrong = write("wrong.toml", &spec.replace("pibt", "teleport"));
    is_refused(
        &["sweep", &wrong, "--out", &out],
        "wrong.toml: line 4: there is no planner 'teleport'",
    );
}

#[test]
fn a_text_in_utf_16_is_named() {
    let folder = Folder::new();
    let path = folder.path("wide.txt");
    let wide: Vec<u8> = "\u{feff}type octile\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    std::fs::write(&path, wide).unwrap();
    let map = folder.write("a.map", MAP);
    for words in [
        &["run", &path][..],
        &["run", &map, "--scen", &path],
        &["run", &map, "--script", &path],
        &["check", &map, &path],
        &["sweep", &path, "--out", &folder.path("out")],
    ] {
        is_refused(words, "this text is in UTF-16: save it as UTF-8");
    }
}

#[cfg(unix)]
#[test]
fn links_that_lead_nowhere_say_where_they_lead() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    let map = folder.write("a.map", MAP);
    let (circle, dangling) = (folder.path("circle.map"), folder.path("dangling.map"));
    symlink("circle.map", &circle).unwrap();
    symlink("gone.map", &dangling).unwrap();
    let in_circle = "this link leads to circle.map: Too many levels of symbolic links";
    let to_nothing = "this link leads to gone.map, which does not exist";
    for (path, reason) in [(&circle, in_circle), (&dangling, to_nothing)] {
        is_refused(&["run", path], reason);
        is_refused(&["run", &map, "--scen", path], reason);
        is_refused(&["check", &map, path], reason);
    }
    symlink("a.map", folder.path("link.map")).unwrap();
    succeeds(&["maps", &folder.path("link.map")]);
}

#[cfg(unix)]
#[test]
fn devices_that_never_end_do_not_fill_the_memory() {
    let folder = Folder::new();
    let map = folder.write("a.map", MAP);
    for words in [
        &["run", "/dev/zero"][..],
        &["run", &map, "--scen", "/dev/zero"],
        &["run", &map, "--script", "/dev/zero"],
        &["check", &map, "/dev/zero"],
        &["sweep", "/dev/zero", "--out", &folder.path("out")],
    ] {
        is_refused(words, "/dev/zero: line 1: there is a zero byte, so this is not a text");
    }
    for words in [&["report", "/dev/zero"][..], &["export", "/dev/zero", "--out", "x.csv"]] {
        is_refused(words, "/dev/zero: cannot be read: line 1 is longer than any record");
    }
}

#[cfg(unix)]
#[test]
fn a_socket_is_named() {
    let folder = Folder::new();
    let path = folder.path("socket");
    let _socket = std::os::unix::net::UnixListener::bind(&path).unwrap();
    is_refused(
        &["check", "cave", &path],
        "socket: this is a socket or a device that cannot be read",
    );
}

#[cfg(unix)]
#[test]
fn a_pipe_can_be_read() {
    let folder = Folder::new();
    let pipe = folder.path("pipe.map");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let writer = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::write(pipe, MAP).unwrap()
    });
    assert!(succeeds(&["maps", &pipe]).starts_with("pipe: 4x3, 10 cells of floor"));
    writer.join().unwrap();
}

#[test]
fn options_that_would_be_ignored_are_refused() {
    let folder = Folder::new();
    let map = folder.write("a.map", MAP);
    let scen = folder.write("a.scen", "version 1\n0 a.map 4 3 0 0 3 0 3.0\n");
    let image = folder.path("a.svg");
    let picture = ["maps", &map, "--image", &image, "--scen", &scen, "--agents", "1"];
    for (words, expected) in [
        (
            &["run", &map, "--scen", &scen, "--seed", "3"][..],
            "'--scen <FILES>' cannot be used with '--seeds",
        ),
        (
            &["run", &map, "--scen", &scen, "--seeds", "1-3"],
            "'--scen <FILES>' cannot be used with '--seeds",
        ),
        (&["run", &map, "--allow-unreachable"], "--scen <FILES>"),
        (
            &[&picture[..], &["--seed", "3"]].concat(),
            "'--scen <FILE>' cannot be used with '--seeds",
        ),
        (
            &[&picture[..], &["--kind", "random"]].concat(),
            "'--scen <FILE>' cannot be used with '--kind",
        ),
        (&["run", &map, "--neighbours", "4", "--corners", "one"], "--corners has no effect here"),
        (
            &["check", &map, &scen, "--neighbours", "4", "--forbid-crossing"],
            "--forbid-crossing has no",
        ),
        (
            &["gen", "--experiment", "silver", "--corners", "none", "--out", "x"],
            "--corners has no effect here",
        ),
    ] {
        is_refused(words, expected);
    }
    succeeds(&["run", &map, "--scen", &scen, "--planner", "pibt"]);
    succeeds(&picture);
}

#[test]
fn a_folder_does_not_hide_the_built_in_map_of_its_name() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("cave")).unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_jostle"));
    let output = command.args(["maps", "cave"]).current_dir(folder.path("")).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn what_is_given_twice_is_refused() {
    is_refused(&["run", "cave:20x20:4"], "cave:20x20:4: the size is given twice");
    is_refused(&["run", "cave:20x20:seed=1:seed=2"], "the seed is given twice");
    let twice = "bmaa:expansions=3:expansions=4";
    is_refused(&["run", "cave", "--planner", twice], "expansions of bmaa is given twice");
    let twice = "cbs:objective=sum:objective=makespan";
    is_refused(&["solve", "cave", "--solver", twice], "objective of cbs is given twice");
}

#[test]
fn a_damaged_last_record_is_refused_and_a_torn_one_left_out() {
    let folder = Folder::new();
    let words = ["run", "cave:24x16", "--agents", "5", "--planner", "bmaa,pibt", "--json"];
    let records = succeeds(&words);
    std::fs::create_dir(folder.path("s")).unwrap();
    let (path, out) = (folder.path("s"), folder.path("runs.csv"));
    let torn = &records[..records.len() - 30];
    folder.write("s/records.jsonl", &format!("{torn}\n"));
    is_refused(&["export", &path, "--out", &out], "s/records.jsonl: line 2: the record is damaged");
    let file = folder.write("s/records.jsonl", torn);
    let output = common::jostle(&["export", &path, "--out", &out]);
    assert_eq!(common::stdout(&output), format!("1 record in {out}\n"));
    assert!(common::stderr(&output).starts_with(&format!("warning: {file}: the last record")));
}
