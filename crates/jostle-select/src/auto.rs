//! A planner that chooses a planner.

use jostle::formats::quoted;
use jostle::planners::{Entry, Field, Planner, Recipe, Registry, Spec, Value};
use jostle::search::Work;
use jostle::{Agent, Cell, Change, Moves, World};

use crate::{Predict, Sight};

/// Lets one of several planners move the agents: the one that promises most in the first tick, and again after large changes. A
/// planner that is chosen again goes on with all that it remembers.
///
/// It looks at the problem as it is then: agents where they stand, with their goals of that moment. What it takes for a large change
/// says [`Attention`]. Between choices, it costs nothing but a look at the tick's changes.
#[derive(Debug)]
pub struct Auto<P> {
    predictor: P,
    candidates: Vec<Spec>,
    attention: Attention,
    present: Option<Present>,
    /// Starts and goals for the next choice; kept for its memory.
    tasks: Vec<(Cell, Cell)>,
}

/// Which changes make it worth choosing again.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Attention {
    /// The share of agents that have joined, left, been placed or got new goals since the last choice.
    pub agents: f64,
    /// The share of all cells that have turned into floor or into walls.
    pub floor: f64,
    /// The least number of ticks from one choice to the next.
    pub pause: u32,
}

impl Default for Attention {
    fn default() -> Self {
        Self { agents: 0.5, floor: 0.02, pause: 64 }
    }
}

/// What was chosen, and what has happened since.
struct Present {
    candidate: usize,
    planner: Box<dyn Planner>,
    /// The tick of the choice.
    chosen: u64,
    /// Changes since then that concern agents, and those that concern the floor.
    changed_agents: usize,
    changed_cells: usize,
    /// The world as it was when it was seen last.
    seen: Seen,
}

impl std::fmt::Debug for Present {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { candidate, chosen, .. } = self;
        let mut shown = f.debug_struct("Present");
        shown.field("candidate", candidate).field("chosen", chosen).finish_non_exhaustive()
    }
}

/// What tells a later moment of one world from another world.
#[derive(Clone, Copy, Debug)]
struct Seen {
    tick: u64,
    changes: u64,
    slots: usize,
    floor: u64,
}

impl Seen {
    fn of(world: &World) -> Self {
        Self {
            tick: world.tick(),
            changes: world.change_count(),
            slots: world.slots(),
            floor: world.grid().fingerprint(),
        }
    }

    /// The changes since then, of those before this tick; none if this is another world, or one in which changes were made unseen.
    fn changes_until(self, world: &World) -> Option<&[Change]> {
        let (now, changes) = (Self::of(world), world.changes());
        let new = now.changes.checked_sub(self.changes)? as usize;
        let new = &changes[changes.len().checked_sub(new)?..];
        let is_edited = || new.iter().any(|change| matches!(change, Change::SetFloor { .. }));
        let is_later = now.tick >= self.tick && now.slots >= self.slots;
        (is_later && (now.floor == self.floor || is_edited())).then_some(new)
    }
}

impl<P: Predict> Auto<P> {
    /// Chooses among these planners, as the predictor numbers them.
    ///
    /// # Errors
    /// When a planner is not in the registry: the sentence names it.
    pub fn new<S: AsRef<str>>(
        predictor: P,
        candidates: &[S],
        registry: &Registry,
    ) -> Result<Self, String> {
        let candidates = candidates.iter().map(|text| {
            let text = text.as_ref();
            registry.parse(text).map_err(|error| {
                format!("the model chooses {}, and this build cannot: {error}", quoted(text))
            })
        });
        let candidates: Vec<Spec> = candidates.collect::<Result<_, _>>()?;
        if candidates.is_empty() {
            return Err("the model has no planners to choose from".to_owned());
        }
        let attention = Attention::default();
        Ok(Self { predictor, candidates, attention, present: None, tasks: Vec::new() })
    }

    /// The planner that moves the agents now; none before the first tick.
    pub fn chosen(&self) -> Option<&Spec> {
        self.present.as_ref().map(|present| &self.candidates[present.candidate])
    }

    /// Which changes make it choose again.
    pub const fn attention(&mut self) -> &mut Attention {
        &mut self.attention
    }

    /// Notes the changes before this tick, and says whether it is time to choose.
    fn is_time_to_choose(&mut self, world: &World) -> bool {
        let Some(present) = &mut self.present else { return true };
        let Some(changes) = present.seen.changes_until(world) else {
            self.present = None;
            return true;
        };
        for change in changes {
            match change {
                Change::SetFloor { .. } => present.changed_cells += 1,
                _ => present.changed_agents += 1,
            }
        }
        present.seen = Seen::of(world);
        let Attention { agents, floor, pause } = self.attention;
        let is_large = |changed: usize, of: usize, share: f64| {
            changed > 0 && changed as f64 >= share * of as f64
        };
        world.tick() - present.chosen >= u64::from(pause)
            && (is_large(present.changed_agents, world.slots(), agents)
                || is_large(present.changed_cells, world.grid().cells().len(), floor))
    }

    fn choose(&mut self, world: &World) {
        self.tasks.clear();
        self.tasks.extend(world.ours().map(|agent| (agent.cell, agent.goal)));
        let sight = Sight { grid: world.grid(), tasks: &self.tasks };
        let candidate = self.predictor.pick(sight).min(self.candidates.len() - 1);
        let planner = match self.present.take() {
            Some(present) if present.candidate == candidate => present.planner,
            _ => self.candidates[candidate].build(),
        };
        self.present = Some(Present {
            candidate,
            planner,
            chosen: world.tick(),
            changed_agents: 0,
            changed_cells: 0,
            seen: Seen::of(world),
        });
    }
}

impl<P: Predict + Send + Sync> Planner for Auto<P> {
    fn plan(&mut self, world: &World, moves: &mut Moves) -> Work {
        if self.is_time_to_choose(world) {
            self.choose(world);
        }
        match &mut self.present {
            Some(present) => present.planner.plan(world, moves),
            None => Work::default(),
        }
    }

    fn wish(&self, agent: &Agent) -> Option<Cell> {
        self.present.as_ref()?.planner.wish(agent)
    }

    /// Without the predictor.
    fn memory(&self) -> usize {
        let planner = self.present.as_ref().map_or(0, |present| present.planner.memory());
        size_of::<Self>() + self.tasks.capacity() * size_of::<(Cell, Cell)>() + planner
    }
}

/// The parameters of an [`Auto`] planner by name, and what it chooses with.
struct AutoRecipe<P> {
    predictor: P,
    candidates: Vec<Spec>,
    attention: Attention,
}

impl<P: Predict + Clone + Send + Sync + 'static> Recipe for AutoRecipe<P> {
    fn fields(&mut self) -> Vec<Field<'_>> {
        let Attention { agents, floor, pause } = &mut self.attention;
        vec![
            Field {
                name: "agents",
                about: "choose again when this share of the agents has joined, left or got new goals",
                value: Value::Real { value: agents, range: 0.0..=1000.0 },
            },
            Field {
                name: "floor",
                about: "choose again when this share of the cells has been edited",
                value: Value::Real { value: floor, range: 0.0..=1000.0 },
            },
            Field {
                name: "pause",
                about: "the least number of ticks from one choice to the next",
                value: Value::Count { value: pause, range: 1..=1_000_000 },
            },
        ]
    }

    fn build(&self) -> Box<dyn Planner> {
        Box::new(Auto {
            predictor: self.predictor.clone(),
            candidates: self.candidates.clone(),
            attention: self.attention,
            present: None,
            tasks: Vec::new(),
        })
    }
}

impl<P: Predict + Clone + Send + Sync + 'static> Auto<P> {
    /// The planner `auto` for a registry: whoever asks for it by that name gets one that chooses like this.
    pub fn entry(self) -> Entry {
        let Self { predictor, candidates, attention, .. } = self;
        Entry::new("auto", "Chooses one of several planners by looking at the problem", move || {
            let (predictor, candidates) = (predictor.clone(), candidates.clone());
            AutoRecipe { predictor, candidates, attention }
        })
    }
}

#[cfg(test)]
#[path = "auto_test.rs"]
mod tests;
