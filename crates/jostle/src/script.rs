//! Scripts: the changes that a game will make, and when, as data.

use std::collections::HashMap;

use crate::grid::{Grid, OutsideMap};
use crate::world::{AgentId, Change, ChangeError, World};

/// A change in a script: agents are given by number, places by column and row.
///
/// The agents that are present when the script begins are numbered from 0, in the order of their slots. An agent that
/// joins has the number that its [`Change::Join`] gives it, which no agent may have had before.
pub type ScriptedChange = Change<u32, (u32, u32)>;

/// Changes with their ticks: what the game will do, as data.
///
/// A script does not refer to a map. [`Script::check`] finds out before a run whether it fits one, and
/// [`Simulation::script`](crate::Simulation::script) plays it. [`formats`](crate::formats) has its text form.
///
/// ```
/// use jostle::{Change, Script};
///
/// let mut script = Script::default();
/// script.add(30, Change::SetFloor { cell: (4, 2), is_floor: true });
/// script.add(10, Change::SetFloor { cell: (4, 2), is_floor: false });
/// assert_eq!(script.entries()[0].tick, 10, "a script is in the order of its ticks");
/// assert_eq!(script.write(), "10 wall (4,2)\n30 floor (4,2)\n");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Script {
    entries: Vec<ScriptEntry>,
}

/// One change of a [`Script`].
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ScriptEntry {
    /// How many ticks have passed when it happens.
    pub tick: u64,
    /// What happens.
    pub change: ScriptedChange,
    /// The line of the file, for messages; 0 if the entry was not read from a file. Comparisons ignore it.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub line: usize,
}

impl PartialEq for ScriptEntry {
    fn eq(&self, other: &Self) -> bool {
        (self.tick, self.change) == (other.tick, other.change)
    }
}

impl Eq for ScriptEntry {}

impl Script {
    /// The script with these changes. Those of one tick happen in the order in which they are given.
    pub fn of(mut entries: Vec<ScriptEntry>) -> Self {
        entries.sort_by_key(|entry| entry.tick);
        Self { entries }
    }

    /// Adds a change, after all others of the same tick.
    pub fn add(&mut self, tick: u64, change: ScriptedChange) {
        let at = self.entries.partition_point(|earlier| earlier.tick <= tick);
        self.entries.insert(at, ScriptEntry { tick, change, line: 0 });
    }

    /// The changes, in the order in which they happen.
    pub fn entries(&self) -> &[ScriptEntry] {
        &self.entries
    }

    /// How many changes there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no changes.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Checks that this script fits a map with this many agents, as far as can be known before a run: places are
    /// on the map, and agents are present when something happens to them.
    ///
    /// # Errors
    /// The first change that does not fit, with its line.
    pub fn check(&self, grid: &Grid, agents: usize) -> Result<(), ScriptError> {
        let mut is_there: HashMap<u32, bool> =
            (0..agents as u32).map(|agent| (agent, true)).collect();
        for &ScriptEntry { change, line, .. } in &self.entries {
            for position in change.places() {
                grid.locate(position).map_err(|source| ScriptError::Outside { line, source })?;
            }
            let Some(agent) = change.agent() else { continue };
            match change {
                Change::Join { .. } if is_there.contains_key(&agent) => {
                    return Err(ScriptError::NumberTaken { line, agent });
                }
                Change::Join { .. } => {
                    is_there.insert(agent, true);
                }
                _ if is_there.get(&agent) != Some(&true) => {
                    return Err(ScriptError::NoSuchAgent { line, agent });
                }
                Change::Leave { .. } => {
                    is_there.insert(agent, false);
                }
                _ => {}
            }
        }
        Ok(())
    }
}

impl FromIterator<(u64, ScriptedChange)> for Script {
    fn from_iter<I: IntoIterator<Item = (u64, ScriptedChange)>>(changes: I) -> Self {
        let entry = |(tick, change)| ScriptEntry { tick, change, line: 0 };
        Self::of(changes.into_iter().map(entry).collect())
    }
}

/// Why a script does not fit a map and its agents. Agents are counted from 0, lines from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScriptError {
    /// A place is not on the map.
    #[error("line {line}: {source}")]
    Outside {
        /// The line of the script.
        line: usize,
        /// The place, and where the map ends.
        source: OutsideMap,
    },
    /// A change concerns an agent that is not present at that time.
    #[error("line {line}: there is no agent {agent} at that time")]
    NoSuchAgent {
        /// The line of the script.
        line: usize,
        /// The agent's number.
        agent: u32,
    },
    /// An agent joins with a number that another one has or had.
    #[error("line {line}: the number {agent} is taken: every agent that joins needs a new number")]
    NumberTaken {
        /// The line of the script.
        line: usize,
        /// The number.
        agent: u32,
    },
}

/// A change that was refused when its tick came. The run goes on without it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The change.
    pub entry: ScriptEntry,
    /// Why the world refused it.
    pub reason: RefusalReason,
}

/// Why a change of a script was left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RefusalReason {
    /// The agent is not present, perhaps because its own [`Change::Join`] was refused.
    #[error("there is no agent {0}")]
    NoSuchAgent(u32),
    /// The world refused it.
    #[error(transparent)]
    Refused(#[from] ChangeError),
}

/// The agents of a world by their numbers in a script or a path file.
#[derive(Clone, Debug, Default)]
pub struct Cast(HashMap<u32, AgentId>);

impl Cast {
    /// The agent with a number, if there is or was one.
    pub fn agent(&self, number: u32) -> Option<AgentId> {
        self.0.get(&number).copied()
    }

    /// Makes a change. An agent that joins gets the number that the change names.
    ///
    /// # Errors
    /// When the world refuses it, or there is no such agent.
    pub fn make(&mut self, world: &mut World, change: ScriptedChange) -> Result<(), RefusalReason> {
        let joined = match change {
            Change::Join { agent, .. } => Some((agent, world.next_id())),
            _ => None,
        };
        let rename = |agent| match joined {
            Some((_, id)) => Ok(id),
            None => self.agent(agent).ok_or(RefusalReason::NoSuchAgent(agent)),
        };
        let locate = |position| {
            world.grid().locate(position).map_err(|error| RefusalReason::Refused(error.into()))
        };
        let change = change.try_map(rename, locate)?;
        world.apply(change)?;
        self.0.extend(joined);
        Ok(())
    }
}

impl FromIterator<(u32, AgentId)> for Cast {
    fn from_iter<I: IntoIterator<Item = (u32, AgentId)>>(agents: I) -> Self {
        Self(agents.into_iter().collect())
    }
}

/// Applies a script to a world, tick by tick.
#[derive(Clone, Debug)]
pub struct ScriptPlayer<'a> {
    script: &'a Script,
    /// The index of the first entry that has not been played.
    next: usize,
    cast: Cast,
    refusals: Vec<Refusal>,
}

impl<'a> ScriptPlayer<'a> {
    /// Begins with the world as it is: its agents are numbered from 0, in the order of their slots.
    pub fn begin(script: &'a Script, world: &World) -> Self {
        let cast = (0..).zip(world.agents().map(|agent| agent.id)).collect();
        Self { script, next: 0, cast, refusals: Vec::new() }
    }

    /// Makes all changes up to the current tick that were not made yet.
    pub fn play(&mut self, world: &mut World) {
        let now = world.tick();
        while let Some(&entry) = self.script.entries.get(self.next).filter(|e| e.tick <= now) {
            self.next += 1;
            if let Err(reason) = self.cast.make(world, entry.change) {
                self.refusals.push(Refusal { entry, reason });
            }
        }
    }

    /// Whether all entries have been played.
    pub fn is_over(&self) -> bool {
        self.next == self.script.entries.len()
    }

    /// The changes that were refused, in order.
    pub fn refusals(&self) -> &[Refusal] {
        &self.refusals
    }
}

#[cfg(test)]
#[path = "script_test.rs"]
mod tests;
