//! Help texts whose examples can be copied, and suggestions that `clap` does not make by itself.

use std::io::{self, IsTerminal, Write};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};
use jostle::registry::nearest;

use crate::table::wants_colours;

/// Stands for a space at which no line of help is broken.
const UNBROKEN: char = '\u{a0}';

/// The command as it reads a command line: lines of examples stay whole however narrow the terminal is, and what looks like a negative
/// number is a value, about which its own error says more.
pub fn prepared(command: Command) -> Command {
    let after = command.get_after_help().map(|text| unbroken(&text.to_string()));
    let after_long = command.get_after_long_help().map(|text| unbroken(&text.to_string()));
    let takes_numbers =
        |arg: &Arg| arg.get_action().takes_values() && !arg.is_positional() && !arg.is_hide_set();
    let command = command
        .mut_args(|arg| if takes_numbers(&arg) { arg.allow_negative_numbers(true) } else { arg });
    let command = after.into_iter().fold(command, Command::after_help);
    let command = after_long.into_iter().fold(command, Command::after_long_help);
    command.mut_subcommands(prepared)
}

/// A text whose indented lines are not broken, and whose paragraphs are broken where the terminal ends.
fn unbroken(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let goes_on = |before: &&mut String| {
            !before.is_empty() && !before.starts_with(UNBROKEN) && !before.ends_with(':')
        };
        if line.starts_with("  ") {
            lines.push(line.replace(' ', &UNBROKEN.to_string()));
        } else if let Some(before) = lines.last_mut().filter(goes_on)
            && !line.is_empty()
        {
            before.extend([" ", line]);
        } else {
            lines.push(line.to_owned());
        }
    }
    lines.join("\n")
}

/// Prints a help text, and ends the program.
pub fn print(error: &clap::Error) -> ! {
    let text = error.render();
    let text = if io::stdout().is_terminal() && wants_colours() {
        text.ansi().to_string()
    } else {
        text.to_string()
    };
    // Whoever reads it may have gone away.
    let _ = io::stdout().write_all(text.replace(UNBROKEN, " ").as_bytes());
    std::process::exit(0)
}

/// The same error with the subcommand that was probably meant. For `jostle help` nobody else looks for it.
pub fn suggesting(mut error: clap::Error) -> clap::Error {
    let typed = match (error.kind(), error.get(ContextKind::InvalidSubcommand)) {
        (ErrorKind::InvalidSubcommand, Some(ContextValue::String(typed))) => typed.clone(),
        _ => return error,
    };
    if error.get(ContextKind::SuggestedSubcommand).is_none() {
        let command = <crate::args::Args as clap::CommandFactory>::command();
        let names: Vec<String> =
            command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
        if let Some(meant) = nearest(&typed, names.iter().map(String::as_str)) {
            let meant = ContextValue::Strings(vec![meant.to_owned()]);
            error.insert(ContextKind::SuggestedSubcommand, meant);
        }
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_joined_and_examples_stay_as_they_are() {
        let text = "Examples:\n  jostle run\n  jostle maps\n\nExit codes: 0 is\nsuccess.";
        let expected = "Examples:\n  jostle run\n  jostle maps\n\nExit codes: 0 is success.";
        assert_eq!(unbroken(text).replace(UNBROKEN, " "), expected);
    }
}
