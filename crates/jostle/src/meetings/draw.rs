//! Tasks drawn from a seed.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::MeetingTask;
use crate::grid::{Cell, Components, Grid};
use crate::instance::DrawError;

/// Draws tasks on the largest piece of floor: agents begin on different cells, and so starts and goals of tasks differ from
/// each other.
pub fn tasks(grid: &Grid, count: usize, seed: u64) -> Result<Vec<MeetingTask>, DrawError> {
    let components = Components::of(grid);
    let largest = components.largest();
    let mut floor: Vec<Cell> =
        grid.floor_cells().filter(|&cell| components.label(cell) == largest).collect();
    let agents = count.saturating_mul(2);
    if agents > floor.len() {
        return Err(DrawError::TooMany { agents, room: floor.len() });
    }
    let mut rng = rng(seed);
    let mut sample = |count| floor.partial_shuffle(&mut rng, count).0.to_vec();
    let (begins, starts, goals) = (sample(agents), sample(count), sample(count));
    let pairs = begins.chunks_exact(2).zip(starts.into_iter().zip(goals));
    Ok(pairs
        .map(|(pair, (start, goal))| MeetingTask {
            initiator: pair[0],
            start,
            executor: pair[1],
            goal,
        })
        .collect())
}

/// Other numbers than those that draw crowds with the same seed.
fn rng(seed: u64) -> ChaCha8Rng {
    let mut key = *b"........meetings between agents.";
    key[..8].copy_from_slice(&seed.to_le_bytes());
    ChaCha8Rng::from_seed(key)
}
