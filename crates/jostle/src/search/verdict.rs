//! How a search ended.

/// The answer of every search: it has found something, there is nothing to find, or the budget was not enough
/// to know. A search that is out of budget can be resumed, or its best node so far can be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub enum Verdict<T = ()> {
    /// It has found what was asked for.
    Found(T),
    /// The search is exhausted: there is nothing to find.
    Nothing,
    /// The budget was spent before either was known.
    OutOfBudget,
}

impl<T> Verdict<T> {
    /// What was found, if anything was.
    pub fn found(self) -> Option<T> {
        match self {
            Self::Found(found) => Some(found),
            Self::Nothing | Self::OutOfBudget => None,
        }
    }

    /// The same answer, with what was found turned into something else.
    pub fn map<U>(self, turn: impl FnOnce(T) -> U) -> Verdict<U> {
        match self {
            Self::Found(found) => Verdict::Found(turn(found)),
            Self::Nothing => Verdict::Nothing,
            Self::OutOfBudget => Verdict::OutOfBudget,
        }
    }

    /// Whether something was found.
    pub const fn is_found(&self) -> bool {
        matches!(self, Self::Found(_))
    }
}
