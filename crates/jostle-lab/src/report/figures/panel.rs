//! The frame of a panel: axes, ticks and the lines behind the data.

use super::axis::{Axis, tick_label};
use super::plot::lettering;
use super::style::Colour;
use super::surface::{Anchor, Lettering, Point, Surface};

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

impl Frame {
    /// The part of a panel without its title and its labels.
    pub fn inside(corner: Point, size: Point, title: &str, y: &Axis) -> Self {
        let title = if title.is_empty() { 6.0 } else { 22.0 };
        let label = if y.label.is_empty() { 0.0 } else { 14.0 };
        Self {
            left: corner.0 + 34.0 + label,
            right: corner.0 + size.0 - 10.0,
            top: corner.1 + title,
            bottom: corner.1 + size.1 - 36.0,
        }
    }

    /// The position at a share of the width and of the height.
    pub fn at(&self, across: f64, up: f64) -> Point {
        let width = self.right - self.left;
        let height = self.bottom - self.top;
        (self.left + across * width, self.bottom - up * height)
    }

    /// Draws the vertical axis with its ticks, and faint lines from them.
    pub fn draw_y(&self, surface: &mut dyn Surface, y: &Axis) {
        for tick in &y.ticks {
            let (_, height) = self.at(0.0, y.place(*tick));
            surface.line(&[(self.left, height), (self.right, height)], Colour::FAINT, 0.75);
            let place = (self.left - 5.0, height + 3.2);
            surface.text(&tick_label(*tick), place, lettering(9.0, Colour::GREY, Anchor::End));
        }
        surface.line(&[(self.left, self.top), (self.left, self.bottom)], Colour::GREY, 0.75);
        if !y.label.is_empty() {
            let middle = f64::midpoint(self.top, self.bottom);
            let style = lettering(9.5, Colour::INK, Anchor::Middle);
            let place = (self.left - 32.0, middle);
            surface.text(&y.label, place, Lettering { is_upright: true, ..style });
        }
    }

    /// Draws the line below the data, and the label under it.
    pub fn draw_base(&self, surface: &mut dyn Surface, label: &str) {
        surface.line(&[(self.left, self.bottom), (self.right, self.bottom)], Colour::GREY, 0.75);
        let place = (f64::midpoint(self.left, self.right), self.bottom + 28.0);
        surface.text(label, place, lettering(9.5, Colour::INK, Anchor::Middle));
    }

    /// Draws the ticks of a horizontal axis.
    pub fn draw_x(&self, surface: &mut dyn Surface, x: &Axis) {
        self.draw_base(surface, &x.label);
        for tick in &x.ticks {
            let (across, _) = self.at(x.place(*tick), 0.0);
            surface.line(&[(across, self.bottom), (across, self.bottom + 3.0)], Colour::GREY, 0.75);
            let place = (across, self.bottom + 13.5);
            surface.text(&tick_label(*tick), place, lettering(9.0, Colour::GREY, Anchor::Middle));
        }
    }
}
