//! Rooms and hallways behind doors one cell wide.

use super::canvas::{Canvas, Rect};
use super::dice::Dice;
use super::partition::{PartSize, Partition};
use super::regions::{Groups, Regions};

/// The percentage of pairs of neighbouring rooms that get a door although they are already connected.
const LOOPS: u32 = 20;
/// The width of a hallway and the walls on both sides of it, in cells.
const HALLWAY_WITH_WALLS: i32 = 5;
/// Parts whose side to be cut is shorter than this are divided by walls alone, without hallways.
const SHORTEST_SIDE_WITH_HALLWAY: i32 = 44;
/// Rooms with a shorter side than this are not furnished.
const SHORTEST_FURNISHED: i32 = 8;

pub(super) fn draw(width: u32, height: u32, dice: &mut Dice) -> Canvas {
    let mut canvas = Canvas::walled(width, height);
    for room in lay_out(canvas.bounds().inset(1), dice) {
        canvas.carve(room);
        furnish(&mut canvas, room, dice);
    }
    for (x, y) in doors(&canvas, dice) {
        canvas.set(x, y, true);
    }
    canvas
}

/// Divides the map into rooms and hallways with one cell of wall between any two.
fn lay_out(inside: Rect, dice: &mut Dice) -> Vec<Rect> {
    let across = inside.shorter_side();
    let size = PartSize {
        shortest: (across / 14).clamp(3, 6),
        longest: (across / 5).clamp(7, 24),
        cut_anyway: 35,
    };
    let Partition { mut parts, gaps } = Partition::of(inside, &size, dice, |length, dice| {
        let is_hallway = length >= SHORTEST_SIDE_WITH_HALLWAY && dice.chance(60);
        if is_hallway { HALLWAY_WITH_WALLS } else { 1 }
    });
    let hallways = gaps.into_iter().filter(|gap| gap.shorter_side() == HALLWAY_WITH_WALLS);
    parts.extend(hallways.map(|gap| {
        if gap.width == HALLWAY_WITH_WALLS { gap.shrunk(1, 0) } else { gap.shrunk(0, 1) }
    }));
    parts
}

/// Puts columns or a block into some of the larger rooms, away from the walls where doors are.
fn furnish(canvas: &mut Canvas, room: Rect, dice: &mut Dice) {
    if room.shorter_side() < SHORTEST_FURNISHED || dice.chance(40) {
        return;
    }
    match dice.between(0, 2) {
        0 => canvas.build(room.inset(room.shorter_side() / 3)),
        1 => corner_blocks(canvas, room),
        _ => columns(canvas, room, dice),
    }
}

/// Four blocks with a cross of floor between them.
fn corner_blocks(canvas: &mut Canvas, room: Rect) {
    let blocks = room.inset(2);
    canvas.build(blocks);
    let (across, along) =
        (blocks.width.min(2 + blocks.width % 2), blocks.height.min(2 + blocks.height % 2));
    canvas.carve(blocks.shrunk((blocks.width - across) / 2, 0));
    canvas.carve(blocks.shrunk(0, (blocks.height - along) / 2));
}

/// Rows of single columns.
fn columns(canvas: &mut Canvas, room: Rect, dice: &mut Dice) {
    let spacing = dice.between(3, 4);
    // The columns are centred in the room: what the spacing leaves over goes to both sides.
    let first = |length: i32| (length - 1 - (length - 5) / spacing * spacing) / 2;
    let field = room.shrunk(first(room.width), first(room.height));
    for (x, y) in field.cells() {
        if (x - field.x) % spacing == 0 && (y - field.y) % spacing == 0 {
            canvas.set(x, y, false);
        }
    }
}

/// Chooses one wall cell between two rooms for each door: enough doors to reach every room, and
/// some more.
fn doors(canvas: &Canvas, dice: &mut Dice) -> Vec<(i32, i32)> {
    let rooms = Regions::of_floor(canvas);
    let places = door_places(canvas, &rooms);
    let mut walls: Vec<_> = places.chunk_by(|one, other| one.between == other.between).collect();
    dice.shuffle(&mut walls);
    let mut groups = Groups::new(rooms.count());
    let mut doors = Vec::new();
    for wall in walls {
        let (a, b) = wall[0].between;
        if groups.unite(a, b) || dice.chance(LOOPS) {
            // A door in the corner of a room looks like a mistake.
            let wall = if wall.len() > 2 { &wall[1..wall.len() - 1] } else { wall };
            doors.push(dice.pick(wall).at);
        }
    }
    doors
}

/// A cell that could be a door, and the rooms that it would join.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct DoorPlace {
    between: (u32, u32),
    at: (i32, i32),
}

/// All cells that could be doors, ordered by the rooms they join and along the wall.
fn door_places(canvas: &Canvas, rooms: &Regions) -> Vec<DoorPlace> {
    let room = |x: i32, y: i32| {
        let is_inside = canvas.bounds().contains(x, y);
        is_inside.then(|| rooms.label(canvas.index(x, y))).flatten()
    };
    let mut places = Vec::new();
    for (x, y) in canvas.bounds().cells().filter(|&(x, y)| !canvas.is_floor(x, y)) {
        let across = [(room(x - 1, y), room(x + 1, y)), (room(x, y - 1), room(x, y + 1))];
        for sides in across {
            if let (Some(a), Some(b)) = sides
                && a != b
            {
                places.push(DoorPlace { between: (a.min(b), a.max(b)), at: (x, y) });
            }
        }
    }
    places.sort_unstable();
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levels::Level;

    #[test]
    fn doors_are_one_cell_wide_and_nothing_else_joins_rooms() {
        for seed in 0..10 {
            let mut dice = Dice::new(Level::Rooms, 90, 70, seed);
            let rooms = lay_out(Rect::new(1, 1, 88, 68), &mut dice);
            let mut canvas = Canvas::walled(90, 70);
            for &room in &rooms {
                canvas.carve(room);
            }
            assert_eq!(Regions::of_floor(&canvas).count(), rooms.len());
            let doors = doors(&canvas, &mut dice);
            for &(x, y) in &doors {
                canvas.set(x, y, true);
            }
            assert_eq!(Regions::of_floor(&canvas).count(), 1);
            for (x, y) in doors {
                let is_row = canvas.is_floor(x - 1, y) && canvas.is_floor(x + 1, y);
                let is_column = canvas.is_floor(x, y - 1) && canvas.is_floor(x, y + 1);
                let open_sides = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)];
                let open_sides = open_sides.iter().filter(|&&(x, y)| canvas.is_floor(x, y)).count();
                assert!(is_row || is_column, "the door at {x},{y} leads nowhere");
                assert_eq!(open_sides, 2, "the door at {x},{y} is wider than a cell");
            }
        }
    }

    #[test]
    fn furniture_never_stands_before_a_wall() {
        for seed in 0..40 {
            let mut dice = Dice::new(Level::Rooms, 30, 30, seed);
            let room = Rect::new(1, 1, dice.between(8, 28), dice.between(8, 28));
            let mut canvas = Canvas::walled(30, 30);
            canvas.carve(room);
            furnish(&mut canvas, room, &mut dice);
            let mut edge = room.cells().filter(|&(x, y)| !room.inset(1).contains(x, y));
            assert!(edge.all(|(x, y)| canvas.is_floor(x, y)));
            assert_eq!(Regions::of_floor(&canvas).count(), 1);
        }
    }
}
