use std::fs;
use std::path::{Path, PathBuf};

use jostle_lab::sweep::{Order, Sweep};
use jostle_lab::table::Format;
use jostle_lab::{Record, Registries, parse_limits, read_records};
use tempfile::TempDir;

use super::*;
use crate::{Forest, Menu, Samples, SplitBy, Trial};

/// A folder with the records of a sweep.
struct Folder(TempDir);

impl Folder {
    fn path(&self) -> PathBuf {
        self.0.path().join("results")
    }

    fn swept(maps: &str, rest: &str) -> Self {
        let crowds = "kinds = [\"random\", \"swap-sides\"]\nagents = 6\nseeds = \"1-3\"";
        Self::of(&format!("[[sweep]]\nmaps = [{maps}]\n{crowds}\n{rest}\n"))
    }

    fn of(spec: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let room = "......\n.@@...\n......\n......\n";
        let room = format!("type octile\nheight 4\nwidth 6\nmap\n{room}");
        fs::write(folder.path().join("room.map"), room).unwrap();
        let file = folder.path().join("spec.toml");
        fs::write(&file, spec).unwrap();
        let out = folder.path().join("results");
        let sweep = Sweep::prepare(Order {
            registries: Registries::builtin(),
            spec: &file,
            out: &out,
            maps: None,
            shard: None,
            may_extend: false,
        });
        sweep.unwrap().run(1, &|| false, &|_| ()).unwrap();
        Self(folder)
    }

    fn read_with(&self, filter: &CrowdsFilter) -> Result<Crowds, String> {
        let crowds = Crowds::read(&[&self.path()], filter, &[self.0.path()]);
        crowds.map_err(|error| error.to_string())
    }

    fn read(&self) -> Result<Crowds, String> {
        self.read_with(&CrowdsFilter::default())
    }

    fn records(&self) -> Vec<Record> {
        let mut records = Vec::new();
        read_records(&self.path(), |record| records.push(record)).unwrap();
        records
    }

    /// Writes the lines of the records that are wanted, and nothing else.
    fn keep(&self, is_wanted: impl Fn(&str) -> bool) {
        let file = self.path().join("records.jsonl");
        let text = fs::read_to_string(&file).unwrap();
        let lines: Vec<&str> = text.lines().filter(|line| is_wanted(line)).collect();
        fs::write(file, lines.join("\n") + "\n").unwrap();
    }
}

const MAPS: &str = r#""room.map", "cave:24x16:seed=2""#;
const THREE: &str = "planners = [\"far\", \"bmaa:push=true\", \"pibt\"]\nlimits = [\"12steps\"]";

#[test]
fn a_results_folder_is_problems_with_the_runs_of_every_planner() {
    let folder = Folder::swept(MAPS, THREE);
    let crowds = folder.read().unwrap();
    assert_eq!(crowds.candidates, ["bmaa:push=true", "far", "pibt"]);
    assert_eq!(crowds.maps, ["cave:24x16:seed=2", "room"]);
    assert_eq!(crowds.kinds.names, ["random", "swap-sides"]);
    let samples = &crowds.samples;
    assert_eq!(samples.len(), 2 * 2 * 3);
    let records = folder.records();
    for problem in 0..samples.len() {
        let (map, kind) =
            (&crowds.maps[samples.map(problem)], &crowds.kinds.names[crowds.kinds.of[problem]]);
        let seed = 1 + problem as u64 % 3;
        let run = |candidate: usize| {
            let is_it = |record: &&Record| {
                record.planner.as_deref() == Some(crowds.candidates[candidate].as_str())
                    && (&record.map, record.kind_name()) == (map, kind.as_str())
                    && record.seed == Some(seed)
            };
            records.iter().find(is_it).unwrap()
        };
        for candidate in 0..3 {
            let cost = f64::from(samples.results().costs(candidate)[problem]);
            assert!((cost - (1.0 - run(candidate).completion_rate)).abs() < 1e-6);
            let distance = f64::from(crowds.measures[0].results.costs(candidate)[problem]);
            assert!((distance - run(candidate).travel_distance).abs() < 1e-4);
            let ticks = f64::from(crowds.measures[1].results.costs(candidate)[problem]);
            let record = run(candidate);
            let expected = record.completion_rate * record.completion_ticks.unwrap_or(0.0)
                + (1.0 - record.completion_rate) * 12.0;
            assert!((ticks - expected).abs() < 1e-4);
        }
        let best = run(samples.best()[problem]);
        for other in (0..3).map(run) {
            let of = |record: &Record| (-record.completion_rate, record.travel_distance);
            assert!(of(best) <= of(other), "{map} {kind} {seed}");
        }
        // Starts and goals are those that the planners had.
        let sight = samples.sight(problem);
        assert_eq!(sight.tasks.len(), 6);
        let map = jostle_lab::NamedMap::find_in(
            &[folder.0.path()],
            if map == "room" { "room.map" } else { map },
            jostle::Rules::default(),
        );
        let kind = jostle::instance::Kind::ALL.into_iter().find(|one| one.name() == kind).unwrap();
        let drawn = jostle_lab::Problem::draw(&map.unwrap(), kind, 6, seed).unwrap();
        assert_eq!(sight.tasks, drawn.instance.tasks());
    }
}

#[test]
fn planners_can_be_restricted_and_come_in_the_order_that_was_asked_for() {
    let folder = Folder::swept(MAPS, THREE);
    let filter = |planners: &[&str]| CrowdsFilter {
        planners: planners.iter().map(|&name| name.to_owned()).collect(),
        limit: None,
    };
    let crowds = folder.read_with(&filter(&["pibt", "far"])).unwrap();
    assert_eq!((crowds.candidates.len(), &*crowds.candidates[0]), (2, "pibt"));
    let refused = |planners: &[&str]| folder.read_with(&filter(planners)).unwrap_err();
    assert_eq!(
        refused(&["far", "whca"]),
        "there are no runs of whca: there are bmaa:push=true, far, pibt"
    );
    assert_eq!(refused(&["far"]), "there is only one planner to choose from: far");
    assert_eq!(refused(&["far", "far"]), "a planner is named twice");
}

#[test]
fn of_several_limits_one_must_be_chosen() {
    let rest = "planners = [\"far\", \"pibt\"]\nlimits = [\"8steps\", \"20steps,9000expansions\"]";
    let folder = Folder::swept(MAPS, rest);
    assert_eq!(
        folder.read().unwrap_err(),
        "there are runs under several limits, and one must be chosen: 20steps,9000expansions; 8steps"
    );
    let with = |limit| CrowdsFilter {
        limit: Some(parse_limits(limit).unwrap()),
        ..CrowdsFilter::default()
    };
    let crowds = folder.read_with(&with("9000expansions,20steps")).unwrap();
    assert_eq!((crowds.samples.len(), crowds.limit.ticks), (12, Some(20)));
    assert_eq!(
        folder.read_with(&with("9steps")).unwrap_err(),
        "there are no runs of at most 9 ticks: the limits are 20steps,9000expansions; 8steps"
    );
}

#[test]
fn a_planner_that_lacks_a_problem_is_named() {
    let folder = Folder::swept(MAPS, THREE);
    folder.keep(|line| !line.contains("room|swap-sides|6|2|far|"));
    assert_eq!(
        folder.read().unwrap_err(),
        "far has not run a problem that others have: room, swap-sides, 6 agents, seed 2"
    );
    let without = CrowdsFilter {
        planners: vec!["bmaa:push=true".to_owned(), "pibt".to_owned()],
        limit: None,
    };
    assert_eq!(folder.read_with(&without).unwrap().samples.len(), 12);
}

#[test]
fn a_map_that_is_missing_or_has_changed_is_named() {
    let folder = Folder::swept(MAPS, THREE);
    let map = folder.0.path().join("room.map");
    let text = fs::read_to_string(&map).unwrap();
    fs::write(&map, text.replace("@@", "@.")).unwrap();
    let changed = folder.read().unwrap_err();
    assert!(
        changed.ends_with(
            "room.map: this map has another floor than the one that the runs were made on"
        ),
        "{changed}"
    );
    fs::remove_file(&map).unwrap();
    let missing = folder.read().unwrap_err();
    assert!(missing.starts_with("room.map: there is no such file (looked for in "), "{missing}");
}

#[test]
fn solvers_and_planners_are_candidates_side_by_side() {
    let table =
        |rest: &str| format!("[[sweep]]\nmaps = [{MAPS}]\nagents = 6\nseeds = \"1-3\"\n{rest}\n");
    let planners = table("planners = [\"pibt\"]\nlimits = [\"20steps,9000expansions\"]");
    let solvers = table("solvers = [\"cbs\"]\nlimits = [\"9000expansions\"]");
    let crowds = Folder::of(&format!("{planners}{solvers}")).read().unwrap();
    assert_eq!(crowds.candidates, ["pibt", "solver cbs"]);
    assert_eq!((crowds.samples.len(), crowds.limit.ticks), (6, Some(20)));
}

#[test]
fn several_folders_are_read_as_one() {
    let [one, other] =
        ["\"room.map\"", "\"cave:24x16:seed=2\""].map(|maps| Folder::swept(maps, THREE));
    let paths = [one.path(), other.path(), one.path()];
    let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    let crowds = Crowds::read(&paths, &CrowdsFilter::default(), &[one.0.path()]).unwrap();
    assert_eq!((crowds.samples.len(), crowds.maps.len()), (12, 2));
}

#[test]
fn pairs_that_meet_are_not_problems_to_choose_for() {
    let solvers = "solvers = [\"co-cbs\", \"co-cbs:lazy=false\"]";
    let folder = Folder::of(&format!(
        "[[sweep]]\nmaps = [\"room.map\"]\ntasks = 1\n{solvers}\nlimits = [\"9000expansions\"]\n"
    ));
    assert_eq!(folder.read().unwrap_err(), "room: a run of solver co-cbs is of pairs that meet");
}

#[test]
fn a_folder_without_records_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused = Crowds::read(&[folder.path()], &CrowdsFilter::default(), &[]).unwrap_err();
    assert!(refused.to_string().contains("there are no records*.jsonl in this folder"));
}

#[test]
fn an_evaluation_of_a_folder_is_a_table() {
    let folder = Folder::swept(MAPS, THREE);
    let crowds = folder.read().unwrap();
    let samples: &Samples = &crowds.samples;
    let splits = SplitBy::Problem.splits(samples, 3, 0.7, 1).unwrap();
    let trial = Trial {
        samples,
        menu: Menu::All,
        splits: &splits,
        measures: &crowds.measures,
        groups: &crowds.kinds,
    };
    let evaluation = trial.evaluate(&mut [Box::new(Forest::default())], &mut |_| ()).unwrap();
    let columns = Columns::completion(&crowds.candidates);
    let table = by_selector(&evaluation, &columns, &crowds.measures, ("worth", "Choosing"));
    let labels: Vec<&str> = table.lines.iter().map(|line| line.label.as_str()).collect();
    assert_eq!(
        labels,
        ["perfect", "forest", "single best", "bmaa:push=true", "far", "pibt", "worst"]
    );
    assert!(table.lines.iter().all(|line| line.cells.len() + 1 == table.header.len()));
    let perfect = evaluation.rows[0].cost().unwrap().mean;
    let expected = format!("{:.1}", 100.0 - 100.0 * perfect);
    assert_eq!(table.lines[0].cells[0].value.as_ref(), Some(&expected));
    let text = table.write(Format::Text);
    assert!(text.contains("the best choice: bmaa:push=true "), "{text}");
    let table = by_group(&evaluation, &columns, &crowds.kinds, ("kinds", "By kind"));
    assert_eq!(table.lines.len(), 2);
    assert!(table.lines.iter().all(|line| line.cells.len() + 1 == table.header.len()));
}
