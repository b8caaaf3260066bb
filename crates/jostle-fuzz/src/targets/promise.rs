//! How much work a planner promises not to exceed in a tick.

use jostle::planners::{Registry, Value};
use jostle::solvers;

use crate::scene::PlannerChoice;

/// The most expansions that BMAA\* spends on landmarks in a tick.
const LANDMARKS_OF_BMAA: u64 = 50_000;

/// The most expansions of Jostle in a tick, for all agents together and for each, which moves agents while a solver looks
/// for a plan, and rehearses two ticks more.
const JOSTLE: (u64, u64) = (80_000, 4);

/// The most nodes that a planner expands in a tick: some for all agents together, and more for each agent of ours.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Promise {
    all: u64,
    each: u64,
}

impl Promise {
    /// What the docs of the planners promise, in terms of their parameters; `None` if this one promises nothing.
    pub fn of(choice: &PlannerChoice, registry: &Registry) -> Option<Self> {
        let mut recipe = registry.find(&choice.name).ok()?.recipe();
        let mut fields = recipe.fields();
        for (name, value) in &choice.parameters {
            let field = fields.iter_mut().find(|field| field.name == name)?;
            field.value.set(value).ok()?;
        }
        let number = |wanted: &str| {
            fields.iter().find(|field| field.name == wanted).and_then(|field| match &field.value {
                Value::Count { value, .. } => Some(u64::from(**value)),
                Value::Limit(limit) => limit.map(u64::from),
                _ => None,
            })
        };
        let is_solver = solvers::Registry::builtin().find(&choice.name).is_ok();
        match ["budget", "pool", "expansions", "landmarks"].map(number) {
            [Some(budget), None, None, None] if is_solver => {
                Some(Self { all: budget + 3 * JOSTLE.0, each: 3 * JOSTLE.1 })
            }
            [Some(budget), None, None, None] => Some(Self { all: budget, each: 0 }),
            [None, Some(pool), Some(each), None] => Some(Self { all: pool, each }),
            [None, None, Some(each), Some(0)] => Some(Self { all: 0, each }),
            [None, None, Some(each), Some(_)] => Some(Self { all: LANDMARKS_OF_BMAA, each }),
            _ => None,
        }
    }

    /// Whether it is kept in a tick with this many agents of ours.
    pub const fn is_kept(self, expansions: u64, ours: u64) -> bool {
        expansions <= self.all.saturating_add(self.each.saturating_mul(ours))
    }
}
