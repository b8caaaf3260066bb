//! Looking up where agents want to go, on one thread or on several.

use super::progress::Progress;
use super::walkers::{NOBODY, Walker};
use crate::search::Sectors;
use crate::threads;
use crate::world::World;

/// What a lookup does not answer, for a share of the walkers.
#[derive(Clone, Debug, Default)]
pub(super) struct Lookout {
    /// The walkers that need more than a lookup.
    pub asking: Vec<u32>,
    /// The walkers that have no route, and have to join the queue for one.
    pub joining: Vec<u32>,
    /// The walkers that have passed an exit.
    pub passed: Vec<u32>,
    /// The walkers whose progress is due to be looked at, and how long their way is to the next exit.
    pub due: Vec<(u32, u32)>,
}

impl Lookout {
    /// Looks up where walkers want to go, the first of which has this number.
    fn look(
        &mut self,
        walkers: &mut [Walker],
        first: usize,
        (world, sectors): (&World, &Sectors),
        waits: bool,
    ) {
        let (grid, tick, cells) = (world.grid(), world.tick(), world.configuration().raw_cells());
        for (at, walker) in (first as u32..).zip(walkers) {
            if walker.slot == NOBODY {
                continue;
            }
            let cell = cells[walker.slot as usize];
            match walker.course.glance(sectors, grid, cell) {
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
            if walker.course.is_ahead() {
                self.passed.push(at);
            }
            if Progress::is_due(tick, walker.slot) {
                self.due.push((at, walker.course.remaining(sectors, grid, cell)));
            }
        }
    }

    fn clear(&mut self) {
        self.asking.clear();
        self.joining.clear();
        self.passed.clear();
        self.due.clear();
    }

    /// Bytes held on the heap.
    pub const fn memory(&self) -> usize {
        (self.asking.capacity() + self.joining.capacity() + self.passed.capacity())
            * size_of::<u32>()
            + self.due.capacity() * size_of::<(u32, u32)>()
    }
}

/// Looks up where all walkers want to go, on this many threads. Those that have no route yet and would soon come to a wall stay
/// if they `wait`. There is a lookout for every [`PIECE`] of them, in their order, so that what follows does not depend on the
/// number of threads.
pub(super) fn look_up(
    walkers: &mut [Walker],
    scene: (&World, &Sectors),
    (threads, waits): (usize, bool),
    lookouts: &mut Vec<Lookout>,
) {
    let pieces = walkers.len().div_ceil(PIECE);
    lookouts.resize_with(pieces.max(lookouts.len()), Lookout::default);
    lookouts.iter_mut().for_each(Lookout::clear);
    let work = walkers.chunks_mut(PIECE).zip(lookouts).enumerate();
    let threads = threads::available(threads).min(pieces);
    threads::for_each(threads, work, |(number, (walkers, lookout))| {
        lookout.look(walkers, number * PIECE, scene, waits);
    });
}

/// How many walkers a thread looks at a time.
const PIECE: usize = 1024;
