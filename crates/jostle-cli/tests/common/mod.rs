//! What tests of the command share: running it, and folders for its files.
// Each test uses a part.
#![allow(dead_code)]

pub mod sweeps;

use std::path::PathBuf;
use std::process::{Command, Output};

use tempfile::TempDir;

pub fn jostle(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_jostle")).args(words).output().unwrap()
}

/// Runs the command with so much address space.
pub fn jostle_within(kilobytes: u32, words: &[&str]) -> Output {
    let script = format!("ulimit -v {kilobytes} && exec \"$@\"");
    let shell = ["-c", &script, "sh", env!("CARGO_BIN_EXE_jostle")];
    Command::new("sh").args(shell).args(words).output().unwrap()
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

pub fn succeeds(words: &[&str]) -> String {
    let output = jostle(words);
    assert_eq!(output.status.code(), Some(0), "{words:?}: {}", stderr(&output));
    stdout(&output)
}

/// One sentence on standard error, exit code 2, nothing on standard output, no panic.
pub fn is_refused(words: &[&str], expected: &str) {
    let output = jostle(words);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
    assert!(said.contains(expected), "{words:?}: {said}");
    assert!(!said.contains("panicked"), "{words:?}: {said}");
}

pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_string_lossy().into_owned()
    }

    pub fn write(&self, name: &str, text: &str) -> String {
        std::fs::write(self.0.path().join(name), text).unwrap();
        self.path(name)
    }

    pub fn files(&self, name: &str) -> Vec<PathBuf> {
        let mut files: Vec<_> = std::fs::read_dir(self.0.path().join(name))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        files.sort();
        files
    }
}

pub const MAP: &str = "type octile\nheight 3\nwidth 4\nmap\n....\n.@..\n...@\n";
