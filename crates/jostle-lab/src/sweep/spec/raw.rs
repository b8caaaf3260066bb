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
    pub sweep: Vec<Spanned<RawTable>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawTable {
    pub maps: Spanned<Vec<Spanned<String>>>,
    pub kinds: Option<Spanned<Vec<Spanned<String>>>>,
    pub agents: Option<Spanned<RawNumbers>>,
    pub tasks: Option<Spanned<RawNumbers>>,
    #[serde(default = "first_seed")]
    pub seeds: Spanned<RawNumbers>,
    pub planners: Option<Spanned<Vec<Spanned<NameOrTable<RawPlanner>>>>>,
    pub solvers: Option<Spanned<Vec<Spanned<NameOrTable<RawSolver>>>>>,
    pub limits: Option<Spanned<Vec<Spanned<String>>>>,
    #[serde(default = "eight")]
    pub neighbours: Spanned<u8>,
    #[serde(default, with = "as_text")]
    pub corners: CornerRule,
    #[serde(default)]
    pub forbid_crossing: bool,
    #[serde(default = "no")]
    pub compare_with_shortest: Spanned<bool>,
    #[serde(default)]
    pub skip_too_many: bool,
    pub lifelong: Option<Spanned<RawLifelong>>,
}

/// Whether agents that arrive get new goals, and which.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected true, false, \"anywhere\" or \"stations\"")]
pub enum RawLifelong {
    Switch(bool),
    Goals(String),
}

/// A value that the file does not mention.
fn unsaid<T>(value: T) -> Spanned<T> {
    Spanned::new(0..0, value)
}

fn first_seed() -> Spanned<RawNumbers> {
    unsaid(RawNumbers::One(RawNumber::Whole(1)))
}

fn no() -> Spanned<bool> {
    unsaid(false)
}

fn eight() -> Spanned<u8> {
    unsaid(8)
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected a number, a range such as \"25-400/25\", or a list of them"
)]
pub enum RawNumbers {
    One(RawNumber),
    Several(Vec<RawNumber>),
}

#[derive(Deserialize)]
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
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawPlanner {
    pub planner: String,
    pub label: Option<String>,
    pub agents_at_most: Option<usize>,
}

/// The table of a solver.
#[derive(Deserialize)]
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
