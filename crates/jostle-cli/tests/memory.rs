//! What asks for too much memory gets one sentence and exit code 2, before the memory is taken.
#![cfg(target_os = "linux")]

mod common;

use common::{Folder, is_refused, jostle_within, stderr};
use jostle::Level;

fn is_refused_within(kilobytes: u32, words: &[&str], expected: &str) {
    let output = jostle_within(kilobytes, words);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
    assert!(said.contains(expected), "{words:?}: {said}");
    assert_eq!(said.trim_end().lines().count(), 1, "{words:?}: {said}");
}

const FOUR_GIGABYTES: u32 = 4_000_000;

#[test]
fn a_level_that_is_too_large_is_refused_before_it_is_drawn() {
    for level in Level::ALL {
        for size in ["20000x20000", "32768x32768", "8193x8192"] {
            let map = format!("{level}:{size}");
            let expected = format!("{map}: a floor of {size} cells: a map that is generated");
            is_refused_within(FOUR_GIGABYTES, &["run", &map], &expected);
        }
    }
    is_refused_within(FOUR_GIGABYTES, &["maps", "scatter:20000x20000"], "has at most 67108864");
}

#[test]
fn a_level_for_which_there_is_no_memory_is_refused_before_it_is_drawn() {
    for level in Level::ALL {
        let map = format!("{level}:4096x4096");
        is_refused_within(500_000, &["run", &map], "out of memory: ");
    }
}

#[test]
fn a_scenario_of_fifty_bytes_cannot_claim_a_huge_map() {
    let folder = Folder::new();
    let map =
        folder.write("a.map", "type octile\nheight 4\nwidth 5\nmap\n.....\n.....\n.....\n.....\n");
    let run = |kilobytes, size: &str, expected: &str| {
        let scen = folder.write("a.scen", &format!("version 1\n0 a.map {size} 0 0 4 3 5.0\n"));
        is_refused_within(kilobytes, &["run", &map, "--scen", &scen], expected);
    };
    run(FOUR_GIGABYTES, "32768 32768", "a.scen: line 2: a floor of 32768x32768 cells: a map that");
    run(FOUR_GIGABYTES, "4294967295 4294967295", "both sides must be between 1 and 32768");
    run(300_000, "8000 8000", "out of memory: ");
}

#[test]
fn more_agents_than_floor_are_refused_however_many() {
    for agents in ["577", "4000000000", "18446744073709551615"] {
        for kind in ["random", "swap-sides", "tight-to-tight", "inside-out"] {
            let words = ["run", "arena:24x24", "--kind", kind, "--agents", agents];
            is_refused_within(FOUR_GIGABYTES, &words, "agents do not fit: the floor has room for");
        }
    }
    is_refused(&["run", "cave", "--agents", "18446744073709551616"], "18446744073709551616");
}

#[test]
fn a_map_of_4096x4096_is_generated_and_played() {
    let words =
        ["run", "maze:4096x4096", "--agents", "20", "--planner", "bmaa", "--limit", "2steps"];
    let output = jostle_within(FOUR_GIGABYTES, &words);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}
