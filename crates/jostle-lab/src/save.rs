//! Files that are written whole or not at all.

use std::fs;
use std::io::Write;
use std::path::Path;

use crate::LabError;

/// Writes a file under a temporary name and renames it, so that an earlier file is replaced whole or not
/// at all.
///
/// # Errors
/// When it cannot be written. An earlier file is then unchanged.
pub fn save(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), LabError> {
    let wrong = |error: &dyn std::fmt::Display| {
        LabError::input(format!("{}: cannot be written: {error}", path.display()))
    };
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".jostle-");
    set_usual_permissions(&mut builder);
    let mut file = builder.tempfile_in(folder).map_err(|error| wrong(&error))?;
    file.write_all(contents.as_ref()).map_err(|error| wrong(&error))?;
    file.persist(path).map_err(|error| wrong(&error.error))?;
    Ok(())
}

/// Gives the file the permissions that the user's mask allows; temporary files are private by default.
#[cfg(unix)]
fn set_usual_permissions(builder: &mut tempfile::Builder<'_, '_>) {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(fs::Permissions::from_mode(0o666));
}

#[cfg(not(unix))]
fn set_usual_permissions(_builder: &mut tempfile::Builder<'_, '_>) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.txt");
        save(&path, "first").unwrap();
        save(&path, "second").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "second");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");
    }
}
