//! The folder of a campaign: plan, input files, results.
//!
//! ```text
//! campaign.json            format, name, hash of the command, units
//! files/<hash>/<name>      specifications and other input, named by their content
//! results/<xx>/<id>.json   a unit's result, written whole and with a digest
//! times/<xx>/<id>          seconds that it took; differs from run to run, so it is no part of the result
//! failures/<id>.txt        what a unit said that could not do its work
//! outputs/<id>/            what `build` and `figures` make
//! netlists/<hash>/         what `build` has synthesised, for units that differ by their seeds alone
//! slurm/<n>/               scripts and lists of a submission
//! report/                  what `merge` writes
//! ```

use crate::description::{legal_name, Description};
use crate::error::CampaignError;
use crate::expand::{expand, Checks};
use crate::unit::{hash, Unit, UnitResult, FORMAT, ID_DIGITS};
use bloomline_spec::files;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};

const WRITABLE: &str = "give the folder space and write permission";
/// Longest list of units, in bytes: a million of them, the most there are, with room for their names.
const MOST_LIST_BYTES: u64 = 1 << 28;

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(expecting = "name, format, command and units")]
struct Plan {
    format: u64,
    name: String,
    /// Hash of the command's executable.
    command: String,
    units: Vec<Unit>,
}

impl Plan {
    /// Key, value and rule of what this command never writes: a name that could be more than one line of a script, an id that could be a path out of the folder.
    fn check(&self) -> Result<(), String> {
        legal_name(&self.name)?;
        let plain = |id: &str| {
            let digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
            id.len() == ID_DIGITS && id.bytes().all(digit)
        };
        match self.units.iter().find(|unit| !plain(&unit.id)) {
            Some(unit) => Err(format!(
                "id = {:?}: must be {ID_DIGITS} hexadecimal digits",
                unit.id
            )),
            None => Ok(()),
        }
    }
}

/// Only what a plan of any version has.
#[derive(Deserialize)]
#[serde(expecting = "name, format, command and units")]
struct AnyPlan {
    format: u64,
}

/// A result file.
#[derive(Serialize, Deserialize)]
#[serde(expecting = "digest and result")]
struct Stored {
    /// Hash of the result as compact JSON.
    digest: String,
    result: UnitResult,
}

/// A campaign in its folder.
#[derive(Debug, Clone)]
pub struct Campaign {
    folder: PathBuf,
    plan: Plan,
    places: HashMap<String, usize>,
}

/// A result file that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Damage {
    /// The unit's [`Unit::id`].
    pub unit: String,
    /// The file and what is wrong with it.
    pub problem: String,
}

/// How far a campaign is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Progress {
    /// Units in all.
    pub units: usize,
    /// Units with a result.
    pub done: usize,
    /// Units whose check failed, of those.
    pub check_failed: usize,
    /// Units that could not do their work when they were last tried.
    pub failed: usize,
    /// Results that are damaged; they count as missing.
    pub damaged: Vec<Damage>,
    /// Estimated seconds of the units without a result, on one core.
    pub seconds_left: f64,
    /// Estimated seconds of those with one.
    pub seconds_estimated: f64,
    /// Seconds that they took, where that is known.
    pub seconds_taken: f64,
}

impl Campaign {
    /// Plans a campaign: reads the description, expands it and writes the folder, whole or not at all. `legal` says what is wrong with the text
    /// of a specification.
    ///
    /// # Errors
    /// [`CampaignError::InUse`] for a folder that is not empty; [`CampaignError::NoFolder`] for a file or a link; what is wrong with the description; [`CampaignError::File`].
    pub fn create(
        folder: &Path,
        description: &Path,
        executable: &Path,
        checks: Checks,
    ) -> Result<Campaign, CampaignError> {
        let described = Description::read(description)?;
        let path = folder.to_owned();
        match std::fs::symlink_metadata(folder) {
            Ok(found) if !found.is_dir() => return Err(CampaignError::NoFolder { path }),
            Ok(_) if std::fs::read_dir(folder).is_ok_and(|mut all| all.next().is_some()) => {
                return Err(CampaignError::InUse { path })
            }
            _ => {}
        }
        let command = executable_hash(executable)?;
        let expanded = expand(&described, description, &command, checks)?;
        let plan = Plan {
            format: FORMAT,
            name: described.name,
            command,
            units: expanded.units,
        };
        let absolute =
            std::path::absolute(folder).map_err(CampaignError::file(folder, WRITABLE))?;
        let parent = absolute.parent().unwrap_or(&absolute);
        std::fs::create_dir_all(parent).map_err(CampaignError::file(parent, WRITABLE))?;
        // A temporary folder is its owner's alone; a campaign is shared with a batch system, as far as the user's mask lets.
        let made = tempfile::Builder::new()
            .prefix(".campaign-")
            .permissions(std::os::unix::fs::PermissionsExt::from_mode(0o755))
            .tempdir_in(parent)
            .map_err(CampaignError::file(parent, WRITABLE))?;
        for (place, file) in &expanded.files {
            let mode = if file.executable { 0o755 } else { 0o644 };
            write_with(&made.path().join(place), &file.content, mode)?;
        }
        let text = serde_json::to_string(&plan).map_err(|error| CampaignError::Form {
            path: description.to_owned(),
            problem: error.to_string(),
        })?;
        write(&made.path().join("campaign.json"), text.as_bytes())?;
        std::fs::rename(made.path(), &absolute).map_err(CampaignError::file(folder, WRITABLE))?;
        // Moved: there is nothing left to remove.
        let _ = made.keep();
        Ok(Campaign::of(absolute, plan))
    }

    /// Opens the campaign in a folder.
    ///
    /// # Errors
    /// [`CampaignError::NoCampaign`], [`CampaignError::Version`], [`CampaignError::Form`] for a plan that is damaged.
    pub fn open(folder: &Path) -> Result<Campaign, CampaignError> {
        let path = folder.join("campaign.json");
        let bytes = match read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(CampaignError::NoCampaign {
                    path: folder.to_owned(),
                })
            }
            Err(error) => return Err(CampaignError::file(&path, "make it readable")(error)),
        };
        let form = |error: serde_json::Error| CampaignError::Form {
            path: path.clone(),
            problem: format!(
                "is no plan of a campaign: {error}; make it again with `bloomline campaign new`"
            ),
        };
        let any: AnyPlan = serde_json::from_slice(&bytes).map_err(form)?;
        if any.format != FORMAT {
            return Err(CampaignError::Version {
                path,
                found: any.format,
                known: FORMAT,
            });
        }
        let plan: Plan = serde_json::from_slice(&bytes).map_err(form)?;
        plan.check().map_err(|problem| CampaignError::Form {
            path: path.clone(),
            problem: format!("{problem}; make it again with `bloomline campaign new`"),
        })?;
        let absolute =
            std::path::absolute(folder).map_err(CampaignError::file(folder, "make it readable"))?;
        Ok(Campaign::of(absolute, plan))
    }

    fn of(folder: PathBuf, plan: Plan) -> Campaign {
        let ids = plan.units.iter().enumerate();
        let places = ids.map(|(place, unit)| (unit.id.clone(), place)).collect();
        Campaign {
            folder,
            plan,
            places,
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.plan.name
    }

    /// Its folder, as an absolute path.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Its units.
    pub fn units(&self) -> &[Unit] {
        &self.plan.units
    }

    /// The place of a unit in [`Campaign::units`].
    pub fn place(&self, id: &str) -> Option<usize> {
        self.places.get(id).copied()
    }

    /// That this is the command that the campaign was planned with.
    ///
    /// # Errors
    /// [`CampaignError::OtherCommand`], [`CampaignError::File`].
    pub fn check_command(&self, executable: &Path) -> Result<(), CampaignError> {
        let found = executable_hash(executable)?;
        match found == self.plan.command {
            true => Ok(()),
            false => Err(CampaignError::OtherCommand {
                path: self.folder.join("campaign.json"),
                planned: self.plan.command.clone(),
                found,
            }),
        }
    }

    fn sharded(&self, folder: &str, id: &str, ending: &str) -> PathBuf {
        let shard = id.get(..2).unwrap_or("00");
        self.folder
            .join(folder)
            .join(shard)
            .join(format!("{id}{ending}"))
    }

    pub(crate) fn failure_file(&self, id: &str) -> PathBuf {
        self.folder.join("failures").join(format!("{id}.txt"))
    }

    /// The folder for what a unit makes.
    pub(crate) fn outputs(&self, id: &str) -> PathBuf {
        self.folder.join("outputs").join(id)
    }

    /// The result of a unit; `None` where it has none yet.
    ///
    /// # Errors
    /// [`CampaignError::Damaged`], [`CampaignError::File`].
    pub fn result(&self, unit: &Unit) -> Result<Option<UnitResult>, CampaignError> {
        let path = self.sharded("results", &unit.id, ".json");
        let bytes = match read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                let next = match path.is_file() {
                    true => "make it readable",
                    false => "remove it; `bloomline campaign run` makes the result again",
                };
                return Err(CampaignError::file(&path, next)(error));
            }
        };
        let damaged = |problem: String| CampaignError::Damaged {
            path: path.clone(),
            problem,
        };
        let stored: Stored = serde_json::from_slice(&bytes)
            .map_err(|error| damaged(format!("is cut or damaged: {error}")))?;
        if digest(&stored.result) != stored.digest {
            return Err(damaged("its content does not match its digest".into()));
        }
        if stored.result.unit != unit.id {
            return Err(damaged(format!(
                "is the result of unit {}",
                stored.result.unit
            )));
        }
        Ok(Some(stored.result))
    }

    /// Writes a unit's result, whole or not at all, and the seconds that it took.
    ///
    /// # Errors
    /// [`CampaignError::File`].
    pub fn store(&self, result: UnitResult, seconds: f64) -> Result<(), CampaignError> {
        let id = result.unit.clone();
        let stored = Stored {
            digest: digest(&result),
            result,
        };
        let path = self.sharded("results", &id, ".json");
        let text = serde_json::to_string_pretty(&stored).map_err(|error| CampaignError::Form {
            path: path.clone(),
            problem: error.to_string(),
        })?;
        write(&path, text.as_bytes())?;
        // How long it took is only for estimates: that it is missing is no failure.
        let _ = write(
            &self.sharded("times", &id, ""),
            format!("{seconds:.3}\n").as_bytes(),
        );
        let _ = std::fs::remove_file(self.failure_file(&id));
        Ok(())
    }

    /// How far it is.
    ///
    /// # Errors
    /// [`CampaignError::File`].
    pub fn progress(&self) -> Result<Progress, CampaignError> {
        let mut progress = Progress {
            units: self.units().len(),
            done: 0,
            check_failed: 0,
            failed: 0,
            damaged: vec![],
            seconds_left: 0.0,
            seconds_estimated: 0.0,
            seconds_taken: 0.0,
        };
        for unit in self.units() {
            match self.result(unit) {
                Ok(Some(result)) => {
                    progress.done += 1;
                    progress.check_failed +=
                        usize::from(result.outcome == crate::Outcome::CheckFailed);
                    progress.seconds_estimated += unit.seconds;
                    let taken = std::fs::read_to_string(self.sharded("times", &unit.id, ""));
                    let taken = taken.ok().and_then(|text| text.trim().parse::<f64>().ok());
                    progress.seconds_taken += taken.unwrap_or(0.0);
                    continue;
                }
                Ok(None) => {}
                Err(error @ CampaignError::Damaged { .. }) => progress.damaged.push(Damage {
                    unit: unit.id.clone(),
                    problem: error.to_string(),
                }),
                Err(error) => return Err(error),
            }
            progress.failed += usize::from(self.failure_file(&unit.id).exists());
            progress.seconds_left += unit.seconds;
        }
        Ok(progress)
    }

    /// Places of the units without a sound result.
    ///
    /// # Errors
    /// [`CampaignError::File`].
    pub fn remaining(&self) -> Result<Vec<usize>, CampaignError> {
        let mut remaining = Vec::new();
        for (place, unit) in self.units().iter().enumerate() {
            match self.result(unit) {
                Ok(Some(_)) => {}
                Ok(None) | Err(CampaignError::Damaged { .. }) => remaining.push(place),
                Err(error) => return Err(error),
            }
        }
        Ok(remaining)
    }

    /// Places of the units that a file lists, one [`Unit::id`] a line.
    ///
    /// # Errors
    /// [`CampaignError::UnknownUnit`], [`CampaignError::File`].
    pub fn listed(&self, path: &Path) -> Result<Vec<usize>, CampaignError> {
        let next = "name a list of units, one a line";
        let text = files::text(path, MOST_LIST_BYTES).map_err(CampaignError::file(path, next))?;
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        lines
            .map(|id| {
                self.place(id).ok_or_else(|| CampaignError::UnknownUnit {
                    path: path.to_owned(),
                    unit: id.to_owned(),
                })
            })
            .collect()
    }
}

fn digest(result: &UnitResult) -> String {
    hash(serde_json::to_string(result).unwrap_or_default())
}

fn executable_hash(executable: &Path) -> Result<String, CampaignError> {
    let next = "the command must be able to read its own executable";
    let bytes = std::fs::read(executable).map_err(CampaignError::file(executable, next))?;
    Ok(hash(bytes))
}

/// The bytes of a file, which must be a regular one: a device may have no end, a pipe no writer.
pub(crate) fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    std::fs::read(files::regular(path)?)
}

/// Writes a file whole or not at all, with the folders above it. It is not forced onto the disk: after a power cut the digest tells what was lost.
/// A link in its place is replaced: a campaign that others made writes nothing of its own over a file elsewhere.
pub(crate) fn write(path: &Path, content: &[u8]) -> Result<(), CampaignError> {
    write_with(path, content, 0o644)
}

/// Writes a file as [`write`], with these permissions as far as the user's mask lets.
fn write_with(path: &Path, content: &[u8], mode: u32) -> Result<(), CampaignError> {
    let written = || -> std::io::Result<()> {
        let folder = path.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        let mut file = tempfile::Builder::new()
            .permissions(std::os::unix::fs::PermissionsExt::from_mode(mode))
            .tempfile_in(folder)?;
        file.write_all(content)?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    written().map_err(CampaignError::file(path, WRITABLE))
}
