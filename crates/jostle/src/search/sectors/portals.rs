//! Where sectors can be left: border crossings, grouped into portals.
//!
//! A crossing is a step from a cell of one sector to a cell of another. A portal is a group of crossings of one border
//! that join the same two components, one inside each sector. Its two sides are exits, each other's twins. An exit
//! stands for all its crossings: whoever can use one can use all, and inside the portal they are at most a few steps
//! apart.
//!
//! Crossings lie on one border in a row. Those of one pair of components form a run as long as no more than
//! [`BRIDGED`] positions are missing between two of them and one can walk around the gap right there, on both sides: the aisles
//! between long racks are portals of their own. A run that is longer than the `split` is cut into equal parts. All of
//! that looks the same from both sides, so twins have the same number.
//!
//! A diagonal step across a border or a corner between sectors is a crossing of its own only if both cells beside it
//! are walls, which only [`CornerRule::Ignored`] allows. If one of them is floor, the way over it crosses the same
//! borders by cardinal steps.

use super::labels::Labels;
use super::layout::{Area, Layout, SectorId, within};
use crate::grid::{CornerRule, Direction, Exits, Grid, Neighbours, Place, Rules};

/// The most missing positions between two crossings of one portal.
const BRIDGED: u8 = 3;

/// The name of an exit inside its sector: its side, and its number there. A border has at most 32 crossings, so a byte is
/// enough.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExitCode(u8);

impl ExitCode {
    const NUMBER_BITS: u32 = 5;

    fn new(side: Direction, number: u8) -> Self {
        debug_assert!(number < 1 << Self::NUMBER_BITS, "a border has at most 32 portals");
        Self((side as u8) << Self::NUMBER_BITS | number)
    }

    /// The code in this byte.
    pub const fn from_byte(byte: u8) -> Self {
        Self(byte)
    }

    /// The code as a byte.
    pub const fn byte(self) -> u8 {
        self.0
    }

    /// The side of the sector on which the exit is.
    pub const fn side(self) -> Direction {
        Direction::ALL[(self.0 >> Self::NUMBER_BITS) as usize]
    }

    /// The code of the same portal in the sector beyond.
    pub fn twin(self) -> Self {
        Self::new(self.side().opposite(), self.0 % (1 << Self::NUMBER_BITS))
    }
}

/// A portal, seen from one of its sectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exit {
    pub code: ExitCode,
    /// The cell from which its middle crossing leaves, as an index in the sector.
    pub middle: u16,
    /// The step of the middle crossing.
    pub step: Direction,
    /// The component that it leaves.
    pub component: u8,
    /// The component of the sector beyond that it leads to.
    pub beyond: u8,
    /// The first position of its crossings on the border.
    first: u8,
    /// The last position of its crossings on the border.
    last: u8,
}

impl Exit {
    /// How many cells wide it is.
    pub const fn width(self) -> u32 {
        self.last as u32 - self.first as u32 + 1
    }

    /// What it joins: one of the sector's components, on this side, with one of the sector beyond.
    pub const fn link(self) -> (Direction, u8, u8) {
        (self.code.side(), self.component, self.beyond)
    }
}

/// A step to another sector.
#[derive(Clone, Copy, Debug)]
struct Crossing {
    /// From the west or the north end of the border. The two ends of a diagonal step have the same: the lower one.
    position: u8,
    from: Place,
    step: Direction,
    component: u8,
    beyond: u8,
}

/// The border between a sector and one beside it.
pub struct Border<'a> {
    pub grid: &'a Grid,
    pub side: Direction,
    /// The cells of the sector on this side.
    pub area: Area,
    /// The labels of the sector on this side.
    pub near: &'a Labels,
    /// The labels of the sector on the other side.
    pub far: &'a Labels,
}

/// The sides of a sector that can have exits.
pub fn sides(rules: Rules) -> &'static [Direction] {
    if squeezes(rules) { &Direction::ALL } else { Direction::ALL.split_at(4).0 }
}

/// Whether a diagonal step can pass between two walls.
pub fn squeezes(rules: Rules) -> bool {
    rules.neighbours == Neighbours::Eight && rules.corners == CornerRule::Ignored
}

impl Border<'_> {
    /// Adds the exits of this border.
    pub fn exits(&self, split: u8, exits: &mut Vec<Exit>) {
        let mut runs: Vec<Vec<Crossing>> = Vec::new();
        for crossing in self.crossings() {
            let continued = runs.iter_mut().find(|run| {
                let last = run[run.len() - 1];
                (last.component, last.beyond) == (crossing.component, crossing.beyond)
                    && self.is_bridged(last, crossing)
            });
            match continued {
                Some(run) => run.push(crossing),
                None => runs.push(vec![crossing]),
            }
        }
        let mut number = 0;
        for run in &runs {
            let (first, last) = (run[0].position, run[run.len() - 1].position);
            let length = last - first + 1;
            let parts = length.div_ceil(split);
            for part in run.chunk_by(|a, b| {
                let part_of = |crossing: &Crossing| {
                    u16::from(crossing.position - first) * u16::from(parts) / u16::from(length)
                };
                part_of(a) == part_of(b)
            }) {
                exits.push(Self::exit(part, ExitCode::new(self.side, number)));
                number += 1;
            }
        }
    }

    /// The cells just across the border to which an exit leads.
    pub fn landings(&self, exit: Exit) -> impl Iterator<Item = Place> {
        self.crossings()
            .filter(move |crossing| {
                (exit.first..=exit.last).contains(&crossing.position)
                    && (exit.component, exit.beyond) == (crossing.component, crossing.beyond)
            })
            .map(|crossing| crossing.from.beside(self.grid, crossing.step))
    }

    /// Whether two crossings, the first at a lower position, can be parts of one portal: there is none missing between
    /// them, or few are, and one can walk around those right behind the border on both of its sides.
    fn is_bridged(&self, first: Crossing, last: Crossing) -> bool {
        let missing = last.position - first.position - 1;
        if missing == 0 || missing > BRIDGED {
            return missing == 0;
        }
        if first.step != self.side || last.step != self.side {
            return false;
        }
        let (dx, dy) = self.side.delta();
        // One row behind the border on the near side, and one on the far side.
        [-1, 2].into_iter().all(|depth| {
            (0..=i32::from(last.position - first.position)).all(|along| {
                let x = first.from.x + depth * dx + along * (1 - dx.abs());
                let y = first.from.y + depth * dy + along * (1 - dy.abs());
                x >= 0
                    && y >= 0
                    && self.grid.at(x as u32, y as u32).is_some_and(|cell| self.grid.is_floor(cell))
            })
        })
    }

    fn exit(part: &[Crossing], code: ExitCode) -> Exit {
        let (first, last) = (part[0], part[part.len() - 1]);
        let centre = first.position + last.position;
        let middle = part.iter().min_by_key(|crossing| (2 * crossing.position).abs_diff(centre));
        let middle = middle.unwrap_or(&first);
        Exit {
            code,
            middle: within(middle.from),
            step: middle.step,
            component: first.component,
            beyond: first.beyond,
            first: first.position,
            last: last.position,
        }
    }

    /// The crossings of the border, in the order of their positions. No two of them have the same: a diagonal step
    /// between two walls excludes all others beside it.
    fn crossings(&self) -> impl Iterator<Item = Crossing> {
        let positions = match self.side {
            Direction::North | Direction::South => self.area.width,
            Direction::East | Direction::West => self.area.height,
            _ => 1,
        };
        (0..positions).filter_map(move |position| {
            self.crossing(position, position, self.side).or_else(|| {
                if !squeezes(self.grid.rules()) || position + 1 == positions {
                    return None;
                }
                let (onward, back) = slants(self.side)?;
                self.crossing(position, position, onward)
                    .or_else(|| self.crossing(position, position + 1, back))
            })
        })
    }

    /// The crossing by this step from the cell of the sector that is so far along the border, if it counts.
    fn crossing(&self, position: i32, along: i32, step: Direction) -> Option<Crossing> {
        let (dx, dy) = self.side.delta();
        let column = [self.area.x, self.area.x + along, self.area.x + self.area.width - 1];
        let row = [self.area.y, self.area.y + along, self.area.y + self.area.height - 1];
        let (x, y) = (column[(dx + 1) as usize], row[(dy + 1) as usize]);
        let from = Place { cell: self.grid.at(x as u32, y as u32)?, x, y };
        let exits = self.grid.exits(from.cell);
        if !self.grid.is_floor(from.cell) || !exits.contains(step) {
            return None;
        }
        let (a, b) = step.parts();
        if step.is_diagonal() && (exits.contains(a) || exits.contains(b)) {
            return None;
        }
        let to = from.beside(self.grid, step);
        let (component, beyond) = (self.near.at(from), self.far.at(to));
        Some(Crossing { position: position as u8, from, step, component, beyond })
    }
}

/// The diagonal steps across a side: to the next position and to the one before; none across a corner.
const fn slants(side: Direction) -> Option<(Direction, Direction)> {
    use Direction::{East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West};
    match side {
        North => Some((NorthEast, NorthWest)),
        South => Some((SouthEast, SouthWest)),
        East => Some((SouthEast, NorthEast)),
        West => Some((SouthWest, NorthWest)),
        _ => None,
    }
}

/// The exits of a sector, side by side.
///
/// `labels` gives the labels of a sector; it is asked for this one and those beside it.
pub fn exits<'a>(
    grid: &Grid,
    layout: &Layout,
    sector: SectorId,
    labels: impl Fn(SectorId) -> &'a Labels,
    split: u8,
    exits: &mut Vec<Exit>,
) {
    exits.clear();
    for &side in sides(grid.rules()) {
        let Some(beyond) = layout.beside(sector, side) else { continue };
        let area = layout.area(sector);
        let border = Border { grid, side, area, near: labels(sector), far: labels(beyond) };
        border.exits(split, exits);
    }
}
