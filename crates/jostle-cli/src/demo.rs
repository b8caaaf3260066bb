//! `jostle` without a command: every planner on a built-in map, and a page that plays the best run.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Parser;
use jostle::formats::shown_path;
use jostle::planners::{Entry, Registry};
use jostle::{Trace, solvers};
use jostle_lab::{Record, Registries};
use jostle_replay::Page;

use crate::args::{Args, Command, RunArgs};
use crate::failure::Failure;
use crate::progress::is_interrupted;
use crate::run::{problem_title, problems, run, run_one, shown_run};
use crate::say::{out, say};
use crate::show;

/// Runs every planner, and writes a page that plays the run in which most agents arrived beside one of [`RIVAL`].
pub fn demo(registries: Registries<'_>, opens: bool) -> Result<(), Failure> {
    let Registries { planners, solvers } = registries;
    let args = demo_args(planners);
    let records = run(planners, &args)?;
    let solvers = solvers.entries().iter().map(solvers::Entry::name);
    let followed: Vec<&str> = solvers.filter(|name| planners.find(name).is_ok()).collect();
    if !followed.is_empty() {
        let names = followed.join(", ");
        say(format_args!("{names}: these follow the default planner until their plan is found"))?;
    }
    // `max_by_key` keeps the last of equals; reversed, that is the first planner.
    let best = records.iter().rev().max_by_key(|record| record.arrived());
    let Some(best) = best else { return Ok(()) };
    let name = |record: &Record| record.contestant().text().to_owned();
    let rival = records.iter().find(|record| name(record) == RIVAL && name(best) != RIVAL);
    let shown: Vec<&Record> = [best].into_iter().chain(rival).collect();
    let traces = traces(planners, &args, &shown)?;
    let title = problem_title(best);
    let path = save_page(&std::env::temp_dir(), |out| {
        let mut page = Page::begin(out, &title)?;
        let mut runs = shown.iter().zip(&traces);
        runs.try_for_each(|(record, trace)| page.add(&shown_run(record, trace)))?;
        page.finish().map(drop)
    })?;
    let names = shown.iter().map(|record| name(record)).collect::<Vec<_>>().join(" and ");
    writeln!(out())?;
    say(format_args!("Watch {names} in a browser: {}", shown_path(&path)))?;
    say("Open it at once: jostle --open")?;
    say("Install the command: cargo install --path crates/jostle-cli")?;
    say("Next: jostle run --help")?;
    if opens {
        show::open(&path);
    }
    Ok(())
}

/// Whom the best run is shown beside.
const RIVAL: &str = "bmaa";

/// Makes the runs of these records again, and keeps what a page plays. The same seed gives the same moves.
fn traces(registry: &Registry, args: &RunArgs, shown: &[&Record]) -> Result<Vec<Trace>, Failure> {
    let problems = problems(args)?;
    let Some(name) = problems.names().next() else { return Ok(Vec::new()) };
    let problem = problems.draw(name)?;
    let trace = |record: &&Record| {
        let planner = registry.parse(record.contestant().text()).map_err(Failure::input)?;
        let (outcome, _, _) = run_one(&planner, &problem, args, true, None)?;
        let trace = outcome.trace.filter(|_| !is_interrupted());
        trace.ok_or_else(|| Failure::Interrupted("stopped before the page was written".to_owned()))
    };
    shown.iter().map(trace).collect()
}

/// So many pages may lie in the folder already.
const MOST_PAGES: u32 = 1000;

/// Writes a page under a name that is not taken, or in the place of a page that the same user's demonstration has left: all users share
/// the folder for temporary files, so what has the usual name there may belong to another user, or be a link that somebody planted.
fn save_page(
    folder: &Path,
    write: impl Fn(&mut dyn Write) -> io::Result<()>,
) -> Result<PathBuf, Failure> {
    let wrong = |path: &Path, reason: &dyn std::fmt::Display| {
        Failure::input(format!("{}: {reason}", shown_path(path)))
    };
    for number in 1..=MOST_PAGES {
        let name =
            if number == 1 { "jostle.html".to_owned() } else { format!("jostle-{number}.html") };
        let path = folder.join(&name);
        let draft = folder.join(format!(".{name}-{}", std::process::id()));
        let written = File::create_new(&path).map(|file| (file, &path)).or_else(|error| {
            // The new page takes the name of the old one, so that no link is ever followed.
            let file = if is_ours(&path) { File::create_new(&draft)? } else { return Err(error) };
            Ok((file, &draft))
        });
        let written = written.and_then(|(file, place)| {
            let mut file = BufWriter::new(file);
            write(&mut file)?;
            file.flush()?;
            if place == &draft { fs::rename(&draft, &path) } else { Ok(()) }
        });
        match written {
            Ok(()) => return Ok(path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => {
                let _ = fs::remove_file(&draft);
                return Err(wrong(&path, &format!("cannot be written: {error}")));
            }
        }
    }
    let reason =
        "the pages of earlier runs, jostle.html to jostle-1000.html, are still in this folder";
    Err(wrong(folder, &reason))
}

/// Whether a file is a page that the same user's demonstration has left. Only its beginning is read, and only if it is the user's.
#[cfg(unix)]
fn is_ours(path: &Path) -> bool {
    use std::io::Read;
    use std::os::unix::fs::MetadataExt;
    let is_mine = |found: &fs::Metadata| {
        let us = fs::metadata("/proc/self").map(|process| process.uid());
        found.is_file() && us.is_ok_and(|us| us == found.uid())
    };
    let mut beginning = Vec::new();
    fs::symlink_metadata(path).is_ok_and(|found| is_mine(&found))
        && File::open(path)
            .and_then(|file| file.take(4096).read_to_end(&mut beginning))
            .is_ok_and(|_| String::from_utf8_lossy(&beginning).contains(MAP))
}

/// Elsewhere nobody can tell whose a file is.
#[cfg(not(unix))]
const fn is_ours(_path: &Path) -> bool {
    false
}

/// The built-in map of the demonstration, which is named in the title of the page.
const MAP: &str = "islands:96x64";

/// Small and short enough to finish in a few seconds, crowded enough to tell planners apart.
fn demo_args(registry: &Registry) -> RunArgs {
    let planners = registry.entries().iter().map(Entry::name).collect::<Vec<_>>().join(",");
    let words = ["jostle", "run", MAP, "--agents", "250", "--seeds", "7"];
    let more = ["--limit", "512steps", "--planner", &planners];
    match Args::parse_from(words.into_iter().chain(more)).command {
        Some(Command::Run(args)) => args.completed(),
        _ => unreachable!("these words are a run"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn the_page_of_an_earlier_demonstration_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        for text in ["one", "two"] {
            let text = format!("<title>{MAP}:seed=1</title>{text}");
            let path = save_page(folder.path(), |out| out.write_all(text.as_bytes())).unwrap();
            assert_eq!(path.file_name().unwrap(), "jostle.html");
            assert_eq!(fs::read_to_string(path).unwrap(), text);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no draft is left");
    }

    #[test]
    fn a_page_of_another_user_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("jostle.html"), "of another user").unwrap();
        let path = save_page(folder.path(), |out| out.write_all(b"page")).unwrap();
        assert_eq!(path.file_name().unwrap(), "jostle-2.html");
        assert_eq!(fs::read_to_string(path).unwrap(), "page");
        let other = fs::read_to_string(folder.path().join("jostle.html")).unwrap();
        assert_eq!(other, "of another user");
    }

    #[cfg(unix)]
    #[test]
    fn a_planted_link_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("precious");
        std::os::unix::fs::symlink(&target, folder.path().join("jostle.html")).unwrap();
        let path = save_page(folder.path(), |out| out.write_all(b"page")).unwrap();
        assert_eq!(path.file_name().unwrap(), "jostle-2.html");
        assert!(!target.exists());
    }
}
