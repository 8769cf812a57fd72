//! Units run on this machine.

use crate::description::Kind;
use crate::error::CampaignError;
use crate::folder::{write, Campaign};
use crate::unit::{without_run, Outcome, Unit, UnitResult};
use serde_json::Value;
use std::collections::HashMap;
use std::io::{Read, Seek};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;
use std::time::Instant;

/// Bytes of what a failed unit said that are kept.
const KEPT_BYTES: usize = 4000;

/// Runs units of a campaign.
#[derive(Debug)]
pub struct Runner<'a> {
    /// The campaign.
    pub campaign: &'a Campaign,
    /// The command's executable.
    pub executable: PathBuf,
    /// Units at once.
    pub jobs: usize,
}

/// What a run says while it goes on.
#[derive(Debug, Clone, Copy)]
pub enum Event<'a> {
    /// A unit begins.
    Begins(&'a Unit),
    /// A unit has a result, or had one before.
    Done(&'a Unit, Outcome),
    /// A unit could not do its work; why.
    Failed(&'a Unit, &'a str),
}

/// How a run ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ended {
    /// Units that were run now and have a result.
    pub run: usize,
    /// Units that had a result before.
    pub skipped: usize,
    /// Units whose check failed, now or before.
    pub check_failed: usize,
    /// Units that could not do their work, with what they said.
    pub failed: Vec<(String, String)>,
    /// Those of them whose output could not be written into `failures`, with the reason.
    pub unwritten: Vec<(String, String)>,
}

/// A unit that could not do its work.
struct Failure {
    /// What it said.
    said: String,
    /// Why that could not be written, if so.
    unwritten: Option<String>,
}

impl Runner<'_> {
    /// Runs those of the units that have no sound result, of every group the first before of any the second: a run that is stopped has as many units of each.
    /// A unit that fails does not end the others.
    pub fn run(&self, places: &[usize], hear: &(dyn Fn(Event) + Sync)) -> Ended {
        let mut seen: HashMap<&str, usize> = HashMap::new();
        let mut places = places.to_vec();
        places.sort_by_cached_key(|place| {
            let seen = seen
                .entry(&self.campaign.units()[*place].group)
                .or_default();
            *seen += 1;
            *seen
        });
        let next = AtomicUsize::new(0);
        let ended = Mutex::new(Ended::default());
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.clamp(1, places.len().max(1)) {
                scope.spawn(|| {
                    while let Some(place) = places.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let unit = &self.campaign.units()[*place];
                        let one = self.unit(unit, hear);
                        let mut ended = ended.lock().unwrap_or_else(|poison| poison.into_inner());
                        match one {
                            Ok((outcome, before)) => {
                                *(match before {
                                    true => &mut ended.skipped,
                                    false => &mut ended.run,
                                }) += 1;
                                ended.check_failed += usize::from(outcome == Outcome::CheckFailed);
                            }
                            Err(failure) => {
                                ended.failed.push((unit.id.clone(), failure.said));
                                let why = failure.unwritten.map(|why| (unit.id.clone(), why));
                                ended.unwritten.extend(why);
                            }
                        }
                    }
                });
            }
        });
        let mut ended = ended
            .into_inner()
            .unwrap_or_else(|poison| poison.into_inner());
        ended.failed.sort();
        ended.unwritten.sort();
        ended
    }

    /// One unit, and whether it had a result before.
    fn unit(&self, unit: &Unit, hear: &(dyn Fn(Event) + Sync)) -> Result<(Outcome, bool), Failure> {
        if let Ok(Some(result)) = self.campaign.result(unit) {
            hear(Event::Done(unit, result.outcome));
            return Ok((result.outcome, true));
        }
        hear(Event::Begins(unit));
        match self.attempt(unit) {
            Ok(outcome) => {
                hear(Event::Done(unit, outcome));
                Ok((outcome, false))
            }
            Err(said) => {
                // Where the disk is full this cannot be written either; the run says so.
                let written = write(&self.campaign.failure_file(&unit.id), said.as_bytes());
                hear(Event::Failed(unit, &said));
                Err(Failure {
                    said,
                    unwritten: written.err().map(|error| error.to_string()),
                })
            }
        }
    }

    /// A program's argument with the places of this machine.
    fn placed(&self, argument: &str, unit: &Unit) -> String {
        let path = |path: &std::path::Path| path.to_string_lossy().into_owned();
        argument
            .replace("{bloomline}", &path(&self.executable))
            .replace("{folder}", &path(self.campaign.folder()))
            .replace("{out}", &path(&self.campaign.outputs(&unit.id)))
    }

    fn attempt(&self, unit: &Unit) -> Result<Outcome, String> {
        let words: Vec<String> = unit
            .command
            .iter()
            .map(|word| self.placed(word, unit))
            .collect();
        let [program, arguments @ ..] = words.as_slice() else {
            return Err("the plan names no program".into());
        };
        if unit.command.iter().any(|word| word.contains("{out}")) {
            let folder = self.campaign.outputs(&unit.id);
            std::fs::create_dir_all(&folder)
                .map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        let file = || tempfile::tempfile().map_err(|error| format!("a temporary file: {error}"));
        let (mut stdout, mut stderr) = (file()?, file()?);
        let copy = |file: &std::fs::File| file.try_clone().map_err(|error| error.to_string());
        let folder = unit
            .tree
            .as_deref()
            .map_or(self.campaign.folder(), std::path::Path::new);
        let began = Instant::now();
        let status = Command::new(program)
            .args(arguments)
            .envs(&unit.environment)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(copy(&stdout)?)
            .stderr(copy(&stderr)?)
            .status()
            .map_err(|error| format!("{program}: {error}"))?;
        let seconds = began.elapsed().as_secs_f64();
        let text = |file: &mut std::fs::File| -> Result<String, String> {
            let mut bytes = Vec::new();
            file.rewind()
                .and_then(|()| file.read_to_end(&mut bytes))
                .map_err(|error| error.to_string())?;
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        };
        let (printed, said) = (text(&mut stdout)?, text(&mut stderr)?);
        let outcome = match status.code() {
            Some(0) => Outcome::Good,
            Some(1) => Outcome::CheckFailed,
            _ => {
                let said = if said.trim().is_empty() {
                    &printed
                } else {
                    &said
                };
                return Err(format!("{program}: {status}: {}", tail(said)));
            }
        };
        let output = match serde_json::from_str(&printed) {
            Ok(value) => without_run(unit.kind, value),
            Err(_) if matches!(unit.kind, Kind::Command) => Value::String(printed),
            // What a claim prints has times in it; that it passed is the result.
            Err(_) if matches!(unit.kind, Kind::Claims) => Value::Null,
            Err(error) => {
                return Err(format!(
                    "{program}: prints no JSON: {error}: {}",
                    tail(&said)
                ))
            }
        };
        let result = UnitResult {
            unit: unit.id.clone(),
            outcome,
            output,
        };
        self.campaign
            .store(result, seconds)
            .map_err(|error: CampaignError| error.to_string())?;
        Ok(outcome)
    }
}

/// The last part of what a program said.
fn tail(text: &str) -> &str {
    let text = text.trim();
    let from = text.len().saturating_sub(KEPT_BYTES);
    let from = (from..text.len()).find(|at| text.is_char_boundary(*at));
    &text[from.unwrap_or(0)..]
}
