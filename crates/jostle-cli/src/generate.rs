//! `jostle gen`: problems as files.

use std::ffi::OsStr;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueHint};
use jostle::Script;
use jostle::formats::{STANDARD_INPUT, Scenario, shown_path, write_map};
use jostle::instance::{Closures, Kind, draw_single};
use jostle::meetings::MeetingInstance;
use jostle::registry::did_you_mean;
use jostle_lab::{Experiment, NamedMap, Problem, STANDARD_OUTPUT, plain};

use crate::args::{Numbers, RulesArgs, experiments_help, parse_experiment, parse_kind, whole};
use crate::failure::Failure;
use crate::output::{prepare_folder, save_new};
use crate::say::say;
use crate::table::counted;

/// Which problems, and where they go.
#[derive(Args, Debug)]
#[command(after_long_help = "\
Examples:
  jostle gen cave --kind swap-sides --agents 200 --seeds 1-10 --out problems
  jostle gen my.map --kind single --agents 1000 --out problems     1,000 problems of one agent each
  jostle gen --experiment silver --agents 20-100/20 --seeds 1-3 --out silver
  jostle gen my.map --tasks 6-22/4 --seeds 1-10 --out problems     tasks for pairs of agents that meet
  jostle gen rooms --agents 10 --changes 16 --out problems         and a script of cells that close and open
  jostle run my.map --scen problems/my-random-100-1.scen           run one of them")]
pub struct GenArgs {
    /// Maps: MovingAI .map files, or built-in ones as NAME, NAME:WIDTHxHEIGHT, NAME:WxH:seed=N
    #[arg(value_name = "MAP", value_hint = ValueHint::FilePath)]
    pub maps: Vec<String>,

    /// How starts and goals are chosen: a kind of `jostle run --kind`, or single: problems of one agent each
    #[arg(long, value_parser = parse_gen_kind, default_value = "random")]
    kind: GenKind,

    /// Reproduce an experiment from a paper, with maps and rules of its own
    #[arg(
        long,
        value_name = "NAME",
        value_parser = parse_experiment,
        conflicts_with = "kind",
        help = experiments_help()
    )]
    experiment: Option<Experiment>,

    /// How many agents, or problems of kind single: numbers and ranges, as in 25-400/25,600
    #[arg(long, value_name = "NUMBERS", default_value = "100")]
    agents: Numbers,

    /// Draw tasks for pairs of agents that meet, and write .tasks files: numbers of tasks, and ranges, as in 6-22/4
    #[arg(long, value_name = "NUMBERS", conflicts_with_all = ["kind", "experiment", "agents"])]
    tasks: Option<Numbers>,

    /// Seeds that draw starts and goals: numbers and ranges, as in 1-10
    #[arg(long, visible_alias = "seed", value_name = "NUMBERS", default_value = "1")]
    seeds: Numbers,

    /// Also write a script for each problem that closes and reopens cells; NUMBER counts all changes
    ///
    /// Cells close at random ticks while agents on shortest paths would be on their way, and open again later. `jostle run --script`
    /// plays it.
    #[arg(long, value_name = "NUMBER", value_parser = whole::<u32>(0..=100_000))]
    changes: Option<u32>,

    /// For how many ticks a cell stays closed: a number, or a range to draw from
    #[arg(long, value_name = "TICKS", value_parser = parse_range, default_value = "10-50", requires = "changes")]
    closed_for: RangeInclusive<u64>,

    /// Fraction of closures placed on an agent's path, from 0 to 1; the others are anywhere
    #[arg(long, value_name = "SHARE", value_parser = parse_share, default_value = "0.5", requires = "changes")]
    on_paths: f64,

    /// Let closures cut agents off from their goals, and close goals
    #[arg(long, requires = "changes")]
    cut_off: bool,

    /// Write 0 for the lengths of shortest paths instead of measuring them
    ///
    /// Measuring them dominates the running time: on a map of 1690x1690, 20 ms for each agent.
    #[arg(long, conflicts_with = "tasks")]
    no_lengths: bool,

    /// The folder to write to; a name that ends in .scen or .tasks is that of one file, and - writes one to standard output
    #[arg(long, value_name = "DIR|FILE", value_hint = ValueHint::AnyPath)]
    pub out: PathBuf,

    #[command(flatten)]
    rules: RulesArgs,
}

fn parse_range(text: &str) -> Result<RangeInclusive<u64>, String> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    match (least.parse(), most.parse()) {
        (Ok(least), Ok(most)) if 1 <= least && least <= most && most <= MOST_TICKS => {
            Ok(least..=most)
        }
        _ => {
            Err(format!("it is a number of ticks from 1 to {MOST_TICKS}, or a range, as in 10-50"))
        }
    }
}

fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "it is a number from 0 to 1".to_owned())
}

/// The longest time for which a cell can be closed.
const MOST_TICKS: u64 = 1_000_000;

impl GenArgs {
    /// What scripts are to be drawn, if any.
    fn closures(&self) -> Option<Closures> {
        Some(Closures {
            changes: self.changes? as usize,
            closed_for: self.closed_for.clone(),
            on_paths: self.on_paths,
            keeps_goals: !self.cut_off,
        })
    }

    /// The rules, and the experiment that may have others.
    pub const fn rules(&self) -> (RulesArgs, Option<Experiment>) {
        (self.rules, self.experiment)
    }
}

/// What to draw.
#[derive(Clone, Copy, PartialEq, Debug)]
enum GenKind {
    /// Crowds: starts distinct, goals distinct.
    Crowd(Kind),
    /// Independent problems of one agent each.
    Single,
    /// Tasks for pairs of agents that meet.
    Tasks,
}

impl GenKind {
    fn name(self) -> &'static str {
        match self {
            Self::Crowd(kind) => kind.name(),
            Self::Single => "single",
            Self::Tasks => "tasks",
        }
    }
}

fn parse_gen_kind(name: &str) -> Result<GenKind, String> {
    if name == GenKind::Single.name() {
        return Ok(GenKind::Single);
    }
    match parse_kind(name) {
        Err(_) if Experiment::from_name(name).is_none() => {
            let names: Vec<&str> =
                Kind::ALL.iter().map(|kind| kind.name()).chain([GenKind::Single.name()]).collect();
            Err(did_you_mean(name, &names, "the kinds are"))
        }
        kind => kind.map(GenKind::Crowd),
    }
}

/// Draws and writes all problems.
pub fn generate(args: &GenArgs) -> Result<(), Failure> {
    let (mut kind, mut name, mut rules) = (args.kind, args.kind.name(), args.rules);
    if let Some(experiment) = args.experiment {
        kind = GenKind::Crowd(experiment.kind());
        name = experiment.name();
        rules = rules.preferring(experiment.rules());
    }
    let maps = match (args.maps.as_slice(), args.experiment) {
        ([], Some(experiment)) => experiment.maps(),
        ([], None) => {
            return Err(Failure::input("name a map, or an --experiment with maps of its own"));
        }
        (maps, _) => maps.to_vec(),
    };
    let maps = maps.iter().map(|text| Ok((text, NamedMap::find(text, rules.rules())?)));
    let maps = maps.collect::<Result<Vec<_>, Failure>>()?;
    let closures = args.closures();
    if closures.is_some() && kind == GenKind::Single {
        return Err(Failure::input("--changes is for crowds, not for problems of one agent each"));
    }
    let kind = if args.tasks.is_some() { GenKind::Tasks } else { kind };
    let name = if kind == GenKind::Tasks { kind.name() } else { name };
    let batch = Batch { args, kind, name, closures, maps: &maps };
    if args.out.as_os_str() == STANDARD_OUTPUT {
        return batch.to_standard_output();
    }
    batch.check()?;
    batch.write()
}

/// All that is to be drawn.
struct Batch<'a> {
    args: &'a GenArgs,
    kind: GenKind,
    /// The kind or the experiment, in the names of files.
    name: &'a str,
    closures: Option<Closures>,
    maps: &'a [(&'a String, NamedMap)],
}

/// One of the problems: how many agents or tasks, and the seed that draws them.
#[derive(Clone, Copy)]
struct Wish {
    size: u64,
    seed: u64,
    /// Whether the lengths of shortest paths are measured.
    has_lengths: bool,
}

/// What is written for one problem.
struct Drawn {
    text: String,
    script: Option<Script>,
}

impl Batch<'_> {
    /// The numbers of agents or tasks.
    fn sizes(&self) -> &[u64] {
        &self.args.tasks.as_ref().unwrap_or(&self.args.agents).0
    }

    fn seeds(&self) -> &[u64] {
        &self.args.seeds.0
    }

    fn count(&self) -> usize {
        self.maps.len().saturating_mul(self.sizes().len()).saturating_mul(self.seeds().len())
    }

    /// What a file holds.
    const fn what(&self) -> &'static str {
        match self.kind {
            GenKind::Tasks => "task file",
            _ => "scenario",
        }
    }

    const fn ending(&self) -> &'static str {
        match self.kind {
            GenKind::Tasks => "tasks",
            _ => "scen",
        }
    }

    /// Makes sure, before the first file is written, that problems of every map and size can be drawn. The seeds differ little: if
    /// one problem of a size can be drawn, so can the others.
    fn check(&self) -> Result<(), Failure> {
        for (_, map) in self.maps {
            for &size in self.sizes() {
                for &seed in self.seeds().iter().take(1) {
                    self.draw(map, "", Wish { size, seed, has_lengths: false })?;
                }
            }
        }
        Ok(())
    }

    /// Writes the only problem to standard output.
    fn to_standard_output(&self) -> Result<(), Failure> {
        let ([(text, map)], [size], [seed]) = (self.maps, self.sizes(), self.seeds()) else {
            let reason =
                "one problem can be written to standard output (-), and several are asked for";
            return Err(Failure::input(reason));
        };
        if self.closures.is_some() {
            let reason = "a scenario and its script are two files: write them to a folder";
            return Err(Failure::input(reason));
        }
        let drawn = self.draw(map, &name_of_file(map, text), self.wish(*size, *seed))?;
        Ok(jostle_lab::save(&self.args.out, drawn.text)?)
    }

    /// Writes all of them.
    fn write(&self) -> Result<(), Failure> {
        let place = self.place()?;
        for (text, map) in self.maps {
            let map_file = file_of(map, text, place.folder())?;
            for &size in self.sizes() {
                for &seed in self.seeds() {
                    let drawn = self.draw(map, &map_file, self.wish(size, seed))?;
                    let stem = format!("{}-{}-{size}-{seed}", map.name, self.name);
                    let file = place.file(&stem, self.ending());
                    save_new(&file, &drawn.text)?;
                    if let Some(script) = drawn.script {
                        save_new(&file.with_extension("script"), &script.write())?;
                    }
                }
            }
        }
        let (files, out) = (counted(self.count(), self.what()), shown_path(&self.args.out));
        say(format_args!("{files} in {out}"))?;
        Ok(())
    }

    const fn wish(&self, size: u64, seed: u64) -> Wish {
        Wish { size, seed, has_lengths: !self.args.no_lengths }
    }

    /// Where the files go: to a folder, or, if there is one problem and the name is that of such a file, to this file.
    fn place(&self) -> Result<Place<'_>, Failure> {
        let out = self.args.out.as_path();
        let ending = out.extension().and_then(OsStr::to_str).unwrap_or_default();
        if out.is_dir() || !["scen", "tasks"].contains(&ending) {
            prepare_folder(out, &format!("{}s", self.what()))?;
            return Ok(Place::Folder(out));
        }
        let wrong = |reason: String| Err(Failure::input(format!("{}: {reason}", shown_path(out))));
        if ending != self.ending() {
            return wrong(format!("a {} is a .{} file", self.what(), self.ending()));
        }
        match self.count() {
            1 => Ok(Place::File(out)),
            more => wrong(format!(
                "this names one file, and there are {}: name a folder",
                counted(more, self.what())
            )),
        }
    }

    /// Draws a problem. `file` is the name of the map's file.
    fn draw(&self, map: &NamedMap, file: &str, wish: Wish) -> Result<Drawn, Failure> {
        let Wish { size, seed, has_lengths } = wish;
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        let scenario_of = if has_lengths { Scenario::of } else { Scenario::unmeasured };
        let wrong = |error: &dyn Display| Failure::input(format!("{}: {error}", map.name));
        match self.kind {
            GenKind::Crowd(kind) => {
                let problem = Problem::draw(map, kind, size, seed)?;
                let scenario = scenario_of(&map.grid, problem.instance.tasks(), file);
                let draw = |closures: &Closures| closures.draw(&problem.instance, seed);
                let script = self.closures.as_ref().map(draw).transpose();
                let script = script.map_err(|error| wrong(&error))?;
                Ok(Drawn { text: scenario.write(), script })
            }
            GenKind::Single => {
                let tasks = draw_single(&map.grid, size, seed).map_err(|error| wrong(&error))?;
                let mut scenario = scenario_of(&map.grid, &tasks, file);
                // The benchmark orders such problems by length.
                scenario.rows.sort_by(|a, b| a.length.total_cmp(&b.length));
                Ok(Drawn { text: scenario.write(), script: None })
            }
            GenKind::Tasks => {
                let drawn = MeetingInstance::draw(Arc::clone(&map.grid), size, seed);
                let drawn = drawn.map_err(|error| wrong(&error))?;
                Ok(Drawn { text: drawn.to_list().write(), script: None })
            }
        }
    }
}

/// Where the files go.
enum Place<'a> {
    Folder(&'a Path),
    File(&'a Path),
}

impl Place<'_> {
    fn folder(&self) -> &Path {
        match self {
            Self::Folder(folder) => folder,
            Self::File(file) => file.parent().unwrap_or(Path::new("")),
        }
    }

    /// The file with this stem and ending in a folder, or the only one.
    fn file(&self, stem: &str, ending: &str) -> PathBuf {
        match self {
            Self::Folder(folder) => folder.join(format!("{}.{ending}", plain(stem))),
            Self::File(file) => file.to_path_buf(),
        }
    }
}

/// The name of a map's file. A built-in map has none yet, and gets one beside the scenarios.
fn file_of(map: &NamedMap, text: &str, folder: &Path) -> Result<String, Failure> {
    let name = name_of_file(map, text);
    if map.file.as_deref().is_none_or(|file| file.as_os_str() == STANDARD_INPUT) {
        save_new(&folder.join(&name), &write_map(&map.grid))?;
    }
    Ok(name)
}

/// The name of a map's file, which a built-in map does not have yet.
fn name_of_file(map: &NamedMap, text: &str) -> String {
    match &map.file {
        Some(file) if file.as_os_str() != STANDARD_INPUT => {
            Path::new(text).file_name().unwrap_or_default().to_string_lossy().into_owned()
        }
        _ => format!("{}.map", plain(&map.name)),
    }
}
