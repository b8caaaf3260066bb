//! Names, and the order in which they appear.

use std::cmp::Ordering;

use jostle::instance::Kind;
use jostle::planners::Spec;
use jostle::registry::{Entry, Named, Registry};
use jostle::{planners, solvers};

use crate::ContestantName;

/// Compares names so that numbers in them count as numbers: `window=8` comes before `window=16`.
pub fn natural(a: &str, b: &str) -> Ordering {
    let (mut a_rest, mut b_rest) = (a, b);
    loop {
        let (a_part, b_part) = (first_part(a_rest), first_part(b_rest));
        if a_part.is_empty() || b_part.is_empty() {
            return a_part.len().cmp(&b_part.len());
        }
        let order = match (a_part.parse::<u64>(), b_part.parse::<u64>()) {
            (Ok(a_number), Ok(b_number)) => a_number.cmp(&b_number).then(a_part.cmp(b_part)),
            _ => a_part.cmp(b_part),
        };
        if order != Ordering::Equal {
            return order;
        }
        (a_rest, b_rest) = (&a_rest[a_part.len()..], &b_rest[b_part.len()..]);
    }
}

/// The digits that a text begins with, or what comes before its first digit.
fn first_part(text: &str) -> &str {
    let is_number = text.starts_with(|letter: char| letter.is_ascii_digit());
    let end = text.find(|letter: char| letter.is_ascii_digit() != is_number);
    &text[..end.unwrap_or(text.len())]
}

/// Planners before solvers, each in the order of their registry, those with parameters after those without; those of
/// others last.
pub fn contestant_order(a: ContestantName<'_>, b: ContestantName<'_>) -> Ordering {
    let rank = |contestant: ContestantName<'_>| match contestant {
        ContestantName::Planner(name) => (0, place(planners::Registry::builtin(), name)),
        ContestantName::Solver(name) => (1, place(solvers::Registry::builtin(), name)),
    };
    rank(a).cmp(&rank(b)).then_with(|| natural(a.text(), b.text()))
}

/// The place of a name in a registry.
fn place<T: Named + ?Sized>(registry: &Registry<T>, name: &str) -> usize {
    let mut names = registry.entries().iter().map(Entry::name);
    names.position(|known| known == base(name)).unwrap_or(usize::MAX)
}

/// Kinds in the order of the library.
pub fn kind_order(a: &str, b: &str) -> Ordering {
    let rank = |name: &str| {
        Kind::ALL.iter().position(|kind| kind.name() == name).unwrap_or(Kind::ALL.len())
    };
    rank(a).cmp(&rank(b)).then_with(|| natural(a, b))
}

/// The name of a planner or solver without its parameters.
pub fn base(name: &str) -> &str {
    name.split(':').next().unwrap_or(name)
}

/// The planner with only those parameters that differ from their defaults, so that two
/// spellings of one planner are one.
pub fn canonical(planner: &str) -> String {
    Spec::parse(planner).map_or_else(|_| planner.to_owned(), |spec| spec.canonical().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_count_as_numbers() {
        let mut names = ["seed=10", "seed=9", "seed=9b", "seed", "lak307d", "lak304d", "AR0414SR"];
        names.sort_by(|a, b| natural(a, b));
        let expected = ["AR0414SR", "lak304d", "lak307d", "seed", "seed=9", "seed=9b", "seed=10"];
        assert_eq!(names, expected);
    }

    #[test]
    fn planners_come_in_the_order_of_the_registry() {
        let mut planners = ["made-up", "whca:window=16", "far", "whca:window=8", "jostle", "whca"];
        planners.sort_by(|a, b| {
            contestant_order(ContestantName::Planner(a), ContestantName::Planner(b))
        });
        let expected = ["jostle", "far", "whca", "whca:window=8", "whca:window=16", "made-up"];
        assert_eq!(planners, expected);
        let solver = ContestantName::Solver("cbs");
        assert!(contestant_order(ContestantName::Planner("made-up"), solver).is_lt());
    }

    #[test]
    fn a_default_that_is_spelled_out_changes_nothing() {
        assert_eq!(canonical("bmaa:expansions=32"), "bmaa");
        assert_eq!(canonical("whca:window=16"), "whca");
        assert_eq!(canonical("whca:window=8"), "whca:window=8");
        assert_eq!(canonical("nobody:x=1"), "nobody:x=1");
    }
}
