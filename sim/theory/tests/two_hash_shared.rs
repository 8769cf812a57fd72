//! Two hash functions on one array, of counters and of bits that recycle: against simulation with ideal random numbers.

use bloomline_theory::cells::{CountingStream, Draw, SharedArray};
use bloomline_theory::sizing::{predict_shared, On, SharedParams};
use bloomline_theory::two_hash::{Extension, SharedCounters, SingleArray};
use bloomline_theory::AccuracyKind;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const EXTENSIONS: [Extension; 3] = [Extension::None, Extension::Square, Extension::Cube];

/// The positions of a key.
fn positions(
    random: &mut ChaCha8Rng,
    range: u64,
    hashes: u32,
    extension: Extension,
) -> impl Iterator<Item = usize> + Clone {
    let (h1, h2) = (random.random_range(0..range), random.random_range(0..range));
    (0..u64::from(hashes)).map(move |i| {
        let f = match extension {
            Extension::None => 0,
            Extension::Square => i * i,
            Extension::Cube => i * i * i,
        };
        ((h1 + i * h2 + f) % range) as usize
    })
}

#[test]
fn any_number_of_items_is_answered_at_once_where_every_counter_is_full() {
    let begun = std::time::Instant::now();
    for (range, hashes) in [(64, 1), (1 << 15, 1), (2, 1)] {
        let law = SharedCounters::new(range, hashes, Extension::None).expect("in the domain");
        for items in [1_000_000_000, 1 << 40] {
            let reported = law.reported(items, 5, 0).expect("in the domain");
            assert_eq!(reported.value, 1.0, "{range} {items}");
            assert_eq!(law.reaches(items, 5).expect("in the domain").value, 1.0);
        }
    }
    assert!(begun.elapsed().as_secs() < 5);
    // one hash: a counter has a binomial number, below and above where all of it counts
    let law = SharedCounters::new(64, 1, Extension::None).expect("in the domain");
    for items in [100, 1_000, 9_000, 12_000, 16_000, 20_000_u64] {
        let (n, p) = (items as f64, 1.0 / 64.0_f64);
        let mut term = (n * (-p).ln_1p()).exp();
        let mut below = 0.0;
        for count in 0..40 {
            below += term;
            term *= (n - f64::from(count)) / f64::from(count + 1) * p / (1.0 - p);
        }
        let reported = law.reported(items, 40, 0).expect("in the domain").value;
        assert!(
            (reported - (1.0 - below)).abs() < 1e-11,
            "{items}: {reported} {below}"
        );
    }
}

/// Half the width of an interval of 99% for a family, in deviations: z at 1 - 0.01/size, two-sided.
fn z(size: usize) -> f64 {
    use statrs::distribution::{ContinuousCDF, Normal};
    Normal::standard().inverse_cdf(1.0 - 0.005 / size as f64)
}

/// New keys in cycles: (rate, its standard error, mean cycle, its standard error), by whole cycles.
fn recycled(params: &SharedParams, extension: Extension, cycles: usize, seed: u64) -> [f64; 4] {
    const BATCH: usize = 20;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let m = params.half_bits as usize;
    let (mut active, mut frozen) = (vec![false; m], vec![false; m]);
    let (mut set, mut messages) = (0, 0);
    let mut batches: Vec<(f64, f64)> = Vec::new();
    let (mut hits, mut arrivals, mut done) = (0.0, 0.0, 0);
    while batches.len() * BATCH < cycles {
        let key = positions(&mut random, params.half_bits, params.hashes, extension);
        let in_active = key.clone().all(|p| active[p]);
        let in_frozen = params.phases == 2 && key.clone().all(|p| frozen[p]);
        hits += f64::from(u8::from(in_active || in_frozen));
        arrivals += 1.0;
        if in_active {
            continue;
        }
        let mut new: Vec<usize> = key.clone().filter(|p| !active[*p]).collect();
        new.sort_unstable();
        new.dedup();
        let trips = match params.on {
            On::BitsSet => set + new.len() as u64 > params.threshold,
            On::Messages => messages + 1 >= params.threshold,
        };
        if trips {
            std::mem::swap(&mut active, &mut frozen);
            active.fill(false);
            (set, messages) = (0, 0);
            done += 1;
            if done % BATCH == 0 {
                if done > BATCH {
                    batches.push((hits, arrivals));
                }
                (hits, arrivals) = (0.0, 0.0);
            }
            if !params.retain {
                continue;
            }
            new = key.collect();
            new.sort_unstable();
            new.dedup();
        }
        new.iter().for_each(|p| active[*p] = true);
        set += new.len() as u64;
        messages += 1;
    }
    let n = batches.len() as f64;
    let (hits, arrivals) = batches
        .iter()
        .fold((0.0, 0.0), |(h, a), batch| (h + batch.0, a + batch.1));
    let (rate, mean) = (hits / arrivals, arrivals / n);
    let spread = |of: &dyn Fn(&(f64, f64)) -> f64| {
        batches
            .iter()
            .map(|batch| of(batch).powi(2))
            .sum::<f64>()
            .sqrt()
    };
    let error = spread(&|(h, a)| h - rate * a) / arrivals;
    let error_of_mean = spread(&|(_, a)| a - mean) / n;
    [
        rate,
        error,
        mean / BATCH as f64,
        error_of_mean / BATCH as f64,
    ]
}

/// Rates and mean cycles, each within 99% for the family widened by the stated error; where two hash functions add as much as can
/// be seen, the law of independent ones is told apart.
#[test]
fn recycling_filters_of_two_hash_functions_have_the_predicted_rates_and_cycles() {
    const CYCLES: usize = 60_000;
    let of = |half_bits, hashes, phases, on, threshold, retain| SharedParams {
        half_bits,
        phases,
        hashes,
        distinct: false,
        two_hash: None,
        on,
        threshold,
        retain,
    };
    let geometries = [
        of(128, 4, 1, On::BitsSet, 64, false),
        of(128, 4, 2, On::BitsSet, 64, true),
        of(127, 3, 2, On::BitsSet, 60, false),
        of(256, 4, 1, On::Messages, 45, true),
        of(256, 4, 2, On::Messages, 45, false),
        of(512, 6, 2, On::BitsSet, 250, false),
        of(500, 5, 1, On::BitsSet, 240, true),
        of(1024, 4, 2, On::BitsSet, 512, true),
    ];
    let width = z(2 * geometries.len() * EXTENSIONS.len());
    let mut told_apart = 0;
    let mut failures = Vec::new();
    for (seed, params) in (0..).zip(geometries) {
        for extension in EXTENSIONS {
            let params = SharedParams {
                two_hash: Some(extension),
                ..params
            };
            let [rate, error, cycle, error_of_cycle] = recycled(&params, extension, CYCLES, seed);
            let predicted = predict_shared(&params).expect("in the domain");
            let independent = SharedParams {
                two_hash: None,
                ..params
            };
            let independent = predict_shared(&independent)
                .expect("in the domain")
                .fpr_average;
            let (stated, length) = (&predicted.fpr_average, &predicted.cycle_arrivals);
            let off = stated.accuracy.relative_error;
            println!(
                "{extension:?} M={} k={} {:?} {} phases {}: rate {rate:.6} +- {error:.1e}, predicted {:.6} ({:.2}% off, z {:.2}, stated {:.2}%), independent {:.6}; cycle {cycle:.3}, predicted {:.3} (z {:.2})",
                params.half_bits, params.hashes, params.on, params.phases, params.retain, stated.value,
                100.0 * (rate / stated.value - 1.0), (rate - stated.value) / error, 100.0 * off, independent.value, length.value, (cycle - length.value) / error_of_cycle
            );
            if (rate - stated.value).abs() > width * error + off * stated.value
                || (cycle - length.value).abs()
                    > width * error_of_cycle + length.accuracy.relative_error * length.value
            {
                failures.push(format!("{params:?}, seed {seed}: {rate} +- {error}, {cycle} +- {error_of_cycle}: {predicted:?}"));
            }
            told_apart += u32::from((rate - independent.value).abs() > width * error);
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
    assert!(
        told_apart >= 12,
        "{told_apart} of 24 told apart from independent hashes"
    );
}

/// A cycle that waits for messages depends on the rate by its false positives alone, however little is known of the rate.
#[test]
fn a_cycle_of_counted_messages_is_known_where_the_rate_is_not() {
    for (threshold, retain) in [(2, true), (3, false), (40, true)] {
        let params = SharedParams {
            half_bits: 8192,
            phases: 2,
            hashes: 10,
            distinct: false,
            two_hash: Some(Extension::Square),
            on: On::Messages,
            threshold,
            retain,
        };
        let predicted = predict_shared(&params).expect("in the domain");
        let messages = (threshold - u64::from(retain)) as f64;
        assert_eq!(predicted.cycle_messages.value, messages);
        let cycle = &predicted.cycle_arrivals;
        assert!(cycle.accuracy.relative_error < 1e-5, "{cycle:?}");
        assert!((cycle.value / messages - 1.0).abs() < 1e-5, "{cycle:?}");
        let gain = &predicted.capacity_gain;
        assert!(gain.value > 0.0, "{gain:?}");
        assert!(gain.accuracy.relative_error >= cycle.accuracy.relative_error);
        // the same number that independent hashes give
        let independent = SharedParams {
            two_hash: None,
            ..params
        };
        let independent = predict_shared(&independent).expect("in the domain");
        let off = independent.cycle_messages.value / messages - 1.0;
        assert!(off.abs() < 1e-9, "{independent:?}");
    }
}

/// Mean of samples, and its standard error.
fn mean(samples: &[f64]) -> (f64, f64) {
    let n = samples.len() as f64;
    let mean = samples.iter().sum::<f64>() / n;
    let variance = samples.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

#[test]
fn counters_of_two_hash_functions_report_as_often_as_predicted() {
    const FILTERS: u64 = 3_000;
    const QUERIES: u64 = 400;
    // cells, hashes, items, threshold, true count
    let geometries = [
        (256, 4, 60, 3, 0),
        (256, 4, 60, 3, 1),
        (509, 4, 150, 4, 2),
        (1024, 4, 250, 3, 1),
        (1000, 5, 200, 3, 2),
        (1024, 8, 110, 3, 1),
    ];
    let width = z(2 * geometries.len() * EXTENSIONS.len());
    let mut told_apart = 0;
    for (seed, (range, hashes, items, threshold, count)) in (100..).zip(geometries) {
        for extension in EXTENSIONS {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let (mut rates, mut shares) = (Vec::new(), Vec::new());
            for _ in 0..FILTERS {
                let mut cells = vec![0u64; range as usize];
                for _ in 0..items {
                    positions(&mut random, range, hashes, extension).for_each(|p| cells[p] += 1);
                }
                let reached = cells.iter().filter(|cell| **cell >= threshold).count();
                shares.push(reached as f64 / range as f64);
                let reported = (0..QUERIES).filter(|_| {
                    let key = positions(&mut random, range, hashes, extension);
                    let own = |p| key.clone().filter(|q| *q == p).count() as u64 * count;
                    key.clone().all(|p| cells[p] + own(p) >= threshold)
                });
                rates.push(reported.count() as f64 / QUERIES as f64);
            }
            let law = SharedCounters::new(range, hashes, extension).expect("in the domain");
            let stated = law
                .reported(items, threshold, count)
                .expect("in the domain");
            let share = law.reaches(items, threshold).expect("in the domain");
            let array = SharedArray::new(range, hashes, Draw::Independent).expect("legal");
            let independent = array
                .reported(items, threshold, count)
                .expect("legal")
                .value;
            for (samples, stated) in [(&rates, &stated), (&shares, &share)] {
                let (measured, error) = mean(samples);
                let off = stated.accuracy.relative_error * stated.value;
                println!(
                    "{extension:?} m={range} k={hashes} n={items} theta={threshold} r={count}: {measured:.6} +- {error:.1e}, predicted {:.6} (z {:.2}, stated {:.1e}); CBF (2) {independent:.6}",
                    stated.value, (measured - stated.value) / error, stated.accuracy.relative_error
                );
                assert!(
                    (measured - stated.value).abs() < width * error + off,
                    "{extension:?} {range} {hashes} {items} {threshold} {count}, seed {seed}: {measured} +- {error}, {stated:?}"
                );
            }
            let (measured, error) = mean(&rates);
            told_apart += u32::from((measured - independent).abs() > width * error);
        }
    }
    assert!(
        told_apart >= 8,
        "{told_apart} of 18 told apart from CBF (2)"
    );
}

/// A stream in which some keys come again and again: the number of keys that are reported falsely, over many hash functions.
#[test]
fn false_alarms_along_a_stream_of_repeated_keys_are_as_many_as_predicted() {
    const FILTERS: u64 = 30_000;
    const THRESHOLD: u32 = 4;
    const KEYS: usize = 56;
    // key j comes as often as j mod 3 + 1 of 4 times, in turn; every tenth 6 times
    let arrivals: Vec<u32> = (0..6)
        .flat_map(|round| {
            (0..KEYS as u32).filter(move |key| round < if key % 10 == 0 { 6 } else { key % 3 + 1 })
        })
        .collect();
    let width = z(6);
    let mut told_apart = 0;
    for (seed, range) in (200..).zip([256, 251]) {
        for extension in EXTENSIONS {
            let array = SharedArray::new(range, 4, Draw::TwoHash(extension)).expect("legal");
            let mut stream = CountingStream::shared(array, THRESHOLD).expect("in the domain");
            let (mut counts, mut expected, mut plain) = ([0u64; KEYS], [0.0; KEYS], [0.0; KEYS]);
            for key in &arrivals {
                let before = counts[*key as usize];
                counts[*key as usize] += 1;
                if let Some(alarm) = stream.arrive(before) {
                    expected[*key as usize] = alarm.probability;
                    plain[*key as usize] = alarm.probability - alarm.two_hash_excess;
                }
            }
            let (expected, plain) = (expected.iter().sum::<f64>(), plain.iter().sum::<f64>());
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let alarms: Vec<f64> = (0..FILTERS)
                .map(|_| {
                    let keys: Vec<Vec<usize>> = (0..KEYS)
                        .map(|_| positions(&mut random, range, 4, extension).collect())
                        .collect();
                    let (mut cells, mut counts, mut alarmed) =
                        (vec![0; range as usize], [0; KEYS], [false; KEYS]);
                    for key in &arrivals {
                        let at = *key as usize;
                        counts[at] += 1;
                        keys[at].iter().for_each(|p| cells[*p] += 1);
                        let reached = keys[at].iter().all(|p| cells[*p] >= THRESHOLD);
                        alarmed[at] |= reached && counts[at] < THRESHOLD;
                    }
                    alarmed.iter().filter(|alarmed| **alarmed).count() as f64
                })
                .collect();
            let (measured, error) = mean(&alarms);
            println!("{extension:?} m={range}: {measured:.4} +- {error:.4} alarms, predicted {expected:.4} (z {:.2}), without the excess {plain:.4}", (measured - expected) / error);
            // what is left out is of second order: the square of what is added
            let second = (expected / plain - 1.0).powi(2) * expected;
            assert!(
                (measured - expected).abs() < width * error + second,
                "{extension:?} {range}, seed {seed}: {measured} +- {error}, predicted {expected}"
            );
            told_apart += u32::from((measured - plain).abs() > width * error);
        }
    }
    assert!(
        told_apart >= 4,
        "{told_apart} of 6 told apart from independent counters"
    );
}

/// In small arrays that hold many insertions several of them share two counters with a key: beyond what the law of two such insertions covers, its error is
/// stated to be that large, no capacity is named, and the answer comes at once.
#[test]
fn where_many_insertions_share_two_counters_with_a_key_no_capacity_is_named() {
    let (range, hashes, threshold) = (1024, 7, 200);
    let two_hash = SharedArray::new(range, hashes, Draw::TwoHash(Extension::None)).expect("legal");
    let mut random = ChaCha8Rng::seed_from_u64(200);
    let law = SharedCounters::new(range, hashes, Extension::None).expect("legal");
    for insertions in [29_500, 40_000] {
        let mut counts = vec![0_u64; range as usize];
        for _ in 0..insertions {
            positions(&mut random, range, hashes, Extension::None).for_each(|at| counts[at] += 1);
        }
        let keys = 20_000;
        let reported = (0..keys)
            .filter(|_| {
                let mut key = positions(&mut random, range, hashes, Extension::None);
                key.all(|at| counts[at] >= threshold)
            })
            .count();
        let measured = reported as f64 / f64::from(keys);
        let rate = law
            .reported(insertions, threshold, 0)
            .expect("in the domain");
        // meetings that are not counted add to it, and that is said
        let held = match rate.accuracy.kind {
            AccuracyKind::LowerBound => rate.value <= 1.1 * measured + 1e-3,
            _ => rate.value * (1.0 + rate.accuracy.relative_error) > 0.5 * measured,
        };
        assert!(held, "{insertions}: {rate:?}, {measured}");
    }
    assert!(law.reported(1 << 20, threshold, 0).is_err());
    let capacity = two_hash.most_insertions(threshold, 0, 0.01);
    assert!(capacity.is_err(), "{capacity:?}");
    let one_short = two_hash.most_insertions(threshold, threshold - 1, 0.01);
    assert!(one_short.is_ok_and(|figure| figure.accuracy.relative_error < 0.05));
}

/// The rate of one filter of `items`, over every key there is.
fn rate_over_all_keys(range: u64, hashes: u32, items: u64, extension: Extension, seed: u64) -> f64 {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut set = vec![false; range as usize];
    for _ in 0..items {
        positions(&mut random, range, hashes, extension).for_each(|p| set[p] = true);
    }
    let f: Vec<u64> = (0..u64::from(hashes))
        .map(|i| match extension {
            Extension::None => 0,
            Extension::Square => i * i,
            Extension::Cube => i * i * i,
        })
        .collect();
    let mut seen = 0u64;
    for start in (0..range).filter(|start| set[*start as usize]) {
        for stride in 0..range {
            let all = (0..)
                .zip(&f)
                .all(|(i, f)| set[((start + i * stride + f) % range) as usize]);
            seen += u64::from(all);
        }
    }
    seen as f64 / (range * range) as f64
}

/// Above the hashes whose subsets are summed: the mean over filters, each over all keys, within 99% for the family widened by the
/// stated error, which is small.
#[test]
fn the_rate_of_many_hashes_is_that_over_all_keys() {
    let cases = [
        (4096, 16, 0.5, Extension::None, 4),
        (2520, 14, 0.69, Extension::None, 8),
        (2048, 8, 0.69, Extension::Square, 8),
        (2047, 8, 0.69, Extension::Cube, 8),
        (4096, 12, 0.69, Extension::Cube, 4),
    ];
    let width = z(cases.len());
    for (range, hashes, load, extension, filters) in cases {
        let items = (load * range as f64 / f64::from(hashes)) as u64;
        let rates: Vec<f64> = (0..filters)
            .map(|seed| rate_over_all_keys(range, hashes, items, extension, seed))
            .collect();
        let n = f64::from(filters as u32);
        let mean = rates.iter().sum::<f64>() / n;
        let square: f64 = rates.iter().map(|rate| (rate - mean).powi(2)).sum();
        let error = (square / (n - 1.0) / n).sqrt();
        let law = SingleArray::new(range, hashes, extension).expect("in the domain");
        let stated = law.rate(items);
        println!("{extension:?} m={range} k={hashes} n={items}: {mean:.4e} +- {error:.1e}, predicted {:.4e} ({:+.3}) stated {:.3}", stated.value, stated.value/mean-1.0, stated.accuracy.relative_error);
        let off = stated.accuracy.relative_error;
        assert!((mean - stated.value).abs() <= width * error + off * stated.value);
        // of so few filters hardly one in a thousand families has two above the bound
        let array = SharedArray::new(range, hashes, Draw::TwoHash(extension)).expect("legal");
        let bound = array.rate_exceeded_by(items, 0.01).expect("in the domain");
        let above = rates.iter().filter(|rate| **rate > bound.value).count();
        assert!(above <= 1, "{above} of {filters} above {bound:?}");
    }
}
