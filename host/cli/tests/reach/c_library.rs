//! The library for C: programs that the system's compilers make of the committed header, against served cards.

use crate::support::{compile, run, Card, Linked};
use std::process::Command;

/// Small enough to read its array often.
const SMALL: [(&str, &str); 2] = [
    ("memory_bits = 524288", "memory_bits = 16384"),
    ("items = 20000", "items = 500"),
];

#[test]
fn a_program_in_c_drives_a_recycling_card_through_the_shared_library_and_gives_everything_back() {
    let card = Card::small_recycling(&["--udp", "0"]);
    let program = compile("tests/drive.c", "cc", Linked::Checked, card.folder.path());
    let said = run(Command::new(program)
        .arg(card.url())
        .arg(card.manifest())
        .arg(card.folder.path()));
    assert_eq!(said, "406 items\n");
}

#[test]
fn a_program_in_c_plus_plus_drives_a_counting_card_through_the_static_library() {
    let card = Card::counting(&SMALL);
    let program = compile("tests/drive.c", "g++", Linked::Static, card.folder.path());
    // A specification that says its threshold will do for a manifest.
    let said = run(Command::new(program)
        .arg(card.url())
        .arg(card.path("card.toml"))
        .arg(card.folder.path()));
    assert_eq!(said, "310 items\n");
    assert!(card.path("one.snapshot").is_file());
}
