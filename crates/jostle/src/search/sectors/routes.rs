//! Routes: which exits to take from a cell to another, found by A\* over the graph of exits.
//!
//! The nodes of the search are exits. From an exit it goes on to its twin and from there to the other exits of the
//! sector beyond. Sectors are looked at only when the search gets there. Estimates are straight lines.
//!
//! The route is the best one through the middles of portals. Paths along it are shorter, because nobody has to walk
//! through the middles.

use super::fields::Target;
use super::graph::{Graph, affords};
use super::labels::WALL;
use super::layout::{Area, SectorId};
use super::portals::{Exit, ExitCode};
use super::wave::Wave;
use crate::Cost;
use crate::grid::{Grid, Place};
use crate::search::open::Buckets;
use crate::search::{Budget, Verdict};

/// A search for a route, which can be interrupted. Its lists are kept from one search to the next.
#[derive(Clone, Debug, Default)]
pub struct RouteSearch {
    /// What the search that was interrupted is about.
    question: Option<Question>,
    nodes: Vec<Node>,
    open: Buckets,
    /// By sector, where its exits begin in `numbers`, or `NONE`.
    firsts: Vec<u32>,
    /// The sectors that have such a beginning, by index.
    visited: Vec<usize>,
    /// By exit of the visited sectors, the number of its node, or `NONE`.
    numbers: Vec<u32>,
    /// To where estimates go.
    end: Option<Place>,
    /// The number of the node that stands for the goal, or `NONE`.
    goal: u32,
    /// By exit of the start's sector, the distance from the start to it.
    from_start: Vec<Option<u32>>,
    /// By exit of the goal's sector, the distance from there to the goal.
    to_goal: Vec<Option<u32>>,
    /// The last node of the route that was found, or `NONE`.
    last: u32,
    /// The route that was found.
    codes: Vec<u8>,
}

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Question {
    start: Place,
    target: Target,
    version: u32,
}

/// An exit that the search has reached, or the goal.
#[derive(Clone, Copy, Debug)]
struct Node {
    sector: SectorId,
    code: ExitCode,
    parent: u32,
    g: Cost,
    h: Cost,
}

impl RouteSearch {
    /// Searches for a route from a cell to a goal, or to an exit, which is part of the route then. If the search is out
    /// of budget, asking the same again continues it.
    pub fn find(
        &mut self,
        grid: &Grid,
        graph: &mut Graph,
        wave: &mut Wave,
        (start, target): (Place, Target),
        budget: &mut Budget<'_>,
    ) -> Verdict {
        let question = Question { start, target, version: graph.version() };
        if self.question != Some(question) {
            self.question = None;
            if !self.begin(grid, graph, wave, question, budget) {
                return Verdict::OutOfBudget;
            }
            budget.count_search();
        }
        let verdict = self.go_on(grid, graph, wave, question, budget);
        self.question = (verdict == Verdict::OutOfBudget).then_some(question);
        verdict
    }

    /// The codes of the exits of the route that was found, a byte each, from the first to the last.
    pub fn codes(&mut self) -> &[u8] {
        self.codes.clear();
        let mut at = self.last;
        while let Some(node) = self.nodes.get(at as usize) {
            if at != self.goal {
                self.codes.push(node.code.byte());
            }
            at = node.parent;
        }
        self.codes.reverse();
        &self.codes
    }

    /// The length of the route that was found, through the middles of its portals.
    pub fn length(&self) -> Cost {
        self.nodes.get(self.last as usize).map_or(Cost::ZERO, |node| node.g)
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + (self.firsts.capacity() + self.numbers.capacity()) * size_of::<u32>()
            + self.visited.capacity() * size_of::<usize>()
            + (self.from_start.capacity() + self.to_goal.capacity()) * size_of::<Option<u32>>()
            + self.codes.capacity()
            + self.open.memory()
    }

    /// Starts a search with the exits of the start's sector. Returns whether the budget was enough for that.
    fn begin(
        &mut self,
        grid: &Grid,
        graph: &mut Graph,
        wave: &mut Wave,
        question: Question,
        budget: &mut Budget<'_>,
    ) -> bool {
        let Question { start, target, .. } = question;
        let (first, last) = (SectorId::of(start), target.sector());
        if ![first, last].into_iter().all(|sector| graph.find_exits(grid, sector, budget)) {
            return false;
        }
        let area = graph.layout().area(first);
        let end = match target {
            Target::Goal(_) if last.window().covers(start, 0) => last.window(),
            _ => graph.layout().area(last),
        };
        if !affords(budget, area.cells() + end.cells()) {
            return false;
        }
        self.clear(graph);
        match target {
            Target::Goal(goal) => {
                self.end = Some(goal);
                let start = end.covers(start, 0).then_some(start);
                let spent = measure(grid, graph, wave, (goal, end, start), &mut self.to_goal);
                budget.spend(spent);
                if let Some(direct) = start.and_then(|start| wave.distance(wave.slot(start))) {
                    self.reach_goal(NONE, Cost::from_units(i64::from(direct)));
                }
            }
            Target::Exit(sector, code) => {
                let exit = graph.exit(sector, code);
                self.end = exit.map(|(_, exit)| graph.middle(sector, exit));
            }
        }
        budget.spend(measure(grid, graph, wave, (start, area, None), &mut self.from_start));
        for (index, &exit) in graph.exits(first).unwrap_or_default().iter().enumerate() {
            if let Some(distance) = self.from_start[index] {
                let g = Cost::from_units(i64::from(distance));
                self.reach(grid, graph, (first, index, exit), (NONE, g));
            }
        }
        true
    }

    fn go_on(
        &mut self,
        grid: &Grid,
        graph: &mut Graph,
        wave: &mut Wave,
        question: Question,
        budget: &mut Budget<'_>,
    ) -> Verdict {
        while let Some(number) = self.open.pop() {
            let node = self.nodes[number as usize];
            let is_end = match question.target {
                Target::Goal(_) => number == self.goal,
                Target::Exit(sector, code) => (node.sector, node.code) == (sector, code),
            };
            if is_end {
                self.last = number;
                return Verdict::Found(());
            }
            if budget.slice(|| self.memory()) == 0
                || !self.expand(grid, graph, wave, (question, number), budget)
            {
                self.open.improve(number, (node.g + node.h).units(), node.g);
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
        (question, number): (Question, u32),
        budget: &mut Budget<'_>,
    ) -> bool {
        let node = self.nodes[number as usize];
        let sector = node.sector.beside(node.code.side());
        if !graph.find_exits(grid, sector, budget) {
            return false;
        }
        // The twin is there, because both sides group their crossings alike.
        let Some((entry, twin)) = graph.exit(sector, node.code.twin()) else { return true };
        if !graph.measure(grid, wave, (sector, entry), budget) || budget.slice(|| 0) == 0 {
            return false;
        }
        budget.spend(1);
        let g = node.g + twin.step.cost();
        if let Target::Goal(goal) = question.target
            && sector == SectorId::of(goal)
            && let Some(distance) = self.to_goal[entry]
        {
            let g = g + Cost::from_units(i64::from(distance));
            self.reach_goal(number, g);
        }
        let exits = graph.exits(sector).unwrap_or_default();
        for (index, (&exit, distance)) in
            exits.iter().zip(graph.distances(sector, entry)).enumerate()
        {
            if let Some(distance) = distance.filter(|_| index != entry) {
                self.reach(grid, graph, (sector, index, exit), (number, g + distance));
            }
        }
        true
    }

    /// Notes that an exit can be reached at this cost.
    fn reach(
        &mut self,
        grid: &Grid,
        graph: &Graph,
        (sector, index, exit): (SectorId, usize, Exit),
        (parent, g): (u32, Cost),
    ) {
        let at = self.first(graph, sector) + index;
        if self.numbers[at] == NONE {
            let middle = graph.middle(sector, exit);
            let neighbours = grid.rules().neighbours;
            let h = self.end.map_or(Cost::ZERO, |end| middle.distance(end, neighbours));
            self.numbers[at] = self.add(Node { sector, code: exit.code, parent, g, h });
        } else {
            self.improve(self.numbers[at], parent, g);
        }
    }

    /// Notes that the goal can be reached at this cost.
    fn reach_goal(&mut self, parent: u32, g: Cost) {
        if self.goal == NONE {
            let (sector, code) = (SectorId::default(), ExitCode::from_byte(0));
            self.goal = self.add(Node { sector, code, parent, g, h: Cost::ZERO });
        } else {
            self.improve(self.goal, parent, g);
        }
    }

    fn add(&mut self, node: Node) -> u32 {
        self.nodes.push(node);
        self.open.push((node.g + node.h).units(), node.g);
        self.nodes.len() as u32 - 1
    }

    fn improve(&mut self, number: u32, parent: u32, g: Cost) {
        let node = &mut self.nodes[number as usize];
        if g < node.g {
            (node.parent, node.g) = (parent, g);
            self.open.improve(number, (g + node.h).units(), g);
        }
    }

    /// Where the exits of a sector begin in `numbers`.
    fn first(&mut self, graph: &Graph, sector: SectorId) -> usize {
        let index = graph.layout().index(sector);
        if self.firsts[index] == NONE {
            self.firsts[index] = self.numbers.len() as u32;
            self.visited.push(index);
            let exits = graph.exits(sector).map_or(0, <[Exit]>::len);
            self.numbers.resize(self.numbers.len() + exits, NONE);
        }
        self.firsts[index] as usize
    }

    fn clear(&mut self, graph: &Graph) {
        self.firsts.resize(graph.layout().count(), NONE);
        for index in self.visited.drain(..) {
            self.firsts[index] = NONE;
        }
        self.numbers.clear();
        self.nodes.clear();
        self.open.clear();
        self.from_start.clear();
        self.to_goal.clear();
        (self.end, self.goal, self.last) = (None, NONE, NONE);
    }
}

/// Measures the distances between a place and the exits of its sector, inside an area around that sector, and goes on
/// until another place is reached, too. Exits that cannot be reached inside the sector have none.
///
/// # Returns
/// How many cells were expanded.
fn measure(
    grid: &Grid,
    graph: &Graph,
    wave: &mut Wave,
    (place, area, also): (Place, Area, Option<Place>),
    distances: &mut Vec<Option<u32>>,
) -> u64 {
    let sector = SectorId::of(place);
    let label = graph.labels(sector).map_or(WALL, |labels| labels.at(place));
    let exits = graph.exits(sector).unwrap_or_default();
    let middle = |exit: &Exit| graph.middle(sector, *exit);
    wave.begin(grid, area);
    wave.seed(place);
    let reached = exits.iter().filter(|exit| exit.component == label);
    let expansions = wave.run_to(grid, reached.map(middle).chain(also));
    distances.clear();
    distances.extend(exits.iter().map(|exit| {
        let is_reached = exit.component == label;
        is_reached.then(|| wave.distance(wave.slot(middle(exit)))).flatten()
    }));
    expansions
}
