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

/// A hub, and the best route through it. Lengths are in half grains.
#[derive(Clone, Copy, Debug)]
struct Best<'a> {
    /// The hub's region and column.
    table: &'a HubTable,
    column: usize,
    length: u32,
    /// How long the parts of the route are from both ends to the hub.
    parts: [u32; 2],
    /// The length and the delay that is expected at the hub.
    cost: u32,
    /// The greatest length that a route may have because of traffic.
    longest: u32,
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
        let longest = u64::from(best.longest).min(limit - 1) as u32;
        // Ways that avoid traffic may come to the hub from the wrong side. Shortest ones do not.
        let spares = [longest.saturating_sub(best.length), 0];
        let route = spares.into_iter().find_map(|spare| self.route(graph, best, ends, spare));
        route.map_or(Looked::Unknown, |length| Looked::Route(u64::from(length / 2)))
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
        let longest = least + least / LONGEST_DETOUR;
        let mut best: Option<Best<'_>> = None;
        for (column, length) in lengths().enumerate() {
            let is_better = |cost: u32| best.is_none_or(|best| cost < best.cost);
            if length > longest || !is_better(length) {
                continue;
            }
            let delay = table.hub(column).map_or(0, |hub| graph.delay(hub));
            let cost = length + 2 * delay;
            if is_better(cost) {
                let parts = [from[column], to[column]];
                best = Some(Best { table, column, length, parts, cost, longest });
            }
        }
        best
    }

    /// Finds a route through a hub that is longer than the shortest by no more than `spare`, and avoids traffic. Returns its length.
    fn route(
        &mut self,
        graph: &Graph,
        best: Best<'_>,
        ends: [End<'_>; 2],
        spare: u32,
    ) -> Option<u32> {
        let mut left = spare;
        for (side, end) in ends.into_iter().enumerate() {
            left = self.trace(graph, best, (end, side), left)?;
        }
        self.join(graph).then_some(best.length + spare - left)
    }

    /// Finds a way from an end to a hub that is longer than the shortest by no more than `spare`: from exit to exit, each time over the one with the least sum of
    /// distances and of its delay. Returns what is left to spare, if there is a way.
    fn trace(
        &mut self,
        graph: &Graph,
        best: Best<'_>,
        (end, side): (End<'_>, usize),
        mut spare: u32,
    ) -> Option<u32> {
        let (way, nodes) = (&mut self.ways[side], graph.nodes());
        way.clear();
        // Nobody goes from the goal to the hub: agents come through these exits from beyond.
        let delay = |node| 2 * graph.delay(if side == 0 { node } else { nodes.twin(node) });
        let left = |node| Some(best.table.distance(best.table.slot(graph, node)?, best.column));
        let mut shortest = best.parts[side];
        let mut next = least(legs(graph, end), shortest + spare, left, delay)?;
        loop {
            // The tables are those of the map as it is, so no way is shorter than the shortest.
            spare -= next.length - shortest;
            way.push(next.node);
            if next.left == 0 {
                return Some(spare);
            }
            shortest = next.left;
            let twin = nodes.twin(next.node);
            let middle = nodes.middle(twin);
            let span = nodes.span(middle.sector as usize);
            let row = nodes.row(twin).iter().zip(nodes.middles(span));
            let legs = span.nodes().zip(row).filter_map(|(node, (&grains, far))| {
                let leg = 2 * u32::from(grains) + u32::from(middle.step) + u32::from(far.step);
                (grains != NO_PATH && node != twin).then_some((node, leg))
            });
            // It comes closer to the hub each time, so it gets there.
            let closer = |node| left(node).filter(|&left| left < shortest);
            next = least(legs, shortest + spare, closer, delay)?;
            self.traced += u64::from(span.count);
        }
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

/// A leg of a way to a hub: the exit at its end, how far that is from the hub, and how long the way is by this leg, in half grains.
#[derive(Clone, Copy, Debug)]
struct Leg {
    node: NodeId,
    left: u32,
    length: u32,
}

/// Of legs, each with the exit at its end and its own length, the one by which the way is shortest if delays are added, if it is not
/// longer than `longest` without them; the first of several. `left` says how far exits are from the hub.
fn least(
    legs: impl Iterator<Item = (NodeId, u32)>,
    longest: u32,
    left: impl Fn(NodeId) -> Option<u32>,
    delay: impl Fn(NodeId) -> u32,
) -> Option<Leg> {
    let (mut best, mut least) = (None, u32::MAX);
    for (node, leg) in legs {
        // A leg that is too long by itself need not be looked up, nor the delay where the way is too long without it.
        if leg > longest || leg >= least {
            continue;
        }
        let Some(left) = left(node) else { continue };
        let length = leg + left;
        if length > longest || length >= least {
            continue;
        }
        let cost = length + delay(node);
        if cost < least {
            (best, least) = (Some(Leg { node, left, length }), cost);
        }
    }
    best
}

/// The exits that can be reached from an end, and how far the middles of their crossings are, in half grains.
fn legs<'a>(graph: &'a Graph, end: End<'a>) -> impl Iterator<Item = (NodeId, u32)> + 'a {
    let span = graph.nodes().span(graph.layout().index(SectorId::of(end.place)));
    let exits = span.nodes().zip(graph.nodes().middles(span)).zip(end.distances);
    exits
        .filter(|&(_, &grains)| grains != NO_PATH)
        .map(|((node, middle), &grains)| (node, 2 * u32::from(grains) + u32::from(middle.step)))
}
