//! The arguments of the bench.
//!
//! | option | meaning | default |
//! |---|---|---|
//! | `--levels NAMES` | kinds of maps, with commas | cave,rooms,city,scatter |
//! | `--agents NUMBERS` | sizes of crowds, with commas | those of the section |
//! | `--planners NAMES` | planners with their parameters, with commas. BMAA\* is left out beyond 100,000 agents. Several threads (`jostle:threads=2`) need `--features threads` before the `--` | jostle,bmaa |
//! | `--ticks NUMBER` | ticks of a lifelong run. The first half is not measured | 300 |
//! | `--seeds NUMBER` | how many crowds are drawn for each row, whose ticks are taken together | 1 |
//! | `--radius NUMBER` | new goals are at most this many columns and rows away | no limit; 200 from 1,000,000 agents on |
//! | `--wall` | measure the time that passes, not that of the processor: for several threads | |
//! | `--plot FILE` | draw the section `density` as an SVG, into a file relative to `crates/jostle` | |

use std::path::PathBuf;
use std::str::FromStr;

use jostle::Level;

/// Crowds that grow with their maps.
pub const SIZES: [usize; 7] = [1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000];
/// Crowds that grow on a map.
pub const CROWDS: [usize; 6] = [1_000, 2_000, 5_000, 10_000, 20_000, 50_000];

const LARGEST_OF_BMAA: usize = 100_000;
/// Crowds of this size have a radius.
const LARGE: usize = 1_000_000;
const RADIUS: u32 = 200;

/// A part of the bench.
#[derive(Clone, Copy)]
pub enum Section {
    Density,
    Crowding,
    Completion,
    Orders,
    Paper,
    Levels,
}

/// What to measure.
pub struct Options {
    pub sections: Vec<Section>,
    pub levels: Vec<Level>,
    agents: Vec<usize>,
    pub planners: Vec<String>,
    pub ticks: usize,
    pub seeds: u64,
    radius: Option<u32>,
    pub is_wall: bool,
    pub plot: Option<PathBuf>,
}

impl Options {
    /// Reads the words of the command, or says which one is wrong.
    pub fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            sections: Vec::new(),
            levels: vec![Level::Cave, Level::Rooms, Level::City, Level::Scatter],
            agents: Vec::new(),
            planners: vec!["jostle".to_owned(), "bmaa".to_owned()],
            ticks: 300,
            seeds: 1,
            radius: None,
            is_wall: false,
            plot: None,
        };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
            match word.as_str() {
                "density" => options.sections.push(Section::Density),
                "crowding" => options.sections.push(Section::Crowding),
                "completion" => options.sections.push(Section::Completion),
                "orders" => options.sections.push(Section::Orders),
                "paper" => options.sections.push(Section::Paper),
                "levels" => options.sections.push(Section::Levels),
                "--levels" => options.levels = list(&value()?, Level::from_name)?,
                "--agents" => options.agents = list(&value()?, |number| number.parse().ok())?,
                "--planners" => options.planners = list(&value()?, |name| Some(name.to_owned()))?,
                "--ticks" => options.ticks = number(&value()?)?,
                "--seeds" => options.seeds = number(&value()?)?,
                "--radius" => options.radius = Some(number(&value()?)?),
                "--wall" => options.is_wall = true,
                "--plot" => options.plot = Some(value()?.into()),
                _ => return Err(format!("'{word}' is neither a section nor an option")),
            }
        }
        if options.sections.is_empty() {
            use Section::{Completion, Crowding, Density, Orders};
            options.sections = vec![Density, Crowding, Completion, Orders];
        }
        Ok(options)
    }

    /// The sizes that were asked for, or those of the section.
    pub fn sizes(&self, default: &[usize]) -> Vec<usize> {
        if self.agents.is_empty() { default.to_vec() } else { self.agents.clone() }
    }

    /// The planners that are fast enough for so many agents.
    pub fn planners_for(&self, agents: usize) -> impl Iterator<Item = &str> {
        let is_fast = move |name: &&str| agents <= LARGEST_OF_BMAA || !name.starts_with("bmaa");
        self.planners.iter().map(String::as_str).filter(is_fast)
    }

    /// How far away new goals of so many agents are at most.
    pub fn radius(&self, agents: usize) -> Option<u32> {
        self.radius.or((agents >= LARGE).then_some(RADIUS))
    }
}

fn list<T>(text: &str, parse: impl Fn(&str) -> Option<T>) -> Result<Vec<T>, String> {
    let one = |word: &str| parse(word).ok_or_else(|| format!("'{word}' is not known here"));
    text.split(',').map(one).collect()
}

fn number<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("'{text}' is not a number"))
}
