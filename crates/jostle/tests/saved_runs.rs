//! Any run can be written, read, checked and played again, whatever the game changed on the way.

mod common;

use common::{all_rules, cluttered_under, game_changes, run};
use jostle::check::{check_paths, check_trace};
use jostle::formats::{Paths, PathsWriter};
use jostle::planners::{Registry, planner};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_saved_run_is_the_run(
        world in cluttered_under(all_rules()),
        entry in prop::sample::select(Registry::builtin().entries().iter().collect::<Vec<_>>()),
        changes in game_changes(),
    ) {
        let trace = run(&world, planner(entry.name()).unwrap().as_mut(), 60, &changes).trace.unwrap();
        let paths = Paths::of(&trace);
        let text = paths.write();
        prop_assert_eq!(&trace.write_paths(Vec::new()).unwrap(), text.as_bytes());
        let read = Paths::parse(&text).unwrap();
        prop_assert_eq!(&read, &paths);
        prop_assert_eq!(check_paths(trace.grid(), &read).unwrap(), check_trace(&trace).unwrap());
        let again = read.to_trace(trace.grid()).unwrap();
        prop_assert_eq!(again, trace);
    }

    /// A crash can cut a file off anywhere.
    #[test]
    fn a_file_cut_at_any_byte_is_refused_or_is_the_same_run(
        world in cluttered_under(all_rules()),
        changes in game_changes(),
        cut in 0.0..1.0,
        compact in any::<bool>(),
    ) {
        let trace = run(&world, planner("pibt").unwrap().as_mut(), 40, &changes).trace.unwrap();
        let opening = trace.opening().to_vec();
        let writer = PathsWriter::begin(Vec::new(), trace.shared_grid(), opening).unwrap();
        let mut writer = writer.compact_after(if compact { 0 } else { u64::MAX });
        let mut frames = trace.frames();
        while let Some(frame) = frames.next_frame() {
            writer.tick(frame.changes(), frame.cells()).unwrap();
        }
        let text = String::from_utf8(writer.finish().unwrap()).unwrap();
        let at = (text.len() as f64 * cut) as usize;
        // The ends of lines are where it would not be noticed.
        for at in [Some(at), text[..at].rfind('\n').map(|end| end + 1)].into_iter().flatten() {
            match Paths::parse(&text[..at]) {
                Ok(read) => {
                    prop_assert!(text[at..].trim().is_empty(), "{} is missing", &text[at..]);
                    prop_assert_eq!(read, Paths::of(&trace));
                }
                Err(error) => prop_assert!(!error.to_string().is_empty()),
            }
        }
    }

    /// A line that is lost, doubled or exchanged is either noticed or makes no difference to where anybody stood.
    #[test]
    fn a_damaged_file_is_refused_or_says_the_same(
        world in cluttered_under(all_rules()),
        changes in game_changes(),
        (line, other) in (0usize..200, 0usize..200),
        damage in 0..3,
    ) {
        let trace = run(&world, planner("pibt").unwrap().as_mut(), 40, &changes).trace.unwrap();
        let text = Paths::of(&trace).write();
        let mut lines: Vec<&str> = text.lines().collect();
        let (line, other) = (line % lines.len(), other % lines.len());
        match damage {
            0 => drop(lines.remove(line)),
            1 => lines.insert(other, lines[line]),
            _ => lines.swap(line, other),
        }
        let damaged = Paths::parse(&lines.join("\n")).ok();
        if let Some(paths) = damaged && check_paths(trace.grid(), &paths).is_ok() {
            // What is legal for the checker is legal for the world.
            let again = paths.to_trace(trace.grid()).unwrap();
            prop_assert!(again.ticks() <= trace.ticks());
        }
    }
}
