use std::collections::HashSet;

use super::*;
use crate::Registries;

const SPEC: &str = r#"
[[sweep]]
maps = ["rooms:32x24", "cave:32x24:seed=2"]
agents = [10, 20]
seeds = [7, 8]
planners = ["bmaa", { planner = "lra", agents_at_most = 10 }]
limits = ["100steps"]
"#;

fn plan(text: &str) -> Result<SweepPlan, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("spec.toml");
    std::fs::write(&path, text).unwrap();
    let spec = SweepSpec::read(&path, Registries::builtin()).map_err(|error| error.to_string())?;
    SweepPlan::of(&spec, None).map_err(|error| error.to_string())
}

fn keys(text: &str) -> Vec<String> {
    plan(text).unwrap().runs.into_iter().map(|run| run.key).collect()
}

#[test]
fn a_plan_goes_seed_by_seed_and_keeps_the_runs_of_an_instance_together() {
    let expected = [7, 8].map(|seed| {
        ["rooms:32x24:seed=1", "cave:32x24:seed=2"].map(|map| {
            [(10, "bmaa"), (10, "lra"), (20, "bmaa")].map(|(agents, planner)| {
                format!("{map}|random|{agents}|{seed}|{planner}|100steps|8")
            })
        })
    });
    assert_eq!(keys(SPEC), expected.concat().concat());
    let plan = plan(SPEC).unwrap();
    let instances: Vec<_> = plan.runs.iter().map(|run| run.instance).collect();
    assert_eq!(instances, [0, 0, 1, 2, 2, 3, 4, 4, 5, 6, 6, 7]);
    let DrawnProblem::Crowd(drawn) = plan.instances[7].draw().unwrap() else { panic!() };
    assert_eq!(drawn.agents(), 20);
}

#[test]
fn the_runs_of_a_solver_are_others_than_those_of_a_planner() {
    let of = |entrants: &str| {
        let planners = SPEC.lines().find(|line| line.starts_with("planners")).unwrap();
        SPEC.replace(planners, entrants).replace("100steps", "9s")
    };
    let expected = "rooms:32x24:seed=1|random|10|7|solver cbs|9s|8";
    let solvers = of("solvers = [\"cbs\", { solver = \"cbs:bypass=off\", agents_at_most = 10 }]");
    let keys = keys(&solvers);
    assert_eq!((keys.len(), keys[0].as_str()), (12, expected));
    assert_eq!(keys[1], expected.replace("cbs", "cbs:bypass=off"));
    let print = |text: &str| plan(text).unwrap().fingerprint;
    assert_ne!(print(&solvers), print(&of("solvers = [\"cbs\"]")));
    let both = of("solvers = [\"cbs\"]\nplanners = [\"bmaa\"]");
    assert_eq!(print(&both), print(&of("planners = [\"bmaa\"]\nsolvers = [\"cbs\"]")));
    assert_eq!(plan(&both).unwrap().runs.len(), 16);
}

#[test]
fn pairs_that_meet_are_counted_in_tasks_and_drawn_as_elsewhere() {
    let spec = "[[sweep]]\nmaps = [\"rooms:16x12\"]\ntasks = [2, 3]\nseeds = [5]\nneighbours = 4\nlimits = [\"9s\"]\n\
        solvers = [\"co-cbs:at-target=stay\", { solver = \"co-cbs\", tasks_at_most = 2 }]\n";
    let plan = plan(spec).unwrap();
    let keys: Vec<&str> = plan.runs.iter().map(|run| run.key.as_str()).collect();
    let expected = [(2, "co-cbs:at-target=stay"), (2, "co-cbs"), (3, "co-cbs:at-target=stay")].map(
        |(tasks, solver)| format!("rooms:16x12:seed=1|meetings|{tasks}|5|solver {solver}|9s|4"),
    );
    assert_eq!(keys, expected);
    let DrawnProblem::Pairs(drawn) = plan.instances[1].draw().unwrap() else { panic!() };
    let grid = drawn.instance.shared_grid().clone();
    let same = jostle::meetings::MeetingInstance::draw(grid, 3, 5).unwrap();
    assert_eq!(drawn.instance.tasks(), same.tasks());
}

#[test]
fn pairs_that_do_not_fit_are_refused_or_left_out() {
    let spec = "[[sweep]]\nmaps = [\"arena:8x8\"]\ntasks = [4, 400]\nlimits = [\"9s\"]\nsolvers = [\"co-cbs\"]\n";
    let error = plan(spec).unwrap_err();
    assert!(error.contains("line 2: arena:8x8:seed=1: 800 agents do not fit"), "{error}");
    let plan_without = plan(&format!("{spec}skip_too_many = true\n")).unwrap();
    assert_eq!((plan_without.runs.len(), plan_without.left_out), (1, 1));
    let error = plan(&spec.replace("[4, 400]", "0")).unwrap_err();
    assert!(error.ends_with("line 1: there are no tasks"), "{error}");
}

#[test]
fn a_run_that_two_tables_ask_for_is_made_once() {
    let more = SPEC.replace("[10, 20]", "[20, 30]").replace("[7, 8]", "[7]");
    let both = keys(&format!("{SPEC}{more}"));
    assert_eq!(both.len(), 12 + 2);
    assert_eq!(both.iter().collect::<HashSet<_>>().len(), both.len());
    assert!(both[6].contains("|30|7|"), "the first seed of every table comes first: {both:?}");
}

#[test]
fn only_other_runs_make_another_sweep() {
    let print = |text: &str| plan(text).unwrap().fingerprint;
    let same = SPEC.replace("[7, 8]", "\"7-8\"  # two").replace("[10, 20]", "[20, 10]");
    assert_eq!(print(SPEC), print(&format!("name = \"x\"\n{same}")));
    let others = [
        ("8]", "9]"),
        ("20]", "21]"),
        ("100steps", "101steps"),
        ("seed=2", "seed=3"),
        ("[[sweep]]", "[[sweep]]\nneighbours = 4"),
        ("[[sweep]]", "[[sweep]]\ncorners = \"none\""),
        ("[[sweep]]", "[[sweep]]\nforbid_crossing = true"),
        ("[[sweep]]", "[[sweep]]\nkinds = [\"inside-out\"]"),
    ];
    for (what, instead) in others {
        assert_ne!(print(SPEC), print(&SPEC.replace(what, instead)), "{instead}");
    }
}

#[test]
fn agents_that_do_not_fit_are_refused_or_left_out() {
    let crowded = SPEC.replace("[10, 20]", "[10, 20, 5000]");
    let error = plan(&crowded).unwrap_err();
    assert!(error.contains("line 3: rooms:32x24:seed=1: 5000 agents do not fit"), "{error}");
    let skipping = plan(&crowded.replace("[[sweep]]", "[[sweep]]\nskip_too_many = true")).unwrap();
    assert_eq!((skipping.runs.len(), skipping.left_out), (12, 4));
    let nothing =
        SPEC.replace("[10, 20]", "[5000]").replace("[[sweep]]", "[[sweep]]\nskip_too_many = true");
    assert!(plan(&nothing).unwrap_err().contains("there is nothing to run"));
    assert!(plan(&SPEC.replace("[10, 20]", "[0, 10]")).unwrap_err().contains("at least one agent"));
}

#[test]
fn two_maps_of_one_name_must_be_the_same() {
    let folder = tempfile::tempdir().unwrap();
    for (place, floor) in [("a", "..."), ("b", ".@."), ("c", "...")] {
        std::fs::create_dir(folder.path().join(place)).unwrap();
        let map = format!("type octile\nheight 1\nwidth 3\nmap\n{floor}\n");
        std::fs::write(folder.path().join(place).join("x.map"), map).unwrap();
    }
    let plan = |other: &str| {
        let text = format!(
            "[[sweep]]\nmaps = [\"a/x.map\", \"{other}/x.map\"]\nagents = 1\nplanners = [\"bmaa\"]\n"
        );
        let path = folder.path().join("spec.toml");
        std::fs::write(&path, text).unwrap();
        SweepPlan::of(&SweepSpec::read(&path, Registries::builtin()).unwrap(), None)
    };
    assert_eq!(plan("c").unwrap().runs.len(), 1);
    let error = plan("b").unwrap_err().to_string();
    assert!(error.contains("line 2: x: another map of this spec has the same name"), "{error}");
}
