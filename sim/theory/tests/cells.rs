//! Filters of cells in partitions: against rational arithmetic, and against uniform draws.

use crate::rational::binomial_tail;
use bloomline_theory::cells::{
    CountingStream, Draw, PartitionedCounting, PartitionedStatic, Partitions, Rows, SharedArray,
};
use bloomline_theory::occupancy::{Batches, Union};
use bloomline_theory::sizing::Hashing;
use bloomline_theory::two_hash::Extension;
use bloomline_theory::{AccuracyKind, Figure};
use itertools::Itertools;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use statrs::distribution::{Binomial, DiscreteCDF};
use std::collections::HashMap;

fn partitions(range: u64, hashes: u32, hashing: Hashing) -> Partitions {
    Partitions::new(range, hashes, hashing).expect("legal partitions")
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

/// Each trial fills partitions with `items` keys of `amount`, then draws a key: its least counter.
fn least_counters(
    partitions: Partitions,
    items: u64,
    trials: u64,
    seed: u64,
    amount: impl Fn(u64) -> u64,
) -> Vec<u64> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    (0..trials)
        .map(|_| {
            let mut cells = vec![0; (partitions.range() * u64::from(partitions.hashes())) as usize];
            for item in 0..items {
                for (i, position) in draw(&mut random, partitions).into_iter().enumerate() {
                    cells[i * partitions.range() as usize + position] += amount(item);
                }
            }
            let key = draw(&mut random, partitions);
            let of = |(i, position)| cells[i * partitions.range() as usize + position];
            key.into_iter().enumerate().map(of).min().expect("k >= 1")
        })
        .collect()
}

/// 99% for a family of 16: 3.4 deviations.
fn agrees(hits: u64, trials: u64, rate: f64, what: &str) {
    let deviation = (trials as f64 * rate * (1.0 - rate)).sqrt();
    let distance = (hits as f64 - trials as f64 * rate).abs();
    assert!(
        distance < 3.4 * deviation + 1.0,
        "{what}: {hits} of {trials}, predicted rate {rate}"
    );
}

#[test]
fn counting_rates_equal_rational_arithmetic() {
    for (range, n, k, theta, r) in [
        (64, 100, 4, 5, 0),
        (64, 100, 4, 5, 1),
        (16, 40, 3, 6, 5),
        (4096, 90, 2, 3, 1),
    ] {
        let parts = partitions(range, k, Hashing::Independent);
        let filter = PartitionedCounting::new(parts, n, theta).expect("legal");
        let exact = binomial_tail(n, range, theta - r).pow(k);
        let stated = filter.reported(r).expect("legal");
        assert_eq!(stated.accuracy.kind, AccuracyKind::Exact);
        let error = exact.relative_error(stated.value);
        assert!(error < 1e-12, "{range} {n} {k} {theta} {r}: {error:e}");
    }
}

#[test]
fn a_threshold_of_one_is_a_static_filter() {
    for hashing in [Hashing::Independent, Hashing::Double] {
        let parts = partitions(512, 4, hashing);
        let counting = PartitionedCounting::new(parts, 300, 1).expect("legal");
        let fixed = PartitionedStatic::new(parts, 300).expect("legal");
        let (a, b) = (
            counting.reported(0).expect("legal").value,
            fixed.rate().value,
        );
        assert!((a / b - 1.0).abs() < 1e-9, "{a} {b}");
    }
}

#[test]
fn one_probe_is_the_same_under_every_hashing() {
    let rate = |hashing| {
        let parts = partitions(1024, 1, hashing);
        PartitionedStatic::new(parts, 500)
            .expect("legal")
            .rate()
            .value
    };
    assert_eq!(rate(Hashing::Double), rate(Hashing::Independent));
}

#[test]
fn static_rates_are_those_of_drawn_filters() {
    for (seed, range, k, n, hashing) in [
        (1, 32, 3, 25, Hashing::Independent),
        (2, 32, 3, 25, Hashing::Double),
        (3, 16, 5, 8, Hashing::Double),
    ] {
        let parts = partitions(range, k, hashing);
        let trials = 60_000;
        let hits = least_counters(parts, n, trials, seed, |_| 1)
            .into_iter()
            .filter(|&c| c > 0)
            .count();
        let rate = PartitionedStatic::new(parts, n)
            .expect("legal")
            .rate()
            .value;
        agrees(hits as u64, trials, rate, &format!("seed {seed}"));
    }
}

#[test]
fn rates_of_single_filters_vary_as_stated() {
    let parts = partitions(64, 3, Hashing::Independent);
    let law = PartitionedStatic::new(parts, 50).expect("legal");
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let rates: Vec<f64> = (0..20_000)
        .map(|_| {
            let mut fill = 1.0;
            for _ in 0..3 {
                let mut set = [false; 64];
                (0..50).for_each(|_| set[random.random_range(0..64)] = true);
                fill *= set.iter().filter(|bit| **bit).count() as f64 / 64.0;
            }
            fill
        })
        .collect();
    let mean = rates.iter().sum::<f64>() / rates.len() as f64;
    let variance = rates.iter().map(|r| (r - mean).powi(2)).sum::<f64>() / rates.len() as f64;
    assert!((mean / law.rate().value - 1.0).abs() < 0.005, "{mean}");
    let stated = law.rate_deviation().value;
    assert!(
        (variance.sqrt() / stated - 1.0).abs() < 0.03,
        "{} {stated}",
        variance.sqrt()
    );
}

#[test]
fn rates_of_single_filters_with_two_hash_functions_vary_as_stated() {
    for (range, hashes, items) in [(32, 4, 12), (61, 5, 30), (64, 8, 20), (16, 3, 10)] {
        let parts = partitions(range, hashes, Hashing::Double);
        let rates = rates_of_filters(parts, items, 1, 4_000, 28);
        let mean = rates.iter().sum::<f64>() / rates.len() as f64;
        let variance = rates.iter().map(|r| (r - mean).powi(2)).sum::<f64>() / rates.len() as f64;
        let law = PartitionedStatic::new(parts, items).expect("legal");
        let stated = law.rate_deviation();
        let off = variance.sqrt() / stated.value - 1.0;
        println!("{range} {hashes} {items}: {off} {:?}", stated.accuracy);
        assert!(
            off.abs() < stated.accuracy.relative_error + 0.05,
            "{range} {hashes}: {off}"
        );
    }
}

/// The rate of each of `trials` filters of `items` keys, for keys that need `need` insertions in each counter: counted over every
/// key there is.
fn rates_of_filters(parts: Partitions, items: u64, need: u8, trials: u32, seed: u64) -> Vec<f64> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let range = parts.range() as usize;
    let rate = |_| {
        let mut cells = vec![vec![0_u8; range]; parts.hashes() as usize];
        for _ in 0..items {
            for (bank, place) in draw(&mut random, parts).into_iter().enumerate() {
                cells[bank][place] += 1;
            }
        }
        let met = |bank: usize, place: usize| cells[bank][place] >= need;
        match parts.hashing() {
            Hashing::Independent => {
                let share =
                    |bank| (0..range).filter(|&at| met(bank, at)).count() as f64 / range as f64;
                (0..cells.len()).map(share).product()
            }
            Hashing::Double => {
                let pairs = (0..range * range).map(|pair| (pair % range, pair / range));
                let seen =
                    pairs.filter(|&(a, d)| (0..cells.len()).all(|i| met(i, (a + i * d) % range)));
                seen.count() as f64 / (range * range) as f64
            }
        }
    };
    (0..trials).map(rate).collect()
}

#[test]
fn few_filters_exceed_the_rate_that_is_said_to_be_unlikely() {
    // At most 3.1 deviations (99.9 %) above the share that is allowed, of 3,000 filters. The bound must also say something: it lies
    // within the last factor of the quantile that was found.
    const TRIALS: u32 = 3_000;
    let found = |rates: &mut Vec<f64>, bound: f64, chance: f64, near: f64, what: &str| {
        rates.sort_by(f64::total_cmp);
        let above = rates.iter().filter(|&&rate| rate > bound).count() as f64;
        let expected = f64::from(TRIALS) * chance;
        assert!(above <= expected + 3.1 * expected.sqrt(), "{what}: {above}");
        let quantile = rates[(f64::from(TRIALS) * (1.0 - chance)) as usize];
        assert!(bound <= near * quantile, "{what}: {bound} {quantile}");
    };
    for (seed, range, k, n, hashing, near) in [
        (31, 256, 3, 180, Hashing::Independent, 1.25),
        (32, 1024, 4, 700, Hashing::Independent, 1.15),
        (33, 64, 2, 50, Hashing::Double, 2.0),
        (34, 48, 4, 40, Hashing::Double, 8.0),
    ] {
        let parts = partitions(range, k, hashing);
        let law = PartitionedStatic::new(parts, n).expect("legal");
        let mut rates = rates_of_filters(parts, n, 1, TRIALS, seed);
        for chance in [0.1, 0.01] {
            let bound = law.rate_exceeded_by(chance).expect("legal").value;
            found(&mut rates, bound, chance, near, &format!("seed {seed}"));
        }
        let counting = PartitionedCounting::new(parts, 2 * n, 3).expect("legal");
        let mut rates = rates_of_filters(parts, 2 * n, 3, TRIALS, seed + 10);
        for chance in [0.1, 0.01] {
            let bound = counting
                .reported_exceeded_by(0, chance)
                .expect("legal")
                .value;
            // cells that reach a count are fewer, and vary more
            let near = match hashing {
                Hashing::Independent => 1.3 * near,
                Hashing::Double => f64::INFINITY,
            };
            found(
                &mut rates,
                bound,
                chance,
                near,
                &format!("seed {}", seed + 10),
            );
        }
    }
    let double = PartitionedStatic::new(partitions(1 << 15, 4, Hashing::Double), 1 << 14);
    let double = double.expect("legal");
    let bound = double.rate_exceeded_by(0.01).expect("legal").value;
    assert!(bound < 1.5 * double.rate().value, "{bound}");
    let law = PartitionedStatic::new(partitions(64, 2, Hashing::Independent), 9).expect("legal");
    assert!(law.observed_exceeded_by(0, 0.01).is_err());
    let bound = |queries| {
        law.observed_exceeded_by(queries, 0.01)
            .expect("legal")
            .value
    };
    // more queries say more, and many tell the rate itself
    assert!(bound(10) > bound(1000));
    let rate = law.rate_exceeded_by(0.005).expect("legal").value;
    assert!(bound(1 << 40) >= rate && bound(1 << 40) < 1.001 * rate);
    assert!([0.0, 1.0, f64::NAN]
        .into_iter()
        .all(|chance| law.rate_exceeded_by(chance).is_err()));
}

#[test]
fn the_bound_of_unlikely_rates_holds_for_the_exact_law_of_every_fill() {
    // P(prod b_i/m' > x) by the exact occupancies of two partitions, and (b/m)^k by that of one array.
    for (range, items) in [(16_u64, 3_u64), (16, 12), (16, 40), (31, 20)] {
        let law = |balls: Batches| {
            Union::new(range, &[balls])
                .expect("legal")
                .pmf()
                .expect("small")
        };
        let one = law(Batches {
            count: items,
            size: 1,
        });
        let array = law(Batches {
            count: items,
            size: 3,
        });
        let two = PartitionedStatic::new(partitions(range, 2, Hashing::Independent), items);
        let two = two.expect("legal");
        let shared = SharedArray::new(range, 3, Draw::Distinct).expect("legal");
        for chance in [0.5, 0.1, 0.01, 1e-4] {
            let bound = two.rate_exceeded_by(chance).expect("legal").value;
            let share = |bits: usize| bits as f64 / range as f64;
            let mut above = 0.0;
            for (a, p) in one.probabilities.iter().enumerate() {
                for (b, q) in one.probabilities.iter().enumerate() {
                    above += p * q * f64::from(u8::from(share(a) * share(b) > bound));
                }
            }
            assert!(above <= chance, "{range} {items} {chance}: {above}");
            // of the share that is seen of 40 queries, binomial given the fill
            let bound = two.observed_exceeded_by(40, chance).expect("legal").value;
            let mut above = 0.0;
            for (a, p) in one.probabilities.iter().enumerate() {
                for (b, q) in one.probabilities.iter().enumerate() {
                    let answers = Binomial::new(share(a) * share(b), 40).expect("a rate");
                    above += p * q * answers.sf((40.0 * bound).floor() as u64);
                }
            }
            assert!(above <= chance, "queries {range} {items} {chance}: {above}");
            let bound = shared.rate_exceeded_by(items, chance).expect("legal").value;
            let law = array.probabilities.iter().enumerate();
            let above: f64 = law
                .filter(|(bits, _)| {
                    let drawn =
                        |i: usize| (*bits as f64 - i as f64).max(0.0) / (range as f64 - i as f64);
                    drawn(0) * drawn(1) * drawn(2) > bound
                })
                .map(|(_, p)| p)
                .sum();
            assert!(above <= chance, "shared {range} {items} {chance}: {above}");
        }
    }
}

#[test]
fn counting_rates_are_those_of_drawn_filters_and_the_excess_matters() {
    for (seed, range, k, n, theta, hashing) in [
        (11, 16, 3, 30, 4, Hashing::Independent),
        (12, 16, 3, 30, 4, Hashing::Double),
        (13, 16, 5, 24, 3, Hashing::Double),
        (14, 32, 4, 20, 2, Hashing::Double),
    ] {
        let parts = partitions(range, k, hashing);
        let law = PartitionedCounting::new(parts, n, theta).expect("legal");
        let trials = 100_000;
        let hits = least_counters(parts, n, trials, seed, |_| 1)
            .into_iter()
            .filter(|&c| c >= theta)
            .count() as u64;
        let rate = law.reported(0).expect("legal");
        // what is stated of the model is allowed for, and no more
        let slack = rate.accuracy.relative_error * rate.value * trials as f64;
        let deviation = (trials as f64 * rate.value).sqrt();
        assert!(
            (hits as f64 - trials as f64 * rate.value).abs() < 3.4 * deviation + slack + 1.0,
            "seed {seed}: {hits} of {trials}, predicted {} within {}",
            rate.value,
            rate.accuracy.relative_error
        );
        if (seed, hashing) == (13, Hashing::Double) {
            let independent = law.reported(0).expect("legal").value
                - law.two_hash_excess(0).expect("legal").value;
            let away = (hits as f64 - trials as f64 * independent).abs();
            assert!(
                away > 6.0 * deviation,
                "the excess is not seen: {hits}, {independent}"
            );
        }
    }
}

#[test]
fn a_stream_of_keys_that_come_once_is_the_binomial_law() {
    for hashing in [Hashing::Independent, Hashing::Double] {
        let parts = partitions(256, 4, hashing);
        let mut stream = CountingStream::new(parts, 4).expect("legal");
        let mut sum = 0.0;
        for n in 0..600u64 {
            let alarm = stream.arrive(0).expect("below the threshold");
            let law = PartitionedCounting::new(parts, n, 4).expect("legal");
            let expected = law.reported(1).expect("legal").value;
            // the law leaves the item that meets the key out of the others, the stream does not
            let tolerance = 1e-12 + 0.5 * alarm.two_hash_excess;
            assert!(
                (alarm.probability - expected).abs() <= tolerance + 1e-9 * expected,
                "{n}: {alarm:?} {expected}"
            );
            sum += alarm.probability;
        }
        let total = PartitionedCounting::new(parts, 600, 4).expect("legal");
        let total = total.false_alarms_of_new_keys().expect("legal").value;
        let tolerance = if hashing == Hashing::Independent {
            1e-6
        } else {
            0.01
        };
        assert!((sum / total - 1.0).abs() < tolerance, "{sum} {total}");
    }
}

#[test]
fn long_sums_agree_with_their_terms() {
    let parts = partitions(1024, 4, Hashing::Independent);
    let n = 5000;
    let terms: f64 = (0..n)
        .map(|i| {
            PartitionedCounting::new(parts, i, 6)
                .expect("legal")
                .reported(1)
                .expect("legal")
                .value
        })
        .sum();
    let law = PartitionedCounting::new(parts, n, 6).expect("legal");
    let sum = law.false_alarms_of_new_keys().expect("legal").value;
    assert!((sum / terms - 1.0).abs() < 1e-6, "{sum} {terms}");
}

/// A rate that grows by orders of magnitude within a thousandth of the stream, and rates below the range of doubles.
#[test]
fn false_alarms_that_come_at_the_end_of_a_stream_alone_agree_with_their_terms() {
    for (hashing, threshold, n) in [
        (Hashing::Independent, 200, 400_000),
        (Hashing::Independent, 1000, 100_000),
        (Hashing::Double, 200, 400_000),
        (Hashing::Double, 60_000, 400_000),
        (Hashing::Double, 122, 1392),
    ] {
        let parts = partitions(1 << 17, 4, hashing);
        let law =
            |insertions| PartitionedCounting::new(parts, insertions, threshold).expect("legal");
        let ln = |figure: &Figure| figure.ln.unwrap_or(figure.value.ln());
        let last = ln(&law(n).reported(1).expect("legal"));
        let terms: Vec<f64> = (1..=n)
            .map(|back| (ln(&law(n - back).reported(1).expect("legal")) - last).exp())
            .take_while(|term| *term > 1e-9)
            .collect();
        let expected = terms.iter().sum::<f64>().ln() + last;
        let alarms = law(n).false_alarms_of_new_keys().expect("legal");
        let stated = ln(&alarms);
        assert!(
            (stated - expected).abs() < 1e-5,
            "theta = {threshold}: {alarms:?}, terms {expected}"
        );
    }
}

/// Twelve keys come again and again; the last arrival of a key below the threshold is reported as often as stated.
#[test]
fn repeated_keys_alarm_as_often_as_stated() {
    for (seed, hashing) in [(21, Hashing::Independent), (22, Hashing::Double)] {
        let parts = partitions(16, 3, hashing);
        let theta = 5u32;
        // by key number: how often it comes, in this order
        let order: Vec<usize> = (0..40).map(|i| (i * i + 3 * i) % 17).collect();
        let mut stream = CountingStream::new(parts, theta).expect("legal");
        let mut counts = [0u64; 17];
        let mut expected = vec![0.0; order.len()];
        for (i, &key) in order.iter().enumerate() {
            if let Some(alarm) = stream.arrive(counts[key]) {
                expected[i] = alarm.probability;
            }
            counts[key] += 1;
        }
        let trials = 60_000;
        let mut hits = vec![0u64; order.len()];
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        for _ in 0..trials {
            let places: Vec<Vec<usize>> = (0..17).map(|_| draw(&mut random, parts)).collect();
            let mut cells = [[0u32; 16]; 3];
            let mut counts = [0u32; 17];
            for (i, &key) in order.iter().enumerate() {
                counts[key] += 1;
                for (bank, &place) in places[key].iter().enumerate() {
                    cells[bank][place] += 1;
                }
                let least = (0..3).map(|bank| cells[bank][places[key][bank]]).min();
                if counts[key] < theta && least >= Some(theta) {
                    hits[i] += 1;
                }
            }
        }
        let (total, sum): (u64, f64) = (hits.iter().sum(), expected.iter().sum());
        assert!(total > 1000, "{total}");
        // arrivals of one trial share counters: a wide margin, beside the first-order excess
        let error = total as f64 / (trials as f64 * sum) - 1.0;
        assert!(
            error.abs() < 0.05,
            "seed {seed}: {total}, predicted {}",
            trials as f64 * sum
        );
    }
}

#[test]
fn sketch_bounds_hold_for_any_amounts_and_are_not_idle() {
    let heavy_and_light: fn(u64) -> u64 = |item| if item == 0 { 400 } else { 1 + item % 3 };
    let alike: fn(u64) -> u64 = |_| 10;
    for (seed, range, k, hashing) in [
        (31, 16, 4, Hashing::Double),
        (32, 16, 4, Hashing::Independent),
        (33, 64, 3, Hashing::Double),
        (34, 64, 6, Hashing::Double),
    ] {
        for (amounts, items) in [(heavy_and_light, 60), (alike, 12)] {
            let parts = partitions(range, k, hashing);
            let total: u64 = (0..items).map(amounts).sum();
            let rows = Rows::new(parts, total).expect("legal");
            let errors = least_counters(parts, items, 30_000, seed, amounts);
            let mut met = 0.0;
            for x in [1.5, 2.0, 4.0, 8.0, 12.0] {
                let excess = x / range as f64;
                let bound = rows.failure_bound(excess).expect("legal").value;
                let above = errors
                    .iter()
                    .filter(|e| **e as f64 >= excess * total as f64)
                    .count();
                let share = above as f64 / errors.len() as f64;
                assert!(
                    share <= bound + 1e-9,
                    "seed {seed} {range} {k} x = {x}: {share} above {bound}"
                );
                met = f64::max(met, bound);
                assert!(bound <= 1.0 / x);
            }
            assert!(met < 1.0);
        }
    }
}

/// Errors of the least estimate of copies, each drawn with functions of its own: within the bound of KM 9.2, and on unit amounts
/// as stated.
#[test]
fn copies_have_the_least_error_of_sketches_of_their_own() {
    let trials = 8_000;
    for (seed, range, rows, copies) in [(51, 32, 3, 2), (52, 31, 2, 3), (53, 16, 4, 2)] {
        let parts = partitions(range, rows * copies, Hashing::Double);
        let one_copy = partitions(range, rows, Hashing::Double);
        for amounts in [|_| 1, |item: u64| 1 + 20 * u64::from(item == 0)] {
            let items = 120;
            let total: u64 = (0..items).map(amounts).sum();
            let of_copies: Vec<Vec<u64>> = (0..u64::from(copies))
                .map(|copy| least_counters(one_copy, items, trials, 10 * seed + copy, amounts))
                .collect();
            let errors: Vec<u64> = (0..of_copies[0].len())
                .map(|i| of_copies.iter().map(|errors| errors[i]).min().unwrap_or(0))
                .collect();
            let sketch = Rows::new(parts, total)
                .and_then(|rows| rows.in_copies(copies))
                .expect("legal");
            let single = Rows::new(one_copy, total).expect("legal");
            for x in [1.2, 2.0, 4.0, 8.0] {
                let excess = x / range as f64;
                let [all, one] =
                    [sketch, single].map(|it| it.failure_bound(excess).expect("legal").value);
                assert!((all / one.powi(copies as i32) - 1.0).abs() < 1e-12);
                let above = errors
                    .iter()
                    .filter(|e| **e as f64 >= excess * total as f64)
                    .count();
                let share = above as f64 / errors.len() as f64;
                assert!(share <= all + 1e-9, "seed {seed}: {share} above {all}");
            }
            if total == items {
                let mean = errors.iter().sum::<u64>() as f64 / errors.len() as f64;
                let stated = sketch.unit_error();
                let slack = 0.02 + stated.accuracy.relative_error;
                assert!(
                    (mean / stated.value - 1.0).abs() < slack,
                    "seed {seed}: {mean} {stated:?}"
                );
            }
        }
        let sketch = Rows::new(parts, 100).expect("legal");
        assert!(sketch.in_copies(0).is_err() && sketch.in_copies(5).is_err());
    }
}

#[test]
fn prime_rows_have_the_bound_of_the_theorem_or_a_better_one() {
    let rows = Rows::new(partitions(1361, 6, Hashing::Double), 1 << 30).expect("legal");
    let theorem = bloomline_theory::count_min::CountMin::new(1361, 6).expect("legal");
    for x in [4.0, 10.0, 40.0] {
        let (ours, paper) = (
            rows.failure_bound(x / 1361.0).expect("legal").value,
            theorem.failure_bound(x / 1361.0).expect("legal").value,
        );
        assert!(ours <= paper && ours > 0.01 * paper, "{x}: {ours} {paper}");
    }
}

#[test]
fn bounds_are_inverted() {
    let parts = partitions(4096, 4, Hashing::Double);
    let rows = Rows::new(parts, 100_000_000).expect("legal");
    let eps = rows.error_bound(0.01).expect("legal").value;
    let bound = rows.failure_bound(eps).expect("legal").value;
    assert!(bound <= 0.01 && bound > 0.0099, "{bound}");
    let most = rows.most_total(1_000_000, 0.01).expect("legal").value as u64;
    let at = |total| {
        Rows::new(parts, total)
            .expect("legal")
            .false_report_bound(1_000_000)
            .value
    };
    assert!(at(most) <= 0.01 && at(most + most / 1000) > 0.01);
}

#[test]
fn unit_errors_are_those_of_drawn_sketches() {
    for (seed, range, k, items, hashing) in [
        (41, 32, 3, 200, Hashing::Independent),
        (42, 32, 4, 200, Hashing::Double),
    ] {
        let parts = partitions(range, k, hashing);
        let rows = Rows::new(parts, items).expect("legal");
        let errors = least_counters(parts, items, 20_000, seed, |_| 1);
        let mean = errors.iter().sum::<u64>() as f64 / errors.len() as f64;
        let stated = rows.unit_error();
        let slack = 0.02 + stated.accuracy.relative_error;
        assert!(
            (mean / stated.value - 1.0).abs() < slack,
            "seed {seed}: {mean} {stated:?}"
        );
        let quantile = rows.unit_error_quantile(0.1).expect("legal").value;
        let above =
            |limit: f64| errors.iter().filter(|e| **e as f64 > limit).count() as f64 / 20_000.0;
        assert!(above(quantile) < 0.1 + 0.01 && above(quantile - 1.0) > 0.1 - 0.01);
    }
}

#[test]
fn large_totals_are_summed_in_steps() {
    let parts = partitions(16, 2, Hashing::Independent);
    let mean = |total: u64| Rows::new(parts, total).expect("legal").unit_error().value;
    // the least of two normal numbers lies sd/sqrt(pi) below their mean
    for total in [1u64 << 40, 1 << 60] {
        let (row, deviation) = (total as f64 / 16.0, (total as f64 * 15.0 / 256.0).sqrt());
        let below = (row - mean(total)) / deviation * std::f64::consts::PI.sqrt();
        assert!((below - 1.0).abs() < 0.01, "{total}: {below}");
    }
}

#[test]
fn capacities_are_the_greatest() {
    for hashing in [Hashing::Independent, Hashing::Double] {
        let parts = partitions(1 << 15, 4, hashing);
        let most = PartitionedStatic::most_items(parts, 0.01)
            .expect("legal")
            .value as u64;
        let rate = |n| {
            PartitionedStatic::new(parts, n)
                .expect("legal")
                .rate()
                .value
        };
        assert!(rate(most) <= 0.01 && rate(most + 1) > 0.01, "{most}");
        let most = PartitionedCounting::most_insertions(parts, 5, 1, 0.01)
            .expect("legal")
            .value as u64;
        let rate = |n| {
            PartitionedCounting::new(parts, n, 5)
                .expect("legal")
                .reported(1)
                .expect("legal")
                .value
        };
        assert!(rate(most) <= 0.01 && rate(most + 1) > 0.01, "{most}");
    }
}

#[test]
fn arguments_outside_the_domain_are_refused() {
    assert!(Partitions::new(1, 4, Hashing::Double).is_err());
    assert!(Partitions::new(64, 0, Hashing::Double).is_err());
    let parts = partitions(64, 4, Hashing::Double);
    assert!(PartitionedCounting::new(parts, 10, 0).is_err());
    let filter = PartitionedCounting::new(parts, 10, 3).expect("legal");
    assert!(filter.reported(3).is_err() && filter.reported(2).is_ok());
    assert!(CountingStream::new(parts, 0).is_err() && CountingStream::new(parts, 257).is_err());
    assert!(Rows::new(parts, 0).is_err());
    let rows = Rows::new(parts, 10).expect("legal");
    assert!(rows.failure_bound(0.0).is_err() && rows.error_bound(1.0).is_err());
    assert!(PartitionedStatic::most_items(parts, 0.0).is_err());
}

/// The probability that a new key is reported after one arrival of it, given the counters of one array: over every key.
fn reported_given(cells: &[u64], draw: Draw, hashes: u64, threshold: u64) -> f64 {
    let m = cells.len() as u64;
    let at_least = |least: u64| cells.iter().filter(|cell| **cell >= least).count() as f64;
    let bits = m as f64;
    let [one, two] = [at_least(threshold - 1), at_least(threshold - 2)];
    match draw {
        // three draws: of their own, two on one counter, all on one
        Draw::Independent => {
            let apart = one * (one - 1.0) * (one - 2.0);
            let together = 3.0 * (two * one - one);
            let all = at_least(threshold.saturating_sub(3));
            (apart + together + all) / bits.powi(3)
        }
        Draw::Distinct => one * (one - 1.0) * (one - 2.0) / (bits * (bits - 1.0) * (bits - 2.0)),
        Draw::TwoHash(extension) => {
            let mut reported = 0u64;
            for stride in 0..m {
                let steps: Vec<u64> = (0..hashes)
                    .map(|i| (i * stride + offset(extension, i)) % m)
                    .collect();
                let own: Vec<u64> = steps
                    .iter()
                    .map(|step| steps.iter().filter(|other| *other == step).count() as u64)
                    .collect();
                for start in 0..m {
                    let reached = |(step, own): (&u64, &u64)| {
                        cells[((start + step) % m) as usize] + own >= threshold
                    };
                    reported += u64::from(steps.iter().zip(&own).all(reached));
                }
            }
            reported as f64 / (bits * bits)
        }
    }
}

fn offset(extension: Extension, i: u64) -> u64 {
    match extension {
        Extension::None => 0,
        Extension::Square => i * i,
        Extension::Cube => i * i * i,
    }
}

#[test]
fn alarms_of_one_array_deviate_between_fillings_as_stated() {
    const FILTERS: usize = 1_500;
    let (range, hashes, threshold) = (101u64, 3u64, 3u64);
    for draw in [
        Draw::Independent,
        Draw::Distinct,
        Draw::TwoHash(Extension::None),
        Draw::TwoHash(Extension::Square),
        Draw::TwoHash(Extension::Cube),
    ] {
        for keys in [30u64, 60] {
            let array = SharedArray::new(range, hashes as u32, draw).expect("legal");
            let mut stream = CountingStream::shared(array, threshold as u32).expect("legal");
            // a third of the keys come twice
            let times = |key: u64| if key.is_multiple_of(3) { 2 } else { 1 };
            for key in 0..keys {
                (0..times(key)).for_each(|before| {
                    stream.arrive(before);
                });
            }
            let stated = stream.arrive(0).expect("below the threshold");
            let mut random = ChaCha8Rng::seed_from_u64(28_000 + keys);
            let shares: Vec<f64> = (0..FILTERS)
                .map(|_| {
                    let mut cells = vec![0u64; range as usize];
                    for key in 0..keys {
                        let (start, stride) =
                            (random.random_range(0..range), random.random_range(0..range));
                        let positions: Vec<u64> = match draw {
                            Draw::Independent => {
                                (0..hashes).map(|_| random.random_range(0..range)).collect()
                            }
                            Draw::Distinct => rand::seq::index::sample(
                                &mut random,
                                range as usize,
                                hashes as usize,
                            )
                            .into_iter()
                            .map(|position| position as u64)
                            .collect(),
                            Draw::TwoHash(extension) => (0..hashes)
                                .map(|i| (start + i * stride + offset(extension, i)) % range)
                                .collect(),
                        };
                        positions
                            .iter()
                            .for_each(|at| cells[*at as usize] += times(key));
                    }
                    reported_given(&cells, draw, hashes, threshold)
                })
                .collect();
            let mean = shares.iter().sum::<f64>() / FILTERS as f64;
            let variance = shares
                .iter()
                .map(|share| (share - mean).powi(2))
                .sum::<f64>()
                / FILTERS as f64;
            let ratio = stated.deviation / variance.sqrt();
            println!("{draw:?} {keys} keys: mean {mean:.4e} stated {:.4e}, deviation {:.4e} stated {:.4e}, ratio {ratio:.3}", stated.probability, variance.sqrt(), stated.deviation);
            assert!(
                (0.93..1.35).contains(&ratio),
                "{draw:?} {keys} keys: {ratio}"
            );
        }
    }
}

/// A probability deviates by at most one half, also while hardly a counter is reached, where its moments are far from a log-normal law's.
#[test]
fn alarms_of_an_array_that_is_nearly_empty_deviate_little() {
    for (range, hashes) in [(64, 2), (1 << 14, 4), (1 << 20, 16), (1 << 30, 12)] {
        for draw in [Draw::Independent, Draw::Distinct] {
            let array = SharedArray::new(range, hashes, draw).expect("legal");
            let mut stream = CountingStream::shared(array, 5).expect("legal");
            for key in 0..2_000 {
                let alarm = stream.arrive(0).expect("below the threshold");
                let share = alarm.probability.powf(1.0 / f64::from(hashes));
                let most = share.sqrt().min(0.5);
                assert!(
                    alarm.deviation <= most,
                    "{range} counters, {hashes} hashes, {draw:?}, {key} keys: {alarm:?}"
                );
            }
        }
    }
}

/// Where the law of two hash functions takes long the capacity is that of independent counters: as near as stated.
#[test]
fn a_capacity_by_independent_counters_is_as_near_as_it_states() {
    for (range, hashes, threshold, rate) in [
        (1 << 20, 12, 40, 0.1),
        (1 << 22, 12, 40, 0.01),
        (1 << 22, 8, 80, 0.05),
    ] {
        let array = SharedArray::new(range, hashes, Draw::TwoHash(Extension::None)).expect("legal");
        let most = array
            .most_insertions(threshold, 0, rate)
            .expect("there is one");
        assert!(most.formula.contains("CBF (2)"), "{most:?}");
        let error = most.accuracy.relative_error;
        assert!(error < 0.5, "{most:?}");
        let reported = |insertions: f64| {
            array
                .reported(insertions as u64, threshold, 0)
                .expect("in the domain")
        };
        let (fewer, more) = (
            reported(most.value * (1.0 - error)),
            reported(most.value * (1.0 + error)),
        );
        println!(
            "w={range} k={hashes}: {} within {error:.3}: {:e} to {:e}",
            most.value, fewer.value, more.value
        );
        assert!(
            fewer.value <= rate && rate <= more.value,
            "{most:?}: {fewer:?}, {more:?}"
        );
    }
}

/// The positions of every item that a scheme can draw, all as probable.
fn drawn(range: usize, hashes: usize, draw: Draw) -> Vec<Vec<usize>> {
    match draw {
        Draw::TwoHash(_) => (0..range * range)
            .map(|pair| {
                let (start, stride) = (pair % range, pair / range);
                (0..hashes).map(|i| (start + i * stride) % range).collect()
            })
            .collect(),
        Draw::Independent | Draw::Distinct => (0..range.pow(hashes as u32))
            .map(|number| {
                (0..hashes)
                    .map(|i| number / range.pow(i as u32) % range)
                    .collect::<Vec<_>>()
            })
            .filter(|item| draw == Draw::Independent || item.iter().all_unique())
            .collect(),
    }
}

/// The share of keys that counters report which hold what `count` insertions of a key itself add.
fn reported_by(counters: &[u8], keys: &[Vec<usize>], count: u8, threshold: u8) -> f64 {
    let reported = |key: &&Vec<usize>| {
        key.iter().all(|probe| {
            let own = key.iter().filter(|other| *other == probe).count() as u8;
            counters[*probe] + own * count >= threshold
        })
    };
    keys.iter().filter(reported).count() as f64 / keys.len() as f64
}

#[test]
fn the_bound_of_unlikely_reports_holds_for_the_law_of_all_counters_of_one_array() {
    for (range, hashes, draw, insertions) in [
        (5, 2, Draw::Independent, 6_u64),
        (4, 3, Draw::Independent, 4),
        // a key whose own draws coincide is reported though no other key is near
        (8, 2, Draw::Independent, 1),
        (5, 2, Draw::Distinct, 6),
        (8, 2, Draw::TwoHash(Extension::None), 4),
    ] {
        let keys = drawn(range, hashes, draw);
        let mut law = HashMap::from([(vec![0_u8; range], 1.0)]);
        for _ in 0..insertions {
            let mut next = HashMap::new();
            for (counters, p) in &law {
                for item in &keys {
                    let mut counters = counters.clone();
                    item.iter().for_each(|probe| counters[*probe] += 1);
                    *next.entry(counters).or_insert(0.0) += p / keys.len() as f64;
                }
            }
            law = next;
        }
        let array = SharedArray::new(range as u64, hashes as u32, draw).expect("legal");
        for (threshold, count) in [(2_u8, 0_u8), (3, 1), (3, 2), (4, 2)] {
            let rates: Vec<_> = law
                .iter()
                .map(|(counters, p)| (reported_by(counters, &keys, count, threshold), p))
                .collect();
            for chance in [0.3, 0.1, 0.01] {
                let bound =
                    array.reported_exceeded_by(insertions, threshold.into(), count.into(), chance);
                let Ok(bound) = bound else {
                    assert!(matches!(draw, Draw::TwoHash(_)), "{draw:?}: {bound:?}");
                    continue;
                };
                let above: f64 = rates
                    .iter()
                    .filter(|(rate, _)| *rate > bound.value + 1e-12)
                    .map(|(_, p)| *p)
                    .sum();
                assert!(
                    above <= chance,
                    "{range} {hashes} {draw:?} {threshold} {count} {chance}: {above}"
                );
            }
        }
    }
}

#[test]
fn few_counting_filters_of_one_array_report_more_than_is_said_to_be_unlikely() {
    const FILTERS: u64 = 1_000;
    for (seed, draw, near) in [
        (51, Draw::Independent, 1.5),
        (52, Draw::Distinct, 1.5),
        (53, Draw::TwoHash(Extension::None), 6.0),
    ] {
        let (range, hashes, insertions) = (128_usize, 2_usize, 150_u64);
        let keys = drawn(range, hashes, draw);
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let array = SharedArray::new(range as u64, hashes as u32, draw).expect("legal");
        let mut rates: Vec<f64> = (0..FILTERS)
            .map(|_| {
                let mut counters = vec![0_u8; range];
                for _ in 0..insertions {
                    let item = &keys[random.random_range(0..keys.len())];
                    item.iter().for_each(|probe| counters[*probe] += 1);
                }
                reported_by(&counters, &keys, 1, 4)
            })
            .collect();
        rates.sort_by(f64::total_cmp);
        for chance in [0.1, 0.01] {
            let bound = array.reported_exceeded_by(insertions, 4, 1, chance);
            let bound = bound.expect("legal").value;
            let expected = FILTERS as f64 * chance;
            let above = rates.iter().filter(|rate| **rate > bound).count() as f64;
            // 99.9 %, and the bound says something
            assert!(
                above <= expected + 3.1 * expected.sqrt(),
                "seed {seed}: {above}"
            );
            let quantile = rates[(FILTERS as f64 * (1.0 - chance)) as usize];
            assert!(bound <= near * quantile, "seed {seed}: {bound} {quantile}");
        }
    }
}

#[test]
fn an_error_that_no_double_holds_is_still_a_number() {
    let filter = PartitionedCounting::new(partitions(233, 32, Hashing::Double), 349, 100);
    let filter = filter.expect("legal");
    for count in [0, 1] {
        let (rate, excess) = (filter.reported(count), filter.two_hash_excess(count));
        for figure in [rate.expect("legal"), excess.expect("legal")] {
            assert!(figure.accuracy.relative_error.is_finite(), "{figure:?}");
        }
    }
    let alarms = filter.false_alarms_of_new_keys().expect("legal");
    assert!(alarms.accuracy.relative_error.is_finite(), "{alarms:?}");
}
