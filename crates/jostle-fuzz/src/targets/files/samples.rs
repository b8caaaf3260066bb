//! Valid texts of every format, to be mutated.

use std::fmt::Write;

use jostle::formats::Paths;
use jostle::instance::Kind;
use jostle::planners::Registry;
use jostle::{Level, Moves, Script, Trace};

use super::Format;
use crate::dice::Dice;
use crate::scene::draw::{self, Artist};
use crate::scene::{Change, Floor};
use crate::stage::Stage;

/// A valid text.
pub fn sample(format: Format, dice: &mut Dice) -> String {
    match format {
        Format::Map => map(dice),
        Format::Scenario => scenario(dice),
        Format::Script => Paths::parse(&paths(dice))
            .map_or_else(|_| String::new(), |paths| Script::write(&paths.script)),
        Format::Paths => paths(dice),
        Format::SweepSpec => sweep_spec(dice),
        Format::Records => (0..dice.between(1, 3)).map(|_| record(dice)).collect(),
        Format::Planner => planner(dice),
        Format::Numbers => numbers(dice),
        Format::Limits => limits(dice),
        Format::MapName => map_name(dice),
        Format::Shard => format!("{}/{}", dice.between(1, 8), dice.between(1, 8)),
    }
}

fn map(dice: &mut Dice) -> String {
    let rows = draw::map(dice, 12);
    let (width, height) = (rows.first().map_or(0, String::len), rows.len());
    let mut text = format!("type octile\nheight {height}\nwidth {width}\nmap\n");
    for row in rows {
        let letter = |letter| match letter {
            '.' => *dice.pick(&['.', '.', 'G', 'S']),
            _ => *dice.pick(&['@', '@', 'O', 'T', 'W']),
        };
        text.extend(row.chars().map(letter));
        text.push('\n');
    }
    text
}

fn scenario(dice: &mut Dice) -> String {
    let has_sizes = dice.percent(70);
    let mut text = format!("version {}\n", u8::from(has_sizes));
    for _ in 0..dice.between(0, 5) {
        let place = |dice: &mut Dice| format!("{}\t{}", dice.between(0, 9), dice.between(0, 9));
        let size = if has_sizes { "10\t10\t" } else { "" };
        let (start, goal, length) = (place(dice), place(dice), dice.between(0, 900));
        let _ =
            writeln!(text, "{}\ta.map\t{size}{start}\t{goal}\t{}.{length:08}", length / 4, length);
    }
    text
}

/// The path file of a short run in which agents only stand, and the game does something.
fn paths(dice: &mut Dice) -> String {
    let (rows, rules) = (draw::map(dice, 8), draw::rules(dice));
    let floor = Floor { rows: rows.clone(), rules };
    let mut artist = Artist::new(dice, rows);
    let Some(mut stage) = Stage::new(&floor) else { return String::new() };
    for _ in 0..artist.crowd_size(6) {
        let _ = stage.apply(&Change::Join(artist.newcomer()));
    }
    let mut trace = Trace::begin(&stage.world);
    for _ in 0..artist.dice.between(0, 4) {
        for _ in 0..artist.dice.between(0, 2) {
            let change = artist.change();
            let _ = stage.apply(&change);
        }
        if stage.world.advance(&Moves::waiting(&stage.world)).is_ok() {
            trace.record(&stage.world);
        }
    }
    Paths::of(&trace).write()
}

fn sweep_spec(dice: &mut Dice) -> String {
    let mut text = "name = \"doors\"\n".to_owned();
    for _ in 0..dice.between(1, 2) {
        let kind = dice.pick(&Kind::ALL).name();
        let (map, agents, planner) = (map_name(dice), numbers(dice), planner(dice));
        let _ = write!(
            text,
            "\n[[sweep]]\nmaps = [\"{map}\", \"mine.map\"]\nkinds = [\"{kind}\"]\n\
             agents = [\"{agents}\", {}]\nseeds = \"{}\"\n\
             planners = [\"{planner}\", {{ planner = \"lra\", agents_at_most = 9 }}]\n\
             limits = [\"{}\"]\nneighbours = {}\ncorners = \"one\"\nforbid_crossing = {}\n",
            dice.between(1, 9),
            numbers(dice),
            limits(dice),
            dice.pick(&[4, 8]),
            dice.percent(50),
        );
    }
    text
}

fn record(dice: &mut Dice) -> String {
    let (agents, seed, ticks) = (dice.between(1, 99), dice.between(1, 9), dice.between(1, 4096));
    let (planner, map, limit) = (planner(dice), map_name(dice), limits(dice));
    format!(
        "{{\"key\":\"{map}|{agents}|{seed}\",\"planner\":\"{planner}\",\"map\":\"{map}\",\
         \"agents\":{agents},\"seed\":{seed},\"kind\":\"random\",\"neighbours\":8,\"limit\":\"{limit}\",\
         \"ticks\":{ticks},\"seconds\":0.1,\"ending\":\"all-arrived\",\"completion_rate\":1.0,\
         \"completion_ticks\":5.0,\"completion_seconds\":null,\"travel_distance\":7.25,\"makespan\":9,\
         \"sum_of_costs\":50,\"expansions\":1,\"searches\":1,\"tick_p99_us\":1500.0,\"tick_max_us\":1.0,\
         \"first_tick_us\":1.0,\"later_tick_max_us\":1.0,\"success_rate\":0.5,\"path_length\":5.0,\
         \"path_over_shortest\":null,\"cycles\":0.0,\"planner_bytes\":0,\"fingerprint\":\"f\",\
         \"version\":\"0.1.0\"}}\n"
    )
}

fn planner(dice: &mut Dice) -> String {
    let entry = dice.pick(Registry::builtin().entries());
    draw::planner(dice, entry, 30).text()
}

fn numbers(dice: &mut Dice) -> String {
    let number = |dice: &mut Dice| {
        let (first, more) = (dice.between(0, 500), dice.between(0, 50));
        match dice.between(0, 2) {
            0 => first.to_string(),
            1 => format!("{first}-{}", first + more),
            _ => format!("{first}-{}/{}", first + more, dice.between(1, 9)),
        }
    };
    let count = dice.between(1, 3);
    (0..count).map(|_| number(dice)).collect::<Vec<_>>().join(",")
}

fn limits(dice: &mut Dice) -> String {
    let limits = ["4096steps", "30s", "250ms", "1.5min", "7expansions", "100steps,0.25s", "9ticks"];
    (*dice.pick(&limits)).to_owned()
}

fn map_name(dice: &mut Dice) -> String {
    let level = dice.pick(&Level::ALL).name();
    let (width, height) = (dice.between(1, 40), dice.between(1, 40));
    match dice.between(0, 2) {
        0 => level.to_owned(),
        1 => format!("{level}:{width}x{height}"),
        _ => format!("{level}:{width}x{height}:seed={}", dice.between(0, 9)),
    }
}
