//! The conflict tree, which all conflict-based solvers share.
//!
//! A node of the tree has a path for every agent, and constraints: what an agent must not do. Where two paths conflict, a node is
//! split: in one half the one agent must not be there at that tick, in the other half the other one.
//!
//! [`Joint`] holds the tree, and the one node that is looked at. In which order nodes are looked at is up to the solver.

mod clash;
mod constraint;
mod itinerary;
mod joint;
mod mdd;
mod reason;
mod route;
mod timetable;
mod tree;

pub use clash::{Clash, at};
pub use constraint::{Constraint, Constraints};
pub use itinerary::{Ending, Itinerary, Stop};
pub use joint::{Half, Joint, Split};
pub use mdd::Mdd;
pub use reason::{Chooser, Ways, costly_sides};
pub use route::{Question, Routes};
pub use timetable::Timetable;
pub use tree::{Node, NodeId, Tree};
