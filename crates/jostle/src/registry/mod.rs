//! What is built by name: where the command, sweeps and bindings look planners and solvers up.
//!
//! There is one registry for the planners and one for the solvers. They are the same code: names, parameters, help and errors
//! work alike. [`planners`](crate::planners) and [`solvers`](crate::solvers) have short names for their own.

mod entry;
mod nearest;
mod params;
mod spec;

pub use entry::Entry;
pub use nearest::{did_you_mean, nearest};
pub use params::{Choice, Field, Value};
pub(crate) use params::{choice, within_ranges};
pub use spec::{Spec, SpecError};

use std::fmt;

use crate::formats::quoted;
use crate::planner::Planner;
use crate::script::Script;

/// What can be looked up by name: `dyn Planner` and `dyn Solver`.
pub trait Named: 'static {
    /// What errors call it, as in "there is no planner 'x'". The plural has an s.
    const WORD: &'static str;

    /// Those that come with the engine.
    fn builtin() -> &'static Registry<Self>;
}

/// The parameters of a planner or solver, which build it: a plain struct with defaults. Unless another type is named,
/// what it builds is a planner.
///
/// ```
/// use jostle::planners::{Field, Planner, Recipe, Value, Work};
/// use jostle::{Moves, World};
///
/// /// Lets every agent wait.
/// struct Wait;
///
/// impl Planner for Wait {
///     fn plan(&mut self, _: &World, _: &mut Moves) -> Work {
///         Work::default()
///     }
/// }
///
/// #[derive(Default)]
/// struct Patience {
///     ticks: u32,
/// }
///
/// impl Recipe for Patience {
///     fn fields(&mut self) -> Vec<Field<'_>> {
///         let ticks = Value::Count { value: &mut self.ticks, range: 0..=100 };
///         vec![Field { name: "ticks", about: "how long to wait", value: ticks }]
///     }
///
///     fn build(&self) -> Box<dyn Planner> {
///         Box::new(Wait)
///     }
/// }
/// ```
pub trait Recipe<T: ?Sized = dyn Planner>: Send + Sync {
    /// The parameters by name, to read and to set. By default there are none.
    fn fields(&mut self) -> Vec<Field<'_>> {
        Vec::new()
    }

    /// A new one with these parameters.
    fn build(&self) -> Box<T>;

    /// A new one that knows beforehand what this script will change; none, as by default, if it cannot use that.
    fn build_knowing(&self, _script: &Script) -> Option<Box<T>> {
        None
    }
}

/// What can be built by name: those of the engine, and those that a program adds.
///
/// A registry is a plain value, and code that looks names up takes one as an argument. A program with planners or
/// solvers of its own adds them to a copy of [`Registry::builtin`] and passes that on.
pub struct Registry<T: ?Sized> {
    entries: Vec<Entry<T>>,
}

impl<T: Named + ?Sized> Registry<T> {
    /// Those of the engine.
    pub fn builtin() -> &'static Self {
        T::builtin()
    }

    /// A registry with these entries, whose names differ.
    pub(crate) const fn of(entries: Vec<Entry<T>>) -> Self {
        Self { entries }
    }

    /// A registry without entries, for a program that uses only its own.
    pub const fn empty() -> Self {
        Self { entries: Vec::new() }
    }

    /// Adds an entry.
    ///
    /// # Errors
    /// When its name is taken, or not allowed: a name consists of ASCII letters, digits, `-` and `_`, because
    /// other characters have a meaning in what users type.
    pub fn add(&mut self, entry: Entry<T>) -> Result<(), AddError> {
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
        if entry.name().is_empty() || !entry.name().chars().all(is_plain) {
            return Err(AddError::Malformed { what: T::WORD, name: entry.name().to_owned() });
        }
        if self.entries.iter().any(|other| other.name() == entry.name()) {
            return Err(AddError::Taken { what: T::WORD, name: entry.name().to_owned() });
        }
        self.entries.push(entry);
        Ok(())
    }

    /// All entries, in the order in which they were added.
    pub fn entries(&self) -> &[Entry<T>] {
        &self.entries
    }

    /// The entry of that name.
    ///
    /// # Errors
    /// When there is none. The error suggests the name that was probably meant, or lists those that there are.
    pub fn find(&self, name: &str) -> Result<&Entry<T>, SpecError> {
        self.entries.iter().find(|entry| entry.name() == name).ok_or_else(|| {
            let names: Vec<_> = self.entries.iter().map(Entry::name).collect();
            let suggestion = nearest(name, names.iter().copied()).map(str::to_owned);
            let (found, allowed) = (name.to_owned(), names.join(", "));
            SpecError::UnknownName { what: T::WORD, found, suggestion, allowed }
        })
    }

    /// Reads a name and parameters, as in `bmaa:expansions=64:vision=3`.
    ///
    /// # Errors
    /// When there is no such name or parameter, or a value is out of range. The error suggests what was probably meant, or lists what is
    /// allowed.
    pub fn parse(&self, text: &str) -> Result<Spec<T>, SpecError> {
        Spec::parse_in(self, text)
    }
}

impl<T: ?Sized> Clone for Registry<T> {
    fn clone(&self) -> Self {
        Self { entries: self.entries.clone() }
    }
}

impl<T: ?Sized> fmt::Debug for Registry<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registry").field("entries", &self.entries).finish()
    }
}

/// Why an entry cannot be added to a registry.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AddError {
    /// Another entry has that name.
    #[error("there is a {what} {} already: choose another name", quoted(name))]
    Taken {
        /// What was to be added: a planner or a solver.
        what: &'static str,
        /// Its name.
        name: String,
    },
    /// The name is empty or has a character that is not allowed.
    #[error("{} cannot name a {what}: a name consists of letters, digits, - and _", quoted(name))]
    Malformed {
        /// What was to be added: a planner or a solver.
        what: &'static str,
        /// Its name.
        name: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planners::{self, Pibt};
    use crate::solvers::{self, Solver};

    fn entry(name: &'static str) -> planners::Entry {
        Entry::new(name, "a test", Pibt::default)
    }

    fn can_be_made_with_defaults_spelled_out<T: Named + ?Sized>() {
        for entry in Registry::<T>::builtin().entries() {
            let spelled =
                entry.recipe().fields().iter().fold(entry.name().to_owned(), |spec, field| {
                    format!("{spec}:{}={}", field.name, field.value.show())
                });
            let spec = Spec::<T>::parse(&spelled).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(spec.canonical(), entry.name());
        }
    }

    #[test]
    fn every_entry_can_be_made_with_its_own_defaults_spelled_out() {
        can_be_made_with_defaults_spelled_out::<dyn Planner>();
        can_be_made_with_defaults_spelled_out::<dyn Solver>();
    }

    fn examples_change_something<T: Named + ?Sized>() {
        for entry in Registry::<T>::builtin().entries() {
            let spec = Spec::<T>::parse(&entry.example()).unwrap_or_else(|error| panic!("{error}"));
            let has_parameters = !entry.recipe().fields().is_empty();
            assert_eq!(spec.canonical() != entry.name(), has_parameters, "{}", entry.example());
        }
    }

    #[test]
    fn the_example_of_every_entry_is_accepted_and_changes_something() {
        examples_change_something::<dyn Planner>();
        examples_change_something::<dyn Solver>();
    }

    fn examples_are_other_values<T: Named + ?Sized>() {
        for entry in Registry::<T>::builtin().entries() {
            let mut recipe = entry.recipe();
            for mut field in recipe.fields() {
                let (before, example) = (field.value.show(), field.value.example());
                assert_eq!(field.value.set(&example), Ok(()), "{} of {entry:?}", field.name);
                assert_ne!(field.value.show(), before, "{} of {entry:?}", field.name);
            }
        }
    }

    #[test]
    fn the_example_of_every_parameter_is_another_value_that_it_may_have() {
        examples_are_other_values::<dyn Planner>();
        examples_are_other_values::<dyn Solver>();
    }

    fn names_differ<T: Named + ?Sized>() {
        for (number, entry) in Registry::<T>::builtin().entries().iter().enumerate() {
            let before = &Registry::<T>::builtin().entries()[..number];
            assert!(before.iter().all(|other| other.name() != entry.name()), "{entry:?}");
        }
    }

    #[test]
    fn no_two_entries_of_the_engine_have_one_name() {
        names_differ::<dyn Planner>();
        names_differ::<dyn Solver>();
    }

    #[test]
    fn a_planner_that_is_added_is_found_after_the_others() {
        let mut registry = planners::Registry::builtin().clone();
        registry.add(entry("calm")).unwrap();
        assert_eq!(registry.entries().last().map(Entry::name), Some("calm"));
        assert_eq!(registry.parse("calm:budget=9").unwrap().text(), "calm:budget=9");
        assert!(planners::Registry::builtin().find("calm").is_err(), "only the copy has it");
        let error = registry.parse("clam").unwrap_err().to_string();
        assert_eq!(error, "there is no planner 'clam': did you mean 'calm'?");
        let error = registry.parse("teleport").unwrap_err().to_string();
        assert!(error.ends_with(", calm"), "{error}");
    }

    #[test]
    fn names_that_are_taken_or_cannot_be_typed_are_refused() {
        let mut registry = planners::Registry::builtin().clone();
        let error = registry.add(entry("bmaa")).unwrap_err().to_string();
        assert_eq!(error, "there is a planner 'bmaa' already: choose another name");
        for name in ["", "a b", "a:b", "a,b", "a=b", "a|b", "ä"] {
            let error = registry.add(entry(name)).unwrap_err();
            assert_eq!(error, AddError::Malformed { what: "planner", name: name.to_owned() });
        }
        assert_eq!(registry.entries().len(), planners::Registry::builtin().entries().len());
        let mut registry = solvers::Registry::builtin().clone();
        let twice = Entry::new("cbs", "a test", solvers::Cbs::default);
        let error = registry.add(twice).unwrap_err().to_string();
        assert_eq!(error, "there is a solver 'cbs' already: choose another name");
    }
}
