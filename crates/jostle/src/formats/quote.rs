//! What comes from files, file names and arguments, as it is safe to print.
//!
//! Such text can hold characters that a terminal obeys instead of showing (escape sequences, carriage returns), that
//! turn the direction of what follows, or that cannot be seen. Every message quotes it through one of these functions.

use std::fmt::Write;
use std::path::Path;

/// The longest quotation in an error, in characters.
pub const LONGEST_QUOTATION: usize = 60;

/// No system opens a file by a name with more bytes than this.
const LONGEST_PATH: usize = 4096;

/// A text in quotes, as an error quotes it: [`printable`], and at most [`LONGEST_QUOTATION`] characters long.
///
/// ```
/// use jostle::formats::quoted;
///
/// assert_eq!(quoted("hello"), "'hello'");
/// assert_eq!(quoted("\u{1b}[31mred"), r"'\u{1b}[31mred'");
/// ```
pub fn quoted(text: &str) -> String {
    format!("'{}'", printable(text, LONGEST_QUOTATION))
}

/// A text without characters that are obeyed instead of shown or that cannot be seen: control characters, line breaks,
/// spaces other than the usual one, marks of direction and letters without width. They are escaped, as in `\u{1b}`.
/// A text of more than `most` characters is cut off there and ends with `...`, so that at most `most + 3` are printed.
///
/// Accents and other marks that combine with a letter stay, because many languages cannot be written without them.
pub fn printable(text: &str, most: usize) -> String {
    let mut shown = String::with_capacity(text.len().min(most));
    let mut left = most;
    for letter in text.chars() {
        let length = if is_hidden(letter) { letter.escape_default().len() } else { 1 };
        if length > left {
            shown.push_str("...");
            break;
        }
        left -= length;
        if is_hidden(letter) {
            shown.extend(letter.escape_default());
        } else {
            shown.push(letter);
        }
    }
    shown
}

/// The name that means standard input wherever a file is read. A file of this name is `./-`.
pub const STANDARD_INPUT: &str = "-";

/// The name of a file or a folder in a message; `standard input` for [`-`](STANDARD_INPUT). It is never cut off, because a part of it does not lead to the file;
/// only a text that is too long to name any file is. Bytes that are not UTF-8 are written as in `\xff`, and no name at
/// all as `''`.
pub fn shown_path(path: impl AsRef<Path>) -> String {
    let bytes = path.as_ref().as_os_str().as_encoded_bytes();
    if bytes.is_empty() {
        return quoted("");
    }
    if bytes == STANDARD_INPUT.as_bytes() {
        return "standard input".to_owned();
    }
    let mut shown = String::new();
    for chunk in bytes[..bytes.len().min(LONGEST_PATH)].utf8_chunks() {
        shown.push_str(&printable(chunk.valid(), usize::MAX));
        for byte in chunk.invalid() {
            // Writing to a string cannot fail.
            let _ = write!(shown, "\\x{byte:02x}");
        }
    }
    if bytes.len() > LONGEST_PATH {
        return printable(&shown, LONGEST_QUOTATION);
    }
    shown
}

/// Whether a character must not be printed as it is.
pub fn is_hidden(letter: char) -> bool {
    if letter.is_ascii() {
        return letter.is_ascii_control();
    }
    letter.is_control() || letter.is_whitespace() || is_ignorable(letter)
}

/// Characters that Unicode tells programs not to show (`Default_Ignorable_Code_Point`), among them the marks that
/// change the direction of writing, and those that annotate other text.
const fn is_ignorable(letter: char) -> bool {
    matches!(
        letter,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_escaped() {
        assert_eq!(quoted("a\u{1b}[2Jb"), r"'a\u{1b}[2Jb'");
        assert_eq!(quoted("a\0\r\n\tb"), r"'a\u{0}\r\n\tb'");
        assert_eq!(quoted("\u{7f}\u{9b}31m"), r"'\u{7f}\u{9b}31m'");
    }

    #[test]
    fn what_cannot_be_seen_or_turns_the_text_around_is_escaped() {
        assert_eq!(quoted("\u{feff}type\u{a0}octile"), r"'\u{feff}type\u{a0}octile'");
        assert_eq!(quoted("map\u{202e}gnp.\u{200b}"), r"'map\u{202e}gnp.\u{200b}'");
        assert_eq!(quoted("a\u{2028}b\u{e0041}"), r"'a\u{2028}b\u{e0041}'");
    }

    #[test]
    fn letters_of_all_languages_stay_as_they_are() {
        for text in ["Größe", "cafe\u{301}", "ภาษาไทย", "हिन्दी", "地图 1", "it's \\ \"it\"", "☀"]
        {
            assert_eq!(quoted(text), format!("'{text}'"));
        }
    }

    #[test]
    fn a_quotation_is_cut_off_after_60_characters_and_not_within_an_escape() {
        assert_eq!(quoted(&"x".repeat(60)), format!("'{}'", "x".repeat(60)));
        assert_eq!(quoted(&"x".repeat(61)), format!("'{}...'", "x".repeat(60)));
        let long = format!("{}\u{1b}y", "x".repeat(58));
        assert_eq!(quoted(&long), format!("'{}...'", "x".repeat(58)));
    }

    #[test]
    fn a_path_is_escaped_but_stays_whole_unless_it_can_name_no_file() {
        let long = format!("/maps/{}/a.map", "x".repeat(1000));
        assert_eq!(shown_path(&long), long);
        assert_eq!(shown_path("a\nb\u{1b}.map"), r"a\nb\u{1b}.map");
        assert_eq!(shown_path(""), "''");
        assert!(shown_path("x".repeat(100_000)).chars().count() <= 63);
    }

    #[cfg(unix)]
    #[test]
    fn bytes_of_a_path_that_are_not_utf_8_can_be_told_apart() {
        use std::os::unix::ffi::OsStrExt;
        let path = std::ffi::OsStr::from_bytes(b"a\xff\x1b\xfe.map");
        assert_eq!(shown_path(path), r"a\xff\u{1b}\xfe.map");
    }

    proptest! {
        #[test]
        fn nothing_that_is_quoted_is_hidden_or_long(text in any::<Vec<char>>()) {
            let text: String = text.into_iter().collect();
            let shown = quoted(&text);
            prop_assert!(!shown.contains(is_hidden), "{}", shown);
            prop_assert!(shown.chars().count() <= 60 + "'...'".len());
            prop_assert!(!shown_path(&text).contains(is_hidden));
            prop_assert_eq!(printable(&shown, usize::MAX), shown);
        }
    }
}
