//! The runs of one setting: only runs with the same limit and under the same rules are compared, and planners are not
//! compared with solvers.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use jostle::{Limits, Rules};

use super::names::{contestant_order, kind_order, natural};
use crate::rules::{RulesText, neighbours};
use crate::{ContestantName, Record, show_limits, write_limits};

/// All runs of one setting.
#[derive(Clone, Debug)]
pub struct Section<'a> {
    /// The limits of the runs.
    pub limits: Limits,
    /// The rules of the runs.
    pub rules: Rules,
    /// Whether they are runs of solvers.
    pub is_of_solvers: bool,
    /// The runs.
    pub records: Vec<&'a Record>,
    /// Planners or solvers, in the order in which they are shown.
    pub contestants: Vec<&'a str>,
    /// Maps, by name.
    pub maps: Vec<&'a str>,
    /// Kinds of problem.
    pub kinds: Vec<&'a str>,
    /// Numbers of agents.
    pub agents: Vec<u32>,
}

/// What the runs of a section have in common: whether they are of solvers, their limits and their rules.
type Setting = (bool, Limits, Rules);

impl<'a> Section<'a> {
    /// The runs by setting: those of planners first, limits in seconds before those in expansions, short ones before long
    /// ones.
    pub fn all(records: &'a [Record]) -> Vec<Self> {
        let mut settings: Vec<(Setting, Vec<&Record>)> = Vec::new();
        for record in records {
            let setting = (record.solver.is_some(), record.limit, record.rules());
            match settings.iter_mut().find(|(of, _)| *of == setting) {
                Some((_, records)) => records.push(record),
                None => settings.push((setting, vec![record])),
            }
        }
        let mut sections: Vec<_> =
            settings.into_iter().map(|(setting, records)| Self::new(setting, records)).collect();
        sections.sort_by(|a, b| {
            (a.is_of_solvers.cmp(&b.is_of_solvers))
                .then_with(|| by_limit(a.limits, b.limits))
                .then_with(|| by_rules(a.rules, b.rules))
        });
        sections
    }

    fn new((is_of_solvers, limits, rules): Setting, mut records: Vec<&'a Record>) -> Self {
        // Sorted, so that sums are the same to the last bit in whatever order a sweep wrote the records.
        records.sort_by(|a, b| {
            contestant_order(a.contestant(), b.contestant())
                .then_with(|| a.instance().cmp(&b.instance()))
                .then(a.completion_rate.total_cmp(&b.completion_rate))
                .then(a.travel_distance.total_cmp(&b.travel_distance))
        });
        let agents: BTreeSet<u32> = records.iter().map(|record| record.agents).collect();
        Self {
            limits,
            rules,
            is_of_solvers,
            contestants: in_order(records.iter().map(|record| record.contestant())),
            maps: distinct(records.iter().map(|record| &*record.map), natural),
            kinds: distinct(records.iter().map(|record| record.kind_name()), kind_order),
            agents: agents.into_iter().collect(),
            records,
        }
    }

    /// Its title, for sentences.
    pub fn title(&self) -> String {
        format!("at most {}, {}", show_limits(self.limits), self.rules.title())
    }

    /// Its name, for files.
    pub fn slug(&self) -> String {
        let limit = write_limits(self.limits).replace(',', "-");
        if self.rules == Rules::default() {
            limit
        } else {
            format!("{limit}-{}", self.rules.slug())
        }
    }

    /// The unit of completion times.
    pub const fn time_unit(&self) -> &'static str {
        if self.limits.time.is_some() { "s" } else { "ticks" }
    }

    /// Runs that share a key.
    pub fn by<K: Ord>(&self, key: impl Fn(&'a Record) -> K) -> BTreeMap<K, Vec<&'a Record>> {
        let mut groups: BTreeMap<K, Vec<&Record>> = BTreeMap::new();
        for record in &self.records {
            groups.entry(key(record)).or_default().push(record);
        }
        groups
    }
}

/// Seconds before expansions before ticks, short before long.
fn by_limit(a: Limits, b: Limits) -> Ordering {
    let key = |limits: Limits| {
        let Limits { time, expansions, ticks } = limits;
        (time.is_none(), time, expansions.is_none(), expansions, ticks)
    };
    key(a).cmp(&key(b))
}

/// Eight neighbours before four, the default rules before others.
pub fn by_rules(a: Rules, b: Rules) -> Ordering {
    neighbours(b).cmp(&neighbours(a)).then_with(|| a.key().cmp(&b.key()))
}

/// The names of planners or solvers, each once, in the order in which they are shown.
pub fn in_order<'a>(contestants: impl Iterator<Item = ContestantName<'a>>) -> Vec<&'a str> {
    let contestants: BTreeSet<ContestantName<'_>> = contestants.collect();
    let mut contestants: Vec<_> = contestants.into_iter().collect();
    contestants.sort_by(|a, b| contestant_order(*a, *b));
    contestants.into_iter().map(ContestantName::text).collect()
}

fn distinct<'a>(
    names: impl Iterator<Item = &'a str>,
    order: impl Fn(&str, &str) -> Ordering,
) -> Vec<&'a str> {
    let names: BTreeSet<&str> = names.collect();
    let mut names: Vec<&str> = names.into_iter().collect();
    names.sort_by(|a, b| order(a, b));
    names
}
