//! What a network sees of a map or a problem.
//!
//! As in Sigurdson's thesis (2018): one pixel for each cell, white for walls and black for floor, with starts in green and goals in red,
//! resized to the size that the network takes. Where the thesis is silent: the line from a start to its goal is blue, and a cell that is a
//! start and a goal is yellow.

mod resize;

use std::fmt;
use std::io::Write;

use jostle::{Cell, Grid};

use crate::Sight;

/// A picture in colour.
///
/// ```
/// use jostle::Grid;
/// use jostle_select::Picture;
///
/// let grid = Grid::from_ascii("..#\n...")?;
/// let picture = Picture::of_map(&grid);
/// assert_eq!(picture.pixel(2, 0), Some([255, 255, 255]));
/// assert_eq!(picture.resized(227, 227)?.size(), [227, 227]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    size: [usize; 2],
    /// Row by row: red, green, blue.
    pixels: Vec<[u8; 3]>,
}

/// A picture that cannot be made.
#[derive(Debug)]
#[non_exhaustive]
pub enum PictureError {
    /// It would have no pixels, or more than a network could take.
    Size {
        /// From west to east.
        width: usize,
        /// From north to south.
        height: usize,
    },
    /// It could not be written.
    Write(png::EncodingError),
}

impl fmt::Display for PictureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { width, height } => write!(
                f,
                "a picture cannot have {width}x{height} pixels: each side has 1 to {} of them",
                Picture::LONGEST_SIDE
            ),
            Self::Write(error) => write!(f, "a picture cannot be written: {error}"),
        }
    }
}

impl std::error::Error for PictureError {}

const FLOOR: [u8; 3] = [0, 0, 0];
const WALL: [u8; 3] = [255, 255, 255];
const START: [u8; 3] = [0, 255, 0];
const GOAL: [u8; 3] = [255, 0, 0];
const START_AND_GOAL: [u8; 3] = [255, 255, 0];
const LINE: [u8; 3] = [0, 0, 255];

impl Picture {
    /// The longest side that a picture can be resized to.
    pub const LONGEST_SIDE: usize = 4096;

    /// The side of the picture that AlexNet sees.
    pub const SEEN_SIDE: usize = 227;

    /// What AlexNet sees of a problem: the map alone where there are no tasks, the problem of one agent, or that of a crowd.
    pub fn seen(sight: Sight<'_>) -> Self {
        let picture = match sight.tasks {
            [] => Self::of_map(sight.grid),
            [task] => Self::of_problem(sight.grid, *task),
            tasks => Self::of_crowd(sight.grid, tasks),
        };
        let size = [Self::SEEN_SIDE; 2];
        Self { size, pixels: resize::bicubic(&picture.pixels, picture.size, size) }
    }

    /// Pixels row by row, as many as width and height say.
    pub(crate) fn of_pixels(size: [usize; 2], pixels: Vec<[u8; 3]>) -> Self {
        debug_assert_eq!(pixels.len(), size[0] * size[1], "a picture is full");
        Self { size, pixels }
    }

    /// A map.
    pub fn of_map(grid: &Grid) -> Self {
        let pixels = grid.cells().map(|cell| if grid.is_floor(cell) { FLOOR } else { WALL });
        let size = [grid.width() as usize, grid.height() as usize];
        Self { size, pixels: pixels.collect() }
    }

    /// A map and one agent's problem: a square of 3x3 pixels at the start and one at the goal, and a line between them.
    pub fn of_problem(grid: &Grid, (start, goal): (Cell, Cell)) -> Self {
        let mut picture = Self::of_map(grid);
        let ends = [start, goal].map(|cell| {
            let (x, y) = grid.position(cell);
            (x as i64, y as i64)
        });
        for (x, y) in line(ends[0], ends[1]) {
            picture.set((x, y), LINE);
        }
        for ((x, y), colour) in ends.into_iter().zip([START, GOAL]) {
            for at in 0..9 {
                picture.set((x - 1 + at % 3, y - 1 + at / 3), colour);
            }
        }
        picture
    }

    /// A map and the problem of many agents: a pixel at every start and every goal. Who goes where is not in the picture.
    pub fn of_crowd(grid: &Grid, tasks: &[(Cell, Cell)]) -> Self {
        let mut picture = Self::of_map(grid);
        for &(start, _) in tasks {
            picture.pixels[start.index()] = START;
        }
        for &(_, goal) in tasks {
            let pixel = &mut picture.pixels[goal.index()];
            *pixel =
                if *pixel == START || *pixel == START_AND_GOAL { START_AND_GOAL } else { GOAL };
        }
        picture
    }

    /// Width and height, in pixels.
    pub const fn size(&self) -> [usize; 2] {
        self.size
    }

    /// Red, green and blue of a pixel, if it is in the picture.
    pub fn pixel(&self, x: usize, y: usize) -> Option<[u8; 3]> {
        let is_inside = x < self.size[0] && y < self.size[1];
        is_inside.then(|| self.pixels[y * self.size[0] + x])
    }

    /// All pixels, row by row.
    pub fn pixels(&self) -> &[[u8; 3]] {
        &self.pixels
    }

    fn set(&mut self, (x, y): (i64, i64), colour: [u8; 3]) {
        let [width, height] = self.size.map(|side| side as i64);
        if (0..width).contains(&x) && (0..height).contains(&y) {
            self.pixels[(y * width + x) as usize] = colour;
        }
    }

    /// The picture in another size, by bicubic interpolation.
    ///
    /// # Errors
    /// When a side would have no pixels, or more than [`LONGEST_SIDE`](Self::LONGEST_SIDE).
    pub fn resized(&self, width: usize, height: usize) -> Result<Self, PictureError> {
        let is_allowed = |side: usize| (1..=Self::LONGEST_SIDE).contains(&side);
        if !is_allowed(width) || !is_allowed(height) {
            return Err(PictureError::Size { width, height });
        }
        let pixels = resize::bicubic(&self.pixels, self.size, [width, height]);
        Ok(Self { size: [width, height], pixels })
    }

    /// Writes the picture as a PNG file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_png(&self, to: impl Write) -> Result<(), PictureError> {
        let [width, height] = self.size.map(|side| side as u32);
        let mut encoder = png::Encoder::new(to, width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header().map_err(PictureError::Write)?;
        writer.write_image_data(self.pixels.as_flattened()).map_err(PictureError::Write)?;
        writer.finish().map_err(PictureError::Write)
    }
}

/// The pixels of a line: one for each step along its longer side, and the first one.
pub fn line(from: (i64, i64), to: (i64, i64)) -> impl Iterator<Item = (i64, i64)> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let steps = dx.abs().max(dy.abs());
    // Halves are rounded away from zero. A line of no steps has one pixel.
    let part = move |side: i64, step: i64| {
        let steps = steps.max(1);
        (2 * side * step + side.signum() * steps) / (2 * steps)
    };
    (0..=steps).map(move |step| (from.0 + part(dx, step), from.1 + part(dy, step)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(picture: &Picture) -> String {
        let letter = |pixel: &[u8; 3]| match *pixel {
            FLOOR => '.',
            WALL => '#',
            START => 's',
            GOAL => 'g',
            START_AND_GOAL => 'b',
            LINE => '-',
            _ => '?',
        };
        let rows = picture.pixels().chunks(picture.size()[0]);
        rows.map(|row| row.iter().map(letter).collect::<String>() + "\n").collect()
    }

    fn grid() -> Grid {
        Grid::from_ascii("........#\n........#\n.........\n.........\n##.......").unwrap()
    }

    #[test]
    fn maps_are_white_where_there_are_walls() {
        let rows = "........#\n........#\n.........\n.........\n##.......\n";
        assert_eq!(drawn(&Picture::of_map(&grid())), rows);
    }

    #[test]
    fn problems_have_a_start_a_goal_and_a_line() {
        let grid = grid();
        let ends = (grid.at(0, 0).unwrap(), grid.at(7, 3).unwrap());
        let rows = "ss......#\nss--....#\n....--ggg\n......ggg\n##....ggg\n";
        assert_eq!(drawn(&Picture::of_problem(&grid, ends)), rows);
    }

    #[test]
    fn crowds_have_a_pixel_for_every_start_and_goal() {
        let grid = grid();
        let at = |x, y| grid.at(x, y).unwrap();
        let tasks = [(at(0, 0), at(5, 2)), (at(5, 2), at(6, 2)), (at(1, 0), at(1, 0))];
        let rows = "sb......#\n........#\n.....bg..\n.........\n##.......\n";
        assert_eq!(drawn(&Picture::of_crowd(&grid, &tasks)), rows);
    }

    #[test]
    fn what_is_written_is_what_is_read() {
        let picture = Picture::of_map(&grid()).resized(40, 23).unwrap();
        let mut file = Vec::new();
        picture.write_png(&mut file).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width, info.height), (40, 23));
        assert_eq!(pixels, picture.pixels().as_flattened());
    }

    #[test]
    fn sizes_without_pixels_are_refused() {
        let picture = Picture::of_map(&grid());
        for (width, height) in [(0, 5), (5, 0), (5000, 5)] {
            let error = picture.resized(width, height).unwrap_err();
            assert!(error.to_string().contains(&format!("{width}x{height}")));
        }
    }
}
