//! `--open`: shows a page or a picture in the program that the system has for it.

use std::path::Path;

use jostle::formats::shown_path;

use crate::say::warn;

/// Opens a file or a folder. If that is impossible, a warning says so: the file is written all the same.
pub fn open(path: &Path) {
    if let Err(error) = open::that_detached(path) {
        // If standard error is closed, nobody reads the warning.
        let _ = warn(format_args!("{}: cannot be opened: {error}", shown_path(path)));
    }
}
