//! Examples on the help page of every verb, one table for all of them.

use clap::builder::StyledStr;
use clap::Command;

/// Path of a verb, and command lines that work where the files they name are there.
pub const EXAMPLES: &[(&str, &[&str])] = &[
    (
        "",
        &[
            "bloomline quickstart",
            "bloomline new seen --kind recycling --items 10000 --rate 1%",
            "bloomline plan seen.toml",
        ],
    ),
    (
        "quickstart",
        &[
            "bloomline quickstart",
            "bloomline quickstart --out out/first",
        ],
    ),
    (
        "new",
        &[
            "bloomline new seen --kind recycling --items 10000 --rate 1%",
            "bloomline new members --kind static --items 16Ki --rate 0.1%",
            "bloomline new busy --kind counting --items 20000 --threshold 5 --board versa-ecp5",
        ],
    ),
    (
        "examples",
        &[
            "bloomline examples",
            "bloomline examples --write specs",
            "bloomline plan specs/onehit.toml",
        ],
    ),
    (
        "explain",
        &[
            "bloomline explain filter.hashes",
            "bloomline explain filter.recycle",
            "bloomline explain --all > keys.md",
        ],
    ),
    ("schema", &["bloomline schema > bloomline.schema.json"]),
    (
        "plan",
        &[
            "bloomline plan onehit.toml",
            "bloomline plan onehit.toml --explain",
            "bloomline plan onehit.toml --compare",
            "bloomline plan onehit.toml --html plan.html",
            "bloomline plan onehit.toml --varying 0xffff --seeds 20",
            "bloomline plan onehit.toml --zipf 0.8,1M",
            "bloomline plan onehit.toml --cache 5000 --zipf 0.8,1M",
            "bloomline plan onehit.toml --json",
        ],
    ),
    (
        "size",
        &[
            "bloomline size static --items 16Ki --rate 1%",
            "bloomline size static --items 16Ki --rate 1% --write members.toml",
            "bloomline size sliding --window 16384 --slack 4096 --rate 0.1%",
            "bloomline size recycling --messages 10000 --rate 1% --phases 2",
        ],
    ),
    (
        "size recycling",
        &[
            "bloomline size recycling --messages 10000 --rate 1% --phases 2",
            "bloomline size recycling --memory 256Ki --rate 1% --write seen.toml",
        ],
    ),
    (
        "size static",
        &[
            "bloomline size static --items 16Ki --rate 1%",
            "bloomline size static --bits 1Mi --items 100k",
        ],
    ),
    (
        "size counting",
        &[
            "bloomline size counting --insertions 20k --threshold 5 --rate 0.1%",
            "bloomline size counting --insertions 20k --threshold 5 --counters 64Ki",
        ],
    ),
    (
        "size count-min",
        &["bloomline size count-min --error 0.1% --failure 1%"],
    ),
    (
        "size sliding",
        &["bloomline size sliding --window 16384 --slack 4096 --rate 0.1%"],
    ),
    (
        "size scheme",
        &["bloomline size scheme --f 0,1,4,9 --bits-an-item 8"],
    ),
    (
        "emit",
        &[
            "bloomline emit onehit.toml --out out/onehit",
            "bloomline emit onehit.toml --out out/onehit --force",
        ],
    ),
    (
        "verify",
        &[
            "bloomline verify onehit.toml --items 2M --report out/report",
            "bloomline verify onehit.toml --pcap trace.pcap",
            "bloomline verify onehit.toml --keys trace.csv:lbn --require-conclusive",
        ],
    ),
    (
        "prove",
        &[
            "bloomline prove onehit.toml --reduced",
            "bloomline prove onehit.toml --only progress --out out/proofs",
        ],
    ),
    (
        "build",
        &[
            "bloomline build admit.toml --board versa-ecp5",
            "bloomline build admit.toml --board versa-ecp5 --seed 7 --out out/seed7",
            "bloomline build onehit.toml --flow vivado --part xcu55c-fsvh2892-2L-e",
        ],
    ),
    (
        "program",
        &[
            "bloomline program out/admit_versa_ecp5",
            "bloomline program out/admit_versa_ecp5 --print",
        ],
    ),
    (
        "figures",
        &[
            "bloomline figures --list",
            "bloomline figures --quick --only rbf-3,km-1",
        ],
    ),
    (
        "campaign",
        &[
            "bloomline campaign new seeds --from seeds.toml",
            "bloomline campaign run seeds --jobs 8",
            "bloomline campaign submit seeds --engine slurm -- --partition=long",
            "bloomline campaign merge seeds",
        ],
    ),
    (
        "campaign new",
        &["bloomline campaign new seeds --from seeds.toml"],
    ),
    ("campaign run", &["bloomline campaign run seeds --jobs 8"]),
    (
        "campaign submit",
        &["bloomline campaign submit seeds --engine slurm -- --partition=long"],
    ),
    ("campaign status", &["bloomline campaign status seeds"]),
    ("campaign cancel", &["bloomline campaign cancel seeds"]),
    ("campaign merge", &["bloomline campaign merge seeds"]),
    (
        "device",
        &[
            "bloomline device sim:admit.toml query 1 2 3",
            "bloomline device 'uart:/dev/ttyUSB0?baud=1000000' info",
            "bloomline device etherbone:192.168.1.50 stats linecard.toml",
        ],
    ),
    ("device info", &["bloomline device sim:admit.toml info"]),
    (
        "device configure",
        &[
            "bloomline device uart:/dev/ttyUSB0 configure admit.toml --threshold 20k",
            "bloomline device etherbone:192.168.1.50 configure linecard.toml --policy lane_1.unseen=drop --learn lane_0=off",
        ],
    ),
    (
        "device query",
        &[
            "bloomline device sim:admit.toml query 1 2 0x30",
            "bloomline device uart:/dev/ttyUSB0 query admit.toml --keys trace.csv:object",
        ],
    ),
    (
        "device insert",
        &[
            "bloomline device uart:/dev/ttyUSB0 insert admit.toml 1 2 0x30",
            "bloomline device uart:/dev/ttyUSB0 insert admit.toml --test --keys trace.csv:object",
        ],
    ),
    (
        "device remove",
        &["bloomline device uart:/dev/ttyUSB0 remove hotkeys.toml 1 2"],
    ),
    (
        "device stats",
        &[
            "bloomline device uart:/dev/ttyUSB0 stats admit.toml",
            "bloomline device uart:/dev/ttyUSB0 stats admit.toml --format prometheus",
        ],
    ),
    (
        "device watch",
        &[
            "bloomline device uart:/dev/ttyUSB0 watch admit.toml",
            "bloomline device uart:/dev/ttyUSB0 watch admit.toml --interval-ms 1000 --samples 60 --json",
        ],
    ),
    (
        "device clear",
        &["bloomline device uart:/dev/ttyUSB0 clear admit.toml"],
    ),
    (
        "device rekey",
        &[
            "bloomline device uart:/dev/ttyUSB0 rekey guarded.toml",
            "bloomline device uart:/dev/ttyUSB0 rekey guarded.toml --from secret.txt --clear",
        ],
    ),
    (
        "device host-key",
        &["bloomline device uart:/dev/ttyUSB0 host-key linecard.toml card.key --new"],
    ),
    (
        "device recycle",
        &["bloomline device uart:/dev/ttyUSB0 recycle admit.toml"],
    ),
    (
        "device snapshot",
        &["bloomline device uart:/dev/ttyUSB0 snapshot hotkeys.toml --out monday.snapshot"],
    ),
    (
        "device union",
        &["bloomline device - union monday.snapshot tuesday.snapshot --out both.snapshot"],
    ),
    (
        "device estimate",
        &[
            "bloomline device - estimate monday.snapshot",
            "bloomline device uart:/dev/ttyUSB0 estimate hotkeys.toml --confidence 99%",
        ],
    ),
    (
        "device similarity",
        &["bloomline device - similarity monday.snapshot tuesday.snapshot"],
    ),
    (
        "device restore",
        &["bloomline device uart:/dev/ttyUSB0 restore hotkeys.toml monday.snapshot"],
    ),
    (
        "device export",
        &["bloomline device uart:/dev/ttyUSB0 export admit.toml --listen 127.0.0.1:9187"],
    ),
    (
        "serve",
        &[
            "bloomline serve admit.toml --pty /tmp/card",
            "bloomline serve linecard.toml --udp 1234",
        ],
    ),
    (
        "tools",
        &["bloomline tools install", "bloomline tools doctor"],
    ),
    ("tools install", &["bloomline tools install"]),
    ("tools doctor", &["bloomline tools doctor"]),
    (
        "completions",
        &[
            "bloomline completions bash > ~/.local/share/bash-completion/completions/bloomline",
            "bloomline completions zsh > ~/.zfunc/_bloomline",
            "bloomline completions fish > ~/.config/fish/completions/bloomline.fish",
        ],
    ),
    (
        "man",
        &["bloomline man --out ~/.local/share/man/man1"],
    ),
];

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
        for line in EXAMPLES.iter().flat_map(|(_, lines)| *lines) {
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
