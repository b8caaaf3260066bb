//! Files of a results folder, which a program finds by their names and opens without being told to.
//!
//! A user may name a pipe or a device, and means it. But a pipe under the name of a record file or
//! of a lock would be waited for without end.

use std::fs::{self, FileType};
use std::path::Path;

use jostle::formats::shown_path;

use crate::LabError;

/// Makes sure that there is a regular file under a name, or nothing. Links are followed.
///
/// # Errors
/// When it is a folder, a pipe, a socket or a device.
pub fn expect_regular(path: &Path) -> Result<(), LabError> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => {
            let (file, what) = (shown_path(path), name_of(found.file_type()));
            Err(LabError::input(format!("{file}: this is {what}, and a file is expected")))
        }
        // What opens it finds out the reason if there is nothing.
        _ => Ok(()),
    }
}

/// What this is, if it is no regular file.
fn name_of(file: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if file.is_fifo() {
            return "a pipe";
        }
        if file.is_socket() {
            return "a socket";
        }
    }
    if file.is_dir() { "a folder" } else { "a device" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_regular_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "text").unwrap();
        assert_eq!(expect_regular(&at("file")), Ok(()));
        assert_eq!(expect_regular(&at("none")), Ok(()));
        let said = |path: &Path| expect_regular(path).unwrap_err().to_string();
        assert!(said(folder.path()).ends_with(": this is a folder, and a file is expected"));
        #[cfg(unix)]
        {
            let _socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
            assert!(said(&at("socket")).ends_with(": this is a socket, and a file is expected"));
            std::os::unix::fs::symlink("/dev/null", at("link")).unwrap();
            assert!(said(&at("link")).ends_with(": this is a device, and a file is expected"));
        }
    }
}
