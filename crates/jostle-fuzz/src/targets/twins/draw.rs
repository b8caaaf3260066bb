//! Random games for twins: what the default planner does in dense crowds, across sectors, and when
//! nothing happens for a while.

use jostle::Level;
use jostle::planners::{Entry, Registry};

use super::director::Director;
use crate::dice::Dice;
use crate::scene::{Floor, PlannerChoice, Rules, Scene, draw};

/// The parameters of the default planner that are worth another value, with such values.
const PARAMETERS: [(&str, &[&str]); 8] = [
    ("pool", &["1", "7000", "20000", "50000", "400000"]),
    ("rehearse", &["0", "1", "3", "12", "100"]),
    ("expansions", &["0", "1", "3", "40"]),
    ("fields", &["64", "200", "1000"]),
    ("knots", &["false"]),
    ("swap", &["false"]),
    ("traffic", &["false"]),
    ("seed", &["1", "7"]),
];

/// How large a crowd and its map are, and how long the game goes on.
struct Size {
    sides: (u32, u32),
    /// How many cells of the floor there are for each agent, at least and at most, times ten.
    room: (u32, u32),
    agents: (u32, u32),
    /// A case takes a few seconds at most: the more agents, the fewer ticks.
    agent_ticks: u32,
    ticks: (u32, u32),
}

/// Agents look ahead if there is one on every six cells.
const DENSE: Size = Size {
    sides: (24, 64),
    room: (14, 60),
    agents: (17, 1_024),
    agent_ticks: 50_000,
    ticks: (100, 300),
};
/// Several sectors on each side, and too much room to look ahead.
const WIDE: Size = Size {
    sides: (90, 200),
    room: (61, 400),
    agents: (100, 2_000),
    agent_ticks: 200_000,
    ticks: (150, 300),
};
/// So many that they choose side by side.
const LARGE: Size = Size {
    sides: (200, 260),
    room: (40, 100),
    agents: (4_200, 6_000),
    agent_ticks: 0,
    ticks: (40, 40),
};
/// For planners that are slow in crowds.
const SMALL: Size = Size {
    sides: (16, 40),
    room: (14, 100),
    agents: (5, 120),
    agent_ticks: 10_000,
    ticks: (100, 200),
};

/// A game: in four cases of five with the default planner, if there is one.
pub fn scene(dice: &mut Dice, registry: &Registry) -> Scene {
    let main = registry.find("jostle").ok().or(registry.entries().first());
    match (dice.between(0, 99), main) {
        (0..=7, _) | (_, None) => draw::scene(dice, registry),
        (8..=19, _) => {
            let entry = dice.pick(registry.entries());
            crowd(dice, &SMALL, |dice, agents| draw::affordable(dice, entry, agents))
        }
        (20..=21, Some(entry)) => crowd(dice, &LARGE, |dice, _| planner(dice, entry)),
        (22..=39, Some(entry)) => crowd(dice, &WIDE, |dice, _| planner(dice, entry)),
        (_, Some(entry)) => crowd(dice, &DENSE, |dice, _| planner(dice, entry)),
    }
}

/// The default planner, mostly with its defaults.
fn planner(dice: &mut Dice, entry: &Entry) -> PlannerChoice {
    let mut parameters = Vec::new();
    let is_plain = dice.percent(60);
    let mut recipe = entry.recipe();
    for mut field in recipe.fields() {
        let values = PARAMETERS.iter().find(|(name, _)| *name == field.name);
        let Some((name, values)) = values.filter(|_| !is_plain && dice.percent(30)) else {
            continue;
        };
        let value = *dice.pick(values);
        // What a parameter may be is for it to say.
        if field.value.set(value).is_ok() {
            parameters.push(((*name).to_owned(), value.to_owned()));
        }
    }
    PlannerChoice { name: entry.name().to_owned(), parameters }
}

/// A crowd on a level. Between the changes that the game makes at once, nothing happens for a
/// while.
fn crowd(
    dice: &mut Dice,
    size: &Size,
    planner: impl FnOnce(&mut Dice, u32) -> PlannerChoice,
) -> Scene {
    let (least, most) = size.sides;
    let (width, height) = (dice.between(least, most), dice.between(least, most));
    let rows = if dice.percent(8) {
        vec![".".repeat(width as usize); height as usize]
    } else {
        let level = *dice.pick(&Level::ALL);
        draw::level_rows(level, width, height, dice.bits())
    };
    let rules = if dice.percent(60) { Rules::default() } else { draw::rules(dice) };
    let mut director = Director::new(dice, rows);
    let room = director.dice.between(size.room.0, size.room.1);
    let agents = (director.floor() * 10 / room).clamp(size.agents.0, size.agents.1);
    let opening = director.opening(agents);
    // Most games are quiet for long, the others shorter.
    let quiet = *director.dice.pick(&[(50, 150), (50, 150), (5, 40)]);
    let ticks = (size.agent_ticks / agents.max(1)).clamp(size.ticks.0, size.ticks.1);
    let mut tick = director.dice.between(1, quiet.0);
    while tick < ticks {
        director.interfere(tick);
        tick += director.dice.between(quiet.0, quiet.1);
    }
    let (rows, script) = director.end();
    let planner = planner(dice, agents);
    Scene { floor: Floor { rows, rules }, planner, ticks, opening, script }
}
