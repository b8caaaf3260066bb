//! The machine on which a run was made.

use std::thread::available_parallelism;

use serde::{Deserialize, Serialize};

use super::columns::with_columns;

with_columns! {
    /// The machine of a run: enough to judge its times, and nothing that identifies its owner.
    #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Machine {
        /// The operating system.
        pub os: String,
        /// The kind of processor.
        pub arch: String,
        /// The processor's model, where it is known.
        pub cpu: Option<String>,
        /// The number of cores.
        pub cores: usize,
        /// The number of runs made at a time.
        pub threads: usize,
    }
}

impl Machine {
    /// The machine of this process.
    pub fn this(threads: usize) -> Self {
        Self {
            os: std::env::consts::OS.to_owned(),
            arch: std::env::consts::ARCH.to_owned(),
            cpu: cpu_model(),
            cores: available_parallelism().map_or(1, usize::from),
            threads,
        }
    }
}

/// Linux has it in a file. Elsewhere it is unknown.
fn cpu_model() -> Option<String> {
    let facts = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = facts.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
