//! What is attacked: a target draws cases and runs them.

use std::collections::BTreeMap;
use std::ops::AddAssign;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::dice::Dice;
use crate::fault::Fault;

/// Something that is attacked with random cases.
///
/// A case is plain data. It is shrunk and written out as JSON, so a target has to accept any value of its type.
pub trait Target: Sync {
    /// All that one run needs.
    type Case: Serialize + DeserializeOwned;

    /// The name that users type.
    fn name(&self) -> &'static str;

    /// What is attacked, in one line.
    fn about(&self) -> &'static str;

    /// How many cases to run if the user does not say: some ten seconds on one core.
    fn usual_cases(&self) -> u64;

    /// What this machine lacks, and what is left out for that.
    fn left_out(&self) -> Option<String> {
        None
    }

    /// Draws case number `index`. Cases differ in their dice; the index is for targets that take turns.
    fn draw(&self, index: u64, dice: &mut Dice) -> Self::Case;

    /// Runs a case, and adds to `effort` what it did.
    ///
    /// # Errors
    /// When the case shows a fault. A panic counts as a fault too.
    fn run(&self, case: &Self::Case, effort: &mut Effort) -> Result<(), Fault>;
}

/// How much was done.
#[derive(Clone, Debug, Default)]
pub struct Effort {
    /// Cases that were run.
    pub cases: u64,
    /// Ticks of worlds, checked by the model.
    pub ticks: u64,
    /// The agents of these ticks, added up.
    pub agent_ticks: u64,
    /// The agent-ticks of each planner, and the time that they took.
    pub by_planner: BTreeMap<String, (u64, Duration)>,
    /// Agent-ticks that were compared with the same in another run, by the kind of that run.
    pub compared: BTreeMap<&'static str, u64>,
}

impl Effort {
    /// Adds ticks of a world with a planner.
    pub fn add_ticks(&mut self, planner: &str, ticks: u64, agent_ticks: u64, time: Duration) {
        self.ticks += ticks;
        self.agent_ticks += agent_ticks;
        let share = self.by_planner.entry(planner.to_owned()).or_default();
        share.0 += agent_ticks;
        share.1 += time;
    }

    /// Adds agent-ticks that were compared.
    pub fn add_compared(&mut self, kind: &'static str, agent_ticks: u64) {
        *self.compared.entry(kind).or_default() += agent_ticks;
    }
}

impl AddAssign for Effort {
    fn add_assign(&mut self, more: Self) {
        self.cases += more.cases;
        self.ticks += more.ticks;
        self.agent_ticks += more.agent_ticks;
        for (planner, (agent_ticks, time)) in more.by_planner {
            let share = self.by_planner.entry(planner).or_default();
            share.0 += agent_ticks;
            share.1 += time;
        }
        more.compared.into_iter().for_each(|(kind, ticks)| self.add_compared(kind, ticks));
    }
}
