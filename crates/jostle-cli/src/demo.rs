//! `jostle` without a command: every planner on a built-in map, and a page that plays the best run.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Parser;
use jostle::formats::shown_path;
use jostle::planners::{Entry, Registry};

use crate::args::{Args, Command, RunArgs};
use crate::failure::Failure;
use crate::replay::write_page;
use crate::run::{problem_title, problems, run, run_one, shown_run};
use crate::say::{out, say};
use crate::show;

/// Runs every planner, and writes a page that plays the run in which most agents arrived.
pub fn demo(registry: &Registry, opens: bool) -> Result<(), Failure> {
    let args = demo_args(registry);
    let records = run(registry, &args)?;
    // `max_by_key` keeps the last of equals; reversed, that is the first planner.
    let best = records.iter().rev().max_by_key(|record| record.arrived());
    let Some(best) = best else { return Ok(()) };
    let problems = problems(&args)?;
    let Some(problem) = problems.names().next() else { return Ok(()) };
    let problem = problems.draw(problem)?;
    let planner = registry.parse(best.contestant().text()).map_err(Failure::input)?;
    let (outcome, record, _) = run_one(&planner, &problem, &args, true, None)?;
    if let Some(trace) = &outcome.trace {
        let shown = shown_run(&record, trace);
        let title = format!("{} · {}", shown.title(), problem_title(&record));
        let write = |out: &mut dyn Write| write_page(&title, &shown, out);
        let path = save_page(&std::env::temp_dir(), write)?;
        writeln!(out())?;
        say(format_args!("Watch {} in a browser: {}", planner.text(), shown_path(&path)))?;
        say("Next: jostle run --help")?;
        if opens {
            show::open(&path);
        }
    }
    Ok(())
}

/// So many pages may lie in the folder already.
const MOST_PAGES: u32 = 1000;

/// Writes a page under a name that is not taken: all users share the folder for temporary files, so what has the usual
/// name there may belong to another user, or be a link that somebody planted.
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
        let path = folder.join(name);
        let written = File::create_new(&path).and_then(|file| {
            let mut file = BufWriter::new(file);
            write(&mut file)?;
            file.flush()
        });
        match written {
            Ok(()) => return Ok(path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(wrong(&path, &format!("cannot be written: {error}"))),
        }
    }
    let reason =
        "the pages of earlier runs, jostle.html to jostle-1000.html, are still in this folder";
    Err(wrong(folder, &reason))
}

/// Small and short enough to finish in a few seconds, crowded enough to tell planners apart.
fn demo_args(registry: &Registry) -> RunArgs {
    let planners = registry.entries().iter().map(Entry::name).collect::<Vec<_>>().join(",");
    let words = ["jostle", "run", "islands:96x64", "--agents", "250", "--seeds", "7"];
    let more = ["--limit", "512steps", "--planner", &planners];
    match Args::parse_from(words.into_iter().chain(more)).command {
        Some(Command::Run(args)) => args.completed(),
        _ => unreachable!("these words are a run"),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

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
