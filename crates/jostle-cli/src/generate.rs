//! `jostle gen`: problems as files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use jostle::formats::{Scenario, shown_path, write_map};
use jostle::instance::{Kind, draw_single};
use jostle::meetings::MeetingInstance;
use jostle_lab::{Experiment, NamedMap, Problem};

use crate::args::{Numbers, RulesArgs, experiments_help, parse_experiment, parse_kind};
use crate::failure::Failure;
use crate::output::{plain, prepare_folder, save_new};
use crate::say::say;
use crate::table::grouped;

/// Draw problems and write them as MovingAI .scen files, with the exact length of every shortest path, or as tasks for pairs
/// of agents that meet.
///
/// There is a file for each map, number of agents and seed, and a .map file for each built-in map. The same
/// seed draws the same agents as in `jostle run` and `jostle sweep`. An existing file
/// with other contents is never replaced.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  jostle gen cave --kind swap-sides --agents 200 --seeds 1-10 --out problems
  jostle gen my.map --kind single --agents 1000 --out problems     1,000 problems of one agent each
  jostle gen --experiment silver --agents 20-100/20 --seeds 1-3 --out silver
  jostle gen my.map --tasks 6-22/4 --seeds 1-10 --out problems     tasks for pairs of agents that meet
  jostle run my.map --scen problems/my-random-100-1.scen           run one of them")]
pub struct GenArgs {
    /// Maps: MovingAI .map files, or built-in ones as NAME, NAME:WIDTHxHEIGHT, NAME:WxH:seed=N
    #[arg(value_name = "MAP")]
    maps: Vec<String>,

    /// How starts and goals are drawn: a kind of `jostle run --kind`, or single: problems of one agent each
    #[arg(long, value_parser = parse_gen_kind, default_value = "random")]
    kind: GenKind,

    /// An experiment of a paper, with maps and rules of its own
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

    /// The folder to write to
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    #[command(flatten)]
    rules: RulesArgs,
}

impl GenArgs {
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
}

impl GenKind {
    fn name(self) -> &'static str {
        match self {
            Self::Crowd(kind) => kind.name(),
            Self::Single => "single",
        }
    }
}

fn parse_gen_kind(name: &str) -> Result<GenKind, String> {
    if name == GenKind::Single.name() {
        return Ok(GenKind::Single);
    }
    match parse_kind(name) {
        Err(kinds) if Experiment::from_name(name).is_none() => Err(format!("{kinds}, single")),
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
    let what = if args.tasks.is_some() { "task files" } else { "scenarios" };
    prepare_folder(&args.out, what)?;
    let mut files = 0;
    for (text, map) in maps {
        let map_file = file_of(&map, text, &args.out)?;
        if let Some(counts) = &args.tasks {
            files += write_tasks(&map, counts, args)?;
            continue;
        }
        for &agents in &args.agents.0 {
            for &seed in &args.seeds.0 {
                let scenario = draw(&map, &map_file, kind, agents as usize, seed)?;
                let stem = format!("{}-{name}-{agents}-{seed}", map.name);
                let file = args.out.join(format!("{}.scen", plain(&stem)));
                save_new(&file, &scenario.write())?;
                files += 1;
            }
        }
    }
    say(format_args!("{} {what} in {}", grouped(files), shown_path(&args.out)))?;
    Ok(())
}

/// Writes tasks on a map for every number and seed, and returns how many files that are.
fn write_tasks(map: &NamedMap, counts: &Numbers, args: &GenArgs) -> Result<u64, Failure> {
    let mut files = 0;
    for &count in &counts.0 {
        for &seed in &args.seeds.0 {
            let drawn = MeetingInstance::draw(Arc::clone(&map.grid), count as usize, seed)
                .map_err(|error| Failure::input(format!("{}: {error}", map.name)))?;
            let stem = plain(&format!("{}-tasks-{count}-{seed}", map.name));
            save_new(&args.out.join(format!("{stem}.tasks")), &drawn.to_list().write())?;
            files += 1;
        }
    }
    Ok(files)
}

/// The name of a map's file. A built-in map has none yet, and gets one beside the scenarios.
fn file_of(map: &NamedMap, text: &str, folder: &Path) -> Result<String, Failure> {
    let path = Path::new(text);
    if path.exists() && !path.is_dir() {
        return Ok(path.file_name().unwrap_or_default().to_string_lossy().into_owned());
    }
    let name = format!("{}.map", plain(&map.name));
    save_new(&folder.join(&name), &write_map(&map.grid))?;
    Ok(name)
}

fn draw(
    map: &NamedMap,
    file: &str,
    kind: GenKind,
    agents: usize,
    seed: u64,
) -> Result<Scenario, Failure> {
    let GenKind::Crowd(kind) = kind else {
        let tasks = draw_single(&map.grid, agents, seed)
            .map_err(|error| Failure::input(format!("{}: {error}", map.name)))?;
        let mut scenario = Scenario::of(&map.grid, &tasks, file);
        // The benchmark orders such problems by length.
        scenario.rows.sort_by(|a, b| a.length.total_cmp(&b.length));
        return Ok(scenario);
    };
    let problem = Problem::draw(map, kind, agents, seed)?;
    Ok(Scenario::of(&map.grid, problem.instance.tasks(), file))
}
