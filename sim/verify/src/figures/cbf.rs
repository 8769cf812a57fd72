//! CBF Figures 1 to 7 and Table 1: counting filters for count thresholds.

use super::measured::rate;
use super::{
    grid, Axis, Chart, Check, Counts, Experiment, FigureError, Results, Role, Series, Size, Unit,
};
use crate::stats::family_confidence;
use bloomline_model::ideal::CountingRun;
use bloomline_theory::counting::{
    linear_load, optimal_hashes, optimal_load, slope_at, turning_loads, CountingFilter, Slope,
};
use bloomline_theory::TheoryError;

/// The experiments of this paper.
pub fn experiments() -> Vec<Box<dyn Experiment>> {
    vec![
        Box::new(Rates),
        Box::new(PoissonError),
        Box::new(SlopeTerms),
        Box::new(SlopeItself),
        Box::new(OptimalLoad),
        Box::new(LinearError),
        Box::new(Simulation),
    ]
}

const THRESHOLDS: [u64; 5] = [1, 2, 3, 4, 5];
/// Counters per entry of the paper's examples.
const COUNTERS_PER_ENTRY: u64 = 4;

fn filter(entries: u64, hashes: u64, threshold: u64) -> Result<CountingFilter, TheoryError> {
    CountingFilter::new(COUNTERS_PER_ENTRY * entries, entries, hashes, threshold)
}

/// A line over the thresholds.
fn over_thresholds(
    range: impl IntoIterator<Item = u64>,
    value: impl Fn(u64) -> Result<f64, TheoryError>,
) -> Result<Vec<(f64, f64)>, TheoryError> {
    range
        .into_iter()
        .map(|theta| Ok((theta as f64, value(theta)?)))
        .collect()
}

/// A line over the hashes 1 to 20.
fn over_hashes(
    value: impl Fn(u64) -> Result<f64, TheoryError>,
) -> Result<Vec<(f64, f64)>, TheoryError> {
    over_thresholds(1..=20, value)
}

/// Figure 1.
struct Rates;

impl Experiment for Rates {
    fn id(&self) -> &'static str {
        "cbf-1"
    }

    fn title(&self) -> &'static str {
        "CBF Fig. 1: false-positive rate over the hashes, thresholds 1 to 5"
    }

    fn chart(&self, _: Size, _: &Results) -> Result<Chart, FigureError> {
        let entries = 10_000_000;
        let mut series = Vec::new();
        let mut optima = Vec::new();
        let mut wrong = Vec::new();
        for (group, theta) in THRESHOLDS.into_iter().enumerate() {
            let exact = over_hashes(|k| Ok(filter(entries, k, theta)?.rate().value))?;
            let best = optimal_hashes(COUNTERS_PER_ENTRY * entries, entries, theta)?;
            let lowest = exact
                .iter()
                .min_by(|a, b| a.1.total_cmp(&b.1))
                .map_or(0.0, |point| point.0);
            if lowest != best as f64 {
                wrong.push(format!("theta = {theta}: {lowest} against {best}"));
            }
            optima.push((best as f64, filter(entries, best, theta)?.rate().value));
            series.push(Series::computed(
                format!("theta = {theta}"),
                Role::Predicted,
                group,
                exact,
            ));
        }
        series.push(Series::computed("k_opt, Theorem 1", Role::Bound, 6, optima));
        Ok(Chart {
            title: self.title().into(),
            setting: "m/n = 4, n = 10^7, exact".into(),
            x: Axis::linear("hashes k"),
            y: Axis::log("false-positive rate"),
            series,
            checks: vec![Check {
                claim: "Theorem 1 finds the lowest rate".into(),
                holds: wrong.is_empty(),
                evidence: if wrong.is_empty() {
                    "thresholds 1 to 5".into()
                } else {
                    wrong.join("; ")
                },
            }],
        })
    }
}

/// Figure 2.
struct PoissonError;

impl Experiment for PoissonError {
    fn id(&self) -> &'static str {
        "cbf-2"
    }

    fn title(&self) -> &'static str {
        "CBF Fig. 2: relative error of the Poisson form (3)"
    }

    fn chart(&self, _: Size, _: &Results) -> Result<Chart, FigureError> {
        let error = |k, theta| {
            let filter = filter(1000, k, theta)?;
            Ok((filter.poisson_rate().value / filter.rate().value - 1.0).abs())
        };
        let series = THRESHOLDS
            .into_iter()
            .enumerate()
            .map(|(group, theta)| {
                let points = over_hashes(|k| error(k, theta))?;
                Ok(Series::computed(
                    format!("theta = {theta}"),
                    Role::Predicted,
                    group,
                    points,
                ))
            })
            .collect::<Result<Vec<_>, TheoryError>>()?;
        let at_optimum = THRESHOLDS
            .into_iter()
            .map(|theta| error(optimal_hashes(4000, 1000, theta)?, theta))
            .collect::<Result<Vec<f64>, TheoryError>>()?;
        let largest = at_optimum.into_iter().fold(0.0, f64::max);
        Ok(Chart {
            title: self.title().into(),
            setting: "n = 1000, m = 4000, against the exact (2)".into(),
            x: Axis::linear("hashes k"),
            y: Axis::linear("relative error"),
            series,
            checks: vec![Check {
                claim: "with the best number of hashes the error is below 0.48 %".into(),
                holds: largest < 0.0048,
                evidence: format!("largest {:.4} %", 100.0 * largest),
            }],
        })
    }
}

/// Threshold of the paper's Figures 3 and 4.
const SLOPE_THRESHOLD: u64 = 5;

/// A curve over loads up to 8, at the threshold of Figures 3 and 4.
fn over_loads(value: impl Fn(Slope) -> f64) -> Result<Vec<(f64, f64)>, TheoryError> {
    (1..=160)
        .map(|step| {
            let load = 0.05 * f64::from(step);
            Ok((load, value(slope_at(SLOPE_THRESHOLD, load)?)))
        })
        .collect()
}

/// That loads have the digits that the paper prints.
fn printed(name: &str, pairs: &[(f64, f64)]) -> Check {
    let evidence: Vec<String> = pairs
        .iter()
        .map(|(load, printed)| format!("{load:.6} ({printed} printed)"))
        .collect();
    Check {
        claim: format!("{name} as printed"),
        holds: pairs
            .iter()
            .all(|(load, printed)| (load - printed).abs() <= 0.5e-4),
        evidence: evidence.join(", "),
    }
}

/// Figure 3.
struct SlopeTerms;

impl Experiment for SlopeTerms {
    fn id(&self) -> &'static str {
        "cbf-3"
    }

    fn title(&self) -> &'static str {
        "CBF Fig. 3: y_1 and y_2 over the load, between whose crossings g rises"
    }

    fn chart(&self, _: Size, _: &Results) -> Result<Chart, FigureError> {
        let [first, second] = turning_loads(SLOPE_THRESHOLD)?;
        let crossings = [first, second]
            .map(|load| (load, load - SLOPE_THRESHOLD as f64 - 1.0))
            .to_vec();
        let curve = |name: &str, group, points| {
            Series::computed(name.to_owned(), Role::Predicted, group, points)
        };
        Ok(Chart {
            title: self.title().into(),
            setting: format!("theta = {SLOPE_THRESHOLD}, exact"),
            x: Axis::linear("load kappa"),
            y: Axis::linear("y_1, y_2"),
            series: vec![
                curve(
                    "y_1 = ln P(a counter reaches theta)",
                    0,
                    over_loads(|at| at.y1)?,
                ),
                curve("y_2 = kappa - theta - 1", 1, over_loads(|at| at.y2)?),
                Series::computed("kappa_1, kappa_2", Role::Marked, 6, crossings),
            ],
            checks: vec![printed(
                "kappa_1 and kappa_2",
                &[(first, 1.2262), (second, 5.5756)],
            )],
        })
    }
}

/// Figure 4.
struct SlopeItself;

impl Experiment for SlopeItself {
    fn id(&self) -> &'static str {
        "cbf-4"
    }

    fn title(&self) -> &'static str {
        "CBF Fig. 4: g(theta, kappa), whose root is the best load"
    }

    fn chart(&self, _: Size, _: &Results) -> Result<Chart, FigureError> {
        let best = optimal_load(SLOPE_THRESHOLD)?.value;
        let [first, second] = turning_loads(SLOPE_THRESHOLD)?;
        let marks = [first, best, second]
            .into_iter()
            .map(|load| Ok((load, slope_at(SLOPE_THRESHOLD, load)?.g)))
            .collect::<Result<Vec<_>, TheoryError>>()?;
        let curve = over_loads(|at| at.g)?;
        let roots = curve
            .windows(2)
            .filter(|pair| pair[0].1 < 0.0 && pair[1].1 >= 0.0)
            .count();
        Ok(Chart {
            title: self.title().into(),
            setting: format!("theta = {SLOPE_THRESHOLD}, exact"),
            x: Axis::linear("load kappa"),
            y: Axis::linear("g"),
            series: vec![
                Series::computed("g(theta, kappa)", Role::Predicted, 0, curve),
                Series::computed("kappa_1, kappa*, kappa_2", Role::Marked, 6, marks),
            ],
            checks: vec![
                printed("kappa*", &[(best, 1.6117)]),
                Check {
                    claim: "g has one root up to kappa = 8".into(),
                    holds: roots == 1,
                    evidence: format!("{roots} changes of sign"),
                },
            ],
        })
    }
}

/// Table 1 of the paper: kappa* for theta = 1 to 30, as printed.
#[rustfmt::skip]
#[allow(clippy::approx_constant)] // the paper's digits of ln 2
const TABLE_1: [f64; 30] = [0.6931, 0.9326, 1.1635, 1.3893, 1.6117, 1.8317, 2.0498, 2.2664, 2.4818, 2.6963, 2.9099, 3.1228, 3.3351, 3.5469, 3.7582, 3.9690, 4.1795, 4.3896, 4.5995, 4.8090, 5.0183, 5.2274, 5.4362, 5.6448, 5.8533, 6.0616, 6.2697, 6.4776, 6.6854, 6.8931];

/// Figure 5 and Table 1.
struct OptimalLoad;

impl Experiment for OptimalLoad {
    fn id(&self) -> &'static str {
        "cbf-5"
    }

    fn title(&self) -> &'static str {
        "CBF Fig. 5 and Table 1: the best load kappa* and its linear fit over the threshold"
    }

    fn chart(&self, _: Size, _: &Results) -> Result<Chart, FigureError> {
        let best = over_thresholds(1..=30, |theta| Ok(optimal_load(theta)?.value))?;
        let wrong: Vec<String> = TABLE_1
            .iter()
            .zip(&best)
            .filter(|(printed, (_, load))| (load - *printed).abs() > 0.5e-4)
            .map(|(printed, (theta, load))| {
                format!("theta = {theta}: {printed} printed, {load:.5}")
            })
            .collect();
        let fit = over_thresholds(1..=30, |theta| Ok(linear_load(theta)?.value))?;
        Ok(Chart {
            title: self.title().into(),
            setting: "kappa = kn/m".into(),
            x: Axis::linear("threshold theta"),
            y: Axis::linear("load kappa"),
            series: vec![
                Series::computed("kappa*, Theorem 1", Role::Predicted, 0, best),
                Series::computed("linear fit, CBF (11)", Role::Bound, 1, fit),
            ],
            checks: vec![Check {
                claim: "kappa* equals Table 1 to its printed digits".into(),
                holds: wrong.is_empty(),
                evidence: if wrong.is_empty() {
                    format!("{} thresholds", TABLE_1.len())
                } else {
                    wrong.join("; ")
                },
            }],
        })
    }
}

/// Figure 6.
struct LinearError;

impl Experiment for LinearError {
    fn id(&self) -> &'static str {
        "cbf-6"
    }

    fn title(&self) -> &'static str {
        "CBF Fig. 6: relative error of the linear fit of kappa*"
    }

    fn chart(&self, _: Size, _: &Results) -> Result<Chart, FigureError> {
        let range = (1..=30).chain((35..=100).step_by(5));
        let error = over_thresholds(range, |theta| {
            Ok((linear_load(theta)?.value / optimal_load(theta)?.value - 1.0).abs())
        })?;
        let largest = error
            .iter()
            .filter(|point| point.0 > 30.0)
            .map(|point| point.1)
            .fold(0.0, f64::max);
        Ok(Chart {
            title: self.title().into(),
            setting: "CBF (11) against the root of g".into(),
            x: Axis::linear("threshold theta"),
            y: Axis::linear("relative error"),
            series: vec![Series::computed(
                "|fit / kappa* - 1|",
                Role::Predicted,
                0,
                error,
            )],
            checks: vec![Check {
                claim: "the error is below about 2 % above theta = 30".into(),
                holds: largest < 0.025,
                evidence: format!("largest {:.3} %", 100.0 * largest),
            }],
        })
    }
}

/// Figure 7.
struct Simulation;

impl Simulation {
    const HASHES: u64 = 20;

    fn entries(size: Size) -> u64 {
        match size {
            Size::Quick => 100_000,
            Size::Full => 10_000_000,
        }
    }
}

impl Experiment for Simulation {
    fn id(&self) -> &'static str {
        "cbf-7"
    }

    fn title(&self) -> &'static str {
        "CBF Fig. 7: false-positive rate simulated, thresholds 1 to 5"
    }

    /// One part is one filter filled and queried, all thresholds at once.
    fn units(&self, size: Size) -> Vec<Unit> {
        let parts = match size {
            Size::Quick => 10,
            Size::Full => 100,
        };
        grid(Self::HASHES as usize, parts)
    }

    /// Queries, then those whose counters all reach each threshold.
    fn simulate(&self, size: Size, unit: Unit, seed: u64) -> Counts {
        let entries = Self::entries(size);
        let counters = (COUNTERS_PER_ENTRY * entries) as u32;
        let mut run = CountingRun::new(counters, unit.point as usize + 1, seed);
        run.insert(entries);
        let found = run.query(entries, &THRESHOLDS);
        Counts([entries].into_iter().chain(found).collect())
    }

    fn chart(&self, size: Size, results: &Results) -> Result<Chart, FigureError> {
        let entries = Self::entries(size);
        let confidence = family_confidence(0.01, THRESHOLDS.len() * Self::HASHES as usize)?;
        let mut series = Vec::new();
        let mut checks = Vec::new();
        for (group, theta) in THRESHOLDS.into_iter().enumerate() {
            let law = over_hashes(|k| Ok(filter(entries, k, theta)?.rate().value))?;
            let mut points = Vec::new();
            let mut pairs = Vec::new();
            for (index, (k, predicted)) in law.iter().enumerate() {
                let point = rate(results, index as u32, (0, group + 1), *k, confidence)?;
                points.push(point);
                pairs.push((point, *predicted));
            }
            checks.push(Check::inside(&format!("theta = {theta}"), &pairs));
            series.push(Series::computed(
                format!("theta = {theta}, exact"),
                Role::Predicted,
                group,
                law,
            ));
            series.push(Series::measured(
                format!("theta = {theta}, simulated"),
                group,
                points,
            ));
        }
        Ok(Chart {
            title: self.title().into(),
            setting: format!("n = {entries} entries, m = 4 n, n queries a filter; intervals 99 % for the whole figure"),
            x: Axis::linear("hashes k"),
            y: Axis::log("false-positive rate"),
            series,
            checks,
        })
    }
}
