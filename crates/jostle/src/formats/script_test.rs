use proptest::prelude::*;

use super::*;

fn error(text: &str) -> String {
    Script::parse(text).unwrap_err().to_string()
}

#[test]
fn the_example_of_the_docs_is_a_script() {
    let text = "\
# Ticks passed, change, agent, place. Agents are numbered from 0.
12 wall (3,4)                 # a cell turns into a wall
20 floor (3,4)

30 send 5 (10,2)
40 add 60 (1,1) to (9,9)
40 add 61 (2,2) foreign
41 place 61 (2,3)
50 remove 60
";
    let script = Script::parse(text).unwrap();
    assert_eq!(script.len(), 7);
    assert_eq!(script.entries()[2].line, 5, "comments and empty lines count");
    assert_eq!(Script::parse(&script.write()).unwrap(), script);
}

#[test]
fn everything_wrong_is_named_with_its_line() {
    assert_eq!(error("soon wall (1,1)"), "line 1: expected a tick, found 'soon'");
    assert_eq!(error("-3 wall (1,1)"), "line 1: expected a tick, found '-3'");
    assert_eq!(
        error("\n3"),
        "line 2: expected wall, floor, send, add, place or remove after the tick, found ''"
    );
    assert_eq!(error("3 wall 1,1"), "line 1: expected 'TICK wall (X,Y)', found '3 wall 1,1'");
    assert_eq!(
        error("3 add 4 (1,1)"),
        "line 1: expected 'TICK add AGENT (X,Y) to (X,Y), or foreign instead of a goal', found '3 add 4 (1,1)'"
    );
    assert_eq!(error("3 remove 4 5"), "line 1: expected 'TICK remove AGENT', found '3 remove 4 5'");
}

#[test]
fn what_an_error_quotes_is_escaped_and_short() {
    let found = error(&format!("\u{1b}[31m{}", "x".repeat(1000)));
    assert!(found.starts_with("line 1: expected a tick, found '\\u{1b}[31mxxx"), "{found}");
    assert!(found.len() < 120 && found.ends_with("...'"), "{found}");
}

#[test]
fn a_byte_order_mark_is_skipped() {
    assert_eq!(Script::parse("\u{feff}3 wall (1,1)\n").unwrap().len(), 1);
}

fn changes() -> impl Strategy<Value = ScriptedChange> {
    let at = || (any::<u32>(), any::<u32>());
    prop_oneof![
        (at(), any::<bool>()).prop_map(|(cell, is_floor)| Change::SetFloor { cell, is_floor }),
        (any::<u32>(), at()).prop_map(|(agent, goal)| Change::Send { agent, goal }),
        (any::<u32>(), at()).prop_map(|(agent, cell)| Change::Place { agent, cell }),
        any::<u32>().prop_map(|agent| Change::Leave { agent }),
        (any::<u32>(), at(), at(), any::<bool>()).prop_map(|(agent, cell, goal, ours)| {
            // The goal of a foreign agent is not written.
            Change::Join { agent, cell, goal: if ours { goal } else { cell }, ours }
        }),
    ]
}

proptest! {
    #[test]
    fn every_script_survives_being_written_and_read(
        changes in prop::collection::vec((any::<u64>(), changes()), 0..20),
    ) {
        let script: Script = changes.into_iter().collect();
        prop_assert_eq!(Script::parse(&script.write()).unwrap(), script);
    }

    #[test]
    fn no_text_breaks_the_reader(
        text in prop_oneof![
            "(?s).{0,60}",
            "[0-9]{1,25} (wall|floor|send|add|place|remove)( [0-9(),a-z-]{0,12}){0,4}",
        ],
    ) {
        let _ = Script::parse(&text);
    }
}
