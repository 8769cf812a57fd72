//! One unit of a campaign, and its result.

use crate::description::Kind;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// Format of plans and results that this version writes and reads.
pub(crate) const FORMAT: u64 = 1;

/// Hexadecimal digits of a [`hash`], which is what a unit's id is.
pub(crate) const ID_DIGITS: usize = 32;

/// One call of the command.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "a unit")]
pub struct Unit {
    /// Name of its result: a hash of all that the result depends on, 32 hexadecimal digits.
    pub id: String,
    /// What it does.
    pub kind: Kind,
    /// What it has in common with the units that differ from it by their seeds alone.
    pub group: String,
    /// Seed.
    pub seed: Option<u64>,
    /// Program and arguments. `{bloomline}`, `{folder}` and `{out}` stand for the command, the campaign's folder and a folder for what the unit makes.
    pub command: Vec<String>,
    /// Environment variables.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, String>,
    /// Folder to run in; the campaign's where it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<String>,
    /// Estimated seconds on one core.
    pub seconds: f64,
    /// Estimated memory in megabytes.
    pub memory_mb: u64,
}

/// How a unit ended that could do its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Exit code 0.
    Good,
    /// Exit code 1: what it checks does not hold.
    CheckFailed,
}

/// The result of a unit. It holds nothing that differs from run to run: no times, no paths.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "the result of a unit")]
pub struct UnitResult {
    /// The unit's [`Unit::id`].
    pub unit: String,
    /// How it ended.
    pub outcome: Outcome,
    /// What it printed: JSON, or text as one string.
    pub output: Value,
}

/// Fields of a result that say how fast or where it was made, by kind.
fn is_of_the_run(kind: Kind, key: &str) -> bool {
    match kind {
        Kind::Verify => matches!(key, "cycles_per_second" | "report"),
        Kind::Build => matches!(key, "out" | "bitstream" | "steps" | "seconds"),
        Kind::Prove => key == "seconds",
        Kind::Figures => matches!(key, "out" | "seconds" | "file" | "files"),
        Kind::Claims | Kind::Command => false,
    }
}

/// Takes out what differs from run to run.
pub(crate) fn without_run(kind: Kind, value: Value) -> Value {
    match value {
        Value::Object(map) => map
            .into_iter()
            .filter(|(key, _)| !is_of_the_run(kind, key))
            .map(|(key, value)| (key, without_run(kind, value)))
            .collect(),
        Value::Array(list) => list
            .into_iter()
            .map(|value| without_run(kind, value))
            .collect(),
        other => other,
    }
}

/// The SHA-256 of bytes, the first [`ID_DIGITS`] hexadecimal digits.
pub(crate) fn hash(bytes: impl AsRef<[u8]>) -> String {
    let digest = Sha256::digest(bytes);
    digest[..ID_DIGITS / 2]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
