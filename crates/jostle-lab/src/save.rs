//! Files that are written whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use jostle::formats::shown_path;
use tempfile::TempPath;

use crate::LabError;

/// The most symbolic links that are followed from one name, as in Linux.
const MOST_LINKS: usize = 40;

/// Writes a file whole or not at all, as [`OutputFile`] does.
///
/// # Errors
/// When it cannot be written. An earlier file is then unchanged.
pub fn save(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), LabError> {
    let mut file = OutputFile::open(path)?;
    let written = file.write_all(contents.as_ref());
    written.map_err(|error| cannot_be_written(path, &error))?;
    file.commit()
}

/// A name that is a valid file name on every system.
pub fn plain(name: &str) -> String {
    let keep = |letter: char| letter.is_ascii_alphanumeric() || ".-_=".contains(letter);
    name.chars().map(|letter| if keep(letter) { letter } else { '_' }).collect()
}

/// A file that is being written.
///
/// It is written under a temporary name and renamed at the end, so that an earlier file is replaced whole or not at
/// all, and keeps its permissions and its owner. Symbolic links are followed. What is not a regular file (a device, a
/// pipe, a terminal) is never replaced: it is written to directly.
#[derive(Debug)]
pub struct OutputFile {
    path: PathBuf,
    form: Form,
}

#[derive(Debug)]
enum Form {
    /// `name` is the temporary name of the draft, which is removed unless it gets another one.
    Replace {
        draft: BufWriter<File>,
        name: TempPath,
        target: PathBuf,
    },
    Direct(BufWriter<File>),
}

impl OutputFile {
    /// Opens a file, so that everything that forbids writing it is known before there is anything to write.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn open(path: &Path) -> Result<Self, LabError> {
        let wrong = |error: io::Error| cannot_be_written(path, &error);
        if path.as_os_str() == STANDARD_OUTPUT {
            let stream = standard_output().map_err(wrong)?;
            return Ok(Self { path: path.to_owned(), form: Form::Direct(BufWriter::new(stream)) });
        }
        let form = match standard_stream(path)? {
            Some(stream) => Form::Direct(BufWriter::new(stream)),
            None => match fs::metadata(path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    Form::replace(follow_links(path).map_err(wrong)?, None).map_err(wrong)?
                }
                Err(error) => return Err(wrong(error)),
                Ok(found) if found.is_dir() => {
                    let reason = "this is a folder, and a file is expected";
                    return Err(LabError::input(format!("{}: {reason}", shown_path(path))));
                }
                Ok(found) if found.is_file() => {
                    // A file that may not be written must not be replaced either.
                    File::options().append(true).open(path).map_err(wrong)?;
                    let target = fs::canonicalize(path).map_err(wrong)?;
                    Form::replace(target, Some(&found)).map_err(wrong)?
                }
                Ok(_) => {
                    let file = File::options().write(true).open(path).map_err(wrong)?;
                    Form::Direct(BufWriter::new(file))
                }
            },
        };
        Ok(Self { path: path.to_owned(), form })
    }

    /// The name that the user gave it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Which file it is; none if it is not a regular file.
    pub fn identity(&self) -> Option<FileIdentity> {
        match &self.form {
            Form::Replace { target, .. } => Some(FileIdentity::of(target)),
            Form::Direct(_) => None,
        }
    }

    /// Ends the file: from now on it is there, under its own name.
    ///
    /// # Errors
    /// When it cannot be written. An earlier file is then unchanged.
    pub fn commit(self) -> Result<(), LabError> {
        let Self { path, form } = self;
        let wrong = |error: io::Error| cannot_be_written(&path, &error);
        match form {
            Form::Direct(mut file) => file.flush().map_err(wrong),
            Form::Replace { mut draft, name, target } => {
                draft.flush().map_err(wrong)?;
                let before = name.to_path_buf();
                let renamed = name.persist(target).map_err(|error| wrong(error.error));
                unfinished(|drafts| drafts.retain(|draft| *draft != before));
                renamed
            }
        }
    }
}

impl Form {
    fn replace(target: PathBuf, earlier: Option<&fs::Metadata>) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".jostle-");
        set_usual_permissions(&mut builder);
        let (draft, name) = builder.tempfile_in(folder_of(&target))?.into_parts();
        unfinished(|drafts| drafts.push(name.to_path_buf()));
        if let Some(earlier) = earlier {
            keep_owner(&draft, earlier);
            draft.set_permissions(earlier.permissions())?;
        }
        Ok(Self::Replace { draft: BufWriter::new(draft), name, target })
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.form {
            Form::Replace { draft, .. } => draft.write(bytes),
            Form::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.form {
            Form::Replace { draft, .. } => draft.flush(),
            Form::Direct(file) => file.flush(),
        }
    }
}

/// The temporary names of the files that are being written.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished<T>(change: impl FnOnce(&mut Vec<PathBuf>) -> T) -> T {
    change(&mut UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Removes all files that are being written. A program that exits at once calls this, because nothing else removes
/// them then.
pub fn discard_unfinished_files() {
    // A thread that holds the lock may be the one that exits.
    let Ok(drafts) = UNFINISHED.try_lock() else { return };
    for draft in &*drafts {
        // Those that were given up are gone already.
        let _ = fs::remove_file(draft);
    }
}

/// Which file a name means, whatever the name: two names of one file have equal identities.
#[derive(Clone, Debug)]
pub struct FileIdentity {
    path: PathBuf,
    /// The number of the device and of the file on it.
    #[cfg(unix)]
    number: Option<(u64, u64)>,
}

impl FileIdentity {
    /// The file of this name, which need not exist.
    pub fn of(path: &Path) -> Self {
        let target = follow_links(path).unwrap_or_else(|_| path.to_owned());
        let folder = fs::canonicalize(folder_of(&target));
        let name = target.file_name().unwrap_or_default();
        Self {
            path: folder.map_or_else(|_| target.clone(), |folder| folder.join(name)),
            #[cfg(unix)]
            number: fs::metadata(&target).ok().map(|found| number_of(&found)),
        }
    }
}

impl PartialEq for FileIdentity {
    #[cfg(unix)]
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path || (self.number.is_some() && self.number == other.number)
    }

    #[cfg(not(unix))]
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path
    }
}

/// The file that a name leads to; it need not exist.
fn follow_links(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::symlink_metadata(&target) {
            Ok(found) if found.is_symlink() => {
                target = folder_of(&target).join(fs::read_link(&target)?);
            }
            _ => return Ok(target),
        }
    }
    Err(io::Error::other("this symbolic link leads back to itself"))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Why a file cannot be written.
pub fn cannot_be_written(path: &Path, error: &io::Error) -> LabError {
    let reason = match error.kind() {
        io::ErrorKind::BrokenPipe => return LabError::OutputClosed,
        io::ErrorKind::NotFound => "the folder for this file does not exist".to_owned(),
        io::ErrorKind::PermissionDenied => "writing it is not permitted".to_owned(),
        _ => format!("cannot be written: {error}"),
    };
    LabError::input(format!("{}: {reason}", shown_output(path)))
}

/// The name that means standard output wherever one file is written. A file of this name is `./-`.
pub const STANDARD_OUTPUT: &str = "-";

/// The name of a file that is written, in a message; `standard output` for [`-`](STANDARD_OUTPUT).
pub fn shown_output(path: &Path) -> String {
    if path.as_os_str() == STANDARD_OUTPUT {
        "standard output".to_owned()
    } else {
        shown_path(path)
    }
}

/// Standard output as a file. What a program has printed before comes before it if it was flushed.
#[cfg(unix)]
fn standard_output() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
}

#[cfg(windows)]
fn standard_output() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(File::from(io::stdout().as_handle().try_clone_to_owned()?))
}

#[cfg(not(any(unix, windows)))]
fn standard_output() -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Standard output or standard error, if that is what a name such as `/dev/stdout` leads to. They may lead to a
/// regular file, which must not be replaced while they write to it.
#[cfg(unix)]
fn standard_stream(path: &Path) -> Result<Option<File>, LabError> {
    use std::os::fd::AsFd;
    let Ok(found) = fs::metadata(path) else { return Ok(None) };
    let streams =
        [io::stdout().as_fd().try_clone_to_owned(), io::stderr().as_fd().try_clone_to_owned()];
    for stream in streams.into_iter().flatten().map(File::from) {
        let is_same = stream.metadata().is_ok_and(|stream| number_of(&stream) == number_of(&found));
        if is_same && found.is_file() && !path.starts_with("/dev") && !path.starts_with("/proc") {
            let reason = "the output of this command goes there already";
            return Err(LabError::input(format!("{}: {reason}", shown_path(path))));
        }
        if is_same {
            return Ok(Some(stream));
        }
    }
    Ok(None)
}

#[cfg(not(unix))]
fn standard_stream(_path: &Path) -> Result<Option<File>, LabError> {
    Ok(None)
}

#[cfg(unix)]
fn number_of(file: &fs::Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (file.dev(), file.ino())
}

/// Gives the file the permissions that the user's mask allows; temporary files are private by default.
#[cfg(unix)]
fn set_usual_permissions(builder: &mut tempfile::Builder<'_, '_>) {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(fs::Permissions::from_mode(0o666));
}

#[cfg(not(unix))]
fn set_usual_permissions(_builder: &mut tempfile::Builder<'_, '_>) {}

/// Gives the file the owner of an earlier one, where that is permitted.
#[cfg(unix)]
fn keep_owner(file: &File, earlier: &fs::Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let _ = fchown(file, Some(earlier.uid()), Some(earlier.gid()));
}

#[cfg(not(unix))]
fn keep_owner(_file: &File, _earlier: &fs::Metadata) {}

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
        let given_up = OutputFile::open(&path).unwrap();
        drop(given_up);
        assert_eq!(fs::read_to_string(&path).unwrap(), "second");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");
    }

    #[test]
    fn what_cannot_be_written_is_refused_before_anything_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let error =
            |name: &str| OutputFile::open(&folder.path().join(name)).unwrap_err().to_string();
        assert!(error("").ends_with("this is a folder, and a file is expected"));
        assert!(error("no/such/file").ends_with("the folder for this file does not exist"));
    }

    #[test]
    fn names_of_one_file_are_the_same_file() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b] = ["a", "b"].map(|name| folder.path().join(name));
        let inner = folder.path().join("inner");
        fs::create_dir(&inner).unwrap();
        assert_eq!(FileIdentity::of(&a), FileIdentity::of(&inner.join("../a")));
        assert_ne!(FileIdentity::of(&a), FileIdentity::of(&b));
        fs::write(&a, "").unwrap();
        fs::hard_link(&a, &b).unwrap();
        #[cfg(unix)]
        assert_eq!(FileIdentity::of(&a), FileIdentity::of(&b));
    }

    #[cfg(unix)]
    mod on_unix {
        use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
        use std::process::Command;

        use super::*;

        fn mode(path: &Path) -> u32 {
            fs::metadata(path).unwrap().permissions().mode() & 0o777
        }

        #[test]
        fn a_replaced_file_keeps_its_permissions() {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("private");
            fs::write(&path, "first").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
            save(&path, "second").unwrap();
            assert_eq!(
                (mode(&path), fs::read_to_string(&path).unwrap()),
                (0o600, "second".to_owned())
            );
        }

        #[test]
        fn symbolic_links_are_followed() {
            let folder = tempfile::tempdir().unwrap();
            let at = |name: &str| folder.path().join(name);
            fs::create_dir(at("far")).unwrap();
            symlink("far/file", at("one")).unwrap();
            symlink("one", at("two")).unwrap();
            // The first time there is no such file yet.
            for contents in ["first", "second"] {
                save(&at("two"), contents).unwrap();
                assert_eq!(fs::read_to_string(at("far/file")).unwrap(), contents);
                assert!(at("one").is_symlink() && at("two").is_symlink());
            }
            symlink("loop", at("loop")).unwrap();
            assert!(save(&at("loop"), "").is_err());
            assert_eq!(FileIdentity::of(&at("two")), FileIdentity::of(&at("far/file")));
        }

        #[test]
        fn devices_and_pipes_are_written_to_and_stay_what_they_are() {
            let folder = tempfile::tempdir().unwrap();
            let pipe = folder.path().join("pipe");
            assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
            let reader = {
                let pipe = pipe.clone();
                std::thread::spawn(move || fs::read_to_string(pipe).unwrap())
            };
            save(&pipe, "through").unwrap();
            assert_eq!(reader.join().unwrap(), "through");
            assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
            save(Path::new("/dev/null"), "nothing").unwrap();
            assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
            assert!(OutputFile::open(Path::new("/dev/null")).unwrap().identity().is_none());
        }
    }
}
