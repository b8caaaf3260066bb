//! Planners by name: where the command, sweeps and bindings look planners up.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, LazyLock};

use super::{Planner, Recipe, Spec, SpecError, builtin};
use crate::formats::quoted;

/// A planner that can be built by name.
#[derive(Clone)]
pub struct Entry {
    name: Cow<'static, str>,
    about: Cow<'static, str>,
    recipe: Arc<dyn Fn() -> Box<dyn Recipe> + Send + Sync>,
}

impl Entry {
    /// An entry from the name that users type, a description in one line, and a function that makes the
    /// parameters with their defaults.
    pub fn new<R: Recipe + 'static>(
        name: impl Into<Cow<'static, str>>,
        about: impl Into<Cow<'static, str>>,
        defaults: impl Fn() -> R + Send + Sync + 'static,
    ) -> Self {
        let recipe = Arc::new(move || Box::new(defaults()) as Box<dyn Recipe>);
        Self { name: name.into(), about: about.into(), recipe }
    }

    /// The name that users type.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A description in one line.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// Its parameters, with their defaults.
    pub fn recipe(&self) -> Box<dyn Recipe> {
        (self.recipe)()
    }

    /// What a user could type to get this planner with one parameter changed, as in `bmaa:expansions=64`.
    /// Just the name if it has no parameters.
    pub fn example(&self) -> String {
        let mut recipe = self.recipe();
        let fields = recipe.fields();
        let parameter =
            fields.first().map(|field| format!(":{}={}", field.name, field.value.example()));
        format!("{}{}", self.name, parameter.unwrap_or_default())
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The planners that can be built by name: those of the engine, and those that a program adds.
///
/// A registry is a plain value, and code that looks planners up takes one as an argument. A program with
/// planners of its own adds them to a copy of [`Registry::builtin`] and passes that on.
///
/// ```
/// use jostle::planners::{Entry, Pibt, Registry};
///
/// let mut registry = Registry::builtin().clone();
/// registry.add(Entry::new("calm", "PIBT by another name", Pibt::default))?;
/// let planner = registry.parse("calm")?.build();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Registry {
    entries: Vec<Entry>,
}

static BUILTIN: LazyLock<Registry> = LazyLock::new(|| Registry { entries: builtin::entries() });

impl Registry {
    /// The planners of the engine.
    pub fn builtin() -> &'static Self {
        &BUILTIN
    }

    /// A registry without planners, for a program that uses only its own.
    pub const fn empty() -> Self {
        Self { entries: Vec::new() }
    }

    /// Adds a planner.
    ///
    /// # Errors
    /// When its name is taken, or not allowed: a name consists of ASCII letters, digits, `-` and `_`, because
    /// other characters have a meaning in what users type.
    pub fn add(&mut self, entry: Entry) -> Result<(), AddError> {
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
        if entry.name.is_empty() || !entry.name.chars().all(is_plain) {
            return Err(AddError::Malformed(entry.name.into_owned()));
        }
        if self.entries.iter().any(|other| other.name == entry.name) {
            return Err(AddError::Taken(entry.name.into_owned()));
        }
        self.entries.push(entry);
        Ok(())
    }

    /// All planners, in the order in which they were added.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The planner of that name.
    ///
    /// # Errors
    /// When there is no such planner. The error lists the planners that there are.
    pub fn find(&self, name: &str) -> Result<&Entry, SpecError> {
        self.entries.iter().find(|entry| entry.name == name).ok_or_else(|| {
            let names: Vec<_> = self.entries.iter().map(Entry::name).collect();
            SpecError::UnknownPlanner { found: name.to_owned(), allowed: names.join(", ") }
        })
    }

    /// Reads a planner's name and parameters, as in `bmaa:expansions=64:vision=3`.
    ///
    /// # Errors
    /// When there is no such planner or parameter, or a value is out of range. The error lists what is
    /// allowed.
    pub fn parse(&self, text: &str) -> Result<Spec, SpecError> {
        Spec::parse_in(self, text)
    }
}

/// A new planner of the engine by name and parameters, as in `bmaa:expansions=64`.
///
/// # Errors
/// When there is no such planner or parameter, or a value is out of range.
pub fn planner(spec: &str) -> Result<Box<dyn Planner>, SpecError> {
    Spec::parse(spec).map(|spec| spec.build())
}

/// Why a planner cannot be added to a registry.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AddError {
    /// Another planner has that name.
    #[error("there is a planner {} already: choose another name", quoted(.0))]
    Taken(String),
    /// The name is empty or has a character that is not allowed.
    #[error("{} cannot name a planner: a name consists of letters, digits, - and _", quoted(.0))]
    Malformed(String),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planners::Pibt;

    fn entry(name: &'static str) -> Entry {
        Entry::new(name, "a test", Pibt::default)
    }

    #[test]
    fn every_entry_can_be_made_with_its_own_defaults_spelled_out() {
        for entry in Registry::builtin().entries() {
            let spelled =
                entry.recipe().fields().iter().fold(entry.name().to_owned(), |spec, field| {
                    format!("{spec}:{}={}", field.name, field.value.show())
                });
            Spec::parse(&spelled).unwrap_or_else(|error| panic!("{error}"));
        }
    }

    #[test]
    fn the_example_of_every_planner_is_accepted_and_changes_something() {
        for entry in Registry::builtin().entries() {
            let spec = Spec::parse(&entry.example()).unwrap_or_else(|error| panic!("{error}"));
            assert_ne!(spec.canonical(), entry.name(), "{}", entry.example());
        }
    }

    #[test]
    fn the_example_of_every_parameter_is_another_value_that_it_may_have() {
        for entry in Registry::builtin().entries() {
            let mut recipe = entry.recipe();
            for mut field in recipe.fields() {
                let (before, example) = (field.value.show(), field.value.example());
                assert_eq!(field.value.set(&example), Ok(()), "{} of {entry:?}", field.name);
                assert_ne!(field.value.show(), before, "{} of {entry:?}", field.name);
            }
        }
    }

    #[test]
    fn a_planner_that_is_added_is_found_after_the_others() {
        let mut registry = Registry::builtin().clone();
        registry.add(entry("calm")).unwrap();
        assert_eq!(registry.entries().last().map(Entry::name), Some("calm"));
        assert_eq!(registry.parse("calm:budget=9").unwrap().text(), "calm:budget=9");
        assert!(Registry::builtin().find("calm").is_err(), "only the copy has it");
        let error = registry.parse("clam").unwrap_err().to_string();
        assert!(error.ends_with("pibt, calm"), "{error}");
    }

    #[test]
    fn names_that_are_taken_or_cannot_be_typed_are_refused() {
        let mut registry = Registry::builtin().clone();
        assert_eq!(registry.add(entry("bmaa")), Err(AddError::Taken("bmaa".to_owned())));
        for name in ["", "a b", "a:b", "a,b", "a=b", "a|b", "ä"] {
            assert_eq!(registry.add(entry(name)), Err(AddError::Malformed(name.to_owned())));
        }
        assert_eq!(registry.entries().len(), Registry::builtin().entries().len());
    }
}
