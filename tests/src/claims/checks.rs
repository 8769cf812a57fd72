use super::{Claim, ClaimsError, Strength, Table};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A test binary of the workspace.
#[derive(Debug, Clone)]
struct Binary {
    package: String,
    /// The package's folder, in which Cargo runs its tests.
    folder: PathBuf,
    file: PathBuf,
    tests: Vec<String>,
    /// Those that `cargo test` leaves out.
    ignored: BTreeSet<String>,
}

/// The test binaries of the workspace, which `cargo test --workspace --release` runs too.
#[derive(Debug, Clone, Default)]
pub struct Binaries(Vec<Binary>);

/// What a check runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// One test.
    Test {
        /// Its package.
        package: String,
        /// Its name.
        name: String,
        /// Its binary.
        file: PathBuf,
        /// Its package's folder.
        folder: PathBuf,
    },
    /// A program and its arguments, in the root of the source tree.
    Run(Vec<String>),
}

/// A part of a claim that runs by itself.
#[derive(Debug, Clone)]
pub struct Check {
    /// The claim.
    pub claim: String,
    /// What is run.
    pub step: Step,
    /// Its environment.
    pub settings: BTreeMap<String, String>,
    /// Estimated time on a quiet machine, in seconds.
    pub estimate_seconds: f64,
}

impl Check {
    /// What it is called in the journal: the same for the same step under the same settings, whatever the claim.
    pub fn key(&self) -> String {
        let step = match &self.step {
            Step::Test { package, name, .. } => format!("{package} {name}"),
            Step::Run(words) => words.join(" "),
        };
        let settings = self.settings.iter();
        settings.fold(step, |key, (name, value)| format!("{key} {name}={value}"))
    }

    /// The command that runs it; `bloomline` is the program of this name in `programs`.
    pub fn command(&self, root: &Path, programs: &Path) -> Command {
        let mut command = match &self.step {
            Step::Test {
                name, file, folder, ..
            } => {
                let mut command = Command::new(file);
                command.current_dir(folder).args([
                    "--exact",
                    "--include-ignored",
                    "--show-output",
                    name,
                ]);
                command
            }
            Step::Run(words) => {
                let program = match words[0].as_str() {
                    "bloomline" => programs.join("bloomline"),
                    other => PathBuf::from(other),
                };
                let mut command = Command::new(program);
                command.current_dir(root).args(&words[1..]);
                command
            }
        };
        command.envs(&self.settings);
        command
    }
}

impl Binaries {
    /// Builds the command and every test of the workspace in the tree at `root`, with the README's own features, and asks each what it holds.
    ///
    /// # Errors
    /// When something does not compile or does not start.
    pub fn build(root: &Path) -> Result<Self, ClaimsError> {
        let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
        let arguments = [
            "test",
            "--workspace",
            "--release",
            "--no-run",
            "--message-format=json-render-diagnostics",
        ];
        let started = |source| ClaimsError::Start {
            program: cargo.clone(),
            source,
        };
        let output = Command::new(&cargo)
            .args(arguments)
            .current_dir(root)
            .stderr(Stdio::inherit())
            .output()
            .map_err(started)?;
        if !output.status.success() {
            return Err(ClaimsError::Build {
                command: format!("cargo {}", arguments.join(" ")),
                status: output.status.to_string(),
            });
        }
        let messages = String::from_utf8_lossy(&output.stdout).into_owned();
        let binaries = messages
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
            .filter_map(|message| Binary::of(&message))
            .map(Binary::with_tests)
            .collect::<Result<_, _>>()?;
        Ok(Self(binaries))
    }

    /// The tests of `package` whose names begin like this.
    fn find(&self, package: &str, begin: &str) -> Vec<Step> {
        let binaries = self.0.iter().filter(|binary| binary.package == package);
        binaries
            .flat_map(|binary| {
                let named = binary.tests.iter().filter(|name| name.starts_with(begin));
                named.map(|name| Step::Test {
                    package: binary.package.clone(),
                    name: name.clone(),
                    file: binary.file.clone(),
                    folder: binary.folder.clone(),
                })
            })
            .collect()
    }

    /// Tests that `cargo test` leaves out and no claim of the table runs either: `PACKAGE NAME`.
    pub fn forgotten(&self, table: &Table) -> Vec<String> {
        let claimed = |package: &str, name: &str| {
            let named = |test: &String| {
                test.split_once(' ')
                    .is_some_and(|(of, begin)| of == package && name.starts_with(begin))
            };
            table
                .claims
                .iter()
                .any(|claim| claim.tests.iter().any(named))
        };
        let ignored = self.0.iter().flat_map(|binary| {
            let names = binary.ignored.iter();
            names.map(|name| (binary.package.as_str(), name.as_str()))
        });
        ignored
            .filter(|(package, name)| !claimed(package, name))
            .map(|(package, name)| format!("{package} {name}"))
            .filter(|whole| !table.parts_of_tests.contains(whole))
            .collect()
    }
}

impl Binary {
    /// The test binary that one of Cargo's messages tells of.
    fn of(message: &Value) -> Option<Self> {
        if message["reason"] != "compiler-artifact" || message["profile"]["test"] != true {
            return None;
        }
        let manifest = Path::new(message["manifest_path"].as_str()?);
        let text = std::fs::read_to_string(manifest).ok()?;
        let manifest_text: toml::Table = toml::from_str(&text).ok()?;
        Some(Self {
            package: manifest_text["package"].get("name")?.as_str()?.to_owned(),
            folder: manifest.parent()?.to_path_buf(),
            file: message["executable"].as_str()?.into(),
            tests: Vec::new(),
            ignored: BTreeSet::new(),
        })
    }

    fn with_tests(mut self) -> Result<Self, ClaimsError> {
        self.tests = self.list(&[])?;
        self.ignored = self.list(&["--ignored"])?.into_iter().collect();
        Ok(self)
    }

    fn list(&self, which: &[&str]) -> Result<Vec<String>, ClaimsError> {
        let output = Command::new(&self.file)
            .args(["--list", "--format", "terse"])
            .args(which)
            .current_dir(&self.folder)
            .output()
            .map_err(|source| ClaimsError::Start {
                program: self.file.display().to_string(),
                source,
            })?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let names = text.lines().filter_map(|line| line.strip_suffix(": test"));
        Ok(names.map(str::to_owned).collect())
    }
}

/// The checks of the claims, in their order. A claim's estimate is shared equally between its checks.
///
/// # Errors
/// When a claim names tests that are not there.
pub fn expand(
    claims: &[Claim],
    binaries: &Binaries,
    strength: Strength,
) -> Result<Vec<Check>, ClaimsError> {
    let mut checks = Vec::new();
    for claim in claims {
        let mut steps = Vec::new();
        for test in &claim.tests {
            let (package, begin) = test.split_once(' ').unwrap_or((test, ""));
            let found = binaries.find(package, begin);
            if found.is_empty() {
                return Err(ClaimsError::Table(format!(
                    "claim {:?}: no test of {package} has a name that begins with {begin:?}",
                    claim.name
                )));
            }
            steps.extend(
                found
                    .into_iter()
                    .filter(|step| !steps.contains(step))
                    .collect::<Vec<_>>(),
            );
        }
        steps.extend(claim.runs.iter().cloned().map(Step::Run));
        let share = claim.estimate_seconds(strength) / steps.len() as f64;
        checks.extend(steps.into_iter().map(|step| Check {
            claim: claim.name.clone(),
            step,
            settings: claim.settings(strength),
            estimate_seconds: share,
        }));
    }
    Ok(checks)
}
