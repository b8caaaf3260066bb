//! The searches that planners share.

mod astar;
mod learned;
mod rtaa;

pub use astar::{Ended, Node, Place, Problem, Search, StraightLine, shortest_path};
pub use learned::{Entry, Learned};
pub use rtaa::{Rtaa, RtaaSearch};
