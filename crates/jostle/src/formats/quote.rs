//! Quoting what a file says in an error.

/// The longest piece of a file that an error repeats.
const MOST_LETTERS: usize = 60;

/// A piece of a file in quotes: what is no plain letter is escaped, and what is too long is cut.
pub fn quoted(text: &str) -> String {
    let shown: String = text.chars().take(MOST_LETTERS).flat_map(char::escape_debug).collect();
    let more = if text.chars().nth(MOST_LETTERS).is_some() { "..." } else { "" };
    format!("'{shown}{more}'")
}
