//! Contents of a report as plain data.

use crate::stats::Verdict;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Everything a report shows. Texts are plain; the renderer escapes them. Empty lists and absent series leave their section out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct ReportData {
    /// What it is, above the heading; a verification unless given.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub kind: String,
    /// Heading, for example the specification's name.
    pub title: String,
    /// One sentence under it.
    pub summary: String,
    /// The verdict of the whole run.
    pub verdict: Option<Verdict>,
    /// The few numbers a reader wants first; four fit in a row.
    pub highlights: Vec<Fact>,
    /// Sentences with their names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Fact>,
    /// Curves, one chart each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub charts: Vec<Curves>,
    /// Predicted numbers with their formulas.
    pub predictions: Vec<Prediction>,
    /// What was measured, beside what was expected.
    pub results: Vec<Claim>,
    /// Bits set in the active half over the items.
    pub bits_set: Option<BitsSetSeries>,
    /// The measured rate as the run went on.
    pub rate: Option<RateSeries>,
    /// A measured curve beside a predicted one.
    pub curves: Option<Curves>,
    /// Clocks from an item to its verdict.
    pub latency: Option<LatencyHistogram>,
    /// The specification's text, verbatim.
    pub specification: String,
    /// How to get this report again: command, seed, versions.
    pub provenance: Vec<Fact>,
}

/// A name and its value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// Name.
    pub name: String,
    /// Value with its unit.
    pub value: String,
}

impl Fact {
    /// A fact.
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            value: value.into(),
        }
    }
}

/// A predicted number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prediction {
    /// What it is.
    pub name: String,
    /// Its value with its unit.
    pub value: String,
    /// The formula it comes from.
    pub formula: String,
    /// Where the formula comes from, and whether it is exact.
    pub source: String,
}

/// A claim: what was measured of a quantity, what was expected, and whether they agree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct Claim {
    /// What it is.
    pub name: String,
    /// Measured, with interval and unit where it has them.
    pub measured: String,
    /// Expected or predicted; empty when nothing was.
    pub expected: String,
    /// Ends of the measured number's interval, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<[f64; 2]>,
    /// Whether they agree; none for a number that is only shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// Why there is no verdict, or no pass; empty where there is nothing to add.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

impl Claim {
    /// A claim without interval and reason.
    pub fn new(
        name: impl Into<String>,
        measured: impl Into<String>,
        expected: impl Into<String>,
        verdict: Option<Verdict>,
    ) -> Claim {
        Claim {
            name: name.into(),
            measured: measured.into(),
            expected: expected.into(),
            verdict,
            ..Claim::default()
        }
    }

    /// The claim with the ends of its interval.
    pub fn within(self, low: f64, high: f64) -> Claim {
        Claim {
            interval: Some([low, high]),
            ..self
        }
    }

    /// The claim with the reason for its verdict, unless it is a pass.
    pub fn because(self, reason: impl Into<String>) -> Claim {
        match self.verdict {
            Some(Verdict::Pass) => self,
            _ => Claim {
                reason: reason.into(),
                ..self
            },
        }
    }
}

/// Bits set in the active half. At most the first [`BitsSetSeries::SHOWN_CYCLES`] cycles are drawn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BitsSetSeries {
    /// (items so far, bits set), in order.
    pub points: Vec<(u64, u64)>,
    /// Items so far at each recycle, in order.
    pub recycles: Vec<u64>,
    /// The threshold on bits set, when there is one.
    pub threshold: Option<u64>,
}

impl BitsSetSeries {
    /// Cycles that the chart shows; more would only be a smear.
    pub const SHOWN_CYCLES: usize = 12;
}

/// The measured rate after so many items.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RatePoint {
    /// Items so far.
    pub items: u64,
    /// The rate measured over them.
    pub rate: f64,
    /// Lower end of its interval.
    pub low: f64,
    /// Upper end of its interval.
    pub high: f64,
}

/// The measured rate as the run went on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RateSeries {
    /// In the order of items.
    pub points: Vec<RatePoint>,
    /// The predicted rate.
    pub predicted: f64,
    /// Whether the prediction is an upper bound.
    #[serde(default)]
    pub bound: bool,
    /// Confidence of the intervals, for example 0.99.
    pub confidence: f64,
}

/// A measured curve beside what was predicted of it: a line, or a bound.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct Curves {
    /// Heading of the chart.
    pub heading: String,
    /// Meaning of the horizontal axis.
    pub x: String,
    /// Meaning of the vertical axis. A `share of ..` and a `.. rate` are shown in percent.
    pub y: String,
    /// Whether both axes are logarithmic; points that are not above 0 are then left out.
    pub logarithmic: bool,
    /// What the measured curve is called.
    pub measured_name: String,
    /// Its points, in order.
    pub measured: Vec<(f64, f64)>,
    /// What the predicted curve is called.
    pub predicted_name: String,
    /// Its points, in order.
    pub predicted: Vec<(f64, f64)>,
    /// Points that are marked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<(f64, f64)>,
}

/// Clocks from an item to its verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct LatencyHistogram {
    /// Items by their latency in clocks.
    pub items_by_clocks: BTreeMap<u64, u64>,
}
