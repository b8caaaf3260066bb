//! Experiments of papers that the command runs by name.

use jostle::instance::Kind;
use jostle::{Limits, Neighbours, Rules};

use crate::Record;
use crate::report::Report;

/// An experiment with maps, crowds, planners, rules and measures of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Experiment {
    /// Silver: Cooperative Pathfinding, AIIDE 2005.
    Silver,
}

impl Experiment {
    /// Every experiment.
    pub const ALL: [Self; 1] = [Self::Silver];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Silver => "silver",
        }
    }

    /// A description in one line.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Silver => "ten maps of 32x32 cells, 4 neighbours, 20 to 100 agents, 100 ticks",
        }
    }

    /// The experiment with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|experiment| experiment.name() == name)
    }

    /// The maps, as `jostle run` takes them.
    pub fn maps(self) -> Vec<String> {
        match self {
            Self::Silver => (1..=10).map(|seed| format!("scatter:32x32:seed={seed}")).collect(),
        }
    }

    /// How starts and goals are drawn.
    pub const fn kind(self) -> Kind {
        match self {
            Self::Silver => Kind::Random,
        }
    }

    /// The numbers of agents.
    pub const fn agents(self) -> &'static [usize] {
        match self {
            Self::Silver => &[20, 40, 60, 80, 100],
        }
    }

    /// The planners that it compares.
    pub const fn planners(self) -> &'static [&'static str] {
        match self {
            Self::Silver => {
                &["lra", "ca", "hca", "whca:window=8", "whca:window=16", "whca:window=32"]
            }
        }
    }

    /// The limits of its runs.
    pub const fn limits(self) -> Limits {
        match self {
            Self::Silver => Limits::ticks(100),
        }
    }

    /// The rules of the floor.
    pub fn rules(self) -> Rules {
        match self {
            Self::Silver => Rules { neighbours: Neighbours::Four, ..Rules::default() },
        }
    }

    /// The report of its runs.
    pub fn report(self, records: Vec<Record>) -> Report {
        match self {
            Self::Silver => Report::of_silver(records),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NamedMap;

    #[test]
    fn every_experiment_can_be_run() {
        for experiment in Experiment::ALL {
            assert_eq!(Experiment::from_name(experiment.name()), Some(experiment));
            for planner in experiment.planners() {
                jostle::planners::planner(planner).unwrap();
            }
            let most = experiment.agents().iter().max().unwrap();
            for map in experiment.maps() {
                let map = NamedMap::find(&map, experiment.rules()).unwrap();
                assert!(experiment.kind().room(&map.grid) >= *most);
            }
        }
    }
}
