//! The rules of a run: only runs under the same rules are compared.

use jostle::formats::quoted;
use jostle::{CornerRule, Crossing, Neighbours, Rules};

use crate::record::AsText;

impl AsText for Crossing {
    fn text(&self) -> String {
        let text = match self {
            Self::Allowed => "allowed",
            Self::Forbidden => "forbidden",
        };
        text.to_owned()
    }

    fn from_text(text: &str) -> Result<Self, String> {
        match text {
            "allowed" => Ok(Self::Allowed),
            "forbidden" => Ok(Self::Forbidden),
            _ => Err(format!("crossing is allowed or forbidden, not {}", quoted(text))),
        }
    }
}

/// Names of rules.
pub trait RulesText {
    /// For titles: `4 neighbours`.
    fn title(self) -> String;

    /// For names of files: `4way`.
    fn slug(self) -> String;

    /// For the keys of runs in sweeps: `4`.
    fn key(self) -> String;
}

impl RulesText for Rules {
    fn title(self) -> String {
        let corners = match self.corners {
            CornerRule::BothFree => "",
            CornerRule::OneFree => ", one free corner is enough",
            CornerRule::Ignored => ", corners do not matter",
        };
        let crossing = match self.crossing {
            Crossing::Allowed => "",
            Crossing::Forbidden => ", crossing forbidden",
        };
        format!("{} neighbours{corners}{crossing}", neighbours(self))
    }

    fn slug(self) -> String {
        let unusual = unusual(self).map(|rule| format!("-{}", rule.replace('=', "-")));
        format!("{}way{}", neighbours(self), unusual.collect::<String>())
    }

    fn key(self) -> String {
        let unusual = unusual(self).map(|rule| format!(",{rule}"));
        format!("{}{}", neighbours(self), unusual.collect::<String>())
    }
}

/// The number of neighbours of a cell: 4 or 8.
pub const fn neighbours(rules: Rules) -> u8 {
    match rules.neighbours {
        Neighbours::Four => 4,
        Neighbours::Eight => 8,
    }
}

/// The rules other than the neighbours that differ from the defaults.
fn unusual(rules: Rules) -> impl Iterator<Item = String> {
    let corners = rules.corners;
    let corners = (corners != CornerRule::BothFree).then(|| format!("corners={}", corners.text()));
    let crossing = rules.crossing == Crossing::Forbidden;
    corners.into_iter().chain(crossing.then(|| "no-crossing".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_rules_have_different_names() {
        let mut names = std::collections::HashSet::new();
        for neighbours in [Neighbours::Four, Neighbours::Eight] {
            for corners in [CornerRule::BothFree, CornerRule::OneFree, CornerRule::Ignored] {
                for crossing in [Crossing::Allowed, Crossing::Forbidden] {
                    let rules = Rules { neighbours, corners, crossing };
                    assert!(
                        [rules.title(), rules.slug(), rules.key()].map(|name| names.insert(name))
                            == [true; 3]
                    );
                }
            }
        }
        assert_eq!(Rules::default().title(), "8 neighbours");
    }
}
