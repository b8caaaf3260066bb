//! Walks along fields, which tell how long a way is.
//!
//! Fields hold directions and no distances, so the length of a way is found by going it. Nearly every step of that reads
//! memory that is not in the cache. Several walks that take turns step by step wait for it together.

use super::Sectors;
use super::fields::{self, Fields, Target};
use crate::grid::{Grid, Place};

/// A walk along a field, by its best steps.
#[derive(Clone, Copy, Debug)]
pub struct FieldWalk {
    target: Target,
    /// The field.
    slot: u32,
    /// Where in the field's window.
    at: usize,
    /// The length of the way so far, in units of [`Cost`](crate::Cost).
    length: u32,
    /// Whether the field says nothing of the place.
    is_lost: bool,
}

/// How long a way is, in units of [`Cost`](crate::Cost).
#[derive(Clone, Copy, Debug)]
pub enum Remaining {
    /// The length, or `u32::MAX` if that takes more than lookups.
    Length(u32),
    /// A walk that will tell.
    Unknown(FieldWalk),
}

impl FieldWalk {
    /// A walk that begins on a place in the target's window, along the target's field.
    pub(super) const fn new(slot: u32, target: Target, place: Place) -> Self {
        Self { target, slot, at: target.offset(place), length: 0, is_lost: false }
    }

    /// Takes a step. Returns whether there was one to take.
    pub fn advance(&mut self, sectors: &Sectors) -> bool {
        self.advance_on(&sectors.fields)
    }

    /// How long the walk was, or `u32::MAX` if it has not come to the target.
    pub const fn length(&self) -> u32 {
        if self.is_lost { u32::MAX } else { self.length }
    }

    /// Goes to the end. Returns the length of the walk and its last place; none if the field does not lead to the target.
    pub(super) fn finish(mut self, fields: &Fields, grid: &Grid) -> Option<(u32, Place)> {
        while self.advance_on(fields) {}
        (!self.is_lost).then(|| (self.length, self.target.place(grid, self.at)))
    }

    fn advance_on(&mut self, fields: &Fields) -> bool {
        let heading = fields.heading_at(self.slot, self.at);
        self.is_lost = !heading.is_known();
        let Some(step) = heading.best().filter(|_| !self.is_lost) else { return false };
        self.length += step.cost().units() as u32;
        self.at = self.at.wrapping_add_signed(fields::offset_of(step));
        true
    }
}
