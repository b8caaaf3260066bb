use proptest::prelude::*;

use super::*;
use crate::check::check_paths;
use crate::formats::{Paths, TaskList};
use crate::grid::{Cell, Grid};
use crate::instance::Reach;
use crate::plan::TimedPath;

fn instance(drawing: &str, tasks: &str) -> Result<MeetingInstance, String> {
    let grid = Grid::from_ascii(drawing).unwrap();
    let list = TaskList::parse(tasks).unwrap();
    MeetingInstance::from_list(grid, &list, Reach::Required).map_err(|error| error.to_string())
}

#[test]
fn what_is_wrong_is_named_with_task_and_cell() {
    let good = "(0,0) via (1,0) meets (2,0) to (0,0)\n";
    let cases = [
        (String::new(), "there are no tasks"),
        (
            format!("{good}(0,1) via (9,0) meets (1,1) to (0,1)"),
            "the start (9, 0) of task 1 is outside the map of 5x2",
        ),
        ("(0,0) via (1,0) meets (2,0) to (3,0)".to_owned(), "the goal (3, 0) of task 0 is a wall"),
        (
            format!("{good}(0,1) via (1,1) meets (0,0) to (0,1)"),
            "the executor of task 1 begins on (0, 0), as an agent of task 0 does",
        ),
        (
            "(0,0) via (1,0) meets (0,0) to (0,1)".to_owned(),
            "the executor of task 0 begins on (0, 0), as an agent of task 0 does",
        ),
        (
            format!("{good}(0,1) via (1,1) meets (2,1) to (4,1)"),
            "no path leads from the initiator (0, 1) of task 1 to the goal (4, 1)",
        ),
    ];
    for (tasks, expected) in cases {
        assert_eq!(instance("...#.\n...#.", &tasks).unwrap_err(), expected);
    }
    assert_eq!(instance("...#.\n...#.", good).unwrap().tasks().len(), 1);
}

#[test]
fn a_task_goes_through_its_stages_in_order() {
    let instance = instance(".....", "(0,0) via (1,0) meets (4,0) to (3,0)").unwrap();
    let at = |x| instance.grid().at(x, 0);
    let task = instance.tasks()[0];
    let after = |stage, initiator, executor| task.stage_after(stage, initiator, executor);
    assert_eq!(after(Stage::Visit, at(0), at(3)), Stage::Visit, "the goal counts at the end");
    assert_eq!(after(Stage::Visit, at(2), at(2)), Stage::Visit, "the start comes first");
    assert_eq!(after(Stage::Visit, at(1), at(3)), Stage::Meet);
    assert_eq!(after(Stage::Meet, at(2), at(3)), Stage::Meet);
    assert_eq!(after(Stage::Meet, None, None), Stage::Meet, "nobody is there");
    assert_eq!(after(Stage::Meet, at(2), at(2)), Stage::Deliver);
    assert_eq!(after(Stage::Deliver, None, at(3)), Stage::Done);
    assert_eq!(after(Stage::Done, None, None), Stage::Done);
    assert_eq!(after(Stage::Meet, at(3), at(3)), Stage::Done, "they meet on the goal");
}

/// The plan of one pair in a corridor of five cells: they meet on (2, 0) at tick 2.
fn corridor(at_target: AtTarget) -> MeetingPlan {
    corridor_with_meeting(at_target, 2)
}

/// The same paths with another tick for the meeting.
fn corridor_with_meeting(at_target: AtTarget, tick: u64) -> MeetingPlan {
    let instance = instance(".....", "(0,0) via (1,0) meets (4,0) to (4,0)").unwrap();
    let path = |columns: &[u32]| TimedPath {
        stays: at_target == AtTarget::Stay,
        ..TimedPath::of(columns.iter().map(|&x| instance.grid().at(x, 0).unwrap()).collect())
    };
    let meeting = Meeting { cell: instance.grid().at(2, 0).unwrap(), tick };
    let paths = vec![path(&[0, 1, 2]), path(&[4, 3, 2, 3, 4])];
    MeetingPlan::new(&instance, paths, vec![meeting])
}

#[test]
fn a_meeting_is_the_one_time_when_two_agents_share_a_cell() {
    use Stage::{Deliver, Done, Meet, Visit};
    for at_target in [AtTarget::Leave, AtTarget::Stay] {
        let plan = corridor(at_target);
        assert_eq!((plan.cost(), plan.makespan(), plan.at_target()), (6, 4, at_target));
        assert_eq!(plan.first_conflict(), None);
        let stages: Vec<Stage> = plan.stages().map(|stages| stages[0]).collect();
        assert_eq!(stages, [Visit, Meet, Deliver, Deliver, Done]);
    }
    let late = corridor_with_meeting(AtTarget::Stay, 3);
    assert_eq!(
        late.first_conflict().unwrap().to_string(),
        "agents 0 and 1 are both on (2, 0) at tick 2"
    );
}

#[test]
fn a_plan_survives_being_written_and_read_and_is_checked_and_recorded() {
    for at_target in [AtTarget::Leave, AtTarget::Stay] {
        let plan = corridor(at_target);
        let paths = plan.to_paths();
        let text = paths.write();
        assert!(text.contains("task=0 1 via (1,0) meet (2,0) at 2 to (4,0)\n"), "{text}");
        assert_eq!(text.contains("change=2 remove 0"), at_target == AtTarget::Leave, "{text}");
        assert_eq!(Paths::parse(&text).unwrap(), paths);
        let legal = check_paths(plan.grid(), &paths).unwrap();
        assert_eq!((legal.tasks, legal.ticks), (1, 4));
        let trace = paths.to_trace(plan.grid()).unwrap();
        let (initiator, executor) = (trace.path(0), trace.path(1));
        assert_eq!(initiator[2], executor[2], "they share a cell");
        assert_eq!(initiator[3].is_none(), at_target == AtTarget::Leave);
    }
}

/// What the checker finds when a part of the file of [`corridor`] is replaced.
fn found(at_target: AtTarget, part: &str, other: &str) -> String {
    let text = corridor(at_target).to_paths().write();
    let changed = text.replace(part, other);
    assert_ne!(changed, text, "{part} is in the file");
    let grid = Grid::from_ascii(".....\n.....").unwrap();
    match Paths::parse(&changed) {
        Err(error) => error.to_string(),
        Ok(paths) => check_paths(&grid, &paths).unwrap_err().to_string(),
    }
}

#[test]
fn whatever_is_wrong_with_a_meeting_is_found() {
    use AtTarget::{Leave, Stay};
    let missed = "agents 0 and 1 do not meet on (2, 0)";
    assert_eq!(found(Leave, "at 2", "at 3"), "tick 2: agents 1 and 0 are both on (2, 0)");
    assert_eq!(
        found(Leave, "meet (2,0)", "meet (3,0)"),
        "tick 2: agents 1 and 0 are both on (2, 0)"
    );
    assert_eq!(found(Leave, "2:(2,0),(2,0)", "2:(2,0),(3,0)"), format!("tick 2: {missed}"));
    assert_eq!(found(Stay, "2:(2,0),(2,0)", "2:(1,0),(2,0)"), format!("tick 2: {missed}"));
    assert_eq!(
        found(Leave, "via (1,0)", "via (1,1)"),
        "tick 2: agent 0 has not visited the start (1, 1) of its task"
    );
    assert_eq!(
        found(Leave, "to (4,0)", "to (3,0)"),
        "agent 1 does not end on the goal (3, 0) of its task"
    );
    assert_eq!(found(Stay, "3:(2,0)", "3:(1,0)"), "tick 3: agent 0 goes on after its meeting");
    assert_eq!(
        found(Stay, "3:(2,0),(3,0)", "3:(2,0),(2,0)"),
        "tick 3: agents 1 and 0 are both on (2, 0)"
    );
    assert_eq!(
        found(Leave, "change=2 remove 0\n", ""),
        "tick 3: there are 1 agents where 2 are expected"
    );
    let ends = |text: &str| text.find("3:").map(|at| text[at..].to_owned()).unwrap();
    let tail = ends(&corridor(Stay).to_paths().write());
    assert_eq!(
        found(Stay, &tail, "end=2\n"),
        "agent 1 does not end on the goal (4, 0) of its task"
    );
}

#[test]
fn wrong_lines_about_tasks_are_named() {
    let wrong = |part: &str, other: &str| found(AtTarget::Leave, part, other);
    assert_eq!(
        wrong("task=0 1", "task=0"),
        "line 3: expected 'task=AGENT AGENT via (X,Y) meet (X,Y) at TICK to (X,Y)', found '0 via (1,0) meet (2,0) at 2 to (4,0)'"
    );
    assert_eq!(wrong("task=0 1", "task=0 2"), "line 3: agent 2 has a task, and no start");
    assert_eq!(wrong("task=0 1", "task=1 1"), "line 3: agent 1 has a task already");
    assert_eq!(
        wrong("remove 0", "wall (3,1)"),
        "line 9: in a file with tasks, agents can leave, and no other change is possible"
    );
    assert_eq!(
        wrong("at 2 to", "at 18446744073709551615 to"),
        "tick 2: agents 1 and 0 are both on (2, 0)"
    );
}

#[test]
fn drawn_tasks_are_the_same_everywhere_and_fit_the_map() {
    let grid = Grid::from_ascii("....#.\n....#.\n..##..\n####..").unwrap();
    let drawn = MeetingInstance::draw(grid.clone(), 3, 7).unwrap();
    assert_eq!(
        drawn.to_list().write(),
        MeetingInstance::draw(grid.clone(), 3, 7).unwrap().to_list().write()
    );
    assert_ne!(
        drawn.to_list().write(),
        MeetingInstance::draw(grid.clone(), 3, 8).unwrap().to_list().write()
    );
    let error = MeetingInstance::draw(grid.clone(), 6, 1).unwrap_err();
    assert_eq!(error.to_string(), "12 agents do not fit: the floor has room for 10");
    let error = MeetingInstance::draw(grid, 0, 1).unwrap_err();
    assert_eq!(error.to_string(), "there are no tasks");
}

proptest! {
    #[test]
    fn tasks_can_be_drawn_wherever_there_is_room(
        floor in prop::collection::vec(prop::bool::weighted(0.8), 36),
        count in 1usize..8,
        seed in any::<u64>(),
    ) {
        let grid = Grid::new(6, 6, crate::Rules::default(), |x, y| floor[(6 * y + x) as usize]).unwrap();
        match MeetingInstance::draw(grid.clone(), count, seed) {
            Ok(instance) => {
                prop_assert_eq!(instance.tasks().len(), count);
                let distinct = |cells: Vec<Cell>| {
                    let count = cells.len();
                    cells.into_iter().collect::<std::collections::HashSet<_>>().len() == count
                };
                let cells = |of: fn(&MeetingTask) -> Cell| instance.tasks().iter().map(of).collect::<Vec<_>>();
                prop_assert!(distinct(cells(|task| task.goal)));
                prop_assert!(distinct(cells(|task| task.start)));
                let again = MeetingInstance::from_list(grid, &instance.to_list(), Reach::Required).unwrap();
                prop_assert_eq!(again.tasks(), instance.tasks());
            }
            Err(error) => prop_assert!(error.to_string().contains("do not fit"), "{}", error),
        }
    }

    #[test]
    fn no_damage_to_a_file_with_tasks_breaks_the_reader_or_the_checker(
        damages in prop::collection::vec((any::<prop::sample::Index>(), "[0-9(),a-z =-]"), 1..5),
        stays in any::<bool>(),
    ) {
        let at_target = if stays { AtTarget::Stay } else { AtTarget::Leave };
        let mut text: Vec<char> = corridor(at_target).to_paths().write().chars().collect();
        for (at, letter) in &damages {
            let at = at.index(text.len());
            text[at] = letter.chars().next().unwrap();
        }
        let text: String = text.into_iter().collect();
        if let Ok(paths) = Paths::parse(&text) {
            let grid = Grid::open(5, 1).unwrap();
            // A checker does not care about goals outside the map, which no agent needs, but a world does.
            let is_on_map = |goal: &Option<(u32, u32)>| goal.is_none_or(|at| grid.locate(at).is_ok());
            let is_legal = check_paths(&grid, &paths).is_ok()
                && paths.opening.goals.iter().all(is_on_map);
            prop_assert!(!is_legal || paths.to_trace(&grid).is_ok(), "{}", text);
            prop_assert_eq!(Paths::parse(&paths.write()).unwrap(), paths);
        }
    }
}
