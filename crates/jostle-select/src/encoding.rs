//! What a small network sees of a problem: our own encoding.
//!
//! A [picture](crate::Picture) as in the thesis loses single starts and goals when a large map shrinks. Here every channel is a density,
//! which does not get lost: the mean over the cells that a pixel stands for.

use jostle::{Cell, Grid};

use crate::Picture;
use crate::picture::line;

/// Maps of 64x64 numbers, and a few numbers beside them.
///
/// ```
/// use jostle::Grid;
/// use jostle_select::{Channel, Encoding};
///
/// let grid = Grid::from_ascii("..#\n...")?;
/// let task = (grid.at(0, 0).unwrap(), grid.at(2, 1).unwrap());
/// let encoding = Encoding::of(&grid, &[task]);
/// let walls = encoding.channel(Channel::Walls);
/// assert_eq!((walls[0], walls[63]), (0.0, 1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Encoding {
    /// One channel after the other, each row by row.
    channels: Vec<f32>,
    numbers: [f32; Encoding::NUMBERS],
}

/// What a map of numbers shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Channel {
    /// The share of cells that are walls.
    Walls,
    /// Starts for each cell.
    Starts,
    /// Goals for each cell.
    Goals,
    /// How many agents would pass over a cell on straight lines from their starts to their goals.
    Flow,
}

impl Channel {
    /// All channels, in their order.
    pub const ALL: [Self; 4] = [Self::Walls, Self::Starts, Self::Goals, Self::Flow];

    /// What its largest number looks like in a picture.
    const fn colour(self) -> [f32; 3] {
        match self {
            Self::Walls => [255.0, 255.0, 255.0],
            Self::Starts => [0.0, 255.0, 0.0],
            Self::Goals => [255.0, 80.0, 80.0],
            Self::Flow => [90.0, 170.0, 255.0],
        }
    }
}

impl Encoding {
    /// The side of a channel, in pixels.
    pub const SIDE: usize = 64;
    /// How many numbers there are beside the channels.
    pub const NUMBERS: usize = 4;

    /// Encodes a map and the tasks of its agents.
    pub fn of(grid: &Grid, tasks: &[(Cell, Cell)]) -> Self {
        let cells = grid.cells().len();
        let mut counts = Channel::ALL.map(|_| vec![0.0_f32; cells]);
        let [walls, starts, goals, flow] = &mut counts;
        for (wall, cell) in walls.iter_mut().zip(grid.cells()) {
            *wall = if grid.is_floor(cell) { 0.0 } else { 1.0 };
        }
        let mut length = 0.0;
        for &(start, goal) in tasks {
            starts[start.index()] += 1.0;
            goals[goal.index()] += 1.0;
            let ends = [start, goal].map(|cell| {
                let (x, y) = grid.position(cell);
                (i64::from(x), i64::from(y))
            });
            for (x, y) in line(ends[0], ends[1]) {
                flow[y as usize * grid.width() as usize + x as usize] += 1.0;
                length += 1.0;
            }
        }
        let size = [grid.width() as usize, grid.height() as usize];
        let channels = counts.iter().flat_map(|counts| shrunk(counts, size)).collect();
        let floor = grid.floor_cells().count().max(1) as f32;
        let agents = tasks.len() as f32;
        let numbers = [
            floor.ln(),
            floor / cells as f32,
            agents / floor,
            // The length of a line, in sides of a map that is square.
            length / agents.max(1.0) / (cells as f32).sqrt(),
        ];
        Self { channels, numbers }
    }

    /// The numbers of a channel, row by row.
    pub fn channel(&self, channel: Channel) -> &[f32] {
        let pixels = Self::SIDE * Self::SIDE;
        &self.channels[channel as usize * pixels..(channel as usize + 1) * pixels]
    }

    /// The numbers of all channels, one after the other.
    pub fn channels(&self) -> &[f32] {
        &self.channels
    }

    /// The channels side by side, for people: the larger the root of a number, the brighter it is, and the largest one of a channel has its
    /// full colour. The network sees roots, too.
    pub fn picture(&self) -> Picture {
        /// Pixels of the picture for each one of a channel, and between channels.
        const ZOOM: usize = 4;
        const GAP: usize = 8;
        const PANEL: usize = Encoding::SIDE * ZOOM;
        let size = [Channel::ALL.len() * (PANEL + GAP) - GAP, PANEL];
        let mut pixels = vec![[64; 3]; size[0] * size[1]];
        for (at, channel) in Channel::ALL.into_iter().enumerate() {
            let numbers = self.channel(channel);
            let largest = numbers.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
            for y in 0..PANEL {
                let row = &mut pixels[y * size[0] + at * (PANEL + GAP)..][..PANEL];
                for (x, pixel) in row.iter_mut().enumerate() {
                    let bright = (numbers[y / ZOOM * Self::SIDE + x / ZOOM] / largest).sqrt();
                    *pixel = channel.colour().map(|full| (full * bright).round() as u8);
                }
            }
        }
        Picture::of_pixels(size, pixels)
    }

    /// Beside the channels: the logarithm of the floor cells, their share of all cells, agents for each floor cell, and the mean length of
    /// the straight lines from starts to goals, in sides of the map.
    pub const fn numbers(&self) -> &[f32; Self::NUMBERS] {
        &self.numbers
    }
}

/// An image whose every pixel is the mean over the cells that it covers, by how much of them it covers.
fn shrunk(cells: &[f32], [width, height]: [usize; 2]) -> Vec<f32> {
    const SIDE: usize = Encoding::SIDE;
    let columns = covers(width);
    let mut rows = Vec::with_capacity(SIDE * height);
    for row in cells.chunks_exact(width) {
        rows.extend(
            columns
                .iter()
                .map(|cover| -> f32 { cover.iter().map(|&(at, share)| share * row[at]).sum() }),
        );
    }
    let mut pixels = Vec::with_capacity(SIDE * SIDE);
    for cover in covers(height) {
        pixels.extend(
            (0..SIDE).map(|x| -> f32 {
                cover.iter().map(|&(y, share)| share * rows[y * SIDE + x]).sum()
            }),
        );
    }
    pixels
}

/// For each pixel of a side, the cells that it covers, and the share of the pixel that each takes.
fn covers(cells: usize) -> Vec<Vec<(usize, f32)>> {
    let scale = cells as f64 / Encoding::SIDE as f64;
    let cover = |pixel: usize| {
        let (from, to) = (pixel as f64 * scale, (pixel + 1) as f64 * scale);
        let last = (to.ceil() as usize).min(cells);
        let share = |at: usize| (to.min((at + 1) as f64) - from.max(at as f64)) / scale;
        let shares = (from as usize..last).map(|at| (at, share(at) as f32));
        shares.filter(|&(_, share)| share > 0.0).collect()
    };
    (0..Encoding::SIDE).map(cover).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total(channel: &[f32]) -> f64 {
        channel.iter().map(|&value| f64::from(value)).sum()
    }

    #[test]
    fn nothing_gets_lost_when_a_map_shrinks_or_grows() {
        for (width, height) in [(7, 5), (64, 64), (100, 90), (513, 300)] {
            let grid = Grid::open(width, height).unwrap();
            let at = |x, y| grid.at(x, y).unwrap();
            let tasks = [(at(0, 0), at(width - 1, height - 1)), (at(3, 2), at(3, 2))];
            let encoding = Encoding::of(&grid, &tasks);
            let cells = f64::from(width * height);
            let pixels = (Encoding::SIDE * Encoding::SIDE) as f64;
            let sum = |channel| total(encoding.channel(channel)) * cells / pixels;
            assert!((sum(Channel::Starts) - 2.0).abs() < 1e-3);
            assert!((sum(Channel::Goals) - 2.0).abs() < 1e-3);
            assert!(sum(Channel::Walls).abs() < 1e-9);
            // The line of the first agent has a pixel for each step along its longer side, and the first; that of the other one has one.
            let flow = f64::from(width.max(height)) + 1.0;
            assert!((sum(Channel::Flow) - flow).abs() < flow * 1e-3, "{}", sum(Channel::Flow));
        }
    }

    #[test]
    fn a_pixel_is_the_mean_of_what_it_covers() {
        // Every second column is wall.
        let grid = Grid::new(128, 64, jostle::Rules::default(), |x, _| x % 2 == 0).unwrap();
        let encoding = Encoding::of(&grid, &[]);
        assert!(encoding.channel(Channel::Walls).iter().all(|&wall| (wall - 0.5).abs() < 1e-6));
        let [floor, share, agents, length] = *encoding.numbers();
        assert!((floor - 4096.0_f32.ln()).abs() < 1e-4 && (share - 0.5).abs() < 1e-6);
        assert_eq!((agents, length), (0.0, 0.0));
    }

    #[test]
    fn a_picture_shows_the_channels_side_by_side() {
        let grid = Grid::from_ascii("..#\n...").unwrap();
        let at = |x, y| grid.at(x, y).unwrap();
        let picture = Encoding::of(&grid, &[(at(0, 0), at(2, 1))]).picture();
        assert_eq!(picture.size(), [4 * 256 + 3 * 8, 256]);
        let corners = |panel: usize| {
            let left = panel * 264;
            [(0, 0), (255, 0), (255, 255)].map(|(x, y)| picture.pixel(left + x, y).unwrap())
        };
        let black = [0, 0, 0];
        assert_eq!(corners(0), [black, [255; 3], black]);
        assert_eq!(corners(1), [[0, 255, 0], black, black]);
        assert_eq!(corners(2), [black, black, [255, 80, 80]]);
        assert_eq!(corners(3), [[90, 170, 255], black, [90, 170, 255]]);
        assert_eq!(picture.pixel(256, 0), Some([64; 3]));
    }

    #[test]
    fn channels_have_their_places() {
        let grid = Grid::from_ascii("..#\n...").unwrap();
        let at = |x, y| grid.at(x, y).unwrap();
        let encoding = Encoding::of(&grid, &[(at(0, 0), at(2, 1))]);
        let side = Encoding::SIDE;
        assert_eq!(encoding.channels().len(), 4 * side * side);
        let corner =
            |channel, x: usize, y: usize| encoding.channel(channel)[y * side + x].round() as i32;
        let ends = |channel: Channel| [corner(channel, 0, 0), corner(channel, 63, 63)];
        assert_eq!(ends(Channel::Starts), [1, 0]);
        assert_eq!(ends(Channel::Goals), [0, 1]);
        assert_eq!(ends(Channel::Flow), [1, 1]);
        assert_eq!([corner(Channel::Walls, 63, 0), corner(Channel::Walls, 63, 63)], [1, 0]);
    }
}
