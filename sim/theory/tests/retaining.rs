//! Two phases that retain the tripping message: the rate against the filter itself, as a chain over the contents of both
//! halves, and against check values in rational arithmetic.

use bloomline_theory::recycling::{
    partitioned_bits_set_law, partitioned_retaining_rate, two_phase_retaining_rate, Method,
    PartitionedHalf, SharedHalf,
};
use bloomline_theory::sizing::{predict, Hashing, On, RecyclingParams};
use bloomline_theory::AccuracyKind;

/// The stationary rate of a two-phase, retaining filter, by a chain over what both halves hold. `keys` are the sets of
/// positions of all keys, equally likely.
fn enumerated(positions: u32, keys: &[u32], trips: impl Fn(u32, u32) -> bool) -> f64 {
    let states = 1usize << (2 * positions);
    let weight = 1.0 / keys.len() as f64;
    let mut mass = vec![0.0; states];
    mass[0] = 1.0;
    let mut rate = f64::NAN;
    for _ in 0..5000 {
        let mut next = vec![0.0; states];
        let mut now = 0.0;
        for (state, &here) in mass.iter().enumerate().filter(|(_, here)| **here > 1e-30) {
            let (active, frozen) = (
                (state >> positions) as u32,
                state as u32 & ((1 << positions) - 1),
            );
            for &key in keys {
                if active & key == key || frozen & key == key {
                    now += here * weight;
                }
                let (active, frozen) = if active & key == key {
                    (active, frozen)
                } else if trips(active, key) {
                    (key, active)
                } else {
                    (active | key, frozen)
                };
                next[(active << positions | frozen) as usize] += here * weight;
            }
        }
        // half of the mass waits, which makes the chain aperiodic and leaves its stationary law
        mass.iter_mut()
            .zip(next)
            .for_each(|(mass, next)| *mass = 0.5 * (*mass + next));
        let moved = (now - rate).abs();
        rate = now;
        if moved < 1e-15 {
            break;
        }
    }
    rate
}

/// The keys of k partitions of `range` positions.
fn partitioned_keys(range: u32, k: u32) -> Vec<u32> {
    (0..range.pow(k))
        .map(|draw| {
            (0..k).fold(0u32, |key, i| {
                key | 1 << (i * range + draw / range.pow(i) % range)
            })
        })
        .collect()
}

fn close(got: f64, expected: f64, relative: f64, case: &str) {
    assert!(
        (got / expected - 1.0).abs() < relative,
        "{case}: {got:.12} instead of {expected:.12}"
    );
}

#[test]
fn partitioned_rates_are_those_of_the_chain_over_contents() {
    for (range, k) in [(5, 1), (2, 2), (3, 2), (2, 3)] {
        let keys = partitioned_keys(range, k);
        let half = PartitionedHalf::new(range.into(), k).expect("legal half");
        for sigma in k..k * range {
            let exact = enumerated(k * range, &keys, |active, key| {
                (active | key).count_ones() > sigma
            });
            let rate = partitioned_retaining_rate(half, sigma.into(), Method::Convolution)
                .expect("legal threshold");
            assert_eq!(rate.accuracy.kind, AccuracyKind::Exact);
            close(rate.value, exact, 1e-10, &format!("{range} {k} {sigma}"));
        }
    }
}

#[test]
fn shared_rates_are_those_of_the_chain_over_contents() {
    for (bits, k, distinct) in [
        (5, 1, false),
        (5, 2, false),
        (5, 2, true),
        (5, 3, false),
        (6, 3, true),
    ] {
        let keys: Vec<u32> = (0..u32::pow(bits, k))
            .map(|draw| (0..k).fold(0u32, |key, i| key | 1 << (draw / bits.pow(i) % bits)))
            .filter(|key| !distinct || key.count_ones() == k)
            .collect();
        let half = SharedHalf::new(bits.into(), k, distinct).expect("legal half");
        for sigma in k..bits {
            let exact = enumerated(bits, &keys, |active, key| {
                (active | key).count_ones() > sigma
            });
            let rate = two_phase_retaining_rate(half, sigma.into()).expect("legal threshold");
            close(
                rate.value,
                exact,
                1e-9,
                &format!("{bits} {k} {distinct} {sigma}"),
            );
        }
    }
}

#[test]
fn check_values_come_out_by_either_method() {
    for method in [Method::Convolution, Method::Contour] {
        let rate = |range, k, sigma| {
            let half = PartitionedHalf::new(range, k).expect("legal half");
            partitioned_retaining_rate(half, sigma, method)
                .expect("legal threshold")
                .value
        };
        let product = |range, k, sigma| {
            let half = PartitionedHalf::new(range, k).expect("legal half");
            let law = partitioned_bits_set_law(half, sigma, method).expect("legal threshold");
            law.retaining().two_phase_rate()
        };
        assert!((rate(128, 1, 64) - 0.644179).abs() < 0.51e-6);
        assert!((product(128, 1, 64) - 0.641355).abs() < 0.51e-6);
        assert!((rate(125, 4, 250) - 0.076_387_229_6).abs() < 0.51e-10);
        // how far the product rule is off, in parts of the rate
        for (k, off, digit) in [(2, 1.1e-3, 1e-4), (4, 1.4e-4, 1e-5)] {
            let sigma = u64::from(k) * 64;
            let share = 1.0 - product(128, k, sigma) / rate(128, k, sigma);
            assert!((share - off).abs() < 0.51 * digit, "k = {k}: {share:e}");
        }
    }
}

#[test]
fn the_two_methods_agree_on_retaining_rates() {
    for (range, k, sigma) in [
        (1024, 4, 2048),
        (512, 1, 300),
        (256, 16, 2000),
        (4096, 4, 1000),
        (2048, 3, 5500),
    ] {
        let half = PartitionedHalf::new(range, k).expect("legal half");
        let rate = |method| {
            partitioned_retaining_rate(half, sigma, method)
                .expect("legal")
                .value
        };
        close(
            rate(Method::Contour),
            rate(Method::Convolution),
            1e-9,
            &format!("{range} {k} {sigma}"),
        );
    }
}

fn filter(range: u64, hashes: u32, threshold: u64) -> RecyclingParams {
    RecyclingParams {
        memory_bits: 2 * range * u64::from(hashes),
        phases: 2,
        hashes,
        hashing: Hashing::Double,
        on: On::BitsSet,
        threshold,
        retain: false,
    }
}

#[test]
fn two_hash_functions_set_fewer_bits_and_cycles_of_small_partitions_are_approximations() {
    let large = predict(&filter(128, 4, 250)).expect("legal filter");
    assert!((large.cycle_messages.value - 84.8835).abs() < 0.51e-4);
    assert_eq!(
        large.cycle_messages.accuracy.kind,
        AccuracyKind::Approximation
    );
    assert_eq!(
        large.cycle_arrivals.accuracy.kind,
        AccuracyKind::Approximation
    );
    let independent = RecyclingParams {
        hashing: Hashing::Independent,
        ..filter(128, 4, 250)
    };
    let independent = predict(&independent).expect("legal filter");
    assert!((independent.cycle_messages.value - 85.0314).abs() < 0.51e-4);
    assert_eq!(
        independent.cycle_messages.accuracy.kind,
        AccuracyKind::Exact
    );
    // 2*10^7 and 10^7 simulated arrivals: rate, cycle, bit-setting messages; the rates within 1e-3 of themselves, cycles 3e-4
    for (range, hashes, threshold, rate, cycle, setting) in [
        (4, 3, 8, 0.40248, 5.03122, 4.26802),
        (4, 4, 10, 0.32075, 4.56090, 4.01738),
        (4, 4, 15, 0.82989, 12.2255, 7.18168),
        (5, 3, 10, 0.35165, 6.06756, 5.32319),
        (6, 4, 14, 0.22620, 5.73965, 5.29738),
        (8, 8, 12, 0.02424, 2.04870, 2.03175),
        (8, 8, 60, 0.70153, 22.3538, 16.4519),
        (16, 8, 80, 0.10318, 15.9336, 15.4155),
        (32, 8, 150, 0.052201, 28.4809, 28.0430),
    ] {
        let stated = predict(&filter(range, hashes, threshold)).expect("legal filter");
        for (name, figure, simulated, noise) in [
            ("rate", &stated.fpr_average, rate, 5e-3),
            ("cycle", &stated.cycle_arrivals, cycle, 1e-3),
            ("bit-setting", &stated.cycle_messages, setting, 1e-3),
        ] {
            let error = (figure.value / simulated - 1.0).abs();
            assert!(
                error <= figure.accuracy.relative_error + noise,
                "m'={range} k={hashes} sigma={threshold} {name}: {} for {simulated}, stated {:e}",
                figure.value,
                figure.accuracy.relative_error
            );
        }
    }
}

#[test]
fn a_threshold_on_messages_with_one_hash_is_exact_and_counts_its_messages() {
    // with one hash the N-th bit-setting message is the one that would set more than N - 1 bits
    for (range, messages) in [(32, 12), (128, 65), (1000, 700)] {
        let on = |on, threshold| {
            let params = RecyclingParams {
                hashing: Hashing::Independent,
                on,
                retain: true,
                ..filter(range, 1, threshold)
            };
            predict(&params).expect("legal filter")
        };
        let (by_messages, by_bits) = (on(On::Messages, messages), on(On::BitsSet, messages - 1));
        let case = format!("{range} {messages}");
        close(
            by_messages.fpr_average.value,
            by_bits.fpr_average.value,
            1e-9,
            &case,
        );
        assert_eq!(by_messages.cycle_messages.value, messages as f64 - 1.0);
        assert_eq!(by_messages.fpr_average.accuracy.kind, AccuracyKind::Exact);
    }
}

#[test]
fn a_retained_message_lowers_the_match_in_both_halves_on_messages_too() {
    // 10^8 simulated arrivals; five standard deviations
    for (range, hashes, messages, simulated, deviation) in [
        (32, 2, 22, 0.361_279_42, 4.9e-5),
        (32, 4, 22, 0.073_248_04, 2.6e-5),
        (64, 4, 44, 0.076_077_79, 2.5e-5),
        (32, 8, 22, 0.003_674_10, 6.4e-6),
    ] {
        let stated = predict(&RecyclingParams {
            hashing: Hashing::Independent,
            on: On::Messages,
            retain: true,
            ..filter(range, hashes, messages)
        })
        .expect("legal filter")
        .fpr_average;
        let allowed = stated.accuracy.relative_error * simulated + 5.0 * deviation;
        assert!(
            (stated.value - simulated).abs() <= allowed,
            "{range} {hashes}: {}",
            stated.value
        );
    }
}

#[test]
fn a_retained_message_counts_so_that_a_threshold_of_one_is_one_of_two() {
    for hashing in [Hashing::Independent, Hashing::Double] {
        let at = |threshold, retain| {
            predict(&RecyclingParams {
                on: On::Messages,
                retain,
                hashing,
                ..filter(64, 4, threshold)
            })
        };
        assert_eq!(at(1, true), at(2, true));
        // forgotten, nothing is ever stored
        assert!(at(1, false).is_err() && at(0, true).is_err());
    }
}

#[test]
fn thresholds_up_to_a_full_half_have_a_law() {
    for (range, hashes, empty) in [(1024, 1, 1), (512, 4, 1), (512, 4, 20), (64, 16, 2)] {
        let half = PartitionedHalf::new(range, hashes).expect("legal half");
        let sigma = half.bits() - empty;
        let law = |method| partitioned_bits_set_law(half, sigma, method).expect("a law");
        let (exact, integrals) = (law(Method::Convolution), law(Method::Contour));
        let case = format!("{range} {hashes} {empty}");
        close(integrals.mean_arrivals, exact.mean_arrivals, 1e-9, &case);
        close(integrals.active_rate, exact.active_rate, 1e-9, &case);
        close(integrals.frozen_rate, exact.frozen_rate, 1e-9, &case);
    }
    // a large half of one hash but one bit full: m' times a harmonic number
    let half = PartitionedHalf::new(1 << 20, 1).expect("legal half");
    let law = partitioned_bits_set_law(half, (1 << 20) - 1, Method::Auto).expect("a law");
    let harmonic: f64 = (1..=1u64 << 20).rev().map(|i| 1.0 / i as f64).sum();
    let stated = law.accuracy.relative_error;
    assert!(stated < 2e-7);
    let cycle = harmonic * f64::from(1 << 20);
    close(law.mean_arrivals, cycle, stated, "2^20 of one hash");
}
