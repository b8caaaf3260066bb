//! Structured mutations of texts.

use crate::dice::Dice;

/// What readers stumble over.
const TOKENS: [&[u8]; 28] = [
    b"0",
    b"-1",
    b"1",
    b"7",
    b"32768",
    b"32769",
    b"4294967295",
    b"4294967296",
    b"18446744073709551615",
    b"18446744073709551616",
    b"99999999999999999999999999999999999999",
    b"0.1",
    b"1e400",
    b"NaN",
    b"inf",
    b"\xef\xbb\xbf",
    b"\x1b[31m",
    b"\0",
    b"\r",
    b"\n",
    b"\t",
    b"\xff",
    b"\xc3\xbc",
    "\u{202e}".as_bytes(),
    b"'\"`",
    b"<b>",
    b"=1+1",
    b"(),:/-#",
];

/// The longest text that a mutation makes.
const LONGEST: usize = 16_384;

/// Changes a text at one place; `other` is a text from which pieces can be taken.
pub fn mutate(bytes: &mut Vec<u8>, other: &[u8], dice: &mut Dice) {
    let (begin, end) = range(bytes.len(), dice);
    match dice.between(0, 9) {
        0 if begin < bytes.len() => bytes[begin] ^= 1 << dice.between(0, 7),
        1 => drop(bytes.drain(begin..end)),
        2 => bytes.truncate(begin),
        3 => {
            let piece = bytes[begin..end].to_vec();
            let times = *dice.pick(&[1, 1, 2, 8, 64]);
            insert(bytes, end, &piece.repeat(times));
        }
        4 => {
            let (from, to) = range(other.len(), dice);
            insert(bytes, begin, &other[from..to]);
        }
        5 => {
            let letter = *dice.pick(b"x0 .(,=\x1b\n");
            let length = *dice.pick(&[70, 400, 5_000]);
            insert(bytes, begin, &vec![letter; length]);
        }
        6 => replace_number(bytes, dice),
        7 => swap_lines(bytes, dice),
        8 => insert(bytes, 0, TOKENS[dice.below(TOKENS.len())]),
        _ => insert(bytes, begin, TOKENS[dice.below(TOKENS.len())]),
    }
}

/// A piece of a text of this length, most often a short one.
fn range(length: usize, dice: &mut Dice) -> (usize, usize) {
    let begin = dice.below(length + 1);
    let most = if dice.percent(80) { 12 } else { length };
    (begin, (begin + dice.below(most + 1)).min(length))
}

fn insert(bytes: &mut Vec<u8>, at: usize, piece: &[u8]) {
    if bytes.len() + piece.len() <= LONGEST {
        bytes.splice(at..at, piece.iter().copied());
    }
}

/// Puts something else in place of a number.
fn replace_number(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let from = dice.below(bytes.len() + 1);
    let Some(begin) = bytes[from..].iter().position(u8::is_ascii_digit).map(|at| from + at) else {
        return;
    };
    let digits = bytes[begin..].iter().take_while(|letter| letter.is_ascii_digit()).count();
    let token = TOKENS[dice.below(TOKENS.len())];
    bytes.splice(begin..begin + digits, token.iter().copied());
}

fn swap_lines(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let mut lines: Vec<&[u8]> = bytes.split(|letter| *letter == b'\n').collect();
    let (a, b) = (dice.below(lines.len()), dice.below(lines.len()));
    lines.swap(a, b);
    *bytes = lines.join(&b'\n');
}
