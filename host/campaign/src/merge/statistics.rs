//! Statistics over independent runs.

use crate::description::Kind;
use crate::unit::{Outcome, Unit, UnitResult};
use bloomline_verify::stats::{
    clopper_pearson, is_likely, Evidence, Verdict, MINIMUM_CYCLES, MINIMUM_EVENTS,
};
use bloomline_verify::CONFIDENCE;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use statrs::distribution::{Binomial, DiscreteCDF};
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
    /// False positives over absent keys in all runs; of recycling filters the mean of the runs' rates, weighted by their items.
    pub measured: f64,
    /// Lower end of its interval: that of Clopper and Pearson for all runs' counts. Of recycling filters the squares of the runs' distances from
    /// rate to lower end add, each with its weight, as the runs are independent.
    pub ci_low: f64,
    /// Upper end, in the same way.
    pub ci_high: f64,
    /// Confidence of the interval, that of each run's.
    pub confidence: f64,
    /// Predicted rate.
    pub predicted: f64,
    /// It is an upper bound.
    pub at_most: bool,
    /// As of one run: whether the prediction lies in the interval widened by its own error, or where it is a bound not below it, with the
    /// least evidence that a run needs.
    pub verdict: Verdict,
    /// Why it is not a pass; empty where it is.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
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
    /// Fail where chance gives such a difference in less than 1 % of cases; without many false positives no pass.
    pub verdict: Verdict,
    /// Why it is not a pass; empty where it is.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
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

/// How the names of claims begin that are judged at 99 % confidence, so that runs differ by chance.
const BY_CHANCE: [&str; 4] = [RATE, STATE, "Forgotten share", "Seen, "];
/// Beginning of the name of a rate's claim.
const RATE: &str = "False-positive rate";
/// Beginning of the name of a state test's claim.
const STATE: &str = "False positives";

/// What a group's results say as a whole, and why that is no pass.
pub(super) fn judge(merged: &Merged, results: &[(&Unit, &UnitResult)]) -> (Verdict, String) {
    let failed = |(_, result): &&(&Unit, &UnitResult)| result.outcome == Outcome::CheckFailed;
    let check_failed = results.iter().filter(failed).count();
    if results.is_empty() {
        return (Verdict::NotApplicable, "no unit has a result".into());
    }
    let Merged::Verify {
        sums,
        rate,
        state_test,
        verdicts,
    } = merged
    else {
        return match check_failed {
            0 => (Verdict::Pass, String::new()),
            _ => (
                Verdict::Fail,
                format!("the check failed in {check_failed} of {}", results.len()),
            ),
        };
    };
    let mut all = Vec::new();
    if let Some(rate) = rate {
        all.push((rate.verdict, format!("rate: {}", rate.reason)));
    }
    if let Some(test) = state_test {
        all.push((test.verdict, format!("state test: {}", test.reason)));
    }
    for (name, counts) in verdicts {
        let pooled = (rate.is_some() && name.starts_with(RATE))
            || (state_test.is_some() && name.starts_with(STATE));
        if !pooled {
            all.push(judge_claim(name, counts));
        }
    }
    // Where claims say it, too, once is enough.
    let told = all.iter().any(|(verdict, _)| *verdict == Verdict::Fail);
    for (key, what) in [("mismatches", "mismatches"), ("lost_keys", "lost keys")] {
        match sums.get(key) {
            Some(sum) if *sum > 0.0 && !told => all.push((Verdict::Fail, format!("{what}: {sum}"))),
            _ => {}
        }
    }
    // A run of frames through a packet path has no claims.
    let unexplained = results.iter().filter(failed).filter(|(_, result)| {
        let claims = result.output["claims"].as_array();
        let mut claims = claims.into_iter().flatten();
        let said = &result.output["verdict"];
        (said == "fail" || !said.is_string()) && !claims.any(|claim| claim["verdict"] == "fail")
    });
    match unexplained.count() {
        0 => {}
        count => all.push((
            Verdict::Fail,
            format!("the check failed in {count} of {} runs", results.len()),
        )),
    }
    for verdict in [Verdict::Fail, Verdict::Inconclusive] {
        let of_it = all.iter().filter(|(one, _)| *one == verdict);
        let reasons: Vec<&str> = of_it.map(|(_, reason)| reason.as_str()).collect();
        if !reasons.is_empty() {
            return (verdict, reasons.join("; "));
        }
    }
    (Verdict::Pass, String::new())
}

/// A claim that is not pooled. One that is judged by chance fails where so many of the runs fail by chance in at most 1 % of cases.
fn judge_claim(name: &str, counts: &BTreeMap<String, usize>) -> (Verdict, String) {
    let count = |verdict: Verdict| counts.get(verdict.word()).copied().unwrap_or(0) as u64;
    let (passed, failed) = (count(Verdict::Pass), count(Verdict::Fail));
    let open = count(Verdict::Inconclusive);
    let runs = passed + failed + open;
    let by_chance = BY_CHANCE.iter().any(|start| name.starts_with(start));
    let chance = match Binomial::new(0.01, runs) {
        Ok(law) if by_chance && failed > 0 => law.sf(failed - 1),
        _ => 0.0,
    };
    // Of one run the probability is 0.01, but for rounding.
    if failed > 0 && chance < 0.010_001 {
        (
            Verdict::Fail,
            format!("{name}: differs in {failed} of {runs} runs"),
        )
    } else if passed + failed == 0 && open > 0 {
        (Verdict::Inconclusive, format!("{name}: in every run"))
    } else {
        (Verdict::Pass, String::new())
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
    /// False positives, and the arrivals among which they were counted.
    events: u64,
    trials: u64,
    /// Whole cycles, of a recycling filter.
    cycles: Option<u64>,
    measured: f64,
    ci_low: f64,
    ci_high: f64,
    confidence: f64,
    predicted: f64,
    at_most: bool,
    /// What the prediction may be off by.
    model_error: f64,
    verdict: Verdict,
}

impl RunRate {
    fn of(output: &Value) -> Option<RunRate> {
        let fpr = &output["fpr"];
        let number = |key: &str| fpr[key].as_f64();
        let against_another = output["fpr_test"]
            .as_str()
            .is_some_and(|test| test != "prediction");
        // Without two whole cycles behind the first ones a run's rate is that of halves that begin empty: lower, in every run alike.
        let cycles = output["fpr_by_arrivals"]["cycles"].as_u64();
        let too_short = cycles.is_some_and(|cycles| cycles < 2);
        let verdict = Verdict::deserialize(&fpr["verdict"]).ok()?;
        if verdict == Verdict::NotApplicable || against_another || too_short {
            return None;
        }
        Some(RunRate {
            items: output["items"].as_f64()?,
            events: fpr["events"].as_u64()?,
            trials: fpr["trials"].as_u64()?,
            cycles,
            measured: number("measured")?,
            ci_low: number("ci_low")?,
            ci_high: number("ci_high")?,
            confidence: number("confidence")?,
            predicted: number("predicted")?,
            at_most: fpr["at_most"].as_bool().unwrap_or(false),
            model_error: output["fpr_model_error"].as_f64().unwrap_or(0.0),
            verdict,
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
    let (events, trials) = runs.iter().fold((0, 0), |(events, trials), run| {
        (events + run.events, trials + run.trials)
    });
    let measured = events as f64 / trials as f64;
    let cycles: Option<u64> = runs.iter().map(|run| run.cycles).sum();
    let (ci_low, ci_high) = match cycles {
        None => {
            let interval = clopper_pearson(events, trials, confidence).ok()?;
            (interval.low, interval.high)
        }
        // Arrivals of one cycle depend on each other, runs do not.
        Some(_) => {
            let together = |of: fn(&RunRate) -> f64| {
                let parts = runs.iter().map(|run| (run.trials as f64 * of(run)).powi(2));
                parts.sum::<f64>().sqrt() / trials as f64
            };
            (
                (measured - together(|run| run.measured - run.ci_low)).max(0.0),
                (measured + together(|run| run.ci_high - run.measured)).min(1.0),
            )
        }
    };
    let agrees =
        ci_low - model_error <= predicted && (at_most || predicted <= ci_high + model_error);
    // What a bound expects, and not how far below it the rate is, says how much was tried.
    let evidence = Evidence {
        cycles: cycles.unwrap_or(MINIMUM_CYCLES),
        events: match at_most {
            true => (predicted * trials as f64) as u64,
            false => events,
        },
    };
    let many = evidence.events >= MINIMUM_EVENTS;
    let verdict = match (runs.as_slice(), cycles) {
        ([run], _) => run.verdict,
        // Cells of few events can differ, as their interval is exact; that of few cycles says nothing.
        (_, None) => few_decide_nothing(agrees, many),
        (runs, Some(cycles)) => {
            let decided = |run: &RunRate| run.verdict != Verdict::Inconclusive;
            let enough = (cycles >= MINIMUM_CYCLES && many) || runs.iter().any(decided);
            match (enough, agrees) {
                (false, _) => Verdict::Inconclusive,
                (true, true) => Verdict::Pass,
                (true, false) => Verdict::Fail,
            }
        }
    };
    let items: f64 = runs.iter().map(|run| run.items).sum();
    let reason = match verdict {
        Verdict::Pass => String::new(),
        Verdict::Inconclusive => evidence.still_needed(items as u64, "items"),
        _ => "the interval does not hold the prediction".into(),
    };
    Some(PooledRate {
        runs: runs.len(),
        measured,
        ci_low,
        ci_high,
        confidence,
        predicted,
        at_most,
        verdict,
        reason,
    })
}

/// Few events are no pass, but can be a failure: the rule of one run.
fn few_decide_nothing(agrees: bool, many: bool) -> Verdict {
    match (agrees, many) {
        (false, _) => Verdict::Fail,
        (true, true) => Verdict::Pass,
        (true, false) => Verdict::Inconclusive,
    }
}

fn state_test(outputs: &[&Value]) -> Option<PooledState> {
    let (mut expected, mut observed, mut variance, mut allowed) = (0.0, 0.0, 0.0, 0.0);
    let mut own_verdicts = Vec::new();
    let mut items = 0;
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
        (expected, observed) = (expected + e, observed + o);
        allowed += own;
        items += output["items"].as_u64().unwrap_or(0);
        own_verdicts.push(Verdict::deserialize(&test["verdict"]).ok());
    }
    let variance = variance + allowed * allowed;
    if variance <= 0.0 {
        return None;
    }
    let z = (observed - expected) / variance.sqrt();
    let many = MINIMUM_EVENTS as f64;
    let agrees = match expected >= many {
        true => z.abs() <= Z_99,
        false => is_likely(expected, observed as u64, CONFIDENCE),
    };
    let verdict = match own_verdicts.as_slice() {
        [Some(own)] => *own,
        _ => few_decide_nothing(agrees, observed >= many),
    };
    let evidence = Evidence {
        cycles: MINIMUM_CYCLES,
        events: observed as u64,
    };
    Some(PooledState {
        expected,
        observed,
        z,
        verdict,
        reason: match verdict {
            Verdict::Pass => String::new(),
            Verdict::Inconclusive => evidence.still_needed(items, "items"),
            _ => format!("{:.1} standard deviations apart", z.abs()),
        },
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
