//! The numbers that the papers print, for comparison.
//!
//! - The BMAA\* paper: Sigurdson, Bulitko, Yeoh, Hernández, Koenig: Multi-Agent Pathfinding with Real-Time
//!   Heuristic Search, CIG 2018. Tables I to III: 24 numbers of agents from 25 to 2000, ten instances each,
//!   30 s on a core of 2.1 GHz, in C#.
//! - The thesis: Sigurdson: Automatic Algorithm Selection in Videogame Pathfinding, 2018. Tables 5.1 and
//!   5.2: 300 agents on 20 maps of Baldur's Gate II, 20 problems of each kind on each, 30 s.
//! - Silver: Cooperative Pathfinding, AIIDE 2005. Figures 3 to 7; his text gives a few numbers, all for 100
//!   agents: ten maps of 32x32 cells, 100 turns, a Pentium 4 of 1.2 GHz.
//!
//! Planners have the names that the command knows them by.

use super::measure::Measure;
use super::names::canonical;
use super::section::Section;
use jostle::Rules;

/// A number that a paper prints.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Published {
    /// The number.
    pub value: f64,
    /// The number after a ± sign, if there is one.
    pub spread: Option<f64>,
    /// The number of decimals.
    pub digits: usize,
    /// How the paper's value compares with the number.
    pub relation: Relation,
}

/// How a value compares with the number that is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// It is the number.
    Is,
    /// It is about the number.
    About,
    /// It is smaller.
    Under,
    /// It is larger.
    Over,
}

impl Published {
    const fn new(value: f64, digits: usize) -> Self {
        Self { value, spread: None, digits, relation: Relation::Is }
    }
}

/// The planners of the BMAA\* paper, in the order of its tables.
pub const BMAA_PLANNERS: [&str; 6] =
    ["astar-replan", "bmaa", "bmaa-c", "bmaa-f", "bmaa-f-c", "far"];

/// The numbers of agents in the BMAA\* paper.
pub fn bmaa_agents() -> Vec<u32> {
    (1..=16).map(|step| step * 25).chain((3..=10).map(|step| step * 200)).collect()
}

/// The time limit of the BMAA\* paper and the thesis, in seconds.
pub const SECONDS: f64 = 30.0;

/// The maps of the BMAA\* paper by the names of their files. Where a map exists in two sizes, the size is
/// part of the name: a plain `AR0414SR` could be either.
const MAPS: [&str; 10] = [
    "AR0414SR-320x280",
    "AR0414SR-512",
    "AR0504SR-512",
    "AR0701SR-512",
    "blastedlands",
    "duskwood",
    "golemsinthemist",
    "lak304d",
    "lak307d",
    "lgt300d",
];

/// One of the tables I to III.
#[derive(Debug)]
pub struct PerMap {
    digits: usize,
    /// A row for each map, a column for each planner.
    values: [[f64; 6]; 10],
    /// The last row.
    overall: [f64; 6],
}

/// Table I: completion rates, in percent.
const COMPLETION_RATES: PerMap = PerMap {
    digits: 0,
    values: [
        [45.0, 87.0, 87.0, 85.0, 89.0, 32.0],
        [14.0, 80.0, 79.0, 82.0, 83.0, 7.0],
        [8.0, 51.0, 51.0, 62.0, 62.0, 5.0],
        [8.0, 48.0, 49.0, 64.0, 65.0, 6.0],
        [14.0, 85.0, 85.0, 78.0, 80.0, 3.0],
        [8.0, 58.0, 58.0, 67.0, 67.0, 3.0],
        [10.0, 59.0, 59.0, 72.0, 72.0, 4.0],
        [19.0, 39.0, 38.0, 53.0, 51.0, 27.0],
        [60.0, 79.0, 77.0, 68.0, 64.0, 60.0],
        [12.0, 65.0, 65.0, 77.0, 77.0, 10.0],
    ],
    overall: [20.0, 65.0, 65.0, 71.0, 71.0, 16.0],
};

/// Table II: completion times, in seconds.
const COMPLETION_TIMES: PerMap = PerMap {
    digits: 1,
    values: [
        [2.8, 1.2, 5.1, 2.2, 5.6, 3.8],
        [8.8, 3.6, 6.6, 3.0, 6.8, 12.9],
        [12.3, 8.6, 12.7, 6.3, 12.5, 16.0],
        [12.7, 4.0, 5.4, 3.2, 4.5, 15.0],
        [8.8, 1.4, 1.5, 2.2, 2.3, 21.0],
        [12.5, 4.1, 5.8, 3.7, 5.5, 21.1],
        [11.1, 4.2, 5.9, 3.0, 4.2, 19.0],
        [4.5, 6.7, 15.1, 7.9, 11.4, 3.2],
        [0.2, 0.2, 0.2, 0.5, 0.3, 0.6],
        [8.3, 1.4, 1.6, 2.2, 2.4, 10.5],
    ],
    overall: [8.2, 3.5, 6.0, 3.4, 5.5, 12.3],
};

/// What a second is in percent of the limit.
const SHARE: f64 = 100.0 / SECONDS;

/// Table II in percent of the limit, for runs whose clock counts expansions instead of seconds.
const COMPLETION_SHARES: PerMap = COMPLETION_TIMES.times(SHARE);

/// Table III: travel distances, in cells.
const DISTANCES: PerMap = PerMap {
    digits: 0,
    values: [
        [663.0, 554.0, 557.0, 620.0, 639.0, 130.0],
        [661.0, 1538.0, 1557.0, 2080.0, 2115.0, 224.0],
        [407.0, 2167.0, 2231.0, 3671.0, 3783.0, 227.0],
        [562.0, 973.0, 967.0, 1267.0, 1287.0, 322.0],
        [299.0, 376.0, 376.0, 775.0, 784.0, 268.0],
        [367.0, 1179.0, 1188.0, 1712.0, 1737.0, 257.0],
        [530.0, 1205.0, 1206.0, 1371.0, 1369.0, 285.0],
        [2154.0, 1425.0, 1460.0, 1258.0, 1295.0, 148.0],
        [578.0, 38.0, 39.0, 125.0, 95.0, 47.0],
        [435.0, 403.0, 404.0, 592.0, 603.0, 289.0],
    ],
    overall: [666.0, 986.0, 998.0, 1347.0, 1371.0, 225.0],
};

impl PerMap {
    /// All numbers multiplied by a factor.
    const fn times(self, factor: f64) -> Self {
        let Self { digits, mut values, mut overall } = self;
        let mut column = 0;
        while column < overall.len() {
            overall[column] *= factor;
            let mut row = 0;
            while row < values.len() {
                values[row][column] *= factor;
                row += 1;
            }
            column += 1;
        }
        Self { digits, values, overall }
    }

    /// The table of a measure.
    const fn of(measure: Measure) -> Option<&'static Self> {
        match measure {
            Measure::CompletionRate => Some(&COMPLETION_RATES),
            Measure::CompletionTime => Some(&COMPLETION_TIMES),
            Measure::CompletionShare => Some(&COMPLETION_SHARES),
            Measure::Distance => Some(&DISTANCES),
            _ => None,
        }
    }

    /// The table of a measure where its numbers are comparable with ours: runs of the same kind under the same
    /// rules, and times in seconds.
    pub fn beside(section: &Section<'_>, measure: Measure) -> Option<&'static Self> {
        let is_random = section.kinds == ["random"] && section.rules == Rules::default();
        let has_unit = measure != Measure::CompletionTime || section.limits.time.is_some();
        Self::of(measure).filter(|_| is_random && has_unit)
    }

    /// The paper's number for a map and a planner.
    pub fn on(&self, map: &str, planner: &str) -> Option<Published> {
        let row = MAPS.iter().position(|name| *name == map)?;
        let column = BMAA_PLANNERS.iter().position(|name| *name == canonical(planner))?;
        Some(Published::new(self.values[row][column], self.digits))
    }

    /// The paper's number for a planner on all maps; none unless these are its maps.
    pub fn overall(&self, maps: &[&str], planner: &str) -> Option<Published> {
        let are_its_maps = maps.len() == MAPS.len() && MAPS.iter().all(|map| maps.contains(map));
        let column = BMAA_PLANNERS.iter().position(|name| *name == canonical(planner))?;
        are_its_maps.then(|| Published::new(self.overall[column], self.digits))
    }
}

/// What a paper says about completion rates over agents: a planner, the numbers of agents from and to, the rate in percent, and
/// how the paper's rate compares with it.
pub type OverAgents = (&'static str, (u32, u32), f64, Relation);

/// What is known about Figure 2 of the BMAA\* paper, which is drawn and not printed: bounds that follow from its overall rows.
///
/// An agent that has not arrived counts as the whole limit in Table II, so of at most 200 agents, at least the rest of the limit's
/// share have arrived. They are few of all agents, so what is left of Table I bounds the mean of the larger crowds from above.
pub fn figure_2_points() -> Vec<OverAgents> {
    let (few, many): (Vec<u32>, Vec<u32>) = bmaa_agents().into_iter().partition(|&n| n <= 200);
    let [of_few, of_many] = [&few, &many].map(|sizes| f64::from(sizes.iter().sum::<u32>()));
    let ends = |sizes: &[u32]| (sizes[0], sizes[sizes.len() - 1]);
    let bounds = BMAA_PLANNERS.iter().enumerate().flat_map(|(column, planner)| {
        let least = 100.0 - COMPLETION_SHARES.overall[column];
        let all = COMPLETION_RATES.overall[column] * (of_few + of_many);
        let most = (all - least * of_few) / of_many;
        let over = (*planner, ends(&few), least, Relation::Over);
        [over, (*planner, ends(&many), most, Relation::Under)]
    });
    bounds.collect()
}

/// Whether the runs are on all maps of the BMAA\* paper and comparable with its own.
pub fn has_its_maps(section: &Section<'_>) -> bool {
    let table = PerMap::beside(section, Measure::CompletionRate);
    table.is_some_and(|table| table.overall(&section.maps, BMAA_PLANNERS[0]).is_some())
}

/// The BMAA\* of the thesis, whose agents push another one that stands on their own goal.
const THESIS_BMAA: &str = "bmaa:push=true:push-rule=thesis";

/// The planners of the thesis, in the order of its tables.
pub const THESIS_PLANNERS: [&str; 3] = [THESIS_BMAA, "far", "whca:window=8"];

/// The number of agents in the thesis.
pub const THESIS_AGENTS: u32 = 300;

/// Table 5.2: completion rates by kind, in percent.
const KINDS: [(&str, [f64; 3]); 7] = [
    ("random", [79.4, 75.3, 68.9]),
    ("cross-sides", [69.4, 83.7, 56.4]),
    ("swap-sides", [64.4, 48.5, 34.5]),
    ("inside-out", [76.7, 75.3, 59.9]),
    ("outside-in", [73.3, 72.3, 60.7]),
    ("tight-to-tight", [33.8, 37.8, 36.7]),
    ("tight-to-wide", [59.2, 71.0, 54.9]),
];

/// The number of the thesis for a kind of problem and a planner, in percent, where the runs have as many agents as its own.
pub fn completion_by_kind(section: &Section<'_>, kind: &str, planner: &str) -> Option<Published> {
    if section.sizes != [THESIS_AGENTS] {
        return None;
    }
    let (_, values) = KINDS.iter().find(|(name, _)| *name == kind)?;
    let column = THESIS_PLANNERS.iter().position(|name| *name == canonical(planner))?;
    Some(Published::new(values[column], 1))
}

/// How a planner is chosen for each problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chooser<'a> {
    /// The best planner for each problem.
    Perfect,
    /// The worst one.
    Worst,
    /// Always this one.
    Always(&'a str),
}

/// Table 5.1: completion rate in percent, distance in cells, completion time in seconds or in percent of the limit, with the
/// spread over ten splits of the problems.
pub fn selection(chooser: Chooser<'_>, measure: Measure) -> Option<Published> {
    let values = match chooser {
        Chooser::Perfect => [(80.8, 0.8), (283.1, 7.5), (15.5, 0.2)],
        Chooser::Worst => [(44.3, 0.7), (328.6, 11.0), (19.7, 0.2)],
        Chooser::Always(planner) => match canonical(planner).as_str() {
            THESIS_BMAA => [(65.7, 0.7), (465.7, 5.9), (14.4, 0.2)],
            "far" => [(66.1, 1.0), (405.7, 10.1), (15.9, 0.2)],
            "whca:window=8" => [(54.6, 1.1), (88.3, 1.7), (21.7, 0.2)],
            _ => return None,
        },
    };
    let (value, spread) = match measure {
        Measure::CompletionRate => values[0],
        Measure::Distance => values[1],
        Measure::CompletionTime => values[2],
        Measure::CompletionShare => (values[2].0 * SHARE, values[2].1 * SHARE),
        _ => return None,
    };
    Some(Published { spread: Some(spread), ..Published::new(value, 1) })
}

/// How often each planner was the best choice in the thesis, in percent of the problems.
pub fn best_choice(planner: &str) -> Option<Published> {
    let values = [33.8, 31.0, 35.3];
    let column = THESIS_PLANNERS.iter().position(|name| *name == canonical(planner))?;
    Some(Published::new(values[column], 1))
}

/// The number of agents for which Silver's text gives numbers.
pub const SILVER_AGENTS: u32 = 100;

/// What Silver's text says about a planner with 100 agents. His figures are drawn, not printed.
pub fn silver(measure: Measure, planner: &str) -> Option<Published> {
    let planner = canonical(planner);
    let (value, digits, relation) = match (measure, planner.as_str()) {
        (Measure::Success, "lra") => (80.0, 0, Relation::About),
        (Measure::Success, "whca") => (98.0, 0, Relation::Over),
        (Measure::PathOverShortest, "lra") => (2.0, 0, Relation::Over),
        (Measure::PathOverShortest, "ca" | "hca") => (1.2, 1, Relation::About),
        (Measure::Cycles, "lra") => (15.0, 0, Relation::Over),
        (Measure::Cycles, "whca:window=8" | "whca" | "whca:window=32") => (1.5, 1, Relation::Under),
        (Measure::FirstTick, "ca") => (1000.0, 0, Relation::Over),
        (Measure::FirstTick, "whca") => (100.0, 0, Relation::Under),
        (Measure::SlowestLaterTick, "whca") => (50.0, 0, Relation::About),
        _ => return None,
    };
    Some(Published { relation, ..Published::new(value, digits) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_overall_rows_are_about_the_means_of_the_maps() {
        for table in [&COMPLETION_RATES, &COMPLETION_TIMES, &DISTANCES] {
            for (column, printed) in table.overall.iter().enumerate() {
                let mean = table.values.iter().map(|row| row[column]).sum::<f64>() / 10.0;
                // The paper rounded, and its overall distance of FAR is 2 % above the mean of its maps.
                let tolerance = 0.025 * printed + 0.6 * 10_f64.powi(-(table.digits as i32));
                assert!((mean - printed).abs() <= tolerance, "{printed} {mean}");
            }
        }
    }

    /// An agent that has not arrived counts as the whole limit in Table II, so with at most 200 agents at least the rest of the limit's
    /// share has arrived, and Table I cannot be below what these few alone contribute.
    #[test]
    fn tables_i_and_ii_agree_only_if_runs_weigh_as_much_as_they_have_agents() {
        let contradictions = |weight: fn(u32) -> f64| {
            let few: f64 = bmaa_agents().into_iter().filter(|&n| n <= 200).map(weight).sum();
            let share = few / bmaa_agents().into_iter().map(weight).sum::<f64>();
            let cells = (0..MAPS.len()).flat_map(|row| (0..6).map(move |column| (row, column)));
            let is_less = |&(row, column): &(usize, usize)| {
                // Both numbers are rounded.
                let time = COMPLETION_TIMES.values[row][column] + 0.05;
                let least = 100.0 * (1.0 - time / SECONDS) * share;
                COMPLETION_RATES.values[row][column] + 0.5 < least
            };
            cells.filter(is_less).count()
        };
        assert_eq!(contradictions(|_| 1.0), 16, "A*-Replan and FAR on eight maps each");
        assert_eq!(contradictions(f64::from), 0);
    }

    #[test]
    fn the_bounds_of_figure_2_are_those_of_the_overall_rows() {
        let points = figure_2_points();
        let of = |planner| points.iter().filter(move |point| point.0 == planner);
        let [least, most] = of("far").collect::<Vec<_>>()[..] else { panic!("{points:?}") };
        // 12.3 of 30 s; 16 % of 13,800 agents less 59 % of 900, over 12,900.
        assert_eq!((least.1, least.3), ((25, 200), Relation::Over));
        assert!((least.2 - 59.0).abs() < 0.01, "{least:?}");
        assert_eq!((most.1, most.3), ((225, 2000), Relation::Under));
        assert!((most.2 - 13.0).abs() < 0.01, "{most:?}");
    }

    #[test]
    #[allow(clippy::float_cmp, reason = "these numbers are copied, not worked out")]
    fn maps_and_planners_that_the_paper_lacks_have_no_numbers() {
        let table = PerMap::of(Measure::CompletionRate).unwrap();
        assert_eq!(table.overall(&["lak304d", "lak307d"], "bmaa"), None);
        assert_eq!(table.overall(&MAPS, "bmaa").unwrap().value, 65.0);
        assert_eq!(table.overall(&MAPS, "jostle"), None);
        assert_eq!(table.on("lak304d", "bmaa:expansions=32").unwrap().value, 39.0);
        assert_eq!(table.on("lak304d", "bmaa:expansions=64"), None);
        assert_eq!(table.on("AR0414SR", "bmaa"), None, "which size?");
    }

    #[test]
    fn the_papers_numbers_of_agents_are_24() {
        let agents = bmaa_agents();
        assert_eq!(agents.len(), 24);
        assert_eq!((agents[0], agents[15], agents[16], agents[23]), (25, 400, 600, 2000));
    }
}
