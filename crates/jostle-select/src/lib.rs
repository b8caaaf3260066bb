//! Choosing an algorithm for a map or a problem.
//!
//! No planner is best everywhere. What each candidate achieves on many problems is a table of [`Results`]; a [`Portfolio`] is the few
//! candidates that are worth choosing from; a [`Picture`] is what a chooser sees of a problem, as in the thesis, and an [`Encoding`] is our
//! own. A [`Selector`] learns from [`Samples`] of problems, and what it has learned is a [`Model`] in a file. A [`Split`] keeps what a chooser
//! learns from apart from what it is tested on, and its [`Worth`] is what its choices gain.

mod auto;
mod data_file;
mod encoding;
mod evaluation;
mod features;
mod forest;
mod given;
#[cfg(feature = "lab")]
pub mod lab;
mod menu;
mod model;
#[cfg(feature = "network")]
mod network;
mod picture;
mod portfolio;
mod results;
mod samples;
mod selector;
mod split;
mod tensor_file;
mod worth;

pub use auto::{Attention, Auto};
pub use data_file::DataFile;
pub use encoding::{Channel, Encoding};
pub use evaluation::{Evaluation, Groups, Measure, Role, Row, Score, Spread, Step, Trial};
pub use features::Features;
pub use forest::{Forest, ForestSettings, Tensor, TensorError};
pub use given::Given;
pub use menu::{Courses, Menu};
pub use model::{Model, ModelError, ModelFile, ModelKind, NamedTensor};
#[cfg(feature = "network")]
pub use network::{
    AlexNet, Architecture, Encodings, Epoch, Network, NetworkSelector, Optimiser, Pictures,
    SmallNetwork, Trainer, Training,
};
pub use picture::{Picture, PictureError};
pub use portfolio::Portfolio;
pub use results::{Results, ResultsError};
pub use samples::{Sample, Samples, Sight};
pub use selector::{Perfect, Predict, Random, Selector, SingleBest, Worst, least};
pub use split::{Split, SplitBy};
pub use worth::Worth;
