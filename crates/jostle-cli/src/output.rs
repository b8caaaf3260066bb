//! Files that the command writes: whole or not at all.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Writes a file under a temporary name and renames it, so that what was there before is replaced whole
/// or not at all.
pub fn save(path: &Path, contents: &str) -> Result<(), Failure> {
    let wrong = |error: &dyn std::fmt::Display| {
        Failure::input(format!("{}: cannot be written: {error}", path.display()))
    };
    let folder = folder_of(path);
    let mut builder = tempfile::Builder::new();
    builder.prefix(".jostle-");
    set_usual_permissions(&mut builder);
    let mut file = builder.tempfile_in(folder).map_err(|error| wrong(&error))?;
    file.write_all(contents.as_bytes()).map_err(|error| wrong(&error))?;
    file.persist(path).map_err(|error| wrong(&error.error))?;
    Ok(())
}

/// Lets others read the file as far as the user's mask allows; temporary files are private otherwise.
#[cfg(unix)]
fn set_usual_permissions(builder: &mut tempfile::Builder<'_, '_>) {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(fs::Permissions::from_mode(0o666));
}

#[cfg(not(unix))]
fn set_usual_permissions(_builder: &mut tempfile::Builder<'_, '_>) {}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Where the files of one or several runs go.
#[derive(Debug)]
pub enum Target {
    /// One run: this file.
    File(PathBuf),
    /// Several runs: files in this folder.
    Folder(PathBuf),
}

impl Target {
    /// Makes sure before anything runs that the files can be written.
    pub fn prepare(path: &Path, runs: usize) -> Result<Self, Failure> {
        let wrong = |reason: String| Failure::input(format!("{}: {reason}", path.display()));
        if runs == 1 {
            if path.is_dir() {
                return Err(wrong("this is a folder, and one run is written to a file".to_owned()));
            }
            if !folder_of(path).is_dir() {
                return Err(wrong("the folder for this file does not exist".to_owned()));
            }
            return Ok(Self::File(path.to_owned()));
        }
        if path.exists() && !path.is_dir() {
            let reason = format!("this is a file, and {runs} runs are written to a folder");
            return Err(wrong(reason));
        }
        fs::create_dir_all(path).map_err(|error| wrong(format!("cannot be made: {error}")))?;
        Ok(Self::Folder(path.to_owned()))
    }

    /// The file of a run.
    pub fn file(&self, stem: &str, extension: &str) -> PathBuf {
        match self {
            Self::File(path) => path.clone(),
            Self::Folder(folder) => {
                let keep = |letter: char| letter.is_ascii_alphanumeric() || ".-_=".contains(letter);
                let stem: String =
                    stem.chars().map(|letter| if keep(letter) { letter } else { '_' }).collect();
                folder.join(format!("{stem}.{extension}"))
            }
        }
    }
}

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

    #[test]
    fn one_run_goes_to_a_file_and_several_to_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Target::prepare(folder.path(), 1).is_err());
        assert!(Target::prepare(&folder.path().join("no/such/place.txt"), 1).is_err());
        let several = Target::prepare(&folder.path().join("runs"), 4).unwrap();
        assert!(folder.path().join("runs").is_dir());
        let file = several.file("bmaa:expansions=64", "txt");
        assert_eq!(file.file_name().unwrap(), "bmaa_expansions=64.txt");
        fs::write(folder.path().join("taken"), "").unwrap();
        assert!(Target::prepare(&folder.path().join("taken"), 2).is_err());
    }
}
