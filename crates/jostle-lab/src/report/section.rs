//! The runs of one setting: only runs with the same limit and the same neighbours are compared.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use jostle::Limits;

use super::names::{kind_order, natural, planner_order};
use super::row::Row;
use crate::parse_limits;

/// All runs of one setting.
#[derive(Clone, Debug)]
pub struct Section<'a> {
    /// When runs had to end at the latest, as users write it.
    pub limit: &'a str,
    /// The same, read.
    pub limits: Limits,
    /// How many neighbours a cell has.
    pub neighbours: u8,
    /// The runs.
    pub rows: Vec<&'a Row>,
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
    /// The runs by setting: limits in seconds first, short ones before long ones.
    pub fn all(rows: &'a [Row]) -> Vec<Self> {
        let mut settings: BTreeMap<(&str, u8), Vec<&Row>> = BTreeMap::new();
        for row in rows {
            settings.entry((&row.limit, row.neighbours)).or_default().push(row);
        }
        let mut sections: Vec<_> = settings
            .into_iter()
            .map(|((limit, neighbours), rows)| Self::new(limit, neighbours, rows))
            .collect();
        sections.sort_by(|a, b| by_limit(a.limits, b.limits).then(b.neighbours.cmp(&a.neighbours)));
        sections
    }

    fn new(limit: &'a str, neighbours: u8, mut rows: Vec<&'a Row>) -> Self {
        // In whatever order a sweep wrote them, sums come out the same to the last bit.
        rows.sort_by(|a, b| {
            planner_order(&a.planner, &b.planner)
                .then_with(|| a.instance().cmp(&b.instance()))
                .then(a.completion.total_cmp(&b.completion))
                .then(a.distance.total_cmp(&b.distance))
        });
        // Limits were read once before, when the records were.
        let limits = parse_limits(limit).unwrap_or(Limits { ticks: None, time: None });
        let agents: BTreeSet<u32> = rows.iter().map(|row| row.agents).collect();
        Self {
            limit,
            limits,
            neighbours,
            planners: distinct(rows.iter().map(|row| &*row.planner), planner_order),
            maps: distinct(rows.iter().map(|row| &*row.map), natural),
            kinds: distinct(rows.iter().map(|row| &*row.kind), kind_order),
            agents: agents.into_iter().collect(),
            rows,
        }
    }

    /// What to call it in a sentence.
    pub fn title(&self) -> String {
        let ticks = self.limits.ticks.map(|ticks| format!("{ticks} ticks"));
        let time = self.limits.time.map(|time| format!("{} s", time.as_secs_f64()));
        let limit = time.into_iter().chain(ticks).collect::<Vec<_>>().join(" or ");
        format!("at most {limit}, {} neighbours", self.neighbours)
    }

    /// What to call it in the name of a file.
    pub fn slug(&self) -> String {
        let limit = self.limit.replace(',', "-");
        if self.neighbours == 8 { limit } else { format!("{limit}-{}way", self.neighbours) }
    }

    /// The unit of completion times.
    pub const fn time_unit(&self) -> &'static str {
        if self.limits.time.is_some() { "s" } else { "ticks" }
    }

    /// Runs that share a key.
    pub fn by<K: Ord>(&self, key: impl Fn(&'a Row) -> K) -> BTreeMap<K, Vec<&'a Row>> {
        let mut groups: BTreeMap<K, Vec<&Row>> = BTreeMap::new();
        for row in &self.rows {
            groups.entry(key(row)).or_default().push(row);
        }
        groups
    }
}

/// Seconds before ticks, short before long.
fn by_limit(a: Limits, b: Limits) -> Ordering {
    let key = |limits: Limits| (limits.time.is_none(), limits.time, limits.ticks);
    key(a).cmp(&key(b))
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
