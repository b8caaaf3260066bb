//! Sectors: a map cut into squares, the exits of each, and the distances between them.

// Nothing uses the graph yet.
#![allow(dead_code)]

mod graph;
mod islands;
mod labels;
mod layout;
mod portals;
#[cfg(test)]
mod testing;
mod wave;
