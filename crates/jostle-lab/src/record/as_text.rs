//! Values that records and specs hold as a word.

use std::fmt;
use std::marker::PhantomData;

use jostle::formats::quoted;
use jostle::instance::Kind;
use jostle::registry::did_you_mean;
use jostle::simulate::Ending;
use jostle::{CornerRule, Limits};
use serde::de::{self, Deserializer, Visitor};
use serde::ser::Serializer;

use crate::{parse_limits, write_limits};

/// A value that is written and read as a word.
pub trait AsText: Sized {
    /// The word.
    fn text(&self) -> String;

    /// The value of a word, or a sentence with the words that are allowed.
    fn from_text(text: &str) -> Result<Self, String>;
}

impl AsText for Limits {
    fn text(&self) -> String {
        write_limits(*self)
    }

    fn from_text(text: &str) -> Result<Self, String> {
        parse_limits(text)
    }
}

impl AsText for Kind {
    fn text(&self) -> String {
        self.name().to_owned()
    }

    fn from_text(text: &str) -> Result<Self, String> {
        let meant = || did_you_mean(text, &Self::ALL.map(Self::name), "the kinds are");
        Self::from_name(text)
            .ok_or_else(|| format!("there is no kind {}: {}", quoted(text), meant()))
    }
}

impl AsText for Ending {
    fn text(&self) -> String {
        self.name().to_owned()
    }

    fn from_text(text: &str) -> Result<Self, String> {
        // The name of `all-arrived` in records of Jostle 0.1.
        let text = if text == "all-home" { Self::AllArrived.name() } else { text };
        let known = Self::ALL.into_iter().find(|ending| ending.name() == text);
        known.ok_or_else(|| format!("no run ends {}", quoted(text)))
    }
}

impl AsText for CornerRule {
    fn text(&self) -> String {
        let text = match self {
            Self::BothFree => "both",
            Self::OneFree => "one",
            Self::Ignored => "none",
        };
        text.to_owned()
    }

    fn from_text(text: &str) -> Result<Self, String> {
        match text {
            "both" => Ok(Self::BothFree),
            "one" => Ok(Self::OneFree),
            "none" => Ok(Self::Ignored),
            _ => {
                Err(format!("{} is not a rule for corners: write both, one or none", quoted(text)))
            }
        }
    }
}

/// For `#[serde(with = "as_text")]`.
pub fn serialize<T: AsText, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&value.text())
}

/// For `#[serde(with = "as_text")]`.
pub fn deserialize<'de, T: AsText, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_str(Word(PhantomData))
}

struct Word<T>(PhantomData<T>);

impl<T: AsText> Visitor<'_> for Word<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        T::from_text(text).map_err(E::custom)
    }
}

/// The same for values that may be missing.
pub mod optional {
    use serde::Deserialize;

    use super::{AsText, Deserializer, Serializer};

    /// For `#[serde(with = "as_text::optional")]`.
    #[allow(clippy::ref_option, reason = "serde calls it so")]
    pub fn serialize<T: AsText, S: Serializer>(
        value: &Option<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => super::serialize(value, serializer),
            None => serializer.serialize_none(),
        }
    }

    /// For `#[serde(with = "as_text::optional")]`.
    pub fn deserialize<'de, T: AsText, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        #[derive(Deserialize)]
        #[serde(bound = "T: AsText")]
        struct Present<T>(#[serde(with = "super")] T);
        Ok(Option::<Present<T>>::deserialize(deserializer)?.map(|Present(value)| value))
    }
}

#[cfg(test)]
mod tests {
    use jostle::Crossing;

    use super::super::ProofName;
    use super::*;
    use crate::ProblemKind;

    fn is_read_as_written<T: AsText + PartialEq + fmt::Debug>(values: &[T]) {
        for value in values {
            assert_eq!(T::from_text(&value.text()).as_ref(), Ok(value));
        }
        assert!(T::from_text("nonsense").unwrap_err().contains("'nonsense'"));
    }

    #[test]
    fn every_word_is_read_as_it_was_written() {
        is_read_as_written(&Ending::ALL);
        is_read_as_written(&Kind::ALL);
        is_read_as_written(&Kind::ALL.map(ProblemKind::Crowd));
        is_read_as_written(&[ProblemKind::Meetings]);
        is_read_as_written(&ProofName::ALL);
        is_read_as_written(&[CornerRule::BothFree, CornerRule::OneFree, CornerRule::Ignored]);
        is_read_as_written(&[Crossing::Allowed, Crossing::Forbidden]);
        is_read_as_written(&[Limits::ticks(7), Limits::expansions(9)]);
    }

    #[test]
    fn the_old_word_for_an_ending_is_understood() {
        assert_eq!(Ending::from_text("all-home"), Ok(Ending::AllArrived));
    }
}
