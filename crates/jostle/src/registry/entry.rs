//! One line of a registry.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::Recipe;

/// Makes the parameters with their defaults.
type Defaults<T> = Arc<dyn Fn() -> Box<dyn Recipe<T>> + Send + Sync>;

/// A planner or solver that can be built by name.
pub struct Entry<T: ?Sized> {
    name: Cow<'static, str>,
    about: Cow<'static, str>,
    recipe: Defaults<T>,
}

impl<T: ?Sized> Entry<T> {
    /// An entry from the name that users type, a description in one line, and a function that makes the
    /// parameters with their defaults.
    pub fn new<R: Recipe<T> + 'static>(
        name: impl Into<Cow<'static, str>>,
        about: impl Into<Cow<'static, str>>,
        defaults: impl Fn() -> R + Send + Sync + 'static,
    ) -> Self {
        let recipe = Arc::new(move || Box::new(defaults()) as Box<dyn Recipe<T>>);
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
    pub fn recipe(&self) -> Box<dyn Recipe<T>> {
        (self.recipe)()
    }

    /// What a user could type to get this with one parameter changed, as in `bmaa:expansions=64`.
    /// Just the name if it has no parameters.
    pub fn example(&self) -> String {
        let mut recipe = self.recipe();
        let fields = recipe.fields();
        let parameter =
            fields.first().map(|field| format!(":{}={}", field.name, field.value.example()));
        format!("{}{}", self.name, parameter.unwrap_or_default())
    }
}

impl<T: ?Sized> Clone for Entry<T> {
    fn clone(&self) -> Self {
        let Self { name, about, recipe } = self;
        Self { name: name.clone(), about: about.clone(), recipe: Arc::clone(recipe) }
    }
}

impl<T: ?Sized> fmt::Debug for Entry<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry").field("name", &self.name).finish_non_exhaustive()
    }
}
