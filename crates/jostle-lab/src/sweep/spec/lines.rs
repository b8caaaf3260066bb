//! The lines of a spec, for errors.

use std::fmt::Display;
use std::ops::Range;
use std::path::Path;

use jostle::formats::shown_path;
use serde::de::DeserializeOwned;
use toml::Spanned;

use crate::LabError;
use crate::error::{reason_of_library, unknown_key};

/// The text of a spec, and the name of its file as errors show it.
pub(crate) struct Lines<'a> {
    file: String,
    text: &'a str,
}

impl<'a> Lines<'a> {
    /// The text of this file.
    pub(crate) fn new(path: &Path, text: &'a str) -> Self {
        Self { file: shown_path(path), text }
    }

    /// Reads the text.
    ///
    /// # Errors
    /// When it is not TOML, or not of this form.
    pub(crate) fn parse<T: DeserializeOwned>(&self) -> Result<T, LabError> {
        toml::from_str(self.text).map_err(|error| {
            let span = error.span().unwrap_or_default();
            let reason = self
                .single_brackets(&span)
                .or_else(|| unknown_key(error.message()))
                .unwrap_or_else(|| reason_of_library(error.message()));
            self.wrong(&span, reason)
        })
    }

    /// What is said about `[sweep]` in the place of `[[sweep]]`.
    fn single_brackets(&self, span: &Range<usize>) -> Option<String> {
        let line = self.text.get(span.start..)?.lines().next()?.trim();
        let is_header = ["[sweep]", "[walks]"].contains(&line);
        is_header.then(|| format!("write [{line}] with two brackets: a spec may have several"))
    }

    /// File and line of an entry.
    pub(crate) fn place(&self, span: &Range<usize>) -> String {
        let line = self.text[..span.start.min(self.text.len())].matches('\n').count() + 1;
        format!("{}: line {line}", self.file)
    }

    /// What is wrong with an entry.
    pub(crate) fn wrong(&self, span: &Range<usize>, reason: impl Display) -> LabError {
        LabError::input(format!("{}: {reason}", self.place(span)))
    }

    /// The values of a list, which must not be empty, with their places.
    pub(crate) fn list<T, U>(
        &self,
        key: &str,
        list: &Spanned<Vec<Spanned<T>>>,
        meaning: impl Fn(&T) -> Result<U, String>,
    ) -> Result<Vec<(U, String)>, LabError> {
        if list.get_ref().is_empty() {
            return Err(
                self.wrong(&list.span(), format!("{key} is empty, so there is nothing to run"))
            );
        }
        let entry = |entry: &Spanned<T>| {
            let value = meaning(entry.get_ref()).map_err(|why| self.wrong(&entry.span(), why))?;
            Ok((value, self.place(&entry.span())))
        };
        list.get_ref().iter().map(entry).collect()
    }
}
