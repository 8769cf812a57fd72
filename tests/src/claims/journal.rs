use super::ClaimsError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It holds.
    Passed,
    /// It does not.
    Failed,
    /// It took so long that it was ended.
    TimedOut,
    /// Something that it needs is missing on this machine; with `CI=true` that fails.
    Skipped,
}

/// A line of the journal: a check that ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The check, see [`super::Check::key`].
    pub check: String,
    /// Hash of the source tree that it ran in.
    pub tree: String,
    /// How it ended.
    pub verdict: Verdict,
    /// Wall time in seconds.
    pub seconds: f64,
    /// When it ended, in seconds since 1970.
    pub ended: u64,
    /// What it found, in its own words.
    pub result: String,
}

/// What has been run, a line of JSON a check. A line is written as a whole once its check has ended, so a run may be killed at any time.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    /// The last entry of each check.
    last: BTreeMap<String, Entry>,
    /// The last that passed, of any tree.
    passed: BTreeMap<String, Entry>,
}

impl Journal {
    /// Opens the journal, or starts one. Lines that are none, such as one that a killed run left unfinished, are passed over.
    ///
    /// # Errors
    /// When the file is there and cannot be read.
    pub fn open(path: &Path) -> Result<Self, ClaimsError> {
        let text = match fs::read(path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(ClaimsError::file(path)(error)),
        };
        let mut journal = Self {
            path: path.to_path_buf(),
            last: BTreeMap::new(),
            passed: BTreeMap::new(),
        };
        for line in text.lines() {
            if let Ok(entry) = serde_json::from_str(line) {
                journal.remember(entry);
            }
        }
        Ok(journal)
    }

    /// The entry of a check that passed in this tree.
    pub fn passed_in(&self, check: &str, tree: &str) -> Option<&Entry> {
        self.last
            .get(check)
            .filter(|entry| entry.tree == tree && entry.verdict == Verdict::Passed)
    }

    /// When a check last passed, in any tree, in seconds since 1970.
    pub fn last_pass(&self, check: &str) -> Option<u64> {
        self.passed.get(check).map(|entry| entry.ended)
    }

    /// Wall time of a check when it last passed, in seconds.
    pub fn last_seconds(&self, check: &str) -> Option<f64> {
        self.passed.get(check).map(|entry| entry.seconds)
    }

    /// Adds a line.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&mut self, entry: Entry) -> Result<(), ClaimsError> {
        let told = || ClaimsError::file(&self.path);
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder).map_err(told())?;
        }
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&self.path)
            .map_err(told())?;
        let line = serde_json::to_string(&entry).expect("plain values can be written as JSON");
        // A line break in front ends what a killed run left unfinished.
        file.write_all(format!("\n{line}\n").as_bytes())
            .map_err(told())?;
        self.remember(entry);
        Ok(())
    }

    fn remember(&mut self, entry: Entry) {
        if entry.verdict == Verdict::Passed {
            self.passed.insert(entry.check.clone(), entry.clone());
        }
        self.last.insert(entry.check.clone(), entry);
    }
}
