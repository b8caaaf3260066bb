//! What a sweep is to run, as its file says.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use jostle::instance::Kind;
use jostle::planners::Spec as PlannerSpec;
use jostle::{CornerRule, Limits, Neighbours, Rules, Simulation};
use serde::Deserialize;
use toml::Spanned;

use crate::{LabError, parse_limits, parse_numbers};

/// A sweep's file, read: every name in it exists, only the maps have not been looked at.
#[derive(Debug)]
pub struct Spec {
    /// What the experiment is called.
    pub name: String,
    /// The file as it was written.
    pub text: String,
    /// The folder of the file, in which maps are looked for.
    pub folder: PathBuf,
    /// What to run: the union of these.
    pub tables: Vec<Table>,
}

/// Everything with everything: maps x kinds x agents x seeds x planners x limits.
#[derive(Debug)]
pub struct Table {
    /// Maps by name, each with what to say before an error about it: file and line.
    pub maps: Vec<(String, String)>,
    /// How agents are drawn.
    pub kinds: Vec<Kind>,
    /// How many.
    pub agents: Vec<usize>,
    /// What draws them.
    pub seeds: Vec<u64>,
    /// Who moves them.
    pub planners: Vec<PlannerChoice>,
    /// For how long.
    pub limits: Vec<Limits>,
    /// On what kind of grid.
    pub rules: Rules,
    /// Whether two diagonal steps may not cross.
    pub forbid_crossing: bool,
    /// Whether to work out how much longer ways are than the shortest ones.
    pub compare_with_shortest: bool,
    /// Whether numbers of agents that do not fit on a map are left out instead of refused.
    pub skip_too_many: bool,
    /// What to say before an error about the whole table: file and line.
    pub place: String,
}

/// A planner, and up to which number of agents it takes part.
#[derive(Clone, Debug)]
pub struct PlannerChoice {
    /// Its name with parameters.
    pub planner: String,
    /// The largest crowd it is run with.
    pub agents_at_most: usize,
}

impl Spec {
    /// Reads a sweep's file.
    ///
    /// # Errors
    /// When it cannot be read, or something in it is wrong: file, line and reason.
    pub fn read(path: &Path) -> Result<Self, LabError> {
        let file = path.display();
        let text = fs::read_to_string(path)
            .map_err(|error| LabError::input(format!("{file}: cannot be read: {error}")))?;
        let reader = Reader { file: file.to_string(), text: &text };
        let raw: RawSpec = toml::from_str(&text).map_err(|error| {
            let reason = error.message().trim().replace('\n', ", ");
            reader.wrong(&error.span().unwrap_or_default(), reason)
        })?;
        let tables =
            raw.sweep.into_iter().map(|table| reader.table(table)).collect::<Result<_, _>>()?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        Ok(Self { name: raw.name.unwrap_or(stem), folder, tables, text })
    }
}

/// Turns what the file says into what it means, and knows where it is said.
struct Reader<'a> {
    file: String,
    text: &'a str,
}

impl Reader<'_> {
    fn place(&self, span: &Range<usize>) -> String {
        let line = self.text[..span.start.min(self.text.len())].matches('\n').count() + 1;
        format!("{}: line {line}", self.file)
    }

    fn wrong(&self, span: &Range<usize>, reason: impl std::fmt::Display) -> LabError {
        LabError::input(format!("{}: {reason}", self.place(span)))
    }

    fn table(&self, table: Spanned<RawTable>) -> Result<Table, LabError> {
        let span = table.span();
        let table = table.into_inner();
        let counts = self.numbers("agents", &table.agents)?;
        Ok(Table {
            maps: self.list("maps", &table.maps, |map| Ok(map.clone()))?,
            kinds: self.values("kinds", &table.kinds, |kind| {
                let names = Kind::ALL.map(Kind::name).join(", ");
                let unknown = || format!("there is no kind '{kind}': the kinds are {names}");
                Kind::from_name(kind).ok_or_else(unknown)
            })?,
            agents: counts.into_iter().map(|count| count as usize).collect(),
            seeds: self.numbers("seeds", &table.seeds)?,
            planners: self.values("planners", &table.planners, RawPlanner::choice)?,
            limits: self.values("limits", &table.limits, |limit| parse_limits(limit))?,
            rules: Rules {
                neighbours: match table.neighbours.get_ref() {
                    4 => Neighbours::Four,
                    8 => Neighbours::Eight,
                    _ => return Err(self.wrong(&table.neighbours.span(), "neighbours are 4 or 8")),
                },
                corners: match table.corners {
                    RawCorners::Both => CornerRule::BothFree,
                    RawCorners::One => CornerRule::OneFree,
                    RawCorners::None => CornerRule::Ignored,
                },
            },
            forbid_crossing: table.forbid_crossing,
            compare_with_shortest: table.compare_with_shortest,
            skip_too_many: table.skip_too_many,
            place: self.place(&span),
        })
    }

    /// The meaning of every entry of a list, which must not be empty, with its place.
    fn list<T, U>(
        &self,
        key: &str,
        list: &Spanned<Vec<Spanned<T>>>,
        meaning: impl Fn(&T) -> Result<U, String>,
    ) -> Result<Vec<(U, String)>, LabError> {
        if list.get_ref().is_empty() {
            return Err(
                self.wrong(&list.span(), format!("{key} is empty, so there is nothing to run"))
            );
        }
        let entry = |entry: &Spanned<T>| {
            let value = meaning(entry.get_ref()).map_err(|why| self.wrong(&entry.span(), why))?;
            Ok((value, self.place(&entry.span())))
        };
        list.get_ref().iter().map(entry).collect()
    }

    fn values<T, U>(
        &self,
        key: &str,
        list: &Spanned<Vec<Spanned<T>>>,
        meaning: impl Fn(&T) -> Result<U, String>,
    ) -> Result<Vec<U>, LabError> {
        Ok(self.list(key, list, meaning)?.into_iter().map(|(value, _)| value).collect())
    }

    fn numbers(&self, key: &str, numbers: &Spanned<RawNumbers>) -> Result<Vec<u64>, LabError> {
        let read = match numbers.get_ref() {
            RawNumbers::One(number) => number.numbers(),
            RawNumbers::Several(several) => several
                .iter()
                .map(RawNumber::numbers)
                .collect::<Result<Vec<_>, _>>()
                .map(|several| several.concat()),
        };
        match read {
            Ok(numbers) if !numbers.is_empty() => Ok(numbers),
            Ok(_) => {
                Err(self
                    .wrong(&numbers.span(), format!("{key} is empty, so there is nothing to run")))
            }
            Err(reason) => Err(self.wrong(&numbers.span(), format!("{key}: {reason}"))),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSpec {
    name: Option<String>,
    sweep: Vec<Spanned<RawTable>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTable {
    maps: Spanned<Vec<Spanned<String>>>,
    #[serde(default = "random")]
    kinds: Spanned<Vec<Spanned<String>>>,
    agents: Spanned<RawNumbers>,
    #[serde(default = "first_seed")]
    seeds: Spanned<RawNumbers>,
    planners: Spanned<Vec<Spanned<RawPlanner>>>,
    #[serde(default = "usual_limit")]
    limits: Spanned<Vec<Spanned<String>>>,
    #[serde(default = "eight")]
    neighbours: Spanned<u8>,
    #[serde(default)]
    corners: RawCorners,
    #[serde(default)]
    forbid_crossing: bool,
    #[serde(default)]
    compare_with_shortest: bool,
    #[serde(default)]
    skip_too_many: bool,
}

/// A value that the file does not mention.
fn unsaid<T>(value: T) -> Spanned<T> {
    Spanned::new(0..0, value)
}

fn random() -> Spanned<Vec<Spanned<String>>> {
    unsaid(vec![unsaid(Kind::default().name().to_owned())])
}

fn first_seed() -> Spanned<RawNumbers> {
    unsaid(RawNumbers::One(RawNumber::Whole(1)))
}

fn usual_limit() -> Spanned<Vec<Spanned<String>>> {
    unsaid(vec![unsaid(format!("{}steps", Simulation::DEFAULT_TICKS))])
}

fn eight() -> Spanned<u8> {
    unsaid(8)
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected a number, a range such as \"25-400/25\", or a list of them"
)]
enum RawNumbers {
    One(RawNumber),
    Several(Vec<RawNumber>),
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a number, or a range such as \"25-400/25\"")]
enum RawNumber {
    Whole(u64),
    Text(String),
}

impl RawNumber {
    fn numbers(&self) -> Result<Vec<u64>, String> {
        match self {
            Self::Whole(number) => Ok(vec![*number]),
            Self::Text(text) => parse_numbers(text),
        }
    }
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected a planner's name, or { planner = NAME, agents_at_most = NUMBER }"
)]
enum RawPlanner {
    Name(String),
    Limited(LimitedPlanner),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LimitedPlanner {
    planner: String,
    agents_at_most: usize,
}

impl RawPlanner {
    fn choice(&self) -> Result<PlannerChoice, String> {
        let (name, agents_at_most) = match self {
            Self::Name(name) => (name, usize::MAX),
            Self::Limited(limited) => (&limited.planner, limited.agents_at_most),
        };
        let planner = PlannerSpec::parse(name).map_err(|error| error.to_string())?;
        Ok(PlannerChoice { planner: planner.text().to_owned(), agents_at_most })
    }
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "lowercase")]
enum RawCorners {
    #[default]
    Both,
    One,
    None,
}

#[cfg(test)]
#[path = "spec_test.rs"]
mod tests;
