//! The compact form of a line: what each agent did since the line before, in one character.
//!
//! ```text
//! 25:steps 0412[30]83(7,4)-
//! ```
//!
//! From the first agent on, by number: a digit is a step, 0 for an agent that stays and 1 to 8 for N, E, S, W, NE, SE,
//! SW and NW; `[30]` stands for thirty agents that stay. An agent that no step leads to where it is now has its position
//! instead, and one that is gone has `-`. All agents after the last one listed stay.
//!
//! Staying means the same as in the line before. So an agent that was not present stays so with a 0.

use std::fmt::Write as _;

use super::writer::{write_number, write_place};
use super::{PathsError, Position};
use crate::formats::quote::quoted;
use crate::formats::script::position;
use crate::grid::Direction;

/// What stands between the tick and the steps.
pub(super) const MARK: &str = "steps";

/// Fewer agents that stay are cheaper as zeros.
const SHORTEST_RUN: usize = 4;

/// Writes what agents did since they stood at `before`.
pub(super) fn write_steps(text: &mut String, tick: u64, before: &[Position], now: &[Position]) {
    // Writing to a string cannot fail.
    let _ = write!(text, "{tick}:{MARK} ");
    let mut staying = 0;
    for (agent, now) in now.iter().enumerate() {
        let before = before.get(agent).copied().flatten();
        if before == *now {
            staying += 1;
            continue;
        }
        write_staying(text, std::mem::take(&mut staying));
        match (step_between(before, *now), *now) {
            (Some(step), _) => text.push(char::from(b'1' + step as u8)),
            (None, Some(now)) => write_place(text, now),
            (None, None) => text.push('-'),
        }
    }
    text.push('\n');
}

fn write_staying(text: &mut String, agents: usize) {
    if agents < SHORTEST_RUN {
        text.extend(std::iter::repeat_n('0', agents));
    } else {
        text.push('[');
        write_number(text, agents as u32);
        text.push(']');
    }
}

fn step_between(from: Position, to: Position) -> Option<Direction> {
    let ((from_x, from_y), (to_x, to_y)) = (from?, to?);
    let delta = |from: u32, to: u32| i32::try_from(i64::from(to) - i64::from(from)).ok();
    Direction::of_delta(delta(from_x, to_x)?, delta(from_y, to_y)?)
}

/// Reads what follows [`MARK`] on a line. `positions` are those of the line before, and then those of this one.
pub(super) fn read_steps(
    list: &str,
    line: usize,
    positions: &mut [Position],
) -> Result<(), PathsError> {
    let expected = positions.len();
    let mut agent = 0;
    let mut rest = list.trim();
    while let Some(&first) = rest.as_bytes().first() {
        let wrong = || PathsError::Steps { line, found: quoted(rest) };
        // The bracket that ends what begins here.
        let end = |bracket: char| rest.find(bracket).map(|end| end + 1).ok_or_else(wrong);
        let (agents, length) = match first {
            b'[' => {
                let length = end(']')?;
                (rest[1..length - 1].parse().map_err(|_| wrong())?, length)
            }
            b'(' => (1, end(')')?),
            _ => (1, 1),
        };
        let after = usize::saturating_add(agent, agents);
        if after > expected {
            return Err(PathsError::Count { line, found: after, expected });
        }
        match first {
            b'0' | b'[' => {}
            b'-' => positions[agent] = None,
            b'(' => positions[agent] = Some(position(&rest[..length]).ok_or_else(wrong)?),
            _ => {
                let moved = positions[agent].zip(direction(first));
                let moved = moved.and_then(|(from, direction)| stepped(from, direction));
                positions[agent] = Some(moved.ok_or_else(wrong)?);
            }
        }
        agent = after;
        rest = &rest[length..];
    }
    Ok(())
}

fn direction(digit: u8) -> Option<Direction> {
    Direction::ALL.get(usize::from(digit.checked_sub(b'1')?)).copied()
}

fn stepped((x, y): (u32, u32), direction: Direction) -> Option<(u32, u32)> {
    let (dx, dy) = direction.delta();
    Some((x.checked_add_signed(dx)?, y.checked_add_signed(dy)?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(list: &str, before: &[Position]) -> Result<Vec<Position>, String> {
        let mut positions = before.to_vec();
        read_steps(list, 7, &mut positions).map_err(|error| error.to_string())?;
        Ok(positions)
    }

    fn written(before: &[Position], now: &[Position]) -> String {
        let mut text = String::new();
        write_steps(&mut text, 3, before, now);
        text
    }

    #[test]
    fn a_line_has_a_character_for_each_agent_that_moves() {
        let at = |x, y| Some((x, y));
        let before = [at(1, 1), at(5, 5), at(2, 2), None, at(9, 9), at(3, 3), None, at(0, 4)];
        let now = [at(1, 0), at(5, 5), at(1, 3), None, None, at(3, 9), at(6, 6), at(0, 4)];
        let line = written(&before, &now);
        assert_eq!(line, "3:steps 1070-(3,9)(6,6)\n");
        assert_eq!(read(line.trim_start_matches("3:steps"), &before).unwrap(), now);
    }

    #[test]
    fn all_eight_steps_have_their_digits() {
        let before = vec![Some((4, 4)); 8];
        let around = [(4, 3), (5, 4), (4, 5), (3, 4), (5, 3), (5, 5), (3, 5), (3, 3)].map(Some);
        assert_eq!(written(&before, &around), "3:steps 12345678\n");
        assert_eq!(read("12345678", &before).unwrap(), around);
    }

    #[test]
    fn many_agents_that_stay_take_a_few_characters() {
        let before = vec![Some((4, 4)); 3000];
        let mut now = before.clone();
        now[1234] = Some((4, 5));
        assert_eq!(written(&before, &now), "3:steps [1234]3\n");
        assert_eq!(read("[1234]3", &before).unwrap(), now);
    }

    #[test]
    fn what_is_wrong_is_shown_from_there_on() {
        let before = [Some((0, 4)), None, Some((u32::MAX, 4))];
        for (list, found) in [
            ("9", "'9'"),
            ("0x", "'x'"),
            ("4", "'4'"),
            ("01", "'1'"),
            ("002", "'2'"),
            ("0(1;2)", "'(1;2)'"),
            ("0(1,2", "'(1,2'"),
            ("[2", "'[2'"),
            ("[]", "'[]'"),
            ("[-1]0", "'[-1]0'"),
            ("0 0", "' 0'"),
            ("\u{e4}0", "'\u{e4}0'"),
        ] {
            let expected = format!(
                "line 7: expected a digit from 0 to 8, (x,y), - or [NUMBER] for each agent, and found {found}"
            );
            assert_eq!(read(list, &before).unwrap_err(), expected, "{list}");
        }
        for (list, found) in [("0000", 4), ("[4]", 4), ("0[18446744073709551615]", usize::MAX)] {
            let expected = format!("line 7: found {found} positions for 3 agents");
            assert_eq!(read(list, &before).unwrap_err(), expected, "{list}");
        }
    }

    fn a_position() -> impl Strategy<Value = Position> {
        prop_oneof![
            4 => (0u32..6, 0u32..6).prop_map(Some),
            1 => Just(None),
            1 => any::<(u32, u32)>().prop_map(Some),
        ]
    }

    proptest! {
        #[test]
        fn what_was_written_is_read(
            before in prop::collection::vec(a_position(), 0..40),
            changes in prop::collection::vec((any::<prop::sample::Index>(), a_position()), 0..30),
            joined in prop::collection::vec(a_position(), 0..4),
        ) {
            let mut now = before.clone();
            for (index, position) in changes {
                if !now.is_empty() {
                    let agent = index.index(now.len());
                    now[agent] = position;
                }
            }
            now.extend(joined);
            let line = written(&before, &now);
            let mut columns = before;
            columns.resize(now.len(), None);
            prop_assert_eq!(read(line.trim_start_matches("3:steps"), &columns).unwrap(), now);
        }
    }
}
