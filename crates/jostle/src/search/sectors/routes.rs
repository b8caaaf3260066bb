//! Routes: which exits to take from a cell to another, looked up in tables ([`Lookup`]), or found by A\* over the graph of
//! exits if the tables do not know.
//!
//! The nodes of the search are exits. From an exit it goes on to its twin and from there to the other exits of the
//! sector beyond. Sectors are looked at only when the search gets there. Estimates are straight lines.
//!
//! The route is the best one through the middles of portals, in whole grains, or none through any portal if the goal is
//! nearer than that inside its window. Paths along it are shorter, because nobody has to walk through the middles.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::fields::Target;
use super::grains::{NO_PATH, cost_of, grains, grains_below};
use super::graph::{Graph, affords};
use super::hubs::Hubs;
use super::layout::SectorId;
use super::lookup::{End, Looked, Lookup};
use super::nodes::{NO_NODE, NodeId};
use super::wave::Wave;
use crate::Cost;
use crate::grid::{Grid, Neighbours, Place};
use crate::search::{Budget, Verdict};
use crate::tally::{self, Kind};

/// A search for a route, which can be interrupted. Its lists are kept from one search to the next.
#[derive(Clone, Debug, Default)]
pub struct RouteSearch {
    /// What the search that was interrupted is about.
    question: Option<Question>,
    /// How far it has come.
    stage: Stage,
    open: BinaryHeap<Reverse<Waiting>>,
    /// By node.
    reached: Vec<Reached>,
    /// What was reached by the present search bears this number.
    round: u32,
    /// To where estimates go, and by which steps.
    end: Option<(u16, u16, Neighbours)>,
    /// The way to the goal.
    goal: Reached,
    /// By exit of the start's sector, the distance from the start to it.
    from_start: Vec<u16>,
    /// By exit of the goal's sector, the distance from there to the goal.
    to_goal: Vec<u16>,
    lookup: Lookup,
    /// The route that was found.
    codes: Vec<u8>,
    /// Its length.
    length: u64,
}

/// What an expansion costs: as much time as so many cells of a wave.
const PRICE: u64 = 10;

/// What a lookup may cost on large maps: see [`Lookup::price`].
pub const LOOKUP_PRICE: u64 = 1000;

/// Stands for the goal in the open list.
const GOAL: NodeId = NO_NODE;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Question {
    start: Place,
    target: Target,
    version: u32,
}

/// What is to be done next. Each of these is a piece of work, or many.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Stage {
    /// Measure the distances from the start to the exits of its sector.
    #[default]
    Start,
    /// Measure the distances from the exits of the goal's sector to it.
    Goal,
    /// Look for a direct path, if the start is in the goal's window.
    Direct,
    /// Look for the best route in tables.
    Lookup,
    /// Search for the best route.
    Search,
}

/// A node in the open list. The least is the best: it has the smallest `f`, and among equals the smallest `h`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Waiting {
    f: u64,
    h: u32,
    /// Which exit of the map it is. Numbers of nodes depend on what was asked before, and must not decide.
    exit: u32,
    node: NodeId,
}

/// How a node was reached.
#[derive(Clone, Copy, Debug, Default)]
struct Reached {
    g: u64,
    /// The delays that are expected on the way.
    delay: u32,
    parent: NodeId,
    round: u32,
}

impl RouteSearch {
    /// Searches for a route from a cell to a goal, or to an exit, which is part of the route then. If the search is out
    /// of budget, asking the same again continues it.
    pub fn find(
        &mut self,
        grid: &Grid,
        (graph, hubs): (&mut Graph, &Hubs),
        wave: &mut Wave,
        (start, target): (Place, Target),
        budget: &mut Budget<'_>,
    ) -> Verdict {
        let question = Question { start, target, version: graph.version() };
        if self.question.replace(question) != Some(question) {
            self.stage = Stage::Start;
        }
        if !self.begin(grid, graph, wave, question, budget) {
            return Verdict::OutOfBudget;
        }
        if self.stage == Stage::Lookup {
            if !affords(budget, LOOKUP_PRICE) {
                return Verdict::OutOfBudget;
            }
            let verdict = self.look_up(graph, hubs, question);
            budget.charge(self.lookup.price());
            if let Some(verdict) = verdict {
                self.question = None;
                return verdict;
            }
            self.stage = Stage::Search;
        }
        let verdict = self.go_on(grid, graph, wave, question, budget);
        if verdict != Verdict::OutOfBudget {
            self.question = None;
        }
        verdict
    }

    /// The codes of the exits of the route that was found, a byte each, from the first to the last.
    pub fn codes(&self) -> &[u8] {
        &self.codes
    }

    /// The length of the route that was found, through the middles of its portals.
    pub const fn length(&self) -> Cost {
        cost_of(self.length)
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.open.capacity() * size_of::<Waiting>()
            + self.reached.capacity() * size_of::<Reached>()
            + (self.from_start.capacity() + self.to_goal.capacity()) * size_of::<u16>()
            + self.lookup.memory()
            + self.codes.capacity()
    }

    /// Starts a search with the exits of the start's sector. Returns whether the budget was enough for that.
    fn begin(
        &mut self,
        grid: &Grid,
        graph: &mut Graph,
        wave: &mut Wave,
        Question { start, target, .. }: Question,
        budget: &mut Budget<'_>,
    ) -> bool {
        if self.stage == Stage::Start {
            self.clear();
            let mut ends = [SectorId::of(start), target.sector()].into_iter();
            if !ends.all(|sector| graph.find_exits(grid, sector, budget))
                || !graph.approach(grid, wave, (start, &mut self.from_start), budget)
            {
                return false;
            }
            budget.count_search();
            let neighbours = grid.rules().neighbours;
            self.end = match target {
                Target::Goal(goal) => Some((goal.x as u16, goal.y as u16, neighbours)),
                Target::Exit(sector, code) => graph.node(sector, code).map(|node| {
                    let middle = graph.nodes().middle(node);
                    (middle.x, middle.y, neighbours)
                }),
            };
            let span = graph.nodes().span(graph.layout().index(SectorId::of(start)));
            for (at, node) in span.nodes().enumerate() {
                self.reach(graph, node, NO_NODE, (0, 0, self.from_start[at]));
            }
            self.stage = Stage::Goal;
        }
        let Target::Goal(goal) = target else {
            self.stage = Stage::Search;
            return true;
        };
        if self.stage == Stage::Goal {
            if !graph.approach(grid, wave, (goal, &mut self.to_goal), budget) {
                return false;
            }
            self.stage = Stage::Direct;
        }
        if self.stage == Stage::Direct {
            let window = target.sector().window();
            if window.covers(start, 0) {
                if !affords(budget, Wave::price(window)) {
                    return false;
                }
                wave.begin(grid, window);
                wave.seed(goal);
                budget.spend(wave.run(grid));
                if let Some(direct) = wave.distance(start) {
                    self.reach_goal(NO_NODE, u64::from(grains(direct)), 0);
                }
            }
            self.stage = Stage::Lookup;
        }
        true
    }

    /// Looks for the route in tables, if they know.
    fn look_up(&mut self, graph: &Graph, hubs: &Hubs, question: Question) -> Option<Verdict> {
        let Target::Goal(goal) = question.target else { return None };
        let ends = [
            End { place: question.start, distances: &self.from_start },
            End { place: goal, distances: &self.to_goal },
        ];
        let is_direct = self.goal.round == self.round;
        let direct = if is_direct { self.goal.g } else { u64::MAX };
        match self.lookup.find(graph, hubs, ends, direct) {
            Looked::Route(length) => {
                self.length = length;
                self.codes.clear();
                self.codes.extend_from_slice(self.lookup.codes());
            }
            Looked::Nothing if is_direct => {
                self.length = direct;
                self.codes.clear();
            }
            Looked::Nothing => return Some(Verdict::Nothing),
            Looked::Unknown => return None,
        }
        Some(Verdict::Found(()))
    }

    fn go_on(
        &mut self,
        grid: &Grid,
        graph: &mut Graph,
        wave: &mut Wave,
        question: Question,
        budget: &mut Budget<'_>,
    ) -> Verdict {
        let end = match question.target {
            Target::Goal(_) => GOAL,
            Target::Exit(sector, code) => match graph.node(sector, code) {
                Some(node) => node,
                None => return Verdict::Nothing,
            },
        };
        while let Some(Reverse(waiting)) = self.open.pop() {
            let Waiting { f, h, node, .. } = waiting;
            let reached = if node == GOAL { self.goal } else { self.reached[node as usize] };
            if reached.g + u64::from(reached.delay) + u64::from(h) != f {
                continue;
            }
            if node == end {
                let last = if node == GOAL { reached.parent } else { node };
                self.note_route(graph, last, reached.g);
                return Verdict::Found(());
            }
            if !self.expand(grid, graph, wave, (question.target, node), budget) {
                self.open.push(Reverse(waiting));
                return Verdict::OutOfBudget;
            }
        }
        Verdict::Nothing
    }

    /// Goes through an exit and on to the exits of the sector beyond. Returns whether the budget was enough.
    fn expand(
        &mut self,
        grid: &Grid,
        graph: &mut Graph,
        wave: &mut Wave,
        (target, node): (Target, NodeId),
        budget: &mut Budget<'_>,
    ) -> bool {
        let exit = graph.nodes().exit(node);
        let sector = graph.layout().sector(graph.nodes().middle(node).sector as usize);
        let beyond = sector.beside(exit.code.side());
        if !graph.find_exits(grid, beyond, budget) {
            return false;
        }
        // The twin is there, because both sides group their crossings alike.
        let twin = graph.nodes().twin(node);
        debug_assert!(twin != NO_NODE, "the sectors on both sides have been found");
        if !graph.measure(grid, wave, twin, budget) || !affords(budget, PRICE) {
            return false;
        }
        budget.spend(PRICE);
        let Reached { g, delay, .. } = self.reached[node as usize];
        let g = g + u64::from(graph.nodes().middle(node).step);
        if let Target::Goal(goal) = target
            && beyond == SectorId::of(goal)
        {
            let first = graph.nodes().span(graph.layout().index(beyond)).first;
            let distance = self.to_goal[(twin - first) as usize];
            if distance != NO_PATH {
                self.reach_goal(node, g + u64::from(distance), delay);
            }
        }
        let first = graph.nodes().span(graph.nodes().middle(twin).sector as usize).first;
        for (next, &distance) in (first..).zip(graph.nodes().row(twin)) {
            self.reach(graph, next, node, (g, delay, distance));
        }
        true
    }

    /// Notes that an exit can be reached over another one, or from the start, at this cost: so much before the sector of
    /// the exit, with such delays, and so much in it.
    fn reach(
        &mut self,
        graph: &Graph,
        node: NodeId,
        parent: NodeId,
        (g, delay, leg): (u64, u32, u16),
    ) {
        tally::note(Kind::Node, 1);
        if leg == NO_PATH {
            return;
        }
        let g = g + u64::from(leg);
        if self.reached.len() <= node as usize {
            self.reached.resize(graph.nodes().end(), Reached::default());
        }
        let delay = delay.saturating_add(graph.delay(node));
        let cost = g + u64::from(delay);
        let reached = &mut self.reached[node as usize];
        if reached.round != self.round || cost < reached.g + u64::from(reached.delay) {
            *reached = Reached { g, delay, parent, round: self.round };
            let middle = graph.nodes().middle(node);
            let h = self.end.map_or(0, |(x, y, neighbours)| {
                let (dx, dy) = (u32::from(middle.x.abs_diff(x)), u32::from(middle.y.abs_diff(y)));
                grains_below(match neighbours {
                    Neighbours::Four => Cost::manhattan(dx, dy),
                    Neighbours::Eight => Cost::octile(dx, dy),
                })
            });
            let code = graph.nodes().exit(node).code.byte();
            let exit = middle.sector << u8::BITS | u32::from(code);
            self.open.push(Reverse(Waiting { f: cost + h, h: h as u32, exit, node }));
        }
    }

    /// Notes that the goal can be reached over an exit, or directly, in so many grains and with such delays.
    fn reach_goal(&mut self, parent: NodeId, g: u64, delay: u32) {
        let cost = g + u64::from(delay);
        if self.goal.round != self.round || cost < self.goal.g + u64::from(self.goal.delay) {
            self.goal = Reached { g, delay, parent, round: self.round };
            self.open.push(Reverse(Waiting { f: cost, h: 0, exit: u32::MAX, node: GOAL }));
        }
    }

    /// Writes down the route that ends with an exit.
    fn note_route(&mut self, graph: &Graph, last: NodeId, length: u64) {
        self.length = length;
        self.codes.clear();
        let mut at = last;
        while at != NO_NODE {
            self.codes.push(graph.nodes().exit(at).code.byte());
            at = self.reached[at as usize].parent;
        }
        self.codes.reverse();
    }

    fn clear(&mut self) {
        if self.round == u32::MAX {
            self.reached.clear();
            self.round = 0;
        }
        self.round += 1;
        self.open.clear();
        (self.end, self.goal) = (None, Reached::default());
    }
}

#[cfg(test)]
#[path = "routes_test.rs"]
mod tests;
