//! The solvers that come with the engine, in the order in which lists and reports show them.

use std::sync::LazyLock;

use super::{Cbs, Eecbs, Entry, Lacam, LacamStar, PushAndRotate, Registry, Solver};
use crate::registry::Named;

impl Named for dyn Solver {
    const WORD: &'static str = "solver";

    fn builtin() -> &'static Registry {
        static BUILTIN: LazyLock<Registry> = LazyLock::new(|| Registry::of(entries()));
        &BUILTIN
    }
}

/// One entry for each name that users can type without adding a solver of their own.
fn entries() -> Vec<Entry> {
    vec![
        Entry::new("cbs", "Conflict-Based Search: optimal joint plans", Cbs::default),
        Entry::new(
            "eecbs",
            "Explicit Estimation CBS: plans that cost at most w times as much as the best one",
            Eecbs::default,
        ),
        Entry::new(
            "lacam",
            "LaCAM: a first plan for a large crowd, by a search over configurations",
            Lacam::default,
        ),
        Entry::new(
            "lacam-star",
            "LaCAM*: a first plan for a large crowd, then better ones while the budget lasts",
            LacamStar::default,
        ),
        Entry::new(
            "push-and-rotate",
            "Push and Rotate: a plan by rules, or the answer that there is none",
            PushAndRotate::default,
        ),
    ]
}
