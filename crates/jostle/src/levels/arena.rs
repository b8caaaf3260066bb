//! An open field with symmetric cover, and a spawn on each side.

use super::canvas::{Canvas, Rect};
use super::dice::Dice;
use super::regions;

/// Fields with a shorter side than this stay empty inside their rim.
const SHORTEST_FURNISHED: i32 = 14;
/// Enclosed floors with fewer cells than this are filled.
const SMALLEST_FLOOR: usize = 20;

pub(super) fn draw(width: u32, height: u32, dice: &mut Dice) -> Canvas {
    let mut arena = Arena::new(width, height);
    arena.build_rim(dice);
    if arena.canvas.bounds().shorter_side() >= SHORTEST_FURNISHED {
        arena.build_spawns();
        arena.build_centre(dice);
        arena.place_cover(dice);
    }
    regions::drop_small_floors(&mut arena.canvas, SMALLEST_FLOOR);
    arena.canvas
}

/// A canvas on which everything is drawn four times, mirrored at both axes, so that no side of the field
/// has an advantage.
struct Arena {
    canvas: Canvas,
    /// Where no cover may stand: the space around the spawns and the centre.
    reserved: Vec<Rect>,
    /// The thickness of walls, in cells. Everything else is measured in it, so that the shapes of large
    /// arenas do not look tiny.
    unit: i32,
}

impl Arena {
    fn new(width: u32, height: u32) -> Self {
        let canvas = Canvas::open(width, height);
        let unit = (canvas.bounds().shorter_side() / 60).clamp(1, 4);
        Self { canvas, reserved: Vec::new(), unit }
    }

    fn mirrored(&self, rect: Rect) -> [Rect; 4] {
        let bounds = self.canvas.bounds();
        let (x, y) = (bounds.width - rect.right(), bounds.height - rect.bottom());
        let Rect { width, height, .. } = rect;
        [rect, Rect { x, ..rect }, Rect { y, ..rect }, Rect::new(x, y, width, height)]
    }

    fn build(&mut self, rect: Rect) {
        self.mirrored(rect).into_iter().for_each(|rect| self.canvas.build(rect));
    }

    fn carve(&mut self, rect: Rect) {
        self.mirrored(rect).into_iter().for_each(|rect| self.canvas.carve(rect));
    }

    fn build_disc(&mut self, x: i32, y: i32, radius: i32) {
        for rect in self.mirrored(Rect::around(x, y, radius)) {
            let (x, y) = rect.middle();
            self.canvas.build_disc(x, y, radius);
        }
    }

    /// A wall around the field that cuts off the corners.
    fn build_rim(&mut self, dice: &mut Dice) {
        let Rect { width, height, .. } = self.canvas.bounds();
        self.build(Rect::new(0, 0, width, self.unit));
        self.build(Rect::new(0, 0, self.unit, height));
        let corner = self.canvas.bounds().shorter_side() * dice.between(8, 22) / 100;
        let is_stepped = dice.chance(40);
        let step = if is_stepped { (corner / 4).max(1) } else { 1 };
        for row in 0..corner {
            self.build(Rect::new(0, row, corner - row / step * step, 1));
        }
    }

    /// A yard at the western and the eastern side, each behind a wall with three gates.
    fn build_spawns(&mut self) {
        let bounds = self.canvas.bounds();
        let unit = self.unit;
        let depth = (bounds.width / 9).max(3) + unit;
        let reach = bounds.height / 5;
        let (_, middle) = bounds.middle();
        let wall = Rect::new(depth, middle - reach, unit, reach);
        let gate = (2 * unit).max(2);
        self.build(Rect { y: wall.y + gate / 2, height: reach - gate, ..wall });
        self.reserved.push(Rect::new(0, wall.y - gate, depth + 3 * unit, 2 * (reach + gate)));
    }

    /// A ring, a diamond, or a cross of bars in the very middle.
    fn build_centre(&mut self, dice: &mut Dice) {
        let bounds = self.canvas.bounds();
        let (x, y) = bounds.middle();
        let radius = (bounds.shorter_side() * dice.between(9, 13) / 100).max(2);
        let unit = self.unit;
        match dice.between(0, 2) {
            0 => self.ring(x, y, radius, unit.max(2)),
            1 => self.diamond(x, y, radius),
            _ => {
                self.build(Rect::new(x - radius, y - unit / 2, 2 * radius / 3, unit));
                self.build(Rect::new(x - unit / 2, y - radius, unit, 2 * radius / 3));
                self.build_disc(x, y, radius / 4);
            }
        }
        if dice.chance(60) {
            self.pillar_circle(x, y, radius * 8 / 5);
        }
        self.reserved.push(Rect::around(x, y, radius + 3 * unit));
    }

    /// Eight pillars at the same distance from a middle.
    fn pillar_circle(&mut self, x: i32, y: i32, distance: i32) {
        // The cosine and sine of 22.5 degrees are 0.92 and 0.38.
        let (far, near) = (distance * 92 / 100, distance * 38 / 100);
        self.build_disc(x - far, y - near, self.unit);
        self.build_disc(x - near, y - far, self.unit);
    }

    /// A hollow circle with four gates.
    fn ring(&mut self, x: i32, y: i32, radius: i32, thickness: i32) {
        self.build_disc(x, y, radius);
        let hollow = radius - thickness;
        if hollow >= 2 {
            let gate = (radius / 4).max(1);
            let ring = Rect::around(x, y, radius);
            self.carve(ring.shrunk(radius - gate, 0));
            self.carve(ring.shrunk(0, radius - gate));
            for rect in self.mirrored(Rect::around(x, y, hollow)) {
                let (x, y) = rect.middle();
                self.canvas.carve_disc(x, y, hollow);
            }
            self.build_disc(x, y, hollow / 4);
        }
    }

    fn diamond(&mut self, x: i32, y: i32, radius: i32) {
        for row in 0..=radius {
            let reach = radius - row;
            self.build(Rect::new(x - reach, y - row, 2 * reach + 1, 1));
        }
    }

    /// Pillars and walls at random places of a quarter of the field, and their mirror images.
    fn place_cover(&mut self, dice: &mut Dice) {
        let bounds = self.canvas.bounds();
        let unit = self.unit;
        let area = bounds.width * bounds.height;
        for _ in 0..area / (unit * unit * 40) {
            let x = dice.between(0, bounds.width / 2);
            let y = dice.between(0, bounds.height / 2);
            let size = dice.between(2, 6) * unit;
            let footprint = Rect::new(x, y, size, size);
            // The clearance lets crowds pass between covers, and keeps mirror images apart.
            let clearance = footprint.inset(-2 * unit);
            let is_reserved = self.reserved.iter().any(|&rect| overlap(rect, footprint));
            if is_reserved
                || !self.canvas.is_open(clearance)
                || clearance.right() > bounds.width / 2
                || clearance.bottom() > bounds.height / 2
            {
                continue;
            }
            self.cover(footprint, dice);
        }
    }

    fn cover(&mut self, place: Rect, dice: &mut Dice) {
        let unit = self.unit;
        let Rect { x, y, width: size, .. } = place;
        match dice.between(0, 4) {
            0 => self.build_disc(x + size / 2, y + size / 2, (size / 2 - 1).max(0)),
            1 => self.build(Rect { height: unit, ..place }),
            2 => self.build(Rect { width: unit, ..place }),
            3 => {
                self.build(Rect { height: unit, ..place });
                self.build(Rect { width: unit, ..place });
            }
            _ => self.build(Rect::new(x, y, 2 * unit, 2 * unit)),
        }
    }
}

fn overlap(a: Rect, b: Rect) -> bool {
    a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levels::Level;

    #[test]
    fn an_arena_is_the_same_from_every_side() {
        for (width, height) in [(64, 64), (97, 71), (20, 15), (300, 120)] {
            let canvas = draw(width, height, &mut Dice::new(Level::Arena, width, height, 5));
            let (east, south) = (width as i32 - 1, height as i32 - 1);
            for (x, y) in canvas.bounds().cells() {
                assert_eq!(canvas.is_floor(x, y), canvas.is_floor(east - x, y));
                assert_eq!(canvas.is_floor(x, y), canvas.is_floor(x, south - y));
            }
        }
    }
}
