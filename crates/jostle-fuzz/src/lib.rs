//! Attacks Jostle with random cases. `docs/robustness.md` says what is attacked, and how to run it.
//!
//! A [`Target`](target::Target) draws cases and runs them. A [campaign] runs many, shrinks those that
//! show a fault, and writes them out as [findings](finding), which can be run again.

#![forbid(unsafe_code)]

pub mod campaign;
pub mod dice;
pub mod fault;
pub mod finding;
pub mod model;
pub mod node;
pub mod process;
pub mod scene;
pub mod scratch;
pub mod shrink;
pub mod stage;
pub mod target;
pub mod targets;

/// The examples on pages outside of the packages, tested: this crate is not published, so it may name them.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../../README.md")]
    struct Readme;

    #[doc = include_str!("../../../docs/games.md")]
    struct Games;
}
