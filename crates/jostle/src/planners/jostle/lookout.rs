//! Looking up where agents want to go, on one thread or on several.

use super::progress::Progress;
use super::walkers::Walker;
use crate::grid::Place;
use crate::search::{FieldWalk, Heading, Remaining, Sectors};
use crate::threads;
use crate::world::World;

/// What a lookup does not answer, for a share of the walkers.
#[derive(Clone, Debug, Default)]
pub(super) struct Lookout {
    /// The walkers that need more than a lookup.
    pub asking: Vec<u32>,
    /// The walkers whose goals have moved so far that they have to look anew.
    pub turning: Vec<u32>,
    /// The walkers that have no route, and have to join the queue for one.
    pub joining: Vec<u32>,
    /// The walkers that have passed an exit.
    pub passed: Vec<u32>,
    /// The walkers whose progress is due to be looked at, and how long their way is to the next exit.
    pub due: Vec<(u32, u32)>,
    /// The walks that tell some of these lengths, and for which of them.
    walks: Vec<(usize, FieldWalk)>,
}

/// What all lookouts have in common.
#[derive(Clone, Copy)]
struct Scene<'a> {
    world: &'a World,
    sectors: &'a Sectors,
    /// Whether those that have no route yet and would soon come to a wall stay.
    waits: bool,
}

impl Lookout {
    /// Looks up where walkers want to go, the first of which has this number.
    fn look(&mut self, walkers: &mut [Walker], first: usize, scene: Scene<'_>) {
        let Scene { world, sectors, .. } = scene;
        let (grid, cells) = (world.grid(), world.configuration().raw_cells());
        let mut seen = [None; BATCH];
        for (first, batch) in (first..).step_by(BATCH).zip(walkers.chunks_mut(BATCH)) {
            for (seen, walker) in seen.iter_mut().zip(&*batch) {
                let place = cells.get(walker.slot as usize).map(|&cell| Place::of(grid, cell));
                *seen = place.map(|place| (place, walker.course.peek(sectors, grid, place)));
            }
            for ((at, walker), seen) in (first as u32..).zip(batch).zip(&seen) {
                if let &Some(seen) = seen {
                    self.look_at(walker, at, seen, scene);
                }
            }
        }
        while !self.walks.is_empty() {
            self.walks.retain_mut(|(number, walk)| {
                let goes_on = walk.advance(sectors);
                if !goes_on {
                    self.due[*number].1 = walk.length();
                }
                goes_on
            });
        }
    }

    /// Looks up where a walker with this number wants to go, given where it stands and what its field says of that place.
    fn look_at(
        &mut self,
        walker: &mut Walker,
        at: u32,
        (place, seen): (Place, Option<Heading>),
        Scene { world, sectors, waits }: Scene<'_>,
    ) {
        let (grid, cell) = (world.grid(), place.cell);
        match walker.course.glance_at(place, seen, sectors, grid) {
            Some(heading) if !walker.is_going_around => walker.heading = heading,
            None if walker.is_waiting && cell != walker.course.goal() => {
                walker.heading = walker.course.towards(sectors, grid, cell, waits);
            }
            None if walker.is_new() && cell != walker.course.goal() && grid.is_floor(cell) => {
                // If many wait, to look takes long. They go straight ahead in any case.
                let seen = waits.then(|| walker.course.look_ahead(sectors, grid, cell));
                walker.heading = seen.flatten().unwrap_or_else(|| {
                    self.joining.push(at);
                    walker.course.towards(sectors, grid, cell, waits)
                });
            }
            _ => self.asking.push(at),
        }
        if !walker.drift.is_none() && !walker.is_waiting && walker.has_to_turn(grid, cell) {
            self.turning.push(at);
        }
        if walker.course.is_ahead() {
            walker.has_passed = true;
            self.passed.push(at);
        }
        if Progress::is_due(world.tick(), walker.slot) {
            // Who has passed an exit gets on, so that it does not have to be known how far it is to the next.
            let has_passed = std::mem::take(&mut walker.has_passed);
            let mut length = u32::MAX;
            if !has_passed {
                match walker.course.remaining(sectors, grid, place) {
                    Remaining::Length(known) => length = known,
                    Remaining::Unknown(walk) => self.walks.push((self.due.len(), walk)),
                }
            }
            self.due.push((at, length));
        }
    }

    fn clear(&mut self) {
        self.asking.clear();
        self.turning.clear();
        self.joining.clear();
        self.passed.clear();
        self.due.clear();
    }

    /// Bytes held on the heap.
    pub const fn memory(&self) -> usize {
        (self.asking.capacity()
            + self.turning.capacity()
            + self.joining.capacity()
            + self.passed.capacity())
            * size_of::<u32>()
            + self.due.capacity() * size_of::<(u32, u32)>()
            + self.walks.capacity() * size_of::<(usize, FieldWalk)>()
    }
}

/// Looks up where all walkers want to go, on this many threads. Those that have no route yet and would soon come to a wall stay
/// if they `wait`. There is a lookout for every [`PIECE`] of them, in their order, so that what follows does not depend on the
/// number of threads.
pub(super) fn look_up(
    walkers: &mut [Walker],
    (world, sectors): (&World, &Sectors),
    (threads, waits): (usize, bool),
    lookouts: &mut Vec<Lookout>,
) {
    let pieces = walkers.len().div_ceil(PIECE);
    lookouts.resize_with(pieces.max(lookouts.len()), Lookout::default);
    lookouts.iter_mut().for_each(Lookout::clear);
    let work = walkers.chunks_mut(PIECE).zip(lookouts).enumerate();
    let threads = threads::available(threads).min(pieces);
    let scene = Scene { world, sectors, waits };
    threads::for_each(threads, work, |(number, (walkers, lookout))| {
        lookout.look(walkers, number * PIECE, scene);
    });
}

/// How many walkers a thread looks at a time.
const PIECE: usize = 1024;
/// For how many walkers fields are read at once: the processor does not wait for one before it asks for the next.
const BATCH: usize = 32;
