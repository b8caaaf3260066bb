//! Routes by lookup, from the tables of [`hubs`](super::hubs).
//!
//! A lookup changes nothing but its own scratch space, so any number of threads can do this at a time.

use super::grains::NO_PATH;
use super::graph::Graph;
use super::hub_table::{FAR, HubTable};
use super::hubs::Hubs;
use super::layout::SectorId;
use super::nodes::NodeId;
use crate::grid::Place;

/// The scratch space of a lookup, and the route that was found.
#[derive(Clone, Debug, Default)]
pub struct Lookup {
    /// By hub, the distance from the start and the distance to the goal, in half grains.
    sides: [Vec<u32>; 2],
    /// The exits that lead from the start, and those that lead from the goal, to the hub.
    ways: [Vec<NodeId>; 2],
    /// The route that was found.
    codes: Vec<u8>,
    /// How many distances from hubs were compared.
    compared: u64,
    /// How many exits were looked at on the way to hubs.
    traced: u64,
}

/// What a lookup finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Looked {
    /// A route of so many grains.
    Route(u64),
    /// There is none through any portal.
    Nothing,
    /// The tables do not know.
    Unknown,
}

/// An end of a route, and its distances from the exits of its sector, in grains.
#[derive(Clone, Copy, Debug)]
pub struct End<'a> {
    pub place: Place,
    pub distances: &'a [u16],
}

/// A hub: its region, its column, and the length of the best route through it, in half grains, without and with the delay that is
/// expected at the hub.
#[derive(Clone, Copy, Debug)]
struct Best<'a> {
    table: &'a HubTable,
    column: usize,
    length: u32,
    cost: u32,
}

/// Because of traffic, a route is at most longer by one part of so many.
const LONGEST_DETOUR: u32 = 4;

impl Lookup {
    /// Finds the best route through at least one portal that is shorter than `limit`, in grains.
    ///
    /// On a large map there may be a better one that the tables do not know, if it is longer than [`Cuts::certain`](super::cuts::Cuts::certain). That is rare:
    /// of the routes to goals within 200 columns and rows on a cave of 5335x5335, three in a thousand were not the best,
    /// and all of them together were 0.02% longer. Searches for the others would take most of the time of a large crowd.
    pub fn find(&mut self, graph: &Graph, hubs: &Hubs, ends: [End<'_>; 2], limit: u64) -> Looked {
        (self.compared, self.traced) = (0, 0);
        if !hubs.is_current(graph) {
            return Looked::Unknown;
        }
        let [from, to] = ends.map(|end| end.place);
        let mut best: Option<Best<'_>> = None;
        for region in hubs.cuts().around(SectorId::of(from), SectorId::of(to)) {
            let line = hubs.cuts().region(region).line;
            let least = line.least_distance(from) + line.least_distance(to);
            if best.is_some_and(|best| best.cost <= least) {
                continue;
            }
            let Some(table) = hubs.table(region) else { return Looked::Unknown };
            let found = self.best_of(graph, table, ends);
            best = found.filter(|found| best.is_none_or(|best| found.cost < best.cost)).or(best);
        }
        let limit = limit.saturating_mul(2);
        let Some(best) = best.filter(|best| u64::from(best.length) < limit) else {
            let is_certain = best.is_some() || limit <= hubs.cuts().certain(from, to);
            return if is_certain { Looked::Nothing } else { Looked::Unknown };
        };
        let ways = [0, 1].map(|side| self.trace(graph, best, ends[side], side));
        if ways == [true; 2] && self.join(graph) {
            Looked::Route(u64::from(best.length / 2))
        } else {
            Looked::Unknown
        }
    }

    /// The codes of the exits of the route that was found, a byte each, from the first to the last.
    pub fn codes(&self) -> &[u8] {
        &self.codes
    }

    /// What the last lookup cost: as much time as so many cells of a wave. Distances are compared one after the other,
    /// but exits lie scattered in memory.
    pub const fn price(&self) -> u64 {
        40 + self.compared / 16 + self.traced / 2
    }

    /// The best hub of a region.
    fn best_of<'a>(
        &mut self,
        graph: &Graph,
        table: &'a HubTable,
        ends: [End<'_>; 2],
    ) -> Option<Best<'a>> {
        let count = table.hubs().len();
        for (side, end) in self.sides.iter_mut().zip(ends) {
            side.clear();
            side.resize(count, FAR);
            for (node, leg) in legs(graph, end) {
                let Some(slot) = table.slot(graph, node) else { continue };
                self.compared += count as u64;
                for (best, &distance) in side.iter_mut().zip(table.row(slot)) {
                    *best = (*best).min(leg + distance);
                }
            }
        }
        let [from, to] = &self.sides;
        let lengths = || from.iter().zip(to).map(|(from, to)| from + to);
        let least = lengths().min().filter(|&length| length < FAR)?;
        let most = least + least / LONGEST_DETOUR;
        let mut best: Option<Best<'_>> = None;
        for (column, length) in lengths().enumerate() {
            let is_better = |cost: u32| best.is_none_or(|best| cost < best.cost);
            if length > most || !is_better(length) {
                continue;
            }
            let delay = table.hub(column).map_or(0, |hub| graph.delay(hub));
            let cost = length + 2 * delay;
            if is_better(cost) {
                best = Some(Best { table, column, length, cost });
            }
        }
        best
    }

    /// Follows the distances from an end to a hub. Returns whether there is a way.
    fn trace(&mut self, graph: &Graph, best: Best<'_>, end: End<'_>, side: usize) -> bool {
        let Best { table, column, .. } = best;
        let way = &mut self.ways[side];
        way.clear();
        let distance = |node| table.slot(graph, node).map(|slot| table.distance(slot, column));
        let first = legs(graph, end)
            .filter_map(|(node, leg)| Some((distance(node)?, leg, node)))
            .min_by_key(|&(distance, leg, _)| leg + distance);
        let Some((mut left, _, mut node)) = first else { return false };
        way.push(node);
        while left > 0 {
            let twin = graph.nodes().twin(node);
            let middle = graph.nodes().middle(twin);
            let span = graph.nodes().span(middle.sector as usize);
            let row = graph.nodes().row(twin).iter().zip(graph.nodes().middles(span));
            let next = span.nodes().zip(row).find_map(|(next, (&grains, far))| {
                let leg = 2 * u32::from(grains) + u32::from(middle.step) + u32::from(far.step);
                let is_leg = grains != NO_PATH && next != twin && leg <= left;
                (is_leg && distance(next)? + leg == left).then_some((next, leg))
            });
            let Some((next, leg)) = next else { return false };
            (node, left) = (next, left - leg);
            way.push(node);
            self.traced += u64::from(span.count);
        }
        true
    }

    /// Joins the two ways to a route. Returns whether they meet in a portal, one on each side.
    fn join(&mut self, graph: &Graph) -> bool {
        let nodes = graph.nodes();
        let [from, to] = &self.ways;
        let (Some(&hub), Some((&beyond, back))) = (from.last(), to.split_last()) else {
            return false;
        };
        let twins = back.iter().rev().map(|&node| nodes.twin(node));
        self.codes.clear();
        self.codes
            .extend(from.iter().copied().chain(twins).map(|node| nodes.exit(node).code.byte()));
        nodes.twin(hub) == beyond
    }

    /// Bytes on the heap.
    pub fn memory(&self) -> usize {
        let [from, to] = &self.sides;
        let [there, back] = &self.ways;
        let numbers = from.capacity() + to.capacity() + there.capacity() + back.capacity();
        numbers * size_of::<u32>() + self.codes.capacity()
    }
}

/// The exits that can be reached from an end, and how far the middles of their crossings are, in half grains.
fn legs<'a>(graph: &'a Graph, end: End<'a>) -> impl Iterator<Item = (NodeId, u32)> + 'a {
    let span = graph.nodes().span(graph.layout().index(SectorId::of(end.place)));
    let exits = span.nodes().zip(graph.nodes().middles(span)).zip(end.distances);
    exits
        .filter(|&(_, &grains)| grains != NO_PATH)
        .map(|((node, middle), &grains)| (node, 2 * u32::from(grains) + u32::from(middle.step)))
}
