//! Planners as users type them: a name, and parameters after colons.

use std::fmt;
use std::sync::Arc;

use super::{Entry, Planner, Recipe, Registry};
use crate::formats::quoted;

/// A planner as users type it, as in `bmaa:expansions=64:vision=3`. The planner exists and accepts these
/// parameters.
#[derive(Clone)]
pub struct Spec {
    text: String,
    canonical: String,
    recipe: Arc<dyn Recipe>,
}

impl Spec {
    /// Reads the name and parameters of a planner of the engine; [`Registry::parse`] also finds planners that
    /// a program has added.
    ///
    /// # Errors
    /// When there is no such planner or parameter, or a value is out of range. The error lists what is
    /// allowed.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        Self::parse_in(Registry::builtin(), text)
    }

    pub(super) fn parse_in(registry: &Registry, text: &str) -> Result<Self, SpecError> {
        let mut parts = text.split(':').map(str::trim);
        let entry = registry.find(parts.next().unwrap_or_default())?;
        let mut recipe = entry.recipe();
        for part in parts {
            set_parameter(entry.name(), recipe.as_mut(), part)?;
        }
        let canonical = canonical(entry, recipe.as_mut());
        Ok(Self { text: text.trim().to_owned(), canonical, recipe: recipe.into() })
    }

    /// What the user typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The name with the parameters that differ from their defaults, in the planner's order. Two texts that
    /// mean the same planner have the same canonical text.
    pub fn canonical(&self) -> &str {
        &self.canonical
    }

    /// A new planner with these parameters.
    pub fn build(&self) -> Box<dyn Planner> {
        self.recipe.build()
    }
}

impl fmt::Debug for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Spec").field(&self.text).finish()
    }
}

fn set_parameter(planner: &str, recipe: &mut dyn Recipe, part: &str) -> Result<(), SpecError> {
    let planner = || planner.to_owned();
    let (name, value) = part
        .split_once('=')
        .ok_or_else(|| SpecError::NotAParameter { planner: planner(), found: part.to_owned() })?;
    let (name, value) = (name.trim(), value.trim());
    let mut fields = recipe.fields();
    let Some(field) = fields.iter_mut().find(|field| field.name == name) else {
        let names: Vec<_> = fields.iter().map(|field| field.name).collect();
        let allowed = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let found = name.to_owned();
        return Err(SpecError::UnknownParameter { planner: planner(), found, allowed });
    };
    field.value.set(value).map_err(|allowed| SpecError::BadValue {
        planner: planner(),
        name: field.name.to_owned(),
        found: value.to_owned(),
        allowed,
    })
}

fn canonical(entry: &Entry, recipe: &mut dyn Recipe) -> String {
    let mut defaults = entry.recipe();
    let pairs = recipe.fields().into_iter().zip(defaults.fields());
    let changed = pairs.filter_map(|(field, default)| {
        let value = field.value.show();
        (value != default.value.show()).then(|| format!(":{}={value}", field.name))
    });
    format!("{}{}", entry.name(), changed.collect::<String>())
}

/// Why a text does not name a planner.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// No planner has that name.
    #[error("there is no planner {}: the planners are {allowed}", quoted(found))]
    UnknownPlanner {
        /// What was typed.
        found: String,
        /// The names of all planners, separated by commas.
        allowed: String,
    },
    /// Something between colons is not `name=value`.
    #[error("{} is not a parameter of {planner}: write name=value after a colon", quoted(found))]
    NotAParameter {
        /// The name of the planner.
        planner: String,
        /// What was typed.
        found: String,
    },
    /// The planner has no such parameter.
    #[error("{planner} has no parameter {}: it has {allowed}", quoted(found))]
    UnknownParameter {
        /// The name of the planner.
        planner: String,
        /// What was typed.
        found: String,
        /// The names of its parameters, separated by commas.
        allowed: String,
    },
    /// The parameter cannot have this value.
    #[error("{name} of {planner} cannot be {}: it is {allowed}", quoted(found))]
    BadValue {
        /// The name of the planner.
        planner: String,
        /// The name of the parameter.
        name: String,
        /// What was typed.
        found: String,
        /// The allowed values, as the end of a sentence.
        allowed: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(spec: &str) -> String {
        Spec::parse(spec).unwrap_err().to_string()
    }

    #[test]
    fn errors_list_what_is_allowed() {
        assert!(
            error("bma").starts_with("there is no planner 'bma': the planners are jostle, bmaa, ")
        );
        assert!(
            error("bmaa:speed=3").starts_with("bmaa has no parameter 'speed': it has expansions, ")
        );
        assert_eq!(
            error("bmaa:expansions=0"),
            "expansions of bmaa cannot be '0': it is a whole number from 1 to 1000000"
        );
        assert_eq!(
            error("bmaa:expansions=5000000000"),
            "expansions of bmaa cannot be '5000000000': it is a whole number from 1 to 1000000"
        );
        assert_eq!(error("bmaa:push=maybe"), "push of bmaa cannot be 'maybe': it is true or false");
        assert_eq!(
            error("bmaa:order=random"),
            "order of bmaa cannot be 'random': it is one of id, rotating"
        );
        assert_eq!(
            error("bmaa:push"),
            "'push' is not a parameter of bmaa: write name=value after a colon"
        );
    }

    #[test]
    fn two_texts_that_mean_the_same_planner_have_one_canonical_text() {
        let canonical = |text: &str| Spec::parse(text).unwrap().canonical().to_owned();
        assert_eq!(canonical("bmaa:expansions=32"), "bmaa");
        assert_eq!(canonical("bmaa:push=yes:moves=8"), canonical("bmaa: moves=8 :push=true"));
        assert_eq!(canonical("bmaa:push=yes:moves=8"), "bmaa:moves=8:push=true");
        assert_eq!(canonical("bmaa-c"), "bmaa-c");
    }
}
