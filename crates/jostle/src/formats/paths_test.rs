use super::*;
use crate::planners::planner;
use crate::simulate::{Limits, Simulation};
use crate::world::{Change, World};

fn error(text: &str) -> String {
    Paths::parse(text).unwrap_err().to_string()
}

#[test]
fn paths_survive_being_written_and_read() {
    let steps = vec![vec![Some((0, 0)), Some((3, 1))], vec![Some((1, 0)), Some((3, 1))]];
    let (starts, goals) = (steps[0].clone(), steps[1].clone());
    let opening = PathsOpening { starts, goals, ..PathsOpening::default() };
    let paths = Paths { opening, steps, ..Paths::default() };
    assert_eq!(Paths::parse(&paths.write()).unwrap(), paths);
    assert!(paths.write().starts_with("starts=(0,0),(3,1),\ngoals="));
}

#[test]
fn other_header_lines_and_missing_last_commas_are_fine() {
    let text = "agents=1\nsolver=x\nstarts=(1,2)\ngoals=(1, 2)\nsolution=\n0:(1,2)\n";
    assert_eq!(Paths::parse(text).unwrap().steps, [[Some((1, 2))]]);
}

#[test]
fn a_file_that_is_cut_at_the_end_of_a_tick_is_not_the_file_of_a_shorter_run() {
    let (_, trace) = eventful_run();
    let paths = Paths::of(&trace);
    let last_tick = format!("end={}", trace.ticks());
    let begin = |after| {
        let writer = PathsWriter::begin(Vec::new(), trace.shared_grid(), trace.opening().to_vec());
        writer.unwrap().compact_after(after)
    };
    for after in [0, 300, u64::MAX] {
        let text = String::from_utf8(trace.write_steps(begin(after)).unwrap()).unwrap();
        assert!(text.contains("\nmarks=end\nsolution=\n"), "{text}");
        assert!(text.ends_with(&format!("\n{last_tick}\n")), "{text}");
        let solution = text.find("solution=").unwrap() + "solution=".len();
        for end in 0..text.len() {
            let read = Paths::parse(&text[..end]);
            if text[..end].ends_with(&last_tick) {
                assert_eq!(read.unwrap(), paths, "only the last line break is missing");
                continue;
            }
            let line = text[..end].lines().count();
            let expected = (end >= solution).then_some(PathsError::Cut { line });
            let error = read.unwrap_err();
            assert!(expected.is_none_or(|expected| expected == error), "{end}: {error}");
        }
    }
    let sentence = PathsError::Cut { line: 7 }.to_string();
    assert!(sentence.starts_with("line 7: the file is cut off here: "), "{sentence}");
    // A program that was killed has not ended its file.
    let mut out = Vec::new();
    drop(PathsWriter::begin(&mut out, trace.shared_grid(), trace.opening().to_vec()).unwrap());
    let left = String::from_utf8(out).unwrap();
    assert_eq!(Paths::parse(&left), Err(PathsError::Cut { line: 6 }));
}

#[test]
fn the_file_of_a_run_that_was_stopped_says_so() {
    let (grid, trace) = eventful_run();
    let begin = || PathsWriter::begin(Vec::new(), trace.shared_grid(), trace.opening().to_vec());
    let stopped = String::from_utf8(begin().unwrap().finish_stopped().unwrap()).unwrap();
    assert!(stopped.ends_with("\nstopped=0\n"), "{stopped}");
    let whole = String::from_utf8(begin().unwrap().finish().unwrap()).unwrap();
    for (text, was_stopped) in [(&stopped, true), (&whole, false)] {
        let mut reader = PathsReader::begin(text.as_bytes()).unwrap();
        assert!(reader.next_step().unwrap().is_some() && !reader.was_stopped());
        assert!(reader.next_step().unwrap().is_none());
        assert!(reader.next_step().unwrap().is_none(), "the end stays the end");
        assert_eq!(reader.was_stopped(), was_stopped);
        assert_eq!(Paths::parse(text).unwrap().to_trace(&grid).unwrap().ticks(), 0);
    }
}

#[test]
fn a_last_line_that_does_not_fit_is_named() {
    let head = "starts=(1,2),\ngoals=(1,2),\nmarks=end\nsolution=\n";
    for (lines, said) in [
        ("end=0\n", "the solution has no ticks"),
        ("0:(1,2),\nend=1\n", "line 6: expected the end of a run of 0 ticks, found '1'"),
        ("0:(1,2),\nend=\n", "line 6: expected the end of a run of 0 ticks, found ''"),
        (
            "0:(1,2),\nend=0\n\n1:(1,2),\n",
            "line 8: expected nothing after the line that ends the run, found '1:(1,2),'",
        ),
        (
            "0:(1,2),\nend=0\nend=0\n",
            "line 7: expected nothing after the line that ends the run, found 'end=0'",
        ),
    ] {
        assert_eq!(error(&format!("{head}{lines}")), said);
    }
    // Files of earlier versions and of other tools announce nothing, and have no last line.
    let before = head.replace("marks=end\n", "");
    let other = head.replace("marks=end", "marks=other");
    for head in [before, other] {
        for lines in ["0:(1,2),\n", "0:(1,2),", "0:(1,2),\nend=0\n\n"] {
            assert_eq!(Paths::parse(&format!("{head}{lines}")).unwrap().steps.len(), 1);
        }
    }
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let text = "\u{feff}starts=(1,2)\ngoals=(1,2)\nsolution=\n0:(1,2)\n";
    assert_eq!(Paths::parse(text).unwrap().steps.len(), 1);
}

#[test]
fn everything_wrong_is_named_with_its_line() {
    let head = "starts=(1,2),\ngoals=(1,2),\nsolution=\n";
    assert_eq!(error("starts=(1,2),\ngoals=(1,2)"), "there is no 'solution=' line");
    assert_eq!(error("goals=(1,2),\nsolution=\n"), "there is no 'starts=' line");
    assert_eq!(error(head), "the solution has no ticks");
    assert_eq!(
        error("type octile\n"),
        "line 1: expected starts=, goals=, solution= or another name=, and found 'type octile'"
    );
    assert_eq!(
        error("starts=(1;2),\n"),
        "line 1: expected positions (x,y),(x,y),... and found '(1;2),'"
    );
    assert_eq!(error(&format!("{head}1:(1,2),\n")), "line 4: expected tick 0, found '1'");
    assert_eq!(error(&format!("{head}0:(1,2),(3,4),\n")), "line 4: found 2 positions for 1 agents");
    assert_eq!(
        error("change=5 fly 3"),
        "line 1: expected wall, floor, send, add, place or remove after the tick, found 'fly'"
    );
    assert_eq!(
        error("foreign=1;2"),
        "line 1: expected numbers of agents, as in 3,7, and found '1;2'"
    );
}

/// A run with changes of every kind.
fn eventful_run() -> (Grid, Trace) {
    let grid = Grid::open(8, 6).unwrap();
    let at = |x, y| grid.at(x, y).unwrap();
    let mut world = World::new(grid.clone());
    world.add(at(0, 0), at(7, 5)).unwrap();
    world.add_foreign(at(4, 4)).unwrap();
    world.add(at(7, 0), at(0, 5)).unwrap();
    let script = Script::parse(
        "1 wall (0,1)\n2 add 3 (0,5) to (6,1)\n3 place 1 (5,4)\n4 remove 0\n\
         5 add 4 (0,3) foreign\n6 floor (0,1)\n6 send 2 (7,0)\n",
    )
    .unwrap();
    script.check(&grid, 3).unwrap();
    let outcome = Simulation::new(&mut world, planner("jostle").unwrap().as_mut())
        .limits(Limits::ticks(40))
        .script(&script)
        .traced()
        .run()
        .unwrap();
    assert_eq!(outcome.refusals, []);
    assert!(world.have_all_arrived());
    (grid, outcome.trace.unwrap())
}

#[test]
fn a_run_with_edits_and_agents_that_join_can_be_written_checked_and_replayed() {
    let (grid, trace) = eventful_run();
    let paths = Paths::of(&trace);
    assert_eq!((paths.opening.starts.len(), paths.script.len()), (3, 7));
    let last = paths.steps.last().unwrap();
    assert_eq!((last.len(), last[0]), (5, None), "two have joined, and one has left");
    let read = Paths::parse(&paths.write()).unwrap();
    assert_eq!(read, paths);
    let legal = crate::check::check_paths(&grid, &read).unwrap();
    assert_eq!((legal.agents, legal.arrived, legal.ticks), (2, 2, trace.ticks()));
    let again = read.to_trace(&grid).unwrap();
    assert_eq!(again, trace);
}

#[test]
fn a_file_written_while_the_run_goes_on_is_the_file_of_its_trace() {
    let (_, trace) = eventful_run();
    let written = trace.write_paths(Vec::new()).unwrap();
    assert_eq!(String::from_utf8(written).unwrap(), Paths::of(&trace).write());
}

#[test]
fn a_long_file_has_compact_lines_and_says_the_same() {
    let (grid, trace) = eventful_run();
    let text = trace.write_paths(Vec::new()).unwrap();
    for bytes in [0, 100, 300, 500, 700] {
        let writer = PathsWriter::begin(Vec::new(), trace.shared_grid(), trace.opening().to_vec());
        let compact = trace.write_steps(writer.unwrap().compact_after(bytes)).unwrap();
        assert!(compact.len() <= text.len());
        let compact = String::from_utf8(compact).unwrap();
        assert!(bytes > 0 || compact.contains("\n1:steps "), "{compact}");
        let paths = Paths::parse(&compact).unwrap();
        assert_eq!(paths, Paths::of(&trace), "after {bytes} bytes");
        assert_eq!(paths.to_trace(&grid).unwrap(), trace);
    }
}

#[test]
fn a_large_crowd_has_compact_lines_from_the_beginning() {
    let grid = Grid::open(200, 102).unwrap();
    let (mut world, at) = (World::new(grid.clone()), |x, y| grid.at(x, y).unwrap());
    for (x, y) in (0..100).flat_map(|y| (0..200).map(move |x| (x, y))).take(10_001) {
        world.add(at(x, y), at(x, y + 1)).unwrap();
    }
    let outcome = Simulation::new(&mut world, planner("jostle").unwrap().as_mut())
        .limits(Limits::ticks(20))
        .traced()
        .run()
        .unwrap();
    let (trace, ticks) = (outcome.trace.unwrap(), outcome.metrics.ticks as usize);
    let text = String::from_utf8(trace.write_paths(Vec::new()).unwrap()).unwrap();
    let lines: Vec<&str> = text.lines().skip(5).filter(|line| line.contains(':')).collect();
    assert_eq!(lines.len(), ticks);
    assert!(lines.iter().all(|line| line.contains(":steps ") && line.len() < 11_000));
    assert_eq!(Paths::parse(&text).unwrap().to_trace(&grid).unwrap(), trace);
}

#[test]
fn lines_that_list_the_agents_that_have_moved_are_read() {
    let head = "starts=(1,2),(4,4),\ngoals=(1,2),(4,4),\nsolution=\n0:(1,2),(4,4),\n1:";
    let paths = Paths::parse(&format!("{head}moved 1=(4,5),\n2:moved\n")).unwrap();
    let moved = vec![Some((1, 2)), Some((4, 5))];
    assert_eq!(paths.steps[1..], [moved.clone(), moved]);
    for wrong in
        ["moved 2=(1,2),", "moved (1,2),", "moved 0=(1;2),", "moved -1=(1,2)", "moved 0=(1,2)0=-"]
    {
        let said = error(&format!("{head}{wrong}\n"));
        assert!(said.starts_with("line 5: expected positions"), "{wrong}: {said}");
    }
}

#[test]
fn a_file_that_lists_its_changes_before_the_solution_says_the_same() {
    let grid = Grid::open(4, 1).unwrap();
    let inline = "starts=(0,0),\ngoals=(0,0),\nsolution=\n0:(0,0),\nchange=0 add 1 (2,0) to (3,0)\n\
                  1:(0,0),(3,0),\nchange=1 remove 1\n2:(0,0),-,\n";
    let listed = "starts=(0,0),-,\ngoals=(0,0),-,\nchange=0 add 1 (2,0) to (3,0)\nchange=1 remove 1\n\
                  solution=\n0:(0,0),-,\n1:(0,0),(3,0),\n2:(0,0),-,\n";
    let [inline, listed] = [inline, listed].map(|text| Paths::parse(text).unwrap());
    assert_eq!(inline.to_trace(&grid).unwrap(), listed.to_trace(&grid).unwrap());
    for paths in [inline, listed] {
        let again = Paths::parse(&paths.write()).unwrap();
        assert_eq!(again.to_trace(&grid).unwrap(), paths.to_trace(&grid).unwrap());
        assert_eq!(crate::check::check_paths(&grid, &paths).unwrap().ticks, 2);
    }
}

#[test]
fn changes_inside_the_solution_belong_to_the_tick_that_follows() {
    let head = "starts=(1,2),\ngoals=(1,2),\nsolution=\n";
    let wrong = |lines: &str| error(&format!("{head}{lines}"));
    assert_eq!(wrong("change=0 wall (0,0)\n0:(1,2),\n"), "line 4: expected tick 0, found a change");
    assert_eq!(
        wrong("0:(1,2),\nchange=18446744073709551615 wall (0,0)\n1:(1,2),\n"),
        "line 5: expected a change of tick 0, found one of tick 18446744073709551615"
    );
    assert_eq!(
        wrong("0:(1,2),\nchange=0 add 7 (0,0) foreign\n1:(1,2),(0,0),\n"),
        "line 5: agent 7 joins, but the next agent is number 1"
    );
    assert_eq!(
        wrong("0:(1,2),\nchange=0 add 1 (0,0) foreign\n1:(1,2),\n"),
        "line 6: found 1 positions for 2 agents"
    );
}

#[test]
fn a_change_that_a_path_file_leaves_out_is_noticed() {
    let (grid, trace) = eventful_run();
    let paths = Paths::of(&trace);
    for missing in 0..paths.script.len() {
        let kept = paths.script.entries().iter().enumerate().filter(|(at, _)| *at != missing);
        let script = Script::of(kept.map(|(_, entry)| *entry).collect());
        let change = paths.script.entries()[missing].change;
        let fewer = Paths { script, ..paths.clone() };
        let is_legal = crate::check::check_paths(&grid, &fewer).is_ok();
        // A wall that no agent walks into does not matter, and neither do goals.
        let is_harmless = matches!(change, Change::SetFloor { .. } | Change::Send { .. });
        assert_eq!(is_legal, is_harmless, "{change:?}");
    }
}

#[test]
fn a_plan_comes_back_from_its_path_file() {
    let grid = Grid::open(3, 2).unwrap();
    let at = |x, y| grid.at(x, y).unwrap();
    let paths = vec![
        TimedPath::of(vec![at(0, 0), at(1, 0), at(2, 0)]),
        TimedPath::of(vec![at(0, 1), at(0, 1), at(0, 0)]),
    ];
    let plan = Plan::new(grid.clone(), paths);
    let file = Paths::parse(&Paths::of_plan(&plan).write()).unwrap();
    assert_eq!(file.to_plan(&grid).unwrap(), plan);
    assert!(file.to_plan(&Grid::open(2, 2).unwrap()).is_none(), "the map is too small");
}

#[test]
fn a_position_of_an_agent_that_is_not_present_is_not_a_run() {
    let grid = Grid::open(5, 3).unwrap();
    for (starts, lines) in [
        ("-,", "0:-,\n1:(3,1),\n"),
        ("(0,0),", "0:(0,0),\n1:-,\n"),
        ("(0,0),", "0:(0,0),\nchange=0 remove 0\n1:(0,0),\n"),
        ("(0,0),", "0:(0,0),\nchange=0 add 1 (1,1) foreign\n1:(0,0),-,\n"),
    ] {
        let text = format!("starts={starts}\ngoals={starts}\nsolution=\n{lines}");
        let paths = Paths::parse(&text).unwrap();
        assert!(crate::check::check_paths(&grid, &paths).is_err(), "{text}");
        assert!(matches!(paths.to_trace(&grid), Err(ReplayError::Presence { .. })), "{text}");
    }
}

#[test]
fn a_file_whose_first_positions_are_not_its_starts_is_not_a_run() {
    let text = "starts=(0,0),\ngoals=(0,0),\nsolution=\n0:(1,0),\n1:(0,0),\n";
    let (grid, paths) = (Grid::open(3, 1).unwrap(), Paths::parse(text).unwrap());
    assert!(crate::check::check_paths(&grid, &paths).is_err());
    assert_eq!(paths.to_trace(&grid), Err(ReplayError::NotAtStart { agent: 0 }));
}
