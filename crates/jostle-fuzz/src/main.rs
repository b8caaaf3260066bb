//! The command: attacks targets, soaks, and replays findings.

#![forbid(unsafe_code)]

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread::available_parallelism;
use std::time::Duration;

use clap::{Args as ClapArgs, Parser, Subcommand};
use jostle_fuzz::campaign::{Amount, Attack, Order, Summary, catch_panics, progress};
use jostle_fuzz::finding::Finding;
use jostle_fuzz::node;
use jostle_fuzz::process::beside_this_program;
use jostle_fuzz::targets::{self, Tools};

/// Attacks Jostle with random cases, shrinks those that show a fault, and writes them out.
#[derive(Parser, Debug)]
#[command(
    name = "jostle-fuzz",
    args_conflicts_with_subcommands = true,
    arg_required_else_help = true,
    after_help = "\
Examples:
  jostle-fuzz list                                what can be attacked
  jostle-fuzz all                                 the usual number of cases of everything
  jostle-fuzz scripts files --seconds 600         two targets, ten minutes each
  jostle-fuzz soak --agent-ticks 1000000000       large crowds, every planner in turn
  jostle-fuzz replay failures/scripts-1-17.json   a finding once more

Exit codes: 0 nothing was found, 1 something was found, 2 the request was wrong."
)]
struct Args {
    #[command(subcommand)]
    command: Option<Command>,

    /// The command that is attacked [default: the one beside this program]
    #[arg(long, value_name = "FILE", global = true)]
    jostle: Option<PathBuf>,

    /// The module for wasm32 in which games are played, too, and which then has to be there, with
    /// Node [default: the one beside this program, if both are there]
    #[arg(long, value_name = "FILE", global = true)]
    wasm: Option<PathBuf>,

    #[command(flatten)]
    attack: AttackArgs,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Run the cases of findings again
    Replay {
        /// Files that an attack has written
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// List the targets
    List,
}

#[derive(ClapArgs, Debug)]
struct AttackArgs {
    /// What to attack: names of targets, or all, which leaves out the soak
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,

    /// The seed of all cases
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// How many cases of each target [default, without any limit: some ten seconds of work]
    #[arg(long, value_name = "N")]
    cases: Option<u64>,

    /// How long to go on with each target
    #[arg(long, value_name = "S")]
    seconds: Option<u64>,

    /// How many agents to move by a tick, all cases of a target together
    #[arg(long, value_name = "N")]
    agent_ticks: Option<u64>,

    /// How many cases at a time [default: one for each core]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,

    /// The folder for findings
    #[arg(long, value_name = "DIR", default_value = "failures")]
    out: PathBuf,

    /// After how many seconds a case counts as a hang
    #[arg(long, value_name = "S", default_value_t = 120)]
    patience: u64,
}

impl AttackArgs {
    fn order(&self) -> Order {
        let amount = Amount {
            cases: self.cases,
            time: self.seconds.map(Duration::from_secs),
            agent_ticks: self.agent_ticks,
        };
        let cores = || available_parallelism().map_or(1, usize::from);
        Order {
            seed: self.seed,
            amount,
            threads: self.threads.unwrap_or_else(cores),
            out: self.out.clone(),
            patience: Duration::from_secs(self.patience),
        }
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    catch_panics();
    // The command is run in other folders than this one.
    let jostle = args.jostle.unwrap_or_else(beside_this_program);
    let jostle = jostle.canonicalize().unwrap_or(jostle);
    let demands_wasm = args.wasm.is_some();
    let module = args.wasm.unwrap_or_else(node::beside_this_program);
    let tools = Tools { jostle, module };
    let found = match &args.command {
        None => attack(&args.attack, &tools, demands_wasm),
        Some(Command::Replay { files }) => replay(files, &tools, demands_wasm),
        Some(Command::List) => list(&tools),
    };
    match found {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(reason) => {
            // If standard error is closed too, the exit code has to do.
            let _ = writeln!(io::stderr(), "jostle-fuzz: {reason}");
            ExitCode::from(2)
        }
    }
}

/// The number of findings, or why the request was wrong.
type Found = Result<usize, String>;

fn say(line: &str) -> Result<(), String> {
    writeln!(io::stdout(), "{line}").map_err(|error| error.to_string())
}

fn list(tools: &Tools) -> Found {
    for target in targets::all(tools).iter().chain(&[targets::soak()]) {
        say(&format!("{:10} {}", target.name(), target.about()))?;
    }
    Ok(0)
}

fn attack(args: &AttackArgs, tools: &Tools, demands_wasm: bool) -> Found {
    let mut chosen = Vec::new();
    for name in &args.targets {
        match name.as_str() {
            "all" => chosen.extend(targets::all(tools)),
            name => chosen.push(find(name, tools)?),
        }
    }
    if chosen.is_empty() {
        return Err("name a target, or all".to_owned());
    }
    let order = args.order();
    let mut found = 0;
    for target in chosen {
        prepare(target.as_ref(), demands_wasm)?;
        let summary = target.attack(&order);
        show(target.name(), &summary)?;
        found += summary.findings.len();
    }
    Ok(found)
}

/// Says what a target leaves out on this machine, or refuses to begin without it.
fn prepare(target: &dyn Attack, demands_all: bool) -> Result<(), String> {
    match target.left_out() {
        Some(reason) if demands_all => Err(reason),
        Some(reason) => say(&format!("{}: {reason}", target.name())),
        None => Ok(()),
    }
}

fn show(name: &str, summary: &Summary) -> Result<(), String> {
    let line = progress(&summary.effort, summary.elapsed, summary.findings.len());
    say(&format!("{name}: {line}"))?;
    for (planner, (agent_ticks, time)) in &summary.effort.by_planner {
        let share = *agent_ticks as f64 * 100.0 / summary.effort.agent_ticks as f64;
        let each = time.as_secs_f64() * 1e6 / *agent_ticks as f64;
        say(&format!("  {planner:13} {share:5.1} % of the agent-ticks, {each:6.2} µs each"))?;
    }
    for note in &summary.notes {
        say(&format!("  {note}"))?;
    }
    Ok(())
}

fn replay(files: &[PathBuf], tools: &Tools, demands_wasm: bool) -> Found {
    let mut found = 0;
    for file in files {
        let finding = Finding::read(file)?;
        let target = find(&finding.target, tools)?;
        prepare(target.as_ref(), demands_wasm)?;
        let wrong = || format!("{}: this is not a case of {}", file.display(), finding.target);
        match target.replay(&finding.case).ok_or_else(wrong)? {
            Ok(()) => say(&format!("{}: no fault", file.display()))?,
            Err(fault) => {
                say(&format!("{}: {fault}", file.display()))?;
                found += 1;
            }
        }
    }
    Ok(found)
}

fn find(name: &str, tools: &Tools) -> Result<Box<dyn Attack>, String> {
    targets::find(name, tools).ok_or_else(|| {
        let names: Vec<_> = targets::all(tools).iter().map(|target| target.name()).collect();
        format!("there is no target '{name}': the targets are {}, soak and all", names.join(", "))
    })
}
