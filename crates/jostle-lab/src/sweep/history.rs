//! The sweeps that a folder has belonged to, and how they relate to the maps as they are.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;

use jostle::formats::shown_path;

use super::Order;
use super::shard::Shard;
use crate::record::{Earlier, Identity};
use crate::{LabError, save};

/// The identity of a folder during a sweep: what it was before, and what it is from now on.
pub(crate) struct History<'a> {
    folder: &'a Path,
    identity: Identity,
    /// Whether the folder's file says so already.
    pub is_written: bool,
    /// The fingerprint that the text of a spec has on the maps as they are; none if it cannot be run any more.
    present: Present<'a>,
    /// For each earlier fingerprint, whether its spec still has it.
    current: RefCell<HashMap<String, bool>>,
}

/// Finds the fingerprint that the text of a spec has on the maps as they are.
type Present<'a> = Box<dyn Fn(&str) -> Option<String> + 'a>;

impl<'a> History<'a> {
    /// The history of a folder that is to belong to this sweep.
    ///
    /// # Errors
    /// When the folder belongs to another spec and may not be extended, or has to change while these shares are at work in it.
    pub fn of(
        order: Order<'a>,
        wanted: Identity,
        present: impl Fn(&str) -> Option<String> + Copy + 'a,
        at_work: &[Shard],
    ) -> Result<Self, LabError> {
        let with = |identity, is_written| Self {
            folder: order.out,
            identity,
            is_written,
            present: Box::new(present),
            current: RefCell::default(),
        };
        let earlier = Identity::read(order.out)?;
        let extends = match earlier {
            Some(earlier) if earlier.fingerprint == wanted.fingerprint => {
                return Ok(with(earlier, true));
            }
            Some(earlier)
                if !order.may_extend
                    && present(&earlier.spec).as_ref() != Some(&wanted.fingerprint) =>
            {
                return Err(LabError::input(format!(
                    "{}: this folder belongs to another spec ({}, {} runs): choose another folder, or \
                     --extend it if the new spec only adds runs",
                    shown_path(order.out),
                    earlier.name,
                    earlier.runs,
                )));
            }
            Some(_) if !at_work.is_empty() => {
                return Err(LabError::input(format!(
                    "{}: shard {} is at work in this folder for another spec, or on another version of the maps",
                    shown_path(order.out),
                    at_work[0],
                )));
            }
            // A larger spec, or the same one on maps that have changed.
            Some(Identity { fingerprint, spec, mut extends, .. }) => {
                extends.retain(|known| known.fingerprint != wanted.fingerprint);
                extends.push(Earlier { fingerprint, spec });
                extends
            }
            None => Vec::new(),
        };
        Ok(with(Identity { extends, ..wanted }, false))
    }

    /// Writes to the folder which sweep it belongs to.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn sign(&self) -> Result<(), LabError> {
        if self.is_written {
            return Ok(());
        }
        let text = serde_json::to_string_pretty(&self.identity).map_err(LabError::input)?;
        save(&Identity::path(self.folder), text + "\n")
    }

    /// Whether the folder may hold records of the spec with this fingerprint.
    pub fn knows(&self, fingerprint: &str) -> bool {
        self.identity.spec_of(fingerprint).is_some()
    }

    /// Whether the maps of a known spec are what they were when it had this fingerprint.
    pub fn is_current(&self, fingerprint: &str) -> bool {
        if let Some(&known) = self.current.borrow().get(fingerprint) {
            return known;
        }
        let spec = self.identity.spec_of(fingerprint);
        let now = spec.and_then(|spec| (self.present)(spec));
        let is_current = now.as_deref() == Some(fingerprint);
        self.current.borrow_mut().insert(fingerprint.to_owned(), is_current);
        is_current
    }
}
