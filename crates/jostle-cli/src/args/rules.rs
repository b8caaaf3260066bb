//! The rules of steps, as options.

use clap::{Args as ClapArgs, ValueEnum};
use jostle::{CornerRule, Crossing, Neighbours, Rules};

#[derive(ClapArgs, Debug, Clone, Copy)]
pub struct RulesArgs {
    /// How many neighbours a cell has [default: 8]
    #[arg(long, value_enum, value_name = "4|8", hide_possible_values = true)]
    neighbours: Option<NeighboursArg>,

    /// Which of the two cells at the corners of a diagonal step must be free
    #[arg(long, value_enum, default_value = "both")]
    pub corners: CornersArg,

    /// Forbid diagonal steps that cross each other inside a block of four cells
    #[arg(long)]
    forbid_crossing: bool,
}

impl RulesArgs {
    /// Uses the neighbours of these rules, unless the user chose some.
    pub fn preferring(mut self, rules: Rules) -> Self {
        self.neighbours.get_or_insert(match rules.neighbours {
            Neighbours::Four => NeighboursArg::Four,
            Neighbours::Eight => NeighboursArg::Eight,
        });
        self
    }

    pub fn rules(self) -> Rules {
        Rules {
            neighbours: match self.neighbours {
                Some(NeighboursArg::Four) => Neighbours::Four,
                Some(NeighboursArg::Eight) | None => Neighbours::Eight,
            },
            corners: match self.corners {
                CornersArg::Both => CornerRule::BothFree,
                CornersArg::One => CornerRule::OneFree,
                CornersArg::None => CornerRule::Ignored,
            },
            crossing: if self.forbid_crossing { Crossing::Forbidden } else { Crossing::Allowed },
        }
    }
}

#[derive(ValueEnum, Debug, Clone, Copy)]
pub enum NeighboursArg {
    #[value(name = "4")]
    Four,
    #[value(name = "8")]
    Eight,
}

#[derive(ValueEnum, Debug, Clone, Copy)]
pub enum CornersArg {
    Both,
    One,
    None,
}
