//! The parts of the page that are the same for all runs. The scripts under `page/` share one scope, and are split by idea.

use std::io::{self, Write};
use std::sync::LazyLock;

use jostle::formats::printable;

const TEMPLATE: &str = include_str!("../page/template.html");
const STYLE: &str = include_str!("../page/style.css");

/// The parts of the script, in the order in which they need each other.
const SCRIPT: [&str; 18] = [
    include_str!("../page/decode.js"),
    include_str!("../page/timeline.js"),
    include_str!("../page/floor.js"),
    include_str!("../page/heat.js"),
    include_str!("../page/palette.js"),
    include_str!("../page/camera.js"),
    include_str!("../page/sprites.js"),
    include_str!("../page/crowd.js"),
    include_str!("../page/trails.js"),
    include_str!("../page/dots.js"),
    include_str!("../page/meetings.js"),
    include_str!("../page/sparkline.js"),
    include_str!("../page/text.js"),
    include_str!("../page/panel.js"),
    include_str!("../page/card.js"),
    include_str!("../page/layout.js"),
    include_str!("../page/controls.js"),
    include_str!("../page/main.js"),
];

/// Where the runs are in the template.
const RUNS: &str = "{{runs}}";

/// Writes what precedes the runs.
pub fn write_head(out: &mut dyn Write, title: &str) -> io::Result<()> {
    let head = TEMPLATE.split_once(RUNS).map_or(TEMPLATE, |(head, _)| head);
    let title = escape(title);
    fill(head, out, |slot| match slot {
        "title" => &title,
        "style" => STYLE,
        _ => "",
    })
}

/// What follows the runs.
pub static TAIL: LazyLock<String> = LazyLock::new(|| {
    let tail = TEMPLATE.split_once(RUNS).map_or("", |(_, tail)| tail);
    tail.replace("{{script}}", &SCRIPT.join("\n"))
});

/// Text as HTML shows it, inside an element or an attribute. What nobody could see is escaped.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in printable(text, usize::MAX).chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// Writes a template with every `{{slot}}` replaced, in one pass: what is filled in is never looked at again,
/// so a title may well say `{{style}}`.
fn fill<'a>(
    template: &str,
    out: &mut dyn Write,
    content: impl Fn(&str) -> &'a str,
) -> io::Result<()> {
    let mut rest = template;
    while let Some((before, (slot, after))) =
        rest.split_once("{{").and_then(|(before, tail)| Some((before, tail.split_once("}}")?)))
    {
        out.write_all(before.as_bytes())?;
        out.write_all(content(slot).as_bytes())?;
        rest = after;
    }
    out.write_all(rest.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_cannot_close_its_own_element() {
        assert!(SCRIPT.iter().all(|part| !part.contains("</script")));
    }
}
