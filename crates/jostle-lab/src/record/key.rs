//! The key of a run: what distinguishes it from all others of its sweep.

use std::fmt::{self, Display, Write};

use jostle::{Limits, Rules};

use crate::rules::RulesText;
use crate::{ContestantName, GoalPlaces, ProblemKind, write_limits};

/// The parts of a key. Its text is all of them, as in `cave:64x48:seed=1|random|20|1|bmaa|300steps|8`, or, for a
/// solver, `cave:64x48:seed=1|random|20|1|solver cbs|30s|8`, or, for ten pairs that meet,
/// `cave:64x48:seed=1|meetings|10|1|solver co-cbs|30s|8`, or, for a lifelong run, `cave:64x48:seed=1|random|20|1|bmaa|300steps|8,lifelong=anywhere`. Where the agents were
/// read, their scenario stands in the place of the kind, and the fingerprint of their starts and goals in that of the seed:
/// `den312d|scen den312d-random-1|20|0123456789abcdef|bmaa|300steps|8`.
#[derive(Clone, Copy, Debug)]
pub struct RunKey<'a> {
    /// The map's name.
    pub map: &'a str,
    /// Where the agents come from.
    pub origin: Origin<'a>,
    /// How many there are, or how many tasks if they meet.
    pub size: usize,
    /// The planner or solver.
    pub contestant: ContestantName<'a>,
    /// The limits of the run.
    pub limits: Limits,
    /// The rules of the floor.
    pub rules: Rules,
    /// Where agents get new goals in a lifelong run.
    pub lifelong: Option<GoalPlaces>,
    /// Whether paths are compared with the shortest ones.
    pub compares_with_shortest: bool,
}

/// Where the agents of a run come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin<'a> {
    /// They were drawn.
    Drawn {
        /// How.
        kind: ProblemKind,
        /// The seed that drew them.
        seed: u64,
    },
    /// They were read.
    Read {
        /// The name of the scenario.
        scen: &'a str,
        /// The fingerprint of the starts and goals.
        scenario: &'a str,
    },
}

impl RunKey<'_> {
    /// The end of the key of a run whose paths are compared with the shortest ones.
    pub const SHORTEST: &'static str = ",shortest";

    /// Whether this is its text. Nothing is copied: every record of a folder is asked.
    pub fn is(&self, text: &str) -> bool {
        let mut rest = Rest(text);
        write!(rest, "{self}").is_ok() && rest.0.is_empty()
    }
}

impl Display for RunKey<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { map, origin, size, contestant, .. } = self;
        let (limits, rules) = (write_limits(self.limits), self.rules.key());
        let shortest = if self.compares_with_shortest { Self::SHORTEST } else { "" };
        match origin {
            Origin::Drawn { kind, seed } => write!(f, "{map}|{kind}|{size}|{seed}")?,
            Origin::Read { scen, scenario } => write!(f, "{map}|scen {scen}|{size}|{scenario}")?,
        }
        write!(f, "|{contestant}|{limits}|{rules}")?;
        if let Some(places) = self.lifelong {
            write!(f, ",lifelong={}", places.name())?;
        }
        f.write_str(shortest)
    }
}

/// What has not been matched yet. Writing fails at the first difference.
struct Rest<'a>(&'a str);

impl Write for Rest<'_> {
    fn write_str(&mut self, expected: &str) -> fmt::Result {
        self.0 = self.0.strip_prefix(expected).ok_or(fmt::Error)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use jostle::instance::Kind;

    use super::*;

    #[test]
    fn a_key_is_its_own_text_and_no_other() {
        let key = RunKey {
            map: "a|b",
            origin: Origin::Drawn { kind: ProblemKind::Crowd(Kind::Random), seed: 7 },
            size: 20,
            contestant: ContestantName::Planner("whca:window=8"),
            limits: Limits::ticks(300),
            rules: Rules::default(),
            lifelong: None,
            compares_with_shortest: true,
        };
        let text = key.to_string();
        assert_eq!(text, "a|b|random|20|7|whca:window=8|300steps|8,shortest");
        assert!(key.is(&text));
        for place in 0..text.len() {
            let mut other = text.clone();
            other.remove(place);
            assert!(!key.is(&other), "{other}");
        }
        assert!(!key.is(&format!("{text}x")) && !key.is(""));
        let solver = RunKey { contestant: ContestantName::Solver("whca:window=8"), ..key };
        assert_eq!(solver.to_string(), "a|b|random|20|7|solver whca:window=8|300steps|8,shortest");
        let origin = Origin::Drawn { kind: ProblemKind::Meetings, seed: 7 };
        let pairs = RunKey { origin, compares_with_shortest: false, ..solver };
        assert_eq!(pairs.to_string(), "a|b|meetings|20|7|solver whca:window=8|300steps|8");
        let origin = Origin::Read { scen: "a-random-1", scenario: "0123456789abcdef" };
        let read = RunKey { origin, ..key };
        let expected = "a|b|scen a-random-1|20|0123456789abcdef|whca:window=8|300steps|8,shortest";
        assert_eq!(read.to_string(), expected);
        let lifelong =
            RunKey { lifelong: Some(GoalPlaces::Stations), compares_with_shortest: false, ..key };
        let expected = "a|b|random|20|7|whca:window=8|300steps|8,lifelong=stations";
        assert_eq!(lifelong.to_string(), expected);
    }
}
