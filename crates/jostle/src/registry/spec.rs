//! What is built by name, as users type it: a name, and parameters after colons.

use std::fmt;
use std::sync::Arc;

use super::{Entry, Named, Recipe, Registry, nearest};
use crate::formats::quoted;
use crate::script::Script;

/// A planner or solver as users type it, as in `bmaa:expansions=64:vision=3`. It exists and accepts these parameters.
pub struct Spec<T: ?Sized> {
    text: String,
    canonical: String,
    recipe: Arc<dyn Recipe<T>>,
}

impl<T: Named + ?Sized> Spec<T> {
    /// Reads the name and parameters of something that comes with the engine; [`Registry::parse`] also finds what
    /// a program has added.
    ///
    /// # Errors
    /// When there is no such name or parameter, or a value is out of range. The error lists what is allowed.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        Self::parse_in(Registry::builtin(), text)
    }

    pub(super) fn parse_in(registry: &Registry<T>, text: &str) -> Result<Self, SpecError> {
        let mut parts = text.split(':').map(str::trim);
        let entry = registry.find(parts.next().unwrap_or_default())?;
        let mut recipe = entry.recipe();
        let mut names = Vec::new();
        for part in parts {
            let name = set_parameter(entry.name(), recipe.as_mut(), part)?;
            if names.contains(&name) {
                let owner = entry.name().to_owned();
                return Err(SpecError::GivenTwice { owner, name: name.to_owned() });
            }
            names.push(name);
        }
        let canonical = canonical(entry, recipe.as_mut());
        Ok(Self { text: text.trim().to_owned(), canonical, recipe: recipe.into() })
    }
}

impl<T: ?Sized> Spec<T> {
    /// What the user typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The name with the parameters that differ from their defaults, in the order in which help lists them. Two
    /// texts that mean the same have the same canonical text.
    pub fn canonical(&self) -> &str {
        &self.canonical
    }

    /// A new one with these parameters.
    pub fn build(&self) -> Box<T> {
        self.recipe.build()
    }

    /// A new one that knows beforehand what this script will change; none if it cannot use that.
    pub fn build_knowing(&self, script: &Script) -> Option<Box<T>> {
        self.recipe.build_knowing(script)
    }
}

impl<T: ?Sized> Clone for Spec<T> {
    fn clone(&self) -> Self {
        let Self { text, canonical, recipe } = self;
        Self { text: text.clone(), canonical: canonical.clone(), recipe: Arc::clone(recipe) }
    }
}

impl<T: ?Sized> fmt::Debug for Spec<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Spec").field(&self.text).finish()
    }
}

/// Sets a parameter, and returns its name.
fn set_parameter<T: Named + ?Sized>(
    owner: &str,
    recipe: &mut dyn Recipe<T>,
    part: &str,
) -> Result<&'static str, SpecError> {
    let owner = || owner.to_owned();
    let (name, value) = part
        .split_once('=')
        .ok_or_else(|| SpecError::NotAParameter { owner: owner(), found: part.to_owned() })?;
    let (name, value) = (name.trim(), value.trim());
    let mut fields = recipe.fields();
    let Some(field) = fields.iter_mut().find(|field| field.name == name) else {
        let names: Vec<_> = fields.iter().map(|field| field.name).collect();
        let allowed = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let suggestion = nearest(name, names).map(str::to_owned);
        let found = name.to_owned();
        return Err(SpecError::UnknownParameter {
            what: T::WORD,
            owner: owner(),
            found,
            suggestion,
            allowed,
        });
    };
    field.value.set(value).map(|()| field.name).map_err(|allowed| SpecError::BadValue {
        owner: owner(),
        name: field.name.to_owned(),
        found: value.to_owned(),
        allowed,
    })
}

fn canonical<T: ?Sized>(entry: &Entry<T>, recipe: &mut dyn Recipe<T>) -> String {
    let mut defaults = entry.recipe();
    let pairs = recipe.fields().into_iter().zip(defaults.fields());
    let changed = pairs.filter_map(|(field, default)| {
        let value = field.value.show();
        (value != default.value.show()).then(|| format!(":{}={value}", field.name))
    });
    format!("{}{}", entry.name(), changed.collect::<String>())
}

/// Why a text does not name a planner or solver.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// Nothing has that name.
    #[error(
        "there is no {what} {}: {}",
        quoted(found),
        meant(suggestion.as_ref(), || format!("the {what}s are {allowed}"))
    )]
    UnknownName {
        /// What was looked for: a planner or a solver.
        what: &'static str,
        /// What was typed.
        found: String,
        /// The name that was probably meant.
        suggestion: Option<String>,
        /// All names, separated by commas.
        allowed: String,
    },
    /// Something between colons is not `name=value`.
    #[error("{} is not a parameter of {owner}: write name=value after a colon", quoted(found))]
    NotAParameter {
        /// The name of the planner or solver.
        owner: String,
        /// What was typed.
        found: String,
    },
    /// There is no such parameter.
    #[error(
        "{owner} has no parameter {}: {}",
        quoted(found),
        meant(suggestion.as_ref(), || format!("it has {allowed}"))
    )]
    UnknownParameter {
        /// What it is looked for in: a planner or a solver.
        what: &'static str,
        /// The name of the planner or solver.
        owner: String,
        /// What was typed.
        found: String,
        /// The name that was probably meant.
        suggestion: Option<String>,
        /// The names of its parameters, separated by commas.
        allowed: String,
    },
    /// The parameter cannot have this value.
    #[error("{name} of {owner} cannot be {}: it is {allowed}", quoted(found))]
    BadValue {
        /// The name of the planner or solver.
        owner: String,
        /// The name of the parameter.
        name: String,
        /// What was typed.
        found: String,
        /// The allowed values, as the end of a sentence.
        allowed: String,
    },
    /// A parameter has two values.
    #[error("{name} of {owner} is given twice")]
    GivenTwice {
        /// The name of the planner or solver.
        owner: String,
        /// The name of the parameter.
        name: String,
    },
}

/// The name that was probably meant, as a question, or else what there is.
fn meant(suggestion: Option<&String>, known: impl FnOnce() -> String) -> String {
    suggestion.map_or_else(known, |name| format!("did you mean '{name}'?"))
}

#[cfg(test)]
mod tests {
    use crate::planners::Spec;
    use crate::solvers;

    fn error(spec: &str) -> String {
        Spec::parse(spec).unwrap_err().to_string()
    }

    #[test]
    fn errors_list_what_is_allowed() {
        assert!(
            error("bmz").starts_with("there is no planner 'bmz': the planners are jostle, bmaa, ")
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
    fn a_parameter_that_is_given_twice_is_refused() {
        let said = error("bmaa:expansions=3: expansions =4");
        assert_eq!(said, "expansions of bmaa is given twice");
    }

    #[test]
    fn errors_suggest_what_was_probably_meant() {
        assert_eq!(error("bma"), "there is no planner 'bma': did you mean 'bmaa'?");
        assert_eq!(
            error("bmaa:expansion=3"),
            "bmaa has no parameter 'expansion': did you mean 'expansions'?"
        );
        assert_eq!(
            error("bmaa:order=rotate"),
            "order of bmaa cannot be 'rotate': it is one of id, rotating"
        );
    }

    #[test]
    fn errors_about_solvers_say_so() {
        let error = |spec: &str| solvers::Spec::parse(spec).unwrap_err().to_string();
        assert!(error("bmaa").starts_with("there is no solver 'bmaa': the solvers are cbs"));
        assert_eq!(
            error("cbs:objective=time"),
            "objective of cbs cannot be 'time': it is one of sum, makespan"
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
