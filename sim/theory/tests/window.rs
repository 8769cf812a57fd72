//! Counting filters over a window: the laws against rational arithmetic, enumeration of whole fillings, and drawn filters.

use crate::rational::{binomial_tail, Fraction};
use bloomline_theory::cells::{PartitionedCounting, Partitions, WindowStream, WindowedCounting};
use bloomline_theory::sizing::Hashing;
use bloomline_theory::AccuracyKind;
use num_bigint::BigInt;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn partitions(range: u64, hashes: u32, hashing: Hashing) -> Partitions {
    Partitions::new(range, hashes, hashing).expect("legal partitions")
}

fn windowed(parts: Partitions, window: u64, threshold: u64) -> WindowedCounting {
    WindowedCounting::new(parts, window, threshold).expect("legal filter")
}

/// The law in rationals.
fn exact(range: u64, k: u32, (active, frozen): (u64, u64), need: u64) -> Fraction {
    let one = || Fraction::new(BigInt::from(1), BigInt::from(1));
    let reach = |insertions: u64, level: u64| match level {
        0 => one(),
        _ => binomial_tail(insertions, range, level).pow(k),
    };
    (0..need).fold(reach(active, need), |sum, a| {
        let exactly = reach(active, a).minus(&reach(active, a + 1));
        sum.plus(&exactly.times(&reach(frozen, need - a)))
    })
}

#[test]
fn rates_of_a_window_equal_rational_arithmetic_at_every_place_and_in_mean() {
    for (range, k, window, threshold, count) in [
        (8, 1, 10, 3, 0),
        (16, 4, 30, 5, 1),
        (64, 3, 64, 6, 5),
        (32, 2, 60, 12, 2),
        (4096, 6, 40, 9, 0),
    ] {
        let filter = windowed(
            partitions(range, k, Hashing::Independent),
            window,
            threshold,
        );
        let need = threshold - count;
        let mut mean = exact(range, k, (0, window), need).value();
        for active in 0..=window {
            let law = exact(range, k, (active, window), need);
            let figure = filter.reported(count, active).expect("legal");
            let value = figure.ln.map_or(figure.value, f64::exp);
            let error = law.relative_error(value);
            assert!(error < 1e-11, "{range} {k} {window} {active}: {error:e}");
            assert_eq!(figure.accuracy.kind, AccuracyKind::Exact);
            if (1..window).contains(&active) {
                mean += law.value();
            }
        }
        mean /= window as f64;
        let figure = filter.reported_in_mean(count).expect("legal");
        assert!(
            (figure.value / mean - 1.0).abs() < 1e-11,
            "{figure:?} {mean}"
        );
        assert_eq!(figure.accuracy.kind, AccuracyKind::Exact);
    }
}

#[test]
fn the_mean_of_a_long_window_is_within_its_stated_error() {
    for (k, threshold, count) in [(4, 5, 1), (2, 20, 0), (8, 3, 2)] {
        let filter = windowed(partitions(4096, k, Hashing::Independent), 6_000, threshold);
        let figure = filter.reported_in_mean(count).expect("legal");
        assert_eq!(figure.accuracy.kind, AccuracyKind::Approximation);
        let terms = (0..6_000).map(|active| filter.reported(count, active).expect("legal").value);
        let error = (figure.value * 6_000.0 / terms.sum::<f64>() - 1.0).abs();
        assert!(
            error <= figure.accuracy.relative_error && figure.accuracy.relative_error < 1e-4,
            "{error:e} {figure:?}"
        );
    }
}

#[test]
fn a_window_reports_no_more_than_one_filter_of_both_panes_and_no_less_than_one_pane() {
    let parts = partitions(256, 4, Hashing::Independent);
    for threshold in [2, 4, 9] {
        for active in [0, 100, 300] {
            let rate = windowed(parts, 300, threshold)
                .reported(1, active)
                .expect("legal");
            let single = |insertions| {
                let filter = PartitionedCounting::new(parts, insertions, threshold);
                filter
                    .and_then(|filter| filter.reported(1))
                    .expect("legal")
                    .value
            };
            assert!(rate.value <= single(300 + active) * (1.0 + 1e-12));
            assert!(rate.value >= single(300) * (1.0 - 1e-12));
        }
    }
    // an active pane that holds nothing leaves the frozen one's law
    let empty = windowed(parts, 300, 4).reported(1, 0).expect("legal").value;
    let frozen = PartitionedCounting::new(parts, 300, 4).expect("legal");
    assert!((empty / frozen.reported(1).expect("legal").value - 1.0).abs() < 1e-12);
}

#[test]
fn rates_below_the_range_of_doubles_come_with_their_logarithm() {
    let filter = windowed(partitions(1 << 20, 8, Hashing::Independent), 100_000, 60);
    for figure in [filter.reported(0, 50_000), filter.reported_in_mean(0)] {
        let figure = figure.expect("legal");
        assert!(
            figure.value < 1e-300 && figure.ln.is_some_and(|ln| ln < -700.0),
            "{figure:?}"
        );
    }
}

#[test]
fn the_greatest_window_is_the_last_that_keeps_the_rate() {
    let parts = partitions(2048, 4, Hashing::Double);
    let most = WindowedCounting::most_window(parts, 6, 5, 0.01)
        .expect("legal")
        .value as u64;
    let rate = |window| {
        windowed(parts, window, 6)
            .reported(5, window)
            .expect("legal")
            .value
    };
    assert!(rate(most) <= 0.01 && rate(most + 1) > 0.01, "{most}");
}

/// Positions of a key, as the hashing draws them.
fn draw(random: &mut ChaCha8Rng, partitions: Partitions) -> Vec<usize> {
    let (range, k) = (partitions.range(), u64::from(partitions.hashes()));
    match partitions.hashing() {
        Hashing::Independent => (0..k)
            .map(|_| random.random_range(0..range) as usize)
            .collect(),
        Hashing::Double => {
            let (a, d) = (random.random_range(0..range), random.random_range(0..range));
            (0..k).map(|i| ((a + i * d) % range) as usize).collect()
        }
    }
}

/// A filter of two panes over all keys' positions: the estimate of each arrival, itself included.
struct Drawn {
    panes: [Vec<Vec<u64>>; 2],
    active: usize,
    positions: Vec<Vec<usize>>,
    window: u64,
    count: u64,
}

impl Drawn {
    fn new(random: &mut ChaCha8Rng, parts: Partitions, window: u64, keys: usize) -> Self {
        let pane = vec![vec![0; parts.range() as usize]; parts.hashes() as usize];
        Self {
            panes: [pane.clone(), pane],
            active: 0,
            positions: (0..keys).map(|_| draw(random, parts)).collect(),
            window,
            count: 0,
        }
    }

    fn estimate(&self, key: usize) -> u64 {
        let least = |pane: &Vec<Vec<u64>>| {
            let cells = pane.iter().zip(&self.positions[key]);
            cells
                .map(|(row, position)| row[*position])
                .min()
                .expect("k >= 1")
        };
        self.panes.iter().map(least).sum()
    }

    /// Inserts, and gives the estimate before the panes turn; whether they did.
    fn insert(&mut self, key: usize) -> (u64, bool) {
        for (row, position) in self.panes[self.active].iter_mut().zip(&self.positions[key]) {
            row[*position] += 1;
        }
        let estimate = self.estimate(key);
        self.count += 1;
        let turns = self.count == self.window;
        if turns {
            self.count = 0;
            self.active = 1 - self.active;
            self.panes[self.active]
                .iter_mut()
                .for_each(|row| row.fill(0));
        }
        (estimate, turns)
    }
}

/// 99% for a family of 16: 3.4 deviations.
fn agrees(hits: u64, trials: u64, rate: f64, what: &str) {
    let deviation = (trials as f64 * rate * (1.0 - rate)).sqrt();
    let distance = (hits as f64 - trials as f64 * rate).abs();
    assert!(
        distance < 3.4 * deviation + 1.0,
        "{what}: {hits} of {trials}, {rate} expected"
    );
}

#[test]
fn drawn_filters_report_absent_keys_at_the_rate_of_the_law() {
    const TRIALS: u64 = 15_000;
    for (hashing, range, k, seed) in [
        (Hashing::Independent, 31, 3, 11),
        (Hashing::Double, 64, 4, 12),
    ] {
        let parts = partitions(range, k, hashing);
        let (window, threshold, active) = (2 * range, 3, range);
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut hits = 0;
        for _ in 0..TRIALS {
            let keys = (window + active) as usize;
            let mut filter = Drawn::new(&mut random, parts, window, keys + 1);
            (0..keys).for_each(|key| {
                filter.insert(key);
            });
            hits += u64::from(filter.estimate(keys) >= threshold);
        }
        let law = windowed(parts, window, threshold)
            .reported(0, active)
            .expect("legal");
        agrees(hits, TRIALS, law.value, &format!("{hashing:?} {law:?}"));
        assert!(hits > 100, "{hits}");
    }
}

#[test]
fn a_stream_of_few_keys_is_reported_as_its_exact_law_over_all_hash_functions_says() {
    // every choice of positions of four keys in two partitions of three counters: 9^4 filters
    const STREAM: [usize; 14] = [0, 1, 1, 2, 0, 3, 0, 2, 2, 1, 3, 3, 0, 1];
    const WINDOW: u64 = 4;
    const THETA: u64 = 4;
    let parts = partitions(3, 2, Hashing::Independent);
    let mut reported = [0_u64; STREAM.len()];
    let mut filters = 0_u64;
    for choice in 0..9_usize.pow(4) {
        let mut filter = Drawn {
            panes: [vec![vec![0; 3]; 2], vec![vec![0; 3]; 2]],
            active: 0,
            positions: (0..4)
                .map(|key| choice / 9_usize.pow(key) % 9)
                .map(|pair| vec![pair / 3, pair % 3])
                .collect(),
            window: WINDOW,
            count: 0,
        };
        filters += 1;
        for (arrival, &key) in STREAM.iter().enumerate() {
            reported[arrival] += u64::from(filter.insert(key).0 >= THETA);
        }
    }
    let mut law = WindowStream::new(parts, THETA as u32).expect("legal");
    let (mut active, mut frozen) = ([0; 4], [0; 4]);
    let mut predicted = 0;
    for (arrival, &key) in STREAM.iter().enumerate() {
        let share = reported[arrival] as f64 / filters as f64;
        match law.arrive(active[key], frozen[key]) {
            Some(alarm) => {
                predicted += u32::from(share > 0.0);
                let distance = (alarm.probability - share).abs();
                assert!(distance < 1e-12, "{arrival}: {alarm:?} {share}");
            }
            None => assert_eq!(reported[arrival], filters, "{arrival}"),
        }
        active[key] += 1;
        if (arrival as u64 + 1).is_multiple_of(WINDOW) {
            law.turn();
            (active, frozen) = ([0; 4], active);
        }
    }
    assert!(predicted > 5, "{predicted}");
}

#[test]
fn a_stream_over_many_windows_stays_with_the_law_under_two_hash_functions() {
    // alarms of drawn filters along one stream in which half of the arrivals are of a few keys
    const FILTERS: u64 = 600;
    let parts = partitions(64, 4, Hashing::Double);
    let (window, theta, arrivals, keys) = (100, 5, 600, 300);
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let stream: Vec<usize> = (0..arrivals)
        .map(|_| match random.random_bool(0.5) {
            true => random.random_range(0..40),
            false => random.random_range(40..keys),
        })
        .collect();
    let mut law = WindowStream::new(parts, theta).expect("legal");
    let (mut active, mut frozen) = (vec![0; keys], vec![0; keys]);
    let mut chances = Vec::new();
    for (arrival, &key) in (1..).zip(&stream) {
        chances.push(law.arrive(active[key], frozen[key]));
        active[key] += 1;
        if arrival % window == 0 {
            law.turn();
            frozen = std::mem::replace(&mut active, vec![0; keys]);
        }
    }
    let expected: f64 = chances
        .iter()
        .flatten()
        .map(|alarm| alarm.probability)
        .sum();
    let excess: f64 = chances
        .iter()
        .flatten()
        .map(|alarm| alarm.two_hash_excess)
        .sum();
    let (mut sum, mut squares) = (0.0, 0.0);
    for _ in 0..FILTERS {
        let mut filter = Drawn::new(&mut random, parts, window as u64, keys);
        let mut alarms = 0.0;
        for (&key, chance) in stream.iter().zip(&chances) {
            let reported = filter.insert(key).0 >= u64::from(theta);
            alarms += f64::from(u8::from(reported && chance.is_some()));
        }
        sum += alarms;
        squares += alarms * alarms;
    }
    let mean = sum / FILTERS as f64;
    let deviation = ((squares / FILTERS as f64 - mean * mean) / FILTERS as f64).sqrt();
    assert!(
        (mean - expected).abs() < 3.4 * deviation + 0.02 * expected,
        "{mean} {expected} deviation {deviation}"
    );
    assert!(excess > 3.0 * deviation, "{excess} {deviation}");
}

#[test]
fn few_windows_exceed_the_rate_that_is_said_to_be_unlikely() {
    // at most 3.1 deviations (99.9 %) above the share that is allowed, of 3,000 filters, each counted over every key there is
    const TRIALS: u32 = 3_000;
    for (seed, hashing) in [(51, Hashing::Independent), (52, Hashing::Double)] {
        let (range, k, window, threshold) = (24_usize, 2, 30_u64, 7);
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let law = windowed(
            partitions(range as u64, k as u32, hashing),
            window,
            threshold,
        );
        let mut rates: Vec<f64> = (0..TRIALS)
            .map(|_| {
                let mut panes = vec![vec![vec![0_u64; range]; k]; 2];
                for pane in &mut panes {
                    for _ in 0..window {
                        let (a, d) = (random.random_range(0..range), random.random_range(0..range));
                        for (i, bank) in pane.iter_mut().enumerate() {
                            bank[(a + i * d) % range] += 1;
                        }
                    }
                }
                // with two partitions the positions of a key are any pair
                let keys = (0..range * range).map(|key| [key % range, key / range]);
                let seen = keys.filter(|key| {
                    let least = |pane: &Vec<Vec<u64>>| pane[0][key[0]].min(pane[1][key[1]]);
                    panes.iter().map(least).sum::<u64>() >= threshold - 1
                });
                seen.count() as f64 / (range * range) as f64
            })
            .collect();
        rates.sort_by(f64::total_cmp);
        for chance in [0.1, 0.01] {
            let bound = law.reported_exceeded_by(1, chance).expect("legal").value;
            let above = rates.iter().filter(|rate| **rate > bound).count() as f64;
            let expected = f64::from(TRIALS) * chance;
            assert!(
                above <= expected + 3.1 * expected.sqrt(),
                "seed {seed}: {above}"
            );
            assert!(bound < 1.0, "seed {seed}: {bound}");
        }
    }
    let law = windowed(partitions(24, 2, Hashing::Double), 30, 4);
    assert!(law.reported_exceeded_by(1, 0.0).is_err() && law.reported_exceeded_by(4, 0.1).is_err());
}
