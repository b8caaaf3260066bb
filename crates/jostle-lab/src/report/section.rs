//! The runs of one setting: only runs with the same limit and under the same rules are compared, and planners are not
//! compared with solvers, nor lifelong runs with others, nor solvers for pairs that meet with others.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use jostle::{Limits, Rules};

use super::names::{contestant_order, kind_order, natural};
use super::stats::Weight;
use crate::rules::{RulesText, neighbours};
use crate::{ContestantName, GoalPlaces, Record, Seconds, show_limits, write_limits};

/// All runs of one setting.
#[derive(Clone, Debug)]
pub struct Section<'a> {
    /// The limits of the runs.
    pub limits: Limits,
    /// The rules of the runs.
    pub rules: Rules,
    /// Who is compared, and at what.
    pub contest: Contest,
    /// Whether the planners knew all changes beforehand.
    pub is_announced: bool,
    /// What its seconds are, if they are limited.
    pub clock: Seconds,
    /// The runs.
    pub records: Vec<&'a Record>,
    /// Planners or solvers, in the order in which they are shown.
    pub contestants: Vec<&'a str>,
    /// What some of them are called instead of their names.
    labels: BTreeMap<&'a str, &'a str>,
    /// Maps, by name.
    pub maps: Vec<&'a str>,
    /// Kinds of problem.
    pub kinds: Vec<&'a str>,
    /// Numbers of agents, or of tasks for pairs that meet.
    pub sizes: Vec<u32>,
    /// How much each run counts in a mean.
    pub weight: Weight,
}

/// Runs in groups, and in each group by planner or solver. In each group only those of instances that every planner or solver of the
/// group has run: otherwise some would be compared on harder instances than others.
#[derive(Debug)]
pub struct Shared<'a, K> {
    cells: BTreeMap<(K, &'a str), Vec<&'a Record>>,
    /// How many runs are left out, because some other planner or solver has not run their instances.
    pub left_out: usize,
}

impl<'a, K: Ord> Shared<'a, K> {
    /// The runs of a planner or solver in a group.
    pub fn runs(&self, group: K, contestant: &'a str) -> &[&'a Record] {
        self.cells.get(&(group, contestant)).map_or(&[], Vec::as_slice)
    }

    /// A sentence about the runs that are left out, if there are any.
    pub fn note(&self) -> Option<String> {
        let reason = "because others have not run the same instances";
        match self.left_out {
            0 => None,
            1 => Some(format!("1 run is left out, {reason}")),
            more => Some(format!("{more} runs are left out, {reason}")),
        }
    }
}

/// Who is compared, and at what.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Contest {
    /// Planners.
    Planners,
    /// Planners in lifelong runs.
    Lifelong(GoalPlaces),
    /// Solvers for agents with goals of their own.
    Solvers,
    /// Solvers for pairs of agents that meet.
    Meetings,
}

impl Contest {
    /// That of a run.
    pub fn of(record: &Record) -> Self {
        match (&record.solver, record.tasks) {
            (None, _) => record.goal_places().map_or(Self::Planners, Self::Lifelong),
            (Some(_), None) => Self::Solvers,
            (Some(_), Some(_)) => Self::Meetings,
        }
    }

    /// Whether solvers are compared.
    pub const fn is_of_solvers(self) -> bool {
        matches!(self, Self::Solvers | Self::Meetings)
    }

    /// What counts the size of a problem.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Planners | Self::Lifelong(_) | Self::Solvers => "agents",
            Self::Meetings => "tasks",
        }
    }
}

/// What the runs of a section have in common: who is compared, the limits, the rules, and whether changes were announced.
type Setting = (Contest, Limits, Rules, bool, Seconds);

impl<'a> Section<'a> {
    /// The runs by setting: those of planners first, and of meetings last, limits in seconds before those in expansions, short ones before long
    /// ones.
    pub fn all(records: &'a [Record]) -> Vec<Self> {
        let mut settings: Vec<(Setting, Vec<&Record>)> = Vec::new();
        for record in records {
            let is_announced = record.announced == Some(true);
            let is_timed = record.limit.time.is_some();
            let clock = if is_timed { record.clock } else { Seconds::default() };
            let setting = (Contest::of(record), record.limit, record.rules(), is_announced, clock);
            match settings.iter_mut().find(|(of, _)| *of == setting) {
                Some((_, records)) => records.push(record),
                None => settings.push((setting, vec![record])),
            }
        }
        let mut sections: Vec<_> =
            settings.into_iter().map(|(setting, records)| Self::new(setting, records)).collect();
        sections.sort_by(|a, b| {
            (a.contest.cmp(&b.contest))
                .then_with(|| by_limit(a.limits, b.limits))
                .then_with(|| by_rules(a.rules, b.rules))
                .then_with(|| (a.is_announced, a.clock).cmp(&(b.is_announced, b.clock)))
        });
        sections
    }

    fn new(setting: Setting, mut records: Vec<&'a Record>) -> Self {
        let (contest, limits, rules, is_announced, clock) = setting;
        // Sorted, so that sums are the same to the last bit in whatever order a sweep wrote the records.
        records.sort_by(|a, b| {
            contestant_order(a.contestant(), b.contestant())
                .then_with(|| a.instance().cmp(&b.instance()))
                .then(a.completion_rate.total_cmp(&b.completion_rate))
                .then(a.travel_distance.total_cmp(&b.travel_distance))
        });
        let sizes: BTreeSet<u32> = records.iter().map(|record| record.size()).collect();
        Self {
            limits,
            rules,
            contest,
            is_announced,
            clock,
            labels: labels(&records),
            contestants: in_order(records.iter().map(|record| record.contestant())),
            maps: distinct(records.iter().map(|record| &*record.map), natural),
            kinds: distinct(records.iter().map(|record| record.kind_name()), kind_order),
            sizes: sizes.into_iter().collect(),
            weight: Weight::default(),
            records,
        }
    }

    /// The same section with runs that count so much.
    pub fn weighted(self, weight: Weight) -> Self {
        Self { weight, ..self }
    }

    /// Its title, for sentences.
    pub fn title(&self) -> String {
        let contest = match self.contest {
            Contest::Planners | Contest::Solvers => String::new(),
            Contest::Lifelong(places) => format!("{}, ", places.title()),
            Contest::Meetings => "pairs that meet, ".to_owned(),
        };
        let announced = if self.is_announced { ", changes announced" } else { "" };
        let clock =
            if self.clock == Seconds::Processor { ", seconds of processor time" } else { "" };
        let (limits, rules) = (show_limits(self.limits), self.rules.title());
        format!("{contest}at most {limits}, {rules}{clock}{announced}")
    }

    /// Its name, for files.
    pub fn slug(&self) -> String {
        let limit = write_limits(self.limits).replace(',', "-");
        let contest = match self.contest {
            Contest::Planners | Contest::Solvers => String::new(),
            Contest::Lifelong(places) => format!("-lifelong-{}", places.name()),
            Contest::Meetings => "-meetings".to_owned(),
        };
        let announced = if self.is_announced { "-announced" } else { "" };
        let clock = if self.clock == Seconds::Processor { "-processor" } else { "" };
        let weight = if self.weight == Weight::Agents { "-weighted" } else { "" };
        if self.rules == Rules::default() {
            format!("{limit}{clock}{contest}{announced}{weight}")
        } else {
            format!("{limit}{clock}-{}{contest}{announced}{weight}", self.rules.slug())
        }
    }

    /// Whether there are problems of several sizes.
    ///
    /// # Errors
    /// When there is one size only, in words.
    pub fn has_sizes(&self) -> Result<(), String> {
        match self.sizes.len() {
            0 | 1 => Err(format!("all runs have the same number of {}", self.contest.unit())),
            _ => Ok(()),
        }
    }

    /// What a planner or solver is called: its label, or its name.
    pub fn label<'b>(&self, name: &'b str) -> &'b str
    where
        'a: 'b,
    {
        self.labels.get(name).copied().unwrap_or(name)
    }

    /// A sentence about each label.
    pub fn meanings(&self) -> impl Iterator<Item = String> {
        self.labels.iter().map(|(name, label)| format!("{label} is {name}"))
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

impl<'a> Section<'a> {
    /// Those runs that count, in groups that share a key; the same instances for all planners or solvers of a group.
    pub fn shared<K: Ord + Clone>(
        &self,
        counts: impl Fn(&Record) -> bool,
        key: impl Fn(&'a Record) -> K,
    ) -> Shared<'a, K> {
        let mut groups: BTreeMap<K, Vec<&'a Record>> = BTreeMap::new();
        for record in self.records.iter().filter(|record| counts(record)) {
            groups.entry(key(record)).or_default().push(record);
        }
        let mut shared = Shared { cells: BTreeMap::new(), left_out: 0 };
        for (group, records) in groups {
            let contestants: HashSet<&str> =
                records.iter().map(|record| record.contestant().text()).collect();
            let mut runners: HashMap<_, HashSet<&str>> = HashMap::new();
            for record in &records {
                let instance = runners.entry(record.instance()).or_default();
                instance.insert(record.contestant().text());
            }
            for record in records {
                if runners[&record.instance()].len() < contestants.len() {
                    shared.left_out += 1;
                    continue;
                }
                let cell = (group.clone(), record.contestant().text());
                shared.cells.entry(cell).or_default().push(record);
            }
        }
        shared
    }
}

/// The labels of planners or solvers by their names. Records of several sweeps may contradict each other; then names are
/// used.
fn labels<'a>(records: &[&'a Record]) -> BTreeMap<&'a str, &'a str> {
    let names: BTreeSet<&str> = records.iter().map(|record| record.contestant().text()).collect();
    let label = |record: &&'a Record| Some((record.contestant().text(), record.label.as_deref()?));
    let pairs: BTreeSet<(&str, &str)> = records.iter().filter_map(label).collect();
    let is_clear = |(name, label): &(&str, &str)| {
        let rivals = pairs.iter().filter(|(other, same)| other == name || same == label);
        rivals.count() == 1 && !names.contains(label)
    };
    pairs.iter().copied().filter(is_clear).collect()
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
