//! Successors of a configuration, by one step of PIBT.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::grid::{Cell, Grid};
use crate::pibt::{Choices, Far, Guidance, Progress, Step};
use crate::search::GoalDistances;
use crate::solvers::Objective;
use crate::world::Configuration;

/// Generates successors. Its lists are kept from one to the next.
#[derive(Clone, Debug)]
pub struct Generator {
    step: Step,
    /// The configuration from which steps lead.
    now: Configuration,
    pub distances: GoalDistances,
    goals: Vec<Cell>,
    pub dice: ChaCha8Rng,
    /// Which agents are getting on, on the way of the search.
    progress: Progress,
    objective: Objective,
    /// How many steps are tried for each successor.
    tries: u32,
    next: Vec<Cell>,
    /// The best of the steps that were tried.
    best: Vec<Cell>,
    /// How often an agent was asked to choose.
    pub choices: u64,
    /// How many cells the swap rule has looked at.
    pub walked: u64,
}

impl Generator {
    /// Steps of agents with these goals, with or without the swap rule.
    pub fn new(
        grid: &Grid,
        (distances, goals): (GoalDistances, Vec<Cell>),
        objective: Objective,
        (seed, tries): (u32, u32),
        has_swap_rule: bool,
    ) -> Self {
        let mut progress = Progress::default();
        progress.forget_all(goals.len());
        Self {
            step: Step::new(has_swap_rule),
            now: Configuration::empty(grid),
            distances,
            goals,
            dice: ChaCha8Rng::seed_from_u64(u64::from(seed)),
            progress,
            objective,
            tries,
            next: Vec::new(),
            best: Vec::new(),
            choices: 0,
            walked: 0,
        }
    }

    /// Begins a step from these cells, in which the first agents of an order go to these cells. Returns whether that is legal.
    pub fn begin(&mut self, grid: &Grid, cells: &[Cell], order: &[u32], decided: &[Cell]) -> bool {
        self.now.follow_cells(cells);
        self.decide(grid, order, decided)
    }

    /// Finds moves for all other agents, and returns the successor with what it costs at least to go on from there. `None` if there is
    /// no step, or an agent would go to where it cannot reach its goal.
    ///
    /// Of several steps the one is taken that is nearest to the goals.
    pub fn run(&mut self, grid: &Grid, order: &[u32], decided: &[Cell]) -> Option<(&[Cell], u64)> {
        let tries = if decided.len() == order.len() { 1 } else { self.tries };
        let mut least = None;
        for number in 0..tries {
            let is_legal = number == 0 || self.decide(grid, order, decided);
            let h = if is_legal { self.try_step(grid, order) } else { None };
            if h.is_some_and(|h| least.is_none_or(|least| h < least)) {
                least = h;
                std::mem::swap(&mut self.best, &mut self.next);
            }
        }
        least.map(|h| (&self.best[..], h))
    }

    /// What it costs at least to go on from these cells; `None` if an agent cannot reach its goal.
    pub fn h(&mut self, grid: &Grid, cells: &[Cell]) -> Option<u64> {
        let mut h = 0;
        for (agent, &cell) in cells.iter().enumerate() {
            let steps = self.distances.start_distance(grid, agent, cell);
            if steps == GoalDistances::NONE {
                return None;
            }
            h = self.objective.total([h, u64::from(steps)].into_iter());
        }
        Some(h)
    }

    /// Whether every agent is on its goal.
    pub fn is_goal(&self, cells: &[Cell]) -> bool {
        cells == self.goals
    }

    /// Sends an agent to another goal.
    pub fn redirect(&mut self, agent: usize, goal: Cell) {
        self.goals[agent] = goal;
        self.distances.send(agent, Some(goal));
        self.progress.forget(agent);
    }

    /// Begins another search for the same agents.
    pub fn begin_anew(&mut self) {
        self.progress.forget_all(self.goals.len());
    }

    pub fn goals(&self) -> &[Cell] {
        &self.goals
    }

    /// Nominal bytes: those of the distances, and those for a step of PIBT, eight for each cell and
    /// 48 for each agent.
    pub fn held(&self, grid: &Grid) -> usize {
        self.distances.held() + 8 * grid.cells().len() + 48 * self.goals.len()
    }

    /// Bytes this holds.
    pub fn memory(&self) -> usize {
        self.step.memory()
            + self.now.memory()
            + self.distances.memory()
            + self.progress.memory()
            + (self.goals.capacity() + self.next.capacity() + self.best.capacity())
                * size_of::<Cell>()
    }

    fn decide(&mut self, grid: &Grid, order: &[u32], decided: &[Cell]) -> bool {
        let Self { step, now, .. } = self;
        step.begin(grid, now);
        order.iter().zip(decided).all(|(&agent, &to)| step.decide(grid, now, agent as usize, to))
    }

    fn try_step(&mut self, grid: &Grid, order: &[u32]) -> Option<u64> {
        let Self { step, now, distances, goals, dice, progress, choices, walked, .. } = self;
        *choices += order.len() as u64;
        let mut guide = Guide { now, distances, goals, dice, progress };
        let is_found = step.run(grid, now, order, &mut guide);
        *walked += step.walked();
        if !is_found {
            return None;
        }
        self.next.clear();
        self.next.extend((0..order.len()).filter_map(|agent| step.next(now, agent)));
        let next = std::mem::take(&mut self.next);
        let h = self.h(grid, &next);
        self.next = next;
        h
    }
}

/// Agents go where they are nearest to their goals, and prefer free cells and those with more ways on while they are getting on.
struct Guide<'a> {
    now: &'a Configuration,
    distances: &'a mut GoalDistances,
    goals: &'a [Cell],
    dice: &'a mut ChaCha8Rng,
    progress: &'a mut Progress,
}

impl Guidance for Guide<'_> {
    fn is_movable(&self, _: usize) -> bool {
        true
    }

    fn goal(&self, agent: usize) -> Cell {
        self.goals[agent]
    }

    fn choices(
        &mut self,
        grid: &Grid,
        agent: usize,
        here: Cell,
        _: impl Fn(Cell) -> bool,
    ) -> Choices {
        let Self { now, distances, dice, progress, .. } = self;
        let mut far = FarOf { distances, agent };
        let is_getting_on = |distance| progress.note_choice(agent, distance);
        Choices::by_distance(grid, (*now, here), &mut far, is_getting_on, dice.next_u64())
    }

    fn comes_closer(&mut self, _: &Grid, agent: usize, from: Cell, to: Cell) -> bool {
        self.distances.get(agent, to) < self.distances.get(agent, from)
    }

    /// An agent on its goal stays there, if it can.
    fn favourite(&self, _: &Grid, agent: usize, here: Cell) -> Option<Cell> {
        (here == self.goals[agent]).then_some(here)
    }
}

/// The distances of an agent.
struct FarOf<'a> {
    distances: &'a mut GoalDistances,
    agent: usize,
}

impl Far for FarOf<'_> {
    #[inline]
    fn find(&mut self, cell: Cell) -> u64 {
        u64::from(self.distances.get(self.agent, cell))
    }

    #[inline]
    fn known(&self, cell: Cell) -> Option<u64> {
        self.distances.known(self.agent, cell)
    }
}
