//! README and tutorial, walked line by line in an empty folder with the installed command alone.

use crate::common::root;
use std::path::Path;
use std::process::{Command, Output};

/// Lines that begin like this need the source tree or another machine.
const ELSEWHERE: [&str; 3] = ["cargo ", "pip ", "apt-get "];
/// Part of a line that needs a board.
const BOARD: &str = "/dev/ttyUSB0";
/// What a shown output says of the machine it was made on.
const OF_THE_MACHINE: [&str; 1] = ["lockstep"];

/// A page's indented blocks, each with the number of its first line.
fn blocks(page: &str) -> Vec<(usize, Vec<&str>)> {
    let mut blocks: Vec<(usize, Vec<&str>)> = Vec::new();
    let mut open = false;
    for (number, line) in (1..).zip(page.lines()) {
        match line.strip_prefix("    ") {
            Some(text) if open => blocks.last_mut().expect("one is open").1.push(text),
            Some(text) => blocks.push((number, vec![text])),
            None => {}
        }
        open = line.starts_with("    ");
    }
    blocks
}

fn is_command(line: &str) -> bool {
    line.starts_with("bloomline ") || line.starts_with("awk ") || elsewhere(line)
}

fn elsewhere(line: &str) -> bool {
    ELSEWHERE.iter().any(|start| line.starts_with(start)) || line.contains(BOARD)
}

/// Runs a line as a shell would, with the installed command, a stand-in for openFPGALoader, and nothing else but the system on PATH.
fn typed(line: &str, folder: &Path, bin: &Path) -> Output {
    Command::new("sh")
        .args(["-c", line])
        .current_dir(folder)
        .env_clear()
        .env(
            "PATH",
            format!("{}:/usr/local/bin:/usr/bin:/bin", bin.display()),
        )
        .env("HOME", folder)
        .env("BLOOMLINE_TOOLS", tools())
        .output()
        .expect("a shell")
}

/// The tools of the tests: the walk need not download them again.
fn tools() -> std::path::PathBuf {
    let toolchain = bloomline_toolchain::Toolchain::discover().expect("a folder for tools");
    toolchain.folder().to_owned()
}

fn words(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Walks a page; what went otherwise than it says.
fn walk(page: &str) -> (usize, String) {
    let folder = tempfile::tempdir().expect("an empty folder");
    let bin = tempfile::tempdir().expect("a folder for the command");
    let installed = bin.path().join("bloomline");
    std::fs::copy(env!("CARGO_BIN_EXE_bloomline"), &installed).expect("installed");
    let loader = bin.path().join("openFPGALoader");
    std::fs::write(&loader, "#!/bin/sh\ntest -f \"$3\"\n").expect("written");
    let executable = Command::new("chmod").arg("+x").arg(&loader).status();
    assert!(executable.is_ok_and(|status| status.success()));
    let text = std::fs::read_to_string(root().join(page)).expect("the page");
    let (mut faults, mut printed, mut run) = (String::new(), String::new(), 0);
    for (number, lines) in blocks(&text) {
        if !lines.iter().any(|line| is_command(line)) {
            let printed: Vec<String> = printed.lines().map(words).collect();
            for line in lines.iter().filter(|line| !line.trim().is_empty()) {
                let shown = words(line);
                let of_the_machine = OF_THE_MACHINE.iter().any(|word| shown.starts_with(word));
                if !of_the_machine && !printed.contains(&shown) {
                    faults += &format!("{page}:{number}: is not printed: {shown}\n");
                }
            }
            continue;
        }
        printed.clear();
        for line in lines.into_iter().filter(|line| !line.trim().is_empty()) {
            if elsewhere(line) {
                continue;
            }
            if !is_command(line) {
                faults += &format!("{page}:{number}: a command or not? {line}\n");
                continue;
            }
            eprintln!("{page}: {line}");
            let Output {
                status,
                stdout,
                stderr,
            } = typed(line, folder.path(), bin.path());
            run += 1;
            printed += &String::from_utf8_lossy(&stdout);
            if !status.success() {
                let said = String::from_utf8_lossy(&stderr);
                faults += &format!("{page}:{number}: {line}: {status}\n{said}\n");
            }
        }
    }
    (run, faults)
}

#[test]
#[ignore = "a claim"]
fn readme_and_tutorial_do_what_they_say() {
    let mut faults = String::new();
    for (page, least) in [("README.md", 5), ("hdl/docs/tutorial.md", 9)] {
        let (run, found) = walk(page);
        assert!(run >= least, "{page}: {run} commands");
        faults += &found;
    }
    assert!(faults.is_empty(), "{faults}");
}

#[test]
fn a_page_is_read_in_blocks() {
    let page =
        "text\n\n    bloomline plan a.toml\n    bloomline plan b.toml\n\ntext\n\n    an output\n";
    assert_eq!(
        blocks(page),
        [
            (3, vec!["bloomline plan a.toml", "bloomline plan b.toml"]),
            (8, vec!["an output"])
        ]
    );
    assert!(is_command("bloomline plan a.toml") && !is_command("verdict  agrees"));
    assert!(elsewhere("bloomline device uart:/dev/ttyUSB0 info"));
}
