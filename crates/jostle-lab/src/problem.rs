//! A map with agents, as an experiment names it.

use std::sync::Arc;

use jostle::Instance;
use jostle::instance::Kind;

use crate::fingerprint::fingerprint;
use crate::{LabError, NamedMap};

/// One instance to run.
#[derive(Debug)]
pub struct Problem {
    /// The map's name.
    pub map: String,
    /// The [fingerprint](NamedMap::fingerprint) of the map.
    pub map_fingerprint: u64,
    /// The seed that drew the agents; none if they were read.
    pub seed: Option<u64>,
    /// How they were drawn; none if they were read.
    pub kind: Option<Kind>,
    /// The map and its agents.
    pub instance: Instance,
}

impl Problem {
    /// The number of agents.
    pub fn agents(&self) -> usize {
        self.instance.tasks().len()
    }

    /// The fingerprint of the script, which only equal scripts share; none without a script.
    pub fn script_fingerprint(&self) -> Option<String> {
        let script = self.instance.script();
        (!script.is_empty()).then(|| format!("{:016x}", fingerprint(script.write().bytes())))
    }

    /// The fingerprint of starts and goals that were read; none if they were drawn, because then kind, number and seed
    /// say it all.
    pub fn scenario_fingerprint(&self) -> Option<String> {
        let places = self.instance.tasks().iter().flat_map(|&(start, goal)| [start, goal]);
        let bytes = places.flat_map(|cell| (cell.index() as u32).to_le_bytes());
        self.kind.is_none().then(|| format!("{:016x}", fingerprint(bytes)))
    }

    /// Draws agents on a map.
    ///
    /// # Errors
    /// When that many cannot be drawn.
    pub fn draw(map: &NamedMap, kind: Kind, agents: usize, seed: u64) -> Result<Self, LabError> {
        let instance = Instance::draw(Arc::clone(&map.grid), kind, agents, seed)
            .map_err(|error| LabError::input(format!("{}: {error}", map.name)))?;
        let (name, map_fingerprint) = (map.name.clone(), map.fingerprint());
        Ok(Self { map: name, map_fingerprint, seed: Some(seed), kind: Some(kind), instance })
    }
}
