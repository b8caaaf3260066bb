//! The runs of one setting: only runs with the same limit and under the same rules are compared.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use jostle::{Limits, Rules};

use super::names::{kind_order, natural, planner_order};
use crate::rules::{RulesText, neighbours};
use crate::{Record, show_limits, write_limits};

/// All runs of one setting.
#[derive(Clone, Debug)]
pub struct Section<'a> {
    /// The limits of the runs.
    pub limits: Limits,
    /// The rules of the runs.
    pub rules: Rules,
    /// The runs.
    pub records: Vec<&'a Record>,
    /// Planners, in the order in which they are shown.
    pub planners: Vec<&'a str>,
    /// Maps, by name.
    pub maps: Vec<&'a str>,
    /// Kinds of problem.
    pub kinds: Vec<&'a str>,
    /// Numbers of agents.
    pub agents: Vec<u32>,
}

impl<'a> Section<'a> {
    /// The runs by setting: limits in seconds first, then in expansions, short ones before long ones.
    pub fn all(records: &'a [Record]) -> Vec<Self> {
        let mut settings: Vec<((Limits, Rules), Vec<&Record>)> = Vec::new();
        for record in records {
            let setting = (record.limit, record.rules());
            match settings.iter_mut().find(|(of, _)| *of == setting) {
                Some((_, records)) => records.push(record),
                None => settings.push((setting, vec![record])),
            }
        }
        let mut sections: Vec<_> = settings
            .into_iter()
            .map(|((limits, rules), records)| Self::new(limits, rules, records))
            .collect();
        sections
            .sort_by(|a, b| by_limit(a.limits, b.limits).then_with(|| by_rules(a.rules, b.rules)));
        sections
    }

    fn new(limits: Limits, rules: Rules, mut records: Vec<&'a Record>) -> Self {
        // Sorted, so that sums are the same to the last bit in whatever order a sweep wrote the records.
        records.sort_by(|a, b| {
            planner_order(&a.planner, &b.planner)
                .then_with(|| a.instance().cmp(&b.instance()))
                .then(a.completion_rate.total_cmp(&b.completion_rate))
                .then(a.travel_distance.total_cmp(&b.travel_distance))
        });
        let agents: BTreeSet<u32> = records.iter().map(|record| record.agents).collect();
        Self {
            limits,
            rules,
            planners: distinct(records.iter().map(|record| &*record.planner), planner_order),
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

fn distinct<'a>(
    names: impl Iterator<Item = &'a str>,
    order: impl Fn(&str, &str) -> Ordering,
) -> Vec<&'a str> {
    let names: BTreeSet<&str> = names.collect();
    let mut names: Vec<&str> = names.into_iter().collect();
    names.sort_by(|a, b| order(a, b));
    names
}
