//! Counts what is done at the lowest accessors, apart from all budgets and their prices, so that a
//! test can see whether budgets are honest: with the feature `tally` only, and else it is nothing.
//!
//! Every thread counts for itself. Whoever compares has to plan on one thread.

/// What is counted, in operations that take about equally long: a dozen instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A cell of the floor was looked at.
    Cell,
    /// It was asked who is on a cell, or who will be.
    Occupant,
    /// An agent was looked at.
    Agent,
    /// A cell of an area was read, measured or ranked in a wave, or belongs to a chunk of a sweep.
    Wave,
    /// A heading was read from a field, or it was looked up which field that is.
    Heading,
    /// A distance between exits was read, or one of the tables of hubs.
    Row,
    /// An exit was reached in a search, or passed in a list.
    Node,
    /// A gap between visits, or a visit, was looked at.
    Gap,
    /// A distance to a goal was read or found.
    Distance,
    /// A vertex was looked at by a solver that has a graph of its own.
    Vertex,
}

#[cfg(feature = "tally")]
impl Kind {
    /// All kinds, in the order of [`done`].
    pub const ALL: [Self; 10] = [
        Self::Cell,
        Self::Occupant,
        Self::Agent,
        Self::Wave,
        Self::Heading,
        Self::Row,
        Self::Node,
        Self::Gap,
        Self::Distance,
        Self::Vertex,
    ];
}

#[cfg(feature = "tally")]
thread_local! {
    static DONE: [std::cell::Cell<u64>; Kind::ALL.len()] =
        const { [const { std::cell::Cell::new(0) }; Kind::ALL.len()] };
    static SPARED: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// How many operations of each [kind](Kind::ALL) this thread has done so far.
#[cfg(feature = "tally")]
pub fn done() -> [u64; Kind::ALL.len()] {
    DONE.with(|done| std::array::from_fn(|kind| done[kind].get()))
}

/// How many bytes this thread has reserved so far that are not touched before something is counted
/// that fills them. An allocator sees them, and would count them twice.
#[cfg(feature = "tally")]
pub fn spared() -> u64 {
    SPARED.with(std::cell::Cell::get)
}

/// Counts operations.
#[cfg(feature = "tally")]
#[inline]
pub(crate) fn note(kind: Kind, operations: usize) {
    DONE.with(|done| {
        let done = &done[kind as usize];
        done.set(done.get() + operations as u64);
    });
}

/// Counts operations.
#[cfg(not(feature = "tally"))]
#[inline]
pub(crate) const fn note(_: Kind, _: usize) {}

/// Notes that so many bytes were reserved that are not touched yet.
#[cfg(feature = "tally")]
pub(crate) fn spare(bytes: usize) {
    SPARED.with(|spared| spared.set(spared.get() + bytes as u64));
}

/// Notes that so many bytes were reserved that are not touched yet.
#[cfg(not(feature = "tally"))]
pub(crate) const fn spare(_: usize) {}
