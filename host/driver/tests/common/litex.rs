//! LiteX from PyPI, at a pinned version, for the tests that talk to it.
#![allow(dead_code, reason = "each test crate uses a part of this")]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::OnceLock;

/// LiteX and what its host tools import; the rest of what it asks for they do not need.
const PACKAGES: [&str; 4] = [
    "litex==2024.12",
    "migen==0.10.0",
    "colorama==0.4.6",
    "pyserial==3.5",
];

/// The interpreter of an environment with LiteX; `None` after saying why there is none.
pub fn python() -> Option<&'static Path> {
    static PYTHON: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    match PYTHON.get_or_init(install) {
        Ok(python) => Some(python),
        Err(error) if std::env::var("CI").is_ok_and(|ci| ci == "true") => panic!("{error}"),
        Err(error) => {
            eprintln!("skipped: {error}");
            None
        }
    }
}

pub fn install() -> Result<PathBuf, String> {
    let tools = match std::env::var_os("BLOOMLINE_TOOLS") {
        Some(folder) => PathBuf::from(folder),
        None => root().join(".tools"),
    };
    let failed = |what: &str, error: std::io::Error| format!("{what}: {error}");
    fs::create_dir_all(&tools).map_err(|error| failed("making the tools folder", error))?;
    let lock = File::create(tools.join("litex-2024.12.lock"))
        .and_then(|lock| lock.lock().map(|()| lock))
        .map_err(|error| failed("locking the tools folder", error))?;
    let folder = tools.join("litex-2024.12");
    let python = folder.join("bin/python");
    if !folder.is_dir() {
        let partial = tools.join("litex-2024.12.partial");
        if partial.exists() {
            fs::remove_dir_all(&partial).map_err(|error| failed("removing a leftover", error))?;
        }
        run(Command::new("python3").args(["-m", "venv"]).arg(&partial))?;
        let mut pip = Command::new(partial.join("bin/python"));
        pip.args(["-m", "pip", "install", "--no-input", "--no-deps"])
            .args(["--disable-pip-version-check", "--only-binary", ":all:"]);
        run(pip.args(PACKAGES))?;
        fs::rename(&partial, &folder).map_err(|error| failed("renaming into place", error))?;
    }
    drop(lock);
    Ok(python)
}

pub fn run(command: &mut Command) -> Result<String, String> {
    let output = command
        .output()
        .map_err(|error| format!("{command:?}: {error}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!(
            "{command:?}: {}\n{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}

pub fn script(name: &str) -> PathBuf {
    root().join("host/driver/tests/interop").join(name)
}

/// The workspace's folder, above the crate whose test this is.
fn root() -> &'static Path {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let is_root = |folder: &&Path| folder.join("Cargo.lock").is_file();
    crate_folder
        .ancestors()
        .find(is_root)
        .expect("the workspace has a lock file")
}

pub fn numbers(text: &str) -> Vec<u32> {
    text.lines()
        .map(|line| line.parse().expect("a number a line"))
        .collect()
}

/// A process that ends with the test.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing to do.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
