//! What the record of a lifelong run says about its goals.

use jostle::lifelong::ServiceTimes;
use serde::{Deserialize, Serialize};

use super::as_text;
use super::columns::with_columns;
use crate::{GoalPlaces, GoalSource};

with_columns! {
    /// The goals of a lifelong run: where they came from, how many were reached, and how fast.
    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct LifelongRun {
        /// Where goals came from: anywhere, stations or list.
        #[serde(with = "as_text")]
        pub places: GoalPlaces,
        /// The fingerprint of the list; null if goals were drawn.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub list: Option<String>,
        /// Goals that were reached.
        pub goals: u64,
        /// Goals that were reached in a tick, on average.
        pub throughput: f64,
        /// Mean number of ticks from when an agent has a goal until it stands on it, of those that were reached; null if none was.
        pub service_ticks: Option<f64>,
        /// The number of ticks that 95 of 100 of them did not exceed; null if none was reached.
        pub service_p95_ticks: Option<u64>,
    }
}

impl LifelongRun {
    pub(crate) fn of(source: &GoalSource, service: &ServiceTimes, ticks: u64) -> Self {
        Self {
            places: source.places(),
            list: source.list_fingerprint(),
            goals: service.goals(),
            throughput: service.goals() as f64 / ticks.max(1) as f64,
            service_ticks: service.mean(),
            service_p95_ticks: service.percentile(95),
        }
    }

    /// What makes it impossible, if anything does.
    pub(super) fn check(&self) -> Result<(), String> {
        let has_times = [self.service_ticks.is_some(), self.service_p95_ticks.is_some()];
        if has_times != [self.goals > 0; 2] {
            return Err("service times are those of goals that were reached".to_owned());
        }
        if self.list.is_some() != (self.places == GoalPlaces::List) {
            return Err("only goals from a list have the fingerprint of one".to_owned());
        }
        Ok(())
    }
}
