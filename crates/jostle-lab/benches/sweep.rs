//! The overhead of a sweep, and the time to resume a long one and to report it.
//!
//! `cargo bench -p jostle-lab --bench sweep`

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jostle_lab::report::{Filter, Options, Report, Results};
use jostle_lab::sweep::{DrawnProblem, Order, PlannedRun, Sweep, SweepPlan, SweepSpec};
use jostle_lab::{Contestant, Record, Registries, read_records, run};

/// Runs of about 50 ms.
const RUNS: &str = r#"
[[sweep]]
maps = ["cave:200x120"]
agents = 600
seeds = "1-40"
planners = ["jostle", "bmaa"]
limits = ["800steps"]
"#;

/// A sweep of 100,000 runs that are never made; only their keys matter.
const MANY: &str = r#"
[[sweep]]
maps = ["cave:64x48", "rooms:64x48"]
agents = "10-100/10"
seeds = "1-2500"
planners = ["jostle", "bmaa"]
limits = ["100steps"]
"#;

const ROUNDS: usize = 5;

fn main() {
    let folder = tempfile::tempdir().expect("a folder for the records");
    overhead(folder.path());
    let many = resume(folder.path());
    report(&many);
}

/// Runs alone and in a sweep, alternately, because the load of the machine may change.
fn overhead(folder: &Path) {
    let spec = write(folder, "runs.toml", RUNS);
    let (mut alone, mut swept) = (Spent::default(), Spent::default());
    let plan = plan(&spec);
    let problems: Vec<_> =
        plan.instances.iter().map(|instance| instance.draw().expect("a problem")).collect();
    for round in 0..ROUNDS {
        alone.add(|| {
            for planned in &plan.runs {
                let problem = &problems[planned.instance];
                let (Contestant::Planner(planner), DrawnProblem::Crowd(problem)) =
                    (&*planned.contestant, problem)
                else {
                    continue;
                };
                run(planner, problem, planned.setting, |_| ControlFlow::Continue(()))
                    .expect("a legal run");
            }
        });
        swept.add(|| {
            let sweep = prepare(&spec, &folder.join(format!("runs-{round}")));
            sweep.run(1, &|| false, &|_| ()).expect("records");
        });
    }
    let runs = plan.runs.len();
    println!("{runs} runs, {ROUNDS} rounds");
    for (what, alone, swept) in [
        ("time, least", alone.least_time, swept.least_time),
        ("work, mean", alone.work / ROUNDS as u32, swept.work / ROUNDS as u32),
    ] {
        let each = alone.as_secs_f64() * 1000.0 / runs as f64;
        let share = (swept.as_secs_f64() / alone.as_secs_f64() - 1.0) * 100.0;
        println!("{what}: {each:.1} ms a run alone, {share:+.2} % in a sweep");
    }
}

/// The time of several rounds.
#[derive(Default)]
struct Spent {
    least_time: Duration,
    /// Processor time of all rounds, which is comparable on a busy machine too.
    work: Duration,
}

impl Spent {
    fn add(&mut self, round: impl FnOnce()) {
        let (started, before) = (Instant::now(), processor_time());
        round();
        let time = started.elapsed();
        self.least_time = if self.least_time.is_zero() { time } else { self.least_time.min(time) };
        self.work += processor_time().saturating_sub(before);
    }
}

/// Processor time of this program so far, in hundredths of a second; zero on systems other than Linux.
fn processor_time() -> Duration {
    let facts = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = facts.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(11).take(2);
    Duration::from_millis(10 * ticks.filter_map(|field| field.parse::<u64>().ok()).sum::<u64>())
}

/// Returns the folder of the long sweep.
fn resume(folder: &Path) -> PathBuf {
    let mut template = None;
    read_records(&folder.join("runs-0"), |record| template = Some(record)).expect("records");
    let template = template.expect("a record");
    let spec = write(folder, "many.toml", MANY);
    let out = folder.join("many");
    drop(prepare(&spec, &out));
    let plan = plan(&spec);
    let lines = plan.runs.iter().map(|run| as_recorded(run, &plan, template.clone()));
    fs::write(out.join("records.jsonl"), lines.collect::<String>()).expect("many records");
    let times = (0..ROUNDS).map(|_| {
        let started = Instant::now();
        let sweep = prepare(&spec, &out);
        assert_eq!((sweep.total(), sweep.left()), (plan.runs.len(), 0));
        started.elapsed()
    });
    let least = times.min().expect("some rounds");
    println!("{} finished records are gone on with in {least:.3?}", plan.runs.len());
    out
}

/// The line of a run that was never made.
fn as_recorded(run: &PlannedRun, plan: &SweepPlan, template: Record) -> String {
    let [map, _kind, agents, seed, planner, _limits, _rules] =
        run.key.split('|').collect::<Vec<_>>().try_into().expect("seven parts");
    let record = Record {
        key: Some(run.key.clone()),
        spec: Some(plan.fingerprint.clone()),
        map: map.to_owned(),
        map_fingerprint: Some(plan.floors[map].clone()),
        agents: agents.parse().expect("a number"),
        seed: Some(seed.parse().expect("a number")),
        planner: Some(planner.to_owned()),
        limit: run.setting.limits,
        ..template
    };
    record.line().expect("a line")
}

fn report(folder: &Path) {
    let times = (0..ROUNDS).map(|_| {
        let started = Instant::now();
        let results = Results::read(folder, &Filter::default()).expect("records");
        assert!(
            !Report::of(&results, &Options { figures: false, ..Options::default() })
                .chapters
                .is_empty()
        );
        started.elapsed()
    });
    println!("their tables are made in {:.3?}", times.min().expect("some rounds"));
}

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, text).expect("a spec");
    path
}

fn plan(spec: &Path) -> SweepPlan {
    SweepPlan::of(&SweepSpec::read(spec, Registries::builtin()).expect("a spec"), None)
        .expect("a plan")
}

fn prepare(spec: &Path, out: &Path) -> Sweep {
    Sweep::prepare(Order {
        registries: Registries::builtin(),
        spec,
        out,
        maps: None,
        shard: None,
        may_extend: false,
    })
    .expect("a sweep")
}
