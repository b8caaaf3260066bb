//! A line of a sweep's records.

use serde::{Deserialize, Serialize};

use super::machine::Machine;
use crate::Record;

/// What one run of a sweep came to, with what is needed to repeat it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// What tells the run from all others of its sweep: map, kind, agents, seed, planner, limit, rules.
    pub key: String,
    /// The fingerprint of the spec that asked for it.
    pub spec: String,
    /// What the experiment is called.
    pub experiment: String,
    /// On what it was made.
    pub machine: Machine,
    /// What it came to.
    #[serde(flatten)]
    pub record: Record,
}

/// An entry with so many agents, for tests.
#[cfg(test)]
pub fn sample(agents: usize) -> Entry {
    use jostle::instance::Kind;
    use jostle::planners::Spec;
    use jostle::{Limits, Rules};

    use crate::{NamedMap, Problem, Setting, run};

    let map = NamedMap::find("cave:32x24", Rules::default()).unwrap();
    let problem = Problem::draw(&map, Kind::Random, agents, 1).unwrap();
    let setting = Setting::of(Limits::ticks(20));
    let planner = Spec::parse("bmaa").unwrap();
    let (_, record) =
        run(&planner, &problem, setting, |_| std::ops::ControlFlow::Continue(())).unwrap();
    Entry {
        key: format!("{}|{agents}", record.map),
        spec: "0123456789abcdef".to_owned(),
        experiment: "a, \"quoted\" name".to_owned(),
        machine: Machine::this(1),
        record,
    }
}
