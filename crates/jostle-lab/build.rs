//! Finds the commit that is being built, for the records. Without git or a repository the commit is
//! unknown, which is no error.

use std::path::Path;
use std::process::Command;

/// The sources that records depend on. Cargo rebuilds this crate when any of them changes, so that asking
/// git again at the same time costs nothing.
const SOURCES: [&str; 6] =
    ["build.rs", "Cargo.toml", "src", "../jostle/Cargo.toml", "../jostle/src", "../../Cargo.lock"];

fn main() {
    for path in SOURCES {
        watch(path);
    }
    let Some(commit) = commit() else { return };
    println!("cargo::rustc-env=JOSTLE_COMMIT={commit}");
}

/// The commit's short name, with `-dirty` if a source is not as it was committed.
fn commit() -> Option<String> {
    // A copy inside an unrelated repository has no commit.
    git(&["ls-files", "--error-unmatch", "Cargo.toml"])?;
    // Commits, checkouts and resets change one of these, and hardly anything else does.
    let branch = git(&["rev-parse", "--symbolic-full-name", "HEAD"])?;
    for name in ["HEAD", "logs/HEAD", branch.trim()] {
        watch(git(&["rev-parse", "--git-path", name])?.trim());
    }
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    let changes = git(&[&["status", "--porcelain", "--"][..], &SOURCES].concat())?;
    let mark = if changes.trim().is_empty() { "" } else { "-dirty" };
    Some(format!("{}{mark}", commit.trim()))
}

/// Asks again when this changes. Cargo takes a path that does not exist for one that changes all the time.
fn watch(path: &str) {
    if Path::new(path).exists() {
        println!("cargo::rerun-if-changed={path}");
    }
}

/// The output of git, if there is git and any output.
fn git(words: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("--no-optional-locks").args(words).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
