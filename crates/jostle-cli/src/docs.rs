//! `jostle completions` and `jostle man`: what shells and `man` know about the command.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, ArgAction, Args as ClapArgs, Command, CommandFactory, ValueHint};
use clap_complete::{Shell, generate};
use clap_mangen::Man;
use jostle::Level;
use jostle::formats::{quoted, shown_path};
use jostle::instance::Kind;
use jostle::registry::{Entry, Named, Registry, did_you_mean};
use jostle_lab::{Experiment, OutputFile, Registries};

use crate::args::Args;
use crate::failure::Failure;
use crate::output::{prepare_folder, write_whole};
use crate::say::say;
use crate::table::counted;

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
    let script = String::from_utf8_lossy(&script);
    let script = match args.shell {
        Shell::Zsh => completing_every_value(&script),
        Shell::Bash => completing_files_too(&script),
        _ => script.into_owned(),
    };
    Ok(io::stdout().write_all(script.as_bytes())?)
}

/// The script for zsh. With two colons a list takes the rest of the line, and nothing after its first value is completed.
fn completing_every_value(script: &str) -> String {
    script.replace("'*::", "'*:")
}

/// Subcommands whose first word may be a file.
const READS_FILES: [&str; 10] =
    ["run", "solve", "sweep", "gen", "export", "check", "replay", "report", "maps", "select"];

/// Adds files to the words that the script for bash offers for the first word of a subcommand.
const ADD_FILES: &str = "
_jostle_files() {
    local file
    [[ ${cur} == -* ]] && return
    while IFS= read -r file; do
        COMPREPLY+=(\"${file}\")
    done < <(compgen -f -- \"${cur}\")
    compopt -o filenames 2>/dev/null
}
";

/// The script for bash, which offers files beside options and names.
fn completing_files_too(script: &str) -> String {
    let mut text = String::new();
    let mut reads_files = false;
    for line in script.lines() {
        if let Some(name) = line.trim().strip_prefix("jostle__subcmd__") {
            reads_files = READS_FILES.contains(&name.trim_end_matches(')'));
        }
        text.extend([line, "\n"]);
        if reads_files && line.trim().starts_with("COMPREPLY=( $(compgen -W \"${opts}\"") {
            text.push_str("                _jostle_files\n");
            // Once: what follows the options of the subcommand is about their values.
            reads_files = false;
        }
    }
    text + ADD_FILES
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
    say(format_args!("{} in {}", counted(count, "page"), shown_path(folder)))?;
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

/// What every page says about files and the environment.
const COMMON: &str = "Files:
In place of a file name, - means standard input or standard output.
Environment:
JOSTLE_MAPS  a folder in which maps and scenarios are also looked for
NO_COLOR     if it is set and not empty, tables have no colours";

/// A page. The generator would fill the lines of examples like those of a text, and leaves the values of options out of the synopsis.
fn page(command: &Command) -> Result<Vec<u8>, Failure> {
    let after = command.get_after_long_help().or(command.get_after_help());
    let after = after.map(ToString::to_string).unwrap_or_default();
    let (man, mut page) = (Man::new(command.clone()), Vec::new());
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    writeln!(page, ".SH SYNOPSIS\n{}", synopsis(command))?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if shown(command).next().is_some() {
        man.render_subcommands_section(&mut page)?;
    }
    let see_also = if command.get_name() == "jostle" {
        let pages = shown(command).map(|sub| format!("jostle-{}(1)", sub.get_name()));
        pages.collect::<Vec<_>>().join(", ")
    } else {
        "jostle(1)".to_owned()
    };
    let (after, common) = (sections(&after), sections(COMMON));
    let is_new = |(title, _): &&(&str, Vec<&str>)| after.iter().all(|(other, _)| other != title);
    let common = common.iter().filter(is_new);
    let see_also = ("SEE ALSO", vec![see_also.as_str()]);
    for (title, lines) in after.iter().chain(common).chain([&see_also]) {
        writeln!(page, ".SH {title}\n.nf")?;
        for line in lines {
            // A line must not begin as an instruction.
            writeln!(page, "\\&{}", line.replace('\\', "\\e").replace('-', "\\-"))?;
        }
        writeln!(page, ".fi")?;
    }
    Ok(page)
}

/// How the command is called, in the language of manual pages: what users type in bold, and what they replace in italics.
fn synopsis(command: &Command) -> String {
    let escaped = |text: &str| text.replace('-', "\\-");
    let name = command.get_bin_name().unwrap_or(command.get_name());
    let mut parts = vec![format!("\\fB{}\\fR", escaped(name))];
    let (words, options): (Vec<&Arg>, Vec<&Arg>) = command
        .get_arguments()
        .filter(|arg| !arg.is_hide_set())
        .partition(|arg| arg.is_positional());
    for arg in options.into_iter().chain(words) {
        let option =
            arg.get_long().map(|long| format!("\\fB{}\\fR", escaped(&format!("--{long}"))));
        let takes_values = arg.get_action().takes_values();
        let names = arg.get_value_names().filter(|_| takes_values).unwrap_or_default();
        let values = names.iter().map(|name| format!("\\fI{}\\fR", escaped(name)));
        let text = option.into_iter().chain(values).collect::<Vec<_>>().join(" ");
        let text = if arg.is_required_set() { text } else { format!("[{text}]") };
        let is_list = takes_values && matches!(arg.get_action(), ArgAction::Append);
        parts.push(if is_list { format!("{text}...") } else { text });
    }
    parts.extend(command.has_subcommands().then(|| "[\\fICOMMAND\\fR]".to_owned()));
    parts.join(" ")
}

/// What follows the options of a help text, with the titles that manual pages have.
fn sections(text: &str) -> Vec<(&'static str, Vec<&str>)> {
    let mut sections: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in text.lines() {
        let (title, rest) = match line.split_once(':') {
            Some(("Examples", rest)) => (Some("EXAMPLES"), rest.trim()),
            Some(("Exit codes" | "Exit codes of all commands", rest)) => {
                (Some("EXIT STATUS"), rest.trim())
            }
            Some(("Files", rest)) => (Some("FILES"), rest.trim()),
            Some(("Environment", rest)) => (Some("ENVIRONMENT"), rest.trim()),
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
    let plain = |names: &[&str]| {
        Names(names.iter().map(|name| ((*name).to_owned(), String::new())).collect())
    };
    let kinds = plain(&Kind::ALL.map(Kind::name));
    let drawn_kinds = plain(&[&Kind::ALL.map(Kind::name)[..], &["single"]].concat());
    let recorded_kinds = plain(&[&Kind::ALL.map(Kind::name)[..], &["meetings"]].concat());
    let experiment = |one: Experiment| (one.name().to_owned(), one.about().to_owned());
    let experiments = Names(Experiment::ALL.map(experiment).into());
    let models = plain(if shell == Shell::Bash { &["builtin"] } else { &[] });
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
    let pages = plain(&subcommands.iter().map(String::as_str).collect::<Vec<_>>());
    for name in subcommands {
        command = command.mut_subcommand(&name, |sub| {
            sub.mut_args(|arg| {
                let names = match (name.as_str(), arg.get_id().as_str()) {
                    ("run" | "report", "planner" | "against")
                    | ("train", "planners")
                    | ("planners", "name") => &planners,
                    ("solve" | "report", "solver") | ("solvers", "name") => &solvers,
                    ("run" | "solve" | "maps" | "select", "kind") => &kinds,
                    ("gen", "kind") => &drawn_kinds,
                    ("report", "kind") => &recorded_kinds,
                    ("run" | "gen", "experiment") => &experiments,
                    ("select", "model") => &models,
                    ("man", "subcommand") => &pages,
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
