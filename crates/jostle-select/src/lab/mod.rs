//! Results folders of the lab as [`Samples`](crate::Samples), and tables of what selectors are worth.

mod crowds;
#[cfg(test)]
mod crowds_test;
mod maps;
mod table;
mod walked;
#[cfg(test)]
mod walked_test;

pub use crowds::{Crowds, CrowdsFilter};
pub use table::{Columns, by_group, by_selector};
pub use walked::{Walked, WalkedBy};
