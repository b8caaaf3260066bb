//! Parameters by name: one list for each planner or solver serves reading, setting, help and errors.

use std::ops::RangeInclusive;

use super::Recipe;

/// One parameter of a planner or solver, by name.
#[derive(Debug)]
pub struct Field<'a> {
    /// The name that users type.
    pub name: &'static str,
    /// What it does, in one line, with its unit.
    pub about: &'static str,
    /// The value itself, in the struct of parameters.
    pub value: Value<'a>,
}

impl<'a> Field<'a> {
    /// The parameter that bounds the work of a tick.
    pub fn budget(value: &'a mut Option<u32>) -> Self {
        let about = "the most nodes to expand in a tick, all agents together";
        Self { name: "budget", about, value: Value::Limit(value) }
    }
}

/// The value of a parameter, and the values that are allowed.
#[derive(Debug)]
#[non_exhaustive]
pub enum Value<'a> {
    /// A whole number.
    Count {
        /// The value itself, in the struct of parameters.
        value: &'a mut u32,
        /// The smallest and the largest value that are allowed.
        range: RangeInclusive<u32>,
    },
    /// A number.
    Real {
        /// The value itself, in the struct of parameters.
        value: &'a mut f64,
        /// The smallest and the largest value that are allowed.
        range: RangeInclusive<f64>,
    },
    /// A whole number, not below 1, or no limit.
    Limit(&'a mut Option<u32>),
    /// Yes or no.
    Flag(&'a mut bool),
    /// One of a few names.
    Name(&'a mut dyn Choice),
}

/// A value that is chosen by name from a fixed list.
pub trait Choice: std::fmt::Debug {
    /// All names, in the order in which errors list them.
    fn names(&self) -> &'static [&'static str];
    /// The name of the present value.
    fn name(&self) -> &'static str;
    /// Sets the value of that name. Returns false, and changes nothing, if there is no such name.
    fn choose(&mut self, name: &str) -> bool;
}

impl Value<'_> {
    /// Sets the value from what a user typed.
    ///
    /// # Errors
    /// When the text is not an allowed value. The error says what is allowed.
    pub fn set(&mut self, text: &str) -> Result<(), String> {
        let is_set = match self {
            Self::Count { value, range } => {
                let number = text.parse().ok().filter(|number| range.contains(number));
                number.map(|number| **value = number)
            }
            Self::Real { value, range } => {
                let number = text.parse().ok().filter(|number| range.contains(number));
                number.map(|number| **value = number)
            }
            Self::Limit(value) => match text {
                "unlimited" => Some(None),
                text => text.parse().ok().filter(|number| *number >= 1).map(Some),
            }
            .map(|limit| **value = limit),
            Self::Flag(value) => match text {
                "true" | "yes" | "on" => Some(true),
                "false" | "no" | "off" => Some(false),
                _ => None,
            }
            .map(|flag| **value = flag),
            Self::Name(choice) => choice.choose(text).then_some(()),
        };
        is_set.ok_or_else(|| self.allowed())
    }

    /// Replaces a number that is out of range by the nearest one that is allowed. (For what is not a number, that
    /// is the smallest.)
    fn clamp(&mut self) {
        match self {
            Self::Count { value, range } => **value = (**value).clamp(*range.start(), *range.end()),
            Self::Real { value, range } => **value = value.max(*range.start()).min(*range.end()),
            Self::Limit(value) => **value = value.map(|limit| limit.max(1)),
            Self::Flag(_) | Self::Name(_) => {}
        }
    }

    /// The allowed values, as the end of a sentence.
    pub fn allowed(&self) -> String {
        match self {
            Self::Count { range, .. } => {
                format!("a whole number from {} to {}", range.start(), range.end())
            }
            Self::Real { range, .. } => {
                format!("a number from {} to {}", range.start(), range.end())
            }
            Self::Limit(_) => format!("a whole number from 1 to {}, or unlimited", u32::MAX),
            Self::Flag(_) => "true or false".to_owned(),
            Self::Name(choice) => format!("one of {}", choice.names().join(", ")),
        }
    }

    /// The value as a user would type it.
    pub fn show(&self) -> String {
        match self {
            Self::Count { value, .. } => value.to_string(),
            Self::Real { value, .. } => value.to_string(),
            Self::Limit(value) => {
                value.map_or_else(|| "unlimited".to_owned(), |limit| limit.to_string())
            }
            Self::Flag(value) => value.to_string(),
            Self::Name(choice) => choice.name().to_owned(),
        }
    }

    /// An allowed value other than the present one, as a user would type it, for help texts.
    pub fn example(&self) -> String {
        match self {
            Self::Count { value, range } => twice(**value, range).to_string(),
            Self::Real { value, range } => {
                let next = (**value + 1.0).floor();
                if range.contains(&next) && next > **value { next } else { *range.start() }
                    .to_string()
            }
            Self::Limit(None) => "10000".to_owned(),
            Self::Limit(Some(limit)) => twice(*limit, &(1..=u32::MAX)).to_string(),
            Self::Flag(value) => (!**value).to_string(),
            Self::Name(choice) => {
                let other = choice.names().iter().find(|name| **name != choice.name());
                other.unwrap_or(&choice.name()).to_string()
            }
        }
    }
}

/// Twice the number, or another allowed number where that is the same or too large.
fn twice(number: u32, range: &RangeInclusive<u32>) -> u32 {
    match number.checked_mul(2).filter(|twice| range.contains(twice)) {
        Some(0) => 1,
        Some(twice) => twice,
        None => *range.start(),
    }
}

/// These parameters, with every number in its range. What users type is checked; this is for programs that set
/// fields directly, because a planner or solver can rely on its ranges.
pub(crate) fn within_ranges<T: ?Sized, R: Recipe<T>>(mut recipe: R) -> R {
    for field in &mut recipe.fields() {
        field.value.clamp();
    }
    recipe
}

/// Implements [`Choice`] for an enum without data.
macro_rules! choice {
    ($type:ty { $($variant:ident = $name:literal),+ $(,)? }) => {
        impl $crate::registry::Choice for $type {
            fn names(&self) -> &'static [&'static str] {
                &[$($name),+]
            }
            fn name(&self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }
            fn choose(&mut self, name: &str) -> bool {
                match name {
                    $($name => { *self = Self::$variant; true })+
                    _ => false,
                }
            }
        }
    };
}
pub(crate) use choice;
