//! Arguments as typed: `device sim:SPEC VERB` needs no second SPEC, for the URL names it.

use std::ffi::OsString;

const SIMULATED: &str = "sim:";
/// Verbs of `device` that take the specification first.
const TAKING_A_SPECIFICATION: [&str; 13] = [
    "clear",
    "configure",
    "estimate",
    "export",
    "host-key",
    "insert",
    "query",
    "recycle",
    "rekey",
    "remove",
    "restore",
    "snapshot",
    "stats",
];

/// The arguments, with the specification of a simulated card put behind the verb where none is given.
pub fn with_specification(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let words: Vec<Option<&str>> = arguments.iter().map(|word| word.to_str()).collect();
    let mut plain = (1..).zip(words.iter().skip(1)).filter_map(|(place, word)| {
        word.filter(|word| !word.starts_with("--"))
            .map(|word| (place, word))
    });
    let (Some((_, "device")), Some((_, url)), Some((verb_at, verb))) =
        (plain.next(), plain.next(), plain.next())
    else {
        return arguments;
    };
    let Some(file) = url.strip_prefix(SIMULATED).filter(|file| !file.is_empty()) else {
        return arguments;
    };
    let takes = TAKING_A_SPECIFICATION.contains(&verb) || verb == "watch";
    let is_design = |word: &&Option<&str>| {
        word.is_some_and(|word| word == file || word.ends_with(".toml") || word.ends_with(".json"))
    };
    if takes && words.iter().skip(verb_at + 1).find(is_design).is_none() {
        let file = OsString::from(file);
        arguments.insert(verb_at + 1, file);
    }
    arguments
}

/// The error about an unknown word where `device URL` has its verb, with the verb that was likely meant: clap takes the word for a second URL.
pub fn about_a_verb_of_device(words: &[OsString], command: clap::Command) -> Option<clap::Error> {
    let mut plain = words
        .iter()
        .skip(1)
        .filter(|word| !word.to_string_lossy().starts_with("--"));
    let (device, _url, verb) = (plain.next()?, plain.next()?, plain.next()?);
    if device != "device" {
        return None;
    }
    let verbs = command.find_subcommand("device")?.clone();
    verbs
        .mut_arg("url", |url| url.long("url").required(false))
        .override_usage("bloomline device [OPTIONS] <URL> <COMMAND>")
        .try_get_matches_from([device, verb])
        .err()
        .filter(|error| error.kind() == clap::error::ErrorKind::InvalidSubcommand)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn completed(line: &str) -> String {
        let words = line.split_whitespace().map(OsString::from).collect();
        let words: Vec<String> = with_specification(words)
            .into_iter()
            .map(|word| word.into_string().expect("text"))
            .collect();
        words.join(" ")
    }

    #[test]
    fn a_simulated_card_needs_its_specification_once() {
        for (typed, meant) in [
            (
                "b device sim:a.toml query 1",
                "b device sim:a.toml query a.toml 1",
            ),
            (
                "b --json device sim:a.toml stats",
                "b --json device sim:a.toml stats a.toml",
            ),
            (
                "b device sim:spec insert --amount 3 7",
                "b device sim:spec insert spec --amount 3 7",
            ),
        ] {
            assert_eq!(completed(typed), meant);
        }
        for complete in [
            "b device sim:a.toml query a.toml 1",
            "b device sim:a.toml insert --amount 3 a.toml 7",
            "b device sim:a.toml query out/manifest.json 1",
            "b device sim:spec query spec 1",
            "b device sim:a.toml info",
            "b device sim: stats",
            "b device uart:/dev/ttyUSB0 stats",
            "b device sim:a.toml",
            "b plan a.toml",
            "b",
        ] {
            assert_eq!(completed(complete), complete);
        }
    }
}
