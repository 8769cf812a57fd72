//! Many results become one report.

mod html;
mod statistics;

pub use statistics::{Merged, PooledRate, PooledState, Spread};

use crate::description::Kind;
use crate::error::CampaignError;
use crate::folder::{read, write, Campaign, Damage};
use crate::unit::{hash, Outcome, Unit, UnitResult};
use bloomline_verify::stats::Verdict;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Endings of files that a programmer of boards takes.
const BITSTREAMS: [&str; 3] = ["bit", "fs", "svf"];

/// Units that differ by their seeds alone.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    /// Kind, specification, board or property, and the values of swept keys.
    pub group: String,
    /// What they do.
    pub kind: Kind,
    /// Units in all.
    pub units: usize,
    /// Units with a result.
    pub done: usize,
    /// Units whose check failed, of those.
    pub check_failed: usize,
    /// Whether nothing fails: `verdict` is no [`Verdict::Fail`].
    pub holds: bool,
    /// What the results say as a whole. Of `verify` it fails where a clock cycle or key differs in any run, where pooled rate or state test differ,
    /// or where another claim fails; of claims that are judged by chance and not pooled, where more runs fail than one in a hundred
    /// explains. Too little evidence is no pass and no failure. Of the other kinds it fails where a check failed.
    pub verdict: Verdict,
    /// Why it is not a pass; empty where it is.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// Statistics over those with a result.
    pub merged: Merged,
}

/// The report of a campaign. Two campaigns with the same results have the same report, byte for byte.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Name of the campaign.
    pub name: String,
    /// Units in all.
    pub units: usize,
    /// Units with a result.
    pub done: usize,
    /// Units whose check failed, of those.
    pub check_failed: usize,
    /// Results that are damaged; they count as missing.
    pub damaged: Vec<Damage>,
    /// Groups, by name.
    pub groups: Vec<Group>,
}

/// Holds a file's lock while it lives. Closing the file would not be enough: a child process that another thread starts in
/// that moment has the file open, too, until it runs its program.
struct Lock(std::fs::File);

impl Drop for Lock {
    fn drop(&mut self) {
        // The system gives a lock back at the latest when the process ends.
        let _ = self.0.unlock();
    }
}

impl Campaign {
    /// Merges the results that are there, and writes `report/report.json`, `report/report.html`, `report/units.csv` and the best
    /// bitstream of each group of `build`.
    ///
    /// # Errors
    /// [`CampaignError::Merging`] while another process merges; [`CampaignError::File`].
    pub fn merge(&self) -> Result<Report, CampaignError> {
        let _lock = self.lock()?;
        let mut damaged = Vec::new();
        let mut groups: BTreeMap<&str, Vec<(&Unit, Option<UnitResult>)>> = BTreeMap::new();
        for unit in self.units() {
            let result = match self.result(unit) {
                Ok(result) => result,
                Err(CampaignError::Damaged { path, problem }) => {
                    // A path within the folder: reports do not say where it is.
                    let path = path.strip_prefix(self.folder()).unwrap_or(&path).to_owned();
                    let error = CampaignError::Damaged { path, problem };
                    damaged.push(Damage {
                        unit: unit.id.clone(),
                        problem: error.to_string(),
                    });
                    None
                }
                Err(error) => return Err(error),
            };
            groups.entry(&unit.group).or_default().push((unit, result));
        }
        let folder = self.folder().join("report");
        let mut merged = Vec::new();
        for (name, units) in &groups {
            let kind = units[0].0.kind;
            let results: Vec<(&Unit, &UnitResult)> = units
                .iter()
                .filter_map(|(unit, result)| Some((*unit, result.as_ref()?)))
                .collect();
            let mut statistics = statistics::merge(kind, &results);
            if let Merged::Build {
                best: Some(best), ..
            } = &mut statistics
            {
                let unit = results.iter().find(|(unit, _)| unit.seed == best.seed);
                best.bitstream = match unit {
                    Some((unit, _)) => self.keep_bitstream(unit, &folder)?,
                    None => None,
                };
            }
            let (verdict, reason) = statistics::judge(&statistics, &results);
            let failed =
                |(_, result): &&(&Unit, &UnitResult)| result.outcome == Outcome::CheckFailed;
            let check_failed = results.iter().filter(failed).count();
            merged.push(Group {
                group: (*name).to_owned(),
                kind,
                units: units.len(),
                done: results.len(),
                check_failed,
                holds: verdict != Verdict::Fail,
                verdict,
                reason,
                merged: statistics,
            });
        }
        let report = Report {
            name: self.name().to_owned(),
            units: self.units().len(),
            done: merged.iter().map(|group| group.done).sum(),
            check_failed: merged.iter().map(|group| group.check_failed).sum(),
            damaged,
            groups: merged,
        };
        let json = serde_json::to_string_pretty(&report).map_err(|error| CampaignError::Form {
            path: folder.join("report.json"),
            problem: error.to_string(),
        })?;
        write(&folder.join("report.json"), (json + "\n").as_bytes())?;
        write(&folder.join("report.html"), html::page(&report).as_bytes())?;
        write(
            &folder.join("units.csv"),
            table(&groups, &report).as_bytes(),
        )?;
        Ok(report)
    }

    fn lock(&self) -> Result<Lock, CampaignError> {
        let path = self.folder().join("merge.lock");
        let next = "give the folder space and write permission";
        // Never emptied: what stands there may be a link to a file of other use.
        let file = std::fs::File::options()
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(CampaignError::file(&path, next))?;
        match file.try_lock() {
            Ok(()) => Ok(Lock(file)),
            Err(std::fs::TryLockError::WouldBlock) => Err(CampaignError::Merging { path }),
            Err(std::fs::TryLockError::Error(error)) => {
                Err(CampaignError::file(&path, next)(error))
            }
        }
    }

    /// Copies what a build made for its board into the report; its path within the report.
    fn keep_bitstream(&self, unit: &Unit, report: &Path) -> Result<Option<PathBuf>, CampaignError> {
        let Ok(entries) = std::fs::read_dir(self.outputs(&unit.id)) else {
            return Ok(None);
        };
        let mut files: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .collect();
        files.retain(|file| {
            let ending = file
                .extension()
                .map(|ending| ending.to_string_lossy().into_owned());
            ending.is_some_and(|ending| BITSTREAMS.contains(&ending.as_str()))
        });
        files.sort();
        let Some(file) = files.first() else {
            return Ok(None);
        };
        let next = "make it readable";
        let content = read(file).map_err(CampaignError::file(file, next))?;
        // A group's name may be longer than that of a folder, and differ from another by a sign alone.
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let group: String = unit.group.chars().map(plain).take(100).collect();
        let group = format!("{group}_{}", &hash(&unit.group)[..8]);
        let name = file.file_name().unwrap_or_default();
        let place = Path::new("best").join(group).join(name);
        write(&report.join(&place), &content)?;
        Ok(Some(place))
    }
}

/// One line a unit, in the order of groups and seeds of the plan.
fn table(groups: &BTreeMap<&str, Vec<(&Unit, Option<UnitResult>)>>, report: &Report) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing into memory does not fail.
    let _ = writer.write_record([
        "unit",
        "kind",
        "group",
        "seed",
        "outcome",
        "measure",
        "value",
        "verdict",
        "group_verdict",
    ]);
    let verdicts = report.groups.iter().map(|group| group.verdict.word());
    let units = groups.values().zip(verdicts);
    for ((unit, result), of_group) in
        units.flat_map(|(units, word)| units.iter().map(move |unit| (unit, word)))
    {
        let seed = unit.seed.map(|seed| seed.to_string()).unwrap_or_default();
        let (outcome, measure) = match result {
            None => ("missing", None),
            Some(result) => {
                let word = match result.outcome {
                    Outcome::Good => "good",
                    Outcome::CheckFailed => "check-failed",
                };
                (word, statistics::measure(unit.kind, &result.output))
            }
        };
        let (measure, value) = measure.map_or(("", String::new()), |(name, value)| {
            (name, value.to_string())
        });
        let output = result.as_ref().map(|result| &result.output);
        let verdict = match unit.kind {
            Kind::Verify => output.and_then(|output| output["fpr"]["verdict"].as_str()),
            _ => None,
        };
        let verdict = verdict.unwrap_or_default();
        let row = [
            &unit.id,
            unit.kind.word(),
            &unit.group,
            &seed,
            outcome,
            measure,
            &value,
            verdict,
            of_group,
        ];
        let _ = writer.write_record(row);
    }
    let bytes = writer.into_inner().unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}
