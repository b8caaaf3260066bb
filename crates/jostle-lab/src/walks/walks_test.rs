use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use jostle::instance::draw_single;
use jostle::search::{Lrta, LrtaSearch, Walk, shortest_path};
use jostle::{Level, Rules};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use tempfile::TempDir;

use super::*;
use crate::{NamedMap, Registries};

const SPEC: &str = r#"
name = "small"
[[walks]]
maps = ["cave:32x24:seed=1", "rooms:32x24"]
problems = 7
seed = 3
settings = 20
settings_seed = 5
longest = 50
labels = { genre = "caves" }
[[walks]]
maps = ["scatter:20x20"]
problems = 4
settings = 20
settings_seed = 5
longest = 50
"#;
const WALKS: usize = 2 * 7 * 20 + 4 * 20;

/// A folder with a spec.
struct Bench(TempDir);

impl Bench {
    fn of(spec: &str) -> Self {
        let bench = Self(tempfile::tempdir().unwrap());
        bench.write("spec.toml", spec);
        bench
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.path().join(name), text).unwrap();
    }

    fn out(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn prepare(&self, out: &str, shard: Option<&str>) -> Result<WalkSweep, LabError> {
        WalkSweep::prepare(Order {
            registries: Registries::builtin(),
            spec: &self.out("spec.toml"),
            out: &self.out(out),
            maps: None,
            shard: shard.map(|shard| shard.parse().unwrap()),
            may_extend: false,
        })
    }

    fn run(&self, out: &str, threads: usize) -> Tally {
        self.prepare(out, None).unwrap().run(threads, &|| false, &|_| ()).unwrap()
    }

    /// The files of walks in a folder, with their contents.
    fn contents(&self, out: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        let files = file::walk_files(&self.out(out)).unwrap();
        let name = |path: &Path| path.file_name().unwrap().into();
        files.iter().map(|path| (name(path), fs::read(path).unwrap())).collect()
    }

    fn refuses_to_read(&self, out: &str, expected: &str) {
        let error = read(&self.out(out)).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn results_are_those_of_walks_made_by_hand() {
    let bench = Bench::of(SPEC);
    assert_eq!(bench.run("out", 2), Tally { made: WALKS, left: 0 });
    let walks = read(&bench.out("out")).unwrap();
    let mut dice = ChaCha8Rng::seed_from_u64(5);
    let settings: Vec<Lrta> = (0..20).map(|_| Lrta::draw(&mut dice)).collect();
    assert_eq!(walks.settings, settings);
    let maps: Vec<&str> = walks.maps.iter().map(|map| map.name.as_str()).collect();
    assert_eq!(maps, ["cave:32x24:seed=1", "rooms:32x24:seed=1", "scatter:20x20:seed=1"]);
    assert_eq!((walks.maps[0].labels["genre"].as_str(), walks.maps[2].labels.len()), ("caves", 0));
    let mut number = 0;
    let mut search = LrtaSearch::default();
    for (map, (problems, seed)) in walks.maps.iter().zip([(7, 3), (7, 3), (4, 1)]) {
        let named = NamedMap::find(&map.name, Rules::default()).unwrap();
        assert_eq!(map.fingerprint, format!("{:016x}", named.fingerprint()));
        for ends in draw_single(&named.grid, problems, seed).unwrap() {
            let (best, _) = shortest_path(&named.grid, ends.0, ends.1).unwrap();
            let problem = walks.problems[number];
            let [start, goal] = [ends.0, ends.1].map(|cell| named.grid.position(cell));
            assert_eq!((problem.start, problem.goal), (start, goal));
            assert_eq!(walks.maps[problem.map].name, map.name);
            assert!((problem.shortest - best.as_f64()).abs() < 1e-9);
            for (index, setting) in settings.iter().enumerate() {
                let most = Walk::most_moves(best, 50.0);
                let walk = search.walk(&named.grid, ends, setting, most, |_| ());
                let expected = walk.suboptimality(best, 50.0) as f32;
                assert_eq!(walks.costs(index)[number].to_bits(), expected.to_bits());
            }
            number += 1;
        }
    }
    assert_eq!(number, walks.problems.len());
}

#[test]
fn threads_shards_and_interruptions_do_not_change_a_byte() {
    let bench = Bench::of(SPEC);
    bench.run("whole", 1);
    let whole = bench.contents("whole");
    assert_eq!(whole.len(), 3);
    bench.run("two", 2);
    assert_eq!(bench.contents("two"), whole);
    for shard in ["1/2", "2/2"] {
        let sweep = bench.prepare("shards", Some(shard)).unwrap();
        sweep.run(1, &|| false, &|_| ()).unwrap();
    }
    assert_eq!(bench.contents("shards"), whole);
    // Stopped again and again, each time after some more walks than the largest batch has.
    let mut left = WALKS;
    while left > 0 {
        let sweep = bench.prepare("resumed", None).unwrap();
        assert_eq!((sweep.left(), sweep.total()), (left, WALKS));
        let made = AtomicUsize::new(0);
        let is_stopped = || made.load(Ordering::SeqCst) >= 150;
        let tally =
            sweep.run(1, &is_stopped, &|count| made.store(count, Ordering::SeqCst)).unwrap();
        assert!(tally.made > 0 && tally.left == left - tally.made);
        left = tally.left;
    }
    assert_eq!(bench.contents("resumed"), whole);
    assert_eq!(bench.run("resumed", 1), Tally { made: 0, left: 0 });
}

#[test]
fn walks_on_a_map_that_has_changed_are_made_again_and_other_specs_are_refused() {
    let map = |grid| jostle::formats::write_map(&grid);
    let spec = "[[walks]]\nmaps = [\"*.map\"]\nproblems = 3\nsettings = [\"lrta\", \"lrta:w=2:lop=max\"]\n";
    let bench = Bench::of(spec);
    bench.write("a.map", &map(Level::Cave.generate(16, 16, 1).unwrap()));
    bench.write("b.map", &map(Level::Cave.generate(16, 16, 2).unwrap()));
    assert_eq!(bench.run("out", 1).made, 12);
    bench.write("b.map", &map(Level::Cave.generate(16, 16, 3).unwrap()));
    let sweep = bench.prepare("out", None).unwrap();
    assert_eq!(sweep.left(), 6);
    assert!(sweep.notes()[0].contains("6 walks were made on maps that have changed"));
    sweep.run(1, &|| false, &|_| ()).unwrap();
    assert!(bench.out("out/walks-b.parquet.stale").exists());
    read(&bench.out("out")).unwrap();
    bench.write("spec.toml", &spec.replace('3', "4"));
    let error = bench.prepare("out", None).unwrap_err().to_string();
    assert!(error.contains("this folder belongs to another spec (spec, 12 runs)"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_pipe_under_the_name_of_walks_hangs_neither_a_sweep_nor_who_reads_them() {
    let bench = Bench::of(SPEC);
    bench.run("out", 1);
    let pipe = bench.out("out/walks-of-nobody.parquet");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let said = "walks-of-nobody.parquet: this is a pipe, and a file is expected";
    // Whoever opens it waits without end, so that others do it.
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let error = bench.prepare("out", None).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
        bench.refuses_to_read("out", said);
        sender.send(()).unwrap();
    });
    receiver.recv_timeout(std::time::Duration::from_secs(60)).expect("it is refused at once");
}

#[test]
fn what_is_missing_or_damaged_is_refused_when_read_and_made_again_by_the_sweep() {
    let bench = Bench::of(SPEC);
    bench.run("out", 1);
    let whole = bench.contents("out");
    let path = bench.out("out/walks-rooms%3A32x24%3Aseed=1.parquet");
    fs::write(&path, &fs::read(&path).unwrap()[..1000]).unwrap();
    bench.refuses_to_read(
        "out",
        "walks-rooms%3A32x24%3Aseed=1.parquet: this is not a whole file of walks",
    );
    let sweep = bench.prepare("out", None).unwrap();
    assert!(sweep.notes()[0].contains("it now ends in .damaged"), "{:?}", sweep.notes());
    bench.refuses_to_read(
        "out",
        "140 of 360 walks are missing: `jostle sweep` with the spec makes them",
    );
    sweep.run(1, &|| false, &|_| ()).unwrap();
    assert_eq!(bench.contents("out"), whole);
    fs::create_dir(bench.out("none")).unwrap();
    bench.refuses_to_read("none", "there are no walks in this folder");
    // Files of another spec, copied into the folder.
    bench.write("spec.toml", &SPEC.replace("settings_seed = 5", "settings_seed = 6"));
    bench.run("other", 1);
    let name = "walks-scatter%3A20x20%3Aseed=1.parquet";
    fs::copy(bench.out("other").join(name), bench.out("out").join(name)).unwrap();
    bench.refuses_to_read("out", "other settings or another longest than those of");
}

#[test]
fn many_problems_are_split_into_batches() {
    let spec = "[[walks]]\nmaps = [\"cave:12x12\"]\nproblems = 3\nsettings = 60000\nlongest = 1\n";
    let bench = Bench::of(spec);
    bench.run("out", 2);
    let names: Vec<PathBuf> = bench.contents("out").into_keys().collect();
    let expected = [0, 1, 2].map(|at| format!("walks-cave%3A12x12%3Aseed=1.{at}-{at}.parquet"));
    assert_eq!(names, expected.map(PathBuf::from));
    assert_eq!(read(&bench.out("out")).unwrap().costs(59_999).len(), 3);
    fs::remove_file(bench.out("out").join(&names[1])).unwrap();
    bench.refuses_to_read(
        "out",
        "walks on 'cave:12x12:seed=1' are missing or there twice, 3 problems",
    );
}

#[test]
fn other_labels_are_written_without_walking_again() {
    let bench = Bench::of(SPEC);
    bench.run("out", 1);
    bench.write("spec.toml", &SPEC.replace("\"caves\"", "\"dungeons\", dark = \"yes\""));
    bench.run("fresh", 1);
    let sweep = bench.prepare("out", None).unwrap();
    assert_eq!((sweep.left(), sweep.notes().len()), (0, 1));
    assert!(
        sweep.notes()[0].contains("2 files now have the labels that the spec gives their maps")
    );
    assert_eq!(read(&bench.out("out")).unwrap(), read(&bench.out("fresh")).unwrap());
    drop(sweep);
    assert_eq!(bench.prepare("out", None).unwrap().notes().len(), 0);
}

#[test]
fn a_csv_file_has_a_line_for_each_walk() {
    let bench = Bench::of(SPEC);
    bench.run("out", 1);
    let path = bench.out("walks.csv");
    assert_eq!(export(&bench.out("out"), &path).unwrap(), WALKS);
    let text = fs::read_to_string(path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 1 + WALKS);
    let names: Vec<&str> = lines[0].split(',').collect();
    let at = |name: &str| names.iter().position(|&column| column == name).unwrap();
    let walks = read(&bench.out("out")).unwrap();
    for (number, line) in lines[1..].iter().enumerate() {
        let cells: Vec<&str> = line.split(',').collect();
        let (problem, setting) = (number / 20, number % 20);
        assert_eq!(cells[at("map")], walks.maps[walks.problems[problem].map].name);
        assert_eq!(cells[at("setting")], setting.to_string());
        let suboptimality: f32 = cells[at("suboptimality")].parse().unwrap();
        assert_eq!(suboptimality.to_bits(), walks.costs(setting)[problem].to_bits());
        let [cost, shortest]: [f64; 2] =
            ["cost", "shortest"].map(|name| cells[at(name)].parse().unwrap());
        let times = cost / shortest;
        let counted = if cells[at("arrived")] == "true" { times.min(50.0) } else { 50.0 };
        assert!((counted - f64::from(suboptimality)).abs() < 1e-4, "{line}");
    }
    let error = export(&bench.out("out"), &bench.out("walks.jsonl")).unwrap_err().to_string();
    assert!(error.contains("walks are exported as .csv"), "{error}");
}

#[test]
fn problems_of_a_scenario_are_those_with_a_way_to_walk() {
    let spec = "[[walks]]\nmaps = [\"m.map\"]\nscenarios = true\nsettings = [\"lrta\"]\n";
    let bench = Bench::of(spec);
    bench.write("m.map", "type octile\nheight 2\nwidth 5\nmap\n..@..\n..@..\n");
    let row = |start: u32, goal: u32, length: f64| {
        format!("0\tm.map\t5\t2\t{start}\t0\t{goal}\t0\t{length}\n")
    };
    let rows = [row(0, 1, 1.0), row(3, 3, 0.0), row(0, 4, 0.0), row(4, 3, 1.0)].concat();
    bench.write("m.map.scen", &format!("version 1\n{rows}"));
    bench.run("out", 1);
    let walks = read(&bench.out("out")).unwrap();
    let ends: Vec<_> = walks.problems.iter().map(|problem| (problem.start, problem.goal)).collect();
    assert_eq!(ends, [((0, 0), (1, 0)), ((4, 0), (3, 0))]);
    assert_eq!(walks.costs(0), [1.0, 1.0]);
    for (rows, expected) in [
        (row(0, 4, 9.0), "m.map.scen: line 2: the goal cannot be reached from the start"),
        (row(0, 7, 9.0), "m.map.scen: line 2: the goal: "),
        (row(1, 1, 0.0), "m.map.scen: there is nothing to walk"),
        (
            row(0, 1, 1.0).replace("\t5\t2", "\t9\t9"),
            "line 2: this problem is for a map of another size",
        ),
    ] {
        bench.write("m.map.scen", &format!("version 1\n{rows}"));
        let error = bench.prepare("wrong", None).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn wrong_specs_are_refused_with_their_lines() {
    let table = "[[walks]]\nmaps = [\"cave:12x12\"]\nproblems = 3\nsettings = 5\n";
    for (spec, expected) in [
        (
            table.replace("problems = 3\n", ""),
            "line 1: a table needs problems = NUMBER, or scenarios",
        ),
        (table.replace('3', "0"), "line 3: problems: there is nothing to run"),
        (
            table.replace('3', "9000000"),
            "line 3: problems: 9,000,000 are too many, at most 1,000,000",
        ),
        (table.replace('5', "900000"), "line 4: settings: 900,000 are too many, at most 100,000"),
        (table.replace('5', "[]"), "line 4: settings: there is nothing to run"),
        (
            table.replace('5', "\"many\""),
            "line 4: expected a number of settings to draw, or a list",
        ),
        (table.replace('5', "[\"lrta:w=99\"]"), "line 4: "),
        (table.replace('5', "[\"bmaa\"]"), "line 4: 'bmaa' is not a setting of lrta"),
        (
            format!("{table}scenarios = true\n"),
            "line 5: a table has problems that are drawn, or scenarios",
        ),
        (format!("{table}longest = 0.5\n"), "line 5: longest is a number from 1"),
        (format!("{table}longest = nan\n"), "line 5: longest is a number from 1"),
        (format!("{table}planners = 1\n"), "line 5: unknown key 'planners'"),
        (
            table.replace('5', "[\"lrta\"]\nsettings_seed = 2"),
            "line 5: settings_seed draws settings",
        ),
        (
            table.replace("problems = 3", "scenarios = true\nseed = 2"),
            "line 4: seed draws problems",
        ),
        (
            table.replace("problems = 3", "scenarios = true"),
            "line 2: cave:12x12:seed=1: a built-in map has no",
        ),
        (
            format!("{table}{table}"),
            "line 6: cave:12x12:seed=1: this spec has a map of this name already",
        ),
        (
            format!("{table}{}", table.replace('5', "6")),
            "line 5: all tables of walks have the same settings",
        ),
        (
            table.replace("cave:12x12", "no/*.map"),
            "line 2: 'no/*.map': there is no such file (looked for",
        ),
        (
            table.replace("cave:12x12", "*/a.map"),
            "line 2: '*/a.map': only the last part of a name may have a *",
        ),
    ] {
        let error = Bench::of(&spec).prepare("out", None).unwrap_err().to_string();
        assert!(error.contains(expected), "{spec}\n{error}");
    }
}

#[test]
fn a_setting_is_read_as_it_is_named() {
    let mut dice = ChaCha8Rng::seed_from_u64(1);
    for setting in (0..50).map(|_| Lrta::draw(&mut dice)).chain([Lrta::default()]) {
        assert_eq!(spec::parse_setting(&name_of(&setting)), Ok(setting));
    }
}

#[test]
fn the_specs_of_the_experiments_and_of_the_documentation_are_valid() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
    let read = |name: &str| WalkSpec::read(&folder.join(name)).unwrap();
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        // The others are read by the tests of sweeps.
        if fs::read_to_string(&path).unwrap().contains("[[walks]]") {
            WalkSpec::read(&path).unwrap_or_else(|error| panic!("{error}"));
        }
    }
    let (settings, lak506d) = (read("settings.toml"), read("lak506d.toml"));
    assert_eq!((settings.tables.len(), settings.settings.len()), (4, 1000));
    assert_eq!(lak506d.settings, settings.settings, "drawn alike");
    let page = include_str!("../../../../docs/sweeps.md");
    let text =
        page.split("```toml\n").find(|text| text.starts_with("name = \"settings\"")).unwrap();
    let (text, _) = text.split_once("```").unwrap();
    assert_eq!(
        WalkSpec::parse(Path::new("x.toml"), text.to_owned()).unwrap().settings,
        settings.settings
    );
}
