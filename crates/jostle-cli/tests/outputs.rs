//! Nothing is lost and nothing is overwritten: where the command writes, and what it does when it cannot.

mod common;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{Folder, MAP, is_refused, jostle, jostle_within, stderr, stdout, succeeds};

const SCEN: &str = "version 1\n0 in.map 4 3 0 0 3 0 3\n";

/// A short run of one planner.
fn short<'a>(words: &[&'a str]) -> Vec<&'a str> {
    [&["run", "cave:24x16", "--agents", "5", "--planner", "bmaa", "--limit", "9steps"], words]
        .concat()
}

#[test]
fn an_input_is_never_replaced_by_an_output() {
    let folder = Folder::new();
    let (map, scen) = (folder.write("in.map", MAP), folder.write("in.scen", SCEN));
    let link = folder.path("link");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&map, &link).unwrap();
    let roundabout = folder.path("./in.map");
    let run = ["run", &map, "--scen", &scen, "--planner", "bmaa"];
    let reads = "this command reads that file: choose another name to write to";
    for output in [&map, &scen, &link, &roundabout] {
        is_refused(&[&run[..], &["--paths", output]].concat(), reads);
        is_refused(&[&run[..], &["--replay", output]].concat(), reads);
    }
    is_refused(&["maps", &map, "--out", &map], reads);
    let paths = folder.path("paths.txt");
    succeeds(&[&run[..], &["--paths", &paths]].concat());
    is_refused(&["check", &map, &paths, "--replay", &paths], reads);
    let records = folder.write("runs.jsonl", &succeeds(&short(&["--json"])));
    is_refused(&["export", &records, "--out", &records], reads);
    assert_eq!(fs::read_to_string(map).unwrap(), MAP);
    assert_eq!(fs::read_to_string(scen).unwrap(), SCEN);
}

#[test]
fn two_outputs_do_not_go_to_one_file() {
    let folder = Folder::new();
    let same = folder.path("same");
    let said = "two outputs of this command have that name: choose another one";
    is_refused(&short(&["--paths", &same, "--replay", &same]), said);
    assert!(!Path::new(&same).exists());
}

#[test]
fn runs_on_maps_of_the_same_name_go_to_files_of_their_own() {
    let folder = Folder::new();
    for name in ["x", "y"] {
        fs::create_dir(folder.path(name)).unwrap();
        folder.write(&format!("{name}/a.map"), MAP);
    }
    let (x, y, out) = (folder.path("x/a.map"), folder.path("y/a.map"), folder.path("out"));
    succeeds(&["run", &x, &y, "--agents", "2", "--planner", "bmaa", "--paths", &out]);
    let names = folder.files("out");
    let names: Vec<_> =
        names.iter().map(|path| path.file_name().unwrap().to_string_lossy()).collect();
    assert_eq!(names, ["a-2-seed1-bmaa-2.txt", "a-2-seed1-bmaa.txt"]);
}

#[cfg(unix)]
#[test]
fn devices_pipes_and_links_stay_what_they_are() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    let folder = Folder::new();
    succeeds(&short(&["--paths", "/dev/null", "--replay", "/dev/null"]));
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());

    let (link, target) = (folder.path("link"), folder.write("target", "old"));
    fs::set_permissions(&target, fs::Permissions::from_mode(0o600)).unwrap();
    symlink(&target, &link).unwrap();
    succeeds(&short(&["--paths", &link]));
    assert!(Path::new(&link).is_symlink());
    assert!(fs::read_to_string(&target).unwrap().starts_with("starts="));
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o600);

    let pipe = folder.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = Command::new("cat").arg(&pipe).stdout(Stdio::piped()).spawn().unwrap();
    succeeds(&short(&["--paths", &pipe]));
    let read = reader.wait_with_output().unwrap().stdout;
    assert_eq!(read, fs::read(&target).unwrap());
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
}

#[cfg(unix)]
#[test]
fn standard_output_takes_the_paths_and_the_table() {
    let folder = Folder::new();
    for place in ["/dev/stdout", "/proc/self/fd/1"] {
        let said = succeeds(&short(&["--paths", place]));
        assert!(said.contains("starts=(") && said.contains("every run was checked"), "{said}");
        let file = folder.path("redirected");
        let out = fs::File::create(&file).unwrap();
        let done = Command::new(env!("CARGO_BIN_EXE_jostle"))
            .args(short(&["--paths", place]))
            .stdout(out)
            .status();
        assert!(done.unwrap().success());
        let said = fs::read_to_string(&file).unwrap();
        assert!(said.contains("starts=(") && said.contains("every run was checked"), "{said}");
        assert_eq!(said.matches("solution=").count(), 1);
    }
}

#[cfg(unix)]
#[test]
fn what_cannot_be_written_is_noticed_before_the_run() {
    let folder = Folder::new();
    is_refused(
        &short(&["--paths", &folder.path("no/such")]),
        "the folder for this file does not exist",
    );
    is_refused(&short(&["--paths", "/proc/new-file"]), "/proc/new-file: ");
    let words = ["--planner", "bmaa,pibt", "--paths", "/proc/self"];
    let run = ["run", "cave:24x16", "--agents", "5", "--limit", "9steps"];
    is_refused(&[&run[..], &words].concat(), "/proc/self: writing to this folder is not permitted");
}

/// As after a disk has run full: `/dev/full` accepts no byte.
#[cfg(target_os = "linux")]
#[test]
fn results_are_printed_even_if_a_file_cannot_be_written() {
    for output in ["--paths", "--replay"] {
        let done = jostle(&short(&[output, "/dev/full", "--json"]));
        assert_eq!(done.status.code(), Some(2));
        assert_eq!(stdout(&done).lines().count(), 1, "{}", stdout(&done));
        assert!(stderr(&done).contains("/dev/full: cannot be written: "), "{}", stderr(&done));
        let done = jostle(&short(&[output, "/dev/full"]));
        assert_eq!(done.status.code(), Some(2));
        assert!(stdout(&done).contains("│ bmaa "), "{}", stdout(&done));
    }
}

/// A corridor with a bay, in which two agents must pass each other: BMAA* never ends here.
fn endless(folder: &Folder) -> [String; 2] {
    let map = "type octile\nheight 2\nwidth 7\nmap\n.......\n@@@.@@@\n";
    let scen = "version 1\n0 bay.map 7 2 0 0 6 0 6\n0 bay.map 7 2 6 0 0 0 6\n";
    [folder.write("bay.map", map), folder.write("bay.scen", scen)]
}

#[test]
fn every_planners_row_is_printed_when_it_is_done() {
    let folder = Folder::new();
    let [map, scen] = endless(&folder);
    let mut child = Command::new(env!("CARGO_BIN_EXE_jostle"))
        .args(["run", &map, "--scen", &scen, "--planner", "jostle,bmaa", "--limit", "3600s"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let row = lines.find(|line| line.as_ref().is_ok_and(|line| line.starts_with("│ jostle ")));
    assert!(row.is_some(), "the second run goes on for an hour");
    child.kill().unwrap();
    child.wait().unwrap();
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_any_tick_within_a_second() {
    let folder = Folder::new();
    let out = folder.path("paths.txt");
    // The first tick of CA* plans everybody's whole path: here that takes minutes.
    let mut child = Command::new(env!("CARGO_BIN_EXE_jostle"))
        .args(["run", "maze:200x199", "--agents", "6000", "--planner", "ca", "--paths", &out])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines.next().expect("the heading comes before the first tick").unwrap();
    std::thread::sleep(Duration::from_secs(1));
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let asked = Instant::now();
    let done = child.wait_with_output().unwrap();
    let took = asked.elapsed();
    assert_eq!(done.status.code(), Some(130));
    assert!(stderr(&done).contains("stopped at once"), "{}", stderr(&done));
    // On an idle machine it is less than a second; this machine may be busy.
    assert!(took < Duration::from_secs(10), "{took:?}");
    assert_eq!(folder.files("").len(), 0, "nothing is left behind");
}

#[cfg(target_os = "linux")]
#[test]
fn the_paths_of_a_long_run_take_no_memory_and_its_replay_little() {
    let run =
        ["run", "rooms:40x30", "--kind", "swap-sides", "--agents", "200", "--planner", "bmaa"];
    // 20 million positions.
    let more = ["--limit", "100000steps", "--paths", "/dev/null", "--replay", "/dev/null"];
    let done = jostle_within(250_000, &[&run[..], &more].concat());
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert!(stdout(&done).contains(" 100,000 ┆"), "the run is not short: {}", stdout(&done));
}

#[test]
fn the_files_of_a_sweep_are_not_overwritten_by_an_export() {
    let folder = Folder::new();
    let records = succeeds(&short(&["--json"]));
    fs::create_dir(folder.path("s")).unwrap();
    for (name, text) in [("records.jsonl", records.as_str()), ("sweep.lock", "")] {
        folder.write(&format!("s/{name}"), text);
    }
    let names = ["sweep.json", "sweep.lock", "records.jsonl", "records-1-of-2.jsonl"];
    for out in names.map(|name| folder.path(&format!("s/{name}"))) {
        let words = ["export", &folder.path("s"), "--out", &out, "--format", "csv"];
        is_refused(&words, "choose another");
    }
    is_refused(&short(&["--paths", &folder.path("s/sweep.json")]), "sweeps keep their files");
    assert!(!Path::new(&folder.path("s/sweep.json")).exists());
    assert_eq!(fs::read_to_string(folder.path("s/records.jsonl")).unwrap(), records);
    assert_eq!(fs::read_to_string(folder.path("s/sweep.lock")).unwrap(), "");
}

#[test]
fn a_folder_is_never_made_of_standard_output() {
    let folder = Folder::new();
    let spec =
        folder.write("a.toml", "[[sweep]]\nmaps = [\"cave\"]\nagents = 2\nplanners = [\"pibt\"]\n");
    let records = folder.write("runs.jsonl", &succeeds(&short(&["--json"])));
    for command in [&["sweep", &spec][..], &["report", &records], &["man"]] {
        let words = [command, &["--out", "-"]].concat();
        let done = Command::new(env!("CARGO_BIN_EXE_jostle"))
            .args(&words)
            .current_dir(folder.path(""))
            .output()
            .unwrap();
        assert_eq!(done.status.code(), Some(2), "{words:?}");
        assert!(stderr(&done).contains("standard output (-) is none"), "{}", stderr(&done));
        assert!(!Path::new(&folder.path("-")).exists());
    }
}

#[test]
fn a_folder_of_that_name_does_not_hide_standard_output() {
    let folder = Folder::new();
    fs::create_dir(folder.path("-")).unwrap();
    for option in ["--replay", "--paths"] {
        let done = Command::new(env!("CARGO_BIN_EXE_jostle"))
            .args(short(&[option, "-"]))
            .current_dir(folder.path(""))
            .output()
            .unwrap();
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
        assert!(done.stdout.len() > 100);
    }
    let mut child = Command::new(env!("CARGO_BIN_EXE_jostle"))
        .args(["export", "-", "--out", "-"])
        .current_dir(folder.path(""))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let records = succeeds(&short(&["--json"]));
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), records.as_bytes()).unwrap();
    assert!(stdout(&child.wait_with_output().unwrap()).starts_with("{\"planner\":"));
}

#[cfg(unix)]
#[test]
fn files_are_written_even_if_nobody_reads_the_table() {
    let folder = Folder::new();
    let crowd = ["cave:24x16", "--agents", "5", "--seeds", "1-3"];
    let run = [&["run"], &crowd[..], &["--planner", "bmaa,pibt", "--limit", "9steps"]].concat();
    let solve = [&["solve"], &crowd[..]].concat();
    for (name, command, more, files) in [
        ("paths", &run, &["--json"][..], 6),
        ("replay", &run, &[], 6),
        ("paths", &solve, &[], 3),
        ("replay", &solve, &["--json"], 3),
    ] {
        for reader in ["head -c 1", "cat >/dev/full"] {
            let out = format!("{}-{files}-{}", name, reader.len());
            let option = format!("--{name}");
            let path = folder.path(&out);
            let words = [&command[..], more, &[&option, &path]].concat();
            let place = if reader.starts_with("head") { "| head -c 1" } else { "> /dev/full" };
            let script = format!("set -o pipefail; \"$@\" {place}");
            let shell = ["-c", &script, "bash", env!("CARGO_BIN_EXE_jostle")];
            let done = Command::new("bash").args(shell).args(words).output().unwrap();
            let expected = if place.starts_with('|') { 0 } else { 2 };
            assert_eq!(done.status.code(), Some(expected), "{}", stderr(&done));
            assert_eq!(folder.files(&out).len(), files, "{name} {place}");
            let is_full = stderr(&done).contains("standard output: cannot be written: ");
            assert_eq!(is_full, expected == 2, "{}", stderr(&done));
        }
    }
}
