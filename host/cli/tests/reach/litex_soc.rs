//! The LiteX cores of the Python module: a SoC in LiteX's own simulator, and one for an ECP5.

use super::support::{run, Module};
use crate::common::{edited, folder};
use crate::serve_support::tools;
use bloomline_toolchain::{Package, Program, Toolchain};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// A command that runs the example with LiteX, the module as the wheel has it, and these tools on `PATH`.
fn example(folder: &Path, programs: &[(&str, Program)]) -> Command {
    let toolchain = Toolchain::in_folder(tools()).expect("a folder for tools");
    let progress = |progress: &_| eprintln!("{progress}");
    toolchain
        .install(&[Package::LiteEth], &progress)
        .unwrap_or_else(|error| panic!("{error}"));
    let bin = folder.join("bin");
    std::fs::create_dir(&bin).expect("a folder");
    for (name, program) in programs {
        let found = toolchain
            .find_or_install(*program, &progress)
            .unwrap_or_else(|error| panic!("{error}"));
        let command = found.command();
        let mut script = "#!/bin/sh\n".to_owned();
        for (name, value) in command.get_envs() {
            let value = value.unwrap_or_default().to_string_lossy();
            script += &format!("export {}='{value}'\n", name.to_string_lossy());
        }
        let words = std::iter::once(command.get_program()).chain(command.get_args());
        let words: Vec<String> = words
            .map(|word| format!("'{}'", word.to_string_lossy()))
            .collect();
        script += &format!("exec {} \"$@\"\n", words.join(" "));
        let file = bin.join(name);
        std::fs::write(&file, script).expect("written");
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(&file, executable).expect("a file of this test");
    }
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command =
        Command::new(std::path::absolute(toolchain.python_of(Package::LiteEth)).expect("a folder"));
    command
        .arg(crate::common::root().join("host/python/examples/litex_soc.py"))
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", bin.display()))
        .env("PYTHONPATH", Module::get().packages())
        .env("BLOOMLINE", env!("CARGO_BIN_EXE_bloomline"))
        // the wheel of PyPI does not know how the compiler takes a precompiled header
        .env("MAKEFLAGS", "CFG_CXXFLAGS_PCH_I=-include");
    command
}

/// Whether the headers of LiteX's simulator are there; without them it is said, which is a failure in CI.
fn simulator_can_be_built() -> bool {
    let includes = ["event2/event.h", "json-c/json.h", "zlib.h"];
    let mut compiler = Command::new("g++");
    compiler.args(["-fsyntax-only", "-x", "c++", "/dev/null"]);
    for header in includes {
        compiler.args(["-include", header]);
    }
    let there = compiler
        .output()
        .is_ok_and(|output| output.status.success());
    if !there {
        let missing = "LiteX's simulator needs libevent, json-c and zlib (Debian: `apt-get install libevent-dev libjson-c-dev zlib1g-dev`)";
        assert!(std::env::var("CI").is_err(), "{missing}");
        println!("SKIPPED: {missing}");
    }
    there
}

#[test]
#[ignore = "a claim"]
fn a_soc_in_the_simulator_of_litex_gives_every_verdict_and_every_frame() {
    if !simulator_can_be_built() {
        return;
    }
    let folder = folder("");
    let examples = crate::common::root().join("hdl/specification/examples");
    let example_of = |name: &str| examples.join(name).to_string_lossy().into_owned();
    let mut command = example(folder.path(), &[("verilator", Program::Verilator)]);
    let printed = run(command.args([
        "--filter",
        &example_of("onehit.toml"),
        "--path",
        &example_of("inline.toml"),
        "--out",
        "soc",
    ]));
    for part in [
        "onehit: ",
        " items over the bridge",
        "in_line: 9 frames through two MACs",
    ] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
    println!(
        "{}",
        printed.lines().rev().take(2).collect::<Vec<_>>().join("; ")
    );
}

#[test]
#[ignore = "a claim"]
fn a_soc_of_litex_becomes_a_bitstream_for_an_ecp5() {
    let spec = edited(&[("bits = 104", "bits = 32")]);
    // yosys from PyPI sees a /tmp of its own, and LiteX names files by absolute paths
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a temporary folder");
    std::fs::write(folder.path().join("tiny.toml"), spec).expect("the specification");
    let programs = [
        ("yosys", Program::Yosys),
        ("nextpnr-ecp5", Program::NextpnrEcp5),
        ("ecppack", Program::EcpPack),
    ];
    let mut command = example(folder.path(), &programs);
    let printed = run(command.args(["--filter", "tiny.toml", "--board", "--out", "soc"]));
    assert!(printed.contains("soc.bit: "), "{printed}");
    let bitstream = folder.path().join("soc/gateware/soc.bit");
    assert!(std::fs::metadata(bitstream).expect("a bitstream").len() > 100_000);
}

#[test]
#[ignore = "a claim"]
fn a_core_says_what_is_wrong_with_a_specification_or_the_command() {
    let folder = folder(&edited(&[]));
    let packet = crate::common::root().join("hdl/specification/examples/inline.toml");
    let card = folder.path().join("card.toml");
    std::fs::write(card, format!("{}\n[card]\n", edited(&[]))).expect("written");
    let twin = folder.path().join("twin.toml");
    std::fs::write(twin, edited(&[("name = \"tiny\"", "name = \"tiny_card\"")])).expect("written");
    let script = folder.path().join("refused.py");
    std::fs::write(
        &script,
        format!(
            "from bloomline.litex import BloomlineFilter, BloomlinePath, EmitError, emit\n\
             class Platform:\n    def add_source(self, file): pass\n\
             for core, spec, command in [(BloomlineFilter, {packet:?}, None), (BloomlinePath, 'tiny.toml', None),\n\
             \x20       (BloomlineFilter, 'no.toml', None), (BloomlineFilter, 'tiny.toml', 'no-such-command')]:\n\
             \x20   try:\n        core(Platform(), spec, command=command)\n\
             \x20   except EmitError as error:\n        print(error)\n\
             soc = Platform()\nBloomlineFilter(soc, 'card.toml')\n\
             try:\n    BloomlineFilter(soc, 'twin.toml')\n\
             except EmitError as error:\n    print(error)\n"
        ),
    )
    .expect("written");
    let mut command = example(folder.path(), &[]);
    let python = command.get_program().to_owned();
    let mut plain = Command::new(python);
    for (name, value) in command.get_envs() {
        plain.env(name, value.unwrap_or_default());
    }
    command.current_dir(folder.path());
    let printed = run(plain.current_dir(folder.path()).arg(&script));
    for part in [
        "in_line: the design has no stream of items; take BloomlinePath",
        "tiny: the design has no stream of frames",
        "no.toml",
        "no-such-command: there is no such command; install it",
        "module tiny_card is in the emissions of tiny",
    ] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
}
