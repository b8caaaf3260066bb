use std::fs;
use std::path::{Path, PathBuf};

use jostle_lab::sweep::Order;
use jostle_lab::walks::{self, WalkSweep};
use jostle_lab::{NamedMap, Registries};
use tempfile::TempDir;

use super::*;
use crate::{Forest, Menu, SplitBy, Trial, least};

const SPEC: &str = r#"
[[walks]]
maps = ["rooms:24x20:seed=1", "rooms:24x20:seed=2", "rooms:24x20:seed=3", "rooms:24x20:seed=4"]
problems = 5
settings = 12
longest = 50
labels = { sort = "rooms" }
[[walks]]
maps = ["scatter:24x20:seed=1", "scatter:24x20:seed=2", "scatter:24x20:seed=3", "maps/*.map"]
problems = 5
settings = 12
longest = 50
labels = { sort = "scatter" }
"#;

/// A folder of walks.
fn walked(spec: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("maps")).unwrap();
    let hall = "........\n".repeat(8);
    let hall = format!("type octile\nheight 8\nwidth 8\nmap\n{hall}");
    fs::write(folder.path().join("maps/hall.map"), hall).unwrap();
    let (file, out) = (folder.path().join("spec.toml"), folder.path().join("walks"));
    fs::write(&file, spec).unwrap();
    let sweep = WalkSweep::prepare(Order {
        registries: Registries::builtin(),
        spec: &file,
        out: &out,
        maps: None,
        shard: None,
        may_extend: false,
    });
    sweep.unwrap().run(1, &|| false, &|_| ()).unwrap();
    (folder, out)
}

fn read(folder: &Path, out: &Path, by: WalkedBy) -> Walked {
    Walked::read(out, by, &[folder]).unwrap()
}

#[test]
fn problems_have_their_ends_and_the_walks_of_every_setting() {
    let (folder, out) = walked(SPEC);
    let walked = read(folder.path(), &out, WalkedBy::Problem);
    let walks = walks::read(&out).unwrap();
    let samples = &walked.samples;
    assert_eq!((samples.len(), walked.candidates.len(), walked.longest), (8 * 5, 12, 50.0));
    assert!(walked.candidates.iter().all(|name| name.starts_with("lrta")));
    assert!(walked.maps.contains(&"hall".to_owned()));
    for (number, problem) in walks.problems.iter().enumerate() {
        let sight = samples.sight(number);
        let ends = (sight.grid.position(sight.tasks[0].0), sight.grid.position(sight.tasks[0].1));
        assert_eq!(ends, (problem.start, problem.goal));
        let costs: Vec<f32> = (0..12).map(|setting| walks.costs(setting)[number]).collect();
        assert_eq!(samples.best()[number], least(&costs));
        assert_eq!(samples.results().costs(7)[number].to_bits(), costs[7].to_bits());
    }
}

#[test]
fn maps_have_the_means_of_their_problems() {
    let (folder, out) = walked(SPEC);
    let [maps, problems] =
        [WalkedBy::Map, WalkedBy::Problem].map(|by| read(folder.path(), &out, by));
    assert_eq!(maps.samples.len(), 8);
    assert!(maps.samples.sight(3).tasks.is_empty());
    let mean = problems.samples.results().costs(4)[15..20].iter().sum::<f32>() / 5.0;
    assert!((maps.samples.results().costs(4)[3] - mean).abs() < 1e-4);
}

#[test]
fn labels_can_be_learned_from_the_looks_of_maps() {
    let (folder, out) = walked(SPEC);
    let walked = read(folder.path(), &out, WalkedBy::Map);
    let menu = walked.by_label("sort").unwrap();
    let Menu::Labels { of, names } = &menu else { panic!("a menu of labels") };
    assert_eq!(names, &["rooms", "scatter"]);
    // In the order of the names of maps, `hall` is the first.
    assert_eq!(of, &[1, 0, 0, 0, 0, 1, 1, 1]);
    let splits = SplitBy::Map.splits(&walked.samples, 4, 0.75, 1).unwrap();
    let trial = Trial { menu, ..Trial::new(&walked.samples, &splits) };
    let evaluation = trial.evaluate(&mut [Box::new(Forest::default())], &mut |_| ()).unwrap();
    let accuracy = evaluation.row("forest").unwrap().accuracy().unwrap().mean;
    assert!(accuracy > 0.6, "{accuracy}");
    assert_eq!(
        walked.by_label("game").unwrap_err().to_string(),
        "hall: the walks have no label game for this map"
    );
}

#[test]
fn a_portfolio_for_problems_of_one_map_can_be_split_by_problem_alone() {
    let spec = "[[walks]]\nmaps = [\"rooms:24x20:seed=1\"]\nproblems = 20\nsettings = 12\nlongest = 50\nlabels = { sort = \"rooms\" }\n";
    let (folder, out) = walked(spec);
    let walked = read(folder.path(), &out, WalkedBy::Problem);
    let splits = SplitBy::Problem.splits(&walked.samples, 2, 0.75, 1).unwrap();
    let trial = Trial { menu: Menu::Portfolio(2), ..Trial::new(&walked.samples, &splits) };
    let evaluation = trial.evaluate(&mut [Box::new(Forest::default())], &mut |_| ()).unwrap();
    let [perfect, prior] = ["perfect", "single best"].map(|name| evaluation.row(name).unwrap());
    assert!(perfect.cost().unwrap().mean <= prior.cost().unwrap().mean);
    let refused = SplitBy::Map.splits(&walked.samples, 2, 0.75, 1).unwrap_err();
    assert_eq!(refused, "there is one map only: selectors cannot be tested on others");
    let refused = walked.by_label("sort").unwrap_err().to_string();
    assert_eq!(refused, "the sort of every map is rooms");
}

#[test]
fn a_map_that_has_changed_since_is_named() {
    let (folder, out) = walked(SPEC);
    let file = folder.path().join("maps/hall.map");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replacen("........", "@.......", 1)).unwrap();
    assert!(NamedMap::find_in(&[folder.path()], "maps/hall.map", jostle::Rules::default()).is_ok());
    let refused = Walked::read(&out, WalkedBy::Map, &[folder.path()]).unwrap_err().to_string();
    let reason = "hall.map: this map has another floor than the one that the runs were made on";
    assert!(refused.ends_with(reason), "{refused}");
}
