//! One self-contained page that plays a run in any browser.
//!
//! The page contains its styles, its scripts and the run, and its content policy forbids it to load
//! anything else. [`data`] documents the format of the run. The scripts under `page/` share one scope
//! and are split by idea.

mod data;

use std::fmt::Write as _;
use std::io::{self, Write};

use jostle::Trace;
use jostle::formats::{PathsTask, printable};

const TEMPLATE: &str = include_str!("page/template.html");
const STYLE: &str = include_str!("page/style.css");

/// The parts of the script, in the order in which they need each other.
const SCRIPT: [&str; 13] = [
    include_str!("page/decode.js"),
    include_str!("page/timeline.js"),
    include_str!("page/floor.js"),
    include_str!("page/heat.js"),
    include_str!("page/palette.js"),
    include_str!("page/camera.js"),
    include_str!("page/crowd.js"),
    include_str!("page/dots.js"),
    include_str!("page/meetings.js"),
    include_str!("page/sparkline.js"),
    include_str!("page/panel.js"),
    include_str!("page/controls.js"),
    include_str!("page/main.js"),
];

/// What a replay page shows.
#[derive(Clone, Copy, Debug)]
pub struct Replay<'a> {
    /// The run in one line: planner, map, agents, seed.
    pub title: &'a str,
    /// Labels and values to show beside the title, for example `("arrived", "97.5 %")`.
    pub facts: &'a [(String, String)],
    /// The run.
    pub trace: &'a Trace,
    /// The tasks of agents that meet. The number of an agent is its slot.
    pub tasks: &'a [PathsTask],
}

/// Writes the page that plays a run.
///
/// It grows with the ticks in which agents change direction: an agent that stands still or walks
/// straight on costs next to nothing, one that turns at every tick costs two thirds of a byte per tick.
pub fn write_page(replay: &Replay<'_>, out: &mut dyn Write) -> io::Result<()> {
    fill(TEMPLATE, out, |slot, out| match slot {
        "title" => out.write_all(escape(replay.title).as_bytes()),
        "facts" => out.write_all(facts_list(replay.facts).as_bytes()),
        "style" => out.write_all(STYLE.as_bytes()),
        "run" => data::write(replay.trace, replay.tasks, out),
        "script" => out.write_all(SCRIPT.join("\n").as_bytes()),
        _ => Ok(()),
    })
}

fn facts_list(facts: &[(String, String)]) -> String {
    facts.iter().fold(String::new(), |mut list, (label, value)| {
        // Writing to a string cannot fail.
        let _ = write!(list, "<div><dt>{}</dt><dd>{}</dd></div>", escape(label), escape(value));
        list
    })
}

/// Text as HTML shows it, inside an element or an attribute. What nobody could see is escaped.
fn escape(text: &str) -> String {
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
/// so a title may well say `{{run}}`.
fn fill(
    template: &str,
    out: &mut dyn Write,
    write_slot: impl Fn(&str, &mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut rest = template;
    while let Some((before, (slot, after))) =
        rest.split_once("{{").and_then(|(before, tail)| Some((before, tail.split_once("}}")?)))
    {
        out.write_all(before.as_bytes())?;
        write_slot(slot, out)?;
        rest = after;
    }
    out.write_all(rest.as_bytes())
}

#[cfg(test)]
mod tests {
    use jostle::{Grid, World};

    use super::*;

    fn page_of(title: &str, facts: &[(String, String)]) -> String {
        let world = World::new(Grid::open(2, 2).unwrap());
        let mut page = Vec::new();
        let trace = Trace::begin(&world);
        write_page(&Replay { title, facts, trace: &trace, tasks: &[] }, &mut page).unwrap();
        String::from_utf8(page).unwrap()
    }

    #[test]
    fn titles_and_facts_cannot_break_out_of_their_elements() {
        let facts = [("<b>".to_owned(), "\"1\" & '2'".to_owned())];
        let page = page_of("</title></script><script>alert(1)", &facts);
        assert!(page.contains("<title>&lt;/title&gt;&lt;/script&gt;&lt;script&gt;alert(1)"));
        assert!(page.contains("<dt>&lt;b&gt;</dt><dd>&quot;1&quot; &amp; &#39;2&#39;</dd>"));
        assert!(!page.contains("<script>alert"));
    }

    #[test]
    fn a_title_holds_nothing_hidden() {
        let page = page_of("map\u{1b}[2J\0\u{202e}", &[]);
        assert!(page.contains(r"<title>map\u{1b}[2J\u{0}\u{202e}"));
    }

    #[test]
    fn a_title_that_looks_like_a_slot_is_shown_as_it_is() {
        let page = page_of("{{run}} {{", &[]);
        assert!(page.contains("<title>{{run}} {{"));
    }

    #[test]
    fn every_slot_of_the_template_is_filled_and_nothing_is_fetched() {
        let page = page_of("a run", &[]);
        for slot in ["{{title", "{{facts", "{{style", "{{run", "{{script"] {
            assert!(!page.contains(slot), "{slot} is left");
        }
        for fetch in ["src=\"http", "href=\"http", "@import", "url(http"] {
            assert!(!page.contains(fetch), "{fetch} is there");
        }
    }

    #[test]
    fn the_script_cannot_close_its_own_element() {
        assert!(SCRIPT.iter().all(|part| !part.contains("</script")));
    }
}
