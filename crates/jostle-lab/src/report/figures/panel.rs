//! The frame of a panel: axes, ticks and the lines behind the data.

use super::axis::{Axis, tick_label};
use super::plot::lettering;
use super::style::Colour;
use super::surface::{Anchor, Lettering, Point, Surface, text_width};

/// The size of the numbers at ticks.
const TICK: f64 = 10.0;
/// The size of the labels of axes.
const LABEL: f64 = 11.0;

/// The area in which data is drawn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Frame {
    /// The left end.
    pub left: f64,
    /// The right end.
    pub right: f64,
    /// The upper end.
    pub top: f64,
    /// The lower end.
    pub bottom: f64,
}

/// The height of what stands above the data.
pub const fn room_above(title: &str) -> f64 {
    if title.is_empty() { 8.0 } else { 24.0 }
}

/// The height of the numbers and the label below the data.
pub const ROOM_BELOW: f64 = 40.0;

impl Frame {
    /// The part of a panel without its title, and with room for labels on its left.
    pub fn inside(corner: Point, size: Point, title: &str, room_left: f64) -> Self {
        Self {
            left: corner.0 + room_left,
            right: corner.0 + size.0 - 10.0,
            top: corner.1 + room_above(title),
            bottom: corner.1 + size.1 - ROOM_BELOW,
        }
    }

    /// The room that a vertical axis needs on the left of the data.
    pub fn room_for(y: &Axis) -> f64 {
        let widths = y.ticks.iter().map(|tick| text_width(&tick_label(*tick), TICK, false));
        let label = if y.label.is_empty() { 0.0 } else { LABEL + 7.0 };
        widths.fold(0.0, f64::max) + 9.0 + label
    }

    /// Its width.
    pub fn width(&self) -> f64 {
        self.right - self.left
    }

    /// Its height.
    pub fn height(&self) -> f64 {
        self.bottom - self.top
    }

    /// The position at a share of the width and of the height.
    pub fn at(&self, across: f64, up: f64) -> Point {
        (self.left + across * self.width(), self.bottom - up * self.height())
    }

    /// Draws the vertical axis with its ticks, and faint lines from them.
    pub fn draw_y(&self, surface: &mut Surface<'_>, y: &Axis) {
        for tick in &y.ticks {
            let (_, height) = self.at(0.0, y.place(*tick));
            surface.line(&[(self.left, height), (self.right, height)], Colour::FAINT, 0.75);
            let place = (self.left - 6.0, height + 3.6);
            surface.text(&tick_label(*tick), place, lettering(TICK, Colour::GREY, Anchor::End));
        }
        surface.line(&[(self.left, self.top), (self.left, self.bottom)], Colour::GREY, 0.75);
        if !y.label.trim().is_empty() {
            let middle = f64::midpoint(self.top, self.bottom);
            let style = lettering(LABEL, Colour::INK, Anchor::Middle);
            let place = (self.left - Self::room_for(y) + LABEL, middle);
            surface.text(&y.label, place, Lettering { is_upright: true, ..style });
        }
    }

    /// Draws faint lines up from the ticks of a horizontal axis.
    pub fn draw_upright_grid(&self, surface: &mut Surface<'_>, x: &Axis) {
        for tick in &x.ticks {
            let (across, _) = self.at(x.place(*tick), 0.0);
            surface.line(&[(across, self.top), (across, self.bottom)], Colour::FAINT, 0.75);
        }
    }

    /// Draws the horizontal axis with its ticks and its label.
    pub fn draw_x(&self, surface: &mut Surface<'_>, x: &Axis) {
        surface.line(&[(self.left, self.bottom), (self.right, self.bottom)], Colour::GREY, 0.75);
        for tick in &x.ticks {
            let (across, _) = self.at(x.place(*tick), 0.0);
            surface.line(&[(across, self.bottom), (across, self.bottom + 3.5)], Colour::GREY, 0.75);
            let place = (across, self.bottom + 15.0);
            surface.text(&tick_label(*tick), place, lettering(TICK, Colour::GREY, Anchor::Middle));
        }
        let place = (f64::midpoint(self.left, self.right), self.bottom + 31.0);
        surface.text(&x.label, place, lettering(LABEL, Colour::INK, Anchor::Middle));
    }
}
