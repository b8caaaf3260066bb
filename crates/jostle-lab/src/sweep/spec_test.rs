use std::fs;

use super::*;

const SPEC: &str = r#"
[[sweep]]
maps = ["cave:32x24"]
agents = ["10-30/10", 50]
planners = [
  "bmaa",
  { planner = "lra", agents_at_most = 20 },
]
"#;

fn read(text: &str) -> Result<SweepSpec, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("doors.toml");
    fs::write(&path, text).unwrap();
    let shorter =
        |error: LabError| error.to_string().replace(&format!("{}/", folder.path().display()), "");
    SweepSpec::read(&path, Registries::builtin()).map_err(shorter)
}

/// How the agents of a table are drawn.
fn draws(table: &Table) -> (&[ProblemKind], &[u64]) {
    match &table.agents {
        AgentsOf::Draws { kinds, seeds } => (kinds, seeds),
        AgentsOf::Scens { .. } => panic!("its agents are read"),
    }
}

#[test]
fn keys_that_are_missing_have_defaults() {
    let spec = read(SPEC).unwrap();
    assert_eq!(spec.name, "doors");
    let table = &spec.tables[0];
    assert_eq!(table.sizes, [10, 20, 30, 50]);
    assert_eq!(draws(table), (&[ProblemKind::Crowd(Kind::Random)][..], &[1][..]));
    assert_eq!(table.rules, Rules::default());
    assert_eq!(table.limits, [Limits::ticks(4096)]);
    assert_eq!(table.entrants[0].at_most, usize::MAX);
    let second = &table.entrants[1];
    assert_eq!((second.contestant.name().text(), second.at_most), ("lra", 20));
}

#[test]
fn every_key_is_read() {
    let said = "name = \"silver\"\n[[sweep]]\nmaps = [\"scatter:32x32\"]\nkinds = [\"swap-sides\"]\n\
        agents = 20\nseeds = \"3-4\"\nplanners = [\"ca\"]\nlimits = [\"100steps,2s\"]\nneighbours = 4\n\
        corners = \"one\"\nforbid_crossing = true\ncompare_with_shortest = true\nskip_too_many = true\n";
    let spec = read(said).unwrap();
    assert_eq!((spec.name.as_str(), spec.text.as_str()), ("silver", said));
    let table = &spec.tables[0];
    assert_eq!(table.sizes, [20]);
    assert_eq!(draws(table), (&[ProblemKind::Crowd(Kind::SwapSides)][..], &[3, 4][..]));
    assert_eq!(table.rules.neighbours, Neighbours::Four);
    assert_eq!(table.rules.corners, jostle::CornerRule::OneFree);
    assert_eq!(table.limits, [parse_limits("2s,100steps").unwrap()]);
    assert_eq!(table.rules.crossing, Crossing::Forbidden);
    assert!(table.compare_with_shortest && table.skip_too_many);
}

#[test]
fn solvers_stand_beside_planners_or_alone() {
    let solvers = "solvers = [\"cbs\", { solver = \"cbs:heuristic=none\", agents_at_most = 20 }]\n";
    let limits = "limits = [\"30s\", \"9expansions\"]\n";
    let names = |text: &str| {
        let spec = read(text).unwrap();
        let entrants = spec.tables[0].entrants.iter();
        entrants.map(|entrant| entrant.contestant.name().to_string()).collect::<Vec<_>>()
    };
    let both = ["bmaa", "lra", "solver cbs", "solver cbs:heuristic=none"];
    assert_eq!(names(&format!("{SPEC}{solvers}{limits}")), both);
    let (alone, _) = SPEC.split_once("planners").unwrap();
    assert_eq!(names(&format!("{alone}{solvers}{limits}")), both[2..]);
    let spec = read(&format!("{alone}{solvers}{limits}")).unwrap();
    assert_eq!(spec.tables[0].entrants[1].at_most, 20);
}

/// Three lines, to which those of a table with tasks are added.
const PAIRS: &str = "[[sweep]]\nmaps = [\"cave:32x24\"]\nlimits = [\"1s\"]\n";

#[test]
fn a_table_with_tasks_is_about_pairs_that_meet() {
    let solvers = "solvers = [\"co-cbs\", { solver = \"co-cbs:lazy=false\", tasks_at_most = 9 }]\n";
    let spec = read(&format!("{PAIRS}tasks = \"6-14/4\"\n{solvers}")).unwrap();
    let table = &spec.tables[0];
    assert_eq!(
        (draws(table).0, &table.sizes[..]),
        (&[ProblemKind::Meetings][..], &[6, 10, 14][..])
    );
    let names: Vec<_> =
        table.entrants.iter().map(|one| one.contestant.name().to_string()).collect();
    assert_eq!(names, ["solver co-cbs", "solver co-cbs:lazy=false"]);
    assert_eq!(table.runs(), 4, "the second solves only the smallest");
}

#[test]
fn a_label_stands_for_one_solver() {
    let solvers = |second: &str| {
        let first = "{ solver = \"co-cbs:lazy=false\", label = \"eager\" }";
        read(&format!("{PAIRS}tasks = 4\nsolvers = [{first}, {second}]\n"))
    };
    let spec = solvers("\"co-cbs\"").unwrap();
    let labels: Vec<_> = spec.tables[0].entrants.iter().map(|one| one.label.as_deref()).collect();
    assert_eq!(labels, [Some("eager"), None]);
    let error = |second: &str| solvers(second).unwrap_err();
    let taken = error("{ solver = \"co-cbs\", label = \"eager\" }");
    assert_eq!(taken, "doors.toml: line 1: the label 'eager' is that of another one as well");
    let twice = error("{ solver = \"co-cbs:lazy=false\", label = \"x\" }");
    assert_eq!(twice, "doors.toml: line 1: co-cbs:lazy=false has two labels");
    assert!(error("{ solver = \"co-cbs\", label = \" \" }").ends_with("label of co-cbs is empty"));
}

#[test]
fn errors_about_tasks_name_file_and_line() {
    let solver = "solvers = [\"co-cbs\"]";
    let cases = [
        (solver.to_owned(), "line 1: a table needs agents, or tasks for pairs that meet"),
        (
            format!("{solver}\nagents = 4\ntasks = 4"),
            "line 6: a table has agents or tasks, and not both",
        ),
        (format!("{solver}\ntasks = 4\nkinds = [\"random\"]"), "line 6: kinds are for agents"),
        ("tasks = 4\nplanners = [\"bmaa\"]".to_owned(), "line 5: planners do not plan meetings"),
        (
            format!("{solver}\ntasks = 4\ncompare_with_shortest = true"),
            "line 6: paths to meetings are not",
        ),
        (format!("{solver}\ntasks = []"), "line 5: tasks is empty, so there is nothing to run"),
        (
            "tasks = 4\nsolvers = [\"cbs\"]".to_owned(),
            "line 5: for pairs that meet, there is no solver 'cbs': the solvers are co-cbs",
        ),
        ("agents = 4\nsolvers = [\"co-cbs\"]".to_owned(), "line 5: there is no solver 'co-cbs'"),
        (
            "tasks = 4\nsolvers = [{ solver = \"co-cbs\", agents_at_most = 9 }]".to_owned(),
            "line 5: agents_at_most is for tables with agents",
        ),
        (
            "agents = 4\nsolvers = [{ solver = \"cbs\", tasks_at_most = 9 }]".to_owned(),
            "line 5: tasks_at_most is for tables with tasks",
        ),
    ];
    for (lines, expected) in cases {
        let error = read(&format!("{PAIRS}{lines}\n")).unwrap_err();
        assert!(error.starts_with(&format!("doors.toml: {expected}")), "{error}");
        assert!(!error.contains('\n'), "one sentence: {error}");
    }
    let error = read(&format!("{PAIRS}{solver}\ntasks = 4\n").replace("1s", "9steps")).unwrap_err();
    assert!(error.starts_with("doors.toml: line 3: solvers need limits in seconds"), "{error}");
}

#[test]
fn errors_about_solvers_name_file_and_line() {
    let (alone, _) = SPEC.split_once("planners").unwrap();
    let cases = [
        ("", "doors.toml: line 2: a table needs planners, solvers or both"),
        (
            "solvers = [\"bmaa\"]\nlimits = [\"1s\"]",
            "doors.toml: line 5: there is no solver 'bmaa': the solvers are cbs",
        ),
        (
            "solvers = [{ planner = \"cbs\" }]",
            "doors.toml: line 5: unknown key 'planner': the keys are solver, label, agents_at_most, tasks_at_most",
        ),
        (
            "solvers = [17]",
            "doors.toml: line 5: invalid type: integer `17`, expected a solver's name, or {",
        ),
        ("solvers = []", "doors.toml: line 5: solvers is empty, so there is nothing to run"),
        (
            "solvers = [\"cbs\"]\nlimits = [\"1s\", \"9steps\"]",
            "doors.toml: line 6: solvers need limits in seconds or expansions",
        ),
        (
            "solvers = [\"cbs\"]\nlimits = [\"1s,9steps\"]",
            "doors.toml: line 6: solvers need limits in seconds or expansions",
        ),
        ("solvers = [\"cbs\"]", "doors.toml: line 2: solvers need limits in seconds or expansions"),
    ];
    for (text, expected) in cases {
        let error = read(&format!("{alone}{text}\n")).unwrap_err();
        assert!(error.starts_with(expected), "{error}");
        assert!(!error.contains('\n'), "one sentence: {error}");
    }
}

#[test]
fn errors_name_file_and_line() {
    let cases = [
        (
            "\"bmaa\"",
            "\"bma\"",
            "doors.toml: line 6: there is no planner 'bma': did you mean 'bmaa'?",
        ),
        ("\"lra\"", "\"lra:x=1\"", "doors.toml: line 7: lra has no parameter 'x'"),
        (
            "agents_at_most",
            "at_most",
            "doors.toml: line 7: unknown key 'at_most': the keys are planner, label",
        ),
        (
            "\"bmaa\"",
            "17",
            "doors.toml: line 6: invalid type: integer `17`, expected a planner's name, or {",
        ),
        ("maps", "map", "doors.toml: line 3: unknown key 'map': did you mean 'maps'?"),
        (
            "[[sweep]]",
            "[[sweeps]]",
            "doors.toml: line 2: unknown key 'sweeps': did you mean 'sweep'?",
        ),
        ("10-30/10", "30-10", "doors.toml: line 4: agents: '30-10' is not a number or a range"),
        ("50]", "-50]", "doors.toml: line 4: expected a number, a range"),
        ("\"cave:32x24\"", "", "doors.toml: line 3: maps is empty, so there is nothing to run"),
        ("\"10-30/10\", 50", "", "doors.toml: line 4: agents is empty, so there is nothing to run"),
        ("]\nagents", "]\nkinds = [\"up\"]\nagents", "doors.toml: line 4: there is no kind 'up'"),
        (
            "]\nagents",
            "]\nlimits = [\"soon\"]\nagents",
            "doors.toml: line 4: 'soon' is not a limit",
        ),
        ("]\nagents", "]\nneighbours = 6\nagents", "doors.toml: line 4: neighbours are 4 or 8"),
        ("]\nagents", "]\ncorners = \"x\"\nagents", "doors.toml: line 4: 'x' is not a rule"),
        ("agents =", "agents", "doors.toml: line 4: "),
    ];
    for (what, instead, expected) in cases {
        let error = read(&SPEC.replacen(what, instead, 1)).unwrap_err();
        assert!(error.starts_with(expected), "{error}");
        assert!(!error.contains('\n'), "one sentence: {error}");
    }
    assert!(
        read("").unwrap_err().contains("there is no [[sweep]] table, so there is nothing to run")
    );
}

#[test]
fn the_specs_of_the_experiments_are_valid() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
    let mut runs = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        // Those of walks are read where walks are built.
        if fs::read_to_string(&path).unwrap().contains("[[walks]]") {
            continue;
        }
        let spec =
            SweepSpec::read(&path, Registries::builtin()).unwrap_or_else(|error| panic!("{error}"));
        runs +=
            spec.tables.iter().map(|table| table.maps.len() * table.entrants.len()).sum::<usize>();
    }
    assert!(runs > 0, "there are experiments");
}

#[test]
fn the_spec_in_the_documentation_is_valid() {
    let page = include_str!("../../../../docs/sweeps.md");
    let (_, rest) = page.split_once("```toml\n").unwrap();
    let (text, _) = rest.split_once("```").unwrap();
    assert_eq!(read(text).unwrap().tables[0].entrants.len(), 3);
}

#[test]
fn a_spec_that_asks_for_too_many_runs_is_refused_before_memory_is_taken() {
    let seeds = |seeds: &str| SPEC.replace("]\nagents", &format!("]\nseeds = {seeds}\nagents"));
    let numbers = "stands for more than 1,000,000 numbers";
    let runs = "runs, and a sweep has at most 2,000,000";
    let table = seeds("\"1-500000\"").replace("[\"10-30/10\", 50]", "10");
    let cases = [
        (seeds("\"1-18446744073709551615\""), "doors.toml: line 4: seeds: ", numbers),
        (seeds("[\"1-999999\", \"1-999999\"]"), "doors.toml: line 4: seeds: ", numbers),
        (SPEC.replace("10-30/10", "1-99999999999"), "doors.toml: line 4: agents: ", numbers),
        (seeds("\"1-1000000\""), "doors.toml: line 2: ", runs),
        (table.repeat(3), "doors.toml: line 20: ", runs),
        (table.repeat(1000), "doors.toml: line 20: ", runs),
    ];
    for (text, place, reason) in cases {
        let error = read(&text).unwrap_err();
        assert!(error.starts_with(place) && error.contains(reason), "{error}");
    }
    assert_eq!(read(&table.repeat(2)).unwrap().tables.len(), 2, "two million runs are possible");
}

#[test]
fn a_table_may_be_lifelong() {
    let choice = |value: &str| {
        read(&format!("{SPEC}lifelong = {value}\n")).map(|spec| spec.tables[0].lifelong)
    };
    assert_eq!(read(SPEC).unwrap().tables[0].lifelong, None);
    assert_eq!(choice("false"), Ok(None));
    assert_eq!(choice("true"), Ok(Some(GoalChoice::Usual)));
    assert_eq!(choice("\"anywhere\""), Ok(Some(GoalChoice::Anywhere)));
    assert_eq!(choice("\"stations\""), Ok(Some(GoalChoice::Stations)));
    let error = choice("\"shelves\"").unwrap_err();
    assert!(error.contains("lifelong is not 'shelves': write true, false"), "{error}");
    assert!(choice("3").unwrap_err().contains("expected true, false"));
    let solvers = "lifelong = true\nsolvers = [\"cbs\"]\nlimits = [\"1s\"]\n";
    let error = read(&format!("{SPEC}{solvers}")).unwrap_err();
    assert!(error.contains("a lifelong table has planners alone"), "{error}");
    let error =
        read(&format!("{SPEC}lifelong = true\ncompare_with_shortest = true\n")).unwrap_err();
    assert!(error.contains("are not compared with shortest ones"), "{error}");
    let pairs = format!("{PAIRS}tasks = 4\nsolvers = [\"co-cbs\"]\nlifelong = true\n");
    assert!(read(&pairs).unwrap_err().contains("a lifelong table has agents, and not tasks"));
}

const DEFAULTS: &str = r#"name = "d"
[defaults]
maps = ["cave:32x24", "rooms:32x24"]
agents = 10
seeds = "1-3"
planners = ["bmaa", "pibt"]
limits = ["9steps"]
neighbours = 4
corners = "one"

[[sweep]]
kinds = ["swap-sides"]

[[sweep]]
maps = ["cave:40x24"]
seeds = 7
solvers = ["cbs"]
limits = ["1s"]
neighbours = 8
"#;

#[test]
fn tables_have_the_defaults_that_they_do_not_replace() {
    let spec = read(DEFAULTS).unwrap();
    let [first, second] = &spec.tables[..] else { panic!("{spec:?}") };
    let maps = |table: &Table| table.maps.iter().map(|map| map.0.clone()).collect::<Vec<_>>();
    assert_eq!(maps(first), ["cave:32x24", "rooms:32x24"]);
    assert_eq!(draws(first), (&[ProblemKind::Crowd(Kind::SwapSides)][..], &[1, 2, 3][..]));
    assert_eq!((first.entrants.len(), &first.limits[..]), (2, &[Limits::ticks(9)][..]));
    assert_eq!(first.rules.neighbours, Neighbours::Four);
    assert_eq!(maps(second), ["cave:40x24"]);
    assert_eq!(draws(second), (&[ProblemKind::Crowd(Kind::Random)][..], &[7][..]));
    let names: Vec<_> = second.entrants.iter().map(|one| one.contestant.name().text()).collect();
    assert_eq!(names, ["cbs"], "solvers replace planners");
    assert_eq!(second.rules.neighbours, Neighbours::Eight);
    assert_eq!(second.rules.corners, jostle::CornerRule::OneFree);
}

#[test]
fn an_alternative_to_a_default_replaces_it() {
    let spec = read(&DEFAULTS.replace(
        "kinds = [\"swap-sides\"]",
        "tasks = 4\nsolvers = [\"co-cbs\"]\nlimits = [\"1s\"]",
    ));
    assert_eq!(draws(&spec.unwrap().tables[0]).0, [ProblemKind::Meetings]);
    let spec = read(&DEFAULTS.replace("kinds = [\"swap-sides\"]", "scens = [\"a.scen\"]")).unwrap();
    assert!(matches!(&spec.tables[0].agents, AgentsOf::Scens { files, .. } if files.len() == 1));
    assert_eq!(spec.tables[0].sizes, [10]);
}

#[test]
fn errors_in_defaults_name_their_own_lines() {
    for (what, instead, expected) in [
        (
            "\"pibt\"",
            "\"pitb\"",
            "doors.toml: line 6: there is no planner 'pitb': did you mean 'pibt'?",
        ),
        ("seeds = \"1-3\"", "seeds = []", "doors.toml: line 5: seeds is empty"),
        (
            "seeds = \"1-3\"",
            "seedz = 1",
            "doors.toml: line 5: unknown key 'seedz': did you mean 'seeds'?",
        ),
        ("neighbours = 4", "neighbours = 5", "doors.toml: line 8: neighbours are 4 or 8"),
        ("kinds = [", "kind = [", "doors.toml: line 12: unknown key 'kind': did you mean 'kinds'?"),
        (
            "swap-sides",
            "swap-side",
            "line 12: there is no kind 'swap-side': did you mean 'swap-sides'?",
        ),
        ("[defaults]", "[default]", "line 2: unknown key 'default': did you mean 'defaults'?"),
    ] {
        let error = read(&DEFAULTS.replace(what, instead)).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}

const SCENS: &str = "[[sweep]]\nscens = [\"a.scen\"]\nplanners = [\"pibt\"]\n";

#[test]
fn a_table_with_scens_has_nothing_that_draws_agents() {
    let table = &read(SCENS).unwrap().tables[0];
    assert!(table.maps.is_empty() && table.sizes.is_empty());
    for (more, expected) in [
        ("kinds = [\"random\"]", "line 4: kinds draw agents, and those of scens are read"),
        ("seeds = 3", "line 4: seeds draw agents, and those of scens are read"),
        ("tasks = 3", "line 4: tasks draw agents, and those of scens are read"),
    ] {
        let error = read(&format!("{SCENS}{more}\n")).unwrap_err();
        assert!(error.ends_with(expected), "{error}");
    }
    let error = read(&SPEC.replace("maps", "allow_unreachable = true\nmaps")).unwrap_err();
    assert!(error.contains("line 2: allow_unreachable is for scens"), "{error}");
    let error = read(&SPEC.replace("maps = [\"cave:32x24\"]", "")).unwrap_err();
    assert!(
        error.ends_with("line 2: a table needs maps, or scens, which name their maps"),
        "{error}"
    );
}
