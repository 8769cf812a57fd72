//! Examples on the help page of every verb, one table for all of them.

use clap::builder::StyledStr;
use clap::Command;
use std::sync::LazyLock;

/// Path of a verb, and command lines that work where the files they name are there: `examples.txt`.
pub static EXAMPLES: LazyLock<Vec<(&str, Vec<&str>)>> = LazyLock::new(|| {
    let pages = include_str!("examples.txt").split('[').skip(1);
    let pages = pages.filter_map(|page| page.split_once("]\n"));
    pages
        .map(|(path, lines)| (path, lines.lines().collect()))
        .collect()
});

/// Names of the values that are numbers.
const NUMBERS: [&str; 16] = [
    "BITS", "C", "DELTA", "EPS", "EXPONENT", "K", "M", "MINUTES", "MS", "N", "P", "PHASES", "R",
    "SECONDS", "T", "THETA",
];

/// The command with values that begin with a minus for its options of numbers, whose own checks say what they take.
pub fn with_negative_values(command: Command) -> Command {
    let command = command.mut_args(|argument| {
        let name = argument.get_value_names().and_then(|names| names.first());
        let is_number = name.is_some_and(|name| NUMBERS.contains(&name.as_str()));
        argument.allow_hyphen_values(is_number)
    });
    let verbs: Vec<String> = command
        .get_subcommands()
        .map(|verb| verb.get_name().to_owned())
        .collect();
    verbs.into_iter().fold(command, |command, verb| {
        command.mut_subcommand(verb, with_negative_values)
    })
}

/// What clap says of a wrong command line, on one line: without its usage, and with its tips.
pub fn reason(said: &str) -> String {
    let said = said.strip_prefix("error: ").unwrap_or(said);
    let end = ["\n\nUsage:", "\n\nFor more information"]
        .iter()
        .filter_map(|mark| said.find(mark))
        .min();
    let lines = said[..end.unwrap_or(said.len())].lines().map(str::trim);
    lines
        .filter(|line| !line.is_empty())
        .fold(String::new(), |text, line| match line {
            line if text.is_empty() => line.to_owned(),
            line if line.starts_with("tip: ") => format!("{text}; {line}"),
            line => format!("{text} {line}"),
        })
}

/// The command with its examples behind every help page.
pub fn with_examples(command: Command) -> Command {
    EXAMPLES.iter().fold(command, |command, (path, lines)| {
        let words: Vec<&str> = path.split_whitespace().collect();
        at(command, &words, lines)
    })
}

fn at(command: Command, path: &[&str], lines: &[&str]) -> Command {
    match path {
        [] => {
            let before = command.get_after_help().map(StyledStr::to_string);
            let before = before.map_or_else(String::new, |text| format!("{text}\n\n"));
            let title = match lines.len() {
                1 => "Example",
                _ => "Examples",
            };
            command.after_help(format!("{before}{title}:\n  {}", lines.join("\n  ")))
        }
        [verb, rest @ ..] => {
            // A verb that this build lacks has no page.
            match command.find_subcommand(verb).is_some() {
                true => command.mut_subcommand(verb, |verb| at(verb, rest, lines)),
                false => command,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use std::collections::BTreeSet;

    fn paths(command: &Command, before: &str, into: &mut BTreeSet<String>) {
        into.insert(before.to_owned());
        for verb in command.get_subcommands() {
            let name = verb.get_name();
            paths(verb, format!("{before} {name}").trim(), into);
        }
    }

    #[test]
    fn every_verb_has_examples_and_every_example_is_understood() {
        let command = crate::Cli::command();
        let mut verbs = BTreeSet::new();
        paths(&command, "", &mut verbs);
        let with: BTreeSet<String> = EXAMPLES.iter().map(|(path, _)| path.to_string()).collect();
        assert_eq!(with, verbs);
        for line in EXAMPLES.iter().flat_map(|(_, lines)| lines) {
            let words = line.split(" > ").next().expect("one part at least");
            // As a shell takes them: what it would expand stands in quotes.
            let unquoted: String = words.split('\'').step_by(2).collect();
            assert!(!unquoted.contains(['?', '*', '[', '&']), "quote it: {line}");
            let words = words.replace('\'', "");
            let words: Vec<_> = words.split_whitespace().map(Into::into).collect();
            let words = crate::arguments::with_specification(words);
            let understood = crate::Cli::command().try_get_matches_from(words);
            assert!(understood.is_ok(), "{line}: {}", understood.unwrap_err());
        }
    }
}
