//! Quotes pieces of a file in errors.

/// The longest piece of a file that an error quotes, in characters.
const MOST_LETTERS: usize = 60;

/// A piece of a file in quotes: unprintable characters are escaped, and text that is too long is cut off.
pub fn quoted(text: &str) -> String {
    let shown: String = text.chars().take(MOST_LETTERS).flat_map(char::escape_debug).collect();
    let more = if text.chars().nth(MOST_LETTERS).is_some() { "..." } else { "" };
    format!("'{shown}{more}'")
}
