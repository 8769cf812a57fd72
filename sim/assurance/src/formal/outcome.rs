//! Result of a proof.

use super::Method;
use serde::Serialize;

/// Verdict on a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It holds in every clock.
    Holds,
    /// Cover: what it looks for was reached.
    Reached,
    /// A sequence of inputs breaks it, or cover found no way within the depth.
    Fails,
    /// Neither proved nor refuted: the induction step fails, or the time ran out.
    Open,
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Verdict::Holds => "holds",
            Verdict::Reached => "reached",
            Verdict::Fails => "FAILS",
            Verdict::Open => "open",
        })
    }
}

/// The result of one property.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Proof {
    /// The property's name.
    pub property: &'static str,
    /// How it was attempted.
    pub method: Method,
    /// What became of it.
    pub verdict: Verdict,
    /// Clocks from power-up that were checked without a failure (open), or the clock of the failure or of what was reached;
    /// `None` where the result is for every clock or no clock is known.
    pub clocks: Option<u32>,
    /// The assertions that failed, as sby names them.
    pub failed: Vec<String>,
    /// It is open because the time limit ended the attempt.
    pub timed_out: bool,
    /// Wall-clock time in seconds.
    pub seconds: f64,
}
