//! Statistics over independent runs.

use crate::description::Kind;
use crate::unit::{Outcome, Unit, UnitResult};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// How a number is spread over units.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spread {
    /// Units that have it.
    pub count: usize,
    /// Least.
    pub least: f64,
    /// Median.
    pub median: f64,
    /// Mean.
    pub mean: f64,
    /// Greatest.
    pub greatest: f64,
    /// Standard deviation of the sample; 0 for one unit.
    pub deviation: f64,
}

/// A rate pooled over independent runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PooledRate {
    /// Runs.
    pub runs: usize,
    /// Mean of the runs' rates, weighted by their items.
    pub measured: f64,
    /// Lower end of the interval: the runs are independent, so squares of their half widths add, each with its weight.
    pub ci_low: f64,
    /// Upper end.
    pub ci_high: f64,
    /// Confidence of the interval, that of each run's.
    pub confidence: f64,
    /// Predicted rate.
    pub predicted: f64,
    /// It is an upper bound.
    pub at_most: bool,
    /// Whether the prediction lies in the interval widened by its own error, or where it is a bound not below it.
    pub agrees: bool,
}

/// The state tests of independent runs together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PooledState {
    /// False positives expected from the fill of the filters at each arrival.
    pub expected: f64,
    /// False positives counted.
    pub observed: f64,
    /// Their difference in standard deviations.
    pub z: f64,
}

/// The best build of a group.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Best {
    /// Its seed.
    pub seed: Option<u64>,
    /// Its clock.
    pub fmax_mhz: f64,
    /// Its bitstream, relative to the report.
    pub bitstream: Option<PathBuf>,
}

/// What the units of a group found together.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "of", rename_all = "kebab-case")]
pub enum Merged {
    /// Of `verify`.
    Verify {
        /// Sums over the runs of items, clock cycles, mismatches, recycles and what else is counted.
        sums: BTreeMap<String, f64>,
        /// The rate, where every run is held against one and the same prediction, and is long enough for it.
        rate: Option<PooledRate>,
        /// The state test, where runs have one.
        state_test: Option<PooledState>,
        /// How many runs gave which verdict, by claim.
        verdicts: BTreeMap<String, BTreeMap<String, usize>>,
    },
    /// Of `build`.
    Build {
        /// Builds that meet their clock.
        timing_met: usize,
        /// Clock, lookup tables, flip-flops and block RAMs.
        spreads: BTreeMap<String, Spread>,
        /// The fastest that meets its clock; else the fastest.
        best: Option<Best>,
        /// Clock of each, in MHz, in the order of the seeds.
        fmax_mhz: Vec<f64>,
    },
    /// Of `prove`: how many units gave which verdict, by property.
    Prove {
        /// The verdicts.
        verdicts: BTreeMap<String, BTreeMap<String, usize>>,
    },
    /// Of the other kinds: the spread of every number at the top level of what the units printed as JSON.
    Other {
        /// The spreads.
        spreads: BTreeMap<String, Spread>,
    },
}

/// Fields of `verify` that are counted, so that their sum says something.
const COUNTED: [&str; 9] = [
    "items",
    "cycles",
    "mismatches",
    "lost_keys",
    "recycles",
    "recycle_stall_cycles",
    "control_stall_cycles",
    "repeats",
    "forgotten",
];

/// Standard deviations that 99 % of a normal variable's values keep within.
const Z_99: f64 = 2.576;

impl Merged {
    /// Whether the group as a whole holds, where the check failed in so many units.
    pub(super) fn holds(&self, check_failed: usize) -> bool {
        match self {
            Merged::Verify {
                sums,
                rate: Some(rate),
                state_test,
                ..
            } => {
                let none = |key: &str| sums.get(key).is_none_or(|sum| *sum == 0.0);
                let state = state_test.as_ref().is_none_or(|test| test.z.abs() <= Z_99);
                none("mismatches") && none("lost_keys") && rate.agrees && state
            }
            _ => check_failed == 0,
        }
    }
}

impl Spread {
    /// Of these numbers; `None` of none.
    pub fn of(numbers: &[f64]) -> Option<Spread> {
        let mut sorted = numbers.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (least, greatest) = (*sorted.first()?, *sorted.last()?);
        let count = sorted.len();
        let mean = sorted.iter().sum::<f64>() / count as f64;
        let squares: f64 = sorted.iter().map(|number| (number - mean).powi(2)).sum();
        Some(Spread {
            count,
            least,
            median: (sorted[(count - 1) / 2] + sorted[count / 2]) / 2.0,
            mean,
            greatest,
            deviation: match count {
                1 => 0.0,
                _ => (squares / (count - 1) as f64).sqrt(),
            },
        })
    }
}

/// The statistics of a group.
pub(super) fn merge(kind: Kind, results: &[(&Unit, &UnitResult)]) -> Merged {
    let outputs: Vec<&Value> = results.iter().map(|(_, result)| &result.output).collect();
    match kind {
        Kind::Verify => verify(&outputs),
        Kind::Build => build(results),
        Kind::Prove => Merged::Prove {
            verdicts: verdicts(&outputs, "proofs", "property"),
        },
        Kind::Figures | Kind::Claims | Kind::Command => Merged::Other {
            spreads: spreads(&outputs),
        },
    }
}

/// The number by which a unit is known in a table: its name and value.
pub(super) fn measure(kind: Kind, output: &Value) -> Option<(&'static str, f64)> {
    match kind {
        Kind::Verify => Some(("false-positive rate", output["fpr"]["measured"].as_f64()?)),
        Kind::Build => Some(("MHz", output["fmax_mhz"].as_f64()?)),
        _ => None,
    }
}

fn verify(outputs: &[&Value]) -> Merged {
    let mut sums = BTreeMap::new();
    for key in COUNTED {
        let numbers: Vec<f64> = outputs
            .iter()
            .filter_map(|output| output[key].as_f64())
            .collect();
        if !numbers.is_empty() {
            sums.insert(key.to_owned(), numbers.iter().sum());
        }
    }
    Merged::Verify {
        sums,
        rate: rate(outputs),
        state_test: state_test(outputs),
        verdicts: verdicts(outputs, "claims", "name"),
    }
}

/// The rate of a run that is held against a prediction.
#[derive(Debug, Clone, Copy)]
struct RunRate {
    items: f64,
    measured: f64,
    /// Half the interval's width.
    half: f64,
    confidence: f64,
    predicted: f64,
    at_most: bool,
    /// What the prediction may be off by.
    model_error: f64,
}

impl RunRate {
    fn of(output: &Value) -> Option<RunRate> {
        let (fpr, number) = (&output["fpr"], |value: &Value| value.as_f64());
        let against_another = output["fpr_test"]
            .as_str()
            .is_some_and(|test| test != "prediction");
        // Without two whole cycles behind the first ones a run's rate is that of halves that begin empty: lower, in every run alike.
        let whole_cycles = &output["fpr_by_arrivals"]["cycles"];
        let too_short = whole_cycles.as_u64().is_some_and(|cycles| cycles < 2);
        if fpr["verdict"] == "not-applicable" || against_another || too_short {
            return None;
        }
        Some(RunRate {
            items: number(&output["items"])?,
            measured: number(&fpr["measured"])?,
            half: (number(&fpr["ci_high"])? - number(&fpr["ci_low"])?) / 2.0,
            confidence: number(&fpr["confidence"])?,
            predicted: number(&fpr["predicted"])?,
            at_most: fpr["at_most"].as_bool().unwrap_or(false),
            model_error: number(&output["fpr_model_error"]).unwrap_or(0.0),
        })
    }

    /// What runs that are pooled have in common.
    fn against(&self) -> (f64, f64, bool, f64) {
        (
            self.confidence,
            self.predicted,
            self.at_most,
            self.model_error,
        )
    }
}

fn rate(outputs: &[&Value]) -> Option<PooledRate> {
    let runs: Vec<RunRate> = outputs
        .iter()
        .map(|output| RunRate::of(output))
        .collect::<Option<_>>()?;
    let first = *runs.first()?;
    if runs.iter().any(|run| run.against() != first.against()) {
        return None;
    }
    let (confidence, predicted, at_most, model_error) = first.against();
    let items: f64 = runs.iter().map(|run| run.items).sum();
    let measured = runs.iter().map(|run| run.items * run.measured).sum::<f64>() / items;
    let half = runs
        .iter()
        .map(|run| (run.items * run.half).powi(2))
        .sum::<f64>()
        .sqrt()
        / items;
    let (ci_low, ci_high) = ((measured - half).max(0.0), (measured + half).min(1.0));
    Some(PooledRate {
        runs: runs.len(),
        measured,
        ci_low,
        ci_high,
        confidence,
        predicted,
        at_most,
        agrees: ci_low - model_error <= predicted
            && (at_most || predicted <= ci_high + model_error),
    })
}

fn state_test(outputs: &[&Value]) -> Option<PooledState> {
    let (mut expected, mut observed, mut variance, mut allowed) = (0.0, 0.0, 0.0, 0.0);
    let mut any = false;
    for output in outputs {
        let test = &output["state_test"];
        let numbers = ["expected", "observed", "z"].map(|key| test[key].as_f64());
        let [Some(e), Some(o), Some(z)] = numbers else {
            continue;
        };
        // An error of what is expected is in every run the same: its deviations add, not their squares.
        let own = test["allowed"].as_f64().unwrap_or(0.0);
        // A test without a difference says nothing of its deviation: that of a Poisson count.
        variance += match z == 0.0 {
            true => e,
            false => (((o - e) / z).powi(2) - own * own).max(0.0),
        };
        (expected, observed, any) = (expected + e, observed + o, true);
        allowed += own;
    }
    let variance = variance + allowed * allowed;
    (any && variance > 0.0).then(|| PooledState {
        expected,
        observed,
        z: (observed - expected) / variance.sqrt(),
    })
}

/// How often each verdict was given, by the name of what was judged.
fn verdicts(
    outputs: &[&Value],
    list: &str,
    name: &str,
) -> BTreeMap<String, BTreeMap<String, usize>> {
    let mut all: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    for claim in outputs
        .iter()
        .filter_map(|output| output[list].as_array())
        .flatten()
    {
        if let (Some(name), Some(verdict)) = (claim[name].as_str(), claim["verdict"].as_str()) {
            let counts = all.entry(name.to_owned()).or_default();
            *counts.entry(verdict.to_owned()).or_insert(0) += 1;
        }
    }
    all
}

fn build(results: &[(&Unit, &UnitResult)]) -> Merged {
    let mut fastest: Option<(bool, f64, Option<u64>)> = None;
    let mut clocks = Vec::new();
    for (unit, result) in results {
        let Some(fmax) = result.output["fmax_mhz"].as_f64() else {
            continue;
        };
        clocks.push(fmax);
        let this = (result.outcome == Outcome::Good, fmax, unit.seed);
        if fastest.is_none_or(|(met, best, _)| (this.0, this.1) > (met, best)) {
            fastest = Some(this);
        }
    }
    let keys = ["fmax_mhz", "lut4", "ff", "bram"];
    let spread = |key: &str| {
        let numbers = results
            .iter()
            .filter_map(|(_, result)| result.output[key].as_f64());
        Some((key.to_owned(), Spread::of(&numbers.collect::<Vec<_>>())?))
    };
    Merged::Build {
        timing_met: results
            .iter()
            .filter(|(_, result)| result.outcome == Outcome::Good)
            .count(),
        spreads: keys.iter().filter_map(|key| spread(key)).collect(),
        best: fastest.map(|(_, fmax_mhz, seed)| Best {
            seed,
            fmax_mhz,
            bitstream: None,
        }),
        fmax_mhz: clocks,
    }
}

fn spreads(outputs: &[&Value]) -> BTreeMap<String, Spread> {
    let mut numbers: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for (key, value) in outputs
        .iter()
        .filter_map(|output| output.as_object())
        .flatten()
    {
        if let Some(number) = value.as_f64() {
            numbers.entry(key.clone()).or_default().push(number);
        }
    }
    let spread = |(key, numbers): (String, Vec<f64>)| Some((key, Spread::of(&numbers)?));
    numbers.into_iter().filter_map(spread).collect()
}
