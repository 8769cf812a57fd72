//! RBF Figures 3 to 7: average rates of recycling filters and the capacity they allow.

use super::measured::rate;
use super::{
    grid, Axis, Chart, Check, Counts, Experiment, FigureError, Point, Results, Role, Series, Size,
    Unit,
};
use crate::stats::family_confidence;
use bloomline_model::ideal::{Recycle, RecyclingFilter};
use bloomline_theory::recycling::n_bounded::{average_rate_bound, oracle_rate, worst_case_rate};
use bloomline_theory::recycling::shared_bits::walk;
use bloomline_theory::recycling::{
    bits_set_law, messages_law, two_phase_bits_set_rate, Restart, SharedHalf,
};
use bloomline_theory::TheoryError;
use std::ops::ControlFlow;

/// Bits of the simulated filters, as in the paper, and their hashes, which the paper does not print.
const BITS: u64 = 1000;
const HASHES: u32 = 4;
/// Different messages of the paper's simulations.
const POPULATION: u32 = 1000;

/// The experiments of this paper.
pub fn experiments() -> Vec<Box<dyn Experiment>> {
    vec![
        Box::new(AverageRates),
        Box::new(LowerBounds),
        Box::new(CapacityOverMemory),
        Box::new(CapacityOverRate),
        Box::new(OneAgainstTwoPhases),
    ]
}

/// Figure 3.
struct AverageRates;

impl AverageRates {
    const SIGMAS: [u64; 8] = [100, 200, 300, 400, 500, 600, 700, 800];

    /// Phases, whether the messages are the paper's 1000, and the threshold as a part of 1000 bits.
    fn point(index: u32) -> (usize, Option<u32>, u64) {
        let index = index as usize;
        let of = Self::SIGMAS.len();
        let population = ((index / of).is_multiple_of(2)).then_some(POPULATION);
        (1 + index / (2 * of), population, Self::SIGMAS[index % of])
    }

    /// The paper's prediction, and the one without its assumption of independent halves.
    fn predicted(phases: usize, permille: u64) -> Result<(f64, f64), TheoryError> {
        let bits = BITS / phases as u64;
        let (half, sigma) = (
            SharedHalf::new(bits, HASHES, false)?,
            permille * bits / 1000,
        );
        let paper = bits_set_law(half, sigma, Restart::Forget)?.rate(phases as u32);
        let exact = match phases {
            1 => paper,
            _ => two_phase_bits_set_rate(half, sigma)?.value,
        };
        Ok((paper, exact))
    }
}

impl Experiment for AverageRates {
    fn id(&self) -> &'static str {
        "rbf-3"
    }

    fn title(&self) -> &'static str {
        "RBF Fig. 3: average false-positive rate with a threshold on bits, one and two phases"
    }

    fn units(&self, size: Size) -> Vec<Unit> {
        let parts = match size {
            Size::Quick => 10,
            Size::Full => 200,
        };
        grid(4 * Self::SIGMAS.len(), parts)
    }

    fn simulate(&self, size: Size, unit: Unit, seed: u64) -> Counts {
        let (phases, population, permille) = Self::point(unit.point);
        let bits = BITS as usize / phases;
        let sigma = permille as usize * bits / 1000;
        let arrivals = match size {
            Size::Quick => 20_000,
            Size::Full => 100_000,
        };
        let filter = RecyclingFilter::new(phases, bits, Recycle::BitsSet(sigma as u32));
        Counts(
            filter
                .count_false_positives(HASHES as usize, population, arrivals, seed)
                .to_vec(),
        )
    }

    fn chart(&self, _: Size, results: &Results) -> Result<Chart, FigureError> {
        let confidence = family_confidence(0.01, 4 * Self::SIGMAS.len())?;
        let mut series = Vec::new();
        let mut checks = Vec::new();
        for phases in [1, 2] {
            let group = phases - 1;
            let line = |which: fn((f64, f64)) -> f64| {
                (50..=850)
                    .step_by(25)
                    .map(|permille| {
                        Ok((
                            permille as f64 / 1000.0,
                            which(Self::predicted(phases, permille)?),
                        ))
                    })
                    .collect::<Result<Vec<_>, TheoryError>>()
            };
            if phases == 1 {
                let exact = line(|predicted| predicted.1)?;
                series.push(Series::computed(
                    "one phase, RBF (18)",
                    Role::Predicted,
                    group,
                    exact,
                ));
            } else {
                let (paper, exact) = (
                    line(|predicted| predicted.0)?,
                    line(|predicted| predicted.1)?,
                );
                series.push(Series::computed(
                    "two phases, exact",
                    Role::Predicted,
                    group,
                    exact,
                ));
                series.push(Series::computed(
                    "two phases, RBF (26)",
                    Role::Bound,
                    6,
                    paper,
                ));
            }
            for (half, what) in ["1,000 different messages", "messages all new"]
                .into_iter()
                .enumerate()
            {
                let first = (2 * group + half) * Self::SIGMAS.len();
                let mut points = Vec::new();
                let mut pairs = Vec::new();
                for (index, permille) in Self::SIGMAS.into_iter().enumerate() {
                    let x = permille as f64 / 1000.0;
                    let point = rate(results, (first + index) as u32, (0, 1), x, confidence)?;
                    points.push(point);
                    pairs.push((point, Self::predicted(phases, permille)?.1));
                }
                let name = format!("{} {what}", ["one phase,", "two phases,"][group]);
                checks.push(if phases == 2 && half == 0 {
                    shared_members(&name, &pairs)
                } else {
                    Check::inside(&name, &pairs)
                });
                // Side by side, so that intervals do not hide each other.
                let shift = if half == 0 { 0.99 } else { 1.01 };
                series.push(Series::measured(name, group + 2 * half, points).shifted(shift));
            }
        }
        Ok(Chart {
            title: self.title().into(),
            setting: "M = 1000 bits in all, k = 4, colliding, non-retaining; intervals 99 % for the whole figure".into(),
            x: Axis::linear("threshold sigma, as a part of a half's bits"),
            y: Axis::log("average false-positive rate"),
            series,
            checks,
        })
    }
}

/// With few different messages a two-phase filter stores many of them in both halves. Theory takes the messages of the halves as
/// different, so its rate is above the measured one, the more the fuller they are.
fn shared_members(what: &str, pairs: &[(Point, f64)]) -> Check {
    let above = |(point, predicted): &&(Point, f64)| {
        point
            .interval
            .as_ref()
            .is_some_and(|interval| interval.low > *predicted)
    };
    let below = pairs
        .iter()
        .map(|(point, predicted)| 1.0 - point.y / predicted)
        .fold(f64::NEG_INFINITY, f64::max);
    Check {
        claim: format!("{what}: the halves share messages, which theory leaves out: never above the prediction"),
        holds: !pairs.iter().any(|pair| above(&pair)),
        evidence: format!("measured up to {:.2} % below", 100.0 * below),
    }
}

/// Figure 4.
struct LowerBounds;

impl LowerBounds {
    const MESSAGES: [u64; 10] = [25, 50, 75, 100, 125, 150, 200, 250, 300, 350];
}

impl Experiment for LowerBounds {
    fn id(&self) -> &'static str {
        "rbf-4"
    }

    fn title(&self) -> &'static str {
        "RBF Fig. 4: average false-positive rate with a threshold on messages, its bounds and its exact value"
    }

    fn units(&self, size: Size) -> Vec<Unit> {
        let parts = match size {
            Size::Quick => 10,
            Size::Full => 140,
        };
        grid(Self::MESSAGES.len(), parts)
    }

    fn simulate(&self, size: Size, unit: Unit, seed: u64) -> Counts {
        let arrivals = match size {
            Size::Quick => 40_000,
            Size::Full => 1_000_000,
        };
        let messages = Self::MESSAGES[unit.point as usize] as u32;
        let filter = RecyclingFilter::new(1, BITS as usize, Recycle::Messages(messages));
        Counts(
            filter
                .count_false_positives(HASHES as usize, None, arrivals, seed)
                .to_vec(),
        )
    }

    fn chart(&self, _: Size, results: &Results) -> Result<Chart, FigureError> {
        let half = SharedHalf::new(BITS, HASHES, false)?;
        let confidence = family_confidence(0.01, Self::MESSAGES.len())?;
        let exact = |messages| {
            Ok::<_, TheoryError>(messages_law(half, messages, Restart::Forget)?.active_rate)
        };
        let over = |formula: &dyn Fn(u64) -> Result<f64, TheoryError>| {
            (20..=360)
                .step_by(10)
                .map(|n| Ok((n as f64, formula(n)?)))
                .collect::<Result<Vec<_>, TheoryError>>()
        };
        let mut points = Vec::new();
        let mut pairs = Vec::new();
        let mut order = Vec::new();
        for (index, messages) in Self::MESSAGES.into_iter().enumerate() {
            let point = rate(results, index as u32, (0, 1), messages as f64, confidence)?;
            points.push(point);
            let rate = exact(messages)?;
            pairs.push((point, rate));
            let (oracle, average) = (
                oracle_rate(half, messages)?,
                average_rate_bound(half, messages)?,
            );
            if !(oracle <= average && average <= rate) {
                order.push(format!(
                    "N = {messages}: {oracle:.6e}, {average:.6e}, {rate:.6e}"
                ));
            }
        }
        Ok(Chart {
            title: self.title().into(),
            setting: "M = 1000 bits, k = 4, colliding, non-retaining, messages all new; intervals 99 % for the whole figure".into(),
            x: Axis::linear("messages of a cycle, N"),
            y: Axis::log("average false-positive rate"),
            series: vec![
                Series::computed("exact", Role::Predicted, 0, over(&exact)?),
                Series::computed("lower bound f_a, RBF (3)", Role::Bound, 1, over(&|n| average_rate_bound(half, n))?),
                Series::computed("oracle f_o, RBF (2)", Role::Bound, 2, over(&|n| oracle_rate(half, n))?),
                Series::measured("simulated", 0, points),
            ],
            checks: vec![
                Check::inside("threshold on messages", &pairs),
                Check {
                    claim: "f_o <= f_a <= the exact rate".into(),
                    holds: order.is_empty(),
                    evidence: if order.is_empty() {
                        format!("at all {} thresholds", pairs.len())
                    } else {
                        order.join("; ")
                    },
                },
            ],
        })
    }
}

/// Most messages a cycle may have with an average (or worst-case) rate of at most a target, by three rules.
struct Capacity {
    /// Mean bit-setting messages of a cycle with the best threshold on bits, RBF (18).
    by_chain: f64,
    /// The greatest N with f_a of at most the target, RBF (3).
    by_average: u64,
    /// The greatest N with f_w of at most the target, RBF (1).
    by_worst_case: u64,
}

fn capacity(half: SharedHalf, target: f64) -> Result<Capacity, TheoryError> {
    Ok(Capacity {
        by_chain: chain_capacity(half, 1, target),
        by_average: most(|messages| Ok(average_rate_bound(half, messages)? <= target))?,
        by_worst_case: most(|messages| Ok(worst_case_rate(half, messages) <= target))?,
    })
}

/// Mean messages of a cycle with the greatest threshold whose average rate is at most the target; 0 if there is none.
fn chain_capacity(half: SharedHalf, phases: u32, target: f64) -> f64 {
    let mut best = 0.0;
    walk(half, half.bits() - 1, |point| {
        if point.sigma < u64::from(half.hashes()) {
            return ControlFlow::Continue(());
        }
        if point.law.rate(phases) > target {
            return ControlFlow::Break(());
        }
        best = point.law.mean_arrivals;
        ControlFlow::Continue(())
    });
    best
}

/// The greatest n from 0 with `holds(n)`, which is true up to some n and false from there on.
fn most(holds: impl Fn(u64) -> Result<bool, TheoryError>) -> Result<u64, TheoryError> {
    let mut above = 1;
    while holds(above)? {
        above *= 2;
    }
    let mut below = above / 2;
    while above - below > 1 {
        let middle = below + (above - below) / 2;
        if holds(middle)? {
            below = middle;
        } else {
            above = middle;
        }
    }
    Ok(below)
}

/// log2(1/p), rounded: the usual number of hashes for a rate.
fn usual_hashes(target: f64) -> u32 {
    (-target.log2()).round().max(1.0) as u32
}

/// The two normalised capacities as series, and the check that the worst case gives away at least 30 % from x = `from` on.
fn normalised(capacities: &[(f64, Capacity)], from: f64) -> (Vec<Series>, Vec<Check>) {
    let relative = |of: fn(&Capacity) -> f64| {
        capacities
            .iter()
            .map(move |(x, capacity)| (*x, of(capacity) / capacity.by_chain))
    };
    let average = |capacity: &Capacity| capacity.by_average as f64;
    let worst = |capacity: &Capacity| capacity.by_worst_case as f64;
    let greatest = |from: f64| {
        let judged = relative(worst).filter(|point| point.0 >= from);
        judged.map(|point| point.1).fold(0.0, f64::max)
    };
    let (judged, all) = (greatest(from), greatest(0.0));
    let series = vec![
        Series::computed(
            "average bound f_a, RBF (3)",
            Role::Bound,
            0,
            relative(average),
        ),
        Series::computed("worst case f_w, RBF (1)", Role::Bound, 1, relative(worst)),
    ];
    let check = Check {
        claim: format!(
            "sizing by the worst case gives away at least 30 % of the capacity, from x = {from} on"
        ),
        holds: judged <= 0.7,
        evidence: format!(
            "it has at most {judged:.4} of the capacity there, {all:.4} over the whole chart"
        ),
    };
    (series, vec![check])
}

/// Figure 5.
struct CapacityOverMemory;

impl Experiment for CapacityOverMemory {
    fn id(&self) -> &'static str {
        "rbf-5"
    }

    fn title(&self) -> &'static str {
        "RBF Fig. 5: message capacity by worst case and by average bound, over the memory"
    }

    fn chart(&self, _: Size, _: &Results) -> Result<Chart, FigureError> {
        let target = 0.01;
        let k = usual_hashes(target);
        let capacities = (0..=14)
            .map(|step| (1000.0 * 10f64.powf(f64::from(step) / 7.0)).round() as u64)
            .map(|bits| {
                Ok((
                    bits as f64,
                    capacity(SharedHalf::new(bits, k, false)?, target)?,
                ))
            })
            .collect::<Result<Vec<_>, TheoryError>>()?;
        let (series, checks) = normalised(&capacities, 1000.0);
        Ok(Chart {
            title: self.title().into(),
            setting: format!("average rate 0.01, k = {k}, one phase; 1 is the mean cycle with the best threshold on bits, RBF (18)"),
            x: Axis::log("memory M in bits"),
            y: Axis::linear("messages, as a part of the capacity by the chain"),
            series,
            checks,
        })
    }
}

/// Figure 6.
struct CapacityOverRate;

impl Experiment for CapacityOverRate {
    fn id(&self) -> &'static str {
        "rbf-6"
    }

    fn title(&self) -> &'static str {
        "RBF Fig. 6: message capacity by worst case and by average bound, over the rate"
    }

    fn chart(&self, _: Size, _: &Results) -> Result<Chart, FigureError> {
        let bits = 10_000;
        let capacities = (4..=20)
            .map(|step| 10f64.powf(-f64::from(step) / 4.0))
            .map(|target| {
                let half = SharedHalf::new(bits, usual_hashes(target), false)?;
                Ok((target, capacity(half, target)?))
            })
            .collect::<Result<Vec<_>, TheoryError>>()?;
        let (series, checks) = normalised(&capacities, 0.005);
        Ok(Chart {
            title: self.title().into(),
            setting: "M = 10,000 bits, k = log2(1/rate) rounded, one phase; 1 is the mean cycle with the best threshold on bits, RBF (18)".into(),
            x: Axis::log("average false-positive rate"),
            y: Axis::linear("messages, as a part of the capacity by the chain"),
            series,
            checks,
        })
    }
}

/// Figure 7.
struct OneAgainstTwoPhases;

impl Experiment for OneAgainstTwoPhases {
    fn id(&self) -> &'static str {
        "rbf-7"
    }

    fn title(&self) -> &'static str {
        "RBF Fig. 7: message capacity of one phase against two"
    }

    fn chart(&self, _: Size, _: &Results) -> Result<Chart, FigureError> {
        let best = |bits: u64, phases: u32, target: f64| {
            (1..=16)
                .map(|k| {
                    Ok(chain_capacity(
                        SharedHalf::new(bits / u64::from(phases), k, false)?,
                        phases,
                        target,
                    ))
                })
                .collect::<Result<Vec<f64>, TheoryError>>()
                .map(|all| all.into_iter().fold(0.0, f64::max))
        };
        let mut series = Vec::new();
        let mut least: f64 = f64::INFINITY;
        for (group, bits) in [1_000, 4_000, 16_000].into_iter().enumerate() {
            let mut points = Vec::new();
            for step in 4..=16 {
                let target = 10f64.powf(-f64::from(step) / 4.0);
                let ratio = best(bits, 1, target)? / best(bits, 2, target)?;
                least = least.min(ratio);
                points.push((target, ratio));
            }
            series.push(Series::computed(
                format!("M = {bits} bits"),
                Role::Predicted,
                group,
                points,
            ));
        }
        Ok(Chart {
            title: self.title().into(),
            setting: "the same memory in all, best k for each, RBF (18) and (26); two phases pay for forgetting less".into(),
            x: Axis::log("average false-positive rate"),
            y: Axis::linear("mean cycle of one phase / of two phases"),
            series,
            checks: vec![Check {
                claim: "one phase has the longer cycle at every rate".into(),
                holds: least > 1.0,
                evidence: format!("least ratio {least:.4}"),
            }],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_finds_the_last_that_holds() {
        for last in [0, 1, 2, 3, 17, 1000] {
            assert_eq!(most(|n| Ok(n <= last)).expect("no error"), last);
        }
    }
}
