//! Parameters by name: one list for each planner serves reading, setting, help and errors.

/// One parameter of a planner, by name.
#[derive(Debug)]
pub struct Field<'a> {
    /// The name that users type.
    pub name: &'static str,
    /// What it does, in one line, with its unit.
    pub about: &'static str,
    /// The value itself, in the planner's struct of parameters.
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
    /// A whole number, not below `least`.
    Count {
        /// The value itself, in the planner's struct of parameters.
        value: &'a mut u32,
        /// The smallest value that is allowed.
        least: u32,
    },
    /// A number, not below `least`.
    Real {
        /// The value itself, in the planner's struct of parameters.
        value: &'a mut f64,
        /// The smallest value that is allowed.
        least: f64,
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
            Self::Count { value, least } => {
                text.parse().ok().filter(|number| *number >= *least).map(|number| **value = number)
            }
            Self::Real { value, least } => text
                .parse()
                .ok()
                .filter(|number: &f64| number.is_finite() && number >= least)
                .map(|number| **value = number),
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
        is_set.ok_or_else(|| match (&self, text.parse::<u128>()) {
            (Self::Count { .. } | Self::Limit(_), Ok(number)) if number > u32::MAX.into() => {
                format!("at most {}", u32::MAX)
            }
            _ => self.allowed(),
        })
    }

    /// The allowed values, as the end of a sentence.
    pub fn allowed(&self) -> String {
        match self {
            Self::Count { least, .. } => format!("a whole number, {least} or more"),
            Self::Real { least, .. } => format!("a number, {least} or more"),
            Self::Limit(_) => "a whole number, 1 or more, or unlimited".to_owned(),
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
            Self::Count { value, least } => twice(**value, *least).to_string(),
            Self::Real { value, least } => {
                let next = (**value + 1.0).floor();
                if next > **value { next.to_string() } else { least.to_string() }
            }
            Self::Limit(None) => "10000".to_owned(),
            Self::Limit(Some(limit)) => twice(*limit, 1).to_string(),
            Self::Flag(value) => (!**value).to_string(),
            Self::Name(choice) => {
                let other = choice.names().iter().find(|name| **name != choice.name());
                other.unwrap_or(&choice.name()).to_string()
            }
        }
    }
}

/// Twice the number, or another allowed number where doubling changes nothing or overflows.
fn twice(number: u32, least: u32) -> u32 {
    match number.checked_mul(2) {
        Some(0) => least.max(1),
        Some(twice) => twice,
        None => number - 1,
    }
}

/// Implements [`Choice`] for an enum without data.
macro_rules! choice {
    ($type:ty { $($variant:ident = $name:literal),+ $(,)? }) => {
        impl $crate::planners::Choice for $type {
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
pub(super) use choice;
