//! Lifelong runs, as experiments name them.

use std::sync::Arc;

use jostle::Grid;
use jostle::formats::{GoalList, quoted};
use jostle::levels::Sites;
use jostle::lifelong::{DrawnGoals, Goals, ListedGoals, ListedGoalsError};

use crate::fingerprint::fingerprint;
use crate::record::AsText;
use crate::{LabError, NamedMap, Problem};

/// The seed of goals in a problem whose agents were read, so that it has none.
const SEED_OF_READ_AGENTS: u64 = 1;

/// Where the agents of a lifelong run get their goals, in a word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GoalPlaces {
    /// Drawn from all cells.
    Anywhere,
    /// Drawn from shelves and stations in turn.
    Stations,
    /// Listed in a file.
    List,
}

impl GoalPlaces {
    /// All words.
    pub const ALL: [Self; 3] = [Self::Anywhere, Self::Stations, Self::List];

    /// The word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Anywhere => "anywhere",
            Self::Stations => "stations",
            Self::List => "list",
        }
    }

    /// What it means, in a title.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Anywhere => "goals anywhere",
            Self::Stations => "goals at shelves and stations in turn",
            Self::List => "goals from a list",
        }
    }
}

impl AsText for GoalPlaces {
    fn text(&self) -> String {
        self.name().to_owned()
    }

    fn from_text(text: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|places| places.name() == text);
        known.ok_or_else(|| {
            format!("goals are not {}: they are anywhere, stations or list", quoted(text))
        })
    }
}

/// Which goals a user asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GoalChoice {
    /// Stations on built-in warehouses, anywhere on all other maps.
    #[default]
    Usual,
    /// Anywhere, on warehouses too.
    Anywhere,
    /// At shelves and stations, on maps from files too.
    Stations,
}

impl GoalChoice {
    /// What it means on a map.
    ///
    /// # Errors
    /// When stations are asked for, and the map has none.
    pub fn on(self, map: &NamedMap) -> Result<GoalSource, LabError> {
        let is_warehouse = map.level.is_some_and(|level| level.sites(&map.grid).is_some());
        match self {
            Self::Usual if is_warehouse => Ok(GoalSource::Stations),
            Self::Usual | Self::Anywhere => Ok(GoalSource::Anywhere),
            Self::Stations if Sites::of(&map.grid).is_some() => Ok(GoalSource::Stations),
            Self::Stations => Err(LabError::input(format!(
                "{}: there are no stations on this map: it has no shelves, which are walls that do not touch the map's edge",
                map.name
            ))),
        }
    }
}

/// Where the agents of a problem get new goals.
#[derive(Clone, Debug)]
pub enum GoalSource {
    /// Drawn from all cells.
    Anywhere,
    /// Drawn from shelves and stations in turn.
    Stations,
    /// In the order of a list.
    List(Arc<GoalList>),
}

impl GoalSource {
    /// Its word.
    pub const fn places(&self) -> GoalPlaces {
        match self {
            Self::Anywhere => GoalPlaces::Anywhere,
            Self::Stations => GoalPlaces::Stations,
            Self::List(_) => GoalPlaces::List,
        }
    }

    /// The fingerprint of a list, which only equal lists share.
    pub fn list_fingerprint(&self) -> Option<String> {
        let Self::List(list) = self else { return None };
        Some(format!("{:016x}", fingerprint(list.write().bytes())))
    }

    /// The goals for the agents of a problem.
    ///
    /// # Errors
    /// When a list does not fit the map or the agents.
    pub fn goals(&self, problem: &Problem) -> Result<Goals, ListedGoalsError> {
        let grid: &Grid = problem.instance.grid();
        let seed = problem.seed.unwrap_or(SEED_OF_READ_AGENTS);
        match self {
            Self::List(list) => {
                let starts: Vec<_> =
                    problem.instance.tasks().iter().map(|&(start, _)| start).collect();
                ListedGoals::new(list, grid, &starts).map(Goals::from)
            }
            Self::Stations => {
                // A map without stations has goals anywhere; users are told before it comes to that.
                let drawn = Sites::of(grid).map_or_else(
                    || DrawnGoals::anywhere(grid, seed),
                    |sites| DrawnGoals::in_warehouse(grid, &sites, seed),
                );
                Ok(drawn.into())
            }
            Self::Anywhere => Ok(DrawnGoals::anywhere(grid, seed).into()),
        }
    }
}
