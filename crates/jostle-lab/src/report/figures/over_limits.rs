//! Completion rates over the limit: shows at which limit the order of the papers appears, and where choosing a planner for each problem
//! would pay.

use std::collections::{BTreeMap, BTreeSet};

use jostle::{Limits, Rules};

use super::super::measure::Measure;
use super::super::papers::{PerMap, Relation, SECONDS};
use super::super::section::{Section, by_rules};
use super::axis::Axis;
use super::lines::{self, Dot, Series};
use super::paper::PaperValue;
use super::plot::{ALONE, Content, Entry, Figure, Panel};
use super::style::{Colour, Look, Palette};
use crate::rules::RulesText;
use crate::{Record, grouped};

const MEASURE: Measure = Measure::CompletionRate;

/// The unit of a limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Unit {
    Seconds,
    Expansions,
    Ticks,
}

impl Unit {
    const fn name(self) -> &'static str {
        match self {
            Self::Seconds => "seconds",
            Self::Expansions => "expansions",
            Self::Ticks => "ticks",
        }
    }

    /// The limit in this unit, if it is a limit of this unit alone, or one in expansions beside one in ticks.
    fn of(self, limits: Limits) -> Option<f64> {
        let Limits { ticks, time, expansions } = limits;
        match (self, time, expansions, ticks) {
            (Self::Seconds, Some(time), None, None) => Some(time.as_secs_f64()),
            (Self::Expansions, None, Some(expansions), _) => Some(expansions as f64),
            (Self::Ticks, None, None, Some(ticks)) => Some(ticks as f64),
            _ => None,
        }
    }

    /// The ticks that limit a run beside this unit.
    fn ticks_beside(self, limits: Limits) -> Option<u64> {
        limits.ticks.filter(|_| self != Self::Ticks)
    }
}

/// A figure over limits in seconds, one over expansions and one over ticks, where there are several.
pub fn all(sections: &[Section<'_>], palette: &Palette) -> Vec<Result<Figure, String>> {
    let mut rules: Vec<Rules> = sections.iter().map(|section| section.rules).collect();
    rules.sort_by(|a, b| by_rules(*a, *b));
    rules.dedup();
    let mut figures = Vec::new();
    for rules in rules {
        for unit in [Unit::Seconds, Unit::Expansions, Unit::Ticks] {
            let of_unit = sections.iter().filter(|section| section.rules == rules);
            let of_unit = of_unit.filter_map(|section| Some((unit.of(section.limits)?, section)));
            let mut of_ticks: BTreeMap<Option<u64>, Vec<(f64, &Section<'_>)>> = BTreeMap::new();
            for (limit, section) in of_unit {
                let ticks = unit.ticks_beside(section.limits);
                of_ticks.entry(ticks).or_default().push((limit, section));
            }
            for (ticks, sections) in of_ticks.iter().filter(|(_, sections)| sections.len() > 1) {
                figures.push(figure(sections, palette, unit, *ticks));
            }
        }
    }
    if figures.is_empty() {
        figures.push(Err("limits: there are not several limits of one unit".to_owned()));
    }
    figures
}

fn figure(
    sections: &[(f64, &Section<'_>)],
    palette: &Palette,
    unit: Unit,
    most_ticks: Option<u64>,
) -> Result<Figure, String> {
    let first = sections[0].1;
    let beside = most_ticks.map_or_else(String::new, |ticks| format!("-{ticks}steps"));
    let name = format!("limits-{}{beside}-{}", unit.name(), first.rules.slug());
    let shared = shared_runs(sections);
    let maps: BTreeSet<&str> = shared.values().flatten().map(|(_, record)| &*record.map).collect();
    let maps: Vec<&str> = maps.into_iter().collect();
    let paper = PerMap::beside(first, MEASURE).filter(|_| unit == Unit::Seconds);
    let line = |planner: &str, runs: &[(usize, &Record)]| {
        let dot = |(index, (limit, section)): (usize, &(f64, &Section<'_>))| {
            let runs = runs.iter().filter(|(at, _)| *at == index).map(|(_, record)| *record);
            let estimate = MEASURE.estimate(runs, section)?;
            Some(Dot::of(*limit, &estimate))
        };
        let published = paper.and_then(|table| table.overall(&maps, planner));
        let published = published.map(|paper| PaperValue::at(SECONDS, paper.value, Relation::Is));
        Series {
            name: first.label(planner).to_owned(),
            look: palette.look(planner),
            dots: sections.iter().enumerate().filter_map(dot).collect(),
            published: published.into_iter().collect(),
            is_bound: false,
            is_labelled: true,
        }
    };
    let runs = first.contestants.iter().filter_map(|planner| Some((planner, shared.get(planner)?)));
    let mut series: Vec<Series> = runs.map(|(planner, runs)| line(planner, runs)).collect();
    if series.is_empty() {
        return Err(format!("{name}: no instance was run within every limit"));
    }
    series.extend(best_choice(sections, &shared));
    let papers =
        series.iter().flat_map(|series| series.published.iter().map(|paper| paper.across.0));
    let mut ticks: Vec<f64> = sections.iter().map(|(limit, _)| *limit).chain(papers).collect();
    ticks.sort_by(f64::total_cmp);
    ticks.dedup();
    let label = format!("limit ({})", unit.name());
    let x = Axis::logarithmic(&label, ticks.iter().copied()).with_ticks(&ticks);
    let entry = |series: &Series| Entry {
        name: series.name.clone(),
        look: series.look,
        is_bound: series.is_bound,
    };
    let y = Axis::percent(&MEASURE.title(first), lines::values(&series), 5);
    let instances = "instances that were run within every limit";
    let mut notes = vec![first.rules.title(), instances.to_owned()];
    notes.extend(most_ticks.map(|ticks| format!("and at most {} ticks", grouped(ticks))));
    Ok(Figure {
        name,
        title: "Completion rate over the limit".to_owned(),
        notes,
        legend: series.iter().map(entry).collect(),
        panels: vec![Panel { title: String::new(), content: Content::Lines { x, y, series } }],
        columns: 1,
        panel_size: ALONE,
    })
}

/// What the best planner for each instance would achieve, of those that ran it within every limit: how far it is above the best line says
/// what choosing could gain. None if there is only one planner.
fn best_choice(
    sections: &[(f64, &Section<'_>)],
    shared: &BTreeMap<&str, Vec<(usize, &Record)>>,
) -> Option<Series> {
    let mut best: BTreeMap<_, (usize, f64)> = BTreeMap::new();
    for &(at, record) in shared.values().flatten() {
        let (planners, rate) = best.entry((at, record.instance())).or_default();
        *planners += 1;
        *rate = rate.max(record.completion_rate);
    }
    let all = shared.len();
    let dot = |(index, (limit, _)): (usize, &(f64, &Section<'_>))| {
        let rates = best.iter().filter(|((at, _), (planners, _))| *at == index && *planners == all);
        let rates: Vec<f64> = rates.map(|(_, (_, rate))| *rate).collect();
        let mean = rates.iter().sum::<f64>() / rates.len() as f64;
        (!rates.is_empty()).then_some(Dot { x: *limit, y: 100.0 * mean, interval: None })
    };
    (all > 1).then(|| Series {
        name: "best choice".to_owned(),
        look: Look::of_bound(Colour::INK),
        dots: sections.iter().enumerate().filter_map(dot).collect(),
        published: Vec::new(),
        is_bound: true,
        is_labelled: true,
    })
}

/// The runs of each planner, with the index of their limit, on instances that it ran within every limit:
/// only those show the effect of a limit.
fn shared_runs<'a>(
    sections: &[(f64, &Section<'a>)],
) -> BTreeMap<&'a str, Vec<(usize, &'a Record)>> {
    let mut instances: BTreeMap<_, Vec<(usize, &Record)>> = BTreeMap::new();
    for (index, (_, section)) in sections.iter().enumerate() {
        for record in &section.records {
            instances
                .entry((record.contestant().text(), record.instance()))
                .or_default()
                .push((index, record));
        }
    }
    let mut shared: BTreeMap<&str, Vec<(usize, &Record)>> = BTreeMap::new();
    for ((planner, _), runs) in instances {
        let limits: BTreeSet<usize> = runs.iter().map(|(index, _)| *index).collect();
        if limits.len() == sections.len() {
            shared.entry(planner).or_default().extend(runs);
        }
    }
    shared
}
