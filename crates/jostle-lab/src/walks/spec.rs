//! The spec of a sweep of walks: a file that lists maps, problems and settings.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use jostle::formats::{quoted, read_text};
use jostle::planners::{Recipe, Spec};
use jostle::search::Lrta;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::Deserialize;
use toml::Spanned;

use crate::sweep::spec::lines::Lines;
use crate::{LabError, grouped};

/// The most settings, and the most problems on a map: a typing error should not fill the memory.
const MOST_SETTINGS: usize = 100_000;
const MOST_PROBLEMS: usize = 1_000_000;

/// The default of `longest`.
const LONGEST: f64 = 1000.0;

/// A spec that has been read; the maps have not.
#[derive(Debug)]
pub struct WalkSpec {
    /// The name of the experiment.
    pub name: String,
    /// The text of the file.
    pub text: String,
    /// The folder of the file, where maps are looked for.
    pub folder: PathBuf,
    /// The settings, the same on every map.
    pub settings: Vec<Lrta>,
    /// A walk that is so many times as long as the shortest path ends, and counts as just that.
    pub longest: f64,
    /// The tables; the sweep makes the walks of all.
    pub tables: Vec<WalkTable>,
}

/// Maps, and which problems are solved on them.
#[derive(Debug)]
pub struct WalkTable {
    /// Maps by name, each with its file and line for errors. In the last part of a name `*` stands for any letters.
    pub maps: Vec<(String, String)>,
    /// The problems on each map.
    pub problems: Problems,
    /// Free names for the maps: what selectors may learn to recognise.
    pub labels: BTreeMap<String, String>,
}

/// Where the problems of a map come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Problems {
    /// So many are drawn, by a seed.
    Drawn {
        /// How many.
        count: usize,
        /// The seed.
        seed: u64,
    },
    /// They stand in a file beside the map, of its name with `.scen` added.
    Scenario,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSpec {
    name: Option<String>,
    /// What the tables have that do not say otherwise.
    #[serde(default)]
    defaults: RawTable,
    walks: Vec<Spanned<RawTable>>,
}

/// A table, or the defaults of all tables: every key may be missing.
#[derive(Deserialize, Clone, Default)]
#[serde(deny_unknown_fields)]
struct RawTable {
    maps: Option<Spanned<Vec<Spanned<String>>>>,
    problems: Option<Spanned<usize>>,
    scenarios: Option<Spanned<bool>>,
    seed: Option<Spanned<u64>>,
    settings: Option<Spanned<RawSettings>>,
    settings_seed: Option<Spanned<u64>>,
    longest: Option<Spanned<f64>>,
    labels: Option<BTreeMap<String, String>>,
}

impl RawTable {
    /// This table with the defaults for what it does not mention. A table with problems or scenarios of its own has the default for neither,
    /// and one with settings of its own no seed that draws others.
    fn with(self, defaults: &Self) -> Self {
        let mut rest = defaults.clone();
        if self.problems.is_some() || self.scenarios.is_some() {
            (rest.problems, rest.scenarios, rest.seed) = (None, None, None);
        }
        if self.settings.is_some() {
            rest.settings_seed = None;
        }
        Self {
            maps: self.maps.or(rest.maps),
            problems: self.problems.or(rest.problems),
            scenarios: self.scenarios.or(rest.scenarios),
            seed: self.seed.or(rest.seed),
            settings: self.settings.or(rest.settings),
            settings_seed: self.settings_seed.or(rest.settings_seed),
            longest: self.longest.or(rest.longest),
            labels: self.labels.or(rest.labels),
        }
    }
}

#[derive(Deserialize, Clone)]
#[serde(
    untagged,
    expecting = "expected a number of settings to draw, or a list such as [\"lrta\", \"lrta:w=2:b=0\"]"
)]
enum RawSettings {
    Drawn(usize),
    Named(Vec<String>),
}

impl WalkSpec {
    /// Reads a spec.
    ///
    /// # Errors
    /// When it cannot be read, or something in it is wrong: file, line and reason.
    pub fn read(path: &Path) -> Result<Self, LabError> {
        Self::parse(path, read_text(path).map_err(LabError::input)?)
    }

    /// Reads the text of a spec, as if it stood in this file.
    ///
    /// # Errors
    /// When something in it is wrong: file, line and reason.
    pub fn parse(path: &Path, text: String) -> Result<Self, LabError> {
        let reader = Reader { lines: Lines::new(path, &text) };
        let raw: RawSpec = reader.lines.parse()?;
        let mut tables = Vec::new();
        let mut common: Option<(Vec<Lrta>, f64)> = None;
        for table in raw.walks {
            let (span, table) = (table.span(), table.into_inner().with(&raw.defaults));
            let (settings, longest) = (reader.settings(&table, &span)?, reader.longest(&table)?);
            tables.push(reader.table(table, &span)?);
            let (first, first_longest) = common.get_or_insert_with(|| (settings.clone(), longest));
            // Equal bits: results are compared setting by setting.
            if *first != settings || first_longest.to_bits() != longest.to_bits() {
                let reason = "all tables of walks have the same settings, settings_seed and longest, because their \
                              results are compared";
                return Err(reader.lines.wrong(&span, reason));
            }
        }
        let nothing = || reader.lines.wrong(&(0..0), "there is nothing to run");
        let (settings, longest) = common.ok_or_else(nothing)?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        Ok(Self { name: raw.name.unwrap_or(stem), folder, settings, longest, tables, text })
    }
}

/// Interprets the entries of a file, and knows their lines for errors.
struct Reader<'a> {
    lines: Lines<'a>,
}

impl Reader<'_> {
    fn table(&self, table: RawTable, span: &Range<usize>) -> Result<WalkTable, LabError> {
        let problems = self.problems(&table, span)?;
        let Some(maps) = &table.maps else {
            return Err(self.lines.wrong(span, "a table needs maps"));
        };
        let maps = self.lines.list("maps", maps, |map| Ok(map.clone()))?;
        Ok(WalkTable { maps, problems, labels: table.labels.unwrap_or_default() })
    }

    fn problems(&self, table: &RawTable, span: &Range<usize>) -> Result<Problems, LabError> {
        let reads = table.scenarios.as_ref().filter(|scenarios| *scenarios.get_ref());
        match (&table.problems, reads) {
            (Some(count), None) => {
                let seed = table.seed.as_ref().map_or(1, |seed| *seed.get_ref());
                let count =
                    self.count("problems", *count.get_ref(), MOST_PROBLEMS, &count.span())?;
                Ok(Problems::Drawn { count, seed })
            }
            (None, Some(_)) => match &table.seed {
                Some(seed) => {
                    let reason = "seed draws problems, and scenarios are read";
                    Err(self.lines.wrong(&seed.span(), reason))
                }
                None => Ok(Problems::Scenario),
            },
            (None, None) => {
                let reason =
                    "a table needs problems = NUMBER, or scenarios = true for those of MAP.scen";
                Err(self.lines.wrong(span, reason))
            }
            (Some(_), Some(scenarios)) => {
                let reason = "a table has problems that are drawn, or scenarios, and not both";
                Err(self.lines.wrong(&scenarios.span(), reason))
            }
        }
    }

    fn settings(&self, table: &RawTable, place: &Range<usize>) -> Result<Vec<Lrta>, LabError> {
        let Some(settings) = &table.settings else {
            let reason = "a table needs settings: a number of them to draw, or a list";
            return Err(self.lines.wrong(place, reason));
        };
        let span = settings.span();
        match (settings.get_ref(), &table.settings_seed) {
            (&RawSettings::Drawn(count), seed) => {
                let count = self.count("settings", count, MOST_SETTINGS, &span)?;
                let seed = seed.as_ref().map_or(1, |seed| *seed.get_ref());
                let mut dice = ChaCha8Rng::seed_from_u64(seed);
                Ok((0..count).map(|_| Lrta::draw(&mut dice)).collect())
            }
            (RawSettings::Named(_), Some(seed)) => {
                let reason = "settings_seed draws settings, and these are named";
                Err(self.lines.wrong(&seed.span(), reason))
            }
            (RawSettings::Named(names), None) => {
                self.count("settings", names.len(), MOST_SETTINGS, &span)?;
                let setting = |name: &String| {
                    parse_setting(name).map_err(|reason| self.lines.wrong(&span, reason))
                };
                names.iter().map(setting).collect()
            }
        }
    }

    fn longest(&self, table: &RawTable) -> Result<f64, LabError> {
        let Some(longest) = &table.longest else { return Ok(LONGEST) };
        match *longest.get_ref() {
            times if times >= 1.0 && times.is_finite() => Ok(times),
            _ => {
                let reason =
                    "longest is a number from 1: how many times as long as the shortest path";
                Err(self.lines.wrong(&longest.span(), reason))
            }
        }
    }

    /// A number that must not be 0 or too large.
    fn count(
        &self,
        key: &str,
        count: usize,
        most: usize,
        span: &Range<usize>,
    ) -> Result<usize, LabError> {
        if count == 0 {
            return Err(self.lines.wrong(span, format!("{key}: there is nothing to run")));
        }
        if count > most {
            let (count, most) = (grouped(count as u64), grouped(most as u64));
            return Err(self
                .lines
                .wrong(span, format!("{key}: {count} are too many, at most {most}")));
        }
        Ok(count)
    }
}

/// A setting as planners are named: `lrta`, with parameters after colons.
pub(super) fn parse_setting(text: &str) -> Result<Lrta, String> {
    let known = Spec::parse(text).map_err(|error| error.to_string())?;
    let mut parts = known.text().split(':').map(str::trim);
    if parts.next() != Some("lrta") {
        return Err(format!("{} is not a setting of lrta: only lrta walks alone", quoted(text)));
    }
    let mut lrta = Lrta::default();
    for (name, value) in parts.filter_map(|part| part.split_once('=')) {
        let mut fields = lrta.fields();
        if let Some(field) = fields.iter_mut().find(|field| field.name == name.trim()) {
            field.value.set(value.trim())?;
        }
    }
    Ok(lrta)
}

/// The name of a setting, as planners are named: parameters that have their default values are left out.
pub fn name_of(setting: &Lrta) -> String {
    let (mut setting, mut plain) = (*setting, Lrta::default());
    let fields = setting.fields();
    let parameters = fields.iter().zip(plain.fields()).filter_map(|(field, plain)| {
        let value = field.value.show();
        (value != plain.value.show()).then(|| format!(":{}={value}", field.name))
    });
    "lrta".to_owned() + &parameters.collect::<String>()
}
