//! Lines that leave a record file: what a crash tore, what was damaged, and what was made on other maps.
//!
//! They are moved into files of their own beside it, and never count again. A crash at any moment loses nothing: lines
//! are safe in their new file before the old one is replaced, in one piece, by one without them. After a crash in
//! between they are moved again, and stand there twice.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use jostle::formats::shown_path;

use crate::LabError;
use crate::record::Line;
use crate::regular::expect_regular;

/// Why a line leaves its file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// A crash cut it off.
    Torn,
    /// It is not a record.
    Damaged,
    /// Its run was made on another version of its map.
    Stale,
}

impl Reason {
    const ALL: [Self; 3] = [Self::Torn, Self::Damaged, Self::Stale];

    /// The reasons that lines have, each once.
    fn of(lines: &[(Line, Self)]) -> impl Iterator<Item = Self> {
        let has = |reason: &Self| lines.iter().any(|(_, why)| why == reason);
        Self::ALL.into_iter().filter(has)
    }

    /// The file for such lines of a record file.
    pub fn file(self, records: &Path) -> PathBuf {
        records.with_extension(match self {
            Self::Torn => "jsonl.torn",
            Self::Damaged => "jsonl.damaged",
            Self::Stale => "jsonl.stale",
        })
    }

    /// The name of that file.
    pub fn file_name(self, records: &Path) -> String {
        self.file(records).file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// Moves lines aside, given in their order, and ends the last of the others if it lacks its line break.
///
/// # Errors
/// When that is impossible.
pub fn move_aside(
    path: &Path,
    lines: &[(Line, Reason)],
    last_is_open: bool,
) -> Result<(), LabError> {
    if !lines.is_empty() {
        // The same place as below, where links are followed.
        let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        expect_regular(&draft_of(&place))?;
        for reason in Reason::of(lines) {
            expect_regular(&reason.file(&place))?;
        }
    }
    let moved = || -> io::Result<()> {
        if !lines.is_empty() {
            // The file itself is replaced, and not a link to it.
            let path = fs::canonicalize(path)?;
            copy_aside(&path, lines)?;
            cut_out(&path, lines)?;
        }
        if last_is_open {
            File::options().append(true).open(path)?.write_all(b"\n")?;
        }
        Ok(())
    };
    moved().map_err(|error| {
        LabError::input(format!("{}: its lines cannot be moved aside: {error}", shown_path(path)))
    })
}

/// Copies lines to the files for them.
fn copy_aside(path: &Path, lines: &[(Line, Reason)]) -> io::Result<()> {
    let mut source = BufReader::new(File::open(path)?);
    for reason in Reason::of(lines) {
        let lines = lines.iter().filter(|(_, why)| *why == reason);
        let file = File::options().create(true).read(true).append(true).open(reason.file(path))?;
        // A crash may have cut off the last line here too.
        let is_open = !ends_with_line_break(&file)?;
        let mut aside = BufWriter::new(file);
        if is_open {
            aside.write_all(b"\n")?;
        }
        for (line, _) in lines {
            copy(&mut source, line.start, line.length, &mut aside)?;
        }
        aside.flush()?;
        if !ends_with_line_break(aside.get_ref())? {
            aside.write_all(b"\n")?;
            aside.flush()?;
        }
        aside.get_ref().sync_all()?;
    }
    sync_folder(path)
}

/// The file that takes the place of a record file when it is whole.
fn draft_of(records: &Path) -> PathBuf {
    records.with_extension("jsonl.new")
}

/// Takes lines out of their file, at once.
fn cut_out(path: &Path, lines: &[(Line, Reason)]) -> io::Result<()> {
    let length = fs::metadata(path)?.len();
    let mut source = BufReader::new(File::open(path)?);
    // The sweep has locked the records, so nobody else writes this file.
    let draft = draft_of(path);
    let mut kept = BufWriter::new(File::create(&draft)?);
    let mut start = 0;
    for (line, _) in lines {
        copy(&mut source, start, line.start - start, &mut kept)?;
        start = line.end();
    }
    copy(&mut source, start, length.saturating_sub(start), &mut kept)?;
    kept.flush()?;
    let file = kept.into_inner()?;
    file.set_permissions(fs::metadata(path)?.permissions())?;
    file.sync_all()?;
    fs::rename(draft, path)?;
    sync_folder(path)
}

fn copy(
    source: &mut BufReader<File>,
    start: u64,
    length: u64,
    target: &mut impl Write,
) -> io::Result<()> {
    source.seek(SeekFrom::Start(start))?;
    io::copy(&mut source.take(length), target)?;
    Ok(())
}

/// Whether the last line of a file is complete; so it is if there is none.
fn ends_with_line_break(mut file: &File) -> io::Result<bool> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(true);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

/// Makes the names in the folder of a file safe from a power failure.
fn sync_folder(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    if let Some(folder) = path.parent() {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of a text, of which these are moved aside.
    fn lines(text: &str, reasons: &[(usize, Reason)]) -> Vec<(Line, Reason)> {
        let mut start = 0;
        let mut all = Vec::new();
        for (index, line) in text.split_inclusive('\n').enumerate() {
            let length = line.len() as u64;
            all.push(Line { number: index + 1, start, length });
            start += length;
        }
        reasons.iter().map(|&(number, reason)| (all[number - 1], reason)).collect()
    }

    const TEXT: &str = "one\ntwo\nthree\nfour\nfi";

    #[test]
    fn lines_are_moved_to_the_file_of_their_reason_and_the_others_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records.jsonl");
        let read = |ending: &str| fs::read_to_string(path.with_extension(ending)).unwrap();
        fs::write(&path, TEXT).unwrap();
        let aside = lines(TEXT, &[(1, Reason::Stale), (3, Reason::Damaged), (5, Reason::Torn)]);
        move_aside(&path, &aside, false).unwrap();
        assert_eq!(read("jsonl"), "two\nfour\n");
        assert_eq!(read("jsonl.stale"), "one\n");
        assert_eq!(read("jsonl.damaged"), "three\n");
        assert_eq!(read("jsonl.torn"), "fi\n");
        assert!(!path.with_extension("jsonl.new").exists());
        fs::write(&path, "six\nseven").unwrap();
        move_aside(&path, &lines("six\nseven", &[(1, Reason::Stale)]), true).unwrap();
        assert_eq!(
            (read("jsonl.stale").as_str(), read("jsonl").as_str()),
            ("one\nsix\n", "seven\n")
        );
    }

    #[test]
    fn a_crash_at_any_moment_of_moving_lines_aside_loses_none() {
        let aside = lines(TEXT, &[(2, Reason::Stale), (4, Reason::Stale)]);
        let moved = "two\nfour\n";
        // What a crash can leave: part of the lines aside, all of them, and a part of the new file.
        for (stale, draft) in [("tw", ""), ("two\nfo", ""), (moved, ""), (moved, "one\nth")] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("records.jsonl");
            fs::write(&path, TEXT).unwrap();
            fs::write(path.with_extension("jsonl.stale"), stale).unwrap();
            fs::write(path.with_extension("jsonl.new"), draft).unwrap();
            move_aside(&path, &aside, false).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), "one\nthree\nfi");
            let stale = fs::read_to_string(path.with_extension("jsonl.stale")).unwrap();
            assert!(stale.ends_with(&format!("\n{moved}")), "{stale}");
            assert!(!path.with_extension("jsonl.new").exists());
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_file_keeps_its_mode_and_a_link_to_it_stays_a_link() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("elsewhere.jsonl");
        let link = folder.path().join("records.jsonl");
        fs::write(&path, TEXT).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        move_aside(&link, &lines(TEXT, &[(1, Reason::Stale)]), true).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), "two\nthree\nfour\nfi\n");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
