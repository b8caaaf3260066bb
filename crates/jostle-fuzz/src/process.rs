//! Runs the command as a process, with limits on its time and memory.

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::fault::{Fault, ensure};

/// What a process may use: more than any small case needs, less than would disturb the machine.
const KIBIBYTES: u32 = 2_000_000;
/// When it is killed.
const SECONDS: u32 = 20;

/// The exit codes that the command documents.
const EXIT_CODES: [i32; 4] = [0, 1, 2, 130];

/// The `jostle` command beside this program, as cargo builds them.
pub fn beside_this_program() -> PathBuf {
    let this = std::env::current_exe().unwrap_or_default();
    // A test is one folder further down.
    let folders = this.ancestors().skip(1).take(2);
    let found = folders.map(|folder| folder.join("jostle")).find(|path| path.is_file());
    found.unwrap_or_else(|| PathBuf::from("jostle"))
}

/// The command with these words in a folder, with its limits, but not started.
pub fn command(jostle: &Path, folder: &Path, words: &[impl AsRef<std::ffi::OsStr>]) -> Command {
    let mut command = Command::new("sh");
    let script = r#"ulimit -v "$1" && shift && exec timeout -s KILL "$@""#;
    command
        .args(["-c", script, "sh", &KIBIBYTES.to_string(), &SECONDS.to_string()])
        .arg(jostle)
        .args(words)
        .current_dir(folder)
        .env("TMPDIR", folder)
        .env("RUST_BACKTRACE", "1")
        .env_remove("JOSTLE_MAPS")
        .stdin(Stdio::null());
    command
}

/// Runs the command to its end.
///
/// # Errors
/// When it panics, is killed by a signal or by its limits, or ends with an exit code that it does not document.
pub fn run(
    jostle: &Path,
    folder: &Path,
    words: &[impl AsRef<std::ffi::OsStr>],
) -> Result<Output, Fault> {
    let output = command(jostle, folder, words)
        .output()
        .map_err(|error| Fault::new("the command cannot be started", error.to_string()))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let code = output.status.code();
    let shown = || format!("exit code {code:?}: {:.400}", said.trim());
    // The timer dies of the signal that it sends.
    ensure(output.status.signal() != Some(9), "a command is killed after its time", shown)?;
    ensure(!said.contains("panicked at"), "a command panics", shown)?;
    ensure(!said.contains("memory allocation of"), "a command runs out of memory", shown)?;
    let is_known = code.is_some_and(|code| EXIT_CODES.contains(&code));
    ensure(is_known, "a command ends with a strange exit code", shown)?;
    Ok(output)
}
