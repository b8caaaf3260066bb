//! Bars in groups.

use super::axis::Axis;
use super::lines::Dot;
use super::panel::Frame;
use super::plot::lettering;
use super::style::{Colour, Look};
use super::surface::{Anchor, Surface};

/// Bars that stand side by side over one name.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    /// The name below the group.
    pub name: String,
    /// The bars.
    pub bars: Vec<Bar>,
}

/// The value of one planner.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bar {
    /// The colour of its planner.
    pub look: Look,
    /// Our value, if there is one.
    pub value: Option<Dot>,
    /// The paper's value.
    pub published: Option<f64>,
}

/// Draws groups of bars, each with its confidence interval and the paper's value.
pub fn draw(surface: &mut dyn Surface, frame: &Frame, y: &Axis, groups: &[Group]) {
    frame.draw_y(surface, y);
    let group_width = (frame.right - frame.left) / groups.len().max(1) as f64;
    for (index, group) in groups.iter().enumerate() {
        let left = frame.left + index as f64 * group_width;
        let width = group_width * 0.84 / group.bars.len().max(1) as f64;
        for (index, bar) in group.bars.iter().enumerate() {
            let middle = left + group_width * 0.08 + (index as f64 + 0.5) * width;
            let height = |value: f64| frame.at(0.0, y.place(value)).1;
            if let Some(value) = bar.value {
                let half = (width * 0.44).min(9.0);
                let (from, to) = ((middle - half, height(value.y)), (middle + half, frame.bottom));
                surface.rectangle(from, to, bar.look.colour);
                if let Some((low, high)) = value.interval {
                    let (top, bottom) = (height(high), height(low));
                    let ink = Colour::INK;
                    surface.line(&[(middle, top), (middle, bottom)], ink, 1.0);
                    surface.line(&[(middle - 2.5, top), (middle + 2.5, top)], ink, 1.0);
                    surface.line(&[(middle - 2.5, bottom), (middle + 2.5, bottom)], ink, 1.0);
                }
            }
            if let Some(published) = bar.published {
                let place = (middle, height(published));
                bar.look.marker.draw(surface, place, 6.0, Colour::WHITE);
                bar.look.marker.draw_open(surface, place, 4.4, bar.look.colour);
            }
        }
        let place = (left + group_width / 2.0, frame.bottom + 14.0);
        surface.text(&group.name, place, lettering(9.5, Colour::INK, Anchor::Middle));
    }
    frame.draw_base(surface, "");
}
