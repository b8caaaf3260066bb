//! The planners that come with the engine, in the order in which lists and reports show them.

use std::sync::LazyLock;

use super::{
    Bmaa, CbsDstarLite, CbsReplan, Cooperative, DiCbs, Entry, Far, Jostle, LacamRt, Lra, Pibt,
    Planner, Registry, Solved, Whca,
};
use crate::registry::Named;
use crate::search::Lrta;
use crate::solvers;

impl Named for dyn Planner {
    const WORD: &'static str = "planner";

    fn builtin() -> &'static Registry {
        static BUILTIN: LazyLock<Registry> = LazyLock::new(|| {
            let solvers = solvers::Registry::builtin().entries().iter().map(Solved::entry);
            Registry::of(entries().into_iter().chain(solvers).collect())
        });
        &BUILTIN
    }
}

/// One entry for each planner that is not a solver's plan, followed.
fn entries() -> Vec<Entry> {
    vec![
        Entry::new(
            "jostle",
            "Jostle's own: learning searches, landmarks, and priority inheritance",
            Jostle::default,
        ),
        Entry::new(
            "bmaa",
            "Bounded Multi-Agent A*: every agent learns on its own, others are obstacles",
            Bmaa::default,
        ),
        Entry::new(
            "bmaa-c",
            "BMAA* that pushes agents off their goals when they stand in the way",
            || Bmaa { push: true, ..Bmaa::default() },
        ),
        Entry::new("bmaa-f", "BMAA* on one-way streets (flow annotation)", || Bmaa {
            flow: true,
            ..Bmaa::default()
        }),
        Entry::new("bmaa-f-c", "BMAA* that pushes, on one-way streets", || Bmaa {
            push: true,
            flow: true,
            ..Bmaa::default()
        }),
        Entry::new(
            "far",
            "Flow Annotated Replanning: routes on one-way streets, moves reserved ahead",
            Far::default,
        ),
        Entry::new(
            "astar-replan",
            "FAR on the plain floor: shortest routes, moves reserved ahead",
            || Far { flow: false, ..Far::default() },
        ),
        Entry::new(
            "lra",
            "Local Repair A*: finds another route when blocked, ever more at random",
            Lra::default,
        ),
        Entry::new(
            "lrta",
            "LRTA* and its relatives: every agent learns on its own, and looks one step ahead",
            Lrta::default,
        ),
        Entry::new(
            "ca",
            "Cooperative A*: whole routes through space and time, past those reserved before",
            Cooperative::default,
        ),
        Entry::new("hca", "Hierarchical Cooperative A*: CA* guided by exact distances", || {
            Cooperative { hierarchical: true, ..Cooperative::default() }
        }),
        Entry::new(
            "whca",
            "Windowed Hierarchical Cooperative A*: plans a window of steps past reservations",
            Whca::default,
        ),
        Entry::new(
            "pibt",
            "Priority Inheritance with Backtracking: one step at a time, by exact distances",
            Pibt::default,
        ),
        Entry::new(
            "lacam-rt",
            "Real-Time LaCAM: one search over whole configurations, which goes on while agents walk",
            LacamRt::default,
        ),
        Entry::new(
            "cbs-replan",
            "CBS-Replanner: an optimal joint plan, solved anew whenever the floor changes",
            CbsReplan::default,
        ),
        Entry::new(
            "cbs-dstar-lite",
            "CBS-D*-lite: an optimal joint plan, of which paths that are cut are repaired",
            CbsDstarLite::default,
        ),
        Entry::new(
            "di-cbs",
            "DI-CBS: an optimal joint plan, whose conflict tree goes on when the floor changes",
            DiCbs::default,
        ),
    ]
}
