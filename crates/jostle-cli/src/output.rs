//! Writing files: whole or not at all.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Writes a file, whole or not at all.
pub fn save(path: &Path, contents: &str) -> Result<(), Failure> {
    Ok(jostle_lab::save(path, contents)?)
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A name that is a valid file name on every system.
pub fn plain(name: &str) -> String {
    let keep = |letter: char| letter.is_ascii_alphanumeric() || ".-_=".contains(letter);
    name.chars().map(|letter| if keep(letter) { letter } else { '_' }).collect()
}

/// Writes a new file. One that exists with the same contents is left alone; with others, it is an error.
pub fn save_new(path: &Path, contents: &str) -> Result<(), Failure> {
    match fs::read(path) {
        Ok(before) if before == contents.as_bytes() => Ok(()),
        Ok(_) => {
            let reason = "this file exists already and holds something else";
            Err(Failure::input(format!("{}: {reason}", path.display())))
        }
        Err(_) => save(path, contents),
    }
}

/// Where the files of one or more runs are written.
#[derive(Debug)]
pub enum Target {
    /// One run: this file.
    File(PathBuf),
    /// Several runs: files in this folder.
    Folder(PathBuf),
}

impl Target {
    /// Checks, before anything runs, that the files can be written.
    pub fn prepare(path: &Path, runs: usize) -> Result<Self, Failure> {
        let wrong = |reason: String| Failure::input(format!("{}: {reason}", path.display()));
        if runs == 1 {
            if path.is_dir() {
                return Err(wrong("this is a folder, but one run is written to a file".to_owned()));
            }
            if !folder_of(path).is_dir() {
                return Err(wrong("the folder for this file does not exist".to_owned()));
            }
            return Ok(Self::File(path.to_owned()));
        }
        Self::prepare_folder(path, &format!("{runs} runs"))
    }

    /// Checks that files can be written to a folder, which is created if needed.
    pub fn prepare_folder(path: &Path, what: &str) -> Result<Self, Failure> {
        let wrong = |reason: String| Failure::input(format!("{}: {reason}", path.display()));
        if path.exists() && !path.is_dir() {
            return Err(wrong(format!("this is a file, but {what} are written to a folder")));
        }
        fs::create_dir_all(path).map_err(|error| wrong(format!("cannot be created: {error}")))?;
        Ok(Self::Folder(path.to_owned()))
    }

    /// The file of a run.
    pub fn file(&self, stem: &str, extension: &str) -> PathBuf {
        match self {
            Self::File(path) => path.clone(),
            Self::Folder(folder) => folder.join(format!("{}.{extension}", plain(stem))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
