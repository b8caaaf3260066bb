//! `jostle completions` and `jostle man`: what shells and `man` know about the command.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Args as ClapArgs, Command, CommandFactory, ValueHint};
use clap_complete::{Shell, generate};
use clap_mangen::Man;
use jostle::Level;
use jostle::formats::{quoted, shown_path};
use jostle::instance::Kind;
use jostle::registry::{Entry, Named, Registry, did_you_mean};
use jostle_lab::{OutputFile, Registries};

use crate::args::Args;
use crate::failure::Failure;
use crate::output::{prepare_folder, write_whole};
use crate::say::say;

#[derive(ClapArgs, Debug)]
#[command(after_long_help = "\
Where the script goes:
  bash         jostle completions bash > ~/.local/share/bash-completion/completions/jostle
  zsh          jostle completions zsh > _jostle, in a folder of $fpath, as in ~/.zfunc
  fish         jostle completions fish > ~/.config/fish/completions/jostle.fish
  powershell   jostle completions powershell >> $PROFILE
  elvish       jostle completions elvish >> ~/.config/elvish/rc.elv

Shells read it when they start: open a new one afterwards.")]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(ClapArgs, Debug)]
#[command(after_long_help = "\
Examples:
  jostle man | man -l -                        read the page of the command
  jostle man sweep | man -l -                  read the page of a subcommand
  jostle man --out ~/.local/share/man/man1     install all pages, for `man jostle` and `man jostle-sweep`")]
pub struct ManArgs {
    /// The subcommand whose page to print [default: the page of jostle itself]
    #[arg(value_name = "SUBCOMMAND")]
    subcommand: Option<String>,

    /// Write all pages to this folder, one for each subcommand
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "subcommand")]
    pub out: Option<PathBuf>,
}

/// Prints the script with which a shell completes the command.
pub fn completions(registries: Registries<'_>, args: &CompletionsArgs) -> Result<(), Failure> {
    // Written whole: the generator cannot handle a reader that goes away.
    let mut script = Vec::new();
    generate(args.shell, &mut with_names(registries, args.shell), "jostle", &mut script);
    Ok(io::stdout().write_all(&script)?)
}

/// Prints one page, or writes all.
pub fn man(args: &ManArgs) -> Result<(), Failure> {
    let mut command = Args::command().disable_help_subcommand(true);
    // Gives the subcommands their whole names, as in `jostle-sweep`.
    command.build();
    let Some(folder) = &args.out else {
        let page = match &args.subcommand {
            None => page(&command)?,
            Some(name) => page(find(&command, name)?)?,
        };
        return Ok(io::stdout().write_all(&page)?);
    };
    prepare_folder(folder, "the pages")?;
    let mut count = 0;
    for command in [&command].into_iter().chain(shown(&command)) {
        let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
        let page = page(command)?;
        write_whole(OutputFile::open(&folder.join(format!("{name}.1")))?, |out| {
            out.write_all(&page)
        })?;
        count += 1;
    }
    say(format_args!("{count} pages in {}", shown_path(folder)))?;
    Ok(())
}

/// The subcommands that help lists.
fn shown(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|sub| !sub.is_hide_set() && sub.get_name() != "help")
}

fn find<'a>(command: &'a Command, name: &str) -> Result<&'a Command, Failure> {
    shown(command).find(|sub| sub.get_name() == name).ok_or_else(|| {
        let names: Vec<&str> = shown(command).map(Command::get_name).collect();
        let meant = did_you_mean(name, &names, "the subcommands are");
        Failure::input(format!("there is no subcommand {}: {meant}", quoted(name)))
    })
}

/// A page. The generator would fill the lines of examples like those of a text.
fn page(command: &Command) -> Result<Vec<u8>, Failure> {
    let after = command.get_after_long_help().or(command.get_after_help());
    let after = after.map(ToString::to_string).unwrap_or_default();
    let (man, mut page) = (Man::new(command.clone()), Vec::new());
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if shown(command).next().is_some() {
        man.render_subcommands_section(&mut page)?;
    }
    for (title, lines) in sections(&after) {
        writeln!(page, ".SH {title}\n.nf")?;
        for line in lines {
            // A line must not begin as an instruction.
            writeln!(page, "\\&{}", line.replace('\\', "\\e").replace('-', "\\-"))?;
        }
        writeln!(page, ".fi")?;
    }
    Ok(page)
}

/// What follows the options of a help text, with the titles that manual pages have.
fn sections(text: &str) -> Vec<(&'static str, Vec<&str>)> {
    let mut sections: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in text.lines() {
        let (title, rest) = match line.split_once(':') {
            Some(("Examples", rest)) => (Some("EXAMPLES"), rest.trim()),
            Some(("Exit codes", rest)) => (Some("EXIT STATUS"), rest.trim()),
            _ => (None, line),
        };
        match (title, sections.last_mut()) {
            (Some(title), _) => sections.push((title, Vec::new())),
            (None, None) => sections.push(("NOTES", Vec::new())),
            (None, Some(_)) => {}
        }
        if let Some((_, lines)) = sections.last_mut()
            && (title.is_none() || !rest.is_empty())
        {
            lines.push(rest);
        }
    }
    sections
}

/// The command with the names that shells complete. Only here: what users type is read by other code, which takes parameters and files too.
fn with_names(registries: Registries<'_>, shell: Shell) -> Command {
    let planners = Names::of(registries.planners);
    let mut solvers = Names::of(registries.solvers);
    solvers.0.extend(Names::of(Registry::<jostle::solvers::CoCbs>::builtin()).0);
    let kinds = Names(Kind::ALL.map(|kind| (kind.name().to_owned(), String::new())).into());
    // Only the scripts for bash offer names beside files.
    let maps = Names(match shell {
        Shell::Bash => {
            Level::ALL.map(|level| (level.name().to_owned(), level.about().to_owned())).into()
        }
        _ => Vec::new(),
    });
    let mut command = Args::command();
    let subcommands: Vec<String> =
        command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    for name in subcommands {
        command = command.mut_subcommand(&name, |sub| {
            sub.mut_args(|arg| {
                let names = match (name.as_str(), arg.get_id().as_str()) {
                    ("run", "planner") | ("train", "planners") | ("planners", "name") => &planners,
                    ("solve", "solver") | ("solvers", "name") => &solvers,
                    ("run" | "solve" | "maps" | "select", "kind") => &kinds,
                    (_, "map" | "maps") if name != "report" => &maps,
                    _ => return arg,
                };
                names.for_arg(arg)
            })
        });
    }
    command
}

/// Names to complete, with what is said about them.
#[derive(Clone)]
struct Names(Vec<(String, String)>);

impl Names {
    fn of<T: Named + ?Sized>(registry: &Registry<T>) -> Self {
        let entry = |entry: &Entry<T>| (entry.name().to_owned(), entry.about().to_owned());
        Self(registry.entries().iter().map(entry).collect())
    }

    /// The argument with these names, if there are any.
    fn for_arg(&self, arg: Arg) -> Arg {
        if self.0.is_empty() { arg } else { arg.value_parser(self.clone()) }
    }
}

impl TypedValueParser for Names {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().map(|(name, about)| {
            let value = PossibleValue::new(name.clone());
            if about.is_empty() { value } else { value.help(about.clone()) }
        })))
    }
}
