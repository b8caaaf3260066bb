//! The searches that planners share.

mod astar;
mod intervals;
mod key;
mod keyed;
mod landmarks;
mod learned;
mod numbers;
mod open;
mod reservations;
mod reverse;
mod rtaa;
mod spacetime;
mod tiles;

pub use astar::{Ended, Node, Place, Problem, Search, StraightLine, shortest_path};
pub use intervals::Intervals;
pub use landmarks::{Asked, Guided, Landmarks};
pub use learned::{Entry, Learned};
pub use reservations::{Reservations, TimedStep};
pub use reverse::{Distance, ReverseSearch};
pub use rtaa::{Rtaa, RtaaSearch};
pub use spacetime::{Progress, SpaceTime, Traffic};
