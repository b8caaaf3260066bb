//! A spec as it is in its file, with the position of every entry.

use std::fmt;

use jostle::instance::Kind;
use jostle::{CornerRule, Simulation};
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
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
    #[serde(default = "random")]
    pub kinds: Spanned<Vec<Spanned<String>>>,
    pub agents: Spanned<RawNumbers>,
    #[serde(default = "first_seed")]
    pub seeds: Spanned<RawNumbers>,
    pub planners: Spanned<Vec<Spanned<NameOrTable>>>,
    #[serde(default = "usual_limit")]
    pub limits: Spanned<Vec<Spanned<String>>>,
    #[serde(default = "eight")]
    pub neighbours: Spanned<u8>,
    #[serde(default, with = "as_text")]
    pub corners: CornerRule,
    #[serde(default)]
    pub forbid_crossing: bool,
    #[serde(default)]
    pub compare_with_shortest: bool,
    #[serde(default)]
    pub skip_too_many: bool,
}

/// A value that the file does not mention.
fn unsaid<T>(value: T) -> Spanned<T> {
    Spanned::new(0..0, value)
}

fn random() -> Spanned<Vec<Spanned<String>>> {
    unsaid(vec![unsaid(Kind::default().name().to_owned())])
}

fn first_seed() -> Spanned<RawNumbers> {
    unsaid(RawNumbers::One(RawNumber::Whole(1)))
}

fn usual_limit() -> Spanned<Vec<Spanned<String>>> {
    unsaid(vec![unsaid(format!("{}steps", Simulation::DEFAULT_TICKS))])
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

/// A planner's name, or a table with it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawPlanner {
    pub planner: String,
    pub agents_at_most: Option<usize>,
}

/// Reads both forms of a planner. Serde could guess the form, but then its errors would not say what is wrong
/// with the one that was meant.
pub struct NameOrTable(pub RawPlanner);

impl<'de> Deserialize<'de> for NameOrTable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = RawPlanner;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a planner's name, or { planner = NAME, agents_at_most = NUMBER }")
            }

            fn visit_str<E>(self, name: &str) -> Result<RawPlanner, E> {
                Ok(RawPlanner { planner: name.to_owned(), agents_at_most: None })
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<RawPlanner, A::Error> {
                RawPlanner::deserialize(MapAccessDeserializer::new(map))
            }
        }
        deserializer.deserialize_any(Either).map(NameOrTable)
    }
}
