//! What the tables and the lines of JSON say about a search.

use jostle::instance::Kind;
use jostle::plan::Plan;
use jostle::{CornerRule, Crossing, Neighbours};
use jostle_lab::Problem;
use jostle_lab::table::Table;
use serde::Serialize;

use super::search::{End, Found};
use crate::table::{Column, Point, bytes, duration, grouped, summary};

/// What is known about one search: a line of JSON.
#[derive(Serialize, Clone, Debug)]
pub struct Row {
    /// The solver, with the parameters that were given.
    pub solver: String,
    /// The map: a file's stem, or a built-in map with its size and seed.
    pub map: String,
    /// The number of agents.
    pub agents: u32,
    /// The name of the scenario that they were read from; null if they were drawn.
    pub scen: Option<String>,
    /// The seed that drew them; null if they were read from a scenario.
    pub seed: Option<u64>,
    /// How they were drawn; null if they were read.
    pub kind: Option<&'static str>,
    /// The number of neighbours of a cell: 4 or 8.
    pub neighbours: u8,
    /// Which cells at the corners of a diagonal step had to be free: both, one or none.
    pub corners: &'static str,
    /// Whether two diagonal steps could cross: allowed or forbidden.
    pub crossing: &'static str,
    /// How the search ended: optimal, bounded, found, impossible, out-of-time, out-of-expansions, out-of-memory or
    /// stopped.
    pub proof: &'static str,
    /// For a bounded plan, the factor within which it is of the best one.
    pub factor: Option<f64>,
    /// The cost of the plan as the solver counts it; null without a plan.
    pub cost: Option<u64>,
    /// No plan costs less than this; null if there is none at all.
    pub bound: Option<u64>,
    /// The sum over agents of the ticks until they are on their goals for good.
    pub sum_of_costs: Option<u64>,
    /// The tick at which the last agent is on its goal for good.
    pub makespan: Option<u64>,
    /// Nodes of the search tree that were expanded.
    pub nodes: u64,
    /// Nodes that were expanded in searches for paths.
    pub expansions: u64,
    pub seconds: f64,
    /// Bytes that the search held at its end.
    pub bytes: usize,
    #[serde(skip)]
    ratio: Option<f64>,
    #[serde(skip)]
    pub end: End,
}

/// The columns after the solver, each with the width of its largest usual value.
pub const COLUMNS: [Column; 9] = [
    Column::new("result", 19),
    Column::new("cost", 7),
    Column::new("ticks", 5).dispensable(2),
    Column::new("bound", 7).dispensable(1),
    Column::new("ratio", 5).dispensable(3),
    Column::new("nodes", 9).dispensable(4),
    Column::new("expansions", 13).dispensable(6),
    Column::new("time", 8),
    Column::new("memory", 6).dispensable(5),
];

/// Explains the columns.
pub const fn legend() -> &'static str {
    "cost: the ticks that each agent takes until it stays on its goal, summed · ticks: those of the slowest\n\
     bound: no plan has less of what the solver minimises · ratio: the plan's over the bound, 1 is optimal\n\
     every plan was checked: no collision, no illegal step, all agents arrive"
}

impl Row {
    /// What a solver has found.
    pub fn of(solver: &str, problem: &Problem, found: &Found) -> Self {
        let rules = problem.instance.grid().rules();
        let plan = found.plan();
        Self {
            solver: solver.to_owned(),
            map: problem.map.clone(),
            agents: problem.agents() as u32,
            scen: problem.scen.as_deref().map(str::to_owned),
            seed: problem.seed,
            kind: problem.kind.map(Kind::name),
            neighbours: match rules.neighbours {
                Neighbours::Four => 4,
                Neighbours::Eight => 8,
            },
            corners: match rules.corners {
                CornerRule::BothFree => "both",
                CornerRule::OneFree => "one",
                CornerRule::Ignored => "none",
            },
            crossing: match rules.crossing {
                Crossing::Allowed => "allowed",
                Crossing::Forbidden => "forbidden",
            },
            proof: word(found.end),
            factor: match found.end {
                End::Bounded(factor) => Some(factor),
                _ => None,
            },
            cost: found.cost(),
            bound: found.bound(),
            sum_of_costs: plan.map(Plan::sum_of_costs),
            makespan: plan.map(Plan::makespan),
            nodes: found.answer.nodes,
            expansions: found.expansions,
            seconds: found.seconds,
            bytes: found.bytes,
            ratio: found.ratio(),
            end: found.end,
        }
    }

    /// Whether there is a plan.
    pub const fn has_plan(&self) -> bool {
        self.cost.is_some()
    }

    /// The values in the columns of a table.
    pub fn values(&self) -> [Option<String>; COLUMNS.len()] {
        [
            Some(self.result()),
            self.sum_of_costs.map(grouped),
            self.makespan.map(grouped),
            self.bound.map(grouped),
            self.ratio.map(|ratio| format!("{ratio:.3}")),
            Some(grouped(self.nodes)),
            Some(grouped(self.expansions)),
            Some(duration(self.seconds * 1e6)),
            Some(bytes(self.bytes)),
        ]
    }

    /// Labels and values for the page that plays the plan.
    pub fn facts(&self) -> Vec<(String, String)> {
        let facts = [
            ("result", Some(self.result())),
            ("cost", self.sum_of_costs.map(grouped)),
            ("ticks", self.makespan.map(grouped)),
            ("bound", self.bound.map(grouped)),
            ("nodes", Some(grouped(self.nodes))),
            ("time", Some(duration(self.seconds * 1e6))),
        ];
        let present =
            facts.into_iter().filter_map(|(label, value)| Some((label.to_owned(), value?)));
        present.collect()
    }

    /// How the search ended, in a few words.
    fn result(&self) -> String {
        match self.end {
            End::Bounded(factor) => format!("at most {factor} × best"),
            end => word(end).replace('-', " "),
        }
    }

    /// Why there is no plan, as a sentence.
    pub fn without_plan(&self) -> String {
        let solver = &self.solver;
        match self.bound {
            None => format!("{solver}: there is no plan that brings every agent to its goal"),
            Some(bound) => {
                let (result, bound) = (self.result(), grouped(bound));
                format!(
                    "{solver}: {result} before there was a plan; any plan costs at least {bound}"
                )
            }
        }
    }
}

const fn word(end: End) -> &'static str {
    match end {
        End::Optimal => "optimal",
        End::Bounded(_) => "bounded",
        End::Found => "found",
        End::Impossible => "impossible",
        End::OutOfTime => "out-of-time",
        End::OutOfExpansions => "out-of-expansions",
        End::OutOfMemory => "out-of-memory",
        End::Stopped => "stopped",
    }
}

/// What a summary of searches compares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// Searches that found a plan, in percent.
    Solved,
    /// Mean time of all searches, in seconds.
    Time,
    /// Mean cost over bound of the plans that were found.
    Ratio,
}

impl Measure {
    /// In the order of the printed tables.
    pub const ALL: [Self; 3] = [Self::Solved, Self::Time, Self::Ratio];

    /// The means of all searches, side by side.
    pub fn summary(self, rows: &[Row]) -> Table {
        let (title, decimals) = match self {
            Self::Solved => ("plans found, % of problems", 0),
            Self::Time => ("time, mean in seconds", 2),
            Self::Ratio => ("cost over bound, mean of the plans found", 3),
        };
        let points = rows.iter().map(|row| Point {
            map: row.scen.as_deref().unwrap_or(&row.map),
            agents: row.agents,
            name: &row.solver,
            value: match self {
                Self::Solved => Some(if row.has_plan() { 100.0 } else { 0.0 }),
                Self::Time => Some(row.seconds),
                Self::Ratio => row.ratio,
            },
        });
        summary(title, &points.collect::<Vec<_>>(), decimals)
    }
}
