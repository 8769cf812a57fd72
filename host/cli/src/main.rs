//! The `bloomline` command: one file in, sized filter, Verilog and documentation out.
//!
//! One verb a file in `commands/`. Results go to stdout, progress and errors to stderr. Exit codes: 0 good, 1 the check
//! failed, 2 an error: bad input or usage, or a device, tool or file that failed.

/// Says something on stderr, on a line of its own. Nobody may read it (`2>&1 | head -1`): that stops no work.
macro_rules! note {
    ($($argument:tt)*) => {
        $crate::output::note(format_args!($($argument)*))
    };
}

mod activity;
mod arguments;
mod commands;
mod device_link;
mod help;
mod numbers;
mod output;
mod table;
mod tools_folder;
mod written_file;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser};
use output::{Ending, Output};
use std::process::ExitCode;

/// Sizes, emits and verifies line-rate membership filters.
#[derive(Debug, Parser)]
#[command(
    name = "bloomline",
    version,
    after_help = "Exit codes: 0 good, 1 the check failed, 2 bad input or usage, or a device, tool or file that failed. Results go to stdout, progress to stderr."
)]
struct Cli {
    #[command(flatten)]
    output: Output,
    #[command(subcommand)]
    verb: commands::Verb,
}

/// The command's options as they are read.
fn options() -> clap::Command {
    help::with_negative_values(help::with_examples(Cli::command()))
}

/// Checks a command line, the first word of which is the command's name, without running it.
///
/// # Errors
/// Why the command would refuse it.
fn check(words: &[String]) -> Result<(), String> {
    let read = options()
        .try_get_matches_from(words)
        .and_then(|matches| Cli::from_arg_matches(&matches));
    read.map(|_| ()).map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            "--help and --version do no work; take them out".to_owned()
        }
        _ => help::reason(&error.to_string()),
    })
}

fn main() -> ExitCode {
    let words = arguments::with_specification(std::env::args_os().collect());
    let matches = options()
        .try_get_matches_from(&words)
        .unwrap_or_else(|error| {
            arguments::about_a_verb_of_device(&words, Cli::command())
                .filter(|_| error.kind() == ErrorKind::UnknownArgument)
                .unwrap_or(error)
                .exit()
        });
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    match cli.verb.run(cli.output) {
        Ok(Ending::Good) => ExitCode::SUCCESS,
        Ok(Ending::CheckFailed) => ExitCode::from(1),
        Err(error) => {
            note!("error: {}", message(&error));
            ExitCode::from(2)
        }
    }
}

/// The error and every cause that its text does not carry already.
fn message(error: &anyhow::Error) -> String {
    error
        .chain()
        .skip(1)
        .map(ToString::to_string)
        .fold(error.to_string(), |text, cause| {
            if text.contains(&cause) {
                text
            } else {
                format!("{text}: {cause}")
            }
        })
}
