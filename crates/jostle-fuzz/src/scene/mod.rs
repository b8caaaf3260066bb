//! A scene: a map, its rules, a planner, and everything that the game does to them. Any scene that can be written
//! down can be played: what makes no sense in it is refused by the world or left out, so that shrinking is free to
//! change anything.

pub mod draw;

use jostle::planners::{Registry, Spec};
use jostle::{CornerRule, Crossing, Grid, Neighbours};
use serde::{Deserialize, Serialize};

/// A column and a row.
pub type Point = (u32, u32);

/// A map, its rules, a planner, and what the game does.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Scene {
    /// Where agents walk.
    pub floor: Floor,
    /// Who moves the agents.
    pub planner: PlannerChoice,
    /// How many ticks to play.
    pub ticks: u32,
    /// The agents at the beginning. One that cannot stand where it should is left out.
    pub opening: Vec<Newcomer>,
    /// What happens later: the number of ticks that have passed, and the change.
    pub script: Vec<(u32, Change)>,
}

/// A map and its rules.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Floor {
    /// `.` is floor. The longest row is the width; what is missing is wall.
    pub rows: Vec<String>,
    /// Which steps are legal.
    pub rules: Rules,
}

/// An agent that joins.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Newcomer {
    /// The number that the scene gives it.
    pub agent: u32,
    /// Where it begins.
    pub at: Point,
    /// Its goal, if it is ours.
    pub to: Point,
    /// Whether planners move it.
    pub ours: bool,
}

impl Newcomer {
    /// Where it wants to go: a foreign agent is where it wants to be.
    pub const fn goal(&self) -> Point {
        if self.ours { self.to } else { self.at }
    }
}

/// One thing that the game does. Agents have numbers that the scene gives them.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Change {
    Join(Newcomer),
    Leave { agent: u32 },
    Send { agent: u32, to: Point },
    Place { agent: u32, at: Point },
    SetFloor { at: Point, is_floor: bool },
}

/// Which of the two cells at the corners of a diagonal step must be floor.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Corners {
    #[default]
    Both,
    One,
    None,
}

/// The rules of a floor.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Rules {
    /// Whether a cell has eight neighbours instead of four.
    pub has_diagonals: bool,
    /// When a diagonal step may pass walls.
    pub corners: Corners,
    /// Whether two diagonal steps may not cross.
    pub forbids_crossing: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Self { has_diagonals: true, corners: Corners::Both, forbids_crossing: false }
    }
}

impl Rules {
    /// The same in the engine's words.
    pub const fn of_engine(self) -> jostle::Rules {
        jostle::Rules {
            neighbours: if self.has_diagonals { Neighbours::Eight } else { Neighbours::Four },
            corners: match self.corners {
                Corners::Both => CornerRule::BothFree,
                Corners::One => CornerRule::OneFree,
                Corners::None => CornerRule::Ignored,
            },
            crossing: if self.forbids_crossing { Crossing::Forbidden } else { Crossing::Allowed },
        }
    }
}

/// A planner with parameters, as users type them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlannerChoice {
    /// Its name in the registry.
    pub name: String,
    /// Parameters by name. One that is not accepted makes the scene meaningless.
    pub parameters: Vec<(String, String)>,
}

impl PlannerChoice {
    /// What a user would type.
    pub fn text(&self) -> String {
        let parameters = self.parameters.iter().map(|(name, value)| format!(":{name}={value}"));
        format!("{}{}", self.name, parameters.collect::<String>())
    }

    /// The planner, if it exists and accepts the parameters.
    pub fn spec(&self, registry: &Registry) -> Option<Spec> {
        registry.parse(&self.text()).ok()
    }
}

impl Floor {
    /// Columns and rows of the map.
    pub fn size(&self) -> (u32, u32) {
        let width = self.rows.iter().map(String::len).max().unwrap_or(0);
        (width as u32, self.rows.len() as u32)
    }

    /// Whether a position is floor at the beginning.
    pub fn is_floor(&self, (x, y): Point) -> bool {
        let row = self.rows.get(y as usize).map(String::as_bytes);
        row.and_then(|row| row.get(x as usize)) == Some(&b'.')
    }

    /// The floor for the engine; `None` if there is none.
    pub fn grid(&self) -> Option<Grid> {
        let (width, height) = self.size();
        Grid::new(width, height, self.rules.of_engine(), |x, y| self.is_floor((x, y))).ok()
    }
}
