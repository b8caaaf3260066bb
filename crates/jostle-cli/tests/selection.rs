//! Tests of `jostle train`, `jostle select` and the planner `auto`.

mod common;

use common::is_refused;

#[cfg(not(feature = "select"))]
#[test]
fn without_the_feature_it_says_how_to_get_it() {
    let how = "cargo build --release --features select";
    is_refused(&["train", "--results", "a", "--out", "b"], how);
    is_refused(&["select", "builtin", "cave"], how);
    is_refused(&["run", "cave", "--planner", "auto:pause=9"], how);
}

#[cfg(feature = "select")]
mod with_the_feature {
    use std::fs;
    use std::path::Path;

    use super::common::{Folder, jostle, stderr, succeeds};
    use super::is_refused;

    /// 24 problems on four maps: agents that do not arrive in time tell planners apart.
    const SPEC: &str = r#"
[[sweep]]
maps = ["cave:24x24:seed=1", "cave:24x24:seed=2", "rooms:24x24:seed=1", "rooms:24x24:seed=2"]
kinds = ["random", "swap-sides"]
agents = 12
seeds = "1-3"
planners = ["bmaa", "pibt"]
limits = ["30steps"]
"#;

    fn results(folder: &Folder) -> String {
        let (spec, out) = (folder.write("spec.toml", SPEC), folder.path("results"));
        succeeds(&["sweep", &spec, "--out", &out]);
        out
    }

    #[test]
    fn a_forest_is_trained_shown_and_chooses_for_a_run() {
        let folder = Folder::new();
        let (results, model) = (results(&folder), folder.path("forest.safetensors"));
        succeeds(&["train", "--results", &results, "--selector", "forest", "--out", &model]);
        let shown = succeeds(&["select", &model, "cave:24x24:seed=1", "--agents", "12"]);
        assert!(shown.contains("bmaa") && shown.contains("pibt"), "{shown}");
        let line = succeeds(&["select", &model, "cave:24x24", "--agents", "12", "--json"]);
        let choice: serde_json::Value = serde_json::from_str(&line).unwrap();
        let chosen = choice["choice"].as_str().unwrap();
        assert!(["bmaa", "pibt"].contains(&chosen));
        let run = |planner: &[&str]| {
            let words = ["run", "cave:24x24", "--agents", "12", "--json", "--planner"];
            let line = succeeds(&[&words[..], planner].concat());
            serde_json::from_str::<serde_json::Value>(&line).unwrap()["fingerprint"].clone()
        };
        let chosen_by_auto = run(&["auto", "--model", &model]);
        assert_eq!(chosen_by_auto, run(&[chosen]), "auto moves agents as the chosen planner does");
        let words = ["run", "cave:24x24", "--planner", "bmaa", "--model", &model];
        is_refused(&words, "--model has no effect here");
    }

    #[test]
    fn a_training_that_was_stopped_goes_on_to_the_same_model() {
        let folder = Folder::new();
        let results = results(&folder);
        let train = |out: &str, epochs: &str| {
            let words = ["train", "--results", &results, "--out", out, "--epochs", epochs];
            succeeds(&words)
        };
        let (whole, parted) = (folder.path("whole.safetensors"), folder.path("parted.safetensors"));
        train(&whole, "3");
        for ending in ["curves.svg", "curves.csv"] {
            assert!(Path::new(&folder.path(&format!("whole.{ending}"))).exists(), "{ending}");
        }
        assert!(!Path::new(&folder.path("whole.training")).exists());
        // A state from another training is not taken for this one's.
        fs::write(folder.path("parted.training"), "state").unwrap();
        let words = ["train", "--results", &results, "--out", &parted, "--epochs", "3"];
        is_refused(&words, "parted.training: this is not the state of a training");
        fs::remove_file(folder.path("parted.training")).unwrap();
        train(&parted, "3");
        assert_eq!(fs::read(whole).unwrap(), fs::read(parted).unwrap(), "same seed, same bytes");
    }

    #[test]
    fn selectors_are_evaluated_on_both_kinds_of_split() {
        let folder = Folder::new();
        let results = results(&folder);
        let data = folder.path("data.safetensors");
        let words = ["train", "--results", &results, "--selector", "forest", "--splits", "2"];
        let tables = succeeds(&[&words[..], &["--data", &data, "--markdown"]].concat());
        for expected in ["never seen in training", "single best", "perfect", "forest", "swap-sides"]
        {
            assert!(tables.contains(expected), "{expected}: {tables}");
        }
        assert!(fs::metadata(data).unwrap().len() > 24 * 4 * 64 * 64);
    }

    #[test]
    fn data_are_written_without_training_and_choices_of_others_are_judged() {
        let folder = Folder::new();
        let (results, data) = (results(&folder), folder.path("data.safetensors"));
        let words = ["train", "--results", &results, "--splits", "2"];
        let said = succeeds(&[&words[..], &["--data", &data]].concat());
        assert!(said.contains("24 problems") && !said.contains("single best"), "{said}");
        // 24 problems and a share of 0.7 leave 7 for tests; on maps, one of four.
        let choices = |problems: usize| vec![vec![0; problems]; 2];
        let file = |tested: usize| {
            let splits = serde_json::json!({ "problem": choices(tested), "map": choices(6) });
            let text = serde_json::json!({ "network": "always", "splits": splits });
            folder.write("choices.json", &text.to_string())
        };
        let tables = succeeds(&[&words[..], &["--choices", &file(7)]].concat());
        assert!(tables.contains("always (PyTorch)") && !tables.contains("small"), "{tables}");
        is_refused(&[&words[..], &["--choices", &file(8)]].concat(), "choices.json: ");
    }

    #[test]
    fn what_a_model_sees_is_a_picture() {
        let folder = Folder::new();
        let (one, several) = (folder.path("seen.png"), folder.path("seen"));
        let words = ["select", "builtin", "cave:40x30", "--agents", "20", "--picture"];
        succeeds(&[&words[..], &[&one]].concat());
        succeeds(&[&words[..], &[&several, "--seeds", "1-2"]].concat());
        let files = fs::read_dir(several).unwrap().map(|file| file.unwrap().path());
        for file in files.chain([one.into()]) {
            let bytes = fs::read(&file).unwrap();
            assert_eq!(bytes[..8], *b"\x89PNG\r\n\x1a\n", "{}", file.display());
            assert_eq!(bytes[16..24], [0, 0, 4, 24, 0, 0, 1, 0], "1048x256 pixels");
        }
    }

    #[test]
    fn walks_teach_labels_maps_and_problems() {
        let folder = Folder::new();
        let table = |level: &str| {
            format!(
                "[[walks]]\nmaps = [\"{level}:20x20:seed=1\", \"{level}:20x20:seed=2\", \"{level}:20x20:seed=3\"]\n\
                 problems = 3\nsettings = 6\nlongest = 20\nlabels = {{ sort = \"{level}\" }}\n"
            )
        };
        let spec = folder.write("walks.toml", &format!("{}{}", table("cave"), table("rooms")));
        let out = folder.path("walks");
        succeeds(&["sweep", &spec, "--out", &out]);
        for by in ["sort", "map", "problem"] {
            let words = ["train", "--results", &out, "--by", by, "--selector", "forest"];
            let tables = succeeds(&[&words[..], &["--splits", "2"]].concat());
            assert!(tables.contains("suboptimality"), "{by}: {tables}");
        }
        let model = folder.path("sort.safetensors");
        succeeds(&[
            "train",
            "--results",
            &out,
            "--by",
            "sort",
            "--selector",
            "forest",
            "--out",
            &model,
        ]);
        let shown = succeeds(&["select", &model, "rooms:20x20:seed=9"]);
        assert!(shown.contains("cave") && shown.contains("rooms"), "{shown}");
        let words = ["train", "--results", &out, "--by", "colour", "--splits", "2"];
        is_refused(&words, "the walks have no label colour");
    }

    #[test]
    fn bad_requests_get_a_sentence_and_write_nothing() {
        let folder = Folder::new();
        let (results, model) = (results(&folder), folder.path("m.safetensors"));
        let refused = |words: &[&str], expected: &str| {
            is_refused(
                &[&["train", "--results", &results, "--out", &model], words].concat(),
                expected,
            );
            assert!(!Path::new(&model).exists());
        };
        refused(&["--planners", "bmaa,teleport"], "there are no runs of teleport");
        refused(&["--planners", "bmaa"], "there is only one planner to choose from");
        refused(&["--limit", "31steps"], "there are no runs of at most 31 ticks");
        refused(&["--by", "map"], "is for walks of single agents");
        refused(&["--selector", "forest,small"], "--out writes one model");
        refused(&["--share", "2"], "a share is a number from 0.01 to 0.99");
        is_refused(&["train", "--results", &folder.path("none"), "--out", &model], "none");
        let not_a_model = folder.write("text.safetensors", "text");
        is_refused(
            &["select", &not_a_model, "cave"],
            "text.safetensors: this is not a safetensors file",
        );
        is_refused(&["select", &folder.path("gone"), "cave"], "gone");
    }

    #[test]
    fn a_training_replaces_no_file_of_others_and_looks_before_it_learns() {
        let folder = Folder::new();
        let results = results(&folder);
        let records = folder.path("results/records.jsonl");
        let before = fs::read_to_string(&records).unwrap();
        let words = ["train", "--results", &results, "--selector", "small", "--epochs", "1"];
        let refused = |more: &[&str], expected: &str| {
            is_refused(&[&words[..], more].concat(), expected);
            assert_eq!(fs::read_to_string(&records).unwrap(), before);
        };
        for option in ["--out", "--data"] {
            refused(&[option, &records], "records.jsonl: this command reads that file");
            refused(&[option, &folder.path("results/sweep.json")], "choose another name");
            refused(&[option, &folder.path("no/such")], "the folder for this file does not exist");
        }
        refused(&["--out", "-"], "a model is written to a file");
        fs::create_dir(folder.path("taken")).unwrap();
        refused(&["--out", &folder.path("taken")], "this is a folder");
        for name in ["m.curves.csv", "m.curves.svg"] {
            let precious = folder.write(name, "precious");
            refused(&["--out", &folder.path("m.safetensors")], "this file holds something else");
            assert_eq!(fs::read_to_string(&precious).unwrap(), "precious");
            fs::remove_file(precious).unwrap();
        }
        let precious = folder.write("m.training", "precious");
        let forest = ["train", "--results", &results, "--selector", "forest"];
        succeeds(&[&forest[..], &["--out", &folder.path("m.safetensors")]].concat());
        assert_eq!(fs::read_to_string(precious).unwrap(), "precious");
        let data = jostle(&["train", "--results", &results, "--data", "-"]);
        assert_eq!(data.status.code(), Some(0), "{}", stderr(&data));
        assert!(data.stdout.len() > 24 * 4 * 64 * 64);
        assert!(stderr(&data).contains("standard output: 24 problems"), "{}", stderr(&data));
    }

    #[test]
    fn records_that_lack_a_run_are_refused() {
        let folder = Folder::new();
        let results = results(&folder);
        let records = folder.path("results/records.jsonl");
        let text = fs::read_to_string(&records).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        fs::write(&records, lines[..lines.len() - 1].join("\n") + "\n").unwrap();
        let words = ["train", "--results", &results, "--out", &folder.path("m.safetensors")];
        is_refused(&words, "has not run a problem that others have");
    }

    #[test]
    fn the_builtin_model_chooses_and_auto_is_a_planner() {
        let meant = "did you mean 'builtin'?";
        is_refused(&["select", "builtn", "cave"], meant);
        assert!(succeeds(&["completions", "bash"]).contains(" auto"));
        let folder = Folder::new();
        let scen = folder.path("my.scen");
        succeeds(&["gen", "cave:24x16", "--agents", "5", "--out", &scen]);
        let words = ["select", "builtin", "cave:24x16:seed=1", "--scen", &scen];
        assert!(succeeds(&words).contains("5 agents, scenario my"));
        assert!(succeeds(&[&words[..], &["--json"]].concat()).contains("\"scen\":\"my\""));
        let shown = succeeds(&["select", "builtin", "cave", "--agents", "50"]);
        assert!(shown.contains("choice"), "{shown}");
        assert!(succeeds(&["planners"]).contains("auto"));
        let output = jostle(&["run", "cave", "--agents", "30", "--planner", "auto", "--json"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
}
