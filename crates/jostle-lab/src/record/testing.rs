//! Records for tests.

use std::ops::ControlFlow;

use jostle::instance::Kind;
use jostle::planners::Spec;
use jostle::{Limits, Rules};

use super::{Machine, Record};
use crate::{NamedMap, Problem, Setting, run};

/// A line as `jostle run --json` of Jostle 0.1 wrote it, before records named all their rules.
pub const OLD_LINE: &str = concat!(
    r#"{"planner":"bmaa","map":"m","agents":10,"seed":1,"kind":"random","neighbours":8,"limit":"30s","#,
    r#""ticks":9,"seconds":0.1,"ending":"all-home","completion_rate":1.0,"completion_ticks":5.0,"#,
    r#""completion_seconds":0.5,"travel_distance":7.5,"makespan":9,"sum_of_costs":50,"expansions":1,"#,
    r#""searches":1,"tick_p99_us":1500.0,"tick_max_us":1.0,"first_tick_us":1.0,"later_tick_max_us":1.0,"#,
    r#""success_rate":1.0,"path_length":5.0,"path_over_shortest":null,"cycles":0.0,"planner_bytes":0,"#,
    r#""fingerprint":"f","version":"0.1.0"}"#
);

/// The old line, with some of its text replaced.
pub fn line(changes: &[(&str, &str)]) -> String {
    changes.iter().fold(OLD_LINE.to_owned(), |line, (from, to)| {
        assert!(line.contains(from), "{from}");
        line.replace(from, to)
    })
}

/// A run of ten agents within 30 s in which no agent arrives or moves.
pub fn no_arrivals(planner: &str, map: &str) -> Record {
    let record: Record = serde_json::from_str(OLD_LINE).unwrap();
    Record {
        planner: planner.to_owned(),
        map: map.to_owned(),
        completion_rate: 0.0,
        completion_ticks: None,
        completion_seconds: None,
        travel_distance: 0.0,
        success_rate: 0.0,
        path_length: None,
        ..record
    }
}

/// A record of a sweep with this number of agents.
pub fn sample(agents: usize) -> Record {
    let map = NamedMap::find("cave:32x24", Rules::default()).unwrap();
    let problem = Problem::draw(&map, Kind::Random, agents, 1).unwrap();
    let setting = Setting::of(Limits::ticks(20));
    let planner = Spec::parse("bmaa").unwrap();
    let (_, record) = run(&planner, &problem, setting, |_| ControlFlow::Continue(())).unwrap();
    Record {
        key: Some(format!("{}|random|{agents}|1|bmaa|20steps|8", record.map)),
        spec: Some("0123456789abcdef".to_owned()),
        experiment: Some("a, \"quoted\" name".to_owned()),
        machine: Some(Box::new(Machine::this(1))),
        ..record
    }
}
