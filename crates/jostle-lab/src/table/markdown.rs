//! Text in Markdown.

/// Text that Markdown shows as it is, also in a cell of a table: names of maps and planners are data, and must not
/// turn into HTML, links, code or further columns. Plain names stay readable in the file itself.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut before = None;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let next = letters.peek().copied();
        let is_inside_a_word =
            [before, next].iter().all(|side| side.is_some_and(char::is_alphanumeric));
        match letter {
            '&' => escaped.push_str("&amp;"),
            // What opens no tag stays, as in "<5".
            '<' if !next.is_some_and(|next| next == ' ' || next.is_ascii_digit()) => {
                escaped.push_str("&lt;");
            }
            '_' if is_inside_a_word => escaped.push('_'),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '$' => escaped.extend(['\\', letter]),
            _ => escaped.push(letter),
        }
        before = Some(letter);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_names_and_numbers_stay_as_they_are() {
        for text in [
            "rooms:96x64:seed=1",
            "my_own",
            "bmaa:expansions=64",
            "±24.8 (39)",
            "(<5)",
            "a-b + c",
            "90.0 %",
        ] {
            assert_eq!(escape(text), text);
        }
    }

    #[test]
    fn nothing_turns_into_html_links_code_emphasis_or_columns() {
        assert_eq!(escape("<img src=x>"), "&lt;img src=x>");
        assert_eq!(escape("</td><!-- <?"), "&lt;/td>&lt;!-- &lt;?");
        assert_eq!(escape("&lt;b"), "&amp;lt;b");
        assert_eq!(escape("a|b"), r"a\|b");
        assert_eq!(escape(r"a\|b"), r"a\\\|b");
        assert_eq!(escape("![x](javascript:y)"), r"!\[x\](javascript:y)");
        assert_eq!(escape("`x` *y* _z_ ~~w~~ $v$"), r"\`x\` \*y\* \_z\_ \~\~w\~\~ \$v\$");
    }
}
