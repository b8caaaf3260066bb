//! One step of priority inheritance with backtracking (PIBT), on any configuration.
//!
//! Agents choose their next cells one after another, the one with the highest priority first. An agent that wants
//! a cell on which another stands lends it its priority: the other agent chooses next, and if it cannot move
//! away, the first chooses again. Where agents meet head-on in a corridor, the swap rule of LaCAM makes one of
//! them back off and pull the other along.
//!
//! A [`Step`] does not depend on a world: it reads a grid, a [`Configuration`](crate::Configuration), the order of
//! [`Priorities`], and a [`Guidance`] that says how good cells are. Moves may be decided beforehand; the step then
//! finds moves for the other agents that are compatible with them, or reports that it found none. With nothing
//! decided beforehand it always succeeds.
//!
//! Cost: up to nine cells to rank for each agent that chooses. Nothing is allocated once its lists have grown to size.

mod area;
mod board;
mod choices;
mod chooser;
mod guidance;
mod preference;
mod priorities;
mod progress;
mod step;
mod swap;

pub(crate) use area::{Area, Share};
pub use choices::Choices;
pub use guidance::Guidance;
pub(crate) use preference::Far;
pub use priorities::Priorities;
pub(crate) use progress::Progress;
pub use step::Step;
