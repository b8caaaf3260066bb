//! Choosing an algorithm for a map or a problem.
//!
//! No planner is best everywhere. What each candidate achieves on many problems is a table of [`Results`]; a [`Portfolio`] is the few
//! candidates that are worth choosing from; a [`Picture`] is what a chooser sees of a problem, as in the thesis, and an [`Encoding`] is our
//! own. A [`Selector`] learns from [`Samples`] of problems. A [`Split`] keeps what a chooser learns from apart from what it is tested on, and its [`Worth`] is what its choices gain.

mod encoding;
mod evaluation;
mod features;
mod forest;
mod given;
#[cfg(feature = "lab")]
pub mod lab;
mod menu;
mod picture;
mod portfolio;
mod results;
mod samples;
mod selector;
mod split;
mod worth;

pub use encoding::{Channel, Encoding};
pub use evaluation::{Evaluation, Groups, Measure, Role, Row, Score, Spread, Step, Trial};
pub use features::Features;
pub use forest::{Forest, ForestSettings, Tensor, TensorError};
pub use given::Given;
pub use menu::{Courses, Menu};
pub use picture::{Picture, PictureError};
pub use portfolio::Portfolio;
pub use results::{Results, ResultsError};
pub use samples::{Sample, Samples, Sight};
pub use selector::{Perfect, Predict, Random, Selector, SingleBest, Worst, least};
pub use split::{Split, SplitBy};
pub use worth::Worth;
