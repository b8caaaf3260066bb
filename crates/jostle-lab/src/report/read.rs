//! The records of a report.

use std::collections::BTreeSet;
use std::path::Path;

use jostle::formats::shown_path;

use jostle::Limits;
use jostle::simulate::Ending;

use crate::{Build, ContestantName, LabError, Record, read_records};

/// Selects the runs of a report; an empty list selects all.
#[derive(Clone, Default, Debug)]
pub struct Filter {
    /// Planners as the records name or label them. If planners or solvers are selected, the others are not.
    pub planners: Vec<String>,
    /// Solvers as the records name or label them.
    pub solvers: Vec<String>,
    /// Maps as the records name them.
    pub maps: Vec<String>,
    /// Kinds of problem.
    pub kinds: Vec<String>,
    /// Numbers of agents.
    pub agents: Vec<u32>,
    /// Numbers of tasks for pairs that meet.
    pub tasks: Vec<u32>,
    /// Limits.
    pub limits: Vec<Limits>,
}

impl Filter {
    fn lets_pass(&self, record: &Record) -> bool {
        let is_wanted = |wanted: &[String], name: &str| {
            wanted.is_empty() || wanted.iter().any(|wanted| wanted == name)
        };
        let names = match record.contestant() {
            ContestantName::Planner(_) => &self.planners,
            ContestantName::Solver(_) => &self.solvers,
        };
        let is_any_wanted = self.planners.is_empty() && self.solvers.is_empty();
        let is_named = |name: &String| {
            name == record.contestant().text() || record.label.as_ref() == Some(name)
        };
        (is_any_wanted || names.iter().any(is_named))
            && is_wanted(&self.maps, &record.map)
            && is_wanted(&self.kinds, record.kind_name())
            && (self.limits.is_empty() || self.limits.contains(&record.limit))
            && (self.agents.is_empty() || self.agents.contains(&record.agents))
            && (self.tasks.is_empty()
                || record.tasks.is_some_and(|tasks| self.tasks.contains(&tasks)))
    }
}

/// Runs, and notes about them.
#[derive(Clone, Default, Debug)]
pub struct Results {
    pub(super) records: Vec<Record>,
    pub(super) remarks: Vec<String>,
    pub(super) builds: BTreeSet<Build>,
    /// The number of runs that were stopped by hand.
    stopped: usize,
    /// The number of runs that the filter leaves out.
    others: usize,
    /// The sum of the fingerprints of all runs, which does not depend on their order.
    fingerprints: u64,
}

impl Results {
    /// Reads the records of a folder or a file.
    ///
    /// # Errors
    /// When there are no records, when the filter leaves none, or when a line is not a record.
    pub fn read(path: &Path, filter: &Filter) -> Result<Self, LabError> {
        let mut results = Self::default();
        results.remarks = read_records(path, |record| results.add(record, filter))?;
        let Self { stopped, others, .. } = results;
        if results.records.is_empty() {
            let reason = match others {
                0 => "all runs were stopped by hand".to_owned(),
                _ => format!("none of the {} runs matches the options", others + stopped),
            };
            return Err(LabError::input(format!("{}: {reason}", shown_path(path))));
        }
        results.remark_on_stopped();
        Ok(results)
    }

    /// Runs that were just made.
    pub fn of(records: impl IntoIterator<Item = Record>) -> Self {
        let mut results = Self::default();
        for record in records {
            results.add(record, &Filter::default());
        }
        results.remark_on_stopped();
        results
    }

    fn remark_on_stopped(&mut self) {
        self.remarks.extend(match self.stopped {
            0 => None,
            1 => Some("1 run was stopped by hand and does not count".to_owned()),
            more => Some(format!("{more} runs were stopped by hand and do not count")),
        });
    }

    fn add(&mut self, record: Record, filter: &Filter) {
        if record.ending == Some(Ending::Stopped) {
            self.stopped += 1;
        } else if filter.lets_pass(&record) {
            if !self.builds.iter().any(|build| record.is_by(build)) {
                self.builds.insert(record.build());
            }
            self.fingerprints = self.fingerprints.wrapping_add(record.reproducible());
            // 100,000 records take much less memory without the fields that no table shows.
            self.records.push(Record {
                key: None,
                spec: None,
                experiment: None,
                machine: None,
                map_fingerprint: None,
                fingerprint: String::new(),
                version: String::new(),
                commit: None,
                ..record
            });
        } else {
            self.others += 1;
        }
    }

    /// A short text that stands for what reproduces of these runs on any machine: who walked where, in how many ticks and expansions.
    /// None if some of them were limited in seconds, which do not reproduce.
    pub fn fingerprint(&self) -> Option<String> {
        let reproduces = self.records.iter().all(|record| record.limit.time.is_none());
        reproduces.then(|| format!("{:016x}", self.fingerprints))
    }

    /// The planners and solvers, as the records name them.
    pub fn contestants(&self) -> BTreeSet<&str> {
        self.records.iter().map(|record| record.contestant().text()).collect()
    }

    /// The number of runs.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }
}
