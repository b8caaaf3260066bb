//! One step of priority inheritance with backtracking (PIBT), on any configuration.
//!
//! Agents choose their next cells one after another, the one with the highest priority first. An agent that wants
//! a cell on which another stands lends that one its priority: the other chooses next, and if it cannot get out of
//! the way, the first chooses again. Where agents meet head-on in a corridor, the swap rule of LaCAM lets one back
//! off and pull the other along.
//!
//! A [`Step`] knows no world: it reads a grid, a [`Configuration`](crate::Configuration), the order of
//! [`Priorities`], and a [`Guidance`] that says how good cells are. Moves may be decided beforehand; the step then
//! finds moves for the others that go with them, or says that it found none. With nothing decided beforehand it
//! always succeeds.
//!
//! Cost: up to nine values for each agent that chooses. Nothing is allocated once its lists have their size.

mod priorities;
mod step;
mod swap;

pub use priorities::Priorities;
pub use step::{Guidance, Step};
