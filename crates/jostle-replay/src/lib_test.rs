use jostle::{Grid, World};

use super::*;

fn nobody(width: u32, height: u32) -> Trace {
    Trace::begin(&World::new(Grid::open(width, height).unwrap()))
}

fn page_of(title: &str, runs: &[Run<'_>]) -> String {
    let mut page = Page::begin(Vec::new(), title).unwrap();
    for run in runs {
        page.add(run).unwrap();
    }
    String::from_utf8(page.finish().unwrap()).unwrap()
}

#[test]
fn titles_facts_and_notes_cannot_break_out_of_their_elements() {
    let trace = nobody(2, 2);
    let hostile = "</title></script><script>alert(1)";
    let run = Run::new(hostile, &trace).fact("<b>", "\"1\" & '2'").note(hostile);
    let page = page_of(hostile, &[run]);
    let shown = "&lt;/title&gt;&lt;/script&gt;&lt;script&gt;alert(1)";
    for element in ["title", "h1", "h2"] {
        assert!(page.contains(&format!("<{element}>{shown}")), "{element}");
    }
    assert!(page.contains(&format!("<p class=\"note\">{shown}</p>")));
    assert!(page.contains("<dt>&lt;b&gt;</dt><dd>&quot;1&quot; &amp; &#39;2&#39;</dd>"));
    assert!(!page.contains("<script>alert"));
}

#[test]
fn a_title_holds_nothing_hidden() {
    let page = page(&nobody(2, 2), "map\u{1b}[2J\0\u{202e}");
    assert!(page.contains(r"<title>map\u{1b}[2J\u{0}\u{202e}"));
}

#[test]
fn a_title_that_looks_like_a_slot_is_shown_as_it_is() {
    let page = page(&nobody(2, 2), "{{runs}} {{script}} {{");
    assert!(page.contains("<title>{{runs}} {{script}} {{"));
}

#[test]
fn every_slot_of_the_template_is_filled_and_nothing_is_fetched() {
    let page = page(&nobody(2, 2), "a run");
    for slot in ["{{title", "{{style", "{{runs", "{{script"] {
        assert!(!page.contains(slot), "{slot} is left");
    }
    for fetch in ["src=\"http", "href=\"http", "@import", "url(http"] {
        assert!(!page.contains(fetch), "{fetch} is there");
    }
}

#[test]
fn the_short_way_and_the_long_way_make_the_same_page() {
    let trace = nobody(3, 2);
    assert_eq!(page(&trace, "one"), page_of("one", &[Run::new("one", &trace)]));
}

#[test]
fn runs_on_one_floor_store_it_once() {
    let (wide, tall) = (nobody(4, 3), nobody(3, 4));
    let runs = [&wide, &tall, &wide, &tall].map(|trace| Run::new("a run", trace));
    let page = page_of("four runs", &runs);
    let floors: Vec<_> = page
        .split("\"floor\":")
        .skip(1)
        .map(|rest| rest.split_once(',').unwrap().0.to_owned())
        .collect();
    assert_eq!(floors, ["\"/w8=\"", "\"/w8=\"", "0", "1"]);
}

#[test]
fn an_output_that_fails_is_an_error_and_no_panic() {
    let mut room = [0; 100];
    assert!(Page::begin(&mut room[..], "no room").is_err());
}
