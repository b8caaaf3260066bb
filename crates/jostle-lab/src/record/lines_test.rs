use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::super::testing::{OLD_LINE, line, meeting_sample, sample, solved_sample};
use super::*;

/// What was read: records, the damaged lines, and the torn one.
#[derive(Default, PartialEq, Debug)]
struct Seen {
    records: Vec<Record>,
    damaged: Vec<String>,
    tail: Tail,
}

impl Seen {
    fn seeds(&self) -> Vec<u64> {
        self.records.iter().filter_map(|record| record.seed).collect()
    }
}

fn read(text: impl AsRef<[u8]>) -> Seen {
    let file = tempfile::NamedTempFile::new().unwrap();
    let path = file.path();
    fs::write(path, text).unwrap();
    let mut seen = Seen::default();
    let tail = read_file(path, |line, record| {
        match record {
            Ok(record) => seen.records.push(record),
            Err(damage) => seen.damaged.push(damage.describe(Path::new("r.jsonl"), line)),
        }
        Ok(())
    });
    seen.tail = tail.unwrap();
    seen
}

fn seeded(seed: u64) -> String {
    line(&[("\"seed\":1", &format!("\"seed\":{seed}"))]) + "\n"
}

#[test]
fn a_torn_last_line_is_returned() {
    let whole = format!("{}{}", seeded(1), seeded(2));
    let start = whole.len() as u64;
    for torn in ["{\"k", "\0\0", "garbage", &OLD_LINE[..200], "\u{fffd}"] {
        let seen = read(format!("{whole}{torn}"));
        let line = Line { number: 3, start, length: torn.len() as u64 };
        let expected = Tail { torn: Some(line), is_open: false };
        assert_eq!((seen.seeds(), &seen.tail), (vec![1, 2], &expected), "{torn}");
        assert!(seen.damaged.is_empty());
    }
    assert_eq!(read(&whole).tail, Tail::default());
    let seen = read([whole.as_bytes(), b"\xff\xfe"].concat());
    assert_eq!(seen.tail.torn, Some(Line { number: 3, start, length: 2 }));
}

#[test]
fn a_last_line_that_is_whole_and_not_a_record_is_damage_and_not_torn() {
    for damaged in ["{\"k\n", "\0\0\n", "garbage\n\n", &format!("{}\n", &OLD_LINE[..200])] {
        let seen = read(format!("{}{damaged}", seeded(1)));
        assert_eq!((seen.seeds(), seen.damaged.len()), (vec![1], 1), "{damaged}");
        assert!(seen.damaged[0].starts_with("r.jsonl: line 2: "), "{:?}", seen.damaged);
        assert_eq!(seen.tail, Tail::default());
    }
}

#[test]
fn a_last_record_without_the_end_of_its_line_counts() {
    let text = format!("{}{}", seeded(1), seeded(2));
    let seen = read(text.trim_end());
    assert_eq!((seen.seeds(), seen.tail), (vec![1, 2], Tail { torn: None, is_open: true }));
}

#[test]
fn blank_lines_and_a_byte_order_mark_do_not_count() {
    let seen = read(format!("\u{feff}{}\n  \n\n{}\n \n", seeded(1), seeded(2)));
    assert_eq!((seen.seeds(), seen.tail), (vec![1, 2], Tail::default()));
}

#[test]
fn garbage_before_the_last_line_is_damage_with_its_line() {
    let seen = read(format!("{}?\n\n{}", seeded(1), seeded(2)));
    assert_eq!(seen.seeds(), [1, 2]);
    let expected = "r.jsonl: line 2: the record is damaged: it is not JSON (column 1)";
    assert_eq!(seen.damaged, [expected]);
}

#[test]
fn a_misspelt_field_is_damage_on_any_line_and_its_run_is_named() {
    let whole = sample(5).line().unwrap();
    let expected = "r.jsonl: line 1: the record of 'cave:32x24:seed=1|random|5|1|bmaa|20steps|8' is damaged: \
                    unknown field `tick` (column ";
    for end in [&whole, ""] {
        let seen = read(format!("{}{end}", whole.replace("\"ticks\"", "\"tick\"")));
        assert!(seen.damaged[0].starts_with(expected), "{:?}", seen.damaged);
        assert_eq!((seen.damaged.len(), seen.tail), (1, Tail::default()));
    }
}

#[test]
fn impossible_values_are_damage_on_any_line() {
    for (what, instead, reason) in [
        ("\"agents\":10", "\"agents\":-1", "invalid value: integer `-1`, expected a whole number"),
        ("\"agents\":10", "\"agents\":0", "a run needs at least one agent"),
        (
            "\"agents\":10",
            "\"agents\":\"10\"",
            "invalid type: string \"10\", expected a whole number",
        ),
        ("\"ticks\":9", "\"ticks\":18446744073709551616", "invalid type: floating point"),
        ("\"ticks\":9", "\"ticks\":9,\"ticks\":9", "duplicate field `ticks`"),
        ("\"seconds\":0.1", "\"seconds\":-0.1", "a measure is negative or not a number"),
        ("\"path_length\":5.0", "\"path_length\":-5.0", "a measure is negative or not a number"),
        ("\"completion_rate\":1.0", "\"completion_rate\":1.5", "a share of agents is not"),
        ("\"30s\"", "\"soon\"", "'soon' is not a limit"),
        ("\"random\"", "\"upside-down\"", "there is no kind 'upside-down'"),
        ("\"all-home\"", "\"all-lost\"", "no run ends 'all-lost'"),
        ("\"neighbours\":8", "\"neighbours\":6", "neighbours are 4 or 8"),
        ("\"map\":\"m\",", "", "missing field `map`"),
        ("{", "{\"spec\":\"0\",", "a record of a sweep needs a key"),
        ("{", "{\"key\":\"0\",", "a record of a sweep needs a spec"),
    ] {
        let wrong = line(&[(what, instead)]);
        let expected = format!("is damaged: {reason}");
        for end in ["\n", ""] {
            let seen = read(format!("{}{wrong}{end}", seeded(1)));
            assert_eq!((seen.seeds(), seen.damaged.len()), (vec![1], 1), "{wrong}");
            assert!(seen.damaged[0].contains(&expected), "{:?}", seen.damaged);
        }
    }
}

#[test]
fn the_record_of_a_solver_is_read_as_it_was_written() {
    let record = solved_sample(4);
    let text = record.line().unwrap();
    assert!(
        text.contains("\"solver\":{\"name\":\"cbs\",\"proof\":\"optimal\",\"cost\":"),
        "{text}"
    );
    let seen = read(&text);
    assert_eq!((seen.records.as_slice(), seen.damaged.as_slice()), (&[record][..], &[][..]));
}

#[test]
fn the_record_of_pairs_that_meet_is_read_as_it_was_written() {
    let record = meeting_sample(2);
    let text = record.line().unwrap();
    assert!(text.contains("\"agents\":4,\"tasks\":2,\"seed\":1,\"kind\":\"meetings\""), "{text}");
    assert!(text.contains("\"sets\":{\"generated\":"), "{text}");
    let seen = read(&text);
    assert_eq!((seen.records.as_slice(), seen.damaged.as_slice()), (&[record][..], &[][..]));
}

#[test]
fn the_parts_of_a_record_must_fit_its_tasks() {
    let pairs = serde_json::to_string(&meeting_sample(2)).unwrap();
    let crowd = serde_json::to_string(&solved_sample(4)).unwrap();
    for (whole, what, instead, reason) in [
        (&pairs, "\"tasks\":2,", "", "needs a number of tasks"),
        (&pairs, "\"tasks\":2", "\"tasks\":3", "has two agents"),
        (
            &pairs,
            "\"kind\":\"meetings\"",
            "\"kind\":\"random\"",
            "only a solver's run with meetings",
        ),
        (&pairs, "\"first_is_solved\":true", "\"first_is_solved\":null", "the first meetings"),
        (&pairs, "|meetings|2|", "|meetings|4|", "is that of another run"),
        (&crowd, "\"agents\":4", "\"agents\":4,\"tasks\":2", "only a solver's run with meetings"),
    ] {
        assert!(whole.contains(what), "{what} in {whole}");
        let seen = read(whole.replace(what, instead) + "\n");
        assert_eq!((seen.records.len(), seen.damaged.len()), (0, 1), "{instead}");
        assert!(seen.damaged[0].contains(reason), "{}", seen.damaged[0]);
    }
}

#[test]
fn the_parts_of_a_record_must_fit_its_planner_or_solver() {
    let solved = serde_json::to_string(&solved_sample(4)).unwrap();
    let planned = serde_json::to_string(&sample(4)).unwrap();
    let without_cost = {
        let (before, rest) = solved.split_once("\"cost\":").unwrap();
        format!("{before}\"cost\":null{}", &rest[rest.find(',').unwrap()..])
    };
    for (whole, what, instead, reason) in [
        (&solved, "\"planner\":null", "\"planner\":\"cbs\"", "a planner or a solver, and not both"),
        (
            &planned,
            "\"planner\":\"bmaa\"",
            "\"planner\":null",
            "a planner or a solver, and not both",
        ),
        (&planned, "\"ending\":\"all-arrived\"", "\"ending\":null", "a planner lacks a measure"),
        (&solved, "\"optimal\"", "\"splendid\"", "no search ends 'splendid'"),
        (
            &solved,
            "\"optimal\"",
            "\"impossible\"",
            "its proof is impossible, which does not fit its cost",
        ),
        (&solved, "\"bound\":", "\"bound\":9999", "its plan costs less than its bound"),
        (&solved, "\"nodes\":", "\"node\":", "unknown field `node`"),
        (&solved, "|solver cbs|", "|cbs|", "is that of another run"),
        (&without_cost, "", "", "has a cost and the times of its plans, or none"),
    ] {
        let text = whole.replacen(what, instead, 1);
        assert!(what.is_empty() || text != *whole, "{what}");
        let seen = read(text + "\n");
        assert_eq!((seen.records.len(), seen.damaged.len()), (0, 1), "{instead}");
        assert!(seen.damaged[0].contains(reason), "{:?}", seen.damaged);
    }
}

#[test]
fn a_key_that_does_not_fit_the_fields_is_damage() {
    let record = sample(5);
    for (from, to) in [("|5|", "|6|"), ("|1|", "|2|"), ("|bmaa|", "|far|"), ("|8", "|8,shortest,x")]
    {
        let key = record.key.as_ref().map(|key| key.replacen(from, to, 1));
        // With a checksum that fits, as a tool might write it.
        let text = Record { key, ..record.clone() }.line().unwrap();
        let seen = read(text);
        assert!(seen.damaged[0].contains("is that of another run"), "{:?}", seen.damaged);
    }
}

#[test]
fn a_number_that_was_changed_does_not_fit_the_checksum() {
    let text = sample(5).line().unwrap();
    let ticks = format!("\"ticks\":{}", sample(5).ticks);
    let seen = read(text.replace(&ticks, "\"ticks\":7"));
    let reason = "it does not fit its checksum, so it was changed after it was written";
    assert!(seen.damaged[0].ends_with(reason), "{:?}", seen.damaged);
    // Without the checksum nobody can know.
    let plain = serde_json::to_string(&sample(5)).unwrap();
    assert_eq!(read(plain.replace(&ticks, "\"ticks\":7")).records[0].ticks, 7);
}

#[test]
fn a_huge_line_is_damage_and_not_read_into_memory() {
    let huge = "x".repeat(3 * MOST_BYTES as usize);
    for (end, blank) in [("\n", ""), ("", ""), ("\n", " ")] {
        let huge = if blank.is_empty() { huge.clone() } else { huge.replace('x', blank) + "x" };
        let seen = read(format!("{}{huge}{end}", seeded(1)));
        assert_eq!(seen.seeds(), [1]);
        let expected =
            "r.jsonl: line 2: the record is damaged: the line has more than 1048576 bytes";
        assert_eq!(seen.damaged, [expected]);
    }
    let seen = read(format!("{huge}\n{}", seeded(2)));
    assert_eq!((seen.seeds(), seen.damaged.len()), (vec![2], 1));
}

/// Flips, cuts, doubles, inserts and swaps pieces of a record file at random.
fn mutated(text: &[u8], rng: &mut ChaCha8Rng) -> Vec<u8> {
    let mut text = text.to_vec();
    let place = rng.random_range(0..text.len());
    let length = rng.random_range(1..=60).min(text.len() - place);
    match rng.random_range(0..6) {
        0 => text[place] ^= 1 << rng.random_range(0..8),
        1 => text[place] = rng.random_range(0..=255),
        2 => drop(text.drain(place..place + length)),
        3 => {
            let piece = text[place..place + length].to_vec();
            text.splice(place..place, piece);
        }
        4 => text[place..place + length].reverse(),
        _ => text[place..place + length].fill(0),
    }
    text
}

#[test]
fn of_a_file_that_was_changed_at_random_only_whole_records_are_read() {
    let records: Vec<Record> = [5, 6, 7].map(sample).into();
    let lines: Vec<String> = records.iter().map(|record| record.line().unwrap()).collect();
    let text = lines.concat();
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut damaged = 0;
    for round in 0..4_000 {
        let changed = mutated(text.as_bytes(), &mut rng);
        let seen = read(&changed);
        let shown = || format!("round {round}: {}", String::from_utf8_lossy(&changed));
        assert!(seen.records.iter().all(|record| records.contains(record)), "{}", shown());
        let is_named = !seen.damaged.is_empty() || seen.tail.torn.is_some();
        let are_there = records.iter().all(|record| seen.records.contains(record));
        assert!(is_named || are_there, "{}", shown());
        damaged += usize::from(is_named);
    }
    assert!(damaged > 3_000, "most changes are damage: {damaged}");
}

#[test]
fn what_an_error_quotes_of_a_line_is_escaped_and_short() {
    let hostile = format!("\\u001b[2J{}", "x".repeat(500_000));
    for field in ["\"random\"", "10"] {
        let seen = read(line(&[(field, &format!("\"{hostile}\""))]));
        let [damage] = seen.damaged.as_slice() else { panic!("{:?}", seen.damaged) };
        assert!(damage.contains(r"\u{1b}[2Jxxx") && damage.len() < 600, "{damage}");
    }
}
