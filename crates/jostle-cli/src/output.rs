//! The files that a command writes: none is also read by it, and none is written twice.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use jostle::formats::shown_path;
use jostle_lab::sweep::is_sweep_file;
use jostle_lab::{FileIdentity, OutputFile, STANDARD_OUTPUT, expect_regular, plain, shown_output};

use crate::failure::Failure;
use crate::table::counted;

/// The files of one command.
#[derive(Debug, Default)]
pub struct Outputs {
    inputs: Vec<FileIdentity>,
    /// The files that were opened so far.
    opened: RefCell<Vec<FileIdentity>>,
}

impl Outputs {
    /// Nothing is written yet, and these files are read. Names that are not files (built-in maps) do no harm.
    pub fn reading<'a>(inputs: impl IntoIterator<Item = &'a Path>) -> Self {
        let files = inputs.into_iter().filter(|path| !is_stream(path));
        let inputs = files.map(FileIdentity::of).collect();
        Self { inputs, opened: RefCell::default() }
    }

    /// The same for folders of results, and files of them: what sweeps keep in such a folder is read.
    pub fn reading_results<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Self {
        let paths: Vec<&Path> = paths.into_iter().filter(|path| !is_stream(path)).collect();
        let entries = paths.iter().filter_map(|path| fs::read_dir(path).ok()).flatten().flatten();
        let inside = entries.map(|entry| entry.path()).filter(|path| is_sweep_file(path));
        let inside: Vec<PathBuf> = inside.collect();
        Self::reading(paths.into_iter().chain(inside.iter().map(PathBuf::as_path)))
    }

    /// Makes sure that a file is not one that the command reads or has written already, nor one of a sweep.
    pub fn check(&self, path: &Path) -> Result<(), Failure> {
        if is_stream(path) {
            return Ok(());
        }
        let wrong = |reason: &str| Err(Failure::input(format!("{}: {reason}", shown_path(path))));
        let identity = FileIdentity::of(path);
        if self.inputs.contains(&identity) {
            return wrong("this command reads that file: choose another name to write to");
        }
        if self.opened.borrow().contains(&identity) {
            return wrong("two outputs of this command have that name: choose another one");
        }
        if is_sweep_file(path) {
            return wrong("sweeps keep their files under such names: choose another one");
        }
        Ok(())
    }

    /// Opens a file for writing.
    pub fn open(&self, path: &Path) -> Result<OutputFile, Failure> {
        let file = OutputFile::open(path)?;
        // What is not a regular file can take any number of outputs.
        if let Some(identity) = file.identity() {
            self.check(path)?;
            self.opened.borrow_mut().push(identity);
        }
        Ok(file)
    }

    /// Writes a file whole or not at all.
    pub fn save(&self, path: &Path, contents: impl AsRef<[u8]>) -> Result<(), Failure> {
        write_whole(self.open(path)?, |out| out.write_all(contents.as_ref()))
    }
}

/// Writes a file whole or not at all.
pub fn write_whole(
    mut file: OutputFile,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let path = file.path().to_owned();
    write(&mut file).map_err(|error| cannot_be_written(&path, &error))?;
    Ok(file.commit()?)
}

/// A file that turned out to be unwritable, for example because the disk is full.
pub fn cannot_be_written(path: &Path, error: &io::Error) -> Failure {
    jostle_lab::cannot_be_written(path, error).into()
}

/// Says what was written to the path of --replay.
pub fn pages_written(path: &Path, runs: usize) -> String {
    let (shown, is_folder) = (shown_output(path), !is_stream(path) && path.is_dir());
    if is_folder {
        format!("{shown}: {}", counted(runs, "page"))
    } else {
        format!("{shown}: plays {}", counted(runs, "run"))
    }
}

/// Whether a name is `-`, which is standard input or output and no file.
fn is_stream(path: &Path) -> bool {
    path.as_os_str() == STANDARD_OUTPUT
}

/// Writes a new file. One that exists with the same contents is left alone; with others, it is an error.
pub fn save_new(path: &Path, contents: &str) -> Result<(), Failure> {
    expect_regular(path)?;
    match fs::read(path) {
        Ok(before) if before == contents.as_bytes() => Ok(()),
        Ok(_) => {
            let reason = "this file exists already and holds something else";
            Err(Failure::input(format!("{}: {reason}", shown_path(path))))
        }
        Err(_) => Ok(jostle_lab::save(path, contents)?),
    }
}

/// Where the files of one or more runs are written.
#[derive(Debug)]
pub struct Target<'a> {
    outputs: &'a Outputs,
    form: Form,
}

#[derive(Debug)]
enum Form {
    /// One run: this file, which is open until it is taken.
    File(RefCell<Option<OutputFile>>),
    /// Several runs: files in this folder, with the names given so far.
    Folder(PathBuf, RefCell<HashSet<String>>),
}

impl<'a> Target<'a> {
    /// The target that the user has asked for, if any.
    pub fn asked_for(
        outputs: &'a Outputs,
        path: Option<&Path>,
        runs: usize,
    ) -> Result<Option<Self>, Failure> {
        path.map(|path| Self::prepare(outputs, path, runs)).transpose()
    }

    /// Makes sure, before anything runs, that the files can be written. Several runs go to a folder, which is
    /// created if needed.
    pub fn prepare(outputs: &'a Outputs, path: &Path, runs: usize) -> Result<Self, Failure> {
        if runs != 1 {
            if is_stream(path) {
                let reason = "one file can be written to standard output";
                return Err(Failure::input(format!(
                    "{reason}, and {runs} runs are written to a folder"
                )));
            }
            prepare_folder(path, &format!("{runs} runs"))?;
            return Ok(Self { outputs, form: Form::Folder(path.to_owned(), RefCell::default()) });
        }
        if !is_stream(path) && path.is_dir() {
            let reason = "this is a folder, but one run is written to a file";
            return Err(Failure::input(format!("{}: {reason}", shown_path(path))));
        }
        let file = outputs.open(path)?;
        Ok(Self { outputs, form: Form::File(RefCell::new(Some(file))) })
    }

    /// Opens the file of a run. In a folder, a name that was given to an earlier run gets a number.
    pub fn open(&self, stem: &str, extension: &str) -> Result<OutputFile, Failure> {
        match &self.form {
            Form::File(file) => {
                let file = file.borrow_mut().take();
                file.ok_or_else(|| Failure::input("one file was prepared, for one run"))
            }
            Form::Folder(folder, names) => {
                let stem = plain(stem);
                let mut names = names.borrow_mut();
                let numbers = (2..).map(|number| format!("{stem}-{number}"));
                let mut candidates = std::iter::once(stem.clone()).chain(numbers);
                // Some systems do not tell upper from lower case.
                let name = candidates.find(|name| names.insert(name.to_lowercase()));
                let name = name.unwrap_or_default();
                self.outputs.open(&folder.join(format!("{name}.{extension}")))
            }
        }
    }
}

/// Makes sure that files can be written to a folder, which is created if needed.
pub fn prepare_folder(path: &Path, what: &str) -> Result<(), Failure> {
    let wrong = |reason: String| Failure::input(format!("{}: {reason}", shown_path(path)));
    if path.exists() && !path.is_dir() {
        return Err(wrong(format!("this is a file, but {what} are written to a folder")));
    }
    fs::create_dir_all(path).map_err(|error| wrong(format!("cannot be created: {error}")))?;
    // The file is given up at once: it only shows whether files can be made here.
    OutputFile::open(&path.join("probe"))
        .map_err(|_| wrong("writing to this folder is not permitted".to_owned()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path_of(target: &Target<'_>, stem: &str) -> PathBuf {
        target.open(stem, "txt").unwrap().path().to_owned()
    }

    #[test]
    fn one_run_goes_to_a_file_and_several_to_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let outputs = Outputs::default();
        let prepare = |name: &str, runs| Target::prepare(&outputs, &folder.path().join(name), runs);
        assert!(prepare("", 1).is_err());
        assert!(prepare("no/such/place.txt", 1).is_err());
        let several = prepare("runs", 4).unwrap();
        assert!(folder.path().join("runs").is_dir());
        let file = path_of(&several, "bmaa:expansions=64");
        assert_eq!(file.file_name().unwrap(), "bmaa_expansions=64.txt");
        fs::write(folder.path().join("taken"), "").unwrap();
        assert!(prepare("taken", 2).is_err());
    }

    #[test]
    fn names_that_clash_get_a_number() {
        let folder = tempfile::tempdir().unwrap();
        let outputs = Outputs::default();
        let target = Target::prepare(&outputs, folder.path(), 5).unwrap();
        let names = ["a-1", "a-1", "A-1", "a-1-2", "a_1"].map(|stem| path_of(&target, stem));
        let names = names.map(|path| path.file_name().unwrap().to_string_lossy().into_owned());
        assert_eq!(names, ["a-1.txt", "a-1-2.txt", "A-1-3.txt", "a-1-2-2.txt", "a_1.txt"]);
    }

    #[test]
    fn an_input_is_never_an_output_and_two_outputs_are_two_files() {
        let folder = tempfile::tempdir().unwrap();
        let [map, page] = ["in.map", "page.html"].map(|name| folder.path().join(name));
        fs::write(&map, "precious").unwrap();
        let outputs = Outputs::reading([map.as_path(), Path::new("cave")]);
        assert!(outputs.save(&map, "new").is_err());
        assert_eq!(fs::read_to_string(&map).unwrap(), "precious");
        outputs.save(&page, "one").unwrap();
        assert!(outputs.save(&folder.path().join("./page.html"), "two").is_err());
        assert_eq!(fs::read_to_string(&page).unwrap(), "one");
        let records = folder.path().join("records.jsonl");
        assert!(outputs.save(&records, "those of a sweep are never replaced").is_err());
        for _ in 0..2 {
            outputs.save(Path::new("/dev/null"), "nobody reads it").unwrap();
        }
    }
}
