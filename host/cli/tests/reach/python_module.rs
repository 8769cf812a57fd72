//! The Python module: the wheel as users build it, in an environment of its own, against served cards.

use super::support::{run, Card, Module};

#[test]
#[ignore = "a claim"]
fn the_module_drives_cards_of_two_kinds_and_a_line_card() {
    let module = Module::get();
    let small = [
        ("memory_bits = 524288", "memory_bits = 16384"),
        ("items = 20000", "items = 500"),
    ];
    let cards = [
        (Card::line_card(), "card.toml"),
        (
            Card::small_recycling(&["--udp", "0"]),
            "emitted/manifest.json",
        ),
        (Card::counting(&small), "card.toml"),
    ];
    for (card, design) in cards {
        run(module
            .script("tests/drive.py")
            .arg(card.url())
            .arg(card.path(design))
            .arg(card.folder.path()));
    }
}

#[test]
#[ignore = "a claim"]
fn its_stubs_are_those_of_the_built_module() {
    run(&mut Module::get().script("tests/stubs.py"));
}

#[test]
#[ignore = "a claim"]
fn filters_are_modelled_sized_planned_and_verified_without_a_card() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut script = Module::get().script("tests/model.py");
    eprint!("{}", run(script.arg(folder.path())));
}

#[test]
#[ignore = "a claim"]
fn the_notebook_runs_from_end_to_end() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    Module::get().add_matplotlib();
    let mut script = Module::get().script("tests/notebook.py");
    eprint!("{}", run(script.arg(folder.path())));
}
