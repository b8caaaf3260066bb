//! Planners that keep a joint plan in a world whose floor changes: incremental multi-agent pathfinding (I-MAPF).
//!
//! Each begins with an optimal joint plan by [conflict-based search](crate::solvers::Cbs) and executes it. They differ in what they
//! do when cells close or open:
//! - [`CbsReplan`] solves the remaining problem anew.
//! - [`CbsDstarLite`] keeps the paths that are still good, repairs the others by D\* Lite, and resolves new conflicts in a
//!   conflict tree whose root is the repaired plan.
//! - [`DiCbs`] goes on with its conflict tree: the present plan is the next root, with its constraints, and SLPA\* repairs a path
//!   from a little before the place where it is cut.
//!
//! What they share:
//! - New goals, agents that join or leave, and agents that are put elsewhere are solved anew by all of them.
//! - Foreign agents are walls, so that one that moves closes a cell and opens another.
//! - An agent whose goal is a wall, out of reach, or the goal of another agent with a smaller slot (or already there) goes as
//!   near to it as it can. When cells open, that is looked at again.
//! - An agent on a cell that turns into a wall may wait there or step out, as the world allows.
//! - Solving takes at most `limit` expansions. Where that is not enough, as in dense crowds, and where there is no joint plan,
//!   [PIBT](super::Pibt) moves the agents for a while, and then the planner tries again. The pause doubles each time.
//! - With a `budget`, solving is spread over ticks. Meanwhile agents wait where they are, because the plan will begin there.

mod di_cbs;
mod dstar_lite;
mod environment_tree;
mod goal_table;
mod guide;
mod outlook;
mod repairs;
mod replan;
mod scene;

pub use di_cbs::DiCbs;
pub use dstar_lite::CbsDstarLite;
pub use repairs::Repairs;
pub use replan::CbsReplan;

use std::sync::Arc;

use super::pibt::{PibtPlanner, Ties};
use super::settle::Settle;
use super::{Pibt, Planner, Work};
use crate::grid::Cell;
use crate::search::Budget;
use crate::solvers::{Attempt, Cbs, Proof, Solver};
use crate::world::{Agent, Moves, World};
use environment_tree::EnvironmentTree;
use outlook::Outlook;
use scene::{News, Scene};

/// How long PIBT moves the agents after an attempt that failed, in ticks, at first and at most.
const FIRST_PAUSE: u64 = 4;
const LONGEST_PAUSE: u64 = 256;
/// With a budget, for how many ticks agents wait for a plan, at first. It doubles when that was not enough, as the pause does.
const FIRST_PATIENCE: u64 = 16;
/// After so many ticks without a new plan, ticks are counted anew, so that paths do not get longer and longer.
const LONGEST_COURSE: u32 = 4096;

/// What all of these planners limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Effort {
    /// The most expansions to solve the remaining problem once.
    limit: u32,
    /// The most expansions in a tick.
    budget: Option<u32>,
}

impl Effort {
    /// Enough for ten agents on most maps, in a fraction of a second.
    const DEFAULT_LIMIT: u32 = 10_000;
}

/// A joint plan that is being executed.
#[derive(Clone, Debug, Default)]
struct Course {
    /// The tick of the first cell of each path.
    began: u64,
    /// One path for each agent of the scene. The agent stays on the last cell.
    paths: Vec<Arc<[Cell]>>,
}

impl Course {
    /// How many ticks after its beginning it is.
    fn now(&self, tick: u64) -> u32 {
        u32::try_from(tick - self.began).unwrap_or(u32::MAX)
    }

    /// Where an agent is to be, so many ticks after the beginning.
    fn at(&self, agent: usize, tick: u32) -> Cell {
        let path = &self.paths[agent];
        path[(tick as usize).min(path.len() - 1)]
    }

    /// Forgets the past: the course begins now.
    fn begin_at(&mut self, tick: u64) {
        let now = self.now(tick) as usize;
        for path in &mut self.paths {
            *path = path[now.min(path.len() - 1)..].into();
        }
        self.began = tick;
    }
}

/// What the planner is doing.
enum Doing {
    /// It has not seen a world yet, or its last plan is no longer good.
    Nothing,
    /// It solves the remaining problem, in slices.
    Solving {
        attempt: Box<dyn Attempt>,
        /// The expansions so far.
        spent: u64,
    },
    /// It executes a plan.
    Following(Course),
    /// It found no plan and tries again at a tick.
    Pausing { until: u64 },
}

/// A planner that executes a joint plan, and repairs it or solves anew when the world changes.
struct Incremental {
    effort: Effort,
    scene: Scene,
    doing: Doing,
    /// Repairs plans; none to solve anew each time.
    tree: Option<EnvironmentTree>,
    /// The changes that were announced.
    outlook: Outlook,
    pause: u64,
    patience: u64,
    /// The tick after the one that was planned last.
    next_tick: u64,
    fallback: PibtPlanner,
    settle: Settle,
}

impl Incremental {
    fn new(effort: Effort, tree: Option<EnvironmentTree>, outlook: Outlook) -> Self {
        Self {
            effort,
            scene: Scene::default(),
            doing: Doing::Nothing,
            tree,
            outlook,
            pause: FIRST_PAUSE,
            patience: FIRST_PATIENCE,
            next_tick: 0,
            fallback: PibtPlanner::compact(Pibt {
                ties: Ties::Random,
                budget: effort.budget,
                ..Pibt::default()
            }),
            settle: Settle::default(),
        }
    }

    /// Takes account of what the game has changed. Afterwards a plan that is followed is good, or there is none.
    fn follow(&mut self, world: &World, budget: &mut Budget<'_>) {
        if self.scene.is_another(world) {
            let tree = self.tree.as_ref().map(EnvironmentTree::emptied);
            *self = Self::new(self.effort, tree, self.outlook.announced());
        }
        let news = self.scene.follow(world);
        self.note(world.tick());
        self.doing = match (std::mem::replace(&mut self.doing, Doing::Nothing), news) {
            (Doing::Following(course), _) if !self.is_on_course(&course, world) => Doing::Nothing,
            (Doing::Following(course), News::Nothing) => self.unless_too_old(course, world),
            (Doing::Following(course), News::Edited) => self.repair(course, world, budget),
            (Doing::Solving { attempt, spent }, News::Nothing) if self.scene.is_still(world) => {
                Doing::Solving { attempt, spent }
            }
            // Where goals change faster than they can be planned for, it is better to move.
            (Doing::Solving { .. }, _) => self.give_up(world.tick()),
            (Doing::Following(_), _) => Doing::Nothing,
            // What has failed is not tried again at once, because that may be expensive.
            (doing, _) => doing,
        };
    }

    /// Tells all searches which cells have closed or opened.
    fn note(&mut self, tick: u64) {
        let announced: Vec<Cell> = self.outlook.cells().collect();
        let has_passed = self.outlook.pass(self.scene.floor(), tick);
        let Some(tree) = &mut self.tree else { return };
        let now = match &self.doing {
            Doing::Following(course) => course.now(tick),
            _ => 0,
        };
        if !self.scene.edits().is_empty() {
            tree.note(self.scene.edits(), now);
        }
        // What can be walked at some time depends on what is to come.
        if has_passed {
            tree.note(&announced, now);
        }
    }

    /// Whether every agent is where the plan says. One may have been put elsewhere, or ticks have passed without the planner.
    fn is_on_course(&self, course: &Course, world: &World) -> bool {
        let now = course.now(world.tick());
        let agents = self.scene.agents();
        agents.len() == course.paths.len()
            && agents.iter().enumerate().all(|(agent, known)| {
                world.agent(known.id).is_some_and(|it| it.cell == course.at(agent, now))
            })
    }

    /// A course that has gone on for long without changes begins anew, now.
    fn unless_too_old(&mut self, mut course: Course, world: &World) -> Doing {
        if course.now(world.tick()) >= LONGEST_COURSE {
            course.begin_at(world.tick());
            if let Some(tree) = &mut self.tree {
                tree.begin(course.paths.len());
            }
        }
        Doing::Following(course)
    }

    /// Repairs a plan after cells have closed or opened.
    fn repair(&mut self, mut course: Course, world: &World, budget: &mut Budget<'_>) -> Doing {
        let Some(tree) = self.tree.as_mut().filter(|_| !self.scene.has_substitutes()) else {
            return Doing::Nothing;
        };
        let mut part = budget.part(u64::from(self.effort.limit));
        let found = tree.repair(&self.scene, &self.outlook, &mut course, world.tick(), &mut part);
        budget.take(&part);
        if found.is_found() { Doing::Following(course) } else { Doing::Nothing }
    }

    /// Solves the remaining problem, or goes on solving it, unless there is a plan.
    fn solve(&mut self, world: &World, budget: &mut Budget<'_>) {
        let (mut attempt, mut spent) = match std::mem::replace(&mut self.doing, Doing::Nothing) {
            Doing::Solving { attempt, spent } => (attempt, spent),
            Doing::Pausing { until } if world.tick() < until => {
                self.doing = Doing::Pausing { until };
                return;
            }
            Doing::Following(course) => {
                self.doing = Doing::Following(course);
                return;
            }
            Doing::Nothing | Doing::Pausing { .. } => {
                let floor = self.outlook.ever(self.scene.shared_floor());
                self.scene.take_stock(world, &floor);
                if self.scene.agents().is_empty() {
                    return;
                }
                (self.attempt(), 0)
            }
        };
        let patience = self.effort.budget.map(|a_tick| u64::from(a_tick) * self.patience);
        let most = u64::from(self.effort.limit).min(patience.unwrap_or(u64::MAX));
        self.doing = loop {
            let mut part = budget.part(most.saturating_sub(spent));
            let answer = attempt.go_on(&mut part, &mut |_| ());
            spent += part.work().expansions;
            budget.take(&part);
            match (answer.proof, answer.best) {
                (_, Some(solution)) => {
                    let paths = solution.plan.paths().iter().map(|path| path.cells[..].into());
                    let course = Course { began: world.tick(), paths: paths.collect() };
                    break self.set_out(course, world, budget);
                }
                (Proof::Impossible, None) => {
                    let floor = self.outlook.ever(self.scene.shared_floor());
                    if !self.scene.find_substitutes(&floor) {
                        break self.give_up(world.tick());
                    }
                    attempt = self.attempt();
                }
                (Proof::OutOfBudget, None) if spent < most => {
                    break Doing::Solving { attempt, spent };
                }
                _ => break self.give_up(world.tick()),
            }
        };
    }

    /// Begins to follow a new plan, which does not know the announced changes yet.
    fn set_out(&mut self, mut course: Course, world: &World, budget: &mut Budget<'_>) -> Doing {
        if let Some(tree) = &mut self.tree {
            tree.begin(course.paths.len());
            let is_good = self.outlook.is_empty()
                || tree
                    .repair(&self.scene, &self.outlook, &mut course, world.tick(), budget)
                    .is_found();
            if !is_good {
                return self.give_up(world.tick());
            }
        }
        (self.pause, self.patience) = (FIRST_PAUSE, FIRST_PATIENCE);
        Doing::Following(course)
    }

    fn give_up(&mut self, tick: u64) -> Doing {
        // Agents move for at least as long as they have waited.
        let waited = if self.effort.budget.is_some() { self.patience } else { 0 };
        let until = tick + self.pause.max(waited);
        self.pause = (self.pause * 2).min(LONGEST_PAUSE);
        self.patience = (self.patience * 2).min(LONGEST_PAUSE);
        Doing::Pausing { until }
    }

    /// A search for the best plan from where the agents stand.
    fn attempt(&mut self) -> Box<dyn Attempt> {
        let floor = self.outlook.ever(self.scene.shared_floor());
        let tree = self.tree.as_mut();
        let distances = tree.and_then(|tree| tree.distances(&self.scene, &floor));
        let problem = self.scene.problem(floor);
        match distances {
            Some(distances) => Cbs::default().begin_with(&problem, distances),
            None => Cbs::default().begin(&problem),
        }
    }
}

impl Planner for Incremental {
    fn plan(&mut self, world: &World, moves: &mut Moves) -> Work {
        let mut budget = Budget::of_option(self.effort.budget);
        self.follow(world, &mut budget);
        self.solve(world, &mut budget);
        let mut work = budget.work();
        self.next_tick = world.tick() + 1;
        match &self.doing {
            Doing::Following(course) => {
                let next = course.now(world.tick()) + 1;
                for (agent, known) in self.scene.agents().iter().enumerate() {
                    moves.set(known.id, course.at(agent, next));
                }
                // In case an announced change did not happen: otherwise all moves are legal.
                self.settle.settle(world, moves);
            }
            // What was spent on an attempt is missing for the fallback.
            Doing::Pausing { .. } if self.effort.budget.is_none() || work.expansions == 0 => {
                work += self.fallback.plan(world, moves);
            }
            Doing::Nothing | Doing::Solving { .. } | Doing::Pausing { .. } => {}
        }
        work
    }

    fn wish(&self, agent: &Agent) -> Option<Cell> {
        let number = self.scene.number_of(agent)?;
        match &self.doing {
            Doing::Following(course) => {
                // Between two ticks, the agent is where the plan has it at this tick.
                let path = &course.paths[number];
                let now = (course.now(self.next_tick) as usize).min(path.len() - 1);
                path[now..].iter().copied().find(|&cell| cell != agent.cell)
            }
            Doing::Pausing { .. } => self.fallback.wish(agent),
            Doing::Nothing | Doing::Solving { .. } => None,
        }
    }

    fn memory(&self) -> usize {
        let path = |path: &Arc<[Cell]>| size_of_val(&**path) + 2 * size_of::<usize>();
        let doing = match &self.doing {
            Doing::Following(course) => {
                course.paths.iter().map(path).sum::<usize>()
                    + course.paths.capacity() * size_of::<Arc<[Cell]>>()
            }
            Doing::Solving { attempt, .. } => attempt.memory(),
            Doing::Nothing | Doing::Pausing { .. } => 0,
        };
        size_of::<Self>()
            + doing
            + self.scene.memory()
            + self.tree.as_ref().map_or(0, EnvironmentTree::memory)
            + (self.fallback.memory() - size_of::<PibtPlanner>())
            + self.settle.memory()
    }
}

#[cfg(test)]
#[path = "incremental_test.rs"]
mod tests;
