//! Planners by name: the one list that the command, the lab and the bindings read.

use std::fmt;

use super::{Bmaa, Cooperative, Far, Jostle, Lra, Pibt, Planner, Recipe, Whca};

/// A planner that can be made by name.
#[derive(Clone, Copy)]
pub struct Entry {
    /// What users type.
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// Its parameters, with their defaults.
    pub recipe: fn() -> Box<dyn Recipe>,
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Every planner.
pub const ENTRIES: &[Entry] = &[
    Entry {
        name: "jostle",
        about: "Jostle's own: learning searches, landmarks, and priority inheritance",
        recipe: || Box::new(Jostle::default()),
    },
    Entry {
        name: "bmaa",
        about: "Bounded Multi-Agent A*: every agent learns on its own, others are obstacles",
        recipe: || Box::new(Bmaa::default()),
    },
    Entry {
        name: "bmaa-c",
        about: "BMAA* that pushes agents off their goals when they stand in the way",
        recipe: || Box::new(Bmaa { push: true, ..Bmaa::default() }),
    },
    Entry {
        name: "bmaa-f",
        about: "BMAA* on one-way streets (flow annotation)",
        recipe: || Box::new(Bmaa { flow: true, ..Bmaa::default() }),
    },
    Entry {
        name: "bmaa-f-c",
        about: "BMAA* that does both",
        recipe: || Box::new(Bmaa { push: true, flow: true, ..Bmaa::default() }),
    },
    Entry {
        name: "far",
        about: "Flow Annotated Replanning: routes on one-way streets, moves reserved ahead",
        recipe: || Box::new(Far::default()),
    },
    Entry {
        name: "astar-replan",
        about: "FAR on the plain floor: shortest routes, moves reserved ahead",
        recipe: || Box::new(Far { flow: false, ..Far::default() }),
    },
    Entry {
        name: "lra",
        about: "Local Repair A*: finds another route when the way is blocked, ever more at random",
        recipe: || Box::new(Lra::default()),
    },
    Entry {
        name: "ca",
        about: "Cooperative A*: whole routes through space and time, past those reserved before",
        recipe: || Box::new(Cooperative::default()),
    },
    Entry {
        name: "hca",
        about: "Hierarchical Cooperative A*: CA* guided by exact distances",
        recipe: || Box::new(Cooperative { hierarchical: true, ..Cooperative::default() }),
    },
    Entry {
        name: "whca",
        about: "Windowed Hierarchical Cooperative A*: plans a window of steps past reservations",
        recipe: || Box::new(Whca::default()),
    },
    Entry {
        name: "pibt",
        about: "Priority Inheritance with Backtracking: one step at a time, by exact distances",
        recipe: || Box::new(Pibt::default()),
    },
];

/// A planner as users spell it: a name, and parameters after colons, as in
/// `bmaa:expansions=64:vision=3`.
pub struct Spec {
    text: String,
    recipe: Box<dyn Recipe>,
}

impl Spec {
    /// Reads a planner's name and parameters.
    ///
    /// # Errors
    /// When there is no such planner or parameter, or a value is out of range. The error lists what is
    /// allowed.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        let mut parts = text.split(':').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let entry = ENTRIES.iter().find(|entry| entry.name == name);
        let entry = entry.ok_or_else(|| SpecError::UnknownPlanner(name.to_owned()))?;
        let mut recipe = (entry.recipe)();
        for part in parts {
            set_parameter(entry.name, recipe.as_mut(), part)?;
        }
        Ok(Self { text: text.trim().to_owned(), recipe })
    }

    /// What the user typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// A new planner.
    pub fn build(&self) -> Box<dyn Planner> {
        self.recipe.build()
    }
}

impl fmt::Debug for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Spec").field(&self.text).finish()
    }
}

/// A new planner by name and parameters, as in `bmaa:expansions=64`.
///
/// # Errors
/// When there is no such planner or parameter, or a value is out of range.
pub fn planner(spec: &str) -> Result<Box<dyn Planner>, SpecError> {
    Spec::parse(spec).map(|spec| spec.build())
}

fn set_parameter(
    planner: &'static str,
    recipe: &mut dyn Recipe,
    part: &str,
) -> Result<(), SpecError> {
    let (name, value) = part
        .split_once('=')
        .ok_or_else(|| SpecError::NotAParameter { planner, found: part.to_owned() })?;
    let mut fields = recipe.fields();
    let Some(field) = fields.iter_mut().find(|field| field.name == name) else {
        let names: Vec<_> = fields.iter().map(|field| field.name).collect();
        let allowed = names.join(", ");
        return Err(SpecError::UnknownParameter { planner, found: name.to_owned(), allowed });
    };
    field.value.set(value).map_err(|allowed| SpecError::BadValue {
        planner,
        name: field.name,
        found: value.to_owned(),
        allowed,
    })
}

/// Why a text does not name a planner.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SpecError {
    /// No planner has that name.
    #[error("there is no planner '{0}': the planners are {names}", names = names())]
    UnknownPlanner(String),
    /// Something between colons is not `name=value`.
    #[error("'{found}' is not a parameter of {planner}: write name=value after a colon")]
    NotAParameter {
        /// Which planner.
        planner: &'static str,
        /// What was typed.
        found: String,
    },
    /// The planner has no such parameter.
    #[error("{planner} has no parameter '{found}': it has {allowed}")]
    UnknownParameter {
        /// Which planner.
        planner: &'static str,
        /// What was typed.
        found: String,
        /// Its parameters.
        allowed: String,
    },
    /// The value cannot be.
    #[error("{name} of {planner} cannot be '{found}': it is {allowed}")]
    BadValue {
        /// Which planner.
        planner: &'static str,
        /// Which parameter.
        name: &'static str,
        /// What was typed.
        found: String,
        /// What it may be.
        allowed: String,
    },
}

fn names() -> String {
    ENTRIES.iter().map(|entry| entry.name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(spec: &str) -> String {
        Spec::parse(spec).unwrap_err().to_string()
    }

    #[test]
    fn every_entry_can_be_made_with_its_own_defaults_spelled_out() {
        for entry in ENTRIES {
            let mut recipe = (entry.recipe)();
            let spelled = recipe.fields().iter().fold(entry.name.to_owned(), |spec, field| {
                format!("{spec}:{}={}", field.name, field.value.show())
            });
            Spec::parse(&spelled).unwrap_or_else(|error| panic!("{error}"));
        }
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
            "expansions of bmaa cannot be '0': it is a whole number from 1 to 4294967295"
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
}
