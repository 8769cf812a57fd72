//! KM Figures 1 and 2: two hash functions in place of k; and KM 9, which has no figure, as one.

use super::measured::{impossible, rate};
use super::{
    grid, Axis, Chart, Check, Counts, Experiment, FigureError, Point, Results, Role, Series, Size,
    Unit,
};
use crate::stats::family_confidence;
use bloomline_model::ideal::{generator, BitArray, Scheme};
use bloomline_theory::count_min::CountMin;
use bloomline_theory::static_filter::{Probes, StaticFilter};
use bloomline_theory::two_hash::{Extension, PrimePartition, SingleArray};
use bloomline_theory::TheoryError;
use statrs::distribution::{Binomial, ChiSquared, ContinuousCDF, Discrete};

/// The experiments of this paper.
pub fn experiments() -> Vec<Box<dyn Experiment>> {
    vec![Box::new(Rates), Box::new(Distribution), Box::new(Sketches)]
}

/// Parameters of one filter of the paper.
#[derive(Debug, Clone, Copy)]
struct Setting {
    scheme: Scheme,
    items: u32,
    hashes: usize,
    /// Positions of the array, or of one partition; prime.
    range: u32,
    queries: u32,
}

impl Setting {
    /// `c` bits an item; k is the better of floor and ceiling of c ln 2.
    fn new(scheme: Scheme, items: u32, c: u32) -> Setting {
        let limit = |k: u32| (1.0 - (-f64::from(k) / f64::from(c)).exp()).powi(k as i32);
        let below = (f64::from(c) * std::f64::consts::LN_2).floor() as u32;
        let hashes = if limit(below) <= limit(below + 1) {
            below
        } else {
            below + 1
        };
        let bits = items * c;
        let range = if scheme == Scheme::Partition {
            bits / hashes
        } else {
            bits
        };
        Setting {
            scheme,
            items,
            hashes: hashes as usize,
            range: previous_prime(range),
            queries: (10.0 / limit(hashes)).ceil() as u32,
        }
    }

    /// Builds one filter and queries keys that are not in it: false positives.
    fn trial(&self, filter: &mut BitArray, random: &mut rand_chacha::ChaCha8Rng) -> u32 {
        let counts = [self.items, self.queries];
        filter.trial(self.scheme, self.range, self.hashes, counts, random)
    }

    fn filter(&self) -> BitArray {
        let partitions = if self.scheme == Scheme::Partition {
            self.hashes
        } else {
            1
        };
        BitArray::new(self.range as usize * partitions)
    }

    /// The exact law, or for the extended schemes the law that counts coincidences.
    fn predicted(&self) -> Result<f64, TheoryError> {
        let (bits, items) = (u64::from(self.range), u64::from(self.items));
        let array = |extension| {
            Ok(SingleArray::new(bits, self.hashes as u32, extension)?
                .rate(items)
                .value)
        };
        let classic = |probes| {
            Ok(StaticFilter::new(bits, items, self.hashes as u64, probes)?
                .rate()?
                .value)
        };
        match self.scheme {
            Scheme::Standard => classic(Probes::Independent),
            Scheme::Distinct => classic(Probes::Distinct),
            Scheme::Partition => Ok(PrimePartition::new(bits, self.hashes as u32, items)?
                .rate()?
                .value),
            Scheme::Double => array(Extension::None),
            Scheme::ExtendedSquare => array(Extension::Square),
            Scheme::ExtendedCube => array(Extension::Cube),
        }
    }
}

/// The greatest prime of at most `most` (at least 2).
fn previous_prime(most: u32) -> u32 {
    let prime = |n: u32| {
        (2..)
            .take_while(|d| d * d <= n)
            .all(|d| !n.is_multiple_of(d))
    };
    (2..=most).rev().find(|&n| prime(n)).unwrap_or(2)
}

/// Figure 1.
struct Rates;

impl Rates {
    const ITEMS: [u32; 4] = [1000, 2500, 5000, 10_000];
    const BITS_PER_ITEM: [u32; 4] = [4, 8, 12, 16];
    const POINTS: usize = 5 * Self::ITEMS.len() * Self::BITS_PER_ITEM.len();

    fn index(scheme: usize, c: usize, n: usize) -> u32 {
        ((scheme * Self::BITS_PER_ITEM.len() + c) * Self::ITEMS.len() + n) as u32
    }

    fn setting(point: u32) -> Setting {
        let point = point as usize;
        let (n, rest) = (point % Self::ITEMS.len(), point / Self::ITEMS.len());
        let (c, scheme) = (
            rest % Self::BITS_PER_ITEM.len(),
            rest / Self::BITS_PER_ITEM.len(),
        );
        Setting::new(Scheme::ALL[scheme], Self::ITEMS[n], Self::BITS_PER_ITEM[c])
    }
}

impl Experiment for Rates {
    fn id(&self) -> &'static str {
        "km-1"
    }

    fn title(&self) -> &'static str {
        "KM Fig. 1: false-positive rate of five schemes, against their laws"
    }

    /// Each part is a batch of filters.
    fn units(&self, size: Size) -> Vec<Unit> {
        let parts = match size {
            Size::Quick => 10,
            Size::Full => 100,
        };
        grid(Self::POINTS, parts)
    }

    fn simulate(&self, size: Size, unit: Unit, seed: u64) -> Counts {
        let setting = Self::setting(unit.point);
        let filters = match size {
            Size::Quick => 3,
            Size::Full => 100,
        };
        let mut random = generator(seed);
        let mut filter = setting.filter();
        let found: u64 = (0..filters)
            .map(|_| u64::from(setting.trial(&mut filter, &mut random)))
            .sum();
        Counts(vec![filters * u64::from(setting.queries), found])
    }

    fn chart(&self, size: Size, results: &Results) -> Result<Chart, FigureError> {
        let confidence = family_confidence(0.01, Self::POINTS)?;
        let mut series = Vec::new();
        let mut checks = Vec::new();
        for (s, scheme) in Scheme::ALL.into_iter().enumerate() {
            let mut pairs = Vec::new();
            for (c, bits_per_item) in Self::BITS_PER_ITEM.into_iter().enumerate() {
                // Side by side, so that intervals do not hide each other.
                let shift = 1.0 + 0.02 * (s as f64 - 2.0);
                let mut law = Vec::new();
                let mut points = Vec::new();
                for (n, items) in Self::ITEMS.into_iter().enumerate() {
                    let index = Self::index(s, c, n);
                    let x = f64::from(items);
                    let point = rate(results, index, (0, 1), x, confidence)?;
                    let predicted = Self::setting(index).predicted()?;
                    law.push((x, predicted));
                    points.push(point);
                    pairs.push((point, predicted));
                }
                let name = |what: &str| format!("{} {what}, c = {bits_per_item}", scheme.name());
                series.push(
                    Series::computed(name("law"), Role::Predicted, s, law)
                        .legend(scheme.name())
                        .shifted(shift),
                );
                series.push(
                    Series::measured(name("simulated"), s, points)
                        .legend(format!("{}, simulated", scheme.name()))
                        .shifted(shift),
                );
            }
            checks.push(Check::inside(scheme.name(), &pairs));
        }
        let filters = match size {
            Size::Quick => 30,
            Size::Full => 10_000,
        };
        Ok(Chart {
            title: self.title().into(),
            setting: format!(
                "c = 4, 8, 12, 16 bits an item from above; {filters} filters of prime size, ceil(10/p) queries each; \
                 intervals 99 % for the whole figure"
            ),
            x: Axis::log("items n (schemes side by side)"),
            y: Axis::log("false-positive rate"),
            series,
            checks,
        })
    }
}

/// Figure 2.
struct Distribution;

impl Distribution {
    const SCHEMES: [Scheme; 2] = [Scheme::Partition, Scheme::ExtendedSquare];
    /// Bins of Q: 0 to 40 and what is above.
    const BINS: usize = 42;

    fn setting(point: u32) -> Setting {
        Setting::new(Self::SCHEMES[point as usize], 5000, 8)
    }
}

impl Experiment for Distribution {
    fn id(&self) -> &'static str {
        "km-2"
    }

    fn title(&self) -> &'static str {
        "KM Fig. 2: distribution of the false positives Q among 464 queries, n = 5000, c = 8"
    }

    fn units(&self, size: Size) -> Vec<Unit> {
        let parts = match size {
            Size::Quick => 10,
            Size::Full => 100,
        };
        grid(Self::SCHEMES.len(), parts)
    }

    /// The histogram of Q over a batch of filters.
    fn simulate(&self, size: Size, unit: Unit, seed: u64) -> Counts {
        let setting = Self::setting(unit.point);
        let filters = match size {
            Size::Quick => 50,
            Size::Full => 100,
        };
        let mut random = generator(seed);
        let mut filter = setting.filter();
        let mut bins = vec![0; Self::BINS];
        for _ in 0..filters {
            let found = setting.trial(&mut filter, &mut random) as usize;
            bins[found.min(Self::BINS - 1)] += 1;
        }
        Counts(bins)
    }

    fn chart(&self, _: Size, results: &Results) -> Result<Chart, FigureError> {
        let mut series = Vec::new();
        let mut checks = Vec::new();
        for (group, scheme) in Self::SCHEMES.into_iter().enumerate() {
            let setting = Self::setting(group as u32);
            let mut bins = vec![0u64; Self::BINS];
            for (unit, Counts(counts)) in results
                .iter()
                .filter(|(unit, _)| unit.point as usize == group)
            {
                if counts.len() != Self::BINS {
                    return Err(impossible(*unit, counts));
                }
                bins.iter_mut()
                    .zip(counts)
                    .for_each(|(sum, count)| *sum = sum.saturating_add(*count));
            }
            let filters: u64 = bins.iter().sum();
            let law = binomial(setting.queries, setting.predicted()?);
            let tail: f64 = law[Self::BINS - 1..].iter().sum();
            let expected: Vec<f64> = law[..Self::BINS - 1]
                .iter()
                .copied()
                .chain([tail])
                .map(|probability| probability * filters as f64)
                .collect();
            let (statistic, freedom) = chi_squared(&bins, &expected);
            let p_value = 1.0 - ChiSquared::new(freedom).map_or(0.0, |law| law.cdf(statistic));
            // Q is binomial given the filter; the fill of different filters varies little, which widens it a little.
            checks.push(Check {
                claim: format!(
                    "{}: Q is binomial with the law's rate (chi-squared, 99 % for both)",
                    scheme.name()
                ),
                holds: p_value > 0.005,
                evidence: format!("chi-squared {statistic:.1} with {freedom} degrees of freedom, p = {p_value:.3}"),
            });
            let name = |what: &str| format!("{}, {what}", scheme.name());
            let last = Self::BINS - 1;
            series.push(Series::computed(
                name("binomial with the law's rate"),
                Role::Predicted,
                group,
                expected[..last]
                    .iter()
                    .enumerate()
                    .map(|(q, value)| (q as f64, *value)),
            ));
            series.push(Series::measured(
                name("simulated"),
                group,
                bins[..last]
                    .iter()
                    .enumerate()
                    .map(|(q, &count)| Point {
                        counts: Some((filters, count)),
                        ..Point::new(q as f64, count as f64)
                    })
                    .collect(),
            ));
        }
        Ok(Chart {
            title: self.title().into(),
            setting: "k = 6, prime sizes; each point is a number of filters".into(),
            x: Axis::linear("false positives Q of a filter"),
            y: Axis::linear("filters"),
            series,
            checks,
        })
    }
}

/// KM 9: sketches with two hash functions beside classic ones.
struct Sketches;

impl Sketches {
    const WIDTH: u32 = 251;
    const DEPTH: usize = 4;
    /// Keys in a sketch; the one of rank r comes 10,000 / r times.
    const KEYS: u32 = 300;
    /// Errors that are looked at, in units of the total count over the width.
    const ERRORS: usize = 12;
    const QUERIES: u64 = 100;
    const NAMES: [&'static str; 2] = ["a function a row", "two functions"];

    fn amounts() -> impl Iterator<Item = u64> {
        (1..=Self::KEYS).map(|rank| u64::from(10_000 / rank))
    }

    /// The share of the total count that is the `error`-th one looked at, from 0.
    fn excess(error: usize) -> f64 {
        (error + 1) as f64 / f64::from(Self::WIDTH)
    }
}

impl Experiment for Sketches {
    fn id(&self) -> &'static str {
        "km-3"
    }

    fn title(&self) -> &'static str {
        "KM 9: Count-Min with two hash functions beside classic, and the bounds of both"
    }

    fn units(&self, size: Size) -> Vec<Unit> {
        let parts = match size {
            Size::Quick => 10,
            Size::Full => 100,
        };
        grid(Self::NAMES.len(), parts)
    }

    /// Queries of keys that are in no sketch, then those whose estimate exceeds each error.
    fn simulate(&self, size: Size, unit: Unit, seed: u64) -> Counts {
        let sketches = match size {
            Size::Quick => 40,
            Size::Full => 1000,
        };
        let mut random = generator(seed);
        let mut rows = [0u32; Self::DEPTH];
        let scheme = [Scheme::Standard, Scheme::Partition][unit.point as usize];
        let mut draw = |rows: &mut [u32]| scheme.positions(&mut random, Self::WIDTH, rows);
        let total: u64 = Self::amounts().sum();
        let mut found = [0; Self::ERRORS];
        let place = |row: usize, position: u32| {
            row * Self::WIDTH as usize + position as usize % Self::WIDTH as usize
        };
        for _ in 0..sketches {
            let mut counters = vec![0u64; Self::WIDTH as usize * Self::DEPTH];
            for amount in Self::amounts() {
                draw(&mut rows);
                for (row, &position) in rows.iter().enumerate() {
                    counters[place(row, position)] += amount;
                }
            }
            for _ in 0..Self::QUERIES {
                draw(&mut rows);
                let counts = rows
                    .iter()
                    .enumerate()
                    .map(|(row, &at)| counters[place(row, at)]);
                let estimate = counts.min().unwrap_or(0) as f64;
                for (error, found) in found.iter_mut().enumerate() {
                    *found += u64::from(estimate > Self::excess(error) * total as f64);
                }
            }
        }
        Counts(
            [sketches * Self::QUERIES]
                .into_iter()
                .chain(found)
                .collect(),
        )
    }

    fn chart(&self, size: Size, results: &Results) -> Result<Chart, FigureError> {
        let confidence = family_confidence(0.01, Self::NAMES.len() * Self::ERRORS)?;
        let in_units = |error: usize| (error + 1) as f64;
        let bounds: [Vec<(f64, f64)>; 2] = [
            (0..Self::ERRORS)
                .map(|error| {
                    let row = 1.0 / in_units(error);
                    (in_units(error), row.powi(Self::DEPTH as i32))
                })
                .collect(),
            (0..Self::ERRORS)
                .map(|error| {
                    let sketch = CountMin::new(Self::WIDTH.into(), Self::DEPTH as u64)?;
                    let bound = sketch.failure_bound(Self::excess(error))?;
                    Ok((in_units(error), bound.value))
                })
                .collect::<Result<_, TheoryError>>()?,
        ];
        let mut measured = Vec::new();
        for scheme in 0..Self::NAMES.len() {
            let points = (0..Self::ERRORS)
                .map(|error| {
                    rate(
                        results,
                        scheme as u32,
                        (0, error + 1),
                        in_units(error),
                        confidence,
                    )
                })
                .collect::<Result<Vec<Point>, _>>()?;
            measured.push(points);
        }
        let low = |point: &Point| point.interval.map_or(1.0, |interval| interval.low);
        let high = |point: &Point| point.interval.map_or(0.0, |interval| interval.high);
        let mut checks: Vec<Check> = Self::NAMES
            .iter()
            .zip(measured.iter().zip(&bounds))
            .map(|(name, (points, bounds))| {
                let above: Vec<String> = points
                    .iter()
                    .zip(bounds)
                    .filter(|(point, (_, bound))| low(point) > *bound)
                    .map(|(point, (_, bound))| {
                        format!("x = {}: {bound:.3e} below {:.3e}", point.x, point.y)
                    })
                    .collect();
                Check {
                    claim: format!("{name}: no failure above its bound"),
                    holds: above.is_empty(),
                    evidence: match above.is_empty() {
                        true => format!("{} errors", points.len()),
                        false => above.join("; "),
                    },
                }
            })
            .collect();
        let width = f64::from(Self::WIDTH);
        let same = f64::from(Self::KEYS) / (width * width);
        let apart: Vec<String> = measured[0]
            .iter()
            .zip(&measured[1])
            .filter(|(classic, two)| low(two) > high(classic) + same)
            .map(|(classic, two)| format!("x = {}: {:.3e} and {:.3e}", two.x, two.y, classic.y))
            .collect();
        checks.push(Check {
            claim: format!(
                "two functions fail at most {same:.1e} more often: the chance that a key shares both values of another"
            ),
            holds: apart.is_empty(),
            evidence: match apart.is_empty() {
                true => format!("{} errors", Self::ERRORS),
                false => apart.join("; "),
            },
        });
        let mut series = Vec::new();
        for (group, (points, bounds)) in measured.into_iter().zip(bounds).enumerate() {
            let name = Self::NAMES[group];
            let source = ["(1/(eps w))^d", "KM Theorem 9.1"][group];
            series.push(Series::measured(
                format!("{name}, simulated"),
                group,
                points,
            ));
            series.push(Series::computed(
                format!("{name}, bound {source}"),
                Role::Bound,
                group,
                bounds,
            ));
        }
        let sketches = match size {
            Size::Quick => 400,
            Size::Full => 100_000,
        };
        Ok(Chart {
            title: self.title().into(),
            setting: format!(
                "w = {}, d = {}, {} keys that come 10,000/r times, {sketches} sketches with {} queries of other keys each; intervals 99 % \
                 for the whole figure",
                Self::WIDTH,
                Self::DEPTH,
                Self::KEYS,
                Self::QUERIES
            ),
            x: Axis::linear("error eps w, in units of the total count over the width"),
            y: Axis::log("share of estimates with a greater error"),
            series,
            checks,
        })
    }
}

/// Probabilities of 0 to `trials` successes.
fn binomial(trials: u32, probability: f64) -> Vec<f64> {
    let law = Binomial::new(probability, trials.into()).expect("a rate lies between 0 and 1");
    (0..=trials.into())
        .map(|successes| law.pmf(successes))
        .collect()
}

/// The statistic over bins that expect five or more, the others put together, and its degrees of freedom.
fn chi_squared(observed: &[u64], expected: &[f64]) -> (f64, f64) {
    let mut bins: Vec<(f64, f64)> = Vec::new();
    let (mut seen, mut hoped) = (0.0, 0.0);
    for (&count, &value) in observed.iter().zip(expected) {
        seen += count as f64;
        hoped += value;
        if hoped >= 5.0 {
            bins.push((seen, hoped));
            (seen, hoped) = (0.0, 0.0);
        }
    }
    if let Some(last) = bins.last_mut() {
        *last = (last.0 + seen, last.1 + hoped);
    }
    let statistic = bins
        .iter()
        .map(|(seen, hoped)| (seen - hoped).powi(2) / hoped)
        .sum();
    (statistic, (bins.len().max(2) - 1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_example_has_464_queries() {
        let setting = Setting::new(Scheme::Partition, 5000, 8);
        assert_eq!(
            (setting.queries, setting.hashes, setting.range),
            (464, 6, 6661)
        );
    }

    #[test]
    fn points_and_settings_agree() {
        for point in 0..Rates::POINTS as u32 {
            let setting = Rates::setting(point);
            let scheme = Scheme::ALL
                .iter()
                .position(|&s| s == setting.scheme)
                .expect("a scheme");
            let n = Rates::ITEMS
                .iter()
                .position(|&n| n == setting.items)
                .expect("items");
            assert!((0..4).any(|c| Rates::index(scheme, c, n) == point));
        }
    }
}
