//! `-`: standard input and standard output in the place of files.

use std::path::Path;

use jostle::formats::STANDARD_INPUT;
use jostle_lab::STANDARD_OUTPUT;

use crate::args::Args;
use crate::failure::Failure;
use crate::say::take_stdout;

/// Makes sure that each is named once, and leaves standard output to the file that is written there: what is meant for people goes to standard
/// error.
pub fn prepare(args: &Args) -> Result<(), Failure> {
    let Some(command) = &args.command else { return Ok(()) };
    let count = |paths: Vec<&Path>, name: &str| {
        paths.iter().filter(|path| path.as_os_str() == name).count()
    };
    if count(command.inputs(), STANDARD_INPUT) > 1 {
        let reason =
            "standard input can be read only once, and two files are to be read from it (-)";
        return Err(Failure::input(reason));
    }
    if command.folder().is_some_and(|folder| folder.as_os_str() == STANDARD_OUTPUT) {
        let reason = "--out names a folder here, and standard output (-) is none";
        return Err(Failure::input(format!("{reason}: for a folder of that name, write ./-")));
    }
    match count(command.outputs(), STANDARD_OUTPUT) {
        0 => return Ok(()),
        1 if command.prints_json() => {
            let reason = "--json prints to standard output already: write the file (-) elsewhere";
            return Err(Failure::input(reason));
        }
        1 => {}
        _ => {
            let reason = "one file can be written to standard output, and two are to be (-)";
            return Err(Failure::input(reason));
        }
    }
    take_stdout();
    Ok(())
}
