//! Rows for tests.

use std::sync::Arc;

use super::row::Row;

/// A run of ten agents in which nobody arrives within 30 s.
pub fn row(planner: &str, map: &str) -> Row {
    Row {
        planner: Arc::from(planner),
        map: Arc::from(map),
        kind: Arc::from("random"),
        agents: 10,
        seed: Some(1),
        neighbours: 8,
        limit: Arc::from("30s"),
        completion: 0.0,
        completion_ticks: None,
        completion_seconds: None,
        distance: 0.0,
        success: 0.0,
        path_length: None,
        path_over_shortest: None,
        cycles: 0.0,
        first_tick: 0.0,
        slowest_later_tick: 0.0,
        tick_p99: 0.0,
    }
}
