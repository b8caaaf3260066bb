//! The rules of a run: only runs under the same rules are compared.

use jostle::{CornerRule, Neighbours, Rules};

use crate::record::AsText;

/// Whether two diagonal steps may cross inside a block of four cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Crossing {
    /// They may.
    #[default]
    Allowed,
    /// One of the two agents has to wait.
    Forbidden,
}

impl Crossing {
    /// As switches say it.
    pub const fn forbidden_if(is_forbidden: bool) -> Self {
        if is_forbidden { Self::Forbidden } else { Self::Allowed }
    }
}

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

/// Everything that decides which joint moves of a run were legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RunRules {
    /// How cells neighbour each other.
    pub floor: Rules,
    /// Whether diagonal steps may cross.
    pub crossing: Crossing,
}

impl RunRules {
    /// How many neighbours a cell has: 4 or 8.
    pub const fn neighbours(self) -> u8 {
        match self.floor.neighbours {
            Neighbours::Four => 4,
            Neighbours::Eight => 8,
        }
    }

    /// What to call them in a title.
    pub fn title(self) -> String {
        let corners = match self.floor.corners {
            CornerRule::BothFree => "",
            CornerRule::OneFree => ", one free corner is enough",
            CornerRule::Ignored => ", corners do not matter",
        };
        let crossing = match self.crossing {
            Crossing::Allowed => "",
            Crossing::Forbidden => ", crossing forbidden",
        };
        format!("{} neighbours{corners}{crossing}", self.neighbours())
    }

    /// What to call them in the name of a file.
    pub fn slug(self) -> String {
        let unusual = self.unusual().map(|rule| format!("-{}", rule.replace('=', "-")));
        format!("{}way{}", self.neighbours(), unusual.collect::<String>())
    }

    /// What they add to the key of a sweep's run.
    pub fn key(self) -> String {
        let unusual = self.unusual().map(|rule| format!(",{rule}"));
        format!("{}{}", self.neighbours(), unusual.collect::<String>())
    }

    /// The rules beside the neighbours that are not as usual.
    fn unusual(self) -> impl Iterator<Item = String> {
        let corners = self.floor.corners;
        let corners =
            (corners != CornerRule::BothFree).then(|| format!("corners={}", corners.text()));
        let crossing = self.crossing == Crossing::Forbidden;
        corners.into_iter().chain(crossing.then(|| "no-crossing".to_owned()))
    }
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
                    let rules = RunRules { floor: Rules { neighbours, corners }, crossing };
                    assert!(
                        [rules.title(), rules.slug(), rules.key()].map(|name| names.insert(name))
                            == [true; 3]
                    );
                }
            }
        }
        assert_eq!(RunRules::default().title(), "8 neighbours");
    }
}
