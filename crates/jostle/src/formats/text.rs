//! What all text files have in common.

/// The text without the byte order mark that some editors put before it. It says nothing about UTF-8, and no format
/// wants it.
pub fn without_byte_order_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}
