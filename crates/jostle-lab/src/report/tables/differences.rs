//! Differences between planners on the same instances: what one reaches, less what another reaches, instance by instance.
//!
//! Instances differ more than planners do: some are hard for all. In a difference on one instance that cancels out, so its interval is
//! narrower than those of the two means, and it is the interval that says whether one planner is better.

use std::collections::HashMap;

use super::super::measure::Measure;
use super::super::section::Section;
use super::super::stats::{Estimate, Range};
use super::comparison::{Compared, Comparison};
use super::per_map::FEW;
use crate::Record;
use crate::table::{Line, capital};

/// Differences from one of the planners: of completion rates by map and by number of agents, and of distances by map.
pub fn all(section: &Section<'_>, against: &str) -> Vec<Result<Comparison, String>> {
    let rate = Measure::CompletionRate;
    let differences = Differences::new(section, rate, against, u32::MAX);
    let of_distances = Differences::new(section, Measure::Distance, against, FEW);
    let mut tables = vec![differences.by_map(), of_distances.by_map()];
    if section.has_sizes().is_ok() {
        tables.push(differences.by_agents());
    }
    tables
}

struct Differences<'a, 'b> {
    section: &'b Section<'a>,
    measure: Measure,
    against: &'b str,
    most_agents: u32,
    /// The runs of that planner.
    reference: HashMap<Instance<'a>, &'a Record>,
    others: Vec<&'a str>,
}

/// What [`Record::instance`] says.
type Instance<'a> = (&'a str, &'a str, u32, Option<u64>, Option<&'a str>, Option<&'a str>);

impl<'a, 'b> Differences<'a, 'b> {
    fn new(section: &'b Section<'a>, measure: Measure, against: &'b str, most_agents: u32) -> Self {
        let is_reference = |record: &&&Record| record.contestant().text() == against;
        let reference = section.records.iter().filter(is_reference);
        let reference = reference.map(|record| (record.instance(), *record)).collect();
        let others = section.contestants.iter().copied().filter(|name| *name != against).collect();
        Self { section, measure, against, most_agents, reference, others }
    }

    fn name(&self) -> String {
        format!("{}-{}-difference", self.section.slug(), self.measure.slug())
    }

    /// The mean difference over the runs of a planner whose instances the reference has run as well.
    fn estimate(&self, planner: &str, counts: impl Fn(&Record) -> bool) -> Compared {
        let records = self.section.records.iter().copied().filter(|record| {
            record.contestant().text() == planner
                && record.agents <= self.most_agents
                && counts(record)
        });
        let value = |record: &Record| {
            let reference = self.reference.get(&record.instance())?;
            let of = |record| self.measure.of(record, self.section.limits);
            Some(of(record)? - of(reference)?)
        };
        let weight = self.section.weight;
        let difference = Estimate::of(records, weight, Range::Unbounded, value);
        Compared { is_difference: true, ..Compared::new(self.measure, difference, None) }
    }

    fn by_map(&self) -> Result<Comparison, String> {
        let line = |label: &str, is_summary, counts: &dyn Fn(&Record) -> bool| Line {
            label: label.to_owned(),
            cells: self.others.iter().map(|planner| self.estimate(planner, counts)).collect(),
            is_summary,
        };
        let maps = &self.section.maps;
        let of_map = |map: &&str| line(map, false, &|record: &Record| record.map == **map);
        let mut lines: Vec<Line<Compared>> = maps.iter().map(of_map).collect();
        if maps.len() > 1 {
            lines.push(line("overall", true, &|_| true));
        }
        let header = self.others.iter().map(|planner| self.section.label(planner));
        let header = std::iter::once("map").chain(header).map(str::to_owned);
        self.table(self.name(), "map", header.collect(), lines)
    }

    fn by_agents(&self) -> Result<Comparison, String> {
        let sizes = &self.section.sizes;
        let line = |planner: &&str| {
            let cell = |agents: &u32| self.estimate(planner, |record| record.agents == *agents);
            let label = self.section.label(planner).to_owned();
            Line { label, cells: sizes.iter().map(cell).collect(), is_summary: false }
        };
        let header = sizes.iter().map(|agents| format!("{agents} agents"));
        let header = std::iter::once("planner".to_owned()).chain(header).collect();
        let lines = self.others.iter().map(line).collect();
        self.table(format!("{}-agents", self.name()), "number of agents", header, lines)
    }

    fn table(
        &self,
        name: String,
        by: &str,
        header: Vec<String>,
        lines: Vec<Line<Compared>>,
    ) -> Result<Comparison, String> {
        let has_value = |line: &Line<Compared>| line.cells.iter().any(|cell| cell.ours.is_some());
        if !lines.iter().any(has_value) {
            let against = self.section.label(self.against);
            return Err(format!("{name}: no instance was run with {against} and another planner"));
        }
        let section = self.section;
        let mut notes = vec![format!("{} that both have run", section.weight.mean())];
        if self.most_agents < u32::MAX {
            notes.push(format!("at most {} agents", self.most_agents));
        }
        Ok(Comparison {
            name,
            title: format!(
                "{}, less that of {} on the same instances, by {by}, {}",
                capital(&self.measure.title(section)),
                section.label(self.against),
                section.title()
            ),
            header,
            lines,
            notes,
        })
    }
}
