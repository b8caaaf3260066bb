//! Results folders of the lab as [`Samples`](crate::Samples), and tables of what selectors are worth.

mod crowds;
#[cfg(test)]
mod crowds_test;
mod maps;
mod table;

pub use crowds::{Crowds, CrowdsFilter};
pub use table::{Columns, by_group, by_selector};
