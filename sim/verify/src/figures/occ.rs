//! OCC Figures 6 to 10: exact rates, bounds, optimal hashes and efficiency of standard and classic filters.

use super::measured::rate;
use super::{
    grid, Axis, Chart, Check, Counts, Experiment, FigureError, Results, Role, Series, Size, Unit,
};
use crate::stats::family_confidence;
use bloomline_model::ideal::{generator, BitArray, Scheme};
use bloomline_theory::static_filter::{
    greatest_standard_efficiency, hashes_estimate, optimal_hashes, Probes, StaticFilter,
};
use bloomline_theory::TheoryError;

/// The experiments of this paper.
pub fn experiments() -> Vec<Box<dyn Experiment>> {
    vec![
        Box::new(Rates),
        Box::new(Bounds),
        Box::new(OptimalHashes),
        Box::new(Efficiency {
            id: "occ-9",
            probes: Probes::Independent,
        }),
        Box::new(Efficiency {
            id: "occ-10",
            probes: Probes::Distinct,
        }),
    ]
}

const BOTH: [(Probes, &str); 2] = [
    (Probes::Distinct, "classic"),
    (Probes::Independent, "standard"),
];

fn exact(bits: u64, items: u64, hashes: u64, probes: Probes) -> Result<f64, TheoryError> {
    Ok(StaticFilter::new(bits, items, hashes, probes)?
        .rate()?
        .value)
}

/// The computed points of a line.
fn line(
    range: impl IntoIterator<Item = u64>,
    value: impl Fn(u64) -> Result<f64, TheoryError>,
) -> Result<Vec<(f64, f64)>, TheoryError> {
    range
        .into_iter()
        .map(|x| Ok((x as f64, value(x)?)))
        .collect()
}

/// Figure 6.
struct Rates;

impl Rates {
    const BITS: u64 = 100;
    const ITEMS: u64 = 20;
    const HASHES: [u64; 9] = [1, 2, 3, 5, 8, 12, 20, 30, 40];
}

impl Experiment for Rates {
    fn id(&self) -> &'static str {
        "occ-6"
    }

    fn title(&self) -> &'static str {
        "OCC Fig. 6: false-positive rate of classic and standard filters over the hashes"
    }

    fn units(&self, size: Size) -> Vec<Unit> {
        let parts = match size {
            Size::Quick => 20,
            Size::Full => 200,
        };
        grid(2 * Self::HASHES.len(), parts)
    }

    fn simulate(&self, size: Size, unit: Unit, seed: u64) -> Counts {
        let point = unit.point as usize;
        let scheme = match BOTH[point / Self::HASHES.len()].0 {
            Probes::Independent => Scheme::Standard,
            Probes::Distinct => Scheme::Distinct,
        };
        let filters = match size {
            Size::Quick => 200,
            Size::Full => 10_000,
        };
        let hashes = Self::HASHES[point % Self::HASHES.len()] as usize;
        let counts = [Self::ITEMS as u32, 10];
        let mut random = generator(seed);
        let mut filter = BitArray::new(Self::BITS as usize);
        let found = (0..filters)
            .map(|_| filter.trial(scheme, Self::BITS as u32, hashes, counts, &mut random))
            .map(u64::from)
            .sum();
        Counts(vec![filters * 10, found])
    }

    fn chart(&self, _: Size, results: &Results) -> Result<Chart, FigureError> {
        let confidence = family_confidence(0.01, 2 * Self::HASHES.len())?;
        let mut series = Vec::new();
        let mut checks = Vec::new();
        for (group, (probes, name)) in BOTH.into_iter().enumerate() {
            let law = |k| exact(Self::BITS, Self::ITEMS, k, probes);
            series.push(Series::computed(
                format!("{name}, exact"),
                Role::Predicted,
                group,
                line(1..=40, law)?,
            ));
            let mut points = Vec::new();
            let mut pairs = Vec::new();
            for (index, k) in Self::HASHES.into_iter().enumerate() {
                let place = (group * Self::HASHES.len() + index) as u32;
                let point = rate(results, place, (0, 1), k as f64, confidence)?;
                points.push(point);
                pairs.push((point, law(k)?));
            }
            checks.push(Check::inside(name, &pairs));
            series.push(Series::measured(
                format!("{name}, simulated"),
                group,
                points,
            ));
        }
        Ok(Chart {
            title: self.title().into(),
            setting: "m = 100 bits, n = 20 items; intervals 99 % for the whole figure".into(),
            x: Axis::linear("hashes k"),
            y: Axis::log("false-positive rate"),
            series,
            checks,
        })
    }
}

/// Figure 7.
struct Bounds;

impl Experiment for Bounds {
    fn id(&self) -> &'static str {
        "occ-7"
    }

    fn title(&self) -> &'static str {
        "OCC Fig. 7: exact rates between their bounds"
    }

    fn chart(&self, _: Size, _: &Results) -> Result<Chart, FigureError> {
        let (bits, items) = (1000, 20);
        let filter = |k| StaticFilter::new(bits, items, k, Probes::Independent);
        let range = 25..=50;
        let classic = line(range.clone(), |k| exact(bits, items, k, Probes::Distinct))?;
        let standard = line(range.clone(), |k| {
            exact(bits, items, k, Probes::Independent)
        })?;
        let lower = line(range.clone(), |k| Ok(filter(k)?.lower_bound_l()?.value))?;
        let middle = line(range.clone(), |k| Ok(filter(k)?.lower_bound_m().value))?;
        let upper = line(range, |k| {
            Ok(StaticFilter::new(bits, items, k, Probes::Distinct)?
                .upper_bound_u()?
                .value)
        })?;
        let ordered = |below: &[(f64, f64)], above: &[(f64, f64)]| {
            below.iter().zip(above).all(|(b, a)| b.1 <= a.1)
        };
        let holds = ordered(&lower, &standard)
            && ordered(&lower, &classic)
            && ordered(&middle, &standard)
            && ordered(&classic, &upper);
        let best = |probes| optimal_hashes(bits, items, probes).map(|optimum| optimum.hashes);
        let (of_standard, of_classic) = (best(Probes::Independent)?, best(Probes::Distinct)?);
        Ok(Chart {
            title: self.title().into(),
            setting: "m = 1000 bits, n = 20 items".into(),
            x: Axis::linear("hashes k"),
            y: Axis::linear("false-positive rate"),
            series: vec![
                Series::computed("classic f_C, exact", Role::Predicted, 0, classic),
                Series::computed("standard f_S, exact", Role::Predicted, 1, standard),
                Series::computed("upper U, OCC (65)", Role::Bound, 3, upper),
                Series::computed("middle M, OCC (57)", Role::Bound, 2, middle),
                Series::computed("lower L, OCC (64)", Role::Bound, 4, lower),
            ],
            checks: vec![
                Check {
                    claim: "L <= f_S, L <= f_C, M <= f_S and f_C <= U".into(),
                    holds,
                    evidence: "k = 25 to 50".into(),
                },
                Check {
                    claim: "the best numbers of hashes are 34 (standard) and 33 (classic)".into(),
                    holds: (of_standard, of_classic) == (34, 33),
                    evidence: format!("{of_standard} and {of_classic}"),
                },
            ],
        })
    }
}

/// Figure 8.
struct OptimalHashes;

impl Experiment for OptimalHashes {
    fn id(&self) -> &'static str {
        "occ-8"
    }

    fn title(&self) -> &'static str {
        "OCC Fig. 8: the best number of hashes over the items"
    }

    fn chart(&self, _: Size, _: &Results) -> Result<Chart, FigureError> {
        let bits = 1024;
        let items = [
            5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 40, 50, 70, 100, 150, 200, 300, 500, 700,
        ];
        let best = |probes| {
            line(
                items,
                |n| Ok(optimal_hashes(bits, n, probes)?.hashes as f64),
            )
        };
        let estimate = line(items, |n| Ok(hashes_estimate(bits, n)?.value))?;
        let (standard, classic) = (best(Probes::Independent)?, best(Probes::Distinct)?);
        let holds = (standard[0].1, classic[0].1) == (133.0, 124.0);
        let never_above = [&standard, &classic].iter().all(|line| {
            line.iter()
                .zip(&estimate)
                .all(|(exact, estimate)| exact.1 <= estimate.1.ceil())
        });
        let evidence = format!(
            "{} and {}, estimate {:.1}",
            standard[0].1, classic[0].1, estimate[0].1
        );
        Ok(Chart {
            title: self.title().into(),
            setting: "m = 1024 bits".into(),
            x: Axis::log("items n"),
            y: Axis::log("hashes k"),
            series: vec![
                Series::computed("m/n ln 2", Role::Bound, 2, estimate),
                Series::computed("standard k_S*", Role::Predicted, 1, standard),
                Series::computed("classic k_C*", Role::Predicted, 0, classic),
            ],
            checks: vec![
                Check {
                    claim: "at n = 5 the best are 133 (standard) and 124 (classic)".into(),
                    holds,
                    evidence,
                },
                Check {
                    claim: "m/n ln 2 is never too small by a whole hash".into(),
                    holds: never_above,
                    evidence: format!("{} numbers of items", items.len()),
                },
            ],
        })
    }
}

/// Figures 9 (standard) and 10 (classic).
struct Efficiency {
    id: &'static str,
    probes: Probes,
}

impl Experiment for Efficiency {
    fn id(&self) -> &'static str {
        self.id
    }

    fn title(&self) -> &'static str {
        match self.probes {
            Probes::Independent => "OCC Fig. 9: efficiency of a standard filter",
            Probes::Distinct => "OCC Fig. 10: efficiency of a classic filter",
        }
    }

    fn chart(&self, _: Size, _: &Results) -> Result<Chart, FigureError> {
        let bits = 100;
        let efficiency = |items, hashes| {
            Ok(StaticFilter::new(bits, items, hashes, self.probes)?
                .efficiency()?
                .value)
        };
        let hashes: &[u64] = match self.probes {
            Probes::Independent => &[1, 2, 3, 5, 10, 20],
            Probes::Distinct => &[1, 2, 3, 5, 10, 20, 50],
        };
        let series = hashes
            .iter()
            .enumerate()
            .map(|(group, &k)| {
                let points = line(1..=150, |n| efficiency(n, k))?;
                Ok(Series::computed(
                    format!("k = {k}"),
                    Role::Predicted,
                    group,
                    points,
                ))
            })
            .collect::<Result<Vec<_>, TheoryError>>()?;
        let check = match self.probes {
            Probes::Independent => {
                let peak = greatest_standard_efficiency(bits)?;
                Check {
                    claim: "the greatest efficiency is 0.69 at n = 69, k = 1".into(),
                    holds: peak.items == 69 && (peak.efficiency.value - 0.6896756).abs() < 1e-7,
                    evidence: format!("{:.7} at n = {}", peak.efficiency.value, peak.items),
                }
            }
            Probes::Distinct => {
                let value = efficiency(1, 50)?;
                Check {
                    claim: "the efficiency at n = 1, k = 50 is 0.96".into(),
                    holds: (value - 0.9634872).abs() < 1e-7,
                    evidence: format!("{value:.7}"),
                }
            }
        };
        Ok(Chart {
            title: self.title().into(),
            setting: "m = 100 bits; n/m log2(1/p) with the exact rate, OCC (69) and (70)".into(),
            x: Axis::linear("items n"),
            y: Axis::linear("efficiency"),
            series,
            checks: vec![check],
        })
    }
}
