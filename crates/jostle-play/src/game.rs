//! A game as text: a planner, a number of ticks, the rules, a map, and all that happens on it.
//!
//! ```text
//! planner jostle:pool=25000
//! ticks 150
//! rules eight both allowed
//! ---
//! type octile
//! height 1
//! width 4
//! map
//! ....
//! ---
//! 0 add 0 (0,0) to (3,0)
//! 70 wall (2,0)
//! ```
//!
//! The first part has a line for each value. The map and the script are in the engine's own
//! formats. Agents join by the script: the world is empty at first.

use jostle::formats::{parse_map, write_map};
use jostle::{CornerRule, Crossing, Grid, Neighbours, Rules, Script};

/// The line between two parts.
const DIVIDER: &str = "\n---\n";

const NEIGHBOURS: [(Neighbours, &str); 2] =
    [(Neighbours::Four, "four"), (Neighbours::Eight, "eight")];
const CORNERS: [(CornerRule, &str); 3] =
    [(CornerRule::BothFree, "both"), (CornerRule::OneFree, "one"), (CornerRule::Ignored, "none")];
const CROSSING: [(Crossing, &str); 2] =
    [(Crossing::Allowed, "allowed"), (Crossing::Forbidden, "forbidden")];

/// A game from its first tick to its last.
#[derive(Clone, Debug)]
pub struct Game {
    /// The planner with its parameters, as users type it.
    pub planner: String,
    /// How many ticks to play.
    pub ticks: u32,
    /// The floor at the beginning.
    pub grid: Grid,
    /// All that the game does, from the first agent that joins.
    pub script: Script,
}

impl Game {
    /// Reads a game.
    ///
    /// # Errors
    /// When a part of it is missing, or is not what it should be: a sentence that says which.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut parts = text.splitn(3, DIVIDER);
        let (Some(values), Some(map), Some(script)) = (parts.next(), parts.next(), parts.next())
        else {
            return Err("a game has three parts: values, a map and a script".to_owned());
        };
        let value = |name: &str| {
            let is_it = |line: &str| line.strip_prefix(name)?.strip_prefix(' ').map(str::to_owned);
            values.lines().find_map(is_it).ok_or_else(|| format!("there is no line '{name} ...'"))
        };
        let ticks = value("ticks")?;
        let grid = parse_map(map).map_err(|error| format!("the map: {error}"))?;
        Ok(Self {
            planner: value("planner")?,
            ticks: ticks.parse().map_err(|_| format!("'{ticks}' is not a number of ticks"))?,
            grid: grid.with_rules(parse_rules(&value("rules")?)?),
            script: Script::parse(script).map_err(|error| format!("the script: {error}"))?,
        })
    }

    /// Writes the game as [`Game::parse`] reads it.
    pub fn write(&self) -> String {
        let Self { planner, ticks, grid, script } = self;
        let rules = write_rules(grid.rules());
        let values = format!("planner {planner}\nticks {ticks}\nrules {rules}");
        // The map ends with a line break, and a divider begins with one.
        let map = write_map(grid);
        [&values, map.trim_end(), &script.write()].join(DIVIDER)
    }
}

fn parse_rules(text: &str) -> Result<Rules, String> {
    let wrong = || format!("'{text}' are no rules, such as 'eight both allowed'");
    let words: Vec<&str> = text.split(' ').collect();
    let &[neighbours, corners, crossing] = words.as_slice() else { return Err(wrong()) };
    Ok(Rules {
        neighbours: named(&NEIGHBOURS, neighbours).ok_or_else(wrong)?,
        corners: named(&CORNERS, corners).ok_or_else(wrong)?,
        crossing: named(&CROSSING, crossing).ok_or_else(wrong)?,
    })
}

fn write_rules(rules: Rules) -> String {
    let Rules { neighbours, corners, crossing } = rules;
    let words = [name(&NEIGHBOURS, neighbours), name(&CORNERS, corners), name(&CROSSING, crossing)];
    words.join(" ")
}

fn named<T: Copy>(names: &[(T, &str)], word: &str) -> Option<T> {
    names.iter().find(|(_, name)| *name == word).map(|(value, _)| *value)
}

fn name<T: Copy + PartialEq>(names: &[(T, &'static str)], value: T) -> &'static str {
    names.iter().find(|(one, _)| *one == value).map_or("", |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use jostle::Change;

    use super::*;

    #[test]
    fn a_game_is_read_as_it_was_written() {
        let mut script = Script::default();
        script.add(3, Change::SetFloor { cell: (1, 0), is_floor: false });
        for (neighbours, _) in NEIGHBOURS {
            for (corners, _) in CORNERS {
                for (crossing, _) in CROSSING {
                    let rules = Rules { neighbours, corners, crossing };
                    let grid = Grid::from_ascii("..#\n.#.").unwrap().with_rules(rules);
                    let planner = "pibt:seed=4".to_owned();
                    let game = Game { planner, ticks: 9, grid, script: script.clone() };
                    let read = Game::parse(&game.write()).unwrap();
                    assert_eq!((read.planner, read.ticks), (game.planner, game.ticks));
                    assert_eq!(read.grid.to_ascii(), game.grid.to_ascii());
                    assert_eq!((read.grid.rules(), read.script), (rules, game.script));
                }
            }
        }
    }

    #[test]
    fn a_text_that_is_no_game_is_refused_with_the_reason() {
        let map = "type octile\nheight 1\nwidth 1\nmap\n.";
        let values = "planner pibt\nticks 4\nrules eight both allowed";
        let refused = |text: String| Game::parse(&text).unwrap_err();
        assert_eq!(refused(String::new()), "a game has three parts: values, a map and a script");
        assert_eq!(
            refused(format!("ticks 4\n---\n{map}\n---\n")),
            "there is no line 'planner ...'"
        );
        let ticks = values.replace('4', "four");
        let said = refused(format!("{ticks}\n---\n{map}\n---\n"));
        assert_eq!(said, "'four' is not a number of ticks");
        let rules = values.replace("both", "all");
        let said = refused(format!("{rules}\n---\n{map}\n---\n"));
        assert_eq!(said, "'eight all allowed' are no rules, such as 'eight both allowed'");
        assert!(refused(format!("{values}\n---\n{map}\n---\n0 fly")).starts_with("the script: "));
        assert!(refused(format!("{values}\n---\nmap\n---\n")).starts_with("the map: line 1: "));
    }
}
