//! Running the command on small specifications.

// the specifications of the specification's own tests
#[path = "../../../../hdl/specification/tests/common/tiny.rs"]
mod tiny;

use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;
pub use tiny::BASE;

/// [`BASE`] with each first occurrence replaced; every replacement must find its place.
pub fn edited(edits: &[(&str, &str)]) -> String {
    tiny::edited(BASE, edits)
}

/// A fresh folder with `tiny.toml` in it; the command runs there, so that messages hold no path of this machine.
pub fn folder(spec: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("tiny.toml"), spec).expect("the specification");
    folder
}

/// What one run printed and how it ended.
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// Runs the command in `folder`.
pub fn run(folder: &Path, arguments: &[&str]) -> Run {
    run_with(folder, arguments, &[])
}

/// Runs the command in `folder` with environment variables.
pub fn run_with(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_bloomline"))
        .current_dir(folder)
        .args(arguments)
        .envs(variables.iter().copied())
        .output()
        .expect("the command starts");
    Run {
        code: output.status.code().expect("the command ends by itself"),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// The names in a folder, sorted.
pub fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort();
    names
}

/// The root of the source tree.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What is said of specifications that every verb which reads one must refuse, writing nothing.
pub fn refusals(cases: &[(&str, String)]) -> String {
    let mut listing = String::new();
    for (name, text) in cases {
        let folder = folder(text);
        let plan = run(folder.path(), &["plan", "tiny.toml", "--explain"]);
        for verb in [
            &["plan", "tiny.toml"][..],
            &["emit", "tiny.toml", "--out", "out"],
            &["verify", "tiny.toml", "--simulator", "native"],
        ] {
            let run = run(folder.path(), verb);
            let ended = (run.code, run.stdout.as_str());
            assert_eq!(ended, (2, ""), "{name}: {}", run.stderr);
            assert_eq!(run.stderr, plan.stderr, "{name}: {verb:?}");
        }
        assert!(plan.stderr.starts_with("error: tiny.toml:"), "{name}");
        assert_eq!(
            names(folder.path()),
            ["tiny.toml"],
            "{name}: nothing written"
        );
        listing.push_str(&format!("[{name}]\n{}", plan.stderr));
    }
    listing
}
