//! The searches that planners share.
//!
//! A search is asked a question (a [`Problem`], [`Traffic`], a goal), takes its expansions from a
//! [`Budget`], and answers with a [`Verdict`]: found, nothing, or out of budget. It depends neither on the
//! world nor on agents. [`shortest_path`] is the one call for a caller that only wants a path.

mod astar;
mod avoiding;
mod block;
mod budget;
mod dstar_lite;
mod earliest;
mod goal_distances;
mod intervals;
mod key;
mod keyed;
mod landmarks;
mod learned;
mod lookahead;
mod lrta;
mod numbers;
mod open;
mod reservations;
mod reverse;
mod rtaa;
mod sectors;
mod slpa;
mod spacetime;
mod tiles;
mod tournament;
mod verdict;
mod visits;
mod window;

pub use crate::grid::Place;
pub use astar::{Node, Problem, Search, StraightLine, shortest_path};
pub use avoiding::Avoiding;
pub use block::Block;
pub use budget::{Budget, Work};
pub use dstar_lite::DstarLite;
pub(crate) use dstar_lite::straight;
pub(crate) use earliest::{Earliest, Errand};
pub(crate) use goal_distances::{GoalDistances, LentDistances, Metric};
pub use intervals::Intervals;
pub(crate) use keyed::Keyed;
pub use landmarks::{Asked, Guided, Landmarks};
pub use learned::Learned;
pub use lrta::{Learning, Lrta, LrtaSearch, Walk};
pub use reservations::{Reservations, TimedStep};
pub use reverse::ReverseSearch;
pub use rtaa::{Rtaa, RtaaSearch};
pub use sectors::{Advice, Follower, Heading, Scout, SectorOptions, Sectors};
pub(crate) use sectors::{Course, FieldWalk, Guide, Remaining, Route, Scouted, is_in_sight};
pub use slpa::{Slpa, TimedRules};
pub use spacetime::{SpaceTime, Traffic};
pub use verdict::Verdict;
pub(crate) use visits::Visits;
