//! A spec as it is in its file, with the position of every entry.

use std::fmt;
use std::marker::PhantomData;

use jostle::CornerRule;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use crate::numbers::{MOST_NUMBERS, parse_numbers, too_many};
use crate::record::as_text;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawSpec {
    pub name: Option<String>,
    /// What the tables have that do not say otherwise.
    #[serde(default)]
    pub defaults: RawTable,
    #[serde(default)]
    pub sweep: Vec<Spanned<RawTable>>,
}

/// A list in which every entry has its own line.
type List<T> = Option<Spanned<Vec<Spanned<T>>>>;

/// A table, or the defaults of all tables: every key may be missing.
#[derive(Deserialize, Clone, Default)]
#[serde(deny_unknown_fields)]
pub struct RawTable {
    pub maps: List<String>,
    pub scens: List<String>,
    pub allow_unreachable: Option<bool>,
    pub kinds: List<String>,
    pub agents: Option<Spanned<RawNumbers>>,
    pub tasks: Option<Spanned<RawNumbers>>,
    pub seeds: Option<Spanned<RawNumbers>>,
    pub planners: List<NameOrTable<RawPlanner>>,
    pub solvers: List<NameOrTable<RawSolver>>,
    pub limits: List<String>,
    pub neighbours: Option<Spanned<u8>>,
    #[serde(default, with = "as_text::optional")]
    pub corners: Option<CornerRule>,
    pub forbid_crossing: Option<bool>,
    pub compare_with_shortest: Option<Spanned<bool>>,
    pub skip_too_many: Option<bool>,
    pub lifelong: Option<Spanned<RawLifelong>>,
}

impl RawTable {
    /// This table with the defaults for what it does not mention. A default is left out where the table has an alternative to it: agents
    /// or tasks, planners or solvers, scenarios or what draws agents.
    pub fn with(self, defaults: &Self) -> Self {
        let mut rest = defaults.clone();
        if self.agents.is_some() || self.tasks.is_some() {
            (rest.agents, rest.tasks) = (None, None);
        }
        if self.planners.is_some() || self.solvers.is_some() {
            (rest.planners, rest.solvers) = (None, None);
        }
        if self.scens.is_some() {
            (rest.kinds, rest.seeds) = (None, None);
        } else if self.kinds.is_some() || self.seeds.is_some() || self.tasks.is_some() {
            (rest.scens, rest.allow_unreachable) = (None, None);
        }
        if self.tasks.is_some() {
            rest.kinds = None;
        }
        Self {
            maps: self.maps.or(rest.maps),
            scens: self.scens.or(rest.scens),
            allow_unreachable: self.allow_unreachable.or(rest.allow_unreachable),
            kinds: self.kinds.or(rest.kinds),
            agents: self.agents.or(rest.agents),
            tasks: self.tasks.or(rest.tasks),
            seeds: self.seeds.or(rest.seeds),
            planners: self.planners.or(rest.planners),
            solvers: self.solvers.or(rest.solvers),
            limits: self.limits.or(rest.limits),
            neighbours: self.neighbours.or(rest.neighbours),
            corners: self.corners.or(rest.corners),
            forbid_crossing: self.forbid_crossing.or(rest.forbid_crossing),
            compare_with_shortest: self.compare_with_shortest.or(rest.compare_with_shortest),
            skip_too_many: self.skip_too_many.or(rest.skip_too_many),
            lifelong: self.lifelong.or(rest.lifelong),
        }
    }

    /// Whether paths are compared with the shortest ones.
    pub fn compares_with_shortest(&self) -> bool {
        self.compare_with_shortest.as_ref().is_some_and(|compares| *compares.get_ref())
    }
}

/// Whether agents that arrive get new goals, and which.
#[derive(Deserialize, Clone)]
#[serde(untagged, expecting = "expected true, false, \"anywhere\" or \"stations\"")]
pub enum RawLifelong {
    Switch(bool),
    Goals(String),
}

#[derive(Deserialize, Clone)]
#[serde(
    untagged,
    expecting = "expected a number, a range such as \"25-400/25\", or a list of them"
)]
pub enum RawNumbers {
    One(RawNumber),
    Several(Vec<RawNumber>),
}

#[derive(Deserialize, Clone)]
#[serde(untagged, expecting = "expected a number, or a range such as \"25-400/25\"")]
pub enum RawNumber {
    Whole(u64),
    Text(String),
}

impl RawNumbers {
    /// The numbers they stand for.
    pub fn numbers(&self) -> Result<Vec<u64>, String> {
        match self {
            Self::One(number) => number.numbers(),
            Self::Several(several) => {
                let mut numbers = Vec::new();
                for number in several {
                    numbers.extend(number.numbers()?);
                    if numbers.len() > MOST_NUMBERS {
                        return Err(too_many("the list"));
                    }
                }
                Ok(numbers)
            }
        }
    }
}

impl RawNumber {
    fn numbers(&self) -> Result<Vec<u64>, String> {
        match self {
            Self::Whole(number) => Ok(vec![*number]),
            Self::Text(text) => parse_numbers(text),
        }
    }
}

/// The table of a planner.
#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub struct RawPlanner {
    pub planner: String,
    pub label: Option<String>,
    pub agents_at_most: Option<usize>,
}

/// The table of a solver.
#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub struct RawSolver {
    pub solver: String,
    pub label: Option<String>,
    pub agents_at_most: Option<usize>,
    pub tasks_at_most: Option<usize>,
}

/// What can stand in a list as a name, or as a table with more than the name.
pub trait Tabular: DeserializeOwned {
    /// Both forms, for errors.
    const FORMS: &'static str;

    /// The table that a name stands for.
    fn of_name(name: &str) -> Self;
}

impl Tabular for RawPlanner {
    const FORMS: &'static str =
        "a planner's name, or { planner = NAME, label = TEXT, agents_at_most = NUMBER }";

    fn of_name(name: &str) -> Self {
        Self { planner: name.to_owned(), label: None, agents_at_most: None }
    }
}

impl Tabular for RawSolver {
    const FORMS: &'static str = "a solver's name, or { solver = NAME, label = TEXT, agents_at_most = NUMBER }, with \
         tasks_at_most in a table with tasks";

    fn of_name(name: &str) -> Self {
        Self { solver: name.to_owned(), label: None, agents_at_most: None, tasks_at_most: None }
    }
}

/// Reads both forms. Serde could guess the form, but then its errors would not say what is wrong with the one that was
/// meant.
#[derive(Clone)]
pub struct NameOrTable<T>(pub T);

impl<'de, T: Tabular> Deserialize<'de> for NameOrTable<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either<T>(PhantomData<T>);
        impl<'de, T: Tabular> Visitor<'de> for Either<T> {
            type Value = T;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(T::FORMS)
            }

            fn visit_str<E>(self, name: &str) -> Result<T, E> {
                Ok(T::of_name(name))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map))
            }
        }
        deserializer.deserialize_any(Either(PhantomData)).map(NameOrTable)
    }
}
