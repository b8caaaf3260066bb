//! The rules of a run: only runs under the same rules are compared.

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
            _ => Err(format!("crossing is allowed or forbidden, not '{text}'")),
        }
    }
}

/// How rules are called.
pub trait RulesText {
    /// What to call them in a title.
    fn title(self) -> String;

    /// What to call them in the name of a file.
    fn slug(self) -> String;

    /// What they add to the key of a sweep's run.
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

/// How many neighbours a cell has: 4 or 8.
pub const fn neighbours(rules: Rules) -> u8 {
    match rules.neighbours {
        Neighbours::Four => 4,
        Neighbours::Eight => 8,
    }
}

/// The rules beside the neighbours that are not as usual.
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
    fn rules_that_differ_are_called_differently() {
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
